//! What the registers mean for the next primitive.
//!
//! Source: EE facts, section 10.

use super::doubt::{Doubt, Doubts};
use super::memory::{Format, PAGE_BLOCKS, Surface};
use super::texture::Texture;

/// Numbers of registers; those of the second context follow those of the first.
pub mod number {
    /// What the following vertices draw.
    pub const PRIM: u8 = 0x00;
    /// Vertex colour and divisor.
    pub const RGBAQ: u8 = 0x01;
    /// Texture coordinates divided by depth.
    pub const ST: u8 = 0x02;
    /// Texture coordinates in texels.
    pub const UV: u8 = 0x03;
    /// Place, depth and fog; completes the vertex.
    pub const XYZF2: u8 = 0x04;
    /// Place and depth; completes the vertex.
    pub const XYZ2: u8 = 0x05;
    /// Texture and palette.
    pub const TEX0: u8 = 0x06;
    /// The same of the second context.
    pub const TEX0_2: u8 = 0x07;
    /// How coordinates beyond a texture come back.
    pub const CLAMP: u8 = 0x08;
    /// Fog of vertices that bring none.
    pub const FOG: u8 = 0x0A;
    /// As XYZF2, and draws nothing.
    pub const XYZF3: u8 = 0x0C;
    /// As XYZ2, and draws nothing.
    pub const XYZ3: u8 = 0x0D;
    /// No register.
    pub const NOTHING: u8 = 0x0F;
    /// Texture filter.
    pub const TEX1: u8 = 0x14;
    /// Where a texture's smaller pictures are.
    pub const MIPTBP1: u8 = 0x34;
    /// The window's corner.
    pub const XYOFFSET: u8 = 0x18;
    /// Which register has the attributes.
    pub const PRMODECONT: u8 = 0x1A;
    /// Attributes apart from PRIM.
    pub const PRMODE: u8 = 0x1B;
    /// Lines that are left out.
    pub const SCANMSK: u8 = 0x22;
    /// Alpha of colours without their own.
    pub const TEXA: u8 = 0x3B;
    /// The fog's colour.
    pub const FOGCOL: u8 = 0x3D;
    /// The texture unit looks at memory anew.
    pub const TEXFLUSH: u8 = 0x3F;
    /// What may be drawn.
    pub const SCISSOR: u8 = 0x40;
    /// How pixels mix with the frame.
    pub const ALPHA: u8 = 0x42;
    /// The dither matrix.
    pub const DIMX: u8 = 0x44;
    /// Whether to dither.
    pub const DTHE: u8 = 0x45;
    /// Whether colours stop at their ends.
    pub const COLCLAMP: u8 = 0x46;
    /// Tests of alpha, frame and depth.
    pub const TEST: u8 = 0x47;
    /// Whether alpha's top bit switches blending.
    pub const PABE: u8 = 0x49;
    /// Whether alpha's top bit is set.
    pub const FBA: u8 = 0x4A;
    /// Where colours go.
    pub const FRAME: u8 = 0x4C;
    /// Where depth goes.
    pub const ZBUF: u8 = 0x4E;
    /// The same of the second context.
    pub const ZBUF_2: u8 = 0x4F;
    /// Buffers of a transfer.
    pub const BITBLTBUF: u8 = 0x50;
    /// Its corners.
    pub const TRXPOS: u8 = 0x51;
    /// Its size.
    pub const TRXREG: u8 = 0x52;
    /// Its direction; begins it.
    pub const TRXDIR: u8 = 0x53;
    /// No register, where packets give an address.
    pub const NO_ADDRESS: u8 = 0x7F;
    /// Tells the EE a number.
    pub const SIGNAL: u8 = 0x60;
    /// Tells the EE that all is drawn.
    pub const FINISH: u8 = 0x61;
    /// Leaves the EE a number.
    pub const LABEL: u8 = 0x62;
}

/// The bits `first` to `last` of a register.
pub const fn bits(value: u64, first: u32, last: u32) -> u64 {
    value >> first & (u64::MAX >> (63 - (last - first)))
}

/// Registers as they were written; those that were not hold nothing to rely on.
#[derive(Clone, Debug)]
pub struct Registers {
    values: [Option<u64>; 128],
}

impl Default for Registers {
    fn default() -> Self {
        Self { values: [None; 128] }
    }
}

