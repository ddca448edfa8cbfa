//! Functions of libraries by number, for those that come with a driver and are not there when the module is linked.

use crate::system::{self, LibraryName};

/// A library's functions.
#[derive(Clone, Copy)]
pub struct Library(*const u32);

impl Library {
    /// The library called `name`; one without functions when there is none.
    pub fn find(name: &str) -> Self {
        let mut letters = [0; 8];
        letters[..name.len()].copy_from_slice(name.as_bytes());
        let major = if name == "romdrv" { 0x0201 } else { 0x0101 };
        Self(system::QueryLibraryEntryTable(&LibraryName { lists: [0; 2], version: major, name: letters }))
    }

    /// Where its table begins, with the links of both lists; 0 for none.
    pub fn table(self) -> u32 {
        /// Bytes of a table's head.
        const HEAD: u32 = 0x14;
        if self.0.is_null() { 0 } else { self.0 as u32 - HEAD }
    }

    /// Calls a function with up to nine words; all ones when there is no library.
    pub fn call<const N: usize>(self, number: usize, words: [u32; N]) -> u32 {
        if self.0.is_null() {
            return u32::MAX;
        }
        let mut given = [0; 9];
        given[..N].copy_from_slice(&words);
        // SAFETY: the facts ask for numbers that the library has, whose functions take words.
        let function: extern "C" fn(u32, u32, u32, u32, u32, u32, u32, u32, u32) -> u32 =
            unsafe { core::mem::transmute(self.0.add(number).read() as usize) };
        let [a, b, c, d, e, f, g, h, i] = given;
        function(a, b, c, d, e, f, g, h, i)
    }

    /// The numbers of its own functions; a table gives all others the one that does nothing, as its first.
    pub fn functions(self) -> impl Iterator<Item = usize> {
        /// More than any table has.
        const MOST: usize = 256;
        // SAFETY: a table's words up to the zero at its end.
        let word = move |number: usize| unsafe { self.0.add(number).read() };
        let end = if self.0.is_null() { 0 } else { MOST };
        (1..end).take_while(move |number| word(*number) != 0).filter(move |number| word(*number) != word(0))
    }
}
