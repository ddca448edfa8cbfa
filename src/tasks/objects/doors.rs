//! Doors that swing: states, commands, leaves.

use super::super::engine::{TaskEngine, number};
use super::super::handle::Handle;
use super::super::ids::TaskId;
use super::super::message::{Argument, MessageError};
use super::super::world::{TriangleChange, World};
use crate::maths::Quat;
use core::f32::consts::FRAC_PI_2;

/// What a door does. Source: seed 000, World objects: Swinging doors (state 0 from Door_SetState0); the others are our
/// choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum DoorState {
    /// Shut.
    #[default]
    Closed,
    /// On its way to its angle.
    Opening,
    /// At its angle.
    Open,
    /// On its way back.
    Closing,
}

impl DoorState {
    fn from_number(number: i32) -> Self {
        match number {
            1 => Self::Opening,
            2 => Self::Open,
            3 => Self::Closing,
            _ => Self::Closed,
        }
    }
}

/// The angle of an open door, radians. Our choice: a quarter turn.
const OPEN_ANGLE: f32 = FRAC_PI_2;
/// How fast a door swings, radians a second: pushed, and with its animation. Our choice.
const SWING: f32 = 3.0;
const ANIMATED_SWING: f32 = 1.5;
/// Ticks between updates of a leaf that swings.
const LEAF_INTERVAL: u16 = 2;

/// Triangle bit of a closed door's triangles. Source: support systems, Collision mesh (0x1 enabled).
const TRIANGLE_ENABLED: u16 = 0x1;
/// Triangle bit that a camera passes. Source: support systems, Collision mesh (0x40, a door bit).
const TRIANGLE_CAMERA_GHOST: u16 = 0x40;

/// What makes an object a door.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Door {
    /// What it does.
    pub state: DoorState,
    /// Radians from shut, signed.
    pub angle: f32,
    /// Where it goes, radians.
    pub target: f32,
    /// Radians a second.
    pub speed: f32,
    /// The leaves: left, right. Nil for a door that is its own leaf.
    pub leaves: [Handle; 2],
    /// Rotation when shut.
    pub shut: Quat,
    /// Group of level triangles that a shut door blocks with; 0 for none.
    pub triangles: u32,
}

impl Default for Door {
    fn default() -> Self {
        Self {
            state: DoorState::Closed,
            angle: 0.0,
            target: 0.0,
            speed: SWING,
            leaves: [Handle::NIL; 2],
            shut: Quat::IDENTITY,
            triangles: 0,
        }
    }
}

impl Door {
    /// Whether it is on its way.
    pub fn is_swinging(&self) -> bool {
        matches!(self.state, DoorState::Opening | DoorState::Closing)
    }

    /// One update of `dt` seconds; says whether the angle changed.
    pub fn swing(&mut self, dt: f32) -> bool {
        if !self.is_swinging() {
            return false;
        }
        let gap = self.target - self.angle;
        let step = self.speed * dt;
        if gap.abs() > step {
            self.angle += step.copysign(gap);
        } else {
            self.angle = self.target;
            self.state = if self.target == 0.0 { DoorState::Closed } else { DoorState::Open };
        }
        true
    }
}

/// What the last question about a door's leaves found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LeafResults {
    left: Handle,
    right: Handle,
    angle: f32,
}

impl LeafResults {
    /// The left leaf.
    // Covers: seed 000, Door_GetLeafResultA (0x003a50a8) test=a_question_about_leaves_leaves_its_results
    pub fn left(&self) -> Handle {
        self.left
    }

    /// The right leaf.
    // Covers: seed 000, Door_GetLeafResultB (0x003a50c0) test=a_question_about_leaves_leaves_its_results
    pub fn right(&self) -> Handle {
        self.right
    }

    /// The angle, radians.
    // Covers: seed 000, Door_GetLeafResultC (0x003a50d0) test=a_question_about_leaves_leaves_its_results
    pub fn angle(&self) -> f32 {
        self.angle
    }
}

impl TaskEngine {
    fn door_mut(&mut self, id: TaskId) -> Option<&mut Door> {
        if !self.object_type(id)?.is_door() {
            return None;
        }
        self.object_mut(id).map(|object| &mut object.door)
    }

    /// A door's state; `None` for what is no door.
    pub fn door(&self, handle: Handle) -> Option<&Door> {
        let id = self.as_object(handle)?;
        self.object_type(id).filter(|kind| kind.is_door())?;
        self.object(id).map(|object| &object.door)
    }

    /// Whether a door is open or on its way.
    // Covers: seed 000, Door_IsOpen (0x00397508) test=a_door_opens_and_closes
    pub fn is_door_open(&self, handle: Handle) -> bool {
        self.door(handle).is_some_and(|door| matches!(door.state, DoorState::Open | DoorState::Opening))
    }

