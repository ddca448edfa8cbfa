//! Why a motion was refused, with the numbers that the wire and the queues carry.

use core::fmt;

/// A refusal. Zero is success everywhere and has no variant: functions return [`MotionResult`].
///
/// Source: seed 004, Verbatim constants inventory; motion notes, Error codes.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[repr(u32)]
pub enum MotionError {
    /// The part array has no motion table.
    NoAnimationTable = 0x07,
    /// The mover has no body.
    NoPhysicsObject = 0x08,
    /// The movement manager has no interpreter.
    NoMotionInterpreter = 0x0b,
    /// The body stands on nothing.
    NotGrounded = 0x24,
    /// A newer command replaced the movement.
    ActionCancelled = 0x36,
    /// The target left the world while it was followed.
    ObjectGone = 0x37,
    /// The target was never found.
    NoObject = 0x38,
    /// The body came further from its start than the movement allows.
    ChargedTooFar = 0x3d,
    /// No crouching in a combat stance.
    CannotCrouchInCombat = 0x3f,
    /// No sitting in a combat stance.
    CannotSitInCombat = 0x40,
    /// No lying down in a combat stance.
    CannotLieDownInCombat = 0x41,
    /// No chat emotes in a combat stance.
    CannotEmoteInCombat = 0x42,
    /// The motion table has nothing for the command.
    NoMotionData = 0x43,
    /// Six actions are queued already.
    TooManyActions = 0x45,
    /// An unknown movement type, a constrained body, or a jump that stamina does not pay for.
    GeneralMovementFailure = 0x47,
    /// The current motion does not let the body jump.
    CannotJumpFromThisPosition = 0x48,
    /// The weenie refuses the jump (load, stamina).
    CannotJumpLoadedDown = 0x49,
}

/// Success, or why not.
pub type MotionResult = Result<(), MotionError>;

impl MotionError {
    /// Every variant, in the order of the numbers.
    pub const ALL: [Self; 17] = [
        Self::NoAnimationTable,
        Self::NoPhysicsObject,
        Self::NoMotionInterpreter,
        Self::NotGrounded,
        Self::ActionCancelled,
        Self::ObjectGone,
        Self::NoObject,
        Self::ChargedTooFar,
        Self::CannotCrouchInCombat,
        Self::CannotSitInCombat,
        Self::CannotLieDownInCombat,
        Self::CannotEmoteInCombat,
        Self::NoMotionData,
        Self::TooManyActions,
        Self::GeneralMovementFailure,
        Self::CannotJumpFromThisPosition,
        Self::CannotJumpLoadedDown,
    ];

    /// The number.
    pub const fn code(self) -> u32 {
        self as u32
    }

    /// The refusal of a number; `None` for numbers that are none, zero included.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|error| error.code() == code)
    }
}

/// The number of a result: 0 for success.
pub const fn code_of(result: MotionResult) -> u32 {
    match result {
        Ok(()) => 0,
        Err(error) => error.code(),
    }
}

impl fmt::Display for MotionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::NoAnimationTable => "no motion table",
            Self::NoPhysicsObject => "no body",
            Self::NoMotionInterpreter => "no interpreter",
            Self::NotGrounded => "not on the ground",
            Self::ActionCancelled => "cancelled",
            Self::ObjectGone => "the target is gone",
            Self::NoObject => "no such target",
            Self::ChargedTooFar => "too far from the start",
            Self::CannotCrouchInCombat => "no crouching in combat",
            Self::CannotSitInCombat => "no sitting in combat",
            Self::CannotLieDownInCombat => "no lying down in combat",
            Self::CannotEmoteInCombat => "no emotes in combat",
            Self::NoMotionData => "the motion table has no such motion",
            Self::TooManyActions => "too many actions",
            Self::GeneralMovementFailure => "movement failed",
            Self::CannotJumpFromThisPosition => "no jumping from this position",
            Self::CannotJumpLoadedDown => "no jumping with this load",
        };
        f.write_str(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_there_and_back() {
        for error in MotionError::ALL {
            assert_eq!(MotionError::from_code(error.code()), Some(error));
        }
        assert_eq!(MotionError::from_code(0), None);
        assert_eq!(code_of(Ok(())), 0);
        assert_eq!(code_of(Err(MotionError::NotGrounded)), 0x24);
    }
}
