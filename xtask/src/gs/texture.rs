//! Textures and palettes: from coordinates to a colour, and how it mixes with the vertices'.
//!
//! Source: EE facts, sections 10 and 11.

use super::doubt::{Doubt, Doubts};
use super::memory::{Format, Memory, PAGE_BLOCKS, Surface};
use super::state::{Registers, bits, number};

/// Red, green, blue and alpha.
pub type Colour = [i32; 4];

/// How coordinates beyond a texture are brought back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrap {
    Repeat,
    Clamp,
    RegionClamp(i32, i32),
    RegionRepeat(i32, i32),
}

impl Wrap {
    fn apply(self, at: i32, side: i32) -> u32 {
        (match self {
            Self::Repeat => at & (side - 1),
            Self::Clamp => at.clamp(0, side - 1),
            Self::RegionClamp(least, most) => at.clamp(least, most.max(least)),
            Self::RegionRepeat(mask, fixed) => at & mask | fixed,
        }) as u32
    }
}

/// How a texel mixes with the vertices' colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Function {
    Modulate,
    Decal,
    Highlight,
    Highlight2,
}

/// How colours without their own alpha get one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct MissingAlpha {
    /// Without, and with the one bit that 16-bit colours have.
    values: [i32; 2],
    /// Black stays clear.
    black_is_clear: bool,
}

/// A texture as the registers describe it.
#[derive(Clone, PartialEq, Debug)]
pub struct Texture {
    /// Where its texels are.
    pub surface: Surface,
    /// Texels of a row, and rows.
    pub sides: (i32, i32),
    function: Function,
    /// Texels bring their alpha.
    with_alpha: bool,
    wraps: [Wrap; 2],
    /// Four texels mix, when the picture is magnified, and when it is not.
    smooth: [bool; 2],
    /// Log2 of how far away magnification ends: fixed, or by the divisor with a shift.
    level: Level,
    /// Smaller pictures, each half as wide and high.
    smaller: Vec<Surface>,
    /// Two pictures mix.
    between: bool,
    missing: MissingAlpha,
    /// The palette's first entry.
    first_entry: usize,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Level {
    Fixed(f64),
    ByDivisor { shift: i32, add: f64 },
}

impl Texture {
    /// The texture of a context.
    pub fn decode(registers: &Registers, second: u8, doubts: &mut Doubts) -> Self {
        let mut get = |number: u8| registers.get(number + second, doubts);
        let (tex0, tex1, clamp) = (get(number::TEX0), get(number::TEX1), get(number::CLAMP));
        let surface = surface_of(tex0, doubts);
        // Sides beyond 1024 do not exist.
        let side = |first: u32| 1 << bits(tex0, first, first + 3).min(10);
        let sides = (side(26), side(30));
        let function = [Function::Modulate, Function::Decal, Function::Highlight, Function::Highlight2]
            [bits(tex0, 35, 36) as usize];
        let wrap = |mode: u32, first: u32| {
            let (low, high) = (bits(clamp, first, first + 9) as i32, bits(clamp, first + 10, first + 19) as i32);
            match bits(clamp, mode, mode + 1) {
                0 => Wrap::Repeat,
                1 => Wrap::Clamp,
                2 => Wrap::RegionClamp(low, high),
                _ => Wrap::RegionRepeat(low, high),
            }
        };
        let smaller = bits(tex1, 6, 8);
        doubts.add_if(smaller > 5, Doubt::Reserved("texture filter"));
        let count = if smaller > 1 { bits(tex1, 2, 4) as u32 } else { 0 };
        // The fourth and later ones have a register that the engine does not use; automatic places neither.
        doubts.add_if(count > 3 || (count > 0 && bits(tex1, 9, 9) == 1), Doubt::SmallerPicture);
        let places = if count > 0 { registers.get(number::MIPTBP1 + second, doubts) } else { 0 };
        let add = f64::from((bits(tex1, 32, 43) as i32) << 20 >> 20) / 16.0;
        let level = match tex1 & 1 {
            1 => Level::Fixed(add),
            _ => Level::ByDivisor { shift: bits(tex1, 19, 20) as i32, add },
        };
        let indexed = surface.format.is_index();
        doubts.add_if(
            matches!(surface.format, Format::T8 | Format::T4) && !surface.width.is_multiple_of(2),
            Doubt::OddWidth,
        );
        doubts.add_if((surface.width as i32) * 64 < sides.0, Doubt::Narrow);
        let coloured = if indexed { palette_format(tex0, doubts) } else { surface.format };
        let missing = match coloured {
            Format::Ct32 | Format::Z32 => MissingAlpha::default(),
            _ => {
                let texa = registers.get(number::TEXA, doubts);
                MissingAlpha {
                    values: [bits(texa, 0, 7) as i32, bits(texa, 32, 39) as i32],
                    black_is_clear: bits(texa, 15, 15) == 1,
                }
            }
        };
        let smaller_surface = |number: u32| Surface {
            base: bits(places, number * 20, number * 20 + 13) as u32,
            width: bits(places, number * 20 + 14, number * 20 + 19) as u32,
            format: surface.format,
        };
        Self {
            smaller: (0..count.min(3)).map(smaller_surface).collect(),
            between: matches!(smaller, 3 | 5),
            surface,
            sides,
            function,
            with_alpha: bits(tex0, 34, 34) == 1,
            wraps: [wrap(0, 4), wrap(2, 24)],
            smooth: [bits(tex1, 5, 5) == 1, matches!(smaller, 1 | 4 | 5)],
            level,
            missing,
            first_entry: bits(tex0, 56, 60) as usize * 16,
        }
    }

