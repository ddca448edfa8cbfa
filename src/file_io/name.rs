//! Names of files: a prefix, lower case, CRC-32. Source: support systems, File I/O.

/// What stands before every name of the archive.
pub const PREFIX: &str = "./ee_files/";
/// Bytes of the buffer that prefix, name and end mark must fit into.
pub const NAME_BUFFER_BYTES: usize = 256;

/// The reflected polynomial.
const POLYNOMIAL: u32 = 0xEDB8_8320;

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < table.len() {
        let mut value = index as u32;
        let mut bit = 0;
        while bit < 8 {
            value = (value >> 1) ^ (POLYNOMIAL & 0u32.wrapping_sub(value & 1));
            bit += 1;
        }
        table[index] = value;
        index += 1;
    }
    table
};

const fn step(crc: u32, byte: u8) -> u32 {
    TABLE[((crc ^ byte as u32) & 0xFF) as usize] ^ (crc >> 8)
}

/// CRC-32 of bytes as they are: initial value and final mask are all ones.
pub const fn crc32(bytes: &[u8]) -> u32 {
    let (mut crc, mut index) = (u32::MAX, 0);
    while index < bytes.len() {
        crc = step(crc, bytes[index]);
        index += 1;
    }
    !crc
}

/// A CRC-32 of bytes that come in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crc32(u32);

impl Default for Crc32 {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl Crc32 {
    /// Adds a piece.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |crc, &byte| step(crc, byte));
    }

    /// That of all pieces so far.
    pub const fn value(self) -> u32 {
        !self.0
    }
}

/// A file of the archive, named by the CRC-32 of its lower-cased path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameHash(pub u32);

impl NameHash {
    /// The hash of a whole path. Only A to Z are lowered: other bytes, accented letters among them, count as they are.
    pub const fn of_path(path: &[u8]) -> Self {
        Self::extend(u32::MAX, path)
    }

    /// The hash of a file's name, with the archive's prefix before it. `None` when the name does not fit the buffer.
    pub const fn of_file(name: &str) -> Option<Self> {
        if PREFIX.len() + name.len() >= NAME_BUFFER_BYTES {
            return None;
        }
        Some(Self::extend(!Self::extend(u32::MAX, PREFIX.as_bytes()).0, name.as_bytes()))
    }

    const fn extend(mut crc: u32, bytes: &[u8]) -> Self {
        let mut index = 0;
        while index < bytes.len() {
            crc = step(crc, bytes[index].to_ascii_lowercase());
            index += 1;
        }
        Self(!crc)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_values_of_the_crc_hold() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"package"), 0xDE68_6795);
    }

    #[test]
    fn a_file_is_named_with_its_prefix_in_any_case() {
        for name in ["global.lua", "GLOBAL.LUA", "Global.Lua"] {
            assert_eq!(NameHash::of_file(name), Some(NameHash(0x7E23_A6F2)), "{name}");
        }
        assert_eq!(NameHash::of_path(b"./EE_FILES/global.lua"), NameHash(0x7E23_A6F2));
    }

    #[test]
    fn bytes_beyond_ascii_are_not_lowered() {
        assert_eq!(NameHash::of_path(&[0xC4]), NameHash(crc32(&[0xC4])));
        assert_ne!(NameHash::of_path(&[0xC4]), NameHash::of_path(&[0xE4]));
    }

    #[test]
    fn pieces_have_the_hash_of_the_whole() {
        let mut crc = Crc32::default();
        for piece in [&b"1234"[..], b"", b"56789"] {
            crc.add(piece);
        }
        assert_eq!((crc.value(), Crc32::default().value()), (0xCBF4_3926, crc32(b"")));
    }

    #[test]
    fn a_name_that_overflows_the_buffer_is_refused() {
        let long = [b'a'; NAME_BUFFER_BYTES];
        let name = |length: usize| core::str::from_utf8(&long[..length]).unwrap();
        let most = NAME_BUFFER_BYTES - PREFIX.len() - 1;
        assert!(NameHash::of_file(name(most)).is_some());
        assert!(NameHash::of_file(name(most + 1)).is_none());
    }
}
