//! World objects in motion: dropped, thrown, bouncing, settling, wearing out.
//!
//! A store of objects steps each with [`update_object`] at its interval and answers its contacts with
//! [`WorldObject::on_contact`].
//!
//! Source: seed 002, How things actually move and Settling a landed object.

use super::PhysicsWorld;
use super::constants::{FLOOR_UPRIGHT, GRAVITY, TICK};
use super::contact::Contact;
use super::flags::{Answer, BodyFlags};
use super::ids::{BodyId, OwnerId};
use super::owner::{Attribute, Owners};
use super::settle::RestAxes;
use crate::bits::bit_set;
use crate::collision::CollisionMesh;
use crate::maths::{Pose, Quat, Vec3};

/// Ticks between two updates of an object that flies or settles.
pub const FLYING_INTERVAL: u32 = 2;
/// Ticks between two updates of an object at rest.
pub const RESTING_INTERVAL: u32 = 20;

/// An object's task flags that its motion reads and writes.
///
/// Source: seed 002, Settle slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObjectFlags(pub u32);

bit_set!(ObjectFlags);

impl ObjectFlags {
    /// Held by a human.
    pub const HELD: Self = Self(0x10);
    /// Settling.
    pub const SETTLING: Self = Self(0x40000);
    /// On the ground.
    pub const GROUNDED: Self = Self(0x200_0000);
    /// In the air.
    pub const AIRBORNE: Self = Self(0x400_0000);
    /// Settled, waiting for its last floor contact.
    pub const SETTLED: Self = Self(0x800_0000);
}

/// How many hits an object takes before it breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wear {
    /// The first counter.
    pub first: u8,
    /// The second counter, which hits take from first.
    pub second: u8,
}

impl Wear {
    /// A counter that hits do not touch.
    pub const NEVER: u8 = 0xff;

    /// Counters from a type's values, of which 0 means that it never wears.
    pub const fn from_type(first: u8, second: u8) -> Self {
        const fn counter(value: u8) -> u8 {
            if value == 0 { Wear::NEVER } else { value }
        }
        Self { first: counter(first), second: counter(second) }
    }

    /// Whether a counter has run out.
    pub const fn is_broken(self) -> bool {
        self.first == 0 || self.second == 0
    }

    /// Takes a hit.
    pub fn hit(&mut self) {
        if self.second != Self::NEVER {
            self.second = self.second.saturating_sub(1);
        } else if self.first != Self::NEVER {
            self.first = self.first.saturating_sub(1);
        }
    }
}

/// A throw that waits for the object's next update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Release {
    /// Where it leaves the hand.
    pub position: Vec3,
    /// With which velocity in m/s.
    pub velocity: Vec3,
}

/// What happened to an object in a contact, for its owner to act on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ObjectEvent {
    /// It hit a human while thrown: damage, reaction and wear follow.
    HitHuman(OwnerId),
    /// It broke.
    Broke,
    /// It has come to rest.
    CameToRest,
}

/// The moving part of a world object.
#[derive(Clone, Copy, Debug)]
pub struct WorldObject {
    /// Its body.
    pub body: Option<BodyId>,
    /// Where it was at its last update.
    pub pose: Pose,
    /// Velocity in m/s.
    pub velocity: Vec3,
    /// Angular velocity in rad/s.
    pub spin: Vec3,
    /// Motion flags.
    pub flags: ObjectFlags,
    /// Axes on which its type rests.
    pub axes: RestAxes,
    /// Its type's weight.
    pub weight: f32,
    /// Its type's restitution.
    pub restitution: f32,
    /// Hits it takes.
    pub wear: Wear,
    /// Who holds or threw it; contacts with its holder do nothing.
    pub holder: Option<OwnerId>,
    /// It was thrown and has not met anything yet.
    pub thrown: bool,
    /// A throw released from the aiming state.
    pub release: Option<Release>,
    /// Tick of its last update.
    pub updated: u32,
    /// What its last contacts did.
    pub event: Option<ObjectEvent>,
}