    /// Sends the door message 0x22 with state 0: shut at once.
    // Covers: seed 000, Door_SetState0 (0x003971c8) test=message_0x22_sets_the_state
    pub fn shut_door(&mut self, world: &mut dyn World, handle: Handle) -> Result<i32, MessageError> {
        self.send_message(world, handle, number::DOOR_STATE, &[Argument::Int(DoorState::Closed as i32)])
    }

    pub(in super::super) fn set_door_state(&mut self, id: TaskId, state: i32) {
        let Some(door) = self.door_mut(id) else { return };
        door.state = DoorState::from_number(state);
        match door.state {
            DoorState::Closed => (door.angle, door.target) = (0.0, 0.0),
            DoorState::Closing => door.target = 0.0,
            DoorState::Opening | DoorState::Open if door.target == 0.0 => door.target = OPEN_ANGLE,
            _ => {}
        }
        if door.state == DoorState::Open {
            door.angle = door.target;
        }
        self.wake_door(id);
    }

    fn wake_door(&mut self, id: TaskId) {
        self.manager.schedule_in(id, 0);
    }

    /// Opens a door to an angle; the sign says to which side. Says whether it is a door.
    // Covers: seed 000, Door_OpenToAngle (0x00396e28) test=a_door_opens_and_closes
    pub fn open_door_to(&mut self, world: &mut dyn World, handle: Handle, angle: f32) -> bool {
        let Some(id) = self.resolve_world_object(world, handle) else { return false };
        let Some(door) = self.door_mut(id) else { return false };
        (door.target, door.speed, door.state) = (angle, SWING, DoorState::Opening);
        self.door_moves(world, id);
        true
    }

    /// A door begins to move: it runs with the next bucket, and its zone hears what message 0x22 would have told it.
    fn door_moves(&mut self, world: &mut dyn World, id: TaskId) {
        self.wake_door(id);
        self.tell_zone(world, id, number::DOOR_STATE);
    }

    /// Opens a door by a quarter turn.
    // Covers: seed 000, Door_Open (0x00396ea0) test=a_door_opens_and_closes
    pub fn open_door(&mut self, world: &mut dyn World, handle: Handle) -> bool {
        self.open_door_to(world, handle, OPEN_ANGLE)
    }

    /// Opens a door for a human, away from where the human stands.
    // Covers: seed 000, Door_OpenBy (0x00396f08) test=a_door_opens_away_from_who_opens_it
    pub fn open_door_by(&mut self, world: &mut dyn World, handle: Handle, human: u16) -> bool {
        let Some(person) = world.person(human) else { return false };
        let door = self.resolve_world_object(world, handle);
        let Some(head) = door.and_then(|id| self.manager.head(id)) else { return false };
        let before = (person.position - head.position).dot(head.rotation.axis_y()) > 0.0;
        self.open_door_to(world, handle, if before { -OPEN_ANGLE } else { OPEN_ANGLE })
    }

    /// Opens a door with its animation, which is slower.
    // Covers: seed 000, Door_OpenAnimated (0x00396fa8) test=an_animated_door_is_slower
    pub fn open_door_animated(&mut self, world: &mut dyn World, handle: Handle) -> bool {
        let opened = self.open_door(world, handle);
        if let Some(door) = self.as_object(handle).and_then(|id| self.door_mut(id)) {
            door.speed = ANIMATED_SWING;
        }
        opened
    }

    /// Closes a door.
    // Covers: seed 000, Door_Close (0x00397010) test=a_door_opens_and_closes
    pub fn close_door(&mut self, world: &mut dyn World, handle: Handle) -> bool {
        let Some(id) = self.resolve_world_object(world, handle) else { return false };
        let Some(door) = self.door_mut(id) else { return false };
        (door.target, door.state) = (0.0, DoorState::Closing);
        self.door_moves(world, id);
        true
    }

    /// Turns off a door's collision in the level.
    // Covers: seed 000, Door_DisableCollision (0x00397338) test=a_doors_triangles_are_switched
    pub fn disable_door_collision(&mut self, world: &mut dyn World, handle: Handle) {
        self.resolve_world_object(world, handle);
        if let Some(group) = self.door(handle).map(|door| door.triangles).filter(|group| *group != 0) {
            world.change_triangles(group, TriangleChange::Clear(TRIANGLE_ENABLED));
        }
    }

