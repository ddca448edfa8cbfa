//! The tasks of one human: the newest at the bottom, fades on top, and what all of them together show.
//!
//! Our choice: a push is carried out at once. The original queues up to ten of them until the next animation step, which is
//! also when a task that was pushed here is first advanced.

use super::events::Event;
use super::library::{ClipIndex, ClipLibrary};
use super::pool::{AnimPool, AnimTaskId};
use super::pose::LocalPose;
use super::skeleton::Skeleton;
use super::task::{Advance, AnimTask, Play};
use crate::maths::Vec3;
use crate::tasks::humans::held::apply_event;

/// Tasks of one human. Source: humans and combat, Animation tasks.
pub const STACK: usize = 18;
/// Tasks beyond which the newest fade is finished before another comes.
const CROWDED: usize = 6;
/// Tasks beyond which a push leaves the new one alone.
const FULL: usize = 12;
/// Poses that one stack mixes. Source: humans and combat, Animation tasks.
const POSES: usize = 7;

/// What a step of a stack came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StackStep {
    /// Metres in the human's space at scale 1.
    pub moved: Vec3,
    /// Radians clockwise.
    pub turned: f32,
    /// The newest task's clip has ended; the clip.
    pub ended: Option<ClipIndex>,
}

/// One human's tasks, the newest first, its fades last.
#[derive(Clone, Debug, Default)]
pub struct AnimStack {
    tasks: heapless::Vec<AnimTaskId, STACK>,
}

impl AnimStack {
    /// Tasks on the stack.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether nothing plays.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// The newest task below its layers, which is what the human does.
    pub fn newest(&self, pool: &AnimPool) -> Option<AnimTaskId> {
        self.tasks.first().map(|id| pool.below_layers(*id))
    }

    /// The clip that the human plays.
    pub fn clip(&self, pool: &AnimPool) -> Option<ClipIndex> {
        pool.get(self.newest(pool)?)?.leader()
    }

    /// The layer on the newest task, when there is one.
    pub fn layer(&self, pool: &AnimPool) -> Option<AnimTaskId> {
        let id = self.tasks.first().copied()?;
        matches!(pool.get(id)?.play, Play::Layer { .. }).then_some(id)
    }

    /// Lays a clip, over and over, over some bones of the newest task; `share` of it is seen at first. Nothing is laid on a
    /// layer. Says whether there is one now.
    pub fn lay(&mut self, pool: &mut AnimPool, clip: ClipIndex, mask: u64, share: f32) -> bool {
        let Some(base) = self.tasks.first().copied() else { return false };
        if self.layer(pool).is_some() {
            return true;
        }
        let layer = pool.take(AnimTask::new(Play::Layer { base, mask, share, shows: true }, clip, 0));
        if let Some(layer) = layer {
            self.tasks[0] = layer;
        }
        layer.is_some()
    }

    /// The stack, for people: newest first.
    pub fn iter<'a>(&'a self, pool: &'a AnimPool) -> impl Iterator<Item = &'a AnimTask> {
        self.tasks.iter().filter_map(|id| pool.get(*id))
    }

    /// Pushes a task with a fade to it of `seconds`, which keeps `fade_held` until it is over. The caller has set what the
    /// task keeps on the human; the fade's bits are set here.
    ///
    /// Source: humans and combat, Animation tasks (Stack).
    pub fn push(&mut self, pool: &mut AnimPool, task: AnimTaskId, seconds: f32, fade_held: u32, held: &mut u32) {
        if self.tasks.len() > CROWDED {
            self.finish_newest_fade(pool, held);
        }
        if self.tasks.len() > FULL {
            self.clear(pool, held);
        }
        // The stack is far from full here: two tasks a push, six before it.
        let _ = self.tasks.insert(0, task);
        if self.tasks.len() == 1 {
            return;
        }
        if let Some(fade) = pool.take(AnimTask::fade(seconds, fade_held)) {
            *held |= fade_held;
            let _ = self.tasks.push(fade);
            if seconds <= 0.0 {
                self.finish_newest_fade(pool, held);
            }
        } else {
            self.keep_newest_only(pool, held);
        }
    }

    /// Gives everything back.
    pub fn clear(&mut self, pool: &mut AnimPool, held: &mut u32) {
        while let Some(id) = self.tasks.pop() {
            release(pool, id, 0, held);
        }
    }

