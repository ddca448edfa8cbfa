//! Grouped loads: a package of resources, of which those that are wanted and fit are loaded.

use super::load::{check_count, header, load_chunk};
use super::{ByteSource, Chunk, ChunkError, ChunkPool, ChunkTable, ContainerHeader, GroupHeader, PACKAGE, Stacks};

/// Bytes of room that a group needs beside its resource's size.
///
/// Source: support systems, Chunk system
pub const ROOM_BYTES: u32 = 16 * 1024;
/// How long room is made for a group before it is skipped, in milliseconds.
///
/// Source: support systems, Chunk system
pub const PATIENCE_MS: u32 = 200;

/// What is to become of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// No such resource is known.
    Unknown,
    /// The resource is in memory already.
    Resident,
    /// It is wanted and takes so many bytes.
    Load(u32),
}

/// What became of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupOutcome {
    /// No such resource is known.
    Unknown,
    /// The resource was in memory already.
    Resident,
    /// There was no room in time.
    NoRoom,
    /// It was loaded.
    Loaded,
}

/// The resources' side of a grouped load.
pub trait Groups {
    /// Whether a resource's group is wanted.
    fn plan(&mut self, resource: u32) -> Plan;

    /// Tries to have so many bytes in one piece, and may evict something; true when they are there. Called again until the
    /// time is over.
    fn make_room(&mut self, bytes: u32) -> bool;

    /// Milliseconds of any clock that does not stand still; it may wrap.
    fn milliseconds(&mut self) -> u32;

    /// Opens a clump for a resource's group.
    fn open(&mut self, resource: u32, bytes: u32) -> Option<&mut dyn ChunkPool>;

    /// Closes the clump. A group that failed is to be thrown away.
    fn close(&mut self, resource: u32, loaded: Result<(), ChunkError>);

    /// Told of every group's end.
    fn ended(&mut self, _resource: u32, _outcome: GroupOutcome) {}
}

/// Loads a package; how many groups were loaded.
///
/// # Errors
/// No package, or a file that does not fit together. Groups loaded before stay.
pub fn load_package<C>(
    source: &mut dyn ByteSource,
    table: &ChunkTable<C>,
    handlers: &mut C,
    stacks: &mut Stacks,
    groups: &mut dyn Groups,
) -> Result<u32, ChunkError> {
    if ContainerHeader::from_bytes(header(source)?).id != PACKAGE {
        return Err(ChunkError::NoPackage);
    }
    let mut loaded = 0;
    loop {
        let group = GroupHeader::from_bytes(header(source)?);
        if group.resource == 0 {
            return Ok(loaded);
        }
        check_count(group.count, source)?;
        let outcome = load_group(source, table, handlers, stacks, groups, group)?;
        groups.ended(group.resource, outcome);
        loaded += u32::from(outcome == GroupOutcome::Loaded);
    }
}

fn load_group<C>(
    source: &mut dyn ByteSource,
    table: &ChunkTable<C>,
    handlers: &mut C,
    stacks: &mut Stacks,
    groups: &mut dyn Groups,
    group: GroupHeader,
) -> Result<GroupOutcome, ChunkError> {
    let skipped = match groups.plan(group.resource) {
        Plan::Unknown => GroupOutcome::Unknown,
        Plan::Resident => GroupOutcome::Resident,
        Plan::Load(bytes) => {
            let fits = bytes.checked_add(ROOM_BYTES).is_some_and(|bytes| wait_for_room(groups, bytes));
            let pool = if fits { groups.open(group.resource, bytes) } else { None };
            match pool {
                None => GroupOutcome::NoRoom,
                Some(pool) => {
                    let result =
                        (0..group.count).try_for_each(|_| load_chunk(source, table, handlers, stacks, pool).map(drop));
                    groups.close(group.resource, result);
                    return result.map(|()| GroupOutcome::Loaded);
                }
            }
        }
    };
    for _ in 0..group.count {
        let chunk = Chunk::from_bytes(header(source)?)?;
        source.skip(chunk.size)?;
    }
    Ok(skipped)
}

fn wait_for_room(groups: &mut dyn Groups, bytes: u32) -> bool {
    let begin = groups.milliseconds();
    loop {
        if groups.make_room(bytes) {
            return true;
        }
        if groups.milliseconds().wrapping_sub(begin) >= PATIENCE_MS {
            return false;
        }
    }
}
