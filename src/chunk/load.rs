//! Flat loads: every chunk of a container in its order.

use super::header::HEADER_BYTES;
use super::{Bounded, ByteSource, Chunk, ChunkError, ChunkPool, ChunkTable, ContainerHeader, Stacks};

/// Reads a header.
pub(super) fn header(source: &mut dyn ByteSource) -> Result<[u8; HEADER_BYTES], ChunkError> {
    let mut bytes = [0; HEADER_BYTES];
    source.read(&mut bytes)?;
    Ok(bytes)
}

/// Refuses a number of chunks whose headers alone would not fit.
pub(super) fn check_count(count: u32, source: &dyn ByteSource) -> Result<(), ChunkError> {
    let headers = u64::from(count) * HEADER_BYTES as u64;
    if headers > u64::from(source.remaining()) { Err(ChunkError::Count(count)) } else { Ok(()) }
}

/// Loads a container.
///
/// # Errors
/// A file that does not fit together, a full pool or stack, or what a handler refuses. What was loaded before the error
/// stays on the stacks and in the pool: the caller drops both.
pub fn load<C>(
    source: &mut dyn ByteSource,
    table: &ChunkTable<C>,
    handlers: &mut C,
    stacks: &mut Stacks,
    pool: &mut dyn ChunkPool,
) -> Result<ContainerHeader, ChunkError> {
    let container = ContainerHeader::from_bytes(header(source)?);
    check_count(container.count, source)?;
    let mut payload = 0u64;
    for _ in 0..container.count {
        payload += u64::from(load_chunk(source, table, handlers, stacks, pool)?);
    }
    if payload == u64::from(container.payload) { Ok(container) } else { Err(ChunkError::Payload) }
}

/// Loads the next chunk; its size.
pub(super) fn load_chunk<C>(
    source: &mut dyn ByteSource,
    table: &ChunkTable<C>,
    handlers: &mut C,
    stacks: &mut Stacks,
    pool: &mut dyn ChunkPool,
) -> Result<u32, ChunkError> {
    let chunk = Chunk::from_bytes(header(source)?)?;
    let record = table.record(chunk.kind);
    let mut bounded = Bounded::new(source, chunk.size)?;
    if let Some(read) = record.read_from_stream {
        read(handlers, chunk, &mut bounded, stacks, pool)?;
    } else {
        let block = pool.allocate(chunk.size).ok_or(ChunkError::Pool(chunk.size))?;
        bounded.read(pool.bytes_mut(block))?;
        stacks.chunks.push(block, chunk.kind.retagged())?;
    }
    bounded.finish()?;
    if let Some(on_loaded) = record.on_loaded {
        on_loaded(handlers, chunk, stacks, pool)?;
    }
    Ok(chunk.size)
}
