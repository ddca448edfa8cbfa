//! The parts of a level: squares of ground whose meshes come in files of their own.
//!
//! A level's file is always there and lists its parts as [`PartRecord`]s. A part's file is used where its read has put it:
//! [`Level::add_part`] looks through it once and notes where its meshes lie, and whoever draws hands in the bytes of those
//! parts that are there. What bodies meet is one mesh of the whole level and stays, as do textures, far scenery and water: a
//! packet copies a part's vertices and refers to none of its bytes, so that a part may go while a frame is still being drawn.

use super::chunks::{self, PartRecord};
use super::level::{Cell, Level, LevelError, MOST_PARTS, bytes_of};
use crate::chunk::{ChunkError, inside};
use crate::ee::gif::Quad;
use crate::graphics::mesh::Mesh;
use crate::streaming::PartIndex;
use core::fmt::Write as _;
use heapless::String;

/// The section that each of our levels has.
pub const SECTION: u32 = 1;

/// The bytes of the parts that are in memory, by their numbers; none of those that are not.
pub type PartBytes<'f> = [&'f [u8]];

/// The file of a level's part: parts are asked for by level and section.
///
/// Source: support systems, Level loading order (step 10, "`<name>_<section>`").
pub fn part_name(level: &str, section: u32, number: u16) -> Option<String<48>> {
    let mut name = String::new();
    write!(name, "{level}_{section}/{number:02}.part").is_ok().then_some(name)
}

impl Level {
    /// The parts, by their numbers.
    pub fn manifest(&self) -> impl ExactSizeIterator<Item = PartRecord> + '_ {
        chunks::records(self.bytes(self.parts.manifest)).map(Option::unwrap_or_default)
    }

    /// Makes a part's cells known. Nothing is allocated.
    ///
    /// # Errors
    /// A file that is not this part's, or that is damaged; then the level is without the part.
    pub fn add_part(&mut self, part: PartIndex, bytes: &[u8]) -> Result<(), LevelError> {
        let record = self.manifest().nth(part.0.into()).ok_or(LevelError::Damaged("parts"))?;
        self.parts.cells.retain(|cell| cell.part != Some(part));
        let (mut count, mut wrong) = (0, None);
        let container = inside(bytes, |chunk, block| {
            let mesh = Mesh::of_bytes(bytes_of(bytes, block)).and_then(|mesh| mesh.check());
            let wrong_mesh = mesh.err().map(|error| LevelError::Cell(chunk.id, error));
            wrong = wrong.or(wrong_mesh);
            count += 1;
            if chunk.kind == chunks::CELL { Ok(()) } else { Err(ChunkError::Contents(chunk.kind)) }
        })?;
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        let cells = &mut self.parts.cells;
        let fits = count == record.cells && cells.len() + count as usize <= cells.capacity().min(MOST_PARTS);
        if container.id != u32::from(part.0) || !fits {
            return Err(LevelError::Damaged("parts"));
        }
        inside(bytes, |chunk, block| {
            let place = cells.partition_point(|cell| cell.id <= chunk.id);
            cells.insert(place, Cell { id: chunk.id, part: Some(part), block });
            Ok(())
        })?;
        Ok(())
    }

    /// The meshes that are there, by ascending id, each with its id of [`cell`](chunks::cell) bits.
    pub fn cells<'f>(&'f self, parts: &'f PartBytes<'f>) -> impl Iterator<Item = (u32, Mesh<'f>)> {
        self.parts.cells.iter().filter_map(move |cell| {
            let file = match cell.part {
                None => Quad::bytes(&self.memory),
                Some(part) => parts.get(usize::from(part.0)).copied().unwrap_or_default(),
            };
            Some((cell.id, Mesh::of_bytes(bytes_of(file, cell.block)).ok()?))
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::level::tests::{cell_mesh, file_with_manifest, read};
    use super::*;
    use crate::chunk::write::{NewChunk, container};
    use crate::maths::Vec3;
    use alloc::vec::Vec;

    /// Metres between two parts of the level of [`in_parts`].
    pub const APART: f32 = 300.0;

    /// The small level with this many parts of two cells each along the x axis: its file, and theirs.
    pub fn in_parts(parts: u16) -> (Vec<u8>, Vec<Vec<u8>>) {
        let mut records = Vec::new();
        let mut files = Vec::new();
        for number in 0..parts {
            let x = f32::from(number) * APART;
            let cell = |id: u32, x: f32| NewChunk { kind: chunks::CELL, id, data: cell_mesh(x) };
            let number = u32::from(number);
            let file = container(number, &[cell(10 + number, x), cell(chunks::cell::DETAIL | (30 + number), x + 1.0)]);
            let bytes = (file.len() as u32).next_multiple_of(64);
            records.push(PartRecord { centre: Vec3::X * x, radius: 5.0, bytes, cells: 2 });
            files.push(file);
        }
        (file_with_manifest(&records), files)
    }

    #[test]
    fn a_part_s_cells_are_seen_among_the_level_s_own_while_its_bytes_are_there() {
        let (file, parts) = in_parts(3);
        let mut level = read(&file).unwrap();
        assert_eq!(level.manifest().len(), 3);
        let ids = |level: &Level, parts: &PartBytes<'_>| level.cells(parts).map(|(id, _)| id).collect::<Vec<_>>();
        let small = chunks::cell::DETAIL;
        assert_eq!(ids(&level, &[]), [0, small | 1]);
        for number in [2, 0, 2] {
            level.add_part(PartIndex(number), &parts[usize::from(number)]).unwrap();
        }
        assert_eq!(ids(&level, &[&parts[0], &[], &parts[2]]), [0, 10, 12, small | 1, small | 30, small | 32]);
        assert_eq!(ids(&level, &[&[], &[], &parts[2]]), [0, 12, small | 1, small | 32], "part 0 has gone");
        assert_eq!(ids(&level, &[]), [0, small | 1]);
    }

    #[test]
    fn another_part_s_file_and_one_in_pieces_are_refused_and_leave_nothing() {
        let (file, parts) = in_parts(2);
        let mut level = read(&file).unwrap();
        level.add_part(PartIndex(0), &parts[0]).unwrap();
        for cut in (0..parts[0].len()).step_by(8) {
            assert!(level.add_part(PartIndex(0), &parts[0][..cut]).is_err(), "{cut}");
        }
        assert_eq!(level.add_part(PartIndex(0), &parts[1]), Err(LevelError::Damaged("parts")));
        assert_eq!(level.add_part(PartIndex(2), &parts[1]), Err(LevelError::Damaged("parts")));
        assert_eq!(level.cells(&[&parts[0], &parts[1]]).count(), 2, "only the level's own");
        let mut random = crate::collision::scenes::Random::new(9);
        let mut refused = 0;
        for _ in 0..500 {
            let mut bad = parts[0].clone();
            let at = (random.unit() * bad.len() as f32) as usize;
            bad[at] ^= 1 << (random.unit() * 8.0) as u32;
            refused += u32::from(level.add_part(PartIndex(0), &bad).is_err());
            let drawn = level.cells(&[&bad]).flat_map(|(_, mesh)| mesh.batches().collect::<Vec<_>>()).count();
            assert!(drawn < 100);
        }
        assert!(refused > 50, "only {refused} were refused");
    }

    #[test]
    fn parts_are_named_by_level_section_and_number() {
        assert_eq!(part_name("boardwalk", SECTION, 7).unwrap(), "boardwalk_1/07.part");
        assert_eq!(part_name("a level whose name has more letters than a file may", 1, 0), None);
    }
}
