//! What people's bodies do to one another and to things, in the whole game on a console of memory.

use super::characters_story::gang;
use super::characters_tests::{come, level, mind, people, with};
use super::characters_things_tests::{PLACE, STRUCK, boxed, make, stand};
use super::fake::FakeGame;
use crate::ai::Temper;
use crate::combat::attacks;
use crate::combat::commands::command;
use crate::human::numbers::{RUN, state};
use crate::maths::Vec3;
use crate::physics::constants::IMMOVABLE;
use crate::physics::create::ObjectShape;
use crate::tasks::engine::Creation;
use crate::tasks::glass::GlassType;
use crate::tasks::humans::gates::state as gate_state;
use crate::tasks::humans::records::PadInput;
use crate::tasks::humans::step::{Characters as _, Switch, humans_update};
use crate::tasks::ids::TaskClass;
use crate::tasks::objects::spawn::SpawnRecord;
use crate::tasks::objects::types::ObjectType;
use crate::tasks::owners::TaskOwners;
use crate::tasks::world::World as _;
use std::vec::Vec;

#[test]
fn who_charges_into_two_people_in_one_move_strikes_each_and_each_once() {
    // The feet's spheres reach nobody's spine or head: what strikes here is the body.
    const FOOT: u64 = 1 << 33;
    let mut game = level();
    stand(&mut game);
    // The way leads into the one and, along him, into the other.
    let rivals = [(5.3, 5.8), (4.45, 5.55)].map(|(x, y)| come(&mut game, x, y, gang::GULLS).unwrap());
    let full = rivals.map(|n| people(&mut game).humans.people[n].health);
    let damage = people(&mut game).humans.table.find(attacks::CHARGE).unwrap().damage;
    // Their bodies are where they are from their first step on.
    rivals.iter().for_each(|n| with(&mut game, |tasks, world| world.update_state(tasks, *n)));
    let update = |game: &mut FakeGame| with(game, |tasks, world| world.update_state(tasks, 0));
    // Under way: it steers at nobody any more.
    let fight = &mut people(&mut game).humans.people[0].fight;
    (fight.attack, fight.committed, fight.bones) = (Some(attacks::CHARGE), true, FOOT);
    // The body strikes from the step after the one whose events switch the shapes on.
    update(&mut game);
    for step in 0..4 {
        let player = &mut people(&mut game).humans.people[0];
        (player.carried, player.stillness, player.heading) = ((Vec3::Y * 0.6, 0.0), 0, 0.0);
        update(&mut game);
        let humans = &mut people(&mut game).humans.people;
        let lost: Vec<i16> = rivals.iter().zip(full).map(|(n, full)| full - humans[*n].health).collect();
        assert_eq!(lost, [damage; 2], "step {step}");
        // They stand as before: only who struck remembers.
        rivals.iter().for_each(|n| humans[*n].set(state::DOWN, false));
    }
    let player = &mut people(&mut game).humans.people[0];
    player.fight.end_attack();
    let body = player.body.unwrap();
    update(&mut game);
    assert!(game.physics.as_deref().unwrap().body(body).ignores.is_none(), "the next attack meets them anew");
}

/// A game whose player has run up, and where that has led to.
fn running() -> (std::boxed::Box<FakeGame>, Vec3) {
    let mut game = level();
    stand(&mut game);
    people(&mut game).teleport(0, Vec3::new(5.0, 2.0, 0.0), 0.0);
    people(&mut game).humans.camera_heading = [0.0; 2];
    let runs = (0..60).any(|_| {
        run_on(&mut game);
        let human = &people(&mut game).humans.people[0];
        human.gait >= RUN && human.speed > 5.0
    });
    assert!(runs);
    let at = people(&mut game).humans.people[0].position;
    (game, at)
}

/// The player jumps from the run and flies until the landing.
fn jump(game: &mut FakeGame, mut watch: impl FnMut(&mut FakeGame)) {
    with(game, |tasks, world| world.dispatch(tasks, 0, command::TRIANGLE));
    assert!(people(game).humans.people[0].is(gate_state::JUMPING));
    for _ in 0..60 {
        run_on(game);
        watch(game);
        if !people(game).humans.people[0].is_airborne() {
            return;
        }
    }
    panic!("never lands");
}

