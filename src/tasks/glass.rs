//! Glass panes: a body that breaks into what its type says.

use super::clock::Ticks;
use super::engine::{TaskEngine, number};
use super::handle::Handle;
use super::head::RUN_ONCE;
use super::ids::{TaskClass, TaskId, type_bits};
use super::manager::Stay;
use super::pool::Pool;
use super::world::{BodySpec, World};
use crate::maths::{Pose, Vec3};
use crate::physics::ids::BodyId;
use alloc::boxed::Box;
use alloc::vec;

/// Glass types that may be set.
pub const TYPES: usize = 32;

/// A kind of glass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GlassType {
    /// Hash of the name; 0 for an unset entry.
    pub name: u32,
    /// Half extents of the pane, metres.
    pub half: Vec3,
    /// Damage that it stands before it breaks.
    pub strength: i32,
    /// Particle type of its splinters, 0 for none.
    pub splinters: u32,
    /// Sound of its breaking, 0 for none.
    pub sound: u32,
}

/// A pane's own part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlassPane {
    /// Index into the glass types.
    pub kind: u8,
    /// When its timer runs out; 0 for no timer.
    pub timer: Ticks,
    /// Its body while it is whole.
    pub body: Option<BodyId>,
    /// Damage so far.
    pub damage: i32,
    /// Has broken.
    pub broken: bool,
    /// Metres from the camera, for streaming.
    pub distance: f32,
    /// Its pose in the space of what it is linked to, while it is.
    pub linked: Option<Pose>,
}

/// The panes and their types.
#[derive(Debug)]
pub struct GlassTaskManager {
    /// The records.
    pub pool: Pool<GlassPane>,
    types: Box<[GlassType]>,
    entries: [u32; 2],
}

impl GlassTaskManager {
    /// Builds the pool of 100.
    // Covers: seed 000, GlassTaskManager_Init (0x0038f600) test=tasks::engine::tests::a_new_engine_has_every_pool_at_its_size default=Self{pool:Pool::new(0),types:Box::default(),entries:[0;2]}
    pub(super) fn new() -> Self {
        Self {
            pool: Pool::new(TaskClass::Pane.capacity()),
            types: vec![GlassType::default(); TYPES].into_boxed_slice(),
            entries: [0; 2],
        }
    }

    /// Sets a glass type's properties; says whether the entry exists.
    // Covers: seed 000, Cfg_SetGlassProperties (0x0039c290) test=glass_types_are_set_and_read
    pub fn set_type(&mut self, index: usize, properties: &GlassType) -> bool {
        let Some(place) = self.types.get_mut(index) else { return false };
        *place = *properties;
        true
    }

    /// Bytes that the types take.
    pub fn type_bytes(&self) -> usize {
        size_of_val(&*self.types)
    }

    /// The type at an index.
    pub fn kind(&self, index: u8) -> Option<&GlassType> {
        self.types.get(usize::from(index)).filter(|kind| kind.name != 0)
    }

    /// The strength of a type's entry; 0 for one that is not set.
    // Covers: seed 000, GlassTypes_GetEntryValue (0x003a4d48) test=glass_types_are_set_and_read
    pub fn type_value(&self, index: u8) -> i32 {
        self.kind(index).map_or(0, |kind| kind.strength)
    }

    /// The index of a type's name.
    pub fn type_of(&self, name: u32) -> Option<u8> {
        self.types.iter().position(|kind| kind.name == name && name != 0).map(|index| index as u8)
    }

    /// Panes broken since the level began.
    // Covers: seed 000, GlassManager_GetEntry8 (0x0038fae0) test=breaking_and_live_panes_are_counted
    pub fn broken_count(&self) -> u32 {
        self.entries[0]
    }

    /// Panes made since the level began.
    // Covers: seed 000, GlassManager_GetEntryC (0x0038faf0) test=breaking_and_live_panes_are_counted
    pub fn made_count(&self) -> u32 {
        self.entries[1]
    }

    fn ids(&self) -> impl Iterator<Item = TaskId> {
        self.pool.live_slots().map(|slot| TaskId::new(TaskClass::Pane, slot))
    }
}

