//! Memory of programs, reached through their own addresses.
//!
//! The kernel uses a program's pointer as it is, so that the mirror and cache attribute are the program's.
//!
//! Our choice: the console's kernel uses any pointer, so that a wrong one writes over the kernel or raises an exception in
//! it. Here one that is not a program's is told on the console and the call refused.

use super::console::report;
use super::hardware::cop0;
use bootrom_ee::Refused;
use bootrom_ee::addresses;

/// Refuses, with a line on the console, what is not wholly a program's memory.
///
/// # Errors
/// Memory of the kernel, registers, holes, or a wrong alignment.
pub fn check(address: u32, size: u32, alignment: u32) -> Result<(), Refused> {
    if addresses::of_program(address, size, alignment) {
        return Ok(());
    }
    report!("refused: the call at {:#010x} was given {address:#010x} for {size} bytes", cop0!("14"));
    Err(Refused)
}

/// Reads a value of a program.
///
/// # Errors
/// As for [`check`].
pub fn read<T: Copy>(address: u32) -> Result<T, Refused> {
    check(address, size_of::<T>() as u32, align_of::<T>() as u32)?;
    // SAFETY: a program's memory, as was checked; plain data.
    Ok(unsafe { (address as *const T).read_volatile() })
}

/// Writes a value of a program.
///
/// # Errors
/// As for [`check`].
pub fn write<T: Copy>(address: u32, value: T) -> Result<(), Refused> {
    check(address, size_of::<T>() as u32, align_of::<T>() as u32)?;
    // SAFETY: as for `read`.
    unsafe { (address as *mut T).write_volatile(value) };
    Ok(())
}

/// Bytes of a C string, its end mark excluded, at most `limit`; it ends where a program's memory does, too.
pub fn string(address: u32, limit: u32) -> impl Iterator<Item = u8> + Clone {
    let bytes = (0..limit).map_while(move |offset| {
        let place = address.wrapping_add(offset);
        // SAFETY: a program's memory, as was checked; a byte.
        addresses::of_program(place, 1, 1).then(|| unsafe { (place as *const u8).read_volatile() })
    });
    bytes.take_while(|byte| *byte != 0)
}

/// Copies bytes to a program's memory.
///
/// # Errors
/// As for [`check`].
pub fn copy(destination: u32, bytes: &[u8]) -> Result<(), Refused> {
    check(destination, bytes.len() as u32, 1)?;
    for (offset, byte) in bytes.iter().enumerate() {
        // SAFETY: a program's memory, as was checked.
        unsafe { ((destination + offset as u32) as *mut u8).write_volatile(*byte) };
    }
    Ok(())
}

/// Fills memory in quadwords, the kernel's own addresses included; `address` and `size` are multiples of 16.
pub fn fill(address: u32, size: u32, word: u32) {
    for place in (address..address + size).step_by(4) {
        super::hardware::write(place, word);
    }
}
