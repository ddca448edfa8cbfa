//! What can go wrong with a pool.

use core::fmt;

/// Why the memory system refused something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The pool has no free piece of this many bytes.
    Exhausted {
        /// Bytes asked for, before rounding.
        wanted: usize,
    },
    /// An alignment that is no power of two, or above what the pool can give.
    Alignment(usize),
    /// A block too small for what is to be built in it, or too large to be numbered.
    BlockSize(usize),
    /// The address belongs to no live allocation of the pool.
    NotAllocated,
    /// The pool is gone, or was never registered.
    NoSuchPool,
    /// No pool is on the heap stack.
    StackEmpty,
    /// The heap stack is full.
    StackFull,
    /// The pool is on the heap stack and must stay.
    OnStack,
    /// All records of the registry are taken.
    RegistryFull,
    /// The range crosses another pool's border.
    Overlap,
    /// Other pools live inside the pool.
    HasPoolsInside,
    /// The memory system has no arena yet, or has one already.
    Arena,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exhausted { wanted } => write!(f, "no room for {wanted} bytes"),
            Self::Alignment(align) => write!(f, "cannot align to {align}"),
            Self::BlockSize(bytes) => write!(f, "{bytes} bytes cannot be a pool"),
            Self::NotAllocated => f.write_str("no live allocation at this address"),
            Self::NoSuchPool => f.write_str("no such pool"),
            Self::StackEmpty => f.write_str("no pool is current"),
            Self::StackFull => f.write_str("too many current pools"),
            Self::OnStack => f.write_str("the pool is current"),
            Self::RegistryFull => f.write_str("too many pools"),
            Self::Overlap => f.write_str("the pool crosses another pool's border"),
            Self::HasPoolsInside => f.write_str("the pool holds other pools"),
            Self::Arena => f.write_str("the arena is given once"),
        }
    }
}
