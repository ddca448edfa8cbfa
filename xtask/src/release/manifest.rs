//! Checksums in the form that `sha256sum --check` reads.

use super::ReleaseFile;
use anyhow::{Context as _, Result, bail, ensure};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::path::Path;

/// The checksums' file.
pub const CHECKSUMS: &str = "SHA256SUMS";

/// The SHA-256 of some bytes in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// One line a file.
pub(super) fn write(files: &[ReleaseFile]) -> String {
    files.iter().map(|file| format!("{}  {}\n", sha256(&file.bytes), file.path)).collect()
}

/// Compares a folder with its checksums and says how many files were right.
///
/// # Errors
/// No checksums, a file that is missing or differs.
pub fn verify(folder: &Path) -> Result<usize> {
    let sums = folder.join(CHECKSUMS);
    let text = std::fs::read_to_string(&sums).with_context(|| format!("cannot read {}", sums.display()))?;
    let mut count = 0;
    for line in text.lines() {
        let Some((sum, name)) = line.split_once("  ") else { bail!("{}: `{line}` is no checksum", sums.display()) };
        let bytes = std::fs::read(folder.join(name)).with_context(|| format!("cannot read {name}"))?;
        ensure!(sha256(&bytes) == sum, "{name} is not what was released");
        count += 1;
    }
    ensure!(count > 0, "{} is empty", sums.display());
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_the_standards() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn a_changed_file_is_found() {
        let place = tempfile::tempdir().unwrap();
        let files = [ReleaseFile { path: "a".into(), bytes: b"1".into() }];
        std::fs::write(place.path().join("a"), b"1").unwrap();
        std::fs::write(place.path().join(CHECKSUMS), write(&files)).unwrap();
        assert_eq!(verify(place.path()).unwrap(), 1);
        std::fs::write(place.path().join("a"), b"2").unwrap();
        assert!(verify(place.path()).unwrap_err().to_string().contains("a is not what was released"));
    }
}
