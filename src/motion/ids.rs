//! Motion ids: a class in the top byte, an index below.

use core::fmt;

/// A motion command: class bits in the top byte, an index in the low 24 bits. Several classes can be set at once.
///
/// Source: seed 004, Verbatim constants inventory; motion notes, Ids and bit classes.
#[derive(Clone, Copy, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct MotionId(pub u32);

/// A class bit of a [`MotionId`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(transparent)]
pub struct MotionClass(pub u32);

impl MotionClass {
    /// A stance. Read by both states' `apply_motion` and by the motion table.
    pub const STYLE: Self = Self(0x8000_0000);
    /// A lasting forward command. Read by both states and by the motion table.
    pub const SUB_STATE: Self = Self(0x4000_0000);
    /// Added on top of the sub-state's cycle. Read by the motion table.
    pub const MODIFIER: Self = Self(0x2000_0000);
    /// Played once and counted in the three action queues. Read by everything that completes motions.
    pub const ACTION: Self = Self(0x1000_0000);
    /// A command for the user interface; nothing here reads it.
    pub const UI: Self = Self(0x0800_0000);
    /// A command that a key holds; nothing here reads it.
    pub const TOGGLE: Self = Self(0x0400_0000);
    /// A chat emote. Read by the stance gate of `do_motion`.
    pub const CHAT_EMOTE: Self = Self(0x0200_0000);
    /// A command that a key can be bound to; nothing here reads it.
    pub const MAPPABLE: Self = Self(0x0100_0000);

    /// This class or that one.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl MotionId {
    /// No command: an empty sidestep or turn slot.
    pub const NONE: Self = Self(0);
    /// The neutral forward command ("forward = none").
    pub const READY: Self = Self(0x4100_0003);
    /// Stop.
    pub const STOP: Self = Self(0x4000_0004);
    /// Walk forward.
    pub const WALK_FORWARD: Self = Self(0x4500_0005);
    /// Walk backwards; only raw states keep it, `adjust_motion` turns it into a negative walk.
    pub const WALK_BACKWARDS: Self = Self(0x4500_0006);
    /// Run forward; a walk with the run key becomes it.
    pub const RUN_FORWARD: Self = Self(0x4400_0007);
    /// Lying after a fall.
    pub const FALLEN: Self = Self(0x4000_0008);
    /// Dead.
    pub const DEAD: Self = Self(0x4000_0011);
    /// Crouching.
    pub const CROUCH: Self = Self(0x4100_0012);
    /// Sitting.
    pub const SITTING: Self = Self(0x4100_0013);
    /// Sleeping.
    pub const SLEEPING: Self = Self(0x4100_0014);
    /// In the air.
    pub const FALLING: Self = Self(0x4000_0015);
    /// First of the commands that busy the hands (reload, unload, pick up).
    pub const RELOAD: Self = Self(0x4000_0016);
    /// Last of the commands that busy the hands.
    pub const PICKUP: Self = Self(0x4000_0018);
    /// Charging a jump.
    pub const JUMP_CHARGING: Self = Self(0x4000_001d);
    /// First of the aiming and magic postures.
    pub const AIM_LEVEL: Self = Self(0x4000_001e);
    /// Last of the aiming and magic postures.
    pub const MAGIC_PRAY: Self = Self(0x4000_0039);
    /// A jump, as a modifier.
    pub const JUMP: Self = Self(0x2500_003b);
    /// Turn clockwise.
    pub const TURN_RIGHT: Self = Self(0x6500_000d);
    /// Turn anticlockwise; `adjust_motion` turns it into a negative right turn.
    pub const TURN_LEFT: Self = Self(0x6500_000e);
    /// Step to the right.
    pub const SIDE_STEP_RIGHT: Self = Self(0x6500_000f);
    /// Step to the left; `adjust_motion` turns it into a negative step to the right.
    pub const SIDE_STEP_LEFT: Self = Self(0x6500_0010);
    /// Fighting with bare hands.
    pub const HAND_COMBAT: Self = Self(0x8000_003c);
    /// The free stance, the only one that allows crouching, sitting, sleeping and emotes.
    pub const NON_COMBAT: Self = Self(0x8000_003d);
    /// First of the ten magic power-ups.
    pub const MAGIC_POWER_UP_01: Self = Self(0x1000_006f);
    /// Last of the ten magic power-ups.
    pub const MAGIC_POWER_UP_10: Self = Self(0x1000_0078);
    /// First of the later attacks that hold the body down.
    pub const TRIPLE_THRUST_LOW: Self = Self(0x1000_0128);
    /// Last of the later attacks that hold the body down.
    pub const MAGIC_POWER_UP_07_PURPLE: Self = Self(0x1000_0131);