impl Registers {
    /// Writes one.
    pub fn set(&mut self, number: u8, value: u64) {
        self.values[usize::from(number & 0x7F)] = Some(value);
    }

    /// Reads one; one that was never written is doubted and reads 0.
    pub fn get(&self, number: u8, doubts: &mut Doubts) -> u64 {
        self.values[usize::from(number & 0x7F)].unwrap_or_else(|| {
            doubts.add(Doubt::Unset(number));
            0
        })
    }
}

/// Kinds of primitives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A pixel for each vertex.
    Point,
    /// Two vertices for each.
    Line,
    /// One for each vertex after the first.
    LineStrip,
    /// Three vertices for each.
    Triangle,
    /// One for each vertex after the second.
    TriangleStrip,
    /// The same, all with the first vertex.
    TriangleFan,
    /// Two opposite corners.
    Sprite,
}

impl Shape {
    /// The shape of PRIM's lowest bits.
    pub fn from_prim(value: u64, doubts: &mut Doubts) -> Self {
        match value & 7 {
            0 => Self::Point,
            1 => Self::Line,
            2 => Self::LineStrip,
            3 => Self::Triangle,
            4 => Self::TriangleStrip,
            5 => Self::TriangleFan,
            6 => Self::Sprite,
            _ => {
                doubts.add(Doubt::Reserved("primitive"));
                Self::Point
            }
        }
    }

    /// Vertices of one primitive.
    pub const fn corners(self) -> usize {
        match self {
            Self::Point => 1,
            Self::Line | Self::LineStrip | Self::Sprite => 2,
            Self::Triangle | Self::TriangleStrip | Self::TriangleFan => 3,
        }
    }
}

/// What is compared with what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AlphaTest {
    /// Nothing passes.
    Never,
    /// Everything passes.
    Always,
    /// Smaller than the reference.
    Less,
    /// Smaller or the same.
    LessOrEqual,
    /// The same.
    Equal,
    /// Larger or the same.
    GreaterOrEqual,
    /// Larger.
    Greater,
    /// Another.
    NotEqual,
}

/// What a pixel that fails the alpha test still writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnFail {
    /// Nothing.
    Keep,
    /// The frame.
    FrameOnly,
    /// The depth.
    DepthOnly,
    /// The frame's colours.
    ColourOnly,
}

/// The depth test; larger is nearer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DepthTest {
    /// Nothing passes.
    Never,
    /// Everything passes.
    Always,
    /// What is not farther.
    GreaterOrEqual,
    /// What is nearer.
    Greater,
}

/// One of the values that blending mixes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// The pixel's.
    Source,
    /// The frame's.
    Frame,
    /// Zero for colours, FIX for the factor.
    Constant,
}

/// `((a - b) * c >> 7) + d`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blend {
    /// A to D.
    pub terms: [Term; 4],
    /// The constant factor.
    pub fixed: i32,
    /// Only pixels whose alpha has its top bit are blended.
    pub by_top_bit: bool,
}

/// Everything that a primitive is drawn by.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Colours run between vertices.
    pub gouraud: bool,
    /// What is drawn on it, if anything.
    pub texture: Option<Texture>,
    /// Texture coordinates are texels.
    pub texels: bool,
    /// The colour into which fog turns.
    pub fog: Option<[i32; 3]>,
    /// How pixels mix with the frame.
    pub blend: Option<Blend>,
    /// How those of a smooth edge do.
    pub smooth: Option<Blend>,
    /// The window's corner, with four fraction bits.
    pub offset: (i32, i32),
    /// Left, upper, right and lower end of what may be drawn, all inclusive.
    pub scissor: [i32; 4],
    /// Where colours go.
    pub frame: Surface,
    /// Bits of 32-bit colours that are kept.
    pub frame_mask: u32,
    /// Where depth goes.
    pub depth: Surface,
    /// It is written, not only tested.
    pub depth_written: bool,
    /// The alpha test: comparison, reference, what a failure leaves.
    pub alpha_test: Option<(AlphaTest, i32, OnFail)>,
    /// The top bit of the frame's alpha that pixels need.
    pub frame_test: Option<u32>,
    /// The depth test.
    pub depth_test: DepthTest,
    /// Colours stop at their ends instead of beginning anew.
    pub clamped: bool,
    /// Alpha's top bit is always set.
    pub alpha_set: bool,
    /// What is added to colours by place, on 16-bit frames.
    pub dither: Option<[[i32; 4]; 4]>,
    /// Lines that are left out: those whose lowest bit is this.
    pub left_out: Option<i32>,
}

