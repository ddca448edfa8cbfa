//! Start and stop functions of modules.

use super::load::remove;
use super::record::{self, Record};
use super::{builtin, on_loader};
use crate::machine::memory::may_read;
use bootrom_iop::errors::Error;
use bootrom_iop::module_state::RESULT_GONE;

/// Arguments of a start or stop function.
const ARGUMENTS: usize = 32;

unsafe extern "C" {
    /// Calls a start function with the module's global pointer.
    fn call_module(entry: u32, gp: u32, count: i32, arguments: *const u32, record: *mut Record) -> i32;
}

core::arch::global_asm!(
    ".set noreorder",
    ".globl call_module",
    "call_module:",
    "    addiu $29, $29, -32",
    "    sw    $31, 28($29)",
    "    sw    $28, 24($29)",
    "    lw    $8, 48($29)",
    "    move  $9, $4",
    "    move  $28, $5",
    "    move  $4, $6",
    "    move  $5, $7",
    "    move  $6, $0",
    "    move  $7, $8",
    "    jalr  $9",
    "    nop",
    "    lw    $31, 28($29)",
    "    lw    $28, 24($29)",
    "    addiu $29, $29, 32",
    "    jr    $31",
    "    nop",
    ".set reorder",
);

/// The argument list of a module: a name, then the strings of which the caller passes `bytes` bytes, each ended.
struct Arguments {
    list: [u32; ARGUMENTS + 1],
    count: i32,
}

impl Arguments {
    /// Refuses strings that are no memory, before anything is started or stopped for them.
    fn check(strings: *const u8, bytes: u32) -> Result<(), Error> {
        if bytes == 0 || may_read(strings as u32, bytes) { Ok(()) } else { Err(Error::IllegalAddress) }
    }

    /// The list of what was [checked](Self::check).
    fn new(name: *const u8, strings: *const u8, bytes: u32) -> Self {
        let mut list = [0; ARGUMENTS + 1];
        list[0] = name as u32;
        // At the boot there is not even a name.
        let mut count = usize::from(!name.is_null());
        let mut begins = true;
        for index in 0..bytes {
            let at = strings.wrapping_add(index as usize);
            if begins && count < ARGUMENTS {
                list[count] = at as u32;
                count += 1;
            }
            // SAFETY: that many bytes of memory, as was checked.
            begins = unsafe { at.read() } == 0;
        }
        Arguments { list, count: count as i32 }
    }
}

/// Starts module `id` with its name and the `bytes` of strings, each ended, at `arguments`; the result is what its start
/// function returned.
///
/// # Errors
/// Unknown; strings that are no memory; started already; a driver's own.
pub fn start_module(id: i32, name: *const u8, arguments: *const u8, bytes: u32) -> Result<i32, Error> {
    on_loader(|| {
        let record = record::by_id(id)?;
        Arguments::check(arguments, bytes)?;
        // SAFETY: listed records stay valid; only the loader starts and removes modules.
        let (entry, gp, builtin) = unsafe {
            (*record).flags = (*record).flags.start()?;
            ((*record).entry, (*record).gp, (*record).builtin)
        };
        let result = if builtin == 0 {
            let arguments = Arguments::new(name, arguments, bytes);
            // SAFETY: the module was checked, relocated and linked.
            Ok(unsafe { call_module(entry, gp, arguments.count, arguments.list.as_ptr(), record) })
        } else {
            builtin::start(builtin)
        };
        // SAFETY: as above.
        let flags = unsafe { (*record).flags };
        match flags.started(result.unwrap_or(RESULT_GONE)) {
            // SAFETY: as above.
            Some(flags) => unsafe { (*record).flags = flags },
            None => remove(record),
        }
        result
    })?
}

/// Stops module `id`: its entry is called with a negative count of arguments. The result is what that returned.
///
/// # Errors
/// Unknown; strings that are no memory; not started, stopped already, not removable; it refuses.
pub fn stop_module(id: i32, arguments: *const u8, bytes: u32) -> Result<i32, Error> {
    on_loader(|| stop(record::by_id(id)?, c"other", arguments, bytes))?
}

/// Stops the module in whose code `caller` lies.
///
/// # Errors
/// As [`stop_module`].
pub fn stop_own(caller: u32, arguments: *const u8, bytes: u32) -> Result<i32, Error> {
    on_loader(|| stop(record::by_address(caller)?, c"self", arguments, bytes))?
}

fn stop(record: *mut Record, who: &core::ffi::CStr, arguments: *const u8, bytes: u32) -> Result<i32, Error> {
    Arguments::check(arguments, bytes)?;
    // SAFETY: listed records stay valid; only the loader starts and removes modules.
    let (entry, gp) = unsafe {
        (*record).flags = (*record).flags.stop()?;
        ((*record).entry, (*record).gp)
    };
    let arguments = Arguments::new(who.as_ptr().cast(), arguments, bytes);
    // SAFETY: a driver of the kernel's own is never removable, so this is a module's entry.
    let result = unsafe { call_module(entry, gp, -arguments.count, arguments.list.as_ptr(), record) };
    // SAFETY: as above.
    let (flags, stopped) = unsafe { (*record).flags }.stopped(result);
    // SAFETY: as above.
    unsafe { (*record).flags = flags };
    stopped.map(|()| result)
}

/// Takes module `id` out of memory.
///
/// # Errors
/// Unknown; it still runs.
pub fn unload_module(id: i32) -> Result<i32, Error> {
    on_loader(|| unload(record::by_id(id)?).map(|()| id))?
}

/// Takes the module in whose code `caller` lies out of memory.
///
/// # Errors
/// As [`unload_module`].
pub fn unload_own(caller: u32) -> Result<(), Error> {
    on_loader(|| unload(record::by_address(caller)?))?
}

fn unload(record: *mut Record) -> Result<(), Error> {
    // SAFETY: listed records stay valid.
    unsafe { (*record).flags }.unload()?;
    remove(record);
    Ok(())
}

/// Lets module `id` be stopped, or not, by a bit of `flags`.
///
/// # Errors
/// Unknown.
pub fn set_flags(id: i32, flags: u32) -> Result<i32, Error> {
    let record = record::by_id(id)?;
    // SAFETY: listed records stay valid.
    unsafe { (*record).flags = (*record).flags.with_permission(flags as u16) };
    Ok(0)
}
