//! A level in memory.

use super::chunks::{self, Header, Lamp, PartRecord, Path, Thing, ThingKind, cell};
use super::kinds::ParticleKind;
use super::props::CarPiece;
use crate::chunk::{
    Block, ByteSource, Chunk, ChunkError, ChunkPool, ChunkTable, ChunkType, Record, SlicePool, Stacks, load,
};
use crate::collision::CollisionMesh;
use crate::collision::format::{FormatError, Parts};
use crate::ee::gif::Quad;
use crate::graphics::mesh::{Mesh, MeshError};
use crate::graphics::texture_file::{TextureError, TextureFile};
use crate::streaming::{MAX_PARTS, PartIndex, Streamer};
use crate::tasks::glass::GlassType;
use crate::tasks::objects::types::ObjectType;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// Cells and textures of a level at most. Our choice: a level of a kilometre has fewer.
pub const MOST_PARTS: usize = 1024;

/// Why a level cannot be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelError {
    /// The file's chunks.
    Chunk(ChunkError),
    /// The collision mesh.
    Collision(FormatError),
    /// A cell's mesh, with the cell's id.
    Cell(u32, MeshError),
    /// A texture, with the CRC-32 of its name.
    Texture(u32, TextureError),
    /// A model, with the CRC-32 of its name.
    Model(u32, MeshError),
    /// A chunk that a level needs is not there.
    Missing(&'static str),
    /// A record in the named list has a number that cannot be.
    Damaged(&'static str),
    /// There are more parts than [`MOST_PARTS`].
    TooMany,
    /// A level without a name has no file.
    NoName,
    /// The pool that pays has no room for what stands beside the file.
    NoRoom,
}

impl From<ChunkError> for LevelError {
    fn from(error: ChunkError) -> Self {
        Self::Chunk(error)
    }
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chunk(error) => error.fmt(f),
            Self::Collision(error) => error.fmt(f),
            Self::Cell(cell, error) => write!(f, "cell {cell:#x}: {error:?}"),
            Self::Texture(name, error) => write!(f, "texture {name:08x}: {error:?}"),
            Self::Model(name, error) => write!(f, "model {name:08x}: {error:?}"),
            Self::Missing(part) => write!(f, "the level has no {part}"),
            Self::Damaged(list) => write!(f, "a bad number in the level's {list}"),
            Self::TooMany => write!(f, "the level has more than {MOST_PARTS} parts"),
            Self::NoName => f.write_str("the level has no name"),
            Self::NoRoom => f.write_str("no memory for what the level needs beside its file"),
        }
    }
}

/// What pieces of memory are rounded up by, all of a level's together.
const ROUNDING: usize = 16 * 1024;

/// The most bytes that the lists of a level's chunks take while they grow, and what a load needs beside them, from the pool
/// below the level's.
pub const LISTS_BYTES: usize = size_of::<Stacks>()
    + 3 * MOST_PARTS * (size_of::<Cell>() + 2 * size_of::<(u32, Block)>())
    + size_of::<Level>()
    + size_of::<Streamer>()
    + ROUNDING;

/// Asks the pool that pays for a piece as large as all that is taken next, and gives it back: what cannot be had is an error
/// here, and not the end of the program there.
fn ask_for(bytes: usize) -> Result<(), LevelError> {
    let mut piece = Vec::<u8>::new();
    piece.try_reserve_exact(bytes).map_err(|_| LevelError::NoRoom)?;
    // A piece that nobody looks at is one that the compiler need not ask for.
    core::hint::black_box(&mut piece);
    Ok(())
}

/// A level: one piece of memory that holds its file, and where in it what lies.
#[derive(Debug)]
pub struct Level {
    /// Air, bounds and distances.
    pub header: Header,
    /// What is met.
    pub mesh: CollisionMesh,
    pub(super) memory: Box<[Quad]>,
    pub(super) parts: Found,
}

/// A cell: where its mesh lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// Number and bits of [`cell`].
    pub id: u32,
    /// In this part's file; in the level's own without one.
    pub part: Option<PartIndex>,
    /// Where in the file.
    pub block: Block,
}

