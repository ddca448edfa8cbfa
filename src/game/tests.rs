//! The whole game on a console of memory.

use super::fake::{FakeGame, game};
use super::*;
use crate::boot::start::StartHost;
use crate::game_modes::memory_card::{CardHost as _, CardState};
use crate::game_modes::{ModeId, ScreenHost as _, run_once};
use crate::maths::{Pose, Vec3};
use crate::pads::{Script, button};
use crate::tasks::handle::Handle;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

mod clocks;
mod controllers;
mod effects;
mod resets;
mod settings;
mod trouble;

/// A game after start-up with the level flow alone on the stack, driven by a script.
fn front_end(script: &str) -> Box<FakeGame> {
    let mut game = game();
    game.initialize_subsystems().unwrap();
    game.input.script = Script::parse(script);
    game.push_mode(ModeId::LevelFlow);
    game
}

/// Runs until the script is over, and a few frames more; the modes that were on top, each once in a row.
fn play(game: &mut FakeGame) -> Vec<ModeId> {
    let mut tops = Vec::new();
    let mut rest = 8;
    for _ in 0..20_000 {
        if !run_once(game) || game.is_over() {
            break;
        }
        game.after_round();
        tops.extend(game.stack.top());
        tops.dedup();
        if game.input.script.as_ref().is_some_and(Script::is_over) {
            rest -= 1;
            if rest == 0 {
                break;
            }
        }
    }
    tops
}

fn screen(game: &FakeGame) -> String {
    game.picture.screen.to_string()
}

#[test]
fn start_up_runs_all_steps_and_prints_what_each_costs() {
    let mut game = game();
    game.initialize_subsystems().unwrap();
    assert_eq!(game.report.len(), crate::boot::subsystems::STEPS);
    assert_eq!(game.machine.said("BOOT "), crate::boot::subsystems::STEPS);
    let table = game.machine.with_memory(|memory| memory.table().len());
    assert_eq!(table, 6, "global, filter, debug, level dynamic and two sector pools");
}

#[test]
fn each_step_brings_its_subsystem_to_life() {
    let mut game = game();
    game.machine.disc = Some(crate::file_io::fake::Disc::sample());
    // What a step is to put in order is in disorder before.
    game.modes.effects = [3, 4];
    game.walker.heading = 1.0;
    game.save_buffer[5] = 6;
    game.modes.save_due = true;
    let lit = Vec3::new(3.0, 2.0, 1.0);
    game.things.lighting.set(0, lit, [1.0; 3], 9.0);
    game.things.doors.add(None, Handle::NIL, Pose::IDENTITY, Vec3::splat(1.0), Vec3::ZERO);
    game.initialize_subsystems().unwrap();
    assert!(game.things.lighting.lights().lamps.iter().all(|lamp| lamp.position != lit), "lights");
    assert_eq!(game.things.doors.count(), 0, "what can be acted on");
    assert_ne!(game.gangs, super::gangs::GangAttributes::default(), "the gangs' attributes");
    assert!(game.title.is_some() && game.physics.is_some(), "renderer and physics");
    assert!(game.files.manager.is_some() && game.pools.device.is_some(), "file manager and the device's pools");
    let files = game.files.system.as_ref().expect("the archive");
    let name = crate::file_io::NameHash::of_file("small").unwrap();
    assert_eq!(files.size(name), Ok(100));
    let tasks = game.tasks.as_deref().expect("the TaskEngine");
    assert!(tasks.objects.types.find_index(rules::BRICK).is_some());
    assert_eq!((game.modes.effects, game.walker), ([0, 0], Walker::default()));
    assert_eq!((game.save_buffer[5], game.modes.save_due), (0, false));
}

#[test]
fn the_testers_bytes_are_read_from_the_card_and_kept() {
    let mut game = game();
    game.options.frames = Some(3);
    crate::boot::start::start(&mut *game).unwrap();
    assert_eq!(game.state.qa, None, "as on everybody's card");
    let mut game = super::fake::game();
    game.options.frames = Some(3);
    game.machine.card.testers = Some((1..=20).collect());
    crate::boot::start::start(&mut *game).unwrap();
    assert_eq!(game.state.qa.map(|bytes| (bytes[0], bytes[19])), Some((1, 20)));
    game.machine.card.testers = Some(std::vec![9; 7]);
    assert_eq!(game.read_qa_file(), None, "a file of another length is none");
}

