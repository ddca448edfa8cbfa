//! The debug overlay's place in the game: what it is lent, what it draws over, and its commands carried out.

use super::Game;
use super::characters::{self, People};
use super::characters_facts::{self, Told};
use super::machine::{Counter, Machine, Shown};
use super::rules;
use crate::clock::time;
use crate::collision::CollisionMesh;
use crate::crash::recent::RecentEvents;
use crate::ee::gif::Packet;
use crate::ee::gs::general::Alpha;
use crate::file_io::StreamDevice as _;
use crate::graphics::camera::Camera;
use crate::graphics::canvas::{Canvas, Depth};
use crate::graphics::draw_target::{Atlas, AtlasPictures, Surface};
use crate::graphics::render::Counters;
use crate::graphics::texture::OutOfTextureMemory;
use crate::graphics::texture_cache;
use crate::maths::Vec3;
use crate::overlay::figures::{self, ConsoleCounts, Drawing};
use crate::overlay::{Command, Figure, FreeCamera, MemoryFacts, Overlay, Page, SPAWNABLE, Span, Subjects};
use crate::pads::button::{self, Buttons};
use crate::pads::{PadRecord, Reading, Stick};
use crate::physics::PhysicsWorld;
use crate::physics::kernels::Kernels;
use crate::tasks::engine::TaskEngine;
use crate::tasks::humans::step::Switch;

/// Blanks of a frame that is in time.
const BLANKS: u32 = crate::ee::pacing::BLANKS_PER_FRAME;

/// The first pad for the overlay, and what the game may not see of it.
#[derive(Clone, Debug, Default)]
pub struct DebugPad {
    /// Everything that the pad says.
    pub record: PadRecord,
    hidden: Buttons,
    sticks_hidden: bool,
}

impl DebugPad {
    /// Takes a reading at real time `real`, in ticks, and leaves in it what the game may see.
    pub fn filter(&mut self, reading: &mut Option<Reading>, real: u64) {
        let _taken = self.record.sample(*reading, real);
        let Some(reading) = reading else { return };
        // The reset combination is nobody's to hide.
        if reading.buttons & button::RESET == button::RESET {
            return;
        }
        reading.buttons &= !self.hidden;
        if self.sticks_hidden {
            (reading.left, reading.right) = (Stick::default(), Stick::default());
        }
    }
}

/// The overlay and what belongs to it.
#[derive(Default)]
pub struct Debug {
    /// The overlay.
    pub overlay: Overlay,
    atlas: Option<Atlas>,
    memory: MemoryFacts,
    missed: u32,
    drawing: Drawing,
    /// Cycles of drawing over the last frame.
    cycles: u32,
    /// Time stands on the fixed step by the freeze tool, where it had run on real time.
    frozen: bool,
}

impl Debug {
    /// A closed overlay, or one that is open on a page.
    pub fn new(page: Option<Page>) -> Self {
        let mut debug = Self::default();
        if let Some(page) = page {
            debug.overlay.open(page);
        }
        debug
    }
}

impl Debug {
    /// The pictures of letters and frames, once they are on the GS.
    pub const fn atlas(&self) -> Option<Atlas> {
        self.atlas
    }

    /// Notes what drawing a frame took, and what the textures have come to.
    pub fn note_drawing(&mut self, frame: Counters, textures: texture_cache::Counters) {
        self.drawing.lost = self.drawing.lost.wrapping_add(frame.lost);
        (self.drawing.frame, self.drawing.textures) = (frame, textures);
    }

    /// Draws over a frame: the world's lines as `camera` sees them, then the page.
    pub fn draw(&mut self, seen: &Seen<'_>, packet: &mut Packet<'_>, camera: Option<&Camera>, count: Counter) {
        let begin = count();
        self.draw_over(seen, packet, camera);
        self.cycles = count().wrapping_sub(begin);
    }