/// PRIM's and PRMODE's attributes.
mod attribute {
    pub const GOURAUD: u64 = 1 << 3;
    pub const TEXTURE: u64 = 1 << 4;
    pub const FOG: u64 = 1 << 5;
    pub const BLEND: u64 = 1 << 6;
    pub const SMOOTH: u64 = 1 << 7;
    pub const TEXELS: u64 = 1 << 8;
    pub const CONTEXT: u64 = 1 << 9;
    pub const FIXED: u64 = 1 << 10;
}

impl State {
    /// Reads the registers that the current primitive needs, and no others: what nobody set and nobody needs is no fault.
    pub fn decode(registers: &Registers, doubts: &mut Doubts) -> Self {
        let prim = registers.get(number::PRIM, doubts);
        let attributes = match registers.get(number::PRMODECONT, doubts) & 1 {
            1 => prim,
            _ => registers.get(number::PRMODE, doubts),
        };
        let has = |attribute: u64| attributes & attribute != 0;
        doubts.add_if(has(attribute::FIXED), Doubt::Reserved("fixed fragment values"));
        let second = u8::from(has(attribute::CONTEXT));
        let mut get = |number: u8| registers.get(number, doubts);
        let (offset, scissor) = (get(number::XYOFFSET + second), get(number::SCISSOR + second));
        let (frame, depth) = (get(number::FRAME + second), get(number::ZBUF + second));
        let (test, fba) = (get(number::TEST + second), get(number::FBA + second));
        let skipped = get(number::SCANMSK) & 3;
        let blending = has(attribute::BLEND) || has(attribute::SMOOTH);
        let mixing = blending.then(|| (get(number::ALPHA + second), get(number::PABE)));
        let blend = mixing.map(|(alpha, pabe)| blend(alpha, pabe, doubts));
        let texture = has(attribute::TEXTURE).then(|| Texture::decode(registers, second, doubts));
        let fog = has(attribute::FOG).then(|| {
            let colour = registers.get(number::FOGCOL, doubts);
            [0, 8, 16].map(|shift| (colour >> shift & 0xFF) as i32)
        });
        let frame_surface = Surface {
            base: bits(frame, 0, 8) as u32 * PAGE_BLOCKS,
            width: bits(frame, 16, 21) as u32,
            format: doubts.format(bits(frame, 24, 29), "frame format"),
        };
        let depth_surface = Surface {
            base: bits(depth, 0, 8) as u32 * PAGE_BLOCKS,
            width: frame_surface.width,
            format: doubts.format(bits(depth, 24, 27) | 0x30, "depth format"),
        };
        doubts.add_if(!fit(frame_surface.format, depth_surface.format), Doubt::Family);
        doubts.add_if(bits(test, 16, 16) == 0, Doubt::DepthOff);
        doubts.add_if(skipped == 1, Doubt::Reserved("line mask"));
        let narrow = frame_surface.format.bits() == 16;
        let dither = narrow && registers.get(number::DTHE, doubts) & 1 == 1;
        let clamped = (blending || dither) && registers.get(number::COLCLAMP, doubts) & 1 == 1;
        let smooth = blend.filter(|_| has(attribute::SMOOTH));
        let over = [Term::Source, Term::Frame, Term::Source, Term::Frame];
        doubts.add_if(smooth.is_some_and(|blend| blend.terms != over), Doubt::SmoothBlend);
        Self {
            gouraud: has(attribute::GOURAUD),
            texture,
            texels: has(attribute::TEXELS),
            fog,
            blend: blend.filter(|_| has(attribute::BLEND)),
            smooth,
            offset: (bits(offset, 0, 15) as i32, bits(offset, 32, 47) as i32),
            scissor: [0, 32, 16, 48].map(|first| bits(scissor, first, first + 10) as i32),
            frame: frame_surface,
            frame_mask: (frame >> 32) as u32,
            depth: depth_surface,
            depth_written: bits(depth, 32, 32) == 0,
            alpha_test: (test & 1 == 1).then(|| alpha_test(test)),
            frame_test: (bits(test, 14, 14) == 1).then(|| bits(test, 15, 15) as u32),
            depth_test: [DepthTest::Never, DepthTest::Always, DepthTest::GreaterOrEqual, DepthTest::Greater]
                [bits(test, 17, 18) as usize],
            clamped,
            alpha_set: fba & 1 == 1,
            dither: dither.then(|| dither_matrix(registers.get(number::DIMX, doubts))),
            left_out: (skipped >= 2).then_some((skipped & 1) as i32),
        }
    }
}

