//! The console's `host:` device: files of one folder, and nothing outside it.

use super::packet::Entry;
use anyhow::{Context as _, Result};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};

/// Files and folders that may be open at once.
pub const MOST_OPEN: usize = 32;

/// The console's numbers of what can go wrong, which are those of its C library, negated.
pub mod error {
    /// No such file.
    pub const NOT_FOUND: i32 = -2;
    /// The device failed.
    pub const DEVICE: i32 = -5;
    /// A number that no file has.
    pub const BAD_FILE: i32 = -9;
    /// Outside the folder, or not allowed.
    pub const REFUSED: i32 = -13;
    /// An argument that makes no sense.
    pub const ARGUMENT: i32 = -22;
    /// Too many files.
    pub const TOO_MANY: i32 = -24;
}

/// The console's flags of opening.
const WRITE: u32 = 2;
const READ_AND_WRITE: u32 = 3;
const APPEND: u32 = 0x100;
const CREATE: u32 = 0x200;
const TRUNCATE: u32 = 0x400;

/// What a number stands for.
#[derive(Debug)]
enum Opened {
    File(File),
    /// The entries that are still to be told.
    Folder(std::vec::IntoIter<Entry>),
}

/// One folder and what the console has open in it.
#[derive(Debug)]
pub struct HostFolder {
    root: PathBuf,
    open: [Option<Opened>; MOST_OPEN],
}

/// An error number for the console.
type Answer<T> = std::result::Result<T, i32>;

impl HostFolder {
    /// Serves `root`.
    ///
    /// # Errors
    /// `root` is no folder.
    pub fn new(root: &Path) -> Result<Self> {
        let full = root.canonicalize().with_context(|| format!("{} cannot be served as host:", root.display()))?;
        anyhow::ensure!(full.is_dir(), "{} is no folder", root.display());
        Ok(Self { root: full, open: Default::default() })
    }

    /// The file that a path of the console names; it need not exist, but it lies in the folder.
    ///
    /// # Errors
    /// A path that leads out, by its words or by a link.
    pub fn resolve(&self, path: &str) -> Answer<PathBuf> {
        let path = path.replace('\\', "/");
        let mut full = self.root.clone();
        for part in Path::new(path.trim_start_matches('/')).components() {
            match part {
                Component::Normal(name) => full.push(name),
                Component::CurDir => {}
                _ => return Err(error::REFUSED),
            }
        }
        // A link may point anywhere; what does not exist yet is judged by where it would be.
        let real = match full.canonicalize() {
            Ok(real) => real,
            // A link to nothing would be made where it points.
            Err(_) if full.is_symlink() => return Err(error::REFUSED),
            Err(_) => {
                let parent = full.parent().and_then(|parent| parent.canonicalize().ok()).ok_or(error::NOT_FOUND)?;
                parent.join(full.file_name().ok_or(error::REFUSED)?)
            }
        };
        if real.starts_with(&self.root) { Ok(real) } else { Err(error::REFUSED) }
    }

    /// Opens a file and gives its number, which is above 0: ps2link takes 0 for a failure.
    pub fn open(&mut self, flags: u32, path: &str) -> Answer<i32> {
        let full = self.resolve(path)?;
        if full.is_dir() {
            return Err(error::REFUSED);
        }
        let access = flags & READ_AND_WRITE;
        let writes = access & WRITE != 0;
        let file = OpenOptions::new()
            .read(access != WRITE)
            .write(writes && flags & APPEND == 0)
            .append(writes && flags & APPEND != 0)
            .create(writes && flags & CREATE != 0)
            .truncate(writes && flags & TRUNCATE != 0 && flags & APPEND == 0)
            .open(full)
            .map_err(|error| number_of(&error))?;
        self.keep(Opened::File(file))
    }

    /// Opens a folder for listing.
    pub fn open_folder(&mut self, path: &str) -> Answer<i32> {
        let full = self.resolve(path)?;
        let listed = std::fs::read_dir(full).map_err(|error| number_of(&error))?;
        let mut entries: Vec<Entry> =
            listed.flatten().filter_map(|found| Some(entry(&found.file_name(), &found.metadata().ok()?))).collect();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        self.keep(Opened::Folder(entries.into_iter()))
    }

    fn keep(&mut self, opened: Opened) -> Answer<i32> {
        let index = self.open.iter().position(Option::is_none).ok_or(error::TOO_MANY)?;
        self.open[index] = Some(opened);
        Ok(index as i32 + 1)
    }

    fn slot(&mut self, file: i32) -> Answer<&mut Option<Opened>> {
        let index = usize::try_from(file).ok().and_then(|file| file.checked_sub(1)).ok_or(error::BAD_FILE)?;
        self.open.get_mut(index).filter(|slot| slot.is_some()).ok_or(error::BAD_FILE)
    }

    fn file(&mut self, file: i32) -> Answer<&mut File> {
        match self.slot(file)? {
            Some(Opened::File(file)) => Ok(file),
            _ => Err(error::BAD_FILE),
        }
    }

    /// Closes a file or folder.
    pub fn close(&mut self, file: i32) -> Answer<()> {
        self.slot(file).map(|slot| *slot = None)
    }

    /// Closes everything, as the console has forgotten it.
    pub fn close_all(&mut self) {
        self.open = Default::default();
    }

    /// Reads up to `bytes` bytes; fewer at the file's end.
    pub fn read(&mut self, file: i32, bytes: u32) -> Answer<Vec<u8>> {
        let mut data = Vec::new();
        self.file(file)?.take(u64::from(bytes)).read_to_end(&mut data).map_err(|error| number_of(&error))?;
        Ok(data)
    }

