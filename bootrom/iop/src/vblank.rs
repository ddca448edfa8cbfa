//! The functions that are called at the edges of the vertical blank, by priority.

use crate::errors::Error;

/// Functions of both edges together.
///
/// Source: IOP kernel, VBLANK
pub const CALLBACKS: usize = 16;

/// Which edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The blank begins.
    Start,
    /// The blank ends.
    End,
}

/// A function that is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Callback {
    edge: Edge,
    priority: i32,
    /// Address of the function.
    pub function: u32,
    /// Its argument.
    pub argument: u32,
}

/// All of them, in ascending order of priority.
pub struct Callbacks {
    list: [Option<Callback>; CALLBACKS],
}

impl Callbacks {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Callbacks { list: [None; CALLBACKS] }
    }

    /// Adds a function behind those of the same or a lower priority number.
    ///
    /// # Errors
    /// The function is there already; no record left.
    pub fn register(&mut self, edge: Edge, priority: i32, function: u32, argument: u32) -> Result<(), Error> {
        let new = Callback { edge, priority, function, argument };
        if self.place_of(edge, function).is_some() {
            return Err(Error::HandlerPresent);
        }
        if self.list[CALLBACKS - 1].is_some() {
            return Err(Error::NoMemory);
        }
        let behind = |slot: &Option<Callback>| slot.is_none_or(|callback| callback.priority > priority);
        let at = self.list.iter().position(behind).ok_or(Error::NoMemory)?;
        self.list.copy_within(at..CALLBACKS - 1, at + 1);
        self.list[at] = Some(new);
        Ok(())
    }

    /// Takes a function out.
    ///
    /// # Errors
    /// Not there.
    pub fn release(&mut self, edge: Edge, function: u32) -> Result<(), Error> {
        let at = self.place_of(edge, function).ok_or(Error::HandlerNotFound)?;
        self.list.copy_within(at + 1.., at);
        self.list[CALLBACKS - 1] = None;
        Ok(())
    }

    /// The `index`th function of an edge.
    #[must_use]
    pub fn get(&self, edge: Edge, index: usize) -> Option<Callback> {
        self.list.iter().flatten().filter(|callback| callback.edge == edge).nth(index).copied()
    }

    fn place_of(&self, edge: Edge, function: u32) -> Option<usize> {
        self.list
            .iter()
            .position(|slot| slot.is_some_and(|callback| callback.edge == edge && callback.function == function))
    }
}

impl Default for Callbacks {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_an_edge_come_by_priority() {
        let mut callbacks = Callbacks::new();
        for (edge, priority, function) in
            [(Edge::Start, 128, 0x100), (Edge::End, 1, 0x200), (Edge::Start, 16, 0x300), (Edge::Start, 128, 0x400)]
        {
            assert_eq!(callbacks.register(edge, priority, function, 0), Ok(()));
        }
        let order: [Option<u32>; 4] =
            core::array::from_fn(|index| callbacks.get(Edge::Start, index).map(|callback| callback.function));
        assert_eq!(order, [Some(0x300), Some(0x100), Some(0x400), None]);
        assert_eq!(callbacks.release(Edge::Start, 0x300), Ok(()));
        assert_eq!(callbacks.get(Edge::Start, 0).map(|callback| callback.function), Some(0x100));
    }

    #[test]
    fn a_function_is_there_once_and_a_full_table_refuses() {
        let mut callbacks = Callbacks::new();
        for function in 0..CALLBACKS as u32 {
            assert_eq!(callbacks.register(Edge::Start, 0, function, 0), Ok(()));
        }
        assert_eq!(callbacks.register(Edge::Start, 0, 3, 0), Err(Error::HandlerPresent));
        assert_eq!(callbacks.register(Edge::End, 0, 3, 0), Err(Error::NoMemory));
        assert_eq!(callbacks.release(Edge::End, 3), Err(Error::HandlerNotFound));
    }
}