/// Where the chunks lie.
#[derive(Debug, Default)]
pub(super) struct Found {
    header: Option<Block>,
    collision: [Option<Block>; 5],
    /// The cells of the file and of the parts that have come, by ascending id, with room for those of all parts.
    pub(super) cells: Vec<Cell>,
    /// The list of parts.
    pub(super) manifest: Block,
    /// Textures with the CRC-32 of their names.
    textures: Vec<(u32, Block)>,
    things: Block,
    glows: Block,
    lamps: Block,
    paths: Block,
    particles: Block,
    /// Models with the CRC-32 of their names, in the names' order.
    models: Vec<(u32, Block)>,
    object_types: Block,
    glass_types: Block,
    car_pieces: Block,
    objects: [Block; 3],
}

impl Level {
    /// Loads a level of `bytes` bytes. All memory comes from the pool on top of the heap stack.
    ///
    /// # Errors
    /// [`LevelError`] says what is wrong; nothing of the level stays.
    pub fn load(source: &mut dyn ByteSource, bytes: u32, stacks: &mut Stacks) -> Result<Self, LevelError> {
        Self::load_into(Self::memory_for(bytes), source, stacks, &LevelTable::new()?)
    }

    /// Memory for a file of `bytes` bytes, from the pool on top of the heap stack.
    pub fn memory_for(bytes: u32) -> Box<[Quad]> {
        // Each chunk is aligned anew; without its header it never needs more room than in the file.
        vec![Quad::default(); (bytes as usize).div_ceil(16)].into_boxed_slice()
    }

    /// Loads a level into memory of [`memory_for`](Self::memory_for); the collision mesh and the lists of parts come from the
    /// pool on top of the heap stack.
    ///
    /// # Errors
    /// [`LevelError`] says what is wrong; nothing of the level stays.
    pub fn load_into(
        mut memory: Box<[Quad]>,
        source: &mut dyn ByteSource,
        stacks: &mut Stacks,
        table: &LevelTable,
    ) -> Result<Self, LevelError> {
        let mut parts = Found::default();
        let mut pool = SlicePool::new(Quad::bytes_mut(&mut memory));
        stacks.clear();
        let loaded = load(source, &table.0, &mut parts, stacks, &mut pool);
        stacks.clear();
        loaded?;
        parts.models.sort_unstable_by_key(|(name, _)| *name);
        make_room(Quad::bytes(&memory), &mut parts)?;
        let (header, mesh) = read_parts(Quad::bytes(&memory), &parts)?;
        let level = Self { header, mesh, memory, parts };
        level.check()?;
        Ok(level)
    }

    pub(super) fn bytes(&self, block: Block) -> &[u8] {
        bytes_of(Quad::bytes(&self.memory), block)
    }

    /// Looks at everything once, so that nobody has to later.
    fn check(&self) -> Result<(), LevelError> {
        if self.parts.cells.len() > MOST_PARTS
            || self.parts.textures.len() > MOST_PARTS
            || self.parts.models.len() > MOST_PARTS
        {
            return Err(LevelError::TooMany);
        }
        for &Cell { id, block, .. } in &self.parts.cells {
            let mesh = Mesh::of_bytes(self.bytes(block)).and_then(|mesh| mesh.check());
            mesh.map_err(|error| LevelError::Cell(id, error))?;
        }
        for &(name, block) in &self.parts.models {
            let mesh = Mesh::of_bytes(self.bytes(block)).and_then(|mesh| mesh.check());
            mesh.map_err(|error| LevelError::Model(name, error))?;
        }
        for &(name, block) in &self.parts.textures {
            TextureFile::of_bytes(self.bytes(block)).map_err(|error| LevelError::Texture(name, error))?;
        }
        let sound = |all: bool, list| if all { Ok(()) } else { Err(LevelError::Damaged(list)) };
        sound(chunks::records::<Thing>(self.bytes(self.parts.things)).all(|thing| thing.is_some()), "things")?;
        sound(chunks::records::<chunks::Glow>(self.bytes(self.parts.glows)).all(|glow| glow.is_some()), "halos")?;
        sound(chunks::records::<Lamp>(self.bytes(self.parts.lamps)).all(|lamp| lamp.is_some()), "lamps")?;
        sound(
            chunks::records::<ParticleKind>(self.bytes(self.parts.particles)).all(|kind| kind.is_some()),
            "particles",
        )?;
        sound(
            chunks::records::<ObjectType>(self.bytes(self.parts.object_types)).all(|kind| kind.is_some()),
            "object types",
        )?;
        sound(chunks::records::<GlassType>(self.bytes(self.parts.glass_types)).all(|kind| kind.is_some()), "glass")?;
        sound(chunks::records::<CarPiece>(self.bytes(self.parts.car_pieces)).all(|piece| piece.is_some()), "cars")
    }

