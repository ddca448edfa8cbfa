//! What the game lends the overlay, and what its pages then say to whoever listens.

use super::Game;
use super::characters;
use super::characters_facts::Told;
use super::debug::Debug;
use super::machine::Machine;
use crate::clock::time;
use crate::file_io::StreamDevice as _;
use crate::overlay::figures::{self, ConsoleCounts};
use crate::overlay::{Figure, Overlay, Page, SPAWNABLE, Span, Subjects};
use crate::physics::kernels::Kernels;

impl<M: Machine> Game<M> {
    /// Tells whoever listens to the console what an open overlay cost lately, and all that its pages say.
    pub fn tell_pages(&mut self) {
        let Some(mut debug) = self.debug.take() else { return };
        if debug.overlay.is_open() {
            let cost = debug.overlay.meter.figure(Span::Debug);
            self.machine.print(format_args!("OVERLAY costs {} cycles, at most {}", cost.mean, cost.most));
            let facts = &mut debug.memory;
            self.machine.with_memory(|memory| facts.look(memory));
            for page in Page::ALL {
                debug.overlay.open(page);
                self.lend(&mut debug, true, Overlay::look);
                for row in debug.overlay.sheet().rows().filter(|row| !row.is_empty()) {
                    self.machine.print(format_args!("SHEET {} {row}", page.name()));
                }
            }
        }
        self.debug = Some(debug);
    }

    /// Lends the game to the overlay. What pages alone say is left out unless one is `shown`; what is watched for events is
    /// always there.
    pub(super) fn lend<T>(
        &self,
        debug: &mut Debug,
        shown: bool,
        work: impl FnOnce(&mut Overlay, &Subjects<'_>) -> T,
    ) -> T {
        debug.drawing.dropped = self.machine.shown().dropped;
        let graphics = figures::drawing(&debug.drawing);
        let hardware = shown.then(|| figures::console(&self.console_counts()));
        let spawnable = if shown { self.spawnable() } else { heapless::Vec::new() };
        let streams = self.streams();
        let people = self.people.as_deref().filter(|_| self.level.is_some());
        let look = if shown { Told::look } else { Told::glance };
        let told = people.map(|people| look(people, debug.overlay.wanted())).unwrap_or_default();
        let subjects = Subjects {
            tasks: self.tasks.as_deref(),
            physics: self.physics.as_deref(),
            mesh: self.collision_mesh(),
            human: people.zip(self.tasks.as_deref()).and_then(|(people, tasks)| told.human(people, tasks)),
            humans: told.counts.0,
            mover: people.and_then(|people| told.mover(people)),
            movers: told.counts.1,
            navigation: &told.navigation,
            memory: Some(&debug.memory),
            modes: Some(&self.stack),
            clock: Some(&self.clock),
            stop_watch: Some(&self.stop_watch),
            real: self.real,
            boot: Some(&self.report),
            files: self.files.manager.as_ref(),
            graphics: &graphics,
            hardware: hardware.as_ref().map_or(&[], |hardware| &hardware[..]),
            identity: Some(self.machine.identity()),
            streams: streams.as_ref().map_or(&[], |streams| &streams[..]),
            pads: self.input.pads.connected_count() as u32,
            video: self.video().mode.label(),
            player: self.level.as_ref().map(|_| characters::player_place(self.people.as_deref(), &self.walker)),
            spawnable: &spawnable,
            vu0: self.physics.as_ref().map(|physics| physics.kernels() == Kernels::Vu0),
        };
        work(&mut debug.overlay, &subjects)
    }

    /// What the I/O processor's module said last; nothing without one.
    fn streams(&self) -> Option<[Figure; figures::STREAMS]> {
        self.files.system.as_ref().and_then(|files| files.device().module_status()).map(figures::streams)
    }

    /// Those of the things to spawn whose types are known here.
    pub(super) fn spawnable(&self) -> heapless::Vec<&'static str, { SPAWNABLE.len() }> {
        let tasks = self.tasks.as_deref();
        let known = |name: &&str| tasks.is_some_and(|tasks| tasks.objects.types.find_index(name).is_some());
        SPAWNABLE.into_iter().filter(known).collect()
    }

    fn console_counts(&self) -> ConsoleCounts {
        let shown = self.machine.shown();
        ConsoleCounts {
            free_bytes: self.machine.free_bytes() as u32,
            frames: shown.frames,
            missed: shown.missed,
            seconds: time::milliseconds(shown.ticks) / 1000,
            sixty_blanks: shown.sixty_blanks.unwrap_or(0),
            pads: self.input.pads.connected_count() as u32,
        }
    }
}
