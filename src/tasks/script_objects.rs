//! What scripts ask of any task: vectors, cameras, shakes, and messages built step by step.

use super::engine::TaskEngine;
use super::handle::{Handle, Kind, Target};
use super::ids::{TaskClass, TaskId};
use super::message::MessageError;
use super::objects::spawn::SpawnRecord;
use super::world::World;
use crate::maths::Vec3;

/// Body flag that [`TaskEngine::has_body_flag_4`] asks for: blocks humans. Source: seed 002, Collision layers.
const BODY_BLOCKS_HUMANS: u32 = 0x4;

/// One of two constant vectors: up, or down.
///
/// Our choice of the two: the seed knows only that there are two.
// Covers: seed 000, Vec_PickConstant (0x003a4d90) test=one_of_two_constants_is_picked
pub fn pick_constant(down: bool) -> Vec3 {
    if down { -Vec3::Z } else { Vec3::Z }
}

impl SpawnRecord {
    /// Stores the record's place.
    // Covers: seed 000, Record_SetVec4At0c (0x00391868) test=a_record_takes_its_place
    pub fn set_position(&mut self, position: Vec3) {
        self.position = position;
    }
}

/// Sets how fast game time runs, 1 for real time.
// Covers: seed 000, Cfg_SetTimeScale (0x0041d968) test=scripts_reach_cameras_and_the_clock
pub fn set_time_scale(world: &mut dyn World, scale: f32) {
    world.set_time_scale(scale.max(0.0));
}

/// Sets the level of a player camera's world shake.
// Covers: seed 000, ScriptObj_SetCameraWorldShakeLevel (0x003a4608) test=scripts_reach_cameras_and_the_clock
pub fn set_camera_shake_level(world: &mut dyn World, player: u8, level: f32) {
    world.shake(player, Some(level), None);
}

/// Sets the time of a player camera's world shake, seconds.
// Covers: seed 000, ScriptObj_SetCameraWorldShakeTime (0x003a4668) test=scripts_reach_cameras_and_the_clock
pub fn set_camera_shake_time(world: &mut dyn World, player: u8, time: f32) {
    world.shake(player, None, Some(time));
}

/// Where a player looks from; the origin without a camera.
// Covers: seed 000, ScriptObj_GetViewPosition (0x003a4328) test=scripts_reach_cameras_and_the_clock
pub fn view_position(world: &dyn World, player: u8) -> Vec3 {
    world.view(player).map_or(Vec3::ZERO, |view| view.position)
}

/// A point of a human: part and point, as attachments use them; the origin when there is none.
// Covers: seed 000, ScriptObj_GetHumanPoint (0x003a3f30) test=scripts_reach_cameras_and_the_clock
pub fn human_point(world: &dyn World, human: u16, part: u8, point: u8) -> Vec3 {
    world.attach_pose(human, part, point).map_or(Vec3::ZERO, |pose| pose.position)
}

/// Functions of other modules that the script objects call, by their names in the table of functions.
///
/// Our choice: the seed knows where the three are called from, and of two no more than their address, so that whoever has
/// a counterpart puts it in the table. Source: settled questions 17.
pub mod function {
    use super::super::names::name_hash;

    /// Takes a sphere that the AI keeps out of away again.
    pub const REMOVE_NO_GO_SPHERE: u32 = name_hash("ai_remove_no_go_sphere");
    /// The human function at 0x00219320.
    pub const HUMAN_219320: u32 = name_hash("human_00219320");
    /// The function at 0x00250c00.
    pub const LINK_250C00: u32 = name_hash("function_00250c00");
}

/// What the navigation's call hands to the function at 0x00250c00. Source: seed 000, Navigation links.
const LINK_ARGUMENT: i32 = 0x40;

impl TaskEngine {
    /// Takes a sphere that the AI keeps out of away again.
    // Covers: seed 000, AI_RemoveNoGoSphereWrapper (0x003a5ab8) test=calls_into_other_modules_go_through_the_table
    pub fn remove_no_go_sphere(&mut self, world: &mut dyn World, sphere: i32) {
        world.call(self, function::REMOVE_NO_GO_SPHERE, Handle::NIL, sphere);
    }

    /// Calls the human function at 0x00219320 for a human; a handle that names none calls nothing.
    // Covers: seed 000, Human_Call219320 (0x003a65a8) test=calls_into_other_modules_go_through_the_table
    pub fn call_human_219320(&mut self, world: &mut dyn World, human: Handle) {
        if self.task(human).is_some_and(|id| id.class() == Some(TaskClass::Human)) {
            world.call(self, function::HUMAN_219320, human, 0);
        }
    }

    /// Calls the function at 0x00250c00 with 0x40.
    // Covers: seed 000, NavLink_Call250c00 (0x003a4b30) test=calls_into_other_modules_go_through_the_table
    pub fn call_link_250c00(&mut self, world: &mut dyn World) {
        world.call(self, function::LINK_250C00, Handle::NIL, LINK_ARGUMENT);
    }

