//! Memory card images: 8 MB as they come from the shop, or formatted with an empty root directory.
//!
//! An image holds every page with its spare bytes, as the card itself does. Source: hardware notes, memory cards.

/// Bytes of a page that hold data.
const PAGE: usize = 512;
/// Spare bytes of a page: four error correction codes of three bytes, and four unused ones.
const SPARE: usize = 16;
/// Pages of a card.
const PAGES: usize = 16_384;
/// Pages of an erase block.
const PAGES_PER_BLOCK: u16 = 16;
/// Pages of a cluster, the unit of files.
const PAGES_PER_CLUSTER: usize = 2;
/// Bytes of a cluster.
const CLUSTER: usize = PAGE * PAGES_PER_CLUSTER;
/// Clusters of a card.
const CLUSTERS: usize = PAGES / PAGES_PER_CLUSTER;
/// Size of an image, bytes.
pub const SIZE: usize = PAGES * (PAGE + SPARE);
/// What an erased byte reads as.
const ERASED: u8 = 0xff;

/// Cluster that lists the clusters of the allocation table.
const TABLE_LIST: usize = 8;
/// Clusters of the allocation table, right behind the list.
const TABLE_CLUSTERS: usize = CLUSTERS * 4 / CLUSTER;
/// First cluster that files may use; the table counts from here, and the root directory is first.
const FIRST_FILE: usize = TABLE_LIST + 1 + TABLE_CLUSTERS;
/// Clusters that files may use. The rest is left for blocks that wear out.
const FILE_CLUSTERS: u32 = 8135;
/// Erase blocks that keep what is being rewritten.
const BACKUP_BLOCKS: [u32; 2] = [1023, 1022];

/// Table entry of a cluster that is not in use.
const FREE: u32 = 0x7fff_ffff;
/// Table entry of a chain's last cluster, and a list's unused entry.
const LAST: u32 = 0xffff_ffff;

/// Offset of the list of table lists in the superblock.
const TABLE_LISTS_AT: usize = 0x50;
/// Offset of the list of bad blocks, 32 entries.
const BAD_BLOCKS_AT: usize = 0xd0;
/// Offset of the card's type and flags.
const TYPE_AT: usize = 0x150;
/// A PlayStation 2 card, with error correction, erased bytes as ones, and no bad blocks list beyond the superblock's.
const TYPE_AND_FLAGS: [u8; 2] = [2, 0x2b];

/// Mode of the root's own entry: a directory that exists and may be read, written and entered.
const MODE_SELF: u16 = 0x8427;
/// Mode of the root's parent entry: the same, hidden and not to be written.
const MODE_PARENT: u16 = 0xa426;
/// Size of a directory entry, bytes.
const ENTRY: usize = 512;
/// The date of everything on a fresh card, 1 January 2000: unused, second, minute, hour, day, month, year (two bytes).
// Our choice: a fixed date, so that the same image comes out every time.
const DATE: [u8; 8] = [0, 0, 0, 0, 1, 1, 0xd0, 0x07];

/// An image of a card that was never formatted.
pub fn unformatted() -> Vec<u8> {
    vec![ERASED; SIZE]
}

/// An image of a formatted card without files.
pub fn formatted() -> Vec<u8> {
    let mut image = unformatted();
    let mut first = superblock();
    first.resize(CLUSTER, ERASED);
    write_cluster(&mut image, 0, &first);
    let mut list: Vec<u32> = (0..TABLE_CLUSTERS).map(|number| (TABLE_LIST + 1 + number) as u32).collect();
    list.resize(CLUSTER / 4, LAST);
    write_cluster(&mut image, TABLE_LIST, &words(&list));
    let mut table = vec![FREE; CLUSTERS];
    table[0] = LAST;
    for (number, part) in table.chunks(CLUSTER / 4).enumerate() {
        write_cluster(&mut image, TABLE_LIST + 1 + number, &words(part));
    }
    // The root's length counts its two entries.
    let mut root = entry(MODE_SELF, 2, ".");
    root.extend(entry(MODE_PARENT, 0, ".."));
    write_cluster(&mut image, FIRST_FILE, &root);
    image
}

fn words(list: &[u32]) -> Vec<u8> {
    list.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The first page, which tells the card's layout.
fn superblock() -> Vec<u8> {
    let mut page = Vec::with_capacity(PAGE);
    page.extend(b"Sony PS2 Memory Card Format ");
    page.extend(b"1.2.0.0\0\0\0\0\0");
    // The last number is not used by anything known.
    for number in [PAGE as u16, PAGES_PER_CLUSTER as u16, PAGES_PER_BLOCK, 0xff00] {
        page.extend(number.to_le_bytes());
    }
    let root_cluster = 0;
    let [backup, second_backup] = BACKUP_BLOCKS;
    page.extend(words(&[CLUSTERS as u32, FIRST_FILE as u32, FILE_CLUSTERS, root_cluster, backup, second_backup]));
    page.resize(TABLE_LISTS_AT, 0);
    page.extend(words(&[TABLE_LIST as u32]));
    page.resize(BAD_BLOCKS_AT, 0);
    page.resize(TYPE_AT, ERASED);
    page.extend(TYPE_AND_FLAGS);
    page.resize(PAGE, 0);
    page
}

/// A directory entry of the root.
fn entry(mode: u16, length: u32, name: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ENTRY);
    bytes.extend(mode.to_le_bytes());
    bytes.extend([0; 2]);
    bytes.extend(length.to_le_bytes());
    bytes.extend(DATE);
    // Its cluster, and its place in its parent: both are the first.
    bytes.extend(words(&[0, 0]));
    bytes.extend(DATE);
    // Attributes: none.
    bytes.resize(0x40, 0);
    bytes.extend(name.as_bytes());
    bytes.resize(ENTRY, 0);
    bytes
}

