//! The parts of the level that is played: which are there, and which come.
//!
//! Before play everything within 500 m of the start is brought, waiting; in play a frame looks where the players are, takes
//! what has come and asks for the next part. Parts that nobody is near go when another one needs their room.
//!
//! Our choice: the boardwalk is shorter than what is brought before play, so that all of it is there from the first frame
//! on; a longer level would stream.

use super::Game;
use super::machine::Machine;
use super::waiting::Parts;
use crate::file_io::{Callbacks, FileError, FileManager, Finished, NameHash, StreamDevice, StreamFileSystem};
use crate::game_modes::VIEWPORTS;
use crate::game_modes::frame::FrameHost as _;
use crate::maths::Vec3;
use crate::streaming::{Arrivals, Loaded, MAX_PARTS, Missed, PRELOAD_METRES, PartIndex, Streamer, Wanted, preload};
use crate::world::{self, WorldManager};
use boardwalk_iop::protocol::Command;

/// A drive that is as slow as a console's: microseconds for a sector and for a seek, 1.4 MB/s and 160 ms.
///
/// Source: console rules 14
pub(super) const CONSOLES_DRIVE: Command = Command::Throttle { sector: 1_463, seek: 160_000 };

/// Who is told of loaded files: nobody asks for any that is not waited for but for parts.
#[derive(Debug, Default)]
pub(super) struct Came(Option<(PartIndex, Result<u32, FileError>)>);

impl<D: StreamDevice> Callbacks<D> for Came {
    fn finished(&mut self, _: &mut FileManager, _: &mut StreamFileSystem<'_, D>, finished: &Finished) {
        // A part's number goes with its request.
        self.0 = u16::try_from(finished.user).ok().map(|number| (PartIndex(number), finished.result));
    }
}

/// Hands the parts that come to the level.
struct Reader<'l>(&'l mut world::Level);

impl Arrivals for Reader<'_> {
    fn part_loaded(&mut self, loaded: Loaded, bytes: &[u8]) -> bool {
        self.0.add_part(loaded.part, bytes).is_ok()
    }
}

/// The bytes of the parts that are there, for who draws them.
pub(super) fn bytes<'f, D: StreamDevice>(
    world: &'f WorldManager,
    files: Option<&'f StreamFileSystem<'_, D>>,
) -> [&'f [u8]; MAX_PARTS] {
    let mut parts: [&[u8]; MAX_PARTS] = [&[]; MAX_PARTS];
    if let (Some(streamer), Some(files)) = (world.parts(), files) {
        for (index, region, bytes) in streamer.resident() {
            if let Some(part) = parts.get_mut(usize::from(index.0)) {
                *part = files.landed(region, bytes);
            }
        }
    }
    parts
}

/// How many bytes a file of the archive has.
fn size<D: StreamDevice>(files: &StreamFileSystem<'_, D>, name: &str) -> Option<u32> {
    NameHash::of_file(name).and_then(|name| files.size(name).ok())
}

impl<M: Machine> Game<M> {
    /// How far from a player parts are there, in metres.
    fn reach(&self) -> f32 {
        self.options.near.map_or(PRELOAD_METRES, f32::from)
    }

    /// Where parts are to be: at each player, or where somebody walks whom nobody lives around.
    fn streaming_places(&self) -> heapless::Vec<Vec3, VIEWPORTS> {
        let camera = |player: usize| self.people.as_deref().and_then(|people| people.camera(player as u8));
        let places: heapless::Vec<Vec3, VIEWPORTS> =
            (0..self.viewports().min(VIEWPORTS)).filter_map(camera).map(|camera| camera.look).collect();
        if places.is_empty() { core::iter::once(self.walker.position).collect() } else { places }
    }

