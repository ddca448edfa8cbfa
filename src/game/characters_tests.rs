//! People in the whole game, on a console of memory: their handles, what they hear, where they walk, what their step shows.

use super::characters::People;
use super::characters_draw::Models;
use super::characters_story::gang;
use super::fake::{FakeGame, game};
use super::missions::Play;
use super::world::GameWorld;
use crate::ai::{Brains, Goal, Temper};
use crate::animation::clip::flag;
use crate::animation::events::kind as clip_event;
use crate::animation::testing::{clip, clips};
use crate::boot::start::StartHost as _;
use crate::file_io::fake::{Disc, FakeDevice};
use crate::game_modes::GameplayHost as _;
use crate::human::{Cast, Humans, Notice, Spawn};
use crate::maths::Vec3;
use crate::physics::create::ObjectShape;
use crate::tasks::boxes::LevelBox;
use crate::tasks::engine::{Creation, TaskEngine};
use crate::tasks::handle::{Handle, Kind, Target};
use crate::tasks::humans::events::{Event, kind};
use crate::tasks::humans::gates::state;
use crate::tasks::humans::step::{Characters as _, Condition, Switch, humans_update};
use crate::tasks::ids::{TaskClass, TaskId};
use crate::tasks::message::Argument;
use crate::tasks::names::name_hash;
use crate::tasks::objects::types::{ObjectType, Touch};
use crate::tasks::world::World as _;
use crate::world::chunks::{Path, Thing, ThingKind};
use crate::world::{self, kinds::ParticleKind};
use std::boxed::Box;
use std::vec::Vec;

/// The attack of those who strike here.
const ATTACK: u16 = 12;

/// Metres that a clip carries: of the stance's walk, and of sneak to sprint.
fn carries(id: u16) -> f32 {
    match id {
        372 => 3.0,
        407 => 1.2,
        408 => 1.6,
        409 => 4.0,
        410 => 7.0,
        411 => 10.0,
        _ => 0.0,
    }
}

fn library() -> Vec<crate::animation::write::NewClip> {
    let events = [(1, clip_event::WARNING)];
    let list = Cast::IDS.iter().filter(|id| **id != ATTACK);
    let mut list: Vec<_> = list.map(|id| clip(*id, flag::CONTINUOUS, 30, carries(*id), 0.0, &[])).collect();
    list.push(clip(ATTACK, 0, 30, 0.0, 0.0, &events));
    for (id, event) in [(317, clip_event::TAKE), (653, clip_event::RELEASE), (105, clip_event::ALL_ON)] {
        list.retain(|clip| clip.id != id);
        list.push(clip(id, 0, 30, 0.0, 0.0, &[(3, event)]));
    }
    // Off the feet, from each side.
    list.extend((296..300).map(|id| clip(id, 0, 30, 0.0, 0.0, &[])));
    list
}

fn thing(kind: ThingKind, name: &str, x: f32, y: f32) -> Thing {
    Thing { kind, name: name_hash(name), position: Vec3::new(x, y, 0.0), heading: 0.0, half: Vec3::splat(1.0) }
}

/// A game in the small level, with the player's human at its start and a ring that is called `stroll`.
pub(super) fn level() -> Box<FakeGame> {
    let mut game = with_people();
    game.modes.last = Some(Play::Mission(0));
    game.load_level();
    assert_eq!(people(&mut game).humans.player(0), Some(0));
    game
}

