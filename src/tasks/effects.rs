//! Effects that belong to no task: bursts, fog and litter switches, particle tanks, and what cameras see of them.

use super::engine::{Creation, TaskEngine};
use super::handle::Handle;
use super::pool::Pool;
use super::world::{InstanceId, PLAYERS, RayHit, View, World};
use crate::maths::Vec3;

/// Effects further from every camera than this are not made, metres. Source: seed 000, Particles (Effects_CanSpawnAt).
pub const EFFECT_RANGE: f32 = 15.0;

/// Particle tanks that may live at once. Our choice: the original's number is not known.
const TANKS: u16 = 16;

/// A particle tank: many particles in one instance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tank {
    /// Its instance.
    pub instance: InstanceId,
    /// Drawing depth bias.
    pub depth: f32,
}

/// One of the game's fixed bursts: two particle kinds and how many of each.
///
/// Our choice: the original's four differ by data that the seed does not give; these are ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Burst {
    /// Dust and grit.
    A,
    /// Sparks and smoke.
    B,
    /// Splinters and dust.
    C,
    /// Debris and smoke.
    D,
}

impl Burst {
    /// How many of the first and of the second kind.
    const fn counts(self) -> [u8; 2] {
        match self {
            Self::A => [4, 2],
            Self::B => [6, 1],
            Self::C => [8, 3],
            Self::D => [10, 4],
        }
    }
}

/// State of the effects.
#[derive(Debug)]
pub struct Effects {
    /// Drifting ground fog is on.
    pub ground_fog: bool,
    /// Litter blows.
    pub garbage: bool,
    /// It rains.
    pub rain: bool,
    /// Function that hears the radio; 0 for none.
    pub radio_callback: u32,
    tanks: Pool<Tank>,
    hit: Option<(Vec3, RayHit)>,
}

impl Default for Effects {
    fn default() -> Self {
        Self { ground_fog: false, garbage: false, rain: false, radio_callback: 0, tanks: Pool::new(TANKS), hit: None }
    }
}

impl Effects {
    /// Forgets what a level has set: weather, listener and last ray; its tanks give their instances back.
    pub fn reset(&mut self, world: &mut dyn World) {
        for tank in 0..TANKS {
            self.release_tank(world, tank);
        }
        *self = Self::default();
    }

    /// Bytes that the tanks take.
    pub fn tank_bytes(&self) -> usize {
        self.tanks.bytes()
    }

    /// Turns ground fog on or off.
    // Covers: seed 000, GroundFog_Enable (0x003977f8) test=fog_and_litter_are_switched
    pub fn enable_ground_fog(&mut self, on: bool) {
        self.ground_fog = on;
    }

    /// Starts blowing litter.
    // Covers: seed 000, Garbage_Start (0x003977a8) test=fog_and_litter_are_switched
    pub fn start_garbage(&mut self) {
        self.garbage = true;
    }

    /// Ends blowing litter.
    // Covers: seed 000, Garbage_End (0x003977d0) test=fog_and_litter_are_switched
    pub fn end_garbage(&mut self) {
        self.garbage = false;
    }

    /// Creates a particle tank of a model; `None` when the model or a tank is missing.
    // Covers: seed 000, PTank_Create (0x0039c388) test=a_tank_owns_its_instance
    pub fn create_tank(&mut self, world: &mut dyn World, model: u32) -> Option<u16> {
        let instance = world.take_instance(model)?;
        let Some(tank) = self.tanks.take() else {
            world.release_instance(instance);
            return None;
        };
        *self.tanks.get_mut(tank)? = Tank { instance, depth: 0.0 };
        Some(tank)
    }

    /// Releases a particle tank.
    // Covers: seed 000, PTank_Release (0x0039c3d0) test=a_tank_owns_its_instance
    // Covers: seed 000, PTank_Destroy (0x003a4f78) test=a_tank_owns_its_instance
    pub fn release_tank(&mut self, world: &mut dyn World, tank: u16) {
        if let Some(instance) = self.tank_instance(tank) {
            world.release_instance(instance);
            self.tanks.give(tank);
        }
    }

