//! Particles in the game: sources give motes near the eye, motes live and go, and what is seen stays within its room.

use super::super::fake::{FakeGame, FakeMachine, game};
use super::super::world::GameWorld;
use super::*;
use crate::boot::start::StartHost as _;
use crate::game_modes::frame::FrameHost as _;
use crate::tasks::head::flag;
use crate::tasks::names::name_hash;

const VENT: u32 = 2;
const PUFF: u32 = 1;

fn kinds() -> [ParticleKind; 2] {
    let puff = ParticleKind {
        name: PUFF,
        texture: name_hash("puff"),
        interval: 2,
        life: [1.0, 1.0],
        size: [0.1, 0.5],
        colours: [0xff80_ff40, 0x0080_ff40],
        speed: [1.0, 1.0],
        ..ParticleKind::default()
    };
    let vent =
        ParticleKind { name: VENT, interval: 2, emits: PUFF, rate: 10.0, range: 20.0, ..ParticleKind::default() };
    [puff, vent]
}

/// A game with those kinds and a vent at a distance from the eyes.
fn with_vent(distance: f32) -> Box<FakeGame> {
    let mut game = game();
    game.initialize_subsystems().unwrap();
    kinds().into_iter().for_each(|kind| game.things.kinds.push(kind).unwrap());
    let source = Source { kind: VENT, position: Vec3::Y * distance, heading: 0.0, half: Vec3::ZERO };
    assert_eq!(game.with_tasks(|tasks, world| make_sources(world, tasks, &[source])), Some(1));
    game
}

fn run(game: &mut FakeGame, ticks: u32) {
    for _ in 0..ticks {
        game.with_tasks(|tasks, world| {
            let next = tasks.manager.clock.now() + 1;
            tasks.manager.clock.set_time(next);
            tasks.run_bucket(world);
        });
    }
}

fn motes(game: &FakeGame) -> usize {
    game.tasks.as_deref().unwrap().particles[0].count() - 1
}

#[test]
fn a_source_near_the_eye_gives_at_its_rate_and_motes_go_after_their_life() {
    let mut game = with_vent(5.0);
    run(&mut game, 60);
    let after_a_second = motes(&game);
    assert!((9..=10).contains(&after_a_second), "{after_a_second}");
    run(&mut game, 300);
    let steady = motes(&game);
    assert!((9..=11).contains(&steady), "as many go as come: {steady}");
}

#[test]
fn a_source_out_of_range_gives_nothing() {
    let mut game = with_vent(25.0);
    run(&mut game, 120);
    assert_eq!(motes(&game), 0);
}

#[test]
fn a_stopped_source_rests_until_it_is_started() {
    let mut game = with_vent(5.0);
    let id = TaskId::new(TaskClass::Particle, 0);
    let handle = game.tasks.as_deref().unwrap().manager.head(id).unwrap().handle;
    game.with_tasks(|tasks, world| tasks.end_particle(world, handle));
    run(&mut game, 60);
    assert_eq!(motes(&game), 0);
    game.with_tasks(|tasks, world| tasks.start_particle(world, handle));
    run(&mut game, 60);
    assert!(motes(&game) > 5);
}

#[test]
fn motes_rise_grow_and_fade_and_sources_are_not_seen() {
    let mut game = with_vent(5.0);
    run(&mut game, 90);
    game.update_managers();
    let seen = &game.things.sprites;
    assert_eq!(seen.len(), motes(&game));
    let (oldest, youngest) = (
        seen.iter().map(|seen| seen.sprite).max_by(|a, b| a.half.0.total_cmp(&b.half.0)).unwrap(),
        seen.iter().map(|seen| seen.sprite).min_by(|a, b| a.half.0.total_cmp(&b.half.0)).unwrap(),
    );
    assert!(oldest.centre.z > youngest.centre.z + 0.5, "{oldest:?} {youngest:?}");
    assert!(oldest.colour[3] < youngest.colour[3]);
    assert_eq!(youngest.colour[0], 0x20, "half of 0x40: the renderer's 0x80 is a texture as it is");
    game.update_managers();
    assert_eq!(game.things.sprites.len(), motes(&game), "each frame begins anew");
}