    fn draw_over(&mut self, seen: &Seen<'_>, packet: &mut Packet<'_>, camera: Option<&Camera>) {
        self.drawing.quads = packet.used() as u32;
        if self.overlay.layers().is_empty() && !self.overlay.is_open() {
            return;
        }
        let Some(atlas) = self.atlas else { return };
        let mut canvas = Canvas::resume(packet);
        canvas.depth(Depth::Ignored);
        canvas.blend(Alpha::OVER);
        let mesh = seen.mesh;
        let navigation = seen.people.map(characters_facts::navigation).unwrap_or_default();
        let subjects =
            Subjects { tasks: seen.tasks, physics: seen.physics, mesh, navigation: &navigation, ..Subjects::default() };
        let lines = camera.map(|camera| self.overlay.draw_world(&mut canvas, camera, &subjects));
        self.drawing.lines = lines.unwrap_or(0) as u32;
        self.overlay.draw(&mut Surface::new(&mut canvas, &atlas));
    }
}

/// What the world's lines are drawn from.
pub struct Seen<'a> {
    /// The TaskEngine.
    pub tasks: Option<&'a TaskEngine>,
    /// The physics.
    pub physics: Option<&'a PhysicsWorld>,
    /// The level's collision mesh.
    pub mesh: Option<&'a CollisionMesh>,
    /// The people.
    pub people: Option<&'a People>,
}

impl<M: Machine> Game<M> {
    /// Brings the overlay's pictures to the GS.
    ///
    /// # Errors
    /// [`OutOfTextureMemory`] when they do not fit.
    pub(super) fn start_debug(&mut self) -> Result<(), OutOfTextureMemory> {
        let Some(debug) = self.debug.as_deref_mut() else { return Ok(()) };
        let pictures = AtlasPictures::new();
        let atlas = Atlas::new(&mut self.textures, &pictures)?;
        self.machine.send(|packet| atlas.upload(packet, &pictures));
        debug.atlas = Some(atlas);
        Ok(())
    }

    /// A frame begins for the meter.
    pub(super) fn begin_spans(&mut self) {
        if let Some(debug) = self.debug.as_deref_mut() {
            debug.overlay.meter.begin(self.machine.count());
        }
    }

    /// What the frame did since the last mark was `span`.
    pub(super) fn mark(&mut self, span: Span) {
        if let Some(debug) = self.debug.as_deref_mut() {
            debug.overlay.meter.mark(span, self.machine.count());
        }
    }

    /// Building the packet happens while presenting, and belongs to the viewports and, what is drawn over them, to the overlay.
    pub(super) fn split_present(&mut self) {
        let built = self.machine.shown().built;
        if let Some(debug) = self.debug.as_deref_mut() {
            debug.overlay.meter.shift(Span::Present, Span::Viewports, built.saturating_sub(debug.cycles));
            debug.overlay.meter.shift(Span::Present, Span::Debug, debug.cycles.min(built));
        }
    }

    /// The frame ends for the meter.
    pub(super) fn end_spans(&mut self) {
        self.mark(Span::Rest);
        let Shown { missed, drawn, .. } = self.machine.shown();
        if let Some(debug) = self.debug.as_deref_mut() {
            let late = missed.wrapping_sub(core::mem::replace(&mut debug.missed, missed));
            debug.overlay.meter.end(BLANKS + late, drawn);
        }
    }

    /// Tells what the last frames cost: the dearest of them, and the mean of each step, in milliseconds.
    pub(super) fn report_frame(&mut self) {
        const CYCLES: f32 = crate::ee::ticks::PER_SECOND as f32 / 1000.0;
        let Some(debug) = self.debug.as_deref() else { return };
        let meter = &debug.overlay.meter;
        let most = meter.graph().map(|frame| frame.busy).max().unwrap_or_default();
        self.machine.print(format_args!("BENCH game/worst_case {:.2} ms emulated", most as f32 / CYCLES));
        for span in Span::ALL.into_iter().filter(|span| *span != Span::Present) {
            let mean = meter.figure(span).mean as f32 / CYCLES;
            self.machine.print(format_args!("BENCH game/worst_case/{} {mean:.2} ms emulated", span.name()));
        }
    }

    /// The free camera, while it flies.
    pub(super) fn flying(&self) -> Option<FreeCamera> {
        self.debug.as_deref()?.overlay.flying()
    }

