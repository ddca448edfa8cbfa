//! What tasks ask of the rest of the game: level, bodies, sounds, looks, people, cameras, scripts.
//!
//! The engine calls these in the middle of its own work, so an implementation that needs tasks gets them as an
//! argument. Nothing here is kept by the engine.

use super::engine::TaskEngine;
use super::ids::TaskId;
use crate::maths::{Pose, Vec3};
use crate::physics::car_parts::{LoosePart, PartEvents};
use crate::physics::create::{CarBox, ObjectShape};
use crate::physics::flags::BodyFlags;
use crate::physics::ids::BodyId;

/// A playing sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SoundId(pub u16);

/// A model instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InstanceId(pub u16);

/// What a ray met.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RayHit {
    /// Metres from the origin.
    pub distance: f32,
    /// Unit normal of the surface.
    pub normal: Vec3,
    /// Material number.
    pub surface: u8,
}

/// A body to make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodySpec {
    /// A world object's, by its type's shape and PHYFLAG number and what its kind adds.
    Object(ObjectShape, u16, BodyFlags),
    /// A car's, of two boxes.
    Car([CarBox; 2]),
    /// A glass pane's, by its sizes in metres.
    Pane(Vec3),
}

/// A change to a group of level triangles. Source: support systems, Collision mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriangleChange {
    /// Sets flag bits.
    Set(u16),
    /// Clears flag bits.
    Clear(u16),
    /// Gives all triangles a material.
    Material(u8),
}

/// What a particle type is. Source: seed 000, Task classes and pools (the script type table).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ParticleType {
    /// Ticks between updates.
    pub interval: u16,
    /// Flags that its head starts with.
    pub flags: u32,
}

/// A human as tasks see one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Person {
    /// Feet, metres.
    pub position: Vec3,
    /// Points.
    pub health: i32,
    /// Points when unhurt.
    pub max_health: i32,
    /// Player number, or `None`.
    pub player: Option<u8>,
    /// Holds something in the hands.
    pub hands_full: bool,
}

/// A player's camera.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// Eye, metres.
    pub position: Vec3,
    /// Unit direction of looking.
    pub forward: Vec3,
    /// Cosine of half the angle of view.
    pub cos_half_angle: f32,
    /// How far it draws, metres.
    pub far: f32,
}

/// A sprite to draw.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sprite {
    /// Which type draws it.
    pub kind: u32,
    /// Where.
    pub pose: Pose,
    /// Left, top, right, bottom in the type's texture.
    pub rect: [f32; 4],
    /// 0xAABBGGRR.
    pub colour: u32,
    /// Half its side, metres.
    pub size: f32,
    /// Faces along its own axes, else towards the camera.
    pub oriented: bool,
}

/// What a pick-up gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gift {
    /// Health points.
    Health(i32),
    /// Anything else, by its type's name hash.
    Item(u32),
}

/// The rest of the game.
pub trait World {
    /// The nearest level triangle along a ray.
    fn ray(&self, from: Vec3, direction: Vec3, length: f32) -> Option<RayHit>;
    /// Changes a named group of level triangles.
    fn change_triangles(&mut self, group: u32, change: TriangleChange);
    /// Opens or closes a navigation link.
    fn set_nav_link(&mut self, link: u32, open: bool);

    /// Makes a body; `None` when the pool is full or the shape is none.
    fn create_body(&mut self, tasks: &mut TaskEngine, owner: TaskId, spec: &BodySpec) -> Option<BodyId>;
    /// Frees a body.
    fn free_body(&mut self, body: BodyId);
    /// A body's task has a new pose: the body follows it.
    fn place_body(&mut self, tasks: &mut TaskEngine, body: BodyId);
    /// A body's flags.
    fn body_flags(&self, body: BodyId) -> u32;
    /// Sets and clears flags of a body.
    fn change_body_flags(&mut self, body: BodyId, set: u32, clear: u32);
    /// Gives a body its contact springs.
    fn set_body_springs(&mut self, body: BodyId, springs: [f32; 3]);
    /// An exploding car's first box loses a quarter metre of height.
    fn lower_car_body(&mut self, body: BodyId);
    /// Sweeps a body by a velocity for `dt` seconds. Its task is moved and its contacts are answered through
    /// [`super::owners::TaskOwners`].
    fn sweep_body(&mut self, tasks: &mut TaskEngine, body: BodyId, velocity: Vec3, dt: f32);
    /// One tick of a part that flies off a car.
    fn fly_part(&mut self, tasks: &mut TaskEngine, part: &mut LoosePart) -> PartEvents;
    /// Stops a settle of a task.
    fn cancel_settle(&mut self, owner: TaskId);
    /// The physics world's own step, after the wheel.
    fn physics_step(&mut self, tasks: &mut TaskEngine);