// Excused: seed 000, GlassTaskManager_Destroy (0x0038f728) reason=destructor or static initialiser

impl TaskEngine {
    pub(super) fn init_pane(&mut self, id: TaskId, name: u32) {
        let kind = self.panes.type_of(name).unwrap_or_default();
        if let Some(pane) = self.pane_mut(id) {
            pane.kind = kind;
        }
        // A pane has nothing to do on the wheel until something happens to it.
        if let Some(head) = self.manager.head_mut(id) {
            head.set_update_interval(RUN_ONCE);
        }
    }

    /// A live pane.
    pub fn pane(&self, id: TaskId) -> Option<&GlassPane> {
        self.panes.pool.get(id.index_in(TaskClass::Pane)? as u16)
    }

    /// A live pane.
    pub fn pane_mut(&mut self, id: TaskId) -> Option<&mut GlassPane> {
        self.panes.pool.get_mut(id.index_in(TaskClass::Pane)? as u16)
    }

    pub(super) fn pane_created(&mut self, world: &mut dyn World, id: TaskId) {
        self.panes.entries[1] += 1;
        let Some(kind) = self.pane(id).and_then(|pane| self.panes.kind(pane.kind)) else { return };
        let spec = BodySpec::Pane(kind.half * 2.0);
        let body = world.create_body(self, id, &spec);
        if let Some(pane) = self.pane_mut(id) {
            pane.body = body;
        }
        self.link_pane(world, id);
    }

    /// A pane has been linked to its parent: from now on it moves with it. Says whether the parent lives.
    // Covers: seed 000, GlassPane_OnLink (0x0038f170) test=a_linked_pane_takes_its_parents_pose
    pub fn link_pane(&mut self, world: &mut dyn World, id: TaskId) -> bool {
        let Some(parent) = self.manager.head(id).and_then(|head| self.task(head.parent())) else { return false };
        let pose = self.pose_now(world, parent);
        let Some(own) = self.manager.head(id).map(|head| Pose::new(head.rotation, head.position)) else { return false };
        let Some(pane) = self.pane_mut(id) else { return false };
        pane.linked = Some(own);
        self.place_pane(world, id, pose * own);
        true
    }

    /// A linked pane goes where what it is linked to has gone; one whose parent is no more stays where it is.
    fn follow_parent(&mut self, world: &mut dyn World, id: TaskId) {
        let Some(own) = self.pane(id).and_then(|pane| pane.linked) else { return };
        let Some(head) = self.manager.head(id) else { return };
        let (was, parent) = (Pose::new(head.rotation, head.position), self.task(head.parent()));
        let Some(parent) = parent else { return };
        let pose = self.pose_now(world, parent) * own;
        if pose != was {
            self.place_pane(world, id, pose);
        }
    }

    fn place_pane(&mut self, world: &mut dyn World, id: TaskId, pose: Pose) {
        self.manager.set_pose(id, pose);
        if let Some(body) = self.pane_body(id) {
            world.place_body(self, body);
        }
    }

    /// Ends a pane: its body goes.
    // Covers: seed 000, GlassPane_Release (0x0038ed08) test=a_released_pane_frees_its_body
    pub(super) fn release_pane(&mut self, world: &mut dyn World, id: TaskId) {
        if let Some(body) = self.pane_mut(id).and_then(|pane| pane.body.take()) {
            world.free_body(body);
        }
    }

    /// A pane's body.
    // Covers: seed 000, GlassPane_QueryBody (0x0038eef8) test=a_released_pane_frees_its_body
    pub fn pane_body(&self, id: TaskId) -> Option<BodyId> {
        self.pane(id)?.body
    }

    /// Notes how far a pane is from the camera.
    // Covers: seed 000, GlassPane_NoteDistance (0x0038ef30) test=distance_and_timer_are_kept
    pub fn note_pane_distance(&mut self, id: TaskId, distance: f32) {
        if let Some(pane) = self.pane_mut(id) {
            pane.distance = distance;
        }
    }

