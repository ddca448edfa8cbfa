//! Tests of the engine as a whole.

use super::super::clock::Phase;
use super::super::fake::{BRICK, FakeWorld, PANE, PARTICLE, engine};
use super::super::handle::Kind;
use super::super::head::{TaskHead, flag};
use super::super::objects::life::tests::object;
use super::super::objects::spawn::SpawnRecord;
use super::super::pool::Pool;
use super::super::wheel::BUCKETS;
use super::super::world::Person;
use super::*;
use std::vec::Vec;

fn tick(tasks: &mut TaskEngine, world: &mut FakeWorld) {
    let now = tasks.manager.clock.now() + 1;
    tasks.manager.clock.set_time(now);
    tasks.run_bucket(world);
}

fn handle(tasks: &TaskEngine, id: TaskId) -> Handle {
    tasks.manager.head(id).unwrap().handle
}

/// An engine that holds nothing: what its constructor would answer without a body.
pub(super) fn hollow() -> TaskEngine {
    let no_boxes = DatabaseSizes { objects: 0, flags: 0, volumes: 0, players: 0, turfs: 0 };
    let mut objects = ObjectTaskManager::new(0);
    objects.pool = Pool::new(0);
    let mut cars = CarTaskManager::new();
    cars.pool = Pool::new(0);
    let mut panes = GlassTaskManager::new();
    panes.pool = Pool::new(0);
    let mut lights = LightTaskManager::new();
    lights.pool = Pool::new(0);
    let mut scenes = SceneTaskManager::new();
    scenes.pool = Pool::new(0);
    let particles = [TaskClass::Particle, TaskClass::PauseParticle]
        .map(|class| ParticleTaskManager { pool: Pool::new(0), ..ParticleTaskManager::new(class) });
    TaskEngine {
        manager: TaskManager::new(),
        handles: HandleTable::new(),
        messages: MessageStack::default(),
        boxes: Boxes::new(&no_boxes),
        humans: HumanStep::default(),
        objects,
        cars,
        panes,
        lights,
        particles,
        scenes,
        effects: Effects::default(),
        ticks: TickState::default(),
        updates: [0; TaskClass::ALL.len()],
        cameras: [Handle::NIL; 2],
        human_refusals: 0,
    }
}

#[test]
fn a_new_engine_has_every_pool_at_its_size() {
    let tasks = engine();
    let pools = [
        tasks.objects.pool.capacity(),
        tasks.particles[0].pool.capacity(),
        tasks.particles[1].pool.capacity(),
        tasks.scenes.pool.capacity(),
        tasks.cars.pool.capacity(),
        tasks.panes.pool.capacity(),
        tasks.lights.pool.capacity(),
    ];
    assert_eq!(pools, [384, 1400, 100, 12, 18, 100, 28]);
    assert_eq!(tasks.objects.spawns.capacity(), 520);
    assert!(tasks.objects.zones.is_enabled(0) && !tasks.objects.zones.is_enabled(1));
}

#[test]
fn a_created_task_has_its_arguments_handle_and_wheel() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    tasks.manager.clock.set_time(9);
    let parent = object(&mut tasks, &mut world, BRICK, 0.0);
    let creation = Creation {
        position: Vec3::new(1.0, 2.0, 3.0),
        rotation: Quat::from_heading(0.5),
        parent: handle(&tasks, parent),
    };
    let id = tasks.create(&mut world, TaskClass::Particle, PARTICLE, &creation).unwrap();
    let head = tasks.manager.head(id).unwrap();
    assert_eq!((head.position, head.rotation, head.parent), (creation.position, creation.rotation, creation.parent));
    assert_eq!((head.last_update, head.handle.index()), (9, 749));
    assert!(head.has(flag::INTEGRATED) && head.has(flag::ON_WHEEL));
    assert_eq!(tasks.manager.links().get(id).bucket, 1);
    assert_eq!(tasks.manager.transform(749).unwrap().position, creation.position);
    assert_eq!(tasks.messages.depth(), 0);
    assert!(world.log.contains(&"type particle0 0".into()), "the creation handler ran");
}

