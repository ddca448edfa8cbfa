//! From controls to bones: hips, spine and head turn, hands and feet go where they are told and limbs follow.

use super::controls::{Controls, middle, side, side as side_of};
use boardwalk::animation::pose::LocalPose;
use boardwalk::animation::skeleton::{BONES, JOINTS, PARENTS, Skeleton, bone, rest_rotation};
use boardwalk::maths::{Quat, Vec3};

/// The ankle from the ball of a flat foot.
const ANKLE_FROM_BALL: Vec3 = Vec3::new(0.0, -0.13, 0.085);
/// The heel from the ball of a flat foot.
pub const HEEL_FROM_BALL: Vec3 = Vec3::new(0.0, -0.19, 0.0);
/// A limb is never stretched beyond this share of its length: a straight one snaps.
const REACH: f32 = 0.995;

/// A body in one frame.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its pose in the motion's space.
    pub pose: LocalPose,
    /// Metres by which a foot missed its place.
    pub missed: f32,
}

fn joint(n: usize) -> Vec3 {
    Vec3::from_array(JOINTS[n])
}

/// A turn by yaw to the right, pitch ahead and roll to the right, in degrees.
fn turn(yaw: f32, pitch: f32, roll: f32) -> Quat {
    let about = |axis: Vec3, degrees: f32| Quat::from_axis_angle(axis, degrees.to_radians());
    about(Vec3::Z, -yaw) * about(Vec3::X, -pitch) * about(Vec3::Y, roll)
}

fn three(controls: &Controls, at: [usize; 3]) -> Vec3 {
    Vec3::new(controls[at[0]], controls[at[1]], controls[at[2]])
}

/// The rotation whose x axis is `along` and whose z axis leans to `towards`.
fn frame(along: Vec3, towards: Vec3) -> Quat {
    let x = along.normalize_or_zero();
    let z = (towards - x * x.dot(towards)).normalize_or_zero();
    let y = z.cross(x);
    // From the matrix with columns x, y, z.
    let trace = x.x + y.y + z.z;
    let q = if trace > 0.0 {
        let s = (trace + 1.0).sqrt() * 2.0;
        Quat::new((y.z - z.y) / s, (z.x - x.z) / s, (x.y - y.x) / s, 0.25 * s)
    } else if x.x > y.y && x.x > z.z {
        let s = (1.0 + x.x - y.y - z.z).sqrt() * 2.0;
        Quat::new(0.25 * s, (x.y + y.x) / s, (z.x + x.z) / s, (y.z - z.y) / s)
    } else if y.y > z.z {
        let s = (1.0 + y.y - x.x - z.z).sqrt() * 2.0;
        Quat::new((x.y + y.x) / s, 0.25 * s, (y.z + z.y) / s, (z.x - x.z) / s)
    } else {
        let s = (1.0 + z.z - x.x - y.y).sqrt() * 2.0;
        Quat::new((z.x + x.z) / s, (y.z + z.y) / s, 0.25 * s, (x.y - y.x) / s)
    };
    q.normalize()
}

/// A limb of two bones from `from` towards `to`, its middle joint towards `pole`: the directions of both bones, and by how
/// much it is too short.
fn limb(from: Vec3, to: Vec3, lengths: [f32; 2], pole: Vec3) -> (Vec3, Vec3, f32) {
    let [a, b] = lengths;
    let way = to - from;
    let full = way.length();
    let distance = full.clamp((a - b).abs() + 0.02, (a + b) * REACH);
    let along = way.normalize_or_zero();
    let out = (pole - along * along.dot(pole)).normalize_or_zero();
    let cos = ((a * a + distance * distance - b * b) / (2.0 * a * distance)).clamp(-1.0, 1.0);
    let middle = along * (a * cos) + out * (a * (1.0 - cos * cos).sqrt());
    let end = along * distance;
    (middle.normalize_or_zero(), (end - middle).normalize_or_zero(), (full - distance).max(0.0))
}

/// The world being the motion's space: every bone's rotation and joint.
struct Builder {
    rotations: [Quat; BONES],
    joints: [Vec3; BONES],
}

impl Builder {
    /// Places a bone that keeps its offset from its parent, turned by `delta` from how it rests against the parent.
    fn bone(&mut self, n: usize, delta: Quat) {
        let parent = PARENTS[n] as usize;
        let rest = rest_rotation(parent).conjugate();
        self.joints[n] = self.joints[parent] + self.rotations[parent].rotate(rest.rotate(joint(n) - joint(parent)));
        // The delta is in the axes of the standing human, carried along by the parent.
        let carried = self.rotations[parent] * rest;
        self.rotations[n] = carried * delta * rest_rotation(n);
    }

    /// The axes of the standing human as a bone carries them.
    fn axes(&self, n: usize) -> Quat {
        self.rotations[n] * rest_rotation(n).conjugate()
    }
}