/// Formats of frame and depth that may be used together.
///
/// Source: EE facts, section 10 (rules).
fn fit(frame: Format, depth: Format) -> bool {
    match frame {
        Format::Ct16 => depth == Format::Z16,
        _ => matches!(depth, Format::Z32 | Format::Z24 | Format::Z16S),
    }
}

fn blend(alpha: u64, pabe: u64, doubts: &mut Doubts) -> Blend {
    let terms = [0, 2, 4, 6].map(|first| match bits(alpha, first, first + 1) {
        0 => Term::Source,
        1 => Term::Frame,
        2 => Term::Constant,
        _ => {
            doubts.add(Doubt::Reserved("blend term"));
            Term::Constant
        }
    });
    Blend { terms, fixed: bits(alpha, 32, 39) as i32, by_top_bit: pabe & 1 == 1 }
}

fn alpha_test(test: u64) -> (AlphaTest, i32, OnFail) {
    let comparison = [
        AlphaTest::Never,
        AlphaTest::Always,
        AlphaTest::Less,
        AlphaTest::LessOrEqual,
        AlphaTest::Equal,
        AlphaTest::GreaterOrEqual,
        AlphaTest::Greater,
        AlphaTest::NotEqual,
    ][bits(test, 1, 3) as usize];
    let failed = [OnFail::Keep, OnFail::FrameOnly, OnFail::DepthOnly, OnFail::ColourOnly][bits(test, 12, 13) as usize];
    (comparison, bits(test, 4, 11) as i32, failed)
}

/// Sixteen numbers of three bits with a sign, four bits apart.
fn dither_matrix(value: u64) -> [[i32; 4]; 4] {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let number = (value >> (row * 16 + column * 4) & 7) as i32;
            if number >= 4 { number - 8 } else { number }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_that_nobody_wrote_is_doubted_only_when_it_is_needed() {
        let mut registers = Registers::default();
        for number in [0x00, 0x18, 0x1A, 0x22, 0x40, 0x47, 0x4A, 0x4C] {
            registers.set(number, u64::from(number == 0x1A));
        }
        registers.set(number::TEST, 3 << 16);
        let mut doubts = Doubts::default();
        State::decode(&registers, &mut doubts);
        assert_eq!(doubts.iter().collect::<Vec<_>>(), [(&Doubt::Unset(number::ZBUF), 1)]);
        registers.set(number::ZBUF, 0);
        registers.set(number::PRIM, 1 << 6);
        let mut doubts = Doubts::default();
        State::decode(&registers, &mut doubts);
        let unset = [number::ALPHA, number::COLCLAMP, number::PABE].map(Doubt::Unset);
        assert_eq!(doubts.iter().map(|(doubt, _)| *doubt).collect::<Vec<_>>(), [unset[0], unset[1], unset[2]]);
    }

    #[test]
    fn the_second_context_has_registers_of_its_own() {
        let mut registers = Registers::default();
        for number in 0..=0x7F {
            registers.set(number, 0);
        }
        registers.set(number::PRMODECONT, 1);
        registers.set(number::PRIM, 1 << 9);
        registers.set(number::FRAME, 1);
        registers.set(number::FRAME + 1, 7 | 10 << 16);
        let state = State::decode(&registers, &mut Doubts::default());
        assert_eq!((state.frame.base, state.frame.width), (7 * PAGE_BLOCKS, 10));
    }

    #[test]
    fn dither_numbers_have_signs() {
        assert_eq!(dither_matrix(0x7)[0][0], -1);
        assert_eq!(dither_matrix(0x4000_0000_0000_0003), {
            let mut matrix = [[0; 4]; 4];
            (matrix[0][0], matrix[3][3]) = (3, -4);
            matrix
        });
    }
}
