//! Interrupt handlers of programs: one chain for each INTC cause and each DMA channel.
//!
//! Source: EE kernel semantics, sections 0, 5.1 and 5.2.

use crate::Refused;

/// Number of handler records, shared by all chains.
pub const HANDLERS: usize = 128;
/// Causes of the INTC that a program may handle are below this.
pub const INTC_CAUSES: u32 = 15;
/// DMA channels 0-9, stall 13, MFIFO empty 14, bus error 15.
pub const DMAC_CAUSES: u32 = 16;
/// One chain per cause, the DMAC's after the INTC's.
const CHAINS: usize = 32;
const NONE: u16 = u16::MAX;

/// Which interrupt a chain belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// INTC cause.
    Intc(u32),
    /// DMA channel.
    Dmac(u32),
}

impl Source {
    fn chain(self) -> Result<usize, Refused> {
        match self {
            Self::Intc(cause) if cause < INTC_CAUSES => Ok(cause as usize),
            Self::Dmac(channel) if channel < DMAC_CAUSES => Ok(16 + channel as usize),
            _ => Err(Refused),
        }
    }
}

/// Where AddIntcHandler puts a handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// First of its chain.
    Front,
    /// Last of its chain.
    Back,
    /// Before the handler with this id.
    Before(u32),
}

impl From<i32> for Place {
    fn from(next: i32) -> Self {
        match next {
            0 => Self::Front,
            -1 => Self::Back,
            id => Self::Before(id as u32),
        }
    }
}

/// A handler of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Handler {
    /// Function, called in user mode.
    pub function: u32,
    /// Global pointer that was in force when it was added.
    pub gp: u32,
    /// Its second argument.
    pub argument: u32,
    /// Called only while set.
    pub enabled: bool,
}

#[derive(Clone, Copy)]
struct Record {
    handler: Handler,
    next: u16,
    chain: u16,
}

impl Record {
    const FREE: Self =
        Self { handler: Handler { function: 0, gp: 0, argument: 0, enabled: false }, next: NONE, chain: NONE };
}

/// All chains. Ids are record numbers plus one.
pub struct HandlerTable {
    records: [Record; HANDLERS],
    heads: [u16; CHAINS],
}

impl HandlerTable {
    /// No handlers.
    pub const fn new() -> Self {
        Self { records: [Record::FREE; HANDLERS], heads: [NONE; CHAINS] }
    }

    /// Number of records in use.
    pub fn in_use(&self) -> u32 {
        self.records.iter().filter(|record| record.chain != NONE).count() as u32
    }

    /// Adds an enabled handler; its id. The cause itself is not enabled by this.
    pub fn add(&mut self, source: Source, handler: Handler, place: Place) -> Result<u32, Refused> {
        let chain = source.chain()?;
        let index = self.records.iter().position(|record| record.chain == NONE).ok_or(Refused)? as u16;
        let previous = match place {
            Place::Front => None,
            Place::Back => self.last(chain),
            Place::Before(id) => self.predecessor(chain, self.index(chain, id)?),
        };
        let next = match previous {
            None => core::mem::replace(&mut self.heads[chain], index),
            Some(previous) => core::mem::replace(&mut self.records[usize::from(previous)].next, index),
        };
        self.records[usize::from(index)] =
            Record { handler: Handler { enabled: true, ..handler }, next, chain: chain as u16 };
        Ok(u32::from(index) + 1)
    }

    /// Removes a handler; the number of handlers left on its cause.
    pub fn remove(&mut self, source: Source, id: u32) -> Result<u32, Refused> {
        let chain = source.chain()?;
        let index = self.index(chain, id)?;
        let next = self.records[usize::from(index)].next;
        match self.predecessor(chain, index) {
            None => self.heads[chain] = next,
            Some(previous) => self.records[usize::from(previous)].next = next,
        }
        self.records[usize::from(index)].chain = NONE;
        self.records[usize::from(index)].next = NONE;
        Ok(self.iter(chain).count() as u32)
    }

    /// Switches one handler on or off.
    pub fn set_enabled(&mut self, source: Source, id: u32, enabled: bool) -> Result<u32, Refused> {
        let index = self.index(source.chain()?, id)?;
        self.records[usize::from(index)].handler.enabled = enabled;
        Ok(id)
    }

    /// First handler of a cause with its id.
    pub fn first(&self, source: Source) -> Option<(u32, Handler)> {
        self.entry(self.heads[source.chain().ok()?])
    }

    /// Id of the handler after this one, to be noted before it is called.
    pub fn after(&self, source: Source, id: u32) -> Option<u32> {
        let index = self.index(source.chain().ok()?, id).ok()?;
        let next = self.records[usize::from(index)].next;
        (next != NONE).then_some(u32::from(next) + 1)
    }

