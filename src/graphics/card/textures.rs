//! The card's textures: one or more of each format.

use super::super::texture_file::{Format, name, write, write_pictures};
use crate::ee::gif::Quad;
use crate::graphics::wave::noise;
use alloc::vec;
use alloc::vec::Vec;

/// A board of two colours with its first field marked, 256 colours.
pub const BOARD: u32 = name("card/board");
/// The same with 16 colours.
pub const BOARD_16: u32 = name("card/board-16");
/// The same with a colour for each texel.
pub const BOARD_32: u32 = name("card/board-32");
/// The board of 256 colours with two smaller pictures: a red one and a yellow one.
pub const BOARD_SMALLER: u32 = name("card/board-smaller");
/// Bricks of 256 colours.
pub const BRICKS: u32 = name("card/bricks");
/// A net with holes, 16 colours.
pub const NET: u32 = name("card/net");
/// A soft round spot of light, 256 colours.
pub const SPOT: u32 = name("card/spot");

/// Log2 of the textures' sides.
const LOG2: (u8, u8) = (6, 6);
const SIDE: u32 = 64;

/// Red, green, blue and alpha, 0x80 for 1.0.
const fn colour(red: u8, green: u8, blue: u8, alpha: u8) -> u32 {
    u32::from_le_bytes([red, green, blue, alpha])
}

fn texels(texel: impl Fn(u32, u32) -> u32) -> Vec<u32> {
    (0..SIDE * SIDE).map(|at| texel(at % SIDE, at / SIDE)).collect()
}

/// Which of the board's colours a texel has: 0 and 1 the fields, 2 the mark, 3 the frame.
fn board(x: u32, y: u32) -> u32 {
    let frame = x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1;
    match (x / 8, y / 8) {
        _ if frame => 3,
        (0, 0) => 2,
        (column, row) => (column + row) % 2,
    }
}

const BOARD_COLOURS: [u32; 4] =
    [colour(208, 200, 180, 0x80), colour(60, 84, 120, 0x80), colour(220, 60, 40, 0x80), colour(240, 200, 60, 0x80)];

/// Every texture of the card as it would lie in a file.
pub fn all() -> Vec<Vec<Quad>> {
    // A palette of many shades shows that entries are not mixed up.
    let shades: Vec<u32> = (0..=255_u32).map(|i| colour(i as u8, (i * 3 / 4) as u8, (i / 2) as u8, 0x80)).collect();
    let mut board_256 = shades.clone();
    board_256.splice(0..4, BOARD_COLOURS);
    let brick = |x: u32, y: u32| {
        let shifted = x + y / 16 % 2 * 16;
        let mortar = y % 16 < 2 || shifted % 32 < 2;
        let grain = (noise(x * 64 + y) * 40.0) as u32;
        if mortar { 60 + grain / 2 } else { 150 + grain + (noise(shifted / 32 + y / 16 * 7) * 50.0) as u32 }
    };
    let net = |x: u32, y: u32| u32::from((x + y) % 16 < 4 || (x + SIDE - y) % 16 < 4);
    let spot = |x: u32, y: u32| {
        let (dx, dy) = (x as f32 - 31.5, y as f32 - 31.5);
        let left = (1.0 - (dx * dx + dy * dy) / (31.0 * 31.0)).max(0.0);
        (left * left * 255.0) as u32
    };
    let glow: Vec<u32> = (0..=255_u32).map(|i| colour(255, 255, 255, (i / 2) as u8)).collect();
    let smaller = [texels(board), vec![2; 32 * 32], vec![3; 16 * 16]];
    let files = [
        write_pictures(BOARD_SMALLER, Format::Index8, LOG2, &[&smaller[0], &smaller[1], &smaller[2]], &board_256),
        write(BOARD, Format::Index8, LOG2, &texels(board), &board_256),
        write(BOARD_16, Format::Index4, LOG2, &texels(board), &BOARD_COLOURS),
        write(BOARD_32, Format::Colour32, LOG2, &texels(|x, y| BOARD_COLOURS[board(x, y) as usize]), &[]),
        write(BRICKS, Format::Index8, LOG2, &texels(brick), &shades),
        write(NET, Format::Index4, LOG2, &texels(net), &[colour(90, 90, 90, 0), colour(200, 200, 190, 0x80)]),
        write(SPOT, Format::Index8, LOG2, &texels(spot), &glow),
    ];
    files.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_texture_is_there() {
        assert_eq!(super::all().len(), 7);
    }
}
