//! Files of the machine that a developer works at: PS2FileSys on `host0:`, for test data.
//!
//! Only a console on a developer's line, and the emulator, have such a machine. Everywhere else every file is absent.
//!
//! Source: support systems, File I/O (host file system, root `debug/`); seed 003, Device initialisation.

use super::stream_files::FileError;
use heapless::String;

/// The device.
pub const HOST_DEVICE: &str = "host0:";
/// The folder of the device that all names lie in.
pub const HOST_ROOT: &str = "debug/";
/// Bytes of a whole path.
const PATH_BYTES: usize = 128;

/// The file server of the IOP, as far as a host's files need it.
pub trait HostPort {
    /// An open file.
    type Handle;

    /// Opens a path; `None` when there is no such file, or no host.
    fn open(&mut self, path: &str) -> Option<Self::Handle>;
    /// A file's bytes; `None` when the host does not answer.
    fn size(&mut self, file: &Self::Handle) -> Option<u32>;
    /// Reads from a place; how many bytes came. `None` when the host does not answer.
    fn read(&mut self, file: &Self::Handle, from: u32, out: &mut [u8]) -> Option<usize>;
    /// Closes a file.
    fn close(&mut self, file: Self::Handle);
}

/// The host's file system. One file is open at a time, as on the disc.
#[derive(Debug)]
pub struct HostFiles<P: HostPort> {
    port: P,
    open: Option<Open<P::Handle>>,
}

#[derive(Debug)]
struct Open<H> {
    handle: H,
    size: u32,
    position: u32,
}

impl<P: HostPort> HostFiles<P> {
    /// A file system over a port.
    pub const fn new(port: P) -> Self {
        Self { port, open: None }
    }

    /// A name's whole path; `None` when it is too long.
    pub fn path(name: &str) -> Option<String<PATH_BYTES>> {
        let mut path = String::new();
        let whole = [HOST_DEVICE, HOST_ROOT, name].into_iter().try_for_each(|part| path.push_str(part));
        whole.is_ok().then_some(path)
    }

    /// A file's bytes, `None` when it is not there.
    pub fn find(&mut self, name: &str) -> Option<u32> {
        let handle = self.port.open(&Self::path(name)?)?;
        let size = self.port.size(&handle);
        self.port.close(handle);
        size
    }

    /// Opens a file.
    ///
    /// # Errors
    /// One is open already ([`FileError::Busy`]), or the file is not there.
    pub fn open(&mut self, name: &str) -> Result<(), FileError> {
        if self.open.is_some() {
            return Err(FileError::Busy);
        }
        let path = Self::path(name).ok_or(FileError::NotFound)?;
        let handle = self.port.open(&path).ok_or(FileError::NotFound)?;
        let Some(size) = self.port.size(&handle) else {
            self.port.close(handle);
            return Err(FileError::NotFound);
        };
        self.open = Some(Open { handle, size, position: 0 });
        Ok(())
    }

    /// The open file's bytes.
    ///
    /// # Errors
    /// None is open.
    pub fn size(&self) -> Result<u32, FileError> {
        self.open.as_ref().map(|open| open.size).ok_or(FileError::Closed)
    }

    /// Moves to an absolute place.
    ///
    /// # Errors
    /// None is open, or the place lies behind the file.
    pub fn seek(&mut self, position: u32) -> Result<(), FileError> {
        let open = self.open.as_mut().ok_or(FileError::Closed)?;
        if position > open.size {
            return Err(FileError::Range);
        }
        open.position = position;
        Ok(())
    }

    /// Reads the next bytes; how many came, fewer at the file's end.
    ///
    /// # Errors
    /// None is open, or the host has gone.
    pub fn read(&mut self, out: &mut [u8]) -> Result<u32, FileError> {
        let open = self.open.as_mut().ok_or(FileError::Closed)?;
        let length = out.len().min((open.size - open.position) as usize);
        let came = self.port.read(&open.handle, open.position, &mut out[..length]).ok_or(FileError::Closed)?;
        open.position += came.min(length) as u32;
        Ok(came.min(length) as u32)
    }

    /// Closes the file.
    ///
    /// # Errors
    /// None is open.
    pub fn close(&mut self) -> Result<(), FileError> {
        let open = self.open.take().ok_or(FileError::Closed)?;
        self.port.close(open.handle);
        Ok(())
    }

    /// The port.
    pub const fn port_mut(&mut self) -> &mut P {
        &mut self.port
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::string::{String, ToString};
    use std::vec::Vec;

    /// A host with files in memory.
    #[derive(Default)]
    pub struct FakeHost {
        pub files: Vec<(String, Vec<u8>)>,
        pub gone: bool,
        pub open: usize,
    }

    impl HostPort for FakeHost {
        type Handle = usize;

        fn open(&mut self, path: &str) -> Option<usize> {
            let found = self.files.iter().position(|(name, _)| name == path)?;
            self.open += 1;
            Some(found)
        }
        fn size(&mut self, file: &usize) -> Option<u32> {
            (!self.gone).then(|| self.files[*file].1.len() as u32)
        }
        fn read(&mut self, file: &usize, from: u32, out: &mut [u8]) -> Option<usize> {
            out.copy_from_slice(&self.files[*file].1[from as usize..][..out.len()]);
            (!self.gone).then_some(out.len())
        }
        fn close(&mut self, _: usize) {
            self.open -= 1;
        }
    }

    pub fn host() -> HostFiles<FakeHost> {
        let files = [("host0:debug/a.txt".to_string(), b"0123456789".to_vec())].into();
        HostFiles::new(FakeHost { files, ..FakeHost::default() })
    }

    #[test]
    fn names_lie_in_the_host_s_debug_folder() {
        let mut files = host();
        assert_eq!((files.find("a.txt"), files.find("b.txt")), (Some(10), None));
        assert_eq!(files.find(&"x".repeat(200)), None);
        assert_eq!(files.port_mut().open, 0);
    }

    #[test]
    fn one_file_is_read_from_anywhere() {
        let mut files = host();
        files.open("a.txt").unwrap();
        assert_eq!(files.open("a.txt"), Err(FileError::Busy));
        let mut bytes = [0; 4];
        assert_eq!((files.read(&mut bytes), bytes), (Ok(4), *b"0123"));
        files.seek(8).unwrap();
        assert_eq!((files.read(&mut bytes), &bytes[..2]), (Ok(2), &b"89"[..]));
        assert_eq!(files.read(&mut bytes), Ok(0));
        assert_eq!(files.seek(11), Err(FileError::Range));
        files.close().unwrap();
        assert_eq!((files.close(), files.size()), (Err(FileError::Closed), Err(FileError::Closed)));
    }

    #[test]
    fn a_host_that_goes_away_ends_a_read_and_leaves_nothing_open() {
        let mut files = host();
        files.open("a.txt").unwrap();
        files.port_mut().gone = true;
        assert_eq!(files.read(&mut [0; 4]), Err(FileError::Closed));
        files.close().unwrap();
        assert_eq!(files.open("a.txt"), Err(FileError::NotFound));
        assert_eq!(files.port_mut().open, 0);
    }
}
