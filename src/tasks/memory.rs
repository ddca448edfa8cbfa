//! What the TaskEngine takes of memory, against what it may take.

use super::engine::TaskEngine;

/// One part of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// What.
    pub name: &'static str,
    /// What it takes.
    pub bytes: usize,
    /// What it may take.
    pub budget: usize,
}

/// What each part may take, in bytes, at the sizes of a level with 400 placed objects, 60 flags and 90 boxes.
///
/// Our choice: what each takes on the host, whose pointers are twice as wide as the console's, and a little above it. The
/// original's records, as far as the seed sizes them, come to 950 KB.
mod budget {
    const KB: usize = 1024;
    /// In the original a head is a part of its record; here all heads stand together, with links and transforms.
    pub const HEADS: usize = 320 * KB;
    /// In the original 22 KB: 2,816 of 8 bytes.
    pub const HANDLES: usize = 20 * KB;
    /// Six frames of 0x410 bytes in the original; here an argument carries its type.
    pub const MESSAGES: usize = 8 * KB;
    /// In the original 120 KB: 384 of 0x140 bytes.
    pub const OBJECTS: usize = 100 * KB;
    /// 1,536 types: 1,371 in the seed's largest level, and some in reserve; 216 KB of the original's 0x90 bytes.
    pub const OBJECT_TYPES: usize = 320 * KB;
    /// In the original 36 KB: 900 of 0x28 bytes.
    pub const SPAWNS: usize = 44 * KB;
    /// In the original 95 KB: 18 of 0x1310 bytes and six types of 0x5f0.
    pub const CARS: usize = 124 * KB;
    /// In the original 352 KB: 1,500 of 0xf0 bytes.
    pub const PARTICLES: usize = 100 * KB;
    /// In the original 33 KB: 100 of 0x100, 28 of 0xb0, 12 of 0x100 bytes.
    pub const REST: usize = 5 * KB;
    /// In the original 57 KB: 64 of 0xf0, 60 and 20 of 0x1f0, 10 of 0x100 bytes.
    pub const BOXES: usize = 8 * KB;
    /// Lists, counters, and the characters' records.
    pub const ENGINE: usize = 6 * KB;
    /// Everything. Below the sum of the parts, since they are not to be at their limits together.
    pub const ALL: usize = 1024 * KB;
}

impl TaskEngine {
    /// What the engine's parts take, the sum of all last.
    pub fn memory(&self) -> [Share; 12] {
        let share = |name, bytes, budget| Share { name, bytes, budget };
        let particles = self.particles.iter().map(|manager| manager.pool.bytes()).sum();
        let rest = self.panes.pool.bytes() + self.lights.pool.bytes() + self.scenes.pool.bytes();
        let mut shares = [
            share("heads, links and transforms", self.manager.bytes(), budget::HEADS),
            share("handles", self.handles.bytes(), budget::HANDLES),
            share("messages", self.messages.bytes(), budget::MESSAGES),
            share("objects", self.objects.pool.bytes(), budget::OBJECTS),
            share("object types", self.objects.types.bytes(), budget::OBJECT_TYPES),
            share("spawn records", self.objects.spawns.bytes(), budget::SPAWNS),
            share("cars", self.cars.pool.bytes() + self.cars.type_bytes(), budget::CARS),
            share("particles", particles, budget::PARTICLES),
            share("panes, lights and scenes", rest, budget::REST),
            share("flags and boxes", self.boxes.bytes(), budget::BOXES),
            share("the engine itself", size_of::<Self>() + self.humans.records.bytes(), budget::ENGINE),
            share("in all", 0, budget::ALL),
        ];
        shares[11].bytes = shares.iter().map(|share| share.bytes).sum();
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::super::scenarios::empty_engine;
    use super::*;

    #[test]
    fn no_part_of_the_engine_is_above_its_budget() {
        // The host's pointers are twice as wide as the console's, so what fits here fits there.
        for Share { name, bytes, budget } in empty_engine().memory() {
            assert!(bytes <= budget, "{name}: {bytes} bytes of {budget}");
            assert!(bytes * 4 > budget, "{name}: a budget of {budget} for {bytes} bytes limits nothing");
        }
    }
}
