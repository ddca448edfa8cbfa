//! People come from the disc: clips, meshes, and where each of them begins.

use super::Game;
use super::characters::People;
use super::characters_draw::{DETAILS, Models};
use super::characters_story::Story;
use super::machine::Machine;
use super::waiting::Parts;
use crate::ai::Brains;
use crate::animation::library::{ClipLibrary, LibraryError};
use crate::combat::{Bears, FightTable};
use crate::ee::gif::Quad;
use crate::file_io::{BufferedStream, FileError, NameHash};
use crate::graphics::mesh::{Mesh, MeshError};
use crate::human::{Humans, MissingClip, Spawn};
use crate::memory::pools::create_global_data;
use crate::memory::{PoolId, PoolKind};
use crate::motion::MotionTable;
use crate::motion::table::TableError;
use crate::tasks::engine::TaskEngine;
use crate::tasks::world::PLAYERS;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};
use heapless::String;

/// The archive's files of all clips, of the motion table, and of what blows cost and people bear.
const CLIPS: &str = "people/human.clips";
const FIGHTS: &str = "fight/people.table";
const MOTIONS: &str = "people/human.motions";
/// Looks, by the names of their files; a look's number is its place here.
pub const LOOKS: [&str; 12] = [
    "rembrandt",
    "wheels_a",
    "wheels_b",
    "dockers_a",
    "dockers_b",
    "dockers_c",
    "gulls_a",
    "gulls_b",
    "gulls_c",
    "walker_a",
    "walker_b",
    "walker_c",
];
/// The number of a look.
pub fn look_of(name: &str) -> u8 {
    LOOKS.iter().position(|look| *look == name).unwrap_or(0) as u8
}

/// Size of the player. Source: seed 002, The human body.
pub(super) const PLAYER_SCALE: f32 = 0.97;

/// Bytes for everybody's places and animation tasks, or for everybody's ways, and beyond each mesh.
const RECORD_BYTES: usize = 1024 * 1024;
const MESH_MARGIN: usize = 64;

/// The name of a mesh's file. Names of looks are short.
fn mesh_file(look: &str, detail: &str) -> String<48> {
    let mut file = String::new();
    let _written = write!(file, "people/{look}.{detail}");
    file
}

/// Why nobody can come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LoadError {
    /// The disc.
    File(FileError),
    /// The clips.
    Clips(LibraryError),
    /// The motion table.
    Motions(TableError),
    /// The table of blows and health.
    Fights(crate::combat::table::TableError),
    /// A clip that everybody needs.
    Missing(MissingClip),
    /// A mesh.
    Mesh(MeshError),
    /// There is no memory.
    NoRoom,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Clips(error) => write!(f, "{error:?}"),
            Self::Motions(error) => write!(f, "{error:?}"),
            Self::Fights(error) => error.fmt(f),
            Self::Missing(MissingClip(id)) => write!(f, "there is no clip {id}"),
            Self::Mesh(error) => write!(f, "{error:?}"),
            Self::NoRoom => f.write_str("no room"),
        }
    }
}

/// A person's meshes, nearest first.
type Look = [Box<[Quad]>; DETAILS.len()];

/// What the steps of start-up bring along until people are made of it.
#[derive(Debug, Default)]
pub struct Makings {
    /// The clips.
    pub clips: Option<ClipLibrary>,
    /// Who decides for those without a pad.
    pub brains: Option<Brains>,
    /// The meshes of every look, or none.
    looks: Vec<Look>,
    /// What blows cost and what people bear.
    table: Option<FightTable>,
    /// What pays for the meshes and for everybody's places.
    pool: Option<PoolId>,
}

/// Start-up's part: what people need comes step by step. What the disc lacks is told, and nobody lives in a level then.
impl<M: Machine> Game<M> {
    /// The animation system: the clips that everybody plays.
    ///
    /// Our choice: they lie in a file of their own and come at once, where the original registers who reads them later.
    // Covers: seed 003, step 15 animation system (0x00104818) test=game::characters_load::tests::people_are_made_step_by_step
    pub(super) fn start_animation(&mut self) {
        if self.files.system.is_none() {
            return;
        }
        let bytes = self.read_bytes(CLIPS);
        let clips = bytes.and_then(|bytes| ClipLibrary::read(bytes).map_err(LoadError::Clips));
        self.makings.clips = self.told(clips, CLIPS);
    }

    /// The thinking's first table: everybody's goals and actions, of which nobody has any.
    // Covers: seed 003, step 18 thinking tables A (0x00306520) test=game::characters_load::tests::people_are_made_step_by_step
    pub(super) fn make_brains(&mut self) {
        self.makings.brains = Some(Brains::new());
    }