#[test]
fn the_program_comes_to_the_menu_by_way_of_the_legal_screen_and_the_card() {
    let mut game = game();
    game.options.frames = Some(400);
    game.machine.card.state = CardState::Empty;
    crate::boot::start::start(&mut *game).unwrap();
    assert_eq!(game.stack.modes(), [ModeId::LevelFlow, ModeId::ProfileManager]);
    assert!(screen(&game).starts_with("[BOARDWALK]\n> PLAY"), "{}", screen(&game));
    assert_eq!(game.frames, 400);
}

#[test]
fn a_mission_is_chosen_played_paused_and_left() {
    let mut game = front_end("9x,9x,20n*30,9q,20s,9d,4d,9x,20.");
    let tops = play(&mut game);
    let way = [
        ModeId::ProfileManager,
        ModeId::MissionSelect,
        ModeId::LevelFlow,
        ModeId::Gameplay,
        ModeId::Pause,
        ModeId::LevelFlow,
        ModeId::ProfileManager,
    ];
    assert_eq!(tops, way);
    assert_eq!((game.state.statistics.begun, game.state.statistics.thrown), (1, 1));
    assert!(game.level.is_none());
}

#[test]
fn bricks_come_to_rest_in_the_yard() {
    let mut game = front_end("9x,9x,200.");
    play(&mut game);
    assert_eq!(game.stack.top(), Some(ModeId::Gameplay));
    let tasks = game.tasks.as_deref().unwrap();
    let mut from = 0;
    let mut heights = Vec::new();
    while let Some(id) = tasks.next_live(crate::tasks::ids::TaskClass::Object, from) {
        heights.push(tasks.manager.head(id).unwrap().position.z);
        from = id.index_in(crate::tasks::ids::TaskClass::Object).unwrap() as u16 + 1;
    }
    assert_eq!(heights.len(), 6);
    assert!(heights.iter().all(|z| *z < 0.3 || (1.2..1.5).contains(z)), "on the ground or the block: {heights:?}");
}

/// A game in which the second mission has begun, with the player's human in the small level.
fn throwing() -> Box<FakeGame> {
    let mut game = super::characters_tests::with_people();
    game.input.script = Script::parse("9x,9d,9x,9d,9x,30.");
    game.push_mode(ModeId::LevelFlow);
    game.state.unlocked = 0b11;
    game.machine.card.state = CardState::Empty;
    let tops = play(&mut game);
    assert_eq!(tops.last(), Some(&ModeId::Gameplay), "{tops:?}");
    game
}

/// Lays a stone before the player's feet.
fn lay_stone(game: &mut FakeGame) {
    use crate::physics::create::ObjectShape;
    use crate::tasks::engine::Creation;
    use crate::tasks::objects::types::ObjectType;
    let player = &game.people.as_deref().unwrap().humans.people[0];
    let at = player.position + crate::maths::from_heading(player.heading) * 0.8;
    let made = game.with_tasks(|tasks, world| {
        let kind = tasks.objects.types.find_index("stone").or_else(|| {
            let shape = ObjectShape::Box { size: Vec3::splat(0.12), centre: Vec3::ZERO };
            let stone = ObjectType { shape, pickable: true, weight: 2.0, ..ObjectType::named("stone", 9) };
            tasks.objects.types.add(stone)
        });
        tasks.objects.types.resolve_names();
        tasks.create_world_object(world, kind.unwrap(), &Creation::at(at))
    });
    made.unwrap().unwrap();
}

/// Takes and throws so many stones, as long as a script says what is pressed.
fn take_and_throw(game: &mut FakeGame, stones: usize) {
    for _ in 0..stones {
        lay_stone(game);
        game.input.script = Script::parse("9t,70o,70.");
        play(game);
    }
}

#[test]
fn what_is_thrown_was_taken_first() {
    let mut game = throwing();
    game.input.script = Script::parse("9q,70q,70o,70.");
    play(&mut game);
    assert_eq!((game.rules.thrown(), game.state.statistics.thrown), (0, 0), "an empty hand throws nothing");
    take_and_throw(&mut game, 1);
    assert_eq!((game.rules.thrown(), game.machine.said("HAND 0 throws stone")), (1, 1));
}

