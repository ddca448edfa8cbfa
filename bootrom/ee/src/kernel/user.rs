//! Memory of programs, reached through their own addresses.
//!
//! The kernel uses a program's pointer as it is, so that the mirror and cache attribute are the program's. A wrong
//! address raises an exception, which is reported with the address: that is what the console's kernel does, too.

/// Reads a value of a program.
pub fn read<T: Copy>(address: u32) -> T {
    // SAFETY: plain data; a wrong address is reported as an exception.
    unsafe { (address as *const T).read_volatile() }
}

/// Writes a value of a program.
pub fn write<T: Copy>(address: u32, value: T) {
    // SAFETY: plain data; a wrong address is reported as an exception.
    unsafe { (address as *mut T).write_volatile(value) }
}

/// Bytes of a C string, its end mark excluded, at most `limit`.
pub fn string(address: u32, limit: u32) -> impl Iterator<Item = u8> + Clone {
    (0..limit).map(move |offset| read::<u8>(address.wrapping_add(offset))).take_while(|byte| *byte != 0)
}

/// Fills memory in quadwords; `address` and `size` are multiples of 16.
pub fn fill(address: u32, size: u32, word: u32) {
    let mut place = address;
    let end = address.wrapping_add(size);
    while place != end {
        for offset in [0, 4, 8, 12] {
            write(place + offset, word);
        }
        place += 16;
    }
}

/// Copies bytes to a program's memory.
pub fn copy(destination: u32, bytes: &[u8]) {
    for (offset, byte) in bytes.iter().enumerate() {
        write(destination.wrapping_add(offset as u32), *byte);
    }
}
