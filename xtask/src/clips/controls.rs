//! The controls of a body: one number each, named as an animator names them.
//!
//! Metres and degrees. On the middle of the body `x` is to its right, `y` ahead, `z` up; `yaw` turns to the right, `pitch`
//! leans ahead, `roll` leans to the right. On limbs `x` is outwards and so are `yaw`, `roll` and `out`, so that a mirrored
//! pose has the same numbers on the other side.

/// A control's place in a [`Controls`].
pub type Control = usize;

/// Parts of the middle: what mirrors in itself.
const MIDDLE: [(&str, &[&str]); 4] = [
    ("root", &["x", "y", "yaw"]),
    ("hips", &["x", "y", "z", "yaw", "pitch", "roll"]),
    ("spine", &["yaw", "pitch", "roll"]),
    ("head", &["yaw", "pitch", "roll"]),
];
/// Parts that both sides have.
const SIDES: [(&str, &[&str]); 4] = [
    ("collar", &["up", "ahead"]),
    ("hand", &["x", "y", "z", "roll", "bend", "fist", "elbow"]),
    ("foot", &["x", "y", "z", "yaw", "pitch", "knee"]),
    ("leg", &["x", "y", "z", "pitch", "free"]),
];
const MIDDLE_COUNT: usize = 15;
const SIDE_COUNT: usize = 20;
/// How many there are.
pub const COUNT: usize = MIDDLE_COUNT + 2 * SIDE_COUNT;

/// The values of all controls at one moment.
pub type Controls = [f32; COUNT];

/// A control of the middle of the body.
pub mod middle {
    use super::Control;
    /// Of the motion: metres to the right, ahead, degrees to the right.
    pub const ROOT: [Control; 3] = [0, 1, 2];
    /// Of the hips: offset from where they are when standing.
    pub const HIPS: [Control; 3] = [3, 4, 5];
    /// Of the hips: yaw, pitch, roll.
    pub const HIPS_TURN: [Control; 3] = [6, 7, 8];
    /// Of the spine, over its three bones.
    pub const SPINE: [Control; 3] = [9, 10, 11];
    /// Of the head, against the chest.
    pub const HEAD: [Control; 3] = [12, 13, 14];
}

/// Controls of a side, counted from the side's first.
pub mod side {
    use super::Control;
    /// Collar: up and ahead.
    pub const COLLAR: [Control; 2] = [0, 1];
    /// Wrist from the shoulder, in the chest's axes.
    pub const HAND: [Control; 3] = [2, 3, 4];
    /// Turn of the hand about the forearm.
    pub const HAND_ROLL: Control = 5;
    /// Bend of the wrist.
    pub const HAND_BEND: Control = 6;
    /// 0 open, 1 a fist.
    pub const FIST: Control = 7;
    /// How far the elbow is lifted outwards.
    pub const ELBOW: Control = 8;
    /// The ball of the foot on the ground, in the clip's own space.
    pub const FOOT: [Control; 3] = [9, 10, 11];
    /// Where the toes point.
    pub const FOOT_YAW: Control = 12;
    /// Heel up; below zero, toes up.
    pub const FOOT_PITCH: Control = 13;
    /// How far the knee points outwards.
    pub const KNEE: Control = 14;
    /// Ankle from the hip, in the pelvis' axes, for a leg that is free.
    pub const LEG: [Control; 3] = [15, 16, 17];
    /// Heel up against the pelvis, for a leg that is free.
    pub const LEG_PITCH: Control = 18;
    /// 1 for a leg that the pelvis carries, 0 for one whose foot is somewhere.
    pub const FREE: Control = 19;
}

/// The first control of a side: 0 left, 1 right.
pub const fn side(n: usize) -> Control {
    MIDDLE_COUNT + n * SIDE_COUNT
}

/// The control of a part and an axis, as in `hand.l` and `y`.
pub fn find(part: &str, axis: &str) -> Option<Control> {
    let mut at = 0;
    for (name, axes) in MIDDLE {
        if name == part {
            return axes.iter().position(|a| *a == axis).map(|n| at + n);
        }
        at += axes.len();
    }
    let (part, which) = part.split_once('.')?;
    let first = side(match which {
        "l" => 0,
        "r" => 1,
        _ => return None,
    });
    let mut at = first;
    for (name, axes) in SIDES {
        if name == part {
            return axes.iter().position(|a| *a == axis).map(|n| at + n);
        }
        at += axes.len();
    }
    None
}

/// The controls of a body seen in a mirror.
pub fn mirrored(controls: &Controls) -> Controls {
    let mut out = *controls;
    for control in [middle::ROOT[0], middle::ROOT[2], middle::HIPS[0]] {
        out[control] = -out[control];
    }
    for turn in [middle::HIPS_TURN, middle::SPINE, middle::HEAD] {
        out[turn[0]] = -out[turn[0]];
        out[turn[2]] = -out[turn[2]];
    }
    for n in 0..SIDE_COUNT {
        out.swap(side(0) + n, side(1) + n);
    }
    out
}

/// Which control a control is in a mirror, and with which sign.
pub fn mirror_of(control: Control) -> (Control, f32) {
    let mut probe = [0.0; COUNT];
    probe[control] = 1.0;
    let seen = mirrored(&probe);
    seen.iter().position(|value| *value != 0.0).map_or((control, 1.0), |n| (n, seen[n]))
}

/// Standing at ease.
pub fn standing() -> Controls {
    let mut out = [0.0; COUNT];
    for n in 0..2 {
        let first = side(n);
        for (control, value) in side::HAND.into_iter().zip([0.05, 0.03, -0.515]) {
            out[first + control] = value;
        }
        for (control, value) in side::FOOT.into_iter().zip([0.11, 0.13, 0.0]) {
            out[first + control] = value;
        }
        for (control, value) in side::LEG.into_iter().zip([0.02, 0.02, -0.80]) {
            out[first + control] = value;
        }
        out[first + side::FOOT_YAW] = 8.0;
        out[first + side::FIST] = 0.25;
    }
    out
}
