//! LOADCORE's libraries: tables of exported functions, and the import tables that are linked to them.
//!
//! Both kinds of tables lie in the modules' own memory and are linked through their own words, as other software
//! expects; [`Words`] is the access to that memory.

use crate::errors::Error;

/// First word of an export table that is not registered.
pub const EXPORT_MAGIC: u32 = 0x41C0_0000;
/// First word of an import table.
pub const IMPORT_MAGIC: u32 = 0x41E0_0000;
/// Library mode bit: imports are not linked to it by name.
pub const MODE_NO_AUTO_LINK: u32 = 1;
/// Client mode bit: it stays with its library when a newer one comes.
pub const MODE_LOCKED: u32 = 1;
/// Byte places in both kinds of tables.
mod place {
    /// Export: magic, then the library registered before.
    pub const LINK: u32 = 0;
    /// Export: first client. Import: next client.
    pub const CLIENTS: u32 = 4;
    /// Version (low half) and mode.
    pub const VERSION: u32 = 8;
    /// Eight characters.
    pub const NAME: u32 = 12;
    /// First function, or first stub.
    pub const ENTRIES: u32 = 20;
}
/// `jr $ra`: a stub that is not linked.
const STUB_RETURN: u32 = 0x03E0_0008;
/// Opcode of `j`.
const OPCODE_JUMP: u32 = 0x0800_0000;
const OPCODE_MASK: u32 = 0xFC00_0000;
const JUMP_BITS: u32 = 0x03FF_FFFF;
/// `addiu $0, $0, number`: a stub's second word.
const STUB_NUMBER: u32 = 0x2400_0000;
const STUB_NUMBER_MASK: u32 = 0xFFFF_0000;
const STUB_BYTES: u32 = 8;
/// Functions that a library can have.
///
/// Our choice: a bound for damaged tables; the largest library of the system has about 130.
const FUNCTIONS: u32 = 1024;
/// Libraries and clients that are followed in a list.
const LIST_LIMIT: usize = 4096;

/// Access to memory by word address.
pub trait Words {
    /// The word at `address`, a multiple of 4.
    fn read(&self, address: u32) -> u32;
    /// Writes the word at `address`, a multiple of 4.
    fn write(&mut self, address: u32, value: u32);
}

/// The registered libraries: the newest one's address, 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Libraries {
    /// The newest library.
    pub newest: u32,
}

/// Name and version of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Identity {
    name: [u32; 2],
    major: u32,
    minor: u32,
    mode: u32,
}

fn identity(memory: &impl Words, table: u32) -> Identity {
    let version = memory.read(table + place::VERSION);
    Identity {
        name: [memory.read(table + place::NAME), memory.read(table + place::NAME + 4)],
        major: version >> 8 & 0xFF,
        minor: version & 0xFF,
        mode: version >> 16,
    }
}

/// The numbers of an import table's stubs, and where they end. None when it is no import table.
fn stubs(memory: &impl Words, table: u32, end: u32) -> Option<u32> {
    let mut at = table + place::ENTRIES;
    let mut count = 0;
    while at + STUB_BYTES <= end {
        let (first, second) = (memory.read(at), memory.read(at + 4));
        if first == 0 && second == 0 {
            return (count > 0).then_some(count);
        }
        let is_stub =
            (first == STUB_RETURN || first & OPCODE_MASK == OPCODE_JUMP) && second & STUB_NUMBER_MASK == STUB_NUMBER;
        if !is_stub {
            return None;
        }
        count += 1;
        at += STUB_BYTES;
    }
    None
}

/// Calls `each` with every import table in `start..start + bytes` and the number of its stubs.
fn for_imports<M: Words>(
    memory: &mut M,
    start: u32,
    bytes: u32,
    mut each: impl FnMut(&mut M, u32, u32) -> Result<(), Error>,
) -> Result<(), Error> {
    let end = start.saturating_add(bytes) & !3;
    let mut at = start.next_multiple_of(4);
    while at.saturating_add(place::ENTRIES) <= end {
        if memory.read(at) == IMPORT_MAGIC
            && let Some(count) = stubs(memory, at, end)
        {
            each(memory, at, count)?;
            at += place::ENTRIES + count * STUB_BYTES;
        } else {
            at += 4;
        }
    }
    Ok(())
}