    /// Puts another clip in the newest task's place, as a chain does: no fade, the same task.
    pub fn swap(&mut self, pool: &mut AnimPool, clip: ClipIndex, keeps: u32) -> bool {
        let Some(task) = self.newest(pool).and_then(|id| pool.get_mut(id)) else { return false };
        task.swap(clip, keeps);
        true
    }

    /// One step of `dt` seconds: every task goes on, the newest task's events reach `fire`, fades that are over give back
    /// what they faded from, and a clip that has ended gives way to what is behind it.
    pub fn advance(
        &mut self,
        pool: &mut AnimPool,
        library: &ClipLibrary,
        dt: f32,
        held: &mut u32,
        fire: &mut dyn FnMut(&Event),
    ) -> StackStep {
        let mut out = StackStep::default();
        let share = self.incoming_share(pool);
        let mut over = None;
        for n in 0..self.tasks.len() {
            let id = self.advance_layers(pool, library, n, dt);
            let Some(mut task) = pool.get(id).copied() else { continue };
            let advance = if n == 0 {
                task.advance(library, dt, &mut |event, keeps| {
                    apply_event(event.kind, held, keeps);
                    fire(event);
                })
            } else {
                task.advance(library, dt, &mut |_, _| {})
            };
            let (is_fade, next) = (task.is_fade(), task.next());
            if let (Play::Once { blend, .. }, Some(next)) = (task.play, next)
                && task.seconds_left(library) < blend
                && let Some(mut coming) = pool.get(next).copied()
            {
                coming.advance(library, dt, &mut |_, _| {});
                pool.put(next, coming);
            }
            pool.put(id, task);
            let weight = if n == 0 { share } else { (1.0 - share) * f32::from(u8::from(n == 1)) };
            out.moved += advance.moved * weight;
            out.turned += advance.turned * weight;
            match advance.ended {
                Some(_) if is_fade => over = Some(n),
                Some(left) => {
                    if n == 0 {
                        out.ended = task.leader();
                    }
                    self.hand_on(pool, library, (n, id), left.min(dt), held);
                }
                None => {}
            }
        }
        if let Some(fade) = over {
            self.drop_fade(pool, fade, held);
        }
        out
    }

    /// The newest task's share of the human's motion.
    fn incoming_share(&self, pool: &AnimPool) -> f32 {
        let top = self.tasks.last().and_then(|id| pool.get(*id)).filter(|top| top.is_fade());
        1.0 - top.map_or(0.0, AnimTask::outgoing_share)
    }

    /// The layers on task `n` go on, and one that has gone is given back; what lies below them. Layers carry nobody and fire
    /// nothing.
    fn advance_layers(&mut self, pool: &mut AnimPool, library: &ClipLibrary, n: usize, dt: f32) -> AnimTaskId {
        let mut at = self.tasks[n];
        while let Some(AnimTask { play: Play::Layer { base, .. }, .. }) = pool.get(at).copied() {
            if let Some(layer) = pool.get_mut(at) {
                layer.advance(library, dt, &mut |_, _| {});
            }
            let gone = matches!(pool.get(at), Some(AnimTask { play: Play::Layer { share, shows: false, .. }, .. }) if *share <= 0.0);
            if gone {
                pool.give_only(at);
                self.put_in_place(pool, n, at, base);
            }
            at = base;
        }
        at
    }

    /// Puts another task in the place of one, be it on the stack or below layers.
    fn put_in_place(&mut self, pool: &mut AnimPool, n: usize, old: AnimTaskId, new: AnimTaskId) {
        let mut at = self.tasks[n];
        if at == old {
            self.tasks[n] = new;
            return;
        }
        while let Some(AnimTask { play: Play::Layer { base, .. }, .. }) = pool.get_mut(at) {
            if *base == old {
                *base = new;
                return;
            }
            at = *base;
        }
    }

    /// What is behind a task that has ended, `left` seconds ago, takes its place: on the stack and its own.
    fn hand_on(
        &mut self,
        pool: &mut AnimPool,
        library: &ClipLibrary,
        (n, id): (usize, AnimTaskId),
        left: f32,
        held: &mut u32,
    ) {
        let kept = self.kept_by_others(pool, self.tasks[n]);
        let Some(task) = pool.get_mut(id) else { return };
        *held &= !(task.held & !kept);
        task.held = 0;
        let blended = matches!(task.play, Play::Once { blend, .. } if blend > 0.0);
        let Some(next) = task.next() else { return };
        pool.give_only(id);
        self.put_in_place(pool, n, id, next);
        let overshoot = if blended { 0.0 } else { left };
        if let Some(mut coming) = pool.get(next).copied() {
            coming.advance(library, overshoot, &mut |_, _| {});
            pool.put(next, coming);
        }
    }