    /// Lets the camera pass through a door, or no longer.
    // Covers: seed 000, Door_SetCameraGhost (0x003973a0) test=a_doors_triangles_are_switched
    pub fn set_door_camera_ghost(&mut self, world: &mut dyn World, handle: Handle, on: bool) {
        self.resolve_world_object(world, handle);
        if let Some(group) = self.door(handle).map(|door| door.triangles).filter(|group| *group != 0) {
            let change = if on { TriangleChange::Set } else { TriangleChange::Clear };
            world.change_triangles(group, change(TRIANGLE_CAMERA_GHOST));
        }
    }

    /// The left leaf.
    // Covers: seed 000, Door_GetLeftLeaf (0x00397400) test=a_question_about_leaves_leaves_its_results
    pub fn left_leaf(&self, handle: Handle) -> Handle {
        self.door(handle).map_or(Handle::NIL, |door| door.leaves[0])
    }

    /// The right leaf.
    // Covers: seed 000, Door_GetRightLeaf (0x00397478) test=a_question_about_leaves_leaves_its_results
    pub fn right_leaf(&self, handle: Handle) -> Handle {
        self.door(handle).map_or(Handle::NIL, |door| door.leaves[1])
    }

    /// Asks about a door's leaves; the results stay until the next question. Says whether it is a door.
    pub fn ask_leaves(&mut self, handle: Handle) -> bool {
        let Some(door) = self.door(handle).copied() else { return false };
        self.objects.leaf_results = LeafResults { left: door.leaves[0], right: door.leaves[1], angle: door.angle };
        true
    }

    /// Gives a door its leaves and the triangles that it blocks with.
    pub fn set_door_parts(&mut self, handle: Handle, leaves: [Handle; 2], triangles: u32) -> bool {
        let Some(id) = self.as_object(handle) else { return false };
        let shut = self.manager.head(id).map_or(Quat::IDENTITY, |head| head.rotation);
        let Some(door) = self.door_mut(id) else { return false };
        (door.leaves, door.triangles, door.shut) = (leaves, triangles, shut);
        true
    }

    /// One update of a door: the angle moves, and the leaves ease to it, the right one mirrored.
    pub(in super::super) fn update_door(&mut self, world: &mut dyn World, id: TaskId) {
        let dt = f32::from(LEAF_INTERVAL) / super::super::clock::TICK_RATE;
        let Some(door) = self.door_mut(id) else { return };
        let was = door.state;
        if !door.swing(dt) {
            return;
        }
        let door = *door;
        if was != door.state && door.triangles != 0 {
            let shut = door.state == DoorState::Closed;
            let change = if shut { TriangleChange::Set } else { TriangleChange::Clear };
            world.change_triangles(door.triangles, change(TRIANGLE_ENABLED));
        }
        let mut has_leaf = false;
        for (leaf, sign) in door.leaves.into_iter().zip([1.0, -1.0]) {
            if let Some(leaf) = self.task(leaf) {
                self.turn_leaf(leaf, door.shut, door.angle * sign);
                self.manager.schedule_in(leaf, LEAF_INTERVAL);
                has_leaf = true;
            }
        }
        if !has_leaf {
            self.turn_leaf(id, door.shut, door.angle);
        }
    }

    /// Starts a leaf's ease from where it is now to an angle.
    fn turn_leaf(&mut self, leaf: TaskId, shut: Quat, angle: f32) {
        let (now, kernels) = (self.manager.clock.now(), self.manager.kernels);
        if let Some(head) = self.manager.head_mut(leaf) {
            head.rotation = head.pose_at(now, kernels).rotation;
            head.last_update = now;
            head.set_update_interval(LEAF_INTERVAL);
        }
        self.ease_object(leaf, Quat::from_heading(-angle) * shut);
        self.manager.queue_moved(leaf);
    }
}

// Excused: seed 000, Door_EmptyStub (0x00397330) reason=empty stub

#[cfg(test)]
mod tests {
    use super::super::super::fake::{BRICK, DOOR, FakeWorld, engine};
    use super::super::super::world::Person;
    use super::super::life::tests::object;
    use super::*;
    use crate::maths::Vec3;

    fn door(tasks: &mut TaskEngine, world: &mut FakeWorld) -> Handle {
        let id = object(tasks, world, DOOR, 0.0);
        tasks.manager.head(id).unwrap().handle
    }

    fn run(tasks: &mut TaskEngine, world: &mut FakeWorld, ticks: u32) {
        for _ in 0..ticks {
            let now = tasks.manager.clock.now() + 1;
            tasks.manager.clock.set_time(now);
            tasks.run_bucket(world);
        }
    }

