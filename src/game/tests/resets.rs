//! Resets in every place, and what was won before them.

use super::*;

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
