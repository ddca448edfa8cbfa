//! Spawning: objects appear when a player comes within 70 m of their record and go when all players are further.

use super::super::boxes::{Boxes, DatabaseSizes};
use super::super::clock::Ticks;
use super::super::engine::{CreateError, Creation, TaskEngine};
use super::super::handle::{Handle, Target};
use super::super::humans::HUMANS;
use super::super::ids::{TaskClass, TaskId};
use super::super::world::{PLAYERS, World};
use super::spawn::{SpawnRecord, record_flag};
use super::zones::Zones;
use crate::maths::{Quat, Vec3};

/// Objects live within this distance of a player, metres. Source: seed 000, The play tick.
pub const SPAWN_RANGE: f32 = 70.0;

impl TaskEngine {
    /// Clears the level's objects and spawn records.
    // Covers: seed 000, ObjectManager_ClearLevel (0x00398130) test=a_cleared_level_has_no_records_or_lists
    pub fn clear_level(&mut self, world: &mut dyn World) {
        while let Some(id) = self.first_live(TaskClass::Object) {
            self.release(world, id);
        }
        self.objects.spawns.clear();
        self.objects.zones = Zones::default();
    }

    /// A level begins: its own numbers size the pools of flags, boxes and spawn records anew. What was in them is gone; flags and
    /// boxes that hold handles are the caller's to remove before.
    ///
    /// Source: seed 000, Task classes and pools (CfgSetDatabaseSizes).
    pub fn size_for_level(&mut self, sizes: &DatabaseSizes) {
        self.boxes = Boxes::new(sizes);
        self.objects.spawns = super::spawn::SpawnTable::new(sizes.objects);
    }

    /// Makes an object of a named type: a slot is freed when the pool is full, then as every task.
    // Covers: seed 000, ObjectTaskManager_Create (0x00397fb8) test=tasks::objects::life::tests::a_full_pool_frees_the_farthest_slot default=Err(CreateError::NoHandle)
    pub fn create_world_object(
        &mut self,
        world: &mut dyn World,
        kind: u16,
        creation: &Creation,
    ) -> Result<TaskId, CreateError> {
        let hash = self.objects.types.get(kind).map(|kind| kind.hash).ok_or(CreateError::UnknownType(0))?;
        if self.objects.pool.room() == 0 {
            self.free_object_slot(world);
        }
        self.create(world, TaskClass::Object, hash, creation)
    }

    /// Frees the slot of the object that is farthest from all players and neither held nor owned. Says whether it did.
    ///
    /// Our choice of which: the seed infers only that a slot is freed (0x003998f0).
    pub(in super::super) fn free_object_slot(&mut self, world: &mut dyn World) -> bool {
        let players = players(world);
        let mut worst: Option<(f32, TaskId)> = None;
        for (id, object) in self.objects.ids() {
            let Some(head) = self.manager.head(id) else { continue };
            if object.owned || head.is_attached() {
                continue;
            }
            let distance = nearest_player(&players, head.position);
            if worst.is_none_or(|(far, _)| distance > far) {
                worst = Some((distance, id));
            }
        }
        let Some((_, id)) = worst else { return false };
        self.release(world, id);
        true
    }

    /// Whether a slot would be freed of something that is farther from all players than a point: else what comes and what it
    /// drives out would change places for ever.
    fn has_farther_object(&self, players: &Players, point: Vec3) -> bool {
        let least = nearest_player(players, point);
        self.objects.ids().any(|(id, object)| {
            let head = self.manager.head(id).filter(|head| !object.owned && !head.is_attached());
            head.is_some_and(|head| nearest_player(players, head.position) > least)
        })
    }

    /// Adds a spawn record for a named type and answers the handle that spawns it when asked for.
    pub fn spawn_object(&mut self, name: &str, record: SpawnRecord) -> Handle {
        let Some(kind) = self.objects.types.find_index(name) else { return Handle::NIL };
        self.objects.spawns.add(SpawnRecord { kind, ..record }).map_or(Handle::NIL, Handle::spawn_record)
    }

