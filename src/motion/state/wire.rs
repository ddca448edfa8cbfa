//! Packing both states into bytes, for recordings and links between machines.
//!
//! A state is sparse: a word of flags says which fields differ from their defaults, those fields follow in order, then the
//! actions. The result is padded to a multiple of four bytes; all numbers are little-endian.
//!
//! Our choice: only the states are packed. The original's messages of whole movements (unpack_movement) come from a server, and
//! there is none here.
//!
//! Source: motion notes, InterpretedMotionState (Wire).

use super::{ActionNode, InterpretedMotionState, RawMotionState};
use crate::motion::{HoldKey, MotionClass, MotionId};

/// Why bytes are no state.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum WireError {
    /// The bytes end before the state does.
    TooShort,
    /// The buffer to pack into is full.
    NoRoom,
    /// A hold key that does not exist.
    BadHoldKey,
    /// An index that the id table does not know.
    UnknownCommand,
    /// An id that the id table does not know.
    UnpackableCommand,
    /// More actions than the counter holds.
    TooManyActions,
}

/// The largest action count that fits the flags word of either state.
const MAX_WIRE_ACTIONS: usize = 31;
/// Bit of the flags word where a raw state's action count starts.
const RAW_COUNT_SHIFT: u32 = 11;
/// Bit of the flags word where an interpreted state's action count starts.
const INTERPRETED_COUNT_SHIFT: u32 = 7;
/// Mask of an action count after shifting.
const COUNT_MASK: u32 = 0x1f;
/// The part of an action's stamp that is sent.
const STAMP_MASK: u32 = 0x7fff;
/// The bit of the sent stamp that marks an autonomous action.
const AUTONOMOUS_BIT: u16 = 0x8000;

/// Which ids 16-bit indices stand for: the index alone does not tell the class.
pub trait CommandTable {
    /// The full id of an index.
    fn id_of(&self, index: u16) -> Option<MotionId>;

    /// The index of a full id; `None` when the id would not come back as itself.
    fn index_of(&self, id: MotionId) -> Option<u16> {
        let index = u16::try_from(id.index()).ok()?;
        (self.id_of(index) == Some(id)).then_some(index)
    }
}

/// The id table of the commands that this module names, and of the ids that a list adds.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnownCommands<'a> {
    /// Further full ids, for example those of a motion table.
    pub extra: &'a [MotionId],
}

/// The classes of the consecutive index ranges; gaps are unknown commands.
const CLASS_RANGES: [(u16, u16, u32); 11] = [
    (0x0003, 0x0003, 0x4100_0000),
    (0x0004, 0x0004, 0x4000_0000),
    (0x0005, 0x0006, 0x4500_0000),
    (0x0007, 0x0007, 0x4400_0000),
    (0x0008, 0x0008, 0x4000_0000),
    (0x000d, 0x0010, 0x6500_0000),
    (0x0011, 0x0011, 0x4000_0000),
    (0x0012, 0x0014, 0x4100_0000),
    (0x0015, 0x0039, 0x4000_0000),
    (0x003c, 0x0049, MotionClass::STYLE.0),
    (0x006f, 0x0078, MotionClass::ACTION.0),
];

impl CommandTable for KnownCommands<'_> {
    fn id_of(&self, index: u16) -> Option<MotionId> {
        if index == 0 {
            return Some(MotionId::NONE);
        }
        let known = CLASS_RANGES
            .iter()
            .find(|(first, last, _)| (*first..=*last).contains(&index))
            .map(|(_, _, class)| MotionId(class | u32::from(index)));
        known.or_else(|| self.extra.iter().copied().find(|id| id.index() == u32::from(index)))
    }
}

struct Writer<'a> {
    bytes: &'a mut [u8],
    at: usize,
}

impl Writer<'_> {
    fn put(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let end = self.at + bytes.len();
        self.bytes.get_mut(self.at..end).ok_or(WireError::NoRoom)?.copy_from_slice(bytes);
        self.at = end;
        Ok(())
    }

    fn word(&mut self, value: u32) -> Result<(), WireError> {
        self.put(&value.to_le_bytes())
    }

    fn half(&mut self, value: u16) -> Result<(), WireError> {
        self.put(&value.to_le_bytes())
    }

    fn float(&mut self, value: f32) -> Result<(), WireError> {
        self.put(&value.to_le_bytes())
    }

    fn align(&mut self) -> Result<usize, WireError> {
        while !self.at.is_multiple_of(4) {
            self.put(&[0])?;
        }
        Ok(self.at)
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], WireError> {
        let chunk = self.bytes.get(self.at..self.at + N).and_then(|b| b.try_into().ok()).ok_or(WireError::TooShort)?;
        self.at += N;
        Ok(chunk)
    }

    fn word(&mut self) -> Result<u32, WireError> {
        self.take().map(u32::from_le_bytes)
    }

    fn half(&mut self) -> Result<u16, WireError> {
        self.take().map(u16::from_le_bytes)
    }

    fn float(&mut self) -> Result<f32, WireError> {
        self.take().map(f32::from_le_bytes)
    }

    fn hold_key(&mut self) -> Result<HoldKey, WireError> {
        HoldKey::from_number(self.word()?).ok_or(WireError::BadHoldKey)
    }

    fn align(&mut self) -> Result<usize, WireError> {
        while !self.at.is_multiple_of(4) {
            self.take::<1>()?;
        }
        Ok(self.at)
    }
}

