//! A body of tubes: rings of corners along the bones, in the pose in which people stand.

use super::person::{Colour, Head, Person};
use boardwalk::animation::skeleton::{JOINTS, bone};
use boardwalk::graphics::mesh::{Builder, Corner, Material};
use boardwalk::maths::Vec3;
use std::f32::consts::TAU;

/// How finely a body is made. Source: art, People.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// About 900 triangles.
    Near,
    /// About 300, from 12 m.
    Middle,
    /// About 80, from 30 m.
    Far,
}

impl Detail {
    /// The detail of a name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "near" => Some(Self::Near),
            "middle" => Some(Self::Middle),
            "far" => Some(Self::Far),
            _ => None,
        }
    }
}

/// A ring of a tube.
#[derive(Clone, Copy)]
struct Ring {
    middle: Vec3,
    /// Half sizes across and along the ring's plane.
    half: [f32; 2],
    /// First and other bone, and the first one's weight.
    bones: [u8; 3],
    /// Colour of what follows it.
    colour: Colour,
    /// The coarsest detail that has it.
    least: Detail,
}

/// The plane of a tube's rings: the two axes round which corners go, so that they run anticlockwise seen from the tube's end.
#[derive(Clone, Copy)]
struct Plane(Vec3, Vec3);

const LYING: Plane = Plane(Vec3::X, Vec3::Y);
/// Rings of a shoe stand across.
const ACROSS: Plane = Plane(Vec3::new(-1.0, 0.0, 0.0), Vec3::Z);

fn ring(at: [f32; 3], half: [f32; 2], bones: [usize; 2], share: f32, colour: Colour, least: Detail) -> Ring {
    let bones = [bones[0] as u8, bones[1] as u8, (share * 255.0) as u8];
    Ring { middle: Vec3::from_array(at), half, bones, colour, least }
}

fn darker(colour: Colour, by: f32) -> Colour {
    colour.map(|c| (f32::from(c) * by) as u8)
}

/// Makes a person.
pub fn mesh(person: &Person, detail: Detail) -> Builder {
    let mut builder = Builder::skinned();
    let sides = |near: usize, middle: usize, far: usize| match detail {
        Detail::Near => near,
        Detail::Middle => middle,
        Detail::Far => far,
    };
    torso(&mut builder, person, detail, sides(10, 6, 4));
    head(&mut builder, person, detail, sides(8, 5, 3));
    for s in [-1.0, 1.0] {
        arm(&mut builder, person, detail, s, sides(6, 4, 3));
        leg(&mut builder, person, detail, s, sides(7, 4, 3));
    }
    builder
}

fn torso(builder: &mut Builder, person: &Person, detail: Detail, sides: usize) {
    use Detail::{Far, Middle, Near};
    let (b, top) = (person.bulk, person.top);
    let hem = 0.93 - person.coat;
    let rings = [
        ring([0.0, 0.0, hem - 0.02], [0.11 * b, 0.09 * b], [bone::PELVIS, bone::PELVIS], 1.0, person.trousers, Near),
        ring([0.0, 0.0, hem], [0.188 * b, 0.134 * b], [bone::PELVIS, bone::PELVIS], 1.0, darker(top, 0.86), Far),
        ring([0.0, -0.005, 1.0], [0.155 * b, 0.112 * b], [bone::PELVIS, bone::SPINE], 0.7, person.signal, Middle),
        ring([0.0, -0.005, 1.04], [0.15 * b, 0.108 * b], [bone::SPINE, bone::PELVIS], 0.7, top, Middle),
        ring([0.0, 0.0, 1.14], [0.148 * b, 0.105 * b], [bone::SPINE, bone::MIDDLE], 0.5, top, Near),
        ring([0.0, 0.005, 1.26], [0.168 * b, 0.118 * b], [bone::MIDDLE, bone::CHEST], 0.5, top, Middle),
        ring([0.0, 0.005, 1.38], [0.182 * b, 0.122 * b], [bone::CHEST, bone::CHEST], 1.0, top, Far),
        ring([0.0, -0.005, 1.46], [0.16 * b, 0.092 * b], [bone::CHEST, bone::CHEST], 1.0, person.signal, Near),
        ring([0.0, -0.005, 1.50], [0.085, 0.07], [bone::CHEST, bone::CHEST], 1.0, person.skin, Far),
        ring([0.0, 0.0, 1.52], [0.055, 0.058], [bone::CHEST, bone::HEAD], 0.6, person.skin, Middle),
        ring([0.0, 0.012, 1.59], [0.05, 0.054], [bone::HEAD, bone::HEAD], 1.0, person.skin, Near),
    ];
    tube(builder, &rings, LYING, detail, sides);
}

