//! One human.

use super::numbers::{AnimState, FULL_POWER, STAMINA};
use super::speeds::Speeds;
use crate::animation::skeleton::BONES;
use crate::animation::stack::AnimStack;
use crate::combat::Fight;
use crate::maths::{Pose, Quat, Vec3, wrap_heading};
use crate::physics::ids::BodyId;
use crate::tasks::humans::gates::Gate;
use crate::tasks::humans::step::Condition;

/// What a human begins with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spawn {
    /// Feet, metres.
    pub position: Vec3,
    /// Radians clockwise from +y.
    pub heading: f32,
    /// Size; 0.97 is the player's.
    pub scale: f32,
    /// Health points.
    pub health: i16,
    /// Player number.
    pub player: Option<u8>,
    /// Its gang.
    pub gang: u8,
    /// Which look it has.
    pub look: u8,
}

impl Default for Spawn {
    fn default() -> Self {
        Self { position: Vec3::ZERO, heading: 0.0, scale: 1.0, health: 100, player: None, gang: 0, look: 0 }
    }
}

/// What a brain asks of the locomotion. Source: settled questions 15.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Asked {
    /// 0 to 5.
    pub gait: u8,
    /// Where to face, radians clockwise from +y.
    pub heading: f32,
    /// Goes backwards, facing its heading.
    pub backwards: bool,
    /// In the fighting stance.
    pub stance: bool,
}

/// A human, or the place of one.
#[derive(Clone, Debug)]
pub struct Human {
    /// Somebody is here.
    pub present: bool,
    /// What it began with.
    pub spawn: Spawn,
    /// Feet in the world, metres.
    pub position: Vec3,
    /// Where it faces, radians clockwise from +y.
    pub heading: f32,
    /// Metres a second.
    pub velocity: Vec3,
    /// The state word.
    pub state: u64,
    /// The held flags.
    pub held: u32,
    /// The state code.
    pub code: u32,
    /// Its record's "skip actions", as of its last control.
    pub skip_actions: bool,
    /// What it shows at large.
    pub anim: AnimState,
    /// The number of the clip that it plays.
    pub playing: u16,
    /// Its clips.
    pub stack: AnimStack,
    /// Every bone in the world, as of the last animation step that placed them.
    pub bones: [Pose; BONES],
    /// Nobody sees it, and nothing near by turns on where its limbs are.
    pub unwatched: bool,
    /// Animation steps since its bones were placed; they go along with it meanwhile.
    pub unposed: u8,
    /// How the clips carry it this step: metres in its own space, already scaled, and radians clockwise.
    pub carried: (Vec3, f32),
    /// Its speeds.
    pub speeds: Speeds,
    /// Metres a second over the ground.
    pub speed: f32,
    /// What is asked for, metres a second.
    pub wanted: f32,
    /// The stored gait.
    pub gait: u8,
    /// The last stick: deflection and heading.
    pub stick: (f32, f32),
    /// The last step's turn, radians clockwise.
    pub turned: f32,
    /// How far the heading is from what is asked, radians.
    pub turn_error: f32,
    /// What a brain asks.
    pub asked: Asked,
    /// What the motion system does with it, while commands drive it.
    pub driven: Option<super::driven::Driven>,
    /// Its body.
    pub body: Option<BodyId>,
    /// The group of the scene that plays it, 0 without one.
    pub staged: u16,
    /// How hard it is to push.
    pub push_weight: f32,
    /// A push from outside, metres a second.
    pub push: Vec3,
    /// Steps in the air.
    pub airborne: u32,
    /// Steps in the air in which it did not get on.
    pub blocked: u32,
    /// The height that it fell or jumped from, metres.
    pub left_at: f32,
    /// The last place on the ground.
    pub last_ground: Vec3,
    /// The ground's normal.
    pub ground_normal: Vec3,
    /// The ground's material.
    pub ground_material: u8,
    /// The height of the ground under it.
    pub ground_height: f32,
    /// Health points.
    pub health: i16,
    /// Health points at most.
    pub max_health: i16,
    /// Stamina.
    pub stamina: f32,
    /// Power, 0 to 100.
    pub power: f32,
    /// How long a player has been pushing it.
    pub push_timer: crate::physics::humans::PushTimer,
    /// What it is fighting with: the state of its attack.
    pub fight: crate::combat::Fight,
    /// What it saw ahead when it asked for a jump or a climb.
    pub ahead: super::climb::Ahead,
    /// The climb that it is on.
    pub climb: Option<super::climb::Climb>,
    /// Steps left of lying.
    pub lies: u16,
    /// No player is near: what nobody sees closely is done at once.
    pub far: bool,
    /// Out of health, and only wounded.
    pub wounded: bool,
    /// Steps left of staggering.
    pub hurt: u16,
    /// Steps of stillness after a hit.
    pub stillness: u8,
}

