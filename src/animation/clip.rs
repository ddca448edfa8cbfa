//! Clips: keys of bones and events over time, as the disc holds them.
//!
//! | offset | descriptor |
//! | --- | --- |
//! | 0x00 | f32 x and y that the human is carried in all, metres |
//! | 0x08 | f32 length, seconds of clip time |
//! | 0x0c | u32 bytes of the positions' section, of the rotations' section |
//! | 0x14 | u16 rotation channels, u16 events |
//! | 0x18 | five bytes of bone mask |
//! | 0x20 | name, 32 bytes, ends with zeros |
//! | 0x40 | u32 clip number |
//! | 0x44 | u32 flags |
//!
//! The keyframes hold the section of positions (the motion's channel, the root's), the rotations' (a channel per bone of
//! the mask, in order), then the events. A channel is its number of keys in two bytes, two bytes of nothing, and its keys:
//! {u8 frames since the key before, u8 frame, i16 x 3}. Positions are in 1/1023, 1/1023 and 1/2047 m, rotations in 2^-15
//! with w >= 0 left out. The last key is held.
//!
//! Source: humans and combat, Animation tasks. Our choice: the second byte of a key, and where things lie.

use super::events::Event;
use super::pose::LocalPose;
use super::skeleton::{BONES, Skeleton, bone};
use crate::maths::{Quat, Vec3, scalar};

/// Frames in a second of clip time. Source: humans and combat, Animation tasks.
pub const FRAME_RATE: f32 = 30.0;
/// Bytes of a descriptor.
pub const DESCRIPTOR_BYTES: usize = 0x48;
/// Bytes of a channel's head and of a key.
pub const KEY_BYTES: usize = 8;
const CHANNEL_BYTES: usize = 4;
/// Bytes of an event.
pub const EVENT_BYTES: usize = 24;
/// Steps of a metre in a key. Source: humans and combat, Animation tasks.
pub const POSITION_STEPS: [f32; 3] = [1023.0, 1023.0, 2047.0];
/// Steps of a quaternion's component in a key. Source: humans and combat, Animation tasks.
pub const ROTATION_STEPS: f32 = 32768.0;

/// Flags of a clip. Source: humans and combat, Animation tasks.
pub mod flag {
    /// The root's motion gives no velocity.
    pub const NO_VELOCITY: u32 = 0x1;
    /// The root's motion does not turn.
    pub const NO_TURN: u32 = 0x2;
    /// Its sounds are muted.
    pub const MUTED: u32 = 0x10;
    /// Goes on from where the clip before it ended.
    pub const CONTINUOUS: u32 = 0x200;
    /// Plays at 0.8.
    pub const SLOWER: u32 = 0x800;
    /// Plays at 1.0.
    pub const FULL_RATE: u32 = 0x1000;
    /// Plays at 0.9.
    pub const SLOW: u32 = 0x2000;
    /// Its strikes meet humans at their capsules.
    pub const STRIKES_CAPSULES: u32 = 0x1_0000;
}

/// Why a clip cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClipError {
    /// The descriptor is too short, or a number in it makes no sense.
    Descriptor,
    /// A section ends behind the keyframes, or a channel behind its section.
    Truncated,
    /// A channel without keys, or keys out of order.
    Keys,
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn f32_at(bytes: &[u8], at: usize) -> f32 {
    f32::from_bits(u32_at(bytes, at))
}

/// Where a channel's keys are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Channel {
    first: u32,
    keys: u16,
}

/// A clip that was checked when it was read; its keys stay in the bytes that came from the disc.
#[derive(Clone, Debug)]
pub struct Clip {
    /// Its number.
    pub id: u16,
    /// What it is called, for people.
    pub name: heapless::String<31>,
    /// Bits of [`flag`].
    pub flags: u32,
    /// Seconds of clip time.
    pub length: f32,
    /// What it carries the human in all, metres at scale 1.
    pub travel: [f32; 2],
    positions: [Channel; 2],
    rotations: [Channel; BONES],
    events: u32,
    event_count: u16,
}