    /// Bytes of memory that the level's file takes.
    pub fn file_bytes(&self) -> usize {
        size_of_val(&self.memory[..])
    }

    /// The textures.
    pub fn textures(&self) -> impl Iterator<Item = TextureFile<'_>> {
        self.parts.textures.iter().filter_map(|&(_, block)| TextureFile::of_bytes(self.bytes(block)).ok())
    }

    /// The halos.
    pub fn glows(&self) -> impl Iterator<Item = chunks::Glow> + '_ {
        chunks::records(self.bytes(self.parts.glows)).flatten()
    }

    /// The lamps.
    pub fn lamps(&self) -> impl Iterator<Item = Lamp> + '_ {
        chunks::records(self.bytes(self.parts.lamps)).flatten()
    }

    /// The things of a list, in the source's order.
    pub fn things(&self, kind: ThingKind) -> impl Iterator<Item = Thing> + '_ {
        chunks::records::<Thing>(self.bytes(self.parts.things)).flatten().filter(move |thing| thing.kind == kind)
    }

    /// The thing of a list and a name's hash.
    pub fn thing(&self, kind: ThingKind, name: u32) -> Option<Thing> {
        self.things(kind).find(|thing| thing.name == name)
    }

    /// The ways.
    pub fn paths(&self) -> impl Iterator<Item = Path<'_>> {
        chunks::paths(self.bytes(self.parts.paths))
    }

    /// The names of the models, ascending.
    pub fn model_names(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.parts.models.iter().map(|(name, _)| *name)
    }

    /// The model at a place among the [names](Self::model_names).
    pub fn model(&self, index: u16) -> Option<Mesh<'_>> {
        let (_, block) = self.parts.models.get(usize::from(index))?;
        Mesh::of_bytes(self.bytes(*block)).ok()
    }

    /// The types of objects.
    pub fn object_types(&self) -> impl Iterator<Item = ObjectType> + '_ {
        chunks::records(self.bytes(self.parts.object_types)).flatten()
    }

    /// The types of glass; their sizes are those of the placed panes.
    pub fn glass_types(&self) -> impl Iterator<Item = GlassType> + '_ {
        chunks::records(self.bytes(self.parts.glass_types)).flatten()
    }

    /// What cars are made of.
    pub fn car_pieces(&self) -> impl Iterator<Item = CarPiece> + '_ {
        chunks::records(self.bytes(self.parts.car_pieces)).flatten()
    }

    /// The kinds of particles.
    pub fn particle_kinds(&self) -> impl Iterator<Item = ParticleKind> + '_ {
        chunks::records(self.bytes(self.parts.particles)).flatten()
    }

    /// The chunks of placed objects as `TaskEngine::load_object_chunks` takes them: names, placements, zones.
    pub fn object_chunks(&self) -> [(u8, &[u8]); 3] {
        core::array::from_fn(|i| (chunks::OBJECTS[i].number(), self.bytes(self.parts.objects[i])))
    }

    /// Number of cells with all these bits and none of the others of [`cell`].
    pub fn cell_count(&self, bits: u32) -> usize {
        self.parts.cells.iter().filter(|cell| cell.id & !cell::NUMBER == bits).count()
    }
}

/// Brings the cells into their order and takes room for those of all parts, so that no frame has to.
fn make_room(memory: &[u8], parts: &mut Found) -> Result<(), LevelError> {
    let manifest = bytes_of(memory, parts.manifest);
    if chunks::records::<PartRecord>(manifest).len() > MAX_PARTS {
        return Err(LevelError::TooMany);
    }
    let mut streamed = 0;
    for record in chunks::records::<PartRecord>(manifest) {
        streamed += record.ok_or(LevelError::Damaged("parts"))?.cells as usize;
    }
    if parts.cells.len() + streamed > MOST_PARTS {
        return Err(LevelError::TooMany);
    }
    parts.cells.sort_by_key(|cell| cell.id);
    parts.cells.try_reserve_exact(streamed).map_err(|_| LevelError::NoRoom)
}

