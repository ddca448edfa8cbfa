//! Drivers that are part of this kernel and are there once they are asked for by their names in the ROM.

use super::record::{Record, append};
use crate::machine::critical::Shared;
use crate::machine::ioman::text_of;
use crate::machine::memory::MEMORY;
use bootrom_iop::errors::Error;
use bootrom_iop::memory::Place;
use bootrom_iop::module_state::RESULT_GONE;

/// A module that is part of this kernel.
pub struct Builtin {
    /// Its name in the ROM.
    pub file: &'static [u8],
    /// What it calls itself.
    pub name: &'static core::ffi::CStr,
    /// What starting it does.
    pub start: fn() -> Result<(), Error>,
}

/// Drivers that there may be.
const DRIVERS: usize = 16;

struct Drivers {
    list: &'static [Builtin],
    runs: [bool; DRIVERS],
}

static ALL: Shared<Drivers> = Shared::new(Drivers { list: &[], runs: [false; DRIVERS] });

/// Makes the drivers known.
pub fn set(list: &'static [Builtin]) {
    ALL.with(|all| all.list = list);
}

/// Loads the driver that `path` names, if it names one; the result is its id.
pub fn load(path: *const u8) -> Option<Result<i32, Error>> {
    // SAFETY: the caller passes a string.
    let file = unsafe { text_of(path) }.strip_prefix(b"rom0:")?;
    let (place, driver) = ALL.with(|all| {
        let place = all.list.iter().position(|driver| driver.file == file)?;
        Some((place, &all.list[place]))
    })?;
    let Some(block) = MEMORY.with(|memory| memory.allocate(Place::Lowest, size_of::<Record>() as u32)) else {
        return Some(Err(Error::NoMemory));
    };
    let name = driver.name.as_ptr().cast();
    let record = Record { name, version: 0x0100, builtin: place as u32 + 1, ..Record::EMPTY };
    // SAFETY: the block was just allocated with that size.
    Some(Ok(unsafe { append(block as *mut Record, record) }.into()))
}

/// Starts the driver in place `number` - 1. As with any module, a second start finds its libraries there and does not stay.
///
/// # Errors
/// The driver's own.
pub fn start(number: u32) -> Result<i32, Error> {
    let place = number as usize - 1;
    let (driver, runs) = ALL.with(|all| (&all.list[place], core::mem::replace(&mut all.runs[place], true)));
    if runs {
        return Ok(RESULT_GONE);
    }
    (driver.start)().map(|()| 0)
}
