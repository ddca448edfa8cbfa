//! The dispatcher: what a command starts.
//!
//! Source: humans and combat, Attacks; seed 000, Who reads the held flags.

use super::attacks::{self, Attack};
use super::commands::command;
use super::deeds::Deed;
use crate::animation::task::{AnimTask, Play};
use crate::human::Humans;
use crate::human::numbers::{AnimState, DEAD_ZONE, GAITS, JOG, RUN, RUN_ZONE, WALK, code, state};
use crate::human::speeds::turn_between;
use crate::maths::{heading_of, wrap_heading};
use crate::tasks::humans::gates::held;

/// A combo of this many takes presses in its wind-up too. Source: humans and combat, Attacks (Chain).
const EARLY_PRESSES: u8 = 2;
/// How far targets are, and the half of the angle in which they are looked for, metres and radians.
const SEARCH: (f32, f32) = (2.5, 0.9425);
/// How far up or down a target may be.
const SEARCH_HEIGHT: f32 = 2.0;
/// An attack with the stick pushed far turns at once to a target so near, in metres, and so little beside the stick, in radians.
const SNAP: (f32, f32) = (2.0, core::f32::consts::FRAC_PI_4);
/// Degrees that an attack turns to its target in a step, metres that it slides, and where it wants to stand.
const STEER: (f32, f32, f32) = (12.0, 0.06, 0.95);
/// The idle is blended in over this at an attack's end. Source: seed 000, Held flags (Attack_Start).
const BLEND: f32 = 0.2;
/// The fade into an attack.
const FADE: f32 = 0.0667;
/// Seconds of the fade out of a block.
const BLOCK_FADE: f32 = 0.15;
/// What ends a block: no button, or one that was down behind R1 all the time.
const LETS_GO: [u8; 4] = [command::NONE, command::L2_HELD, command::R2_HELD, command::STANCE];
/// A grab reaches this far, in metres, and lasts this many steps.
const GRAB: (f32, u16) = (1.15, 100);

impl Humans {
    /// What a command does to its human.
    pub fn dispatch(&mut self, n: usize, command: u8) {
        if self.people[n].stillness > 0 {
            return;
        }
        self.continue_chain(n, command);
        let gate = self.people[n].gate();
        if self.people[n].is(state::GRABBING) {
            self.hold_command(n, command);
            return;
        }
        if !gate.takes_command() || gate.is_airborne() || self.people[n].is(state::GRABBED) {
            return;
        }
        self.block_command(n, command);
        match command {
            command::SQUARE if gate.takes_square_or_cross() => self.light(n),
            command::CROSS_LONG if gate.takes_square_or_cross() => self.heavy(n),
            command::CHARGE if gate.takes_square_or_cross() && self.people[n].gait >= RUN => {
                self.attack(n, attacks::CHARGE);
            }
            command::DIVE if gate.takes_square_or_cross() && self.people[n].gait >= RUN => {
                self.attack(n, attacks::DIVE);
            }
            command::TRIANGLE if gate.takes_triangle() => {
                // What stands ahead comes before a jump; what lies before who stands comes before both.
                let (direct, runs) = (self.people[n].driven.is_none(), self.people[n].gait >= JOG);
                let reaches = !runs && self.people[n].fight.reaches.is_some();
                let climbs = direct && !reaches && self.climb(n);
                if !climbs && runs && direct {
                    self.jump(n);
                } else if !climbs {
                    self.hands(n);
                }
            }
            command::CIRCLE if gate.takes_grab() => self.circle(n),
            _ => {}
        }
    }

    fn light(&mut self, n: usize) {
        let human = &self.people[n];
        let id = match human.gait {
            gait if gait >= RUN && !human.is(state::STANCE) => attacks::RUN_ATTACK,
            _ if human.fight.weapon.is_some() => attacks::SWING,
            gait if gait >= WALK && usize::from(gait) < GAITS && !human.is(state::STANCE) => attacks::WALK_ATTACK,
            _ => attacks::S1,
        };
        self.attack(n, id);
    }

    fn heavy(&mut self, n: usize) {
        let id = if self.people[n].gait >= RUN { attacks::CHARGE } else { attacks::X1 };
        self.attack(n, id);
    }