    /// The thinking's second table: the gangs, each with its side.
    // Covers: seed 003, step 18 thinking tables B (0x00321828) test=game::characters_load::tests::people_are_made_step_by_step
    pub(super) fn reset_gangs(&mut self) {
        if let Some(brains) = &mut self.makings.brains {
            self.gangs.take_sides(brains);
        }
    }

    /// What is always resident: the meshes of every look, in a pool of their own.
    // Covers: seed 003, ResourceManager (0x0050cd4c) test=game::characters_load::tests::people_are_made_step_by_step
    // Covers: seed 003, step 22 resource manager (0x00184918) test=game::characters_load::tests::people_are_made_step_by_step
    pub(super) fn load_resources(&mut self) {
        if self.makings.clips.is_none() {
            return;
        }
        let looks = self.open_resource_pool().and_then(|pool| {
            self.makings.pool = Some(pool);
            self.paid_by(pool, Self::read_looks)?
        });
        self.makings.looks = self.told(looks, "people").unwrap_or_default();
        let table = self.read_bytes(FIGHTS).and_then(|text| FightTable::read(&text).map_err(LoadError::Fights));
        self.makings.table = self.told(table, FIGHTS);
    }

    /// Everybody's places, which nobody has taken, with clips, brains and looks of the steps before.
    // Covers: seed 003, step 23 character tables (0x00293840) test=game::characters_load::tests::people_are_made_step_by_step
    pub(super) fn make_people(&mut self) {
        let Makings { clips, brains, looks, table, pool } = core::mem::take(&mut self.makings);
        let (Some(clips), Some(brains), Some(table), Some(pool)) = (clips, brains, table, pool) else { return };
        if looks.is_empty() {
            return;
        }
        let people = self.paid_by(pool, |_| {
            let humans = Humans::new(clips, table).map_err(LoadError::Missing)?;
            Ok(Box::new(People::new(humans, brains, Models::new(looks))))
        });
        self.people = self.told(people.and_then(|made| made), CLIPS);
    }

    /// The data of all levels: the pool for them, and in it the table by which brains' humans move and turn.
    // Covers: seed 003, WorldManager (0x005147c4) test=game::characters_load::tests::people_are_made_step_by_step
    // Covers: seed 003, step 26 world manager (0x0040d900) test=game::characters_load::tests::people_are_made_step_by_step
    pub(super) fn load_global_data(&mut self) {
        if self.people.is_none() {
            return;
        }
        let table = self.open_global_data().and_then(|pool| {
            self.paid_by(pool, |game| {
                let table = game.read_motions()?;
                if let Some(people) = game.people.as_deref_mut() {
                    people.brains.use_motions(table);
                }
                Ok(())
            })?
        });
        // Without the table nobody could walk: then nobody is there.
        if self.told(table, MOTIONS).is_none() {
            self.people = None;
        }
    }

    /// What came, or nothing and a word to whoever listens to the console.
    fn told<T>(&mut self, came: Result<T, LoadError>, file: &str) -> Option<T> {
        came.map_err(|error| self.machine.print(format_args!("PEOPLE {file}: {error}"))).ok()
    }

    /// Does some work while a pool pays for what is allocated.
    fn paid_by<T>(&mut self, pool: PoolId, work: impl FnOnce(&mut Self) -> T) -> Result<T, LoadError> {
        self.machine.with_memory(|memory| memory.push(pool)).map_err(|_| LoadError::NoRoom)?;
        let done = work(self);
        // What was pushed just now is there to be popped.
        let _popped = self.machine.with_memory(|memory| memory.pop());
        Ok(done)
    }

    /// Makes the pool for what is always resident, with room for everybody's records.
    fn open_resource_pool(&mut self) -> Result<PoolId, LoadError> {
        let sector = self.pools.sector.ok_or(LoadError::NoRoom)?.sector;
        let mut bytes = RECORD_BYTES;
        for look in LOOKS {
            for detail in DETAILS {
                bytes += self.file_bytes(&mesh_file(look, detail))? + MESH_MARGIN;
            }
        }
        let made = self.machine.with_memory(|memory| memory.create(sector, PoolKind::Heap, "Resource Pool", bytes));
        made.map_err(|_| LoadError::NoRoom)
    }