#[test]
fn the_pause_shows_its_own_over_those_of_play() {
    let mut game = with_vent(5.0);
    run(&mut game, 60);
    game.update_managers();
    let of_play = game.things.counts().0;
    for _ in 0..2 {
        game.things.begin(Phase::Pause);
        let sprite = Sprite { kind: PUFF, colour: u32::MAX, size: 0.5, ..Sprite::default() };
        game.things.add_sprite(&sprite);
        assert_eq!(game.things.counts(), (of_play + 1, 0));
    }
}

#[test]
fn what_there_is_no_room_for_is_counted() {
    let mut things = Things::default();
    things.kinds.push(kinds()[0]).unwrap();
    let room = things.sprites.capacity();
    for _ in 0..room + 3 {
        things.add_sprite(&Sprite { kind: PUFF, ..Sprite::default() });
    }
    assert_eq!(things.counts(), (room, 3));
}

/// A game whose types are a box that falls into planks, a purse and a pane, and whose player stands at the origin.
fn with_types() -> Box<FakeGame> {
    use crate::physics::create::ObjectShape;
    use crate::tasks::glass::GlassType;
    use crate::tasks::objects::types::{ObjectType, Touch};
    let mut game = with_vent(5.0);
    let shape = ObjectShape::Box { size: Vec3::splat(0.5), centre: Vec3::ZERO };
    let purse = ObjectType { touch: Touch::Item, ..ObjectType::named("money", 5) };
    let tasks = game.tasks.as_deref_mut().unwrap();
    tasks.objects.types.reset();
    let second_name = ObjectType::named("plank", 3).name;
    for kind in [
        ObjectType { shape, second_name, ..ObjectType::named("box", 9) },
        ObjectType { shape, ..ObjectType::named("plank", 3) },
        purse,
    ] {
        tasks.objects.types.add(kind).unwrap();
    }
    tasks.objects.types.resolve_names();
    let half = Vec3::new(1.0, 0.01, 0.5);
    tasks.panes.set_type(0, &GlassType { name: 9, half, strength: 10, splinters: PUFF, sound: 0 });
    game.rules = super::super::rules::Rules::starting(super::super::missions::Play::Mission(0), Vec3::splat(90.0), 0);
    game
}

#[test]
fn a_broken_box_is_gone_and_planks_fly() {
    let mut game = with_types();
    game.with_tasks(|tasks, world| {
        let id = tasks.create_world_object(world, 0, &Creation::at(Vec3::Z)).unwrap();
        assert!(tasks.object(id).unwrap().body.is_some(), "it is met from the beginning");
        assert!(tasks.break_object(world, id, crate::tasks::handle::Handle::NIL));
        let planks = tasks.objects.pool.count() - 1;
        assert_eq!(planks, 3);
        assert!(tasks.object(id).unwrap().hidden);
        let next = tasks.manager.clock.now() + 2;
        tasks.manager.clock.set_time(next);
        tasks.update_managers(world, Phase::Play);
        assert!(!tasks.is_live(id));
    });
}

#[test]
fn a_purse_is_taken_by_who_comes_near_and_only_then() {
    let mut game = with_types();
    game.with_tasks(|tasks, world| {
        for y in [0.5, 3.0] {
            tasks.create_world_object(world, 2, &Creation::at(Vec3::Y * y)).unwrap();
        }
        objects::update(world, tasks);
        assert_eq!((tasks.objects.pool.count(), world.state.money), (1, [20, 0]));
    });
}

#[test]
fn a_pane_falls_in_splinters_over_its_face() {
    let mut game = with_types();
    game.with_tasks(|tasks, world| {
        let view = world.view(0).unwrap();
        let splinters = |tasks: &mut TaskEngine, world: &mut GameWorld<'_, FakeMachine>, ahead: f32| {
            let before = tasks.particles[0].count();
            let at = view.position + view.forward * ahead;
            let id = tasks.create(world, TaskClass::Pane, 9, &Creation::at(at)).unwrap();
            assert!(!tasks.damage_pane(world, id, 9) && tasks.damage_pane(world, id, 1));
            tasks.particles[0].count() - before
        };
        // Two square metres, and the one that the engine makes itself.
        assert_eq!(
            [8.0, 20.0, -8.0].map(|ahead| splinters(tasks, world, ahead)),
            [19, 0, 0],
            "near and seen, far, behind"
        );
        while tasks.particles[0].has_room() {
            tasks.create(world, TaskClass::Particle, PUFF, &Creation::at(Vec3::ZERO)).unwrap();
        }
        assert_eq!(splinters(tasks, world, 8.0), 0, "the last 512 are not for effects");
    });
}