    /// The task when it is a glass pane.
    // Covers: seed 000, Object_AsGlassPane (0x0038f588) test=only_panes_are_panes
    pub fn as_pane(&self, handle: Handle) -> Option<TaskId> {
        self.task(handle).filter(|id| id.class().is_some_and(|c| c.type_bits() & type_bits::PANE != 0))
    }

    /// Gives a pane a time to live, in ticks.
    // Covers: seed 000, GlassPane_SetTimer (0x0038f5d8) test=distance_and_timer_are_kept
    pub fn set_pane_timer(&mut self, id: TaskId, ticks: Ticks) {
        let now = self.manager.clock.now();
        if let Some(pane) = self.pane_mut(id) {
            pane.timer = now.saturating_add(ticks).max(1);
        }
    }

    /// Sets a pane's glass type.
    // Covers: seed 000, GlassPane_SetType (0x003a4c78) test=a_panes_type_is_set_and_read
    pub fn set_pane_type(&mut self, handle: Handle, kind: u8) {
        if let Some(pane) = self.as_pane(handle).and_then(|id| self.pane_mut(id)) {
            pane.kind = kind;
        }
    }

    /// A pane's glass type.
    // Covers: seed 000, GlassPane_GetType (0x003a4ce8) test=a_panes_type_is_set_and_read
    pub fn pane_type(&self, handle: Handle) -> Option<u8> {
        self.as_pane(handle).and_then(|id| self.pane(id)).map(|pane| pane.kind)
    }

    /// The live pane nearest to a point.
    // Covers: seed 000, GlassTaskManager_FindNearest (0x0038fb20) test=panes_are_found_by_distance
    pub fn nearest_pane(&self, point: Vec3) -> Option<TaskId> {
        self.nearest(point, self.panes.ids())
    }

    /// Lists the live panes within a range; answers how many fit into `out`.
    // Covers: seed 000, GlassTaskManager_ListInRange (0x0038fc70) test=panes_are_found_by_distance
    pub fn panes_in_range(&self, point: Vec3, range: f32, out: &mut [TaskId]) -> usize {
        let near = self.panes.ids().filter(|id| self.within(*id, point, range));
        out.iter_mut().zip(near).map(|(place, id)| *place = id).count()
    }

    /// Breaks a pane: splinters, sound, no body, and its owner hears of it. Says whether it was whole.
    pub fn break_pane(&mut self, world: &mut dyn World, id: TaskId) -> bool {
        let Some(pane) = self.pane_mut(id).filter(|pane| !pane.broken) else { return false };
        pane.broken = true;
        let kind = pane.kind;
        self.panes.entries[0] += 1;
        self.release_pane(world, id);
        let position = self.manager.head(id).map_or(Vec3::ZERO, |head| head.position);
        if let Some(kind) = self.panes.kind(kind).copied() {
            if kind.sound != 0 {
                world.play_sound(kind.sound, position, 1.0);
            }
            self.spawn_effect(world, kind.splinters, position);
        }
        world.noise(self, position, id);
        world.type_message(self, id, number::PANE_BROKEN);
        true
    }

    /// Damages a pane, and breaks it when it is more than its type stands.
    pub fn damage_pane(&mut self, world: &mut dyn World, id: TaskId, damage: i32) -> bool {
        let Some(pane) = self.pane_mut(id) else { return false };
        pane.damage = pane.damage.saturating_add(damage);
        let (kind, sum) = (pane.kind, pane.damage);
        sum >= self.panes.type_value(kind) && self.break_pane(world, id)
    }

    pub(super) fn pane_message(&mut self, world: &mut dyn World, id: TaskId, number: u32) -> i32 {
        if number == number::END {
            self.break_pane(world, id);
        }
        world.type_message(self, id, number)
    }

    /// On the wheel a pane runs once: it takes its body's place.
    pub(super) fn update_pane(&mut self, world: &mut dyn World, id: TaskId) -> Stay {
        if let Some(body) = self.pane_body(id) {
            world.place_body(self, body);
        }
        Stay::Leave
    }

