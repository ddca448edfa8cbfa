//! Strokes to pictures of distances.

use super::strokes;
use crate::graphics::texture::Image;
use crate::maths::scalar;

/// How a glyph sits in its cell of a picture, in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// From the cell's left edge to the grid's first column.
    pub left: f32,
    /// From the cell's upper edge to the grid's first row.
    pub top: f32,
    /// Between two columns of the grid.
    pub step_x: f32,
    /// Between two rows of the grid.
    pub step_y: f32,
    /// Distance from a stroke's middle at which the picture's value reaches 0; on the stroke it is 255.
    pub reach: f32,
}

/// Draws a glyph's distances into the cell of `size` pixels at `corner`; where something brighter is, that stays.
pub fn draw(image: &mut Image, corner: (u32, u32), size: (u32, u32), cell: &Cell, glyph: &'static str) {
    for ((x0, y0), (x1, y1)) in strokes::segments(glyph) {
        let place = |x: f32, y: f32| (cell.left + x * cell.step_x, cell.top + y * cell.step_y);
        let (from, to) = (place(x0, y0), place(x1, y1));
        let span = |a: f32, b: f32, end: u32| {
            let low = (a.min(b) - cell.reach).max(0.0) as u32;
            let high = ((a.max(b) + cell.reach + 1.0).max(0.0) as u32).min(end);
            low..high
        };
        for y in span(from.1, to.1, size.1) {
            for x in span(from.0, to.0, size.0) {
                let distance = distance_to((x as f32 + 0.5, y as f32 + 0.5), from, to);
                let value = 255.0 * (1.0 - distance / cell.reach).max(0.0);
                image.raise(corner.0 + x, corner.1 + y, value as u8);
            }
        }
    }
}

/// Distance of a point from a line's piece.
fn distance_to(point: (f32, f32), from: (f32, f32), to: (f32, f32)) -> f32 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (px, py) = (point.0 - from.0, point.1 - from.1);
    let length_squared = dx * dx + dy * dy;
    let along = if length_squared > 0.0 { ((px * dx + py * dy) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    let (ex, ey) = (px - along * dx, py - along * dy);
    scalar::sqrt(ex * ex + ey * ey)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_measured_to_the_nearest_point_of_the_piece() {
        assert_eq!(distance_to((1.0, 3.0), (0.0, 0.0), (4.0, 0.0)), 3.0);
        assert_eq!(distance_to((7.0, 4.0), (0.0, 0.0), (4.0, 0.0)), 5.0);
        assert_eq!(distance_to((3.0, 4.0), (0.0, 0.0), (0.0, 0.0)), 5.0);
    }

    #[test]
    fn the_value_falls_from_the_stroke_to_the_reach() {
        let mut image = Image::from_fn(64, 64, |_, _| 0);
        let cell = Cell { left: 16.5, top: 8.5, step_x: 8.0, step_y: 6.0, reach: 8.0 };
        draw(&mut image, (0, 0), (64, 64), &cell, strokes::glyph('|'));
        assert_eq!(image.texel(32, 20), 255);
        assert_eq!(image.texel(36, 20), 127);
        assert_eq!(image.texel(40, 20), 0);
    }
}
