//! Lays files out as archive and index.

use super::ArchiveFile;
use anyhow::{Context as _, Result, bail};
use boardwalk::file_io::archive::{Entry, Index, header};
use boardwalk::file_io::{NameHash, SECTOR_BYTES};
use std::collections::HashMap;

/// Where a file went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Its name.
    pub name: String,
    /// Its record.
    pub entry: Entry,
}

/// A written archive.
#[derive(Clone, Debug)]
pub struct Archive {
    /// The index's bytes.
    pub index: Vec<u8>,
    /// The archive's bytes, whole sectors.
    pub data: Vec<u8>,
    /// Its files in the order of their places.
    pub files: Vec<Placed>,
}

impl Archive {
    /// The same archive with more files behind its own.
    ///
    /// # Errors
    /// As [`pack`].
    pub fn and(&self, more: &[ArchiveFile]) -> Result<Self> {
        let own = self.files.iter().map(|file| ArchiveFile {
            name: file.name.clone(),
            bytes: self.data[file.entry.offset as usize..][..file.entry.size as usize].to_vec(),
        });
        pack(&own.chain(more.iter().cloned()).collect::<Vec<_>>())
    }
}

/// Writes files in the given order.
///
/// # Errors
/// A name that is too long, two names with one hash, or more than 4 GiB.
pub fn pack(files: &[ArchiveFile]) -> Result<Archive> {
    let (mut data, mut placed) = (Vec::new(), Vec::new());
    let mut names: HashMap<NameHash, &str> = HashMap::new();
    for file in files {
        let name = NameHash::of_file(&file.name)
            .with_context(|| format!("{}: the name does not fit the console's buffer", file.name))?;
        if let Some(other) = names.insert(name, &file.name) {
            bail!("{} and {other} have the same hash {:#010x}: rename one", file.name, name.0);
        }
        let offset = u32::try_from(data.len()).context("the archive is larger than 4 GiB")?;
        let size = u32::try_from(file.bytes.len()).with_context(|| format!("{} is larger than 4 GiB", file.name))?;
        placed.push(Placed { name: file.name.clone(), entry: Entry { offset, size, name } });
        data.extend_from_slice(&file.bytes);
        data.resize(data.len().next_multiple_of(SECTOR_BYTES as usize), 0);
    }
    let bytes = u32::try_from(data.len()).context("the archive is larger than 4 GiB")?;
    let mut index = header(u32::try_from(placed.len())?).to_vec();
    index.extend(placed.iter().flat_map(|file| file.entry.to_bytes()));
    // The console refuses an index that does not fit its archive, so the build must not ship one.
    if let Err(error) = Index::read(&index, bytes) {
        bail!("the written index cannot be read back: {error}");
    }
    Ok(Archive { index, data, files: placed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(name: &str, bytes: Vec<u8>) -> ArchiveFile {
        ArchiveFile { name: name.into(), bytes }
    }

    #[test]
    fn files_lie_on_sectors_in_the_given_order() {
        let archive =
            pack(&[file("b", vec![1; 2049]), file("a", vec![2; 10]), file("none", vec![]), file("c", vec![3; 1])])
                .unwrap();
        let places: Vec<_> =
            archive.files.iter().map(|file| (file.name.as_str(), file.entry.offset, file.entry.size)).collect();
        assert_eq!(places, [("b", 0, 2049), ("a", 4096, 10), ("none", 6144, 0), ("c", 6144, 1)]);
        assert_eq!(archive.data.len(), 8192);
        assert_eq!(archive.data[4096..4107], [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0]);
    }

    #[test]
    fn more_files_lie_behind_the_others() {
        let files = [file("b", vec![1; 2049]), file("a", vec![2; 10])];
        let more = pack(&files[..1]).unwrap().and(&files[1..]).unwrap();
        let whole = pack(&files).unwrap();
        assert_eq!((more.index, more.data, more.files), (whole.index, whole.data, whole.files));
    }

    #[test]
    fn two_names_that_differ_in_case_only_are_refused() {
        let error = pack(&[file("Hall.clip", vec![]), file("hall.CLIP", vec![])]).unwrap_err().to_string();
        assert!(error.contains("Hall.clip") && error.contains("hall.CLIP"), "{error}");
    }

    #[test]
    fn names_that_the_console_cannot_hash_are_refused() {
        assert!(pack(&[file(&"x".repeat(300), vec![])]).is_err());
    }

    proptest! {
        #[test]
        fn the_engine_finds_every_file_with_its_bytes(sizes in proptest::collection::vec(0usize..6000, 0..12)) {
            let files: Vec<_> = sizes
                .iter()
                .enumerate()
                .map(|(number, &size)| file(&format!("Folder/File{number}.bin"), vec![number as u8 + 1; size]))
                .collect();
            let archive = pack(&files).unwrap();
            let index = Index::read(&archive.index, archive.data.len() as u32).unwrap();
            prop_assert_eq!(index.len(), files.len());
            for file in &files {
                let entry = index.find(NameHash::of_file(&file.name.to_uppercase()).unwrap()).unwrap();
                prop_assert_eq!(&archive.data[entry.offset as usize..entry.end() as usize], &file.bytes[..]);
            }
        }
    }
}
