//! The sequence: link animations played once, then a cycle that repeats (CSequence).
//!
//! Nodes before the first cyclic one are links. When a node ends while links are still ahead of the cycle, an "animation
//! done" hook is queued; the owner processes hooks after each update, which is what completes motions. A cycle alone never
//! does.
//!
//! Source: motion notes, CSequence essentials.

use super::Queue;
use super::position::EPSILON;
use crate::maths::Vec3;
use heapless::Vec;

/// Animations that a sequence holds.
///
/// Our choice: the original's list is unbounded. An animation too many is dropped and counted.
pub const MAX_SEQUENCE: usize = 32;
/// Hooks waiting to be processed.
pub const MAX_HOOKS: usize = 32;
/// Animations that one update passes through before it gives up the rest of its time.
///
/// Our choice: data with absurd frame rates would otherwise spin for a long time.
const MAX_PASSES: u32 = 64;

/// A stretch of an animation clip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AnimRange {
    /// Which clip of the game's clip set.
    pub clip: u32,
    /// First frame.
    pub low_frame: u16,
    /// Last frame.
    pub high_frame: u16,
    /// Frames a second, negative backwards.
    pub framerate: f32,
    /// Which of the table's frame hooks belong to the clip: first and number.
    pub hooks: (u16, u16),
}

impl AnimRange {
    /// Where playing starts.
    fn starting_frame(&self) -> f32 {
        if self.framerate >= 0.0 { f32::from(self.low_frame) } else { f32::from(self.high_frame) + 1.0 - EPSILON }
    }

    /// Where playing ends.
    fn ending_frame(&self) -> f32 {
        if self.framerate >= 0.0 { f32::from(self.high_frame) + 1.0 - EPSILON } else { f32::from(self.low_frame) }
    }
}

/// Something that playing set off.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Hook {
    /// A link ended.
    AnimDone,
    /// A frame of a clip was passed, forwards or backwards.
    Frame {
        /// The clip.
        clip: u32,
        /// The frame left behind.
        frame: u16,
        /// Whether it was passed forwards.
        forward: bool,
        /// Which of the table's frame hooks belong to the clip: first and number.
        hooks: (u16, u16),
    },
}

/// What the sequence does to the body in a stretch of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SequenceMotion {
    /// Local movement in metres.
    pub offset: Vec3,
    /// Local rotation in radians.
    pub rotation: Vec3,
}

/// Animations in playing order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    list: Vec<AnimRange, MAX_SEQUENCE>,
    /// Index of the first cyclic animation.
    first_cyclic: Option<usize>,
    /// Index of the animation that plays.
    current: Option<usize>,
    /// Where in it; frames of its clip.
    frame: f32,
    /// Local velocity in metres a second.
    pub velocity: Vec3,
    /// Local turning in radians a second.
    pub omega: Vec3,
    hooks: Queue<Hook, MAX_HOOKS>,
    /// Ended links behind the hooks: they complete motions, so that none of them may be lost.
    ended: u32,
    lost: u32,
}

impl Sequence {
    /// Whether anything plays.
    pub fn has_anims(&self) -> bool {
        !self.list.is_empty()
    }

    /// Number of animations, links and cycle.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nothing plays.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The animations in playing order.
    pub fn animations(&self) -> &[AnimRange] {
        &self.list
    }

    /// Number of link animations.
    pub fn links(&self) -> usize {
        self.first_cyclic.unwrap_or(self.list.len())
    }

    /// The animation that plays and the frame it is at.
    pub fn current(&self) -> Option<(AnimRange, f32)> {
        self.current.and_then(|index| self.list.get(index)).map(|range| (*range, self.frame))
    }

    /// Animations of a motion that found no room.
    pub(super) fn overflowed(&self) -> u32 {
        self.lost
    }

    /// Counts a motion that was refused for want of room.
    pub(super) fn count_refusal(&mut self) {
        self.lost = self.lost.saturating_add(1);
    }

