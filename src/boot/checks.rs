//! Facts that only the console can tell, one a line, for a test that reads them.
//!
//! Each check prints what it measured and whether that is what it should be. Run by the program's argument `check`.

use crate::ee::display::Display;
use crate::ee::gif::{Line, Packet, Quad};
use crate::ee::gs::PixelFormat;
use crate::ee::gs::general::BitBltBuf;
use crate::ee::strips;
use crate::ee::video::{Shape, VideoMode, VideoOptions};
use crate::ee::vu0::project::{PictureVertex, Projection, WorldVertex, project, project_scalar};
use crate::ee::vu0::transform;
use crate::ee::{cache, cop0, critical, dmac};
use crate::graphics::camera::Camera;
use crate::graphics::light::Fog;
use crate::graphics::wave::noise;
use crate::maths::Vec3;
use crate::physics::kernels::twins;
use crate::tty_println;
use alloc::vec;

/// Vertices that both twins of the kernel project.
const VERTICES: usize = 96;

/// Runs every check, the clock's only where time can be trusted (`timed`); answers how many failed.
#[inline(never)]
pub fn run(display: &mut Display, timed: bool) -> u32 {
    let results = [
        ("vu0-project", projection_twins()),
        ("vu0-mesh", mesh_twins()),
        ("vu0-geometry", geometry_twins(timed)),
        ("critical-section", sections_nest()),
        ("cache", cache_agrees()),
        ("write-backs", write_backs_are_seen()),
        ("pools", super::pool_check::run()),
    ];
    let mut failed = 0;
    let in_time = timed.then(|| [("clock", clock(display)), ("video", video(display))]);
    for (name, good) in results.into_iter().chain(in_time.into_iter().flatten()) {
        tty_println!("CHECK {name} {}", if good { "ok" } else { "failed" });
        failed += u32::from(!good);
    }
    failed
}

/// The kernel on VU0 and its scalar twin agree to the last steps of their fixed-point results.
fn projection_twins() -> bool {
    const PLANE_STEPS: u32 = 2;
    const DEPTH_SHARE: u32 = 1_000_000;
    let camera = Camera::new(Vec3::new(0.4, -0.3, 1.7), 0.12, 560.0, 262.0);
    let projection: Projection = camera.projection(&Fog { colour: Vec3::new(0.2, 0.2, 0.3), half: 42.0 });
    let vertices: [WorldVertex; VERTICES] = core::array::from_fn(|index| {
        let random = |salt: usize| noise((index * 8 + salt) as u32);
        let position = Vec3::new(random(0) * 8.0 - 4.0, 4.0 + random(1) * 60.0, random(2) * 6.0);
        let colour = Vec3::new(random(3), random(4), random(5)) * 255.0;
        WorldVertex { position, colour }
    });
    let (mut fast, mut defined) = ([PictureVertex::default(); VERTICES], [PictureVertex::default(); VERTICES]);
    project(&projection, &vertices, &mut fast);
    project_scalar(&projection, &vertices, &mut defined);
    let (mut plane, mut depth, mut colour) = (0, 0, 0);
    let mut good = true;
    for (a, b) in fast.iter().zip(&defined) {
        plane = a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)).max(plane);
        depth = a.depth.abs_diff(b.depth).max(depth);
        good &= a.depth.abs_diff(b.depth) <= 2 + b.depth.unsigned_abs() / DEPTH_SHARE;
        for channel in 0..3 {
            colour = a.colour[channel].abs_diff(b.colour[channel]).max(colour);
        }
    }
    tty_println!("FACT vu0-project vertices {VERTICES} plane {plane} depth {depth} colour {colour}");
    good && plane <= PLANE_STEPS && colour <= 1
}

/// The mesh kernels and the strips' copy agree with their definitions to the last steps of their fixed-point results.
fn mesh_twins() -> bool {
    const INPUTS: u32 = 2000;
    const STEPS: u32 = 2;
    const SHARE: f32 = 1e-5;
    let worst = transform::twins::compare(INPUTS);
    let strips = strips::differing(INPUTS);
    tty_println!("FACT vu0-mesh inputs {INPUTS} {worst:?} strips {strips}");
    worst.plane <= STEPS
        && worst.fog <= STEPS
        && worst.colour <= 1
        && worst.depth <= SHARE
        && worst.texture <= SHARE
        && strips == 0
}

