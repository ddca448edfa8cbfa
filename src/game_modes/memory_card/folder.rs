//! Our folder on a card, through the server of the cards.
//!
//! The folder holds two saves, what the browser shows of them, and perhaps the testers' file. Everything goes through a few
//! calls of the server ([`CardServer`]), each of which may fail by a number; whatever fails first ends the operation.
//!
//! Source: IOP kernel facts, MCSERV; settled questions 23; seed 003, main (W_PS2SaveSystem_ReadBugstarFile).

use super::choose::FILES;
use super::icon;
use super::mode::{Card, CardError, CardState};

/// The folder.
///
/// Our choice: the disc's serial in the form that the browser knows; its country letter is one that no region claims.
pub const FOLDER: &str = "/BWBWLK-10001";
/// The two saves.
const SAVES: [&str; FILES] = ["/BWBWLK-10001/save0.dat", "/BWBWLK-10001/save1.dat"];
/// What the browser reads.
const SYSTEM: &str = "/BWBWLK-10001/icon.sys";
const MODEL: &str = "/BWBWLK-10001/buoy.icn";
/// The testers' file.
const TESTERS: &str = "/BWBWLK-10001/bugstar.dat";
/// Clusters of a kilobyte that a first save needs: the model's, one for each other file, two for the folder, and some of the
/// tables' own.
pub const NEEDED_CLUSTERS: u32 = (icon::MODEL_BYTES as u32).div_ceil(1024) + 12;
/// Bytes that are compared or written at a time.
const PIECE: usize = 256;
/// Looks at a card that says that it has changed: the first look after a change says nothing else.
const LOOKS: u32 = 3;

/// Numbers of the server's answers.
pub mod answer {
    /// Another card than last time.
    pub const CHANGED: i32 = -1;
    /// Not formatted.
    pub const UNFORMATTED: i32 = -2;
    /// No room.
    pub const FULL: i32 = -3;
    /// No such file.
    pub const NO_ENTRY: i32 = -4;
    /// Not allowed; also a folder that is there already.
    pub const DENIED: i32 = -5;
    /// From here down there is no card.
    pub const NO_CARD: i32 = -10;
}

/// Flags of an open.
pub mod flag {
    /// Reads.
    pub const READ: u32 = 1;
    /// Writes, and makes the file.
    pub const WRITE: u32 = 0x202;
    /// Makes a folder.
    pub const FOLDER: u32 = 0x40;
}

/// The kind of the console's own cards.
pub const KIND: u32 = 2;

/// What the server says of a card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CardInfo {
    /// 0 for the same card as last time, or a negative number.
    pub result: i32,
    /// Its kind; 0 for none.
    pub kind: u32,
    /// Free clusters of a kilobyte.
    pub free: u32,
    /// It has a file system.
    pub formatted: bool,
}

/// The server of the cards, for the card in the first slot. Negative answers are [`answer`]s.
pub trait CardServer {
    /// Looks at the card.
    fn info(&mut self) -> CardInfo;
    /// Opens a file or makes a folder; the file's number.
    fn open(&mut self, path: &str, flags: u32) -> i32;
    /// Closes a file; what was written is on the card afterwards.
    fn close(&mut self, file: i32) -> i32;
    /// Reads up to a buffer's bytes; how many.
    fn read(&mut self, file: i32, buffer: &mut [u8]) -> i32;
    /// Writes bytes; how many.
    fn write(&mut self, file: i32, bytes: &[u8]) -> i32;
    /// Formats the card.
    fn format(&mut self) -> i32;
}

/// Computes bytes of a file from a place on.
type Fill<'a> = &'a dyn Fn(usize, &mut [u8]);

/// Our folder on the card.
#[derive(Clone, Copy, Debug, Default)]
pub struct Folder<S>(pub S);

fn error_of(answer: i32) -> CardError {
    match answer {
        answer::FULL => CardError::Full,
        answer::CHANGED | ..=answer::NO_CARD => CardError::Changed,
        _ => CardError::Failed,
    }
}

fn checked(answer: i32) -> Result<i32, CardError> {
    if answer < 0 { Err(error_of(answer)) } else { Ok(answer) }
}