fn head(builder: &mut Builder, person: &Person, detail: Detail, sides: usize) {
    use Detail::{Far, Middle, Near};
    const BONES: [usize; 2] = [bone::HEAD, bone::HEAD];
    let on_top = match person.head {
        Head::Bald => person.skin,
        Head::Hair => person.hair,
        Head::Cap => person.signal,
        Head::Hood => person.top,
    };
    let brow = if person.head == Head::Bald { person.skin } else { on_top };
    let rings = [
        ring([0.0, 0.05, 1.565], [0.035, 0.035], BONES, 1.0, person.skin, Near),
        ring([0.0, 0.035, 1.585], [0.056, 0.066], BONES, 1.0, person.skin, Far),
        ring([0.0, 0.022, 1.635], [0.072, 0.09], BONES, 1.0, person.skin, Middle),
        ring([0.0, 0.018, 1.69], [0.076, 0.096], BONES, 1.0, brow, Far),
        ring([0.0, 0.014, 1.705], [0.082, 0.102], BONES, 1.0, on_top, Near),
        ring([0.0, 0.01, 1.765], [0.074, 0.09], BONES, 1.0, on_top, Middle),
        ring([0.0, 0.005, 1.80], [0.04, 0.05], BONES, 1.0, on_top, Far),
    ];
    tube(builder, &rings, LYING, detail, sides);
    if detail == Near {
        nose(builder, person.skin);
        let back = |z: f32| ring([0.0, -0.045, z], [0.074, 0.05], BONES, 1.0, on_top, Near);
        if matches!(person.head, Head::Hair | Head::Hood) {
            // What covers the neck.
            tube(builder, &[back(1.60), back(1.66), back(1.72)], LYING, detail, 8);
        }
        if person.head == Head::Cap {
            let peak = |y: f32, half: f32| ring([0.0, y, 1.705], [half, 0.008], BONES, 1.0, person.signal, Near);
            tube(builder, &[peak(0.08, 0.07), peak(0.17, 0.05)], ACROSS, detail, 6);
        }
    }
}

fn nose(builder: &mut Builder, skin: Colour) {
    let at = |x: f32, y: f32, z: f32, normal: Vec3| Corner {
        position: Vec3::new(x, y, z),
        colour: with_alpha(darker(skin, 0.94)),
        normal,
        bones: [bone::HEAD as u8, bone::HEAD as u8, u8::MAX],
        ..Corner::default()
    };
    let tip = at(0.0, 0.135, 1.628, Vec3::Y);
    let corners =
        [at(0.0, 0.108, 1.672, Vec3::Y), at(-0.017, 0.105, 1.622, -Vec3::X), at(0.017, 0.105, 1.622, Vec3::X)];
    for n in 0..3 {
        builder.triangle(Material::default(), [corners[n], corners[(n + 1) % 3], tip]);
    }
}

fn arm(builder: &mut Builder, person: &Person, detail: Detail, s: f32, sides: usize) {
    use Detail::{Far, Middle, Near};
    let [collar, upper, fore, hand] = if s < 0.0 { [16, 17, 18, 19] } else { [22, 23, 24, 25] };
    let (x, b) = (JOINTS[upper][0], person.bulk);
    let sleeve = if person.long_sleeves { person.top } else { person.skin };
    let at = |off: f32, z: f32| [x + s * off, -0.01, z];
    let cuff = if person.long_sleeves { person.signal } else { person.skin };
    // From the hand up, so that the rings run as a tube's do.
    let rings = [
        ring(at(0.0, 0.795), [0.014, 0.03], [hand, hand], 1.0, person.skin, Near),
        ring(at(0.0, 0.83), [0.02, 0.042], [hand, hand], 1.0, person.skin, Far),
        ring(at(0.0, 0.89), [0.024, 0.045], [hand, hand], 1.0, person.skin, Near),
        ring(at(0.0, 0.93), [0.026, 0.033], [hand, fore], 0.5, cuff, Near),
        ring(at(0.0, 0.955), [0.034 * b, 0.04 * b], [fore, fore], 1.0, sleeve, Middle),
        ring(at(0.0, 1.10), [0.046 * b, 0.05 * b], [fore, fore], 1.0, sleeve, Near),
        ring(at(0.0, 1.18), [0.045 * b, 0.049 * b], [fore, upper], 0.5, sleeve, Far),
        ring(at(0.0, 1.27), [0.053 * b, 0.058 * b], [upper, upper], 1.0, person.top, Near),
        ring(at(0.0, 1.40), [0.062 * b, 0.07 * b], [upper, upper], 1.0, person.top, Middle),
        ring(at(-0.012, 1.46), [0.058 * b, 0.064 * b], [upper, collar], 0.6, person.top, Far),
        ring(at(-0.035, 1.495), [0.032, 0.04], [collar, upper], 0.7, person.top, Near),
    ];
    tube(builder, &rings, LYING, detail, sides);
}