    /// The overlay's step of the frame: reads its pad, looks at the game, carries out what is asked.
    pub(super) fn step_debug(&mut self) {
        if !self.tasks.as_deref().is_none_or(|tasks| tasks.humans.is_on(Switch::Pads)) {
            // Our choice: the switch takes the pads from the game, and the overlay keeps the one that can give them back.
            self.input.read_for_overlay(&mut self.machine, self.real);
        } else if self.clock.is_paused() {
            // The characters' step, which reads the pads, stands still with the time.
            self.read_input();
        }
        let Some(mut debug) = self.debug.take() else { return };
        if debug.overlay.wants_memory() {
            let facts = &mut debug.memory;
            self.machine.with_memory(|memory| facts.look(memory));
        }
        let was = debug.overlay.is_open();
        let pad = &self.input.debug.record;
        let commands = self.lend(&mut debug, |overlay, subjects| {
            let commands = overlay.step(pad, time::seconds(time::STEP), subjects);
            overlay.look(subjects);
            commands
        });
        self.machine.keep_events(&RecentEvents::of(&debug.overlay.events));
        if debug.overlay.is_open() != was {
            let (word, page) = (if was { "closed" } else { "open" }, debug.overlay.page().name());
            self.machine.print(format_args!("OVERLAY {word} {page}"));
        }
        let pad = &mut self.input.debug;
        pad.hidden = debug.overlay.taken_buttons();
        pad.sticks_hidden = debug.overlay.takes_sticks();
        self.debug = Some(debug);
        for command in commands {
            self.carry_out(command);
        }
    }

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
                self.lend(&mut debug, Overlay::look);
                for row in debug.overlay.sheet().rows().filter(|row| !row.is_empty()) {
                    self.machine.print(format_args!("SHEET {} {row}", page.name()));
                }
            }
        }
        self.debug = Some(debug);
    }

    /// Lends the game to the overlay.
    fn lend<T>(&self, debug: &mut Debug, work: impl FnOnce(&mut Overlay, &Subjects<'_>) -> T) -> T {
        debug.drawing.dropped = self.machine.shown().dropped;
        let (graphics, hardware) = (figures::drawing(&debug.drawing), figures::console(&self.console_counts()));
        let (streams, spawnable) = (self.streams(), self.spawnable());
        let people = self.people.as_deref().filter(|_| self.level.is_some());
        let told = people.map(|people| Told::look(people, debug.overlay.wanted())).unwrap_or_default();
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
            hardware: &hardware,
            identity: Some(self.machine.identity()),
            streams: streams.as_ref().map_or(&[], |streams| &streams[..]),
            pads: self.input.pads.connected_count() as u32,
            video: self.options.mode.label(),
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
    fn spawnable(&self) -> heapless::Vec<&'static str, { SPAWNABLE.len() }> {
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

    /// Stops game time, or lets it go on. What stands is put on the fixed step: the clock takes single steps there alone.
    fn freeze(&mut self, on: bool) {
        if on == self.clock.is_paused() {
            return;
        }
        let _change = self.clock.toggle_pause(self.real);
        if let Some(debug) = self.debug.as_deref_mut()
            && on
            && !self.clock.is_fixed()
        {
            debug.frozen = true;
            self.clock.set_fixed(true, self.real);
        }
        self.end_freeze();
    }

    /// Gives the clock its real time back once what was frozen goes on, whoever let it; it does so at a level's end.
    pub(super) fn end_freeze(&mut self) {
        let Some(debug) = self.debug.as_deref_mut().filter(|debug| debug.frozen) else { return };
        if self.clock.is_paused() {
            if self.level.is_some() {
                return;
            }
            let _ended = self.clock.toggle_pause(self.real);
        }
        debug.frozen = false;
        self.clock.set_fixed(false, self.real);
    }

    fn carry_out(&mut self, command: Command) {
        match command {
            Command::Freeze(on) => self.freeze(on),
            // A step of what runs stops it, so that the request cannot wait for a later pause.
            Command::SingleStep if !self.clock.is_paused() => self.freeze(true),
            Command::SingleStep if self.clock.is_fixed() => self.clock.request_single_step(),
            Command::SingleStep => {}
            Command::TimeScale(scale) => self.clock.set_scale(scale),
            Command::Teleport(feet, heading) => {
                (self.walker.position, self.walker.heading) = (feet, heading);
                if let Some(people) = self.people.as_deref_mut() {
                    people.teleport(0, feet, heading);
                }
            }
            Command::Spawn(which, at) => {
                let Some(name) = self.spawnable().get(usize::from(which)).copied() else { return };
                let _dropped = self.with_tasks(|tasks, world| rules::drop_thing(world, tasks, name, at, Vec3::ZERO));
            }
            Command::StepSwitch(switch, on) => {
                if let Some(tasks) = self.tasks.as_deref_mut() {
                    tasks.humans.set_switch(switch, on);
                }
            }
            Command::UseVu0(on) => {
                let kernels = if on { Kernels::Vu0 } else { Kernels::Scalar };
                if let Some(physics) = self.physics.as_deref_mut() {
                    physics.set_kernels(kernels);
                }
                if let Some(tasks) = self.tasks.as_deref_mut() {
                    tasks.manager.kernels = kernels;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, game};
    use super::*;
    use crate::boot::start::StartHost;
    use crate::clock::time::STEP;
    use crate::game_modes::{ModeId, run_once};
    use crate::overlay::SWITCHES;
    use crate::pads::Script;
    use std::boxed::Box;

    #[test]
    fn the_game_does_not_see_what_the_overlay_takes() {
        let mut pad = DebugPad { hidden: button::CROSS | button::L1, sticks_hidden: true, ..DebugPad::default() };
        let mut reading = Some(Reading {
            buttons: button::CROSS | button::SQUARE,
            left: Stick { x: 1.0, y: 0.0 },
            ..Reading::default()
        });
        pad.filter(&mut reading, STEP);
        let seen = reading.unwrap();
        assert_eq!((seen.buttons, seen.left), (button::SQUARE, Stick::default()));
        assert_eq!(pad.record.back(0), button::CROSS | button::SQUARE, "the overlay sees all");
    }

    /// A game in play with the overlay open on the switches, whose first row is the effects' and second the pads'.
    fn with_switches() -> Box<FakeGame> {
        let mut game = game();
        game.initialize_subsystems().unwrap();
        game.push_mode(ModeId::LevelFlow);
        play(&mut game, "9x,9x,30.");
        assert_eq!(game.stack.top(), Some(ModeId::Gameplay));
        let mut debug = Debug::new(Some(Page::Steps));
        debug.atlas = game.debug.as_deref().and_then(|debug| debug.atlas);
        game.debug = Some(Box::new(debug));
        game
    }

    fn play(game: &mut FakeGame, script: &str) {
        game.input.script = Script::parse(script);
        for _ in 0..200 {
            run_once(game);
            game.after_round();
            if game.input.script.as_ref().is_none_or(Script::is_over) {
                return;
            }
        }
        panic!("{script} does not end");
    }

    fn is_on(game: &FakeGame, switch: Switch) -> bool {
        game.tasks.as_deref().unwrap().humans.is_on(switch)
    }

    #[test]
    fn every_row_of_the_overlays_switches_turns_its_step_of_the_engine_off_and_on() {
        let mut game = with_switches();
        for (switch, name) in SWITCHES {
            assert!(is_on(&game, switch), "{name} is on at first");
            play(&mut game, "3x,3.");
            assert!(!is_on(&game, switch), "{name} is off");
            let others = SWITCHES.into_iter().filter(|(other, _)| *other != switch);
            assert!(others.into_iter().all(|(other, _)| is_on(&game, other)), "{name} alone is off");
            play(&mut game, "3x,3.");
            assert!(is_on(&game, switch), "{name} is on again");
            play(&mut game, "3d,3.");
        }
    }

    #[test]
    fn pads_that_are_switched_off_are_the_overlays_alone_frozen_or_not() {
        let mut game = with_switches();
        play(&mut game, "3d,3.,3x,3.");
        assert!(!is_on(&game, Switch::Pads));
        let held = |game: &FakeGame| (game.input.pads.get(0).unwrap().back(0), game.input.debug.record.back(0));
        let seen = held(&game).0;
        for frozen in [false, true] {
            game.carry_out(Command::Freeze(frozen));
            play(&mut game, "4t");
            assert_eq!(held(&game), (seen, button::TRIANGLE), "frozen {frozen}: the game's record stands still");
            play(&mut game, "3.");
        }
        play(&mut game, "3x,3.");
        assert!(is_on(&game, Switch::Pads), "what is heard turns them on again");
        game.carry_out(Command::Freeze(false));
        play(&mut game, "4t");
        assert_eq!(held(&game).0, button::TRIANGLE);
    }

    #[test]
    fn a_level_that_is_frozen_goes_on_by_single_steps_and_then_in_real_time() {
        let mut game = with_switches();
        assert!(!game.clock.is_fixed(), "a level runs on real time");
        let frame = |game: &mut FakeGame| {
            let before = game.clock.ticks();
            play(game, "1.");
            game.clock.ticks() - before
        };
        game.carry_out(Command::SingleStep);
        assert_eq!((frame(&mut game), game.clock.is_paused()), (0, true), "a step of what runs stops it");
        for _ in 0..2 {
            game.carry_out(Command::SingleStep);
            assert_eq!(frame(&mut game), STEP);
            assert_eq!(frame(&mut game), 0);
            // The pause menu over it changes nothing.
            play(&mut game, "2s,3.");
            assert_eq!(game.stack.top(), Some(ModeId::Pause));
            play(&mut game, "2s,3.");
            assert_eq!(game.stack.top(), Some(ModeId::Gameplay));
        }
        game.carry_out(Command::Freeze(false));
        let passed = frame(&mut game) + frame(&mut game);
        assert!(!game.clock.is_paused() && !game.clock.is_fixed() && passed > 0, "{passed}");
        // A step that is asked for in the pause, which stands on real time, waits for nothing.
        play(&mut game, "2s,3.");
        game.carry_out(Command::SingleStep);
        play(&mut game, "2s,3.");
        game.carry_out(Command::Freeze(true));
        assert_eq!(frame(&mut game), 0);
    }

    #[test]
    fn an_open_overlay_tells_all_its_pages_to_whoever_listens() {
        let mut game = with_switches();
        game.tell_pages();
        for told in
            ["OVERLAY costs ", "SHEET frame BUSY", "SHEET human HUMAN", "SHEET build ROM", "SHEET tools   SPAWN"]
        {
            assert_eq!(game.machine.said(told), 1, "{told}: {:#?}", game.machine.log);
        }
        game.debug = Some(Box::default());
        game.machine.log.clear();
        game.tell_pages();
        assert_eq!(game.machine.said("SHEET"), 0, "one that is closed says nothing");
    }

    #[test]
    fn a_freeze_ends_with_its_level() {
        let mut game = with_switches();
        game.carry_out(Command::Freeze(true));
        assert!(game.clock.is_paused() && game.clock.is_fixed());
        game.level = None;
        game.end_freeze();
        assert!(!game.clock.is_paused() && !game.clock.is_fixed());
    }

    #[test]
    fn only_things_whose_types_are_known_are_spawned() {
        let mut game = with_switches();
        let objects = |game: &FakeGame| game.tasks.as_deref().unwrap().objects.pool.count();
        let known = game.spawnable();
        assert!(known.contains(&"BRICK"), "{known:?}");
        for which in 0..known.len() {
            let before = objects(&game);
            game.carry_out(Command::Spawn(which as u8, Vec3::Z * 2.0));
            assert_eq!(objects(&game), before + 1, "{}", known[which]);
        }
        let before = objects(&game);
        game.carry_out(Command::Spawn(known.len() as u8, Vec3::Z * 2.0));
        assert_eq!(objects(&game), before);
    }

    #[test]
    fn what_happened_last_is_kept_aside_for_a_crash_screen() {
        let game = with_switches();
        let lines: std::vec::Vec<_> = game.machine.recent.lines(0).collect();
        for subsystem in ["MODES", "TASKS", "PHYSICS", "DEVICES"] {
            assert!(lines.iter().any(|line| line.starts_with(subsystem)), "{subsystem}: {lines:?}");
        }
    }

    #[test]
    fn the_overlay_switches_the_kernels_of_physics_and_tasks() {
        let mut game = crate::game::fake::game();
        game.initialize_subsystems().unwrap();
        for (on, kernels) in [(false, Kernels::Scalar), (true, Kernels::Vu0)] {
            game.carry_out(Command::UseVu0(on));
            assert_eq!(game.physics.as_ref().map(|physics| physics.kernels()), Some(kernels));
            assert_eq!(game.tasks.as_ref().map(|tasks| tasks.manager.kernels), Some(kernels));
        }
    }

    #[test]
    fn the_reset_combination_reaches_the_game() {
        let mut pad = DebugPad { hidden: button::L1 | button::SELECT, ..DebugPad::default() };
        let mut reading = Some(Reading { buttons: button::RESET, ..Reading::default() });
        pad.filter(&mut reading, STEP);
        assert_eq!(reading.unwrap().buttons, button::RESET);
    }
}
