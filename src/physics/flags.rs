//! The bits of bodies, shapes, queries and contacts, with their readers.

use crate::bits::bit_set;

/// A body's flags.
///
/// Source: seed 002, Bodies and Collision layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BodyFlags(pub u32);
bit_set!(BodyFlags);

impl BodyFlags {
    /// With [`Self::UPDATES_ALWAYS`]: the update sweeps the moved shape. A throw sets it too: the object wears once.
    pub const SWEEPS_IN_UPDATE: Self = Self(0x1);
    /// A flying world object's sweep meets it.
    pub const BLOCK_OBJECTS: Self = Self(0x2);
    /// A walking human's sweep meets it.
    pub const BLOCK_HUMANS: Self = Self(0x4);
    /// Weapon strikes meet it.
    pub const WEAPON_TARGET: Self = Self(0x8);
    /// Strikes meet it.
    pub const MELEE_TARGET: Self = Self(0x10);
    /// A charging human meets it.
    pub const CHARGE_TARGET: Self = Self(0x20);
    /// An airborne or holding human's sweep meets it.
    pub const JUMP_TARGET: Self = Self(0x40);
    /// Its sphere passes triangles of flag 0x8.
    pub const SPHERES_PASS: Self = Self(0x100);
    /// Contacts never push it.
    pub const NOT_PUSHABLE: Self = Self(0x200);
    /// A sweep writes the slid velocity back to the owner.
    pub const WRITES_VELOCITY: Self = Self(0x400);
    /// Updates although it is not dirty.
    pub const UPDATES_ALWAYS: Self = Self(0x800);
    /// The pending push has been divided by the push weight already.
    pub const PUSH_DIVIDED: Self = Self(0x1000);
    /// Rays meet it.
    pub const RAYCAST_TARGET: Self = Self(0x2000);
    /// The update leaves the shapes where they are (a climb).
    pub const KEEPS_POSE: Self = Self(0x4000);
    /// No slide on contact.
    pub const NO_SLIDE: Self = Self(0x8000);
    /// Combat passes through it.
    pub const COMBAT_PASS_THROUGH: Self = Self(0x10000);
    /// Thrown weapons meet it.
    pub const THROWN_WEAPON_TARGET: Self = Self(0x20000);
    /// A running human meets it.
    pub const RUN_TARGET: Self = Self(0x40000);
    /// The update re-poses and re-sorts it.
    pub const DIRTY: Self = Self(0x8000_0000);

    /// A new human's flags.
    pub const NEW_HUMAN: Self = Self(0x8002_243f);
    /// A new punch bag's flags.
    pub const NEW_PUNCH_BAG: Self = Self(0x8000_243f);
    /// A new world object's flags, before its layers.
    pub const NEW_OBJECT: Self = Self(0x8000_0500);
    /// A new car's flags.
    pub const NEW_CAR: Self = Self(0x8000_0000);
    /// What the making of a car's boxes adds.
    pub const CAR_BOXES: Self = Self(0x2211a);
    /// A new glass pane's flags.
    pub const NEW_PANE: Self = Self(0x8000_007a);

    /// The bit that a player's own mover looks for.
    #[inline]
    pub const fn of_player(player: u8) -> Self {
        const FIRST_PLAYER: u32 = 0x80000;
        Self(FIRST_PLAYER << (player & 7))
    }

    /// The layers that a type's PHYFLAG number names.
    ///
    /// Source: seed 002, Collision layers.
    pub fn from_layers(layers: u16) -> Self {
        const LAYERS: [(u16, BodyFlags); 10] = [
            (1, BodyFlags::BLOCK_OBJECTS),
            (2, BodyFlags::BLOCK_HUMANS),
            (4, BodyFlags::MELEE_TARGET),
            (8, BodyFlags::WEAPON_TARGET),
            (16, BodyFlags::JUMP_TARGET),
            (32, BodyFlags::CHARGE_TARGET),
            (64, BodyFlags::RAYCAST_TARGET),
            (128, BodyFlags::COMBAT_PASS_THROUGH),
            (256, BodyFlags::THROWN_WEAPON_TARGET),
            (512, BodyFlags::RUN_TARGET),
        ];
        let chosen = LAYERS.iter().filter(|(layer, _)| layers & layer != 0);
        chosen.fold(Self::NONE, |flags, &(_, bit)| flags | bit)
    }
}

/// What kind of thing owns a body; queries filter by it.
///
/// Source: seed 002, Bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TypeMask(pub u32);
bit_set!(TypeMask);

impl TypeMask {
    /// A human.
    pub const HUMAN: Self = Self(0x40);
    /// An owner whose capsule is met whatever its height, and that a human answers with 1.
    pub const ANY_HEIGHT: Self = Self(0x200);
    /// Every kind.
    pub const ALL: Self = Self(u32::MAX);
}

/// A shape's flags.
///
/// Source: seed 002, Shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShapeFlags(pub u8);
bit_set!(ShapeFlags);

