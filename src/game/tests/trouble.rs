//! Discs, modules and memory that are missing.

use super::*;
use crate::file_io::fake::{Disc, Event, FakeDevice};

#[test]
fn a_console_without_its_modules_says_so() {
    let mut game = game();
    game.machine.iop = Err("no link to the IOP");
    let (step, failure) = game.initialize_subsystems().unwrap_err();
    assert_eq!((step.name(), failure.to_string().as_str()), ("IOP", "no link to the IOP"));
    // There is no picture yet, which needs no IOP.
    game.tell_failed_start(step, &failure);
    assert_eq!(game.machine.shown.frames, 300);
    let told = screen(&game);
    assert!(told.contains("THE GAME CANNOT START.\nSTEP: IOP\nno link to the IOP"), "{told}");
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
    game.files.system.as_mut().unwrap().device_mut().drive = Some(crate::file_io::Fault::WrongDisc);
    for _ in 0..3 {
        run_once(&mut *game);
    }
    assert!(screen(&game).contains("ANOTHER DISC"), "{}", screen(&game));
    for told in ["DISC the disc tray is open: shown", "DISC this is another disc: shown"] {
        assert_eq!(game.machine.said(told), 1, "{told}");
    }
    game.files.system.as_mut().unwrap().device_mut().drive = None;
    for _ in 0..4 {
        run_once(&mut *game);
    }
    assert_ne!(game.stack.top(), Some(ModeId::Error));
}

#[test]
fn a_module_that_falls_silent_in_play_is_told_and_nobody_is_asked_for_a_disc() {
    let mut game = front_end("9x,9x,30.");
    play(&mut game);
    game.input.script = None;
    let disc: &'static crate::file_io::fake::Disc = Box::leak(Box::new(crate::file_io::fake::Disc::sample()));
    game.files.system = Some(disc.files(crate::file_io::fake::FakeDevice::new(disc)));
    game.files.system.as_mut().unwrap().device_mut().drive = Some(crate::file_io::Fault::Silent);
    for _ in 0..3 {
        run_once(&mut *game);
    }
    assert_eq!(game.stack.top(), Some(ModeId::Error));
    let told = screen(&game);
    assert!(told.contains("MODULE DOES NOT ANSWER") && !told.contains("INSERT"), "{told}");
}

/// A game that opens its archive from a drive whose tray is open for a while, in which there is then what `drive` says.
fn with_open_tray(drive: Option<Fault>) -> Box<FakeGame> {
    let mut game = game();
    game.files.buffer = Some(crate::file_io::fake::BUFFER);
    game.initialize_subsystems().unwrap();
    let disc: &'static Disc = Box::leak(Box::new(Disc::sample()));
    let mut device = FakeDevice::new(disc).with(Event::Fault(Fault::TrayOpen, 30));
    device.drive = drive;
    game.files.device = Some(device);
    game.files.system = None;
    game
}

#[test]
fn a_disc_that_cannot_be_read_at_the_start_is_waited_for_on_the_screen() {
    let mut game = with_open_tray(None);
    let frames = game.frames;
    game.open_archive().unwrap();
    assert!(game.files.system.is_some(), "it is read in the end");
    assert!(game.frames > frames + 10, "{} frames", game.frames - frames);
    assert!(screen(&game).contains("TRAY IS OPEN"), "{}", screen(&game));
    assert_eq!(game.machine.said("DISC the disc tray is open: waiting"), 1);
}

#[test]
fn a_disc_that_is_put_in_at_the_start_is_told_as_what_it_is() {
    let mut game = with_open_tray(Some(Fault::WrongDisc));
    game.open_archive().unwrap();
    assert!(screen(&game).contains("ANOTHER DISC"), "{}", screen(&game));
    assert_eq!(game.machine.said("DISC this is another disc: waiting"), 1);
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
    game.machine.missing = vec![super::super::machine::MissingModule { name: "BWIOP", error }];
    game.machine.disc_comes = Some((1, crate::file_io::fake::Disc::sample()));
    game.initialize_subsystems().unwrap();
    let told = screen(&game);
    assert!(told.contains("BWIOP") && told.contains("-401"), "{told}");
}

#[test]
fn a_module_that_does_not_load_is_named_on_the_screen_and_the_game_goes_on() {
    let mut game = game();
    let error = "the server's error -203".try_into().unwrap();
    let missing = super::super::machine::MissingModule { name: "MCSERV", error };
    game.machine.missing = vec![super::super::machine::MissingModule { name: "LIBSD", ..missing.clone() }, missing];
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
