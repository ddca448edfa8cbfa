//! How an object is made, moves, is shown, and ends.

use super::super::engine::{TaskEngine, number};
use super::super::handle::Handle;
use super::super::head::{GRAVITY, flag};
use super::super::ids::TaskId;
use super::super::manager::Stay;
use super::super::world::{BodySpec, World};
use super::types::STATIC_KIND;
use crate::maths::{Pose, Quat, Vec3};
use crate::physics::objects::Wear;

/// Ticks between updates of an object at rest. Source: seed 002, Settling.
pub const REST_INTERVAL: u16 = 20;
/// Ticks between updates of an object that flies or settles. Source: seed 002, How things actually move.
pub const FLYING_INTERVAL: u16 = 2;
/// Body flag that makes an object update as often as a flying one. Source: seed 002, How things actually move.
const BODY_EVERY_TIME: u32 = 0x800;
/// Body flag of an object in a slot. Source: seed 000, Objects in a human's hand (WorldObject_SetSlot).
const BODY_IN_SLOT: u32 = 0x10;
/// Seconds of the first sweep of a throw. Source: seed 002, How things actually move.
const THROW_STEP: f32 = 1.0 / 60.0;

impl TaskEngine {
    pub(in super::super) fn init_object(&mut self, id: TaskId, name: u32) {
        let kind = self.objects.types.find_by_hash(name).unwrap_or_default();
        let wear = self.objects.types.get(kind).map_or([0; 2], |kind| kind.wear);
        if let Some(object) = self.object_mut(id) {
            object.kind = kind;
            object.wear = Wear::from_type(wear[0], wear[1]);
        }
        if let Some(head) = self.manager.head_mut(id) {
            head.set_update_interval(REST_INTERVAL);
        }
    }

    pub(in super::super) fn object_created(&mut self, world: &mut dyn World, id: TaskId) {
        world.type_message(self, id, number::CREATED);
    }

    /// Makes an object's body from its type; the contact springs come with it.
    pub fn create_object_body(&mut self, world: &mut dyn World, id: TaskId) {
        self.free_object_body(world, id);
        let Some(kind) = self.object_type(id) else { return };
        let spec = BodySpec::Object(kind.shape, kind.physics_flags, kind.body_flags());
        let is_static = kind.kind == STATIC_KIND;
        let body = world.create_body(self, id, &spec);
        if let Some(head) = self.manager.head_mut(id).filter(|_| is_static && body.is_some()) {
            head.flags |= flag::STATIC;
        }
        if let Some(object) = self.object_mut(id) {
            object.body = body;
        }
        self.update_body_contacts(world, id);
    }

    /// Gives the body its type's contact springs.
    // Covers: seed 000, WorldObject_UpdateBodyContacts (0x00394920) test=a_body_comes_and_goes_with_message_0x30
    pub fn update_body_contacts(&mut self, world: &mut dyn World, id: TaskId) {
        let springs = self.object_type(id).map(|kind| kind.springs);
        if let (Some(body), Some(springs)) = (self.object(id).and_then(|object| object.body), springs) {
            world.set_body_springs(body, springs);
        }
    }

    /// Frees an object's body.
    // Covers: seed 000, Obj_FreePhysicsBody (0x003924d8) test=a_body_comes_and_goes_with_message_0x30
    pub fn free_object_body(&mut self, world: &mut dyn World, id: TaskId) {
        if let Some(body) = self.object_mut(id).and_then(|object| object.body.take()) {
            world.free_body(body);
        }
    }

    /// Clears flags of an object's body.
    // Covers: seed 000, Body_ClearFlags (0x003a4810) test=a_slot_marks_the_body
    pub fn clear_body_flags(&mut self, world: &mut dyn World, id: TaskId, flags: u32) {
        if let Some(body) = self.object(id).and_then(|object| object.body) {
            world.change_body_flags(body, 0, flags);
        }
    }

    /// Sets an object's velocity and wakes it.
    // Covers: seed 000, WorldObject_SetVelocity (0x003925f8) test=a_pushed_object_wakes
    pub fn set_object_velocity(&mut self, id: TaskId, velocity: Vec3) {
        if let Some(head) = self.manager.head_mut(id) {
            head.set_velocity(velocity);
        }
        self.manager.wake_if_moving(id);
    }