fn leg(builder: &mut Builder, person: &Person, detail: Detail, s: f32, sides: usize) {
    use Detail::{Far, Middle, Near};
    let [thigh, shin, foot] = if s < 0.0 { [28, 29, 30] } else { [31, 32, 33] };
    let (x, b, cloth) = (JOINTS[thigh][0], person.bulk, person.trousers);
    let at = |y: f32, z: f32| [x, y, z];
    let rings = [
        ring(at(0.0, 0.07), [0.05, 0.062], [shin, foot], 0.6, darker(cloth, 0.8), Far),
        ring(at(0.0, 0.16), [0.05, 0.06], [shin, shin], 1.0, cloth, Near),
        ring(at(-0.015, 0.35), [0.06 * b, 0.068 * b], [shin, shin], 1.0, cloth, Middle),
        ring(at(0.005, 0.50), [0.058 * b, 0.066 * b], [shin, thigh], 0.5, cloth, Far),
        ring(at(0.0, 0.58), [0.068 * b, 0.078 * b], [thigh, thigh], 1.0, cloth, Near),
        ring(at(0.0, 0.76), [0.084 * b, 0.095 * b], [thigh, thigh], 1.0, cloth, Middle),
        // Narrow enough to stay within the hem.
        ring([x * 0.95, 0.0, 0.90], [0.074 * b, 0.092 * b], [thigh, bone::PELVIS], 0.5, cloth, Far),
        ring([x * 0.8, 0.0, 0.98], [0.05 * b, 0.07 * b], [bone::PELVIS, thigh], 0.8, cloth, Near),
    ];
    tube(builder, &rings, LYING, detail, sides);
    // From afar a leg's end is shoe enough.
    if detail == Far {
        return;
    }
    let shoe = |y: f32, z: f32, half: [f32; 2], least| ring([x, y, z], half, [foot, foot], 1.0, person.shoes, least);
    let rings = [
        shoe(-0.075, 0.045, [0.034, 0.04], Far),
        shoe(-0.02, 0.052, [0.042, 0.05], Near),
        shoe(0.08, 0.04, [0.047, 0.038], Middle),
        shoe(0.16, 0.028, [0.045, 0.027], Near),
        shoe(0.205, 0.022, [0.026, 0.018], Far),
    ];
    tube(builder, &rings, ACROSS, detail, sides.min(5));
}

fn with_alpha([r, g, b]: Colour) -> [u8; 4] {
    [r, g, b, 0x80]
}

/// A closed tube through the rings that this detail has.
fn tube(builder: &mut Builder, rings: &[Ring], plane: Plane, detail: Detail, sides: usize) {
    let has = |ring: &&Ring| match detail {
        Detail::Near => true,
        Detail::Middle => ring.least != Detail::Near,
        Detail::Far => ring.least == Detail::Far,
    };
    let rings: Vec<Ring> = rings.iter().filter(has).copied().collect();
    let Plane(across, along) = plane;
    let corner = |ring: &Ring, side: usize, colour: Colour| {
        let (s, c) = (side as f32 / sides as f32 * TAU).sin_cos();
        let [a, b] = ring.half;
        let normal = (across * (c / a) + along * (s / b)).normalize_or_zero();
        Corner {
            position: ring.middle + across * (c * a) + along * (s * b),
            colour: with_alpha(colour),
            normal,
            bones: ring.bones,
            ..Corner::default()
        }
    };
    for pair in rings.windows(2) {
        for side in 0..sides {
            let colour = pair[0].colour;
            let [a, b] = [side, side + 1].map(|side| corner(&pair[0], side % sides, colour));
            let [c, d] = [side + 1, side].map(|side| corner(&pair[1], side % sides, colour));
            builder.quad(Material::default(), [a, b, c, d]);
        }
    }
    // Both ends are closed by fans.
    let way = rings.last().zip(rings.first()).map_or(Vec3::Z, |(last, first)| last.middle - first.middle);
    let way = way.normalize_or_zero();
    for (ring, normal, turned) in
        rings.first().map(|r| (r, -way, true)).into_iter().chain(rings.last().map(|r| (r, way, false)))
    {
        let flat = |side: usize| Corner { normal, ..corner(ring, side % sides, ring.colour) };
        for side in 1..sides - 1 {
            let [a, b, c] = [flat(0), flat(side), flat(side + 1)];
            builder.triangle(Material::default(), if turned { [a, c, b] } else { [a, b, c] });
        }
    }
}