#[test]
fn creation_without_its_arguments_is_an_error_and_takes_nothing() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let bare = tasks.create_from_frame(&mut world, TaskClass::Particle, PARTICLE);
    assert_eq!(bare, Err(CreateError::Message(MessageError::NoFrame)));
    tasks.messages.begin().unwrap();
    tasks.messages.push_int(3).unwrap();
    let wrong = tasks.create_from_frame(&mut world, TaskClass::Particle, PARTICLE);
    assert_eq!(wrong, Err(CreateError::Message(MessageError::WrongType)));
    assert_eq!((tasks.particles[0].count(), tasks.handles.live()), (0, 0));
}

#[test]
fn each_maker_makes_its_class() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let at = Creation::at(Vec3::X);
    let made = [
        tasks.create_glass_by_name(&mut world, PANE, &at),
        tasks.create_object_by_name(&mut world, super::super::names::name_hash("brick"), &at),
        tasks.create_light_by_name(&mut world, 1, &at),
    ];
    let classes = made.map(|made| made.unwrap().class().unwrap());
    assert_eq!(classes, [TaskClass::Pane, TaskClass::Object, TaskClass::Light]);
    assert_eq!(tasks.create_object_by_name(&mut world, 5, &at), Err(CreateError::UnknownType(5)));
}

#[test]
fn a_maker_answers_a_handle_or_nil() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let at = Creation::at(Vec3::X);
    let pane = tasks.create_glass(&mut world, PANE, &at);
    let brick = tasks.create_object(&mut world, super::super::names::name_hash("brick"), &at);
    assert_eq!([pane, brick].map(|h| tasks.task(h).unwrap().class()), [Some(TaskClass::Pane), Some(TaskClass::Object)]);
    assert!(tasks.create_light(&mut world, 1, &at).is_nil(), "light tasks have no handles");
    assert!(tasks.first_live(TaskClass::Light).is_some());
    assert!(tasks.create_glass(&mut world, 99, &at).is_nil());
}

#[test]
fn a_full_pool_is_a_counted_refusal() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    for _ in 0..12 {
        tasks.create(&mut world, TaskClass::Scene, 1, &Creation::at(Vec3::ZERO)).unwrap();
    }
    let refused = tasks.create(&mut world, TaskClass::Scene, 1, &Creation::at(Vec3::ZERO));
    assert_eq!(refused, Err(CreateError::PoolFull(TaskClass::Scene)));
    assert_eq!(tasks.scenes.pool.refusals(), 1);
}

#[test]
fn an_engine_without_places_refuses_and_counts() {
    let (mut tasks, mut world) = (hollow(), FakeWorld::default());
    for class in [TaskClass::Scene, TaskClass::Light, TaskClass::Particle] {
        let refused = tasks.create(&mut world, class, 1, &Creation::at(Vec3::ZERO));
        assert_eq!(refused, Err(CreateError::PoolFull(class)));
    }
    assert_eq!((tasks.scenes.pool.refusals(), tasks.handles.live()), (1, 0));
}

#[test]
fn every_pool_fills_and_empties_without_a_trace() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let names = [
        (TaskClass::Particle, PARTICLE),
        (TaskClass::PauseParticle, PARTICLE),
        (TaskClass::Object, super::super::names::name_hash("brick")),
        (TaskClass::Car, super::super::names::name_hash("car_van")),
        (TaskClass::Light, 1),
        (TaskClass::Pane, PANE),
        (TaskClass::Scene, 1),
    ];
    for (class, name) in names {
        for _ in 0..class.capacity() {
            tasks.create(&mut world, class, name, &Creation::at(Vec3::ZERO)).unwrap();
        }
    }
    assert_eq!(tasks.handles.live(), 1400 + 100 + 384 + 18 + 100);
    tasks.reset(&mut world);
    assert_eq!(tasks.handles.live(), 0);
    assert!(TaskClass::MANAGED.iter().all(|class| tasks.first_live(*class).is_none()));
}

