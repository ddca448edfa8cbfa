//! What a start with images of modules is made of: the images' files, the list of what is to start, and the note that tells the
//! new start of them.
//!
//! Source: IOP kernel, UDNL and IOPRP

use crate::romdir::{RomFile, files, find, find_directory, version};

/// The file that lists what starts.
const LIST: &[u8] = b"IOPBTCONF";
/// Lists that may include each other.
const DEPTH: u32 = 4;

/// An image of files, as a ROM is one.
#[derive(Clone, Copy, Debug)]
pub struct Image<'a> {
    bytes: &'a [u8],
    directory: usize,
}

impl<'a> Image<'a> {
    /// No image: nothing is in it.
    pub const EMPTY: Self = Image { bytes: &[], directory: 0 };

    /// The image in `bytes`; None when no directory is in it.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        find_directory(bytes).map(|directory| Image { bytes, directory })
    }

    fn bytes_of(&self, file: RomFile) -> &'a [u8] {
        self.bytes.get(file.offset..file.offset + file.size).unwrap_or_default()
    }

    /// The bytes of the file called `name`.
    #[must_use]
    pub fn file(&self, name: &[u8]) -> Option<&'a [u8]> {
        find(self.bytes, self.directory, name).map(|file| self.bytes_of(file))
    }

    /// The bytes of the file called `name`, and its version.
    fn with_version(&self, name: &[u8]) -> Option<(&'a [u8], u16)> {
        let listed = files(self.bytes, self.directory).find(|listed| listed.name == name)?;
        Some((self.bytes_of(listed.file), version(self.bytes, self.directory, &listed)))
    }
}

/// The copy of the module `name` with the highest version; of equal ones the later image's.
#[must_use]
pub fn newest<'a>(images: &[Image<'a>], name: &[u8]) -> Option<&'a [u8]> {
    let copies = images.iter().filter_map(|image| image.with_version(name));
    copies.max_by_key(|(_, version)| *version).map(|(bytes, _)| bytes)
}

/// What a line of a list asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry<'a> {
    /// The module of that name.
    Module(&'a [u8]),
    /// The module that lies in memory there.
    Memory(u32),
}

/// Calls `each` with everything that is to start, in order: by the last image that has a list, or else by `usual`.
pub fn for_each<'a>(images: &[Image<'a>], usual: &'a [u8], each: &mut impl FnMut(Entry<'a>)) {
    let list = images.iter().rev().find_map(|image| image.file(LIST));
    read_list(images, list.unwrap_or(usual), DEPTH, each);
}

fn read_list<'a>(images: &[Image<'a>], text: &'a [u8], depth: u32, each: &mut impl FnMut(Entry<'a>)) {
    for line in text.split(|byte| matches!(byte, b'\n' | b'\r' | 0)) {
        let mut words = line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty());
        match (words.next(), words.next()) {
            (Some(b"!include"), Some(name)) if depth > 0 => {
                if let Some(list) = images.iter().rev().find_map(|image| image.file(name)) {
                    read_list(images, list, depth - 1, each);
                }
            }
            (Some(b"!addr"), Some(address)) => {
                if let Some(address) = hexadecimal(address) {
                    each(Entry::Memory(address));
                }
            }
            // Where the first module would lie is this kernel's own affair.
            (Some([b'@' | b'#' | b'!', ..]) | None, _) => {}
            (Some(name), _) => each(Entry::Module(name)),
        }
    }
}

fn hexadecimal(text: &[u8]) -> Option<u32> {
    u32::from_str_radix(core::str::from_utf8(text).ok()?, 16).ok()
}

/// Images that a start may have.
pub const IMAGES: usize = 4;
/// Tells a note from what else memory may hold.
const MARK: [u32; 2] = [0x4E4F_5445, 0x4957_424B];

/// What the new start is told: the images that wait in memory, by address and size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// How many there are.
    pub count: usize,
    /// The images.
    pub images: [(u32, u32); IMAGES],
}

/// Words of a note.
pub const NOTE_WORDS: usize = 3 + 2 * IMAGES;

impl Note {
    /// The note as words of memory.
    #[must_use]
    pub fn words(&self) -> [u32; NOTE_WORDS] {
        let mut words = [0; NOTE_WORDS];
        words[..2].copy_from_slice(&MARK);
        words[2] = self.count as u32;
        for (pair, (address, bytes)) in words[3..].chunks_exact_mut(2).zip(self.images) {
            pair.copy_from_slice(&[address, bytes]);
        }
        words
    }

    /// The note in words of memory, if there is one.
    #[must_use]
    pub fn of(words: &[u32; NOTE_WORDS]) -> Option<Self> {
        let count = words[2] as usize;
        if words[..2] != MARK || count > IMAGES {
            return None;
        }
        let mut images = [(0, 0); IMAGES];
        for (image, pair) in images.iter_mut().zip(words[3..].chunks_exact(2)) {
            *image = (pair[0], pair[1]);
        }
        Some(Note { count, images })
    }

