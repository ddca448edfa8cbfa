//! What is in the archive, for a person to read.

use super::Archive;
use boardwalk::file_io::SECTOR_BYTES;
use std::fmt;

/// The archive's contents in the order of their places on the disc.
pub struct Contents<'a>(pub &'a Archive);

impl fmt::Display for Contents<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wide = self.0.files.iter().map(|file| file.name.len()).max().unwrap_or(0).max(4);
        writeln!(f, "{:<wide$} {:>10} {:>8} {:>10}", "file", "bytes", "sector", "name hash")?;
        for file in &self.0.files {
            let (entry, sector) = (file.entry, file.entry.offset / SECTOR_BYTES);
            writeln!(f, "{:<wide$} {:>10} {sector:>8} {:>10x}", file.name, entry.size, entry.name.0)?;
        }
        write!(f, "{} files, {} bytes", self.0.files.len(), self.0.data.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{ArchiveFile, pack};

    #[test]
    fn every_file_is_listed_with_its_place() {
        let file = |name: &str, bytes| ArchiveFile { name: name.into(), bytes: vec![0; bytes] };
        let archive = pack(&[file("first.bin", 3000), file("2.bin", 5)]).unwrap();
        let text = Contents(&archive).to_string();
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().take(3).collect()).collect();
        assert_eq!(rows[1..3], [["first.bin", "3000", "0"], ["2.bin", "5", "2"]]);
        assert!(text.ends_with("2 files, 6144 bytes"), "{text}");
    }
}