    /// A task's vector by number: 0 position, 1 velocity, 2 forward (+y), 3 angular velocity; others zero.
    ///
    /// Our choice of numbers: the seed names the question, not its codes.
    // Covers: seed 000, ScriptObj_GetVectorProperty (0x003a3978) test=a_task_answers_for_its_vectors
    pub fn vector_property(&self, handle: Handle, number: u32) -> Vec3 {
        let Some(head) = self.task(handle).and_then(|id| self.manager.head(id)) else { return Vec3::ZERO };
        match number {
            0 => head.position,
            1 => head.velocity(),
            2 => head.rotation.axis_y(),
            3 => head.angular_velocity(),
            _ => Vec3::ZERO,
        }
    }

    /// The camera that shows the game: the scene's while there is one, else player 0's.
    // Covers: seed 000, ScriptObj_GetCamera (0x003a3f00) test=the_scene_camera_comes_before_the_players
    pub fn camera(&self) -> Handle {
        let scene = self.scenes.camera();
        match self.handles.resolve(scene) {
            Some(Target::Camera(_)) => scene,
            _ => self.player_camera(0),
        }
    }

    /// Gives a player's camera a handle, which it keeps until it is removed; nil when no entry is free.
    ///
    /// Source: seed 000, Handles (cameras, 0x0038fed8).
    pub fn add_camera(&mut self, player: u8) -> Handle {
        let Some(place) = self.cameras.get_mut(usize::from(player)) else { return Handle::NIL };
        if place.is_nil() {
            let made = self.handles.assign(Kind::Camera, Target::Camera(player.into()), |_| {});
            *place = made.unwrap_or_default();
        }
        *place
    }

    /// A player's camera goes, and its handle is stale.
    pub fn remove_camera(&mut self, player: u8) {
        if let Some(place) = self.cameras.get_mut(usize::from(player)) {
            self.handles.free(core::mem::take(place));
        }
    }

    /// A player's camera; nil while there is none.
    pub fn player_camera(&self, player: u8) -> Handle {
        self.cameras.get(usize::from(player)).copied().unwrap_or_default()
    }

    /// Whether a task's body has flag 4.
    // Covers: seed 000, ScriptObj_HasBodyFlag4 (0x003a43b8) test=a_body_that_blocks_humans_says_so
    pub fn has_body_flag_4(&self, world: &dyn World, handle: Handle) -> bool {
        let Some(id) = self.task(handle) else { return false };
        let object = self.object(id).and_then(|object| object.body);
        let body = object.or_else(|| self.car(id).and_then(|car| car.body)).or_else(|| self.pane_body(id));
        body.is_some_and(|body| world.body_flags(body) & BODY_BLOCKS_HUMANS != 0)
    }

    /// Begins an object message.
    // Covers: seed 000, ObjMsg_Begin (0x003a2600) test=an_object_message_is_built_step_by_step
    pub fn begin_object_message(&mut self) -> Result<(), MessageError> {
        self.messages.begin()
    }

    /// Pushes an integer onto the object message.
    // Covers: seed 000, ObjMsg_PushInt (0x003a2660) test=an_object_message_is_built_step_by_step
    pub fn push_message_int(&mut self, value: i32) -> Result<(), MessageError> {
        self.messages.push_int(value)
    }

    /// Pushes an object, by its handle.
    // Covers: seed 000, ObjMsg_PushObject (0x003a26e0) test=an_object_message_is_built_step_by_step
    pub fn push_message_object(&mut self, id: TaskId) -> Result<(), MessageError> {
        let handle = self.manager.head(id).map_or(Handle::NIL, |head| head.handle);
        self.messages.push_handle(handle)
    }

    /// Sends the object message that was begun.
    // Covers: seed 000, ObjMsg_Send (0x003a2688) test=an_object_message_is_built_step_by_step
    pub fn send_object_message(&mut self, world: &mut dyn World, id: TaskId, number: u32) -> i32 {
        if self.messages.depth() == 0 { 0 } else { self.deliver_message(world, id, number) }
    }

    /// Ends the object message.
    // Covers: seed 000, ObjMsg_End (0x003a2628) test=an_object_message_is_built_step_by_step
    pub fn end_object_message(&mut self) {
        self.messages.end();
    }
}

// Excused: seed 000, ScriptObj_EmptyStub (0x003a45a0) reason=empty stub
// Excused: seed 000, ScriptObj_GetPoseA (0x003a42d8) reason=purpose not traced
// Excused: seed 000, ScriptObj_GetPoseB (0x003a4428) reason=purpose not traced
// Excused: seed 000, ScriptObj_GetPoseC (0x003a4478) reason=purpose not traced
// Excused: seed 000, ScriptObj_Unknown53b8 (0x003a53b8) reason=purpose not traced

#[cfg(test)]
mod tests {
    use super::super::engine::number;
    use super::super::fake::{BRICK, CHAIR, FakeWorld, engine};
    use super::super::handle::Kind;
    use super::super::objects::life::tests::object;
    use super::super::world::View;
    use super::*;
    use crate::maths::{Pose, Quat};

