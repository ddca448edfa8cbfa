//! Scene tasks: staged moments with a camera of their own, held objects and an end that scripts wait for.

use super::clock::Ticks;
use super::engine::TaskEngine;
use super::handle::Handle;
use super::head::flag;
use super::ids::{TaskClass, TaskId};
use super::manager::Stay;
use super::pool::Pool;
use super::world::World;
use crate::maths::{Pose, Vec3};

/// An object that a scene keeps before its camera.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeldObject {
    /// What.
    pub object: Handle,
    /// Metres before the camera, along its forward axis (y), and across.
    pub offset: Vec3,
    /// When it is let go.
    pub until: Ticks,
}

/// A scene task's own part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneTask {
    /// Hash of the scene's name.
    pub name: u32,
    /// The scene's number; scenes have no handle.
    pub id: u16,
    /// Bytes of loaded data, 0 when freed.
    pub data: u32,
    /// Function that is called when the scene ends, 0 for none.
    pub end_callback: u32,
    /// Has ended.
    pub finished: bool,
    /// The object before the camera, if any.
    pub held: Option<HeldObject>,
    /// The humans that it plays, a bit each, while they share its group.
    pub humans: u64,
}

/// The scene pool and the scene camera.
#[derive(Debug)]
pub struct SceneTaskManager {
    /// The records.
    pub pool: Pool<SceneTask>,
    camera: Handle,
    camera_pose: Pose,
    next_id: u16,
}

impl SceneTaskManager {
    /// Builds the pool of 12.
    // Covers: seed 000, SceneTaskManager_Init (0x003a1120) test=tasks::engine::tests::a_new_engine_has_every_pool_at_its_size default=Self{pool:Pool::new(0),camera:Handle::NIL,camera_pose:Pose::default(),next_id:0}
    pub(super) fn new() -> Self {
        Self {
            pool: Pool::new(TaskClass::Scene.capacity()),
            camera: Handle::NIL,
            camera_pose: Pose::default(),
            next_id: 1,
        }
    }

    /// The scene camera.
    // Covers: seed 000, SceneTaskManager_GetCamera (0x003a1540) test=the_scene_camera_is_kept
    pub fn camera(&self) -> Handle {
        self.camera
    }

    /// Sets the scene camera.
    // Covers: seed 000, SceneTaskManager_SetCamera (0x003a1558) test=the_scene_camera_is_kept
    pub fn set_camera(&mut self, camera: Handle) {
        self.camera = camera;
    }

    /// Where the scene camera is and how it looks (forward is +y).
    pub fn set_camera_pose(&mut self, pose: Pose) {
        self.camera_pose = pose;
    }
}

// Excused: seed 000, SceneTaskManager_Destroy (0x003a1250) reason=destructor or static initialiser
// Excused: seed 000, SceneTaskManager_Free (0x003a14e8) reason=destructor or static initialiser

impl TaskEngine {
    pub(super) fn init_scene(&mut self, id: TaskId, name: u32) {
        let number = self.scenes.next_id;
        self.scenes.next_id = number.checked_add(1).unwrap_or(1);
        if let Some(scene) = self.scene_mut(id) {
            scene.name = name;
            scene.id = number;
        }
        if let Some(head) = self.manager.head_mut(id) {
            head.set_update_interval(1);
        }
    }

    /// A live scene.
    pub fn scene(&self, id: TaskId) -> Option<&SceneTask> {
        self.scenes.pool.get(id.index_in(TaskClass::Scene)? as u16)
    }

    /// A live scene.
    pub fn scene_mut(&mut self, id: TaskId) -> Option<&mut SceneTask> {
        self.scenes.pool.get_mut(id.index_in(TaskClass::Scene)? as u16)
    }

    /// A scene begins to play humans, a bit each: until its end they share one group, so that they pass through each other.
    ///
    /// Source: seed 002, Human contacts (Groups: SceneTask_Start 0x0039d870).
    pub fn start_scene(&mut self, world: &mut dyn World, id: TaskId, humans: u64) {
        if let Some(scene) = self.scene_mut(id) {
            scene.humans = humans;
            world.group_humans(humans, true);
        }
    }

    /// The humans of a scene part. Source: seed 002, Human contacts (Groups: SceneTask_End).
    fn end_scene(&mut self, world: &mut dyn World, id: TaskId) {
        let humans = self.scene_mut(id).map_or(0, |scene| core::mem::take(&mut scene.humans));
        if humans != 0 {
            world.group_humans(humans, false);
        }
    }

