//! The overlay in a game: what it takes, what it is lent, what it asks for.

use super::super::fake::{FakeGame, game};
use super::*;
use crate::boot::start::StartHost;
use crate::clock::time::STEP;
use crate::ee::video::{VideoMode, VideoOptions};
use crate::game_modes::{ModeId, run_once};
use crate::overlay::SWITCHES;
use crate::pads::Script;
use std::boxed::Box;

#[test]
fn the_game_does_not_see_what_the_overlay_takes() {
    let mut pad = DebugPad { hidden: button::CROSS | button::L1, sticks_hidden: true, ..DebugPad::default() };
    let mut reading =
        Some(Reading { buttons: button::CROSS | button::SQUARE, left: Stick { x: 1.0, y: 0.0 }, ..Reading::default() });
    pad.filter(&mut reading, STEP);
    let seen = reading.unwrap();
    assert_eq!((seen.buttons, seen.left), (button::SQUARE, Stick::default()));
    assert_eq!(pad.record.back(0), button::CROSS | button::SQUARE, "the overlay sees all");
}

/// A game in play with the overlay open on the switches, whose first row is the effects' and second the pads'.
fn with_switches() -> Box<FakeGame> {
    let mut game = game();
    game.initialize_subsystems().unwrap();
    game.push_mode(ModeId::LevelFlow);
    play(&mut game, "9x,9x,30.");
    assert_eq!(game.stack.top(), Some(ModeId::Gameplay));
    let mut debug = Debug::new(Some(Page::Steps));
    debug.atlas = game.debug.as_deref().and_then(|debug| debug.atlas);
    game.debug = Some(Box::new(debug));
    game
}

fn play(game: &mut FakeGame, script: &str) {
    game.input.script = Script::parse(script);
    for _ in 0..200 {
        run_once(game);
        game.after_round();
        if game.input.script.as_ref().is_none_or(Script::is_over) {
            return;
        }
    }
    panic!("{script} does not end");
}

fn is_on(game: &FakeGame, switch: Switch) -> bool {
    game.tasks.as_deref().unwrap().humans.is_on(switch)
}

#[test]
fn every_row_of_the_overlays_switches_turns_its_step_of_the_engine_off_and_on() {
    let mut game = with_switches();
    for (switch, name) in SWITCHES {
        assert!(is_on(&game, switch), "{name} is on at first");
        play(&mut game, "3x,3.");
        assert!(!is_on(&game, switch), "{name} is off");
        let others = SWITCHES.into_iter().filter(|(other, _)| *other != switch);
        assert!(others.into_iter().all(|(other, _)| is_on(&game, other)), "{name} alone is off");
        play(&mut game, "3x,3.");
        assert!(is_on(&game, switch), "{name} is on again");
        play(&mut game, "3d,3.");
    }
}

#[test]
fn pads_that_are_switched_off_are_the_overlays_alone_frozen_or_not() {
    let mut game = with_switches();
    play(&mut game, "3d,3.,3x,3.");
    assert!(!is_on(&game, Switch::Pads));
    let held = |game: &FakeGame| (game.input.pads.get(0).unwrap().back(0), game.input.debug.record.back(0));
    let seen = held(&game).0;
    for frozen in [false, true] {
        game.carry_out(Command::Freeze(frozen));
        play(&mut game, "4t");
        assert_eq!(held(&game), (seen, button::TRIANGLE), "frozen {frozen}: the game's record stands still");
        play(&mut game, "3.");
    }
    play(&mut game, "3x,3.");
    assert!(is_on(&game, Switch::Pads), "what is heard turns them on again");
    game.carry_out(Command::Freeze(false));
    play(&mut game, "4t");
    assert_eq!(held(&game).0, button::TRIANGLE);
}

#[test]
fn the_overlay_hears_the_only_controller_in_the_second_port() {
    let mut game = with_switches();
    play(&mut game, "3d,3.,3x,3.");
    assert!(!is_on(&game, Switch::Pads));
    game.input.script = None;
    let pressed = crate::pads::Reading { buttons: button::TRIANGLE, ..Default::default() };
    game.machine.readings = [None, Some(pressed)];
    let machine = &mut game.machine;
    for frame in 0..4 {
        game.input.read_for_overlay(machine, game.real + frame * STEP);
    }
    assert_eq!(game.input.debug.record.back(0), button::TRIANGLE);
}

