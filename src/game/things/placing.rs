//! Bringing a level's things to life when it begins.

use super::super::Game;
use super::super::machine::Machine;
use super::{make_sources, sources};
use alloc::vec::Vec;

impl<M: Machine> Game<M> {
    /// Learns the loaded level's kinds; what an earlier level had is forgotten.
    pub(in super::super) fn learn_things(&mut self) {
        self.things.load(self.world.level());
    }

    /// Makes what the loaded level places.
    pub(in super::super) fn place_things(&mut self) {
        let found = self.world.level().map_or_else(Vec::new, sources);
        let made = self.with_tasks(|tasks, world| make_sources(world, tasks, &found)).unwrap_or_default();
        if made < found.len() {
            let all = found.len();
            self.machine.print(format_args!("THINGS {made} of {all} sources of particles"));
        }
    }
}
