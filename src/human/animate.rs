//! The animation step: clips go on, events fire, bones are placed.

use super::store::{Humans, Notice};
use crate::animation::clip::flag;
use crate::animation::events::{Event, kind};
use crate::animation::library::ClipIndex;
use crate::animation::pose::LocalPose;
use crate::animation::task::{AnimTask, AnimTaskId, Play};
use crate::combat::deeds::Deed;
use crate::tasks::humans::messages::number;
use crate::tasks::humans::step::STEP_SECONDS;

/// Events that one step of one human can fire.
const EVENTS: usize = 12;

/// What a step of a human's clips came to.
#[derive(Clone, Debug, Default)]
pub struct Fired {
    /// The events that are due, in order.
    pub events: heapless::Vec<Event, EVENTS>,
    /// The clip that has ended.
    pub ended: Option<ClipIndex>,
}

/// What a clip's event has its human send to another: the place of whom, and the message's number.
pub type Sent = (u8, u32);

impl Humans {
    /// Step 6 of one human where messages need nobody to carry them: on a stage, without the rest of the game.
    pub fn animate_human(&mut self, n: usize) {
        let fired = self.advance_clips(n);
        for event in &fired.events {
            if let Some((target, message)) = self.fire(n, event) {
                self.receive(usize::from(target), message, n as u8);
            }
        }
        self.finish_clips(n, &fired);
    }

    /// Step 6 of one human, its first half: the clips go on and the bones are placed. The events that are due are the
    /// caller's to [`fire`](Self::fire), one after the other, before it [finishes](Self::finish_clips).
    pub fn advance_clips(&mut self, n: usize) -> Fired {
        let mut fired = Fired::default();
        self.show_driven(n);
        let Self { people, pool, library, skeleton, .. } = self;
        let human = &mut people[n];
        if !human.present {
            return fired;
        }
        if human.stillness > 0 {
            human.stillness -= 1;
            human.carried = Default::default();
            return fired;
        }
        let step = human.stack.advance(pool, library, STEP_SECONDS, &mut human.held, &mut |event| {
            // A clip with more events in one step than there is room for loses effects, no held bits.
            let _ = fired.events.push(*event);
        });
        human.carried = (step.moved * human.spawn.scale, step.turned);
        let clip = human.stack.clip(pool);
        human.playing = clip.map_or(0, |clip| library.clip(clip).id);
        let mut pose = LocalPose::reference(skeleton);
        human.stack.pose(pool, library, skeleton, &mut pose);
        let place = human.pose();
        skeleton.place(&pose, &place, human.spawn.scale, &mut human.bones);
        fired.ended = step.ended;
        fired
    }

    /// Step 6 of one human, its last part: what the end of a clip means.
    pub fn finish_clips(&mut self, n: usize, fired: &Fired) {
        if let Some(clip) = fired.ended {
            self.ended(n, clip);
        }
    }

    /// One event of a human's clip; answers the message that it sends.
    ///
    /// Source: humans and combat, Animation tasks (events 0x24 to 0x26 and their messages).
    pub fn fire(&mut self, n: usize, event: &Event) -> Option<Sent> {
        let at = self.people[n].bones[usize::from(event.bone).min(crate::animation::skeleton::BONES - 1)].position;
        match event.kind {
            kind::STEP => {
                let human = &self.people[n];
                let notice = Notice::Step { human: n as u8, at, material: human.ground_material, gait: human.gait };
                self.notify(notice);
            }
            kind::STRIKE_ON | kind::STRIKE_OFF | kind::ALL_ON | kind::ALL_OFF => self.switch_strike(n, event),
            kind::PARTNER_HIT => self.hit_partner(n, event.value),
            kind::RELEASE => {
                self.did(Deed::Threw { by: n as u8 });
                self.notify(Notice::Release { human: n as u8, at });
            }
            kind::TAKE => {
                self.did(Deed::Took { by: n as u8 });
                self.notify(Notice::Take { human: n as u8, at });
            }
            _ => {}
        }
        let message = match event.kind {
            kind::WARNING => number::ATTACK_WARNING,
            kind::COUNTER => number::COUNTER_WINDOW,
            kind::EARLY_BLOCK => number::EARLY_BLOCK,
            _ => return None,
        };
        self.people[n].fight.target.map(|target| (target, message))
    }

