//! What the console's browser shows of the save: a title, and a lifebuoy that turns.
//!
//! Both files are computed piece by piece, so that they can be written and compared without memory for the whole.
//!
//! Source: the public descriptions of the browser's save icons (icon.sys and its models).

use crate::maths::scalar::{cos, sin};
use core::f32::consts::TAU;

/// The description's name in the folder.
pub const SYSTEM_NAME: &str = "icon.sys";
/// The model's name in the folder.
pub const MODEL_NAME: &str = "buoy.icn";
/// Bytes of the description.
pub const SYSTEM_BYTES: usize = 964;

/// The title's two lines.
const TITLE: (&str, &str) = ("Boardwalk", "Progress");
/// Bytes of the title's field.
const TITLE_BYTES: usize = 68;
/// Bytes of a model's name.
const NAME_BYTES: usize = 64;
/// The background's strength, 0 to 128.
const BACKGROUND: u32 = 0x60;
/// The background's colours: upper left and right, lower left and right.
const CORNERS: [[u32; 3]; 4] = [[14, 14, 40], [40, 20, 64], [70, 44, 40], [20, 24, 60]];
/// The lights' directions and colours, and the light from everywhere.
const LIGHTS: [([f32; 3], [f32; 3]); 3] =
    [([0.5, 0.5, 0.5], [0.6, 0.5, 0.4]), ([-0.6, -0.2, 0.4], [0.2, 0.25, 0.45]), ([0.0, -0.6, -0.4], [0.15; 3])];
const AMBIENT: [f32; 3] = [0.35; 3];

/// Writes little-endian values one after the other.
struct Writer<'a> {
    bytes: &'a mut [u8],
    at: usize,
}

impl Writer<'_> {
    fn put(&mut self, bytes: &[u8]) {
        if let Some(place) = self.bytes.get_mut(self.at..self.at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
        self.at += bytes.len();
    }
    fn word(&mut self, value: u32) {
        self.put(&value.to_le_bytes());
    }
    fn half(&mut self, value: u16) {
        self.put(&value.to_le_bytes());
    }
    fn four(&mut self, [x, y, z]: [f32; 3]) {
        for value in [x, y, z, 0.0] {
            self.put(&value.to_le_bytes());
        }
    }
    fn field(&mut self, text: &[u8], bytes: usize) {
        let end = self.at + bytes;
        self.put(text);
        self.at = end;
    }
}

/// A letter as the browser's two bytes.
fn wide(letter: u8) -> [u8; 2] {
    const SPACE: u16 = 0x8140;
    let code = match letter {
        b'0'..=b'9' => 0x824f + u16::from(letter - b'0'),
        b'A'..=b'Z' => 0x8260 + u16::from(letter - b'A'),
        b'a'..=b'z' => 0x8281 + u16::from(letter - b'a'),
        _ => SPACE,
    };
    code.to_be_bytes()
}

/// The description.
pub fn system() -> [u8; SYSTEM_BYTES] {
    let mut bytes = [0; SYSTEM_BYTES];
    let mut out = Writer { bytes: &mut bytes, at: 0 };
    out.put(b"PS2D");
    out.half(0);
    out.half(2 * TITLE.0.len() as u16);
    out.word(0);
    out.word(BACKGROUND);
    for [red, green, blue] in CORNERS {
        for value in [red, green, blue, 0] {
            out.word(value);
        }
    }
    for (direction, _) in LIGHTS {
        out.four(direction);
    }
    for (_, colour) in LIGHTS {
        out.four(colour);
    }
    out.four(AMBIENT);
    let end = out.at + TITLE_BYTES;
    for letter in TITLE.0.bytes().chain(TITLE.1.bytes()) {
        out.put(&wide(letter));
    }
    out.at = end;
    // The model for showing, for copying and for deleting.
    for _ in 0..3 {
        out.field(MODEL_NAME.as_bytes(), NAME_BYTES);
    }
    bytes
}

/// Pieces around the ring, and around its tube.
const AROUND: usize = 12;
const TUBE: usize = 6;
/// The ring's radius and its tube's, in the model's units; the model stands on 0.
const RING: f32 = 2.4;
const THICK: f32 = 0.8;
/// Fixed-point steps of a unit, and of a normal and of a texture coordinate.
const UNIT: f32 = 1024.0;
const ONE: f32 = 4096.0;
/// Two triangles a piece.
const VERTICES: usize = AROUND * TUBE * 6;
const HEADER_BYTES: usize = 20;
const VERTEX_BYTES: usize = 24;
/// One shape, one key: the model does not move by itself.
const ANIMATION_BYTES: usize = 20 + 16;
/// Two runs of 16-bit pixels: the texture is white, the stripes are in the vertices' colours.
const TEXTURE_SIDE: usize = 128;
const TEXTURE_BYTES: usize = 4 + 4;
/// Bytes of the model.
pub const MODEL_BYTES: usize = HEADER_BYTES + VERTICES * VERTEX_BYTES + ANIMATION_BYTES + TEXTURE_BYTES;