    /// A tank's instance.
    // Covers: seed 000, PTank_GetInstance (0x003a4fd0) test=a_tank_owns_its_instance
    pub fn tank_instance(&self, tank: u16) -> Option<InstanceId> {
        self.tanks.get(tank).map(|tank| tank.instance)
    }

    /// Sets a tank's depth.
    // Covers: seed 000, PTank_SetDepth (0x003a58e8) test=a_tank_owns_its_instance
    pub fn set_tank_depth(&mut self, tank: u16, depth: f32) {
        if let Some(tank) = self.tanks.get_mut(tank) {
            tank.depth = depth;
        }
    }

    /// A live tank.
    pub fn tank(&self, tank: u16) -> Option<&Tank> {
        self.tanks.get(tank)
    }

    /// Casts a ray into the level and keeps what it meets for scripts; says whether it met anything.
    // Covers: seed 000, Effects_RayCastToGlobals (0x003a36e0) test=a_ray_leaves_its_hit_for_scripts
    pub fn ray_to_globals(&mut self, world: &dyn World, length: f32, from: Vec3, direction: Vec3) -> bool {
        if let Some(hit) = world.ray(from, direction, length) {
            self.hit = Some((from + direction * hit.distance, hit));
            true
        } else {
            false
        }
    }

    /// A vector that scripts read by number: 1 the last ray's point, 2 its normal; every other is zero.
    // Covers: seed 000, ScriptObj_GetGlobalVector (0x003a3d70) test=a_ray_leaves_its_hit_for_scripts
    pub fn global_vector(&self, id: u32) -> Vec3 {
        match (id, self.hit) {
            (1, Some((point, _))) => point,
            (2, Some((_, hit))) => hit.normal,
            _ => Vec3::ZERO,
        }
    }

    /// An integer that scripts read by number: 7 whether a ray has hit, 8 the surface it hit; every other is 0.
    ///
    /// Our choice of which of the two is which: the seed only says that both come from the ray.
    // Covers: seed 000, ScriptObj_GetGlobalInt (0x003a3e78) test=a_ray_leaves_its_hit_for_scripts
    pub fn global_int(&self, id: u32) -> i32 {
        match (id, self.hit) {
            (7, Some(_)) => 1,
            (8, Some((_, hit))) => i32::from(hit.surface),
            _ => 0,
        }
    }
}

/// Whether a view shows a point: within its reach and its cone.
fn shows(view: &View, point: Vec3) -> bool {
    let to = point - view.position;
    let distance = to.length();
    distance <= view.far && to.dot(view.forward) >= view.cos_half_angle * distance
}

/// Whether a point is in a player's view.
// Covers: seed 000, Camera_IsPointInPlayerView (0x003a50e0) test=cameras_see_what_is_in_their_cone
pub fn in_player_view(world: &dyn World, player: u8, point: Vec3) -> bool {
    world.view(player).is_some_and(|view| shows(&view, point))
}

/// Whether any player's camera sees a point.
// Covers: seed 000, Cameras_IsPointVisibleAny (0x003a51f8) test=cameras_see_what_is_in_their_cone
pub fn visible_to_any(world: &dyn World, point: Vec3) -> bool {
    (0..PLAYERS).any(|player| in_player_view(world, player, point))
}

/// Whether any player's camera is within a range of a point.
// Covers: seed 000, Cameras_IsWithinRange (0x003a5280) test=cameras_see_what_is_in_their_cone
pub fn camera_within(world: &dyn World, point: Vec3, range: f32) -> bool {
    (0..PLAYERS).filter_map(|player| world.view(player)).any(|view| (view.position - point).length() <= range)
}

/// Whether an effect may be made at a point: a camera within 15 m, and the point on some screen.
// Covers: seed 000, Effects_CanSpawnAt (0x003a7d58) test=effects_need_a_near_camera_that_sees_them
pub fn can_spawn_at(world: &dyn World, point: Vec3) -> bool {
    camera_within(world, point, EFFECT_RANGE) && visible_to_any(world, point)
}

