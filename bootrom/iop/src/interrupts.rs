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

/// A handler and what it is called with, as other software reads and writes it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// Address of the function, 0 for none.
    pub function: u32,
    /// Its argument.
    pub argument: u32,
}

impl Handler {
    const NONE: Self = Self { function: 0, argument: 0 };
}

/// One handler a line.
pub struct Handlers {
    table: [Handler; LINES],
}

impl Handlers {
    /// No handler.
    #[must_use]
    pub const fn new() -> Self {
        Handlers { table: [Handler::NONE; LINES] }
    }

    /// Registers a handler.
    ///
    /// # Errors
    /// No such line; one is there already.
    pub fn register(&mut self, line: u32, function: u32, argument: u32) -> Result<(), Error> {
        let slot = self.slot(line)?;
        if slot.function != 0 {
            return Err(Error::HandlerPresent);
        }
        *slot = Handler { function, argument };
        Ok(())
    }

    /// Takes a handler back.
    ///
    /// # Errors
    /// No such line; none is there.
    pub fn release(&mut self, line: u32) -> Result<(), Error> {
        let slot = self.slot(line)?;
        if slot.function == 0 {
            return Err(Error::HandlerNotFound);
        }
        *slot = Handler::NONE;
        Ok(())
    }

    /// The handler of a line.
    #[must_use]
    pub fn get(&self, line: u32) -> Option<Handler> {
        self.table.get(line as usize).copied().filter(|handler| handler.function != 0)
    }

    /// All of them, by line.
    pub fn table(&mut self) -> &mut [Handler; LINES] {
        &mut self.table
    }

    fn slot(&mut self, line: u32) -> Result<&mut Handler, Error> {
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
    fn a_handler_that_was_written_into_the_table_is_called() {
        let mut handlers = Handlers::new();
        handlers.table()[17] = Handler { function: 0x3000, argument: 1 };
        assert_eq!(handlers.get(17), Some(Handler { function: 0x3000, argument: 1 }));
        assert_eq!(handlers.register(17, 0x1000, 0), Err(Error::HandlerPresent));
    }

    #[test]
    fn lines_outside_the_range_are_refused() {
        let mut handlers = Handlers::new();
        assert_eq!(handlers.register(0x2E, 0x1000, 0), Err(Error::IllegalInterrupt));
        assert_eq!(handlers.register(u32::MAX, 0x1000, 0), Err(Error::IllegalInterrupt));
        assert_eq!(handlers.register(LINE_DMA, 0x1000, 0), Err(Error::IllegalInterrupt));
    }
}
