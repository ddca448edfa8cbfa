//! The named numbers of what lends the overlay no value of its own: drawing, the console, the module's streams.
//!
//! The game and the overlay's scene both take them from here, so that a picture of the one shows the rows of the other.

use super::subjects::{Figure, drawing_figure, stream_figure};
use crate::graphics::render::Counters;
use crate::graphics::texture_cache;
use boardwalk_iop::protocol::Status;

/// Figures of drawing.
pub const DRAWING: usize = 14;
/// Figures of the console.
pub const CONSOLE: usize = 6;
/// Figures of streams.
pub const STREAMS: usize = 10;

/// What drawing has counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Drawing {
    /// The last frame, by the renderer.
    pub frame: Counters,
    /// The textures, since there is a cache.
    pub textures: texture_cache::Counters,
    /// What the renderer had no room for, of all frames.
    pub lost: u32,
    /// What the packets had no room for, of all frames.
    pub dropped: u32,
    /// Quadwords of the last frame's packet, without the overlay.
    pub quads: u32,
    /// The overlay's lines in the world.
    pub lines: u32,
}

/// Drawing in figures; the frame page shows the first four.
pub const fn drawing(drawing: &Drawing) -> [Figure; DRAWING] {
    let Drawing { frame, textures, .. } = drawing;
    [
        Figure::new("TRIANGLES", frame.triangles),
        Figure::new("PACKET QUADS", drawing.quads),
        Figure::new("TEXTURE UPLOADS", frame.uploads),
        Figure::fault(drawing_figure::LOST, drawing.lost),
        Figure::new("FACED AWAY", frame.culled),
        Figure::new("CUT", frame.cut),
        Figure::new("VERTICES", frame.vertices),
        Figure::new("BATCHES", frame.batches),
        Figure::new("OUT OF SIGHT", frame.hidden),
        Figure::new("WORLD LINES", drawing.lines),
        Figure::fault(drawing_figure::DROPPED, drawing.dropped),
        Figure::fault(drawing_figure::UNSENT, textures.unsent),
        Figure::fault("SENT AGAIN", textures.repeats),
        Figure::fault("UNKNOWN TEXTURES", textures.unknown),
    ]
}

/// What the console has counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ConsoleCounts {
    /// Free bytes of the global heap.
    pub free_bytes: u32,
    /// Frames shown.
    pub frames: u32,
    /// Blanks by which frames were late.
    pub missed: u32,
    /// Seconds since the display was opened.
    pub seconds: u32,
    /// Cycles over sixty blanks; 0 until they are measured.
    pub sixty_blanks: u32,
    /// Controllers that give input.
    pub pads: u32,
}

/// The console in figures.
pub const fn console(counts: &ConsoleCounts) -> [Figure; CONSOLE] {
    [
        Figure::new("FREE BYTES", counts.free_bytes),
        Figure::new("FRAMES SHOWN", counts.frames),
        Figure::fault("BLANKS MISSED", counts.missed),
        Figure::new("REAL SECONDS", counts.seconds),
        Figure::new("60 BLANKS", counts.sixty_blanks),
        Figure::new("PADS", counts.pads),
    ]
}

/// What the I/O processor's module said last.
pub const fn streams(status: &Status) -> [Figure; STREAMS] {
    [
        Figure::new("READ", status.serial),
        Figure::new("BYTES OF IT", status.delivered),
        Figure::new("ARCHIVE BYTES", status.file_bytes),
        Figure::new("DRIVE READY", status.ready as u32),
        Figure::fault(stream_figure::RETRIES, status.retries),
        Figure::fault(stream_figure::READ_FAULT, status.read_fault),
        Figure::new(stream_figure::MUSIC_PLAYS, status.music as u32),
        Figure::fault(stream_figure::UNDERRUNS, status.underruns),
        Figure::new("MUSIC SAMPLE", status.music_sample),
        Figure::fault(stream_figure::NOT_UNDERSTOOD, status.refused),
    ]
}
