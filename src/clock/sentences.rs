//! The seed's Timers section, sentence by sentence, about the game's clock.

use super::time::{LONGEST_FRAME, STEP, TICKS_PER_SECOND, from_milliseconds};
use super::{Conditions, ContinueButton, GameTimer, PauseChange, PlayerCamera};
use proptest::prelude::*;

const PLAY: Conditions =
    Conditions { camera: PlayerCamera::Play, button: ContinueButton::Quiet, held_by_caption: false };
const NO_CAMERA: Conditions = Conditions { camera: PlayerCamera::None, ..PLAY };
const SCENE: Conditions = Conditions { camera: PlayerCamera::Scene, ..PLAY };

fn fixed() -> GameTimer {
    let mut timer = GameTimer::starting_at(0);
    timer.set_fixed(true, 0);
    timer
}

#[test]
fn thirty_fixed_updates_are_one_second() {
    let mut timer = fixed();
    for _ in 0..30 {
        timer.update(0, &PLAY);
    }
    assert_eq!((timer.ticks(), timer.milliseconds()), (294_912_000, 1000));
    assert_eq!((timer.unscaled_ticks(), timer.unscaled_milliseconds()), (294_912_000, 1000));
    assert!((timer.seconds() - 1.0).abs() < 1e-6);
}

#[test]
fn a_fixed_step_is_exactly_0x960000_ticks_whatever_the_clock_says() {
    let mut timer = fixed();
    timer.update(TICKS_PER_SECOND, &PLAY);
    timer.update(TICKS_PER_SECOND + 5, &NO_CAMERA);
    assert_eq!(timer.ticks(), 2 * 0x96_0000);
}

#[test]
fn the_scale_changes_the_fixed_step_and_not_the_unscaled_clock() {
    let mut timer = fixed();
    timer.set_scale(0.5);
    timer.update(0, &PLAY);
    assert_eq!((timer.ticks(), timer.unscaled_ticks()), (STEP / 2, STEP));
}

#[test]
fn real_time_advances_by_what_has_elapsed() {
    let mut timer = GameTimer::starting_at(77);
    timer.update(1077, &PLAY);
    assert_eq!(timer.ticks(), 1000);
    timer.update(1077, &PLAY);
    assert_eq!(timer.ticks(), 1000);
}

#[test]
fn a_second_in_one_frame_counts_as_40_ms_while_a_play_camera_watches() {
    let mut timer = GameTimer::starting_at(0);
    timer.update(TICKS_PER_SECOND, &PLAY);
    assert_eq!((timer.ticks(), timer.milliseconds()), (11_796_480, 40));
    assert_eq!(timer.lost(), TICKS_PER_SECOND - LONGEST_FRAME);
}

#[test]
fn forty_milliseconds_are_not_cut() {
    let mut timer = GameTimer::starting_at(0);
    timer.update(LONGEST_FRAME, &PLAY);
    assert_eq!((timer.ticks(), timer.lost()), (LONGEST_FRAME, 0));
    timer.update(2 * LONGEST_FRAME + 1, &PLAY);
    assert_eq!((timer.ticks(), timer.lost()), (2 * LONGEST_FRAME, 1));
}

#[test]
fn without_a_camera_or_under_a_scene_camera_nothing_is_cut() {
    for conditions in [NO_CAMERA, SCENE] {
        let mut timer = GameTimer::starting_at(0);
        timer.update(TICKS_PER_SECOND, &conditions);
        assert_eq!(timer.ticks(), TICKS_PER_SECOND);
    }
}

#[test]
fn the_scale_multiplies_real_time_before_it_is_cut() {
    let mut timer = GameTimer::starting_at(0);
    timer.set_scale(2.0);
    timer.update(from_milliseconds(15), &PLAY);
    assert_eq!(timer.milliseconds(), 30);
    timer.update(from_milliseconds(45), &PLAY);
    assert_eq!(timer.milliseconds(), 70, "30 ms at double speed are 60, cut to 40");
}

