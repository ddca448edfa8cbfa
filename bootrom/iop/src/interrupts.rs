//! The table of interrupt handlers.

use crate::errors::Error;

/// Interrupt lines and DMA channels that can have a handler.
///
/// Source: IOP kernel, low memory map (interrupt table)
pub const LINES: usize = 0x40;
/// Line on which all DMA channels interrupt together.
pub const LINE_DMA: u32 = 3;
/// Highest line that a caller may register.
const HIGHEST_LINE: u32 = 0x2D;

/// A handler and what it is called with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// Address of the function.
    pub function: u32,
    /// Its argument.
    pub argument: u32,
}

/// One handler a line.
pub struct Handlers {
    table: [Option<Handler>; LINES],
}

impl Handlers {
    /// No handler.
    #[must_use]
    pub const fn new() -> Self {
        Handlers { table: [None; LINES] }
    }

    /// Registers a handler.
    ///
    /// # Errors
    /// No such line; one is there already.
    pub fn register(&mut self, line: u32, function: u32, argument: u32) -> Result<(), Error> {
        let slot = self.slot(line)?;
        if slot.is_some() {
            return Err(Error::HandlerPresent);
        }
        *slot = Some(Handler { function, argument });
        Ok(())
    }

    /// Takes a handler back.
    ///
    /// # Errors
    /// No such line; none is there.
    pub fn release(&mut self, line: u32) -> Result<(), Error> {
        self.slot(line)?.take().map(|_| ()).ok_or(Error::HandlerNotFound)
    }

    /// The handler of a line.
    #[must_use]
    pub fn get(&self, line: u32) -> Option<Handler> {
        self.table.get(line as usize).copied().flatten()
    }

    fn slot(&mut self, line: u32) -> Result<&mut Option<Handler>, Error> {
        if line > HIGHEST_LINE || line == LINE_DMA {
            return Err(Error::IllegalInterrupt);
        }
        self.table.get_mut(line as usize).ok_or(Error::IllegalInterrupt)
    }
}

impl Default for Handlers {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_takes_one_handler_until_it_is_released() {
        let mut handlers = Handlers::new();
        assert_eq!(handlers.register(2, 0x1000, 7), Ok(()));
        assert_eq!(handlers.register(2, 0x2000, 8), Err(Error::HandlerPresent));
        assert_eq!(handlers.get(2), Some(Handler { function: 0x1000, argument: 7 }));
        assert_eq!(handlers.release(2), Ok(()));
        assert_eq!(handlers.release(2), Err(Error::HandlerNotFound));
        assert_eq!(handlers.get(2), None);
    }

    #[test]
    fn lines_outside_the_range_are_refused() {
        let mut handlers = Handlers::new();
        assert_eq!(handlers.register(0x2E, 0x1000, 0), Err(Error::IllegalInterrupt));
        assert_eq!(handlers.register(u32::MAX, 0x1000, 0), Err(Error::IllegalInterrupt));
        assert_eq!(handlers.register(LINE_DMA, 0x1000, 0), Err(Error::IllegalInterrupt));
    }
}
