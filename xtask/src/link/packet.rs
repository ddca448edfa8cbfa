//! The protocol's packets: six bytes of header (a number and a length, big-endian), then fields of fixed sizes.

use anyhow::{Result, ensure};

/// Bytes of a header.
pub const HEADER_BYTES: usize = 6;
/// Bytes of a path, its end marked by a zero.
pub const PATH_BYTES: usize = 256;
/// The most data a write request may carry.
pub const MOST_WRITTEN: u32 = 65_536;
/// The longest body of a request that is unknown to us and can still be skipped.
const MOST_SKIPPED: usize = 1_460;

const RESET: u32 = 0xBABE_0201;
const EXECUTE_EE: u32 = 0xBABE_0203;
const POWER_OFF: u32 = 0xBABE_0204;
const DUMP_MEMORY: u32 = 0xBABE_0207;

const OPEN: u32 = 0xBABE_0111;
const CLOSE: u32 = 0xBABE_0121;
const READ: u32 = 0xBABE_0131;
const WRITE: u32 = 0xBABE_0141;
const SEEK: u32 = 0xBABE_0151;
const OPEN_FOLDER: u32 = 0xBABE_0161;
const CLOSE_FOLDER: u32 = 0xBABE_0171;
const NEXT_ENTRY: u32 = 0xBABE_0181;
const STATUS: u32 = 0xBABE_01C1;

/// What the console is told to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Start ps2link anew.
    Reset,
    /// Load and start an EE program; the first word is its path.
    ExecuteEe(Vec<String>),
    /// Write a range of memory to a file.
    DumpMemory {
        /// First address.
        address: u32,
        /// Bytes.
        size: u32,
        /// The file, with its device.
        path: String,
    },
    /// Switch off.
    PowerOff,
}

impl Command {
    /// The packet.
    ///
    /// # Errors
    /// Words that do not fit 256 bytes with their ends.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let mut fields = Vec::new();
        let number = match self {
            Self::Reset => RESET,
            Self::PowerOff => POWER_OFF,
            Self::ExecuteEe(words) => {
                fields.extend(u32::try_from(words.len())?.to_be_bytes());
                fields.extend(words_field(words)?);
                EXECUTE_EE
            }
            Self::DumpMemory { address, size, path } => {
                fields.extend(address.to_be_bytes());
                fields.extend(size.to_be_bytes());
                fields.extend(words_field(std::slice::from_ref(path))?);
                DUMP_MEMORY
            }
        };
        Ok(packet(number, &fields))
    }
}

/// Words one behind the other, each with its zero.
fn words_field(words: &[String]) -> Result<[u8; PATH_BYTES]> {
    let joined: Vec<u8> = words.iter().flat_map(|word| word.bytes().chain([0])).collect();
    ensure!(words.iter().all(|word| !word.contains('\0')), "a word for the console holds a zero byte");
    ensure!(
        joined.len() <= PATH_BYTES,
        "the console takes {PATH_BYTES} bytes of program name and arguments, these are {}; shorten them",
        joined.len()
    );
    let mut field = [0; PATH_BYTES];
    field[..joined.len()].copy_from_slice(&joined);
    Ok(field)
}

fn packet(number: u32, fields: &[u8]) -> Vec<u8> {
    let length = u16::try_from(HEADER_BYTES + fields.len()).unwrap_or(u16::MAX);
    let mut bytes = number.to_be_bytes().to_vec();
    bytes.extend(length.to_be_bytes());
    bytes.extend(fields);
    bytes
}

/// What begins every packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// What the packet is.
    pub number: u32,
    /// Bytes behind the header; the data of a write is not counted.
    pub body: usize,
}

impl Header {
    /// Reads a header of a request.
    ///
    /// # Errors
    /// A length that the request cannot have: where the next packet begins is unknown then.
    pub fn read(bytes: [u8; HEADER_BYTES]) -> Result<Self> {
        let [a, b, c, d, e, f] = bytes;
        let number = u32::from_be_bytes([a, b, c, d]);
        let length = usize::from(u16::from_be_bytes([e, f]));
        ensure!(number >> 16 == 0xBABE, "the console sent {number:08x}, which begins no packet");
        let expected = match number {
            OPEN | OPEN_FOLDER => Some(4 + PATH_BYTES),
            CLOSE | CLOSE_FOLDER | NEXT_ENTRY => Some(4),
            READ | WRITE => Some(8),
            SEEK => Some(12),
            STATUS => Some(PATH_BYTES),
            _ => None,
        };
        let body = length.wrapping_sub(HEADER_BYTES);
        match expected {
            Some(expected) => {
                ensure!(body == expected, "request {number:08x} has {length} bytes instead of {}", expected + 6);
            }
            None => ensure!(body <= MOST_SKIPPED, "request {number:08x} cannot have {length} bytes"),
        }
        Ok(Self { number, body })
    }
}