#[test]
fn a_reset_releases_the_seven_managers_tasks() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = tasks.spawn_test_particle(&mut world, 0);
    let old = handle(&tasks, id);
    tick(&mut tasks, &mut world);
    tasks.humans.counter = 8;
    tasks.reset(&mut world);
    assert_eq!((tasks.particles[0].count(), tasks.task(old), tasks.updates), (0, None, [0; 8]));
    assert_eq!((tasks.manager.clock.now(), tasks.humans.counter), (0, 1));
    let wheel = tasks.manager.wheel(Phase::Play);
    assert_eq!((wheel.current(), (0..=255).map(|b| wheel.bucket(tasks.manager.links(), b).count()).sum()), (0, 0usize));
}

#[test]
fn a_reset_leaves_nothing_of_a_level() {
    use super::super::boxes::{LevelBox, WorldFlag};
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let brick = tasks.spawn_object("brick", SpawnRecord::default());
    tasks.objects.zones.enable(4);
    let TaskEngine { boxes, handles, effects, .. } = &mut tasks;
    let flag = boxes.add_flag(handles, WorldFlag::default());
    let volume = boxes.add_box(handles, 0, LevelBox::default());
    assert!(!flag.is_nil() && !volume.is_nil());
    (effects.ground_fog, effects.garbage, effects.rain, effects.radio_callback) = (true, true, true, 9);
    let tank = effects.create_tank(&mut world, 5).unwrap();
    let instance = effects.tank_instance(tank).unwrap();
    tasks.reset(&mut world);
    assert_eq!((tasks.objects.spawns.used().count(), tasks.handles.live()), (0, 0));
    assert_eq!([brick, flag, volume].map(|handle| tasks.resolve(&mut world, handle)), [None; 3]);
    assert!(!tasks.objects.zones.is_enabled(4) && tasks.objects.zones.is_enabled(0));
    let effects = &tasks.effects;
    assert!(!effects.ground_fog && !effects.garbage && !effects.rain && effects.radio_callback == 0);
    assert_eq!((effects.tank(tank), world.log_count(&std::format!("release_instance {}", instance.0))), (None, 1));
    assert_eq!((tasks.boxes.flags().count(), tasks.boxes.level_boxes().count()), (0, 0));
}

#[test]
fn a_message_is_handled_before_the_senders_next_line() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let (_, human) = tasks.create_human(|| None).unwrap();
    world.answer = 5;
    let sender = Argument::Handle(human);
    assert_eq!(tasks.send_message(&mut world, human, 0xa4, &[sender]), Ok(5));
    assert_eq!(world.log.last().unwrap(), "human 0 AttackWarning(0#1) 164");
    assert_eq!(tasks.send_message(&mut world, Handle::NIL, 0xa4, &[]), Ok(0));
    assert_eq!(tasks.messages.depth(), 0);
}

#[test]
fn messages_nest_six_deep_and_the_seventh_is_refused() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = tasks.spawn_test_particle(&mut world, 0);
    let target = handle(&tasks, id);
    world.reenters = Some(target);
    tasks.send_message(&mut world, target, 0x33, &[]).unwrap();
    assert_eq!(world.depths, [1, 2, 3, 4, 5, 6]);
    assert_eq!((world.log.last().unwrap().as_str(), tasks.messages.refusals()), ("TooDeep", 1));
    assert_eq!(tasks.messages.depth(), 0);
}