    /// What comes after a handler that has been called. Handlers may change their chain: one that took itself out is
    /// followed by what was `noted` before, if that is still there.
    pub fn following(&self, source: Source, id: u32, noted: Option<u32>) -> Option<(u32, Handler)> {
        let chain = source.chain().ok()?;
        let next = if self.index(chain, id).is_ok() { self.after(source, id) } else { noted };
        self.entry(self.index(chain, next?).ok()?)
    }

    /// Forgets all handlers.
    pub fn clear(&mut self) {
        self.records.fill(Record::FREE);
        self.heads.fill(NONE);
    }

    fn entry(&self, index: u16) -> Option<(u32, Handler)> {
        let record = self.records.get(usize::from(index))?;
        Some((u32::from(index) + 1, record.handler))
    }

    fn index(&self, chain: usize, id: u32) -> Result<u16, Refused> {
        let index = (id as usize).wrapping_sub(1);
        match self.records.get(index) {
            Some(record) if usize::from(record.chain) == chain => Ok(index as u16),
            _ => Err(Refused),
        }
    }

    fn iter(&self, chain: usize) -> impl Iterator<Item = u16> + '_ {
        let some = |index: u16| (index != NONE).then_some(index);
        core::iter::successors(some(self.heads[chain]), move |index| some(self.records[usize::from(*index)].next))
    }

    fn last(&self, chain: usize) -> Option<u16> {
        self.iter(chain).last()
    }

    fn predecessor(&self, chain: usize, index: u16) -> Option<u16> {
        self.iter(chain).take_while(|other| *other != index).last()
    }
}

impl Default for HandlerTable {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMER: Source = Source::Intc(9);

    fn handler(function: u32) -> Handler {
        Handler { function, ..Handler::default() }
    }

    fn order(table: &HandlerTable, source: Source) -> std::vec::Vec<u32> {
        let mut functions = std::vec::Vec::new();
        let mut entry = table.first(source);
        while let Some((id, handler)) = entry {
            functions.push(handler.function);
            entry = table.following(source, id, None);
        }
        functions
    }

    #[test]
    fn handlers_go_to_the_front_the_back_or_before_another() {
        let mut table = HandlerTable::new();
        let first = table.add(TIMER, handler(10), Place::from(-1)).unwrap();
        table.add(TIMER, handler(20), Place::from(-1)).unwrap();
        table.add(TIMER, handler(5), Place::from(0)).unwrap();
        table.add(TIMER, handler(7), Place::from(first as i32)).unwrap();
        assert_eq!(order(&table, TIMER), [5, 7, 10, 20]);
        assert_eq!(order(&table, Source::Dmac(9)), [] as [u32; 0]);
    }

    #[test]
    fn a_handler_that_takes_itself_out_is_followed_by_the_next() {
        let mut table = HandlerTable::new();
        let ids = [1, 2, 3].map(|function| table.add(TIMER, handler(function), Place::Back).unwrap());
        let noted = table.after(TIMER, ids[0]);
        table.remove(TIMER, ids[0]).unwrap();
        assert_eq!(table.following(TIMER, ids[0], noted).map(|(id, _)| id), Some(ids[1]));
        table.remove(TIMER, ids[1]).unwrap();
        assert_eq!(table.following(TIMER, ids[0], noted), None, "both are gone");
        assert_eq!(table.following(TIMER, ids[2], None), None);
    }

    #[test]
    fn ids_start_at_one_and_removing_counts_what_is_left() {
        let mut table = HandlerTable::new();
        assert_eq!(table.add(TIMER, handler(1), Place::Back), Ok(1));
        assert_eq!(table.add(TIMER, handler(2), Place::Back), Ok(2));
        assert_eq!(table.remove(Source::Intc(10), 1), Err(Refused));
        assert_eq!(table.remove(TIMER, 1), Ok(1));
        assert_eq!(table.remove(TIMER, 1), Err(Refused));
        assert_eq!(table.remove(TIMER, 2), Ok(0));
        assert_eq!(table.in_use(), 0);
    }

    #[test]
    fn causes_outside_the_range_and_a_full_table_are_refused() {
        let mut table = HandlerTable::new();
        assert_eq!(table.add(Source::Intc(15), handler(1), Place::Back), Err(Refused));
        assert_eq!(table.add(Source::Dmac(16), handler(1), Place::Back), Err(Refused));
        for _ in 0..HANDLERS {
            table.add(TIMER, handler(1), Place::Back).unwrap();
        }
        assert_eq!(table.add(TIMER, handler(1), Place::Back), Err(Refused));
    }

    #[test]
    fn a_disabled_handler_stays_in_its_chain() {
        let mut table = HandlerTable::new();
        let id = table.add(TIMER, handler(1), Place::Back).unwrap();
        assert_eq!(table.set_enabled(TIMER, id, false), Ok(id));
        assert!(!table.first(TIMER).unwrap().1.enabled);
        assert_eq!(table.set_enabled(TIMER, 77, true), Err(Refused));
    }
}
