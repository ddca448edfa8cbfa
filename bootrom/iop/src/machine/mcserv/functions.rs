//! The numbers of the functions, of both sets.

/// What a request is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// Begins.
    Init {
        /// The newer one tells versions.
        tells_versions: bool,
    },
    /// What the card is.
    Info,
    /// Opens a file, or makes a directory.
    Open,
    /// Closes a file.
    Close,
    /// Reads from a file.
    Read,
    /// Writes to a file.
    Write,
    /// Moves in a file.
    Seek,
    /// Lists a directory.
    List,
    /// Formats a card.
    Format,
    /// Takes the format away.
    Unformat,
    /// Removes a file.
    Remove,
    /// Writes what is held back.
    Flush,
    /// Sets the directory that paths begin at.
    ChangeDirectory,
    /// Changes a file's entry.
    Change,
    /// How many entries a directory can take as it is. The newer set alone has it.
    EntrySpace,
    /// Erases a block. The older set alone has this and the next two.
    ErasePages,
    /// Reads a page past the file system.
    ReadPage,
    /// Writes one.
    WritePage,
    /// Nothing that is known.
    Other,
}

/// What a function number is for, and whether it is of the newer set.
pub fn function_of(number: u32) -> (Function, bool) {
    let old = match number {
        0x70 => Function::Init { tells_versions: false },
        0x71 => Function::Open,
        0x72 => Function::Close,
        0x73 => Function::Read,
        0x74 => Function::Write,
        0x75 => Function::Seek,
        0x76 => Function::List,
        0x77 => Function::Format,
        0x78 => Function::Info,
        0x79 => Function::Remove,
        0x7A => Function::Flush,
        0x7B => Function::ChangeDirectory,
        0x7C => Function::Change,
        0x7D => Function::ErasePages,
        0x7E => Function::ReadPage,
        0x7F => Function::WritePage,
        0x80 => Function::Unformat,
        _ => Function::Other,
    };
    if old != Function::Other {
        return (old, false);
    }
    let new = match number {
        0xFE => Function::Init { tells_versions: true },
        0x01 => Function::Info,
        0x02 => Function::Open,
        0x03 => Function::Close,
        0x04 => Function::Seek,
        0x05 => Function::Read,
        0x06 => Function::Write,
        0x0A => Function::Flush,
        0x0C => Function::ChangeDirectory,
        0x0D => Function::List,
        0x0E => Function::Change,
        0x0F => Function::Remove,
        0x10 => Function::Format,
        0x11 => Function::Unformat,
        0x12 => Function::EntrySpace,
        _ => Function::Other,
    };
    (new, true)
}
