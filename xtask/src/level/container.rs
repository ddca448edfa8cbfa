//! A level's file: everything of a scene in chunks.

use super::cells::{self, Cell};
use super::collide;
use super::coplanar;
use super::scene::{Scene, ThingKind};
use crate::texture::{self, Picture};
use anyhow::{Context as _, Result, anyhow, ensure};
use boardwalk::chunk::ChunkType;
use boardwalk::chunk::write::{NewChunk, container};
use boardwalk::collision::build::bounds;
use boardwalk::ee::gif::Quad;
use boardwalk::file_io::Region;
use boardwalk::graphics::mesh::Mesh;
use boardwalk::graphics::texture_file::{Format, write_pictures};
use boardwalk::maths::Vec3;
use boardwalk::streaming::MAX_PARTS;
use boardwalk::tasks::names::name_hash;
use boardwalk::world::chunks::{self, Header, Lamp, PartRecord, Thing, cell};
use std::collections::BTreeMap;

/// Metres beyond which cells are not drawn.
pub const FAR: f32 = 90.0;
/// Metres beyond which things are left out.
pub const MIDDLE: f32 = 46.0;
/// Metres beyond which small things are not drawn.
pub const DETAIL: f32 = 20.0;

/// The texture of the halos, which every level has.
const GLOW: &str = "glow";
/// The texture of the shadows under things, which every level has too.
const SHADE: &str = "shade";

/// Metres of the side of a part's square. Our choice: some tens of parts in a level of half a kilometre, each read in a
/// fraction of a second.
const PART_SIDE: f32 = 64.0;

/// A level's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The one that is always there.
    pub level: Vec<u8>,
    /// Those of its parts, by their numbers.
    pub parts: Vec<Vec<u8>>,
}

/// Makes a level's files.
///
/// # Errors
/// A collision mesh that cannot be, a texture that cannot be made, surfaces that fight; the message names what.
pub fn make(scene: &Scene, pictures: &BTreeMap<String, Picture>) -> Result<Files> {
    coplanar::check(&scene.patches, &scene.materials)?;
    let chunk = |kind, id, data: Vec<u8>| NewChunk { kind, id, data };
    let mesh = collide::build(scene)?.write();
    let mut all = vec![
        chunk(ChunkType::LEVEL_HEADER, name_hash(&scene.name), chunks::bytes(&[header(scene)])),
        chunk(ChunkType::COLLISION_CHECKED, 0, mesh.checked),
        chunk(ChunkType::COLLISION_VERTICES, 0, mesh.vertices),
        chunk(ChunkType::COLLISION_TRIANGLES, 0, mesh.triangles),
        chunk(ChunkType::COLLISION_LISTS, 0, mesh.lists),
        chunk(ChunkType::COLLISION_CELLS, 0, mesh.cells),
        chunk(ChunkType::COLLISION, 0, mesh.header),
    ];
    for (name, picture) in pictures {
        let file = texture_file(name, picture).with_context(|| format!("texture {name}"))?;
        all.push(chunk(chunks::TEXTURE, name_hash(name), Quad::bytes(&file).to_vec()));
    }
    let (always, squares) = squares(cells::cut(scene)?)?;
    let cells = |cells: &[Cell]| -> Vec<NewChunk> {
        cells.iter().map(|cell| chunk(chunks::CELL, cell.id, Quad::bytes(&cell.mesh).to_vec())).collect()
    };
    all.extend(cells(&always));
    let parts: Vec<Vec<u8>> =
        squares.iter().enumerate().map(|(number, square)| container(number as u32, &cells(square))).collect();
    let records: Result<Vec<PartRecord>> =
        squares.iter().zip(&parts).map(|(square, file)| record_of(square, file.len())).collect();
    all.push(chunk(chunks::PARTS, 0, chunks::bytes(&records?)));
    all.push(chunk(chunks::THINGS, 0, chunks::bytes(&things(scene))));
    all.push(chunk(chunks::GLOWS, 0, chunks::bytes(&scene.glows)));
    all.push(chunk(chunks::LAMPS, 0, chunks::bytes(&lamps(scene))));
    let paths = scene.paths.iter();
    let paths = paths.flat_map(|way| chunks::Path::write(name_hash(&way.name), way.closed, way.width, &way.points));
    all.push(chunk(chunks::PATHS, 0, paths.collect()));
    let models = scene.catalogue.models.iter().chain(&scene.models);
    all.extend(models.map(|model| chunk(chunks::MODEL, model.name, Quad::bytes(&model.mesh).to_vec())));
    all.push(chunk(chunks::OBJECT_TYPES, 0, chunks::bytes(&scene.catalogue.objects)));
    all.push(chunk(chunks::GLASS_TYPES, 0, chunks::bytes(&scene.catalogue.glass)));
    all.push(chunk(chunks::CAR_PIECES, 0, chunks::bytes(&scene.car_pieces)));
    all.push(chunk(chunks::PARTICLES, 0, chunks::bytes(&scene.catalogue.particles)));
    let objects = objects(scene)?;
    all.extend(chunks::OBJECTS.into_iter().zip(objects).map(|(kind, data)| chunk(kind, 0, data)));
    // Each chunk begins at a quadword, as a whole number of them is written.
    for chunk in &mut all {
        if !chunks::OBJECTS.contains(&chunk.kind) {
            chunk.data.resize(chunk.data.len().next_multiple_of(16), 0);
        }
    }
    Ok(Files { level: container(name_hash(&scene.name), &all), parts })
}

