//! Light tasks: lights that fade, flicker and switch by their own clock.

use super::engine::TaskEngine;
use super::handle::Handle;
use super::ids::{TaskClass, TaskId};
use super::manager::Stay;
use super::pool::Pool;
use super::world::World;
use crate::maths::Vec3;

/// Bits of a light's flags. Source: seed 000, Lighting (0xb at the start; bit 4 switches).
pub mod light_flag {
    /// Lives. Read by the process step.
    pub const LIVE: u8 = 0x1;
    /// Wants to be processed. Read by the process step.
    pub const ACTIVE: u8 = 0x2;
    /// Goes dark at the end of its time, else stays as it is. Read by the update.
    pub const SWITCHES_OFF: u8 = 0x4;
    /// Fades. Read by the update.
    pub const FADES: u8 = 0x8;
    /// What a light starts with.
    pub const INITIAL: u8 = LIVE | ACTIVE | FADES;
}

/// Ticks between two updates of a light. Source: seed 000, Task classes and pools.
const INTERVAL: u16 = 2;

/// A light task's own part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LightTask {
    /// Bits of [`light_flag`].
    pub flags: u8,
    /// Red, green, blue, 0 to 1.
    pub colour: [f32; 3],
    /// Metres.
    pub range: f32,
    /// Seconds of the fade; 0 for a steady light.
    pub fade: f32,
    /// Seconds since it was set.
    pub elapsed: f32,
    /// Share of the colour that shows, 0 to 1.
    pub level: f32,
    /// Function that is told when the time is up, 0 for none.
    pub callback: u32,
}

/// What a script sets. Source: seed 000, Lighting (LightTask_SetParams).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LightParams {
    /// Red, green, blue, 0 to 1.
    pub colour: [f32; 3],
    /// Metres.
    pub range: f32,
    /// Seconds of the fade; 0 for a steady light.
    pub fade: f32,
    /// Goes dark at the end.
    pub switches_off: bool,
    /// Function that is told when the time is up, 0 for none.
    pub callback: u32,
}

/// The light pool.
#[derive(Debug)]
pub struct LightTaskManager {
    /// The records.
    pub pool: Pool<LightTask>,
}

impl LightTaskManager {
    /// Builds the pool of 28.
    // Covers: seed 000, LightTaskManager_Init (0x00390a10) test=tasks::engine::tests::a_new_engine_has_every_pool_at_its_size default=Self{pool:Pool::new(0)}
    pub(super) fn new() -> Self {
        Self { pool: Pool::new(TaskClass::Light.capacity()) }
    }
}

// Excused: seed 000, LightTaskManager_Destroy (0x00390b38) reason=destructor or static initialiser

impl LightTask {
    /// Takes a script's parameters and starts the time anew.
    // Covers: seed 000, LightTask_SetParams (0x00390480) test=a_light_fades_over_its_time
    pub fn set_params(&mut self, params: &LightParams) {
        self.colour = params.colour;
        self.range = params.range;
        self.fade = params.fade;
        self.callback = params.callback;
        self.elapsed = 0.0;
        self.level = 1.0;
        if params.switches_off {
            self.flags |= light_flag::SWITCHES_OFF;
        } else {
            self.flags &= !light_flag::SWITCHES_OFF;
        }
    }

    /// Moves the fade on by `dt` seconds; says whether its time is up with this step.
    ///
    /// The level falls to 0 with the flag that switches off, else it rises from 0 to 1.
    // Covers: seed 000, LightTask_Update (0x003906b8) test=a_light_fades_over_its_time
    pub fn update(&mut self, dt: f32) -> bool {
        if self.fade <= 0.0 || self.flags & light_flag::FADES == 0 {
            return false;
        }
        self.elapsed += dt;
        let share = (self.elapsed / self.fade).min(1.0);
        self.level = if self.flags & light_flag::SWITCHES_OFF != 0 { 1.0 - share } else { share };
        let done = share >= 1.0;
        if done {
            self.fade = 0.0;
        }
        done
    }
}

impl TaskEngine {
    /// Puts a light to its start: flags 0xb, updated every 2 ticks.
    // Covers: seed 000, LightTask_Init (0x00390370) test=a_light_starts_with_flags_0xb_every_two_ticks
    pub(super) fn init_light(&mut self, id: TaskId) {
        if let Some(light) = self.light_mut(id) {
            light.flags = light_flag::INITIAL;
        }
        if let Some(head) = self.manager.head_mut(id) {
            head.set_update_interval(INTERVAL);
        }
    }

    /// A live light.
    pub fn light(&self, id: TaskId) -> Option<&LightTask> {
        self.lights.pool.get(id.index_in(TaskClass::Light)? as u16)
    }

    /// A live light.
    pub fn light_mut(&mut self, id: TaskId) -> Option<&mut LightTask> {
        self.lights.pool.get_mut(id.index_in(TaskClass::Light)? as u16)
    }

    /// Makes a light of a named script type.
    // Covers: seed 000, LightTaskManager_CreateByName (0x00390cb8) test=a_light_starts_with_flags_0xb_every_two_ticks
    pub fn new_light(&mut self, world: &mut dyn World, name: u32, position: Vec3) -> Option<TaskId> {
        self.create(world, TaskClass::Light, name, &super::engine::Creation::at(position)).ok()
    }

    /// Makes a light and sets its parameters.
    // Covers: seed 000, LightTaskManager_CreateWithParams (0x00390d90) test=a_light_is_made_with_its_parameters
    pub fn new_light_with(
        &mut self,
        world: &mut dyn World,
        name: u32,
        position: Vec3,
        params: &LightParams,
    ) -> Option<TaskId> {
        let id = self.new_light(world, name, position)?;
        self.light_mut(id)?.set_params(params);
        Some(id)
    }

