//! EXCEPMAN's chains of exception handlers.
//!
//! A handler is a record in a module's memory: the address of the next handler's code, a word of information, and its own code.
//! A handler that does not want an exception jumps to the next one's code.
//! Source: IOP kernel, EXCEPMAN

use crate::loadcore::Words;

/// Exception codes.
pub const CODES: u32 = 16;
/// Handlers at a time.
const HANDLERS: usize = 32;
/// Priorities: the lower comes first.
const PRIORITIES: u32 = 4;
/// The priority of who does not care.
pub const USUAL_PRIORITY: u32 = 2;
/// Bytes in front of a handler's code.
const CODE: u32 = 8;

/// Results of calls: 0, or one of these.
pub mod result {
    /// No such exception.
    pub const BAD_CODE: i32 = -50;
    /// No such handler.
    pub const NOT_FOUND: i32 = -51;
    /// The handler is there already.
    pub const PRESENT: i32 = -52;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    code: u32,
    priority: u32,
    record: u32,
}

/// All handlers, those of one exception in the order in which they are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chains {
    entries: [Option<Entry>; HANDLERS],
    /// The record that every chain ends with, 0 for the kernel's own end.
    last: u32,
}

impl Chains {
    /// No handlers.
    #[must_use]
    pub const fn new() -> Self {
        Chains { entries: [None; HANDLERS], last: 0 }
    }

    fn of(&self, code: u32) -> impl Iterator<Item = Entry> + '_ {
        self.entries.iter().flatten().copied().filter(move |entry| entry.code == code)
    }

    /// Adds the handler whose record lies at `record`, behind those of its priority.
    pub fn register(&mut self, memory: &mut impl Words, code: u32, priority: u32, record: u32, end: u32) -> i32 {
        if code >= CODES {
            return result::BAD_CODE;
        }
        if self.entries.iter().flatten().any(|entry| entry.record == record) || record == 0 {
            return result::PRESENT;
        }
        let priority = priority.min(PRIORITIES - 1);
        let key = (code, priority);
        let place = self.entries.iter().position(|entry| entry.is_none_or(|entry| (entry.code, entry.priority) > key));
        let full = self.entries[HANDLERS - 1].is_some();
        let Some(place) = place.filter(|_| !full) else { return result::PRESENT };
        self.entries.copy_within(place..HANDLERS - 1, place + 1);
        self.entries[place] = Some(Entry { code, priority, record });
        self.link(memory, end);
        0
    }

    /// Takes the handler at `record` out of the chain of `code`.
    pub fn release(&mut self, memory: &mut impl Words, code: u32, record: u32, end: u32) -> i32 {
        if code >= CODES {
            return result::BAD_CODE;
        }
        let place = self.entries.iter().position(|entry| entry.is_some_and(|e| e.code == code && e.record == record));
        let Some(place) = place else { return result::NOT_FOUND };
        self.entries.copy_within(place + 1.., place);
        self.entries[HANDLERS - 1] = None;
        self.link(memory, end);
        0
    }

    /// Makes `record` the end of every chain; 0 takes it back.
    pub fn set_last(&mut self, memory: &mut impl Words, record: u32, end: u32) {
        self.last = record;
        self.link(memory, end);
    }

    /// The code to jump to on exception `code`; None when nobody wants to know.
    #[must_use]
    pub fn first(&self, code: u32) -> Option<u32> {
        let first = self.of(code).next().map(|entry| entry.record);
        first.or((self.last != 0).then_some(self.last)).map(|record| record + CODE)
    }

    /// Writes every record's link; `end` is the code behind the last.
    fn link(&self, memory: &mut impl Words, end: u32) {
        let last = if self.last == 0 { end } else { self.last + CODE };
        for (index, entry) in self.entries.iter().enumerate() {
            let Some(entry) = entry else { continue };
            let next = self.entries.get(index + 1).copied().flatten().filter(|next| next.code == entry.code);
            memory.write(entry.record, next.map_or(last, |next| next.record + CODE));
        }
        if self.last != 0 {
            memory.write(self.last, end);
        }
    }
}

impl Default for Chains {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::collections::BTreeMap;

    #[derive(Default)]
    struct Ram(BTreeMap<u32, u32>);

    impl Words for Ram {
        fn read(&self, address: u32) -> u32 {
            self.0.get(&address).copied().unwrap_or(0)
        }
        fn write(&mut self, address: u32, value: u32) {
            self.0.insert(address, value);
        }
    }

    const END: u32 = 0x9000;

    #[test]
    fn the_lower_priority_is_called_first_and_jumps_to_the_next() {
        let (mut ram, mut chains) = (Ram::default(), Chains::new());
        assert_eq!(chains.first(9), None);
        assert_eq!(chains.register(&mut ram, 9, USUAL_PRIORITY, 0x1000, END), 0);
        assert_eq!(chains.register(&mut ram, 9, 0, 0x2000, END), 0);
        assert_eq!(chains.register(&mut ram, 10, 3, 0x3000, END), 0);
        assert_eq!((chains.first(9), chains.first(10)), (Some(0x2008), Some(0x3008)));
        assert_eq!((ram.read(0x2000), ram.read(0x1000), ram.read(0x3000)), (0x1008, END, END));
        assert_eq!(chains.release(&mut ram, 9, 0x2000, END), 0);
        assert_eq!(chains.first(9), Some(0x1008));
    }

    #[test]
    fn the_last_handler_ends_every_chain() {
        let (mut ram, mut chains) = (Ram::default(), Chains::new());
        assert_eq!(chains.register(&mut ram, 9, 2, 0x1000, END), 0);
        chains.set_last(&mut ram, 0x4000, END);
        assert_eq!((ram.read(0x1000), ram.read(0x4000), chains.first(4)), (0x4008, END, Some(0x4008)));
        chains.set_last(&mut ram, 0, END);
        assert_eq!((ram.read(0x1000), chains.first(4)), (END, None));
    }

    #[test]
    fn wrong_codes_and_handlers_are_told() {
        let (mut ram, mut chains) = (Ram::default(), Chains::new());
        assert_eq!(chains.register(&mut ram, 16, 2, 0x1000, END), result::BAD_CODE);
        assert_eq!(chains.register(&mut ram, 9, 2, 0x1000, END), 0);
        assert_eq!(chains.register(&mut ram, 10, 2, 0x1000, END), result::PRESENT);
        assert_eq!(chains.release(&mut ram, 9, 0x2000, END), result::NOT_FOUND);
        assert_eq!(chains.release(&mut ram, 10, 0x1000, END), result::NOT_FOUND);
        assert_eq!(chains.release(&mut ram, 99, 0x1000, END), result::BAD_CODE);
    }

    #[test]
    fn a_full_table_takes_no_more() {
        let (mut ram, mut chains) = (Ram::default(), Chains::new());
        for index in 1..=HANDLERS as u32 {
            assert_eq!(chains.register(&mut ram, index % CODES, 2, index * 0x100, END), 0);
        }
        assert_eq!(chains.register(&mut ram, 0, 0, 0x9999, END), result::PRESENT);
        for index in 1..=HANDLERS as u32 {
            assert_eq!(chains.release(&mut ram, index % CODES, index * 0x100, END), 0);
        }
        assert_eq!(chains, Chains::new());
    }
}