#[test]
fn the_unscaled_clock_is_neither_scaled_nor_cut() {
    let mut timer = GameTimer::starting_at(0);
    timer.set_scale(0.25);
    timer.update(TICKS_PER_SECOND, &PLAY);
    assert_eq!(timer.unscaled_ticks(), TICKS_PER_SECOND);
    assert_eq!(timer.unscaled_milliseconds(), 1000);
}

#[test]
fn time_that_was_cut_does_not_come_back() {
    let mut timer = GameTimer::starting_at(0);
    timer.update(TICKS_PER_SECOND, &PLAY);
    timer.update(TICKS_PER_SECOND + 10, &PLAY);
    assert_eq!(timer.ticks(), LONGEST_FRAME + 10);
}

#[test]
fn paused_neither_clock_moves_in_either_mode() {
    for is_fixed in [false, true] {
        let mut timer = GameTimer::starting_at(0);
        timer.set_fixed(is_fixed, 0);
        assert_eq!(timer.toggle_pause(0), PauseChange::Began);
        timer.update(STEP, &PLAY);
        assert_eq!((timer.ticks(), timer.unscaled_ticks()), (0, 0), "fixed: {is_fixed}");
    }
}

#[test]
fn unpausing_skips_the_paused_time_of_both_clocks() {
    let mut timer = GameTimer::starting_at(0);
    timer.update(1000, &NO_CAMERA);
    assert_eq!(timer.toggle_pause(1000), PauseChange::Began);
    timer.update(50_000, &NO_CAMERA);
    assert_eq!(timer.toggle_pause(90_000), PauseChange::Ended);
    timer.update(90_007, &NO_CAMERA);
    assert_eq!((timer.ticks(), timer.unscaled_ticks()), (1007, 1007));
}

#[test]
fn a_resumed_fixed_clock_goes_on_with_whole_steps() {
    let mut timer = fixed();
    assert_eq!(timer.toggle_pause(0), PauseChange::Began);
    timer.update(STEP, &PLAY);
    assert_eq!(timer.toggle_pause(STEP), PauseChange::Ended);
    timer.update(2 * STEP, &PLAY);
    assert_eq!(timer.ticks(), 9_830_400);
}

#[test]
fn leaving_the_fixed_step_resynchronises_game_time_alone() {
    let mut timer = fixed();
    timer.update(1_000_000, &NO_CAMERA);
    timer.set_fixed(false, 1_000_000);
    timer.update(1_000_300, &NO_CAMERA);
    assert_eq!(timer.ticks(), STEP + 300);
    assert_eq!(timer.unscaled_ticks(), STEP + 1_000_300, "its base was not moved");
}

#[test]
fn a_single_step_is_done_once_while_paused_on_the_fixed_step() {
    let mut timer = fixed();
    assert_eq!(timer.toggle_pause(0), PauseChange::Began);
    timer.request_single_step();
    timer.update(0, &PLAY);
    timer.update(0, &PLAY);
    assert_eq!((timer.ticks(), timer.is_paused()), (STEP, true));
}

#[test]
fn a_single_step_is_a_fixed_one_in_real_time_too_and_the_paused_time_is_still_skipped() {
    let mut timer = GameTimer::starting_at(0);
    assert_eq!(timer.toggle_pause(0), PauseChange::Began);
    timer.request_single_step();
    timer.update(5 * STEP, &PLAY);
    timer.update(6 * STEP, &PLAY);
    assert_eq!((timer.ticks(), timer.is_paused()), (STEP, true), "one step, once");
    assert_eq!(timer.toggle_pause(7 * STEP), PauseChange::Ended);
    timer.update(7 * STEP + 100, &PLAY);
    assert_eq!(timer.ticks(), STEP + 100);
}

/// A clock frozen at 1 s of real time for 5 s, at least 2 s.
fn frozen() -> GameTimer {
    let mut timer = GameTimer::starting_at(0);
    timer.update(at(1000), &NO_CAMERA);
    assert_eq!(timer.freeze(at(1000), 5000, 2000), PauseChange::Began);
    timer
}

