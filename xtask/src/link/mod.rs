//! `cargo xtask link`: runs a program on a console over the network, through the public ps2link protocol.
//!
//! A console that runs ps2link listens on two ports: UDP takes [commands](packet::Command), TCP hands out its requests for
//! files of `host:`, which [`folder::HostFolder`] answers out of one folder and never from outside it. The console's text comes
//! back in UDP packets. [`session`] ties the three together; [`stand_in`] is the console's side of it, for tests. UDP loses packets and the protocol acknowledges none, so a
//! command counts as heard once the console does what it must do next, and is sent again until then.
//!
//! Source: the ps2link protocol as its own public headers describe it.

pub mod folder;
pub mod packet;
mod serve;
pub mod session;
pub mod stand_in;

pub use session::{Dump, Options, Outcome, Ports, run};
