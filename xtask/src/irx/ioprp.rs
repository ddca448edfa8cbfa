//! Images of modules: the files that a new start of the IOP takes its modules from.

use anyhow::{Result, ensure};

const ENTRY_BYTES: usize = 16;
const NAME_BYTES: usize = 10;
/// Extra information: a version in the field itself.
const FIELD_VERSION: u8 = 2;
const FIELD_BYTES: usize = 4;

/// A file of an image.
#[derive(Debug, Clone)]
pub struct ImageFile<'a> {
    /// Up to ten characters.
    pub name: &'a str,
    /// Version, by which the newest of several images' copies is chosen.
    pub version: u16,
    /// What it holds.
    pub bytes: &'a [u8],
}

/// Packs an image.
///
/// # Errors
/// A name that the directory cannot hold.
pub fn pack(files: &[ImageFile<'_>]) -> Result<Vec<u8>> {
    let mut extra = Vec::new();
    for file in files {
        extra.extend(file.version.to_le_bytes());
        extra.extend([0, FIELD_VERSION]);
    }
    // The directory's own three entries, and an empty one behind all.
    let directory = (files.len() + 4) * ENTRY_BYTES;
    let mut image = Vec::new();
    let own = [("RESET", 0, 0), ("ROMDIR", 0, directory), ("EXTINFO", 0, extra.len())];
    let entries = own.into_iter().chain(files.iter().map(|file| (file.name, FIELD_BYTES, file.bytes.len())));
    for (name, extra_bytes, bytes) in entries {
        ensure!((1..=NAME_BYTES).contains(&name.len()) && name.is_ascii(), "{name}: a name has 1 to 10 characters");
        let mut entry = [0; ENTRY_BYTES];
        entry[..name.len()].copy_from_slice(name.as_bytes());
        entry[NAME_BYTES..NAME_BYTES + 2].copy_from_slice(&u16::try_from(extra_bytes)?.to_le_bytes());
        entry[NAME_BYTES + 2..].copy_from_slice(&u32::try_from(bytes)?.to_le_bytes());
        image.extend(entry);
    }
    image.resize(directory, 0);
    for bytes in [extra.as_slice()].into_iter().chain(files.iter().map(|file| file.bytes)) {
        image.extend(bytes);
        image.resize(image.len().next_multiple_of(ENTRY_BYTES), 0);
    }
    Ok(image)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_lie_where_the_directory_says() {
        let files = [
            ImageFile { name: "IOPBTCONF", version: 0, bytes: b"FILEIO\n" },
            ImageFile { name: "FILEIO", version: 0x0204, bytes: &[7; 33] },
        ];
        let image = pack(&files).unwrap();
        assert!(image.starts_with(b"RESET\0") && image.len().is_multiple_of(16));
        let mut offset = 0;
        let mut found = Vec::new();
        for entry in image.chunks(16).take_while(|entry| entry[0] != 0) {
            let size = u32::from_le_bytes(entry[12..].try_into().unwrap()) as usize;
            found.push(&image[offset..offset + size]);
            offset += size.next_multiple_of(16);
        }
        assert_eq!(found[3..], [&b"FILEIO\n"[..], &[7; 33]]);
        assert_eq!(found[2][4..], [0x04, 0x02, 0, 2]);
    }

    #[test]
    fn names_that_do_not_fit_are_refused() {
        assert!(pack(&[ImageFile { name: "ELEVENCHARS", version: 0, bytes: &[] }]).is_err());
    }
}
