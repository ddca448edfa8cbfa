//! Chunks where they lie: a file that is used in place is walked, not copied.

use super::header::HEADER_BYTES;
use super::load::{check_count, header};
use super::{Block, ByteSource as _, Chunk, ChunkError, ContainerHeader, SliceSource};

/// Shows every chunk of a container that lies in memory, in the file's order, with the place of its data in the file.
///
/// # Errors
/// A file that does not fit together, or what `each` refuses.
pub fn inside(
    file: &[u8],
    mut each: impl FnMut(Chunk, Block) -> Result<(), ChunkError>,
) -> Result<ContainerHeader, ChunkError> {
    let mut source = SliceSource(file);
    let container = ContainerHeader::from_bytes(header(&mut source)?);
    check_count(container.count, &source)?;
    let (mut offset, mut payload) = (HEADER_BYTES as u32, 0u64);
    for _ in 0..container.count {
        let chunk = Chunk::from_bytes(header(&mut source)?)?;
        source.skip(chunk.size)?;
        offset += HEADER_BYTES as u32;
        each(chunk, Block { offset, bytes: chunk.size })?;
        offset += chunk.size;
        payload += u64::from(chunk.size);
    }
    if payload == u64::from(container.payload) { Ok(container) } else { Err(ChunkError::Payload) }
}

#[cfg(test)]
mod tests {
    use super::super::ChunkType;
    use super::super::write::{NewChunk, container};
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn every_chunk_is_shown_where_it_lies_and_a_file_in_pieces_is_refused() {
        let chunk = |id, bytes: &[u8]| NewChunk { kind: ChunkType::LEVEL_HEADER, id, data: bytes.into() };
        let file = container(7, &[chunk(1, &[5; 16]), chunk(2, &[]), chunk(3, &[6; 32])]);
        let mut seen = Vec::new();
        let container = inside(&file, |chunk, block| {
            let (from, to) = (block.offset as usize, (block.offset + block.bytes) as usize);
            seen.push((chunk.id, Vec::from(&file[from..to])));
            Ok(())
        });
        assert_eq!(container.map(|container| container.id), Ok(7));
        assert_eq!(seen, [(1, Vec::from([5; 16])), (2, Vec::new()), (3, Vec::from([6; 32]))]);
        for cut in 0..file.len() {
            assert!(inside(&file[..cut], |_, _| Ok(())).is_err(), "{cut}");
        }
        assert_eq!(inside(&file, |_, _| Err(ChunkError::NoPackage)), Err(ChunkError::NoPackage));
    }
}
