//! Registers that packets write.
//!
//! Source: EE facts, section 10.

use super::{PixelFormat, field};

/// A register that a packet can write: its number and its 64 bits.
pub trait Register: Copy {
    /// The register's number.
    const ADDRESS: u8;
    /// The value to write.
    fn bits(self) -> u64;
}

macro_rules! registers {
    ($($(#[$doc:meta])* $name:ident = $address:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        #[repr(transparent)]
        pub struct $name(pub u64);

        impl Register for $name {
            const ADDRESS: u8 = $address;
            fn bits(self) -> u64 {
                self.0
            }
        }
    )*};
}

registers! {
    /// What the following vertices draw.
    Prim = 0x00;
    /// Vertex colour and the texture's perspective divisor.
    Rgbaq = 0x01;
    /// Texture coordinates divided by depth.
    St = 0x02;
    /// Texture coordinates in texels.
    Uv = 0x03;
    /// Vertex position; completes the vertex.
    Xyz2 = 0x05;
    /// Texture, palette and how they mix with the vertex colour.
    Tex0 = 0x06;
    /// How a texture wraps.
    Clamp = 0x08;
    /// Texture filter.
    Tex1 = 0x14;
    /// Where the smaller pictures of a texture lie.
    MipTbp1 = 0x34;
    /// Where the window's corner lies in drawing coordinates.
    XyOffset = 0x18;
    /// 1: PRIM holds the drawing attributes.
    PrModeCont = 0x1A;
    /// Lines that are left out.
    ScanMsk = 0x22;
    /// The fog's colour.
    FogCol = 0x3D;
    /// Fixed alpha for texels without their own.
    TexA = 0x3B;
    /// Throws the texture buffer away.
    TexFlush = 0x3F;
    /// The rectangle outside which nothing is drawn.
    Scissor = 0x40;
    /// How a pixel mixes with the frame.
    Alpha = 0x42;
    /// The 4x4 dither matrix.
    Dimx = 0x44;
    /// 1: dither.
    Dthe = 0x45;
    /// 1: colours saturate; 0: they wrap.
    ColClamp = 0x46;
    /// Alpha, destination and depth tests.
    Test = 0x47;
    /// 1: blend only pixels whose alpha has its top bit.
    Pabe = 0x49;
    /// Alpha correction.
    Fba = 0x4A;
    /// Where pixels are drawn.
    Frame = 0x4C;
    /// Where depth is kept.
    ZBuf = 0x4E;
    /// Source and destination of a transfer.
    BitBltBuf = 0x50;
    /// Corners of a transfer.
    TrxPos = 0x51;
    /// Size of a transfer.
    TrxReg = 0x52;
    /// Starts a transfer.
    TrxDir = 0x53;
    /// Raises FINISH when all before it is drawn.
    Finish = 0x61;
    /// Leaves a number for the processor to read.
    Label = 0x62;
}

impl Label {
    /// Puts `number` in the place of the whole one that was there.
    pub const fn new(number: u32) -> Self {
        Self(number as u64 | (u32::MAX as u64) << 32)
    }
}

/// Kinds of primitives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Shape {
    /// A pixel for each vertex.
    Point = 0,
    /// Two vertices for each line.
    Line = 1,
    /// A line for each vertex from the second on.
    LineStrip = 2,
    /// Three vertices for each triangle.
    Triangle = 3,
    /// A triangle for each vertex from the third on.
    TriangleStrip = 4,
    /// A triangle for each vertex from the third on, all with the first one.
    TriangleFan = 5,
    /// Two opposite corners of a rectangle.
    Sprite = 6,
}

impl Prim {
    /// A flat primitive without texture or blending.
    pub const fn new(shape: Shape) -> Self {
        Self(shape as u64)
    }
    /// Interpolates colours between vertices.
    pub const fn gouraud(self) -> Self {
        Self(self.0 | 1 << 3)
    }
    /// Draws the texture, by ST and Q.
    pub const fn textured(self) -> Self {
        Self(self.0 | 1 << 4)
    }
    /// Mixes with the fog's colour by the vertices' fog factors.
    pub const fn fogged(self) -> Self {
        Self(self.0 | 1 << 5)
    }
    /// Blends by ALPHA.
    pub const fn blended(self) -> Self {
        Self(self.0 | 1 << 6)
    }
    /// Smooths edges.
    pub const fn smooth_edges(self) -> Self {
        Self(self.0 | 1 << 7)
    }
    /// Texture coordinates are UV, in texels.
    pub const fn texel_coordinates(self) -> Self {
        Self(self.0 | 1 << 8)
    }
}

impl Rgbaq {
    /// Channels 0-255; on textures and for alpha 0x80 is 1.0.
    pub const fn new(red: u8, green: u8, blue: u8, alpha: u8) -> Self {
        Self::with_q(red, green, blue, alpha, 1.0)
    }
    /// The same with the divisor of ST.
    pub const fn with_q(red: u8, green: u8, blue: u8, alpha: u8, q: f32) -> Self {
        Self(red as u64 | (green as u64) << 8 | (blue as u64) << 16 | (alpha as u64) << 24 | (q.to_bits() as u64) << 32)
    }
}