    /// Circle: a thing in the hand is thrown, somebody near is grabbed, else pushed.
    fn circle(&mut self, n: usize) {
        if self.people[n].fight.weapon.is_some() {
            self.people[n].rest();
            let (clip, idle) = (self.cast.throw, self.cast.idle);
            self.play_then(n, clip, held::GRAB, idle, 0.1, FADE);
            return;
        }
        let near = self.find_target(n, GRAB.0).filter(|other| {
            let other = &self.people[usize::from(*other)];
            !other.is(state::BLOCKING) && other.fight.partner.is_none() && !other.is_airborne()
        });
        match near {
            Some(other) => self.grab(n, usize::from(other)),
            None => self.attack(n, attacks::PUSH),
        }
    }

    /// Triangle without a run: the hand reaches for what lies before it, or lets fall what it holds.
    fn hands(&mut self, n: usize) {
        let fight = &self.people[n].fight;
        if fight.weapon.is_some() {
            self.did(Deed::Dropped { by: n as u8 });
        } else if fight.reaches.is_some() {
            self.people[n].rest();
            let (clip, idle) = (self.cast.pick_up, self.cast.idle);
            self.play_then(n, clip, held::GRAB, idle, 0.1, 0.1);
        }
    }

    /// R1 held blocks; let go, the idle's fade holds the stick for its steps.
    fn block_command(&mut self, n: usize, command: u8) {
        let human = &mut self.people[n];
        let blocks = human.is(state::BLOCKING);
        if command == command::BLOCK || command == command::R1_PRESSED {
            if !blocks && human.held & !held::START == 0 {
                human.rest();
                human.set(state::BLOCKING | state::STANCE, true);
            }
        } else if blocks && LETS_GO.contains(&command) {
            human.set(state::BLOCKING, false);
            if human.spawn.player.is_some() && command != command::STANCE {
                human.set(state::STANCE, false);
                human.anim = AnimState::Idle;
                // The stick has turned in place in this step already, and goes on while the fade holds it.
                human.code = if human.stick.0 > DEAD_ZONE { code::TURNS } else { code::NONE };
                let idle = self.cast.idle;
                self.play_loop(n, idle, BLOCK_FADE, held::START);
            }
        } else if command == command::STANCE || command == command::L1_PRESSED {
            human.set(state::STANCE, true);
        } else if command == command::L1_RELEASED {
            human.set(state::STANCE, false);
        }
    }

    /// Starts an attack.
    ///
    /// Source: seed 000, Held flags (Attack_Start).
    pub fn attack(&mut self, n: usize, id: u16) {
        let (Some(attack), Some(clip)) = (self.table.find(id), self.library.find(id)) else { return };
        let idle = if self.people[n].is(state::STANCE) { self.cast.fight_idle } else { self.cast.idle };
        let moving = attack.held == held::LANDING;
        let next = if moving {
            let human = &self.people[n];
            AnimTask::gait(self.cast.gaits(), human.speeds.blend(human.speeds.gaits[usize::from(RUN)]))
        } else {
            AnimTask::looping(idle)
        };
        let next = self.pool.take(next);
        let blend = if moving { 0.0 } else { BLEND };
        let Some(task) = self.pool.take(AnimTask::new(Play::Once { next, blend }, clip, attack.held)) else { return };
        let Self { people, pool, .. } = self;
        let human = &mut people[n];
        human.fight.end_attack();
        human.set(state::BLOCKING, false);
        // A fade would hold back the motion that carries a charge.
        human.stack.push(pool, task, if moving { 0.0 } else { FADE }, 0, &mut human.held);
        human.held |= if moving { held::LANDING } else { held::WIND_UP };
        human.playing = id;
        human.anim = AnimState::Stance;
        human.code = code::NONE;
        if !moving {
            human.rest();
        }
        self.aim(n, &attack);
        self.people[n].fight.combo = 1;
    }

    fn aim(&mut self, n: usize, attack: &Attack) {
        let target = self.find_target(n, SEARCH.0);
        self.snap(n, target);
        let human = &mut self.people[n];
        human.fight.attack = Some(attack.id);
        human.fight.reach = attack.reach;
        human.fight.committed = false;
        human.fight.target = target.or(human.fight.target.filter(|_| human.spawn.player.is_none()));
        human.set(state::TARGET, human.fight.target.is_some());
    }

    /// A blow that the stick points at somebody near begins by facing him.
    ///
    /// Our choice: the original has attacks 25, 27 and 29 for it, of which no more is known; ours is the same blow, turned.
    ///
    /// Source: humans and combat, Attacks (Snap).
    fn snap(&mut self, n: usize, target: Option<u8>) {
        let human = &self.people[n];
        let (deflection, way) = human.stick;
        let Some(target) = target.filter(|_| human.spawn.player.is_some() && human.gait < RUN && deflection > RUN_ZONE)
        else {
            return;
        };
        let off = (self.people[usize::from(target)].position - human.position).horizontal();
        let (near, beside) = SNAP;
        if off.length() <= near && turn_between(way, heading_of(off)).abs() <= beside {
            self.people[n].heading = heading_of(off);
        }
    }

