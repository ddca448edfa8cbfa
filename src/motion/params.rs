//! What accompanies a command: parameters, hold keys, movement types.

use super::{MotionId, Position};

/// Which speed key is held.
///
/// Source: seed 004, SetHoldKey; motion notes, Constants.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[repr(u32)]
pub enum HoldKey {
    /// Use the raw state's current key.
    #[default]
    Invalid = 0,
    /// No key: walk.
    None = 1,
    /// The run key.
    Run = 2,
}

impl HoldKey {
    /// The key of a number.
    pub const fn from_number(number: u32) -> Option<Self> {
        match number {
            0 => Some(Self::Invalid),
            1 => Some(Self::None),
            2 => Some(Self::Run),
            _ => None,
        }
    }
}

/// What kind of movement is asked of the movement manager.
///
/// Source: seed 004, MovementTypes::Type.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[repr(u32)]
pub enum MovementType {
    /// None, and every number that is not in the list.
    #[default]
    Invalid = 0,
    /// A command of this machine's own player.
    RawCommand = 1,
    /// A command as another character gives it.
    InterpretedCommand = 2,
    /// The end of a raw command.
    StopRawCommand = 3,
    /// The end of an interpreted command.
    StopInterpretedCommand = 4,
    /// The end of everything.
    StopCompletely = 5,
    /// Walk to a thing.
    MoveToObject = 6,
    /// Walk to a place.
    MoveToPosition = 7,
    /// Face a thing.
    TurnToObject = 8,
    /// Face a direction.
    TurnToHeading = 9,
}

impl MovementType {
    /// The type of a number; unknown numbers are [`Invalid`](Self::Invalid), which every dispatcher refuses.
    pub const fn from_number(number: u32) -> Self {
        match number {
            1 => Self::RawCommand,
            2 => Self::InterpretedCommand,
            3 => Self::StopRawCommand,
            4 => Self::StopInterpretedCommand,
            5 => Self::StopCompletely,
            6 => Self::MoveToObject,
            7 => Self::MoveToPosition,
            8 => Self::TurnToObject,
            9 => Self::TurnToHeading,
            _ => Self::Invalid,
        }
    }
}

/// The bits of [`MovementParameters`].
///
/// Source: motion notes, State structs and defaults.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(transparent)]
pub struct ParameterBits(pub u32);

impl ParameterBits {
    /// May walk. Read by the move-to gait choice.
    pub const CAN_WALK: Self = Self(0x1);
    /// May run. Read by the move-to gait choice.
    pub const CAN_RUN: Self = Self(0x2);
    /// May sidestep; nothing reads it.
    pub const CAN_SIDESTEP: Self = Self(0x4);
    /// May walk backwards; nothing reads it.
    pub const CAN_WALK_BACKWARDS: Self = Self(0x8);
    /// Always runs. Read by the move-to gait choice.
    pub const CAN_CHARGE: Self = Self(0x10);
    /// Fail rather than walk; nothing reads it.
    pub const FAIL_WALK: Self = Self(0x20);
    /// Turn to the desired heading at the end. Read by move-to.
    pub const USE_FINAL_HEADING: Self = Self(0x40);
    /// Stay with the target after arrival. Read by move-to.
    pub const STICKY: Self = Self(0x80);
    /// Keep away from the target. Read by move-to.
    pub const MOVE_AWAY: Self = Self(0x100);
    /// Go to the target. Read by move-to.
    pub const MOVE_TOWARDS: Self = Self(0x200);
    /// Measure between the bodies' cylinders, not their origins. Read by move-to.
    pub const USE_SPHERES: Self = Self(0x400);
    /// The hold key goes to the raw state at once. Read by `do_motion` and the raw state.
    pub const SET_HOLD_KEY: Self = Self(0x800);
    /// A command of this machine's own making. Copied into action nodes.
    pub const AUTONOMOUS: Self = Self(0x1000);
    /// Mirror the command into the raw state. Read by `do_motion` and `stop_motion`.
    pub const MODIFY_RAW_STATE: Self = Self(0x2000);
    /// Mirror the command into the interpreted state. Read by the interpreted entry points.
    pub const MODIFY_INTERPRETED_STATE: Self = Self(0x4000);
    /// End a running move-to first. Read by `do_motion` and `stop_motion`.
    pub const CANCEL_MOVE_TO: Self = Self(0x8000);
    /// Stop before a turn. Read by the turn-to movements.
    pub const STOP_COMPLETELY: Self = Self(0x1_0000);
    /// No jump while the motion is pending. Read by `do_interpreted_motion`.
    pub const DISABLE_JUMP_DURING_LINK: Self = Self(0x2_0000);
    /// What a fresh [`MovementParameters`] carries.
    pub const DEFAULT: Self = Self(0x1_ee0f);
    /// No bit.
    pub const EMPTY: Self = Self(0);