impl<S: CardServer> Folder<S> {
    /// A file's number for reading; `None` when it is not there.
    fn open_to_read(&mut self, path: &str) -> Result<Option<i32>, CardError> {
        match self.0.open(path, flag::READ) {
            answer::NO_ENTRY => Ok(None),
            opened => checked(opened).map(Some),
        }
    }

    fn exists(&mut self, path: &str) -> Result<bool, CardError> {
        let Some(file) = self.open_to_read(path)? else { return Ok(false) };
        checked(self.0.close(file)).map(|_| true)
    }

    /// Reads until the buffer is full or the file ends.
    fn read_all(&mut self, file: i32, buffer: &mut [u8]) -> Result<usize, CardError> {
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
            match checked(self.0.read(file, rest))? as usize {
                0 => break,
                came => done += came.min(rest.len()),
            }
        }
        Ok(done)
    }

    fn read_file(&mut self, path: &str, buffer: &mut [u8]) -> Result<Option<usize>, CardError> {
        let Some(file) = self.open_to_read(path)? else { return Ok(None) };
        let came = self.read_all(file, buffer);
        // The file is closed whatever the read said.
        let closed = checked(self.0.close(file));
        let came = came?;
        closed.map(|_| Some(came))
    }

    /// Writes a file of `length` bytes that `fill` computes piece by piece.
    fn write_file(&mut self, path: &str, length: usize, fill: Fill<'_>) -> Result<(), CardError> {
        let file = checked(self.0.open(path, flag::WRITE))?;
        let written = self.write_pieces(file, length, fill);
        let closed = checked(self.0.close(file));
        written?;
        closed.map(|_| ())
    }

    fn write_pieces(&mut self, file: i32, length: usize, fill: Fill<'_>) -> Result<(), CardError> {
        let mut piece = [0; PIECE];
        for from in (0..length).step_by(PIECE) {
            let bytes = &mut piece[..PIECE.min(length - from)];
            fill(from, bytes);
            if checked(self.0.write(file, bytes))? as usize != bytes.len() {
                return Err(CardError::Full);
            }
        }
        Ok(())
    }

    /// Whether a file is there with just these contents.
    fn is_whole(&mut self, path: &str, length: usize, fill: Fill<'_>) -> Result<bool, CardError> {
        let Some(file) = self.open_to_read(path)? else { return Ok(false) };
        let same = self.compare(file, length, fill);
        let closed = checked(self.0.close(file));
        let same = same?;
        closed.map(|_| same)
    }

    fn compare(&mut self, file: i32, length: usize, fill: Fill<'_>) -> Result<bool, CardError> {
        let (mut read, mut wanted) = ([0; PIECE], [0; PIECE]);
        for from in (0..length).step_by(PIECE) {
            let bytes = PIECE.min(length - from);
            fill(from, &mut wanted[..bytes]);
            if self.read_all(file, &mut read[..bytes])? != bytes || read[..bytes] != wanted[..bytes] {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Makes the folder and what the browser reads, as far as they are not there.
    fn prepare(&mut self) -> Result<(), CardError> {
        // A folder that is there already is refused by different numbers, and the files below tell whether it is.
        match self.0.open(FOLDER, flag::FOLDER) {
            answer::NO_ENTRY | answer::DENIED => {}
            made => {
                checked(made)?;
            }
        }
        let system = icon::system();
        let fill_system = |from: usize, bytes: &mut [u8]| bytes.copy_from_slice(&system[from..from + bytes.len()]);
        let files: [(&str, usize, Fill<'_>); 2] =
            [(MODEL, icon::MODEL_BYTES, &icon::model), (SYSTEM, system.len(), &fill_system)];
        for (path, length, fill) in files {
            if !self.is_whole(path, length, fill)? {
                self.write_file(path, length, fill)?;
            }
        }
        Ok(())
    }
}

impl<S: CardServer> Card for Folder<S> {
    fn look(&mut self) -> CardState {
        let mut info = self.0.info();
        for _ in 1..LOOKS {
            if info.result != answer::CHANGED {
                break;
            }
            info = self.0.info();
        }
        if info.kind != KIND || info.result <= answer::NO_CARD {
            return CardState::Absent;
        }
        if info.result == answer::UNFORMATTED || !info.formatted {
            return CardState::Unformatted;
        }
        let saves = SAVES.map(|path| self.exists(path));
        if saves.contains(&Ok(true)) {
            CardState::Ours
        } else if info.free < NEEDED_CLUSTERS {
            CardState::Full
        } else {
            CardState::Empty
        }
    }

    fn format(&mut self) -> Result<(), CardError> {
        checked(self.0.format()).map(|_| ())
    }

    fn read(&mut self, file: usize, buffer: &mut [u8]) -> Result<Option<usize>, CardError> {
        let path = SAVES.get(file).ok_or(CardError::Failed)?;
        self.read_file(path, buffer)
    }

    fn read_testers_file(&mut self, buffer: &mut [u8]) -> Option<usize> {
        self.look();
        self.read_file(TESTERS, buffer).ok().flatten()
    }

    fn write(&mut self, file: usize, bytes: &[u8]) -> Result<(), CardError> {
        let path = SAVES.get(file).ok_or(CardError::Failed)?;
        self.prepare()?;
        self.write_file(path, bytes.len(), &|from, piece| piece.copy_from_slice(&bytes[from..from + piece.len()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_modes::memory_card::{choose, image};
    use std::collections::BTreeMap;
    use std::string::String;
    use std::vec::Vec;

    /// A card in memory behind a server that fails from its `fails_from`th change on, as if the card had been pulled then.
    #[derive(Default)]
    pub struct Memory {
        files: BTreeMap<String, Vec<u8>>,
        open: Vec<Option<(String, usize)>>,
        changes: usize,
        fails_from: Option<usize>,
        room: usize,
        unformatted: bool,
    }

    impl Memory {
        fn new() -> Self {
            Self { room: 1 << 20, ..Self::default() }
        }

        /// Counts a change; what fails it.
        fn change(&mut self) -> Option<i32> {
            self.changes += 1;
            (self.fails_from.is_some_and(|from| self.changes > from)).then_some(answer::NO_CARD)
        }
    }

    impl CardServer for Memory {
        fn info(&mut self) -> CardInfo {
            if self.fails_from.is_some_and(|from| self.changes > from) {
                return CardInfo { result: answer::NO_CARD, ..CardInfo::default() };
            }
            let used: usize = self.files.values().map(|file| file.len().div_ceil(1024)).sum();
            let result = if self.unformatted { answer::UNFORMATTED } else { 0 };
            let free = (self.room / 1024).saturating_sub(used) as u32;
            CardInfo { result, kind: KIND, free, formatted: !self.unformatted }
        }
        fn open(&mut self, path: &str, flags: u32) -> i32 {
            if flags == flag::FOLDER {
                return self.change().unwrap_or_else(|| {
                    if self.files.insert(path.into(), Vec::new()).is_some() { answer::DENIED } else { 0 }
                });
            }
            if flags & flag::WRITE == flag::WRITE {
                if let Some(answer) = self.change() {
                    return answer;
                }
                if !self.files.contains_key(FOLDER) {
                    return answer::NO_ENTRY;
                }
                self.files.insert(path.into(), Vec::new());
            } else if !self.files.contains_key(path) {
                return answer::NO_ENTRY;
            }
            self.open.push(Some((path.into(), 0)));
            self.open.len() as i32 - 1
        }
        fn close(&mut self, file: i32) -> i32 {
            self.open[file as usize] = None;
            0
        }
        fn read(&mut self, file: i32, buffer: &mut [u8]) -> i32 {
            let (path, at) = self.open[file as usize].as_mut().unwrap();
            let bytes = &self.files[path][*at..];
            let came = bytes.len().min(buffer.len());
            buffer[..came].copy_from_slice(&bytes[..came]);
            *at += came;
            came as i32
        }
        fn write(&mut self, file: i32, bytes: &[u8]) -> i32 {
            let cut = self.change();
            let (path, _) = self.open[file as usize].clone().unwrap();
            // The write that fails has written half of its bytes.
            let kept = if cut.is_some() { bytes.len() / 2 } else { bytes.len() };
            self.files.get_mut(&path).unwrap().extend(&bytes[..kept]);
            cut.unwrap_or(bytes.len() as i32)
        }
        fn format(&mut self) -> i32 {
            (self.files, self.unformatted) = (BTreeMap::new(), false);
            0
        }
    }

    /// Saves as the mode does: over the older of the two.
    fn save(folder: &mut Folder<Memory>, contents: &[u8]) -> Result<(), CardError> {
        let mut buffer = [0; 256];
        let newest = newest(folder);
        let length = image::encode(newest.1.generation, contents, &mut buffer).unwrap();
        folder.write(newest.1.write, &buffer[..length])
    }

    fn newest(folder: &mut Folder<Memory>) -> (Option<Vec<u8>>, choose::Choice) {
        let mut found = [None, None];
        let mut contents = [None, None];
        for file in 0..FILES {
            let mut buffer = [0; 256];
            if let Ok(Some(bytes)) = folder.read(file, &mut buffer)
                && let Ok(image) = image::decode(&buffer[..bytes])
            {
                found[file] = Some(image.generation);
                contents[file] = Some(image.contents.to_vec());
            }
        }
        let choice = choose::choose(found);
        (choice.read.and_then(|file| contents[file].clone()), choice)
    }

    #[test]
    fn a_card_pulled_at_any_change_keeps_the_last_save_or_has_the_new_one() {
        // How many changes a whole second save takes.
        let mut folder = Folder(Memory::new());
        save(&mut folder, b"first evening").unwrap();
        let before = folder.0.changes;
        save(&mut folder, b"second evening").unwrap();
        let changes = folder.0.changes - before;
        for pulled in 0..=changes {
            let mut folder = Folder(Memory::new());
            save(&mut folder, b"first evening").unwrap();
            folder.0.fails_from = Some(folder.0.changes + pulled);
            let outcome = save(&mut folder, b"second evening");
            // Put in again.
            folder.0.fails_from = None;
            let kept = newest(&mut folder).0.expect("some save");
            match outcome {
                Ok(()) => assert_eq!(kept, b"second evening", "pulled after {pulled} changes"),
                Err(error) => {
                    assert_eq!(error, CardError::Changed);
                    assert_eq!(kept, b"first evening", "pulled after {pulled} changes");
                }
            }
            save(&mut folder, b"third evening").unwrap();
            assert_eq!(newest(&mut folder).0.unwrap(), b"third evening");
        }
        assert!(changes >= 3, "the loop tried something: {changes}");
    }

    #[test]
    fn a_first_save_that_is_interrupted_anywhere_can_be_made_again() {
        let mut whole = Folder(Memory::new());
        save(&mut whole, b"evening").unwrap();
        for pulled in 0..whole.0.changes {
            let mut folder = Folder(Memory { fails_from: Some(pulled), ..Memory::new() });
            assert_eq!(save(&mut folder, b"evening"), Err(CardError::Changed));
            folder.0.fails_from = None;
            assert_eq!(newest(&mut folder).0, None);
            save(&mut folder, b"evening").unwrap();
            assert_eq!(folder.0.files, whole.0.files, "after {pulled} changes");
        }
    }

    #[test]
    fn each_state_of_a_card_is_told() {
        let mut folder = Folder(Memory::new());
        assert_eq!(folder.look(), CardState::Empty);
        folder.0.unformatted = true;
        assert_eq!(folder.look(), CardState::Unformatted);
        folder.format().unwrap();
        folder.0.room = 20 * 1024;
        assert_eq!(folder.look(), CardState::Full);
        folder.0.room = 1 << 20;
        save(&mut folder, b"x").unwrap();
        folder.0.room = 0;
        assert_eq!(folder.look(), CardState::Ours, "a full card with our save is ours");
        folder.0.fails_from = Some(0);
        assert_eq!(folder.look(), CardState::Absent);
    }

    #[test]
    fn the_testers_file_is_read_when_it_is_there() {
        let mut folder = Folder(Memory::new());
        let mut bytes = [0; 20];
        assert_eq!(folder.read_testers_file(&mut bytes), None);
        folder.0.files.insert(TESTERS.into(), (0..20).collect());
        assert_eq!(folder.read_testers_file(&mut bytes), Some(20));
        assert_eq!(bytes[19], 19);
    }
}