#[test]
fn a_spawn_records_handle_spawns_its_object() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let record = tasks.spawn_object("brick", SpawnRecord { position: Vec3::Y, ..SpawnRecord::default() });
    assert_eq!((record.serial(), tasks.objects.pool.count()), (0, 0));
    let Some(Target::Task(id)) = tasks.resolve(&mut world, record) else { panic!("no task") };
    assert_eq!(tasks.manager.head(id).unwrap().position, Vec3::Y);
    assert_eq!(tasks.resolve(&mut world, record), Some(Target::Task(id)), "it is spawned once");
    let own = handle(&tasks, id);
    assert_eq!(tasks.resolve(&mut world, own), Some(Target::Task(id)));
    assert_eq!((tasks.task(record), tasks.rtti(record)), (Some(id), 8), "what lives is found by its record's handle");
    tasks.release(&mut world, id);
    assert_eq!((tasks.task(record), tasks.rtti(record)), (None, 0), "and nothing is spawned for a look");
    let Some(Target::Task(id)) = tasks.resolve(&mut world, record) else { panic!("no task") };
    tasks.destroy_object(&mut world, id);
    assert_eq!(tasks.resolve(&mut world, record), None, "gone for good is nil");
    assert_eq!(tasks.resolve(&mut world, Handle::NIL), None);
}

#[test]
fn who_changes_something_by_its_records_handle_spawns_it_first_and_who_asks_does_not() {
    type Change = fn(&mut TaskEngine, &mut FakeWorld, Handle) -> bool;
    let changes: [(&str, Change); 11] = [
        ("open", |tasks, world, door| tasks.open_door(world, door)),
        ("open by", |tasks, world, door| tasks.open_door_by(world, door, 0)),
        ("open animated", |tasks, world, door| tasks.open_door_animated(world, door)),
        ("close", |tasks, world, door| tasks.close_door(world, door)),
        ("collision", |tasks, world, door| {
            tasks.disable_door_collision(world, door);
            tasks.task(door).is_some()
        }),
        ("camera", |tasks, world, door| {
            tasks.set_door_camera_ghost(world, door, true);
            tasks.task(door).is_some()
        }),
        ("tint", |tasks, world, door| {
            tasks.set_object_tint(world, door, 0xff00_00ff);
            tasks.task(door).and_then(|id| tasks.object(id)).is_some_and(|object| object.tint == 0xff00_00ff)
        }),
        ("state", |tasks, world, door| {
            tasks.change_object_state(world, door, 7).unwrap();
            tasks.task(door).and_then(|id| tasks.object(id)).is_some_and(|object| object.state == 7)
        }),
        ("off the wheel", |tasks, world, door| {
            tasks.script_unschedule(world, door);
            tasks.task(door).is_some_and(|id| tasks.manager.links().get(id).bucket == -1)
        }),
        ("trunk", |tasks, world, door| {
            let id = super::super::cars::tests::car(tasks, world, Vec3::ZERO);
            let car = handle(tasks, id);
            tasks.place_in_trunk(world, car, door)
        }),
        ("scene", |tasks, world, door| {
            let scene = tasks.create(world, TaskClass::Scene, 5, &Creation::at(Vec3::ZERO)).unwrap();
            tasks.hold_scene_object(world, scene, door, Vec3::Y, 9)
        }),
    ];
    for (name, change) in changes {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        world.persons.insert(0, Person::default());
        let door = tasks.spawn_object("door_swing", SpawnRecord::default());
        assert!(!tasks.is_door_open(door) && tasks.door(door).is_none() && tasks.rtti(door) == 0);
        assert_eq!((tasks.contact_vector(door), tasks.is_strike_target(door)), (Vec3::ZERO, false));
        assert_eq!(tasks.task(door), None, "nothing is spawned for a question");
        assert!(change(&mut tasks, &mut world, door), "{name}");
        assert!(tasks.task(door).is_some(), "{name}");
    }
}

#[test]
fn only_world_objects_resolve_as_such() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let ids = [object(&mut tasks, &mut world, BRICK, 0.0), tasks.spawn_test_particle(&mut world, 0)];
    let handles = ids.map(|id| handle(&tasks, id));
    assert_eq!(handles.map(|h| tasks.resolve_world_object(&mut world, h)), [Some(ids[0]), None]);
    assert_eq!(handles.map(|h| tasks.as_task(h)), ids.map(Some));
    assert_eq!(tasks.as_task(Handle::NIL), None);
}