/// Parts the cells into those of the level's own file, which are seen from everywhere, and those of each square of ground.
fn squares(cells: Vec<Cell>) -> Result<(Vec<Cell>, Vec<Vec<Cell>>)> {
    let (mut always, mut squares) = (Vec::new(), BTreeMap::<(i32, i32), Vec<Cell>>::new());
    for one in cells {
        if one.id & (cell::BACKDROP | cell::WATER) != 0 {
            always.push(one);
            continue;
        }
        let middle = ball(&one)?.0;
        let square = |at: f32| (at / PART_SIDE).floor() as i32;
        squares.entry((square(middle.x), square(middle.y))).or_default().push(one);
    }
    ensure!(squares.len() <= MAX_PARTS, "{} parts are more than {MAX_PARTS}", squares.len());
    Ok((always, squares.into_values().collect()))
}

/// The ball around a cell: its middle and radius.
fn ball(cell: &Cell) -> Result<(Vec3, f32)> {
    let mesh = Mesh::read(&cell.mesh).map_err(|error| anyhow!("cell {:#x}: {error:?}", cell.id))?;
    Ok((mesh.sphere().centre, mesh.sphere().radius))
}

/// What the level's file says of a part.
fn record_of(square: &[Cell], bytes: usize) -> Result<PartRecord> {
    let balls = square.iter().map(ball).collect::<Result<Vec<_>>>()?;
    let (min, max) = bounds(&balls.iter().map(|(centre, _)| *centre).collect::<Vec<_>>());
    let centre = (min + max) * 0.5;
    let radius = balls.iter().map(|(at, radius)| (*at - centre).length() + radius).fold(0.0, f32::max);
    let bytes = Region::padded(u32::try_from(bytes)?).context("a part is too large")?;
    Ok(PartRecord { centre, radius, bytes, cells: u32::try_from(square.len())? })
}

/// Names of all textures that a level's file holds.
pub fn texture_names(scene: &Scene) -> std::collections::BTreeSet<String> {
    let of_models = scene.models.iter().flat_map(|model| model.textures.iter().cloned());
    let named = scene.materials.iter().filter_map(|(_, material)| material.texture.clone());
    named
        .chain([GLOW.to_owned(), SHADE.to_owned()])
        .chain(of_models)
        .chain(scene.catalogue.textures.iter().cloned())
        .collect()
}

fn header(scene: &Scene) -> Header {
    let corners: Vec<Vec3> = scene.solids.iter().flat_map(|face| face.corners).collect();
    let (min, max) = bounds(&corners);
    let air = &scene.air;
    Header {
        name: name_hash(&scene.name),
        min,
        max,
        sea: air.sea,
        far: FAR,
        middle: MIDDLE,
        detail: DETAIL,
        haze: air.fog,
        haze_start: air.start,
        haze_end: air.end,
        haze_most: air.most,
        zenith: air.zenith,
        ambient: air.ambient,
        moon_towards: air.moon_towards,
        moon: air.moon,
    }
}

