//! A head: skull with a painted face, nose, ears, and what grows or sits on it.

use super::person::{Colour, Head, Person};
use super::tube::{ACROSS, Bones, Detail, Face, Ring, Tube, opaque, ring, shaded};
use boardwalk::animation::skeleton::bone;
use boardwalk::graphics::mesh::{Builder, Corner, Material};
use boardwalk::maths::Vec3;

const BONES: Bones = Bones::one(bone::HEAD);
/// The height at which hair begins over the face, and at the nape.
const HAIRLINE: f32 = 1.735;
const NAPE: f32 = 1.625;

/// Adds the head of a person.
pub fn head(builder: &mut Builder, person: &Person, detail: Detail) {
    use Detail::{Far, Middle, Near};
    let skin = person.skin;
    let at = |y: f32, z: f32, half: [f32; 2], colour, least| ring([0.0, y, z], half, BONES, colour, least);
    let rings = [
        at(0.052, 1.578, [0.032, 0.032], shaded(skin, 0.72), Near),
        at(0.038, 1.597, [0.052, 0.064], shaded(skin, 0.92), Far),
        at(0.026, 1.632, [0.064, 0.082], skin, Near),
        at(0.019, 1.668, [0.072, 0.093], skin, Middle),
        at(0.013, 1.705, [0.075, 0.098], skin, Far),
        at(0.007, 1.75, [0.072, 0.094], skin, Near),
        at(0.002, 1.785, [0.055, 0.072], skin, Middle),
        at(0.0, 1.803, [0.022, 0.03], skin, Far),
    ];
    // What is not the face is hair, unless nothing grows.
    let face = |face: &Face| {
        let [right, ahead] = face.way;
        let ahead_of_ears = ahead > 0.25 || (ahead > -0.35 && face.middle.z < NAPE + 0.02);
        let bare = if ahead_of_ears { face.middle.z < HAIRLINE } else { face.middle.z < NAPE };
        let colour = if bare || person.head == Head::Bald { face.colour } else { person.hair };
        // The eyes' hollows lie in the shade of the brow.
        let hollow = detail == Middle && ahead > 0.6 && right.abs() > 0.2 && (1.65..1.7).contains(&face.middle.z);
        Some(if hollow { shaded(colour, 0.7) } else { colour })
    };
    let sides = detail.pick(8, 6, 4);
    Tube { closed: [detail == Near, true], paint: &face, ..Tube::new(sides) }.add(builder, &rings, detail);
    on_top(builder, person, detail, sides);
    if detail == Near {
        features(builder, person);
    }
}

/// A shell round the skull with a hole for the face: faces below `over` that look ahead are left away.
fn shell(builder: &mut Builder, rings: &[Ring], detail: Detail, sides: usize, over: f32, gap: f32) {
    let paint = |face: &Face| (face.middle.z > over || face.way[1] < gap).then_some(face.colour);
    Tube { closed: [false, true], paint: &paint, ..Tube::new(sides) }.add(builder, rings, detail);
}

fn on_top(builder: &mut Builder, person: &Person, detail: Detail, sides: usize) {
    use Detail::{Far, Middle, Near};
    let at = |y: f32, z: f32, half: [f32; 2], colour, least| ring([0.0, y, z], half, BONES, colour, least);
    let (hair, signal) = (person.hair, person.signal);
    match person.head {
        Head::Bald => {}
        Head::Hair => {
            let rings = [
                at(0.0, 1.655, [0.078, 0.1], shaded(hair, 0.85), Near),
                at(0.004, 1.735, [0.083, 0.107], hair, Middle),
                at(0.004, 1.787, [0.07, 0.091], shaded(hair, 1.15), Middle),
                at(0.0, 1.817, [0.038, 0.052], shaded(hair, 1.15), Middle),
            ];
            shell(builder, &rings, detail, sides, HAIRLINE + 0.01, 0.2);
        }
        Head::Long | Head::Tail => {
            let end = if person.head == Head::Long { 1.47 } else { 1.64 };
            let chest = Bones::Two(bone::HEAD, bone::CHEST, 0.5);
            let rings = [
                Ring { bones: chest, ..at(-0.035, end, [0.085, 0.055], shaded(hair, 0.8), Middle) },
                at(-0.012, 1.66, [0.086, 0.098], shaded(hair, 0.92), Far),
                at(0.004, 1.735, [0.085, 0.107], hair, Near),
                at(0.004, 1.787, [0.07, 0.091], shaded(hair, 1.15), Middle),
                at(0.0, 1.822, [0.026, 0.04], shaded(hair, 1.15), Far),
            ];
            shell(builder, &rings, detail, sides, HAIRLINE + 0.01, 0.2);
            if person.head == Head::Tail && detail >= Middle {
                let rings = [
                    Ring { bones: chest, ..at(-0.15, 1.5, [0.012, 0.012], shaded(hair, 0.8), Middle) },
                    at(-0.165, 1.6, [0.03, 0.026], hair, Middle),
                    at(-0.14, 1.7, [0.026, 0.026], signal, Near),
                    at(-0.1, 1.72, [0.022, 0.022], hair, Middle),
                ];
                Tube::new(detail.pick(5, 3, 3)).add(builder, &rings, detail);
            }
        }
        Head::Cap | Head::Beanie => {
            let low = if person.head == Head::Cap { 1.715 } else { 1.7 };
            let rings = [
                at(0.008, low, [0.083, 0.107], shaded(signal, 0.75), Far),
                at(0.008, low + 0.025, [0.084, 0.108], signal, Near),
                at(0.004, 1.79, [0.066, 0.086], signal, Middle),
                at(0.0, 1.825, [0.026, 0.036], signal, Far),
            ];
            shell(builder, &rings, detail, sides, 0.0, 0.0);
            if person.head == Head::Cap && detail >= Middle {
                let peak = |y: f32, z: f32, half: f32| ring([0.0, y, z], [half, 0.007], BONES, signal, Middle);
                let plane = ACROSS;
                let sides = detail.pick(5, 4, 4);
                let rings = [peak(0.085, 1.728, 0.074), peak(0.18, 1.712, 0.05)];
                Tube { plane, ..Tube::new(sides) }.add(builder, &rings, detail);
            }
        }
        Head::Hat => {
            let straw = signal;
            let brim = [
                at(0.008, 1.732, [0.15, 0.175], shaded(straw, 0.8), Far),
                at(0.008, 1.742, [0.148, 0.173], straw, Far),
            ];
            Tube::new(sides).add(builder, &brim, detail);
            let crown = [
                at(0.006, 1.735, [0.088, 0.111], shaded(straw, 0.55), Middle),
                at(0.006, 1.765, [0.086, 0.108], straw, Near),
                at(0.004, 1.83, [0.07, 0.088], straw, Far),
            ];
            Tube { closed: [false, true], ..Tube::new(sides) }.add(builder, &crown, detail);
        }
        Head::Hood => {
            let cloth = person.top;
            let neck = Bones::Two(bone::CHEST, bone::HEAD, 0.7);
            let rings = [
                Ring { bones: neck, ..at(-0.02, 1.485, [0.115, 0.09], shaded(cloth, 0.8), Far) },
                at(-0.012, 1.58, [0.092, 0.1], shaded(cloth, 0.88), Near),
                at(0.0, 1.68, [0.096, 0.116], cloth, Middle),
                at(0.004, 1.765, [0.09, 0.112], shaded(cloth, 1.06), Middle),
                at(-0.01, 1.835, [0.03, 0.05], shaded(cloth, 1.06), Far),
            ];
            shell(builder, &rings, detail, sides, 1.755, 0.45);
        }
    }
}