    /// The colour at `(u, v)`, in texels; `q` is the divisor that they were divided by.
    pub fn sample(&self, memory: &Memory, palette: &Palette, u: f64, v: f64, q: f64) -> Colour {
        let level = match self.level {
            Level::Fixed(level) => level,
            Level::ByDivisor { shift, add } => -q.abs().log2() * f64::from(1 << shift) + add,
        };
        let smooth = self.smooth[usize::from(level > 0.0)];
        let last = self.smaller.len() as f64;
        if self.smaller.is_empty() || level <= 0.0 {
            return self.picture(memory, palette, [u, v], 0, smooth);
        }
        let level = level.min(last);
        if !self.between {
            return self.picture(memory, palette, [u, v], level.round() as usize, smooth);
        }
        // Four fraction bits take part in mixing.
        let share = (level.fract() * 16.0) as i32;
        let near = self.picture(memory, palette, [u, v], level as usize, smooth);
        if share == 0 {
            return near;
        }
        let far = self.picture(memory, palette, [u, v], level as usize + 1, smooth);
        std::array::from_fn(|channel| (near[channel] * (16 - share) + far[channel] * share) >> 4)
    }

    /// The colour of one of the pictures at a place in texels of the first.
    fn picture(&self, memory: &Memory, palette: &Palette, at: [f64; 2], number: usize, smooth: bool) -> Colour {
        let [u, v] = at.map(|at| at / f64::from(1_u32 << number));
        if !smooth {
            return self.texel(memory, palette, [u.floor() as i32, v.floor() as i32], number);
        }
        // Four fraction bits take part in mixing.
        let fixed = |at: f64| ((at - 0.5) * 16.0).floor() as i32;
        let (u, v) = (fixed(u), fixed(v));
        let (column, row) = (u >> 4, v >> 4);
        let (right, below) = (u & 15, v & 15);
        let [a, b, c, d] = [(0, 0), (1, 0), (0, 1), (1, 1)]
            .map(|(dx, dy)| self.texel(memory, palette, [column.wrapping_add(dx), row.wrapping_add(dy)], number));
        std::array::from_fn(|channel| {
            let upper = a[channel] * (16 - right) + b[channel] * right;
            let lower = c[channel] * (16 - right) + d[channel] * right;
            (upper * (16 - below) + lower * below) >> 8
        })
    }

    fn texel(&self, memory: &Memory, palette: &Palette, [u, v]: [i32; 2], number: usize) -> Colour {
        let (width, height) = ((self.sides.0 >> number).max(1), (self.sides.1 >> number).max(1));
        let (x, y) = (self.wraps[0].apply(u, width), self.wraps[1].apply(v, height));
        let surface = number.checked_sub(1).and_then(|number| self.smaller.get(number)).unwrap_or(&self.surface);
        let value = memory.read(surface, x, y);
        match self.surface.format.is_index() {
            true => self.colour(palette.format, palette.entries[(self.first_entry + value as usize) % ENTRIES]),
            false => self.colour(self.surface.format, value),
        }
    }

