//! What a player chooses is kept on the card, and a picture that is not seen is left.

use super::*;

/// The same card in a console that is switched on again; the game after the card was read.
fn switched_on_again(before: FakeGame) -> Box<FakeGame> {
    let mut game = front_end("9.");
    game.machine.card = before.machine.card;
    game.modes.card.task = crate::game_modes::memory_card::Task::BootCheck;
    game.push_mode(ModeId::MemoryCard);
    play(&mut game);
    game
}

#[test]
fn settings_change_by_the_pad_and_are_kept_when_the_options_are_left() {
    let mut game = front_end("9d,9d,9x,9l,9d,9d,9r,9t,30.");
    game.machine.card.state = CardState::Empty;
    let tops = play(&mut game);
    assert_eq!((game.state.settings.music, game.state.settings.scheme), (6, state::Scheme::Commands));
    assert!(tops.contains(&ModeId::MemoryCard) && game.stack.top() == Some(ModeId::ProfileManager), "{tops:?}");
    let saved = game.state;
    let again = switched_on_again(*game);
    assert_eq!(again.state, saved, "{}", screen(&again));
    assert!(!again.modes.save_due && !again.modes.settings_changed);
}

#[test]
fn a_picture_that_was_chosen_is_kept_by_every_way_back_to_the_title() {
    // The first start's answer; the picture's page; the pause menu and the way back from it.
    for (page, script) in [
        (Page::FirstStart, "9x,30."),
        (Page::Options, "9d,9r,9t,30."),
        (Page::Picture, "9d,9r,9t,9t,30."),
        (Page::Front, "9x,9x,20n*30,9s,9d,9d,9d,9r,9u,9x,40."),
    ] {
        let mut game = front_end("9.");
        play(&mut game);
        game.machine.card.state = CardState::Empty;
        // The question waits for an answer.
        game.modes.first_start = 600;
        game.turn_to(page, 0);
        game.input.script = Script::parse(script);
        play(&mut game);
        assert_ne!(game.state.settings, state::Settings::NEW, "{page:?}: {}", screen(&game));
        let chosen = game.state.settings;
        assert_eq!(switched_on_again(*game).state.settings, chosen, "{page:?}");
    }
}

#[test]
fn settings_are_not_written_unchanged_nor_asked_about_twice_without_a_card() {
    let mut game = front_end("9d,9d,9x,9t,30.");
    game.machine.card.state = CardState::Empty;
    let tops = play(&mut game);
    assert!(!tops.contains(&ModeId::MemoryCard), "{tops:?}");
    let mut game = front_end("9d,9d,9x,9l,9t,30t,30.");
    let tops = play(&mut game);
    assert!(tops.contains(&ModeId::MemoryCard), "asked once: {tops:?}");
    game.input.script = Script::parse("9x,9l,9t,30.");
    let tops = play(&mut game);
    assert_eq!((tops, game.state.settings.music), (std::vec![ModeId::ProfileManager], 5));
}

#[test]
fn the_self_test_begins_when_what_was_chosen_is_on_the_card() {
    let mut game = front_end("9d,9d,9x,9l,9u,9x,60.");
    game.machine.card.state = CardState::Empty;
    play(&mut game);
    assert!(game.is_over() && game.is_self_test_wanted(), "{}", screen(&game));
    assert_eq!(game.machine.card.state, CardState::Ours);
}

#[test]
fn what_is_forgotten_here_is_not_written_over_the_cards_without_a_question() {
    let mut game = front_end("9d,9d,9x,9l,9t,30.");
    game.machine.card.state = CardState::Empty;
    play(&mut game);
    let saved = game.machine.card.files.clone();
    let _stays = game.choose_save(2);
    assert_eq!(game.state.settings.music, state::Settings::NEW.music);
    game.input.script = Script::parse("60.");
    assert_eq!(play(&mut game), [ModeId::ProfileManager], "nothing has been chosen since");
    game.change_setting(0, true);
    game.input.script = Script::parse("60.,9t,30.");
    assert!(play(&mut game).contains(&ModeId::MemoryCard));
    assert_eq!((game.machine.said("CARD AskOverwrite"), game.machine.card.files == saved), (1, true));
}

#[test]
fn a_save_brings_its_picture_unless_the_plain_one_is_asked_for() {
    let mut game = front_end("9.");
    let video = crate::ee::video::VideoOptions { shift: (3, -2), ..Default::default() };
    game.state.settings.video = Some(video);
    let length = game.write_progress();
    game.state = GameState::NEW;
    game.read_progress(length);
    assert_eq!((game.state.settings.video, game.machine.video), (Some(video), video));
    // On either controller, and on the only one in either port.
    let idle = Some(crate::pads::Reading::default());
    let held = Some(crate::pads::Reading { buttons: button::L2 | button::R2, ..Default::default() });
    game.input.script = None;
    for readings in [[held, None], [None, held], [idle, held]] {
        game.machine.readings = readings;
        game.machine.count += 0x100_0000;
        game.advance_real_time();
        game.read_input();
        game.state.settings.video = Some(video);
        let length = game.write_progress();
        game.read_progress(length);
        assert_eq!(game.state.settings.video, None, "{readings:?}");
        assert!(game.modes.settings_changed, "the card's picture is written over");
    }
}