    /// Spawns a record's object. Says whether one is live now.
    pub fn spawn_record(&mut self, world: &mut dyn World, index: u16) -> bool {
        let Some(record) = self.objects.spawns.get(index).copied() else { return false };
        if record.flags & record_flag::LIVE != 0 {
            return true;
        }
        if record.flags & record_flag::GONE != 0 {
            return false;
        }
        let creation = Creation { rotation: Quat::from_heading(record.heading), ..Creation::at(record.position) };
        let Ok(id) = self.create_world_object(world, record.kind, &creation) else { return false };
        let handle = self.manager.head(id).map_or(Handle::NIL, |head| head.handle);
        self.objects.spawns.set_live(index, handle.index());
        if let Some(object) = self.object_mut(id) {
            object.record = Some(index);
            object.respawn = record.respawn;
            object.unload_at = record.unload_at;
        }
        self.set_owned_from_flags(id, record.flags);
        true
    }

    /// The handle of a record's object, which is spawned first when it is not live; nil when it is gone for good.
    pub(in super::super) fn resolve_spawn_record(&mut self, world: &mut dyn World, index: u16) -> Handle {
        if !self.spawn_record(world, index) {
            return Handle::NIL;
        }
        self.handle_of_record(index)
    }

    /// The handle of a record's live object; nil when none lives.
    pub(in super::super) fn handle_of_record(&self, index: u16) -> Handle {
        let live = self.objects.spawns.live(index).map(|record| (record.flags & record_flag::INDEX) as u16);
        live.map_or(Handle::NIL, |entry| self.handles.at_index(entry))
    }

    /// Sets an object's owned state from its record's flags.
    // Covers: seed 000, WorldObject_SetOwnedFromFlags (0x00392510) test=an_owned_object_stays_when_players_leave
    pub fn set_owned_from_flags(&mut self, id: TaskId, flags: u32) {
        if let Some(object) = self.object_mut(id) {
            object.owned = flags & record_flag::OWNED != 0;
        }
    }

    /// Sets after how many ticks an object that has gone is spawned again; 0 for never.
    // Covers: seed 000, WorldObject_SetRespawnTimer (0x00395d20) test=a_gone_object_comes_back_after_its_timer
    pub fn set_respawn_timer(&mut self, id: TaskId, ticks: Ticks) {
        let Some(object) = self.object_mut(id) else { return };
        object.respawn = ticks;
        let record = object.record;
        if let Some(record) = record.and_then(|index| self.objects.spawns.get_mut(index)) {
            record.respawn = ticks;
        }
    }

    /// The zone of an object's record; 0 for an object without one.
    // Covers: seed 000, Obj_GetZone (0x00396810) test=an_objects_zone_is_its_records
    pub fn object_zone(&self, id: TaskId) -> u8 {
        self.object(id).and_then(|object| object.record).map_or(0, |index| self.objects.spawns.zone(index))
    }

    /// Spawns what a player has come near to and removes what all players have left.
    // Covers: seed 000, ObjectTaskManager_UpdateSpawns (0x00399d88) test=objects_live_within_70_metres_of_a_player
    pub fn update_spawns(&mut self, world: &mut dyn World) {
        let now = self.manager.clock.now();
        let players = players(world);
        for index in 0..self.objects.spawns.capacity() as u16 {
            let Some(record) = self.objects.spawns.get(index).copied() else { continue };
            let near = nearest_player(&players, record.position) <= SPAWN_RANGE * SPAWN_RANGE;
            let live = record.flags & record_flag::LIVE != 0;
            let blocked = record.flags & (record_flag::GONE | record_flag::MARKED) != 0;
            if near && !live && !blocked && record.not_before <= now && self.objects.zones.is_enabled(record.zone) {
                if self.objects.pool.room() == 0 && !self.has_farther_object(&players, record.position) {
                    continue;
                }
                self.spawn_record(world, index);
            } else if !near && live && record.flags & record_flag::OWNED == 0 {
                self.unspawn(world, &players, index);
            }
        }
    }

    /// Removes a record's object unless it is held or near a player; the record may spawn it again.
    fn unspawn(&mut self, world: &mut dyn World, players: &Players, index: u16) {
        if self.objects.spawns.live(index).is_none() {
            return;
        }
        let Some(Target::Task(id)) = self.handles.resolve(self.handle_of_record(index)) else {
            self.objects.spawns.set_gone(index, false, 0);
            return;
        };
        let Some(head) = self.manager.head(id) else { return };
        let strayed = nearest_player(players, head.position) <= SPAWN_RANGE * SPAWN_RANGE;
        if !head.is_attached() && !strayed {
            self.release(world, id);
        }
    }

