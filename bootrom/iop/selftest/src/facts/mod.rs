//! The facts, by library.

mod contexts;
mod disc;
mod drive;
mod files;
mod fuzz;
mod handlers;
mod hostile;
mod kernel;
mod layout;
mod lines;
mod link;
mod lists;
mod memory;
pub mod modules;
mod pools;
mod records;
mod serial;
mod sound;
mod tables;
mod text;
mod threads;

use crate::tally::Tally;

/// Tries all of them; `path` is the module's own file, as a string.
pub fn run(tally: &mut Tally, path: *const u8) {
    memory::run(tally);
    kernel::run(tally);
    threads::run(tally);
    handlers::run(tally);
    pools::run(tally);
    contexts::run(tally);
    text::run(tally);
    files::run(tally);
    lines::run(tally);
    lists::run(tally, path);
    link::run(tally);
    modules::run(tally, path);
    drive::run(tally);
    disc::run(tally);
    sound::run(tally);
    hostile::run(tally, path);
    tables::run(tally);
    layout::run(tally);
    serial::run(tally);
    records::run(tally);
    fuzz::run(tally);
}