fn put_actions(out: &mut Writer<'_>, actions: &[ActionNode], table: &impl CommandTable) -> Result<(), WireError> {
    for action in actions {
        out.half(table.index_of(action.motion).ok_or(WireError::UnpackableCommand)?)?;
        let stamp = (action.stamp & STAMP_MASK) as u16;
        out.half(if action.autonomous { stamp | AUTONOMOUS_BIT } else { stamp })?;
        out.float(action.speed)?;
    }
    Ok(())
}

fn take_action(input: &mut Reader<'_>, table: &impl CommandTable) -> Result<ActionNode, WireError> {
    let motion = table.id_of(input.half()?).ok_or(WireError::UnknownCommand)?;
    let stamp = input.half()?;
    Ok(ActionNode {
        motion,
        stamp: u32::from(stamp) & STAMP_MASK,
        autonomous: stamp & AUTONOMOUS_BIT != 0,
        speed: input.float()?,
    })
}

/// The flags word: bit `i` where field `i` differs from its default, and the action count above.
fn flags_word(present: &[bool], actions: usize, count_shift: u32) -> Result<u32, WireError> {
    if actions > MAX_WIRE_ACTIONS {
        return Err(WireError::TooManyActions);
    }
    let fields = present.iter().enumerate().fold(0, |word, (bit, on)| word | (u32::from(*on) << bit));
    Ok(fields | ((actions as u32) << count_shift))
}

impl RawMotionState {
    /// Packs the state into the buffer and returns the bytes used. The eleven flag bits are, in order: current hold key,
    /// style, forward command, its key, its speed, sidestep command, its key, its speed, turn command, its key, its speed.
    pub fn pack(&self, buffer: &mut [u8], table: &impl CommandTable) -> Result<usize, WireError> {
        let base = Self::default();
        let present = [
            self.current_holdkey != base.current_holdkey,
            self.current_style != base.current_style,
            self.forward_command != base.forward_command,
            self.forward_holdkey != base.forward_holdkey,
            self.forward_speed != base.forward_speed,
            self.sidestep_command != base.sidestep_command,
            self.sidestep_holdkey != base.sidestep_holdkey,
            self.sidestep_speed != base.sidestep_speed,
            self.turn_command != base.turn_command,
            self.turn_holdkey != base.turn_holdkey,
            self.turn_speed != base.turn_speed,
        ];
        let words = [
            self.current_holdkey as u32,
            self.current_style.0,
            self.forward_command.0,
            self.forward_holdkey as u32,
            self.forward_speed.to_bits(),
            self.sidestep_command.0,
            self.sidestep_holdkey as u32,
            self.sidestep_speed.to_bits(),
            self.turn_command.0,
            self.turn_holdkey as u32,
            self.turn_speed.to_bits(),
        ];
        let mut out = Writer { bytes: buffer, at: 0 };
        out.word(flags_word(&present, self.actions.len(), RAW_COUNT_SHIFT)?)?;
        for (word, _) in words.into_iter().zip(present).filter(|(_, present)| *present) {
            out.word(word)?;
        }
        put_actions(&mut out, self.actions.as_slice(), table)?;
        out.align()
    }

