//! The memory pools on the console: the seed's tree in what the console really leaves, and what a request costs.

use crate::ee::{cop0, heap};
use crate::memory::{Error, MemoryManager, Name, PoolId, pools};
use crate::tty_println;
use core::ptr::NonNull;

/// Pieces of the measured load.
const PIECES: usize = 256;
/// Their sizes in bytes, one after the other: fragments of each size, and runs of whole blocks.
const SIZES: [usize; 8] = [24, 40, 300, 72, 1500, 16, 512, 6000];
/// Pools that the tree can have here.
const MOST_POOLS: usize = 16;

/// One pool of the table.
#[derive(Clone, Copy)]
struct Row {
    depth: usize,
    name: Name,
    bytes: usize,
    usable: usize,
    in_use: usize,
}

type Table = heapless::Vec<Row, MOST_POOLS>;

/// Makes the pools as the game's start-up does, prints their table and the cost of requests; says whether all is as it
/// should be.
pub fn run() -> bool {
    match heap::with(build) {
        Ok((table, sector)) => {
            for row in &table {
                let Row { depth, name, bytes, usable, in_use } = row;
                tty_println!("FACT pool {depth} {} bytes {bytes} usable {usable} in-use {in_use}", name.as_str());
            }
            let arena = table.first().map_or(0, |row| row.bytes);
            tty_println!("FACT pool-arena bytes {arena} seed {}", pools::ARENA_BYTES);
            has_size(&table, "Level Dynamic & LUA Pool", pools::LEVEL_DYNAMIC_BYTES)
                && has_size(&table, "Filter Pool", pools::FILTER_BYTES)
                && has_size(&table, "Sector Pool 2", pools::SECTOR_2_LEAST)
                && requests(sector)
        }
        Err(error) => {
            tty_println!("FACT pool-error {error}");
            false
        }
    }
}

fn build(memory: &mut MemoryManager) -> Result<(Table, PoolId), Error> {
    pools::create_device_pools(memory)?;
    pools::create_game_pools(memory)?;
    memory.alloc(pools::FILE_STREAM_BYTES, pools::FILE_STREAM_ALIGN)?;
    let sector = pools::create_sector_pools(memory)?.sector;
    let mut table = Table::new();
    for (depth, id) in memory.registry().walk() {
        let record = memory.record(id).ok_or(Error::NoSuchPool)?;
        let (name, bytes) = (*record.name(), record.range().len());
        let row = Row { depth, name, bytes, usable: memory.usable(id)?, in_use: memory.in_use(id)? };
        table.push(row).map_err(|_| Error::RegistryFull)?;
    }
    Ok((table, sector))
}

fn has_size(table: &Table, name: &str, bytes: usize) -> bool {
    let name = Name::new(name);
    table.iter().any(|row| row.name == name && row.bytes == bytes)
}

/// Takes and gives back many pieces; afterwards everything is free again.
fn requests(pool: PoolId) -> bool {
    heap::with(|memory| measure(memory, pool)).is_ok_and(|(take, give, whole)| {
        let pieces = PIECES as u32;
        tty_println!(
            "FACT pool-requests pieces {pieces} take {} give {} cycles whole {whole}",
            take / pieces,
            give / pieces
        );
        whole
    })
}

/// Cycles for taking, cycles for giving back, and whether everything returned.
fn measure(memory: &mut MemoryManager, pool: PoolId) -> Result<(u32, u32, bool), Error> {
    let before = memory.free_bytes(pool)?;
    memory.push(pool)?;
    let mut taken = [NonNull::dangling(); PIECES];
    let start = cop0::count();
    for (index, place) in taken.iter_mut().enumerate() {
        *place = memory.alloc(SIZES[index % SIZES.len()], align_of::<u64>())?;
    }
    let middle = cop0::count();
    // Every second one first, so that neighbours are joined again.
    for place in taken.iter().step_by(2).chain(taken.iter().skip(1).step_by(2)) {
        memory.free(*place)?;
    }
    let end = cop0::count();
    memory.pop()?;
    Ok((middle.wrapping_sub(start), end.wrapping_sub(middle), memory.free_bytes(pool)? == before))
}