    /// Plays a sound at a point; `None` when no voice is free.
    fn play_sound(&mut self, sound: u32, at: Vec3, volume: f32) -> Option<SoundId>;
    /// Moves a playing sound.
    fn move_sound(&mut self, sound: SoundId, at: Vec3);
    /// Stops a playing sound.
    fn stop_sound(&mut self, sound: SoundId);
    /// Asks for a sound to be loaded.
    fn preload_sound(&mut self, sound: u32);

    /// An instance of a model; `None` when it is not resident.
    fn take_instance(&mut self, model: u32) -> Option<InstanceId>;
    /// Gives an instance back.
    fn release_instance(&mut self, instance: InstanceId);
    /// Whether an eye may see an instance at a place: one that nobody sees need not be posed.
    fn shows_instance(&self, _instance: InstanceId, _at: Vec3) -> bool {
        true
    }
    /// Poses an instance for drawing, with a tint.
    fn draw_instance(&mut self, instance: InstanceId, pose: Pose, tint: u32);
    /// Opens a part of a car's instance.
    fn open_part(&mut self, instance: InstanceId, part: u8);
    /// Whether an eye may see a sprite of half a side at a place.
    fn shows_sprite(&self, _at: Vec3, _size: f32) -> bool {
        true
    }
    /// Draws a sprite.
    fn draw_sprite(&mut self, sprite: &Sprite);
    /// Switches the light of a light task.
    fn set_light(&mut self, light: u16, position: Vec3, colour: [f32; 3], range: f32);

    /// A human, when one lives there.
    fn person(&self, human: u16) -> Option<Person>;
    /// Hurts a human.
    fn hurt(&mut self, tasks: &mut TaskEngine, human: u16, damage: i32, from: Vec3);
    /// Hurts a human who knows whom to thank for it: the human that threw or swung what struck.
    fn hurt_by(&mut self, tasks: &mut TaskEngine, human: u16, damage: i32, from: Vec3, culprit: Option<u16>) {
        let _nobody = culprit;
        self.hurt(tasks, human, damage, from);
    }
    /// Humans, a bit each, pass through each other from now on, or no longer.
    fn group_humans(&mut self, humans: u64, together: bool);
    /// Gives a human what a pick-up holds; says whether the human took it.
    fn give(&mut self, tasks: &mut TaskEngine, human: u16, gift: Gift) -> bool;
    /// The pose of a part and point of a human.
    fn attach_pose(&self, human: u16, part: u8, point: u8) -> Option<Pose>;
    /// A noise that the people around may hear.
    fn noise(&mut self, tasks: &mut TaskEngine, at: Vec3, source: TaskId);
    /// A crime that somebody may report.
    fn crime(&mut self, tasks: &mut TaskEngine, at: Vec3, culprit: super::handle::Handle);

    /// A player's camera.
    fn view(&self, player: u8) -> Option<View>;
    /// Sets how fast game time runs, 1 for real time.
    fn set_time_scale(&mut self, scale: f32);
    /// Shakes a player's camera: a level and a time in seconds.
    fn shake(&mut self, player: u8, level: Option<f32>, time: Option<f32>);
    /// A number below `bound`.
    fn random(&mut self, bound: u32) -> u32;

    /// The particle type of a name.
    fn particle_type(&self, name: u32) -> Option<ParticleType>;
    /// A message to a task's script type.
    fn type_message(&mut self, tasks: &mut TaskEngine, id: TaskId, message: u32) -> i32;
    /// A message to a human.
    fn human_message(
        &mut self,
        tasks: &mut TaskEngine,
        human: u16,
        message: &super::humans::messages::HumanMessage,
        number: u32,
    ) -> i32;
    /// A call into the table of script functions.
    fn call(&mut self, tasks: &mut TaskEngine, function: u32, object: super::handle::Handle, value: i32);
    /// Game rules, once a frame after the ticks.
    fn update_game_state(&mut self, tasks: &mut TaskEngine);
}

/// Players that may have a camera.
pub const PLAYERS: u8 = 2;
