//! The file system on a card in memory.

extern crate std;
use super::files::{Changes, fits};
use super::*;
use std::vec;
use std::vec::Vec;

const PAGES: usize = 16384;
const TIME: [u8; 8] = [0, 1, 2, 3, 4, 5, 0xEA, 7];

/// Flash that forgets nothing it should not: a write can only clear bits.
struct Image {
    pages: Vec<[u8; PAGE_BYTES]>,
    answers: bool,
    writes: u32,
}

impl Flash for Image {
    fn read_page(&mut self, page: u32, data: &mut [u8; PAGE_BYTES]) -> bool {
        *data = self.pages[page as usize];
        self.answers
    }
    fn write_page(&mut self, page: u32, data: &[u8; PAGE_BYTES], _spare: &[u8; SPARE_BYTES]) -> bool {
        for (old, new) in self.pages[page as usize].iter_mut().zip(data) {
            *old &= new;
        }
        self.writes += 1;
        self.answers
    }
    fn erase_block(&mut self, page: u32) -> bool {
        assert_eq!(page % BLOCK_PAGES, 0);
        for page in page..page + BLOCK_PAGES {
            self.pages[page as usize] = [0xFF; PAGE_BYTES];
        }
        self.answers
    }
}

fn blank() -> Card<Image> {
    Card::new(Image { pages: vec![[0xFF; PAGE_BYTES]; PAGES], answers: true, writes: 0 })
}

fn formatted() -> Card<Image> {
    let mut card = blank();
    card.format(TIME).expect("an answering card");
    card
}

#[test]
fn pages_past_the_file_system_are_seen_by_it_and_see_what_it_holds_back() {
    let mut card = formatted();
    let mut page = [0; PAGE_BYTES];
    card.read_raw(0, &mut page).expect("a first page");
    assert!(page.starts_with(b"Sony PS2 Memory Card Format "));
    let last = PAGES as u32 / BLOCK_PAGES - 3;
    assert_eq!(card.erase_raw(last), Ok(()));
    let data = core::array::from_fn(|index| index as u8);
    assert_eq!(card.write_raw(last * BLOCK_PAGES + 5, &data), Ok(()));
    card.read_raw(last * BLOCK_PAGES + 5, &mut page).expect("a page");
    assert_eq!(page, data);
    assert_eq!(card.write_raw(PAGES as u32, &data), Err(CardError::Denied));
    assert_eq!(card.erase_raw(PAGES as u32 / BLOCK_PAGES), Err(CardError::Denied));
    // Without its superblock the card is none, and the file system must not hold on to what it knew.
    assert_eq!(card.erase_raw(0), Ok(()));
    assert_eq!(card.mount(), Err(CardError::Unformatted));
}

#[test]
fn a_failed_count_of_free_memory_wins_over_what_was_found() {
    for found in [Ok(()), Err(CardError::Changed)] {
        assert_eq!(result_of(found, Ok(7)), found);
        assert_eq!(result_of(found, Err(CardError::NoCard)), Err(CardError::NoCard));
    }
}

/// The same card, put in anew: nothing kept in memory.
fn again(card: Card<Image>) -> Card<Image> {
    let mut card = Card::new(card.flash);
    card.mount().expect("a formatted card");
    card
}

fn write_file(card: &mut Card<Image>, path: &[u8], bytes: &[u8]) {
    let mut file = card.open(path, true, true, TIME).expect("a new file");
    assert_eq!(card.write(&mut file, bytes), Ok(bytes.len()));
    assert_eq!(card.flush_file(&mut file, TIME), Ok(()));
}

fn read_file(card: &mut Card<Image>, path: &[u8]) -> Result<Vec<u8>, CardError> {
    let mut file = card.open(path, false, false, TIME)?;
    let mut bytes = vec![0; file.length() as usize];
    let count = card.read(&mut file, &mut bytes)?;
    assert_eq!(count, bytes.len());
    Ok(bytes)
}

fn pattern(length: usize, seed: u32) -> Vec<u8> {
    (0..length as u32).map(|index| (index.wrapping_mul(2_654_435_761).wrapping_add(seed) >> 13) as u8).collect()
}

#[test]
fn a_blank_card_is_unformatted_and_a_formatted_one_has_8000_free_clusters() {
    let mut card = blank();
    assert_eq!(card.mount(), Err(CardError::Unformatted));
    let mut card = formatted();
    assert_eq!(card.free_clusters(), Ok(8000));
    card = again(card);
    assert_eq!(card.free_clusters(), Ok(8000));
    assert_eq!(card.unformat(), Ok(()));
    assert_eq!(card.mount(), Err(CardError::Unformatted));
}

