//! Blows, impacts, breaking, explosions.

use super::super::blows::ThingBlow;
use super::super::clock::Ticks;
use super::super::effects::Burst;
use super::super::engine::{Creation, TaskEngine, number};
use super::super::handle::Handle;
use super::super::head::flag;
use super::super::humans::HUMANS;
use super::super::ids::{TaskClass, TaskId};
use super::super::names::name_hash;
use super::super::world::World;
use super::WorldObject;
use super::types::EXPLOSIVE_KIND;
use crate::maths::{Quat, Vec3};
use crate::physics::constants::FLOOR_UPRIGHT;
use crate::physics::flags::Answer;
use crate::physics::settle::RestAxes;

/// An impact slower than this is silent, metres a second. Our choice, as for car parts.
const HEARD_SPEED: f32 = 2.0;
/// Impact speed at which a sound is at its loudest, metres a second. Our choice.
const LOUDEST_SPEED: f32 = 10.0;
/// An impact faster than this wears the object, metres a second. Our choice.
const WEARING_SPEED: f32 = 6.0;
/// Radius and damage of an explosive object. Our choice: the seed gives neither.
const EXPLOSION_RADIUS: f32 = 5.0;
const EXPLOSION_DAMAGE: i32 = 80;
/// Ticks after which a car near by follows, and how many of them do. Our choice.
const CARS_FOLLOW: Ticks = 40;
const MOST_CARS: usize = 4;
/// Sound of an explosive object. Our choice of name.
const EXPLOSION_SOUND: u32 = name_hash("object_explode");

/// How an object takes hits. Source: seed 000, World objects (hit mode, +0x128); the values are our choice.
pub mod hit_mode {
    /// Hits wear it.
    pub const WEARS: u8 = 0;
    /// Hits are heard and do nothing.
    pub const SOLID: u8 = 1;
    /// Any hit breaks it.
    pub const FRAGILE: u8 = 2;
}

/// A contact as the object's handler sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ObjectContact {
    /// What was hit; `None` for the level.
    pub other: Option<TaskId>,
    /// Unit normal that points at the object.
    pub normal: Vec3,
    /// Metres.
    pub point: Vec3,
    /// Speed into the surface, metres a second.
    pub speed: f32,
    /// The body still has the wear of its throw before it.
    pub wears_once: bool,
}

/// What becomes of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContactOutcome {
    /// What the sweep does.
    pub answer: Answer,
    /// The object starts to settle on these axes, when a slot is free.
    pub settles_on: Option<RestAxes>,
}

impl WorldObject {
    /// Takes one hit off the counters; says whether the object breaks.
    pub fn wear_once(&mut self) -> bool {
        self.wear.hit();
        self.wear.is_broken()
    }

    /// Whether an impact of a speed would break it.
    fn would_break(&self, speed: f32) -> bool {
        let mut wear = self.wear;
        wear.hit();
        speed > WEARING_SPEED && wear.is_broken()
    }
}

impl TaskEngine {
    /// Damages the humans within an explosion's radius, less with distance; answers how many.
    // Covers: seed 000, Explosion_DamageHumansInRadius (0x00392638) test=an_explosion_hurts_less_with_distance
    pub fn damage_humans_in_radius(&mut self, world: &mut dyn World, at: Vec3, radius: f32, damage: i32) -> u32 {
        let mut hurt = 0;
        for human in 0..HUMANS as u16 {
            let Some(person) = world.person(human) else { continue };
            let distance = (person.position - at).length();
            if distance < radius {
                // Our choice: full damage at the centre, none at the rim, linear between.
                let share = 1.0 - distance / radius;
                world.hurt(self, human, ((damage as f32 * share) as i32).max(1), at);
                hurt += 1;
            }
        }
        hurt
    }