    /// Whether any bit of `bits` is set.
    pub const fn has(self, bits: Self) -> bool {
        self.0 & bits.0 != 0
    }

    /// These bits and those.
    pub const fn with(self, bits: Self) -> Self {
        Self(self.0 | bits.0)
    }

    /// These bits without those.
    pub const fn without(self, bits: Self) -> Self {
        Self(self.0 & !bits.0)
    }

    /// The bits set or cleared.
    pub const fn set(self, bits: Self, on: bool) -> Self {
        if on { self.with(bits) } else { self.without(bits) }
    }
}

/// How a command is to be carried out.
///
/// Source: seed 004, MovementParameters; motion notes, State structs and defaults.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovementParameters {
    /// Switches.
    pub bits: ParameterBits,
    /// Move-to: arrived within this many metres.
    pub distance_to_object: f32,
    /// Move-to: backing off until this far, in metres.
    pub min_distance: f32,
    /// Heading to end with, in degrees clockwise from +y.
    pub desired_heading: f32,
    /// Speed factor of the command.
    pub speed: f32,
    /// Move-to: give up further than this from the start, in metres.
    pub fail_distance: f32,
    /// Move-to: run when more than this many metres are left beyond the arrival distance.
    pub walk_run_threshold: f32,
    /// The caller's number, handed through to the pending queue.
    pub context_id: u32,
    /// Which speed key the command assumes.
    pub hold_key: HoldKey,
    /// The caller's sequence number of an action.
    pub action_stamp: u32,
}

impl Default for MovementParameters {
    // Covers: seed 004, MovementParameters::MovementParameters (0x00524380) test=fresh_parameters_carry_the_known_bits default=Self { bits: ParameterBits::EMPTY, distance_to_object: 0.0, min_distance: 0.0, desired_heading: 0.0, speed: 0.0, fail_distance: 0.0, walk_run_threshold: 0.0, context_id: 0, hold_key: HoldKey::Invalid, action_stamp: 0 }
    fn default() -> Self {
        Self {
            bits: ParameterBits::DEFAULT,
            distance_to_object: 0.6,
            min_distance: 0.0,
            desired_heading: 0.0,
            speed: 1.0,
            fail_distance: f32::MAX,
            walk_run_threshold: 15.0,
            context_id: 0,
            hold_key: HoldKey::Invalid,
            action_stamp: 0,
        }
    }
}

impl MovementParameters {
    /// Whether any bit of `bits` is set.
    pub const fn has(&self, bits: ParameterBits) -> bool {
        self.bits.has(bits)
    }
}

/// One request to the movement manager.
///
/// Source: seed 004, MovementStruct.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Movement {
    /// What is asked.
    pub movement_type: MovementType,
    /// The command of types 1 to 4.
    pub motion: MotionId,
    /// The thing to reach or face.
    pub object_id: u32,
    /// The thing that carries it; itself when nothing does.
    pub top_level_id: u32,
    /// The place to reach.
    pub position: Position,
    /// The thing's radius in metres.
    pub radius: f32,
    /// The thing's height in metres.
    pub height: f32,
    /// How.
    pub params: MovementParameters,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_parameters_carry_the_known_bits() {
        let params = MovementParameters::default();
        assert_eq!(params.bits.0, 0x1ee0f);
        for clear in [
            ParameterBits::CAN_CHARGE,
            ParameterBits::FAIL_WALK,
            ParameterBits::USE_FINAL_HEADING,
            ParameterBits::STICKY,
            ParameterBits::MOVE_AWAY,
            ParameterBits::AUTONOMOUS,
            ParameterBits::DISABLE_JUMP_DURING_LINK,
        ] {
            assert!(!params.has(clear), "{clear:?}");
        }
        assert_eq!((params.distance_to_object, params.min_distance, params.speed), (0.6, 0.0, 1.0));
        assert_eq!((params.fail_distance, params.walk_run_threshold), (f32::MAX, 15.0));
    }

    #[test]
    fn numbers_outside_the_list_are_no_movement() {
        for number in [0, 10, 99, 0x7fff_ffff] {
            assert_eq!(MovementType::from_number(number), MovementType::Invalid);
        }
        for number in 1..=9 {
            assert_eq!(MovementType::from_number(number) as u32, number);
        }
    }
}