/// How many functions a registered library has; the first word of 0 ends it.
fn function_count(memory: &impl Words, library: u32) -> u32 {
    (0..FUNCTIONS).find(|index| memory.read(library + place::ENTRIES + index * 4) == 0).unwrap_or(FUNCTIONS)
}

/// Turns the stubs of `import` into jumps to the functions of `library`. A number beyond its table stays a return.
fn link_stubs(memory: &mut impl Words, import: u32, count: u32, library: u32) {
    let functions = function_count(memory, library);
    for stub in (0..count).map(|index| import + place::ENTRIES + index * STUB_BYTES) {
        let number = memory.read(stub + 4) & !STUB_NUMBER_MASK;
        let code = if number < functions {
            OPCODE_JUMP | memory.read(library + place::ENTRIES + number * 4) >> 2 & JUMP_BITS
        } else {
            STUB_RETURN
        };
        memory.write(stub, code);
    }
}

impl Libraries {
    /// No library.
    #[must_use]
    pub const fn new() -> Self {
        Libraries { newest: 0 }
    }

    /// Every registered library, newest first.
    fn list<'a, M: Words>(&self, memory: &'a M) -> impl Iterator<Item = u32> + use<'a, M> {
        let mut next = self.newest;
        core::iter::from_fn(move || {
            let library = next;
            if library == 0 {
                return None;
            }
            next = memory.read(library + place::LINK);
            Some(library)
        })
        .take(LIST_LIMIT)
    }

    /// Registers the export table at `table`.
    ///
    /// # Errors
    /// No export table; the same or a newer minor version is there.
    pub fn register(&mut self, memory: &mut impl Words, table: u32) -> Result<(), Error> {
        if memory.read(table) != EXPORT_MAGIC {
            return Err(Error::IllegalLibrary);
        }
        let new = identity(memory, table);
        let same = self.list(memory).find(|library| {
            let known = identity(memory, *library);
            known.name == new.name && known.major == new.major
        });
        if let Some(known) = same {
            if identity(memory, known).minor >= new.minor {
                return Err(Error::LibraryExists);
            }
            take_over(memory, known, table);
        } else {
            memory.write(table + place::CLIENTS, 0);
        }
        memory.write(table + place::LINK, self.newest);
        self.newest = table;
        Ok(())
    }

    /// Registers the export table at `table` for those only who ask for it by [`Libraries::query`].
    ///
    /// # Errors
    /// As [`Libraries::register`].
    pub fn register_unlinked(&mut self, memory: &mut impl Words, table: u32) -> Result<(), Error> {
        // Our choice: one that is registered would make a ring of the list; it has no magic number any more, but may get it anew.
        if memory.read(table) != EXPORT_MAGIC || self.list(memory).any(|known| known == table) {
            return Err(Error::IllegalLibrary);
        }
        set_mode(memory, table, MODE_NO_AUTO_LINK, true);
        memory.write(table + place::CLIENTS, 0);
        memory.write(table + place::LINK, self.newest);
        self.newest = table;
        Ok(())
    }

    /// Locks the clients of a registered library to it, or takes that back.
    pub fn lock_clients(&self, memory: &mut impl Words, library: u32, lock: bool) {
        if !self.list(memory).any(|known| known == library) {
            return;
        }
        let mut client = memory.read(library + place::CLIENTS);
        for _ in 0..LIST_LIMIT {
            if client == 0 {
                return;
            }
            set_mode(memory, client, MODE_LOCKED, lock);
            client = memory.read(client + place::CLIENTS);
        }
    }

    /// Takes a library back.
    ///
    /// # Errors
    /// Not registered; it has clients.
    pub fn release(&mut self, memory: &mut impl Words, table: u32) -> Result<(), Error> {
        let mut newer = 0;
        let found = self.list(memory).any(|library| {
            if library == table {
                return true;
            }
            newer = library;
            false
        });
        if !found {
            return Err(Error::LibraryNotFound);
        }
        if memory.read(table + place::CLIENTS) != 0 {
            return Err(Error::LibraryInUse);
        }
        let older = memory.read(table + place::LINK);
        if newer == 0 {
            self.newest = older;
        } else {
            memory.write(newer + place::LINK, older);
        }
        memory.write(table + place::LINK, EXPORT_MAGIC);
        Ok(())
    }

    /// The newest library with the name and major version of `table` and none of the mode bits `without`, 0 for none.
    fn matching(&self, memory: &impl Words, table: u32, without: u32) -> u32 {
        let wanted = identity(memory, table);
        self.list(memory)
            .find(|library| {
                let known = identity(memory, *library);
                known.name == wanted.name && known.major == wanted.major && known.mode & without == 0
            })
            .unwrap_or(0)
    }

    /// Address of the first function of the library that is named at `name` (with its version before, as in a table), 0 for none.
    #[must_use]
    pub fn query(&self, memory: &impl Words, table: u32) -> u32 {
        match self.matching(memory, table, 0) {
            0 => 0,
            library => library + place::ENTRIES,
        }
    }

    /// The address of a registered library's function, 0 when its table ends before.
    #[must_use]
    pub fn function(&self, memory: &impl Words, library: u32, number: u32) -> u32 {
        if number < function_count(memory, library) { memory.read(library + place::ENTRIES + number * 4) } else { 0 }
    }

    /// Links every import table of a module's text.
    ///
    /// # Errors
    /// A library is missing; everything linked so far has been undone then.
    pub fn link(&self, memory: &mut impl Words, start: u32, bytes: u32) -> Result<(), Error> {
        let result = for_imports(memory, start, bytes, |memory, import, count| {
            let library = self.matching(memory, import, MODE_NO_AUTO_LINK);
            if library == 0 {
                return Err(Error::LinkError);
            }
            link_stubs(memory, import, count, library);
            let others = memory.read(library + place::CLIENTS);
            memory.write(import + place::CLIENTS, others);
            memory.write(library + place::CLIENTS, import);
            Ok(())
        });
        if result.is_err() {
            self.unlink(memory, start, bytes);
        }
        result
    }

    /// Takes every import table of a module's text out of its library's clients and makes its stubs returns.
    pub fn unlink(&self, memory: &mut impl Words, start: u32, bytes: u32) {
        // The walk itself cannot fail: its body does not.
        let _ = for_imports(memory, start, bytes, |memory, import, count| {
            let library = self.list(memory).find(|library| client_before(memory, *library, import).is_some());
            if let Some(before) = library.and_then(|library| client_before(memory, library, import)) {
                let behind = memory.read(import + place::CLIENTS);
                memory.write(before + place::CLIENTS, behind);
                memory.write(import + place::CLIENTS, 0);
            }
            for stub in (0..count).map(|index| import + place::ENTRIES + index * STUB_BYTES) {
                memory.write(stub, STUB_RETURN);
            }
            Ok(())
        });
    }
}