    /// Entries that found the list or the hook queue full.
    pub fn lost(&self) -> u32 {
        self.lost.saturating_add(self.hooks.lost())
    }

    /// Appends an animation; it becomes the cycle and what was the cycle becomes a link. Animations whose rate is no number
    /// are skipped like missing ones.
    pub fn append(&mut self, range: AnimRange) {
        if !range.framerate.is_finite() {
            return;
        }
        if self.list.push(range).is_err() {
            self.lost = self.lost.saturating_add(1);
            return;
        }
        self.first_cyclic = Some(self.list.len() - 1);
        if self.current.is_none() {
            self.start_at(Some(0));
        }
    }

    fn start_at(&mut self, index: Option<usize>) {
        self.current = index;
        self.frame = index.and_then(|index| self.list.get(index)).map_or(0.0, AnimRange::starting_frame);
    }

    fn remove(&mut self, index: usize) {
        self.list.remove(index);
        let shift = |at: Option<usize>| at.map(|at| if at > index { at - 1 } else { at });
        self.first_cyclic = shift(self.first_cyclic);
        self.current = shift(self.current);
    }

    /// Drops up to `count` links, the last ones first. If the playing one goes, the cycle starts.
    pub fn remove_link_animations(&mut self, count: u32) {
        for _ in 0..count {
            let Some(last_link) = self.first_cyclic.and_then(|first| first.checked_sub(1)) else { return };
            let was_playing = self.current == Some(last_link);
            self.remove(last_link);
            if was_playing {
                self.start_at(self.first_cyclic);
            }
        }
    }

    /// Drops every link.
    pub fn remove_all_link_animations(&mut self) {
        self.remove_link_animations(u32::MAX);
    }

    /// Drops the cycle; what plays goes on, or jumps to the end of the last link when the cycle played.
    pub fn remove_cyclic_anims(&mut self) {
        let Some(first) = self.first_cyclic else { return };
        let cycle_played = self.current.is_some_and(|current| current >= first);
        self.list.truncate(first);
        let last = self.list.len().checked_sub(1);
        if cycle_played {
            self.current = last;
            self.frame = last.and_then(|last| self.list.get(last)).map_or(0.0, AnimRange::ending_frame);
        }
        self.first_cyclic = last;
    }

    /// Drops everything.
    pub fn clear_animations(&mut self) {
        self.list.clear();
        (self.first_cyclic, self.current, self.frame) = (None, None, 0.0);
    }

    /// Stops the movement and turning that the sequence causes.
    pub fn clear_physics(&mut self) {
        (self.velocity, self.omega) = (Vec3::ZERO, Vec3::ZERO);
    }

    /// Changes the cycle's frame rates.
    pub fn multiply_cyclic_framerate(&mut self, factor: f32) {
        if let Some(cycle) = self.first_cyclic.and_then(|first| self.list.get_mut(first..))
            && factor.is_finite()
        {
            cycle.iter_mut().for_each(|range| range.framerate *= factor);
        }
    }

    /// Takes the oldest hook that playing set off.
    pub fn next_hook(&mut self) -> Option<Hook> {
        self.hooks.pop().or_else(|| {
            self.ended = self.ended.checked_sub(1)?;
            Some(Hook::AnimDone)
        })
    }

    /// Plays for `dt` seconds and returns how the body moves meanwhile.
    pub fn update(&mut self, dt: f32) -> SequenceMotion {
        if self.has_anims() {
            self.advance(dt);
            self.drop_played();
        }
        SequenceMotion { offset: self.velocity * dt, rotation: self.omega * dt }
    }

