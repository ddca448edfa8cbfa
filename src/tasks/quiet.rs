//! A world in which nothing is there: for scenes and figures of the engine alone.

use super::engine::TaskEngine;
use super::handle::Handle;
use super::humans::gates::Gate;
use super::humans::messages::HumanMessage;
use super::humans::records::PadInput;
use super::humans::step::{Characters, Condition};
use super::ids::TaskId;
use super::world::{
    BodySpec, Gift, InstanceId, ParticleType, Person, RayHit, SoundId, Sprite, TriangleChange, View, World,
};
use crate::maths::{Pose, Vec3};
use crate::physics::car_parts::{LoosePart, PartEvents};
use crate::physics::ids::BodyId;

/// Answers nothing to everything and counts what it is asked.
///
/// A particle type's interval is the low byte of its name, in ticks; every name is a type.
#[derive(Clone, Debug, Default)]
pub struct QuietWorld {
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
    fn create_body(&mut self, _: &mut TaskEngine, _: TaskId, _: &BodySpec) -> Option<BodyId> {
        None
    }
    fn free_body(&mut self, _: BodyId) {}
    fn place_body(&mut self, _: &mut TaskEngine, _: BodyId) {}
    fn body_flags(&self, _: BodyId) -> u32 {
        0
    }
    fn change_body_flags(&mut self, _: BodyId, _: u32, _: u32) {}
    fn set_body_springs(&mut self, _: BodyId, _: [f32; 3]) {}
    fn lower_car_body(&mut self, _: BodyId) {}
    fn sweep_body(&mut self, _: &mut TaskEngine, _: BodyId, _: Vec3, _: f32) {}
    fn fly_part(&mut self, _: &mut TaskEngine, _: &mut LoosePart) -> PartEvents {
        PartEvents::default()
    }
    fn cancel_settle(&mut self, _: TaskId) {}
    fn physics_step(&mut self, _: &mut TaskEngine) {
        self.physics_steps += 1;
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