    /// Unloads timed records: those whose zone was marked and those whose time is up. Answers how many.
    // Covers: seed 000, SpawnTable_UnloadTimed (0x00399b20) test=marked_and_timed_records_are_unloaded
    // Covers: seed 000, ObjMgr_UnloadTimed (0x003978a8) test=marked_and_timed_records_are_unloaded
    pub fn unload_timed(&mut self, world: &mut dyn World) -> usize {
        let now = self.manager.clock.now();
        let (mut from, mut unloaded) = (0, 0);
        while let Some(index) = self.objects.spawns.next_due(from, now) {
            from = index + 1;
            if let Some(id) = self.task(self.handle_of_record(index)) {
                self.release(world, id);
            }
            if let Some(record) = self.objects.spawns.get_mut(index) {
                *record = SpawnRecord::default();
            }
            unloaded += 1;
        }
        unloaded
    }
}

/// Where the players are; gathered once for a walk over many records.
type Players = heapless::Vec<Vec3, { PLAYERS as usize }>;

/// Asks the world where the players are.
fn players(world: &dyn World) -> Players {
    let people = (0..HUMANS as u16).filter_map(|human| world.person(human));
    people.filter(|person| person.player.is_some()).map(|person| person.position).take(PLAYERS.into()).collect()
}

/// Squared distance from a point to the nearest player; as far as can be without players.
fn nearest_player(players: &Players, point: Vec3) -> f32 {
    players.iter().map(|player| (*player - point).length_squared()).fold(f32::MAX, f32::min)
}

#[cfg(test)]
mod tests {
    use super::super::super::fake::{FakeWorld, engine};
    use super::super::super::world::Person;
    use super::super::spawn::SpawnTable;
    use super::*;

    fn setup() -> (TaskEngine, FakeWorld) {
        let (tasks, mut world) = (engine(), FakeWorld::default());
        world.persons.insert(0, Person { player: Some(0), ..Person::default() });
        (tasks, world)
    }

    fn at(x: f32) -> SpawnRecord {
        SpawnRecord { position: Vec3::new(x, 0.0, 0.0), ..SpawnRecord::default() }
    }

    fn live(tasks: &TaskEngine) -> usize {
        tasks.objects.pool.count()
    }

    #[test]
    fn a_cleared_level_has_no_records_or_lists() {
        let (mut tasks, mut world) = setup();
        tasks.spawn_object("brick", at(1.0));
        *tasks.objects.spawns.level_word(1, 34).unwrap() = 5;
        tasks.objects.zones.enable(3);
        tasks.update_spawns(&mut world);
        assert_eq!(live(&tasks), 1);
        tasks.clear_level(&mut world);
        assert_eq!((live(&tasks), tasks.objects.spawns.used().count()), (0, 0));
        assert_eq!(tasks.objects.spawns.level_word(1, 34), Some(&mut 0));
        assert!(!tasks.objects.zones.is_enabled(3));
        *tasks.objects.spawns.level_word(0, 0).unwrap() = 5;
        tasks.objects.spawns.reset_level_lists();
        assert_eq!(tasks.objects.spawns.level_word(0, 0), Some(&mut 0));
    }

    #[test]
    fn objects_live_within_70_metres_of_a_player() {
        let (mut tasks, mut world) = setup();
        for x in [69.0, 71.0] {
            tasks.spawn_object("brick", at(x));
        }
        tasks.spawn_object("brick", SpawnRecord { zone: 4, ..at(1.0) });
        tasks.update_spawns(&mut world);
        assert_eq!(live(&tasks), 1, "one is too far, one zone is off");
        tasks.objects.zones.enable(4);
        world.persons.get_mut(&0).unwrap().position.x = 2.0;
        tasks.update_spawns(&mut world);
        assert_eq!(live(&tasks), 3);
        world.persons.get_mut(&0).unwrap().position.x = 200.0;
        tasks.update_spawns(&mut world);
        assert_eq!(live(&tasks), 0);
        world.persons.get_mut(&0).unwrap().position.x = 0.0;
        tasks.update_spawns(&mut world);
        assert_eq!(live(&tasks), 2, "what went out of range comes back");
    }