/// A game with people whose disc has the small level as its yard.
pub(super) fn with_people() -> Box<FakeGame> {
    let things = [
        thing(ThingKind::Flag, "civilian_2", 6.0, 5.0),
        thing(ThingKind::Volume, "somewhere", 9.0, 9.0),
        thing(ThingKind::Turf, "ours", 3.0, 3.0),
    ];
    let ring = [[5.0, 5.0], [7.0, 5.0], [7.0, 7.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let ways = Path::write(name_hash("stroll"), true, 1.0, &ring);
    let file = world::small_level_with(&things, &ways);
    let disc: &'static Disc = Box::leak(Box::new(Disc::of(&[("yard.lev", file)])));
    let mut game = game();
    game.initialize_subsystems().unwrap();
    game.files.system = Some(disc.files(FakeDevice::new(disc)));
    let humans = Humans::new(clips(&library()), crate::combat::FightTable::built_in().unwrap()).unwrap();
    game.people = Some(Box::new(People::new(humans, Brains::new(), Models::new(Vec::new()))));
    game
}

pub(super) fn people(game: &mut FakeGame) -> &mut People {
    game.people.as_deref_mut().unwrap()
}

fn tasks(game: &FakeGame) -> &TaskEngine {
    game.tasks.as_deref().unwrap()
}

pub(super) fn with<T>(
    game: &mut FakeGame,
    work: impl FnOnce(&mut TaskEngine, &mut GameWorld<'_, super::fake::FakeMachine>) -> T,
) -> T {
    game.with_tasks(work).unwrap()
}

/// So many steps of the characters.
pub(super) fn steps(game: &mut FakeGame, count: usize) {
    for _ in 0..2 * count {
        with(game, |tasks, world| humans_update(tasks, world));
    }
}

pub(super) fn come(game: &mut FakeGame, x: f32, y: f32, gang: u8) -> Option<usize> {
    let spawn = Spawn { position: Vec3::new(x, y, 0.0), gang, ..Spawn::default() };
    with(game, |tasks, world| {
        let (people, physics) = (world.people.as_deref_mut()?, world.physics.as_deref_mut()?);
        people.spawn(spawn, tasks, physics)
    })
}

/// Somebody with a brain.
pub(super) fn mind(game: &mut FakeGame, x: f32, y: f32, gang: u8, temper: Temper) -> usize {
    let n = come(game, x, y, gang).unwrap();
    people(game).brains.enable(n, temper, Goal::Idle);
    n
}

fn hear(game: &mut FakeGame, human: usize, kind: u16, sender: usize) {
    with(game, |tasks, world| {
        let sender = tasks.human_handle(sender as u16);
        world.hand_event(tasks, human, &Event { kind, sender });
    });
}

#[test]
fn everything_in_the_level_has_its_handle_from_the_start_of_its_kind() {
    let mut game = level();
    let first = Kind::ALL.map(|kind| tasks(&game).handles.first_of(kind));
    assert_eq!(first, [Some(0), Some(60), Some(108), Some(620), None]);
    let line = "HANDLES Human 0 Camera 60 Flag 108 Box 620 Cursor none live 6 paths 1";
    assert_eq!(game.machine.said(line), 1, "{:?}", game.machine.log);
    let brick = with(&mut game, |tasks, world| {
        assert!(super::rules::drop_brick(world, tasks, Vec3::new(9.0, 9.0, 1.0), Vec3::ZERO));
        tasks.handles.first_of(Kind::Cursor)
    });
    assert_eq!(brick, Some(748));
    let camera = tasks(&game).camera();
    assert_eq!((tasks(&game).handles.resolve(camera), camera.index()), (Some(Target::Camera(0)), 60));
    let human = tasks(&game).human_handle(0);
    people(&mut game).humans.people[0].position.x = 4.0;
    steps(&mut game, 1);
    let (at, body) = (people(&mut game).humans.people[0].position, tasks(&game).manager.transform(human.index()));
    assert_eq!(body.map(|pose| pose.position), Some(at), "the handle's transform follows the human");
    assert_eq!((tasks(&game).rtti(human), tasks(&game).rtti(camera)), (0x60, 0x200));
    let _left = game.with_tasks(super::characters_load::reset);
    assert_eq!([human, camera].map(|handle| tasks(&game).handles.resolve(handle)), [None; 2], "all of it goes again");
    assert_eq!(Kind::ALL[..2].iter().filter_map(|kind| tasks(&game).handles.first_of(*kind)).count(), 0);
}

#[test]
fn the_levels_own_numbers_size_flags_boxes_and_spawn_records() {
    let mut game = level();
    assert_eq!(game.machine.said("SIZES flags 6 volumes 1 players 0 turfs 1 records 501"), 1, "{:?}", game.machine.log);
    let boxes = &mut game.tasks.as_deref_mut().unwrap().boxes;
    assert_eq!(boxes.refusals(), [0; 4]);
    let mut handles = crate::tasks::handle::HandleTable::new();
    assert!(boxes.add_box(&mut handles, 0, Default::default()).is_nil(), "the level placed as many as it said");
}

#[test]
fn a_level_without_people_has_a_camera_all_the_same() {
    let mut game = game();
    game.initialize_subsystems().unwrap();
    game.load_level();
    assert_eq!(tasks(&game).camera().index(), 60);
}

#[test]
fn the_61st_human_takes_the_place_of_the_corpse_furthest_away_and_nobody_remembers_that_one() {
    let mut game = level();
    let mut last = 0;
    while people(&mut game).humans.present().count() < 60 {
        let at = people(&mut game).humans.present().count() as f32;
        last = come(&mut game, 1.0 + at * 0.5, 20.0, gang::GULLS).unwrap();
    }
    assert_eq!(come(&mut game, 1.0, 1.0, gang::GULLS), None, "there is nobody to make room");
    assert_eq!((last, tasks(&game).human_refusals), (59, 1));
    for n in [10, 40] {
        people(&mut game).humans.people[n].state |= state::DEAD;
        people(&mut game).humans.people[5].fight.target = Some(n as u8);
    }
    people(&mut game).brains.enable(6, Temper::Fighter, Goal::Follow { leader: 40, place: 0 });
    people(&mut game).brains.enable(40, Temper::Fighter, Goal::Idle);
    with(&mut game, |tasks, _| tasks.humans.records.set_command(40, 0xf));
    let corpse = tasks(&game).human_handle(40);
    assert_eq!(come(&mut game, 2.0, 2.0, gang::WALKERS), Some(40));
    let new = tasks(&game).human_handle(40);
    assert_eq!((tasks(&game).human_of(corpse), tasks(&game).human_of(new)), (None, Some(40)));
    let record = tasks(&game).humans.records.command(40);
    let people = people(&mut game);
    assert_eq!((people.humans.people[5].fight.target, people.brains.goal(6), record), (None, Goal::Idle, 0));
    assert!(!people.brains.brains[40].enabled && people.humans.people[40].spawn.gang == gang::WALKERS);
    assert!(people.humans.people[10].is_dead(), "one is enough");
}

#[test]
fn a_message_reaches_the_live_human_before_the_senders_next_line() {
    let mut game = level();
    let coward = mind(&mut game, 3.0, 3.0, gang::WALKERS, Temper::Coward);
    let (answers, warned) = with(&mut game, |tasks, world| {
        let [player, coward] = [0, coward as u16].map(|n| tasks.human_handle(n));
        let mut send = |number, sender| tasks.send_message(world, coward, number, &[Argument::Handle(sender)]);
        let answers = [send(0xa4, player), send(0x33, player), send(0xa4, Handle::NIL), send(0xa5, player)];
        (answers, world.people.as_deref().unwrap().humans.people[usize::from(tasks.human_of(coward).unwrap())].fight)
    });
    assert_eq!(answers, [Ok(1), Ok(0), Ok(0), Ok(1)], "a warning of nobody means nothing");
    assert_eq!((warned.warned_by, warned.open), (Some(0), Some(0)));
    assert_eq!(people(&mut game).brains.brains[coward].afraid.map(|(of, _)| of), Some(0), "it is event 0x10 too");
    (0..5).for_each(|_| steps(&mut game, 1));
    assert_eq!(people(&mut game).brains.goal(coward), Goal::Flee { from: 0 });
}

#[test]
fn an_attacks_clip_warns_its_target_within_the_attackers_own_step() {
    let mut game = level();
    let rival = come(&mut game, 1.0, 3.0, gang::GULLS).unwrap();
    people(&mut game).humans.attack(rival, ATTACK);
    people(&mut game).humans.people[rival].fight.target = Some(0);
    for _ in 0..4 {
        with(&mut game, |tasks, world| world.animate(tasks, rival));
    }
    assert_eq!(people(&mut game).humans.people[0].fight.warned_by, Some(rival as u8));
    assert_eq!(tasks(&game).messages.depth(), 0);
}

#[test]
fn a_blow_is_a_new_enemy_to_the_gang_and_violence_to_who_is_near() {
    let mut game = level();
    let struck = mind(&mut game, 2.0, 3.0, gang::GULLS, Temper::Fighter);
    let friend = mind(&mut game, 2.0, 21.0, gang::GULLS, Temper::Fighter);
    let [near, far] = [8.0, 30.0].map(|y| mind(&mut game, 2.0, y, gang::WALKERS, Temper::Coward));
    let looks = mind(&mut game, 6.0, 3.0, gang::WALKERS, Temper::Civilian);
    people(&mut game).humans.strikes(0, struck as u8);
    with(&mut game, |tasks, world| world.update_state(tasks, 0));
    let people = people(&mut game);
    assert!(people.humans.blows.is_empty(), "told of before the next human's turn");
    assert_eq!(people.brains.gangs.get(gang::GULLS.into()).unwrap().target, Some(0));
    let afraid = [near, far].map(|n| people.brains.brains[n].afraid.is_some());
    assert_eq!((afraid, people.brains.brains[looks].pause > 0), ([true, false], true));
    (0..5).for_each(|_| steps(&mut game, 1));
    let people = game.people.as_deref().unwrap();
    assert_eq!(people.brains.goal(friend), Goal::Attack { target: 0 }, "further than it sees, but told of");
    assert_eq!(people.brains.goal(far), Goal::Idle);
}

#[test]
fn a_noise_makes_people_look_and_a_crime_is_feared_for_its_culprit() {
    let mut game = level();
    let coward = mind(&mut game, 3.0, 9.0, gang::WALKERS, Temper::Coward);
    let civilian = mind(&mut game, 6.0, 9.0, gang::WALKERS, Temper::Civilian);
    let rival = mind(&mut game, 6.0, 6.0, gang::GULLS, Temper::Fighter);
    let brain = |game: &mut FakeGame, n: usize| people(game).brains.brains[n];
    let at = Vec3::new(4.0, 8.0, 0.0);
    with(&mut game, |tasks, world| world.noise(tasks, at + Vec3::X * 30.0, TaskId::NONE));
    assert_eq!([coward, civilian].map(|n| brain(&mut game, n).pause), [0, 0], "out of earshot");
    with(&mut game, |tasks, world| world.noise(tasks, at, TaskId::NONE));
    assert_eq!([coward, civilian, rival].map(|n| brain(&mut game, n).pause > 0), [true, true, false]);
    with(&mut game, |tasks, world| world.crime(tasks, at, tasks.human_handle(0)));
    assert_eq!([coward, civilian].map(|n| brain(&mut game, n).afraid.map(|(of, _)| of)), [Some(0), None]);
}

#[test]
fn gangs_take_their_turn_in_one_step_of_five_and_forget_an_enemy_in_thirty() {
    let mut game = level();
    let far_off = come(&mut game, 30.0, 30.0, gang::GULLS).unwrap();
    for slot in 0..32 {
        people(&mut game).brains.gangs.get_mut(slot).unwrap().hear_of(far_off as u8);
    }
    steps(&mut game, 1);
    let turned =
        |game: &mut FakeGame| (0..32).filter(|slot| people(game).brains.gangs.get(*slot).unwrap().alarm < 30).count();
    let once = turned(&mut game);
    assert!((6..=7).contains(&once), "{once} of 32");
    steps(&mut game, 4);
    assert_eq!(turned(&mut game), 32);
    steps(&mut game, 150);
    assert!((0..32).all(|slot| people(&mut game).brains.gangs.get(slot).unwrap().target.is_none()));
}

#[test]
fn the_player_leads_a_gang_whose_enemies_the_level_sets_once() {
    let mut game = level();
    let gang = |game: &mut FakeGame, slot: u8| *people(game).brains.gangs.get(slot.into()).unwrap();
    assert_eq!((gang(&mut game, gang::PLAYER).leader, gang(&mut game, gang::PLAYER).enemies), (Some(0), 0b110));
    assert_eq!([gang::DOCKERS, gang::GULLS].map(|slot| gang(&mut game, slot).enemies), [1, 1]);
}

#[test]
fn a_civilian_walks_the_levels_path_from_point_to_point() {
    let mut game = level();
    with(&mut game, |tasks, world| world.update_game_state(tasks));
    assert_eq!((people(&mut game).humans.present().count(), people(&mut game).brains.paths.count()), (2, 1));
    let mut points = Vec::new();
    for _ in 0..600 {
        steps(&mut game, 1);
        match people(&mut game).brains.goal(1) {
            Goal::Path { path: 0, point } => points.push(point),
            goal => panic!("{goal:?}"),
        }
        points.dedup();
    }
    assert!(points.starts_with(&[1, 2, 0, 1]), "round and round: {points:?}");
}

#[test]
fn nobody_goes_on_along_a_shut_path() {
    let mut game = level();
    with(&mut game, |tasks, world| {
        world.update_game_state(tasks);
        world.set_nav_link(name_hash("stroll"), false);
    });
    steps(&mut game, 60);
    let stood = people(&mut game).humans.people[1].position;
    steps(&mut game, 60);
    assert!((people(&mut game).humans.people[1].position - stood).length() < 0.01);
    with(&mut game, |_, world| world.set_nav_link(name_hash("stroll"), true));
    steps(&mut game, 240);
    assert!((people(&mut game).humans.people[1].position - stood).length() > 0.5);
}

#[test]
fn whose_goals_ran_out_hears_of_it_and_walks_about() {
    let mut game = level();
    let n = mind(&mut game, 5.0, 5.0, gang::WALKERS, Temper::Civilian);
    people(&mut game).brains.goals.clear(n);
    steps(&mut game, 1);
    assert!(matches!(people(&mut game).brains.goal(n), Goal::Wander { .. }));
    assert_eq!(people(&mut game).brains.goals.count(), 1);
}

#[test]
fn the_story_hears_before_the_brain_so_that_a_runner_runs_and_does_not_flee() {
    let mut game = level();
    let n = mind(&mut game, 5.0, 5.0, gang::GULLS, Temper::Coward);
    people(&mut game).story.let_run(n as u8, &[Vec3::new(5.0, 5.0, 0.0), Vec3::new(5.0, 15.0, 0.0)]);
    hear(&mut game, n, kind::VIOLENCE, 0);
    assert!(matches!(people(&mut game).brains.usual(n), Goal::MoveTo { .. }));
    assert_eq!(people(&mut game).brains.brains[n].afraid, None);
}

/// The kinds that the characters' step makes.
fn learn_drift(game: &mut FakeGame) {
    for name in ["breath", "fog_bank", "litter_leaf", "rain_splash"] {
        let kind = ParticleKind { name: name_hash(name), interval: 2, life: [60.0, 60.0], ..ParticleKind::default() };
        game.things.learn(kind);
    }
}

fn particles(game: &FakeGame, name: &str) -> usize {
    let pool = &tasks(game).particles[0].pool;
    pool.live_slots().filter(|slot| pool.get(*slot).is_some_and(|record| record.name == name_hash(name))).count()
}

#[test]
fn litter_fog_and_rain_come_before_the_camera_while_each_is_on_and_there_is_room() {
    let mut game = level();
    learn_drift(&mut game);
    // From the corner of the floor over all of it.
    people(&mut game).teleport(0, Vec3::new(3.0, 6.0, 0.0), 0.6);
    with(&mut game, |tasks, _| tasks.humans.set_switch(Switch::HumanEffects, false));
    steps(&mut game, 200);
    let drifting = |game: &FakeGame| ["litter_leaf", "fog_bank", "rain_splash"].map(|name| particles(game, name));
    assert_eq!(drifting(&game), [0; 3], "nothing is on");
    with(&mut game, |tasks, _| tasks.effects.start_garbage());
    steps(&mut game, 200);
    let [litter, fog, rain] = drifting(&game);
    assert!((3..=10).contains(&litter) && (fog, rain) == (0, 0), "{litter} {fog} {rain}");
    with(&mut game, |tasks, _| {
        tasks.effects.end_garbage();
        tasks.effects.enable_ground_fog(true);
        tasks.effects.rain = true;
    });
    steps(&mut game, 180);
    let now = drifting(&game);
    assert!(now[0] == litter && (1..=2).contains(&now[1]) && now[2] > 200, "{now:?}");
    let view = with(&mut game, |_, world| world.view(0)).unwrap();
    let pool = &tasks(&game).particles[0].pool;
    for slot in pool.live_slots() {
        let head = tasks(&game).manager.head(TaskId::new(TaskClass::Particle, slot)).unwrap();
        let off = head.position - view.position;
        assert!(off.length() <= 15.5 && off.dot(view.forward) > 0.0, "{off:?}");
    }
    steps(&mut game, 600);
    assert_eq!(tasks(&game).particles[0].pool.room(), 512, "the last 512 are not for effects");
    with(&mut game, |tasks, world| {
        tasks.kill_particles_in_range(world, view.position, 50.0);
        tasks.humans.set_switch(Switch::Effects, false);
    });
    steps(&mut game, 30);
    assert_eq!(drifting(&game), [0; 3], "its switch turns it off");
}

#[test]
fn it_rains_only_in_the_boxes_of_a_level_that_has_some() {
    let mut game = level();
    learn_drift(&mut game);
    people(&mut game).teleport(0, Vec3::new(3.0, 6.0, 0.0), 0.6);
    with(&mut game, |tasks, _| {
        tasks.humans.set_switch(Switch::HumanEffects, false);
        tasks.effects.rain = true;
        let half = Vec3::new(2.0, 2.0, 3.0);
        let rain = LevelBox { centre: Vec3::new(8.0, 12.0, 0.0), half, name: name_hash("rain"), ..LevelBox::default() };
        // The level has room for as many boxes as it places.
        let placed: Vec<_> = tasks.boxes.level_boxes().map(|own| own.handle).collect();
        assert!(placed.into_iter().all(|handle| tasks.boxes.remove(&mut tasks.handles, handle)));
        assert!(!tasks.boxes.add_box(&mut tasks.handles, 0, rain).is_nil());
    });
    steps(&mut game, 180);
    let wet = particles(&game, "rain_splash");
    assert!(wet > 10, "{wet} splashes");
    let pool = &tasks(&game).particles[0].pool;
    for slot in pool.live_slots() {
        let at = tasks(&game).manager.head(TaskId::new(TaskClass::Particle, slot)).unwrap().position;
        assert!((at.x - 8.0).abs() <= 2.0 && (at.y - 12.0).abs() <= 2.0, "{at:?}");
    }
}

#[test]
fn people_before_the_camera_breathe_and_those_who_are_out_do_not() {
    let mut game = level();
    learn_drift(&mut game);
    people(&mut game).teleport(0, Vec3::new(5.0, 5.0, 0.0), 0.0);
    steps(&mut game, 100);
    let alone = particles(&game, "breath");
    let n = come(&mut game, 5.0, 9.0, gang::WALKERS).unwrap();
    steps(&mut game, 100);
    let both = particles(&game, "breath");
    assert!(alone > 0 && both > 2 * alone, "{alone} {both}");
    people(&mut game).humans.people[n].state |= state::DEAD;
    people(&mut game).humans.people[0].state |= state::DEAD;
    steps(&mut game, 200);
    assert_eq!(particles(&game, "breath"), both);
}

#[test]
fn a_human_without_a_clip_or_a_body_is_not_updated() {
    let mut game = level();
    let n = come(&mut game, 5.0, 5.0, gang::WALKERS).unwrap();
    let ready = |game: &mut FakeGame| with(game, |_, world| (world.condition(n), world.state_is_ready(n)));
    assert_eq!(ready(&mut game), (Condition::Active, true));
    people(&mut game).humans.people[n].velocity = Vec3::X;
    let Humans { people: all, pool, .. } = &mut people(&mut game).humans;
    all[n].stack.clear(pool, &mut all[n].held);
    assert_eq!(ready(&mut game), (Condition::Active, false));
    let before = people(&mut game).humans.people[n].position;
    with(&mut game, |tasks, _| {
        tasks.humans.set_switch(Switch::Actions, false);
        tasks.humans.set_switch(Switch::Brains, false);
    });
    steps(&mut game, 5);
    assert_eq!(people(&mut game).humans.people[n].position, before);
    let body = people(&mut game).humans.people[n].body.take();
    assert!(body.is_some() && !ready(&mut game).1);
    people(&mut game).humans.people[n].body = body;
}

#[test]
fn what_happened_is_told_once_whatever_steps_are_off() {
    let mut game = level();
    let n = come(&mut game, 5.0, 5.0, gang::GULLS).unwrap();
    for (off, frames) in [(Switch::Effects, 4), (Switch::Animation, 4), (Switch::Cameras, 4)] {
        with(&mut game, |tasks, _| tasks.humans.set_switch(off, false));
        let before = game.state.statistics.knocked_out;
        people(&mut game).humans.notify(Notice::Down { human: n as u8, dead: true });
        for _ in 0..frames {
            // Two pairs in one frame.
            steps(&mut game, 2);
            with(&mut game, |tasks, world| world.update_game_state(tasks));
        }
        assert_eq!(game.state.statistics.knocked_out - before, 1, "{off:?}");
        assert!(people(&mut game).humans.notices.is_empty());
    }
}

#[test]
fn whose_record_skips_actions_does_not_walk() {
    let mut game = level();
    let walked = [(2.0, false), (4.0, true), (6.0, false)].map(|(x, skips)| {
        let n = come(&mut game, x, 2.0, gang::WALKERS).unwrap();
        with(&mut game, |tasks, _| tasks.humans.records.get_mut(n).unwrap().skip_actions = skips);
        // The start clip, which carries nobody here, and some of the walk behind it.
        (0..60).for_each(|_| {
            people(&mut game).humans.people[n].asked.gait = 2;
            steps(&mut game, 1);
        });
        people(&mut game).humans.people[n].position.y - 2.0
    });
    assert!(walked[0] > 0.01 && walked[1] == 0.0 && walked[2] > 0.01, "{walked:?}");
}

/// A type of things, and one of them at a place.
fn place(game: &mut FakeGame, kind: ObjectType, x: f32, y: f32) -> Handle {
    with(game, |tasks, world| {
        let kind = tasks.objects.types.add(kind).unwrap();
        tasks.objects.types.resolve_names();
        let id = tasks.create_world_object(world, kind, &Creation::at(Vec3::new(x, y, 0.0))).unwrap();
        tasks.manager.head(id).unwrap().handle
    })
}

#[test]
fn doors_open_for_players_alone() {
    let mut game = level();
    let shape = ObjectShape::Box { size: Vec3::new(1.1, 0.06, 2.2), centre: Vec3::new(0.55, 0.0, 1.1) };
    let door = place(&mut game, ObjectType { shape, ..ObjectType::named("door_wood", 15) }, 8.0, 2.0);
    assert!(come(&mut game, 8.5, 2.5, gang::WALKERS).unwrap() < 2, "in a place that could be a second player's");
    let is_open = |game: &mut FakeGame| {
        with(game, |tasks, world| {
            world.update_game_state(tasks);
            tasks.is_door_open(door)
        })
    };
    assert!(!is_open(&mut game));
    people(&mut game).teleport(0, Vec3::new(8.5, 2.9, 0.0), 0.0);
    assert!(is_open(&mut game));
}

#[test]
fn what_a_player_takes_is_the_players_whichever_human_it_is() {
    let mut game = level();
    let n = come(&mut game, 9.0, 2.0, gang::PLAYER).unwrap();
    let people = &mut people(&mut game).humans.people;
    (people[0].spawn.player, people[n].spawn.player) = (Some(1), Some(0));
    place(&mut game, ObjectType { touch: Touch::Item, ..ObjectType::named("money", 5) }, 9.0, 2.0);
    with(&mut game, |tasks, world| world.update_game_state(tasks));
    assert_eq!(game.state.money, [20, 0]);
}

#[test]
fn a_level_finds_the_people_as_the_first_one_did() {
    let mut game = level();
    steps(&mut game, 37);
    let humans = &mut people(&mut game).humans;
    assert!(humans.now > 0 && humans.camera_heading.len() > 1);
    (humans.swap, humans.camera_heading[1]) = (Some((0, 1)), 1.0);
    humans.strikes(0, 1);
    with(&mut game, super::characters_load::reset);
    let humans = &people(&mut game).humans;
    assert_eq!((humans.now, humans.swap, humans.camera_heading), (0, None, [0.0; 2]));
    assert!(humans.blows.is_empty() && humans.deeds.is_empty() && humans.notices.is_empty());
}
