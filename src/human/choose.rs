//! The choice of what to play, after the dispatcher.
//!
//! Source: humans and combat, Locomotion (start clips, fade lengths) and AI locomotion.

use super::numbers::{AnimState, RUN, WALK, code, state};
use super::speeds::turn_between;
use super::store::Humans;
use crate::animation::library::ClipIndex;
use crate::maths::{from_heading, heading_of};
use crate::physics::constants::IMMOVABLE;
use crate::tasks::humans::gates::{held, state as gate_state};

/// Seconds of fades. Source: humans and combat, Locomotion.
mod fade {
    pub const TO_GAIT: f32 = 0.1333;
    pub const TO_IDLE: f32 = 0.15;
    pub const START_TO_IDLE: [f32; 2] = [1.0 / 15.0, 0.2];
    pub const RUN_STOP: f32 = 0.1;
    pub const STANCE: f32 = 0.1333;
    pub const TURN: f32 = 0.1;
    /// Into a step, and from it to the idle.
    pub const STEP: [f32; 2] = [0.1, 0.2];
}
/// A start clip that has played less than this share changes to the run's.
const HALF: f32 = 0.5;
/// A stop within this many seconds of a start fades faster.
const EARLY: f32 = 0.1333;
/// A brain's human turns in place by a clip from this far off, and by the far one, in radians.
const TURN_CLIP: [f32; 2] = [0.2618, core::f32::consts::FRAC_PI_2];
/// Who walked into somebody is no further off than this, in metres, while that one makes room.
const WALKED_INTO: f32 = 0.95;
/// The held bits under which the choice is not this file's: an attack, a reaction, a landing plays on.
const LEAVES: u32 = !(held::START | held::FIGHT_TO_NEUTRAL | held::TURN | 0x10_0000);

impl Humans {
    /// Step 9, the anim state of one human.
    pub fn choose(&mut self, n: usize) {
        self.choose_clip(n);
        self.carry(n);
    }

    fn choose_clip(&mut self, n: usize) {
        let human = &self.people[n];
        if human.code == code::SKIDS {
            self.people[n].code = code::NONE;
            let (stop, idle) = (self.cast.run_stop, self.cast.idle);
            self.play_then(n, stop, held::STEP, idle, 0.1, fade::RUN_STOP);
            self.people[n].anim = AnimState::Idle;
            return;
        }
        if human.held & LEAVES != 0 || human.is_airborne() || human.fight.partner.is_some() {
            return;
        }
        if human.is(state::BLOCKING) {
            if human.anim != AnimState::Block {
                self.people[n].anim = AnimState::Block;
                let block = self.cast.block;
                self.play_loop(n, block, 0.1, 0);
            }
            return;
        }
        if human.driven.is_some() {
            self.choose_driven(n);
        } else if human.is(state::STANCE) {
            self.choose_stance(n);
        } else {
            self.choose_walk(n);
        }
    }

    fn choose_stance(&mut self, n: usize) {
        let human = &self.people[n];
        let moves = human.speed > 0.3;
        let (anim, clip) = if moves {
            let facing = from_heading(human.heading);
            let (ahead, right) = {
                let v = human.velocity.horizontal().normalize_or_zero();
                (v.dot(facing), v.x * facing.y - v.y * facing.x)
            };
            let cast = &self.cast;
            let clip = match () {
                () if ahead > 0.7 => cast.stance_ahead,
                () if ahead < -0.7 => cast.stance_back,
                () if right > 0.0 => cast.stance_right,
                () => cast.stance_left,
            };
            (AnimState::StanceMove, clip)
        } else {
            (AnimState::Stance, self.cast.fight_idle)
        };
        if self.is_playing(n, clip) {
            return;
        }
        self.people[n].anim = anim;
        self.play_loop(n, clip, fade::STANCE, 0);
    }

    fn is_playing(&self, n: usize, clip: ClipIndex) -> bool {
        self.people[n].stack.clip(&self.pool) == Some(clip)
    }

    fn choose_walk(&mut self, n: usize) {
        let human = &self.people[n];
        let (run, wanted) = (human.speeds.gaits[usize::from(RUN)], human.wanted);
        let asks = !human.speeds.is_idle(wanted);
        let value = human.speeds.blend(human.speed);
        let starting = human.held & held::START != 0;
        match human.anim {
            AnimState::Move if !asks => self.stop(n, starting),
            AnimState::Move => {
                let sneaks = human.asked.gait == super::numbers::SNEAK && human.spawn.player.is_none();
                if starting {
                    if wanted >= run && self.is_playing(n, self.cast.walk_start) && self.played(n) < HALF {
                        let (start, value) = (self.cast.run_start, human.speeds.blend(run));
                        let phase = self.played(n);
                        self.drop_start(n);
                        self.play_then_gait(n, start, held::START, value, EARLY.min(fade::TO_GAIT));
                        self.set_phase(n, phase);
                    }
                } else if sneaks && !self.is_playing(n, self.cast.sneak) {
                    let sneak = self.cast.sneak;
                    self.play_loop(n, sneak, fade::TO_GAIT, 0);
                } else if !sneaks && !self.aim_gait(n, value) {
                    self.play_gait(n, value, fade::TO_GAIT);
                }
            }
            AnimState::Land if asks && human.speed > 0.0 => {
                self.people[n].anim = AnimState::Move;
                self.play_gait(n, value, fade::TO_GAIT);
            }
            _ if asks && !starting => self.start(n, wanted >= run),
            _ if asks => {}
            AnimState::Idle if self.people[n].spawn.player.is_none() => {
                if !self.step_aside(n) {
                    self.turn_in_place(n);
                }
            }
            AnimState::Idle => {}
            // Out of a stance, a landing, a hit: at ease again.
            _ => {
                let from_fight = matches!(human.anim, AnimState::Stance | AnimState::StanceMove);
                self.people[n].anim = AnimState::Idle;
                let (idle, ease) = (self.cast.idle, self.cast.fight_to_ease);
                if from_fight {
                    self.play_then(n, ease, held::FIGHT_TO_NEUTRAL, idle, 0.1, fade::TO_GAIT);
                } else if !self.is_playing(n, idle) {
                    self.play_loop(n, idle, fade::TO_IDLE, held::START);
                }
            }
        }
    }

