//! What the fifteen steps of a frame do.

use super::Game;
use super::debug::{self, Seen};
use super::level_parts;
use super::machine::Machine;
use super::picture::{self, Eyes, Scene};
use super::screens::Screen;
use super::state::Layout;
use super::world::GameWorld;
use crate::clock::{Conditions, PlayerCamera, time};
use crate::game_modes::VIEWPORTS;
use crate::game_modes::frame::{CamerasSetUp, FrameHost};
use crate::game_modes::leave::LeaveHost;
use crate::game_modes::menu::MenuEvent;
use crate::game_modes::{ErrorHost, MissionHost as _, ModeError, ModeId, ScreenHost as _, effect};
use crate::graphics::camera::Camera;
use crate::overlay::Span;
use crate::pads::button;
use crate::tasks::clock::Phase;
use crate::tasks::engine::TaskEngine;
use core::cell::RefCell;

/// How far the built-in yard is drawn, in metres, for the debug text.
const DRAW_DISTANCE: f32 = 120.0;
/// How fast a level comes out of the dark, in half a second, and how fast its end darkens, in one: the screen effect's change in a
/// second.
const LIGHTENING: f32 = 2.0 * effect::DARKEST as f32;
const DARKENING: f32 = effect::AT_END as f32;

impl<M: Machine> Game<M> {
    /// Splits the game into the TaskEngine and what it asks of the rest.
    pub(super) fn with_tasks<T>(
        &mut self,
        work: impl FnOnce(&mut TaskEngine, &mut GameWorld<'_, M>) -> T,
    ) -> Option<T> {
        let tasks = self.tasks.as_deref_mut()?;
        let built_in = self.level.as_deref_mut().and_then(|level| level.built_in.as_mut());
        let mesh = built_in.map(|(mesh, _)| mesh).or(self.world.level_mut().map(|level| &mut level.mesh));
        let mut world = GameWorld {
            machine: &mut self.machine,
            input: &mut self.input,
            real: self.real,
            physics: self.physics.as_deref_mut(),
            mesh: RefCell::new(mesh),
            people: self.people.as_deref_mut(),
            walker: &mut self.walker,
            clock: &mut self.clock,
            audio: &mut self.audio,
            rumble: &mut self.rumble,
            rules: &mut self.rules,
            state: &mut self.state,
            random: &mut self.random,
            things: &mut self.things,
            staging: &mut self.staging,
        };
        Some(work(tasks, &mut world))
    }

    /// Reads the controllers outside of the characters' step.
    pub(super) fn read_input(&mut self) {
        self.input.read(&mut self.machine, self.real);
    }

    /// The eyes of each viewport.
    fn eyes(&self) -> heapless::Vec<Eyes, VIEWPORTS> {
        let of = |player: usize| {
            let follow = self.people.as_deref().and_then(|people| people.camera(player as u8));
            let eyes = follow.map_or(Eyes::Walker(self.walker), |camera| Eyes::Follow(*camera));
            self.staging.eye().map_or(eyes, Eyes::Staged)
        };
        (0..self.viewports().min(VIEWPORTS)).map(of).collect()
    }

    /// The cameras through which this frame will be seen; none while they may still change, as the overlay's flies in a game
    /// that stands still.
    fn cameras_now(&self) -> heapless::Vec<Camera, VIEWPORTS> {
        if self.debug.as_deref().is_some_and(|debug| debug.overlay.is_open()) {
            return heapless::Vec::new();
        }
        let (views, stretch) = (self.eyes(), self.video().stretch());
        (0..views.len()).filter_map(|viewport| picture::camera_of(&views, viewport, stretch, None)).collect()
    }

    /// Moves real time on to now.
    pub(super) fn advance_real_time(&mut self) {
        let count = self.machine.count();
        // What blocked for longer than the counter's wrap, a load without a look at the clock, loses nothing.
        let beside = self.machine.shown().cycles;
        self.uptime.fold_late(count, beside);
        if !self.rate_known
            && let Some(rate) = self.machine.rate()
        {
            self.rate_known = true;
            self.timer.set_rate(count, beside, rate);
        }
        let console = self.timer.update_late(count, beside);
        self.real = self.source.next_frame(console);
    }

    /// Lets a level come out of the dark, and its end go into it; whoever is out sees the end of a round like that, too.
    fn step_effects(&mut self, seconds: f32) {
        let is_over = match self.stack.top() {
            Some(ModeId::Gameplay) => false,
            Some(ModeId::Freeze) => true,
            _ => return,
        };
        for (player, place) in (0..).zip(&mut self.modes.effects) {
            let is_out = self.people.as_deref().is_some_and(|people| people.is_player_out(player));
            let (wanted, by_second) =
                if is_over || is_out { (effect::AT_END, DARKENING) } else { (effect::CLEAR, LIGHTENING) };
            *place = effect::towards(*place, wanted, (seconds * by_second) as u32);
        }
    }

    /// Leaves the picture as it is until START is pressed on the real controller, whatever a script says.
    fn stop(&mut self) {
        let frame = self.frames;
        self.machine.settle();
        self.machine.print(format_args!("STOP {frame}"));
        while self.machine.read_pads()[0].is_none_or(|pad| pad.buttons & button::START == 0) {}
        self.machine.print(format_args!("GO {frame}"));
    }

    /// The frame of a screen without a world: clocks, picture, files.
    pub(super) fn show(&mut self, screen: Screen) {
        self.update_clock();
        self.picture.clear();
        self.picture.screen = screen;
        self.present();
        self.cameras.clear();
        self.service_files();
        self.count_frame();
    }

    /// Builds the packet of what the picture says, and submits it.
    fn submit(&mut self) {
        self.picture.seconds = time::seconds(self.real);
        self.picture.effects = self.modes.effects;
        self.picture.stretch = self.video().stretch();
        if self.state.settings.counter {
            self.picture.counter.clear();
            // There is room for the counter's longest text.
            let _fits = self.picture.counter.push_str(self.counter.text());
        }
        self.words.translate(&mut self.picture.screen);
        let camera = self.picture.camera(0);
        let Some(title) = self.title.as_deref_mut() else { return };
        let parts = level_parts::bytes(&self.world, self.files.system.as_ref());
        let mut scene = Scene {
            title,
            level: self.level.as_deref_mut(),
            world: self.world.level(),
            parts: &parts,
            renderer: self.renderer.as_deref_mut(),
            tasks: self.tasks.as_deref(),
            things: &self.things,
            people: self.people.as_deref(),
            picture: &self.picture,
            hud: self.debug.as_deref().and_then(debug::Debug::atlas).map(|atlas| (&*self.huds, atlas)),
        };
        let (debug, physics) = (&mut self.debug, self.physics.as_deref());
        self.machine.frame(|packet, page, count| {
            let counters = picture::draw(&mut scene, packet, page);
            if let Some(debug) = debug {
                let textures = scene.renderer.as_deref().map(|renderer| renderer.textures.counters());
                debug.note_drawing(counters, textures.unwrap_or_default());
                let built_in = scene.level.as_deref().and_then(|level| level.built_in.as_ref());
                let mesh = built_in.map(|(mesh, _)| mesh).or(scene.world.map(|level| &level.mesh));
                let seen = Seen { tasks: scene.tasks, physics, mesh, people: scene.people };
                debug.draw(&seen, packet, camera.as_ref(), count);
            }
        });
    }
}

impl<M: Machine> LeaveHost for Game<M> {
    fn select_level_by_name(&mut self) {
        self.modes.next = self.modes.named.take().and_then(super::missions::Play::at);
    }
    fn select_next_level(&mut self) {
        self.modes.next = self.modes.last.and_then(super::missions::Play::next);
    }
    fn unlock_fourth_difficulty(&mut self) {
        self.state.unlock_fourth_difficulty(super::missions::MISSION_COUNT);
    }
    fn bank_money(&mut self) {
        self.state.bank_money();
    }
    fn is_save_due(&self) -> bool {
        self.modes.save_due
    }
    fn report(&mut self, error: ModeError) {
        self.machine.print(format_args!("MODE refused: {error}"));
        if self.refused.is_full() {
            let _oldest = self.refused.pop_front();
        }
        let _kept = self.refused.push_back(error);
    }
}

impl<M: Machine> ErrorHost for Game<M> {
    fn is_faulty(&self) -> bool {
        self.controller_missing || self.disc_fault().is_some()
    }
    fn show_fault(&mut self) {
        self.tell_fault();
        let screen = self.fault_screen();
        self.show(screen);
        self.read_input();
        if !self.input.misses_pads() {
            self.controller_missing = false;
        }
    }
    fn quiet(&mut self, on: bool) {
        self.silence(on);
        self.modes.told_fault = None;
        self.rumble.stop();
        for port in 0..crate::pads::PORTS {
            self.machine.rumble(port, super::machine::Rumble::default());
        }
    }
    fn skip_time(&mut self) {
        self.clock.skip_to(self.real);
        if let Some(tasks) = self.tasks.as_deref_mut() {
            tasks.ticks.restart();
        }
    }
}

impl<M: Machine> FrameHost for Game<M> {
    fn use_fixed_step(&mut self) {
        self.clock.set_fixed(true, self.real);
    }
    fn update_clock(&mut self) {
        self.begin_spans();
        self.advance_real_time();
        self.end_freeze();
        // Only a level is played with turned buttons: menus say which button they mean.
        self.input.turned = self.is_played() && self.state.settings.layout == Layout::Turned;
        let conditions = Conditions {
            camera: match (&self.level, self.staging.is_playing()) {
                (None, _) => PlayerCamera::None,
                (Some(_), true) => PlayerCamera::Scene,
                (Some(_), false) => PlayerCamera::Play,
            },
            button: self.input.pads.continue_button(),
            held_by_caption: self.is_held_by_caption(),
        };
        self.clock.update(self.real, &conditions);
        self.mark(Span::Clock);
    }
    fn run_tick_pairs(&mut self) {
        let now = self.clock.ticks();
        let _pairs = self.with_tasks(|tasks, world| tasks.tick(world, Phase::Play, now));
        self.mark(Span::Ticks);
    }
    fn hand_over_cameras(&mut self) {
        self.picture.clear();
        self.mark(Span::Cameras);
    }
    fn update_managers(&mut self) {
        let cameras = self.cameras_now();
        self.things.look_from(&cameras);
        self.things.begin(Phase::Play);
        if let Some(tasks) = self.tasks.as_deref() {
            self.things.models.note(tasks);
        }
        let _done = self.with_tasks(|tasks, world| tasks.update_managers(world, Phase::Play));
        self.mark(Span::Managers);
    }
    fn stream_resources(&mut self) {
        self.stream_parts();
    }
    // What is drawn is only noted until the frame is presented: nothing waits in a queue here.
    fn flush_render_queue(&mut self) {}
    // What moves in the world are tasks, and what moves by itself, water and lights, is drawn by the time.
    fn update_world(&mut self) {}
    // Meshes and textures of the people stay where start-up has put them.
    fn update_resources(&mut self) {}
    fn viewports(&self) -> usize {
        if self.level.is_none() { 0 } else { usize::from(self.rules.players()) }
    }
    fn render_viewport(&mut self, _viewport: usize) {
        self.picture.free = self.flying();
        // The first one sets the cameras of all up.
        if self.cameras.mark() {
            self.picture.views = self.eyes();
        }
        self.mark(Span::Viewports);
    }
    fn draw_overlays(&mut self, seconds: f32) {
        // What comes and goes over a frozen game does so in its own time.
        let seconds = if self.clock.is_frozen() { time::seconds(time::STEP) } else { seconds };
        self.step_hud(seconds);
        self.step_effects(seconds);
        self.picture.screen = self.overlay_screen();
        self.mark(Span::Overlays);
    }
    fn run_scripts(&mut self, _seconds: f32) {
        self.end_level_if_over();
        if self.stack.top() == Some(ModeId::MissionComplete) && self.mission_reason().is_some() {
            // The step after this one leaves for it.
            self.play_menu_sound(MenuEvent::Chosen(0));
        }
        self.step_captions();
        self.mark(Span::Scripts);
    }
    fn present(&mut self) {
        self.step_debug();
        self.mark(Span::Debug);
        self.submit();
        self.mark(Span::Present);
        self.split_present();
        self.frames += 1;
        if self.frames == 1 {
            self.tell_time("frame");
        }
        let every = self.options.stops_every.filter(|every| *every > 0);
        if self.options.stops.contains(&self.frames) || every.is_some_and(|every| self.frames.is_multiple_of(every)) {
            self.stop();
        }
        let shown = self.machine.shown();
        let second = shown.ticks / time::TICKS_PER_SECOND;
        if second != self.reported_second {
            self.reported_second = second;
            let (frames, ticks, missed) = (shown.frames, shown.ticks, shown.missed);
            self.machine.print(format_args!("FRAME {frames} ticks {ticks} missed {missed}"));
            if self.things.crowd {
                self.report_frame();
            }
        }
    }
    fn cameras_set_up(&mut self) -> &mut CamerasSetUp {
        &mut self.cameras
    }
    fn service_files(&mut self) {
        let begin = self.machine.count();
        if let (Some(manager), Some(files)) = (&mut self.files.manager, &mut self.files.system) {
            let mut came = level_parts::Came::default();
            let _service = manager.service(files, &mut came);
            self.take_part(came);
        }
        self.read_beside();
        self.update_sound();
        self.files_cycles = self.machine.count().wrapping_sub(begin);
        self.step_rumble();
        self.mark(Span::Files);
        self.controller_missing |= self.watches_controller() && self.input.misses_pads();
    }
    fn count_frame(&mut self) {
        // In play it is the levels' pool that fills and empties.
        let sector = self.pools.sector.map(|pools| pools.sector);
        let left = |id| self.machine.with_memory(|memory| memory.free_bytes(id).ok());
        let free = sector.and_then(left).unwrap_or_else(|| self.machine.free_bytes());
        let far = self.world.level().map_or(DRAW_DISTANCE, |level| level.header.far);
        self.counter.count(self.real, free, far);
        self.end_spans();
        self.note_beside(self.files_cycles);
        self.note_time();
    }
}
