//! The layout of the GS's 4 MiB: the same in every video mode.
//!
//! Two frames and a depth buffer of 640x448 at 32 bits each take the first 420 pages; the rest holds textures.
//!
//! Source: support systems, Graphics and frame pacing; settled questions 29.

/// Pixels in a row of the picture.
pub const WIDTH: u32 = 640;
/// Lines of the picture.
pub const HEIGHT: u32 = 448;
/// Bytes in a page, the unit of frame and depth addresses.
pub const PAGE: u32 = 8192;
/// Bytes in a block, the unit of texture addresses.
pub const BLOCK: u32 = 256;
/// Blocks in a page.
pub const BLOCKS_PER_PAGE: u32 = PAGE / BLOCK;
/// Pages of a frame or of the depth buffer.
pub const FRAME_PAGES: u32 = WIDTH * HEIGHT * 4 / PAGE;
/// The first page of each frame.
pub const FRAMES: [u32; 2] = [0, FRAME_PAGES];
/// The first page of the depth buffer.
pub const DEPTH: u32 = 2 * FRAME_PAGES;
/// The first page of textures.
pub const TEXTURES: u32 = 3 * FRAME_PAGES;
/// Pages in all.
pub const PAGES: u32 = 4 * 1024 * 1024 / PAGE;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_is_the_seeds() {
        assert_eq!(FRAMES, [0, 0x8C]);
        assert_eq!(DEPTH, 0x118);
        assert_eq!((PAGES - TEXTURES) * PAGE, 753_664);
    }
}