#[test]
fn files_survive_a_new_insertion_at_every_size_around_the_boundaries() {
    let mut card = formatted();
    let sizes = [0, 1, 511, 512, 513, 1023, 1024, 1025, 8192, 20_000];
    card.make_directory(b"/SAVE", TIME).expect("a new directory");
    for (index, size) in sizes.into_iter().enumerate() {
        write_file(&mut card, std::format!("/SAVE/F{index}").as_bytes(), &pattern(size, index as u32));
    }
    let mut card = again(card);
    for (index, size) in sizes.into_iter().enumerate() {
        let path = std::format!("/SAVE/F{index}");
        assert_eq!(read_file(&mut card, path.as_bytes()), Ok(pattern(size, index as u32)), "{path}");
    }
    let used: u32 = sizes.iter().map(|size| (*size as u32).div_ceil(CLUSTER_BYTES)).sum();
    // The directory: one cluster for two entries; the root: one more for its third.
    assert_eq!(card.free_clusters(), Ok(8000 - used - 6 - 1));
}

#[test]
fn writing_over_and_behind_the_end_changes_only_what_it_should() {
    let mut card = formatted();
    write_file(&mut card, b"/A", &pattern(3000, 1));
    let mut file = card.open(b"/A", true, false, TIME).expect("a file");
    file.position = 1000;
    assert_eq!(card.write(&mut file, &[7; 2500]), Ok(2500));
    assert_eq!(card.flush_file(&mut file, TIME), Ok(()));
    let mut expected = pattern(3000, 1);
    expected.truncate(1000);
    expected.extend([7; 2500]);
    assert_eq!(read_file(&mut again(card), b"/A"), Ok(expected));
}

#[test]
fn directories_nest_and_are_removed_only_when_empty() {
    let mut card = formatted();
    for path in [&b"/A"[..], b"/A/B", b"/A/B/C"] {
        assert_eq!(card.make_directory(path, TIME), Ok(()));
    }
    assert_eq!(card.make_directory(b"/A/B", TIME), Err(CardError::Denied));
    write_file(&mut card, b"/A/B/C/F", b"deep");
    let mut card = again(card);
    assert_eq!(read_file(&mut card, b"/A/B/C/F"), Ok(b"deep".to_vec()));
    assert_eq!(read_file(&mut card, b"/A/B/../B/C/../C/F"), Ok(b"deep".to_vec()));
    assert_eq!(card.remove(b"/A/B/C"), Err(CardError::NotEmpty));
    assert_eq!(card.remove(b"/A/B/C/F"), Ok(()));
    assert_eq!(card.remove(b"/A/B/C"), Ok(()));
    assert_eq!(card.is_directory(b"/A/B/C"), Ok(false));
    assert_eq!(card.is_directory(b"/A/B"), Ok(true));
    assert_eq!(card.open(b"/A/B", false, false, TIME), Err(CardError::Denied));
    assert_eq!(card.open(b"/X/Y", true, true, TIME), Err(CardError::NoEntry));
}

#[test]
fn removing_gives_room_and_places_back() {
    let mut card = formatted();
    let free = card.free_clusters();
    for round in 0..5 {
        write_file(&mut card, b"/F", &pattern(50_000, round));
        assert_eq!(card.remove(b"/F"), Ok(()));
    }
    // The root's second cluster stays.
    assert_eq!(card.free_clusters(), free.map(|free| free - 1));
    assert_eq!(read_file(&mut card, b"/F"), Err(CardError::NoEntry));
}

#[test]
fn a_directory_tells_how_many_entries_it_takes_without_growing() {
    let mut card = formatted();
    card.make_directory(b"/A", TIME).expect("a directory");
    assert_eq!(card.entry_space(b"/A"), Ok(0), "its own two fill a cluster");
    write_file(&mut card, b"/A/ONE", b"1");
    assert_eq!(card.entry_space(b"/A"), Ok(1));
    write_file(&mut card, b"/A/TWO", b"2");
    assert_eq!(card.entry_space(b"/A"), Ok(0));
    card.remove(b"/A/ONE").expect("a file");
    assert_eq!(card.entry_space(b"/A"), Ok(1));
    assert_eq!(card.entry_space(b"/B"), Err(CardError::NoEntry));
}

