//! Transforms, fogs and lights the vertices of a mesh into quadwords that a packet takes as they are.
//!
//! Two kernels: [`transform`] keeps the vertices' colours, [`light`] multiplies them with the light of one sun and four lamps
//! that were turned into the mesh's own coordinates. A result is what the GIF's packed format expects: conversion to a fixed
//! point with four fraction bits puts depth and fog where XYZF2 has them.
//!
//! Source: EE facts, sections 3 and 8; hardware facts, section 6.

pub mod placing;
pub mod twins;

use crate::ee::gif::Quad;

/// A vertex of a mesh, as it lies in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct Vertex {
    /// Where it is, in metres.
    pub position: [f32; 3],
    /// Red, green, blue and alpha, lowest byte first.
    pub colour: u32,
    /// Texture coordinates, 1.0 the whole texture.
    pub texture: [f32; 2],
    /// The normal's x, y and z as signed bytes, lowest first, 127 for 1.0.
    pub normal: u32,
    /// 0.
    pub spare: u32,
}

impl Vertex {
    /// Quadwords as vertices, two for each; an incomplete last one is left out.
    pub const fn of_quads(quads: &[Quad]) -> &[Self] {
        // SAFETY: a vertex is two quadwords without padding, aligned like them, and every pattern of bits is one.
        unsafe { core::slice::from_raw_parts(quads.as_ptr().cast(), quads.len() / 2) }
    }

    /// The quadwords that hold it.
    pub const fn to_quads(self) -> [Quad; 2] {
        let [x, y, z] = self.position;
        let [s, t] = self.texture;
        [
            Quad([x.to_bits(), y.to_bits(), z.to_bits(), self.colour]),
            Quad([s.to_bits(), t.to_bits(), self.normal, self.spare]),
        ]
    }
}

/// A vertex that was transformed: what the packet takes, and what cutting needs. One cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub struct Transformed {
    /// Texture coordinates and 1, all divided by the distance; the fourth word means nothing.
    pub texture: [f32; 4],
    /// Red, green, blue and alpha of 0-255.
    pub colour: [i32; 4],
    /// Plane x and y, depth and fog, each with four fraction bits.
    pub point: [i32; 4],
    /// Plane x and y and depth, each times the distance, and the distance in metres.
    pub clip: [f32; 4],
}

/// What both kernels compute with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct Constants {
    /// Rows of a matrix for row vectors: a point `(x, y, z, 1)` times them is (plane x, plane y, depth, 1) times the distance.
    pub rows: [[f32; 4]; 4],
    /// 255, the least fog factor, fog a metre (at most 0), and fog at no distance; a factor of 255 is no fog.
    pub fog: [f32; 4],
    /// What is added to the texture coordinates; the last two are 0.
    pub scroll: [f32; 4],
}

/// Directions to lights in a mesh's own coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct Directions {
    /// The x, the y and the z of the directions to four lamps, scaled by [`NORMAL_SCALE`].
    pub lamps: [[f32; 4]; 3],
    /// The direction to the sun, scaled likewise; the fourth is 0.
    pub sun: [f32; 4],
}

/// How bright lights are, whichever way a mesh is turned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct Shades {
    /// What is added to a lamp's cosine.
    pub wrap: [f32; 4],
    /// The lamps' colours, the fourth of each 0.
    pub lamp_colours: [[f32; 4]; 4],
    /// The sun's colour, the fourth 0.
    pub sun_colour: [f32; 4],
    /// Light from everywhere, the fourth 1: it keeps the alpha.
    pub ambient: [f32; 4],
}

/// What a direction is multiplied by: the kernel reads a normal's byte as 512 times its value.
pub const NORMAL_SCALE: f32 = 1.0 / (127.0 * 512.0);

/// Fraction steps of the packed format.
const STEPS: f32 = 16.0;

/// The definition of [`transform`], up to the last bits of roundings.
pub fn transform_scalar(constants: &Constants, vertices: &[Vertex], out: &mut [Transformed]) {
    for (vertex, place) in vertices.iter().zip(out) {
        *place = place_of(constants, vertex, vertex.colour.to_le_bytes().map(i32::from));
    }
}