#[test]
fn a_level_that_is_frozen_goes_on_by_single_steps_and_then_in_real_time() {
    let mut game = with_switches();
    assert!(!game.clock.is_fixed(), "a level runs on real time");
    let frame = |game: &mut FakeGame| {
        let before = game.clock.ticks();
        play(game, "1.");
        game.clock.ticks() - before
    };
    game.carry_out(Command::SingleStep);
    assert_eq!((frame(&mut game), game.clock.is_paused()), (0, true), "a step of what runs stops it");
    for _ in 0..2 {
        game.carry_out(Command::SingleStep);
        assert_eq!(frame(&mut game), STEP);
        assert_eq!(frame(&mut game), 0);
        // The pause menu over it changes nothing.
        play(&mut game, "2s,3.");
        assert_eq!(game.stack.top(), Some(ModeId::Pause));
        play(&mut game, "2s,3.");
        assert_eq!(game.stack.top(), Some(ModeId::Gameplay));
    }
    game.carry_out(Command::Freeze(false));
    let passed = frame(&mut game) + frame(&mut game);
    assert!(!game.clock.is_paused() && !game.clock.is_fixed() && passed > 0, "{passed}");
    // A step that is asked for in the pause, which stands on real time, waits for nothing.
    play(&mut game, "2s,3.");
    game.carry_out(Command::SingleStep);
    play(&mut game, "2s,3.");
    game.carry_out(Command::Freeze(true));
    assert_eq!(frame(&mut game), 0);
}

#[test]
fn an_open_overlay_tells_all_its_pages_to_whoever_listens() {
    let mut game = with_switches();
    game.tell_pages();
    for told in ["OVERLAY costs ", "SHEET frame BUSY", "SHEET human HUMAN", "SHEET build ROM", "SHEET tools   SPAWN"] {
        assert_eq!(game.machine.said(told), 1, "{told}: {:#?}", game.machine.log);
    }
    game.state.settings.video = Some(VideoOptions::new(VideoMode::Pal));
    game.tell_pages();
    let video: std::vec::Vec<_> =
        game.machine.log.iter().filter(|line| line.starts_with("SHEET build VIDEO")).collect();
    assert!(video[0].contains("NTSC") && video[1].contains("PAL"), "as it is chosen: {video:?}");
    game.debug = Some(Box::default());
    game.machine.log.clear();
    game.tell_pages();
    assert_eq!(game.machine.said("SHEET"), 0, "one that is closed says nothing");
}

#[test]
fn a_freeze_ends_with_its_level() {
    let mut game = with_switches();
    game.carry_out(Command::Freeze(true));
    assert!(game.clock.is_paused() && game.clock.is_fixed());
    game.level = None;
    game.end_freeze();
    assert!(!game.clock.is_paused() && !game.clock.is_fixed());
}

#[test]
fn only_things_whose_types_are_known_are_spawned() {
    let mut game = with_switches();
    let objects = |game: &FakeGame| game.tasks.as_deref().unwrap().objects.pool.count();
    let known = game.spawnable();
    assert!(known.contains(&"BRICK"), "{known:?}");
    for which in 0..known.len() {
        let before = objects(&game);
        game.carry_out(Command::Spawn(which as u8, Vec3::Z * 2.0));
        assert_eq!(objects(&game), before + 1, "{}", known[which]);
    }
    let before = objects(&game);
    game.carry_out(Command::Spawn(known.len() as u8, Vec3::Z * 2.0));
    assert_eq!(objects(&game), before);
}

#[test]
fn what_happened_last_is_kept_aside_for_a_crash_screen() {
    let game = with_switches();
    let lines: std::vec::Vec<_> = game.machine.recent.lines(0).collect();
    for subsystem in ["MODES", "TASKS", "PHYSICS", "DEVICES"] {
        assert!(lines.iter().any(|line| line.starts_with(subsystem)), "{subsystem}: {lines:?}");
    }
}

#[test]
fn the_overlay_switches_the_kernels_of_physics_and_tasks() {
    let mut game = crate::game::fake::game();
    game.initialize_subsystems().unwrap();
    for (on, kernels) in [(false, Kernels::Scalar), (true, Kernels::Vu0)] {
        game.carry_out(Command::UseVu0(on));
        assert_eq!(game.physics.as_ref().map(|physics| physics.kernels()), Some(kernels));
        assert_eq!(game.tasks.as_ref().map(|tasks| tasks.manager.kernels), Some(kernels));
    }
}

#[test]
fn the_reset_combination_reaches_the_game() {
    let mut pad = DebugPad { hidden: button::L1 | button::SELECT, ..DebugPad::default() };
    let mut reading = Some(Reading { buttons: button::RESET, ..Reading::default() });
    pad.filter(&mut reading, STEP);
    assert_eq!(reading.unwrap().buttons, button::RESET);
}

#[test]
fn what_pages_alone_say_is_asked_for_only_when_one_is_shown() {
    let mut game = with_switches();
    let mut debug = game.debug.take().unwrap();
    let mut lent = |shown: bool| {
        game.lend(&mut debug, shown, |_, subjects| {
            (subjects.hardware.len() > 5, subjects.spawnable.is_empty(), subjects.graphics.is_empty())
        })
    };
    assert_eq!((lent(false), lent(true)), ((false, true, false), (true, false, false)));
}