/// The newer library `new` takes over the clients of the older one, unless they are locked to that.
fn take_over(memory: &mut impl Words, known: u32, new: u32) {
    memory.write(new + place::CLIENTS, 0);
    let mut before = known;
    for _ in 0..LIST_LIMIT {
        let client = memory.read(before + place::CLIENTS);
        if client == 0 {
            break;
        }
        if identity(memory, client).mode & MODE_LOCKED != 0 {
            before = client;
            continue;
        }
        if let Some(count) = stubs(memory, client, u32::MAX - STUB_BYTES) {
            link_stubs(memory, client, count, new);
        }
        let behind = memory.read(client + place::CLIENTS);
        memory.write(before + place::CLIENTS, behind);
        let others = memory.read(new + place::CLIENTS);
        memory.write(client + place::CLIENTS, others);
        memory.write(new + place::CLIENTS, client);
    }
}

/// Sets or clears mode bits of a table.
fn set_mode(memory: &mut impl Words, table: u32, bits: u32, on: bool) {
    let version = memory.read(table + place::VERSION);
    let bits = bits << 16;
    memory.write(table + place::VERSION, if on { version | bits } else { version & !bits });
}

/// The table (the library's own, or a client's) whose client link leads to `import`.
fn client_before(memory: &impl Words, library: u32, import: u32) -> Option<u32> {
    let mut before = library;
    for _ in 0..LIST_LIMIT {
        match memory.read(before + place::CLIENTS) {
            0 => return None,
            next if next == import => return Some(before),
            next => before = next,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::collections::BTreeMap;
    use std::vec::Vec;

    /// Memory that is zero where nobody wrote.
    #[derive(Default)]
    struct Ram(BTreeMap<u32, u32>);

    impl Words for Ram {
        fn read(&self, address: u32) -> u32 {
            assert_eq!(address % 4, 0);
            self.0.get(&address).copied().unwrap_or(0)
        }
        fn write(&mut self, address: u32, value: u32) {
            assert_eq!(address % 4, 0);
            self.0.insert(address, value);
        }
    }

    impl Ram {
        fn put(&mut self, at: u32, words: &[u32]) {
            for (index, word) in words.iter().enumerate() {
                self.write(at + index as u32 * 4, *word);
            }
        }
        fn export(&mut self, at: u32, name: &[u8; 8], version: u32, functions: &[u32]) {
            let name: Vec<u32> = name.chunks(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
            self.put(at, &[EXPORT_MAGIC, 0, version, name[0], name[1]]);
            self.put(at + 20, functions);
        }
        fn import(&mut self, at: u32, name: &[u8; 8], version: u32, numbers: &[u32]) {
            let name: Vec<u32> = name.chunks(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
            self.put(at, &[IMPORT_MAGIC, 0, version, name[0], name[1]]);
            let stubs: Vec<u32> = numbers.iter().flat_map(|number| [STUB_RETURN, STUB_NUMBER | number]).collect();
            self.put(at + 20, &stubs);
        }
    }

    const LIBRARY: u32 = 0x1000;
    const TEXT: u32 = 0x2000;

    #[test]
    fn stubs_become_jumps_to_the_functions_of_their_numbers() {
        let (mut ram, mut libraries) = (Ram::default(), Libraries::new());
        ram.export(LIBRARY, b"stdio\0\0\0", 0x0102, &[0x100, 0x104, 0x108, 0x10C, 0x110]);
        ram.import(TEXT + 4, b"stdio\0\0\0", 0x0101, &[4, 9]);
        assert_eq!(libraries.register(&mut ram, LIBRARY), Ok(()));
        assert_eq!(libraries.link(&mut ram, TEXT, 0x100), Ok(()));
        assert_eq!(ram.read(TEXT + 24), OPCODE_JUMP | 0x110 >> 2);
        assert_eq!(ram.read(TEXT + 28), STUB_NUMBER | 4);
        assert_eq!(ram.read(TEXT + 32), STUB_RETURN);
        assert_eq!(libraries.release(&mut ram, LIBRARY), Err(Error::LibraryInUse));
        libraries.unlink(&mut ram, TEXT, 0x100);
        assert_eq!(ram.read(TEXT + 24), STUB_RETURN);
        assert_eq!(libraries.release(&mut ram, LIBRARY), Ok(()));
        assert_eq!(libraries.release(&mut ram, LIBRARY), Err(Error::LibraryNotFound));
    }

    #[test]
    fn a_missing_library_undoes_the_links_made_before() {
        let (mut ram, mut libraries) = (Ram::default(), Libraries::new());
        ram.export(LIBRARY, b"stdio\0\0\0", 0x0102, &[0x100, 0x104, 0x108, 0x10C, 0x110]);
        assert_eq!(libraries.register(&mut ram, LIBRARY), Ok(()));
        ram.import(TEXT, b"stdio\0\0\0", 0x0101, &[4]);
        ram.import(TEXT + 0x40, b"stdio\0\0\0", 0x0201, &[4]);
        assert_eq!(libraries.link(&mut ram, TEXT, 0x100), Err(Error::LinkError));
        assert_eq!(ram.read(TEXT + 20), STUB_RETURN);
        assert_eq!(libraries.release(&mut ram, LIBRARY), Ok(()));
    }

    #[test]
    fn a_newer_minor_version_takes_the_clients_over() {
        let (mut ram, mut libraries) = (Ram::default(), Libraries::new());
        ram.export(LIBRARY, b"ioman\0\0\0", 0x0101, &[0x100, 0x104, 0x108, 0x10C, 0x110]);
        ram.export(LIBRARY + 0x100, b"ioman\0\0\0", 0x0102, &[0x200, 0x204, 0x208, 0x20C, 0x210]);
        ram.import(TEXT, b"ioman\0\0\0", 0x0101, &[4]);
        assert_eq!(libraries.register(&mut ram, LIBRARY), Ok(()));
        assert_eq!(libraries.link(&mut ram, TEXT, 0x80), Ok(()));
        assert_eq!(libraries.register(&mut ram, LIBRARY + 0x100), Ok(()));
        assert_eq!(ram.read(TEXT + 20), OPCODE_JUMP | 0x210 >> 2);
        ram.export(LIBRARY + 0x200, b"ioman\0\0\0", 0x0102, &[0x300]);
        assert_eq!(libraries.register(&mut ram, LIBRARY + 0x200), Err(Error::LibraryExists));
    }

    #[test]
    fn a_locked_client_stays_with_its_library() {
        let (mut ram, mut libraries) = (Ram::default(), Libraries::new());
        ram.export(LIBRARY, b"ioman\0\0\0", 0x0101, &[0x100, 0x104, 0x108, 0x10C, 0x110]);
        ram.export(LIBRARY + 0x100, b"ioman\0\0\0", 0x0102, &[0x200, 0x204, 0x208, 0x20C, 0x210]);
        ram.import(TEXT, b"ioman\0\0\0", 0x0101, &[4]);
        ram.import(TEXT + 0x40, b"ioman\0\0\0", 0x0101, &[4]);
        assert_eq!(libraries.register(&mut ram, LIBRARY), Ok(()));
        assert_eq!(libraries.link(&mut ram, TEXT, 0x40), Ok(()));
        libraries.lock_clients(&mut ram, LIBRARY, true);
        assert_eq!(libraries.link(&mut ram, TEXT + 0x40, 0x40), Ok(()));
        assert_eq!(libraries.register(&mut ram, LIBRARY + 0x100), Ok(()));
        let (locked, free) = (OPCODE_JUMP | 0x110 >> 2, OPCODE_JUMP | 0x210 >> 2);
        assert_eq!((ram.read(TEXT + 20), ram.read(TEXT + 0x40 + 20)), (locked, free));
        assert_eq!(libraries.release(&mut ram, LIBRARY), Err(Error::LibraryInUse));
        libraries.unlink(&mut ram, TEXT, 0x40);
        assert_eq!(libraries.release(&mut ram, LIBRARY), Ok(()));
    }

    #[test]
    fn a_library_that_is_not_linked_is_found_by_asking() {
        let (mut ram, mut libraries) = (Ram::default(), Libraries::new());
        ram.export(LIBRARY, b"thrdman\0", 0x0101, &[0x100, 0x104]);
        assert_eq!(libraries.register_unlinked(&mut ram, LIBRARY), Ok(()));
        ram.import(TEXT, b"thrdman\0", 0x0101, &[1]);
        assert_eq!(libraries.link(&mut ram, TEXT, 0x40), Err(Error::LinkError));
        assert_eq!(libraries.query(&ram, TEXT), LIBRARY + place::ENTRIES);
        assert_eq!(libraries.release(&mut ram, LIBRARY), Ok(()));
    }

    #[test]
    fn what_only_looks_like_a_table_is_left_alone() {
        let (mut ram, mut libraries) = (Ram::default(), Libraries::new());
        ram.put(TEXT, &[IMPORT_MAGIC, 0, 0x0101, 0, 0, 0x1234_5678, 1]);
        ram.put(TEXT + 0x40, &[IMPORT_MAGIC, 0, 0x0101, 0, 0, 0, 0]);
        assert_eq!(libraries.link(&mut ram, TEXT, 0x100), Ok(()));
        assert_eq!(libraries.register(&mut ram, TEXT), Err(Error::IllegalLibrary));
    }
}
