//! What SetVSyncFlag asks for, and the mask of the blank's interrupt around it.
//!
//! The request is served at the next vertical blank whether or not the program lets that cause interrupt. While it is
//! off, the kernel *borrows* it: the hardware's mask lets it through for one blank, handlers of programs stay off, and the
//! calls that switch the cause answer as if nothing were. Source: EE kernel semantics, sections 5.1 and 7.

/// What must happen to the hardware's mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mask {
    /// Nothing.
    Stay,
    /// Let the cause interrupt.
    On,
    /// Stop it.
    Off,
}

/// The request and whether its interrupt is borrowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blank {
    flag: u32,
    csr: u32,
    borrowed: bool,
}

/// What the next blank has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// Where to write 1, or 0.
    pub flag: u32,
    /// Where to write the GS's status, or 0.
    pub csr: u32,
    /// The program has its own handlers off: they do not run, and the cause goes off again.
    pub borrowed: bool,
}

impl Blank {
    /// No request.
    pub const fn new() -> Self {
        Self { flag: 0, csr: 0, borrowed: false }
    }

    /// Stores a request; `on` tells whether the cause interrupts now. A request for nothing takes an earlier one back.
    pub fn request(&mut self, flag: u32, csr: u32, on: bool) -> Mask {
        (self.flag, self.csr) = (flag, csr);
        if self.is_pending() && !on {
            self.borrowed = true;
            Mask::On
        } else if !self.is_pending() && core::mem::take(&mut self.borrowed) {
            Mask::Off
        } else {
            Mask::Stay
        }
    }

    /// The program wants the cause on or off; `on` tells whether it interrupts now. Whether that is a change for the
    /// program, and what it means for the hardware.
    pub fn switch(&mut self, wanted: bool, on: bool) -> (bool, Mask) {
        let seen = on && !self.borrowed;
        if wanted == seen {
            return (false, Mask::Stay);
        }
        if wanted {
            self.borrowed = false;
            (true, if on { Mask::Stay } else { Mask::On })
        } else {
            self.borrowed = self.is_pending();
            (true, if self.borrowed { Mask::Stay } else { Mask::Off })
        }
    }

    /// The blank has come: what is due, once.
    pub fn take(&mut self) -> Due {
        let Self { flag, csr, borrowed } = core::mem::take(self);
        Due { flag, csr, borrowed }
    }

    fn is_pending(&self) -> bool {
        self.flag != 0 || self.csr != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_with_the_cause_off_borrows_it_for_one_blank() {
        let mut blank = Blank::new();
        assert_eq!(blank.request(0x10_0000, 0, false), Mask::On);
        assert_eq!(blank.take(), Due { flag: 0x10_0000, csr: 0, borrowed: true });
        assert_eq!(blank.take(), Due { flag: 0, csr: 0, borrowed: false });
    }

    #[test]
    fn the_program_sees_its_own_switches_only() {
        let mut blank = Blank::new();
        blank.request(4, 8, false);
        assert_eq!(blank.switch(false, true), (false, Mask::Stay), "it is off for the program");
        assert_eq!(blank.switch(true, true), (true, Mask::Stay));
        assert_eq!(blank.switch(true, true), (false, Mask::Stay));
        assert_eq!(blank.switch(false, true), (true, Mask::Stay), "still needed");
        assert!(blank.take().borrowed);
        assert_eq!(blank.switch(true, false), (true, Mask::On));
        assert_eq!(blank.switch(false, true), (true, Mask::Off));
    }

    #[test]
    fn a_request_for_nothing_gives_the_cause_back() {
        let mut blank = Blank::new();
        blank.request(4, 0, false);
        assert_eq!(blank.request(0, 0, true), Mask::Off);
        assert_eq!(blank.request(4, 0, true), Mask::Stay, "on by the program's own wish");
        assert!(!blank.take().borrowed);
    }
}