    /// The glass manager's update: linked panes follow, distances are noted, and panes whose timer has run out are gone.
    // Covers: seed 000, GlassTaskManager_Update (0x0038fbe8) test=a_pane_whose_time_is_up_is_gone
    pub fn update_pane_manager(&mut self, world: &mut dyn World) {
        let now = self.manager.clock.now();
        let eye = world.view(0).map(|view| view.position);
        let mut next = self.first_live(TaskClass::Pane);
        while let Some(id) = next {
            next = id.index_in(TaskClass::Pane).and_then(|n| self.next_live(TaskClass::Pane, n as u16 + 1));
            self.follow_parent(world, id);
            let position = self.manager.head(id).map_or(Vec3::ZERO, |head| head.position);
            if let Some(eye) = eye {
                self.note_pane_distance(id, (position - eye).length());
            }
            if self.pane(id).is_some_and(|pane| pane.timer != 0 && pane.timer <= now) {
                self.release(world, id);
            }
        }
    }

    /// Breaks the panes within a range of a point; answers how many were whole.
    // Covers: seed 000, ScriptObj_BreakGlassAround (0x003a5810) test=glass_around_a_point_breaks
    pub fn break_glass_around(&mut self, world: &mut dyn World, point: Vec3, range: f32) -> u32 {
        let (mut next, mut broken) = (self.first_live(TaskClass::Pane), 0);
        while let Some(id) = next {
            next = id.index_in(TaskClass::Pane).and_then(|n| self.next_live(TaskClass::Pane, n as u16 + 1));
            if self.within(id, point, range) && self.break_pane(world, id) {
                broken += 1;
            }
        }
        broken
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::Creation;
    use super::super::fake::{FakeWorld, PANE, engine};
    use super::*;
    use crate::maths::Quat;

    fn pane(tasks: &mut TaskEngine, world: &mut FakeWorld, x: f32) -> TaskId {
        tasks.create(world, TaskClass::Pane, PANE, &Creation::at(Vec3::new(x, 0.0, 0.0))).unwrap()
    }

    #[test]
    fn glass_types_are_set_and_read() {
        let mut panes = GlassTaskManager::new();
        assert_eq!(panes.type_value(3), 0);
        assert!(panes.set_type(3, &GlassType { name: 8, strength: 40, ..GlassType::default() }));
        assert!(!panes.set_type(TYPES, &GlassType::default()));
        assert_eq!((panes.type_value(3), panes.type_of(8), panes.type_of(0)), (40, Some(3), None));
    }

    #[test]
    fn breaking_and_live_panes_are_counted() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let ids = [pane(&mut tasks, &mut world, 0.0), pane(&mut tasks, &mut world, 1.0)];
        assert!(tasks.break_pane(&mut world, ids[0]));
        assert!(!tasks.break_pane(&mut world, ids[0]), "a pane breaks once");
        assert_eq!((tasks.panes.made_count(), tasks.panes.broken_count()), (2, 1));
    }