/// Bytes `from..from + bytes.len()` of the model.
pub fn model(from: usize, bytes: &mut [u8]) {
    let end = from + bytes.len();
    let mut piece = [0; 36];
    let mut at = 0;
    // Header, vertices, animation, texture: whatever of them the window shows.
    let parts = (0..VERTICES).map(Part::Vertex);
    for part in [Part::Header].into_iter().chain(parts).chain([Part::Animation, Part::Texture]) {
        let length = part.length();
        if at + length > from && at < end {
            part.write(&mut piece[..length]);
            for (index, byte) in piece[..length].iter().enumerate() {
                if let Some(place) = (at + index).checked_sub(from).and_then(|index| bytes.get_mut(index)) {
                    *place = *byte;
                }
            }
        }
        at += length;
    }
}

#[derive(Clone, Copy)]
enum Part {
    Header,
    Vertex(usize),
    Animation,
    Texture,
}

impl Part {
    const fn length(self) -> usize {
        match self {
            Self::Header => HEADER_BYTES,
            Self::Vertex(_) => VERTEX_BYTES,
            Self::Animation => ANIMATION_BYTES,
            Self::Texture => TEXTURE_BYTES,
        }
    }

    fn write(self, bytes: &mut [u8]) {
        const MAGIC: u32 = 0x0001_0000;
        const COMPRESSED_TEXTURE: u32 = 0x0f;
        const WHITE: u16 = 0x7fff;
        let one = 1.0_f32.to_bits();
        let mut out = Writer { bytes, at: 0 };
        match self {
            Self::Header => {
                for word in [MAGIC, 1, COMPRESSED_TEXTURE, one, VERTICES as u32] {
                    out.word(word);
                }
            }
            Self::Vertex(index) => vertex(index, &mut out),
            // Tag, length in frames, speed, first frame, frames; then shape, keys, and the key's time and value.
            Self::Animation => {
                for word in [1, 1, one, 0, 1, 0, 1, 0, one] {
                    out.word(word);
                }
            }
            // The bytes that follow, then one run of the whole texture.
            Self::Texture => {
                out.word(4);
                out.half((TEXTURE_SIDE * TEXTURE_SIDE) as u16);
                out.half(WHITE);
            }
        }
    }
}

/// A vertex: where it is, where it faces, where on the texture, its colour.
fn vertex(index: usize, out: &mut Writer<'_>) {
    const CORNERS: [(usize, usize); 6] = [(0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)];
    let (piece, corner) = (index / CORNERS.len(), CORNERS[index % CORNERS.len()]);
    let (around, tube) = (piece / TUBE, piece % TUBE);
    let a = (around + corner.0) as f32 * (TAU / AROUND as f32);
    let t = (tube + corner.1) as f32 * (TAU / TUBE as f32);
    // The browser's y grows downwards.
    let normal = [cos(a) * cos(t), sin(a) * cos(t), sin(t)];
    let reach = RING + THICK * cos(t);
    let place = [cos(a) * reach, sin(a) * reach - (RING + THICK), sin(t) * THICK];
    for value in place {
        out.half((value * UNIT) as i16 as u16);
    }
    out.half(UNIT as u16);
    for value in normal {
        out.half((value * ONE) as i16 as u16);
    }
    out.half(0);
    out.half((ONE * 0.5) as u16);
    out.half((ONE * 0.5) as u16);
    let red = around % 3 == 0;
    out.put(if red { &[0xd8, 0x30, 0x28, 0x80] } else { &[0xf4, 0xee, 0xe4, 0x80] });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    #[test]
    fn the_description_has_its_fields_where_the_browser_looks() {
        let bytes = system();
        assert_eq!(bytes[..4], *b"PS2D");
        assert_eq!(u16::from_le_bytes([bytes[6], bytes[7]]), 18, "the second line begins behind nine letters");
        assert_eq!(bytes[192..196], [0x82, 0x61, 0x82, 0x8f], "Bo");
        for at in [260, 324, 388] {
            assert_eq!(bytes[at..at + MODEL_NAME.len()], *MODEL_NAME.as_bytes());
        }
        assert!(bytes[452..].iter().all(|byte| *byte == 0));
    }

    #[test]
    fn the_model_is_the_same_in_one_piece_and_in_many() {
        let mut whole = vec![0; MODEL_BYTES];
        model(0, &mut whole);
        for (index, piece) in whole.chunks(100).enumerate() {
            let mut bytes = vec![0xaa; piece.len()];
            model(index * 100, &mut bytes);
            assert_eq!(bytes, piece, "piece {index}");
        }
        let word = |at: usize| u32::from_le_bytes(whole[at..at + 4].try_into().unwrap());
        assert_eq!((word(0), word(4), word(16) as usize), (0x1_0000, 1, VERTICES));
        assert_eq!(word(HEADER_BYTES + VERTICES * VERTEX_BYTES), 1, "the animation's tag");
    }

    #[test]
    fn every_vertex_is_within_the_browsers_cube() {
        let mut whole = vec![0; MODEL_BYTES];
        model(0, &mut whole);
        let mut low = i16::MAX;
        for vertex in whole[HEADER_BYTES..].chunks(VERTEX_BYTES).take(VERTICES) {
            let place = [0, 2, 4].map(|at| i16::from_le_bytes([vertex[at], vertex[at + 1]]));
            assert!(place.iter().all(|value| value.abs() <= 7 * 1024), "{place:?}");
            low = low.min(place[1]);
        }
        assert!(low < -6000, "it stands on the floor and reaches up: {low}");
    }
}