impl St {
    /// Texture coordinates of `[0, 1]`, already multiplied by Q.
    pub const fn new(s: f32, t: f32) -> Self {
        Self(s.to_bits() as u64 | (t.to_bits() as u64) << 32)
    }
}

impl Uv {
    /// Texels with four fraction bits.
    pub const fn new(u: u16, v: u16) -> Self {
        Self(field(u as u64, 0, 14) | field(v as u64, 16, 14))
    }
}

impl Xyz2 {
    /// Drawing coordinates with four fraction bits and a depth; larger is nearer.
    pub const fn new(x: u16, y: u16, z: u32) -> Self {
        Self(x as u64 | (y as u64) << 16 | (z as u64) << 32)
    }
}

impl Tex0 {
    /// A texture with alpha that multiplies the vertex colour: at `block` (256-byte units), `width` texels a row in the
    /// buffer, sides `2^log2`.
    pub const fn new(block: u32, width: u32, format: PixelFormat, log2: (u32, u32)) -> Self {
        const WITH_ALPHA: u64 = 1 << 34;
        Self(
            field(block as u64, 0, 14)
                | field((width / 64) as u64, 14, 6)
                | field(format as u64, 20, 6)
                | field(log2.0 as u64, 26, 4)
                | field(log2.1 as u64, 30, 4)
                | WITH_ALPHA,
        )
    }
    /// With a palette of 32-bit colours at `block`, loaded at once.
    pub const fn palette(self, block: u32) -> Self {
        const LOAD: u64 = 1 << 61;
        Self(self.0 | field(block as u64, 37, 14) | field(PixelFormat::Ct32 as u64, 51, 4) | LOAD)
    }
}

impl Tex1 {
    /// The nearest texel.
    pub const NEAREST: Self = Self(1);
    /// Four texels blended, near and far.
    pub const BILINEAR: Self = Self(1 | 1 << 5 | 1 << 6);

    /// Between four texels of the picture and of `smaller` smaller ones, by distance: the picture itself is seen up to where
    /// the divisor's logarithm is `-bias`, the next one at one more. `bias` is in sixteenths.
    pub const fn by_distance(smaller: u8, bias: i16) -> Self {
        const SMOOTH_BETWEEN: u64 = 5;
        Self(field(smaller as u64, 2, 3) | 1 << 5 | SMOOTH_BETWEEN << 6 | field(bias as u64 & 0xFFF, 32, 12))
    }
}

/// Smaller pictures of a texture that one register places.
pub const SMALLER: usize = 3;

impl MipTbp1 {
    /// The first block of each smaller picture, and its buffer's width in texels.
    pub const fn new(places: [(u32, u32); SMALLER]) -> Self {
        let [a, b, c] = places;
        const fn place((block, width): (u32, u32), shift: u32) -> u64 {
            field(block as u64, shift, 14) | field((width / 64) as u64, shift + 14, 6)
        }
        Self(place(a, 0) | place(b, 20) | place(c, 40))
    }
}

impl Clamp {
    /// The texture repeats.
    pub const REPEAT: Self = Self(0);
    /// The edge texel goes on.
    pub const CLAMP: Self = Self(1 | 1 << 2);
}

impl Clamp {
    /// Where the edge texel goes on: to the sides (`s`), above and below (`t`).
    pub const fn of(s: bool, t: bool) -> Self {
        Self(s as u64 | (t as u64) << 2)
    }
}

impl FogCol {
    /// Channels 0-255.
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self(red as u64 | (green as u64) << 8 | (blue as u64) << 16)
    }
}

impl XyOffset {
    /// Drawing coordinates of the window's corner, with four fraction bits.
    pub const fn new(x: u16, y: u16) -> Self {
        Self(x as u64 | (y as u64) << 32)
    }
}

impl Scissor {
    /// The rectangle from `(x0, y0)` to `(x1, y1)` inclusive, in pixels.
    pub const fn new(x0: u32, x1: u32, y0: u32, y1: u32) -> Self {
        Self(field(x0 as u64, 0, 11) | field(x1 as u64, 16, 11) | field(y0 as u64, 32, 11) | field(y1 as u64, 48, 11))
    }
}

impl Alpha {
    /// Source over frame: `(source - frame) * alpha + frame`.
    pub const OVER: Self = Self(0x44);
    /// Light on light: `source * alpha + frame`.
    pub const ADD: Self = Self(0x48);

    /// Over what is there by one share for all pixels, of 128.
    pub const fn share(share: u8) -> Self {
        Self(0x64 | (share as u64) << 32)
    }
    /// Shade: `frame - source * alpha`.
    pub const SUBTRACT: Self = Self(0x42);
}

/// Depth comparisons; larger depth is nearer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum DepthTest {
    /// Draw everything.
    Always = 1,
    /// Draw what is not farther.
    GreaterOrEqual = 2,
}

