//! The loader's client: programs for the EE, modules for the IOP.

use super::Error;
use super::call::{Reply, Server};
use super::link::Link;
use super::request::{LOADER, LoadedProgram, Request, loaded_program, loader_function};

/// How long a load may take, in milliseconds: megabytes from a disc that must spin up first.
const PATIENCE: u32 = 60_000;
/// How long the server may take to register.
const BIND_PATIENCE: u32 = 5_000;
/// Preset of a reply: no module's id and no error number.
const UNTOUCHED: u32 = 0x8000_0001;

/// The server.
pub struct Loader {
    server: Server,
}

/// A module that has been loaded and started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its id.
    pub id: i32,
    /// What its start function returned.
    pub result: i32,
}

impl Loader {
    /// Finds the server.
    ///
    /// # Errors
    /// It has not registered in time.
    pub fn bind(link: &mut Link) -> Result<Self, Error> {
        Ok(Self { server: link.bind(LOADER, BIND_PATIENCE)? })
    }

    /// Puts the segments of a program into memory. What a segment has beyond its file is left as it was.
    ///
    /// # Errors
    /// The loader's number, no answer, or a path that is too long.
    ///
    /// # Safety
    /// Nobody may use the memory that the program's segments cover, and the data cache must hold nothing of it.
    pub unsafe fn load_program(&self, link: &mut Link, path: &[u8]) -> Result<LoadedProgram, Error> {
        let request = Request::load_program(path)?;
        let mut reply = Reply::<16>::preset(UNTOUCHED);
        link.call(&self.server, loader_function::PROGRAM, request.as_bytes(), &mut reply, 16, PATIENCE)?;
        match reply.0 {
            [UNTOUCHED, ..] => Err(Error::NotSupported),
            [entry, gp, stack, error, ..] => loaded_program([entry, gp, stack, error]),
        }
    }

    /// Loads and starts a module of the IOP; `arguments` are strings with their end marks.
    ///
    /// # Errors
    /// The loader's number, no answer, or text that is too long.
    pub fn load_module(&self, link: &mut Link, path: &[u8], arguments: &[u8]) -> Result<Module, Error> {
        let request = Request::load_module(path, arguments)?;
        let mut reply = Reply::<16>::preset(UNTOUCHED);
        link.call(&self.server, loader_function::MODULE, request.as_bytes(), &mut reply, 8, PATIENCE)?;
        match reply.0 {
            [UNTOUCHED, ..] => Err(Error::NotSupported),
            [id, ..] if (id as i32) < 0 => Err(Error::Server(id as i32)),
            [id, result, ..] => Ok(Module { id: id as i32, result: result as i32 }),
        }
    }
}