/// A reader of channels that checks as it goes.
struct Sections<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl Sections<'_> {
    fn channel(&mut self) -> Result<Channel, ClipError> {
        if self.at + CHANNEL_BYTES > self.end {
            return Err(ClipError::Truncated);
        }
        let keys = u16_at(self.bytes, self.at);
        let first = self.at + CHANNEL_BYTES;
        let after = first + usize::from(keys) * KEY_BYTES;
        if keys == 0 {
            return Err(ClipError::Keys);
        }
        if after > self.end {
            return Err(ClipError::Truncated);
        }
        let mut before = None;
        for key in 0..usize::from(keys) {
            let frame = self.bytes[first + key * KEY_BYTES + 1];
            if before.is_some_and(|before| frame <= before) {
                return Err(ClipError::Keys);
            }
            before = Some(frame);
        }
        self.at = after;
        Ok(Channel { first: first as u32, keys })
    }
}

impl Clip {
    /// Reads a descriptor and checks the keyframes against it.
    ///
    /// # Errors
    /// Whatever does not fit together; nothing of a clip that was read can lead outside of its keyframes.
    pub fn read(descriptor: &[u8], keyframes: &[u8]) -> Result<Self, ClipError> {
        if descriptor.len() < DESCRIPTOR_BYTES {
            return Err(ClipError::Descriptor);
        }
        let (travel, length) = ([f32_at(descriptor, 0), f32_at(descriptor, 4)], f32_at(descriptor, 8));
        let sensible = |value: f32| value.is_finite() && value.abs() < 1e3;
        if !travel.iter().all(|value| sensible(*value)) || !sensible(length) || length <= 0.0 {
            return Err(ClipError::Descriptor);
        }
        let sizes = [u32_at(descriptor, 0x0c) as usize, u32_at(descriptor, 0x10) as usize];
        let (channels, event_count) = (u16_at(descriptor, 0x14), u16_at(descriptor, 0x16));
        let mut mask = 0u64;
        for byte in 0..5 {
            mask |= u64::from(descriptor[0x18 + byte]) << (8 * byte);
        }
        if mask >> BONES != 0 || mask.count_ones() != u32::from(channels) {
            return Err(ClipError::Descriptor);
        }
        let positions_end = sizes[0];
        let events = positions_end.checked_add(sizes[1]).ok_or(ClipError::Truncated)?;
        let event_bytes = usize::from(event_count) * EVENT_BYTES;
        if events.checked_add(event_bytes).is_none_or(|end| end > keyframes.len()) {
            return Err(ClipError::Truncated);
        }
        let mut sections = Sections { bytes: keyframes, at: 0, end: positions_end };
        let positions = [sections.channel()?, sections.channel()?];
        let mut sections = Sections { bytes: keyframes, at: positions_end, end: events };
        let mut rotations = [Channel::default(); BONES];
        for n in (0..BONES).filter(|n| mask >> n & 1 == 1) {
            rotations[n] = sections.channel()?;
        }
        let mut name = heapless::String::new();
        for byte in descriptor[0x20..0x3f].iter().take_while(|byte| **byte != 0 && byte.is_ascii()) {
            let _ = name.push(char::from(*byte));
        }
        let id = u32_at(descriptor, 0x40) as u16;
        let flags = u32_at(descriptor, 0x44);
        Ok(Self { id, name, flags, length, travel, positions, rotations, events: events as u32, event_count })
    }

    /// Clip seconds that pass in a second. Source: humans and combat, Animation tasks (CfgAnimSpeeds).
    pub fn rate(&self) -> f32 {
        const RATES: [(u32, f32); 3] = [(flag::SLOWER, 0.8), (flag::FULL_RATE, 1.0), (flag::SLOW, 0.9)];
        RATES.into_iter().find(|(bit, _)| self.flags & bit != 0).map_or(0.75, |(_, rate)| rate)
    }