    /// Adds an image; false when there is no room.
    pub fn add(&mut self, address: u32, bytes: u32) -> bool {
        let Some(slot) = self.images.get_mut(self.count) else { return false };
        *slot = (address, bytes);
        self.count += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    /// An image of files: name, version, bytes.
    fn image(contents: &[(&str, u16, &[u8])]) -> Vec<u8> {
        let mut extra: Vec<u8> = Vec::new();
        let mut entries: Vec<(&str, u16, usize)> = std::vec![("RESET", 0, 0), ("ROMDIR", 0, (contents.len() + 4) * 16)];
        for (name, version, bytes) in contents {
            // A date before the version, whose four bytes follow it.
            extra.extend([0, 0, 4, 1, 1, 2, 3, 4]);
            extra.extend(version.to_le_bytes());
            extra.extend([0, FIELD]);
            entries.push((*name, 12, bytes.len()));
        }
        entries.insert(2, ("EXTINFO", 0, extra.len()));
        let mut all = Vec::new();
        for (name, extra, size) in entries {
            let mut entry = [0; 16];
            entry[..name.len()].copy_from_slice(name.as_bytes());
            entry[10..12].copy_from_slice(&extra.to_le_bytes());
            entry[12..].copy_from_slice(&(size as u32).to_le_bytes());
            all.extend(entry);
        }
        all.extend([0; 16]);
        for bytes in [extra.as_slice()].into_iter().chain(contents.iter().map(|(_, _, bytes)| *bytes)) {
            all.extend(bytes);
            all.resize(all.len().next_multiple_of(16), 0);
        }
        all
    }

    const FIELD: u8 = 2;

    fn listed<'a>(images: &[Image<'a>], usual: &'a [u8]) -> Vec<Entry<'a>> {
        let mut entries = Vec::new();
        for_each(images, usual, &mut |entry| entries.push(entry));
        entries
    }

    #[test]
    fn the_highest_version_wins_and_of_equal_ones_the_later() {
        let first = image(&[("CDVDMAN", 0x0300, b"old"), ("FILEIO", 0x0200, b"first")]);
        let second = image(&[("CDVDMAN", 0x0102, b"older"), ("FILEIO", 0x0200, b"second")]);
        let images = [Image::new(&first).expect("an image"), Image::new(&second).expect("an image")];
        assert_eq!(newest(&images, b"CDVDMAN"), Some(&b"old"[..]));
        assert_eq!(newest(&images, b"FILEIO"), Some(&b"second"[..]));
        assert_eq!(newest(&images, b"IOMAN"), None);
    }

    #[test]
    fn the_last_images_list_is_read_with_what_it_includes() {
        let first = image(&[("IOPBTCONF", 0, b"IGNORED\n"), ("MORE", 0, b"THIRD\r\n!addr 1F000\n")]);
        let second = image(&[("IOPBTCONF", 0, b"@800\n# a note\n  FIRST\n\nSECOND x\n!include MORE\n!unknown\n")]);
        let images = [Image::new(&first).expect("an image"), Image::new(&second).expect("an image")];
        let module = |name: &'static str| Entry::Module(name.as_bytes());
        let expected = [module("FIRST"), module("SECOND"), module("THIRD"), Entry::Memory(0x1F000)];
        assert_eq!(listed(&images, b"USUAL"), expected);
        assert_eq!(listed(&[], b"USUAL\nLIST"), [module("USUAL"), module("LIST")]);
    }

    #[test]
    fn a_list_that_includes_itself_ends() {
        let image = image(&[("IOPBTCONF", 0, b"ONE\n!include IOPBTCONF\n")]);
        let images = [Image::new(&image).expect("an image")];
        assert_eq!(listed(&images, b"").len(), 1 + DEPTH as usize);
    }

    #[test]
    fn a_note_is_read_as_it_was_written_and_nothing_else_is_one() {
        let mut note = Note::default();
        for index in 0..IMAGES as u32 {
            assert!(note.add(0x1000 * index, index));
        }
        assert!(!note.add(1, 1));
        let words = note.words();
        assert_eq!(Note::of(&words), Some(note));
        for place in 0..3 {
            let mut damaged = words;
            damaged[place] ^= 0x100;
            assert_eq!(Note::of(&damaged), None);
        }
    }

    proptest! {
        #[test]
        fn damaged_images_are_no_trouble(changes in prop::collection::vec((0_usize..600, any::<u8>()), 1..20)) {
            let mut bytes = image(&[("IOPBTCONF", 0, b"ONE\nTWO\n!include ONE\n"), ("ONE", 7, &[0x55; 100])]);
            for (at, value) in changes {
                let length = bytes.len();
                bytes[at % length] = value;
            }
            if let Some(found) = Image::new(&bytes) {
                let _ = (newest(&[found], b"ONE"), listed(&[found], b"USUAL"));
            }
        }
    }
}