/// The definition of [`light`], up to the last bits of roundings.
pub fn light_scalar(
    constants: &Constants,
    (directions, shades): (&Directions, &Shades),
    vertices: &[Vertex],
    out: &mut [Transformed],
) {
    for (vertex, place) in vertices.iter().zip(out) {
        let [nx, ny, nz, _] = vertex.normal.to_le_bytes().map(|byte| f32::from(byte as i8) * 512.0);
        let [lx, ly, lz] = &directions.lamps;
        let facing: [f32; 4] =
            core::array::from_fn(|lamp| (shades.wrap[lamp] + lx[lamp] * nx + ly[lamp] * ny + lz[lamp] * nz).max(0.0));
        let [sun_x, sun_y, sun_z, _] = directions.sun;
        let sun = (sun_x * nx + sun_y * ny + sun_z * nz).max(0.0);
        let colour = core::array::from_fn(|channel| {
            let lamps: f32 = (0..4).map(|lamp| shades.lamp_colours[lamp][channel] * facing[lamp]).sum();
            let light = shades.ambient[channel] + lamps + shades.sun_colour[channel] * sun;
            (light * f32::from(vertex.colour.to_le_bytes()[channel])).min(constants.fog[0]) as i32
        });
        *place = place_of(constants, vertex, colour);
    }
}

/// A vertex with its colour in its place on the picture.
fn place_of(constants: &Constants, vertex: &Vertex, colour: [i32; 4]) -> Transformed {
    let [x, y, z] = vertex.position;
    let [r0, r1, r2, r3] = &constants.rows;
    let clip: [f32; 4] = core::array::from_fn(|i| x * r0[i] + y * r1[i] + z * r2[i] + r3[i]);
    let distance = clip[3];
    let inverse = 1.0 / distance;
    let [most, least, slope, base] = constants.fog;
    let fog = (base + distance * slope).min(most).max(least);
    let fixed = |value: f32| (value * STEPS) as i32;
    let [s, t] = vertex.texture;
    Transformed {
        texture: [(s + constants.scroll[0]) * inverse, (t + constants.scroll[1]) * inverse, inverse, 0.0],
        colour,
        point: [fixed(clip[0] * inverse), fixed(clip[1] * inverse), fixed(clip[2] * inverse), fixed(fog)],
        clip,
    }
}

/// Transforms vertices that keep their colours; the shorter slice decides how many.
#[cfg(not(target_arch = "mips"))]
pub fn transform(constants: &Constants, vertices: &[Vertex], out: &mut [Transformed]) {
    transform_scalar(constants, vertices, out);
}

/// Transforms and lights vertices; the shorter slice decides how many.
#[cfg(not(target_arch = "mips"))]
pub fn light(constants: &Constants, lights: (&Directions, &Shades), vertices: &[Vertex], out: &mut [Transformed]) {
    light_scalar(constants, lights, vertices, out);
}

#[cfg(target_arch = "mips")]
pub use kernels::{light, transform};

#[cfg(target_arch = "mips")]
mod kernels {
    use super::{Constants, Directions, Shades, Transformed, Vertex};
    use crate::ee::encode::mmi::{pextlb, pextlh};
    use crate::ee::encode::vu0::{
        Dest, Field, VWAITQ, qmtc2, vadd, vadd_bc, vadd_q, vdiv, vftoi0, vftoi4, vitof0, vitof15, vmadd_bc, vmadda_bc,
        vmax_bc, vmini_bc, vmul, vmul_q, vmula_bc,
    };
    use crate::ee::encode::{lqc2, sq, sqc2};
    use core::arch::asm;

