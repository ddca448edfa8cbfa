//! Animation tasks: one way each of playing clips, in a pool that all humans share.
//!
//! A task knows its clips, its time, the held bits that it keeps and what comes behind it. It knows nothing of who plays
//! it: what happens on the way (motion, events, its end) is what advancing it answers.

use super::library::{ClipIndex, ClipLibrary};
use super::pool::{AnimPool, AnimTaskId};
use super::pose::LocalPose;
use super::skeleton::Skeleton;
use crate::maths::{Quat, Vec3, scalar};
use core::f32::consts::{PI, TAU};

/// The gaits that a blend goes through: walk, jog, run, sprint.
pub const GAITS: usize = 4;
/// Directions of an eight-way task, clockwise from ahead.
pub const DIRECTIONS: usize = 8;

/// How a task plays. The numbers are the original's. Source: humans and combat, Animation tasks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Play {
    /// 1: over and over.
    Loop,
    /// 3: once, then what is behind it, blended in over the last seconds.
    Once {
        /// What comes then; `None` holds the last frame until another task is pushed.
        next: Option<AnimTaskId>,
        /// Seconds of blending at the end.
        blend: f32,
    },
    /// 4 and 5: over the bones of a mask, above another task.
    Layer {
        /// What lies below.
        base: AnimTaskId,
        /// A bit for each bone.
        mask: u64,
        /// How much of it is seen, 0 to 1.
        share: f32,
        /// It comes or stays; else it goes.
        shows: bool,
    },
    /// 6: once, as one of a pair whose other half plays with it: who is held [keeps step](AnimTask::keep_step).
    Paired {
        /// The human of the other half.
        partner: u8,
        /// What comes then.
        next: Option<AnimTaskId>,
    },
    /// 7: at a time that a scene sets.
    Scene,
    /// 9: from what lies between it and the newest task to the newest task.
    Fade {
        /// Seconds in all.
        length: f32,
    },
    /// 10: two clips at one phase.
    TwoMix {
        /// The second.
        other: ClipIndex,
        /// Its share.
        share: f32,
    },
    /// 11: four clips at one phase.
    FourMix {
        /// The other three.
        others: [ClipIndex; 3],
        /// The shares of all four.
        shares: [f32; 4],
    },
    /// 12: walk to sprint, by speed.
    Gait {
        /// The clips, slowest first.
        clips: [ClipIndex; GAITS],
        /// Where between them, 0 to 3.
        value: f32,
        /// Where it goes.
        target: f32,
    },
    /// 13: one of eight directions, mixed with its neighbour.
    EightWay {
        /// The clips, clockwise from ahead.
        clips: [ClipIndex; DIRECTIONS],
        /// Radians clockwise from ahead.
        direction: f32,
    },
}

/// A task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnimTask {
    /// How it plays.
    pub play: Play,
    /// Its clip; a fade has none.
    pub clip: Option<ClipIndex>,
    /// Clip seconds played; a fade's are true seconds; of mixes and blends, the leader's.
    pub time: f32,
    /// A factor on the clip's own rate.
    pub speed: f32,
    /// Held bits that it clears when it goes.
    pub held: u32,
    /// Events of its clip that have fired.
    fired: u16,
}

/// What a step of a task came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Advance {
    /// Metres in the human's space at scale 1.
    pub moved: Vec3,
    /// Radians clockwise.
    pub turned: f32,
    /// Seconds left behind its end, once it has ended.
    pub ended: Option<f32>,
}

/// Summed steps end a hair before a length that they should meet; that hair must not cost a step.
const ROUNDING: f32 = 1e-4;
/// How fast a gait blend's value moves, per second. Source: humans and combat, Animation tasks.
const GAIT_RATE: f32 = 10.0;
/// A gait blend's fraction from which the upper clip is alone, and below which the lower is.
const ALONE: [f32; 2] = [0.01, 0.995];
/// The fraction from which the upper clip leads; of a value that falls it leads at once. Source: humans and combat, Animation tasks.
const UPPER_LEADS: f32 = 0.875;
/// Seconds in which a layer comes and goes. Our choice.
const LAYER_SECONDS: f32 = 0.2;
/// The steps by which a gait pair is chosen: a value this near below a whole counts as it.
const WHOLE_FROM: f32 = 0.995;

