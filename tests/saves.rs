//! Saves on a real card's file system: the boot ROM's, over flash that fails from any write on.

use boardwalk::game_modes::memory_card::folder::{CardInfo, CardServer, Folder, KIND, answer, flag};
use boardwalk::game_modes::memory_card::{Card, CardError, CardState, FILES, choose, image};
use bootrom_iop::card::{self, BLOCK_PAGES, Flash, OpenFile, PAGE_BYTES, SPARE_BYTES};

const PAGES: usize = 16_384;
const TIME: [u8; 8] = [0, 0, 0, 20, 1, 8, 0xd5, 7];

/// A card's flash; from its `left`th write or erasure on it does not answer, as one that was pulled.
#[derive(Clone)]
struct Chip {
    pages: Vec<[u8; PAGE_BYTES]>,
    left: usize,
    writes: usize,
}

impl Chip {
    fn blank() -> Self {
        Self { pages: vec![[0xff; PAGE_BYTES]; PAGES], left: usize::MAX, writes: 0 }
    }

    fn spend(&mut self) -> bool {
        self.writes += 1;
        let lives = self.left > 0;
        self.left = self.left.saturating_sub(1);
        lives
    }
}

impl Flash for Chip {
    fn read_page(&mut self, page: u32, data: &mut [u8; PAGE_BYTES]) -> bool {
        *data = self.pages[page as usize];
        self.left > 0
    }
    fn write_page(&mut self, page: u32, data: &[u8; PAGE_BYTES], _spare: &[u8; SPARE_BYTES]) -> bool {
        let lives = self.spend();
        if lives {
            for (old, new) in self.pages[page as usize].iter_mut().zip(data) {
                *old &= new;
            }
        }
        lives
    }
    fn erase_block(&mut self, page: u32) -> bool {
        let lives = self.spend();
        if lives {
            for page in page..page + BLOCK_PAGES {
                self.pages[page as usize] = [0xff; PAGE_BYTES];
            }
        }
        lives
    }
}

/// The boot ROM's card server over that flash, without the wires between.
struct Server {
    card: card::Card<Chip>,
    open: Vec<Option<OpenFile>>,
}

impl Server {
    fn inserted(chip: Chip) -> Self {
        let mut card = card::Card::new(chip);
        // A card that cannot be used says so when it is looked at.
        let _mounted = card.mount();
        Self { card, open: Vec::new() }
    }

    fn number<T>(result: Result<T, card::CardError>, value: impl FnOnce(T) -> i32) -> i32 {
        result.map_or_else(|error| error as i32, value)
    }

    fn file(&mut self, file: i32) -> &mut Option<OpenFile> {
        &mut self.open[file as usize]
    }
}

impl CardServer for Server {
    fn info(&mut self) -> CardInfo {
        match self.card.free_clusters() {
            Ok(free) => CardInfo { result: 0, kind: KIND, free, formatted: true },
            Err(card::CardError::Unformatted) => {
                CardInfo { result: answer::UNFORMATTED, kind: KIND, ..CardInfo::default() }
            }
            Err(error) => CardInfo { result: error as i32, ..CardInfo::default() },
        }
    }
    fn open(&mut self, path: &str, flags: u32) -> i32 {
        if flags & flag::FOLDER != 0 {
            let made = self.card.make_directory(path.as_bytes(), TIME).and_then(|()| self.card.flush());
            return Self::number(made, |()| 0);
        }
        let writes = flags == flag::WRITE;
        let opened = self.card.open(path.as_bytes(), writes, writes, TIME);
        match opened.and_then(|file| self.card.flush().map(|()| file)) {
            Ok(file) => {
                self.open.push(Some(file));
                self.open.len() as i32 - 1
            }
            Err(error) => error as i32,
        }
    }
    fn close(&mut self, file: i32) -> i32 {
        let Some(mut open) = self.file(file).take() else { return answer::DENIED };
        Self::number(self.card.flush_file(&mut open, TIME), |()| 0)
    }
    fn read(&mut self, file: i32, buffer: &mut [u8]) -> i32 {
        let Some(mut open) = *self.file(file) else { return answer::DENIED };
        let came = self.card.read(&mut open, buffer);
        *self.file(file) = Some(open);
        Self::number(came, |bytes| bytes as i32)
    }
    fn write(&mut self, file: i32, bytes: &[u8]) -> i32 {
        let Some(mut open) = *self.file(file) else { return answer::DENIED };
        let written = self.card.write(&mut open, bytes);
        *self.file(file) = Some(open);
        Self::number(written, |bytes| bytes as i32)
    }
    fn format(&mut self) -> i32 {
        Self::number(self.card.format(TIME), |()| 0)
    }
}

/// The newest whole save, and what the next one does.
fn newest(folder: &mut Folder<Server>) -> (Option<Vec<u8>>, choose::Choice) {
    let (mut generations, mut contents) = ([None; FILES], [const { None }; FILES]);
    for file in 0..FILES {
        let mut buffer = [0; 256];
        if let Ok(Some(bytes)) = folder.read(file, &mut buffer)
            && let Ok(image) = image::decode(&buffer[..bytes])
        {
            generations[file] = Some(image.generation);
            contents[file] = Some(image.contents.to_vec());
        }
    }
    let choice = choose::choose(generations);
    (choice.read.and_then(|file| contents[file].clone()), choice)
}

fn save(folder: &mut Folder<Server>, contents: &[u8]) -> Result<(), CardError> {
    let mut buffer = [0; 256];
    let choice = newest(folder).1;
    let length = image::encode(choice.generation, contents, &mut buffer).expect("a small save");
    folder.write(choice.write, &buffer[..length])
}

/// A formatted card with two saves on it, and its chip afterwards.
fn two_saves() -> Chip {
    let mut folder = Folder(Server::inserted(Chip::blank()));
    assert_eq!(folder.look(), CardState::Unformatted);
    folder.format().expect("an answering card");
    assert_eq!(folder.look(), CardState::Empty);
    save(&mut folder, b"first evening").expect("an empty card");
    assert_eq!(folder.look(), CardState::Ours);
    save(&mut folder, b"second evening").expect("a card of ours");
    folder.0.card.flash().clone()
}

#[test]
fn flash_that_fails_from_any_write_on_keeps_the_last_save_or_has_the_new_one() {
    let before = two_saves();
    let mut whole = Folder(Server::inserted(Chip { writes: 0, ..before.clone() }));
    save(&mut whole, b"third evening").expect("an answering card");
    let writes = whole.0.card.flash().writes;
    println!("a save writes {writes} times");
    assert!(writes > 4, "a block is written anew: {writes}");
    for left in 0..=writes {
        let mut folder = Folder(Server::inserted(Chip { left: left + 1, writes: 0, ..before.clone() }));
        folder.0.card.flash().left = left;
        let outcome = save(&mut folder, b"third evening");
        // Put in again: whatever was being rewritten is put right first.
        let mut chip = folder.0.card.flash().clone();
        chip.left = usize::MAX;
        let mut folder = Folder(Server::inserted(chip));
        let kept = newest(&mut folder).0.unwrap_or_else(|| panic!("no save after {left} writes of {writes}"));
        if outcome.is_ok() {
            assert_eq!(kept, b"third evening", "after {left} writes");
        } else {
            let either = [&b"second evening"[..], b"third evening"].contains(&&kept[..]);
            assert!(either, "after {left} writes: {kept:?}");
        }
        save(&mut folder, b"fourth evening").unwrap_or_else(|error| panic!("after {left} writes: {error}"));
        assert_eq!(newest(&mut folder).0.as_deref(), Some(&b"fourth evening"[..]));
    }
}
