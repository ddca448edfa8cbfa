//! One brain: what a goal asks for in a step, and the action that it is in the middle of.

use super::walk::{Destination, Way};
use crate::combat::Pace;
use crate::combat::commands::command;
use crate::human::numbers::{AnimState, RUN, SNEAK, SPRINT, WALK, state};
use crate::human::person::{Asked, Human};
use crate::human::speeds::turn_between;
use crate::maths::{Vec3, heading_of, wrap_heading};
use crate::tasks::humans::gates::held;
use core::f32::consts::PI;

/// What a brain wants.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Goal {
    /// Stand.
    #[default]
    Idle,
    /// Walk about a place.
    Wander {
        /// The place.
        home: Vec3,
        /// How far from it, metres.
        radius: f32,
    },
    /// Keep one's place behind a leader.
    Follow {
        /// Whom.
        leader: u8,
        /// Which place of the formation.
        place: u8,
    },
    /// Go somewhere.
    MoveTo {
        /// Where.
        place: Vec3,
        /// How.
        gait: u8,
    },
    /// Fight somebody.
    Attack {
        /// Whom.
        target: u8,
    },
    /// Run from somebody.
    Flee {
        /// From whom.
        from: u8,
    },
    /// Fight whoever fights a friend.
    Help {
        /// The friend.
        friend: u8,
    },
    /// Walk a path from point to point.
    Path {
        /// Its number.
        path: u8,
        /// The point that comes next.
        point: u8,
    },
}

/// What takes a brain more than one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Goes on with an attack's string.
    String {
        /// Attacks that it still wants to make.
        left: u8,
    },
    /// Blocks.
    Block {
        /// Steps for which it still does.
        steps: u16,
    },
    /// Has blocked a blow whose striker gives way, and answers it.
    Answer {
        /// Steps until it strikes.
        steps: u16,
    },
}

impl Default for Action {
    fn default() -> Self {
        Self::String { left: 0 }
    }
}

/// How somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temper {
    /// Attacks enemies on sight.
    Fighter,
    /// Fights back when struck.
    Civilian,
    /// Runs when struck.
    Coward,
}

/// A brain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brain {
    /// It runs.
    pub enabled: bool,
    /// How it is.
    pub temper: Temper,
    /// Steps until it may attack again.
    pub delay: u16,
    /// Where it walks to while it wanders.
    pub way: Option<Vec3>,
    /// Steps that it stands on its way.
    pub pause: u16,
    /// Whether it may strike, or only circles: not everybody at once.
    pub first_line: bool,
    /// Whom it is afraid of, and for how many steps more.
    pub afraid: Option<(u8, u16)>,
}

impl Default for Brain {
    fn default() -> Self {
        Self {
            enabled: false,
            temper: Temper::Civilian,
            delay: 30,
            way: None,
            pause: 0,
            first_line: false,
            afraid: None,
        }
    }
}

/// Metres within which a strike reaches, and at which those who wait stand.
const REACH: f32 = 1.25;
const RING: f32 = 2.6;
/// Metres beyond which somebody runs to a fight, and sprints after one who flees.
const RUNS: f32 = 6.0;
const FAR: f32 = 14.0;
/// Near enough to a place, in metres.
pub const ARRIVED: f32 = 0.45;
/// Whoever comes to somebody, but for a fight, stops this far off him, in metres.
const BESIDE: f32 = 1.4;
/// Who stands beside his leader turns as he does once he is off by more than this, in radians.
const TURNS_TOO: f32 = 0.26;
/// How far a follower falls behind before it walks, runs and sprints, in metres.
const FALLS_BEHIND: [f32; 3] = [0.9, 3.0, 5.0];
/// A follower who is this much further behind goes to its leader, in metres, until it sees its place again.
const LOST_MORE: f32 = 3.0;
/// Out of so many blows that are seen coming the table's share is blocked, for so many steps.
const BLOCKS: (u16, u16) = (10, 24);
/// Steps until who has blocked a blow strikes back, and the attacks of that string after the first. Our choice.
const ANSWER: (u16, u8) = (5, 1);
/// Metres from which who flees is safe.
pub const SAFE: f32 = 22.0;

/// What a brain reads of the world in its update.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Its human.
    pub me: &'a Human,
    /// Whom its goal names: his place among the humans.
    pub named: Option<u8>,
    /// Whom its goal names.
    pub other: Option<&'a Human>,
    /// Where its formation wants it, or its path leads.
    pub place: Option<Vec3>,
    /// A number from 0 to 255.
    pub chance: u16,
    /// How it fights.
    pub pace: Pace,
}