#[test]
fn scripts_tell_what_a_handle_names_by_its_bits() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let ids = [
        object(&mut tasks, &mut world, BRICK, 0.0),
        tasks.spawn_test_particle(&mut world, 0),
        super::super::cars::tests::car(&mut tasks, &mut world, Vec3::ZERO),
        tasks.create(&mut world, TaskClass::Pane, PANE, &Creation::at(Vec3::ZERO)).unwrap(),
    ];
    let mut handles: Vec<Handle> = ids.map(|id| handle(&tasks, id)).into();
    handles.push(tasks.create_human(|| None).unwrap().1);
    handles.push(tasks.boxes.add_flag(&mut tasks.handles, Default::default()));
    handles.extend([0, 2, 3].map(|kind| tasks.boxes.add_box(&mut tasks.handles, kind, Default::default())));
    handles.push(tasks.handles.assign(Kind::Camera, Target::Camera(0), |_| {}).unwrap());
    handles.push(Handle::NIL);
    let bits: Vec<u32> = handles.iter().map(|handle| tasks.rtti(*handle)).collect();
    assert_eq!(bits, [0x8, 0x10, 0x10_0000, 0x400, 0x60, 0x80, 0x100, 0x100, 0x100, 0x200, 0]);
    tasks.release(&mut world, ids[0]);
    assert_eq!(tasks.rtti(handles[0]), 0, "a stale handle names nothing");
}

#[test]
fn a_human_is_never_scheduled_and_keeps_the_heads_defaults() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let (place, _) = tasks.create_human(|| None).unwrap();
    (0..600).for_each(|_| tick(&mut tasks, &mut world));
    let id = TaskId::new(TaskClass::Human, place);
    let own = tasks.human_handle(place);
    tasks.script_schedule(&mut world, own);
    let (link, head) = (tasks.manager.links().get(id), tasks.manager.head(id).unwrap());
    assert_eq!((link.phase, link.bucket, head.interval, head.has(flag::ON_WHEEL)), (2, -1, 255, false));
    assert_eq!((head.flags, tasks.updates[TaskClass::Human as usize]), (0x4200_5001, 0));
}

#[test]
fn a_human_that_moves_is_where_its_handle_says() {
    let mut tasks = engine();
    let (place, handle) = tasks.create_human(|| None).unwrap();
    let pose = Pose::new(Quat::from_heading(1.0), Vec3::new(1.0, 2.0, 3.0));
    tasks.move_human(place, pose, Vec3::X);
    let id = TaskId::new(TaskClass::Human, place);
    assert_eq!((tasks.human_of(handle), tasks.human_handle(place)), (Some(place), handle));
    assert_eq!((tasks.manager.transform(handle.index()), tasks.manager.moved()), (Some(pose), &[id][..]));
    assert_eq!(tasks.manager.head(id).map(TaskHead::velocity), Some(Vec3::X));
    assert_eq!(tasks.pose_now(&FakeWorld::default(), id), pose);
}

#[test]
fn a_full_house_culls_one_corpse_for_a_human() {
    let mut tasks = engine();
    let never = || -> Option<u16> { panic!("there is room") };
    for human in 0..60 {
        let (place, handle) = tasks.create_human(never).unwrap();
        assert_eq!((place, handle.index()), (human, human));
    }
    let corpse = tasks.human_handle(3);
    tasks.humans.records.set_command(3, 0xf);
    assert!(tasks.is_live(TaskId::new(TaskClass::Human, 59)));
    let (place, again) = tasks.create_human(|| Some(3)).unwrap();
    assert_eq!((place, again.index()), (3, 3), "the corpse's place");
    assert_eq!((tasks.human_of(corpse), tasks.humans.records.command(3)), (None, 0), "nothing of the corpse is left");
    assert_eq!(tasks.create_human(|| None), Err(CreateError::NoHandle));
    assert_eq!(tasks.human_refusals, 1);
    assert!(tasks.release_human(7) && !tasks.release_human(7));
    assert_eq!(tasks.create_human(never).unwrap().0, 7);
}