    /// Reads a packed state and the number of bytes it took.
    pub fn unpack(bytes: &[u8], table: &impl CommandTable) -> Result<(Self, usize), WireError> {
        let mut input = Reader { bytes, at: 0 };
        let flags = input.word()?;
        let has = |bit: u32| flags & (1 << bit) != 0;
        let mut state = Self::default();
        if has(0) {
            state.current_holdkey = input.hold_key()?;
        }
        if has(1) {
            state.current_style = MotionId(input.word()?);
        }
        let slots: [(u32, &mut MotionId, &mut HoldKey, &mut f32); 3] = [
            (2, &mut state.forward_command, &mut state.forward_holdkey, &mut state.forward_speed),
            (5, &mut state.sidestep_command, &mut state.sidestep_holdkey, &mut state.sidestep_speed),
            (8, &mut state.turn_command, &mut state.turn_holdkey, &mut state.turn_speed),
        ];
        for (bit, command, key, speed) in slots {
            if has(bit) {
                *command = MotionId(input.word()?);
            }
            if has(bit + 1) {
                *key = input.hold_key()?;
            }
            if has(bit + 2) {
                *speed = input.float()?;
            }
        }
        for _ in 0..(flags >> RAW_COUNT_SHIFT) & COUNT_MASK {
            state.actions.push(take_action(&mut input, table)?);
        }
        Ok((state, input.align()?))
    }
}

impl InterpretedMotionState {
    /// Packs the state into the buffer and returns the bytes used. The seven flag bits are, in order: style, forward
    /// command, its speed, sidestep command, its speed, turn command, its speed; commands are 16-bit indices.
    pub fn pack(&self, buffer: &mut [u8], table: &impl CommandTable) -> Result<usize, WireError> {
        let base = Self::default();
        let present = [
            self.current_style != base.current_style,
            self.forward_command != base.forward_command,
            self.forward_speed != base.forward_speed,
            self.sidestep_command != base.sidestep_command,
            self.sidestep_speed != base.sidestep_speed,
            self.turn_command != base.turn_command,
            self.turn_speed != base.turn_speed,
        ];
        let index = |id: MotionId| table.index_of(id).ok_or(WireError::UnpackableCommand);
        let mut out = Writer { bytes: buffer, at: 0 };
        out.word(flags_word(&present, self.actions.len(), INTERPRETED_COUNT_SHIFT)?)?;
        if present[0] {
            out.half(index(self.current_style)?)?;
        }
        let slots = [
            (1, self.forward_command, self.forward_speed),
            (3, self.sidestep_command, self.sidestep_speed),
            (5, self.turn_command, self.turn_speed),
        ];
        for (bit, command, speed) in slots {
            if present[bit] {
                out.half(index(command)?)?;
            }
            if present[bit + 1] {
                out.float(speed)?;
            }
        }
        put_actions(&mut out, self.actions.as_slice(), table)?;
        out.align()
    }