    /// Brings every part near the start, for so many milliseconds at most.
    ///
    /// # Errors
    /// Somebody gave up waiting for the disc, or a part is not as the level says.
    pub(super) fn preload_parts(&mut self, start: Vec3, milliseconds: u32) -> Result<(), &'static str> {
        let (reach, is_short) = (self.reach(), self.options.near.is_some());
        let Parts { mut waiter, files, world, .. } = self.waiting();
        let (Some(system), Some(manager)) = (files.system.as_mut(), files.manager.as_mut()) else { return Ok(()) };
        let Some((level, streamer)) = world.streaming() else { return Ok(()) };
        if is_short {
            // A list of commands has room for it, or the drive is as quick as it is.
            let _room = system.device_mut().post(&CONSOLES_DRIVE);
        }
        let limits = (reach, milliseconds);
        let done = preload(streamer, manager, system, &mut waiter, &mut Reader(level), &[start], limits);
        let done = done.map_err(|_| "its parts did not come from the disc")?;
        let all = streamer.iter().count();
        if all > 0 {
            let bytes: u32 = streamer.resident().map(|(_, _, bytes)| bytes).sum();
            waiter.machine.print(format_args!("LEVEL parts {} of {all} preloaded, {bytes} bytes", done.loaded));
        }
        // What found neither time nor room comes in play.
        if done.broken == 0 { Ok(()) } else { Err("a part of it cannot be read") }
    }

    /// A frame of streaming: asks for the next part that somebody is near and that is not there.
    pub(super) fn stream_parts(&mut self) {
        let (places, reach) = (self.streaming_places(), self.reach());
        let (Some(system), Some(manager)) = (self.files.system.as_mut(), self.files.manager.as_mut()) else { return };
        let Some((_, streamer)) = self.world.streaming() else { return };
        streamer.look(&places, reach);
        let (machine, lent) = (&mut self.machine, system.lent());
        machine.with_memory(|memory| streamer.release(memory, lent));
        let wanted = machine.with_memory(|memory| streamer.want(memory, &places, |name| size(system, name)));
        match wanted {
            Ok(Some(wanted)) => ask(streamer, wanted, manager, system),
            Ok(None) | Err(Missed::NoRoom(_)) => {}
            Err(Missed::Broken(part)) => machine.print(format_args!("LEVEL part {} is not on the disc", part.0)),
        }
    }

    /// Takes a part that has come, or hears why it has not.
    pub(super) fn take_part(&mut self, came: Came) {
        let Some((part, result)) = came.0 else { return };
        let (Some(system), Some((level, streamer))) = (self.files.system.as_ref(), self.world.streaming()) else {
            return;
        };
        let machine = &mut self.machine;
        if let Err(error) = result {
            machine.print(format_args!("LEVEL part {}: {error:?}", part.0));
        }
        let Some(loaded) = machine.with_memory(|memory| streamer.arrived(memory, part, result, system.lent())) else {
            return;
        };
        match level.add_part(part, system.landed(loaded.region, loaded.bytes)) {
            Ok(()) => {
                machine.with_memory(|memory| streamer.settle(memory, part));
                let (frame, bytes, missed) = (self.frames, loaded.bytes, machine.shown().missed);
                machine.print(format_args!("LEVEL part {} of {bytes} bytes in frame {frame}, missed {missed}", part.0));
            }
            Err(error) => {
                machine.print(format_args!("LEVEL part {}: {error}", part.0));
                machine.with_memory(|memory| streamer.refuse(memory, part));
            }
        }
    }

    /// Gives back what the parts took; one that is on its way is waited for, as the drive writes into its memory.
    pub(super) fn end_parts(&mut self) {
        let Parts { mut waiter, files, world, .. } = self.waiting();
        if world.parts().is_some_and(Streamer::is_loading)
            && let (Some(system), Some(manager)) = (files.system.as_mut(), files.manager.as_mut())
        {
            // Given up or not: nothing is read any more, but by a module that has not heard of it.
            let _ended = manager.service_all(system, &mut waiter, &mut Came::default());
        }
        let lent = files.system.as_ref().and_then(StreamFileSystem::lent);
        waiter.machine.with_memory(|memory| world.end_parts(memory, lent));
    }
}

