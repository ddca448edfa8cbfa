//! The level that is played: what the physics and the drawing need of it.

use super::machine::Machine;
use super::missions::Place;
use super::screens::Screen;
use super::waiting::Parts;
use super::{Game, yard};
use crate::chunk::Stacks;
use crate::collision::CollisionMesh;
use crate::file_io::{BufferedStream, NameHash};
use crate::graphics::baked::Mesh;
use crate::maths::Vec3;
use crate::streaming::LoadingScreen;
use crate::tasks::names::name_hash;
use crate::world::chunks::ThingKind;
use crate::world::{self, WorldError};
use alloc::boxed::Box;
use core::fmt::Write as _;
use heapless::String;

/// A level.
pub struct Level {
    /// Which one.
    pub place: Place,
    /// What bodies meet and what is seen, where that is no file of the disc's.
    pub built_in: Option<(CollisionMesh, Mesh)>,
    /// Where the player begins: feet in metres, and heading in radians.
    pub start: (Vec3, f32),
    /// Where the goal is, in metres.
    pub goal: Vec3,
    /// Where things lie at the beginning, in metres.
    pub things: &'static [Vec3],
}

impl Level {
    /// What the game knows of a level that the world manager has loaded.
    pub fn of_disc(place: Place, level: &world::Level) -> Self {
        let flag = |name| level.thing(ThingKind::Flag, name_hash(name));
        let start = flag("start").map_or((Vec3::ZERO, 0.0), |flag| (flag.position, flag.heading));
        let goal = flag("goal").map_or(Vec3::ZERO, |flag| flag.position);
        Self { place, built_in: None, start, goal, things: &[] }
    }

    /// Makes the built-in yard. Memory comes from the pool on top of the heap stack.
    pub fn yard(place: Place) -> Self {
        Self {
            place,
            built_in: Some((yard::collision(), yard::picture())),
            start: yard::START,
            goal: yard::GOAL,
            things: &yard::BRICKS,
        }
    }
}

/// The loading screen with a clock of its own, which outlasts the counter's wrap.
#[derive(Clone, Copy, Debug)]
pub struct Loading {
    screen: LoadingScreen,
    /// The counter when it was looked at last.
    last: u32,
    /// Cycles since the screen began.
    cycles: u64,
}

impl Loading {
    fn begin(count: u32, is_arena: bool) -> Self {
        Self { screen: LoadingScreen::begin(0, is_arena), last: count, cycles: 0 }
    }

    /// Milliseconds since the screen began. The counter must be shown often enough not to wrap twice.
    fn now(&mut self, count: u32) -> u32 {
        self.cycles += u64::from(count.wrapping_sub(self.last));
        self.last = count;
        (self.cycles / u64::from(crate::ee::ticks::PER_SECOND / 1000)) as u32
    }

    /// Lights the screen, and moves its bar on, as at this counter.
    pub(super) fn light(&mut self, screen: &mut Screen, count: u32) {
        let now = self.now(count);
        screen.dark = 1.0 - self.screen.brightness(now);
        screen.bar = Some(self.screen.progress(now));
    }
}

