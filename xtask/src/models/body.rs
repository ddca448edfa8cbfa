//! A body of tubes along the bones, in the pose in which people stand.

use super::head::head;
use super::person::{Colour, Legs, Person, Sleeves};
use super::tube::{ACROSS, Bones, Detail, Face, Tube, opaque, ring, shaded};
use boardwalk::animation::skeleton::{JOINTS, bone};
use boardwalk::graphics::mesh::{Builder, Corner, Material};
use boardwalk::maths::Vec3;
use std::f32::consts::TAU;

/// Makes a person.
pub fn mesh(person: &Person, detail: Detail) -> Builder {
    let mut builder = Builder::skinned();
    torso(&mut builder, person, detail);
    head(&mut builder, person, detail);
    for s in [-1.0, 1.0] {
        arm(&mut builder, person, detail, s);
        leg(&mut builder, person, detail, s);
    }
    if person.wheel && detail == Detail::Near {
        wheel(&mut builder, person);
    }
    builder
}

/// Half width, half depth and middle ahead of the torso at a height, for somebody of this shape.
fn girth(person: &Person, z: f32) -> ([f32; 2], f32) {
    // Height, half width, half depth, ahead.
    const MAN: [[f32; 4]; 8] = [
        [0.93, 0.166, 0.12, -0.005],
        [1.02, 0.146, 0.105, -0.005],
        [1.12, 0.14, 0.1, -0.002],
        [1.22, 0.154, 0.108, 0.004],
        [1.32, 0.172, 0.118, 0.008],
        [1.40, 0.174, 0.114, 0.004],
        [1.455, 0.148, 0.092, -0.004],
        [1.49, 0.1, 0.072, -0.008],
    ];
    const WOMAN: [[f32; 4]; 8] = [
        [0.93, 0.172, 0.124, -0.008],
        [1.02, 0.134, 0.1, -0.004],
        [1.12, 0.122, 0.09, 0.0],
        [1.22, 0.136, 0.104, 0.008],
        [1.32, 0.152, 0.128, 0.018],
        [1.40, 0.154, 0.104, 0.008],
        [1.455, 0.132, 0.082, -0.004],
        [1.49, 0.088, 0.064, -0.008],
    ];
    let table = if person.woman { WOMAN } else { MAN };
    let above = table.iter().position(|row| row[0] >= z).unwrap_or(table.len() - 1).max(1);
    let [low, high] = [table[above - 1], table[above]];
    let t = ((z - low[0]) / (high[0] - low[0])).clamp(0.0, 1.0);
    let at = |n: usize| low[n] + (high[n] - low[n]) * t;
    ([at(1) * person.bulk, at(2) * person.bulk], at(3))
}

