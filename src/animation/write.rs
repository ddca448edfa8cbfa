//! Writes clips: the build's side of the format, and what the tests make theirs with.

use super::clip::{DESCRIPTOR_BYTES, FRAME_RATE, POSITION_STEPS, ROTATION_STEPS};
use super::events::Event;
use super::skeleton::{BONES, bone};
use crate::chunk::ChunkType;
use crate::chunk::write::{NewChunk, container};
use crate::maths::{Quat, Vec3};
use alloc::string::String;
use alloc::vec::Vec;

/// Frames of the longest clip: a key's frame is a byte.
pub const MOST_FRAMES: usize = 255;
/// Metres by which a place may be off between two keys.
const PLACE_TOLERANCE: f32 = 0.000_6;
/// How far the dot product of two rotations may be from one between two keys: a quarter of a degree.
const TURN_TOLERANCE: f32 = 2.4e-6;

/// A clip with a value for every frame, the last one included.
#[derive(Clone, Debug, Default)]
pub struct NewClip {
    /// Its number.
    pub id: u16,
    /// What it is called; at most 31 ASCII letters.
    pub name: String,
    /// Bits of [`super::clip::flag`].
    pub flags: u32,
    /// Where the motion is at each frame, metres; its first entry is the origin.
    pub motion: Vec<Vec3>,
    /// How far the motion has turned at each frame, radians clockwise.
    pub turn: Vec<f32>,
    /// Where the root is at each frame in the motion's space.
    pub root: Vec<Vec3>,
    /// Rotation of each bone at each frame in its parent's space; none for bones that stay as they are. The motion's own
    /// comes from `turn`.
    pub rotations: Vec<Option<Vec<Quat>>>,
    /// Events.
    pub events: Vec<Event>,
}

/// The frames that must be keys so that what lies between is close enough.
fn reduce(count: usize, close: impl Fn(usize, usize, usize) -> bool) -> Vec<usize> {
    let mut keys = Vec::from([0]);
    let mut from = 0;
    while from + 1 < count {
        let mut to = from + 1;
        while to + 1 < count && (from + 1..=to).all(|frame| close(from, to + 1, frame)) {
            to += 1;
        }
        keys.push(to);
        from = to;
    }
    // A channel that never changes is one key.
    if keys.len() == 2 && close(0, 0, keys[1]) {
        keys.truncate(1);
    }
    keys
}

fn share(from: usize, to: usize, frame: usize) -> f32 {
    if to == from { 0.0 } else { (frame - from) as f32 / (to - from) as f32 }
}

fn channel(out: &mut Vec<u8>, keys: &[usize], components: impl Fn(usize) -> [i16; 3]) {
    out.extend((keys.len() as u16).to_le_bytes());
    out.extend([0; 2]);
    let mut before = 0;
    for &frame in keys {
        out.extend([(frame - before) as u8, frame as u8]);
        before = frame;
        for component in components(frame) {
            out.extend(component.to_le_bytes());
        }
    }
}

fn places(out: &mut Vec<u8>, values: &[Vec3]) {
    let close = |a: usize, b: usize, n: usize| {
        (values[a].lerp(values[b], share(a, b, n)) - values[n]).length() < PLACE_TOLERANCE
    };
    channel(out, &reduce(values.len(), close), |frame| {
        let v = values[frame].to_array();
        [0, 1, 2].map(|n| libm::roundf(v[n] * POSITION_STEPS[n]) as i16)
    });
}

fn turns(out: &mut Vec<u8>, values: &[Quat]) {
    let close = |a: usize, b: usize, n: usize| {
        values[a].nlerp(values[b], share(a, b, n)).dot(values[n]).abs() > 1.0 - TURN_TOLERANCE
    };
    channel(out, &reduce(values.len(), close), |frame| {
        let q = values[frame];
        let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
        [q.x, q.y, q.z].map(|c| libm::roundf(c * sign * ROTATION_STEPS).clamp(-32767.0, 32767.0) as i16)
    });
}

impl NewClip {
    /// Descriptor and keyframes.
    ///
    /// # Panics
    /// When the channels have different lengths or the clip has no frame or too many: its maker's bug.
    pub fn write(&self) -> (Vec<u8>, Vec<u8>) {
        let frames = self.root.len();
        assert!((2..=MOST_FRAMES + 1).contains(&frames), "{}: {frames} frames", self.name);
        assert!(self.motion.len() == frames && self.turn.len() == frames, "{}", self.name);
        let mut keyframes = Vec::new();
        places(&mut keyframes, &self.motion);
        places(&mut keyframes, &self.root);
        let positions = keyframes.len() as u32;
        let mut mask = 0u64;
        for n in 0..BONES {
            let turned: Vec<Quat>;
            let values = if n == bone::MOTION {
                if self.turn.iter().all(|turn| *turn == 0.0) {
                    continue;
                }
                turned = self.turn.iter().map(|turn| Quat::from_heading(*turn)).collect();
                &turned
            } else {
                let Some(Some(values)) = self.rotations.get(n) else { continue };
                values
            };
            assert_eq!(values.len(), frames, "{}: bone {n}", self.name);
            mask |= 1 << n;
            turns(&mut keyframes, values);
        }
        let rotations = keyframes.len() as u32 - positions;
        let mut events = self.events.clone();
        events.sort_by_key(|event| event.frame);
        events.iter().for_each(|event| keyframes.extend(event.to_bytes()));

        let mut descriptor = Vec::with_capacity(DESCRIPTOR_BYTES);
        let travel = self.motion[frames - 1];
        for value in [travel.x, travel.y, (frames - 1) as f32 / FRAME_RATE] {
            descriptor.extend(value.to_le_bytes());
        }
        descriptor.extend(positions.to_le_bytes());
        descriptor.extend(rotations.to_le_bytes());
        descriptor.extend((mask.count_ones() as u16).to_le_bytes());
        descriptor.extend((events.len() as u16).to_le_bytes());
        descriptor.extend(&mask.to_le_bytes()[..5]);
        descriptor.resize(0x20, 0);
        descriptor.extend(self.name.bytes().take(31));
        descriptor.resize(0x40, 0);
        descriptor.extend(u32::from(self.id).to_le_bytes());
        descriptor.extend(self.flags.to_le_bytes());
        (descriptor, keyframes)
    }
}

/// The container that a library is read from.
pub fn library(clips: &[NewClip]) -> Vec<u8> {
    let mut chunks = Vec::new();
    for clip in clips {
        let (descriptor, keyframes) = clip.write();
        let id = u32::from(clip.id);
        chunks.push(NewChunk { kind: ChunkType::CLIP, id, data: descriptor });
        chunks.push(NewChunk { kind: ChunkType::KEYFRAMES, id, data: keyframes });
    }
    container(crate::file_io::name::crc32(b"clips"), &chunks)
}