    /// Reads a packed state and the number of bytes it took.
    pub fn unpack(bytes: &[u8], table: &impl CommandTable) -> Result<(Self, usize), WireError> {
        let mut input = Reader { bytes, at: 0 };
        let flags = input.word()?;
        let has = |bit: u32| flags & (1 << bit) != 0;
        let id = |index: u16| table.id_of(index).ok_or(WireError::UnknownCommand);
        let mut state = Self::default();
        if has(0) {
            state.current_style = id(input.half()?)?;
        }
        let slots: [(u32, &mut MotionId, &mut f32); 3] = [
            (1, &mut state.forward_command, &mut state.forward_speed),
            (3, &mut state.sidestep_command, &mut state.sidestep_speed),
            (5, &mut state.turn_command, &mut state.turn_speed),
        ];
        for (bit, command, speed) in slots {
            if has(bit) {
                *command = id(input.half()?)?;
            }
            if has(bit + 1) {
                *speed = input.float()?;
            }
        }
        for _ in 0..(flags >> INTERPRETED_COUNT_SHIFT) & COUNT_MASK {
            state.actions.push(take_action(&mut input, table)?);
        }
        Ok((state, input.align()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const THRUST: MotionId = MotionId(0x1000_0058);
    const CHEER: MotionId = MotionId(0x1300_004c);
    const TABLE: KnownCommands<'static> = KnownCommands { extra: &[THRUST, CHEER] };

    fn speed() -> impl Strategy<Value = f32> {
        prop_oneof![Just(1.0f32), -8.0f32..8.0]
    }

    fn forward() -> impl Strategy<Value = MotionId> {
        prop::sample::select(alloc::vec![
            MotionId::READY,
            MotionId::WALK_FORWARD,
            MotionId::WALK_BACKWARDS,
            MotionId::RUN_FORWARD,
            MotionId::CROUCH,
            MotionId::FALLEN,
        ])
    }

    fn key() -> impl Strategy<Value = HoldKey> {
        prop::sample::select(alloc::vec![HoldKey::Invalid, HoldKey::None, HoldKey::Run])
    }

    fn action() -> impl Strategy<Value = ActionNode> {
        (prop::bool::ANY, speed(), 0u32..0x8000, prop::bool::ANY).prop_map(|(thrust, speed, stamp, autonomous)| {
            ActionNode { motion: if thrust { THRUST } else { CHEER }, speed, stamp, autonomous }
        })
    }

    proptest! {
        #[test]
        fn a_raw_state_survives_the_wire(
            (holdkey, combat) in (key(), prop::bool::ANY),
            (f, fk, fs) in (forward(), key(), speed()),
            (s, sk, ss) in (prop::bool::ANY, key(), speed()),
            (t, tk, ts) in (prop::bool::ANY, key(), speed()),
            actions in prop::collection::vec(action(), 0..=31),
        ) {
            let mut state = RawMotionState {
                current_holdkey: holdkey,
                current_style: if combat { MotionId::HAND_COMBAT } else { MotionId::NON_COMBAT },
                forward_command: f, forward_holdkey: fk, forward_speed: fs,
                sidestep_command: if s { MotionId::SIDE_STEP_LEFT } else { MotionId::NONE },
                sidestep_holdkey: sk, sidestep_speed: ss,
                turn_command: if t { MotionId::TURN_LEFT } else { MotionId::NONE },
                turn_holdkey: tk, turn_speed: ts,
                ..Default::default()
            };
            actions.into_iter().for_each(|a| { state.actions.push(a); });
            let mut bytes = [0; 320];
            let used = state.pack(&mut bytes, &TABLE).unwrap();
            prop_assert_eq!(used % 4, 0);
            prop_assert_eq!(RawMotionState::unpack(&bytes[..used], &TABLE), Ok((state, used)));
        }

        #[test]
        fn an_interpreted_state_survives_the_wire(
            combat in prop::bool::ANY, f in forward(), fs in speed(), s in prop::bool::ANY, ss in speed(),
            t in prop::bool::ANY, ts in speed(), actions in prop::collection::vec(action(), 0..=31),
        ) {
            let mut state = InterpretedMotionState {
                current_style: if combat { MotionId::HAND_COMBAT } else { MotionId::NON_COMBAT },
                forward_command: f, forward_speed: fs,
                sidestep_command: if s { MotionId::SIDE_STEP_RIGHT } else { MotionId::NONE }, sidestep_speed: ss,
                turn_command: if t { MotionId::TURN_RIGHT } else { MotionId::NONE }, turn_speed: ts,
                ..Default::default()
            };
            actions.into_iter().for_each(|a| { state.actions.push(a); });
            let mut bytes = [0; 320];
            let used = state.pack(&mut bytes, &TABLE).unwrap();
            prop_assert_eq!(used % 4, 0);
            prop_assert_eq!(InterpretedMotionState::unpack(&bytes[..used], &TABLE), Ok((state, used)));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..96)) {
            let _ = RawMotionState::unpack(&bytes, &TABLE);
            let _ = InterpretedMotionState::unpack(&bytes, &TABLE);
        }
    }

    #[test]
    fn a_default_state_is_one_word() {
        let mut bytes = [0xff; 8];
        assert_eq!(RawMotionState::default().pack(&mut bytes, &TABLE), Ok(4));
        assert_eq!(bytes[..4], [0; 4]);
        assert_eq!(InterpretedMotionState::default().pack(&mut bytes, &TABLE), Ok(4));
    }

    #[test]
    fn the_counts_sit_above_the_field_bits() {
        let mut raw = RawMotionState::default();
        let mut interpreted = InterpretedMotionState::default();
        let node = ActionNode { motion: THRUST, speed: 1.0, stamp: 7, autonomous: true };
        raw.actions.push(node);
        interpreted.actions.push(node);
        let mut bytes = [0; 12];
        assert_eq!(raw.pack(&mut bytes, &TABLE), Ok(12));
        assert_eq!(bytes[..8], [0x00, 0x08, 0, 0, 0x58, 0, 0x07, 0x80]);
        assert_eq!(interpreted.pack(&mut bytes, &TABLE), Ok(12));
        assert_eq!(bytes[..4], [0x80, 0, 0, 0]);
    }

    #[test]
    fn unknown_commands_are_refused_on_both_sides() {
        let state = InterpretedMotionState { forward_command: MotionId(0x4000_fffe), ..Default::default() };
        let mut bytes = [0; 16];
        assert_eq!(state.pack(&mut bytes, &TABLE), Err(WireError::UnpackableCommand));
        assert_eq!(
            InterpretedMotionState::unpack(&[2, 0, 0, 0, 0xfe, 0xff, 0, 0], &TABLE),
            Err(WireError::UnknownCommand)
        );
        assert_eq!(state.pack(&mut bytes[..2], &TABLE), Err(WireError::NoRoom));
    }
}