    /// A human takes a message of `by`; says whether it means anything to a human.
    pub fn receive(&mut self, n: usize, message: u32, by: u8) -> bool {
        let Some(human) = self.people.get_mut(n).filter(|human| human.present) else { return false };
        match message {
            // Either may be blocked from now on.
            number::ATTACK_WARNING | number::EARLY_BLOCK => human.fight.warned_by = Some(by),
            number::COUNTER_WINDOW => human.fight.open = Some(by),
            _ => return false,
        }
        true
    }

    /// The task that loops a clip.
    fn looping(&mut self, clip: ClipIndex) -> Option<AnimTaskId> {
        self.pool.take(AnimTask::looping(clip))
    }

    /// Pushes a task, if there was one to have, with a fade to it.
    pub(super) fn push(&mut self, n: usize, task: Option<AnimTaskId>, fade: f32, fade_held: u32) {
        let Some(task) = task else { return };
        let Self { people, pool, library, .. } = self;
        let human = &mut people[n];
        human.stack.push(pool, task, fade, fade_held, &mut human.held);
        human.playing = human.stack.clip(pool).map_or(0, |clip| library.clip(clip).id);
    }

    /// Plays a clip over and over.
    pub fn play_loop(&mut self, n: usize, clip: ClipIndex, fade: f32, fade_held: u32) {
        let task = self.looping(clip);
        self.push(n, task, fade, fade_held);
    }

    /// Plays a clip once with held bits, then another over and over, blended in over `blend` seconds.
    pub fn play_then(&mut self, n: usize, clip: ClipIndex, held: u32, next: ClipIndex, blend: f32, fade: f32) {
        let next = self.looping(next);
        self.play_once(n, clip, held, next, blend, fade);
    }

    /// Plays a clip once with held bits, then the gait blend.
    pub fn play_then_gait(&mut self, n: usize, clip: ClipIndex, held: u32, value: f32, fade: f32) {
        let next = self.pool.take(AnimTask::gait(self.cast.gaits(), value));
        self.play_once(n, clip, held, next, 0.0, fade);
    }

    /// Plays the gait blend.
    pub fn play_gait(&mut self, n: usize, value: f32, fade: f32) {
        let task = self.pool.take(AnimTask::gait(self.cast.gaits(), value));
        self.push(n, task, fade, 0);
    }

    /// Plays a landing: then the idle, or the gait at what the stick asks.
    pub fn play_landing(&mut self, n: usize, clip: ClipIndex, held: u32, next: Option<ClipIndex>) {
        let value = self.people[n].speeds.blend(self.people[n].speed);
        match next {
            Some(next) => self.play_then(n, clip, held, next, 0.1, 0.1),
            // At once: a fade would hold back the motion that carries the runner.
            None => self.play_then_gait(n, clip, held, value, 0.0),
        }
    }

    fn play_once(&mut self, n: usize, clip: ClipIndex, held: u32, next: Option<AnimTaskId>, blend: f32, fade: f32) {
        let Some(task) = self.pool.take(AnimTask::new(Play::Once { next, blend }, clip, held)) else {
            if let Some(next) = next {
                self.pool.give(next);
            }
            return;
        };
        self.people[n].held |= held;
        self.push(n, Some(task), fade, 0);
    }

    /// Sets the gait blend's target, when one plays; says whether one does.
    pub fn aim_gait(&mut self, n: usize, value: f32) -> bool {
        let task = self.people[n].stack.newest().and_then(|id| self.pool.get_mut(id));
        match task.map(|task| &mut task.play) {
            Some(Play::Gait { target, .. }) => {
                *target = value;
                true
            }
            _ => false,
        }
    }

    /// How much of its clip a human has played, 0 to 1.
    pub fn played(&self, n: usize) -> f32 {
        let task = self.people[n].stack.newest().and_then(|id| self.pool.get(id));
        task.map_or(0.0, |task| task.time / task.length(&self.library).max(1e-3))
    }

    /// Whether the clip that plays strikes humans at their capsules.
    pub fn strikes_capsules(&self, n: usize) -> bool {
        let clip = self.people[n].stack.clip(&self.pool);
        clip.is_some_and(|clip| self.library.clip(clip).flags & flag::STRIKES_CAPSULES != 0)
    }
}