    /// From standing: the start clip of a walk or run, whose own motion moves the body.
    fn start(&mut self, n: usize, runs: bool) {
        let cast = self.cast;
        let human = &mut self.people[n];
        human.anim = AnimState::Move;
        human.code = code::STARTS;
        let gaits = human.speeds.gaits;
        let (clip, speed) =
            if runs { (cast.run_start, gaits[usize::from(RUN)]) } else { (cast.walk_start, gaits[usize::from(WALK)]) };
        let value = human.speeds.blend(speed);
        self.play_then_gait(n, clip, held::START, value, 0.0);
    }

    fn stop(&mut self, n: usize, starting: bool) {
        let idle = self.cast.idle;
        self.people[n].anim = AnimState::Idle;
        self.people[n].code = code::NONE;
        if starting {
            let played = self.played(n) * 0.4;
            self.drop_start(n);
            let seconds = fade::START_TO_IDLE[usize::from(played >= EARLY)];
            self.play_loop(n, idle, seconds, 0);
        } else {
            self.play_loop(n, idle, fade::TO_IDLE, held::START);
        }
    }

    /// A start clip gives up what it holds before its time.
    fn drop_start(&mut self, n: usize) {
        if let Some(task) = self.people[n].stack.newest(&self.pool).and_then(|id| self.pool.get_mut(id)) {
            task.held &= !held::START;
        }
        self.people[n].held &= !held::START;
    }

    fn set_phase(&mut self, n: usize, phase: f32) {
        let Self { people, pool, library, .. } = self;
        if let Some(task) = people[n].stack.newest(pool).and_then(|id| pool.get_mut(id)) {
            task.start_at_phase(library, phase);
        }
    }

    /// A brain's human that stands and is walked into takes a step out of the way, a quick one from who runs. Says whether it
    /// does.
    ///
    /// Our choice of when: the source knows how a step goes, by which side of the human it leads to, and not who asks for one.
    fn step_aside(&mut self, n: usize) -> bool {
        let human = &self.people[n];
        let Some(by) = human.fight.pushed_by.map(|by| &self.people[usize::from(by)]) else { return false };
        let (away, quick) = ((human.position - by.position).horizontal(), by.gait >= RUN);
        if away.length() > WALKED_INTO || human.held != 0 || human.push_weight >= IMMOVABLE {
            return false;
        }
        let clip = self.cast.step(turn_between(human.heading, heading_of(away)), quick);
        let idle = self.cast.idle;
        let [out, into] = fade::STEP;
        self.people[n].fight.pushed_by = None;
        self.play_then(n, clip, held::STEP, idle, into, out);
        true
    }

    /// A brain's human that stands and is far off its heading turns by a clip.
    fn turn_in_place(&mut self, n: usize) {
        let (cast, human) = (self.cast, &self.people[n]);
        // What this step's own turn has left.
        let error = turn_between(human.heading, human.asked.heading);
        let [near, far] = TURN_CLIP;
        if error.abs() < near || self.people[n].held & held::TURN != 0 {
            return;
        }
        let clip = match (error > 0.0, error.abs() > far) {
            (true, false) => cast.turn_right,
            (false, false) => cast.turn_left,
            (true, true) => cast.turn_far_right,
            (false, true) => cast.turn_far_left,
        };
        self.play_then(n, clip, held::TURN, cast.idle, 0.1, fade::TURN);
    }

    /// A clip of a human has ended.
    pub fn ended(&mut self, n: usize, clip: ClipIndex) {
        let cast = self.cast;
        if clip == cast.rise_from_back || clip == cast.rise_from_face {
            self.risen(n);
        }
        if [cast.land, cast.land_running, cast.drop_land].contains(&clip) {
            let moves = clip == cast.land_running && self.people[n].stick.0 > super::numbers::DEAD_ZONE;
            let human = &mut self.people[n];
            human.set(state::LANDING, false);
            human.anim = if moves { AnimState::Move } else { AnimState::Idle };
        }
        self.climb_clip_ended(n, clip);
        self.fight_clip_ended(n, clip);
    }

    /// Takes off: a jump with the speed of the gait.
    pub fn jump(&mut self, n: usize) {
        use super::numbers::{JOG, JUMP_FROM, JUMP_SPEED, RUN_ZONE, SPRINT};
        let human = &mut self.people[n];
        let player = human.spawn.player.is_some();
        if human.ahead.bars_jump {
            return;
        }
        if human.speed <= JUMP_FROM || human.gait < JOG || (player && human.stick.0 <= RUN_ZONE) {
            return;
        }
        let gait = if human.gait == SPRINT { SPRINT } else { RUN };
        human.speed = human.speeds.gaits[usize::from(gait)];
        let way = from_heading(human.heading) * human.speed;
        human.velocity = way + crate::maths::Vec3::Z * JUMP_SPEED;
        self.leave_ground(n, gate_state::JUMPING, AnimState::Jump);
    }
}
