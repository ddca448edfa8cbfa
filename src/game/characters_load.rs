//! People come from the disc: clips, meshes, and where each of them begins.

use super::Game;
use super::characters::People;
use super::characters_draw::{DETAILS, Models};
use super::characters_story::Story;
use super::level::Counting;
use super::machine::Machine;
use crate::animation::library::{ClipLibrary, LibraryError};
use crate::ee::gif::Quad;
use crate::file_io::{BufferedStream, FileError, NameHash};
use crate::graphics::mesh::{Mesh, MeshError};
use crate::human::{Humans, MissingClip, Spawn};
use crate::memory::PoolKind;
use crate::motion::MotionTable;
use crate::motion::table::TableError;
use crate::tasks::engine::TaskEngine;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};
use heapless::String;

/// The archive's files of all clips and of the motion table.
const CLIPS: &str = "people/human.clips";
const MOTIONS: &str = "people/human.motions";
/// Looks, by the names of their files; a look's number is its place here.
pub const LOOKS: [&str; 7] = ["rembrandt", "dockers_a", "dockers_b", "gulls_a", "gulls_b", "walker_a", "walker_b"];
/// The number of a look.
pub fn look_of(name: &str) -> u8 {
    LOOKS.iter().position(|look| *look == name).unwrap_or(0) as u8
}

/// Size of the player. Source: seed 002, The human body.
const PLAYER_SCALE: f32 = 0.97;
/// Health points of a player.
const PLAYER_HEALTH: i16 = 160;

/// Bytes for everybody's places, motions, clips' descriptors and animation tasks, and beyond each mesh.
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
            Self::Missing(MissingClip(id)) => write!(f, "there is no clip {id}"),
            Self::Mesh(error) => write!(f, "{error:?}"),
            Self::NoRoom => f.write_str("no room"),
        }
    }
}

impl<M: Machine> Game<M> {
    /// Brings the people from the disc, once; they stay as long as the program. Without a disc nobody comes.
    pub(super) fn load_people(&mut self) {
        if self.people.is_some() || self.files.system.is_none() {
            return;
        }
        let read = self.open_people_pool().map_err(|error| (String::new(), error)).and_then(|()| {
            let read = self.read_people();
            // What was pushed just now is there to be popped.
            let _popped = self.machine.with_memory(|memory| memory.pop());
            read
        });
        match read {
            Ok(people) => self.people = Some(people),
            Err((file, error)) => self.machine.print(format_args!("PEOPLE {file}: {error}")),
        }
    }

    /// Makes the pool that everything of the people comes from, once, and pushes it on the heap stack.
    ///
    /// Our choice: a heap, where the original's Global Data Pool is a clump, as lists grow while the clips are read.
    fn open_people_pool(&mut self) -> Result<(), LoadError> {
        let sector = self.pools.sector.ok_or(LoadError::NoRoom)?.sector;
        let bytes = self.people_bytes()?;
        let made = self.pools.global_data;
        let pool = self.machine.with_memory(|memory| {
            let pool = match made {
                Some(pool) => pool,
                None => memory.create(sector, PoolKind::Heap, "Global Data Pool", bytes)?,
            };
            memory.push(pool).map(|()| pool)
        });
        self.pools.global_data = Some(pool.map_err(|_| LoadError::NoRoom)?);
        Ok(())
    }

    /// What the files of the people take in memory, and everybody's records.
    fn people_bytes(&self) -> Result<usize, LoadError> {
        let files = self.files.system.as_ref().ok_or(LoadError::NoRoom)?;
        let of = |file: &str| {
            let name = NameHash::of_file(file).ok_or(FileError::NotFound);
            name.and_then(|name| files.size(name)).map_err(LoadError::File)
        };
        let mut bytes = (of(CLIPS)? + 2 * of(MOTIONS)?) as usize + RECORD_BYTES;
        for look in LOOKS {
            for detail in DETAILS {
                bytes += of(&mesh_file(look, detail))? as usize + MESH_MARGIN;
            }
        }
        Ok(bytes)
    }

    fn read_people(&mut self) -> Result<Box<People>, (String<48>, LoadError)> {
        let name = |file: &str| String::try_from(file).unwrap_or_default();
        let clips = |error| (name(CLIPS), error);
        let bytes = self.read_bytes(CLIPS).map_err(clips)?;
        let library = ClipLibrary::read(bytes).map_err(|error| clips(LoadError::Clips(error)))?;
        let humans = Humans::new(library).map_err(|missing| clips(LoadError::Missing(missing)))?;
        let mut looks = Vec::with_capacity(LOOKS.len());
        for look in LOOKS {
            let mut details: [Box<[Quad]>; DETAILS.len()] = Default::default();
            for (detail, place) in DETAILS.iter().zip(&mut details) {
                let file = mesh_file(look, detail);
                *place = self.read_mesh(&file).map_err(|error| (file, error))?;
            }
            looks.push(details);
        }
        let mut people = Box::new(People::new(humans, Models::new(looks)));
        let table = self.read_motions().map_err(|error| (name(MOTIONS), error))?;
        people.brains.use_motions(table);
        Ok(people)
    }

    /// The table by which brains' humans move and turn.
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
        let files = self.files.system.as_mut().ok_or(LoadError::File(FileError::NotFound))?;
        let buffer = self.files.buffer.ok_or(LoadError::NoRoom)?;
        let machine = &self.machine;
        let mut waiter = Counting(|| machine.count());
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
        let Some((position, heading)) = self.level.as_deref().map(|level| level.start) else { return };
        // The built-in yard is drawn without the renderer, which people need.
        let Some(level) = self.world.level() else { return };
        if let Some(people) = self.people.as_deref_mut() {
            people.models.take_light(level);
            people.story = Story::read(level);
            if let Some(renderer) = self.renderer.as_deref_mut() {
                people.models.add_textures(&mut renderer.textures);
            }
        }
        let player = Spawn {
            position,
            heading,
            scale: PLAYER_SCALE,
            health: PLAYER_HEALTH,
            player: Some(0),
            ..Spawn::default()
        };
        let come = self.with_tasks(|tasks, world| {
            let (people, physics) = (world.people.as_deref_mut()?, world.physics.as_deref_mut()?);
            people.spawn(player, tasks, physics)
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
    tasks.reset(world);
}