    #[test]
    fn a_door_opens_and_closes() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let handle = door(&mut tasks, &mut world);
        assert!(!tasks.is_door_open(handle));
        assert!(tasks.open_door(&mut world, handle) && tasks.is_door_open(handle));
        run(&mut tasks, &mut world, 300);
        assert_eq!(
            (tasks.door(handle).unwrap().state, tasks.door(handle).unwrap().angle),
            (DoorState::Open, FRAC_PI_2)
        );
        assert!(tasks.close_door(&mut world, handle) && !tasks.is_door_open(handle));
        run(&mut tasks, &mut world, 600);
        assert_eq!(tasks.door(handle).unwrap().state, DoorState::Closed);
        assert!(tasks.open_door_to(&mut world, handle, 0.5));
        assert_eq!(tasks.door(handle).unwrap().target, 0.5);
        let brick = object(&mut tasks, &mut world, BRICK, 0.0);
        let brick = tasks.manager.head(brick).unwrap().handle;
        assert!(
            !tasks.open_door(&mut world, brick) && !tasks.close_door(&mut world, brick) && !tasks.is_door_open(brick)
        );
    }

    #[test]
    fn message_0x22_sets_the_state() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let handle = door(&mut tasks, &mut world);
        tasks.send_message(&mut world, handle, 0x22, &[Argument::Int(2)]).unwrap();
        assert_eq!(tasks.door(handle).unwrap().angle, FRAC_PI_2);
        tasks.shut_door(&mut world, handle).unwrap();
        assert_eq!((tasks.door(handle).unwrap().state, tasks.door(handle).unwrap().angle), (DoorState::Closed, 0.0));
    }

    #[test]
    fn a_door_opens_away_from_who_opens_it() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let handle = door(&mut tasks, &mut world);
        for (y, sign) in [(2.0, -1.0), (-2.0, 1.0)] {
            world.persons.insert(3, Person { position: Vec3::new(0.0, y, 0.0), ..Person::default() });
            assert!(tasks.open_door_by(&mut world, handle, 3));
            assert_eq!(tasks.door(handle).unwrap().target, sign * FRAC_PI_2);
        }
        assert!(!tasks.open_door_by(&mut world, handle, 9));
    }

    #[test]
    fn an_animated_door_is_slower() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let handle = door(&mut tasks, &mut world);
        assert!(tasks.open_door_animated(&mut world, handle));
        assert_eq!(tasks.door(handle).unwrap().speed, ANIMATED_SWING);
    }

    #[test]
    fn a_doors_triangles_are_switched() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let handle = door(&mut tasks, &mut world);
        tasks.set_door_parts(handle, [Handle::NIL; 2], 12);
        tasks.disable_door_collision(&mut world, handle);
        tasks.set_door_camera_ghost(&mut world, handle, true);
        tasks.set_door_camera_ghost(&mut world, handle, false);
        let changes = ["triangles 12 Clear(1)", "triangles 12 Set(64)", "triangles 12 Clear(64)"];
        assert_eq!(world.log[world.log.len() - 3..], changes);
        world.log.clear();
        tasks.open_door(&mut world, handle);
        run(&mut tasks, &mut world, 300);
        assert_eq!(world.log_count("triangles 12 Clear(1)"), 1, "an open door blocks nobody");
    }

    #[test]
    fn a_question_about_leaves_leaves_its_results() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let handle = door(&mut tasks, &mut world);
        let leaves = [1.0, 2.0].map(|x| {
            let id = object(&mut tasks, &mut world, BRICK, x);
            tasks.manager.head(id).unwrap().handle
        });
        tasks.set_door_parts(handle, leaves, 0);
        assert_eq!([tasks.left_leaf(handle), tasks.right_leaf(handle)], leaves);
        tasks.open_door(&mut world, handle);
        run(&mut tasks, &mut world, 5);
        assert!(tasks.ask_leaves(handle));
        let results = tasks.objects.leaf_results;
        assert_eq!([results.left(), results.right()], leaves);
        assert!(results.angle() > 0.0);
        assert!(!tasks.ask_leaves(Handle::NIL));
    }

    #[test]
    fn leaves_ease_to_the_angle_the_right_one_mirrored() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let handle = door(&mut tasks, &mut world);
        let ids = [1.0, 2.0].map(|x| object(&mut tasks, &mut world, BRICK, x));
        let leaves = ids.map(|id| tasks.manager.head(id).unwrap().handle);
        tasks.set_door_parts(handle, leaves, 0);
        tasks.open_door(&mut world, handle);
        run(&mut tasks, &mut world, 400);
        let axes = ids.map(|id| tasks.manager.head(id).unwrap().rotation.axis_y());
        assert!((axes[0] + Vec3::X).length() < 1e-3 && (axes[1] - Vec3::X).length() < 1e-3, "{axes:?}");
    }
}