    /// Ends a light: it goes dark.
    // Covers: seed 000, LightTask_Release (0x00390310) test=a_released_light_is_dark
    pub(super) fn release_light(&mut self, world: &mut dyn World, id: TaskId) {
        if let Some(slot) = id.index_in(TaskClass::Light) {
            world.set_light(slot as u16, Vec3::ZERO, [0.0; 3], 0.0);
        }
    }

    /// Tells a light's callback that its time is up.
    // Covers: seed 000, LightTask_CallCallback (0x00390920) test=the_callback_hears_the_end_once
    pub fn call_light_callback(&mut self, world: &mut dyn World, id: TaskId) {
        let callback = self.light(id).map_or(0, |light| light.callback);
        if callback != 0 {
            world.call(self, callback, Handle::NIL, i32::from(id.raw()));
        }
    }

    pub(super) fn update_light(&mut self, world: &mut dyn World, id: TaskId) -> Stay {
        let (now, kernels) = (self.manager.clock.now(), self.manager.kernels);
        let Some(head) = self.manager.head_mut(id) else { return Stay::Leave };
        let dt = head.elapsed(now);
        head.integrate(now, kernels);
        let Some(light) = self.light_mut(id) else { return Stay::Leave };
        if light.flags & light_flag::LIVE == 0 {
            return Stay::Leave;
        }
        if light.update(dt) {
            self.call_light_callback(world, id);
        }
        if self.is_live(id) { Stay::Stay } else { Stay::Leave }
    }

    /// Shows one light at its pose with its level.
    // Covers: seed 000, LightTask_Process (0x00390970) test=an_active_light_is_shown_at_its_level
    pub fn process_light(&mut self, world: &mut dyn World, id: TaskId) {
        const SHOWN: u8 = light_flag::LIVE | light_flag::ACTIVE;
        let position = self.pose_now(world, id).position;
        let (Some(light), Some(slot)) = (self.light(id), id.index_in(TaskClass::Light)) else { return };
        if light.flags & SHOWN == SHOWN {
            world.set_light(slot as u16, position, light.colour.map(|c| c * light.level), light.range);
        }
    }

    /// The light manager's update: every live light is shown.
    pub fn update_light_manager(&mut self, world: &mut dyn World) {
        let mut next = self.first_live(TaskClass::Light);
        while let Some(id) = next {
            self.process_light(world, id);
            next = id.index_in(TaskClass::Light).and_then(|n| self.next_live(TaskClass::Light, n as u16 + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeWorld, engine};
    use super::*;

    const FADE: LightParams =
        LightParams { colour: [1.0, 0.5, 0.0], range: 6.0, fade: 1.0, switches_off: true, callback: 77 };

    #[test]
    fn a_light_starts_with_flags_0xb_every_two_ticks() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = tasks.new_light(&mut world, 1, Vec3::X).unwrap();
        assert_eq!(tasks.light(id).unwrap().flags, 0xb);
        assert_eq!((tasks.manager.head(id).unwrap().interval, tasks.manager.links().get(id).bucket), (2, 2));
        assert!(tasks.manager.head(id).unwrap().handle.is_nil(), "light tasks have no handle");
    }

    #[test]
    fn a_light_fades_over_its_time() {
        let mut light = LightTask { flags: light_flag::INITIAL, ..LightTask::default() };
        light.set_params(&FADE);
        assert!(!light.update(0.25));
        assert_eq!(light.level, 0.75);
        assert!(light.update(0.8));
        assert!(!light.update(0.8), "the end comes once");
        assert_eq!(light.level, 0.0);
        light.set_params(&LightParams { switches_off: false, ..FADE });
        light.update(0.25);
        assert_eq!((light.level, light.colour), (0.25, [1.0, 0.5, 0.0]));
        light.flags &= !light_flag::FADES;
        assert!(!light.update(5.0));
    }

    #[test]
    fn a_light_is_made_with_its_parameters() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = tasks.new_light_with(&mut world, 1, Vec3::X, &FADE).unwrap();
        assert_eq!(tasks.light(id).unwrap().range, 6.0);
    }

    #[test]
    fn an_active_light_is_shown_at_its_level() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = tasks.new_light_with(&mut world, 1, Vec3::new(2.0, 0.0, 0.0), &FADE).unwrap();
        tasks.light_mut(id).unwrap().level = 0.5;
        tasks.process_light(&mut world, id);
        assert_eq!(world.log, ["light 0 2 [0.5, 0.25, 0.0] 6"]);
        world.log.clear();
        tasks.light_mut(id).unwrap().flags &= !light_flag::ACTIVE;
        tasks.update_light_manager(&mut world);
        assert!(world.log.is_empty());
    }

    #[test]
    fn the_callback_hears_the_end_once() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = tasks.new_light_with(&mut world, 1, Vec3::X, &FADE).unwrap();
        for _ in 0..90 {
            let now = tasks.manager.clock.now() + 1;
            tasks.manager.clock.set_time(now);
            tasks.run_bucket(&mut world);
        }
        assert_eq!(world.log_count("call 77"), 1);
        tasks.call_light_callback(&mut world, id);
        assert_eq!(world.log_count("call 77"), 2);
    }

    #[test]
    fn a_released_light_is_dark() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = tasks.new_light(&mut world, 1, Vec3::X).unwrap();
        tasks.release(&mut world, id);
        assert_eq!(world.log, ["light 0 0 [0.0, 0.0, 0.0] 0"]);
        assert!(!tasks.is_live(id));
    }
}