impl Human {
    /// Nobody.
    pub fn nobody() -> Self {
        Self {
            present: false,
            spawn: Spawn::default(),
            position: Vec3::ZERO,
            heading: 0.0,
            velocity: Vec3::ZERO,
            state: 0,
            held: 0,
            code: 0,
            skip_actions: false,
            anim: AnimState::Idle,
            playing: 0,
            stack: AnimStack::default(),
            bones: [Pose::IDENTITY; BONES],
            unwatched: false,
            unposed: 0,
            carried: (Vec3::ZERO, 0.0),
            speeds: Speeds::default(),
            speed: 0.0,
            wanted: 0.0,
            gait: 0,
            stick: (0.0, 0.0),
            turned: 0.0,
            turn_error: 0.0,
            asked: Asked::default(),
            driven: None,
            body: None,
            staged: 0,
            push_weight: 1.0,
            push: Vec3::ZERO,
            airborne: 0,
            blocked: 0,
            left_at: 0.0,
            last_ground: Vec3::ZERO,
            ground_normal: Vec3::Z,
            ground_material: 0,
            ground_height: 0.0,
            health: 0,
            max_health: 0,
            stamina: STAMINA,
            power: 0.0,
            push_timer: crate::physics::humans::PushTimer::default(),
            fight: crate::combat::Fight::default(),
            ahead: super::climb::Ahead::default(),
            climb: None,
            lies: 0,
            far: false,
            wounded: false,
            hurt: 0,
            stillness: 0,
        }
    }

    /// Somebody who has just come.
    pub fn new(spawn: Spawn, speeds: Speeds) -> Self {
        Self {
            present: true,
            position: spawn.position,
            heading: wrap_heading(spawn.heading),
            last_ground: spawn.position,
            ground_height: spawn.position.z,
            asked: Asked { heading: wrap_heading(spawn.heading), ..Asked::default() },
            health: spawn.health,
            max_health: spawn.health,
            speeds,
            spawn,
            ..Self::nobody()
        }
    }

    /// Where and how it stands.
    pub fn pose(&self) -> Pose {
        Pose::new(Quat::from_heading(self.heading), self.position)
    }

    /// Whether its state may be updated: it has a body that can be moved or is to have one again, and something plays by which
    /// it is posed.
    ///
    /// Source: seed 000, Humans_Update, step 8 (0x0023d790). Our choice of what makes it ready: the seed has only the question.
    pub fn is_ready(&self) -> bool {
        let is_healed = self.fight.healed && !self.is_out();
        self.present && (self.body.is_some() || is_healed) && !self.stack.is_empty()
    }

    /// Whether nobody asks where its limbs are but who looks at it: no player's human, in no fight, holding nobody.
    pub fn is_at_ease(&self) -> bool {
        let Fight { attack, target, partner, warned_by, .. } = &self.fight;
        let alone = attack.is_none() && target.is_none() && partner.is_none() && warned_by.is_none();
        self.spawn.player.is_none() && self.held == 0 && alone
    }

    /// Health, stamina and power as shares of 1.
    pub fn vigour(&self) -> [f32; 3] {
        let share = |value: f32, most: f32| (value / most.max(1.0)).clamp(0.0, 1.0);
        [share(self.health.into(), self.max_health.into()), share(self.stamina, STAMINA), share(self.power, FULL_POWER)]
    }

    /// Whether any of these state bits is set.
    pub fn is(&self, bits: u64) -> bool {
        self.state & bits != 0
    }

    /// Sets or clears state bits.
    pub fn set(&mut self, bits: u64, on: bool) {
        if on {
            self.state |= bits;
        } else {
            self.state &= !bits;
        }
    }

    /// In the air.
    pub fn is_airborne(&self) -> bool {
        self.is(crate::tasks::humans::gates::state::AIRBORNE)
    }

    /// Dead.
    pub fn is_dead(&self) -> bool {
        self.is(crate::tasks::humans::gates::state::DEAD)
    }

    /// What the gates read.
    pub fn gate(&self) -> Gate {
        Gate {
            state: self.state,
            held: self.held,
            code: self.code,
            skip_actions: self.skip_actions,
            attachment: self.fight.partner.map_or(-1, i32::from),
        }
    }

    /// What the action step does with it.
    pub fn condition(&self) -> Condition {
        match self.present {
            false => Condition::Absent,
            true if self.is_dead() || self.is(super::numbers::state::DOWN) => Condition::Down,
            true => Condition::Active,
        }
    }
}
