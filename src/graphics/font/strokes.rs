//! The letters as strokes.
//!
//! A glyph is a text of strokes separated by commas; a stroke is a row of points, each two digits: the column from 0 to 4
//! and the row from 0 (the capitals' top) to 8 (the line they stand on), 9 for what hangs below. Small letters are drawn
//! as capitals.

/// Columns of the grid that a letter spans.
pub const GRID_WIDTH: f32 = 4.0;
/// Rows of the grid from a capital's top to its foot.
pub const GRID_HEIGHT: f32 = 8.0;

/// A stroke's piece: from a point to a point of the grid.
pub type Segment = ((f32, f32), (f32, f32));

/// The strokes of a character; one that the face lacks is a box.
pub const fn glyph(character: char) -> &'static str {
    match character.to_ascii_uppercase() {
        ' ' => "",
        'A' => "08 02 20 42 48,05 45",
        'B' => "00 30 41 43 34 04,34 45 47 38 08 00",
        'C' => "41 30 10 01 07 18 38 47",
        'D' => "00 30 41 47 38 08 00",
        'E' => "40 00 08 48,04 34",
        'F' => "40 00 08,04 34",
        'G' => "41 30 10 01 07 18 38 47 44 24",
        'H' => "00 08,40 48,04 44",
        'I' => "20 28,10 30,18 38",
        'J' => "40 47 38 18 07",
        'K' => "00 08,40 04 48",
        'L' => "00 08 48",
        'M' => "08 00 24 40 48",
        'N' => "08 00 48 40",
        'O' => "10 30 41 47 38 18 07 01 10",
        'P' => "08 00 30 41 43 34 04",
        'Q' => "10 30 41 47 38 18 07 01 10,26 49",
        'R' => "08 00 30 41 43 34 04,24 48",
        'S' => "41 30 10 01 03 14 34 45 47 38 18 07",
        'T' => "00 40,20 28",
        'U' => "00 07 18 38 47 40",
        'V' => "00 28 40",
        'W' => "00 08 24 48 40",
        'X' => "00 48,40 08",
        'Y' => "00 24 40,24 28",
        'Z' => "00 40 08 48",
        '0' => "10 30 41 47 38 18 07 01 10,23 25",
        '1' => "12 20 28,18 38",
        '2' => "01 10 30 41 43 08 48",
        '3' => "00 40 23 33 44 47 38 18 07",
        '4' => "38 30 05 45",
        '5' => "40 00 03 33 44 47 38 18 07",
        '6' => "41 30 10 01 07 18 38 47 45 34 14 05",
        '7' => "00 40 18",
        '8' => "14 03 01 10 30 41 43 34 14 05 07 18 38 47 45 34",
        '9' => "43 34 14 03 01 10 30 41 47 38 18 07",
        '.' => "27 28",
        ',' => "27 19",
        ':' => "22 23,26 27",
        ';' => "22 23,26 18",
        '!' => "20 25,27 28",
        '?' => "01 10 30 41 42 24 25,27 28",
        '\'' => "20 22",
        '"' => "10 12,30 32",
        '`' => "10 22",
        '-' => "04 44",
        '_' => "08 48",
        '+' => "04 44,22 26",
        '=' => "03 43,05 45",
        '*' => "04 44,13 35,33 15",
        '/' => "40 08",
        '\\' => "00 48",
        '|' => "20 28",
        '(' => "30 12 16 38",
        ')' => "10 32 36 18",
        '[' => "30 10 18 38",
        ']' => "10 30 38 18",
        '{' => "30 20 23 14 25 28 38",
        '}' => "10 20 23 34 25 28 18",
        '<' => "41 04 47",
        '>' => "01 44 07",
        '^' => "03 20 43",
        '~' => "04 13 35 44",
        '#' => "10 18,30 38,03 43,05 45",
        '%' => "40 08,00 11,37 48",
        '&' => "48 11 10 20 21 05 07 18 28 46",
        '@' => "45 25 23 33 35 44 41 30 10 01 07 18 48",
        '$' => "41 01 04 44 47 07,20 28",
        _ => "00 40 48 08 00",
    }
}

/// The pieces of a glyph's strokes, in grid units.
pub fn segments(glyph: &'static str) -> impl Iterator<Item = Segment> {
    glyph.split(',').flat_map(|stroke| {
        let points = stroke.split(' ').filter_map(point);
        points.clone().zip(points.skip(1))
    })
}

fn point(text: &str) -> Option<(f32, f32)> {
    let digit = |index: usize| text.as_bytes().get(index).map(|digit| f32::from(digit.wrapping_sub(b'0')));
    Some((digit(0)?, digit(1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_stays_on_the_grid_and_is_made_of_pieces() {
        for character in '!'..='~' {
            let pieces: std::vec::Vec<Segment> = segments(glyph(character)).collect();
            assert!(!pieces.is_empty(), "'{character}' has no stroke");
            for ((x0, y0), (x1, y1)) in pieces {
                let on_grid = |x: f32, y: f32| (0.0..=4.0).contains(&x) && (0.0..=9.0).contains(&y);
                assert!(on_grid(x0, y0) && on_grid(x1, y1), "'{character}' leaves the grid");
            }
        }
    }

    #[test]
    fn letters_that_are_easily_confused_differ() {
        for (a, b) in [('O', '0'), ('I', '1'), ('S', '5'), ('B', '8'), ('Z', '2')] {
            assert_ne!(glyph(a), glyph(b));
        }
    }
}