#[test]
fn a_damaged_car_smokes_where_that_is_seen_from_near() {
    use crate::tasks::engine::number::CAR_DAMAGE;
    use crate::tasks::message::Argument;
    let mut game = with_types();
    game.things.kinds.push(ParticleKind { name: name_hash("car_smoke"), ..kinds()[0] }).unwrap();
    game.with_tasks(|tasks, world| {
        let view = world.view(0).unwrap();
        let vent = tasks.manager.head(TaskId::new(TaskClass::Particle, 0)).unwrap().handle;
        let smoke = [8.0, 20.0, -8.0].map(|ahead| {
            let before = tasks.particles[0].count();
            let at = view.position + view.forward * ahead;
            // What is asked of the car is where it is.
            let car = tasks.create_world_object(world, 0, &Creation::at(at)).unwrap();
            let car = tasks.manager.head(car).unwrap().handle;
            let arguments = [Argument::Handle(car), Argument::Vec4([0.0, 0.0, 0.0, 1.0]), Argument::Int(0)];
            tasks.send_message(world, vent, CAR_DAMAGE, &arguments).unwrap();
            tasks.particles[0].count() - before
        });
        assert_eq!(smoke, [1, 0, 0], "near and seen, far, behind");
    });
}

#[test]
fn a_flickering_lamp_goes_up_and_down_without_end_and_keeps_some_light() {
    use crate::graphics::light::Lamp;
    let mut game = with_vent(5.0);
    let lamp = Lamp { position: Vec3::Z * 3.0, colour: Vec3::splat(2.0), reach: 3.0 };
    assert_eq!(game.with_tasks(|tasks, world| flicker::make(world, tasks, &[lamp])), Some(1));
    let id = TaskId::new(TaskClass::Light, 0);
    let (mut low, mut high, mut turns, mut last, mut rising) = (1.0_f32, 0.0_f32, 0, 1.0, false);
    for _ in 0..600 {
        run(&mut game, 1);
        let level = game.tasks.as_deref().unwrap().light(id).unwrap().level;
        (low, high) = (low.min(level), high.max(level));
        turns += u32::from((level > last) != rising && level != last);
        rising = if level == last { rising } else { level > last };
        last = level;
    }
    assert!(low < 0.1 && high > 0.9 && turns > 15, "{low} {high} {turns}");
}

/// A floor, and a door's two faces across it at y = 1.
fn mesh_with_door() -> crate::collision::CollisionMesh {
    use crate::collision::TriangleFlags;
    use crate::collision::build::{SourceTriangle, build_fitting};
    let p = Vec3::new;
    let floor = [p(-9.0, -9.0, 0.0), p(9.0, -9.0, 0.0), p(9.0, 9.0, 0.0), p(-9.0, 9.0, 0.0)];
    let front = [p(0.0, 0.97, 0.0), p(1.1, 0.97, 0.0), p(1.1, 0.97, 2.2), p(0.0, 0.97, 2.2)];
    let back = [p(1.1, 1.03, 0.0), p(0.0, 1.03, 0.0), p(0.0, 1.03, 2.2), p(1.1, 1.03, 2.2)];
    let vertices = [floor, front, back].concat();
    let leaf = TriangleFlags::DOOR.with(TriangleFlags::DOOR_LEAF);
    let triangles: Vec<SourceTriangle> = (0..3_u32)
        .flat_map(|quad| {
            let flags = if quad == 0 { TriangleFlags::default() } else { leaf };
            let first = quad * 4;
            [[0, 1, 2], [0, 2, 3]].map(|corners| SourceTriangle {
                corners: corners.map(|corner: u32| first + corner),
                flags,
                material: 0,
                area: 0,
            })
        })
        .collect();
    build_fitting(&vertices, &triangles).unwrap()
}