#[test]
fn who_jumps_into_people_strikes_each_once_and_meets_them_anew_after_the_landing() {
    let (mut game, at) = running();
    // One stands a little to the right of the way, the next to the left of where that leads.
    let rivals = [(0.6, 1.6), (-0.5, 2.5)].map(|(x, y)| come(&mut game, at.x + x, at.y + y, gang::GULLS).unwrap());
    rivals.iter().for_each(|n| people(&mut game).humans.people[*n].push_weight = IMMOVABLE);
    let damage = people(&mut game).humans.table.body(true).damage;
    let lost = |game: &mut FakeGame| {
        let all = &people(game).humans.people;
        rivals.map(|n| all[n].max_health - all[n].health)
    };
    let (mut flying, mut ignores) = (0, 0);
    jump(&mut game, |game| {
        flying += i32::from(people(game).humans.people[0].is_airborne() && lost(game) == [damage; 2]);
        let body = people(game).humans.people[0].body.unwrap();
        ignores += usize::from(game.physics.as_deref().unwrap().body(body).ignores.is_some());
    });
    assert!(flying > 0, "both are struck in the air: {:?}", lost(&mut game));
    assert_eq!(lost(&mut game), [damage; 2], "once each");
    assert!(ignores > 1);
    run_on(&mut game);
    let body = people(&mut game).humans.people[0].body.unwrap();
    assert!(game.physics.as_deref().unwrap().body(body).ignores.is_none());
}

#[test]
fn a_run_strikes_what_runs_aim_at_a_jump_what_jumps_aim_at_and_each_once() {
    /// PHYFLAG numbers of what jumps meet and of what runs meet.
    const LAYERS: [u16; 2] = [16, 512];
    // Who jumps out of a run is above gait 3 in the air too.
    for (jumps, layer, strikes) in [(true, 0, 1), (true, 1, 1), (false, 0, 0), (false, 1, 1)] {
        let (mut game, at) = running();
        let kind = ObjectType { wear: [9, 0], physics_flags: STRUCK | LAYERS[layer], ..boxed("mat", Vec3::splat(0.5)) };
        let id = make(&mut game, kind, at + Vec3::new(0.0, 2.0, 1.2));
        if jumps {
            jump(&mut game, |_| {});
        } else {
            (0..30).for_each(|_| run_on(&mut game));
        }
        let struck = 9 - game.tasks.as_deref().unwrap().object(id).unwrap().wear.first;
        assert_eq!(struck, strikes, "jumps {jumps}, layer {}", LAYERS[layer]);
    }
}

#[test]
fn a_jump_into_a_window_is_a_blow_on_it() {
    let (mut game, at) = running();
    let damage = people(&mut game).humans.table.body(true).damage;
    let id = with(&mut game, |tasks, world| {
        let half = Vec3::new(1.0, 0.01, 1.0);
        let kind = GlassType { name: 9, half, strength: damage.into(), splinters: 0, sound: 0 };
        tasks.panes.set_type(0, &kind);
        let id = tasks.create(world, TaskClass::Pane, 9, &Creation::at(at + Vec3::new(0.0, 2.0, 1.0))).unwrap();
        let body = tasks.pane_body(id).unwrap();
        world.place_body(tasks, body);
        id
    });
    jump(&mut game, |_| {});
    assert!(game.tasks.as_deref().unwrap().pane(id).unwrap().broken);
}

