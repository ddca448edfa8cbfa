//! The order in which a level goes.

/// A part of a level that somebody holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Streamed objects: their marks and whatever is still to be released.
    Objects,
    /// Spawn records, flags and boxes of the TaskEngine.
    Tasks,
    /// Textures that the renderer may still refer to.
    Textures,
    /// The collision mesh, which the physics asks.
    Collision,
    /// The file's memory.
    File,
    /// The pool that paid for it.
    Pool,
}

/// The order: who refers to something goes before it, so that nothing ever points at what is gone.
///
/// Our choice: the documents name the destructor and not its steps; this is the reverse of the order of loading.
///
/// Source: seed 002, Reimplementing Physics, RayCast and World (Unit 17).
pub const TEAR_DOWN: [Part; 6] = [Part::Objects, Part::Tasks, Part::Textures, Part::Collision, Part::File, Part::Pool];