/// What the console asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Opens a file.
    Open {
        /// How: the console's own flags.
        flags: u32,
        /// The path behind the device's name.
        path: String,
    },
    /// Closes a file or folder.
    Close {
        /// Its number.
        file: i32,
    },
    /// Reads on.
    Read {
        /// The file.
        file: i32,
        /// Bytes wanted.
        bytes: u32,
    },
    /// Writes; the data follows the packet.
    Write {
        /// The file.
        file: i32,
        /// Bytes that follow.
        bytes: u32,
    },
    /// Moves the place of the next access.
    Seek {
        /// The file.
        file: i32,
        /// By how much.
        offset: i32,
        /// From where: 0 the start, 1 the present place, 2 the end.
        whence: i32,
    },
    /// Opens a folder for listing.
    OpenFolder {
        /// Its path.
        path: String,
    },
    /// The next entry of a folder.
    NextEntry {
        /// The folder.
        file: i32,
    },
    /// A file's kind and size.
    Status {
        /// Its path.
        path: String,
    },
    /// Something that this side does not do: removing, making folders, or a number that it does not know.
    Refused,
}

impl Request {
    /// Reads a request's body, which has the length that its header says.
    ///
    /// # Errors
    /// A path without an end, or a write of more than [`MOST_WRITTEN`] bytes.
    pub fn read(header: Header, body: &[u8]) -> Result<Self> {
        Ok(match header.number {
            OPEN => Self::Open { flags: word(body, 0), path: path(body.get(4..))? },
            CLOSE | CLOSE_FOLDER => Self::Close { file: signed(body, 0) },
            READ => Self::Read { file: signed(body, 0), bytes: word(body, 4) },
            WRITE => {
                let bytes = word(body, 4);
                ensure!(bytes <= MOST_WRITTEN, "the console wants to write {bytes} bytes at once");
                Self::Write { file: signed(body, 0), bytes }
            }
            SEEK => Self::Seek { file: signed(body, 0), offset: signed(body, 4), whence: signed(body, 8) },
            OPEN_FOLDER => Self::OpenFolder { path: path(body.get(4..))? },
            NEXT_ENTRY => Self::NextEntry { file: signed(body, 0) },
            STATUS => Self::Status { path: path(Some(body))? },
            _ => Self::Refused,
        })
    }
}

fn word(body: &[u8], at: usize) -> u32 {
    body.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

fn signed(body: &[u8], at: usize) -> i32 {
    word(body, at).cast_signed()
}

fn path(field: Option<&[u8]>) -> Result<String> {
    let field = field.unwrap_or_default();
    let end = field.iter().position(|byte| *byte == 0);
    ensure!(end.is_some(), "the console sent a path without an end");
    Ok(String::from_utf8_lossy(&field[..end.unwrap_or(0)]).into_owned())
}

/// A file or folder as the console describes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its name, without folders.
    pub name: String,
    /// Whether it is a folder.
    pub folder: bool,
    /// Bytes.
    pub size: u64,
}

impl Entry {
    /// Kind and rights, attributes, size, three dates that are left empty, the size's upper half.
    fn fields(&self) -> Vec<u8> {
        const READABLE: u32 = 4;
        const FILE: u32 = 0x10;
        const FOLDER: u32 = 0x20;
        let mode = READABLE | if self.folder { FOLDER } else { FILE };
        let [low, high] = [self.size as u32, (self.size >> 32) as u32];
        let mut fields: Vec<u8> = [mode, 0, low].iter().flat_map(|word| word.to_be_bytes()).collect();
        fields.extend([0; 24]);
        fields.extend(high.to_be_bytes());
        fields
    }
}