impl TaskEngine {
    /// Makes one particle system of the current phase at a point; nil when the kind is 0, where no camera is near and looking,
    /// and while 512 particles of play or fewer are free.
    ///
    /// Source: seed 000, Particles (Effects_CanSpawnAt).
    pub fn spawn_effect(&mut self, world: &mut dyn World, kind: u32, position: Vec3) -> Handle {
        if kind == 0 || !self.particles[0].has_room() || !can_spawn_at(world, position) {
            return Handle::NIL;
        }
        let class = self.particle_class();
        let made = self.create(world, class, kind, &Creation::at(position));
        self.handle_of(made)
    }

    /// A burst of two particle kinds; answers how many particles it made.
    ///
    /// Nothing is made where no camera is near and looking, or while 512 particles or fewer are free.
    // Covers: seed 000, Effects_SpawnBurst (0x003a5ad8) test=a_burst_needs_room_and_an_onlooker
    pub fn spawn_burst(&mut self, world: &mut dyn World, position: Vec3, kinds: [u32; 2], counts: [u8; 2]) -> u32 {
        let mut made = 0;
        for (kind, count) in kinds.into_iter().zip(counts) {
            for _ in 0..count {
                made += u32::from(!self.spawn_effect(world, kind, position).is_nil());
            }
        }
        made
    }

    /// One of the fixed bursts.
    // Covers: seed 000, Effects_BurstA (0x003a5fb0) test=the_four_bursts_differ_in_number
    // Covers: seed 000, Effects_BurstB (0x003a61d8) test=the_four_bursts_differ_in_number
    // Covers: seed 000, Effects_BurstC (0x003a65e0) test=the_four_bursts_differ_in_number
    // Covers: seed 000, Effects_BurstD (0x003a6a10) test=the_four_bursts_differ_in_number
    pub fn burst(&mut self, world: &mut dyn World, burst: Burst, position: Vec3, kinds: [u32; 2]) -> u32 {
        self.spawn_burst(world, position, kinds, burst.counts())
    }

    /// The radio's message handler has news for whoever listens.
    // Covers: seed 000, GameState_Call41b3d8 (0x003a5a10) test=the_radio_calls_its_listener
    pub fn radio_message(&mut self, world: &mut dyn World, radio: Handle, value: i32) {
        self.call_radio_callback(world, radio, value);
    }

    /// Tells the function that listens to the radio: from the radio's message handler.
    // Covers: seed 000, GameState_CallRadioCallback (0x0041b3d8) test=the_radio_calls_its_listener
    pub fn call_radio_callback(&mut self, world: &mut dyn World, radio: Handle, value: i32) {
        let function = self.effects.radio_callback;
        if function != 0 {
            world.call(self, function, radio, value);
        }
    }
}

