//! The arena in the whole game, on a console of memory with people.

use super::characters::People;
use super::characters_tests::with_people;
use super::fake::FakeGame;
use super::missions::Play;
use super::rules::Outcome;
use crate::boot::start::StartHost as _;
use crate::combat::attacks::Strength;
use crate::game_modes::frame::FrameHost as _;
use crate::game_modes::{ModeId, ScreenHost as _, run_once};
use crate::maths::Vec3;
use crate::pads::{Reading, Stick};
use std::boxed::Box;
use std::string::{String, ToString};

/// A game that plays an arena of three rounds with so many controllers.
pub(super) fn arena(pads: usize) -> Box<FakeGame> {
    let mut game = with_people();
    game.set_up_subtitles().unwrap();
    game.machine.readings[1] = (pads > 1).then(Reading::default);
    game.options.play = Some(Play::Arena(3));
    game.push_mode(ModeId::LevelFlow);
    run(&mut game, 3);
    assert_eq!(game.stack.top(), Some(ModeId::Gameplay));
    game
}

fn run(game: &mut FakeGame, frames: usize) {
    for _ in 0..frames {
        run_once(game);
        game.after_round();
    }
}

fn people(game: &mut FakeGame) -> &mut People {
    game.people.as_deref_mut().unwrap()
}

fn screen(game: &FakeGame) -> String {
    game.picture.screen.to_string()
}

/// Lets the round's call pass and knocks a fighter out; then runs until the next round or the end.
fn knock_out(game: &mut FakeGame, fighter: usize) {
    while game.clock.is_frozen() {
        run(game, 1);
    }
    let round = game.rules.arena.unwrap().round();
    let n = game.rules.arena.unwrap().fighters()[fighter].expect("a fighter");
    people(game).humans.struck_by_thing(n.into(), i16::MAX, Strength::Crushing, Vec3::ZERO);
    for _ in 0..300 {
        run(game, 1);
        let goes_on = game.rules.arena.is_some_and(|arena| arena.round() == round);
        if !goes_on || game.stack.top() != Some(ModeId::Gameplay) {
            return;
        }
    }
    panic!("the round does not end: {:?}", game.rules.arena);
}

fn to_the_result(game: &mut FakeGame) {
    for _ in 0..90 {
        if game.stack.top() != Some(ModeId::Freeze) {
            return;
        }
        run(game, 1);
    }
    panic!("the end is not shown");
}

#[test]
fn two_controllers_are_two_players_with_a_half_of_the_picture_each() {
    let mut game = arena(2);
    assert!(game.clock.is_frozen() && game.is_held_by_caption(), "the round is called out");
    assert_eq!(game.captions.as_deref().unwrap().shown().unwrap().text, "ROUND 1 OF 3");
    while game.clock.is_frozen() {
        run(&mut game, 1);
    }
    run(&mut game, 2);
    assert_eq!((game.viewports(), game.picture.views.len()), (2, 2));
    let [upper, lower] = [0, 1].map(|viewport| game.picture.camera(viewport).unwrap());
    assert!(upper.window.1 <= 224.0 && lower.window.0 >= 224.0 && upper.eye != lower.eye);
    // Each controller drives its own fighter and no other.
    game.machine.readings[1] = Some(Reading { left: Stick { x: 0.0, y: 1.0 }, ..Reading::default() });
    run(&mut game, 3);
    let fighters = game.rules.arena.unwrap().fighters().map(|n| usize::from(n.expect("a fighter")));
    let records = &game.tasks.as_deref().unwrap().humans.records;
    let pushed = fighters.map(|n| records.get(n).map(|record| record.input.magnitude[0]));
    assert_eq!(pushed, [Some(0.0), Some(1.0)]);
    let players = fighters.map(|n| people(&mut game).humans.people[n].spawn.player);
    assert_eq!(players, [Some(0), Some(1)]);
}

#[test]
fn the_first_player_to_win_two_rounds_of_three_is_told_and_the_menu_comes_back() {
    let mut game = arena(2);
    knock_out(&mut game, 1);
    assert_eq!(game.rules.arena.unwrap().won(), [1, 0]);
    let fresh = [0, 1].map(|player| people(&mut game).vigour(player).expect("both are there again").0[0]);
    assert_eq!(fresh, [1.0, 1.0], "fresh for the second round");
    knock_out(&mut game, 1);
    to_the_result(&mut game);
    assert_eq!(game.stack.top(), Some(ModeId::ArenaResult));
    run(&mut game, 1);
    assert!(
        screen(&game).starts_with("[PLAYER 1 WINS]\nROUNDS: 2 FOR PLAYER 1, 0 FOR PLAYER 2\n60"),
        "{}",
        screen(&game)
    );
    assert_eq!(game.viewports(), 2, "the world runs on behind it");
    let _stays = game.choose(ModeId::ArenaResult, 1);
    run(&mut game, 4);
    assert_eq!((game.viewports(), game.input.shared), (0, false));
    assert_eq!(game.machine.said("ARENA round"), 4, "two begin and two end");
}

