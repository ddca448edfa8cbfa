//! What happens to a pixel between the rasteriser and memory: texture, fog, tests, blending.
//!
//! Source: EE facts, section 10.

use super::doubt::{Doubt, Doubts};
use super::memory::{Format, Memory};
use super::raster::{ALPHA, BLUE, DEPTH, FOG, Fragment, GREEN, Q, RED, S, T};
use super::state::{AlphaTest, Blend, DepthTest, OnFail, State, Term};
use super::texture::{Colour, Palette};

/// Alpha of a colour without one.
const OPAQUE: i32 = 0x80;

/// Draws a pixel.
pub fn draw(memory: &mut Memory, palette: &Palette, state: &State, fragment: &Fragment, doubts: &mut Doubts) {
    let (x, y) = (fragment.x, fragment.y);
    let [left, top, right, bottom] = state.scissor;
    if x < left || x > right || y < top || y > bottom || state.left_out == Some(y & 1) {
        return;
    }
    let mut colour = shade(memory, palette, state, fragment);
    if fragment.coverage < 1.0 {
        colour[3] = (fragment.coverage * f64::from(OPAQUE)) as i32;
    }
    let (x, y) = (x as u32, y as u32);
    let Some(writes) = tested(memory, state, colour[3], fragment, doubts) else { return };
    let blend = if fragment.coverage < 1.0 { state.smooth } else { state.blend };
    if writes.depth {
        memory.write(&state.depth, x, y, depth_of(state, fragment, doubts));
    }
    if writes.frame {
        let kept = if writes.alpha { state.frame_mask } else { state.frame_mask | 0xFF00_0000 };
        let under = expand(state.frame.format, memory.read(&state.frame, x, y));
        let colour = blend.map_or(colour, |blend| blended(state, &blend, colour, under));
        let (value, kept) = pack(state, colour, kept, (x, y));
        memory.write_masked(&state.frame, x, y, value, !kept);
    }
}

/// The pixel's colour before it meets the frame.
fn shade(memory: &Memory, palette: &Palette, state: &State, fragment: &Fragment) -> Colour {
    let values = &fragment.values;
    let mut colour = [RED, GREEN, BLUE, ALPHA].map(|channel| whole(values[channel]).clamp(0, 255));
    if let Some(texture) = &state.texture {
        let (u, v) = if state.texels {
            (values[S], values[T])
        } else {
            let (width, height) = texture.sides;
            (values[S] / values[Q] * f64::from(width), values[T] / values[Q] * f64::from(height))
        };
        colour = texture.mix(texture.sample(memory, palette, u, v, values[Q]), colour);
    }
    if let Some(fog) = state.fog {
        let clear = whole(values[FOG]).clamp(0, 255);
        for (channel, fog) in colour.iter_mut().zip(fog) {
            *channel = (*channel * clear + fog * (256 - clear)) >> 8;
        }
    }
    colour
}

/// The whole part; what lies a rounding error below a whole number counts as it.
fn whole(value: f64) -> i32 {
    (value + 1e-6).floor() as i32
}

fn depth_of(state: &State, fragment: &Fragment, doubts: &mut Doubts) -> u32 {
    let depth = (fragment.values[DEPTH] + 1e-6).max(0.0) as u64;
    let most = u64::from(state.depth.format.most());
    doubts.add_if(depth > most, Doubt::TooDeep);
    depth.min(most) as u32
}

/// What of a pixel is written.
#[derive(Clone, Copy)]
struct Writes {
    frame: bool,
    alpha: bool,
    depth: bool,
}