pub(super) fn bytes_of(memory: &[u8], block: Block) -> &[u8] {
    let (start, bytes) = (block.offset as usize, block.bytes as usize);
    memory.get(start..).and_then(|rest| rest.get(..bytes)).unwrap_or_default()
}

fn read_parts(memory: &[u8], parts: &Found) -> Result<(Header, CollisionMesh), LevelError> {
    let header = parts.header.ok_or(LevelError::Missing("header"))?;
    let header = chunks::records::<Header>(bytes_of(memory, header)).next().flatten();
    let header = header.ok_or(LevelError::Damaged("header"))?;
    let part = |index: usize| {
        let block: Option<Block> = parts.collision[index];
        block.map(|block| bytes_of(memory, block)).ok_or(LevelError::Missing("collision mesh"))
    };
    let collision =
        Parts { header: part(0)?, cells: part(1)?, lists: part(2)?, triangles: part(3)?, vertices: part(4)? };
    ask_for(CollisionMesh::most_bytes(&collision) + size_of::<Level>() + size_of::<Streamer>() + ROUNDING)?;
    let mesh = CollisionMesh::read(&collision).map_err(LevelError::Collision)?;
    Ok((header, mesh))
}

/// Who reads which chunk of a level.
#[derive(Debug)]
pub struct LevelTable(ChunkTable<Found>);

impl LevelTable {
    /// The handlers of the level header and of every other chunk of a level.
    ///
    /// # Errors
    /// Two of them claim one chunk.
    pub fn new() -> Result<Self, ChunkError> {
        table().map(Self)
    }
}

/// The handlers of a level's chunks.
fn table() -> Result<ChunkTable<Found>, ChunkError> {
    let mut table = ChunkTable::default();
    let mut add = |kind: ChunkType, name: &'static str, on_loaded| {
        table.register(kind, Record { name, on_loaded: Some(on_loaded), read_from_stream: None })
    };
    add(ChunkType::LEVEL_HEADER, "level header", |found: &mut Found, chunk, stacks, _| {
        found.header = Some(top(chunk, stacks)?);
        Ok(())
    })?;
    add(ChunkType::COLLISION, "collision mesh", collision)?;
    add(chunks::CELL, "cell", |found, chunk, stacks, _| {
        found.cells.push(Cell { id: chunk.id, part: None, block: top(chunk, stacks)? });
        Ok(())
    })?;
    add(chunks::PARTS, "parts", |found, chunk, stacks, _| {
        found.manifest = top(chunk, stacks)?;
        Ok(())
    })?;
    add(chunks::TEXTURE, "texture", |found, chunk, stacks, _| {
        found.textures.push((chunk.id, top(chunk, stacks)?));
        Ok(())
    })?;
    add(chunks::THINGS, "things", |found, chunk, stacks, _| {
        found.things = top(chunk, stacks)?;
        Ok(())
    })?;
    add(chunks::GLOWS, "halos", |found, chunk, stacks, _| {
        found.glows = top(chunk, stacks)?;
        Ok(())
    })?;
    add(chunks::LAMPS, "lamps", |found, chunk, stacks, _| {
        found.lamps = top(chunk, stacks)?;
        Ok(())
    })?;
    add(chunks::PATHS, "ways", |found, chunk, stacks, _| {
        found.paths = top(chunk, stacks)?;
        Ok(())
    })?;
    add(chunks::MODEL, "model", |found, chunk, stacks, _| {
        found.models.push((chunk.id, top(chunk, stacks)?));
        Ok(())
    })?;
    add(chunks::OBJECT_TYPES, "types of objects", |found, chunk, stacks, _| {
        found.object_types = top(chunk, stacks)?;
        Ok(())
    })?;
    add(chunks::GLASS_TYPES, "types of glass", |found, chunk, stacks, _| {
        found.glass_types = top(chunk, stacks)?;
        Ok(())
    })?;
    add(chunks::CAR_PIECES, "pieces of cars", |found, chunk, stacks, _| {
        found.car_pieces = top(chunk, stacks)?;
        Ok(())
    })?;
    add(chunks::PARTICLES, "kinds of particles", |found, chunk, stacks, _| {
        found.particles = top(chunk, stacks)?;
        Ok(())
    })?;
    for kind in chunks::OBJECTS {
        add(kind, "placed objects", |found, chunk, stacks, _| {
            let block = top(chunk, stacks)?;
            if let Some(index) = chunks::OBJECTS.iter().position(|kind| *kind == chunk.kind) {
                found.objects[index] = block;
            }
            Ok(())
        })?;
    }
    Ok(table)
}

