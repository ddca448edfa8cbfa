//! The clocks of the whole game.

use super::*;

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
fn the_stop_watch_counts_a_levels_game_time_down_and_stands_with_it() {
    let mut game = front_end("9x,9x,60.,9s,40.");
    game.options.frames = Some(400);
    play(&mut game);
    assert_eq!(game.stack.top(), Some(ModeId::Pause));
    let all = u64::from(missions::MISSIONS[0].seconds) * crate::clock::time::TICKS_PER_SECOND;
    let shown = game.stop_watch.shown(game.clock.ticks());
    assert!(game.stop_watch.is_running() && shown < all && shown > all / 2, "{shown} of {all}");
    run_once(&mut *game);
    assert_eq!(game.stop_watch.shown(game.clock.ticks()), shown, "a paused game's time stands");
    game.return_to_title();
    run_once(&mut *game);
    assert!(!game.stop_watch.is_running());
}