    /// Moves through the animations until the time is used up.
    fn advance(&mut self, mut time: f32) {
        for _ in 0..MAX_PASSES {
            let Some(range) = self.current.and_then(|index| self.list.get(index)).copied() else { return };
            let before = self.frame;
            let aimed = before + range.framerate * time;
            let (low, end) = (f32::from(range.low_frame), f32::from(range.high_frame) + 1.0);
            // Our choice: an animation ends a hair before its end, because single floats add up to just below it, on the
            // console more often than on the host. The original adds in doubles.
            let (after, overshoot) = if range.framerate > 0.0 && aimed >= end - EPSILON {
                (range.ending_frame(), (aimed - end).max(0.0))
            } else if range.framerate < 0.0 && aimed <= low + EPSILON {
                (low, (aimed - low).min(0.0))
            } else {
                self.pass_frames(&range, before, aimed);
                self.frame = aimed;
                return;
            };
            self.pass_frames(&range, before, after);
            self.frame = after;
            if self.links() > 0 {
                self.link_ended();
            }
            let next = self.current.map(|index| index + 1).filter(|next| *next < self.list.len()).or(self.first_cyclic);
            self.start_at(next);
            let left = overshoot / range.framerate;
            if left <= 0.0 || !left.is_finite() {
                return;
            }
            time = left;
        }
        self.lost = self.lost.saturating_add(1);
    }

    fn link_ended(&mut self) {
        if self.ended > 0 || self.hooks.len() == MAX_HOOKS {
            self.ended = self.ended.saturating_add(1);
        } else {
            self.hooks.push(Hook::AnimDone);
        }
    }

    /// Queues a hook for every whole frame between two places in a clip.
    fn pass_frames(&mut self, range: &AnimRange, before: f32, after: f32) {
        if range.hooks.1 == 0 {
            return;
        }
        let forward = after > before;
        let (mut at, to) = (before as u16, after as u16);
        while at != to {
            self.hooks.push(Hook::Frame { clip: range.clip, frame: at, forward, hooks: range.hooks });
            at = if forward { at.saturating_add(1) } else { at.saturating_sub(1) };
        }
    }