/// Writes a cluster's pages with their spare bytes.
fn write_cluster(image: &mut [u8], cluster: usize, data: &[u8]) {
    for (number, page) in data.chunks(PAGE).enumerate() {
        let at = (cluster * PAGES_PER_CLUSTER + number) * (PAGE + SPARE);
        image[at..at + PAGE].copy_from_slice(page);
        let spare = &mut image[at + PAGE..at + PAGE + SPARE];
        spare.fill(0);
        for (code, part) in spare.chunks_exact_mut(3).zip(page.chunks(128)) {
            code.copy_from_slice(&correction(part));
        }
    }
}

/// Masks whose parities over a byte are the bits of the first code byte, bits 0 to 2 and 4 to 6.
const COLUMN_MASKS: [(u8, u8); 6] = [(0, 0x55), (1, 0x33), (2, 0x0f), (4, 0xaa), (5, 0xcc), (6, 0xf0)];

/// The error correction code of 128 bytes: column parities, and line parities of the positions and of their complements. It corrects one bit.
fn correction(data: &[u8]) -> [u8; 3] {
    let (mut columns, mut complements, mut positions) = (0x77u8, 0x7fu8, 0x7fu8);
    for (position, &byte) in data.iter().enumerate() {
        for (bit, mask) in COLUMN_MASKS {
            columns ^= odd(byte & mask) << bit;
        }
        if odd(byte) == 1 {
            // Positions are below 128, so the cast keeps them.
            positions ^= position as u8;
            complements ^= !(position as u8) & 0x7f;
        }
    }
    [columns, complements, positions]
}

/// 1 when an odd number of bits is set.
fn odd(byte: u8) -> u8 {
    (byte.count_ones() & 1) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(image: &[u8], number: usize) -> (&[u8], &[u8]) {
        image[number * (PAGE + SPARE)..(number + 1) * (PAGE + SPARE)].split_at(PAGE)
    }

    fn word(bytes: &[u8], at: usize) -> u32 {
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
    }

    #[test]
    fn the_layout_is_the_one_of_an_8_mb_card() {
        let image = formatted();
        assert_eq!(image.len(), 8_650_752);
        let (first, _) = page(&image, 0);
        assert!(first.starts_with(b"Sony PS2 Memory Card Format 1.2.0.0"));
        assert_eq!((word(first, 0x30), word(first, 0x34), word(first, 0x38)), (8192, 41, 8135));
        assert_eq!((word(first, 0x40), word(first, 0x44), word(first, 0x50)), (1023, 1022, 8));
        assert_eq!((word(first, 0xd0), word(first, 0x14c)), (LAST, LAST));
        assert_eq!(first[0x150..0x152], TYPE_AND_FLAGS);
    }

    #[test]
    fn the_root_directory_is_found_by_way_of_the_superblock() {
        let image = formatted();
        let (first, _) = page(&image, 0);
        let (list, _) = page(&image, word(first, 0x50) as usize * 2);
        let (table, _) = page(&image, word(list, 0) as usize * 2);
        assert_eq!((word(table, 0), word(table, 4)), (LAST, FREE), "the root is one cluster long, the next is free");
        let root = word(first, 0x34) as usize * 2;
        let (own, parent) = (page(&image, root).0, page(&image, root + 1).0);
        assert_eq!((own[0x40..0x42].to_vec(), word(own, 4)), (b".\0".to_vec(), 2));
        assert_eq!(parent[0x40..0x43], *b"..\0");
        assert_eq!(word(page(&image, word(list, 31 * 4) as usize * 2).0, 0), FREE, "the last table cluster is there");
        assert_eq!(word(list, 32 * 4), LAST);
    }

    #[test]
    fn codes_locate_a_flipped_bit() {
        let clean = [0u8; 128];
        assert_eq!(correction(&clean), [0x77, 0x7f, 0x7f]);
        for (position, bit) in [(0usize, 0u8), (5, 3), (127, 7), (64, 4)] {
            let mut data = clean;
            data[position] ^= 1 << bit;
            let code = correction(&data);
            let apart = [0, 1, 2].map(|part| code[part] ^ correction(&clean)[part]);
            assert_eq!(apart[2] as usize, position, "the line");
            assert_eq!(apart[1], !(position as u8) & 0x7f, "its complement");
            assert_eq!(apart[0] >> 4, bit, "the column");
            assert_eq!(apart[0] & 7, !bit & 7, "its complement");
        }
    }

    #[test]
    fn every_written_page_carries_its_codes() {
        let image = formatted();
        for number in [0, 1, 16, 18, 82, 83] {
            let (data, spare) = page(&image, number);
            for (part, code) in data.chunks(128).zip(spare.chunks(3)) {
                assert_eq!(correction(part), code, "page {number}");
            }
            assert_eq!(spare[12..], [0; 4]);
        }
        assert!(page(&image, 100).1.iter().all(|byte| *byte == ERASED), "free pages stay erased");
    }
}
