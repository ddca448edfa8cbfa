//! What a module's flags allow: start, stop, removal.

use crate::errors::Error;

/// States, in the low bits.
const LOADED: u16 = 1;
const STARTING: u16 = 2;
const STARTED: u16 = 3;
const STOPPING: u16 = 4;
const STOPPED: u16 = 6;
const STATE_MASK: u16 = 0xF;
/// It may be stopped.
const REMOVABLE: u16 = 0x10;
/// What a start or stop function's result says of the module's stay.
const RESULT_MASK: i32 = 3;
/// Start: not resident. Stop: stopped.
pub const RESULT_GONE: i32 = 1;
const RESULT_REMOVABLE: i32 = 2;

/// A module's flags.
///
/// Source: IOP kernel, MODLOAD
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct ModuleFlags(pub u16);

impl ModuleFlags {
    /// A module that was just loaded.
    pub const NEW: Self = Self(LOADED);
    /// A module that stays for good, as the system's own.
    pub const RESIDENT: Self = Self(STARTED);

    const fn state(self) -> u16 {
        self.0 & STATE_MASK
    }

    const fn with_state(self, state: u16) -> Self {
        Self(self.0 & !STATE_MASK | state)
    }

    /// Flags while the start function runs.
    ///
    /// # Errors
    /// It has been started before.
    pub fn start(self) -> Result<Self, Error> {
        if self.state() == LOADED { Ok(self.with_state(STARTING)) } else { Err(Error::AlreadyStarted) }
    }

    /// Flags after the start function returned `result`; None when the module does not stay.
    #[must_use]
    pub fn started(self, result: i32) -> Option<Self> {
        let started = self.with_state(STARTED);
        match result & RESULT_MASK {
            RESULT_GONE => None,
            RESULT_REMOVABLE => Some(Self(started.0 | REMOVABLE)),
            _ => Some(started),
        }
    }

    /// Flags while the stop function runs.
    ///
    /// # Errors
    /// Never started; stopped already; not one that can be stopped.
    pub fn stop(self) -> Result<Self, Error> {
        match self.state() {
            STARTED if self.0 & REMOVABLE == 0 => Err(Error::NotRemovable),
            STARTED => Ok(self.with_state(STOPPING)),
            LOADED | STARTING => Err(Error::NotStarted),
            _ => Err(Error::AlreadyStopped),
        }
    }

    /// Flags after the stop function returned `result`, and whether it did stop.
    pub fn stopped(self, result: i32) -> (Self, Result<(), Error>) {
        if result & RESULT_MASK == RESULT_GONE {
            (self.with_state(STOPPED), Ok(()))
        } else {
            (self.with_state(STARTED), Err(Error::CannotStop))
        }
    }

    /// Whether the module may be taken out of memory: one that was stopped, or never started.
    ///
    /// # Errors
    /// It still runs, and then whether that could change.
    pub fn unload(self) -> Result<(), Error> {
        match self.state() {
            LOADED | STOPPED => Ok(()),
            STARTED if self.0 & REMOVABLE == 0 => Err(Error::NotRemovable),
            _ => Err(Error::NotStopped),
        }
    }

    /// Sets or takes back the permission to be stopped, which is all that callers may change.
    #[must_use]
    pub const fn with_permission(self, flags: u16) -> Self {
        Self(self.0 & !REMOVABLE | flags & REMOVABLE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_starts_once_and_stays_as_it_says() {
        let starting = ModuleFlags::NEW.start().expect("it is new");
        assert_eq!(starting.start(), Err(Error::AlreadyStarted));
        assert_eq!(starting.started(RESULT_GONE), None);
        assert_eq!(starting.started(0).map(|flags| flags.0), Some(3));
        // Other bits of the result are an address.
        assert_eq!(starting.started(0x1_0002).map(|flags| flags.0), Some(0x13));
    }

    #[test]
    fn only_a_removable_module_stops_and_only_once() {
        let resident = ModuleFlags::RESIDENT;
        assert_eq!((resident.stop(), resident.unload()), (Err(Error::NotRemovable), Err(Error::NotRemovable)));
        let removable = resident.with_permission(0x10);
        assert_eq!(removable.unload(), Err(Error::NotStopped));
        let stopping = removable.stop().expect("it is removable");
        assert_eq!(stopping.stop(), Err(Error::AlreadyStopped));
        let (again, refused) = stopping.stopped(2);
        assert_eq!((again, refused), (removable, Err(Error::CannotStop)));
        let (stopped, done) = stopping.stopped(1);
        assert_eq!((done, stopped.stop(), stopped.unload()), (Ok(()), Err(Error::AlreadyStopped), Ok(())));
    }

    #[test]
    fn a_module_that_never_started_is_unloaded_and_not_stopped() {
        assert_eq!((ModuleFlags::NEW.stop(), ModuleFlags::NEW.unload()), (Err(Error::NotStarted), Ok(())));
    }

    #[test]
    fn callers_change_the_permission_alone() {
        assert_eq!(ModuleFlags::RESIDENT.with_permission(0xFFFF).0, 0x13);
        assert_eq!(ModuleFlags(0x13).with_permission(0).0, 3);
    }
}