    /// Sets the function that hears the scene's end.
    // Covers: seed 000, SceneTask_SetEndCallback (0x003a0a28) test=a_finished_scene_calls_back_once_and_leaves
    pub fn set_scene_end_callback(&mut self, id: TaskId, function: u32) {
        if let Some(scene) = self.scene_mut(id) {
            scene.end_callback = function;
        }
    }

    /// Frees the scene's loaded data; answers its bytes.
    // Covers: seed 000, SceneTask_FreeData (0x0039d278) test=a_released_scene_frees_its_data_and_what_it_holds
    pub fn free_scene_data(&mut self, id: TaskId) -> u32 {
        self.scene_mut(id).map_or(0, |scene| core::mem::take(&mut scene.data))
    }

    /// Ends a scene task: data and held object go.
    // Covers: seed 000, SceneTask_Release (0x0039d360) test=a_released_scene_frees_its_data_and_what_it_holds
    pub(super) fn release_scene(&mut self, world: &mut dyn World, id: TaskId) {
        let freed = self.free_scene_data(id);
        if freed != 0 {
            world.call(self, SCENE_DATA_FREED, Handle::NIL, freed as i32);
        }
        self.end_scene(world, id);
        self.let_go_held_object(id);
    }

    /// Finishes a scene: its end callback is called, once, and the task leaves its wheel at its next update.
    // Covers: seed 000, SceneTask_Finish (0x003a0d40) test=a_finished_scene_calls_back_once_and_leaves
    pub fn finish_scene(&mut self, world: &mut dyn World, id: TaskId) {
        let Some(scene) = self.scene_mut(id).filter(|scene| !scene.finished) else { return };
        scene.finished = true;
        let (function, number) = (scene.end_callback, scene.id);
        self.end_scene(world, id);
        self.let_go_held_object(id);
        if function != 0 {
            world.call(self, function, Handle::NIL, i32::from(number));
        }
    }

    /// Holds an object before the scene camera for some ticks (scene event 73).
    // Covers: seed 000, SceneTask_HoldObject (0x003a0e48) test=a_held_object_stays_before_the_camera_until_its_time_is_up
    pub fn hold_scene_object(
        &mut self,
        world: &mut dyn World,
        id: TaskId,
        object: Handle,
        offset: Vec3,
        ticks: Ticks,
    ) -> bool {
        let until = self.manager.clock.now().saturating_add(ticks);
        let Some(task) = self.resolve_task(world, object) else { return false };
        let Some(scene) = self.scene_mut(id) else { return false };
        scene.held = Some(HeldObject { object, offset, until });
        if let Some(head) = self.manager.head_mut(task) {
            head.flags |= flag::STATIC;
        }
        true
    }

    /// Places the held object before the camera until its time is up.
    // Covers: seed 000, SceneTask_UpdateHeldObject (0x003a0ed8) test=a_held_object_stays_before_the_camera_until_its_time_is_up
    pub fn update_held_object(&mut self, id: TaskId) {
        let now = self.manager.clock.now();
        let Some(held) = self.scene(id).and_then(|scene| scene.held) else { return };
        if now >= held.until {
            self.let_go_held_object(id);
        } else if let Some(task) = self.task(held.object) {
            let camera = self.scenes.camera_pose;
            self.manager.set_pose(task, Pose::new(camera.rotation, camera.point(held.offset)));
        }
    }

    fn let_go_held_object(&mut self, id: TaskId) {
        let held = self.scene_mut(id).and_then(|scene| scene.held.take());
        if let Some(head) = held.and_then(|h| self.task(h.object)).and_then(|task| self.manager.head_mut(task)) {
            head.flags &= !flag::STATIC;
        }
    }

    pub(super) fn update_scene(&mut self, world: &mut dyn World, id: TaskId) -> Stay {
        if self.scene(id).is_none_or(|scene| scene.finished) {
            return Stay::Leave;
        }
        self.update_held_object(id);
        world.type_message(self, id, super::engine::number::PROCESS);
        if self.scene(id).is_some_and(|scene| !scene.finished) { Stay::Stay } else { Stay::Leave }
    }

    /// The scene manager's update: finished scenes go.
    pub fn update_scene_manager(&mut self, world: &mut dyn World) {
        let mut next = self.first_live(TaskClass::Scene);
        while let Some(id) = next {
            next = id.index_in(TaskClass::Scene).and_then(|n| self.next_live(TaskClass::Scene, n as u16 + 1));
            if self.scene(id).is_some_and(|scene| scene.finished) {
                self.release(world, id);
            }
        }
    }
}