impl Brain {
    /// One step towards a goal: what it would ask of the locomotion by its eyes alone, and a command. The action under way
    /// changes or ends. What is asked of it in the end is the motion system's, by the [way](Self::way).
    pub fn update(&mut self, goal: Goal, action: &mut Option<Action>, scene: &Scene<'_>) -> (Asked, u8) {
        self.delay = self.delay.saturating_sub(1);
        self.pause = self.pause.saturating_sub(1);
        self.afraid = self.afraid.and_then(|(of, steps)| Some((of, steps.checked_sub(1)?)));
        let me = scene.me;
        let stay = Asked { heading: me.heading, ..Asked::default() };
        match goal {
            Goal::Idle => (stay, command::NONE),
            Goal::Wander { home, radius } => (self.wander(scene, home, radius), command::NONE),
            Goal::MoveTo { place, gait } => (go(me, place, gait).unwrap_or(stay), command::NONE),
            Goal::Follow { place, .. } => {
                let Some(leader) = scene.other else { return (stay, command::NONE) };
                let alone = || super::gang::formation_place(leader.position, leader.heading, usize::from(place));
                (follow(me, leader, scene.place.unwrap_or_else(alone)), command::NONE)
            }
            Goal::Flee { .. } => {
                let Some(from) = scene.other else { return (stay, command::NONE) };
                let away = heading_of(me.position - from.position);
                (Asked { gait: RUN, heading: away, ..stay }, command::NONE)
            }
            Goal::Attack { .. } | Goal::Help { .. } => match scene.other {
                Some(target) => self.fight(action, scene, target),
                None => (stay, command::NONE),
            },
            Goal::Path { .. } if self.pause > 0 => (stay, command::NONE),
            Goal::Path { .. } => (scene.place.and_then(|place| go(me, place, WALK)).unwrap_or(stay), command::NONE),
        }
    }

    /// The way that it wants to be on, given what it asks for by its eyes and the way that it is on; `None` when it stays as
    /// it is. All its moving and turning goes by this: the motion system decides command and heading.
    ///
    /// Source: settled questions 15.
    pub fn way(&self, goal: Goal, scene: &Scene<'_>, by_sight: Asked, on: Option<Way>) -> Option<Way> {
        let place = |place| Way { to: Destination::Place(place), near: ARRIVED * 0.8 };
        let sets_off = by_sight.gait > 0;
        match goal {
            Goal::Idle => None,
            Goal::MoveTo { place: to, .. } => sets_off.then(|| place(to)),
            Goal::Wander { .. } => self.way.filter(|_| sets_off).map(place),
            Goal::Path { .. } => scene.place.filter(|_| sets_off).map(place),
            Goal::Attack { .. } | Goal::Help { .. } => {
                let enemy = Destination::Enemy(scene.other.and(scene.named)?);
                Some(Way { to: enemy, near: self.keeps_off() })
            }
            Goal::Flee { from } => {
                let away = (scene.other?.position - scene.me.position).horizontal().length();
                (away < SAFE).then_some(Way { to: Destination::Away(from), near: SAFE })
            }
            Goal::Follow { leader, .. } => {
                let [_, _, lost] = FALLS_BEHIND;
                let away = (scene.other?.position - scene.me.position).horizontal().length();
                if away > lost + LOST_MORE {
                    return Some(Way { to: Destination::Human(leader), near: BESIDE });
                }
                let beside = Way { to: Destination::Formation(leader), near: ARRIVED * 0.8 };
                if sets_off || on == Some(beside) {
                    return Some(beside);
                }
                let turns = matches!(on, Some(Way { to: Destination::Facing(_), .. }));
                let off = turn_between(scene.me.heading, by_sight.heading).abs() > TURNS_TOO;
                let facing = Way { to: Destination::Facing(by_sight.heading), near: 0.0 };
                on.filter(|_| turns).or_else(|| off.then_some(facing))
            }
        }
    }

    /// How far from its enemy it wants to be, metres.
    fn keeps_off(&self) -> f32 {
        if self.first_line { REACH * 0.85 } else { RING }
    }

    fn wander(&mut self, scene: &Scene<'_>, home: Vec3, radius: f32) -> Asked {
        const PAUSE: u16 = 60;
        let me = scene.me;
        let stay = Asked { heading: me.heading, ..Asked::default() };
        if self.pause > 0 {
            return stay;
        }
        let way = *self.way.get_or_insert_with(|| {
            let angle = f32::from(scene.chance) / 256.0 * 2.0 * PI;
            home + crate::maths::from_heading(angle) * (radius * (0.4 + 0.6 * f32::from(scene.chance % 16) / 16.0))
        });
        match go(me, way, WALK) {
            Some(asked) => asked,
            None => {
                self.way = None;
                self.pause = PAUSE + scene.chance;
                stay
            }
        }
    }