    /// The index without the class byte, as the motion table's keys use it.
    const INDEX_MASK: u32 = 0x00ff_ffff;

    /// Whether any of the class bits is set.
    pub const fn is(self, class: MotionClass) -> bool {
        self.0 & class.0 != 0
    }

    /// Whether this is an action: counted in the action queues, popped when it completes.
    pub const fn is_action(self) -> bool {
        self.is(MotionClass::ACTION)
    }

    /// The low 24 bits.
    pub const fn index(self) -> u32 {
        self.0 & Self::INDEX_MASK
    }

    /// Whether this is an empty command slot.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Whether this is a turn to either side.
    pub const fn is_turn(self) -> bool {
        self.0 == Self::TURN_RIGHT.0 || self.0 == Self::TURN_LEFT.0
    }

    /// Whether this is a sidestep to either side.
    pub const fn is_side_step(self) -> bool {
        self.0 == Self::SIDE_STEP_RIGHT.0 || self.0 == Self::SIDE_STEP_LEFT.0
    }

    /// Whether the id lies in the closed range of plain numbers.
    pub const fn within(self, first: Self, last: Self) -> bool {
        first.0 <= self.0 && self.0 <= last.0
    }

    /// Whether the body is crouching, sitting or sleeping.
    pub const fn is_low_posture(self) -> bool {
        self.within(Self::CROUCH, Self::SLEEPING)
    }
}

/// The ids that have a name here, for people to read.
const NAMES: [(MotionId, &str); 23] = [
    (MotionId::NONE, "-"),
    (MotionId::READY, "Ready"),
    (MotionId::STOP, "Stop"),
    (MotionId::WALK_FORWARD, "WalkForward"),
    (MotionId::WALK_BACKWARDS, "WalkBackwards"),
    (MotionId::RUN_FORWARD, "RunForward"),
    (MotionId::FALLEN, "Fallen"),
    (MotionId::DEAD, "Dead"),
    (MotionId::CROUCH, "Crouch"),
    (MotionId::SITTING, "Sitting"),
    (MotionId::SLEEPING, "Sleeping"),
    (MotionId::FALLING, "Falling"),
    (MotionId::RELOAD, "Reload"),
    (MotionId::PICKUP, "Pickup"),
    (MotionId::JUMP_CHARGING, "JumpCharging"),
    (MotionId::AIM_LEVEL, "AimLevel"),
    (MotionId::JUMP, "Jump"),
    (MotionId::TURN_RIGHT, "TurnRight"),
    (MotionId::TURN_LEFT, "TurnLeft"),
    (MotionId::SIDE_STEP_RIGHT, "SideStepRight"),
    (MotionId::SIDE_STEP_LEFT, "SideStepLeft"),
    (MotionId::HAND_COMBAT, "HandCombat"),
    (MotionId::NON_COMBAT, "NonCombat"),
];

impl MotionId {
    /// What people call the motion, if it has a name here.
    pub fn name(self) -> Option<&'static str> {
        NAMES.iter().find(|(id, _)| *id == self).map(|(_, name)| *name)
    }
}

impl fmt::Debug for MotionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}", self.0)
    }
}

impl fmt::Display for MotionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}