/// The tests; `None` when nothing is left to write.
fn tested(memory: &Memory, state: &State, alpha: i32, fragment: &Fragment, doubts: &mut Doubts) -> Option<Writes> {
    let (x, y) = (fragment.x as u32, fragment.y as u32);
    let mut writes = Writes { frame: true, alpha: true, depth: state.depth_written };
    if let Some((comparison, reference, failed)) = state.alpha_test {
        let passes = match comparison {
            AlphaTest::Never => false,
            AlphaTest::Always => true,
            AlphaTest::Less => alpha < reference,
            AlphaTest::LessOrEqual => alpha <= reference,
            AlphaTest::Equal => alpha == reference,
            AlphaTest::GreaterOrEqual => alpha >= reference,
            AlphaTest::Greater => alpha > reference,
            AlphaTest::NotEqual => alpha != reference,
        };
        if !passes {
            match failed {
                OnFail::Keep => return None,
                OnFail::FrameOnly => writes.depth = false,
                OnFail::DepthOnly => writes.frame = false,
                // Frames without alpha have nothing to keep.
                OnFail::ColourOnly => (writes.alpha, writes.depth) = (state.frame.format != Format::Ct32, false),
            }
        }
    }
    if let Some(wanted) = state.frame_test {
        let top = match state.frame.format {
            Format::Ct32 => Some(memory.read(&state.frame, x, y) >> 31),
            Format::Ct16 | Format::Ct16S => Some(memory.read(&state.frame, x, y) >> 15),
            _ => None,
        };
        if top.is_some_and(|top| top != wanted) {
            return None;
        }
    }
    let near = match state.depth_test {
        DepthTest::Never => false,
        DepthTest::Always => true,
        test => {
            let (mine, there) = (depth_of(state, fragment, doubts), memory.read(&state.depth, x, y));
            mine > there || mine == there && test == DepthTest::GreaterOrEqual
        }
    };
    (near && (writes.frame || writes.depth)).then_some(writes)
}

fn blended(state: &State, blend: &Blend, source: Colour, frame: Colour) -> Colour {
    if blend.by_top_bit && source[3] & 0x80 == 0 {
        return source;
    }
    let [a, b, c, d] = blend.terms;
    let factor = match c {
        Term::Source => source[3],
        Term::Frame => frame[3],
        Term::Constant => blend.fixed,
    };
    let term = |term: Term, channel: usize| match term {
        Term::Source => source[channel],
        Term::Frame => frame[channel],
        Term::Constant => 0,
    };
    let mixed = |channel| (((term(a, channel) - term(b, channel)) * factor) >> 7) + term(d, channel);
    let limited = |value: i32| if state.clamped { value.clamp(0, 255) } else { value & 0xFF };
    [limited(mixed(0)), limited(mixed(1)), limited(mixed(2)), source[3]]
}

/// A frame's pixel as a colour.
fn expand(format: Format, value: u32) -> Colour {
    let byte = |shift: u32| (value >> shift & 0xFF) as i32;
    match format.bits() {
        16 => {
            let five = |shift: u32| ((value >> shift & 0x1F) << 3) as i32;
            [five(0), five(5), five(10), ((value >> 15 & 1) << 7) as i32]
        }
        24 => [byte(0), byte(8), byte(16), OPAQUE],
        _ => [byte(0), byte(8), byte(16), byte(24)],
    }
}

/// A colour as the frame keeps it, and the bits that stay.
fn pack(state: &State, mut colour: Colour, kept: u32, (x, y): (u32, u32)) -> (u32, u32) {
    if let Some(matrix) = state.dither {
        let add = matrix[y as usize & 3][x as usize & 3];
        for channel in &mut colour[..3] {
            *channel += add;
            *channel = if state.clamped { (*channel).clamp(0, 255) } else { *channel & 0xFF };
        }
    }
    if state.alpha_set {
        colour[3] |= 0x80;
    }
    let [red, green, blue, alpha] = colour.map(|channel| channel as u32);
    let wide = red | green << 8 | blue << 16 | alpha << 24;
    let narrow = |wide: u32| wide >> 3 & 0x1F | wide >> 6 & 0x3E0 | wide >> 9 & 0x7C00 | wide >> 16 & 0x8000;
    match state.frame.format.bits() {
        16 => (narrow(wide), narrow(kept)),
        _ => (wide, kept),
    }
}