    fn colour(&self, format: Format, value: u32) -> Colour {
        let byte = |shift: u32| (value >> shift & 0xFF) as i32;
        let five = |shift: u32| ((value >> shift & 0x1F) << 3) as i32;
        match format.bits() {
            32 => [byte(0), byte(8), byte(16), byte(24)],
            24 => [byte(0), byte(8), byte(16), self.missing.of(value & 0xFF_FFFF, 0)],
            _ => [five(0), five(5), five(10), self.missing.of(value & 0xFFFF, (value >> 15 & 1) as usize)],
        }
    }

    /// Mixes a texel with the vertices' colour.
    pub fn mix(&self, texel: Colour, vertex: Colour) -> Colour {
        let modulated = |channel: usize| ((texel[channel] * vertex[channel]) >> 7).min(255);
        let lit = |channel: usize| (modulated(channel) + vertex[3]).min(255);
        let alpha = match (self.with_alpha, self.function) {
            (false, _) => vertex[3],
            (true, Function::Modulate) => modulated(3),
            (true, Function::Decal | Function::Highlight2) => texel[3],
            (true, Function::Highlight) => (texel[3] + vertex[3]).min(255),
        };
        match self.function {
            Function::Modulate => [modulated(0), modulated(1), modulated(2), alpha],
            Function::Decal => [texel[0], texel[1], texel[2], alpha],
            Function::Highlight | Function::Highlight2 => [lit(0), lit(1), lit(2), alpha],
        }
    }

    /// True when one of the texture's pages may be one of a buffer's between two lines.
    pub fn touches(&self, other: &Surface, lines: std::ops::Range<u32>) -> bool {
        let (columns, rows) = (self.sides.0 as u32, self.sides.1 as u32);
        let page_of = |surface: &Surface, x: u32, y: u32| {
            let (width, height) = surface.format.page();
            let page = (y >> height) * ((surface.width << 6) >> width).max(1) + (x >> width);
            surface.base / PAGE_BLOCKS + page
        };
        let mine = page_of(&self.surface, 0, 0)..=page_of(&self.surface, columns - 1, rows - 1);
        let theirs =
            page_of(other, 0, lines.start)..=page_of(other, (other.width << 6) - 1, lines.end.saturating_sub(1));
        mine.start() <= theirs.end() && theirs.start() <= mine.end()
    }
}

impl MissingAlpha {
    fn of(self, value: u32, bit: usize) -> i32 {
        if self.black_is_clear && value == 0 { 0 } else { self.values[bit] }
    }
}

/// TEX0's buffer.
fn surface_of(tex0: u64, doubts: &mut Doubts) -> Surface {
    Surface {
        base: bits(tex0, 0, 13) as u32,
        width: bits(tex0, 14, 19) as u32,
        format: doubts.format(bits(tex0, 20, 25), "texture format"),
    }
}

fn palette_format(tex0: u64, doubts: &mut Doubts) -> Format {
    doubts.format(bits(tex0, 51, 54), "palette format")
}

/// Entries of the palette's buffer.
const ENTRIES: usize = 512;

/// The palette's buffer inside the GS.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Palette {
    entries: [u32; ENTRIES],
    format: Format,
    /// What CBP0 and CBP1 remember.
    loaded_from: [Option<u64>; 2],
}

impl Default for Palette {
    fn default() -> Self {
        Self { entries: [0xDEAD_BEEF; ENTRIES], format: Format::Ct32, loaded_from: [None; 2] }
    }
}

impl Palette {
    /// What a write of TEX0 does to it; true when it was loaded.
    pub fn select(&mut self, tex0: u64, memory: &Memory, doubts: &mut Doubts) -> bool {
        let base = bits(tex0, 37, 50);
        let load = match bits(tex0, 61, 63) {
            0 => false,
            1 => true,
            order @ (2 | 3) => {
                self.loaded_from[order as usize - 2] = Some(base);
                true
            }
            order @ (4 | 5) => self.loaded_from[order as usize - 4].replace(base) != Some(base),
            _ => {
                doubts.add(Doubt::Reserved("palette load"));
                false
            }
        };
        let indices = surface_of(tex0, doubts).format;
        if !load || !indices.is_index() {
            return false;
        }
        doubts.add_if(bits(tex0, 55, 55) == 1, Doubt::Reserved("palette in a row"));
        let format = palette_format(tex0, doubts);
        self.format = format;
        let surface = Surface { base: base as u32, width: 1, format };
        let first = bits(tex0, 56, 60) as usize * 16;
        for index in 0..1_u32 << indices.bits() {
            let (x, y) = place(index);
            self.entries[(first + index as usize) % ENTRIES] = memory.read(&surface, x, y);
        }
        true
    }
}