    /// An object takes a hit: it may be heard, wear, or break, by its hit mode. Says whether it broke.
    // Covers: seed 000, WorldObject_TakeHit (0x00393450) test=the_hit_mode_decides_what_a_hit_does
    pub fn object_take_hit(&mut self, world: &mut dyn World, id: TaskId, from: Vec3) -> bool {
        let Some(object) = self.object_mut(id).filter(|object| !object.broken && !object.hidden) else { return false };
        object.contact = from;
        let breaks = match object.hit_mode {
            hit_mode::FRAGILE => true,
            hit_mode::SOLID => false,
            _ => object.wear_once(),
        };
        let sound = self.object_type(id).map_or(0, |kind| kind.impact_sound);
        if sound != 0 {
            world.play_sound(sound, from, 1.0);
        }
        breaks && self.break_object(world, id, Handle::NIL)
    }

    /// An object has hit something: sound by speed, wear, a noise; for the explosive kind a crime. What it hit is damaged: a
    /// pane cracks, a car rocks and its part takes the blow, another object wears.
    ///
    /// Our choice: what sounds is the object's own material, since every level's surfaces are harder than what is thrown
    /// there; and the damage is the type's own by the speed, as for a human that is hit.
    // Covers: seed 000, WorldObject_OnImpact (0x003939a8) test=an_impact_is_heard_wears_and_may_be_a_crime
    pub fn object_on_impact(&mut self, world: &mut dyn World, id: TaskId, contact: &ObjectContact) -> bool {
        let Some(kind) = self.object_type(id) else { return false };
        let (sound, explosive, damage) = (kind.impact_sound, kind.kind == EXPLOSIVE_KIND, kind.contact_damage);
        let Some(object) = self.object_mut(id) else { return false };
        object.contact = contact.point;
        if contact.speed > HEARD_SPEED {
            if sound != 0 {
                world.play_sound(sound, contact.point, (contact.speed / LOUDEST_SPEED).min(1.0));
            }
            world.noise(self, contact.point, id);
            if explosive {
                let culprit = self.manager.head(id).map_or(Handle::NIL, |head| head.parent());
                world.crime(self, contact.point, culprit);
            }
        }
        if let Some(other) = contact.other.filter(|_| contact.speed > WEARING_SPEED) {
            let share = (contact.speed / LOUDEST_SPEED).min(1.0);
            let from = contact.point + contact.normal;
            let damage = (damage as f32 * share) as i32;
            self.take_blow(world, other, &ThingBlow { at: contact.point, from, damage });
        }
        let Some(object) = self.object_mut(id) else { return false };
        // A throw has taken its hit in the contact itself.
        let wears = !contact.wears_once && contact.speed > WEARING_SPEED;
        let worn = object.wear.is_broken() || wears && object.wear_once();
        worn && self.break_object(world, id, Handle::NIL)
    }

    /// Breaks an object: let go, body freed, effects, its type told; the explosive kind explodes. Says whether it was
    /// whole.
    // Covers: seed 000, WorldObject_Break (0x00393e20) test=a_broken_object_has_no_body_and_tells_its_type
    pub fn break_object(&mut self, world: &mut dyn World, id: TaskId, culprit: Handle) -> bool {
        let Some(object) = self.object_mut(id).filter(|object| !object.broken) else { return false };
        object.broken = true;
        if self.manager.head(id).is_some_and(super::super::head::TaskHead::is_attached) {
            self.detach_object(world, id);
        }
        if let Some(head) = self.manager.head_mut(id) {
            head.reset_motion();
            head.flags &= !(flag::AIRBORNE | flag::SETTLING | flag::SETTLED);
        }
        world.cancel_settle(id);
        self.free_object_body(world, id);
        self.object_break_effects(world, id);
        world.type_message(self, id, number::BROKEN);
        if self.object_type(id).is_some_and(|kind| kind.kind == EXPLOSIVE_KIND) {
            self.explode_object(world, id, culprit);
        }
        true
    }

    /// Spawns the particles of breaking.
    // Covers: seed 000, WorldObject_BreakEffects (0x00394810) test=breaking_makes_the_types_particles
    pub fn object_break_effects(&mut self, world: &mut dyn World, id: TaskId) -> u32 {
        let at = self.manager.head(id).map_or(Vec3::ZERO, |head| head.position);
        let Some(kinds) = self.object_type(id).map(|kind| kind.break_effects) else { return 0 };
        self.burst(world, Burst::C, at, kinds)
    }