    #[test]
    fn a_linked_pane_takes_its_parents_pose() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let parent = tasks.spawn_test_particle(&mut world, 10);
        let handle = tasks.manager.head(parent).unwrap().handle;
        let creation = Creation { parent: handle, ..Creation::at(Vec3::new(0.5, 0.0, 0.0)) };
        let id = tasks.create(&mut world, TaskClass::Pane, PANE, &creation).unwrap();
        assert_eq!(tasks.manager.head(id).unwrap().position.x, 10.5);
        assert!(tasks.pane(id).unwrap().linked.is_some());
        // It goes where the parent goes, and its body with it, only when that has moved.
        let placed = std::format!("place_body {}", tasks.pane_body(id).unwrap().0);
        let turned = Pose::new(Quat::from_heading(core::f32::consts::FRAC_PI_2), Vec3::new(20.0, 3.0, 1.0));
        tasks.manager.set_pose(parent, turned);
        world.log.clear();
        (0..3).for_each(|_| tasks.update_pane_manager(&mut world));
        let at = tasks.manager.head(id).unwrap().position;
        assert!((at - turned.point(Vec3::X * 0.5)).length() < 1e-5, "{at:?}");
        assert_eq!(world.log_count(&placed), 1);
        tasks.release(&mut world, parent);
        tasks.update_pane_manager(&mut world);
        assert_eq!(tasks.manager.head(id).unwrap().position, at, "what it hung on is no more");
        let alone = pane(&mut tasks, &mut world, 1.0);
        assert!(!tasks.link_pane(&mut world, alone));
    }

    #[test]
    fn a_released_pane_frees_its_body() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = pane(&mut tasks, &mut world, 0.0);
        let body = tasks.pane_body(id).unwrap();
        tasks.release(&mut world, id);
        assert_eq!(world.log_count(&std::format!("free_body {}", body.0)), 1);
        assert_eq!(tasks.pane_body(id), None);
    }

    #[test]
    fn distance_and_timer_are_kept() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = pane(&mut tasks, &mut world, 0.0);
        tasks.note_pane_distance(id, 7.5);
        tasks.set_pane_timer(id, 90);
        assert_eq!((tasks.pane(id).unwrap().distance, tasks.pane(id).unwrap().timer), (7.5, 90));
    }

    #[test]
    fn only_panes_are_panes() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let ids = [pane(&mut tasks, &mut world, 0.0), tasks.spawn_test_particle(&mut world, 0)];
        let cast = ids.map(|id| tasks.as_pane(tasks.manager.head(id).unwrap().handle));
        assert_eq!(cast, [Some(ids[0]), None]);
    }

    #[test]
    fn a_panes_type_is_set_and_read() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = pane(&mut tasks, &mut world, 0.0);
        let handle = tasks.manager.head(id).unwrap().handle;
        tasks.set_pane_type(handle, 5);
        assert_eq!((tasks.pane_type(handle), tasks.pane_type(Handle::NIL)), (Some(5), None));
    }

    #[test]
    fn panes_are_found_by_distance() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let ids = [9.0, 2.0, 4.0].map(|x| pane(&mut tasks, &mut world, x));
        assert_eq!(tasks.nearest_pane(Vec3::ZERO), Some(ids[1]));
        let mut out = [TaskId::NONE; 8];
        assert_eq!(tasks.panes_in_range(Vec3::ZERO, 4.0, &mut out), 2);
        assert_eq!(out[..2], ids[1..]);
        assert_eq!(tasks.panes_in_range(Vec3::ZERO, 4.0, &mut out[..1]), 1, "what does not fit is left out");
    }

    #[test]
    fn a_pane_whose_time_is_up_is_gone() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let ids = [1.0, 2.0].map(|x| pane(&mut tasks, &mut world, x));
        tasks.set_pane_timer(ids[0], 10);
        tasks.manager.clock.set_time(9);
        tasks.update_pane_manager(&mut world);
        assert!(tasks.is_live(ids[0]));
        tasks.manager.clock.set_time(10);
        tasks.update_pane_manager(&mut world);
        assert_eq!(ids.map(|id| tasks.is_live(id)), [false, true]);
    }

    #[test]
    fn enough_damage_breaks_a_pane_and_message_0x15_always_does() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let ids = [1.0, 2.0].map(|x| pane(&mut tasks, &mut world, x));
        assert!(!tasks.damage_pane(&mut world, ids[0], 19));
        assert!(tasks.damage_pane(&mut world, ids[0], 1), "the type stands 20");
        let handle = tasks.manager.head(ids[1]).unwrap().handle;
        tasks.send_message(&mut world, handle, 0x15, &[]).unwrap();
        assert!(tasks.pane(ids[1]).unwrap().broken);
    }

    #[test]
    fn glass_around_a_point_breaks() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let ids = [1.0, 2.0, 5.0].map(|x| pane(&mut tasks, &mut world, x));
        assert_eq!(tasks.break_glass_around(&mut world, Vec3::ZERO, 2.0), 2);
        assert_eq!(ids.map(|id| tasks.pane(id).unwrap().broken), [true, true, false]);
        assert_eq!(tasks.break_glass_around(&mut world, Vec3::ZERO, 2.0), 0);
    }
}