    /// Moves and turns an object and its body at once.
    // Covers: seed 000, WorldObject_SetPose (0x003952f8) test=a_placed_object_takes_its_body_along
    pub fn set_object_pose(&mut self, world: &mut dyn World, id: TaskId, pose: Pose) {
        self.manager.set_pose(id, pose);
        if let Some(body) = self.object(id).and_then(|object| object.body) {
            world.place_body(self, body);
        }
    }

    /// Sets where an object hangs from its parent's point.
    // Covers: seed 000, Object_SetAttachOffset (0x003917c8) test=the_attach_offset_is_kept
    pub fn set_attach_offset(&mut self, id: TaskId, offset: Vec3) {
        if let Some(object) = self.object_mut(id) {
            object.attach_offset = offset;
        }
    }

    /// Where an object hangs from its parent's point.
    // Covers: seed 000, Object_GetAttachOffset (0x003917d8) test=the_attach_offset_is_kept
    pub fn attach_offset(&self, id: TaskId) -> Vec3 {
        self.object(id).map_or(Vec3::ZERO, |object| object.attach_offset)
    }

    /// The object's motion to now. Airborne with a body: gravity, a sweep with contacts, then the turn unless it
    /// settles. Anything else goes by the default integrator.
    ///
    /// Source: seed 002, How things actually move (WorldObject_Integrate 0x00395a10).
    // Covers: seed 002, WorldObject_Integrate (0x00395a10) test=tasks::owners::tests::a_brick_dropped_through_the_ticks_has_the_traced_velocities
    pub fn integrate_object(&mut self, world: &mut dyn World, id: TaskId) {
        let (now, kernels) = (self.manager.clock.now(), self.manager.kernels);
        let Some(object) = self.object_mut(id) else { return };
        let (throw, body) = (object.throw.take(), object.body);
        let Some(head) = self.manager.head_mut(id) else { return };
        let mut dt = head.elapsed(now);
        if let Some(throw) = throw {
            head.position = throw.position;
            head.velocity = throw.velocity;
            dt = THROW_STEP;
        }
        let Some(body) = body.filter(|_| head.has(flag::AIRBORNE) && !head.is_attached()) else {
            head.integrate(now, kernels);
            return;
        };
        head.last_update = now;
        head.velocity.z -= GRAVITY * dt;
        let velocity = head.velocity;
        world.sweep_body(self, body, velocity, dt);
        self.after_contacts(world, id);
        let Some(head) = self.manager.head_mut(id) else { return };
        if !head.has(flag::SETTLING) {
            head.rotation = kernels.integrate(head.rotation, head.angular_velocity(), dt);
        }
        let pose = Pose::new(head.rotation, head.position);
        self.set_object_pose(world, id, pose);
    }

    /// The object's update: motion, door leaves, sound, script type; then the interval that its state asks for.
    ///
    /// Source: seed 002, How things actually move (WorldObject_Update 0x00395b70).
    // Covers: seed 002, WorldObject_Update (0x00395b70) test=tasks::owners::tests::a_brick_dropped_through_the_ticks_has_the_traced_velocities default=Stay::Leave
    pub(in super::super) fn update_object(&mut self, world: &mut dyn World, id: TaskId) -> Stay {
        // Most objects rest in silence: what they do not have is not looked for again.
        let Some(object) = self.object(id) else { return Stay::Leave };
        let (swings, sounds) = (object.door.is_swinging(), object.sound.is_some());
        self.integrate_object(world, id);
        if swings {
            self.update_door(world, id);
        }
        if sounds {
            self.update_object_sound(world, id);
        }
        world.type_message(self, id, number::PROCESS);
        // The script type may have ended the object.
        let Some(object) = self.object(id) else { return Stay::Leave };
        let (body, swings) = (object.body, object.door.is_swinging());
        let eager = body.is_some_and(|body| world.body_flags(body) & BODY_EVERY_TIME != 0);
        // What flies has its body placed with each of its moves.
        if let Some(body) =
            body.filter(|_| eager && self.manager.head(id).is_some_and(|head| !head.has(flag::AIRBORNE)))
        {
            world.place_body(self, body);
        }
        let Some(head) = self.manager.head_mut(id) else { return Stay::Leave };
        let busy = eager || swings || head.has(flag::FLYING_OR_SETTLING);
        head.set_update_interval(if busy { FLYING_INTERVAL } else { REST_INTERVAL });
        Stay::Stay
    }