/// Takes the chunk that has just been loaded off the stack.
fn top(chunk: Chunk, stacks: &mut Stacks) -> Result<Block, ChunkError> {
    stacks.chunks.pop(chunk.kind.retagged())
}

/// Takes the mesh's parts off the stack: header, cells, lists, triangles, vertices, and the checked bits, which the mesh makes
/// for itself.
///
/// Source: support systems, Chunk system (the order of the handler's pops).
fn collision(found: &mut Found, _: Chunk, stacks: &mut Stacks, _: &mut dyn ChunkPool) -> Result<(), ChunkError> {
    const PARTS: [ChunkType; 5] = [
        ChunkType::COLLISION,
        ChunkType::COLLISION_CELLS,
        ChunkType::COLLISION_LISTS,
        ChunkType::COLLISION_TRIANGLES,
        ChunkType::COLLISION_VERTICES,
    ];
    for (place, kind) in found.collision.iter_mut().zip(PARTS) {
        *place = Some(stacks.chunks.pop(kind)?);
    }
    stacks.chunks.pop(ChunkType::COLLISION_CHECKED).map(|_| ())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::chunks::{Glimmer, Glow};
    use super::*;
    use crate::chunk::SliceSource;
    use crate::chunk::write::{NewChunk, container};
    use crate::collision::scenes::{Scene, floor};
    use crate::graphics::mesh::{Builder, Corner, Material};
    use crate::graphics::texture_file::{self, Format};
    use crate::maths::Vec3;
    use crate::tasks::names::name_hash;

    /// A small level: a floor, two cells, a texture, a flag, a halo, a lamp, a way.
    pub fn file() -> Vec<u8> {
        file_with(&[], &Path::write(5, false, 1.0, &[Vec3::X, Vec3::Y]))
    }

    /// The small level with these parts.
    pub fn file_with_manifest(parts: &[PartRecord]) -> Vec<u8> {
        file_of(&[], &[], parts)
    }

    /// The mesh of a square metre from `x` on.
    pub fn cell_mesh(x: f32) -> Vec<u8> {
        let corner = |x: f32, y: f32| Corner { position: Vec3::new(x, y, 0.0), ..Corner::default() };
        let mut builder = Builder::new();
        let corners = [corner(x, 0.0), corner(x + 1.0, 0.0), corner(x + 1.0, 1.0), corner(x, 1.0)];
        builder.quad(Material { texture: name_hash("planks"), ..Material::default() }, corners);
        Quad::bytes(&builder.build().unwrap()).to_vec()
    }

    /// The small level with more things, and with these ways.
    pub fn file_with(more: &[Thing], paths: &[u8]) -> Vec<u8> {
        file_of(more, paths, &[])
    }

    fn file_of(more: &[Thing], paths: &[u8], parts: &[PartRecord]) -> Vec<u8> {
        let chunk = |kind, id, data: Vec<u8>| NewChunk { kind, id, data };
        let header = Header {
            name: name_hash("small"),
            far: 100.0,
            middle: 50.0,
            detail: 20.0,
            haze_end: 90.0,
            ..Header::default()
        };
        let collision = Scene::new().with(floor(40.0, 0.0)).mesh([4, 4, 1]).write();
        let texture = texture_file::write(name_hash("planks"), Format::Index4, (4, 4), &[1; 256], &[7; 16]).unwrap();
        let thing = Thing {
            kind: ThingKind::Flag,
            name: name_hash("start"),
            position: Vec3::new(1.0, 2.0, 0.0),
            heading: 0.5,
            half: Vec3::ZERO,
        };
        let glow = Glow { position: Vec3::Z, radius: 1.0, colour: Vec3::X, glimmer: Glimmer::Steady, backdrop: false };
        let lamp = Lamp { position: Vec3::Z * 3.0, reach: 3.0, colour: Vec3::X };
        let all = [
            chunk(ChunkType::LEVEL_HEADER, 1, chunks::bytes(&[header])),
            chunk(ChunkType::COLLISION_CHECKED, 0, collision.checked),
            chunk(ChunkType::COLLISION_VERTICES, 0, collision.vertices),
            chunk(ChunkType::COLLISION_TRIANGLES, 0, collision.triangles),
            chunk(ChunkType::COLLISION_LISTS, 0, collision.lists),
            chunk(ChunkType::COLLISION_CELLS, 0, collision.cells),
            chunk(ChunkType::COLLISION, 0, collision.header),
            chunk(chunks::TEXTURE, name_hash("planks"), Quad::bytes(&texture).to_vec()),
            chunk(chunks::CELL, 0, cell_mesh(0.0)),
            chunk(chunks::CELL, cell::DETAIL | 1, cell_mesh(2.0)),
            chunk(chunks::PARTS, 0, chunks::bytes(parts)),
            chunk(chunks::THINGS, 0, [&chunks::bytes(&[thing])[..], &chunks::bytes(more)].concat()),
            chunk(chunks::GLOWS, 0, chunks::bytes(&[glow])),
            chunk(chunks::LAMPS, 0, chunks::bytes(&[lamp])),
            chunk(chunks::PATHS, 0, paths.to_vec()),
            chunk(chunks::OBJECTS[0], 0, name_hash("brick").to_le_bytes().to_vec()),
            chunk(chunks::OBJECTS[1], 0, vec![0; 24]),
            chunk(chunks::OBJECTS[2], 0, vec![3]),
        ];
        container(name_hash("small"), &all)
    }

    pub fn read(file: &[u8]) -> Result<Level, LevelError> {
        Level::load(&mut SliceSource(file), file.len() as u32, &mut Stacks::default())
    }

    #[test]
    fn a_level_hands_out_what_its_file_holds() {
        let level = read(&file()).unwrap();
        assert_eq!((level.header.name, level.header.far), (name_hash("small"), 100.0));
        assert_eq!(level.mesh.triangle_count(), 2);
        assert_eq!(level.cells(&[]).map(|(id, _)| id).collect::<Vec<_>>(), [0, cell::DETAIL | 1]);
        assert_eq!((level.cell_count(0), level.cell_count(cell::DETAIL)), (1, 1));
        assert_eq!(level.textures().map(|texture| texture.name).collect::<Vec<_>>(), [name_hash("planks")]);
        let start = level.thing(ThingKind::Flag, name_hash("start")).unwrap();
        assert_eq!((start.position, start.heading), (Vec3::new(1.0, 2.0, 0.0), 0.5));
        assert_eq!(level.thing(ThingKind::Volume, name_hash("start")), None);
        assert_eq!((level.glows().count(), level.lamps().count(), level.paths().count()), (1, 1, 1));
        let sizes = level.object_chunks().map(|(kind, bytes)| (kind, bytes.len()));
        assert_eq!(sizes, [(0x24, 4), (0x23, 24), (0x22, 1)]);
    }

    #[test]
    fn what_is_missing_or_damaged_is_named() {
        let empty = container(1, &[]);
        assert_eq!(read(&empty).unwrap_err(), LevelError::Missing("header"));
        let mut short = file();
        short.truncate(short.len() - 1);
        assert_eq!(read(&short).unwrap_err(), LevelError::Chunk(ChunkError::Truncated));
        let mut header = file();
        header[32] ^= 1;
        assert_eq!(read(&header).unwrap_err(), LevelError::Damaged("header"));
    }

    #[test]
    fn a_damaged_file_is_an_error_or_a_level_that_can_be_walked_through() {
        let good = file();
        let mut random = crate::collision::scenes::Random::new(5);
        let mut refused = 0;
        for _ in 0..3000 {
            let mut bad = good.clone();
            for _ in 0..1 + (random.unit() * 4.0) as usize {
                let at = (random.unit() * bad.len() as f32) as usize;
                bad[at] = (random.unit() * 256.0) as u8;
            }
            match read(&bad) {
                Ok(level) => {
                    let corners: usize = level
                        .cells(&[])
                        .flat_map(|(_, mesh)| mesh.batches().map(|b| b.vertices.len()).collect::<Vec<_>>())
                        .sum();
                    assert!(corners < 1000);
                    assert!(level.paths().flat_map(|path| path.points().collect::<Vec<_>>()).all(|p| p.is_finite()));
                }
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 1000, "only {refused} were refused");
    }
}