/// Puts a part's request into the queue.
fn ask<D: StreamDevice>(
    streamer: &Streamer,
    wanted: Wanted,
    manager: &mut FileManager,
    files: &mut StreamFileSystem<'_, D>,
) {
    let Some(part) = streamer.part(wanted.part) else { return };
    // The queue has room for the one request of a level, which ends in a later frame: nothing has come yet.
    let _asked = manager.request(wanted.request(&part.name), files, &mut Came::default());
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, game};
    use super::super::missions::Place;
    use super::*;
    use crate::boot::start::StartHost as _;
    use crate::file_io::fake::{Disc, FakeDevice};
    use crate::streaming::{PRELOAD_MS, PartState};
    use crate::world::parts::tests::{APART, in_parts};
    use std::boxed::Box;
    use std::string::String;
    use std::vec::Vec;

    /// A game with the boardwalk of a disc in so many parts, loaded.
    fn loaded(parts: u16, change: impl FnOnce(&mut Vec<(String, Vec<u8>)>)) -> Box<FakeGame> {
        let (level, files) = in_parts(parts);
        let named = |number: usize| world::part_name("boardwalk", world::SECTION, number as u16).unwrap();
        let mut all = std::vec![(String::from("boardwalk.lev"), level)];
        all.extend(files.into_iter().enumerate().map(|(number, file)| (String::from(named(number).as_str()), file)));
        change(&mut all);
        let files: Vec<(&str, Vec<u8>)> = all.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
        let disc: &'static Disc = Box::leak(Box::new(Disc::of(&files)));
        let mut game = game();
        game.initialize_subsystems().unwrap();
        game.files.system = Some(disc.files(FakeDevice::new(disc).with_latency(2)));
        game.files.manager = Some(FileManager::new(crate::file_io::fake::BUFFER));
        assert_eq!(game.load_from_disc(Place::Boardwalk), Ok(true), "{:?}", game.machine.log.last());
        game
    }

    fn seen(game: &FakeGame) -> usize {
        let parts = bytes(&game.world, game.files.system.as_ref());
        game.world.level().unwrap().cells(&parts).count()
    }

    fn free(game: &mut FakeGame) -> usize {
        let sector = game.pools.sector.unwrap().sector;
        game.machine.with_memory(|memory| memory.free_bytes(sector).unwrap())
    }

    #[test]
    fn what_is_within_500_m_is_there_before_play_and_the_rest_comes_on_the_way() {
        let mut game = loaded(5, |_| {});
        let before = free(&mut game);
        assert_eq!(seen(&game), 2, "the level's own");
        game.preload_parts(Vec3::ZERO, PRELOAD_MS).unwrap();
        assert_eq!(game.machine.said("LEVEL parts 2 of 5 preloaded"), 1, "{:?}", game.machine.log.last());
        assert_eq!(seen(&game), 2 + 2 * 2);
        assert!(free(&mut game) < before);
        game.walker.position = Vec3::X * (APART * 2.0);
        for _ in 0..40 {
            game.stream_resources();
            game.service_files();
        }
        assert_eq!(seen(&game), 2 + 4 * 2, "parts 2 and 3 have come");
        let streamer = game.world.parts().unwrap();
        assert_eq!(streamer.state(PartIndex(4)), PartState::Absent, "600 m away");
    }

    #[test]
    fn parts_are_wanted_around_each_player() {
        for players in [1, 2] {
            let mut game = super::super::arena_tests::arena(players);
            for _ in 0..3 {
                crate::game_modes::run_once(&mut *game);
            }
            let people = game.people.as_deref().unwrap();
            let looks: Vec<Vec3> = (0..players as u8).map(|player| people.camera(player).unwrap().look).collect();
            assert_eq!(game.streaming_places().as_slice(), looks.as_slice());
            assert!(players == 1 || looks[0] != looks[1]);
        }
    }

    #[test]
    fn a_level_that_is_left_while_a_part_is_on_its_way_gives_everything_back() {
        let mut game = game();
        game.initialize_subsystems().unwrap();
        let before = free(&mut game);
        let mut game = loaded(3, |_| {});
        game.preload_parts(Vec3::ZERO, PRELOAD_MS).unwrap();
        game.walker.position = Vec3::X * (APART * 2.0);
        game.stream_resources();
        assert!(game.world.parts().unwrap().is_loading());
        game.unload_world();
        assert!(game.world.parts().is_none() && game.world.level().is_none());
        assert_eq!(free(&mut game), before);
    }

    #[test]
    fn a_part_that_is_not_as_the_level_says_ends_the_preload_with_an_error() {
        let mut game = loaded(2, |files| files[1].1[20] ^= 0xFF);
        assert_eq!(game.preload_parts(Vec3::ZERO, PRELOAD_MS), Err("a part of it cannot be read"));
        let mut game = loaded(2, |files| files.truncate(2));
        assert_eq!(game.preload_parts(Vec3::ZERO, PRELOAD_MS), Err("a part of it cannot be read"));
        assert_eq!(seen(&game), 2 + 2, "the other part is there");
    }
}