impl AnimTask {
    /// A task that plays a clip from its start.
    pub fn new(play: Play, clip: ClipIndex, held: u32) -> Self {
        Self { play, clip: Some(clip), time: 0.0, speed: 1.0, held, fired: 0 }
    }

    /// Cursors that it plays with: one for each clip that is mixed at once.
    ///
    /// Our choice of numbers: the seed gives the pool's size alone. Of a gait blend and of eight directions a pair plays.
    pub fn cursors(&self) -> u8 {
        match self.play {
            Play::Fade { .. } => 0,
            Play::TwoMix { .. } | Play::Gait { .. } | Play::EightWay { .. } => 2,
            Play::FourMix { .. } => 4,
            _ => 1,
        }
    }

    /// A clip over and over.
    pub fn looping(clip: ClipIndex) -> Self {
        Self::new(Play::Loop, clip, 0)
    }

    /// A fade of a length in seconds that keeps held bits until it is over.
    pub fn fade(length: f32, held: u32) -> Self {
        Self { play: Play::Fade { length }, clip: None, time: 0.0, speed: 1.0, held, fired: 0 }
    }

    /// A gait blend that starts at a value.
    pub fn gait(clips: [ClipIndex; GAITS], value: f32) -> Self {
        let value = value.clamp(0.0, (GAITS - 1) as f32);
        Self::new(Play::Gait { clips, value, target: value }, clips[gait_pair(value).0], 0)
    }

    /// Whether it is a fade.
    pub fn is_fade(&self) -> bool {
        matches!(self.play, Play::Fade { .. })
    }

    /// The share that what goes out still has in a fade.
    ///
    /// Source: humans and combat, Animation tasks (fade outgoing weight).
    pub fn outgoing_share(&self) -> f32 {
        match self.play {
            Play::Fade { length } if length > 0.0 && self.time < length => {
                0.5 * (1.0 + scalar::cos(PI * self.time / length))
            }
            _ => 0.0,
        }
    }

    /// The clip that is shown foremost: the one that fires events.
    pub fn leader(&self) -> Option<ClipIndex> {
        match self.play {
            Play::Gait { clips, value, target } => {
                let (low, fraction) = gait_pair(value);
                let falling = target < value;
                let upper = fraction >= ALONE[0] && (falling || fraction > UPPER_LEADS);
                Some(clips[(low + usize::from(upper)).min(GAITS - 1)])
            }
            Play::EightWay { clips, direction } => Some(clips[eight_way(direction).0]),
            _ => self.clip,
        }
    }

    /// Seconds of clip time of the clip that leads.
    pub fn length(&self, library: &ClipLibrary) -> f32 {
        match (self.play, self.leader()) {
            (Play::Fade { length }, _) => length,
            (_, Some(clip)) => library.clip(clip).length,
            _ => 0.0,
        }
    }

    /// True seconds until it ends.
    pub fn seconds_left(&self, library: &ClipLibrary) -> f32 {
        let rate = self.leader().map_or(1.0, |clip| library.clip(clip).rate()) * self.speed;
        ((self.length(library) - self.time) / rate).max(0.0)
    }

    /// Puts another clip in its place, from its start: a chain. The bits it keeps are `held` now.
    pub fn swap(&mut self, clip: ClipIndex, held: u32) {
        (self.clip, self.time, self.fired, self.held) = (Some(clip), 0.0, 0, held);
    }

    /// Starts at a phase from 0 to 1 without firing what lies before.
    pub fn start_at_phase(&mut self, library: &ClipLibrary, phase: f32) {
        self.time = self.length(library) * phase.clamp(0.0, 1.0);
        let frame = crate::tasks::humans::held::event_frame(self.time);
        if let Some(clip) = self.leader() {
            self.fired = library.events(clip).filter(|event| event.frame <= frame).count() as u16;
        }
    }

    /// Goes to where the other half of its pair is, in clip seconds: what lies between fires in its next step.
    pub fn keep_step(&mut self, library: &ClipLibrary, seconds: f32) {
        self.time = seconds.clamp(0.0, self.length(library));
    }

