//! The TaskEngine: the scheduler of everything in the world that is not a character, and the frame the characters run in.
//!
//! [`ids`] says which task, [`pool`] holds records, [`handle`] is how anything refers to anything, and [`head`] is what
//! all tasks share. [`manager`] owns the heads, the two timing wheels ([`wheel`]) and the clocks ([`clock`]).
//! [`message`] carries what one task tells another.

pub mod boxes;
pub mod clock;
pub mod handle;
pub mod head;
pub mod ids;
pub mod manager;
pub mod message;
pub mod pool;
pub mod wheel;