    #[test]
    fn one_of_two_constants_is_picked() {
        assert_eq!([pick_constant(false), pick_constant(true)], [Vec3::Z, -Vec3::Z]);
    }

    #[test]
    fn a_record_takes_its_place() {
        let mut record = SpawnRecord::default();
        record.set_position(Vec3::Y);
        assert_eq!(record.position, Vec3::Y);
    }

    #[test]
    fn scripts_reach_cameras_and_the_clock() {
        let mut world = FakeWorld::default();
        assert_eq!((view_position(&world, 0), human_point(&world, 0, 1, 2)), (Vec3::ZERO, Vec3::ZERO));
        world.views[0] = Some(View { position: Vec3::Y, ..View::default() });
        world.hand = Some(Pose::new(Quat::IDENTITY, Vec3::X));
        assert_eq!((view_position(&world, 0), human_point(&world, 0, 1, 2)), (Vec3::Y, Vec3::X));
        set_camera_shake_level(&mut world, 1, 0.5);
        set_camera_shake_time(&mut world, 0, 2.0);
        set_time_scale(&mut world, -1.0);
        assert_eq!(world.log, ["shake 1 Some(0.5) None", "shake 0 None Some(2.0)", "time_scale 0"]);
    }

    #[test]
    fn a_task_answers_for_its_vectors() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = object(&mut tasks, &mut world, BRICK, 3.0);
        let head = tasks.manager.head_mut(id).unwrap();
        head.set_velocity(Vec3::Y);
        head.set_angular_velocity(Vec3::Z);
        let handle = head.handle;
        let vectors = [0, 1, 2, 3, 4].map(|n| tasks.vector_property(handle, n));
        assert_eq!(vectors, [Vec3::new(3.0, 0.0, 0.0), Vec3::Y, Vec3::Y, Vec3::Z, Vec3::ZERO]);
    }

    #[test]
    fn the_scene_camera_comes_before_the_players() {
        let mut tasks = engine();
        let of_scene = tasks.handles.assign(Kind::Camera, Target::Camera(9), |_| {}).unwrap();
        assert_eq!((tasks.camera(), tasks.player_camera(2)), (Handle::NIL, Handle::NIL));
        let player = tasks.add_camera(0);
        assert_eq!((of_scene.index(), player.index(), tasks.camera()), (60, 61, player));
        assert_eq!((tasks.add_camera(0), tasks.add_camera(2)), (player, Handle::NIL), "one for each player");
        tasks.scenes.set_camera(of_scene);
        assert_eq!(tasks.camera(), of_scene);
        tasks.handles.free(of_scene);
        assert_eq!(tasks.camera(), player, "a camera that has gone shows nothing");
        tasks.remove_camera(0);
        assert_eq!((tasks.camera(), tasks.handles.resolve(player)), (Handle::NIL, None));
    }

    #[test]
    fn calls_into_other_modules_go_through_the_table() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let (_, human) = tasks.create_human(|| None).unwrap();
        let brick = object(&mut tasks, &mut world, BRICK, 3.0);
        let brick = tasks.manager.head(brick).unwrap().handle;
        world.log.clear();
        tasks.remove_no_go_sphere(&mut world, 9);
        tasks.call_human_219320(&mut world, human);
        tasks.call_human_219320(&mut world, brick);
        tasks.call_link_250c00(&mut world);
        let call = |function: u32, rest: &str| std::format!("call {function} {rest}");
        let expected = [
            call(function::REMOVE_NO_GO_SPHERE, "nil 9"),
            call(function::HUMAN_219320, "0#1 0"),
            call(function::LINK_250C00, "nil 64"),
        ];
        assert_eq!(world.log, expected);
    }

    #[test]
    fn a_body_that_blocks_humans_says_so() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let ids = [BRICK, CHAIR].map(|kind| object(&mut tasks, &mut world, kind, 0.0));
        ids.iter().for_each(|id| tasks.create_object_body(&mut world, *id));
        let flags = ids.map(|id| tasks.has_body_flag_4(&world, tasks.manager.head(id).unwrap().handle));
        assert_eq!(flags, [false, true]);
        assert!(!tasks.has_body_flag_4(&world, Handle::NIL));
    }

    #[test]
    fn an_object_message_is_built_step_by_step() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let ids = [BRICK, CHAIR].map(|kind| object(&mut tasks, &mut world, kind, 0.0));
        world.answer = 6;
        assert_eq!(tasks.send_object_message(&mut world, ids[0], 0x70), 0, "nothing was begun");
        tasks.begin_object_message().unwrap();
        tasks.push_message_object(ids[1]).unwrap();
        tasks.push_message_int(9).unwrap();
        assert_eq!(tasks.send_object_message(&mut world, ids[0], number::SET_STATE), 6);
        assert_eq!(world.last_int, Some(9));
        let handle = tasks.manager.head(ids[1]).unwrap().handle;
        assert_eq!(tasks.messages.frame().unwrap().pop_handle(), Ok(handle));
        tasks.end_object_message();
        assert_eq!(tasks.messages.depth(), 0);
    }
}