#[test]
fn a_grab_links_its_pair_and_its_push_sphere_makes_bystanders_step_aside() {
    let mut game = level();
    stand(&mut game);
    let victim = come(&mut game, 5.0, 6.0, gang::GULLS).unwrap();
    let bystander = come(&mut game, 6.2, 5.2, gang::WALKERS).unwrap();
    people(&mut game).humans.grab(0, victim);
    let update = |game: &mut FakeGame| {
        [0, victim, bystander].into_iter().for_each(|n| with(game, |tasks, world| world.update_state(tasks, n)));
        let physics = game.physics.as_deref().unwrap();
        let humans = &game.people.as_deref().unwrap().humans.people;
        [0, victim].map(|n| (physics.body(humans[n].body.unwrap()).group, humans[n].push_weight))
    };
    let before = people(&mut game).humans.people[bystander].position;
    let [mine, theirs] = update(&mut game);
    assert!(mine.0 != 0 && mine == theirs && mine.1 == IMMOVABLE, "{mine:?} {theirs:?}");
    for _ in 0..3 {
        update(&mut game);
    }
    let pushed = people(&mut game).humans.people[bystander].position - before;
    assert!(pushed.x > 0.2, "a quarter metre a step away from the grab: {pushed:?}");
    people(&mut game).humans.break_hold(0);
    assert_eq!(update(&mut game), [(0, 1.0); 2]);
    let body = people(&mut game).humans.people[0].body.unwrap();
    assert!(game.physics.as_deref().unwrap().human_parts(body).unwrap().push_sphere.is_none());
}

/// The player runs straight ahead for a step.
fn run_on(game: &mut FakeGame) {
    for _ in 0..2 {
        with(game, |tasks, world| {
            let record = tasks.humans.records.get_mut(0).unwrap();
            record.input = PadInput { magnitude: [1.0, 0.0], ..PadInput::default() };
            tasks.humans.set_switch(Switch::Records, false);
            tasks.humans.set_switch(Switch::Cameras, false);
            humans_update(tasks, world);
        });
    }
}

/// Somebody before the player who is held where he stands, and into whom the player has just run for the first time.
fn run_into_somebody(gang: u8) -> (std::boxed::Box<FakeGame>, usize) {
    let mut game = level();
    stand(&mut game);
    people(&mut game).humans.camera_heading = [0.0; 2];
    let other = come(&mut game, 5.0, 6.0, gang).unwrap();
    people(&mut game).humans.people[other].push_weight = IMMOVABLE;
    let met = (0..100).any(|_| {
        run_on(&mut game);
        people(&mut game).humans.people[other].fight.pushed_by == Some(0)
    });
    assert!(met);
    (game, other)
}

#[test]
fn a_player_who_runs_into_a_friend_for_two_seconds_changes_places_with_him() {
    let (mut game, friend) = run_into_somebody(gang::PLAYER);
    let is_past = |game: &mut FakeGame| {
        let all = &people(game).humans.people;
        all[0].position.y > all[friend].position.y + 0.5
    };
    let swapped = (1..=80).find(|_| {
        run_on(&mut game);
        is_past(&mut game)
    });
    assert!(swapped.is_some_and(|step| (60..=63).contains(&step)), "{swapped:?}");
}

#[test]
fn a_stranger_takes_a_second_push_after_two_seconds_for_an_attack_and_a_rival_does_not_mind() {
    for (gang, minds) in [(gang::WALKERS, true), (gang::GULLS, false)] {
        let (mut game, other) = run_into_somebody(gang);
        (0..58).for_each(|_| run_on(&mut game));
        assert_eq!(people(&mut game).humans.people[other].fight.struck_by, None, "not yet");
        (0..8).for_each(|_| run_on(&mut game));
        let human = &people(&mut game).humans.people[other];
        assert_eq!((human.fight.struck_by, human.health), (minds.then_some(0), human.max_health));
    }
}

