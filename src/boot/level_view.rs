//! Shows a level from its named views, with what each takes to draw.
//!
//! Run by the program's arguments `level=NAME`, `view=NAME` or a number counted from 1; without a view each is shown for a
//! while. The level comes from the disc's archive as the game's do.

use crate::chunk::Stacks;
use crate::ee::display::Display;
use crate::ee::gif::Quad;
use crate::ee::gs::memory::TEXTURES;
use crate::ee::{cop0, streams};
use crate::file_io::archive::{ARCHIVE_DEVICE_PATH, INDEX_DEVICE_PATH, Index};
use crate::file_io::device::Fault;
use crate::file_io::{
    BufferedStream, DeviceState, NameHash, Read, Region, STREAM_BUFFER_BYTES, StreamDevice, StreamFileSystem, Waiter,
};
use crate::game::Machine as _;
use crate::game::console::Console;
use crate::game::things::Things;
use crate::graphics::camera::Camera;
use crate::graphics::render::{Counters, Renderer};
use crate::streaming::PartIndex;
use crate::tasks::names::name_hash;
use crate::tty_println;
use crate::world::chunks::ThingKind;
use crate::world::{Level, SECTION, part_name};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// Pixels that a metre fills at one metre.
const FOCAL: f32 = 470.0;
/// Frames of a view when all are shown in turn.
const FRAMES_OF_A_VIEW: u32 = 90;
/// The frame of a view whose figures are told.
const REPORTED: u32 = 4;
/// Blanks for which the last frame is on the screen before anybody takes a picture.
const SETTLED_BLANKS: u32 = 4;
/// Ticks of the EE's counter in a millisecond.
const MILLISECOND: u32 = crate::ee::ticks::PER_SECOND / 1000;
/// Milliseconds after which a silent drive is given up.
const PATIENCE_MS: u32 = 10_000;

/// What cannot go on.
type Reason = &'static str;

/// What is to be shown.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// The level.
    pub level: &'static str,
    /// Its view; each in turn without one.
    pub view: Option<&'static str>,
    /// Frames in all; without end otherwise.
    pub frames: Option<u32>,
}

/// Waits with a clock and no screen.
struct Patient;

impl Waiter for Patient {
    fn milliseconds(&mut self) -> u32 {
        cop0::count() / MILLISECOND
    }