impl Test {
    /// A depth test alone; it is never switched off, which the GS forbids.
    pub const fn depth(test: DepthTest) -> Self {
        const DEPTH_ON: u64 = 1 << 16;
        Self(DEPTH_ON | field(test as u64, 17, 2))
    }
    /// With the seed's alpha test: alpha at least 0x40, else only the frame is written.
    ///
    /// Source: support systems, Graphics and frame pacing.
    pub const fn with_alpha_test(self) -> Self {
        const ON: u64 = 1;
        const GREATER_OR_EQUAL: u64 = 5;
        const FRAME_ONLY: u64 = 1;
        Self(self.0 | ON | GREATER_OR_EQUAL << 1 | 0x40 << 4 | FRAME_ONLY << 12)
    }
}

impl Frame {
    /// A 32-bit frame at `page` (8 KiB units), `width` pixels a row.
    pub const fn new(page: u32, width: u32) -> Self {
        Self(field(page as u64, 0, 9) | field((width / 64) as u64, 16, 6) | field(PixelFormat::Ct32 as u64, 24, 6))
    }
}

impl ZBuf {
    /// 24-bit depth at `page` (8 KiB units).
    pub const fn new(page: u32) -> Self {
        Self(field(page as u64, 0, 9) | field(PixelFormat::Z24 as u64, 24, 4))
    }
    /// Tests, never writes.
    pub const fn read_only(self) -> Self {
        Self(self.0 | 1 << 32)
    }
}

impl BitBltBuf {
    /// To `block` (256-byte units) of the GS's memory, `width` texels a row in the buffer.
    pub const fn upload(block: u32, width: u32, format: PixelFormat) -> Self {
        Self(field(block as u64, 32, 14) | field((width / 64) as u64, 48, 6) | field(format as u64, 56, 6))
    }
    /// From `block` (256-byte units) of the GS's memory, `width` texels a row in the buffer.
    pub const fn download(block: u32, width: u32, format: PixelFormat) -> Self {
        Self(field(block as u64, 0, 14) | field((width / 64) as u64, 16, 6) | field(format as u64, 24, 6))
    }
}

impl TrxPos {
    /// To the texel `(x, y)` of the destination.
    pub const fn to(x: u32, y: u32) -> Self {
        Self(field(x as u64, 32, 11) | field(y as u64, 48, 11))
    }
}

impl TrxReg {
    /// The rectangle's size in texels.
    pub const fn new(width: u32, height: u32) -> Self {
        Self(field(width as u64, 0, 12) | field(height as u64, 32, 12))
    }
}

impl TrxDir {
    /// From the packet to the GS's memory.
    pub const UPLOAD: Self = Self(0);
    /// From the GS's memory to the bus.
    pub const DOWNLOAD: Self = Self(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prim_attributes_sit_in_their_bits() {
        assert_eq!(Prim::new(Shape::Sprite).textured().blended().texel_coordinates().0, 0x156);
        assert_eq!(Prim::new(Shape::TriangleStrip).gouraud().0, 0x0C);
    }

    #[test]
    fn vertices_pack_colour_position_and_depth() {
        assert_eq!(Rgbaq::new(0x11, 0x22, 0x33, 0x80).0, 0x3F80_0000_8033_2211);
        assert_eq!(Xyz2::new(0x8000, 0x7200, 0x00FF_FFFF).0, 0x00FF_FFFF_7200_8000);
        assert_eq!(Uv::new(0x3FFF, 0x10).0, 0x0010_3FFF);
    }

    #[test]
    fn the_frame_state_matches_known_patterns() {
        assert_eq!(Frame::new(0x8C, 640).0, 0x000A_008C);
        assert_eq!(ZBuf::new(0x118).0, 0x0100_0118);
        assert_eq!(Test::depth(DepthTest::GreaterOrEqual).0, 0x5_0000);
        assert_eq!(Test::depth(DepthTest::GreaterOrEqual).with_alpha_test().0, 0x5_140B);
        assert_eq!(Scissor::new(0, 639, 0, 447).0, 0x01BF_0000_027F_0000);
        assert_eq!(Alpha::OVER.0, 0x44);
    }

    #[test]
    fn textures_and_transfers_match_known_patterns() {
        let texture = Tex0::new(13440, 256, PixelFormat::T8, (8, 7)).palette(13568);
        assert_eq!(texture.0 & 0x3FFF, 13440);
        assert_eq!(texture.0 >> 14 & 0x3F, 4);
        assert_eq!(texture.0 >> 20 & 0x3F, 0x13);
        assert_eq!(texture.0 >> 26 & 0xFF, 8 | 7 << 4);
        assert_eq!(texture.0 >> 34 & 7, 1);
        assert_eq!(texture.0 >> 37 & 0x3FFF, 13568);
        assert_eq!(texture.0 >> 61, 1);
        assert_eq!(BitBltBuf::upload(13440, 256, PixelFormat::T8).0, 0x1304_3480_0000_0000);
        assert_eq!(TrxReg::new(256, 128).0, 0x0080_0000_0100);
    }

    #[test]
    fn values_too_large_never_reach_another_field() {
        assert_eq!(Scissor::new(0xFFFF, 0, 0, 0).0, 0x7FF);
        assert_eq!(Frame::new(0xFFFF_FFFF, 0).0, 0x1FF);
    }
}