    // Vector registers that both kernels use: what stays, then a vertex on its way.
    const ROW: [u32; 4] = [1, 2, 3, 4];
    const FOG: u32 = 5;
    const SCROLL: u32 = 6;
    const POSITION: u32 = 7;
    const TEXTURE: u32 = 8;
    const CLIP: u32 = 9;
    const POINT: u32 = 10;
    // And those of light.
    const LAMPS: [u32; 3] = [11, 12, 13];
    const SUN: u32 = 14;
    const WRAP: u32 = 15;
    const LAMP_COLOURS: [u32; 4] = [16, 17, 18, 19];
    const SUN_COLOUR: u32 = 20;
    const AMBIENT: u32 = 21;
    const NORMAL: u32 = 22;
    const FACING: u32 = 23;
    const FACING_SUN: u32 = 24;
    const COLOUR: u32 = 25;
    const LIGHT: u32 = 26;
    // General registers.
    const SOURCE: u32 = 8;
    const TARGET: u32 = 9;
    const CONSTANTS: u32 = 11;
    const DIRECTIONS: u32 = 12;
    const SHADES: u32 = 15;
    const BYTES: u32 = 13;
    const NORMAL_BYTES: u32 = 14;

    /// Transforms vertices that keep their colours; the shorter slice decides how many.
    pub fn transform(constants: &Constants, vertices: &[Vertex], out: &mut [Transformed]) {
        let count = vertices.len().min(out.len());
        if count == 0 {
            return;
        }
        // SAFETY: loads `count` vertices and stores as many results; all are 16-byte aligned by their types, and the loop
        // touches only VU0 and the registers declared. Its body is longer than the short-loop erratum's six instructions.
        unsafe {
            asm!(
                ".set push", ".set noreorder", ".set noat",
                ".word {load_row0}", ".word {load_row1}", ".word {load_row2}", ".word {load_row3}",
                ".word {load_fog}", ".word {load_scroll}",
                "1:",
                ".word {load_position}", "lw $13, 12($8)", ".word {load_texture}",
                ".word {row0}", ".word {row1}", ".word {row2}", ".word {row3}",
                ".word {bytes}", ".word {scrolled}", ".word {halves}",
                ".word {invert}",
                ".word {fog_base}", ".word {fog_slope}",
                ".word {store_clip}", ".word {store_colour}",
                ".word {fog_most}", ".word {fog_least}",
                ".word {wait}",
                ".word {to_plane}", ".word {divided}", ".word {divisor}",
                "addiu $8, $8, 32",
                "addiu $10, $10, -1",
                ".word {fixed}", ".word {store_texture}", ".word {store_point}",
                "addiu $9, $9, 64",
                "bnez $10, 1b",
                "nop",
                ".set pop",
                load_row0 = const lqc2(ROW[0], CONSTANTS, 0),
                load_row1 = const lqc2(ROW[1], CONSTANTS, 16),
                load_row2 = const lqc2(ROW[2], CONSTANTS, 32),
                load_row3 = const lqc2(ROW[3], CONSTANTS, 48),
                load_fog = const lqc2(FOG, CONSTANTS, 64),
                load_scroll = const lqc2(SCROLL, CONSTANTS, 80),
                load_position = const lqc2(POSITION, SOURCE, 0),
                load_texture = const lqc2(TEXTURE, SOURCE, 16),
                row0 = const vmula_bc(Dest::XYZW, ROW[0], POSITION, Field::X),
                row1 = const vmadda_bc(Dest::XYZW, ROW[1], POSITION, Field::Y),
                row2 = const vmadda_bc(Dest::XYZW, ROW[2], POSITION, Field::Z),
                row3 = const vmadd_bc(Dest::XYZW, CLIP, ROW[3], 0, Field::W),
                bytes = const pextlb(BYTES, 0, BYTES),
                scrolled = const vadd(Dest::XY, TEXTURE, TEXTURE, SCROLL),
                halves = const pextlh(BYTES, 0, BYTES),
                invert = const vdiv(0, Field::W, CLIP, Field::W),
                fog_base = const vmula_bc(Dest::W, 0, FOG, Field::W),
                fog_slope = const vmadd_bc(Dest::W, POINT, CLIP, FOG, Field::Z),
                store_clip = const sqc2(CLIP, TARGET, 48),
                store_colour = const sq(BYTES, TARGET, 16),
                fog_most = const vmini_bc(Dest::W, POINT, POINT, FOG, Field::X),
                fog_least = const vmax_bc(Dest::W, POINT, POINT, FOG, Field::Y),
                wait = const VWAITQ,
                to_plane = const vmul_q(Dest::XYZ, POINT, CLIP),
                divided = const vmul_q(Dest::XY, TEXTURE, TEXTURE),
                divisor = const vadd_q(Dest::Z, TEXTURE, 0),
                fixed = const vftoi4(Dest::XYZW, POINT, POINT),
                store_texture = const sqc2(TEXTURE, TARGET, 0),
                store_point = const sqc2(POINT, TARGET, 32),
                inout("$8") vertices.as_ptr() => _,
                inout("$9") out.as_mut_ptr() => _,
                inout("$10") count => _,
                in("$11") constants,
                out("$13") _,
                options(nostack),
            );
        }
    }