fn texture_file(name: &str, picture: &Picture) -> Result<Vec<Quad>> {
    let format = if picture.palette.len() <= 16 { Format::Index4 } else { Format::Index8 };
    let pictures = std::iter::successors(Some(picture.clone()), |larger| Some(larger.halved()));
    let texels = |picture: Picture| -> Vec<u32> { picture.texels.iter().map(|&texel| u32::from(texel)).collect() };
    let pictures: Vec<Vec<u32>> = pictures.take(1 + usize::from(picture.smaller)).map(texels).collect();
    let pictures: Vec<&[u32]> = pictures.iter().map(|texels| &texels[..]).collect();
    let palette: Vec<u32> = picture.palette.iter().map(|colour| u32::from_le_bytes(*colour)).collect();
    let log2 = (picture.width.ilog2() as u8, picture.height.ilog2() as u8);
    write_pictures(name_hash(name), format, log2, &pictures, &palette).map_err(|error| anyhow!("{error:?}"))
}

fn things(scene: &Scene) -> Vec<Thing> {
    let kind = |kind: ThingKind| {
        Some(match kind {
            ThingKind::Object => return None,
            ThingKind::Car => chunks::ThingKind::Car,
            ThingKind::Pane => chunks::ThingKind::Pane,
            ThingKind::Flag => chunks::ThingKind::Flag,
            ThingKind::Volume => chunks::ThingKind::Volume,
            ThingKind::Player => chunks::ThingKind::Player,
            ThingKind::Turf => chunks::ThingKind::Turf,
            ThingKind::View => chunks::ThingKind::View,
            ThingKind::Emitter => chunks::ThingKind::Emitter,
        })
    };
    let record = |(own, thing): &(ThingKind, super::scene::Thing)| {
        let name = name_hash(&thing.name);
        Some(Thing { kind: kind(*own)?, name, position: thing.position, heading: thing.heading, half: thing.half })
    };
    scene.things.iter().filter_map(record).collect()
}

fn lamps(scene: &Scene) -> Vec<Lamp> {
    let record = |lamp: &super::scene::Lamp| Lamp { position: lamp.position, reach: lamp.reach, colour: lamp.colour };
    scene.lamps.iter().map(record).collect()
}

/// Names, placements and zones of the placed objects.
fn objects(scene: &Scene) -> Result<[Vec<u8>; 3]> {
    /// A placement's flag: it belongs to somebody.
    const OWNED: u8 = 1;
    let mut names: Vec<&str> = Vec::new();
    let mut placements = Vec::new();
    for thing in scene.things_of(ThingKind::Object) {
        let index = names.iter().position(|name| *name == thing.name).unwrap_or_else(|| {
            names.push(&thing.name);
            names.len() - 1
        });
        ensure!(index <= usize::from(u16::MAX), "{}: too many kinds of objects", thing.place);
        let [x, y, z] = (thing.position + Vec3::Z * scene.catalogue.rest_height(&thing.name)).to_array();
        placements.extend([x, y, z, thing.heading].into_iter().flat_map(f32::to_le_bytes));
        placements.extend((index as u16).to_le_bytes());
        placements.extend([thing.zone, if thing.owned { OWNED } else { 0 }]);
        placements.extend(thing.respawn.to_le_bytes());
        placements.extend([0, 0]);
    }
    let names = names.into_iter().flat_map(|name| name_hash(name).to_le_bytes()).collect();
    Ok([names, placements, scene.zones.clone()])
}

/// Makes the files of the level `name`. `load` gives the text of a file below `iso/`.
///
/// # Errors
/// A mistake in the level or a texture.
pub fn files(name: &str, load: &dyn Fn(&str) -> Result<String>) -> Result<Files> {
    let scene = super::read(name, load)?;
    let pictures = pictures(&scene, load)?;
    make(&scene, &pictures)
}