fn torso(builder: &mut Builder, person: &Person, detail: Detail) {
    use Detail::{Far, Middle, Near};
    let top = person.top;
    let hem = 0.93 - person.coat;
    let thighs = [bone::LEFT_THIGH, bone::RIGHT_THIGH];
    // Further down the thighs have more to say.
    let hang = |z: f32| Bones::Hem { pelvis: bone::PELVIS, thighs, share: ((0.99 - z) * 3.2).clamp(0.0, 0.9) };
    let around = |z: f32, bones: Bones, colour, least| {
        let (half, ahead) = girth(person, z);
        ring([0.0, ahead, z], half, bones, colour, least)
    };
    let flared = |z: f32, colour, least| {
        let ([a, b], ahead) = girth(person, 0.93);
        let wider = 1.06 + (0.93 - z) * 0.45;
        ring([0.0, ahead, z], [a * wider, b * wider * 1.12], hang(z), colour, least)
    };
    let dress = person.legs == Legs::Dress;
    let mut rings = Vec::new();
    if dress {
        rings.push(flared(0.56, shaded(top, 0.72), Far));
        rings.push(flared(0.72, shaded(top, 0.85), Near));
    }
    if hem > 0.6 && !dress {
        let inner = flared(hem, shaded(top, 0.4), Near);
        rings.push(super::tube::Ring {
            half: inner.half.map(|half| half * 0.82),
            middle: inner.middle + Vec3::Z * 0.02,
            ..inner
        });
        rings.push(flared(hem, shaded(top, 0.78), Far));
    }
    let belt = if dress { person.signal } else { shaded(top, 0.9) };
    rings.extend([
        around(0.985, Bones::one(bone::PELVIS), shaded(top, 0.9), Middle),
        around(1.03, Bones::Two(bone::PELVIS, bone::SPINE, 0.5), belt, Near),
        around(1.12, Bones::Two(bone::SPINE, bone::MIDDLE, 0.6), top, Middle),
        around(1.22, Bones::Two(bone::MIDDLE, bone::CHEST, 0.5), top, Near),
        around(1.32, Bones::one(bone::CHEST), top, Far),
        around(1.40, Bones::one(bone::CHEST), shaded(top, 1.06), Near),
        around(1.455, Bones::one(bone::CHEST), shaded(top, 1.1), Middle),
        around(1.49, Bones::one(bone::CHEST), person.signal, Near),
        ring([0.0, -0.004, 1.515], [0.062, 0.062], Bones::one(bone::CHEST), shaded(person.skin, 0.8), Middle),
        ring([0.0, 0.002, 1.545], [0.051, 0.054], Bones::Two(bone::CHEST, bone::HEAD, 0.5), person.skin, Near),
        ring([0.0, 0.014, 1.61], [0.05, 0.055], Bones::one(bone::HEAD), person.skin, Far),
    ]);
    let paint = |face: &Face| {
        let [right, ahead] = face.way;
        let z = face.middle.z;
        if z > 1.5 || (z < hem + 0.01 && !dress) {
            return Some(face.colour);
        }
        // An open jacket shows what is under it; arms keep the light from the sides.
        if let Some(shirt) = person.open.filter(|_| ahead > 0.9) {
            return Some(shaded(shirt, if z > 1.2 { 1.0 } else { 0.85 }));
        }
        if person.band && (1.12..1.22).contains(&z) && person.open.is_none() {
            return Some(person.signal);
        }
        let side = if right.abs() > 0.75 && z < 1.42 { 0.82 } else { 1.0 };
        Some(shaded(face.colour, side))
    };
    Tube { closed: [true, false], paint: &paint, ..Tube::new(detail.pick(10, 6, 4)) }.add(builder, &rings, detail);
}

/// The gang's sign on a jacket's back: a wheel with a hub.
fn wheel(builder: &mut Builder, person: &Person) {
    const MIDDLE: f32 = 1.33;
    const SPOKES: usize = 8;
    let corner = |radius: f32, turn: f32| {
        let (s, c) = (turn * TAU).sin_cos();
        let (x, z) = (radius * c, MIDDLE + radius * s);
        let ([a, b], ahead) = girth(person, z);
        let share = (x / a).clamp(-0.9, 0.9);
        Corner {
            position: Vec3::new(x, ahead - b * (1.0 - share * share).sqrt() - 0.004, z),
            colour: opaque(person.signal),
            normal: Vec3::new(x * 3.0, -1.0, 0.0).normalize_or_zero(),
            bones: [bone::CHEST as u8, bone::CHEST as u8, u8::MAX],
            ..Corner::default()
        }
    };
    for n in 0..SPOKES {
        let [from, to] = [n, n + 1].map(|n| n as f32 / SPOKES as f32);
        // Seen from behind, right is right.
        builder
            .quad(Material::default(), [corner(0.068, from), corner(0.09, from), corner(0.09, to), corner(0.068, to)]);
        if n % 2 == 0 {
            let middle = (from + to) * 0.5;
            builder.triangle(
                Material::default(),
                [corner(0.0, 0.0), corner(0.068, middle - 0.02), corner(0.068, middle + 0.02)],
            );
        }
    }
}