/// Turns the controls of one frame into a pose. Feet are in the clip's space, so the motion is taken out of them.
pub fn pose(controls: &Controls) -> Frame {
    let mut b = Builder { rotations: [Quat::IDENTITY; BONES], joints: [Vec3::ZERO; BONES] };
    let hips = three(controls, middle::HIPS);
    let [yaw, pitch, roll] = middle::HIPS_TURN.map(|n| controls[n]);
    b.joints[bone::ROOT] = joint(bone::ROOT) + hips;
    b.rotations[bone::ROOT] = turn(yaw, pitch, roll) * rest_rotation(bone::ROOT);
    b.bone(bone::PELVIS, Quat::IDENTITY);
    let [yaw, pitch, roll] = middle::SPINE.map(|n| controls[n] / 3.0);
    for n in [bone::SPINE, bone::MIDDLE, bone::CHEST] {
        b.bone(n, turn(yaw, pitch, roll));
    }
    let [yaw, pitch, roll] = middle::HEAD.map(|n| controls[n]);
    b.bone(bone::HEAD, turn(yaw, pitch, roll));
    for n in 7..=15 {
        b.bone(n, Quat::IDENTITY);
    }
    let mut missed = 0.0f32;
    for s in 0..2 {
        arm(&mut b, controls, s);
        missed = missed.max(leg(&mut b, controls, s));
    }
    let mut out = LocalPose::reference(&Skeleton::new());
    out.tagged = 1;
    out.root = b.joints[bone::ROOT];
    for (n, parent) in PARENTS.iter().enumerate().skip(bone::ROOT) {
        let outer = if n == bone::ROOT { Quat::IDENTITY } else { b.rotations[*parent as usize] };
        out.rotations[n] = (outer.conjugate() * b.rotations[n]).normalize();
    }
    Frame { pose: out, missed }
}

/// -1 for the left side, 1 for the right.
fn sign(s: usize) -> f32 {
    if s == 0 { -1.0 } else { 1.0 }
}

fn arm(b: &mut Builder, controls: &Controls, s: usize) {
    let value = |n: usize| controls[side_of(s) + n];
    let first = if s == 0 { bone::LEFT_COLLAR } else { bone::RIGHT_COLLAR };
    let [up, ahead] = side::COLLAR.map(value);
    b.bone(first, turn(-sign(s) * ahead, 0.0, -sign(s) * up));
    let (arm, forearm, hand) = (first + 1, first + 2, first + 3);
    b.bone(arm, Quat::IDENTITY);
    let shoulder = b.joints[arm];
    let axes = b.axes(bone::CHEST);
    let [x, y, z] = side::HAND.map(value);
    let target = shoulder + axes.rotate(Vec3::new(sign(s) * x, y, z));
    let lengths = [(joint(forearm) - joint(arm)).length(), (joint(hand) - joint(forearm)).length()];
    // Elbows hang down, back and a little out; `elbow` lifts them outwards.
    let lift = value(side::ELBOW).to_radians();
    let pole = Vec3::new(sign(s) * (0.35 * lift.cos() + lift.sin()), -0.7 * lift.cos(), -0.75 * lift.cos());
    let pole = axes.rotate(pole);
    let (upper, lower, _) = limb(shoulder, target, lengths, pole);
    b.rotations[arm] = frame(upper, -pole);
    b.joints[forearm] = shoulder + upper * lengths[0];
    b.rotations[forearm] = frame(lower, -pole);
    b.joints[hand] = b.joints[forearm] + lower * lengths[1];
    let roll = Quat::from_axis_angle(Vec3::X, (sign(s) * value(side::HAND_ROLL)).to_radians());
    let bend = Quat::from_axis_angle(Vec3::Y, (-sign(s) * value(side::HAND_BEND)).to_radians());
    b.rotations[hand] = b.rotations[forearm] * roll * bend;
    let curl = Quat::from_axis_angle(Vec3::Z, (sign(s) * value(side::FIST) * 95.0).to_radians());
    for finger in [hand + 1, hand + 2] {
        let offset = rest_rotation(hand).conjugate().rotate(joint(finger) - joint(hand));
        b.joints[finger] = b.joints[hand] + b.rotations[hand].rotate(offset);
        b.rotations[finger] = b.rotations[hand] * curl;
    }
}

