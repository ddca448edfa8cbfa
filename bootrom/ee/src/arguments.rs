//! The arguments that one program leaves for the next.
//!
//! They wait in a 256-byte buffer of the kernel until SetupThread writes them into the new program's block: argc,
//! sixteen pointers, then the strings. Source: EE kernel semantics, sections 8 and 9.

/// Most arguments.
pub const ARGUMENTS: usize = 16;
/// Bytes for all strings with their ends.
pub const TEXT: usize = 256;
/// Offset of the pointers in a program's block.
pub const BLOCK_POINTERS: u32 = 4;
/// Offset of the strings in a program's block.
pub const BLOCK_TEXT: u32 = 0x44;

/// Arguments on their way.
#[derive(Clone, Debug)]
pub struct Arguments {
    count: usize,
    offsets: [u16; ARGUMENTS],
    text: [u8; TEXT],
    used: usize,
}

impl Arguments {
    /// None.
    pub const fn new() -> Self {
        Self { count: 0, offsets: [0; ARGUMENTS], text: [0; TEXT], used: 0 }
    }

    /// Number of arguments.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True without arguments.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds an argument, its bytes without an end mark. False when it does not fit: a program gets whole arguments or
    /// none.
    pub fn push(&mut self, argument: impl IntoIterator<Item = u8>) -> bool {
        if self.count == ARGUMENTS {
            return false;
        }
        let start = self.used;
        for byte in argument {
            // One byte stays for the end mark.
            if self.used + 1 >= TEXT {
                self.used = start;
                return false;
            }
            self.text[self.used] = byte;
            self.used += 1;
        }
        if self.used >= TEXT {
            return false;
        }
        self.text[self.used] = 0;
        self.used += 1;
        self.offsets[self.count] = start as u16;
        self.count += 1;
        true
    }

    /// Argument by number.
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        let start = usize::from(*self.offsets[..self.count].get(index)?);
        self.text[start..self.used].split(|byte| *byte == 0).next()
    }

    /// Offsets of the strings from the start of [`Self::text`].
    pub fn offsets(&self) -> &[u16] {
        &self.offsets[..self.count]
    }

    /// All strings with their end marks.
    pub fn text(&self) -> &[u8] {
        &self.text[..self.used]
    }
}

impl Default for Arguments {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_keep_their_order_and_text() {
        let mut arguments = Arguments::new();
        assert!(arguments.push(*b"EELOAD"));
        assert!(arguments.push(*b""));
        assert!(arguments.push(*b"cdrom0:\\GAME.ELF;1"));
        assert_eq!(arguments.get(0), Some(&b"EELOAD"[..]));
        assert_eq!(arguments.get(1), Some(&b""[..]));
        assert_eq!(arguments.get(2), Some(&b"cdrom0:\\GAME.ELF;1"[..]));
        assert_eq!(arguments.get(3), None);
        assert_eq!(arguments.offsets(), [0, 7, 8]);
    }

    #[test]
    fn what_does_not_fit_is_refused_whole() {
        let mut arguments = Arguments::new();
        assert!(arguments.push([b'a'; 200]));
        assert!(!arguments.push([b'b'; 100]));
        assert!(arguments.push([b'c'; 54]));
        assert!(!arguments.push(*b""));
        assert_eq!(arguments.len(), 2);
        assert_eq!(arguments.get(1).map(<[u8]>::len), Some(54));
    }

    #[test]
    fn sixteen_arguments_are_the_limit() {
        let mut arguments = Arguments::new();
        for _ in 0..ARGUMENTS {
            assert!(arguments.push(*b"x"));
        }
        assert!(!arguments.push(*b"x"));
    }
}