    /// An object explodes: people around it are hurt.
    ///
    /// Our choice: cars around it explode a moment later, as nothing else in the game lets one explode.
    // Covers: seed 000, ScriptObj_Explode (0x003a4b50) test=an_exploding_object_hurts_and_is_heard
    pub fn explode_object(&mut self, world: &mut dyn World, id: TaskId, culprit: Handle) -> u32 {
        let Some(at) = self.object(id).and_then(|_| self.manager.head(id)).map(|head| head.position) else { return 0 };
        world.play_sound(EXPLOSION_SOUND, at, 1.0);
        world.noise(self, at, id);
        world.crime(self, at, culprit);
        let mut near = [id; MOST_CARS];
        let count = self.cars_in_range(at, EXPLOSION_RADIUS, &mut near);
        for car in &near[..count] {
            if let Some(handle) = self.manager.head(*car).map(|head| head.handle) {
                self.explode_car(world, handle, CARS_FOLLOW);
            }
        }
        self.damage_humans_in_radius(world, at, EXPLOSION_RADIUS, EXPLOSION_DAMAGE)
    }

    /// The contact damage of a weapon that its holder swings overhead: the struck human is hurt, the weapon wears. Says
    /// whether it did.
    // Covers: seed 000, OverheadWeapon_ContactDamage (0x003932c8) test=a_held_weapon_hurts_and_wears
    pub fn overhead_contact_damage(&mut self, world: &mut dyn World, id: TaskId, struck: u16) -> bool {
        let Some(holder) = self.object_holder(id).filter(|holder| *holder != struck) else { return false };
        let Some(damage) = self.object_type(id).map(|kind| kind.contact_damage).filter(|damage| *damage > 0) else {
            return false;
        };
        let from = world.person(holder).map_or(Vec3::ZERO, |person| person.position);
        world.hurt_by(self, struck, damage, from, Some(holder));
        if self.object_mut(id).is_some_and(WorldObject::wear_once) {
            self.break_object(world, id, Handle::NIL);
        }
        true
    }

    /// The object's answer to a contact while it flies: it settles on a floor, rests once settled, or bounces. A thrown one
    /// passes its thrower, ends its move at the first human it meets, and takes one hit at the first contact of another kind.
    /// What the impact does to the object and its surroundings waits for [`Self::after_contacts`], when the sweep is over.
    ///
    /// Source: seed 002, Settling a landed object (WorldObject_OnContact 0x00394050).
    // Covers: seed 002, WorldObject_OnContact (0x00394050) test=tasks::owners::tests::a_brick_dropped_through_the_ticks_has_the_traced_velocities
    pub fn object_contact(&mut self, id: TaskId, contact: &ObjectContact) -> ContactOutcome {
        let plain = |answer| ContactOutcome { answer, settles_on: None };
        if self.object_holder(id).is_some() {
            return plain(Answer::PASS);
        }
        let axes = self.object_type(id).map_or(RestAxes::NONE, |kind| kind.axes);
        let flags = self.manager.head(id).map_or(0, |head| head.flags);
        let (settling, settled) = (flags & flag::SETTLING != 0, flags & flag::SETTLED != 0);
        let Some(object) = self.object_mut(id) else { return plain(Answer::PASS) };
        let human = contact.other.and_then(|other| other.index_in(TaskClass::Human)).map(|human| human as u16);
        if human.is_some() && human == object.thrower {
            return plain(Answer::PASS);
        }
        let thrown = core::mem::replace(&mut object.thrown, false);
        if let Some(human) = human.filter(|_| thrown) {
            (object.struck, object.impact) = (Some(human), Some(*contact));
            return plain(Answer::ABORT);
        }
        if contact.wears_once {
            object.wear.hit();
        }
        if object.wear.is_broken() {
            object.impact = Some(*contact);
            return plain(Answer::GO_ON);
        }
        if !settling && !settled {
            if object.impact.is_none_or(|impact| contact.speed > impact.speed) {
                object.impact = Some(*contact);
            }
            if !contact.wears_once && object.would_break(contact.speed) {
                return plain(Answer::GO_ON);
            }
        }
        if contact.other.is_some() || contact.normal.z <= FLOOR_UPRIGHT {
            return plain(Answer::BOUNCE);
        }
        if settled {
            object.thrower = None;
            if let Some(head) = self.manager.head_mut(id) {
                head.reset_motion();
                head.flags = head.flags & !(flag::AIRBORNE | flag::SETTLED) | flag::GROUNDED;
            }
            return plain(Answer::REST);
        }
        let settles_on = (!settling && axes != RestAxes::NONE).then_some(axes);
        ContactOutcome { answer: Answer::BOUNCE | Answer::SCALED, settles_on }
    }

