//! Streamed objects: which of them are seen in which world, and when their memory may go.
//!
//! Each player has a world of his own: what his camera sees. An object is marked in every world that sees it during a frame;
//! one that no world marks any more is released, but only when the frames that still draw it are through.
//!
//! Our choice: a release waits [`FRAMES_UNDER_WAY`] frames, as the frame being built and the one being drawn may refer to it.
//!
//! Source: seed 002, Reimplementing Physics, RayCast and World (Unit 19: two-world visibility marks, a pending atomic
//! release).

use heapless::Vec;

/// Worlds: one for each player.
pub const WORLDS: usize = 2;
/// Frames that may still refer to an object after it was last drawn.
pub const FRAMES_UNDER_WAY: u8 = 2;
/// Streamed objects at a time. Our choice.
pub const MOST_OBJECTS: usize = 256;

/// What an object is doing in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// There, and seen or expected to be.
    Resident,
    /// Nobody sees it; so many frames are still to pass.
    Leaving(u8),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    name: u32,
    /// A bit for each world that has seen it since the last look.
    marks: u8,
    state: State,
}

/// The streamed objects that are in memory.
#[derive(Debug, Default)]
pub struct StreamedObjects {
    entries: Vec<Entry, MOST_OBJECTS>,
    refusals: u32,
}

/// No room for another object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyObjects;

impl StreamedObjects {
    /// An object has come into memory. One that was leaving stays.
    ///
    /// # Errors
    /// [`TooManyObjects`], which is counted.
    pub fn add(&mut self, name: u32) -> Result<(), TooManyObjects> {
        let entry = Entry { name, marks: 0, state: State::Resident };
        match self.entry(name) {
            Some(known) => known.state = State::Resident,
            None => {
                if self.entries.push(entry).is_err() {
                    self.refusals += 1;
                    return Err(TooManyObjects);
                }
            }
        }
        Ok(())
    }

    /// A world sees an object in this frame; false for one that is not there.
    pub fn mark(&mut self, name: u32, world: usize) -> bool {
        let Some(entry) = self.entry(name) else { return false };
        entry.marks |= 1 << (world % WORLDS);
        true
    }

    /// Whether a world has seen an object since the last [`end_frame`](Self::end_frame).
    pub fn is_marked(&self, name: u32, world: usize) -> bool {
        self.entries.iter().any(|entry| entry.name == name && entry.marks & 1 << (world % WORLDS) != 0)
    }

    /// A frame is over: clears the marks, and calls `release` for every object that no world has seen and that no frame
    /// under way can refer to.
    pub fn end_frame(&mut self, mut release: impl FnMut(u32)) {
        for entry in &mut self.entries {
            entry.state = match (entry.marks, entry.state) {
                (0, State::Resident) => State::Leaving(FRAMES_UNDER_WAY),
                (0, State::Leaving(left)) => State::Leaving(left.saturating_sub(1)),
                _ => State::Resident,
            };
            entry.marks = 0;
        }
        self.entries.retain(|entry| {
            let gone = entry.state == State::Leaving(0);
            if gone {
                release(entry.name);
            }
            !gone
        });
    }

    /// Releases everything at once: no frame is under way any more.
    pub fn clear(&mut self, mut release: impl FnMut(u32)) {
        self.entries.iter().for_each(|entry| release(entry.name));
        self.entries.clear();
    }

    /// Objects in memory.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Objects for which there was no room.
    pub fn refusals(&self) -> u32 {
        self.refusals
    }

    fn entry(&mut self, name: u32) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn end(objects: &mut StreamedObjects) -> alloc::vec::Vec<u32> {
        let mut gone = vec![];
        objects.end_frame(|name| gone.push(name));
        gone
    }

    #[test]
    fn an_object_stays_as_long_as_either_world_sees_it() {
        let mut objects = StreamedObjects::default();
        objects.add(7).unwrap();
        for frame in 0..6 {
            assert!(objects.mark(7, frame % WORLDS));
            assert!(objects.is_marked(7, frame % WORLDS) && !objects.is_marked(7, (frame + 1) % WORLDS));
            assert!(end(&mut objects).is_empty());
        }
        assert_eq!(objects.len(), 1);
    }

    #[test]
    fn a_release_waits_for_the_frames_under_way_and_is_called_off_when_the_object_is_seen_again() {
        let mut objects = StreamedObjects::default();
        objects.add(7).unwrap();
        assert!(end(&mut objects).is_empty());
        assert!(end(&mut objects).is_empty());
        objects.mark(7, 1);
        assert!(end(&mut objects).is_empty());
        let frames: alloc::vec::Vec<usize> = (0..4).map(|_| end(&mut objects).len()).collect();
        assert_eq!(frames, [0, 0, 1, 0]);
        assert!(!objects.mark(7, 0) && objects.is_empty());
    }

    #[test]
    fn a_full_table_refuses_and_counts() {
        let mut objects = StreamedObjects::default();
        for name in 0..MOST_OBJECTS as u32 {
            objects.add(name).unwrap();
        }
        assert_eq!(objects.add(9999), Err(TooManyObjects));
        assert_eq!((objects.add(3), objects.refusals()), (Ok(()), 1));
        let mut count = 0;
        objects.clear(|_| count += 1);
        assert_eq!(count, MOST_OBJECTS);
    }
}