impl WorldObject {
    /// An object at rest that never wears, with the restitution of most types.
    pub const fn new(pose: Pose) -> Self {
        Self {
            body: None,
            pose,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            flags: ObjectFlags(0),
            axes: RestAxes::NONE,
            weight: 10.0,
            restitution: 0.1,
            wear: Wear { first: Wear::NEVER, second: Wear::NEVER },
            holder: None,
            thrown: false,
            release: None,
            updated: 0,
            event: None,
        }
    }

    /// Its numbered properties.
    ///
    /// Source: seed 002, Attributes (WorldObject_GetFloatProperty 0x00395e40).
    // Covers: seed 002, WorldObject_GetFloatProperty (0x00395e40) test=a_tilted_brick_bounces_once_and_rests_flat
    pub fn attribute(&self, attribute: Attribute) -> f32 {
        match attribute {
            Attribute::Weight => self.weight,
            Attribute::PushWeight => 1.0,
            Attribute::Restitution => self.restitution,
            Attribute::Second => 0.0,
        }
    }

    /// Lets it fall at `now`. The drop's message puts the last update a tick back, so that its first step is one tick.
    ///
    /// Source: seed 002, Settling a landed object (tick 0 and 1).
    pub fn drop_at(&mut self, now: u32) {
        self.velocity = Vec3::ZERO;
        self.holder = None;
        self.release = None;
        self.flags = self.flags.without(ObjectFlags::HELD).with(ObjectFlags::AIRBORNE);
        self.updated = now.wrapping_sub(1);
    }

    /// Throws it at `now` from the aiming state: its next update starts at the release.
    ///
    /// Source: seed 002, How things actually move (the update after a human lets go).
    pub fn throw_at(&mut self, now: u32, release: Release, spin: Vec3) {
        self.drop_at(now);
        self.release = Some(release);
        self.spin = spin;
        self.thrown = true;
    }

    /// Ticks to its next update: 2 while it flies or settles or its body updates always, else 20.
    ///
    /// Source: seed 002, How things actually move (0x00395b70).
    // Covers: seed 002, WorldObject_Update (0x00395b70) test=a_dropped_brick_gives_the_traced_velocities
    pub fn interval(&self, body: BodyFlags) -> u32 {
        let moving = self.flags.has(ObjectFlags::AIRBORNE) || self.flags.has(ObjectFlags::SETTLING);
        if moving || body.has(BodyFlags::UPDATES_ALWAYS) { FLYING_INTERVAL } else { RESTING_INTERVAL }
    }

    /// Its pose now: the stored one turned by the spin over the time since its last update.
    ///
    /// Source: seed 002, Settling a landed object (Obj_GetPoseNow).
    pub fn pose_now(&self, now: u32) -> Pose {
        let dt = now.wrapping_sub(self.updated) as f32 * TICK;
        Pose::new(self.pose.rotation.integrate(self.spin, dt), self.pose.position)
    }

    /// A settle turns it. Nothing happens while it is held; the position stays; the last update is now.
    ///
    /// Source: seed 002, The step (0x00395220).
    pub fn settle_turn(&mut self, rotation: Quat, now: u32) {
        if !self.flags.has(ObjectFlags::HELD) {
            self.pose.rotation = rotation;
            self.updated = now;
        }
    }

    /// Its settle is complete.
    ///
    /// Source: seed 002, The step.
    pub fn settled(&mut self) {
        self.flags = self.flags.without(ObjectFlags::SETTLING).with(ObjectFlags::SETTLED);
    }

    /// What becomes of a contact. `human` tells whether the other owner is a human, `now` the tick.
    ///
    /// Source: seed 002, Contacts and Settling a landed object (WorldObject_OnContact 0x00394050).
    // Covers: seed 002, WorldObject_OnContact (0x00394050) test=a_tilted_brick_bounces_once_and_rests_flat
    pub fn on_contact(
        &mut self,
        world: &mut PhysicsWorld,
        owner: OwnerId,
        contact: &Contact,
        human: bool,
        now: u32,
    ) -> Answer {
        let other = contact.other.owner;
        if other.is_some() && other == self.holder {
            return Answer::PASS;
        }
        if let (true, true, Some(other)) = (self.thrown, human, other) {
            self.thrown = false;
            self.event = Some(ObjectEvent::HitHuman(other));
            return Answer::ABORT;
        }
        self.take_throws_hit(world);
        if self.wear.is_broken() {
            self.velocity = Vec3::ZERO;
            self.spin = Vec3::ZERO;
            self.event = Some(ObjectEvent::Broke);
            return Answer::GO_ON;
        }
        if other.is_some() || contact.normal.z <= FLOOR_UPRIGHT {
            return Answer::BOUNCE;
        }
        if self.flags.has(ObjectFlags::SETTLED) {
            self.come_to_rest();
            return Answer::REST;
        }
        self.try_to_settle(world, owner, contact.normal, now);
        Answer::BOUNCE | Answer::SCALED
    }