#[test]
fn a_door_opens_for_who_comes_lets_them_through_and_shuts_behind_them() {
    use crate::collision::{Ray, RayFilter};
    use crate::physics::create::ObjectShape;
    use crate::tasks::objects::types::ObjectType;
    let mut game = with_types();
    let shape = ObjectShape::Box { size: Vec3::new(1.1, 0.06, 2.2), centre: Vec3::new(0.55, 0.0, 1.1) };
    let tasks = game.tasks.as_deref_mut().unwrap();
    tasks.objects.types.add(ObjectType { shape, ..ObjectType::named("door_wood", 15) }).unwrap();
    let mut level = super::super::level::Level::yard(super::super::missions::Place::Yard);
    if let Some((mesh, _)) = &mut level.built_in {
        *mesh = mesh_with_door();
    }
    game.level = Some(Box::new(level));
    game.walker.position = Vec3::new(0.5, -6.0, 0.0);
    game.with_tasks(|tasks, world| tasks.create_world_object(world, 3, &Creation::at(Vec3::Y)).unwrap());
    assert_eq!(game.things.doors.triangle_count(), 4);
    let passes = |game: &mut FakeGame| {
        let (mesh, _) = game.level.as_deref_mut().unwrap().built_in.as_mut().unwrap();
        let ray = Ray { origin: Vec3::new(0.5, -3.0, 1.0), direction: Vec3::Y, length: 6.0 };
        mesh.cast(&ray, &RayFilter::default()).hit.is_none()
    };
    let wait = |game: &mut FakeGame| {
        for _ in 0..60 {
            run(game, 4);
            game.with_tasks(|tasks, world| objects::update(world, tasks));
        }
    };
    wait(&mut game);
    assert!(!passes(&mut game), "nobody is near");
    game.walker.position.y = 0.0;
    wait(&mut game);
    assert!(passes(&mut game));
    game.walker.position.y = 7.0;
    wait(&mut game);
    assert!(!passes(&mut game));
    assert_eq!((game.machine.said("DOOR 0 opens"), game.machine.said("DOOR 0 shuts")), (1, 1));
}

#[test]
fn motes_that_nobody_sees_are_updated_less_often_and_live_as_long() {
    let mut game = with_vent(5.0);
    let look = |game: &mut FakeGame, towards: Vec3| {
        game.things.look_from(&[Camera::towards(Vec3::Z * 1.7, towards, 470.0)]);
        run(game, 90);
        let tasks = game.tasks.as_deref().unwrap();
        let interval = |slot| tasks.manager.head(TaskId::new(TaskClass::Particle, slot)).map(|head| head.interval);
        let slots = tasks.particles[0].pool.live_slots();
        (slots.filter_map(interval).max(), (9..=11).contains(&motes(game)))
    };
    assert_eq!(look(&mut game, -Vec3::Y), (Some(8), true));
    assert_eq!(look(&mut game, Vec3::new(0.0, 5.0, 1.0)), (Some(2), true));
}

#[test]
fn what_comes_to_lie_is_on_the_ground_to_its_end_and_everything_else_falls_through_it() {
    use super::super::characters_tests::level;
    let (lies, falls) = (name_hash("lies"), name_hash("falls"));
    let mut game = level();
    let kind =
        ParticleKind { interval: 2, life: [5.0, 5.0], weight: 9.8, speed: [3.0, 3.0], spread: 0.8, ..kinds()[0] };
    game.things.learn(ParticleKind { name: lies, flags: particle_flag::LEAF | particle_flag::LANDS, ..kind });
    game.things.learn(ParticleKind { name: falls, flags: particle_flag::LEAF, ..kind });
    let ids = [lies, falls].map(|name| {
        let at = Creation::at(Vec3::new(5.0, 5.0, 1.5));
        game.with_tasks(|tasks, world| tasks.create(world, TaskClass::Particle, name, &at).unwrap()).unwrap()
    });
    run(&mut game, 120);
    let place = |game: &FakeGame, id| game.tasks.as_deref().unwrap().manager.head(id).unwrap().clone();
    let [lying, falling] = ids.map(|id| place(&game, id));
    assert!((0.0..0.05).contains(&lying.position.z), "on the floor: {:?}", lying.position);
    assert!(falling.position.z < -2.0, "{:?}", falling.position);
    assert!(!lying.has(flag::PROBES_LANDING | flag::LANDING_AHEAD) && !lying.moves());
    run(&mut game, 60);
    assert_eq!(place(&game, ids[0]).position, lying.position, "it lies still");
    run(&mut game, 180);
    assert!(!game.tasks.as_deref().unwrap().is_live(ids[0]), "and goes as all do");
}
