//! Requests to the file server and the program loader, and their replies, as bytes.
//!
//! Source: IOP kernel, sections 14 and 15.

use super::Error;

/// The file server.
pub const FILE_SERVER: u32 = 0x8000_0001;
/// The program and module loader.
pub const LOADER: u32 = 0x8000_0006;

/// Functions of the file server.
pub mod file_function {
    /// Opens a path.
    pub const OPEN: u32 = 0;
    /// Closes a descriptor.
    pub const CLOSE: u32 = 1;
    /// Reads into our memory.
    pub const READ: u32 = 2;
    /// Moves a descriptor's position.
    pub const SEEK: u32 = 4;
}

/// Functions of the loader.
pub mod loader_function {
    /// Loads and starts an IOP module.
    pub const MODULE: u32 = 0;
    /// Loads an EE program's segments.
    pub const PROGRAM: u32 = 1;
}

/// Bytes of a request's longest form, in whole cache lines.
pub const REQUEST_BYTES: usize = 576;
/// Bytes of a path for the file server, its end mark included.
const FILE_PATH: usize = 256;
/// Bytes of a path or of arguments for the loader, the end mark included.
const LOADER_PATH: usize = 252;
/// Where the loader's path lies.
const LOADER_PATH_OFFSET: usize = 8;
/// Where the loader's arguments lie.
const LOADER_ARGUMENTS_OFFSET: usize = 0x104;

/// A request: its bytes, whole cache lines of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Request {
    bytes: [u8; REQUEST_BYTES],
    length: usize,
}

impl Request {
    fn new(length: usize) -> Self {
        Self { bytes: [0; REQUEST_BYTES], length }
    }

    fn word(mut self, index: usize, value: u32) -> Self {
        self.bytes[index * 4..index * 4 + 4].copy_from_slice(&value.to_le_bytes());
        self
    }

    fn text(mut self, offset: usize, room: usize, text: &[u8]) -> Result<Self, Error> {
        // The end mark must fit, too.
        if text.len() >= room {
            return Err(Error::TooLong);
        }
        self.bytes[offset..offset + text.len()].copy_from_slice(text);
        Ok(self)
    }

    /// The bytes that travel, a multiple of 16.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length.next_multiple_of(16)]
    }

    /// Opens `path` with the server's mode bits (1 reads).
    pub fn open(path: &[u8], mode: u32) -> Result<Self, Error> {
        Self::new(4 + FILE_PATH).word(0, mode).text(4, FILE_PATH, path)
    }

    /// Closes a descriptor.
    pub fn close(descriptor: i32) -> Self {
        Self::new(4).word(0, descriptor as u32)
    }

    /// Reads `size` bytes to `destination`; what lies outside of whole quadwords goes to `edges`.
    pub fn read(descriptor: i32, destination: u32, size: u32, edges: u32) -> Self {
        Self::new(16).word(0, descriptor as u32).word(1, destination).word(2, size).word(3, edges)
    }

    /// Moves a descriptor's position: `whence` 0 from the start, 1 from where it is, 2 from the end.
    pub fn seek(descriptor: i32, offset: i32, whence: u32) -> Self {
        Self::new(12).word(0, descriptor as u32).word(1, offset as u32).word(2, whence)
    }

    /// Loads all segments of the program at `path`.
    pub fn load_program(path: &[u8]) -> Result<Self, Error> {
        Self::new(512).text(LOADER_PATH_OFFSET, LOADER_PATH, path)?.text(LOADER_ARGUMENTS_OFFSET, LOADER_PATH, b"all")
    }

    /// Loads and starts the module at `path`; `arguments` are strings with their end marks.
    pub fn load_module(path: &[u8], arguments: &[u8]) -> Result<Self, Error> {
        Self::new(512).word(0, arguments.len() as u32).text(LOADER_PATH_OFFSET, LOADER_PATH, path)?.text(
            LOADER_ARGUMENTS_OFFSET,
            LOADER_PATH,
            arguments,
        )
    }
}

/// A loaded program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadedProgram {
    /// Its first instruction.
    pub entry: u32,
    /// Its global pointer.
    pub gp: u32,
}

/// Reads the loader's reply about a program: entry, global pointer, nothing, error.
///
/// # Errors
/// The loader's own number.
pub fn loaded_program(reply: [u32; 4]) -> Result<LoadedProgram, Error> {
    let [entry, gp, _, error] = reply;
    match entry {
        0 => Err(Error::Server(error as i32)),
        _ => Ok(LoadedProgram { entry, gp }),
    }
}

/// Bytes of a read that lie outside of whole quadwords: the EE copies them itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Edges {
    sizes: [u32; 2],
    destinations: [u32; 2],
    bytes: [[u8; 16]; 2],
}

impl Edges {
    /// Nothing to copy.
    pub const EMPTY: Self = Self { sizes: [0; 2], destinations: [0; 2], bytes: [[0; 16]; 2] };

    /// The pieces: where, and which bytes. `start` and `size` are what was read; a piece outside of it is a wrong answer
    /// and left out.
    pub fn pieces(&self, start: u32, size: u32) -> impl Iterator<Item = (u32, &[u8])> + '_ {
        (0..2).filter_map(move |index| {
            let bytes = self.bytes[index].get(..self.sizes[index] as usize)?;
            let offset = self.destinations[index].checked_sub(start)?;
            let fits = offset.checked_add(bytes.len() as u32)? <= size;
            (fits && !bytes.is_empty()).then_some((self.destinations[index], bytes))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_carries_mode_and_path() {
        let request = Request::open(b"cdrom0:\\SYSTEM.CNF;1", 1).unwrap();
        let bytes = request.as_bytes();
        assert_eq!(bytes.len(), 272);
        assert_eq!(bytes[..4], [1, 0, 0, 0]);
        assert_eq!(bytes[4..24], *b"cdrom0:\\SYSTEM.CNF;1");
        assert_eq!(bytes[24], 0);
    }

    #[test]
    fn a_path_that_leaves_no_room_for_its_end_is_refused() {
        assert!(Request::open(&[b'a'; 255], 1).is_ok());
        assert_eq!(Request::open(&[b'a'; 256], 1), Err(Error::TooLong));
        assert_eq!(Request::load_program(&[b'a'; 252]), Err(Error::TooLong));
    }

    #[test]
    fn the_loader_finds_path_and_section() {
        let request = Request::load_program(b"cdrom0:\\A.ELF;1").unwrap();
        assert_eq!(request.as_bytes()[8..11], *b"cdr");
        assert_eq!(request.as_bytes()[0x104..0x108], *b"all\0");
    }

    #[test]
    fn a_reply_without_entry_is_an_error() {
        assert_eq!(loaded_program([0, 0, 0, -203i32 as u32]), Err(Error::Server(-203)));
        assert_eq!(loaded_program([0x10_0008, 0x11, 0, 0]), Ok(LoadedProgram { entry: 0x10_0008, gp: 0x11 }));
    }

    #[test]
    fn edges_outside_of_the_read_are_left_out() {
        let mut edges = Edges { sizes: [3, 16], destinations: [0x1000, 0x1010], bytes: [[1; 16], [2; 16]] };
        assert_eq!(edges.pieces(0x1000, 0x20).count(), 2);
        assert_eq!(edges.pieces(0x1000, 0x1F).count(), 1);
        edges.sizes = [17, 0];
        assert_eq!(edges.pieces(0x1000, 0x20).count(), 0);
        assert_eq!(edges.pieces(0x1004, 0x20).count(), 0);
    }
}
