//! What a packet becomes in memory.

use super::*;
use crate::ee::gs::PixelFormat;
use crate::ee::gs::general::{Shape, TexFlush};

const TRIANGLE: Prim = Prim::new(Shape::Triangle).gouraud();

fn corner(x: u16) -> (Rgbaq, Xyz2) {
    (Rgbaq::new(1, 2, 3, 4), Xyz2::new(x, 5, 6))
}

#[test]
fn an_empty_chain_is_one_tag_and_the_finish_command() {
    let mut memory = [Line::default(); 4];
    let chain = Packet::new(&mut memory).finish();
    assert_eq!(chain.quads, 3);
    assert_eq!(memory[0].0[0], Quad([0x7000_0002, 0, 0, 0]));
    assert_eq!(memory[0].0[1], Quad([0x8001, 0x1000_0000, 0xE, 0]));
    assert_eq!(memory[0].0[2], Quad([0, 0, 0x61, 0]));
}

#[test]
fn a_frames_chain_carries_its_token_right_before_the_finish_command() {
    let mut memory = [Line::default(); 4];
    let chain = Packet::new(&mut memory).finish_with(0x41);
    assert_eq!(chain.quads, 4);
    assert_eq!(memory[0].0[1], Quad([0x8002, 0x1000_0000, 0xE, 0]), "one tag for both");
    assert_eq!(memory[0].0[2], Quad([0x41, u32::MAX, 0x62, 0]));
    assert_eq!(memory[0].0[3], Quad([0, 0, 0x61, 0]));
}

#[test]
fn triangles_in_a_row_share_a_tag_and_a_primitive() {
    let mut memory = [Line::default(); 16];
    let mut packet = Packet::new(&mut memory);
    packet.colour(TRIANGLE, [corner(1), corner(2), corner(3)]);
    packet.colour(TRIANGLE, [corner(4), corner(5), corner(6)]);
    let chain = packet.finish();
    // DMA tag, PRIM and its tag, the vertices and their tag, FINISH and its tag.
    assert_eq!(chain.quads, 1 + 2 + 1 + 6 + 2);
    assert_eq!(memory[0].0[2], Quad([0x0B, 0, 0, 0]));
    assert_eq!(memory[0].0[3], Quad([6, 0x2400_0000, 0x51, 0]));
    assert_eq!(memory[1].0[0], Quad([0x0403_0201, 0x3F80_0000, 0x0005_0001, 6]));
}

#[test]
fn many_sprites_at_once_are_the_same_packet_as_one_by_one() {
    use crate::ee::gs::general::Shape;
    const SPRITE: Prim = Prim::new(Shape::Sprite).texel_coordinates();
    let corner = |n: u16| (Rgbaq::new(n as u8, 2, 3, 4), Uv::new(n, 5), Xyz2::new(n, 6, 0));
    let (mut single, mut many) = ([Line::default(); 16], [Line::default(); 16]);
    let mut packet = Packet::new(&mut single);
    for n in 0..3 {
        packet.texels(SPRITE, [corner(n), corner(n + 100)]);
    }
    let one_by_one = packet.finish();
    let mut packet = Packet::new(&mut many);
    packet.sprites(SPRITE, 3, |places| {
        for (n, sprite) in (0..3).zip(places.chunks_exact_mut(SPRITE_QUADS)) {
            let corners = [corner(n), corner(n + 100)];
            for ((colour, texel, place), quads) in corners.into_iter().zip(sprite.chunks_exact_mut(2)) {
                (quads[0], quads[1]) = (Quad::pair(colour.0, texel.0), Quad::pair(place.0, 0));
            }
        }
    });
    assert_eq!(packet.finish().quads, one_by_one.quads);
    assert_eq!(single, many);
}

#[test]
fn many_triangles_fill_one_tag_and_drop_what_does_not_fit() {
    let mut memory = [Line::default(); 6];
    let mut packet = Packet::new(&mut memory);
    let triangle = [Quad([1, 2, 3, 4]); 3];
    packet.triangles(TRIANGLE, |triangles| {
        for _ in 0..5 {
            triangles.push(triangle.each_ref());
        }
    });
    let chain = packet.finish();
    assert_eq!(chain.dropped, 1, "12 of 24 quadwords are left for triangles");
    assert_eq!(memory[0].0[3], Quad([12, 0x2400_0000, 0x51, 0]));
    assert_eq!(memory[1].0[0], triangle[0]);
}

#[test]
fn an_upload_splits_the_chain_around_a_reference() {
    let mut memory = [Line::default(); 16];
    let data = [Line::default(); 4];
    let mut packet = Packet::new(&mut memory);
    packet.upload(BitBltBuf::upload(0x3480, 64, PixelFormat::Ct32), (8, 8), &data);
    packet.set(TexFlush::default());
    let chain = packet.finish();
    let quad = |index: usize| memory[index / 4].0[index % 4];
    assert_eq!(quad(0).0[0], 0x1000_0006, "tag, four registers, image tag");
    assert_eq!(quad(6), Quad([16, 0x0800_0000, 0, 0]));
    assert_eq!(quad(7), Quad([0x3000_0010, data.as_ptr() as usize as u32, 0, 0]));
    assert_eq!(quad(8).0[0], 0x7000_0003, "tag, flush, finish");
    assert_eq!(chain.quads, 12);
}

#[test]
fn a_long_stretch_is_cut_so_that_every_tag_can_count_it() {
    let mut memory = alloc::vec![Line::default(); 20_000];
    let mut packet = Packet::new(&mut memory);
    while packet.dropped() == 0 {
        packet.colour(TRIANGLE, [corner(1), corner(2), corner(3)]);
    }
    let chain = packet.finish();
    let (mut at, mut tags) = (0, 0);
    loop {
        let tag = memory[at / 4].0[at % 4].0[0];
        (at, tags) = (at + 1 + (tag & 0xFFFF) as usize, tags + 1);
        if tag >> 28 == 7 {
            break;
        }
        assert_eq!(tag >> 28, 1, "the chain goes on");
    }
    assert_eq!((at, tags), (chain.quads, 3), "no tag counts less than it has");
}

#[test]
fn a_full_buffer_counts_what_it_drops_and_still_ends() {
    let mut memory = [Line::default(); 6];
    let mut packet = Packet::new(&mut memory);
    for _ in 0..10 {
        packet.colour(TRIANGLE, [corner(1), corner(2), corner(3)]);
    }
    let chain = packet.finish();
    assert_eq!(chain.dropped, 7);
    assert!(chain.quads <= 24, "{} quadwords", chain.quads);
    assert_eq!(memory[0].0[0].0[0] >> 28, 7, "the chain ends");
}