    /// A press in an attack: taken in the window, kept before it.
    fn continue_chain(&mut self, n: usize, command: u8) {
        let human = &mut self.people[n];
        if !human.gate().takes_chain_press() {
            return;
        }
        let Some(attack) = human.fight.attack.and_then(|id| self.table.find(id)) else { return };
        if matches!(command, command::SQUARE | command::CROSS) {
            let early = human.held & held::WIND_UP != 0
                && (human.fight.combo < EARLY_PRESSES || (human.fight.combo == EARLY_PRESSES && attack.id == 16));
            if human.held & held::WINDOW != 0 || early {
                human.fight.buffered = command;
            }
        }
        if human.held & held::WINDOW == 0 {
            return;
        }
        let next = match human.fight.buffered {
            command::SQUARE => attack.square,
            command::CROSS => attack.cross,
            _ => None,
        };
        human.fight.buffered = 0;
        let (usual, rare, one_in) = attacks::RARE_THIRD;
        let rarely = next == Some(usual) && self.now.wrapping_mul(0x9e37_79b9) >> 16 & 0xff < 256 / one_in;
        let next = if rarely { Some(rare) } else { next };
        let Some((attack, clip)) = next.and_then(|id| Some((self.table.find(id)?, self.library.find(id)?))) else {
            return;
        };
        let Self { people, pool, .. } = self;
        let human = &mut people[n];
        human.stack.swap(pool, clip, held::ATTACK);
        human.held = human.held & !held::ATTACK | held::WIND_UP;
        human.playing = attack.id;
        human.fight.bones = 0;
        human.fight.combo += 1;
        self.aim(n, &attack);
    }

    /// Somebody of another gang ahead of a human, the nearest to where it wants to strike.
    pub fn find_target(&self, n: usize, reach: f32) -> Option<u8> {
        let human = &self.people[n];
        let facing =
            if human.spawn.player.is_some() && human.stick.0 > RUN_ZONE { human.stick.1 } else { human.heading };
        let mut best: Option<(f32, u8)> = None;
        for (other, them) in self.present() {
            let off = them.position - human.position;
            let distance = off.horizontal().length();
            let fits = other != n
                && them.spawn.gang != human.spawn.gang
                && !them.is_out()
                && !them.is(state::DOWN)
                && distance < reach
                && off.z.abs() < SEARCH_HEIGHT;
            if !fits {
                continue;
            }
            let aside = turn_between(facing, heading_of(off)).abs();
            // Our choice: what is ahead is preferred to what is a little nearer.
            let cost = distance + aside;
            if aside < SEARCH.1 && best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, other as u8));
            }
        }
        best.map(|(_, other)| other)
    }

    /// Until an attack's first strike it turns to its target and slides onto it.
    pub fn steer(&mut self, n: usize) {
        let human = &self.people[n];
        let Some(target) = human.fight.attack.and(human.fight.target).filter(|_| !human.fight.committed) else {
            return;
        };
        let off = self.people[usize::from(target)].position - human.position;
        let (turn, slide, stand) = STEER;
        let limit = turn.to_radians();
        let human = &mut self.people[n];
        let error = turn_between(human.heading, heading_of(off));
        human.heading = wrap_heading(human.heading + error.clamp(-limit, limit));
        let distance = off.horizontal().length();
        if human.held & held::WIND_UP != 0 && distance > stand && distance < SEARCH.0 {
            human.carried.0.y += (distance - stand).min(slide);
        } else if distance < stand * 0.8 {
            // Too near to step in.
            human.carried.0.y = human.carried.0.y.min(0.0);
        }
    }

    /// A clip of a fight has ended.
    pub fn fight_clip_ended(&mut self, n: usize, clip: crate::animation::library::ClipIndex) {
        let id = self.library.clip(clip).id;
        let human = &mut self.people[n];
        if human.fight.attack == Some(id) {
            let moving = human.held & held::LANDING == 0 && attacks::MOVING.contains(&id);
            human.fight.end_attack();
            if moving {
                human.anim = AnimState::Move;
                human.speed = human.speeds.gaits[usize::from(RUN)];
            }
        }
        if human.anim == AnimState::Hurt && (268..=295).contains(&id) {
            human.anim = AnimState::Stance;
        }
    }
}