    /// A message to an object: 0x30 makes its body, 28 drops it, 0x22 moves a door; all go to its zone's handler and to
    /// its script type.
    // Covers: seed 000, WorldObject_OnTaskMessage (0x00395dc8) test=a_body_comes_and_goes_with_message_0x30
    pub(in super::super) fn object_message(&mut self, world: &mut dyn World, id: TaskId, number: u32) -> i32 {
        match number {
            number::CREATE_BODY => {
                self.create_object_body(world, id);
                return 1;
            }
            number::DROPPED => self.drop_object(id),
            number::DOOR_STATE => {
                let state = self.messages.frame().and_then(|frame| frame.pop_int()).unwrap_or_default();
                self.set_door_state(id, state);
            }
            _ => {}
        }
        self.tell_zone(world, id, number);
        world.type_message(self, id, number)
    }

    /// The function of the zone that an object was placed in hears of a message to it.
    ///
    /// Source: seed 000, World objects: Object zones (ObjZone_SetMsgHandler).
    pub(in super::super) fn tell_zone(&mut self, world: &mut dyn World, id: TaskId, number: u32) {
        let zone = self.object(id).and_then(|object| object.record).map(|index| self.objects.spawns.zone(index));
        let handler = zone.map_or(0, |zone| self.objects.zones.handler(zone));
        if handler != 0 {
            let handle = self.manager.head(id).map_or(Handle::NIL, |head| head.handle);
            world.call(self, handler, handle, number as i32);
        }
    }

    /// A dropped object falls from now: its last update was a tick ago, and it runs with the next bucket.
    ///
    /// Source: seed 002, Settling (message 28).
    pub fn drop_object(&mut self, id: TaskId) {
        let now = self.manager.clock.now();
        let Some(head) = self.manager.head_mut(id) else { return };
        head.velocity = Vec3::ZERO;
        head.flags = head.flags & !(flag::ATTACHED | flag::GROUNDED | flag::STATIC) | flag::AIRBORNE | flag::INTEGRATED;
        head.set_parent(Handle::NIL);
        head.last_update = now.saturating_sub(1);
        self.manager.schedule_in(id, 0);
    }

    /// The human that holds the object.
    // Covers: seed 000, WorldObject_GetHolder (0x003951d8) test=a_held_object_knows_its_holder_until_it_is_let_go
    pub fn object_holder(&self, id: TaskId) -> Option<u16> {
        let head = self.manager.head(id).filter(|head| head.is_attached())?;
        self.task(head.parent())?.index_in(super::super::ids::TaskClass::Human).map(|human| human as u16)
    }

    /// The object is let go: nothing holds it, and it falls. A held object's pose is not written by a settle, so this is
    /// also where a settle's pose begins to count again.
    // Covers: seed 000, WorldObject_OnDetach (0x00395220) test=a_held_object_knows_its_holder_until_it_is_let_go
    pub fn detach_object(&mut self, world: &mut dyn World, id: TaskId) {
        let pose = self.pose_now(world, id);
        self.set_object_pose(world, id, pose);
        self.set_object_slot(world, id, -1);
        self.drop_object(id);
    }

    /// Puts the object into a slot of a hand or place, -1 for none, and marks its body.
    // Covers: seed 000, WorldObject_SetSlot (0x00395268) test=a_slot_marks_the_body
    pub fn set_object_slot(&mut self, world: &mut dyn World, id: TaskId, slot: i16) {
        let Some(object) = self.object_mut(id) else { return };
        object.slot = slot;
        if let Some(body) = object.body {
            let (set, clear) = if slot >= 0 { (BODY_IN_SLOT, 0) } else { (0, BODY_IN_SLOT) };
            world.change_body_flags(body, set, clear);
        }
    }

    /// Updates the object's model: takes an instance while it is near and shown, gives it back when it is hidden.
    // Covers: seed 000, WorldObject_UpdateRender (0x00395330) test=an_object_is_drawn_with_its_tint_while_shown
    pub fn update_object_render(&mut self, world: &mut dyn World, id: TaskId) {
        let Some((hidden, has)) = self.object(id).map(|object| (object.hidden, object.instance.is_some())) else {
            return;
        };
        let model = self.object_type(id).map_or(0, |kind| kind.model);
        if hidden {
            self.release_object_instance(world, id);
        } else if !has && model != 0 {
            let instance = world.take_instance(model);
            if let Some(object) = self.object_mut(id) {
                object.instance = instance;
            }
        }
    }