    /// A throw wears once, on its first contact.
    fn take_throws_hit(&mut self, world: &mut PhysicsWorld) {
        self.thrown = false;
        let Some(body) = self.body else { return };
        let flags = world.body(body).flags;
        if flags.has(BodyFlags::SWEEPS_IN_UPDATE) {
            self.wear.hit();
            world.body_mut(body).flags = flags.without(BodyFlags::SWEEPS_IN_UPDATE);
        }
    }

    fn come_to_rest(&mut self) {
        let moving = ObjectFlags(ObjectFlags::AIRBORNE.0 | ObjectFlags::SETTLED.0);
        self.velocity = Vec3::ZERO;
        self.spin = Vec3::ZERO;
        self.flags = self.flags.without(moving).with(ObjectFlags::GROUNDED);
        self.event = Some(ObjectEvent::CameToRest);
    }

    fn try_to_settle(&mut self, world: &mut PhysicsWorld, owner: OwnerId, normal: Vec3, now: u32) {
        let busy = ObjectFlags(ObjectFlags::HELD.0 | ObjectFlags::SETTLING.0 | ObjectFlags::SETTLED.0);
        if self.flags.has(busy) || self.axes == RestAxes::NONE {
            return;
        }
        let rotation = self.pose_now(now).rotation;
        if world.start_settle(owner, self.body, rotation, normal, self.axes) {
            self.pose.rotation = rotation;
            self.spin = Vec3::ZERO;
            self.flags = self.flags.with(ObjectFlags::SETTLING);
        }
    }
}

/// A store of things some of which are world objects.
pub trait ObjectStore: Owners {
    /// An object by its owner's number.
    fn object_mut(&mut self, owner: OwnerId) -> Option<&mut WorldObject>;
}

/// Updates an object at tick `now`: gravity, sweep, spin.
///
/// Source: seed 002, How things actually move (WorldObject_Integrate 0x00395a10).
// Covers: seed 002, WorldObject_Integrate (0x00395a10) test=a_dropped_brick_gives_the_traced_velocities
pub fn update_object<S: ObjectStore>(
    world: &mut PhysicsWorld,
    mesh: &mut CollisionMesh,
    store: &mut S,
    owner: OwnerId,
    now: u32,
) {
    let Some(object) = store.object_mut(owner) else { return };
    let mut dt = now.wrapping_sub(object.updated) as f32 * TICK;
    if let Some(release) = object.release.take() {
        object.pose.position = release.position;
        object.velocity = release.velocity;
        dt = TICK;
    }
    let (Some(body), true) = (object.body, object.flags.has(ObjectFlags::AIRBORNE)) else {
        object.updated = now;
        return;
    };
    object.velocity.z -= GRAVITY * dt;
    let velocity = object.velocity;
    world.sweep_body(body, velocity, dt, Some(mesh), store);
    if let Some(object) = store.object_mut(owner) {
        if !object.flags.has(ObjectFlags::SETTLING) {
            object.pose.rotation = world.kernels().integrate(object.pose.rotation, object.spin, dt);
        }
        object.updated = now;
    }
    world.mark_dirty(body);
    world.update_body(body, store);
}

/// Takes an object out of the world: its settle ends and its body is freed.
///
/// Source: seed 002, Original structure (WorldObject_Remove 0x00391c10).
// Covers: seed 002, WorldObject_Remove (0x00391c10) test=removing_an_object_ends_its_settle_and_frees_its_body
pub fn remove_object<S: ObjectStore>(world: &mut PhysicsWorld, store: &mut S, owner: OwnerId) {
    world.cancel_settle(owner);
    if let Some(body) = store.object_mut(owner).and_then(|object| object.body.take()) {
        world.free_object_body(body);
    }
}

#[cfg(test)]
mod tests;
