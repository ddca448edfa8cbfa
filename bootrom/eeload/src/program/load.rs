//! A program into memory: its headers through the file server, its segments through the loader (or, where that fails,
//! through the file server, too), its cleared memory by ourselves.

use boardwalk::ee::cache::{self, Flush};
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::files::{File, Files, From};
use boardwalk::ee::sif::link::{Link, Patience};
use boardwalk::ee::sif::loader::Loader;
use boardwalk::ee::sif::request::LoadedProgram;
use boardwalk::tty_println;
use bootrom_eeload::failure::Failure;
use bootrom_eeload::program_file::{self, HEADER_BYTES, Plan, SEGMENT_BYTES, SEGMENTS};

/// The link and the servers that EELOAD uses.
pub struct Servers {
    link: Link,
    files: Files,
    loader: Loader,
}

/// The start of a program's file: its headers, in nearly all files.
#[repr(C, align(64))]
struct Start([u8; 2048]);

/// The few bytes that are wanted at some place of a file, in a cache line of their own.
#[repr(C, align(64))]
struct Line([u8; 64]);

impl Servers {
    /// Brings the link up and finds the servers.
    pub fn find() -> Result<Self, Error> {
        let mut link = Link::start()?;
        let files = Files::bind(&mut link)?;
        let loader = Loader::bind(&mut link)?;
        Ok(Self { link, files, loader })
    }

    /// Takes EELOAD's handler away, so that the next program starts with a clean chain.
    pub fn close(&mut self) {
        self.link.close();
    }

    /// Reads the start of a file; how many bytes.
    pub fn read_start(&mut self, path: &[u8], buffer: &mut [u8]) -> Result<usize, Error> {
        let file = self.files.open(&mut self.link, path)?;
        let count = self.files.read(&mut self.link, &file, buffer);
        // The descriptor is not needed any more, whatever the server says about it.
        let _ = self.files.close(&mut self.link, file);
        count
    }

    fn read_at(&mut self, file: &File, offset: u32, buffer: &mut [u8]) -> Result<usize, Error> {
        // A place behind the file's end is clamped to it, so what would be read there is not what was asked for.
        if self.files.seek(&mut self.link, file, offset as i32, From::Start)? != offset {
            return Ok(0);
        }
        self.files.read(&mut self.link, file, buffer)
    }
}

/// Waits.
pub fn pause(milliseconds: u32) {
    let mut patience = Patience::milliseconds(milliseconds);
    while patience.lasts() {}
}

/// Loads the program at `path`.
pub fn load<'a>(servers: &mut Servers, path: &'a [u8]) -> Result<LoadedProgram, Failure<'a>> {
    let unreadable = |error| match error {
        Error::TimeOut | Error::NoIop | Error::NotSent | Error::Busy => Failure::Iop(error),
        _ => Failure::Unreadable(path, error),
    };
    let file = servers.files.open(&mut servers.link, path).map_err(unreadable)?;
    let plan = read_plan(servers, &file, path)?;
    // Nothing of the program's memory may be left in the data cache: it would be written over the program later.
    cache::flush(Flush::WriteBackData);
    // SAFETY: the plan's segments lie behind EELOAD, in memory that nobody uses.
    let loaded = match unsafe { servers.loader.load_program(&mut servers.link, path) } {
        Ok(loaded) => loaded,
        Err(error) => {
            tty_println!("ROM: the loader gives up ({}); reading the segments instead", error);
            read_segments(servers, &file, &plan, path)?;
            LoadedProgram { entry: plan.entry, gp: read_gp(servers, &file, &plan, path)? }
        }
    };
    let _ = servers.files.close(&mut servers.link, file);
    clear(&plan);
    cache::flush(Flush::Both);
    Ok(loaded)
}

fn read_plan<'a>(servers: &mut Servers, file: &File, path: &'a [u8]) -> Result<Plan, Failure<'a>> {
    let mut start = Start([0; 2048]);
    let count = servers.read_at(file, 0, &mut start.0).map_err(|error| Failure::Unreadable(path, error))?;
    let defective = |defect| Failure::Defective(path, defect);
    let header = program_file::header(&start.0[..count]).map_err(defective)?;
    let from = header.segments_at as usize;
    let needed = header.segments * SEGMENT_BYTES;
    const { assert!(HEADER_BYTES + SEGMENTS * SEGMENT_BYTES <= size_of::<Start>()) };
    if from.checked_add(needed).is_some_and(|end| end <= count) {
        return program_file::plan(&header, &start.0[from..count]).map_err(defective);
    }
    let count =
        servers.read_at(file, header.segments_at, &mut start.0).map_err(|error| Failure::Unreadable(path, error))?;
    program_file::plan(&header, &start.0[..count]).map_err(defective)
}

fn read_segments<'a>(servers: &mut Servers, file: &File, plan: &Plan, path: &'a [u8]) -> Result<(), Failure<'a>> {
    let unreadable = |error| Failure::Unreadable(path, error);
    for segment in plan.segments() {
        if segment.file_bytes == 0 {
            continue;
        }
        let place = servers.files.seek(&mut servers.link, file, segment.offset as i32, From::Start);
        if place.map_err(unreadable)? != segment.offset {
            return Err(Failure::Truncated(path));
        }
        // SAFETY: the segment lies behind EELOAD, in memory that nobody uses.
        let count =
            unsafe { servers.files.read_to(&mut servers.link, file, segment.address, segment.file_bytes as usize) };
        if count.map_err(unreadable)? != segment.file_bytes as usize {
            return Err(Failure::Truncated(path));
        }
    }
    Ok(())
}

/// The global pointer that the program names; 0 where it names none.
fn read_gp<'a>(servers: &mut Servers, file: &File, plan: &Plan, path: &'a [u8]) -> Result<u32, Failure<'a>> {
    let Some(place) = plan.gp_at else { return Ok(0) };
    let mut line = Line([0; 64]);
    let count = servers.read_at(file, place, &mut line.0).map_err(|error| Failure::Unreadable(path, error))?;
    match line.0.first_chunk() {
        Some(word) if count >= word.len() => Ok(u32::from_le_bytes(*word)),
        _ => Err(Failure::Truncated(path)),
    }
}

/// Clears what the segments have beyond their files, which no loader does.
fn clear(plan: &Plan) {
    for segment in plan.segments() {
        let start = segment.address + segment.file_bytes;
        let bytes = segment.memory_bytes - segment.file_bytes;
        // SAFETY: inside of the program's memory.
        unsafe { core::ptr::write_bytes(start as *mut u8, 0, bytes as usize) };
    }
}