    /// Gives the object's model instance back.
    // Covers: seed 000, WorldObject_ReleaseInstance (0x003954c8) test=an_object_is_drawn_with_its_tint_while_shown
    pub fn release_object_instance(&mut self, world: &mut dyn World, id: TaskId) {
        if let Some(instance) = self.object_mut(id).and_then(|object| object.instance.take()) {
            world.release_instance(instance);
        }
    }

    /// Prepares the object for drawing: its pose now, with its tint.
    // Covers: seed 000, WorldObject_PreRender (0x00395720) test=an_object_is_drawn_with_its_tint_while_shown
    pub fn draw_object(&mut self, world: &mut dyn World, id: TaskId) {
        let shown = self.object(id).filter(|object| !object.hidden);
        let Some((instance, tint)) = shown.and_then(|object| Some((object.instance?, object.tint))) else { return };
        let now = self.manager.clock.now();
        // What hangs on something has no place of its own.
        let alone = self.manager.head(id).filter(|head| !head.is_attached());
        if alone.is_none_or(|head| world.shows_instance(instance, head.position_at(now))) {
            let pose = self.pose_now(world, id);
            world.draw_instance(instance, pose, tint);
        }
    }

    /// Notes how far an object is from the camera.
    // Covers: seed 000, WorldObject_NoteStreamingDistance (0x003956c0) test=the_managers_update_notes_distances_and_draws
    pub fn note_object_distance(&mut self, id: TaskId, distance: f32) {
        if let Some(object) = self.object_mut(id) {
            object.distance = distance;
        }
    }

    /// The object manager's update: distances, models, drawing, and objects whose time is up.
    // Covers: seed 000, ObjectTaskManager_Update (0x003980c8) test=the_managers_update_notes_distances_and_draws
    pub fn update_object_manager(&mut self, world: &mut dyn World) {
        use super::super::ids::TaskClass;
        let eye = world.view(0).map(|view| view.position);
        let now = self.manager.clock.now();
        let mut next = self.first_live(TaskClass::Object);
        while let Some(id) = next {
            next = id.index_in(TaskClass::Object).and_then(|n| self.next_live(TaskClass::Object, n as u16 + 1));
            if self.object(id).is_some_and(|object| object.unload_at != 0 && object.unload_at <= now) {
                self.release(world, id);
                continue;
            }
            let position = self.manager.head(id).map_or(Vec3::ZERO, |head| head.position);
            if let Some(eye) = eye {
                self.note_object_distance(id, (position - eye).length());
            }
            self.update_object_render(world, id);
            self.draw_object(world, id);
        }
    }

    /// Ends an object: its settle is cancelled; body, instance and sound go; its record may spawn it again.
    ///
    /// Source: seed 002, Settling (WorldObject_Remove 0x00391c10).
    // Covers: seed 002, WorldObject_Remove (0x00391c10) test=physics::street::tests::removing_an_object_ends_its_settle_and_frees_its_body
    pub(in super::super) fn release_object(&mut self, world: &mut dyn World, id: TaskId) {
        world.cancel_settle(id);
        self.free_object_body(world, id);
        self.release_object_instance(world, id);
        self.stop_object_sound(world, id);
        let now = self.manager.clock.now();
        if let Some(index) = self.object(id).and_then(|object| object.record) {
            self.objects.spawns.set_gone(index, false, now);
        }
    }

    /// Ends an object for good: its record spawns it again only after its respawn timer, if it has one.
    // Covers: seed 000, Obj_Destroy (0x00396c58) test=a_destroyed_object_is_gone
    // Covers: seed 000, ScriptObj_Destroy (0x003a57d8) test=a_destroyed_object_is_gone
    pub fn destroy_object(&mut self, world: &mut dyn World, id: TaskId) -> bool {
        let Some(record) = self.object(id).map(|object| object.record) else { return false };
        let now = self.manager.clock.now();
        self.release(world, id);
        if let Some(index) = record {
            self.objects.spawns.set_gone(index, true, now);
        }
        true
    }

    /// Eases an object's rotation to a target over its interval.
    pub fn ease_object(&mut self, id: TaskId, target: Quat) {
        if let Some(head) = self.manager.head_mut(id) {
            head.ease_to(target);
        }
    }
}

#[cfg(test)]
#[path = "life_tests.rs"]
pub(crate) mod tests;