#[test]
fn a_task_runs_after_each_of_its_intervals() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let names = [(11, 1u16), (12, 6), (13, 0), (14, 0x100), (15, 255)];
    world.intervals.extend(names.map(|(name, interval)| (name, interval)));
    let ids =
        names.map(|(name, _)| tasks.create(&mut world, TaskClass::Particle, name, &Creation::at(Vec3::ZERO)).unwrap());
    let mut ran: Vec<Vec<u32>> = ids.iter().map(|_| Vec::new()).collect();
    for at in 0..600 {
        world.log.clear();
        tick(&mut tasks, &mut world);
        for (n, times) in ran.iter_mut().enumerate() {
            if world.log.contains(&std::format!("type particle{n} 1")) {
                times.push(at);
            }
        }
    }
    assert_eq!(ran[0], (1..600).collect::<Vec<_>>());
    assert_eq!(ran[1], (6..600).step_by(6).collect::<Vec<_>>());
    assert_eq!(ran[2], ran[0], "interval 0 counts as 1");
    assert_eq!(ran[3], [0], "interval 0x100 runs once");
    assert_eq!(ran[4], [255, 510]);
}

#[test]
fn the_number_of_updates_follows_from_intervals_and_starts() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let mut expected = 0;
    for n in 0..200u32 {
        let interval = 1 + n % 30;
        world.intervals.insert(n, interval as u16);
        for _ in 0..n % 3 {
            tick(&mut tasks, &mut world);
        }
        tasks.updates = [0; 8];
        tasks.create(&mut world, TaskClass::Particle, n, &Creation::at(Vec3::ZERO)).unwrap();
    }
    let now = tasks.manager.wheel(Phase::Play).current();
    for n in 0..200u16 {
        let id = TaskId::new(TaskClass::Particle, n);
        let first = (tasks.manager.links().get(id).bucket - i16::from(now)).rem_euclid(BUCKETS as i16) as u32;
        let interval = u32::from(tasks.manager.head(id).unwrap().interval);
        expected += if first < 120 { 1 + (119 - first) / interval } else { 0 };
    }
    tasks.updates = [0; 8];
    (0..120).for_each(|_| tick(&mut tasks, &mut world));
    assert_eq!(tasks.updates[TaskClass::Particle as usize], expected);
    assert_eq!(tasks.updates[TaskClass::Human as usize], 0, "never a human");
}

#[test]
fn a_task_may_end_itself_or_another_in_its_update() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let ids = [0, 1, 2].map(|x| tasks.spawn_test_particle(&mut world, x));
    world.ends_itself = true;
    tick(&mut tasks, &mut world);
    assert!(ids.iter().all(|id| !tasks.is_live(*id)));
    assert_eq!(tasks.manager.wheel(Phase::Play).bucket(tasks.manager.links(), 1).count(), 0);
}

#[test]
fn what_a_running_task_makes_or_wakes_runs_with_the_next_bucket() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let chair = object(&mut tasks, &mut world, BRICK, 0.0);
    world.breaks = Some(chair);
    tasks.spawn_test_particle(&mut world, 0);
    tick(&mut tasks, &mut world);
    let piece = tasks.objects.ids().map(|(id, _)| id).find(|id| *id != chair).expect("a piece of debris");
    assert_eq!(tasks.manager.ticks_until_due(piece), Some(0), "it runs in the next tick");
    let thrown = tasks.manager.head(piece).unwrap().velocity.z;
    (0..2).for_each(|_| tick(&mut tasks, &mut world));
    let head = tasks.manager.head(piece).unwrap();
    assert!(head.velocity.z < thrown && head.velocity.z > thrown - 1.0, "{thrown} {}", head.velocity.z);
}

#[test]
fn a_message_with_more_arguments_than_a_frame_holds_is_refused() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = tasks.spawn_test_particle(&mut world, 0);
    let target = handle(&tasks, id);
    world.log.clear();
    let long = [Argument::Int(1); super::super::message::ARGUMENTS + 1];
    assert_eq!(tasks.send_message(&mut world, target, 5, &long), Err(MessageError::Full));
    assert_eq!((tasks.messages.depth(), world.log.len()), (0, 0));
    assert!(tasks.send_message(&mut world, target, 5, &long[1..]).is_ok());
}

