//! Screen effects: how dark each viewport is.

use super::*;
use crate::game_modes::effect;
use crate::game_modes::frame::FrameHost as _;

/// Runs so many rounds of the loop; the first viewport's effect after each.
fn rounds(game: &mut FakeGame, count: usize) -> Vec<u32> {
    let mut seen = Vec::new();
    for _ in 0..count {
        run_once(game);
        game.after_round();
        assert_eq!(game.modes.effects[0], game.modes.effects[1]);
        seen.push(game.modes.effects[0]);
    }
    seen
}

/// A level from its first frame on, of which the buttons are not pressed any more.
fn in_level() -> Box<FakeGame> {
    let mut game = front_end("9x,9x");
    while game.stack.top() != Some(ModeId::Gameplay) {
        run_once(&mut *game);
    }
    game.input.script = None;
    game
}

#[test]
fn a_level_comes_out_of_the_dark_in_half_a_second() {
    let mut game = in_level();
    let seen = rounds(&mut game, 8);
    assert_eq!(game.picture.effects, game.modes.effects, "what is kept is what is drawn");
    let seen = [seen, rounds(&mut game, 16)].concat();
    assert!(seen[0] > effect::DARKEST * 3 / 4, "{seen:?}");
    assert!(seen.windows(2).all(|pair| pair[1] <= pair[0]), "{seen:?}");
    let clear = seen.iter().position(|effect| *effect == effect::CLEAR).expect("it is bright in the end");
    assert!((13..=18).contains(&clear), "{seen:?}");
}

#[test]
fn a_pause_dims_the_level_and_puts_back_how_dark_it_was() {
    let mut game = in_level();
    let before = *rounds(&mut game, 6).last().unwrap();
    assert!(before > effect::CLEAR && before != effect::BEHIND_MENU, "{before}");
    game.push_mode(ModeId::Pause);
    assert_eq!(rounds(&mut game, 5), [effect::BEHIND_MENU; 5]);
    crate::game_modes::pop(&mut *game);
    assert_eq!(game.modes.effects, [before; 2]);
    let after = rounds(&mut game, 20);
    assert!(after[0] <= before && after[1] < before && after.last() == Some(&effect::CLEAR), "{after:?}");
}

#[test]
fn the_end_darkens_the_level_its_screen_dims_it_and_the_title_is_bright() {
    let mut game = in_level();
    rounds(&mut game, 24);
    game.rules.lose();
    let end = rounds(&mut game, 60);
    assert_eq!(game.stack.top(), Some(ModeId::MissionFailed));
    assert!(end.windows(2).filter(|pair| pair[0] < pair[1] && pair[1] <= effect::AT_END).count() > 20, "{end:?}");
    assert_eq!(end.last(), Some(&effect::BEHIND_MENU));
    game.return_to_title();
    assert_eq!(rounds(&mut game, 2), [effect::CLEAR; 2]);
}

#[test]
fn a_screen_effect_covers_its_own_viewport_in_the_packet() {
    let mut game = in_level();
    rounds(&mut game, 24);
    let bright = game.machine.quads;
    game.modes.effects = [0, effect::DARKEST];
    game.present();
    assert_eq!(game.machine.quads, bright, "a viewport that is not there has no effect");
    game.modes.effects = [effect::DARKEST, 0];
    game.present();
    assert!(game.machine.quads > bright);
}