impl<M: Machine> Game<M> {
    /// Loads a place from the disc into the world; false when there is no disc or it has no file of the place.
    ///
    /// Our choice: a yard is built in for when there is no disc. What the disc has and cannot be read is not played as a yard:
    /// whoever chose it would not know why.
    ///
    /// # Errors
    /// The disc has the level, and it did not come: somebody gave up waiting for the disc, it is damaged, or too large.
    pub(super) fn load_from_disc(&mut self, place: Place) -> Result<bool, &'static str> {
        let mut file = String::<32>::new();
        // Names of places are short.
        let _written = write!(file, "{}.lev", place.name());
        let (Some(name), Some(sector)) = (NameHash::of_file(&file), self.pools.sector) else { return Ok(false) };
        let Parts { mut waiter, files, world, .. } = self.waiting();
        let (Some(files), Some(buffer)) = (files.system.as_mut(), files.buffer) else { return Ok(false) };
        let Ok(bytes) = files.size(name) else { return Ok(false) };
        let begun = waiter.machine.with_memory(|memory| world.begin(memory, sector.sector, bytes));
        let loaded = begun.and_then(|()| {
            world.reserve(bytes);
            waiter.machine.with_memory(|memory| world.end(memory))?;
            // What stands beside the file is taken without asking again.
            let largest = waiter.machine.with_memory(|memory| memory.largest_free_block(sector.sector))?;
            if largest < world::LISTS_BYTES {
                return Err(WorldError::Level(world::LevelError::NoRoom));
            }
            waiter.machine.with_memory(|memory| memory.push(sector.sector))?;
            let read = match BufferedStream::open(files, &mut waiter, buffer, name) {
                Ok(mut stream) => {
                    let read = world.read(&mut stream, &mut Box::<Stacks>::default());
                    // A stream that fails to close has no file open any more.
                    let _closed = stream.close();
                    read
                }
                Err(error) => Err(WorldError::Level(world::LevelError::Chunk(error.into()))),
            };
            waiter.machine.with_memory(|memory| memory.pop())?;
            read.and_then(|()| world.list_parts(sector.sector, place.name()))
        });
        match loaded {
            Ok(()) => {
                self.show_world();
                Ok(true)
            }
            Err(error) => {
                self.machine.print(format_args!("LEVEL {file}: {error}"));
                self.unload_world();
                Err("it did not come from the disc")
            }
        }
    }

    /// Begins the loading screen's clock; the screen is dark at first.
    pub(super) fn begin_loading(&mut self, is_arena: bool) {
        self.modes.loading = Some(Loading::begin(self.machine.count(), is_arena));
    }

    /// Lets the loading screen fade. Its frames are no frames of the game.
    pub(super) fn end_loading(&mut self) {
        /// More than a fade takes, for a clock that stands still.
        const MOST_FRAMES: u32 = 15;
        let Some(loading) = &mut self.modes.loading else { return };
        let now = loading.now(self.machine.count());
        loading.screen.end(now);
        for _ in 0..MOST_FRAMES {
            let Some(loading) = &mut self.modes.loading else { return };
            // The last one is dark.
            let now = loading.now(self.machine.count());
            let is_last = loading.screen.is_over(now);
            self.waiting().waiter.draw();
            if is_last {
                break;
            }
        }
        self.modes.loading = None;
    }

    /// What bodies meet in the level that is played.
    pub(super) fn collision_mesh(&self) -> Option<&CollisionMesh> {
        let built_in = self.level.as_deref().and_then(|level| level.built_in.as_ref());
        built_in.map(|(mesh, _)| mesh).or(self.world.level().map(|level| &level.mesh))
    }

    /// Makes the loaded level's textures known.
    fn show_world(&mut self) {
        let (Some(level), Some(renderer)) = (self.world.level(), self.renderer.as_deref_mut()) else { return };
        if level.add_textures(&mut renderer.textures).is_err() {
            self.machine.print(format_args!("LEVEL has too many textures"));
        }
    }

    /// Takes the loaded level down, if there is one.
    pub(super) fn unload_world(&mut self) {
        if self.world.level().is_some() {
            // The frame that is drawn may still send the level's textures from its memory.
            self.machine.settle();
        }
        self.end_parts();
        let (machine, renderer) = (&mut self.machine, &mut self.renderer);
        let left = self.world.unload(
            |part, _| {
                if let (world::Part::Textures, Some(renderer)) = (part, renderer.as_deref_mut()) {
                    renderer.textures.forget(|_| false);
                }
            },
            |pool| machine.with_memory(|memory| memory.destroy(pool)),
        );
        if let Err(error) = left {
            self.machine.print(format_args!("LEVEL memory: {error}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, game};
    use super::*;

    #[test]
    fn the_loading_screens_clock_outlasts_the_counters_wrap_and_its_fade_ends() {
        let second = crate::ee::ticks::PER_SECOND;
        let mut loading = Loading::begin(u32::MAX - second, false);
        assert_eq!(loading.now(second), 2000);
        let mut game = game();
        game.initialize_subsystems().unwrap();
        game.begin_loading(true);
        let frames = game.frames;
        game.end_loading();
        assert!(game.modes.loading.is_none() && game.picture.screen.dark > 0.9);
        assert_eq!(game.frames, frames, "its frames are no frames of the game");
    }
    use crate::boot::start::StartHost as _;
    use crate::file_io::fake::{Disc, FakeDevice};
    use alloc::vec;
    use std::string::ToString as _;

    #[test]
    fn a_level_of_the_disc_is_there_to_be_played_and_its_memory_comes_back() {
        let disc: &'static Disc = Box::leak(Box::new(Disc::of(&[("boardwalk.lev", world::small_level())])));
        let mut game = game();
        game.initialize_subsystems().unwrap();
        game.files.system = Some(disc.files(FakeDevice::new(disc)));
        let sector = game.pools.sector.unwrap().sector;
        let free = |game: &mut FakeGame| game.machine.with_memory(|memory| memory.free_bytes(sector).unwrap());
        let before = free(&mut game);
        for _ in 0..3 {
            assert_eq!(game.load_from_disc(Place::Boardwalk), Ok(true), "{:?}", game.machine.log.last());
            assert!(free(&mut game) < before);
            let level = Level::of_disc(Place::Boardwalk, game.world.level().unwrap());
            assert_eq!(level.start, (Vec3::new(1.0, 2.0, 0.0), 0.5));
            game.unload_world();
            assert_eq!(free(&mut game), before);
        }
    }

    #[test]
    fn a_level_whose_file_just_fits_is_refused_and_its_memory_comes_back() {
        let disc: &'static Disc = Box::leak(Box::new(Disc::of(&[("boardwalk.lev", world::small_level())])));
        let mut game = game();
        game.initialize_subsystems().unwrap();
        game.files.system = Some(disc.files(FakeDevice::new(disc)));
        let sector = game.pools.sector.unwrap().sector;
        let largest =
            |game: &mut FakeGame| game.machine.with_memory(|memory| memory.largest_free_block(sector).unwrap());
        // Room for the pool of a small level, and for little beside it.
        let taken = largest(&mut game) - crate::memory::pools::WORLD_LEVEL_LEAST - 8 * 1024;
        game.machine.with_memory(|memory| memory.push(sector).and_then(|()| memory.alloc(taken, 16))).unwrap();
        game.machine.with_memory(|memory| memory.pop()).unwrap();
        let before = largest(&mut game);
        assert!(before > crate::memory::pools::WORLD_LEVEL_LEAST, "{before}");
        game.options.frames = Some(game.frames + 3);
        game.modes.last = Some(super::super::missions::Play::at(Place::Boardwalk).unwrap());
        game.begin_level();
        let refused = "LEVEL boardwalk.lev: no memory for what the level needs beside its file";
        assert_eq!(game.machine.said(refused), 1, "{:?}", game.machine.log);
        assert!(game.picture.screen.to_string().contains("CANNOT BE PLAYED"));
        assert!(game.level.is_none() && game.world.level().is_none());
        assert_eq!(largest(&mut game), before);
    }

    #[test]
    fn what_the_disc_lacks_is_none_of_its_levels_and_what_is_in_pieces_is_told_and_left() {
        let mut torn = world::small_level();
        torn.truncate(torn.len() / 2);
        let disc: &'static Disc = Box::leak(Box::new(Disc::of(&[("boardwalk.lev", torn), ("yard.lev", vec![1])])));
        let mut game = game();
        game.initialize_subsystems().unwrap();
        assert_eq!(game.load_from_disc(Place::Boardwalk), Ok(false), "there is no disc");
        game.files.system = Some(disc.files(FakeDevice::new(disc)));
        assert!(game.load_from_disc(Place::Yard).is_err());
        assert_eq!(game.machine.said("LEVEL yard.lev"), 1, "{:?}", game.machine.log.last());
        assert!(game.load_from_disc(Place::Boardwalk).is_err());
        assert_eq!(game.machine.said("LEVEL boardwalk.lev: the chunk file ends too early"), 1);
        assert!(game.world.level().is_none());
        let empty: &'static Disc = Box::leak(Box::new(Disc::of(&[])));
        game.files.system = Some(empty.files(FakeDevice::new(empty)));
        assert_eq!(game.load_from_disc(Place::Boardwalk), Ok(false), "the disc has no such file");
    }
}
