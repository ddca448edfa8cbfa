//! From a motion to a sequence: links, cycles, modifiers, actions and stance changes (GetObjectSequence and its kin).

use super::{MotionData, MotionTable, styled_key};
use crate::motion::motion_state::PlayedMotion;
use crate::motion::parts::ObjectMotions;
use crate::motion::position::EPSILON;
use crate::motion::{MotionClass, MotionId, MotionState, Sequence};

/// How deep re-applied modifiers may re-apply modifiers.
///
/// Our choice: a table whose modifiers are cycles of their own would otherwise never end.
const MAX_DEPTH: u32 = 4;

/// Whether two speeds have the same sign; zero counts as positive.
fn same_sign(a: f32, b: f32) -> bool {
    (a < 0.0) == (b < 0.0)
}

/// Animations of optional motions, all together.
fn anims(motions: &[Option<MotionData>]) -> u32 {
    motions.iter().flatten().map(MotionData::num_anims).sum()
}

/// Animations that must end before a motion's cycle is reached.
fn anims_before_cycle(links: &[Option<MotionData>], cycle: &MotionData) -> u32 {
    // A cycle without animations is legal: nothing has to end for it.
    (anims(links) + cycle.num_anims()).saturating_sub(1)
}

fn change_cycle_speed(sequence: &mut Sequence, old: f32, new: f32) {
    if old.abs() > EPSILON {
        sequence.multiply_cyclic_framerate(new / old);
    } else if new.abs() < EPSILON {
        sequence.multiply_cyclic_framerate(0.0);
    }
}

fn combine_motion(sequence: &mut Sequence, data: &MotionData, speed: f32) {
    sequence.velocity += data.velocity * speed;
    sequence.omega += data.omega * speed;
}

/// What is playing when a motion is asked for.
struct Playing {
    style: MotionId,
    substate: MotionId,
    speed: f32,
    default: MotionId,
}