    /// Transforms and lights vertices; the shorter slice decides how many.
    pub fn light(
        constants: &Constants,
        (directions, shades): (&Directions, &Shades),
        vertices: &[Vertex],
        out: &mut [Transformed],
    ) {
        let count = vertices.len().min(out.len());
        if count == 0 {
            return;
        }
        // SAFETY: as in `transform`.
        unsafe {
            asm!(
                ".set push", ".set noreorder", ".set noat",
                ".word {load_row0}", ".word {load_row1}", ".word {load_row2}", ".word {load_row3}",
                ".word {load_fog}", ".word {load_scroll}",
                ".word {load_lamps_x}", ".word {load_lamps_y}", ".word {load_lamps_z}", ".word {load_sun}",
                ".word {load_wrap}", ".word {load_colour0}", ".word {load_colour1}", ".word {load_colour2}",
                ".word {load_colour3}", ".word {load_sun_colour}", ".word {load_ambient}",
                "1:",
                ".word {load_position}", "lw $14, 24($8)", "lw $13, 12($8)", ".word {load_texture}",
                ".word {row0}", ".word {row1}", ".word {row2}", ".word {row3}",
                ".word {normal_bytes}", ".word {bytes}", ".word {normal_halves}", ".word {halves}",
                ".word {invert}",
                ".word {move_normal}", ".word {move_colour}",
                ".word {scrolled}", ".word {fog_base}", ".word {fog_slope}",
                ".word {normal}", ".word {colour}",
                ".word {store_clip}",
                ".word {fog_most}", ".word {sun_parts}",
                ".word {wrapped}", ".word {facing_x}", ".word {facing_y}", ".word {facing_z}",
                ".word {sun_y}", ".word {fog_least}",
                ".word {wait}",
                ".word {to_plane}", ".word {divided}", ".word {divisor}",
                ".word {sun_z}", ".word {front}",
                ".word {fixed}", ".word {store_texture}",
                ".word {sun_front}",
                ".word {from_ambient}", ".word {from_lamp0}", ".word {from_lamp1}", ".word {from_lamp2}",
                ".word {from_lamp3}", ".word {from_sun}",
                ".word {store_point}",
                "addiu $8, $8, 32",
                "addiu $10, $10, -1",
                ".word {lit}", ".word {limited}", ".word {whole}", ".word {store_colour}",
                "addiu $9, $9, 64",
                "bnez $10, 1b",
                "nop",
                ".set pop",
                load_row0 = const lqc2(ROW[0], CONSTANTS, 0),
                load_row1 = const lqc2(ROW[1], CONSTANTS, 16),
                load_row2 = const lqc2(ROW[2], CONSTANTS, 32),
                load_row3 = const lqc2(ROW[3], CONSTANTS, 48),
                load_fog = const lqc2(FOG, CONSTANTS, 64),
                load_scroll = const lqc2(SCROLL, CONSTANTS, 80),
                load_lamps_x = const lqc2(LAMPS[0], DIRECTIONS, 0),
                load_lamps_y = const lqc2(LAMPS[1], DIRECTIONS, 16),
                load_lamps_z = const lqc2(LAMPS[2], DIRECTIONS, 32),
                load_sun = const lqc2(SUN, DIRECTIONS, 48),
                load_wrap = const lqc2(WRAP, SHADES, 0),
                load_colour0 = const lqc2(LAMP_COLOURS[0], SHADES, 16),
                load_colour1 = const lqc2(LAMP_COLOURS[1], SHADES, 32),
                load_colour2 = const lqc2(LAMP_COLOURS[2], SHADES, 48),
                load_colour3 = const lqc2(LAMP_COLOURS[3], SHADES, 64),
                load_sun_colour = const lqc2(SUN_COLOUR, SHADES, 80),
                load_ambient = const lqc2(AMBIENT, SHADES, 96),
                load_position = const lqc2(POSITION, SOURCE, 0),
                load_texture = const lqc2(TEXTURE, SOURCE, 16),
                row0 = const vmula_bc(Dest::XYZW, ROW[0], POSITION, Field::X),
                row1 = const vmadda_bc(Dest::XYZW, ROW[1], POSITION, Field::Y),
                row2 = const vmadda_bc(Dest::XYZW, ROW[2], POSITION, Field::Z),
                row3 = const vmadd_bc(Dest::XYZW, CLIP, ROW[3], 0, Field::W),
                // A signed byte goes to the top of its word, an unsigned one to the bottom.
                normal_bytes = const pextlb(NORMAL_BYTES, NORMAL_BYTES, 0),
                bytes = const pextlb(BYTES, 0, BYTES),
                normal_halves = const pextlh(NORMAL_BYTES, NORMAL_BYTES, 0),
                halves = const pextlh(BYTES, 0, BYTES),
                invert = const vdiv(0, Field::W, CLIP, Field::W),
                move_normal = const qmtc2(NORMAL_BYTES, NORMAL),
                move_colour = const qmtc2(BYTES, COLOUR),
                scrolled = const vadd(Dest::XY, TEXTURE, TEXTURE, SCROLL),
                fog_base = const vmula_bc(Dest::W, 0, FOG, Field::W),
                fog_slope = const vmadd_bc(Dest::W, POINT, CLIP, FOG, Field::Z),
                normal = const vitof15(Dest::XYZ, NORMAL, NORMAL),
                colour = const vitof0(Dest::XYZW, COLOUR, COLOUR),
                store_clip = const sqc2(CLIP, TARGET, 48),
                fog_most = const vmini_bc(Dest::W, POINT, POINT, FOG, Field::X),
                sun_parts = const vmul(Dest::XYZ, FACING_SUN, NORMAL, SUN),
                wrapped = const vmula_bc(Dest::XYZW, WRAP, 0, Field::W),
                facing_x = const vmadda_bc(Dest::XYZW, LAMPS[0], NORMAL, Field::X),
                facing_y = const vmadda_bc(Dest::XYZW, LAMPS[1], NORMAL, Field::Y),
                facing_z = const vmadd_bc(Dest::XYZW, FACING, LAMPS[2], NORMAL, Field::Z),
                sun_y = const vadd_bc(Dest::X, FACING_SUN, FACING_SUN, FACING_SUN, Field::Y),
                fog_least = const vmax_bc(Dest::W, POINT, POINT, FOG, Field::Y),
                wait = const VWAITQ,
                to_plane = const vmul_q(Dest::XYZ, POINT, CLIP),
                divided = const vmul_q(Dest::XY, TEXTURE, TEXTURE),
                divisor = const vadd_q(Dest::Z, TEXTURE, 0),
                sun_z = const vadd_bc(Dest::X, FACING_SUN, FACING_SUN, FACING_SUN, Field::Z),
                front = const vmax_bc(Dest::XYZW, FACING, FACING, 0, Field::X),
                fixed = const vftoi4(Dest::XYZW, POINT, POINT),
                store_texture = const sqc2(TEXTURE, TARGET, 0),
                sun_front = const vmax_bc(Dest::X, FACING_SUN, FACING_SUN, 0, Field::X),
                from_ambient = const vmula_bc(Dest::XYZW, AMBIENT, 0, Field::W),
                from_lamp0 = const vmadda_bc(Dest::XYZW, LAMP_COLOURS[0], FACING, Field::X),
                from_lamp1 = const vmadda_bc(Dest::XYZW, LAMP_COLOURS[1], FACING, Field::Y),
                from_lamp2 = const vmadda_bc(Dest::XYZW, LAMP_COLOURS[2], FACING, Field::Z),
                from_lamp3 = const vmadda_bc(Dest::XYZW, LAMP_COLOURS[3], FACING, Field::W),
                from_sun = const vmadd_bc(Dest::XYZW, LIGHT, SUN_COLOUR, FACING_SUN, Field::X),
                store_point = const sqc2(POINT, TARGET, 32),
                lit = const vmul(Dest::XYZW, COLOUR, COLOUR, LIGHT),
                limited = const vmini_bc(Dest::XYZW, COLOUR, COLOUR, FOG, Field::X),
                whole = const vftoi0(Dest::XYZW, COLOUR, COLOUR),
                store_colour = const sqc2(COLOUR, TARGET, 16),
                inout("$8") vertices.as_ptr() => _,
                inout("$9") out.as_mut_ptr() => _,
                inout("$10") count => _,
                in("$11") constants,
                in("$12") directions,
                in("$15") shades,
                out("$13") _,
                out("$14") _,
                options(nostack),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plane of 1000 pixels a metre at one metre around 2048, no turn.
    fn constants() -> Constants {
        Constants {
            rows: [
                [1000.0, 0.0, 0.0, 0.0],
                [2048.0, 2048.0, 0.0, 1.0],
                [0.0, -1000.0, 0.0, 0.0],
                [0.0, 0.0, 8_000_000.0, 0.0],
            ],
            fog: [255.0, 55.0, -10.0, 305.0],
            scroll: [0.25, 0.0, 0.0, 0.0],
        }
    }

    fn vertex(x: f32, y: f32, z: f32) -> Vertex {
        Vertex { position: [x, y, z], colour: 0x80_30_20_10, texture: [0.5, 1.0], normal: 0x7F_00_00, spare: 0 }
    }

    #[test]
    fn a_vertex_becomes_what_the_packed_format_expects() {
        let mut out = [Transformed::default(); 1];
        transform(&constants(), &[vertex(1.0, 10.0, 2.0)], &mut out);
        let [seen] = out;
        assert_eq!(seen.point, [2148 * 16, 1848 * 16, 800_000 * 16, 205 * 16]);
        assert_eq!(seen.colour, [0x10, 0x20, 0x30, 0x80]);
        assert_eq!(seen.texture[..3], [0.075, 0.1, 0.1]);
        assert_eq!(seen.clip, [21_480.0, 18_480.0, 8_000_000.0, 10.0]);
    }

    #[test]
    fn fog_stays_between_its_limits() {
        let mut out = [Transformed::default(); 2];
        transform(&constants(), &[vertex(0.0, 2.0, 0.0), vertex(0.0, 100.0, 0.0)], &mut out);
        assert_eq!(out.map(|seen| seen.point[3] / 16), [255, 55]);
    }

    #[test]
    fn sun_lamps_and_ambient_add_up_and_the_alpha_stays() {
        let directions = Directions {
            lamps: [[0.0; 4], [0.0; 4], [NORMAL_SCALE, -NORMAL_SCALE, 0.0, 0.0]],
            sun: [0.0, 0.0, NORMAL_SCALE, 0.0],
        };
        let shades = Shades {
            wrap: [0.0, 0.0, 0.5, 0.0],
            lamp_colours: [[1.0, 0.0, 0.0, 0.0], [9.0, 9.0, 9.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0; 4]],
            sun_colour: [0.0, 0.0, 1.0, 0.0],
            ambient: [0.5, 0.5, 8.0, 1.0],
        };
        let mut out = [Transformed::default(); 1];
        light(&constants(), (&directions, &shades), &[vertex(1.0, 10.0, 2.0)], &mut out);
        assert_eq!(out[0].colour, [24, 48, 255, 0x80], "what faces away adds nothing, too much light saturates");
        assert_eq!(out[0].point[0], 2148 * 16);
    }

    #[test]
    fn kernels_and_definitions_agree() {
        assert_eq!(twins::compare(300), twins::Differences::default(), "the host has the definitions only");
    }
}