#[test]
fn a_crate_that_blocks_humans_stops_a_walker_and_another_does_not() {
    const BLOCKS: u16 = 2;
    for (layers, stops) in [(STRUCK | BLOCKS, true), (STRUCK, false)] {
        let mut game = level();
        stand(&mut game);
        let size = Vec3::splat(0.8);
        make(&mut game, ObjectType { physics_flags: layers, ..boxed("block", size) }, PLACE + Vec3::new(0.0, 1.5, 0.4));
        for _ in 0..30 {
            with(&mut game, |tasks, world| {
                let (people, physics) = (world.people.as_deref_mut().unwrap(), world.physics.as_deref_mut().unwrap());
                let body = people.humans.people[0].body.unwrap();
                let mut owners = TaskOwners::with_humans(tasks, &mut people.humans);
                physics.sweep_body(body, Vec3::Y * 3.0, 1.0 / 30.0, None, &mut owners);
                physics.mark_dirty(body);
                physics.update_body(body, &mut owners);
            });
        }
        let y = people(&mut game).humans.people[0].position.y;
        // The crate's face is 1.1 m ahead, and a man is a third of a metre thick.
        assert_eq!((5.5..5.9).contains(&y), stops, "layers {layers:#x}: {y}");
        assert!(stops || y > 7.5, "{y}");
    }
}

#[test]
fn the_humans_of_a_scene_share_its_group_until_it_ends_and_a_pair_among_them_has_its_own() {
    let mut game = level();
    stand(&mut game);
    let all = [0, come(&mut game, 5.0, 6.0, gang::PLAYER).unwrap(), come(&mut game, 8.0, 6.0, gang::PLAYER).unwrap()];
    let groups = |game: &mut FakeGame| {
        all.iter().for_each(|n| with(game, |tasks, world| world.update_state(tasks, *n)));
        let (physics, people) = (game.physics.as_deref().unwrap(), game.people.as_deref().unwrap());
        all.map(|n| (physics.body(people.humans.people[n].body.unwrap()).group, people.humans.people[n].push_weight))
    };
    assert_eq!(groups(&mut game), [(0, 1.0); 3]);
    let scene = with(&mut game, |tasks, world| {
        let scene = tasks.create(world, TaskClass::Scene, 5, &Creation::at(PLACE)).unwrap();
        tasks.start_scene(world, scene, 1 | 1 << all[1]);
        scene
    });
    let [first, second, third] = groups(&mut game);
    assert!(
        first.0 != 0 && first == second && first.1 == 1.0,
        "one group, and weights of their own: {first:?} {second:?}"
    );
    assert_eq!(third, (0, 1.0), "it is not in the scene");
    people(&mut game).humans.grab(0, all[1]);
    let pair = groups(&mut game);
    assert!(pair[0] == pair[1] && pair[0].0 != first.0 && pair[0].1 == IMMOVABLE, "{pair:?}");
    people(&mut game).humans.break_hold(0);
    assert_eq!(groups(&mut game)[..2], [first; 2], "back in the scene's");
    with(&mut game, |tasks, world| tasks.finish_scene(world, scene));
    assert_eq!(groups(&mut game), [(0, 1.0); 3]);
}

#[test]
fn a_door_that_opens_for_a_player_is_heard_through_its_zone_and_turns_the_heads_of_who_is_near() {
    let mut game = level();
    let shape = ObjectShape::Box { size: Vec3::new(1.1, 0.06, 2.2), centre: Vec3::new(0.55, 0.0, 1.1) };
    let civilian = mind(&mut game, 9.5, 4.0, gang::WALKERS, Temper::Civilian);
    let door = with(&mut game, |tasks, world| {
        tasks.objects.types.add(ObjectType { shape, ..ObjectType::named("door_wood", 15) }).unwrap();
        tasks.objects.types.resolve_names();
        let record = SpawnRecord { position: Vec3::new(8.0, 2.0, 0.0), zone: 1, ..SpawnRecord::default() };
        let door = tasks.spawn_object("door_wood", record);
        tasks.resolve(world, door).unwrap();
        door
    });
    let look = |game: &mut FakeGame| {
        let open = with(game, |tasks, world| {
            world.update_game_state(tasks);
            tasks.is_door_open(door)
        });
        (open, people(game).brains.brains[civilian].pause > 0)
    };
    assert_eq!(look(&mut game), (false, false));
    people(&mut game).teleport(0, Vec3::new(8.5, 2.9, 0.0), 0.0);
    assert_eq!(look(&mut game), (true, true));
}