#[test]
fn a_full_card_says_so_and_keeps_what_it_has() {
    let mut card = formatted();
    write_file(&mut card, b"/KEPT", b"kept");
    let mut file = card.open(b"/BIG", true, true, TIME).expect("a new file");
    let chunk = vec![0x5A; 1 << 20];
    let result = (0..9).map(|_| card.write(&mut file, &chunk)).find(Result::is_err);
    assert_eq!(result, Some(Err(CardError::Full)));
    assert_eq!(card.free_clusters(), Ok(0));
    assert_eq!(card.make_directory(b"/D", TIME), Err(CardError::Full));
    assert_eq!(read_file(&mut card, b"/KEPT"), Ok(b"kept".to_vec()));
}

#[test]
fn entries_are_listed_by_pattern_and_renamed() {
    let mut card = formatted();
    for path in [&b"/ONE.DAT"[..], b"/TWO.DAT", b"/THREE.TXT"] {
        write_file(&mut card, path, b"x");
    }
    let list = |card: &mut Card<Image>, pattern: &[u8]| {
        let (mut names, mut next) = (Vec::new(), 0);
        while let Some((behind, entry)) = card.list(pattern, next).expect("a directory") {
            names.push(std::string::String::from_utf8_lossy(entry.name()).into_owned());
            next = behind;
        }
        names
    };
    assert_eq!(list(&mut card, b"/*"), [".", "..", "ONE.DAT", "TWO.DAT", "THREE.TXT"]);
    assert_eq!(list(&mut card, b"/T*.DAT"), ["TWO.DAT"]);
    let rename = |name| Changes { name: Some(name), ..Changes::default() };
    assert_eq!(card.change(b"/TWO.DAT", &rename(b"ONE.DAT")), Err(CardError::Denied));
    assert_eq!(card.change(b"/TWO.DAT", &rename(b"TWICE")), Ok(()));
    assert_eq!(list(&mut card, b"/T*"), ["TWICE", "THREE.TXT"]);
}

#[test]
fn patterns_fit_as_a_person_expects() {
    for (name, pattern, expected) in [
        (&b"SAVE01"[..], &b"*"[..], true),
        (b"SAVE01", b"SAVE??", true),
        (b"SAVE01", b"SAVE?", false),
        (b"SAVE01", b"*01", true),
        (b"SAVE01", b"S*E*1", true),
        (b"SAVE01", b"S*X*1", false),
        (b"", b"*", true),
        (b"A", b"", false),
    ] {
        assert_eq!(fits(name, pattern), expected, "{name:?} {pattern:?}");
    }
}

#[test]
fn a_card_that_is_pulled_fails_without_losing_what_was_flushed() {
    let mut card = formatted();
    write_file(&mut card, b"/A", b"first");
    card.flash.answers = false;
    let mut file = card.open(b"/A", true, false, TIME).expect("it is still kept");
    assert_eq!(card.write(&mut file, b"other"), Ok(5));
    assert_eq!(card.flush_file(&mut file, TIME), Err(CardError::NoCard));
    assert_eq!(card.mount(), Err(CardError::NoCard));
}

#[test]
fn a_replacement_that_was_broken_off_is_finished_at_the_next_insertion() {
    let mut card = formatted();
    write_file(&mut card, b"/A", &pattern(4000, 3));
    let mut image = card.flash;
    // The block of the root directory: its copy in the first backup, both marks in the second one, its own place destroyed.
    let block = 41 * 2 / 16;
    for index in 0..16 {
        image.pages[1023 * 16 + index] = image.pages[block * 16 + index];
        image.pages[block * 16 + index] = [0; PAGE_BYTES];
    }
    for index in 0..2 {
        image.pages[1022 * 16 + index][..4].copy_from_slice(&(0x8000_0000 | block as u32).to_le_bytes());
    }
    let mut card = again(Card::new(image));
    assert_eq!(read_file(&mut card, b"/A"), Ok(pattern(4000, 3)));
    assert_eq!(card.flash.pages[1022 * 16][..4], [0xFF; 4]);
}

#[test]
fn a_damaged_superblock_or_table_is_refused() {
    let mut image = formatted().flash;
    image.pages[0][0x34..0x38].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(Card::new(image).mount(), Err(CardError::Unformatted));
    let mut image = formatted().flash;
    image.pages[16][..4].copy_from_slice(&0x7FFF_0000_u32.to_le_bytes());
    let mut card = Card::new(image);
    assert_eq!(card.mount(), Ok(()));
    assert_eq!(card.free_clusters(), Err(CardError::NoCard));
}