/// A flat patch on the head.
fn patch(builder: &mut Builder, colour: Colour, corners: [[f32; 3]; 4]) {
    let corner = |at: [f32; 3]| Corner {
        position: Vec3::from_array(at),
        colour: opaque(colour),
        normal: Vec3::Y,
        bones: [bone::HEAD as u8, bone::HEAD as u8, u8::MAX],
        ..Corner::default()
    };
    builder.quad(Material::default(), corners.map(corner));
}

/// Eyes, brows, mouth, nose and ears.
fn features(builder: &mut Builder, person: &Person) {
    let skin = person.skin;
    const WHITE: Colour = [216, 212, 204];
    const IRIS: Colour = [36, 28, 26];
    // Corners run anticlockwise seen from ahead, where right is on the left.
    let rectangle = |x: [f32; 2], z: [f32; 2], y: [f32; 2]| {
        [[x[1], y[1], z[0]], [x[0], y[0], z[0]], [x[0], y[0], z[1]], [x[1], y[1], z[1]]]
    };
    for s in [-1.0f32, 1.0] {
        let mut place = |inner: f32, outer: f32, z: [f32; 2], y: [f32; 2], colour| {
            let (x, y) = if s > 0.0 { ([inner, outer], y) } else { ([-outer, -inner], [y[1], y[0]]) };
            patch(builder, colour, rectangle(x, z, y));
        };
        place(0.014, 0.048, [1.665, 1.683], [0.1145, 0.0975], WHITE);
        place(0.022, 0.037, [1.664, 1.684], [0.1125, 0.1055], IRIS);
        place(0.01, 0.052, [1.689, 1.698], [0.117, 0.096], shaded(person.hair, 0.8));
    }
    patch(builder, shaded(skin, 0.62), rectangle([-0.022, 0.022], [1.622, 1.63], [0.1085, 0.1085]));
    let at = |x: f32, y: f32, z: f32, normal: Vec3, by: f32| Corner {
        position: Vec3::new(x, y, z),
        colour: opaque(shaded(skin, by)),
        normal,
        bones: [bone::HEAD as u8, bone::HEAD as u8, u8::MAX],
        ..Corner::default()
    };
    let tip = at(0.0, 0.137, 1.642, Vec3::Y, 1.04);
    let nose = [
        at(0.0, 0.108, 1.684, Vec3::Y, 1.0),
        at(-0.017, 0.105, 1.637, -Vec3::X, 0.86),
        at(0.017, 0.105, 1.637, Vec3::X, 0.86),
    ];
    for n in 0..3 {
        builder.triangle(Material::default(), [nose[n], nose[(n + 1) % 3], tip]);
    }
    if matches!(person.head, Head::Long | Head::Hood) {
        return;
    }
    for s in [-1.0f32, 1.0] {
        let side = Vec3::X * s;
        let ear = [
            at(s * 0.07, 0.03, 1.69, side, 0.95),
            at(s * 0.07, 0.025, 1.645, side, 0.8),
            at(s * 0.09, 0.0, 1.692, side, 0.9),
            at(s * 0.072, 0.0, 1.645, side, 0.8),
        ];
        let [a, b, c, d] = ear;
        let faces = [[a, c, b], [b, c, d], [a, b, c], [b, d, c]];
        for face in faces {
            builder.triangle(Material::default(), face);
        }
    }
}