/// The physics kernels on VU0 and their scalar twins agree to the rounding of single floats.
fn geometry_twins(timed: bool) -> bool {
    // The model of the cache costs the emulator most of its speed and changes nothing here.
    let inputs = if timed { 100_000 } else { 10_000 };
    /// Of an input's size.
    const ROUNDING: f32 = 1e-5;
    /// Where a sphere or a ray only just touches, the last bit decides: one input of so many.
    const GRAZES: u32 = 5_000;
    let mut good = true;
    twins::compare(inputs, |outcome| {
        let twins::Outcome { name, inputs, difference, alone, edges, edge_difference, edge_alone, wild, broken } =
            outcome;
        tty_println!("FACT vu0-{name} inputs {inputs} difference {difference:e} one-alone {alone}");
        tty_println!("FACT vu0-{name} edges {edges} difference {edge_difference:e} one-alone {edge_alone}");
        tty_println!("FACT vu0-{name} wild {wild} broken {broken}");
        good &= *difference <= ROUNDING && *alone <= inputs / GRAZES;
        good &= *edge_difference <= ROUNDING && *edge_alone <= inputs / GRAZES && *broken == 0;
    });
    good
}

/// Interrupts are on outside, off inside, and come back with the outermost section only.
fn sections_nest() -> bool {
    let enabled = || cop0::status() & cop0::STATUS_EIE != 0;
    let outside = enabled();
    let (inside, between) = critical::with(|| {
        let inside = enabled();
        critical::with(|| ());
        (inside, enabled())
    });
    let after = enabled();
    tty_println!("FACT critical-section outside {outside} inside {inside} between {between} after {after}");
    outside && !inside && !between && after
}

/// What is stored is in memory after a write-back, and a dropped line is read from memory again.
fn cache_agrees() -> bool {
    let seen = cache::probe();
    tty_println!("FACT cache memory {} program {}", seen.memory, seen.program);
    seen == cache::Probe::EXPECTED
}

/// What a chain refers to and was never written back is found, where there is a cache, and no longer afterwards.
fn write_backs_are_seen() -> bool {
    let picture = vec![Line([Quad([0x5A5A_5A5A; 4]); 4]); 16];
    let mut memory = vec![Line::default(); 16];
    let mut packet = Packet::new(&mut memory);
    packet.upload(BitBltBuf::upload(0, 64, PixelFormat::Ct32), (16, 16), &picture);
    let chain = packet.finish();
    let forgotten = dmac::unwritten(&chain);
    cache::write_back_slice(&picture);
    cache::write_back(chain.address as *const u8, chain.quads * 16);
    let after = dmac::unwritten(&chain);
    tty_println!("FACT write-backs forgotten {forgotten} after {after}");
    after == 0
}

/// Every mode can be set while the program runs, keeps its rate, and the first one comes back.
fn video(display: &mut Display) -> bool {
    let before = display.video();
    let mut good = true;
    for mode in VideoMode::ALL.into_iter().chain([before.mode]) {
        let wanted = VideoOptions { mode, shape: Shape::Wide, shift: (4, -2) };
        display.set_video(if mode == before.mode { before } else { wanted });
        good &= clock(display) && display.mode() == mode;
    }
    good && display.video() == before
}

/// Sixty blanks take about as long as the mode says, whatever the kind of console.
fn clock(display: &Display) -> bool {
    let sixty = loop {
        if let Some(sixty) = display.counters().sixty_blanks {
            break sixty;
        }
    };
    let nominal = display.mode().setup().cycles_per_sixty_blanks;
    tty_println!("FACT clock {} sixty-blanks {sixty} nominal {nominal}", display.mode().name());
    sixty.abs_diff(nominal) < nominal / 20
}