    /// One step of `dt` seconds. Events reach `fire` with the bits that the task keeps. What lies below a layer is not its
    /// to advance: that is a task of its own.
    pub fn advance(
        &mut self,
        library: &ClipLibrary,
        dt: f32,
        fire: &mut dyn FnMut(&super::events::Event, &mut u32),
    ) -> Advance {
        let step = match self.play {
            Play::Fade { length } => {
                self.time += dt;
                return Advance {
                    // A fade ends past its length, not on it: one of a whole number of steps is seen one step more.
                    ended: (self.time > length + ROUNDING || length <= 0.0).then_some(0.0),
                    ..Advance::default()
                };
            }
            Play::Scene => return Advance::default(),
            Play::Gait { .. } => return self.advance_gait(library, dt, fire),
            _ => dt * self.speed,
        };
        if let Play::Layer { share, shows, .. } = &mut self.play {
            let change = dt / LAYER_SECONDS;
            *share = (*share + if *shows { change } else { -change }).clamp(0.0, 1.0);
        }
        let Some(clip) = self.leader() else { return Advance::default() };
        let (length, rate) = (library.clip(clip).length, library.clip(clip).rate());
        let before = self.time;
        self.time += step * rate;
        let loops = matches!(
            self.play,
            Play::Loop | Play::TwoMix { .. } | Play::FourMix { .. } | Play::EightWay { .. } | Play::Layer { .. }
        );
        if self.time + ROUNDING < length {
            self.fire_until(library, clip, self.time, fire);
            return Advance { ended: None, ..carried(library, clip, before, self.time) };
        }
        self.fire_until(library, clip, length, fire);
        if loops {
            let mut out = carried(library, clip, before, length);
            self.time = scalar::fmod((self.time - length).max(0.0), length);
            self.fired = 0;
            self.fire_until(library, clip, self.time, fire);
            let rest = carried(library, clip, 0.0, self.time);
            out.moved += rest.moved;
            out.turned += rest.turned;
            out
        } else {
            let over = (self.time - length).max(0.0) / rate;
            self.time = length;
            Advance { ended: Some(over), ..carried(library, clip, before, length) }
        }
    }

    /// The value follows its target, and both clips of the pair run at one phase.
    fn advance_gait(
        &mut self,
        library: &ClipLibrary,
        dt: f32,
        fire: &mut dyn FnMut(&super::events::Event, &mut u32),
    ) -> Advance {
        let Play::Gait { clips, value, target } = &mut self.play else { return Advance::default() };
        let reach = GAIT_RATE * dt;
        *value += (*target - *value).clamp(-reach, reach);
        let (low, fraction) = gait_pair(*value);
        let [lower, upper] = [clips[low], clips[(low + 1).min(GAITS - 1)]].map(|clip| library.clip(clip));
        let cycles = |clip: &super::clip::Clip| clip.rate() / clip.length;
        let cycle = cycles(lower) + (cycles(upper) - cycles(lower)) * fraction;
        let before = self.clip.map_or(0.0, |clip| self.time / library.clip(clip).length);
        let Some(leader) = self.leader() else { return Advance::default() };
        let phase = before + cycle * dt * self.speed;
        let length = library.clip(leader).length;
        if self.clip != Some(leader) {
            self.clip = Some(leader);
            self.time = before.min(1.0) * length;
            let frame = crate::tasks::humans::held::event_frame(self.time);
            self.fired = library.events(leader).filter(|event| event.frame <= frame).count() as u16;
        }
        if phase < 1.0 {
            self.time = phase * length;
        } else {
            self.fire_until(library, leader, length, fire);
            self.fired = 0;
            self.time = (phase - scalar::floor(phase)) * length;
        }
        self.fire_until(library, leader, self.time, fire);
        Advance::default()
    }

    fn fire_until(
        &mut self,
        library: &ClipLibrary,
        clip: ClipIndex,
        seconds: f32,
        fire: &mut dyn FnMut(&super::events::Event, &mut u32),
    ) {
        let frame = crate::tasks::humans::held::event_frame(seconds);
        let due = library.events(clip).skip(usize::from(self.fired)).take_while(|event| event.frame <= frame);
        for event in due {
            self.fired += 1;
            fire(&event, &mut self.held);
        }
    }