    /// A settle of the object has begun: it no longer spins, and its rotation is the settle's.
    pub fn object_settles(&mut self, id: TaskId, rotation: Quat) {
        if let Some(head) = self.manager.head_mut(id) {
            head.rotation = rotation;
            head.set_angular_velocity(Vec3::ZERO);
            head.flags |= flag::SETTLING;
        }
    }

    /// After a sweep: whom a throw met is hurt; the hardest contact is heard, wears the object, and may break it.
    pub fn after_contacts(&mut self, world: &mut dyn World, id: TaskId) {
        if let Some((human, contact)) = self.object_mut(id).and_then(|object| object.struck.take().zip(object.impact)) {
            self.thrown_hits_human(world, id, human, &contact);
            if let Some(object) = self.object_mut(id) {
                object.impact = None;
            }
        }
        if let Some(impact) = self.object_mut(id).and_then(|object| object.impact.take()) {
            self.object_on_impact(world, id, &impact);
        }
    }

    /// Whether an object can be struck: shown, whole, with a body, and not in a hand.
    // Covers: seed 000, Object_IsStrikeTarget (0x00396710) test=only_a_shown_whole_object_with_a_body_is_struck
    pub fn is_strike_target(&self, handle: Handle) -> bool {
        let Some(id) = self.as_object(handle) else { return false };
        let held = self.manager.head(id).is_none_or(super::super::head::TaskHead::is_attached);
        self.object(id).is_some_and(|object| !object.hidden && !object.broken && object.body.is_some()) && !held
    }

    /// Sets how an object takes hits.
    // Covers: seed 000, WorldObject_SetHitMode (0x003a6ec8) test=the_hit_mode_decides_what_a_hit_does
    pub fn set_hit_mode(&mut self, id: TaskId, mode: u8) {
        if let Some(object) = self.object_mut(id) {
            object.hit_mode = mode;
        }
    }

    /// Debris, splinters or particles of a hit, chosen by the object's model; answers what it made.
    // Covers: seed 000, WorldObject_HitEffectsByModel (0x003a6f68) test=the_model_chooses_the_effect_of_a_hit
    pub fn hit_effects_by_model(&mut self, world: &mut dyn World, id: TaskId, at: Vec3) -> u32 {
        let Some(kind) = self.object_type(id) else { return 0 };
        let (model, effects, second) = (kind.model, kind.break_effects, kind.second_type);
        match (model % 3, second) {
            (0, Some(debris)) => u32::from(!self.spawn_thrown_debris(world, debris, at, Vec3::Z).is_nil()),
            (1, _) => self.burst(world, Burst::B, at, effects),
            _ => self.burst(world, Burst::A, at, effects),
        }
    }

    /// Creates a debris object, has it make its body (message 0x30), and throws it.
    // Covers: seed 000, ScriptObj_SpawnThrownDebris (0x003a5530) test=thrown_debris_has_a_body_and_flies
    pub fn spawn_thrown_debris(&mut self, world: &mut dyn World, kind: u16, at: Vec3, velocity: Vec3) -> Handle {
        let made = self.create_world_object(world, kind, &Creation::at(at));
        let handle = self.handle_of(made);
        let _ = self.send_message(world, handle, number::CREATE_BODY, &[]);
        if let Some(id) = self.as_object(handle) {
            if let Some(head) = self.manager.head_mut(id) {
                head.flags |= flag::AIRBORNE;
            }
            self.set_object_velocity(id, velocity);
        }
        handle
    }
}

#[cfg(test)]
#[path = "hits_tests.rs"]
mod tests;
