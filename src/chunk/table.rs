//! The type table: which system handles which type.

use super::{Bounded, Chunk, ChunkError, ChunkPool, ChunkType, Stacks};

/// Called when a chunk has been loaded. Pops what belongs to it and pushes what it makes.
pub type OnLoaded<C> = fn(&mut C, Chunk, &mut Stacks, &mut dyn ChunkPool) -> Result<(), ChunkError>;
/// Reads a chunk in place of the loader; what it leaves is skipped.
pub type ReadFromStream<C> =
    fn(&mut C, Chunk, &mut Bounded<'_>, &mut Stacks, &mut dyn ChunkPool) -> Result<(), ChunkError>;

/// What is known of a type. `C` is what the game's handlers work on.
#[derive(Debug)]
pub struct Record<C> {
    /// The type's name, for messages.
    pub name: &'static str,
    /// See [`OnLoaded`].
    pub on_loaded: Option<OnLoaded<C>>,
    /// See [`ReadFromStream`].
    pub read_from_stream: Option<ReadFromStream<C>>,
}

impl<C> Record<C> {
    /// A type that is only copied and pushed.
    const PLAIN: Self = Self { name: "", on_loaded: None, read_from_stream: None };
}

/// The table of all types.
#[derive(Debug)]
pub struct ChunkTable<C> {
    records: [Record<C>; ChunkType::COUNT],
}

impl<C> Default for ChunkTable<C> {
    fn default() -> Self {
        Self { records: [const { Record::PLAIN }; ChunkType::COUNT] }
    }
}

impl<C> ChunkTable<C> {
    /// Gives a type its handlers.
    ///
    /// # Errors
    /// It has some already: two systems claim it.
    pub fn register(&mut self, kind: ChunkType, record: Record<C>) -> Result<(), ChunkError> {
        let place = self.records.get_mut(kind.index()).ok_or(ChunkError::Type(kind.number().into()))?;
        if place.on_loaded.is_some() || place.read_from_stream.is_some() {
            return Err(ChunkError::Registered(kind));
        }
        *place = record;
        Ok(())
    }

    /// A type's record.
    pub fn record(&self, kind: ChunkType) -> &Record<C> {
        self.records.get(kind.index()).unwrap_or(const { &Record::PLAIN })
    }
}