    /// Makes the pool for the data of all levels.
    ///
    /// Our choice: the original's 101 % are of the file alone, which it uses where it lies; ours is read into a table and has
    /// everybody's ways beside it, and the 101 % are of all that.
    fn open_global_data(&mut self) -> Result<PoolId, LoadError> {
        let sector = self.pools.sector.ok_or(LoadError::NoRoom)?.sector;
        // The file's bytes, the table's words, and a way for each brain.
        let bytes = 2 * self.file_bytes(MOTIONS)? + RECORD_BYTES;
        let made = self.machine.with_memory(|memory| create_global_data(memory, sector, bytes));
        let pool = made.map_err(|_| LoadError::NoRoom)?;
        self.pools.global_data = Some(pool);
        Ok(pool)
    }

    fn file_bytes(&self, file: &str) -> Result<usize, LoadError> {
        let files = self.files.system.as_ref().ok_or(LoadError::File(FileError::NotFound))?;
        let name = NameHash::of_file(file).ok_or(LoadError::File(FileError::NotFound))?;
        files.size(name).map(|bytes| bytes as usize).map_err(LoadError::File)
    }

    fn read_looks(&mut self) -> Result<Vec<Look>, LoadError> {
        let mut looks = Vec::with_capacity(LOOKS.len());
        for look in LOOKS {
            let mut details = Look::default();
            for (detail, place) in DETAILS.iter().zip(&mut details) {
                *place = self.read_mesh(&mesh_file(look, detail))?;
            }
            looks.push(details);
        }
        Ok(looks)
    }

    fn read_motions(&mut self) -> Result<MotionTable<'static>, LoadError> {
        let bytes = self.read_bytes(MOTIONS)?;
        // Kept as long as the program lives, as the people themselves.
        let words: &'static [u32] =
            Vec::leak(bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect());
        MotionTable::parse(words).map_err(LoadError::Motions)
    }

    fn read_mesh(&mut self, file: &str) -> Result<Box<[Quad]>, LoadError> {
        let mut memory = Box::default();
        self.read_file_into(file, |bytes| {
            memory = vec![Quad::default(); bytes.div_ceil(size_of::<Quad>())].into_boxed_slice();
            Quad::bytes_mut(&mut memory)
        })?;
        Mesh::read(&memory).and_then(|mesh| mesh.check()).map_err(LoadError::Mesh)?;
        Ok(memory)
    }

    /// A recording of pads.
    pub(super) fn read_recording(&mut self, file: &str) -> Option<Box<[u8]>> {
        let bytes = self.read_bytes(file);
        self.told(bytes, file)
    }

    fn read_bytes(&mut self, file: &str) -> Result<Box<[u8]>, LoadError> {
        let mut memory = Box::default();
        self.read_file_into(file, |bytes| {
            memory = vec![0; bytes].into_boxed_slice();
            &mut memory
        })?;
        Ok(memory)
    }

    /// Reads a file of the archive into memory that is made for so many bytes.
    fn read_file_into<'a>(
        &mut self,
        file: &str,
        memory_for: impl FnOnce(usize) -> &'a mut [u8],
    ) -> Result<(), LoadError> {
        let name = NameHash::of_file(file).ok_or(LoadError::File(FileError::NotFound))?;
        let Parts { mut waiter, files, .. } = self.waiting();
        let buffer = files.buffer.ok_or(LoadError::NoRoom)?;
        let files = files.system.as_mut().ok_or(LoadError::File(FileError::NotFound))?;
        let mut stream = BufferedStream::open(files, &mut waiter, buffer, name).map_err(LoadError::File)?;
        let bytes = stream.size() as usize;
        let memory = memory_for(bytes).get_mut(..bytes).ok_or(LoadError::NoRoom)?;
        let read = stream.read(memory).map_err(LoadError::File);
        // A stream that fails to close has no file open any more.
        let _closed = stream.close();
        read
    }

    /// Everybody who is there at the beginning comes: each player with a pad.
    pub(super) fn people_come(&mut self) {
        // The first player looks on even where nobody lives.
        if let Some(tasks) = self.tasks.as_deref_mut() {
            tasks.add_camera(0);
        }
        let Some((position, heading)) = self.level.as_deref().map(|level| level.start) else { return };
        // The built-in yard is drawn without the renderer, which people need.
        let Some(level) = self.world.level() else { return };
        if let Some(people) = self.people.as_deref_mut() {
            people.models.take_light(level);
            people.story = Story::read(level);
            for path in level.paths() {
                // A path that there is no room for is counted there, and nobody walks it.
                let _room = people.brains.paths.add(path.name, path.closed, path.points());
            }
            if let Some(renderer) = self.renderer.as_deref_mut() {
                people.models.add_textures(&mut renderer.textures);
            }
        }
        let player = Spawn {
            position,
            heading,
            scale: PLAYER_SCALE,
            health: self.people.as_deref().map_or(0, |people| people.humans.table.health(Bears::Player)),
            player: Some(0),
            ..Spawn::default()
        };
        let come = self.with_tasks(|tasks, world| {
            let (people, physics) = (world.people.as_deref_mut()?, world.physics.as_deref_mut()?);
            let n = people.spawn(player, tasks, physics)?;
            people.lead_gang(n as u8);
            Some(n)
        });
        if let Some(Some(n)) = come {
            self.machine.print(format_args!("PEOPLE player 1 is human {n}"));
        }
    }
}