#[test]
fn the_second_player_may_win_too_and_gets_the_money() {
    let mut game = arena(2);
    knock_out(&mut game, 0);
    knock_out(&mut game, 0);
    assert_eq!(game.modes.outcome, Some(Outcome::Lost));
    assert_eq!(game.state.money, [0, Play::Arena(3).mission().money]);
    to_the_result(&mut game);
    run(&mut game, 1);
    assert!(screen(&game).starts_with("[PLAYER 2 WINS]"), "{}", screen(&game));
    assert_eq!((game.state.statistics.won, game.state.statistics.lost), (0, 0), "it is no mission");
}

#[test]
fn one_controller_fights_the_computer_on_the_whole_picture() {
    let mut game = arena(1);
    run(&mut game, 2);
    assert_eq!((game.viewports(), people(&mut game).humans.present().count()), (1, 2));
    let people = people(&mut game);
    let other = people.humans.present().map(|(n, _)| n).find(|n| people.humans.people[*n].spawn.player.is_none());
    assert!(people.brains.is_enabled(other.expect("the other fighter"), &people.humans));
    knock_out(&mut game, 0);
    knock_out(&mut game, 0);
    to_the_result(&mut game);
    assert_eq!(game.stack.top(), Some(ModeId::ArcadeGameOver));
    run(&mut game, 1);
    assert!(screen(&game).starts_with("[GAME OVER]\nROUNDS: 0 FOR YOU, 2 FOR THE OTHER"), "{}", screen(&game));
}

#[test]
fn two_controllers_may_be_one_persons_who_plays_against_the_computer() {
    let mut game = with_people();
    game.machine.readings[1] = Some(Reading::default());
    game.push_mode(ModeId::LevelFlow);
    run(&mut game, 2);
    game.push_mode(ModeId::ArenaMenus);
    run(&mut game, 2);
    assert!(screen(&game).contains("AGAINST PLAYER 2"), "{}", screen(&game));
    game.adjust(ModeId::ArenaMenus, 3, true);
    run(&mut game, 1);
    assert!(screen(&game).contains("AGAINST THE COMPUTER"), "{}", screen(&game));
    let _stays = game.choose(ModeId::ArenaMenus, 1);
    run(&mut game, 4);
    assert_eq!((game.stack.top(), game.viewports(), game.input.shared), (Some(ModeId::Gameplay), 1, false));
    game.machine.readings[1] = None;
    run(&mut game, 9);
    assert_eq!(game.stack.top(), Some(ModeId::Gameplay), "the second controller is nobody's");
}

#[test]
fn a_controller_of_two_that_is_pulled_stops_the_fight_and_changes_no_places() {
    let mut game = arena(2);
    game.machine.readings[0] = None;
    run(&mut game, 60);
    assert_eq!((game.stack.top(), game.input.swapped), (Some(ModeId::Error), false));
    assert!(screen(&game).contains("TO CONTROLLER PORT 1."), "{}", screen(&game));
    game.machine.readings = [Some(Reading::default()), None];
    run(&mut game, 4);
    assert_eq!(game.stack.top(), Some(ModeId::Error), "one of two is not enough");
    assert!(screen(&game).contains("TO CONTROLLER PORT 2."), "{}", screen(&game));
    game.machine.readings[1] = Some(Reading::default());
    run(&mut game, 4);
    assert_eq!(game.stack.top(), Some(ModeId::Gameplay));
}

#[test]
fn who_is_out_sees_the_rounds_end_darker_than_the_other() {
    use crate::game_modes::effect;
    let mut game = arena(2);
    while game.clock.is_frozen() {
        run(&mut game, 1);
    }
    run(&mut game, 20);
    assert_eq!(game.modes.effects, [effect::CLEAR; 2]);
    let n = game.rules.arena.unwrap().fighters()[1].expect("a fighter");
    people(&mut game).humans.struck_by_thing(n.into(), i16::MAX, Strength::Crushing, Vec3::ZERO);
    run(&mut game, 40);
    assert_eq!(game.stack.top(), Some(ModeId::Gameplay), "the round's end is seen");
    let [first, second] = game.modes.effects;
    assert!(first == effect::CLEAR && second > effect::CLEAR, "{first} {second}");
}