fn leg(b: &mut Builder, controls: &Controls, s: usize) -> f32 {
    let value = |n: usize| controls[side_of(s) + n];
    let thigh = if s == 0 { bone::LEFT_THIGH } else { bone::RIGHT_THIGH };
    let (shin, foot) = (thigh + 1, thigh + 2);
    b.bone(thigh, Quat::IDENTITY);
    let hip = b.joints[thigh];
    let axes = b.axes(bone::PELVIS);
    let ankle = ankle_of(controls, s);
    let free = value(side::FREE).clamp(0.0, 1.0);
    let [x, y, z] = side::LEG.map(value);
    let carried = hip + axes.rotate(Vec3::new(sign(s) * x, y, z));
    let target = ankle.place.lerp(carried, free);
    let carried_turn = axes * turn(0.0, value(side::LEG_PITCH), 0.0);
    let sole = ankle.turn.nlerp(carried_turn, free);
    let lengths = [(joint(shin) - joint(thigh)).length(), (joint(foot) - joint(shin)).length()];
    let knee = turn(sign(s) * value(side::KNEE), 0.0, 0.0).rotate(Vec3::Y);
    let pole = (axes.rotate(knee) + sole.rotate(knee) * 0.6).normalize_or_zero();
    let (upper, lower, missed) = limb(hip, target, lengths, pole);
    b.rotations[thigh] = frame(upper, pole);
    b.joints[shin] = hip + upper * lengths[0];
    b.rotations[shin] = frame(lower, pole);
    b.joints[foot] = b.joints[shin] + lower * lengths[1];
    b.rotations[foot] = sole * rest_rotation(foot);
    // A foot in the air may hang back.
    let planted = value(side::FOOT[2]) < OFF_GROUND;
    missed * (1.0 - free) * f32::from(u8::from(planted))
}

/// A ball this high is in the air.
const OFF_GROUND: f32 = 0.02;
/// A heel is raised no further than this to make a leg long enough, in degrees.
const HEEL_LIMIT: f32 = 62.0;

/// The hip of a side and how long its leg is.
fn hip(controls: &Controls, s: usize) -> (Vec3, f32) {
    let [yaw, pitch, roll] = middle::HIPS_TURN.map(|n| controls[n]);
    let thigh = if s == 0 { bone::LEFT_THIGH } else { bone::RIGHT_THIGH };
    let offset = turn(yaw, pitch, roll).rotate(joint(thigh) - joint(bone::ROOT));
    let length = (joint(thigh) - joint(thigh + 1)).length() + (joint(thigh + 1) - joint(thigh + 2)).length();
    (joint(bone::ROOT) + three(controls, middle::HIPS) + offset, length * REACH)
}

/// Raises heels of feet that stay behind until their legs reach, as people do.
pub fn raise_heels(controls: &mut Controls) {
    for s in 0..2 {
        let pitch = side_of(s) + side::FOOT_PITCH;
        if controls[side_of(s) + side::FREE] > 0.0 || controls[pitch] < 0.0 {
            continue;
        }
        let (hip, reach) = hip(controls, s);
        while controls[pitch] < HEEL_LIMIT && (ankle_of(controls, s).place - hip).length() > reach {
            controls[pitch] += 1.0;
        }
    }
}

/// An ankle whose foot is on or over the ground, in the motion's space.
pub struct Ankle {
    /// Its place.
    pub place: Vec3,
    /// The foot's turn from how it rests.
    pub turn: Quat,
}

/// Where a foot's ankle is: a lifted heel turns about the ball, lifted toes about the heel.
pub fn ankle_of(controls: &Controls, s: usize) -> Ankle {
    let value = |n: usize| controls[side_of(s) + n];
    let [x, y, z] = side::FOOT.map(value);
    let (yaw, pitch) = (sign(s) * value(side::FOOT_YAW), value(side::FOOT_PITCH));
    let flat = turn(yaw, 0.0, 0.0);
    let tipped = turn(yaw, pitch, 0.0);
    let ball = Vec3::new(sign(s) * x, y, z);
    let place = if pitch >= 0.0 {
        ball + tipped.rotate(ANKLE_FROM_BALL)
    } else {
        ball + flat.rotate(HEEL_FROM_BALL) + tipped.rotate(ANKLE_FROM_BALL - HEEL_FROM_BALL)
    };
    let [root_x, root_y, root_yaw] = middle::ROOT.map(|n| controls[n]);
    let back = turn(-root_yaw, 0.0, 0.0);
    Ankle { place: back.rotate(place - Vec3::new(root_x, root_y, 0.0)), turn: back * tipped }
}

/// How high the root may be so that both feet that are not free reach their places.
pub fn highest_root(controls: &Controls) -> f32 {
    let mut highest = f32::MAX;
    for s in (0..2).filter(|s| controls[side_of(*s) + side::FREE] <= 0.0) {
        if controls[side_of(s) + side::FOOT[2]] >= OFF_GROUND {
            continue;
        }
        let (hip, reach) = hip(controls, s);
        let ankle = ankle_of(controls, s).place;
        let out = (ankle - hip).horizontal().length_squared();
        let up = (reach * reach - out).max(0.01).sqrt();
        highest = highest.min(controls[middle::HIPS[2]] + ankle.z + up - hip.z);
    }
    highest
}
