//! What controllers lead to, and their absence.

use super::*;

#[test]
fn a_missing_controller_stops_the_level_until_it_is_back() {
    let mut game = front_end("9x,9x,30.");
    play(&mut game);
    game.input.script = None;
    game.machine.readings = [None; 2];
    for _ in 0..10 {
        run_once(&mut *game);
    }
    assert_eq!(game.stack.top(), Some(ModeId::Error));
    assert!(screen(&game).contains("THERE IS NO CONTROLLER"), "{}", screen(&game));
    let time = game.clock.ticks();
    game.machine.readings[0] = Some(crate::pads::Reading::default());
    for _ in 0..4 {
        run_once(&mut *game);
    }
    assert_eq!(game.stack.top(), Some(ModeId::Gameplay));
    assert!(game.clock.ticks() - time < 4 * crate::clock::time::STEP + 8 * 0x1_0000, "the time behind it is skipped");
}

#[test]
fn a_missing_controller_is_told_in_menus_and_in_the_pause_and_not_before_or_beside_the_card() {
    let without_controller = |mode: ModeId| {
        let mut game = front_end("9x,9x,30.");
        play(&mut game);
        game.input.script = None;
        game.push_mode(mode);
        run_once(&mut *game);
        game.machine.readings = [None; 2];
        for _ in 0..10 {
            run_once(&mut *game);
        }
        (game.stack.top(), game)
    };
    for mode in [ModeId::Pause, ModeId::ProfileManager, ModeId::MissionSelect, ModeId::Freeze, ModeId::MissionFailed] {
        let (top, mut game) = without_controller(mode);
        assert_eq!(top, Some(ModeId::Error), "{mode:?}");
        let is_paused = game.clock.is_paused();
        game.machine.readings[0] = Some(crate::pads::Reading::default());
        for _ in 0..4 {
            run_once(&mut *game);
        }
        assert_ne!(game.stack.top(), Some(ModeId::Error), "{mode:?}");
        assert_eq!((game.clock.is_paused(), is_paused), (mode == ModeId::Pause, mode == ModeId::Pause));
    }
    for mode in [ModeId::LegalScreen, ModeId::MemoryCard] {
        assert_eq!(without_controller(mode).0, Some(mode));
    }
}

#[test]
fn both_shoulders_held_during_the_movies_lead_to_the_self_test() {
    use crate::boot::start::MOVIES;
    use crate::pads::button::{L1, R1};
    let first = |buttons| {
        let mut game = game();
        game.initialize_subsystems().unwrap();
        game.options.skip_movies = false;
        game.machine.readings[0] = Some(crate::pads::Reading { buttons, ..Default::default() });
        game.play_movie(MOVIES[0]);
        (game.is_over(), game.is_self_test_wanted())
    };
    let asked = |script| {
        let mut game = game();
        game.initialize_subsystems().unwrap();
        game.options.skip_movies = false;
        game.input.script = Script::parse(script);
        game.play_movie(MOVIES[0]);
        game.is_self_test_wanted()
    };
    assert_eq!(first(L1 | R1), (true, true));
    assert_eq!(first(button::RESET), (false, false), "the reset combination has them among its own");
    assert!(!asked("9.,3ab,3z*40"), "its fingers come one after the other");
    assert!(asked("9ab*20"));
    assert_eq!(first(L1), (false, false));
}

#[test]
fn a_button_ends_the_start_up_movies_from_the_second_on() {
    use crate::boot::start::MOVIES;
    let mut game = game();
    game.initialize_subsystems().unwrap();
    game.options.skip_movies = false;
    // A press in each movie's first frames: a movie that is seen to its end has 75.
    game.input.script = Script::parse("3x,75.,3x,6s,9.");
    let frames = MOVIES.map(|movie| {
        let before = game.frames;
        game.play_movie(movie);
        game.frames - before
    });
    assert_eq!(frames[0], 75, "{frames:?}");
    assert!(frames[1..].iter().all(|frames| (1..12).contains(frames)), "{frames:?}");
}

#[test]
fn the_only_controller_may_be_in_either_port() {
    let mut game = front_end("9.");
    play(&mut game);
    game.input.script = None;
    game.machine.readings = [None, Some(crate::pads::Reading { buttons: button::CROSS, ..Default::default() })];
    for _ in 0..3 {
        run_once(&mut *game);
    }
    assert_eq!((game.stack.top(), game.input.port_of(0)), (Some(ModeId::MissionSelect), 1));
}

#[test]
fn turned_buttons_are_turned_in_a_level_and_not_in_menus() {
    // Cross chooses in the menus; in the level triangle now throws, and square does nothing.
    let mut game = front_end("9x,9x,30q,9t,9t,20.");
    game.state.settings.layout = state::Layout::Turned;
    play(&mut game);
    assert_eq!(game.state.statistics.thrown, 2);
}