// Excused: seed 000, Effects_ReturnZeroA (0x003a6e48) reason=empty stub
// Excused: seed 000, Effects_ReturnZeroB (0x003a6e88) reason=empty stub

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeWorld, PARTICLE, engine};
    use super::*;

    fn looking_at_origin() -> FakeWorld {
        let mut world = FakeWorld::default();
        world.views[0] =
            Some(View { position: Vec3::new(0.0, -10.0, 0.0), forward: Vec3::Y, cos_half_angle: 0.8, far: 100.0 });
        world
    }

    #[test]
    fn fog_and_litter_are_switched() {
        let mut effects = Effects::default();
        effects.enable_ground_fog(true);
        effects.start_garbage();
        assert!(effects.ground_fog && effects.garbage);
        effects.end_garbage();
        assert!(!effects.garbage);
    }

    #[test]
    fn a_tank_owns_its_instance() {
        let (mut effects, mut world) = (Effects::default(), FakeWorld::default());
        let tank = effects.create_tank(&mut world, 5).unwrap();
        let instance = effects.tank_instance(tank).unwrap();
        effects.set_tank_depth(tank, 2.5);
        assert_eq!(effects.tank(tank).unwrap().depth, 2.5);
        effects.release_tank(&mut world, tank);
        assert_eq!(world.log_count(&std::format!("release_instance {}", instance.0)), 1);
        assert_eq!(effects.tank_instance(tank), None);
        for _ in 0..TANKS {
            effects.create_tank(&mut world, 5).unwrap();
        }
        let taken = world.log_count("release_instance");
        assert_eq!(effects.create_tank(&mut world, 5), None);
        assert_eq!(world.log_count("release_instance"), taken + 1, "a refused tank keeps no instance");
    }

    #[test]
    fn a_ray_leaves_its_hit_for_scripts() {
        let (mut effects, mut world) = (Effects::default(), FakeWorld::default());
        assert!(!effects.ray_to_globals(&world, 5.0, Vec3::Z, -Vec3::Z));
        assert_eq!((effects.global_vector(2), effects.global_int(7)), (Vec3::ZERO, 0));
        world.floor = Some(RayHit { distance: 3.0, normal: Vec3::Z, surface: 9 });
        assert!(effects.ray_to_globals(&world, 5.0, Vec3::new(0.0, 0.0, 4.0), -Vec3::Z));
        assert_eq!(effects.global_vector(1), Vec3::Z);
        assert_eq!((effects.global_vector(2), effects.global_vector(3)), (Vec3::Z, Vec3::ZERO));
        assert_eq!([7, 8, 9].map(|id| effects.global_int(id)), [1, 9, 0]);
    }

    #[test]
    fn cameras_see_what_is_in_their_cone() {
        let world = looking_at_origin();
        assert!(in_player_view(&world, 0, Vec3::ZERO) && visible_to_any(&world, Vec3::ZERO));
        let beside = Vec3::new(10.0, -10.0, 0.0);
        assert!(!in_player_view(&world, 0, beside) && !visible_to_any(&world, beside));
        assert!(!in_player_view(&world, 1, Vec3::ZERO), "the second player has no camera");
        assert!(!visible_to_any(&world, Vec3::new(0.0, 200.0, 0.0)));
        assert!(camera_within(&world, beside, 10.0) && !camera_within(&world, beside, 9.0));
    }

    #[test]
    fn effects_need_a_near_camera_that_sees_them() {
        let world = looking_at_origin();
        assert!(can_spawn_at(&world, Vec3::new(0.0, 5.0, 0.0)));
        assert!(!can_spawn_at(&world, Vec3::new(0.0, 5.5, 0.0)), "15.5 m");
        assert!(!can_spawn_at(&world, Vec3::new(0.0, -12.0, 0.0)), "behind");
    }

    #[test]
    fn a_burst_needs_room_and_an_onlooker() {
        let (mut tasks, mut world) = (engine(), looking_at_origin());
        assert_eq!(tasks.spawn_burst(&mut world, Vec3::ZERO, [PARTICLE, PARTICLE], [3, 2]), 5);
        assert_eq!(tasks.spawn_burst(&mut world, Vec3::ZERO, [PARTICLE, 0], [3, 2]), 3);
        assert_eq!(tasks.spawn_burst(&mut world, Vec3::new(0.0, 90.0, 0.0), [PARTICLE; 2], [3, 2]), 0);
        while tasks.particles[0].has_room() {
            tasks.spawn_test_particle(&mut world, 0);
        }
        assert_eq!(tasks.spawn_burst(&mut world, Vec3::ZERO, [PARTICLE; 2], [3, 2]), 0);
        assert!(tasks.spawn_effect(&mut world, PARTICLE, Vec3::ZERO).is_nil(), "nor is one alone made");
    }

    #[test]
    fn the_four_bursts_differ_in_number() {
        let (mut tasks, mut world) = (engine(), looking_at_origin());
        let made = [Burst::A, Burst::B, Burst::C, Burst::D]
            .map(|burst| tasks.burst(&mut world, burst, Vec3::ZERO, [PARTICLE; 2]));
        assert_eq!(made, [6, 7, 11, 14]);
    }

    #[test]
    fn the_radio_calls_its_listener() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        tasks.call_radio_callback(&mut world, Handle::NIL, 3);
        assert!(world.log.is_empty());
        tasks.effects.radio_callback = 55;
        tasks.call_radio_callback(&mut world, Handle::NIL, 3);
        tasks.radio_message(&mut world, Handle::NIL, 4);
        assert_eq!(world.log, ["call 55 nil 3", "call 55 nil 4"]);
    }
}