    /// Metres a second at which it carries a human. Source: humans and combat, Data (speeds come from the clips).
    pub fn speed(&self) -> f32 {
        let [x, y] = self.travel;
        scalar::sqrt(x * x + y * y) / (self.length / self.rate())
    }

    /// Its events in the order of their frames.
    pub fn events<'a>(&self, keyframes: &'a [u8]) -> impl Iterator<Item = Event> + use<'a> {
        let first = self.events as usize;
        let bytes = keyframes.get(first..first + usize::from(self.event_count) * EVENT_BYTES).unwrap_or_default();
        bytes.chunks_exact(EVENT_BYTES).map(Event::from_bytes)
    }

    /// The pose at a time in clip seconds.
    pub fn sample(&self, keyframes: &[u8], seconds: f32, skeleton: &Skeleton, pose: &mut LocalPose) {
        let frame = (seconds * FRAME_RATE).max(0.0);
        *pose = LocalPose::reference(skeleton);
        for n in 1..BONES {
            let channel = self.rotations[n];
            if channel.keys != 0 {
                pose.rotations[n] = rotation(keyframes, channel, frame);
                pose.tagged &= !(1 << n);
            }
        }
        if self.rotations[bone::ROOT].keys != 0 {
            pose.root = position(keyframes, self.positions[1], frame);
            pose.tagged &= !(1 << bone::MOTION);
        }
    }

    /// How far the motion's channel has carried and turned a human at a time in clip seconds: metres at scale 1, radians
    /// clockwise.
    pub fn motion(&self, keyframes: &[u8], seconds: f32) -> (Vec3, f32) {
        let frame = (seconds * FRAME_RATE).max(0.0);
        let place = position(keyframes, self.positions[0], frame);
        let turned = if self.rotations[bone::MOTION].keys == 0 {
            0.0
        } else {
            let q = rotation(keyframes, self.rotations[bone::MOTION], frame);
            -2.0 * scalar::atan2(q.z, q.w)
        };
        (place, turned)
    }
}

/// The keys before and behind a frame, and how far between them it lies.
fn between(bytes: &[u8], channel: Channel, frame: f32) -> (usize, usize, f32) {
    let frame_of = |key: usize| bytes[channel.first as usize + key * KEY_BYTES + 1];
    let (mut low, mut high) = (0, usize::from(channel.keys));
    while high - low > 1 {
        let middle = (low + high) / 2;
        if f32::from(frame_of(middle)) <= frame { low = middle } else { high = middle }
    }
    let next = (low + 1).min(usize::from(channel.keys) - 1);
    if next == low {
        return (low, low, 0.0);
    }
    let (from, to) = (f32::from(frame_of(low)), f32::from(frame_of(next)));
    (low, next, ((frame - from) / (to - from)).clamp(0.0, 1.0))
}

fn components(bytes: &[u8], channel: Channel, key: usize) -> [f32; 3] {
    let at = channel.first as usize + key * KEY_BYTES;
    [2, 4, 6].map(|offset| f32::from(u16_at(bytes, at + offset) as i16))
}

fn position(bytes: &[u8], channel: Channel, frame: f32) -> Vec3 {
    let (low, next, share) = between(bytes, channel, frame);
    let at = |key| {
        let [x, y, z] = components(bytes, channel, key);
        Vec3::new(x / POSITION_STEPS[0], y / POSITION_STEPS[1], z / POSITION_STEPS[2])
    };
    at(low).lerp(at(next), share)
}

fn rotation(bytes: &[u8], channel: Channel, frame: f32) -> Quat {
    let (low, next, share) = between(bytes, channel, frame);
    let at = |key| {
        let [x, y, z] = components(bytes, channel, key).map(|value| value / ROTATION_STEPS);
        Quat::new(x, y, z, scalar::sqrt((1.0 - x * x - y * y - z * z).max(0.0)))
    };
    let from = at(low);
    if share == 0.0 { from } else { from.nlerp(at(next), share) }
}
