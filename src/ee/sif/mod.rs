//! The interface to the IOP: commands, remote calls, and two of its servers.
//!
//! [`packet`] and [`request`] are the layouts that travel, as plain data. [`link`] brings the interface up, sends packets
//! through the kernel's DMA call and takes the IOP's packets in an interrupt handler; [`call`] binds to servers and calls
//! them; [`files`] and [`loader`] are the file server and the program loader, [`heap`] the IOP's memory, [`echo`] what proves the way there and back. A call is started, then polled: nothing waits
//! without a time-out, and an answer that comes too late finds its place still reserved.
//!
//! Memory that both processors touch is never looked at through the cache: packets and the receive buffer are used through
//! the uncached mirror, a caller's buffers are written back before and invalidated after.
//!
//! Source: EE facts, section 13; EE kernel, section 10; IOP kernel, sections 14, 15, 20 and 21; console rules 2, 6 and 9.

pub mod mailbox;
pub mod packet;
pub mod request;

#[cfg(target_arch = "mips")]
pub mod call;
#[cfg(target_arch = "mips")]
pub mod echo;
#[cfg(target_arch = "mips")]
pub mod files;
#[cfg(target_arch = "mips")]
pub mod heap;
#[cfg(target_arch = "mips")]
pub mod link;
#[cfg(target_arch = "mips")]
pub mod loader;

use core::fmt;

/// What goes wrong between the processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The IOP's kernel does not take commands.
    NoIop,
    /// The IOP does not say that it serves calls.
    NoCalls,
    /// The kernel takes no handler for the channel from the IOP.
    NoHandler,
    /// Too many calls are on their way.
    Busy,
    /// The kernel took no transfer.
    NotSent,
    /// No answer in time.
    TimeOut,
    /// No server with this number has registered in time.
    NoServer(u32),
    /// A buffer does not own whole lines.
    Alignment,
    /// A path or an argument is too long for its field.
    TooLong,
    /// The server does not know the function: it left the reply as it was.
    NotSupported,
    /// The module's own start has failed, and it did not stay in memory.
    NotResident,
    /// The server's own error number, negative.
    Server(i32),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoIop => f.write_str("the IOP does not answer"),
            Self::NoCalls => f.write_str("the IOP serves no calls"),
            Self::NoHandler => f.write_str("no interrupt handler could be added"),
            Self::Busy => f.write_str("too many calls at a time"),
            Self::NotSent => f.write_str("the kernel sent nothing"),
            Self::TimeOut => f.write_str("no answer in time"),
            Self::NoServer(id) => write!(f, "no server {id:#010x}"),
            Self::Alignment => f.write_str("a buffer is not aligned to 64 bytes"),
            Self::TooLong => f.write_str("a path is too long"),
            Self::NotSupported => f.write_str("the server does not know the function"),
            Self::NotResident => f.write_str("the module did not start"),
            Self::Server(code) => write!(f, "error {code}"),
        }
    }
}
