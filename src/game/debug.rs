//! The debug overlay's place in the game: what it is lent, what it draws over, and its commands carried out.

use super::Game;
use super::characters::People;
use super::characters_facts;
use super::machine::{Counter, Machine, Shown};
use super::rules;
use crate::clock::time;
use crate::collision::CollisionMesh;
use crate::crash::recent::RecentEvents;
use crate::ee::gif::Packet;
use crate::ee::gs::general::Alpha;
use crate::graphics::camera::Camera;
use crate::graphics::canvas::{Canvas, Depth};
use crate::graphics::draw_target::{Atlas, AtlasPictures, Surface};
use crate::graphics::render::Counters;
use crate::graphics::texture::OutOfTextureMemory;
use crate::graphics::texture_cache;
use crate::maths::Vec3;
use crate::overlay::figures::Drawing;
use crate::overlay::{Command, FreeCamera, MemoryFacts, Overlay, Page, Span, Subjects};
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
    pub(super) memory: MemoryFacts,
    missed: u32,
    pub(super) drawing: Drawing,
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
        let shown = debug.overlay.is_open_after(pad);
        let commands = self.lend(&mut debug, shown, |overlay, subjects| {
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
#[path = "debug_tests.rs"]
mod tests;
