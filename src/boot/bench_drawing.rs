//! Figures of drawing: the mesh kernels with their definitions, and whole views.

use super::bench::cycles;
use crate::ee::display::Display;
use crate::ee::gif::Quad;
use crate::ee::strips::{NAMED, QUADS, emit, emit_scalar};
use crate::ee::vu0::transform::{
    Constants, Directions, Shades, Transformed, light, light_scalar, transform, transform_scalar,
};
use crate::graphics::card::{Card, solid};
use crate::graphics::mesh::{Batch, Mesh};
use crate::graphics::render::Counters;
use crate::tty_println;
use alloc::boxed::Box;
use alloc::vec;
use core::hint::black_box;

/// The EE's cycles in a second.
const CYCLES_PER_SECOND: u64 = 294_912_000;
/// Times that a batch is drawn.
const TIMES: u32 = 50;
/// Frames of a view.
const FRAMES: u32 = 60;

/// Prints every figure.
pub fn run(display: &mut Display) {
    kernels();
    views(display);
}

/// Triangles a second through VU0 and through the definitions: a full batch, transformed, lit and copied into a packet.
fn kernels() {
    let data = solid::bench_ball();
    let Ok(mesh) = Mesh::read(&data) else { return };
    let Ok(batch) = mesh.batch(0) else { return };
    let constants = Constants {
        rows: [
            [480.0, 0.0, 0.0, 0.0],
            [2048.0, 2048.0, 0.0, 1.0],
            [0.0, -480.0, 0.0, 0.0],
            [8192.0, 8192.0, 3_000_000.0, 4.0],
        ],
        fog: [255.0, 20.0, -6.0, 290.0],
        scroll: [0.0; 4],
    };
    let lights = (&Directions::default(), &Shades { ambient: [0.5, 0.5, 0.5, 1.0], ..Shades::default() });
    let mut out = Box::new([Transformed::default(); NAMED]);
    let mut packet = vec![Quad::default(); batch.indices.len() * QUADS];
    let vu0 = [
        each(&batch, "transform/vu0", || transform(&constants, batch.vertices, &mut out[..])),
        each(&batch, "light/vu0", || light(&constants, lights, batch.vertices, &mut out[..])),
        each(&batch, "strips/vu0", || {
            black_box(emit(batch.indices, &out, &mut packet, true));
        }),
    ];
    let scalar = [
        each(&batch, "transform/scalar", || transform_scalar(&constants, batch.vertices, &mut out[..])),
        each(&batch, "light/scalar", || light_scalar(&constants, lights, batch.vertices, &mut out[..])),
        each(&batch, "strips/scalar", || {
            black_box(emit_scalar(batch.indices, &out, &mut packet, true));
        }),
    ];
    for (name, [unlit, lit, strips]) in [("vu0", vu0), ("scalar", scalar)] {
        let a_second = |cycles: u32| u64::from(batch.triangles) * CYCLES_PER_SECOND / u64::from(cycles.max(1));
        tty_println!("BENCH triangles/{name} {} triangles-a-second", a_second(unlit + strips));
        tty_println!("BENCH lit-triangles/{name} {} triangles-a-second", a_second(lit + strips));
    }
}

/// Cycles of one call, printed for a thousand triangles.
fn each(batch: &Batch, name: &str, mut work: impl FnMut()) -> u32 {
    let all = cycles(|| {
        for _ in 0..TIMES {
            work();
        }
    });
    let one = all / TIMES;
    tty_println!("BENCH {name}-1000-triangles {} cycles", one * 1000 / batch.triangles.max(1));
    one
}

/// What the card's yard and a crowded view of some ten thousand triangles cost.
fn views(display: &mut Display) {
    let Ok(mut card) = Card::new() else { return };
    display.send_and_wait(|packet| card.upload(packet));
    view(display, "yard", |packet, frame| card.draw(packet, frame, 2));
    view(display, "crowd", |packet, frame| card.draw_crowd(packet, frame));
}

fn view(display: &mut Display, name: &str, mut draw: impl FnMut(&mut crate::ee::gif::Packet, u32) -> Counters) {
    let (mut total, mut most, mut first_uploads) = (0_u64, 0, 0);
    let mut last = Counters::default();
    let missed = display.counters().missed;
    let before = display.counters().ticks;
    for frame in 0..FRAMES {
        display.frame(|packet, page| {
            let build = cycles(|| last = draw(packet, page));
            total += u64::from(build);
            most = most.max(build);
        });
        if frame == 0 {
            first_uploads = last.uploads;
        }
    }
    let whole = (display.counters().ticks - before) / u64::from(FRAMES);
    tty_println!("BENCH {name}/build-mean {} cycles", (total / u64::from(FRAMES)) as u32);
    tty_println!("BENCH {name}/build-most {most} cycles");
    tty_println!("BENCH {name}/frame {whole} cycles");
    tty_println!("BENCH {name}/missed {} blanks", display.counters().missed - missed);
    tty_println!("BENCH {name}/triangles {} triangles", last.triangles + last.culled + last.cut);
    tty_println!("BENCH {name}/packet {} bytes", last.packet_quads * 16);
    tty_println!("BENCH {name}/uploads-first {first_uploads} textures");
    tty_println!("BENCH {name}/uploads {} textures", last.uploads);
}