#[test]
fn a_falling_task_with_the_probe_lands_on_time() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    world.probes = true;
    world.intervals.insert(21, 60);
    world.floor_height = Some(0.0);
    let id = tasks.create(&mut world, TaskClass::Particle, 21, &Creation::at(Vec3::new(0.0, 0.0, 5.0))).unwrap();
    tasks.manager.head_mut(id).unwrap().set_velocity(Vec3::new(0.0, 0.0, -3.0));
    tasks.manager.schedule_in(id, 0);
    tick(&mut tasks, &mut world);
    let head = tasks.manager.head(id).unwrap();
    assert!(!head.has(flag::LANDING_AHEAD), "3 m in 60 ticks do not reach the ground");
    assert_eq!(tasks.manager.links().get(id).bucket, 60);
    (0..60).for_each(|_| tick(&mut tasks, &mut world));
    let head = tasks.manager.head(id).unwrap();
    assert!(head.has(flag::LANDING_AHEAD));
    let ticks = i32::from(tasks.manager.links().get(id).bucket) - 60;
    assert!((38..=40).contains(&ticks), "1.95 m at 3 m/s: {ticks} ticks");
}

#[test]
fn each_phase_has_its_particle_manager() {
    let mut tasks = engine();
    assert_eq!(tasks.particle_manager(Phase::Play).class, TaskClass::Particle);
    assert_eq!(tasks.particle_manager(Phase::Pause).class, TaskClass::PauseParticle);
    tasks.manager.set_phase(Phase::Pause);
    assert_eq!(tasks.particle_class(), TaskClass::PauseParticle);
}

#[test]
fn scripts_put_tasks_on_the_wheel_and_off() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let id = tasks.spawn_test_particle(&mut world, 0);
    let target = handle(&tasks, id);
    tasks.script_unschedule(&mut world, target);
    assert_eq!(tasks.manager.links().get(id).bucket, -1);
    tasks.script_schedule(&mut world, target);
    assert_eq!(tasks.manager.links().get(id).bucket, 1);
}

#[test]
fn what_hangs_on_a_parent_follows_it() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    let ids = [10, 2].map(|x| tasks.spawn_test_particle(&mut world, x));
    let parent = handle(&tasks, ids[0]);
    let head = tasks.manager.head_mut(ids[1]).unwrap();
    head.set_parent(parent);
    assert_eq!(tasks.pose_now(&world, ids[1]).position.x, 2.0, "a parent alone is not an attachment");
    tasks.manager.head_mut(ids[1]).unwrap().flags |= flag::ATTACHED;
    assert_eq!(tasks.pose_now(&world, ids[1]).position.x, 12.0);
    let (_, human) = tasks.create_human(|| None).unwrap();
    tasks.manager.head_mut(ids[1]).unwrap().set_parent(human);
    world.hand = Some(Pose::new(Quat::IDENTITY, Vec3::new(100.0, 0.0, 0.0)));
    assert_eq!(tasks.pose_now(&world, ids[1]).position.x, 102.0);
}

#[test]
fn a_wheel_of_full_pools_runs_each_task_once_per_interval() {
    let (mut tasks, mut world) = (engine(), FakeWorld::default());
    for n in 0..1400u32 {
        world.intervals.insert(n, 1 + (n % 40) as u16);
        tasks.create(&mut world, TaskClass::Particle, n, &Creation::at(Vec3::ZERO)).unwrap();
    }
    tasks.updates = [0; 8];
    for _ in 0..840 {
        world.log.clear();
        tick(&mut tasks, &mut world);
    }
    let sum: u32 = (0..1400u32).map(|n| 839 / (1 + n % 40)).sum();
    assert_eq!(tasks.updates[TaskClass::Particle as usize], sum);
}