    /// A fade is over: it and what it faded from go.
    fn drop_fade(&mut self, pool: &mut AnimPool, fade: usize, held: &mut u32) {
        // Fades nest: the last one fades to the first task, the one before it to the second, and so on.
        let target = self.tasks.len() - 1 - fade;
        let kept = self.tasks.get(target).map_or(0, |id| pool.held(*id));
        for n in (target + 1..=fade).rev() {
            let id = self.tasks.remove(n);
            release(pool, id, kept, held);
        }
    }

    fn finish_newest_fade(&mut self, pool: &mut AnimPool, held: &mut u32) {
        if self.tasks.last().and_then(|id| pool.get(*id)).is_some_and(AnimTask::is_fade) {
            self.drop_fade(pool, self.tasks.len() - 1, held);
        }
    }

    fn keep_newest_only(&mut self, pool: &mut AnimPool, held: &mut u32) {
        let kept = self.tasks.first().map_or(0, |id| pool.held(*id));
        while self.tasks.len() > 1 {
            if let Some(id) = self.tasks.pop() {
                release(pool, id, kept, held);
            }
        }
    }

    fn kept_by_others(&self, pool: &AnimPool, not: AnimTaskId) -> u32 {
        self.tasks.iter().filter(|id| **id != not).fold(0, |kept, id| kept | pool.held(*id))
    }

    /// What each task counts in what all of them show, in their order; a fade tells what goes out through it still has.
    pub fn shares(&self, pool: &AnimPool) -> heapless::Vec<f32, STACK> {
        let plain = self.plain(pool);
        let mut left = 1.0;
        let tasks = self.tasks.iter().enumerate();
        tasks
            .map(|(n, id)| match pool.get(*id) {
                Some(task) if n >= self.tasks.len() - self.fades(pool) => task.outgoing_share(),
                Some(_) if n < plain => {
                    let outgoing = if n + 1 == plain { 0.0 } else { self.outgoing(pool, n, plain) };
                    let share = left * (1.0 - outgoing);
                    left *= outgoing;
                    share
                }
                _ => 0.0,
            })
            .collect()
    }

    /// Fades at the end of the stack.
    fn fades(&self, pool: &AnimPool) -> usize {
        self.tasks.iter().rev().take_while(|id| pool.get(**id).is_some_and(AnimTask::is_fade)).count()
    }

    /// Tasks whose poses are mixed.
    fn plain(&self, pool: &AnimPool) -> usize {
        (self.tasks.len() - self.fades(pool)).min(POSES)
    }

    /// How much of what is behind task `n`, of `plain` that are mixed, is still seen.
    fn outgoing(&self, pool: &AnimPool, n: usize, plain: usize) -> f32 {
        let fade =
            self.tasks.len().checked_sub(n + 1).filter(|at| *at >= plain).and_then(|at| pool.get(self.tasks[at]));
        fade.map_or(0.0, AnimTask::outgoing_share)
    }

    /// What all tasks together show.
    pub fn pose(&self, pool: &AnimPool, library: &ClipLibrary, skeleton: &Skeleton, out: &mut LocalPose) {
        *out = LocalPose::reference(skeleton);
        let plain = self.plain(pool);
        // From the innermost, which fades out of all others, to the newest.
        for n in (0..plain).rev() {
            let Some(task) = pool.get(self.tasks[n]) else { continue };
            let outgoing = self.outgoing(pool, n, plain);
            if n + 1 == plain || outgoing <= 0.0 {
                task.sample(pool, library, skeleton, out);
            } else {
                let mut newer = LocalPose::reference(skeleton);
                task.sample(pool, library, skeleton, &mut newer);
                newer.blend(out, outgoing);
                *out = newer;
            }
        }
    }
}

/// Gives a task back and clears the bits that it kept and nobody else does.
fn release(pool: &mut AnimPool, id: AnimTaskId, kept: u32, held: &mut u32) {
    *held &= !(pool.held(id) & !kept);
    pool.give(id);
}

impl StackStep {
    /// Nothing moved and nothing ended.
    pub fn is_still(&self) -> bool {
        self.moved == Vec3::ZERO && self.turned == 0.0
    }
}

impl From<Advance> for StackStep {
    fn from(advance: Advance) -> Self {
        Self { moved: advance.moved, turned: advance.turned, ended: None }
    }
}
