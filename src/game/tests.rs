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

mod settings;

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
fn a_console_without_its_modules_says_so() {
    let mut game = game();
    game.machine.iop = Err("no link to the IOP");
    let (step, failure) = game.initialize_subsystems().unwrap_err();
    assert_eq!((step.name(), failure.to_string().as_str()), ("IOP", "no link to the IOP"));
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
fn the_reset_combination_leads_back_to_the_title_from_anywhere() {
    let mut game = front_end("9x,9x,20s,9z*40,9.");
    play(&mut game);
    assert_eq!(game.stack.modes(), [ModeId::LevelFlow, ModeId::ProfileManager]);
    assert!(game.level.is_none() && !game.clock.is_paused());
}

#[test]
fn an_arena_that_is_over_saves_what_it_brought() {
    for (result, item) in [(ModeId::ArenaResult, 0), (ModeId::ArcadeGameOver, 1)] {
        let mut game = front_end("9.");
        run_once(&mut *game);
        game.return_to_title();
        game.machine.card.state = CardState::Empty;
        game.modes.last = Some(Play::Arena(1));
        game.state.money[0] = 20;
        game.push_mode(result);
        let _stays = game.choose(result, item);
        play(&mut game);
        assert_eq!((game.machine.card.state, game.state.bank), (CardState::Ours, 20), "{result:?}");
        assert!(!game.modes.save_due);
        let goes_on = if item == 0 { ModeId::Gameplay } else { ModeId::ProfileManager };
        assert_eq!(game.stack.top(), Some(goes_on));
    }
}

#[test]
fn a_reset_between_winning_and_saving_saves_first() {
    let mut game = front_end("9.");
    game.machine.card.state = CardState::Empty;
    game.push_mode(ModeId::MissionComplete);
    game.state.complete(0, missions::MISSION_COUNT);
    game.state.money[0] = 50;
    game.modes.save_due = true;
    game.return_to_title();
    assert_eq!(game.stack.modes(), [ModeId::LevelFlow, ModeId::MemoryCard]);
    play(&mut game);
    assert_eq!(game.stack.modes(), [ModeId::LevelFlow, ModeId::ProfileManager]);
    assert_eq!((game.machine.card.state, game.state.bank), (CardState::Ours, 50));
}

/// A card with the save of a game in which nothing was won yet.
fn card_with_an_old_save() -> crate::game_modes::memory_card::tests::FakeCard {
    let mut game = front_end("9.");
    game.machine.card.state = CardState::Empty;
    game.modes.save_due = true;
    game.push_mode(ModeId::MemoryCard);
    play(&mut game);
    assert_eq!(game.machine.card.state, CardState::Ours);
    game.machine.card.clone()
}

/// What a game says that loads this card.
fn completed_on(card: &crate::game_modes::memory_card::tests::FakeCard) -> bool {
    let mut game = front_end("9.");
    game.machine.card = card.clone();
    game.set_card_boot_check();
    game.push_mode(ModeId::MemoryCard);
    play(&mut game);
    assert_eq!(game.machine.said("SAVE of"), 1);
    game.state.is_completed(1)
}

#[test]
fn a_reset_before_the_start_up_check_is_over_leaves_the_check_due_and_later_wins_safe() {
    // Under the legal screen, in the check's first frames, and at its question.
    for (over, script) in [(true, "9z*40,30."), (false, "9z*40,30."), (false, "40z*40,9x,30.")] {
        let mut game = front_end(script);
        game.machine.card = card_with_an_old_save();
        if script.contains('x') {
            game.machine.card.state = CardState::Absent;
        }
        game.set_card_boot_check();
        game.push_mode(ModeId::MemoryCard);
        if over {
            game.push_mode(ModeId::LegalScreen);
        }
        for round in 0..140 {
            run_once(&mut *game);
            game.after_round();
            if round == 85 {
                game.machine.card.state = CardState::Ours;
            }
        }
        assert_eq!(game.stack.modes(), [ModeId::LevelFlow, ModeId::ProfileManager], "{script}");
        assert_eq!(game.machine.said("SAVE of"), 1, "{script}: the card was loaded, once");
        game.state.complete(1, missions::MISSION_COUNT);
        game.modes.save_due = true;
        game.return_to_title();
        for _ in 0..30 {
            run_once(&mut *game);
        }
        assert!(game.state.is_completed(1) && completed_on(&game.machine.card), "{script}");
    }
}

#[test]
fn a_reset_while_the_card_saves_leaves_the_save_due() {
    let mut game = front_end("9.");
    game.machine.card.state = CardState::Empty;
    run_once(&mut *game);
    game.return_to_title();
    game.state.complete(1, missions::MISSION_COUNT);
    game.modes.save_due = true;
    game.push_mode(ModeId::MemoryCard);
    // One round of "Checking" is over.
    run_once(&mut *game);
    assert_eq!((game.stack.top(), game.machine.card.state), (Some(ModeId::MemoryCard), CardState::Empty));
    game.return_to_title();
    assert_eq!((game.stack.top(), game.modes.save_due), (Some(ModeId::MemoryCard), true));
    play(&mut game);
    assert_eq!(game.stack.top(), Some(ModeId::ProfileManager));
    assert!(!game.modes.save_due && completed_on(&game.machine.card));
}

#[test]
fn a_reset_in_the_round_before_a_mission_is_told_complete_keeps_the_win() {
    let mut game = throwing();
    take_and_throw(&mut game, 4);
    lay_stone(&mut game);
    game.input.script = Script::parse("9t,70o,120.");
    for _ in 0..400 {
        run_once(&mut *game);
        if game.stack.top() == Some(ModeId::MissionComplete) {
            break;
        }
    }
    assert_eq!(game.stack.top(), Some(ModeId::MissionComplete));
    assert!(!game.stack.is_entered(ModeId::MissionComplete));
    game.return_to_title();
    for _ in 0..20 {
        run_once(&mut *game);
    }
    assert!(game.state.is_completed(1) && completed_on(&game.machine.card));
    assert_eq!(game.state.statistics.won, 1);
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
fn a_start_that_takes_longer_than_the_counters_wrap_is_told_in_full() {
    use crate::boot::subsystems::SubsystemHost as _;
    let mut game = game();
    let begin = game.now();
    for _ in 0..3 {
        game.machine.count = game.machine.count.wrapping_add(3 << 30);
        game.advance_real_time();
    }
    assert_eq!(game.now() - begin, 9 << 30);
}

#[test]
fn a_frame_that_blocks_beyond_the_counters_wrap_loses_no_time() {
    let mut game = game();
    game.advance_real_time();
    let begin = game.real;
    game.machine.count = game.machine.count.wrapping_add(77);
    game.machine.shown.cycles += (2 << 32) + 70;
    game.advance_real_time();
    assert_eq!(game.real - begin, (2 << 32) + 77);
}

#[test]
fn a_wait_that_looks_at_the_clock_itself_is_counted_once() {
    use crate::boot::subsystems::SubsystemHost as _;
    const SECOND: u32 = crate::ee::ticks::PER_SECOND;
    let pass = |game: &mut FakeGame| {
        game.machine.count = game.machine.count.wrapping_add(SECOND);
        game.machine.shown.cycles += u64::from(SECOND);
    };
    let mut game = game();
    // The display is open for long when the timer's step comes.
    (0..10).for_each(|_| pass(&mut game));
    game.initialize_subsystems().unwrap();
    game.advance_real_time();
    assert!(game.real < u64::from(SECOND), "{}", game.real);
    let (up, real) = (game.now(), game.real);
    for _ in 0..10 {
        pass(&mut game);
        let count = game.machine.count;
        let _uptime = (game.now(), game.timer.update(count));
    }
    game.advance_real_time();
    assert_eq!((game.now() - up, game.real - real), (10 * u64::from(SECOND), 10 * u64::from(SECOND)));
}

#[test]
fn start_closes_the_pause_that_it_opened_and_does_not_open_it_again() {
    let mut game = front_end("9x,9x,30.,9s,9s,30.");
    let tops = play(&mut game);
    assert_eq!(tops.iter().filter(|mode| **mode == ModeId::Pause).count(), 1, "{tops:?}");
    assert_eq!(game.stack.top(), Some(ModeId::Gameplay));
}

#[test]
fn a_win_that_was_not_shown_yet_is_kept_and_saved_however_the_level_is_left() {
    use crate::game_modes::PauseOutcome;
    for by_pause in [false, true] {
        // The fifth throw wins; the freeze before the end's screen has just begun.
        let mut game = front_end("9x,9d,9x,9d,9x,20q,9q,9q,9q,9q,3.");
        game.state.unlocked = 0b11;
        game.machine.card.state = CardState::Empty;
        for _ in 0..200 {
            run_once(&mut *game);
            game.after_round();
            if game.modes.outcome.is_some() {
                break;
            }
        }
        assert_eq!(game.modes.outcome, Some(rules::Outcome::Won));
        if by_pause {
            crate::game_modes::pop(&mut *game);
            assert_eq!(game.stack.top(), Some(ModeId::Gameplay), "as while a mission's last scene plays");
            assert_eq!(game.choose_in_pause(2), PauseOutcome::Quit);
            crate::game_modes::pop(&mut *game);
        } else {
            game.return_to_title();
        }
        for _ in 0..20 {
            run_once(&mut *game);
        }
        assert!(game.state.is_completed(1) && game.state.is_unlocked(2), "by the pause: {by_pause}");
        assert_eq!((game.state.bank, game.machine.card.state), (missions::MISSIONS[1].money, CardState::Ours));
        assert_eq!(game.stack.top(), Some(ModeId::ProfileManager));
    }
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
fn a_single_step_while_paused_moves_a_level_on_by_one_step() {
    let mut game = front_end("9x,9x,30.");
    play(&mut game);
    assert!(!game.clock.is_fixed(), "a level runs on real time");
    let _began = game.clock.toggle_pause(game.real);
    let ticks =
        |game: &FakeGame| game.tasks.as_deref().unwrap().manager.clock.time_of(crate::tasks::clock::Phase::Play);
    let before = ticks(&game);
    run_once(&mut *game);
    assert_eq!(ticks(&game), before);
    game.clock.request_single_step();
    run_once(&mut *game);
    run_once(&mut *game);
    assert_eq!(ticks(&game), before + 2, "a pair of ticks");
}

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
fn a_drive_that_stops_under_the_music_leads_to_the_error_mode_until_it_reads_again() {
    let mut game = front_end("9x,9x,30.");
    play(&mut game);
    game.input.script = None;
    let disc: &'static crate::file_io::fake::Disc = Box::leak(Box::new(crate::file_io::fake::Disc::sample()));
    game.files.system = Some(disc.files(crate::file_io::fake::FakeDevice::new(disc)));
    run_once(&mut *game);
    assert_ne!(game.stack.top(), Some(ModeId::Error));
    game.files.system.as_mut().unwrap().device_mut().drive = Some(crate::file_io::Fault::TrayOpen);
    for _ in 0..3 {
        run_once(&mut *game);
    }
    assert_eq!(game.stack.top(), Some(ModeId::Error));
    assert!(screen(&game).contains("TRAY IS OPEN"), "{}", screen(&game));
    game.files.system.as_mut().unwrap().device_mut().drive = None;
    for _ in 0..4 {
        run_once(&mut *game);
    }
    assert_ne!(game.stack.top(), Some(ModeId::Error));
}

#[test]
fn a_disc_that_cannot_be_read_at_the_start_is_waited_for_on_the_screen() {
    use crate::file_io::fake::{Disc, Event, FakeDevice};
    let mut game = game();
    game.files.buffer = Some(crate::file_io::fake::BUFFER);
    game.initialize_subsystems().unwrap();
    let disc: &'static Disc = Box::leak(Box::new(Disc::sample()));
    game.files.device = Some(FakeDevice::new(disc).with(Event::Fault(crate::file_io::Fault::TrayOpen, 30)));
    game.files.system = None;
    let frames = game.frames;
    game.open_archive().unwrap();
    assert!(game.files.system.is_some(), "it is read in the end");
    assert!(game.frames > frames + 10, "{} frames", game.frames - frames);
    assert!(screen(&game).contains("TRAY IS OPEN"), "{}", screen(&game));
    assert_eq!(game.machine.said("DISC the disc tray is open: waiting"), 1);
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
fn a_step_that_meets_a_full_heap_ends_in_words_on_the_screen_and_not_in_a_panic() {
    use crate::boot::subsystems::{AnyStep, Step};
    let mut game = game();
    let global = game.machine.with_memory(|memory| memory.global()).unwrap();
    // Enough for the renderer and the pools, and too little for the clips.
    let free = game.machine.with_memory(|memory| memory.largest_free_block(global)).unwrap();
    game.machine.with_memory(|memory| memory.alloc(free - 3_900_000, 16)).unwrap();
    let (step, failure) = game.initialize_subsystems().unwrap_err();
    assert_eq!((step, failure), (AnyStep::Game(Step::Animation), Failure::NoRoom("animation")));
    game.tell_failed_start(step, &failure);
    assert!(
        screen(&game).contains(&std::format!("STEP: {}\nno room for {}", step.name(), step.name())),
        "{}",
        screen(&game)
    );
}

#[test]
fn an_archive_s_index_that_finds_no_room_is_an_error_in_words() {
    use crate::file_io::fake::{Disc, FakeDevice};
    let mut game = game();
    game.files.buffer = Some(crate::file_io::fake::BUFFER);
    game.initialize_subsystems().unwrap();
    let disc: &'static Disc = Box::leak(Box::new(Disc::sample()));
    game.files.device = Some(FakeDevice::new(disc));
    game.machine.with_memory(|memory| {
        let global = memory.global().unwrap();
        while let Ok(largest @ 32..) = memory.largest_free_block(global) {
            memory.alloc(largest, 16).unwrap();
        }
    });
    assert_eq!(game.open_archive(), Err(Failure::NoRoom("the archive's index")));
}

#[test]
fn a_program_without_its_disc_asks_for_it_and_goes_on_when_it_comes() {
    let mut game = game();
    game.machine.disc_comes = Some((2, crate::file_io::fake::Disc::sample()));
    game.initialize_subsystems().unwrap();
    assert!(game.files.system.is_some() && game.frames > 90, "{} frames", game.frames);
    assert!(screen(&game).contains("PLEASE INSERT THE GAME'S DISC"), "{}", screen(&game));
}

#[test]
fn the_game_s_own_module_is_named_while_its_disc_is_asked_for() {
    let mut game = game();
    let error = "the server's error -401".try_into().unwrap();
    game.machine.missing = vec![super::machine::MissingModule { name: "BWIOP", error }];
    game.machine.disc_comes = Some((1, crate::file_io::fake::Disc::sample()));
    game.initialize_subsystems().unwrap();
    let told = screen(&game);
    assert!(told.contains("BWIOP") && told.contains("-401"), "{told}");
}

#[test]
fn a_module_that_does_not_load_is_named_on_the_screen_and_the_game_goes_on() {
    let mut game = game();
    let error = "the server's error -203".try_into().unwrap();
    let missing = super::machine::MissingModule { name: "MCSERV", error };
    game.machine.missing = vec![super::machine::MissingModule { name: "LIBSD", ..missing.clone() }, missing];
    game.initialize_subsystems().unwrap();
    assert!(game.frames >= 600, "{} frames", game.frames);
    assert_eq!(game.machine.said("BOOT tells of the missing LIBSD"), 1);
    let told = screen(&game);
    assert!(told.contains("MCSERV") && told.contains("-203"), "{told}");
}

#[test]
fn a_program_without_its_disc_goes_on_without_when_asked() {
    let mut game = game();
    game.machine.disc_comes = Some((u32::MAX, crate::file_io::fake::Disc::sample()));
    game.input.script = Script::parse("30t");
    game.initialize_subsystems().unwrap();
    assert!(game.files.system.is_none() && (30..45).contains(&game.frames), "{} frames", game.frames);
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

#[test]
fn leaving_ends_the_program() {
    let mut game = front_end("9u,9x,9.");
    play(&mut game);
    assert!(game.is_over());
}
