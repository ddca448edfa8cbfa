//! What lies inside of the EE: processor, floats, cache, DMA, GS, VU0, clocks.

use super::missing;
use crate::ee::cache::{self, Probe};
use crate::ee::display::Display;
use crate::ee::gif::{Line, Quad};
use crate::ee::gs::read_back;
use crate::ee::probe;
use crate::ee::scratch::Scratch;
use crate::ee::strips;
use crate::ee::video::VideoMode;
use crate::ee::vu0::transform;
use crate::file_io::name::Crc32;
use crate::physics::kernels::twins;
use crate::selftest::tiles::{self, Pictures};
use crate::selftest::{Outcome, Verdict, arithmetic};
use crate::tty_println;
use alloc::vec;

/// Instructions that only the EE has.
pub fn processor() -> Outcome {
    let wrong = probe::processor::wrong();
    Outcome::new(Verdict::of(wrong == 0), [wrong])
}

/// Floats as a console has them. Another unit's are a fact.
pub fn floats() -> Outcome {
    let unlike = arithmetic::unlike(|case| {
        let result = probe::floats::compute(case);
        if result != case.result {
            let (a, b) = case.operands;
            tty_println!(
                "SELFTEST note {:?} {a:08x} {b:08x} gives {result:08x} not {:08x}",
                case.operation,
                case.result
            );
        }
        result
    });
    let verdict = if unlike == 0 { Verdict::Pass } else { Verdict::Difference };
    Outcome::new(verdict, [unlike])
}

/// Both directions, and whether a line can go stale at all: where it cannot, there is no cache.
pub fn cache() -> Outcome {
    let seen = cache::probe();
    let stale = cache::goes_stale();
    let verdict = match (seen == Probe::EXPECTED, stale) {
        (true, true) => Verdict::Pass,
        (true, false) => Verdict::Difference,
        (false, _) => Verdict::Fail,
    };
    Outcome::new(verdict, [seen.memory, seen.program, stale.into()])
}

/// To the scratchpad and back.
pub fn dma() -> Outcome {
    let scratch = Scratch::take();
    if !scratch.is_scratchpad() {
        return missing("the scratchpad is taken");
    }
    let trip = probe::scratch::round_trip();
    Outcome::new(Verdict::of(trip.ended && trip.wrong == 0), [trip.wrong, trip.cycles])
}

/// Tiles drawn and read back.
pub fn graphics(display: &mut Display) -> Outcome {
    let pictures = Pictures::default();
    display.settle(0);
    display.send_and_wait(|packet| {
        tiles::upload(packet, &pictures);
        (0..tiles::TILES).for_each(|tile| tiles::draw(packet, tile));
    });
    let mut pixels = vec![Line::default(); (tiles::WIDTH * tiles::HEIGHT * 4) as usize / size_of::<Line>()];
    let (mut wrong, mut unlike, mut soft_crc) = (0, 0, 0);
    for tile in 0..tiles::TILES {
        if !read_back::read(tiles::block(tile), (tiles::WIDTH, tiles::HEIGHT), &mut pixels) {
            return missing("the GS does not deliver");
        }
        match tile.checked_sub(tiles::EXACT) {
            None => wrong |= u32::from(!tiles::is_right(tile, &pixels)) << tile,
            Some(soft) => {
                let crc = crc_of(&pixels);
                tty_println!("SELFTEST note tile {tile} crc {crc:08x}");
                unlike |= u32::from(tiles::SOFT_CRCS.get(soft as usize) != Some(&crc)) << soft;
                soft_crc ^= crc.rotate_left(soft);
            }
        }
    }
    let verdict = match (wrong, unlike) {
        (0, 0) => Verdict::Pass,
        (0, _) => Verdict::Difference,
        _ => Verdict::Fail,
    };
    Outcome::new(verdict, [wrong, unlike, soft_crc & 0xFFFF])
}

fn crc_of(pixels: &[Line]) -> u32 {
    let mut crc = Crc32::default();
    pixels.iter().for_each(|line| crc.add(Quad::bytes(&line.0)));
    crc.value()
}

/// Every kernel against its definition.
pub fn vu0() -> Outcome {
    const INPUTS: u32 = 2_000;
    const STEPS: u32 = 2;
    const ROUNDING: f32 = 1e-5;
    const GRAZES: u32 = 1_000;
    let mesh = transform::twins::compare(INPUTS);
    let strips = strips::differing(INPUTS);
    tty_println!("SELFTEST note {mesh:?} strips {strips}");
    let mut near = mesh.depth.max(mesh.texture) <= ROUNDING;
    let mut alone = 0;
    twins::compare(INPUTS, |outcome| {
        tty_println!("SELFTEST note {outcome:?}");
        near &= outcome.difference.max(outcome.edge_difference) <= ROUNDING && outcome.broken == 0;
        alone += outcome.alone + outcome.edge_alone;
    });
    let steps = mesh.plane.max(mesh.fog).max(mesh.colour);
    let good = steps <= STEPS && near && strips == 0 && alone <= INPUTS / GRAZES;
    Outcome::new(Verdict::of(good), [steps, alone])
}

/// Half lines of the picture from one blank to the next.
const fn half_lines(mode: VideoMode) -> u32 {
    match mode {
        VideoMode::Ntsc => 525,
        VideoMode::Pal => 625,
        VideoMode::Progressive => 1050,
    }
}

/// The counter against the screen's blanks, and every timer of the bus against both.
pub fn clock(display: &Display) -> Outcome {
    /// Kinds of consoles differ by a share of this many thousandths.
    const LATE: u32 = 3;
    let nominal = display.mode().setup().cycles_per_sixty_blanks;
    let begin = display.counters().blanks;
    let sixty = loop {
        let counters = display.counters();
        if let Some(sixty) = counters.sixty_blanks {
            break sixty;
        }
        if counters.blanks.wrapping_sub(begin) > 200 {
            return missing("no sixty blanks");
        }
    };
    let timers = probe::timer::measure((u64::from(sixty) * 2 / (60 * u64::from(half_lines(display.mode())))) as u32);
    let late = sixty.abs_diff(nominal) > nominal / 1_000 * LATE;
    let good = sixty.abs_diff(nominal) < nominal / 20 && timers.wrong == 0;
    Outcome::new(Verdict::of(good), [sixty, timers.deviation, late.into(), timers.wrong])
}