/// The call by which the loader hears that a scene's data may go.
pub const SCENE_DATA_FREED: u32 = 0x5ce7_e001;

#[cfg(test)]
mod tests {
    use super::super::engine::Creation;
    use super::super::fake::{FakeWorld, engine};
    use super::*;
    use crate::maths::Quat;
    use core::f32::consts::FRAC_PI_2;

    fn scene(tasks: &mut TaskEngine, world: &mut FakeWorld) -> TaskId {
        tasks.create(world, TaskClass::Scene, 5, &Creation::at(Vec3::ZERO)).unwrap()
    }

    #[test]
    fn the_scene_camera_is_kept() {
        let mut tasks = engine();
        assert!(tasks.scenes.camera().is_nil());
        tasks.scenes.set_camera(Handle::from_raw(0x0040_0001));
        assert_eq!(tasks.scenes.camera(), Handle::from_raw(0x0040_0001));
    }

    #[test]
    fn scenes_have_numbers_and_no_handles() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let ids = [scene(&mut tasks, &mut world), scene(&mut tasks, &mut world)];
        assert_eq!(ids.map(|id| tasks.scene(id).unwrap().id), [1, 2]);
        assert!(tasks.manager.head(ids[0]).unwrap().handle.is_nil());
    }

    #[test]
    fn a_finished_scene_calls_back_once_and_leaves() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = scene(&mut tasks, &mut world);
        tasks.set_scene_end_callback(id, 900);
        tasks.run_bucket(&mut world);
        tasks.finish_scene(&mut world, id);
        tasks.finish_scene(&mut world, id);
        assert_eq!(world.log_count("call 900 nil 1"), 1);
        tasks.run_bucket(&mut world);
        assert_eq!(tasks.manager.links().get(id).bucket, -1);
        tasks.update_scene_manager(&mut world);
        assert!(!tasks.is_live(id));
    }

    #[test]
    fn a_released_scene_frees_its_data_and_what_it_holds() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = scene(&mut tasks, &mut world);
        let card = tasks.spawn_test_particle(&mut world, 0);
        let object = tasks.manager.head(card).unwrap().handle;
        tasks.scene_mut(id).unwrap().data = 640;
        tasks.hold_scene_object(&mut world, id, object, Vec3::Y, 100);
        world.log.clear();
        tasks.release(&mut world, id);
        assert!(world.log[0].ends_with(" 640"), "{:?}", world.log);
        assert!(!tasks.manager.head(card).unwrap().has(flag::STATIC));
        assert_eq!(tasks.free_scene_data(id), 0);
    }

    #[test]
    fn the_humans_of_a_scene_share_a_group_until_it_is_finished_or_released() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        for finishes in [true, false] {
            let id = scene(&mut tasks, &mut world);
            world.log.clear();
            tasks.start_scene(&mut world, id, 0b101);
            if finishes {
                tasks.finish_scene(&mut world, id);
            }
            tasks.release(&mut world, id);
            let groups: std::vec::Vec<_> = world.log.iter().filter(|line| line.starts_with("group")).collect();
            assert_eq!(groups, ["group 0x5 true", "group 0x5 false"], "finishes {finishes}");
        }
    }

    #[test]
    fn a_held_object_stays_before_the_camera_until_its_time_is_up() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = scene(&mut tasks, &mut world);
        let card = tasks.spawn_test_particle(&mut world, 0);
        let object = tasks.manager.head(card).unwrap().handle;
        assert!(!tasks.hold_scene_object(&mut world, id, Handle::NIL, Vec3::Y, 3));
        assert!(tasks.hold_scene_object(&mut world, id, object, Vec3::new(0.0, 2.0, 0.0), 3));
        assert_eq!(tasks.scene(id).unwrap().held.unwrap().until, 3);
        tasks.scenes.set_camera_pose(Pose::new(Quat::from_heading(FRAC_PI_2), Vec3::new(10.0, 0.0, 1.0)));
        tasks.update_held_object(id);
        let position = tasks.manager.head(card).unwrap().position;
        assert!((position - Vec3::new(12.0, 0.0, 1.0)).length() < 1e-5, "{position:?}");
        tasks.manager.clock.set_time(3);
        tasks.update_held_object(id);
        assert_eq!(tasks.scene(id).unwrap().held, None);
        assert!(!tasks.manager.head(card).unwrap().has(flag::STATIC));
    }
}
