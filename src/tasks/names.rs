//! Names as numbers: the CRC-32 by which types and functions are found.

/// CRC-32 (reflected 0xEDB88320) of a name in lower case; only A to Z are lowered. Source: support systems, File I/O.
pub const fn name_hash(name: &str) -> u32 {
    let bytes = name.as_bytes();
    let (mut crc, mut at) = (u32::MAX, 0);
    while at < bytes.len() {
        crc ^= bytes[at].to_ascii_lowercase() as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
            bit += 1;
        }
        at += 1;
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::name_hash;

    #[test]
    fn names_hash_as_the_archive_does() {
        assert_eq!(name_hash("123456789"), 0xcbf4_3926);
        assert_eq!((name_hash(""), name_hash("package")), (0, 0xde68_6795));
        assert_eq!(name_hash("./EE_files/Global.lua"), 0x7e23_a6f2);
    }
}
