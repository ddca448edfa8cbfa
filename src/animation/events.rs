//! What clips say on their way.

use super::clip::EVENT_BYTES;
use crate::maths::{Quat, Vec3};

/// Kinds of events. Source: humans and combat, Animation tasks; seed 000, Held flags.
pub mod kind {
    /// Who falls lies, for as many steps as its value says.
    pub const KNOCKDOWN: u16 = 0x7;
    /// Where the other of a pair stands, in the human's own space.
    pub const PARTNER: u16 = 0x8;
    /// An effect at a bone: somebody's effort is heard.
    pub const EFFECT: u16 = 0x9;
    /// A second effect at a bone; here a step's sound.
    pub const STEP: u16 = 0xa;
    /// A bone's strike shape goes on: bone and length.
    pub const STRIKE_ON: u16 = 0xf;
    /// A bone's strike shape goes off.
    pub const STRIKE_OFF: u16 = 0x10;
    /// All strike shapes go on.
    pub const ALL_ON: u16 = 0x13;
    /// All strike shapes go off.
    pub const ALL_OFF: u16 = 0x14;
    /// The victim is warned.
    pub const WARNING: u16 = 0x24;
    /// The attack may be countered.
    pub const COUNTER: u16 = 0x25;
    /// The attack may be blocked early.
    pub const EARLY_BLOCK: u16 = 0x26;
    /// The chain window opens.
    pub const WINDOW: u16 = 0x2c;
    /// The attack ends.
    pub const END: u16 = 0x2d;
    /// Hands control back before the end.
    pub const LIFT: u16 = crate::tasks::humans::held::event::LIFT;
    /// Takes control again.
    pub const PUT_BACK: u16 = crate::tasks::humans::held::event::PUT_BACK;
    /// The thing in the hand flies off.
    pub const RELEASE: u16 = 0x34;
    /// The hand takes a thing.
    pub const TAKE: u16 = 0x36;
    /// The partner is struck.
    pub const PARTNER_HIT: u16 = 0x41;
    /// The recovery begins.
    pub const RECOVERY: u16 = 0x48;
}

/// One event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Event {
    /// The frame it stands on.
    pub frame: u16,
    /// One of [`kind`].
    pub kind: u16,
    /// A number; for strikes the length, for a knock-down the value.
    pub value: i16,
    /// A bone.
    pub bone: u16,
    /// A place in the bone's space, metres.
    pub place: Vec3,
    /// A rotation there.
    pub rotation: Quat,
}

/// Steps of a metre in an event's place.
const PLACE_STEPS: f32 = 1023.0;
const TURN_STEPS: f32 = 32767.0;

impl Event {
    /// Reads the 24 bytes {u16 frame, u16 kind, i16 value, u16 bone, i16 place x 3, i16 rotation x 4, 2 of nothing}.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let word = |n: usize| bytes.get(2 * n..2 * n + 2).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]));
        let part = |n: usize, steps: f32| f32::from(word(n) as i16) / steps;
        Self {
            frame: word(0),
            kind: word(1),
            value: word(2) as i16,
            bone: word(3),
            place: Vec3::new(part(4, PLACE_STEPS), part(5, PLACE_STEPS), part(6, PLACE_STEPS)),
            rotation: Quat::new(part(7, TURN_STEPS), part(8, TURN_STEPS), part(9, TURN_STEPS), part(10, TURN_STEPS))
                .normalize(),
        }
    }

    /// The bytes that [`Self::from_bytes`] reads.
    pub fn to_bytes(self) -> [u8; EVENT_BYTES] {
        let step = |value: f32, steps: f32| ((value * steps) as i16) as u16;
        let (p, q) = (self.place, self.rotation);
        let words = [
            self.frame,
            self.kind,
            self.value as u16,
            self.bone,
            step(p.x, PLACE_STEPS),
            step(p.y, PLACE_STEPS),
            step(p.z, PLACE_STEPS),
            step(q.x, TURN_STEPS),
            step(q.y, TURN_STEPS),
            step(q.z, TURN_STEPS),
            step(q.w, TURN_STEPS),
            0,
        ];
        let mut bytes = [0; EVENT_BYTES];
        for (field, word) in bytes.chunks_exact_mut(2).zip(words) {
            field.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_survives_its_bytes() {
        let event = Event {
            frame: 7,
            kind: kind::STRIKE_ON,
            value: -3,
            bone: 19,
            place: Vec3::new(1.0, -2.0, 0.5),
            rotation: Quat::IDENTITY,
        };
        let back = Event::from_bytes(&event.to_bytes());
        assert_eq!((back.frame, back.kind, back.value, back.bone), (7, 0xf, -3, 19));
        assert!((back.place - event.place).length() < 2e-3 && back.rotation.w > 0.9999);
    }
}