    /// Near an enemy: close in, wait one's turn, strike, go on with the string, block what comes.
    fn fight(&mut self, action: &mut Option<Action>, scene: &Scene<'_>, target: &Human) -> (Asked, u8) {
        let me = scene.me;
        let off = target.position - me.position;
        let (distance, heading) = (off.horizontal().length(), heading_of(off));
        let near = distance < RUNS;
        if matches!(action, Some(Action::String { .. })) && me.fight.attack.is_none() {
            // A blow or a block has broken it off.
            *action = None;
        }
        let mut asked = Asked { heading, stance: near, ..Asked::default() };
        if me.fight.warned_by.is_some() && action.is_none() {
            let (of, steps) = BLOCKS;
            if scene.chance % of < scene.pace.blocks {
                *action = Some(Action::Block { steps });
            }
        }
        let (waits, more) = ANSWER;
        if me.fight.open.is_some() && matches!(action, Some(Action::Block { .. })) {
            *action = Some(Action::Answer { steps: waits });
        }
        if let Some(Action::Answer { steps }) = *action {
            let left = steps.saturating_sub(1);
            *action = if left > 0 { Some(Action::Answer { steps: left }) } else { string(more) };
            return (asked, if left > 0 { command::BLOCK } else { command::SQUARE });
        }
        if let Some(Action::Block { steps }) = *action {
            let left = steps.saturating_sub(1);
            *action = (left > 0).then_some(Action::Block { steps: left });
            return (asked, if left > 0 { command::BLOCK } else { command::NONE });
        }
        if distance > self.keeps_off() {
            asked.gait = match distance {
                d if d > FAR => SPRINT,
                d if d > RUNS => RUN,
                _ => WALK,
            };
        } else if !self.first_line && distance < RING * 0.7 {
            (asked.gait, asked.backwards) = (SNEAK, true);
        }
        let facing = turn_between(me.heading, heading).abs() < 0.5;
        if let Some(Action::String { left }) = *action
            && me.held & held::WINDOW != 0
        {
            *action = string(left.saturating_sub(1));
            let goes_on = if scene.chance.is_multiple_of(4) { command::CROSS } else { command::SQUARE };
            return (asked, goes_on);
        }
        // Our choice: whoever reels is left to whose blow it was, so that nobody is struck without end by some who take turns.
        let reels = target.anim == AnimState::Hurt;
        let may =
            self.first_line && !reels && self.delay == 0 && distance < REACH && facing && me.gate().takes_ai_attack();
        if may && !target.is(state::DOWN) && !target.is_out() {
            let Pace { least, spread, .. } = scene.pace;
            self.delay = least + scene.chance % spread.max(1);
            *action = string((scene.chance % 3) as u8);
            let heavy = scene.chance.is_multiple_of(5);
            return (asked, if heavy { command::CROSS_LONG } else { command::SQUARE });
        }
        (asked, command::NONE)
    }
}

/// A string of attacks; one of none is no action.
fn string(left: u8) -> Option<Action> {
    (left > 0).then_some(Action::String { left })
}

/// The way to a place; `None` when it is reached.
fn go(me: &Human, place: Vec3, gait: u8) -> Option<Asked> {
    let off = (place - me.position).horizontal();
    let distance = off.length();
    if distance < ARRIVED {
        return None;
    }
    // The last metres of a run are walked.
    let gait = if distance < 1.5 { gait.min(WALK) } else { gait };
    Some(Asked { gait, heading: heading_of(off), ..Asked::default() })
}

fn follow(me: &Human, leader: &Human, place: Vec3) -> Asked {
    let distance = (place - me.position).horizontal().length();
    let [walks, runs, sprints] = FALLS_BEHIND;
    let moving = me.speed > 0.1;
    let gait = match distance {
        d if d > sprints => SPRINT,
        d if d > runs || (d > walks && leader.gait >= RUN) => RUN,
        d if d > walks || (moving && d > ARRIVED) => WALK,
        _ => {
            return Asked {
                heading: wrap_heading(if moving { me.heading } else { leader.heading }),
                ..Asked::default()
            };
        }
    };
    go(me, place, gait).unwrap_or(Asked { heading: me.heading, ..Asked::default() })
}