/// Where an entry lies in memory: in rows of sixteen whose middle eights are swapped.
const fn place(index: u32) -> (u32, u32) {
    (index & 7 | (index & 16) >> 1, (index >> 5) * 2 + (index >> 3 & 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture(tex0: u64, tex1: u64, clamp: u64) -> Texture {
        let mut registers = Registers::default();
        registers.set(number::TEX0, tex0);
        registers.set(number::TEX1, tex1);
        registers.set(number::CLAMP, clamp);
        let mut doubts = Doubts::default();
        let texture = Texture::decode(&registers, 0, &mut doubts);
        assert!(doubts.is_empty(), "{doubts:?}");
        texture
    }

    /// 8 by 8 texels of 32 bits in a buffer of 64.
    const SMALL: u64 = 1 << 14 | 3 << 26 | 3 << 30 | 1 << 34;

    #[test]
    fn coordinates_beyond_the_texture_come_back_as_the_mode_says() {
        let modes = [Wrap::Repeat, Wrap::Clamp, Wrap::RegionClamp(2, 5), Wrap::RegionRepeat(1, 4)];
        assert_eq!(modes.map(|wrap| wrap.apply(-1, 8)), [7, 0, 2, 5]);
        assert_eq!(modes.map(|wrap| wrap.apply(10, 8)), [2, 7, 5, 4]);
    }

    #[test]
    fn smooth_textures_mix_four_texels_around_a_point() {
        let mut memory = Memory::with_leftovers();
        let surface = Surface { base: 0, width: 1, format: Format::Ct32 };
        for (x, y, value) in [(0, 0, 0), (1, 0, 160), (0, 1, 0), (1, 1, 160)] {
            memory.write(&surface, x, y, value);
        }
        let (smooth, nearest) = (texture(SMALL, 1 | 1 << 5, 5), texture(SMALL, 1, 5));
        let red = |texture: &Texture, u, v| texture.sample(&memory, &Palette::default(), u, v, 1.0)[0];
        assert_eq!((red(&smooth, 0.5, 0.5), red(&smooth, 1.0, 0.5), red(&smooth, 1.5, 1.0)), (0, 80, 160));
        assert_eq!((red(&nearest, 0.99, 0.5), red(&nearest, 1.0, 0.5)), (0, 160));
    }

    #[test]
    fn palettes_are_read_with_their_middle_eights_swapped() {
        let mut memory = Memory::with_leftovers();
        let surface = Surface { base: 64, width: 1, format: Format::Ct32 };
        for (y, x) in (0..16).flat_map(|y| (0..16).map(move |x| (y, x))) {
            memory.write(&surface, x, y, y * 16 + x);
        }
        let mut palette = Palette::default();
        let tex0 = 2 << 14 | 0x13 << 20 | 64 << 37 | 1 << 61;
        assert!(palette.select(tex0, &memory, &mut Doubts::default()));
        assert_eq!([0, 8, 16, 24, 32].map(|index| palette.entries[index]), [0, 16, 8, 24, 32]);
        assert!(!palette.select(tex0 & !(7 << 61), &memory, &mut Doubts::default()), "nothing is loaded unasked");
    }

    #[test]
    fn the_four_functions_mix_as_they_should() {
        let mixed = |function: u64| texture(SMALL | function << 35, 1, 0).mix([64, 128, 255, 40], [128, 64, 255, 100]);
        assert_eq!(mixed(0), [64, 64, 255, 31]);
        assert_eq!(mixed(1), [64, 128, 255, 40]);
        assert_eq!(mixed(2), [164, 164, 255, 140]);
        assert_eq!(mixed(3), [164, 164, 255, 40]);
        assert_eq!(texture(SMALL & !(1 << 34), 1, 0).mix([64; 4], [128, 128, 128, 9])[3], 9);
    }

    #[test]
    fn a_texture_of_few_pages_touches_only_what_lies_there() {
        let frame = Surface { base: 0, width: 10, format: Format::Ct32 };
        let at = |page: u64| texture(SMALL | (page * 32), 1, 0);
        assert!(at(139).touches(&frame, 0..448) && !at(140).touches(&frame, 0..448));
    }
}