    fn loading(&mut self, fault: Option<Fault>) -> ControlFlow<()> {
        match fault {
            Some(fault) => {
                tty_println!("LEVEL fault {fault}");
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        }
    }
}

/// Loads the level and shows it.
///
/// # Errors
/// What is missing, in a few words.
#[inline(never)]
pub fn run(display: &mut Display, wish: &Wish) -> Result<(), Reason> {
    let (level, files) = load(wish.level)?;
    let level = Box::new(level);
    let parts: Vec<&[u8]> = files.iter().map(|(file, bytes)| &Quad::bytes(file)[..*bytes]).collect();
    let mut renderer = Renderer::new(TEXTURES);
    level.add_textures(&mut renderer.textures).map_err(|_| "the level has too many textures")?;
    let views: Vec<u32> = level.things(ThingKind::View).map(|view| view.name).collect();
    let only = match wish.view {
        None => None,
        Some(word) => {
            let number = word.parse::<usize>().ok().and_then(|number| views.get(number.wrapping_sub(1)));
            let named = views.iter().find(|view| **view == name_hash(word));
            Some(*number.or(named).ok_or("the level has no such view")?)
        }
    };
    let mut things = Box::<Things>::default();
    things.load(Some(&level));
    things.models.show(&level);
    let mut shown = None;
    let start = display.counters().ticks;
    let mut reported = 0;
    for frame in 0.. {
        if wish.frames.is_some_and(|frames| frame >= frames) {
            break;
        }
        let turn = (frame / FRAMES_OF_A_VIEW) as usize % views.len().max(1);
        let view = only.or(views.get(turn).copied()).ok_or("the level has no views")?;
        let camera = level.camera_of(view, FOCAL).ok_or("the level has no such view")?;
        let seconds = frame as f32 / super::FRAMES_PER_SECOND;
        let (counters, ticks) = draw(display, &mut renderer, (&level, &parts, &things), camera, seconds);
        // From its second frame on a view has its textures, and the GS has finished one such frame two later: that tells what the
        // view costs.
        if shown != Some(view) && frame % FRAMES_OF_A_VIEW == REPORTED {
            shown = Some(view);
            report(&level, view, &counters, (ticks, display.counters().drawn));
        }
        let now = display.counters();
        let elapsed = now.ticks - start;
        let second = elapsed / u64::from(crate::ee::ticks::PER_SECOND);
        if second != reported {
            reported = second;
            tty_println!("FRAME {frame} ticks {elapsed} missed {}", now.missed);
        }
    }
    display.settle(SETTLED_BLANKS);
    let missed = display.counters().missed;
    tty_println!("LEVEL {} missed {missed} dropped {}", wish.level, display.dropped());
    if display.dropped() == 0 { Ok(()) } else { Err("a frame did not fit the packet") }
}

/// Draws a frame; its counters, and the EE's ticks that it took.
fn draw(
    display: &mut Display,
    renderer: &mut Renderer,
    (level, parts, things): (&Level, &[&[u8]], &Things),
    camera: Camera,
    seconds: f32,
) -> (Counters, u32) {
    let mut outcome = (Counters::default(), 0);
    display.frame(|packet, page| {
        let begin = cop0::count();
        let mut scene = renderer.begin(packet, page, &level.view(camera));
        level.draw(parts, &mut scene, seconds);
        things.draw(&mut scene, level);
        level.draw_appearing(parts, &mut scene);
        outcome = (scene.end(), cop0::count().wrapping_sub(begin));
    });
    outcome
}

fn report(level: &Level, view: u32, counters: &Counters, (ticks, drawn): (u32, u32)) {
    let number = level.things(ThingKind::View).position(|thing| thing.name == view).map_or(0, |place| place + 1);
    let Counters { triangles, vertices, batches, flats, lost, packet_quads, uploads, .. } = counters;
    tty_println!(
        "LEVEL view {number} triangles {triangles} vertices {vertices} batches {batches} sprites {flats} lost {lost} \
         packet {packet_quads} uploads {uploads} ticks {ticks} drawn {drawn}"
    );
}

/// The files of a level's parts, with their bytes.
type Files = Vec<(Box<[Quad]>, usize)>;

/// Reads a level with all its parts from the disc.
fn load(name: &str) -> Result<(Level, Files), Reason> {
    let mut console = Console::default();
    console.start_iop()?;
    let mut device = console.take_device().ok_or("no streaming module")?;
    let buffer = streams::allocate(STREAM_BUFFER_BYTES).ok_or("no memory for the stream's buffer")?;
    let bytes = opened(&mut device, INDEX_DEVICE_PATH)?;
    device.start(Read { offset: 0, length: bytes, destination: buffer }).map_err(told)?;
    finish(&mut device)?;
    let index = Vec::from(device.landed(buffer, bytes));
    let archive_bytes = opened(&mut device, ARCHIVE_DEVICE_PATH)?;
    let index = Index::read(&index, archive_bytes).map_err(|_| "the index is refused")?;
    let mut files = StreamFileSystem::new(device, index);
    let mut file = heapless::String::<64>::new();
    core::fmt::write(&mut file, format_args!("{name}.lev")).map_err(|_| "the level's name is too long")?;
    let begin = cop0::count();
    let mut level = read(&mut files, buffer, &file)?;
    let mut parts = Files::new();
    let count = level.manifest().len() as u16;
    for number in 0..count {
        let file = part_name(name, SECTION, number).ok_or("the level's name is too long")?;
        parts.push(read_part(&mut files, buffer, &file, &mut level, PartIndex(number))?);
    }
    let ticks = cop0::count().wrapping_sub(begin);
    let bytes: Vec<&[u8]> = parts.iter().map(|(file, bytes)| &Quad::bytes(file)[..*bytes]).collect();
    tty_println!(
        "LEVEL {name} parts {} cells {} triangles {} textures {} halos {} ticks {ticks}",
        parts.len(),
        level.cells(&bytes).count(),
        level.mesh.triangle_count(),
        level.textures().count(),
        level.glows().count()
    );
    drop(bytes);
    Ok((level, parts))
}

fn read_part<D: StreamDevice>(
    files: &mut StreamFileSystem<'_, D>,
    buffer: Region,
    file: &str,
    level: &mut Level,
    part: PartIndex,
) -> Result<(Box<[Quad]>, usize), Reason> {
    let name = NameHash::of_file(file).ok_or("the part's name is too long")?;
    let mut patient = Patient;
    let mut stream =
        BufferedStream::open(files, &mut patient, buffer, name).map_err(|_| "the disc has no such part")?;
    let bytes = stream.size() as usize;
    let mut memory = Level::memory_for(stream.size());
    let filled = Quad::bytes_mut(&mut memory).get_mut(..bytes).unwrap_or_default();
    stream.read(filled).map_err(|_| "a part cannot be read")?;
    stream.close().map_err(|_| "a part cannot be closed")?;
    level.add_part(part, filled).map_err(|error| {
        tty_println!("LEVEL {file} {error}");
        "a part is refused"
    })?;
    Ok((memory, bytes))
}

fn read<D: StreamDevice>(files: &mut StreamFileSystem<'_, D>, buffer: Region, file: &str) -> Result<Level, Reason> {
    let name = NameHash::of_file(file).ok_or("the level's name is too long")?;
    let mut patient = Patient;
    let mut stream =
        BufferedStream::open(files, &mut patient, buffer, name).map_err(|_| "the disc has no such level")?;
    let bytes = stream.size();
    let level = Level::load(&mut stream, bytes, &mut Box::<Stacks>::default()).map_err(|error| {
        tty_println!("LEVEL {file} {error}");
        "the level cannot be read"
    })?;
    tty_println!("LEVEL {file} bytes {bytes}");
    // A stream that fails to close has no file open any more.
    let _closed = stream.close();
    Ok(level)
}

fn opened<D: StreamDevice>(device: &mut D, path: &str) -> Result<u32, Reason> {
    device.open(path).map_err(told)?;
    finish(device)
}

fn finish<D: StreamDevice>(device: &mut D) -> Result<u32, Reason> {
    let begin = cop0::count();
    loop {
        match device.poll() {
            DeviceState::Done(bytes) => return Ok(bytes),
            DeviceState::Failed(fault) => return Err(told(fault)),
            DeviceState::Idle | DeviceState::Busy => {}
        }
        if cop0::count().wrapping_sub(begin) / MILLISECOND > PATIENCE_MS {
            return Err("the drive is silent");
        }
    }
}

fn told(fault: Fault) -> Reason {
    tty_println!("LEVEL fault {fault}");
    "the disc cannot be read"
}