fn arm(builder: &mut Builder, person: &Person, detail: Detail, s: f32) {
    use Detail::{Far, Middle, Near};
    let [collar, upper, fore, hand] = if s < 0.0 {
        [bone::LEFT_COLLAR, bone::LEFT_ARM, bone::LEFT_FOREARM, bone::LEFT_HAND]
    } else {
        [bone::RIGHT_COLLAR, bone::RIGHT_ARM, bone::RIGHT_FOREARM, bone::RIGHT_HAND]
    };
    let x = JOINTS[upper][0];
    let b = person.bulk * if person.woman { 0.86 } else { 1.0 };
    let at = |off: f32, z: f32| [x + s * off, -0.01, z];
    let (skin, top) = (person.skin, person.top);
    let [lower, higher] = match person.sleeves {
        Sleeves::Long => [top, top],
        Sleeves::Short => [skin, top],
        Sleeves::None => [skin, skin],
    };
    // Cloth is wider than the arm in it.
    let w = if person.sleeves == Sleeves::Long { 1.0 } else { 0.88 };
    let u = if person.sleeves == Sleeves::None { 0.9 } else { 1.0 };
    let cuff = if person.sleeves == Sleeves::Long { person.signal } else { skin };
    let deltoid = if person.sleeves == Sleeves::None { skin } else { shaded(top, 1.08) };
    // From the hand up, so that the rings run as a tube's do.
    let mut rings = vec![
        ring(at(0.004, 0.765), [0.012, 0.024], Bones::one(hand), shaded(skin, 0.85), Near),
        ring(at(0.004, 0.81), [0.017, 0.038], Bones::one(hand), shaded(skin, 0.92), Far),
        ring(at(0.0, 0.87), [0.02, 0.042], Bones::one(hand), skin, Middle),
        ring(at(0.0, 0.92), [0.024 * b, 0.029 * b], Bones::Two(hand, fore, 0.5), cuff, Near),
        ring(at(0.0, 0.95), [0.032 * b * w, 0.036 * b * w], Bones::one(fore), lower, Middle),
        ring(at(0.0, 1.09), [0.042 * b * w, 0.046 * b * w], Bones::one(fore), shaded(lower, 0.96), Near),
        ring(at(0.0, 1.18), [0.039 * b * w, 0.044 * b * w], Bones::Two(fore, upper, 0.5), lower, Far),
        ring(at(0.0, 1.255), [0.05 * b * u, 0.054 * b * u], Bones::one(upper), shaded(higher, 0.94), Near),
        ring(at(-0.004, 1.37), [0.054 * b * u, 0.06 * b * u], Bones::one(upper), higher, Middle),
        ring(at(-0.012, 1.44), [0.052 * b, 0.06 * b], Bones::Two(upper, collar, 0.6), deltoid, Far),
        ring(at(-0.035, 1.482), [0.036, 0.042], Bones::Two(collar, upper, 0.75), deltoid, Near),
    ];
    if person.sleeves == Sleeves::Short {
        // The arm comes out of the sleeve.
        rings.insert(7, ring(at(0.0, 1.245), [0.042 * b * w, 0.047 * b * w], Bones::one(upper), lower, Near));
    }
    let paint = |face: &Face| {
        let [right, _] = face.way;
        let z = face.middle.z;
        if detail != Far && person.stripe && person.sleeves == Sleeves::Long && right * s > 0.8 && z > 0.95 {
            return Some(person.signal);
        }
        // Towards the body it is darker.
        Some(if right * s < -0.7 && z > 0.95 { shaded(face.colour, 0.8) } else { face.colour })
    };
    let sides = detail.pick(6, 4, 3);
    Tube { paint: &paint, ..Tube::new(sides) }.add(builder, &rings, detail);
    if detail == Near {
        let thumb = |y: f32, z: f32, half: f32| ring([x - s * 0.012, y, z], [half, half], Bones::one(hand), skin, Near);
        let rings = [thumb(0.036, 0.815, 0.008), thumb(0.022, 0.875, 0.014)];
        Tube { closed: [true, false], ..Tube::new(3) }.add(builder, &rings, detail);
    }
}