#[test]
fn a_finished_mission_banks_its_money_and_saves() {
    let mut game = throwing();
    take_and_throw(&mut game, 4);
    assert_eq!(game.stack.top(), Some(ModeId::Gameplay), "four are not five");
    lay_stone(&mut game);
    game.input.script = Script::parse("9t,70o,200x,30.");
    let tops = play(&mut game);
    assert!(tops.contains(&ModeId::MissionComplete), "{tops:?}");
    assert!(game.state.is_completed(1) && game.state.is_unlocked(2));
    assert_eq!((game.state.bank, game.state.money), (missions::MISSIONS[1].money, [0, 0]));
    assert!(tops.contains(&ModeId::MemoryCard), "{tops:?}");
    assert_eq!(game.machine.card.state, CardState::Ours);
}

#[test]
fn a_won_mission_leads_to_the_next_one_or_to_another_place_by_its_name() {
    let mut game = game();
    let mut follows = |play| (game.what_follows(Some(play)), game.modes.named.take());
    assert_eq!(follows(Play::Mission(0)), (3, None), "the next one in the same yard");
    assert_eq!(follows(Play::Mission(1)), (2, Some(missions::Place::Boardwalk)));
    assert_eq!(follows(Play::Mission(2)), (1, None), "the last one");
}

#[test]
fn a_won_mission_is_left_for_the_next_level_which_begins_by_itself() {
    let mut game = front_end("9x,9x,30.");
    game.machine.card.state = CardState::Empty;
    play(&mut game);
    assert_eq!((game.stack.top(), game.rules.play()), (Some(ModeId::Gameplay), Some(Play::Mission(0))));
    game.rules.win();
    game.input.script = Script::parse("200x,60.");
    let tops = play(&mut game);
    let end = tops.iter().position(|mode| *mode == ModeId::MissionComplete).expect("its end is shown");
    assert!(!tops[end..].contains(&ModeId::ProfileManager), "without the menus: {tops:?}");
    assert_eq!((game.stack.top(), game.rules.play()), (Some(ModeId::Gameplay), Some(Play::Mission(1))));
    assert!(game.level.is_some() && game.state.is_completed(0) && !game.state.is_completed(1));
    assert_eq!((game.state.statistics.begun, game.state.bank), (2, missions::MISSIONS[0].money));
}

#[test]
fn a_won_mission_is_left_for_the_boardwalk_by_its_name() {
    let mut game = throwing();
    game.rules.win();
    game.input.script = Script::parse("200x,60.");
    let tops = play(&mut game);
    assert!(tops.contains(&ModeId::MissionComplete), "{tops:?}");
    assert_eq!((game.stack.top(), game.rules.play()), (Some(ModeId::Gameplay), Some(Play::Mission(2))));
    assert_eq!(game.machine.said("LEVEL boardwalk.lev"), 0, "nothing is wrong with it");
}

#[test]
fn a_level_by_its_name_is_that_level_and_not_the_last_one_again() {
    use crate::game_modes::leave::LeaveHost as _;
    let mut game = game();
    game.modes.last = Some(Play::Mission(0));
    game.modes.named = Some(missions::Place::Boardwalk);
    game.select_level_by_name();
    let next = game.modes.next.expect("a level is selected");
    assert_ne!(game.modes.next, game.modes.last);
    assert_eq!(next.mission().place, missions::Place::Boardwalk);
    game.select_level_by_name();
    assert_eq!(game.modes.next, None, "a name is asked for once");
}

#[test]
fn start_closes_the_pause_that_it_opened_and_does_not_open_it_again() {
    let mut game = front_end("9x,9x,30.,9s,9s,30.");
    let tops = play(&mut game);
    assert_eq!(tops.iter().filter(|mode| **mode == ModeId::Pause).count(), 1, "{tops:?}");
    assert_eq!(game.stack.top(), Some(ModeId::Gameplay));
}

#[test]
fn a_failed_mission_says_why() {
    let mut game = front_end("9x,9x,30.");
    play(&mut game);
    game.rules.lose();
    for _ in 0..60 {
        run_once(&mut *game);
    }
    assert_eq!(game.stack.top(), Some(ModeId::MissionFailed));
    assert!(screen(&game).contains("JO: GET UP, YOU."), "{}", screen(&game));
}

#[test]
fn leaving_ends_the_program() {
    let mut game = front_end("9u,9x,9.");
    play(&mut game);
    assert!(game.is_over());
}
