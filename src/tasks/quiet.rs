//! A world in which nothing is there: for scenes and figures of the engine alone, or with a physics that things fly in.

use super::engine::TaskEngine;
use super::handle::Handle;
use super::humans::gates::Gate;
use super::humans::messages::HumanMessage;
use super::humans::records::PadInput;
use super::humans::step::{Characters, Condition};
use super::ids::TaskId;
use super::owners::{TaskOwners, owner_of};
use super::world::{
    BodySpec, Gift, InstanceId, ParticleType, Person, RayHit, SoundId, Sprite, TriangleChange, View, World,
};
use crate::collision::CollisionMesh;
use crate::maths::{Pose, Vec3};
use crate::physics::PhysicsWorld;
use crate::physics::car_parts::{LoosePart, PartEvents};
use crate::physics::ids::BodyId;
use crate::physics::pools::BodyKind;
use alloc::boxed::Box;

/// A physics and its level.
pub struct Stage {
    /// The bodies.
    pub physics: PhysicsWorld,
    /// The level's triangles.
    pub mesh: CollisionMesh,
}

/// Answers nothing to everything and counts what it is asked.
///
/// A particle type's interval is the low byte of its name, in ticks; every name is a type.
#[derive(Default)]
pub struct QuietWorld {
    /// Where there is a level, bodies are made and swept in it.
    pub stage: Option<Box<Stage>>,
    /// Steps of the physics.
    pub physics_steps: u32,
    /// Bodies of the characters' step, counted by its pads.
    pub character_steps: u32,
    /// Messages that reached a script type.
    pub type_messages: u32,
    /// A task to which every script type sends its message on.
    pub echo: Option<Handle>,
    /// Sends that were refused.
    pub refused: u32,
}