impl MotionTable<'_> {
    /// The link from one motion to another. A motion that goes backwards uses the link of the way back.
    pub fn link(&self, style: MotionId, from: PlayedMotion, to: MotionId, speed: f32) -> Option<MotionData> {
        if speed < 0.0 || from.speed < 0.0 {
            self.link_entry(styled_key(style, to), from.motion)
                .or_else(|| self.link_entry(styled_key(style, from.motion), self.style_default(style)))
        } else {
            self.link_entry(styled_key(style, from.motion), to)
                .or_else(|| self.link_entry(styled_key(style, MotionId::NONE), to))
        }
    }

    fn is_allowed(&self, motion: MotionId, data: &MotionData, state: &MotionState) -> bool {
        !data.only_from_default || motion == state.substate || state.substate == self.style_default(state.style)
    }

    fn add_motion(&self, sequence: &mut Sequence, data: Option<&MotionData>, speed: f32) {
        let Some(data) = data else { return };
        sequence.velocity = data.velocity * speed;
        sequence.omega = data.omega * speed;
        for mut range in self.animations(data) {
            range.framerate *= speed;
            sequence.append(range);
        }
    }

    /// Plays a motion in place of, or on top of, what the state plays. Returns how many animations must end before it is
    /// reached, or `None` when the table has nothing for it (GetObjectSequence).
    fn object_sequence(
        &self,
        motion: MotionId,
        state: &mut MotionState,
        sequence: &mut Sequence,
        speed: f32,
        stop_modifiers: bool,
        depth: u32,
    ) -> Option<u32> {
        if state.style.is_none() || state.substate.is_none() || depth > MAX_DEPTH {
            return None;
        }
        let playing = Playing {
            style: state.style,
            substate: state.substate,
            speed: state.substate_mod,
            default: self.style_default(state.style),
        };
        if motion == playing.default && !stop_modifiers && playing.substate.is(MotionClass::MODIFIER) {
            return Some(0);
        }
        let mut found = None;
        if motion.is(MotionClass::STYLE) {
            found = self.change_style(motion, &playing, state, sequence, speed, depth);
        }
        if found.is_none() && motion.is(MotionClass::SUB_STATE) {
            found = self.change_substate(motion, &playing, state, sequence, speed, depth);
        }
        if found.is_none() && motion.is_action() {
            found = self.play_action(motion, &playing, state, sequence, speed, depth);
        }
        if found.is_none() && motion.is(MotionClass::MODIFIER) {
            found = self.play_modifier(motion, &playing, state, sequence, speed);
        }
        found
    }

    fn change_style(
        &self,
        style: MotionId,
        playing: &Playing,
        state: &mut MotionState,
        sequence: &mut Sequence,
        speed: f32,
        depth: u32,
    ) -> Option<u32> {
        if style == playing.style {
            return Some(0);
        }
        let substate = PlayedMotion { motion: playing.substate, speed: playing.speed };
        let home = (playing.substate != playing.default)
            .then(|| self.link(playing.style, substate, playing.default, speed))
            .flatten();
        let new_default = self.style_default(style);
        let cycle = self.cycle(style, new_default).filter(|_| !new_default.is_none())?;
        if cycle.clears_modifiers {
            state.clear_modifiers();
        }
        let from_default = PlayedMotion { motion: playing.default, speed: playing.speed };
        let mut change = self.link(playing.style, from_default, style, speed);
        let mut through_default_style = None;
        if change.is_none() {
            let common = self.default_style();
            let rest = |motion| PlayedMotion { motion, speed: 1.0 };
            change = self.link(playing.style, rest(playing.default), common, 1.0);
            through_default_style = self.link(common, rest(self.style_default(common)), style, 1.0);
        }
        sequence.clear_physics();
        sequence.remove_cyclic_anims();
        for part in [home.as_ref(), change.as_ref(), through_default_style.as_ref(), Some(&cycle)] {
            self.add_motion(sequence, part, speed);
        }
        (state.substate, state.style, state.substate_mod) = (new_default, style, speed);
        self.re_modify(state, sequence, depth);
        Some(anims_before_cycle(&[home, change, through_default_style], &cycle))
    }

    fn change_substate(
        &self,
        motion: MotionId,
        playing: &Playing,
        state: &mut MotionState,
        sequence: &mut Sequence,
        speed: f32,
        depth: u32,
    ) -> Option<u32> {
        let cycle = self.cycle(playing.style, motion).or_else(|| self.cycle(self.default_style(), motion))?;
        if !self.is_allowed(motion, &cycle, state) {
            return None;
        }
        if motion == playing.substate && same_sign(speed, playing.speed) && sequence.has_anims() {
            change_cycle_speed(sequence, playing.speed, speed);
            combine_motion(sequence, &cycle, -playing.speed);
            combine_motion(sequence, &cycle, speed);
            state.substate_mod = speed;
            return Some(0);
        }
        if cycle.clears_modifiers {
            state.clear_modifiers();
        }
        let substate = PlayedMotion { motion: playing.substate, speed: playing.speed };
        let mut first = self.link(playing.style, substate, motion, speed);
        let mut second = None;
        if first.is_none() || !same_sign(speed, playing.speed) {
            first = self.link(playing.style, substate, playing.default, 1.0);
            let rest = PlayedMotion { motion: playing.default, speed: 1.0 };
            second = self.link(playing.style, rest, motion, speed);
        }
        sequence.clear_physics();
        sequence.remove_cyclic_anims();
        if second.is_some() {
            self.add_motion(sequence, first.as_ref(), playing.speed);
            self.add_motion(sequence, second.as_ref(), speed);
        } else {
            let turns_forward = playing.speed < 0.0 && speed > 0.0;
            self.add_motion(sequence, first.as_ref(), if turns_forward { -speed } else { speed });
        }
        self.add_motion(sequence, Some(&cycle), speed);
        let keeps_playing =
            playing.substate != motion && playing.substate.is(MotionClass::MODIFIER) && playing.default != motion;
        if keeps_playing {
            state.push_modifier(playing.substate, playing.speed);
        }
        (state.substate_mod, state.substate) = (speed, motion);
        self.re_modify(state, sequence, depth);
        Some(anims_before_cycle(&[first, second], &cycle))
    }

    fn play_action(
        &self,
        motion: MotionId,
        playing: &Playing,
        state: &mut MotionState,
        sequence: &mut Sequence,
        speed: f32,
        depth: u32,
    ) -> Option<u32> {
        let cycle = self.cycle(playing.style, playing.substate)?;
        let substate = PlayedMotion { motion: playing.substate, speed: playing.speed };
        let rest = PlayedMotion { motion: playing.default, speed: 1.0 };
        let direct = self.link(playing.style, substate, motion, speed);
        // Without a direct link the action is played from the default cycle, with a way there and a way back.
        let parts = match direct {
            Some(_) => [(direct, speed), (None, 0.0), (None, 0.0)],
            None => {
                let there = self.link(playing.style, substate, playing.default, 1.0)?;
                let action = self.link(playing.style, rest, motion, speed)?;
                let back = self.link(playing.style, rest, playing.substate, playing.speed);
                [(Some(there), 1.0), (Some(action), speed), (back, 1.0)]
            }
        };
        state.add_action(motion, speed);
        sequence.clear_physics();
        sequence.remove_cyclic_anims();
        for (part, part_speed) in &parts {
            self.add_motion(sequence, part.as_ref(), *part_speed);
        }
        self.add_motion(sequence, Some(&cycle), playing.speed);
        self.re_modify(state, sequence, depth);
        Some(anims(&parts.map(|(part, _)| part)))
    }

    fn play_modifier(
        &self,
        motion: MotionId,
        playing: &Playing,
        state: &mut MotionState,
        sequence: &mut Sequence,
        speed: f32,
    ) -> Option<u32> {
        self.cycle(playing.style, playing.substate).filter(|cycle| !cycle.clears_modifiers)?;
        let data = self.modifier(playing.style, motion)?;
        if !state.add_modifier(motion, speed) {
            self.stop_sequence_motion(motion, state, sequence);
            if !state.add_modifier(motion, speed) {
                return None;
            }
        }
        combine_motion(sequence, &data, speed);
        Some(0)
    }

    /// Plays the modifiers again on top of a changed cycle. As in the original, each round takes whichever modifier is the
    /// newest, which is the one that the round before put back.
    fn re_modify(&self, state: &mut MotionState, sequence: &mut Sequence, depth: u32) {
        for _ in 0..state.modifiers().len() {
            let Some(head) = state.modifier_head() else { return };
            state.remove_modifier(head.motion);
            self.object_sequence(head.motion, state, sequence, head.speed, false, depth + 1);
        }
    }

    /// Ends a motion: the cycle returns to the stance's default, a modifier is taken off (StopSequenceMotion).
    fn stop_sequence_motion(&self, motion: MotionId, state: &mut MotionState, sequence: &mut Sequence) -> Option<u32> {
        if motion.is(MotionClass::SUB_STATE) && motion == state.substate {
            let default = self.style_default(state.style);
            // The stop counts even when there is no way to the default cycle.
            return Some(self.object_sequence(default, state, sequence, 1.0, true, 0).unwrap_or(0));
        }
        if !motion.is(MotionClass::MODIFIER) {
            return None;
        }
        let playing = state.modifiers().iter().find(|modifier| modifier.motion == motion).copied()?;
        let data = self.modifier(state.style, motion)?;
        combine_motion(sequence, &data, -playing.speed);
        state.remove_modifier(motion);
        Some(0)
    }
}