impl ShapeFlags {
    /// Takes part in tests.
    pub const ENABLED: Self = Self(0x1);
    /// On a capsule: it strikes (a charge). On the pooled spheres: a strike sphere.
    pub const STRIKES: Self = Self(0x2);
    /// Strikes of others aim at it.
    pub const STRIKE_TARGET: Self = Self(0x4);
    /// Taken from its pool.
    pub const ALLOCATED: Self = Self(0x8);
    /// The next pose makes the previous position equal the new one.
    pub const RESET_PREVIOUS: Self = Self(0x10);
    /// What enabling a shape sets.
    pub const ENABLE: Self = Self(0x11);
}

/// What a query looks at.
///
/// Source: seed 002, Queries; the readers of each bit are on the functions that read it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueryOptions(pub u32);
bit_set!(QueryOptions);

impl QueryOptions {
    /// The level mesh.
    pub const MESH: Self = Self(0x1);
    /// The other bodies.
    pub const BODIES: Self = Self(0x2);
    /// Only bodies whose owner's kind meets the query's type mask. Our choice: the bit's reader is not described; this is
    /// what its one known user, the push sphere with mask 0x40, needs.
    pub const TYPE_MASK: Self = Self(0x10);
    /// Skip bodies of the same non-zero group.
    pub const SKIP_GROUP: Self = Self(0x80);
    /// Ask the owners whether they take part.
    pub const ASK_OWNER: Self = Self(0x100);
    /// Only enabled shapes.
    pub const ENABLED_SHAPES: Self = Self(0x200);
    /// The shape is given with a transform and belongs to no body.
    pub const GIVEN_SHAPE: Self = Self(0x400);
    /// A sphere skips triangles of flag 0x8.
    pub const SPHERES_PASS: Self = Self(0x8000);
    /// What the mesh-only users pass: the airborne push-out and the objects' body contacts.
    pub const MESH_ONLY: Self = Self(0x2004d);
    /// What the push sphere passes.
    pub const PUSH_SPHERE: Self = Self(0x2012);
}

/// A contact's flags.
///
/// Source: seed 002, Contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContactFlags(pub u32);
bit_set!(ContactFlags);

impl ContactFlags {
    /// The resolver adds the slide to the move's velocity.
    pub const CORNER_SLIDE: Self = Self(0x1);
    /// The resolver stores the slide as a push, once a move.
    pub const SLIDE_AS_PUSH: Self = Self(0x2);
    /// A human's landing.
    pub const LANDING: Self = Self(0x80);
    /// Our choice of a bit: the contact's triangle keeps the velocity of those who slide along it (its flag 0x100).
    pub const KEEPS_VELOCITY: Self = Self(0x100);
}

/// A contact handler's answer: a code and what becomes of the walk over the contacts.
///
/// Source: seed 002, Contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer(pub u32);
bit_set!(Answer);

impl Answer {
    /// Nothing happens.
    pub const PASS: Self = Self(0);
    /// Advance to the touch and slide along it.
    pub const SLIDE: Self = Self(1);
    /// Advance and bounce.
    pub const BOUNCE: Self = Self(2);
    /// Advance and stop.
    pub const STOP: Self = Self(3);
    /// Push the other, then slide.
    pub const PUSH: Self = Self(4);
    /// The walk ends and the move goes on.
    pub const GO_ON: Self = Self(0x10000);
    /// The velocity is scaled by the body's contact scale at the end of the move.
    pub const SCALED: Self = Self(0x20000);
    /// The move is aborted.
    pub const ABORT: Self = Self(0x40000);
    /// A settled object's answer to the floor: stop and end the walk.
    pub const REST: Self = Self(0x10003);

    /// The low half: which branch of the resolver is taken.
    #[inline]
    pub const fn code(self) -> u32 {
        self.0 & 0xffff
    }
}

// Excused: seed 002, Task_OnContactNone (0x004dac20) reason=empty stub

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_layer_maps_to_its_body_flag() {
        let expected = [0x2, 0x4, 0x10, 0x8, 0x40, 0x20, 0x2000, 0x10000, 0x20000, 0x40000];
        for (i, flag) in expected.into_iter().enumerate() {
            assert_eq!(BodyFlags::from_layers(1 << i).0, flag);
        }
        assert_eq!(BodyFlags::from_layers(0), BodyFlags::NONE);
    }

    #[test]
    fn a_cars_flags_are_as_seen_at_runtime() {
        assert_eq!((BodyFlags::NEW_CAR | BodyFlags::CAR_BOXES).0, 0x8002_211a);
    }

    #[test]
    fn a_walker_meets_humans_and_not_cars_or_panes() {
        let walker = BodyFlags::BLOCK_HUMANS;
        assert!(BodyFlags::NEW_HUMAN.has(walker));
        assert!(!(BodyFlags::NEW_CAR | BodyFlags::CAR_BOXES).has(walker));
        assert!(!BodyFlags::NEW_PANE.has(walker));
    }

    #[test]
    fn an_answers_low_half_is_its_code() {
        assert_eq!(Answer(0x20004).code(), 4);
        assert!(Answer(0x20004).has(Answer::SCALED));
        assert_eq!(Answer::REST.code(), 3);
    }
}