    /// The pose it shows. A fade shows none of its own.
    pub fn sample(&self, pool: &AnimPool, library: &ClipLibrary, skeleton: &Skeleton, pose: &mut LocalPose) {
        let Some(clip) = self.clip else { return };
        let phase = self.time / library.clip(clip).length;
        let mix = |pose: &mut LocalPose, clip: ClipIndex, share: f32| {
            let mut other = LocalPose::reference(skeleton);
            library.sample(clip, phase * library.clip(clip).length, skeleton, &mut other);
            pose.blend(&other, share);
        };
        match self.play {
            Play::Gait { clips, value, .. } => {
                let (low, fraction) = gait_pair(value);
                let lower = clips[low];
                library.sample(lower, phase * library.clip(lower).length, skeleton, pose);
                if fraction >= ALONE[0] {
                    mix(pose, clips[(low + 1).min(GAITS - 1)], if fraction > ALONE[1] { 1.0 } else { fraction });
                }
            }
            Play::EightWay { clips, direction } => {
                let (first, second, share) = eight_way(direction);
                library.sample(clips[first], phase * library.clip(clips[first]).length, skeleton, pose);
                mix(pose, clips[second], share);
            }
            Play::TwoMix { other, share } => {
                library.sample(clip, self.time, skeleton, pose);
                mix(pose, other, share);
            }
            Play::FourMix { others, shares } => {
                library.sample(clip, self.time, skeleton, pose);
                let mut sum = shares[0];
                for (other, share) in others.into_iter().zip(&shares[1..]) {
                    sum += share;
                    if *share > 0.0 {
                        mix(pose, other, share / sum);
                    }
                }
            }
            Play::Layer { base, mask, share, .. } => {
                let mut over = LocalPose::reference(skeleton);
                library.sample(clip, self.time, skeleton, &mut over);
                if let Some(base) = pool.get(base) {
                    base.sample(pool, library, skeleton, pose);
                }
                pose.overlay(&over, mask, share);
            }
            Play::Once { next: Some(next), blend } => {
                library.sample(clip, self.time, skeleton, pose);
                let left = self.seconds_left(library);
                if let Some(next) = pool.get(next).filter(|_| blend > 0.0 && left < blend) {
                    let mut coming = LocalPose::reference(skeleton);
                    next.sample(pool, library, skeleton, &mut coming);
                    pose.blend(&coming, 1.0 - left / blend);
                }
            }
            _ => library.sample(clip, self.time, skeleton, pose),
        }
    }

    /// The task behind it.
    pub fn next(&self) -> Option<AnimTaskId> {
        match self.play {
            Play::Once { next, .. } | Play::Paired { next, .. } => next,
            _ => None,
        }
    }
}

/// The lower clip of a gait value's pair and how far towards the upper it lies.
fn gait_pair(value: f32) -> (usize, f32) {
    let low = ((value + (1.0 - WHOLE_FROM)) as usize).min(GAITS - 1);
    (low, (value - low as f32).max(0.0))
}

/// The two clips next to a direction and the second's share.
fn eight_way(direction: f32) -> (usize, usize, f32) {
    let turns = crate::maths::wrap_heading(direction) / TAU * DIRECTIONS as f32;
    let first = (turns as usize) % DIRECTIONS;
    (first, (first + 1) % DIRECTIONS, turns - scalar::floor(turns))
}

/// What a clip's motion does from one time to another, in the human's space at the first.
fn carried(library: &ClipLibrary, clip: ClipIndex, from: f32, to: f32) -> Advance {
    use super::clip::flag;
    let flags = library.clip(clip).flags;
    if flags & (flag::NO_VELOCITY | flag::NO_TURN) == flag::NO_VELOCITY | flag::NO_TURN {
        return Advance::default();
    }
    let ((start, turned), (end, turned_then)) = (library.motion(clip, from), library.motion(clip, to));
    let moved = Quat::from_heading(turned).conjugate().rotate(end - start);
    Advance {
        moved: if flags & flag::NO_VELOCITY == 0 { moved } else { Vec3::ZERO },
        turned: if flags & flag::NO_TURN == 0 { turned_then - turned } else { 0.0 },
        ended: None,
    }
}