impl World for QuietWorld {
    fn ray(&self, _: Vec3, _: Vec3, _: f32) -> Option<RayHit> {
        None
    }
    fn change_triangles(&mut self, _: u32, _: TriangleChange) {}
    fn set_nav_link(&mut self, _: u32, _: bool) {}
    fn group_humans(&mut self, _: u64, _: bool) {}
    fn create_body(&mut self, tasks: &mut TaskEngine, owner: TaskId, spec: &BodySpec) -> Option<BodyId> {
        let physics = &mut self.stage.as_deref_mut()?.physics;
        let (owner, owners) = (owner_of(owner), TaskOwners::new(tasks));
        match *spec {
            BodySpec::Object(shape, layers, extra) => physics.create_object_body(owner, shape, layers, extra, &owners),
            BodySpec::Car(boxes) => physics.create_car_body(owner, boxes, &owners),
            BodySpec::Pane(size) => physics.create_pane_body(owner, size, &owners),
        }
    }
    fn free_body(&mut self, body: BodyId) {
        let Some(stage) = self.stage.as_deref_mut() else { return };
        match BodyKind::of(body) {
            BodyKind::Object => stage.physics.free_object_body(body),
            BodyKind::Pane => stage.physics.free_pane_body(body),
            BodyKind::Car => stage.physics.free_car_body(body),
            // No human is a task of this world's.
            BodyKind::Human | BodyKind::PunchBag => {}
        }
    }
    fn place_body(&mut self, tasks: &mut TaskEngine, body: BodyId) {
        if let Some(stage) = self.stage.as_deref_mut() {
            stage.physics.mark_dirty(body);
            stage.physics.update_body(body, &mut TaskOwners::new(tasks));
        }
    }
    fn body_flags(&self, body: BodyId) -> u32 {
        self.stage.as_deref().map_or(0, |stage| stage.physics.body(body).flags.0)
    }
    fn change_body_flags(&mut self, body: BodyId, set: u32, clear: u32) {
        if let Some(stage) = self.stage.as_deref_mut() {
            let flags = &mut stage.physics.body_mut(body).flags;
            flags.0 = flags.0 & !clear | set;
        }
    }
    fn set_body_springs(&mut self, _: BodyId, _: [f32; 3]) {}
    fn lower_car_body(&mut self, _: BodyId) {}
    fn sweep_body(&mut self, tasks: &mut TaskEngine, body: BodyId, velocity: Vec3, dt: f32) {
        if let Some(Stage { physics, mesh }) = self.stage.as_deref_mut() {
            physics.sweep_body(body, velocity, dt, Some(mesh), &mut TaskOwners::new(tasks));
        }
    }
    fn fly_part(&mut self, _: &mut TaskEngine, _: &mut LoosePart) -> PartEvents {
        PartEvents::default()
    }
    fn cancel_settle(&mut self, owner: TaskId) {
        if let Some(stage) = self.stage.as_deref_mut() {
            stage.physics.cancel_settle(owner_of(owner));
        }
    }
    fn physics_step(&mut self, tasks: &mut TaskEngine) {
        self.physics_steps += 1;
        if let Some(stage) = self.stage.as_deref_mut() {
            stage.physics.step(&mut TaskOwners::new(tasks));
        }
    }
    fn play_sound(&mut self, _: u32, _: Vec3, _: f32) -> Option<SoundId> {
        None
    }
    fn move_sound(&mut self, _: SoundId, _: Vec3) {}
    fn stop_sound(&mut self, _: SoundId) {}
    fn preload_sound(&mut self, _: u32) {}
    fn take_instance(&mut self, _: u32) -> Option<InstanceId> {
        None
    }
    fn release_instance(&mut self, _: InstanceId) {}
    fn draw_instance(&mut self, _: InstanceId, _: Pose, _: u32) {}
    fn open_part(&mut self, _: InstanceId, _: u8) {}
    fn draw_sprite(&mut self, _: &Sprite) {}
    fn set_light(&mut self, _: u16, _: Vec3, _: [f32; 3], _: f32) {}
    fn person(&self, _: u16) -> Option<Person> {
        None
    }
    fn hurt(&mut self, _: &mut TaskEngine, _: u16, _: i32, _: Vec3) {}
    fn give(&mut self, _: &mut TaskEngine, _: u16, _: Gift) -> bool {
        false
    }
    fn attach_pose(&self, _: u16, _: u8, _: u8) -> Option<Pose> {
        None
    }
    fn noise(&mut self, _: &mut TaskEngine, _: Vec3, _: TaskId) {}
    fn crime(&mut self, _: &mut TaskEngine, _: Vec3, _: Handle) {}
    fn view(&self, _: u8) -> Option<View> {
        None
    }
    fn set_time_scale(&mut self, _: f32) {}
    fn shake(&mut self, _: u8, _: Option<f32>, _: Option<f32>) {}
    fn random(&mut self, _: u32) -> u32 {
        0
    }
    fn particle_type(&self, name: u32) -> Option<ParticleType> {
        Some(ParticleType { interval: (name & 0xff) as u16, flags: 0 })
    }
    fn type_message(&mut self, tasks: &mut TaskEngine, _: TaskId, message: u32) -> i32 {
        self.type_messages = self.type_messages.wrapping_add(1);
        if let Some(next) = self.echo
            && tasks.send_message(self, next, message, &[]).is_err()
        {
            self.refused += 1;
        }
        tasks.messages.depth() as i32
    }
    fn human_message(&mut self, _: &mut TaskEngine, _: u16, _: &HumanMessage, _: u32) -> i32 {
        0
    }
    fn call(&mut self, _: &mut TaskEngine, _: u32, _: Handle, _: i32) {}
    fn update_game_state(&mut self, _: &mut TaskEngine) {}
}

impl Characters for QuietWorld {
    fn step_effects(&mut self, _: &mut TaskEngine) {}
    fn update_pads(&mut self) {
        self.character_steps += 1;
    }
    fn update_formation(&mut self, _: &mut TaskEngine, _: usize) {}
    fn pad_input(&self, _: u8) -> Option<PadInput> {
        None
    }
    fn update_gang(&mut self, _: &mut TaskEngine, _: usize) {}
    fn brain_enabled(&self, _: usize) -> bool {
        false
    }
    fn think(&mut self, _: &mut TaskEngine, _: usize) {}
    fn update_brain(&mut self, _: &mut TaskEngine, _: usize) {}
    fn animate(&mut self, _: &mut TaskEngine, _: usize) {}
    fn refresh_animation(&mut self) {}
    fn human_effects(&mut self, _: &mut TaskEngine, _: usize) {}
    fn state_is_ready(&self, _: usize) -> bool {
        true
    }
    fn update_state(&mut self, _: &mut TaskEngine, _: usize) {}
    fn condition(&self, _: usize) -> Condition {
        Condition::Absent
    }
    fn gate(&self, _: usize) -> Gate {
        Gate::default()
    }
    fn dispatch(&mut self, _: &mut TaskEngine, _: usize, _: u8) {}
    fn choose_anim_state(&mut self, _: &mut TaskEngine, _: usize) {}
    fn update_down(&mut self, _: &mut TaskEngine, _: usize) {}
    fn update_cameras(&mut self, _: &mut TaskEngine, _: f32) {}
}
