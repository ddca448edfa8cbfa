//! Files and directories.

use super::entry::{Entry, NO_CLUSTER, TIME_BYTES, mode, padded};
use super::volume::Card;
use super::{CLUSTER_BYTES, CardError, Flash, PAGE_BYTES};

/// Entries of a cluster.
const CLUSTER_ENTRIES: u32 = 2;
/// Entries that every directory begins with: itself and the one above.
const OWN_ENTRIES: u32 = 2;
/// Entries of a directory at most, against damaged lengths.
const ENTRIES: u32 = 0x4000;

/// A directory: its first cluster, and where its own entry is (the root has none).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Directory {
    first: u32,
    /// First cluster of the directory above, and the place there.
    above: Option<(u32, u32)>,
}

/// Where an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    directory: Directory,
    index: u32,
}

/// An open file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenFile {
    place: Place,
    entry: Entry,
    /// Bytes from its start.
    pub position: u32,
    /// It was written to since it was opened or flushed.
    changed: bool,
    /// A cluster of its chain and which one that is: chains are only followed forwards.
    near: Option<(u32, u32)>,
}

impl OpenFile {
    /// Bytes of the file.
    #[must_use]
    pub fn length(&self) -> u32 {
        self.entry.length
    }
}

/// What a change of an entry's description touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes<'a> {
    /// Time of making.
    pub created: Option<[u8; TIME_BYTES]>,
    /// Time of the last change.
    pub modified: Option<[u8; TIME_BYTES]>,
    /// Mode bits, and the word for clients.
    pub attributes: Option<(u16, u32)>,
    /// Name.
    pub name: Option<&'a [u8]>,
}

impl<F: Flash> Card<F> {
    /// The cluster that is `index` links behind `first`.
    fn nth_cluster(&mut self, first: u32, index: u32) -> Result<Option<u32>, CardError> {
        let mut cluster = first;
        for _ in 0..index {
            match self.next_cluster(cluster)? {
                Some(next) => cluster = next,
                None => return Ok(None),
            }
        }
        Ok(Some(cluster))
    }

    fn entry_page(&mut self, directory: u32, index: u32) -> Result<Option<u32>, CardError> {
        match self.nth_cluster(directory, index / CLUSTER_ENTRIES)? {
            Some(cluster) => Ok(Some(self.data_page(cluster, index % CLUSTER_ENTRIES)?)),
            None => Ok(None),
        }
    }

    fn entry(&mut self, directory: u32, index: u32) -> Result<Entry, CardError> {
        let page = self.entry_page(directory, index)?.ok_or(CardError::NoEntry)?;
        Ok(Entry::read(self.blocks.page(&mut self.flash, page)?))
    }

    fn put_entry(&mut self, directory: u32, index: u32, entry: &Entry) -> Result<(), CardError> {
        let page = self.entry_page(directory, index)?.ok_or(CardError::NoEntry)?;
        *self.blocks.page_mut(&mut self.flash, page)? = entry.bytes();
        Ok(())
    }

    fn root_directory(&self) -> Result<Directory, CardError> {
        Ok(Directory { first: self.root()?, above: None })
    }

    /// How many entries a directory has.
    fn count(&mut self, directory: Directory) -> Result<u32, CardError> {
        let length = match directory.above {
            Some((above, index)) => self.entry(above, index)?.length,
            None => self.entry(directory.first, 0)?.length,
        };
        Ok(length.min(ENTRIES))
    }

    fn set_count(&mut self, directory: Directory, count: u32) -> Result<(), CardError> {
        let (first, index) = directory.above.unwrap_or((directory.first, 0));
        let entry = self.entry(first, index)?;
        self.put_entry(first, index, &Entry { length: count, ..entry })
    }

    /// The entry called `name` in a directory.
    fn find_in(&mut self, directory: Directory, name: &[u8]) -> Result<Option<(u32, Entry)>, CardError> {
        for index in OWN_ENTRIES..self.count(directory)? {
            let entry = self.entry(directory.first, index)?;
            if entry.exists() && entry.name() == name {
                return Ok(Some((index, entry)));
            }
        }
        Ok(None)
    }

    /// The directory above one, by its own first entry.
    fn above(&mut self, directory: Directory) -> Result<Directory, CardError> {
        let Some((above, _)) = directory.above else { return Ok(directory) };
        if above == self.root()? {
            return self.root_directory();
        }
        let own = self.entry(above, 0)?;
        Ok(Directory { first: above, above: Some((own.cluster, own.place)) })
    }

