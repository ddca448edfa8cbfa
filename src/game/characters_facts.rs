//! What the overlay is told of people: one human with its clips, one mover, the way through the level.

use super::characters::People;
use crate::animation::stack::STACK;
use crate::animation::task::Play;
use crate::motion::seams::PartArray;
use crate::overlay::{ClipFacts, HumanFacts, MoverFacts, NavigationLink, StackedTask};
use crate::tasks::engine::TaskEngine;
use crate::tasks::humans::held::ClipEvent;
use heapless::Vec;

/// Events of a clip that are told.
const EVENTS: usize = 24;
/// Links of the way that are told.
const LINKS: usize = 32;
/// Frames of a second of clip time.
const CLIP_RATE: f32 = 30.0;

/// What the overlay borrows, made anew for each look.
#[derive(Default)]
pub struct Told {
    stack: Vec<StackedTask, STACK>,
    events: Vec<ClipEvent, EVENTS>,
    /// The way through the level.
    pub navigation: Vec<NavigationLink, LINKS>,
    /// Place and clip of the human that is looked at.
    chosen: Option<(usize, Clip)>,
    /// The brain of the mover that is looked at.
    mover: Option<usize>,
    /// How many humans and movers there are.
    pub counts: (u16, u16),
}

#[derive(Clone, Copy, Default)]
struct Clip {
    id: u16,
    time: f32,
    length: f32,
    rate: f32,
}

/// What a task is called.
const fn name_of(play: &Play) -> &'static str {
    match play {
        Play::Loop => "LOOP",
        Play::Once { .. } => "ONCE",
        Play::Layer { .. } => "LAYER",
        Play::Paired { .. } => "PAIR",
        Play::Scene => "SCENE",
        Play::Fade { .. } => "FADE",
        Play::TwoMix { .. } => "TWO-MIX",
        Play::FourMix { .. } => "FOUR-MIX",
        Play::Gait { .. } => "GAIT",
        Play::EightWay { .. } => "EIGHT-WAY",
    }
}

/// The way through the level.
pub fn navigation(people: &People) -> Vec<NavigationLink, LINKS> {
    people.story.links().take(LINKS).collect()
}

impl Told {
    /// Looks at what is watched also while no page is open: the mover.
    pub fn glance(people: &People, wanted: (u16, u16)) -> Self {
        let mut told = Self::default();
        told.look_at_movers(people, wanted.1);
        told
    }

    fn look_at_movers(&mut self, people: &People, wanted: u16) {
        let Some(walks) = &people.brains.walks else { return };
        let moves = |n: &usize| people.brains.is_moved(*n, &people.humans) && walks[*n].mover.object.movement.is_some();
        for n in (0..walks.len()).filter(moves) {
            if self.counts.1 == wanted {
                self.mover = Some(n);
            }
            self.counts.1 += 1;
        }
    }

    /// Looks at the people: `wanted` are the numbers of the human and the mover among those that are there.
    pub fn look(people: &People, wanted: (u16, u16)) -> Self {
        let mut told = Self::default();
        told.counts.0 = people.humans.present().count() as u16;
        let chosen = people.humans.present().nth(wanted.0.into()).or_else(|| people.humans.present().next());
        if let Some((n, human)) = chosen {
            let library = &people.humans.library;
            let mut clip = Clip::default();
            if let Some(newest) = human.stack.newest(&people.humans.pool).and_then(|id| people.humans.pool.get(id)) {
                clip.time = newest.time * CLIP_RATE;
                clip.length = newest.length(library) * CLIP_RATE;
                clip.rate = newest.speed;
            }
            if let Some(index) = human.stack.clip(&people.humans.pool) {
                clip.id = library.clip(index).id;
                let events = library.events(index).map(|event| ClipEvent { frame: event.frame, kind: event.kind });
                told.events.extend(events.take(EVENTS));
            }
            let pool = &people.humans.pool;
            for (task, weight) in human.stack.iter(pool).zip(human.stack.shares(pool)) {
                // As many fit as a stack has.
                let _room = told.stack.push(StackedTask { name: name_of(&task.play), keeps: task.held, weight });
            }
            told.chosen = Some((n, clip));
        }
        told.look_at_movers(people, wanted.1);
        told.navigation = navigation(people);
        told
    }

    /// The human that is looked at.
    pub fn human<'a>(&'a self, people: &'a People, tasks: &'a TaskEngine) -> Option<HumanFacts<'a>> {
        let (n, clip) = self.chosen?;
        let human = &people.humans.people[n];
        Some(HumanFacts {
            index: n as u16,
            record: tasks.humans.records.get(n)?,
            gate: human.gate(),
            position: human.position,
            velocity: human.velocity,
            anim: human.anim,
            clip: Some(ClipFacts {
                id: clip.id,
                time: clip.time,
                length: clip.length,
                rate: clip.rate,
                events: &self.events,
            }),
            stack: &self.stack,
            vigour: human.vigour(),
        })
    }

    /// The mover that is looked at.
    pub fn mover<'a>(&self, people: &'a People) -> Option<MoverFacts<'a>> {
        let mover = &people.brains.walks.as_ref()?.get(self.mover?)?.mover;
        let object = &mover.object;
        let table = object.parts.as_ref().map(|parts| &parts.manager);
        let lost = object.parts.as_ref().map_or(0, PartArray::lost) + mover.frames_lost;
        let sticks_to = object.sticky.target_id();
        Some(MoverFacts { movement: object.movement.as_ref()?, table, sticks_to, lost })
    }
}
