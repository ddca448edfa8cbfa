//! A developer's machine, through the file server of the IOP.

use crate::ee::sif::Error;
use crate::ee::sif::files::{File, Files, From};
use crate::ee::sif::link::Link;
use crate::file_io::HostPort;
use core::cell::RefCell;

/// Bytes that are read at a time.
const PIECE: usize = 2048;

/// Whole cache lines that the server writes.
#[repr(C, align(64))]
struct Piece([u8; PIECE]);

/// Files of the host over the link to the IOP.
pub struct ServerHost<'l> {
    link: &'l RefCell<Link>,
    files: Files,
    piece: Piece,
}

impl<'l> ServerHost<'l> {
    /// Finds the file server.
    ///
    /// # Errors
    /// It has not registered in time.
    pub fn bind(link: &'l RefCell<Link>) -> Result<Self, Error> {
        let files = Files::bind(&mut link.borrow_mut())?;
        Ok(Self { link, files, piece: Piece([0; PIECE]) })
    }
}

impl HostPort for ServerHost<'_> {
    type Handle = File;

    fn open(&mut self, path: &str) -> Option<File> {
        self.files.open(&mut self.link.borrow_mut(), path.as_bytes()).ok()
    }

    fn size(&mut self, file: &File) -> Option<u32> {
        self.files.seek(&mut self.link.borrow_mut(), file, 0, From::End).ok()
    }

    fn read(&mut self, file: &File, from: u32, out: &mut [u8]) -> Option<usize> {
        let link = &mut self.link.borrow_mut();
        self.files.seek(link, file, i32::try_from(from).ok()?, From::Start).ok()?;
        let came = self.files.read(link, file, &mut self.piece.0).ok()?.min(out.len());
        out[..came].copy_from_slice(&self.piece.0[..came]);
        Some(came)
    }

    fn close(&mut self, file: File) {
        // A host that does not answer has closed its files itself.
        let _ = self.files.close(&mut self.link.borrow_mut(), file);
    }
}