    /// The directory at `path`, from the root.
    fn directory(&mut self, path: &[u8]) -> Result<Directory, CardError> {
        let mut directory = self.root_directory()?;
        for name in names(path) {
            directory = match name {
                b".." => self.above(directory)?,
                _ => {
                    let (index, entry) = self.find_in(directory, name)?.ok_or(CardError::NoEntry)?;
                    if !entry.is_directory() {
                        return Err(CardError::NoEntry);
                    }
                    Directory { first: entry.cluster, above: Some((directory.first, index)) }
                }
            };
        }
        Ok(directory)
    }

    /// The directory that holds `path`'s last name, and that name.
    fn split<'a>(&mut self, path: &'a [u8]) -> Result<(Directory, &'a [u8]), CardError> {
        let name = names(path).next_back().ok_or(CardError::NoEntry)?;
        // The name lies inside of the path: what stands before it is the way there.
        let before = name.as_ptr() as usize - path.as_ptr() as usize;
        Ok((self.directory(&path[..before])?, name))
    }

    fn find(&mut self, path: &[u8]) -> Result<(Place, Entry), CardError> {
        let (directory, name) = self.split(path)?;
        let (index, entry) = self.find_in(directory, name)?.ok_or(CardError::NoEntry)?;
        Ok((Place { directory, index }, entry))
    }

    /// True when `path` is a directory.
    ///
    /// # Errors
    /// Not mounted; no answer.
    pub fn is_directory(&mut self, path: &[u8]) -> Result<bool, CardError> {
        match self.directory(path) {
            Ok(_) => Ok(true),
            Err(CardError::NoEntry) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Puts an entry into the first free place of a directory.
    fn add(&mut self, directory: Directory, entry: &Entry) -> Result<u32, CardError> {
        let count = self.count(directory)?;
        for index in OWN_ENTRIES..count {
            if !self.entry(directory.first, index)?.exists() {
                self.put_entry(directory.first, index, entry)?;
                return Ok(index);
            }
        }
        if count >= ENTRIES {
            return Err(CardError::Full);
        }
        if self.entry_page(directory.first, count)?.is_none() {
            let last = self.nth_cluster(directory.first, (count / CLUSTER_ENTRIES).saturating_sub(1))?;
            let cluster = self.allocate(last)?;
            self.clear(cluster)?;
        }
        self.put_entry(directory.first, count, entry)?;
        self.set_count(directory, count + 1)?;
        Ok(count)
    }

    fn clear(&mut self, cluster: u32) -> Result<(), CardError> {
        for half in 0..CLUSTER_ENTRIES {
            let page = self.data_page(cluster, half)?;
            *self.blocks.page_mut(&mut self.flash, page)? = [0; PAGE_BYTES];
        }
        Ok(())
    }

    /// Opens the file at `path`, making it if `create` says so.
    ///
    /// # Errors
    /// Not there, a directory, not to be written, no room.
    pub fn open(
        &mut self,
        path: &[u8],
        writes: bool,
        create: bool,
        time: [u8; TIME_BYTES],
    ) -> Result<OpenFile, CardError> {
        let (directory, name) = self.split(path)?;
        let (index, entry) = match self.find_in(directory, name)? {
            Some((_, entry)) if entry.is_directory() => return Err(CardError::Denied),
            Some((_, entry)) if writes && entry.mode & mode::WRITE == 0 => return Err(CardError::Denied),
            Some(found) => found,
            None if create => {
                let entry = Entry {
                    mode: mode::NEW_FILE,
                    length: 0,
                    created: time,
                    cluster: NO_CLUSTER,
                    place: 0,
                    modified: time,
                    attributes: 0,
                    name: padded(name),
                };
                (self.add(directory, &entry)?, entry)
            }
            None => return Err(CardError::NoEntry),
        };
        Ok(OpenFile { place: Place { directory, index }, entry, position: 0, changed: false, near: None })
    }

    /// Makes a directory.
    ///
    /// # Errors
    /// It is there already; no room.
    pub fn make_directory(&mut self, path: &[u8], time: [u8; TIME_BYTES]) -> Result<(), CardError> {
        let (directory, name) = self.split(path)?;
        if self.find_in(directory, name)?.is_some() {
            return Err(CardError::Denied);
        }
        let cluster = self.allocate(None)?;
        self.clear(cluster)?;
        let entry = Entry {
            mode: mode::NEW_DIRECTORY,
            length: OWN_ENTRIES,
            created: time,
            cluster,
            place: 0,
            modified: time,
            attributes: 0,
            name: padded(name),
        };
        let index = match self.add(directory, &entry) {
            Ok(index) => index,
            Err(error) => {
                self.free_chain(cluster)?;
                return Err(error);
            }
        };
        let above = self.entry(directory.first, 0)?;
        let own = Entry { length: 0, cluster: directory.first, place: index, name: padded(b"."), ..entry };
        let parent = Entry { cluster: above.cluster, place: above.place, name: padded(b".."), ..own };
        self.put_entry(cluster, 0, &own)?;
        self.put_entry(cluster, 1, &parent)
    }

    /// Reads from the file's position; how many bytes there were.
    ///
    /// # Errors
    /// No answer.
    pub fn read(&mut self, file: &mut OpenFile, target: &mut [u8]) -> Result<usize, CardError> {
        let wanted = target.len().min(file.entry.length.saturating_sub(file.position) as usize);
        let mut done = 0;
        while done < wanted {
            let (page, at) = self.file_page(file)?.ok_or(CardError::NoCard)?;
            let count = (wanted - done).min(PAGE_BYTES - at);
            let data = self.blocks.page(&mut self.flash, page)?;
            target[done..done + count].copy_from_slice(&data[at..at + count]);
            done += count;
            file.position += count as u32;
        }
        Ok(done)
    }

    /// Page and byte of a file's position, if its chain reaches that far.
    fn file_page(&mut self, file: &mut OpenFile) -> Result<Option<(u32, usize)>, CardError> {
        if file.entry.cluster == NO_CLUSTER {
            return Ok(None);
        }
        let (wanted, inside) = (file.position / CLUSTER_BYTES, file.position % CLUSTER_BYTES);
        let (start, index) = file.near.filter(|(_, index)| *index <= wanted).unwrap_or((file.entry.cluster, 0));
        match self.nth_cluster(start, wanted - index)? {
            Some(cluster) => {
                file.near = Some((cluster, wanted));
                let page = self.data_page(cluster, inside / PAGE_BYTES as u32)?;
                Ok(Some((page, inside as usize % PAGE_BYTES)))
            }
            None => Ok(None),
        }
    }

    /// Writes at the file's position.
    ///
    /// # Errors
    /// No room; no answer.
    pub fn write(&mut self, file: &mut OpenFile, source: &[u8]) -> Result<usize, CardError> {
        let mut done = 0;
        while done < source.len() {
            let Some((page, at)) = self.file_page(file)? else {
                self.extend(file)?;
                continue;
            };
            let count = (source.len() - done).min(PAGE_BYTES - at);
            let data = self.blocks.page_mut(&mut self.flash, page)?;
            data[at..at + count].copy_from_slice(&source[done..done + count]);
            done += count;
            file.position += count as u32;
            file.entry.length = file.entry.length.max(file.position);
            file.changed = true;
        }
        Ok(done)
    }

    /// Appends a cluster to a file.
    fn extend(&mut self, file: &mut OpenFile) -> Result<(), CardError> {
        let first = Some(file.entry.cluster).filter(|cluster| *cluster != NO_CLUSTER);
        let mut last = file.near.map(|(cluster, _)| cluster).or(first);
        while let Some(cluster) = last {
            match self.next_cluster(cluster)? {
                Some(next) => last = Some(next),
                None => break,
            }
        }
        let cluster = self.allocate(last)?;
        if file.entry.cluster == NO_CLUSTER {
            file.entry.cluster = cluster;
        }
        file.changed = true;
        Ok(())
    }

    /// Writes a file's entry and every change to the card.
    ///
    /// # Errors
    /// No answer.
    pub fn flush_file(&mut self, file: &mut OpenFile, time: [u8; TIME_BYTES]) -> Result<(), CardError> {
        if file.changed {
            file.entry.modified = time;
            file.entry.mode |= mode::CLOSED;
            // Names and attributes may have changed meanwhile; the size and the place are the file's.
            let OpenFile { place: Place { directory, index }, entry, .. } = *file;
            let now = self.entry(directory.first, index)?;
            let entry = Entry { name: now.name, attributes: now.attributes, mode: now.mode | mode::CLOSED, ..entry };
            self.put_entry(directory.first, index, &entry)?;
            file.changed = false;
        }
        self.flush()
    }

    /// Removes a file or an empty directory.
    ///
    /// # Errors
    /// Not there; not empty.
    pub fn remove(&mut self, path: &[u8]) -> Result<(), CardError> {
        let (Place { directory, index }, entry) = self.find(path)?;
        if entry.is_directory() {
            let inside = Directory { first: entry.cluster, above: Some((directory.first, index)) };
            for index in OWN_ENTRIES..self.count(inside)? {
                if self.entry(inside.first, index)?.exists() {
                    return Err(CardError::NotEmpty);
                }
            }
        }
        self.free_chain(entry.cluster)?;
        let gone = Entry { mode: entry.mode & !mode::EXISTS, ..entry };
        self.put_entry(directory.first, index, &gone)?;
        self.flush()
    }

    /// Changes what an entry says about itself.
    ///
    /// # Errors
    /// Not there; the new name is taken.
    pub fn change(&mut self, path: &[u8], changes: &Changes<'_>) -> Result<(), CardError> {
        let (Place { directory, index }, mut entry) = self.find(path)?;
        if let Some(name) = changes.name {
            if name.is_empty() || name.contains(&b'/') {
                return Err(CardError::Denied);
            }
            if self.find_in(directory, name)?.is_some_and(|(other, _)| other != index) {
                return Err(CardError::Denied);
            }
            entry.name = padded(name);
        }
        entry.created = changes.created.unwrap_or(entry.created);
        entry.modified = changes.modified.unwrap_or(entry.modified);
        if let Some((bits, attributes)) = changes.attributes {
            // Whether it is there, and what it is, is not the client's to change.
            let fixed = mode::EXISTS | mode::DIRECTORY | mode::FILE;
            entry.mode = entry.mode & fixed | bits & !fixed;
            entry.attributes = attributes;
        }
        self.put_entry(directory.first, index, &entry)?;
        self.flush()
    }

    /// How many entries a directory can take without another cluster: the second half of its last one, and places that are free.
    ///
    /// Source: IOP kernel, MCSERV (entry space); public SDK, card driver
    ///
    /// # Errors
    /// No such directory; no answer.
    pub fn entry_space(&mut self, path: &[u8]) -> Result<u32, CardError> {
        let directory = self.directory(path)?;
        let count = self.count(directory)?;
        // A cluster holds two entries.
        let mut space = count & 1;
        for index in 0..count {
            space += u32::from(!self.entry(directory.first, index)?.exists());
        }
        Ok(space)
    }

    /// The next entry from `index` on whose name fits the pattern at the end of `path`; with the place behind it.
    ///
    /// # Errors
    /// No such directory; no answer.
    pub fn list(&mut self, path: &[u8], index: u32) -> Result<Option<(u32, Entry)>, CardError> {
        let cut = path.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
        let (directory, pattern) = path.split_at(cut);
        let directory = self.directory(directory)?;
        for index in index..self.count(directory)? {
            let entry = self.entry(directory.first, index)?;
            if entry.exists() && fits(entry.name(), pattern) {
                // A directory's own entries tell nothing of their size.
                return Ok(Some((index + 1, entry)));
            }
        }
        Ok(None)
    }
}

/// The names of a path.
fn names(path: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    path.split(|byte| *byte == b'/').filter(|name| !name.is_empty() && *name != b".")
}

/// True when `name` fits a pattern with `*` for any bytes and `?` for any one.
#[must_use]
pub fn fits(name: &[u8], pattern: &[u8]) -> bool {
    let (mut at, mut in_pattern) = (0, 0);
    // Where to go on when what follows the last star does not fit.
    let mut star: Option<(usize, usize)> = None;
    while at < name.len() {
        match pattern.get(in_pattern) {
            Some(b'*') => {
                star = Some((in_pattern + 1, at));
                in_pattern += 1;
            }
            Some(wanted) if *wanted == b'?' || *wanted == name[at] => {
                at += 1;
                in_pattern += 1;
            }
            _ => match star {
                Some((behind, from)) => {
                    star = Some((behind, from + 1));
                    at = from + 1;
                    in_pattern = behind;
                }
                None => return false,
            },
        }
    }
    pattern[in_pattern..].iter().all(|byte| *byte == b'*')
}