fn leg(builder: &mut Builder, person: &Person, detail: Detail, s: f32) {
    use Detail::{Far, Middle, Near};
    let [thigh, shin, foot] = if s < 0.0 {
        [bone::LEFT_THIGH, bone::LEFT_SHIN, bone::LEFT_FOOT]
    } else {
        [bone::RIGHT_THIGH, bone::RIGHT_SHIN, bone::RIGHT_FOOT]
    };
    let x = JOINTS[thigh][0];
    let b = person.bulk * if person.woman { 0.94 } else { 1.0 };
    let at = |y: f32, z: f32| [x, y, z];
    let cloth = person.trousers;
    let (low, knee): (Colour, Colour) = match person.legs {
        Legs::Long => (cloth, cloth),
        Legs::Shorts | Legs::Dress => (person.skin, cloth),
    };
    // Bare calves are thinner than trousers.
    let w = if person.legs == Legs::Long { 1.0 } else { 0.82 };
    let rings = [
        ring(at(-0.006, 0.065), [0.047 * w, 0.058 * w], Bones::Two(shin, foot, 0.6), shaded(low, 0.7), Far),
        ring(at(-0.004, 0.15), [0.049 * w, 0.058 * w], Bones::one(shin), shaded(low, 0.86), Near),
        ring(at(-0.018, 0.34), [0.057 * b * w, 0.067 * b * w], Bones::one(shin), shaded(low, 0.92), Middle),
        ring(at(0.004, 0.485), [0.054 * b * w, 0.062 * b * w], Bones::Two(shin, thigh, 0.5), low, Far),
        ring(at(0.002, 0.535), [0.06 * b, 0.07 * b], Bones::Two(thigh, shin, 0.8), shaded(knee, 0.92), Near),
        ring(at(0.0, 0.72), [0.078 * b, 0.09 * b], Bones::one(thigh), knee, Middle),
        ring([x * 0.96, -0.004, 0.88], [0.08 * b, 0.094 * b], Bones::Two(thigh, bone::PELVIS, 0.6), cloth, Far),
        ring([x * 0.86, -0.004, 0.97], [0.058 * b, 0.07 * b], Bones::Two(bone::PELVIS, thigh, 0.85), cloth, Near),
    ];
    let paint = |face: &Face| {
        let [right, _] = face.way;
        // Between the legs it is dark; a seam of the gang's colour runs down the outer side of a tracksuit.
        if right * s < -0.7 && face.middle.z > 0.3 {
            return Some(shaded(face.colour, 0.72));
        }
        if detail != Far && person.stripe && person.legs == Legs::Long && person.open.is_none() && right * s > 0.9 {
            return Some(person.signal);
        }
        Some(face.colour)
    };
    let sides = detail.pick(6, 4, 3);
    Tube { paint: &paint, closed: [false, detail != Far], ..Tube::new(sides) }.add(builder, &rings, detail);
    // From afar a leg's end is shoe enough.
    if detail == Far {
        return;
    }
    let shoe = |y: f32, z: f32, half: [f32; 2], least| ring([x, y, z], half, Bones::one(foot), person.shoes, least);
    let rings = [
        shoe(-0.078, 0.048, [0.032, 0.044], Far),
        shoe(-0.02, 0.055, [0.042, 0.053], Near),
        shoe(0.08, 0.042, [0.047, 0.04], Middle),
        shoe(0.165, 0.03, [0.044, 0.029], Near),
        shoe(0.21, 0.023, [0.026, 0.018], Far),
    ];
    // Soles are light and heels and toes a little darker than the rest.
    let paint = |face: &Face| Some(if face.way[1] < -0.3 { [188, 182, 170] } else { face.colour });
    Tube { plane: ACROSS, paint: &paint, ..Tube::new(sides.min(5)) }.add(builder, &rings, detail);
}