const fn at(milliseconds: u32) -> u64 {
    from_milliseconds(milliseconds)
}

#[test]
fn a_freeze_pauses_until_its_time_has_passed() {
    let mut timer = frozen();
    timer.update(at(5999), &PLAY);
    assert!(timer.is_paused() && timer.is_frozen());
    timer.update(at(6000), &PLAY);
    assert!(!timer.is_paused() && !timer.is_frozen());
    assert_eq!(timer.milliseconds(), 1000, "the frozen time is skipped");
    timer.update(at(6010), &PLAY);
    assert_eq!(timer.milliseconds(), 1010);
}

#[test]
fn a_released_button_ends_a_freeze_after_its_least_time() {
    let released = Conditions { button: ContinueButton::Released, ..PLAY };
    let mut timer = frozen();
    timer.update(at(2999), &released);
    assert!(timer.is_paused());
    timer.update(at(3000), &PLAY);
    assert!(timer.is_paused(), "time alone is not enough");
    timer.update(at(3001), &released);
    assert!(!timer.is_paused());
}

#[test]
fn without_any_pad_a_freeze_ends_at_once() {
    let mut timer = frozen();
    timer.update(at(1001), &Conditions { button: ContinueButton::NoPad, ..PLAY });
    assert!(!timer.is_paused());
}

#[test]
fn a_caption_of_kind_2_keeps_a_freeze_until_its_time_runs_out() {
    for button in [ContinueButton::Released, ContinueButton::NoPad] {
        let held = Conditions { button, held_by_caption: true, ..PLAY };
        let mut timer = frozen();
        timer.update(at(4000), &held);
        assert!(timer.is_paused(), "{button:?}");
        timer.update(at(6000), &held);
        assert!(!timer.is_paused());
    }
}

#[test]
fn a_paused_clock_is_not_frozen() {
    let mut timer = GameTimer::starting_at(0);
    assert_eq!(timer.toggle_pause(0), PauseChange::Began);
    assert_eq!(timer.freeze(0, 100, 0), PauseChange::Unchanged);
    timer.update(at(1000), &PLAY);
    assert!(timer.is_paused() && !timer.is_frozen());
}

#[test]
fn a_freeze_that_the_pause_ended_does_not_end_a_later_pause() {
    let mut timer = frozen();
    assert_eq!(timer.toggle_pause(at(1500)), PauseChange::Ended);
    assert_eq!(timer.toggle_pause(at(1600)), PauseChange::Began);
    timer.update(at(9000), &PLAY);
    assert!(timer.is_paused());
}

#[test]
fn milliseconds_are_computed_paused_or_not() {
    let mut timer = GameTimer::starting_at(0);
    timer.update(at(250), &NO_CAMERA);
    timer.hold();
    timer.update(at(500), &NO_CAMERA);
    assert_eq!((timer.milliseconds(), timer.unscaled_milliseconds()), (250, 250));
}

#[test]
fn gameplay_begins_paused_and_without_a_freeze() {
    let mut timer = frozen();
    timer.hold();
    timer.update(at(20_000), &PLAY);
    assert!(timer.is_paused() && !timer.is_frozen());
}

#[test]
fn time_since_a_tick_count_has_three_units() {
    let mut timer = GameTimer::starting_at(0);
    timer.update(at(500), &NO_CAMERA);
    let then = timer.ticks();
    timer.update(at(750), &NO_CAMERA);
    assert_eq!((timer.since(then), timer.milliseconds_since(then)), (at(250), 250));
    assert!((timer.seconds_since(then) - 0.25).abs() < 1e-6);
}