    /// Writes all of `data`.
    pub fn write(&mut self, file: i32, data: &[u8]) -> Answer<()> {
        self.file(file)?.write_all(data).map_err(|error| number_of(&error))
    }

    /// Moves a file's place and says where it is then.
    pub fn seek(&mut self, file: i32, offset: i32, whence: i32) -> Answer<i32> {
        let to = match whence {
            0 => SeekFrom::Start(u64::try_from(offset).map_err(|_| error::ARGUMENT)?),
            1 => SeekFrom::Current(offset.into()),
            2 => SeekFrom::End(offset.into()),
            _ => return Err(error::ARGUMENT),
        };
        let place = self.file(file)?.seek(to).map_err(|_| error::ARGUMENT)?;
        i32::try_from(place).map_err(|_| error::ARGUMENT)
    }

    /// The next entry of a folder, none at its end.
    pub fn next_entry(&mut self, file: i32) -> Answer<Option<Entry>> {
        match self.slot(file)? {
            Some(Opened::Folder(entries)) => Ok(entries.next()),
            _ => Err(error::BAD_FILE),
        }
    }

    /// A file's kind and size.
    pub fn status(&self, path: &str) -> Answer<Entry> {
        let full = self.resolve(path)?;
        let data = full.metadata().map_err(|error| number_of(&error))?;
        Ok(entry(full.file_name().unwrap_or_default(), &data))
    }
}

fn entry(name: &std::ffi::OsStr, data: &std::fs::Metadata) -> Entry {
    Entry { name: name.to_string_lossy().into_owned(), folder: data.is_dir(), size: data.len() }
}

fn number_of(error: &io::Error) -> i32 {
    match error.kind() {
        io::ErrorKind::NotFound => error::NOT_FOUND,
        io::ErrorKind::PermissionDenied => error::REFUSED,
        io::ErrorKind::InvalidInput => error::ARGUMENT,
        // A file that was opened for one kind of access only.
        _ if error.raw_os_error() == Some(-error::BAD_FILE) => error::BAD_FILE,
        _ => error::DEVICE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, HostFolder) {
        let place = tempfile::tempdir().unwrap();
        let served = place.path().join("served");
        std::fs::create_dir_all(served.join("sub")).unwrap();
        std::fs::write(served.join("a.txt"), b"hello").unwrap();
        std::fs::write(place.path().join("secret"), b"no").unwrap();
        let host = HostFolder::new(&served).unwrap();
        (place, host)
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        let (place, mut host) = folder();
        std::os::unix::fs::symlink(place.path().join("secret"), place.path().join("served/link")).unwrap();
        std::os::unix::fs::symlink(place.path().join("nothing"), place.path().join("served/dangling")).unwrap();
        std::os::unix::fs::symlink(place.path(), place.path().join("served/up")).unwrap();
        for path in ["../secret", "sub/../../secret", "..\\secret", "link", "dangling", "up/secret", "up/new"] {
            assert_eq!(host.open(WRITE | CREATE, path), Err(error::REFUSED), "{path}");
        }
        // An absolute path is one of the folder's.
        assert_eq!(host.open(1, "/etc/passwd"), Err(error::NOT_FOUND));
        assert_eq!(std::fs::read(place.path().join("secret")).unwrap(), b"no");
        assert!(!place.path().join("nothing").exists());
    }

    #[test]
    fn files_are_read_sought_and_written() {
        let (_place, mut host) = folder();
        let file = host.open(1, "\\a.txt").unwrap();
        assert_eq!(file, 1);
        assert_eq!(host.read(file, 3).unwrap(), b"hel");
        assert_eq!(host.seek(file, -1, 2), Ok(4));
        assert_eq!(host.read(file, 100).unwrap(), b"o");
        assert_eq!(host.read(file, 100).unwrap(), b"");
        assert_eq!(host.write(file, b"x"), Err(error::BAD_FILE));
        assert_eq!(host.seek(file, -9, 1), Err(error::ARGUMENT));
        assert_eq!(host.seek(file, 0, 7), Err(error::ARGUMENT));
        assert_eq!(host.close(file), Ok(()));
        assert_eq!(host.close(file), Err(error::BAD_FILE));
        let new = host.open(WRITE | CREATE | TRUNCATE, "sub/new.bin").unwrap();
        host.write(new, b"data").unwrap();
        assert_eq!(host.status("sub/new.bin").unwrap().size, 4);
    }

    #[test]
    fn folders_are_listed_in_order_to_their_end() {
        let (_place, mut host) = folder();
        let listing = host.open_folder("").unwrap();
        let names: Vec<_> =
            std::iter::from_fn(|| host.next_entry(listing).unwrap()).map(|e| (e.name, e.folder)).collect();
        assert_eq!(names, [("a.txt".into(), false), ("sub".into(), true)]);
        assert_eq!(host.read(listing, 1), Err(error::BAD_FILE));
    }

    #[test]
    fn numbers_are_bounded_and_those_of_nothing_refused() {
        let (_place, mut host) = folder();
        for _ in 0..MOST_OPEN {
            host.open(1, "a.txt").unwrap();
        }
        assert_eq!(host.open(1, "a.txt"), Err(error::TOO_MANY));
        for file in [0, -1, i32::MIN, 33, i32::MAX] {
            assert_eq!(host.read(file, 1), Err(error::BAD_FILE));
        }
        host.close_all();
        assert_eq!(host.open(1, "a.txt"), Ok(1));
    }
}