/// Everybody goes, and then every task.
pub fn reset<M: Machine>(tasks: &mut TaskEngine, world: &mut super::world::GameWorld<'_, M>) {
    if let (Some(people), Some(physics)) = (world.people.as_deref_mut(), world.physics.as_deref_mut()) {
        people.clear(tasks, physics);
    }
    (0..PLAYERS).for_each(|player| tasks.remove_camera(player));
    tasks.reset(world);
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, game};
    use super::*;
    use crate::ai::Goal;
    use crate::animation::clip::flag;
    use crate::animation::testing::clip;
    use crate::animation::write::library;
    use crate::boot::start::StartHost as _;
    use crate::file_io::fake::Disc;
    use crate::graphics::mesh::{Builder, Corner, Material};
    use crate::human::Cast;
    use crate::maths::Vec3;
    use crate::motion::MotionId;
    use crate::motion::table::build::{TableBuilder, row};
    use crate::tasks::humans::{ACTIONS, BRAINS, GOALS, HUMANS};
    use std::vec::Vec;

    /// A disc with as little of everything as people need.
    fn disc(lacks: &str) -> Disc {
        let clips: Vec<_> = Cast::IDS.iter().map(|id| clip(*id, flag::CONTINUOUS, 3, 1.0, 0.0, &[])).collect();
        let mut builder = Builder::skinned();
        let corner =
            |x: f32, z: f32| Corner { position: Vec3::new(x, 0.0, z), bones: [0, 0, 255], ..Corner::default() };
        builder.triangle(Material::default(), [corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)]);
        let mesh = Quad::bytes(&builder.build().unwrap()).to_vec();
        let table = TableBuilder::default().style(MotionId::NON_COMBAT, MotionId::READY);
        let table = table.cycle(MotionId::NON_COMBAT, MotionId::READY, row(&[1]));
        let motions: Vec<u8> = table.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut files = std::vec![(CLIPS.into(), library(&clips)), (MOTIONS.into(), motions)];
        let table = include_bytes!("../../iso/fight/people.table");
        files.push((FIGHTS.into(), table.to_vec()));
        for look in LOOKS {
            files.extend(
                DETAILS.map(|detail| (std::string::String::from(mesh_file(look, detail).as_str()), mesh.clone())),
            );
        }
        files.retain(|(name, _)| name != lacks);
        let files: Vec<_> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
        Disc::of(&files)
    }

    fn started(lacks: &str) -> Box<FakeGame> {
        let mut game = game();
        game.machine.disc = Some(disc(lacks));
        game.initialize_subsystems().unwrap();
        game
    }

    #[test]
    fn people_are_made_step_by_step() {
        let mut game = started("");
        assert_eq!(game.machine.said("PEOPLE"), 0, "{:?}", game.machine.log);
        let people = game.people.as_deref().expect("people");
        assert!(people.humans.library.find(Cast::IDS[0]).is_some(), "the clips of step 15");
        assert_eq!((people.brains.goals.capacity(), people.brains.actions.capacity()), (GOALS, ACTIONS));
        assert_eq!(people.brains.goal(0), Goal::default(), "nobody wants anything");
        assert_ne!(people.brains.gangs.get(0).map(|gang| gang.enemies), Some(0), "gangs have their sides");
        assert_eq!(people.models.look_count(), LOOKS.len(), "the resources of step 22");
        assert_eq!(people.humans.people.len(), HUMANS, "the places of step 23");
        assert_eq!(people.brains.walks.as_deref().map(<[_]>::len), Some(BRAINS), "the global data of step 26");
        let global = game.pools.global_data.expect("the Global Data Pool");
        let name = game.machine.with_memory(|memory| memory.record(global).map(|record| *record.name()));
        assert_eq!(name.map(|name| name.as_str() == "Global-Data-Poo"), Some(true));
    }

    #[test]
    fn what_the_disc_lacks_is_told_and_then_nobody_is_there() {
        for lacks in [CLIPS, MOTIONS, FIGHTS, "people/gulls_a.far"] {
            let game = started(lacks);
            assert!(game.people.is_none(), "without {lacks}");
            assert_eq!(game.machine.said("PEOPLE"), 1, "{:?}", game.machine.log);
        }
    }
}