/// The answer with a number alone, whatever was asked.
pub fn reply(header: Header, result: i32) -> Vec<u8> {
    match header.number {
        READ => read_reply(header, result, 0),
        NEXT_ENTRY => entry_reply(header, result, &Entry::default()),
        STATUS => status_reply(header, result, &Entry::default()),
        _ => packet(header.number.wrapping_add(1), &result.to_be_bytes()),
    }
}

/// The answer to a read, which `bytes` of data follow.
pub fn read_reply(header: Header, result: i32, bytes: u32) -> Vec<u8> {
    let fields: Vec<u8> = result.to_be_bytes().into_iter().chain(bytes.to_be_bytes()).collect();
    packet(header.number.wrapping_add(1), &fields)
}

/// The answer with a folder's next entry.
pub fn entry_reply(header: Header, result: i32, entry: &Entry) -> Vec<u8> {
    let mut fields = result.to_be_bytes().to_vec();
    fields.extend(entry.fields());
    let mut name = [0; PATH_BYTES];
    let bytes = entry.name.as_bytes();
    let length = bytes.len().min(PATH_BYTES - 1);
    name[..length].copy_from_slice(&bytes[..length]);
    fields.extend(name);
    packet(header.number.wrapping_add(1), &fields)
}

/// The answer with a file's status.
pub fn status_reply(header: Header, result: i32, entry: &Entry) -> Vec<u8> {
    let mut fields = result.to_be_bytes().to_vec();
    fields.extend(entry.fields());
    packet(header.number.wrapping_add(1), &fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_the_protocols_sizes_and_byte_order() {
        assert_eq!(Command::Reset.encode().unwrap(), [0xBA, 0xBE, 2, 1, 0, 6]);
        let run = Command::ExecuteEe(vec!["host:a.elf".into(), "x".into()]).encode().unwrap();
        assert_eq!(run.len(), 266);
        assert_eq!(run[..10], [0xBA, 0xBE, 2, 3, 1, 10, 0, 0, 0, 2]);
        assert_eq!(&run[10..24], b"host:a.elf\0x\0\0");
        let dump = Command::DumpMemory { address: 0x10_0000, size: 64, path: "host:m".into() }.encode().unwrap();
        assert_eq!(dump.len(), 270);
        assert_eq!(dump[6..14], [0, 0x10, 0, 0, 0, 0, 0, 64]);
    }

    #[test]
    fn words_that_do_not_fit_are_refused() {
        let long = vec!["host:a.elf".into(), "x".repeat(250)];
        assert!(Command::ExecuteEe(long).encode().unwrap_err().to_string().contains("shorten"));
        assert!(Command::ExecuteEe(vec!["a\0b".into()]).encode().is_err());
    }

    #[test]
    fn a_length_that_cannot_be_ends_the_conversation() {
        assert!(Header::read([0xBA, 0xBE, 1, 0x31, 0, 14]).is_ok());
        assert!(Header::read([0xBA, 0xBE, 1, 0x31, 0, 15]).is_err());
        assert!(Header::read([0xBA, 0xBE, 1, 0x31, 0, 2]).is_err());
        assert!(Header::read([1, 2, 3, 4, 0, 14]).is_err());
        // One that is not known is skipped, if it has a length that it can have.
        assert_eq!(Header::read([0xBA, 0xBE, 1, 0xF1, 0, 8]).unwrap().body, 2);
        assert!(Header::read([0xBA, 0xBE, 1, 0xF1, 0xFF, 0xFF]).is_err());
    }

    #[test]
    fn a_path_without_an_end_is_malformed() {
        let header = Header { number: STATUS, body: PATH_BYTES };
        assert!(Request::read(header, &[b'a'; PATH_BYTES]).is_err());
        let mut body = [0; PATH_BYTES];
        body[0] = b'a';
        assert_eq!(Request::read(header, &body).unwrap(), Request::Status { path: "a".into() });
    }

    #[test]
    fn answers_have_the_sizes_that_the_console_expects() {
        let header = |number| Header { number, body: 0 };
        for (number, length) in [(OPEN, 10), (READ, 14), (NEXT_ENTRY, 306), (STATUS, 50), (0xBABE_01A1, 10)] {
            let bytes = reply(header(number), -1);
            assert_eq!(bytes.len(), length, "{number:08x}");
            assert_eq!(word(&bytes, 0), number + 1);
            assert_eq!(usize::from(u16::from_be_bytes([bytes[4], bytes[5]])), length);
            assert_eq!(signed(&bytes, 6), -1);
        }
    }
}