    #[test]
    fn an_owned_object_stays_when_players_leave() {
        let (mut tasks, mut world) = setup();
        tasks.spawn_object("brick", SpawnRecord { flags: record_flag::OWNED, ..at(1.0) });
        tasks.update_spawns(&mut world);
        let id = tasks.first_live(TaskClass::Object).unwrap();
        assert!(tasks.object(id).unwrap().owned);
        world.persons.get_mut(&0).unwrap().position.x = 200.0;
        tasks.update_spawns(&mut world);
        assert_eq!(live(&tasks), 1);
        tasks.set_owned_from_flags(id, 0);
        assert!(!tasks.object(id).unwrap().owned);
    }

    #[test]
    fn a_held_object_stays_with_its_holder() {
        let (mut tasks, mut world) = setup();
        tasks.spawn_object("brick", at(1.0));
        tasks.update_spawns(&mut world);
        let id = tasks.first_live(TaskClass::Object).unwrap();
        tasks.manager.head_mut(id).unwrap().flags |= super::super::super::head::flag::ATTACHED;
        world.persons.get_mut(&0).unwrap().position.x = 200.0;
        tasks.update_spawns(&mut world);
        assert!(tasks.is_live(id));
    }

    #[test]
    fn a_gone_object_comes_back_after_its_timer() {
        let (mut tasks, mut world) = setup();
        let handle = tasks.spawn_object("brick", at(1.0));
        tasks.update_spawns(&mut world);
        let id = tasks.first_live(TaskClass::Object).unwrap();
        tasks.set_respawn_timer(id, 100);
        tasks.manager.clock.set_time(10);
        tasks.destroy_object(&mut world, id);
        tasks.update_spawns(&mut world);
        assert_eq!(live(&tasks), 0);
        tasks.manager.clock.set_time(110);
        tasks.update_spawns(&mut world);
        assert_eq!(live(&tasks), 1);
        let id = tasks.first_live(TaskClass::Object).unwrap();
        tasks.set_respawn_timer(id, 0);
        tasks.destroy_object(&mut world, id);
        assert_eq!(tasks.resolve(&mut world, handle), None, "gone for good");
    }

    #[test]
    fn an_objects_zone_is_its_records() {
        let (mut tasks, mut world) = setup();
        tasks.objects.zones.enable(6);
        tasks.spawn_object("brick", SpawnRecord { zone: 6, ..at(1.0) });
        tasks.update_spawns(&mut world);
        let id = tasks.first_live(TaskClass::Object).unwrap();
        assert_eq!(tasks.object_zone(id), 6);
        let loose = tasks.create_world_object(&mut world, 0, &Creation::at(Vec3::ZERO)).unwrap();
        assert_eq!(tasks.object_zone(loose), 0);
    }

    #[test]
    fn marked_and_timed_records_are_unloaded() {
        let (mut tasks, mut world) = setup();
        tasks.spawn_object("brick", SpawnRecord { unload_at: 50, ..at(1.0) });
        tasks.spawn_object("brick", at(1.0));
        tasks.objects.zones.enable(3);
        tasks.spawn_object("brick", SpawnRecord { zone: 3, ..at(1.0) });
        tasks.update_spawns(&mut world);
        assert_eq!((live(&tasks), tasks.unload_timed(&mut world)), (3, 0));
        tasks.manager.clock.set_time(50);
        let ObjectParts { zones, spawns } = parts(&mut tasks);
        super::super::zones::mark_zone(zones, spawns, 3);
        assert_eq!(tasks.unload_timed(&mut world), 2);
        assert_eq!((live(&tasks), tasks.objects.spawns.used().count()), (1, 1));
    }

    struct ObjectParts<'a> {
        zones: &'a mut Zones,
        spawns: &'a mut SpawnTable,
    }

    fn parts(tasks: &mut TaskEngine) -> ObjectParts<'_> {
        let objects = &mut tasks.objects;
        ObjectParts { zones: &mut objects.zones, spawns: &mut objects.spawns }
    }
}