impl ObjectMotions for MotionTable<'_> {
    fn set_default_state(&self, state: &mut MotionState, sequence: &mut Sequence) -> Option<u32> {
        let style = self.default_style();
        let substate = self.style_default(style);
        if substate.is_none() {
            return None;
        }
        state.clear_modifiers();
        state.actions.clear();
        let cycle = self.cycle(style, substate)?;
        (state.style, state.substate, state.substate_mod) = (style, substate, 1.0);
        sequence.clear_physics();
        sequence.clear_animations();
        self.add_motion(sequence, Some(&cycle), 1.0);
        Some(anims_before_cycle(&[], &cycle))
    }

    /// A speed that is no number is refused.
    fn do_object_motion(
        &self,
        motion: MotionId,
        state: &mut MotionState,
        sequence: &mut Sequence,
        speed: f32,
    ) -> Option<u32> {
        if !speed.is_finite() {
            return None;
        }
        self.object_sequence(motion, state, sequence, speed, false, 0)
    }

    fn stop_object_motion(&self, motion: MotionId, state: &mut MotionState, sequence: &mut Sequence) -> Option<u32> {
        self.stop_sequence_motion(motion, state, sequence)
    }

    fn stop_object_completely(&self, state: &mut MotionState, sequence: &mut Sequence) -> u32 {
        while let Some(head) = state.modifier_head() {
            self.stop_sequence_motion(head.motion, state, sequence);
            // Our choice: a modifier that the table does not have is dropped, where the original never ends.
            if state.modifier_head() == Some(head) {
                state.remove_modifier(head.motion);
            }
        }
        self.stop_sequence_motion(state.substate, state, sequence).unwrap_or(0)
    }
}