#[test]
fn a_pal_hour_loses_nothing_and_a_slow_hour_says_what_it_lost() {
    const PAL_FRAME: u64 = TICKS_PER_SECOND / 25;
    let mut timer = GameTimer::starting_at(0);
    let (mut real, mut slow) = (0, 0);
    for frame in 0..25 * 3600_u64 {
        // One frame in a thousand is a field late.
        let late = if frame % 1000 == 999 { PAL_FRAME / 2 } else { 0 };
        real += PAL_FRAME + late;
        slow += late;
        timer.update(real, &PLAY);
    }
    std::println!("an hour at 25 frames a second: {} ms lost", timer.lost() / 294_912);
    assert_eq!((timer.lost(), timer.ticks()), (slow, 3600 * TICKS_PER_SECOND));
}

#[test]
fn a_reset_starts_both_clocks_anew_and_keeps_the_steps() {
    let mut timer = fixed();
    timer.set_scale(3.0);
    timer.update(0, &PLAY);
    timer.hold();
    timer.reset(500);
    timer.update(900, &PLAY);
    assert_eq!((timer.ticks(), timer.unscaled_ticks(), timer.is_fixed()), (STEP, STEP, true));
}

#[test]
fn a_load_that_blocked_is_no_time() {
    let mut timer = GameTimer::starting_at(0);
    timer.skip_to(at(8000));
    timer.update(at(8010), &NO_CAMERA);
    assert_eq!((timer.milliseconds(), timer.unscaled_milliseconds()), (10, 10));
}

/// One thing that happens to a clock between two frames.
#[derive(Clone, Debug)]
enum Event {
    Frame { elapsed: u64, camera: PlayerCamera },
    Toggle,
    Fixed(bool),
    Freeze { milliseconds: u32, least: u32 },
    Scale(f32),
}

fn event() -> impl Strategy<Value = Event> {
    let camera = prop_oneof![Just(PlayerCamera::None), Just(PlayerCamera::Scene), Just(PlayerCamera::Play)];
    prop_oneof![
        8 => (0_u64..3 * LONGEST_FRAME, camera).prop_map(|(elapsed, camera)| Event::Frame { elapsed, camera }),
        1 => Just(Event::Toggle),
        1 => any::<bool>().prop_map(Event::Fixed),
        1 => (0_u32..500, 0_u32..500).prop_map(|(milliseconds, least)| Event::Freeze { milliseconds, least }),
        1 => (0.0_f32..4.0).prop_map(Event::Scale),
    ]
}

proptest! {
    #[test]
    fn no_clock_goes_back_and_no_watched_frame_is_longer_than_the_rule(events in prop::collection::vec(event(), 1..80)) {
        let mut timer = GameTimer::starting_at(0);
        let mut real = 0;
        for event in events {
            let (game, unscaled, paused) = (timer.ticks(), timer.unscaled_ticks(), timer.is_paused());
            match event {
                Event::Frame { elapsed, camera } => {
                    real += elapsed;
                    timer.update(real, &Conditions { camera, ..PLAY });
                    let passed = timer.ticks() - game;
                    prop_assert!(timer.unscaled_ticks() >= unscaled);
                    if paused {
                        prop_assert_eq!((passed, timer.unscaled_ticks()), (0, unscaled));
                    } else if timer.is_fixed() {
                        prop_assert_eq!(timer.unscaled_ticks() - unscaled, STEP);
                    } else if camera == PlayerCamera::Play {
                        prop_assert!(passed <= LONGEST_FRAME, "{passed}");
                    }
                }
                Event::Toggle => {
                    let change = timer.toggle_pause(real);
                    prop_assert_eq!(change, if paused { PauseChange::Ended } else { PauseChange::Began });
                }
                Event::Fixed(on) => timer.set_fixed(on, real),
                Event::Freeze { milliseconds, least } => {
                    let change = timer.freeze(real, milliseconds, least);
                    prop_assert_eq!(change, if paused { PauseChange::Unchanged } else { PauseChange::Began });
                }
                Event::Scale(scale) => timer.set_scale(scale),
            }
            prop_assert!(timer.ticks() >= game);
            prop_assert!(timer.is_paused() || !timer.is_frozen(), "a freeze is a pause");
        }
    }
}