    /// Drops the links that have been played.
    fn drop_played(&mut self) {
        while let (Some(current), Some(first)) = (self.current, self.first_cyclic) {
            if current == 0 || first == 0 {
                return;
            }
            self.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(clip: u32, frames: u16, framerate: f32) -> AnimRange {
        AnimRange { clip, low_frame: 0, high_frame: frames - 1, framerate, hooks: (0, 0) }
    }

    fn done_hooks(sequence: &mut Sequence) -> usize {
        core::iter::from_fn(|| sequence.next_hook()).filter(|hook| *hook == Hook::AnimDone).count()
    }

    #[test]
    fn two_links_end_with_two_hooks_and_the_cycle_with_none() {
        let mut sequence = Sequence::default();
        for (id, frames) in [(1, 10), (2, 5), (3, 15)] {
            sequence.append(clip(id, frames, 30.0));
        }
        assert_eq!(sequence.links(), 2);
        let mut hooks = alloc::vec::Vec::new();
        for step in 1..=90 {
            sequence.update(1.0 / 30.0);
            if done_hooks(&mut sequence) == 1 {
                hooks.push(step);
            }
        }
        assert_eq!(hooks, [10, 15]);
        assert_eq!((sequence.len(), sequence.links()), (1, 0), "played links are dropped");
    }

    #[test]
    fn a_link_of_more_frames_than_hooks_still_ends() {
        let mut sequence = Sequence::default();
        sequence.append(AnimRange { hooks: (0, 1), ..clip(1, 40, 30.0) });
        sequence.append(clip(2, 10, 30.0));
        sequence.update(1.5);
        assert!(sequence.lost() > 0, "frames were lost");
        assert_eq!(done_hooks(&mut sequence), 1);
    }

    #[test]
    fn time_left_over_at_an_end_goes_into_the_next_animation() {
        let mut sequence = Sequence::default();
        sequence.append(clip(1, 3, 30.0));
        sequence.append(clip(2, 30, 30.0));
        sequence.update(0.2);
        let (range, frame) = sequence.current().unwrap();
        assert_eq!(range.clip, 2);
        assert!((frame - 3.0).abs() < 1e-3, "{frame}");
        assert_eq!(done_hooks(&mut sequence), 1);
    }

    #[test]
    fn an_animation_plays_backwards_from_its_end() {
        let mut sequence = Sequence::default();
        sequence.append(clip(1, 10, -30.0));
        sequence.append(clip(2, 10, -30.0));
        sequence.update(0.1);
        assert!((sequence.current().unwrap().1 - 7.0).abs() < 1e-2);
        sequence.update(0.3);
        assert_eq!(sequence.current().unwrap().0.clip, 2);
        assert_eq!(done_hooks(&mut sequence), 1);
    }

    #[test]
    fn removing_the_cycle_leaves_the_last_link_at_its_end() {
        let mut sequence = Sequence::default();
        sequence.append(clip(1, 10, 30.0));
        sequence.append(clip(2, 10, 30.0));
        sequence.update(0.5);
        assert_eq!(sequence.current().unwrap().0.clip, 2);
        sequence.remove_cyclic_anims();
        assert_eq!((sequence.current(), sequence.len()), (None, 0), "the link was dropped when it had played");
        sequence.append(clip(1, 10, 30.0));
        sequence.append(clip(2, 10, 30.0));
        sequence.remove_cyclic_anims();
        sequence.append(clip(3, 10, 30.0));
        assert_eq!(sequence.current().unwrap().0.clip, 1, "what plays goes on");
        assert_eq!(sequence.links(), 1);
    }

    #[test]
    fn steps_that_add_up_to_an_end_reach_it() {
        for (frames, rate) in [(16, 24.0), (10, 30.0), (12, 18.0), (26, 30.0), (7, 21.0)] {
            let mut sequence = Sequence::default();
            sequence.append(clip(1, frames, rate));
            sequence.append(clip(2, 30, 30.0));
            let wanted = (f32::from(frames) * 30.0 / rate) as usize;
            let steps = (1..).find(|_| {
                sequence.update(1.0 / 30.0);
                done_hooks(&mut sequence) != 0
            });
            assert_eq!(steps, Some(wanted), "{frames} frames at {rate}");
        }
    }

    #[test]
    fn stripping_links_starts_the_cycle() {
        let mut sequence = Sequence::default();
        for id in 1..=3 {
            sequence.append(clip(id, 10, 30.0));
        }
        sequence.remove_link_animations(1);
        assert_eq!(sequence.animations().iter().map(|range| range.clip).collect::<alloc::vec::Vec<_>>(), [1, 3]);
        sequence.remove_all_link_animations();
        assert_eq!(sequence.current().map(|(range, frame)| (range.clip, frame)), Some((3, 0.0)));
        sequence.remove_all_link_animations();
        assert_eq!(sequence.len(), 1);
    }

    #[test]
    fn frames_passed_are_reported_once_each() {
        let mut sequence = Sequence::default();
        sequence.append(AnimRange { hooks: (0, 1), ..clip(1, 10, 30.0) });
        let mut frames = alloc::vec::Vec::new();
        for _ in 0..8 {
            sequence.update(0.051);
            while let Some(hook) = sequence.next_hook() {
                if let Hook::Frame { frame, forward: true, .. } = hook {
                    frames.push(frame);
                }
            }
        }
        assert_eq!(frames, [0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1]);
    }

    #[test]
    fn absurd_frame_rates_end() {
        for rate in [f32::MAX, f32::INFINITY, f32::NAN, 1e30, -1e30, 0.0] {
            let mut sequence = Sequence::default();
            sequence.append(clip(1, 2, rate));
            sequence.append(clip(2, 1, rate));
            sequence.update(0.2);
            sequence.multiply_cyclic_framerate(f32::NAN);
            sequence.update(f32::NAN);
            assert!(sequence.len() <= 2);
        }
    }

    #[test]
    fn a_full_sequence_counts_what_it_drops() {
        let mut sequence = Sequence::default();
        (0..MAX_SEQUENCE as u32 + 3).for_each(|id| sequence.append(clip(id, 10, 30.0)));
        assert_eq!((sequence.len(), sequence.lost()), (MAX_SEQUENCE, 3));
    }
}