/// The pictures of all textures of a level.
///
/// # Errors
/// A recipe that cannot be made.
pub fn pictures(scene: &Scene, load: &dyn Fn(&str) -> Result<String>) -> Result<BTreeMap<String, Picture>> {
    texture_names(scene).into_iter().map(|name| Ok((name.clone(), texture::read(&name, load)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::scene_of;
    use super::*;
    use boardwalk::chunk::{SliceSource, Stacks};
    use boardwalk::streaming::{PRELOAD_METRES, PartIndex};
    use boardwalk::tasks::boxes::DatabaseSizes;
    use boardwalk::tasks::engine::TaskEngine;
    use boardwalk::tasks::objects::types::ObjectType;
    use boardwalk::world::Level;

    fn level(file: &[u8]) -> Level {
        Level::load(&mut SliceSource(file), file.len() as u32, &mut Stacks::default()).unwrap()
    }

    #[test]
    fn what_the_source_says_is_what_the_engine_reads() {
        let scene = scene_of(
            "floor material=stone from=0,0 to=8,8\nlamp at=2,2,0\nflag start at=1,2,0 turn=90\n\
             volume arena at=4,4,1 size=8,8,2\nobject brick at=3,4,0.5 turn=180 zone=2 respawn=60 owned=yes\n\
             object bottle at=1,1,0\nobject brick at=2,2,0\nzone number=2\nview start at=0,0,2\n\
             path walk points=0,0,0/8,8,0 closed=yes",
        );
        let picture = texture::make("glow.texture", "picture size=16,16\nfill colour=9,9,9").unwrap();
        let files = make(&scene, &BTreeMap::from([("glow".to_owned(), picture)])).unwrap();
        assert_eq!(
            files,
            make(
                &scene,
                &BTreeMap::from([(
                    "glow".to_owned(),
                    texture::make("glow.texture", "picture size=16,16\nfill colour=9,9,9").unwrap()
                )])
            )
            .unwrap()
        );
        let level = level(&files.level);
        let start = level.thing(chunks::ThingKind::Flag, name_hash("start")).unwrap();
        assert!((start.heading - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
        let arena = level.thing(chunks::ThingKind::Volume, name_hash("arena")).unwrap();
        assert_eq!(arena.half, Vec3::new(4.0, 4.0, 1.0));
        assert_eq!((level.lamps().count(), level.glows().count(), level.paths().count()), (1, 3, 1));

        let sizes = DatabaseSizes { objects: 8, flags: 4, volumes: 4, players: 4, turfs: 4 };
        let mut tasks = TaskEngine::new(&sizes);
        let kinds = ["bottle", "brick"].map(|name| tasks.objects.types.add(ObjectType::named(name, 1)).unwrap());
        assert_eq!(tasks.load_object_chunks(&level.object_chunks()), Ok(3));
        let spawn = tasks.objects.spawns.used().map(|(_, record)| *record).next().unwrap();
        assert_eq!((spawn.kind, spawn.zone, spawn.position), (kinds[1], 2, Vec3::new(3.0, 4.0, 0.5)));
        assert!(tasks.objects.zones.is_enabled(2));
    }

    /// The game's own levels, as they go on the disc.
    #[test]
    fn every_level_of_the_disc_can_be_loaded_and_begins_on_firm_ground() {
        let iso = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../iso");
        for name in ["boardwalk", "yard"] {
            let Files { level: file, parts } = files(name, &super::super::loader(&iso)).unwrap();
            let mut level = level(&file);
            let own = level.cells(&[]).count();
            let records: Vec<PartRecord> = level.manifest().collect();
            assert!(records.len() == parts.len() && parts.len() > 1, "{name}: {} parts", parts.len());
            for (number, part) in parts.iter().enumerate() {
                level.add_part(PartIndex(number as u16), part).unwrap();
            }
            let bytes: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
            let ids: Vec<u32> = level.cells(&bytes).map(|(id, _)| id).collect();
            println!("{name}: {} bytes, {own} cells; {} parts, {} cells in all", file.len(), parts.len(), ids.len());
            assert!(ids.is_sorted() && ids.len() > own, "{name}");
            let start = level.thing(chunks::ThingKind::Flag, name_hash("start")).unwrap().position;
            for (number, record) in records.iter().enumerate() {
                println!("  part {number}: {:?} {:.0} m, {} bytes", record.centre, record.radius, record.bytes);
                // Our choice: everything of a level of ours is there from the first frame on.
                assert!((record.centre - start).length() - record.radius < PRELOAD_METRES, "{name} part {number}");
            }
            let flags = ["start", "goal"].map(|flag| level.thing(chunks::ThingKind::Flag, name_hash(flag)).unwrap());
            for flag in flags {
                let mut feet = flag.position + Vec3::Z;
                let found = level.mesh.drop_to_ground(&mut feet, 3.0, &Default::default());
                assert!(found.is_some(), "{name}: {flag:?}");
            }
            assert!(file.len() < 4_000_000, "{name}: {} bytes", file.len());
        }
    }
}
