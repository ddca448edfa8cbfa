//! An autopilot: it holds the first controller in a person's place, and nothing else.
//!
//! [`Pilot`] looks at the player's human, at who is near and at the level's way, and says what a hand would hold in the next
//! step; [`hold`] puts that where the controller's reading is taken from. It reads what can be seen on the screen and writes
//! buttons and a stick, so whatever it wins a person can win, too. Its skills are four people: one who only walks, one who
//! hammers on square, one who blocks and answers, one who grabs.
//!
//! Our choice: missions are too long for recorded buttons, which one changed number of a fight makes worthless.

use super::characters::People;
use super::characters_acts::gang;
use super::machine::Machine;
use super::world::GameWorld;
use crate::human::numbers::state;
use crate::human::speeds::turn_between;
use crate::human::{Human, Humans};
use crate::maths::{Vec3, heading_of, scalar, wrap_heading};
use crate::pads::button::{self, Buttons};
use crate::pads::{Reading, Stick};

/// Metres within which a rival is fought rather than passed.
pub const SEES: f32 = 13.0;
/// Metres within which a blow is tried, and the angle in radians within which it is aimed.
const REACH: f32 = 1.25;
const AIMED: f32 = 0.45;
/// How far the stick is pushed to turn and hardly to walk.
const TURNS: f32 = 0.4;
/// Metres from which a rival is run at with L2.
const SPRINTS: f32 = 5.0;
/// Metres within which somebody's attack is a threat, and steps until a person has seen it.
const THREAT: f32 = 2.4;
const REACTION: u16 = 6;
/// Steps for which a block is kept after the last threat.
const KEEPS_BLOCK: u16 = 8;
/// Steps from one press of square to the next, and for how many of them it is down.
const PRESS: (u16, u16) = (7, 2);
/// Steps from one deed to the next in a hold, and its blows before the throw.
const HOLD: u16 = 16;
const HOLD_BLOWS: u16 = 2;
/// Steps for which the careful one draws back from two at a time, and for how many it does not then.
const BACKS: (u16, u16) = (20, 60);
/// Blows of a string after which the careful one covers himself, and for how many steps.
const STRING: u16 = 3;
const COVERS: u16 = 16;
/// Steps over which somebody who does not come on is stuck, and for how many it then goes another way, in radians.
const STUCK: (u16, f32) = (24, 0.35);
const AROUND: (u16, f32) = (22, 1.1);
/// Steps between two lines that tell how it goes.
const TELLS: u32 = 150;

/// How it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skill {
    /// Only walks.
    Walks,
    /// Hammers on square whatever comes.
    Hammers,
    /// Blocks what it sees coming, and answers.
    Careful,
    /// Grabs, strikes and throws.
    Grabs,
}

impl Skill {
    /// The skill of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "walk" => Self::Walks,
            "hammer" => Self::Hammers,
            "careful" => Self::Careful,
            "grab" => Self::Grabs,
            _ => return None,
        })
    }
}

/// What it sees of somebody.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foe {
    /// Metres.
    pub place: Vec3,
    /// Lies, and cannot be struck.
    pub down: bool,
}

/// What it sees in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sight {
    /// Its human's feet, metres, and where that faces, radians clockwise from +y.
    pub place: Vec3,
    /// Where it faces.
    pub heading: f32,
    /// Where the camera looks.
    pub camera: f32,
    /// The next point of the way to the goal.
    pub way: Option<Vec3>,
    /// The rival that matters most.
    pub foe: Option<Foe>,
    /// Rivals within reach of whom it is.
    pub crowd: usize,
    /// It holds somebody.
    pub holds: bool,
    /// Where somebody is whose attack may land.
    pub threat: Option<Vec3>,
}

/// The autopilot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pilot {
    skill: Skill,
    /// What is held in this step, until it is read.
    held: Option<Reading>,
    steps: u32,
    /// Steps since the last press began, and presses of this string.
    pressed: u16,
    presses: u16,
    /// Steps for which somebody has been held.
    held_for: u16,
    /// Steps for which it draws back, and stays then.
    backs: u16,
    /// Steps for which there has been a threat, and for which the block is kept.
    threatened: u16,
    blocks: u16,
    /// Where it was some steps ago, and for how many it goes another way, to which side.
    was: Vec3,
    since: u16,
    around: u16,
    side: f32,
}

impl Pilot {
    /// One of a skill.
    pub const fn new(skill: Skill) -> Self {
        Self {
            skill,
            held: None,
            steps: 0,
            pressed: PRESS.0,
            presses: 0,
            held_for: 0,
            backs: 0,
            threatened: 0,
            blocks: 0,
            was: Vec3::ZERO,
            since: 0,
            around: 0,
            side: 1.0,
        }
    }

    /// What it holds, once a step; `None` while there is nothing to be played.
    pub const fn take(&mut self) -> Option<Reading> {
        self.held.take()
    }

    /// What it holds in the next step.
    pub fn decide(&mut self, sight: &Sight) -> Reading {
        self.steps += 1;
        let foe = sight.foe.filter(|_| self.skill != Skill::Walks);
        if sight.holds {
            return Reading { buttons: self.hold(), ..Reading::default() };
        }
        self.held_for = 0;
        let blocks = self.skill == Skill::Careful && self.sees_blow(sight.threat.is_some());
        match foe {
            // Only what comes from ahead is blocked: it turns to whoever strikes.
            Some(foe) if blocks => {
                let from = sight.threat.unwrap_or(foe.place);
                let left = stick(heading_of(from - sight.place), sight.camera, TURNS);
                Reading { buttons: button::R1, left, ..Reading::default() }
            }
            Some(foe) => self.fight(sight, foe),
            None => sight.way.map_or(Reading::default(), |way| self.go(sight, way, 0)),
        }
    }

    /// Whether it has seen a blow come, which takes a person some steps.
    fn sees_blow(&mut self, threat: bool) -> bool {
        self.threatened = if threat { self.threatened.saturating_add(1) } else { 0 };
        self.blocks = if self.threatened >= REACTION { KEEPS_BLOCK } else { self.blocks.saturating_sub(1) };
        self.blocks > 0
    }

    fn fight(&mut self, sight: &Sight, foe: Foe) -> Reading {
        let off = (foe.place - sight.place).horizontal();
        let near = off.length();
        if self.skill == Skill::Careful && self.backs_off(sight.crowd) {
            return self.go(sight, sight.place - off * (2.0 * THREAT / near.max(0.1)), 0);
        }
        if foe.down && near < 2.0 * REACH {
            return Reading::default();
        }
        if near > REACH {
            let sprint = if near > SPRINTS { button::L2 } else { 0 };
            return self.go(sight, foe.place, sprint);
        }
        (self.was, self.since) = (sight.place, 0);
        let heading = heading_of(off);
        let aims = turn_between(sight.heading, heading).abs() < AIMED;
        let left = if aims { Stick::default() } else { stick(heading, sight.camera, TURNS) };
        Reading { buttons: self.press(), left, ..Reading::default() }
    }

    /// Whether it draws back from more than one of them, which brings them one after the other.
    fn backs_off(&mut self, crowd: usize) -> bool {
        let (steps, stays) = BACKS;
        self.backs = match self.backs {
            0 if crowd > 1 => steps + stays,
            left => left.saturating_sub(1),
        };
        self.backs > stays
    }

    /// In a hold: two blows, then the throw.
    fn hold(&mut self) -> Buttons {
        let (blow, down) = (self.held_for / HOLD, self.held_for % HOLD);
        self.held_for += 1;
        match down < PRESS.1 {
            true if blow == 0 => 0,
            true if blow <= HOLD_BLOWS => button::SQUARE,
            true => button::CIRCLE,
            false => 0,
        }
    }

    /// Square, pressed again and again; the careful one covers himself after a string.
    fn press(&mut self) -> Buttons {
        self.pressed += 1;
        let pauses = self.skill == Skill::Careful && self.presses >= STRING;
        if self.pressed >= PRESS.0 + if pauses { COVERS } else { 0 } {
            self.presses = if pauses { 1 } else { self.presses + 1 };
            self.pressed = 0;
        }
        if pauses && self.pressed >= PRESS.0 {
            return button::R1;
        }
        let button = if self.skill == Skill::Grabs { button::CIRCLE } else { button::SQUARE };
        if self.pressed < PRESS.1 { button } else { 0 }
    }

    /// The stick towards a place; another way for a while when it does not come on.
    fn go(&mut self, sight: &Sight, place: Vec3, buttons: Buttons) -> Reading {
        let mut heading = heading_of(place - sight.place);
        let (steps, least) = STUCK;
        self.since += 1;
        if self.since >= steps {
            if self.around == 0 && (sight.place - self.was).horizontal().length() < least {
                (self.around, self.side) = (AROUND.0, -self.side);
            }
            (self.was, self.since) = (sight.place, 0);
        }
        if self.around > 0 {
            self.around -= 1;
            heading = wrap_heading(heading + self.side * AROUND.1);
        }
        Reading { buttons, left: stick(heading, sight.camera, 1.0), ..Reading::default() }
    }
}

/// The stick that means a heading to somebody who sees through a camera.
fn stick(heading: f32, camera: f32, deflection: f32) -> Stick {
    let (s, c) = scalar::sin_cos(heading - camera);
    Stick { x: s * deflection, y: c * deflection }
}

impl Sight {
    /// What the first player's human sees: rivals within `sees` metres, and the way on.
    pub fn of(humans: &Humans, camera: f32, way: Option<Vec3>, sees: f32) -> Option<Self> {
        let me = &humans.people[humans.player(0)?];
        let apart = |human: &Human| (human.position - me.position).horizontal().length();
        // Somebody who lies counts as further off: whoever stands is struck first.
        let matters = |human: &&Human| apart(human) + if human.is(state::DOWN) { 2.0 * THREAT } else { 0.0 };
        let nearest = rivals(humans).min_by(|one, other| matters(one).total_cmp(&matters(other)));
        let foe = nearest.filter(|human| apart(human) < sees);
        Some(Self {
            place: me.position,
            heading: me.heading,
            camera,
            way,
            foe: foe.map(|human| Foe { place: human.position, down: human.is(state::DOWN) }),
            crowd: rivals(humans).filter(|human| apart(human) < THREAT && !human.is(state::DOWN)).count(),
            holds: me.is(state::GRABBING | state::GRABBING_SECOND),
            threat: rivals(humans)
                .filter(|human| apart(human) < THREAT && human.fight.attack.is_some())
                .min_by(|one, other| apart(one).total_cmp(&apart(other)))
                .map(|human| human.position),
        })
    }
}

/// The rivals that are up.
fn rivals(humans: &Humans) -> impl Iterator<Item = &Human> {
    humans.present().map(|(_, human)| human).filter(|human| gang::is_rival(human.spawn.gang) && !human.is_out())
}

/// What the first player sees in the level. Where the way is shut nobody at its end is too far off.
fn look(people: &People, goal: Option<Vec3>) -> Option<Sight> {
    let (place, _) = people.player_place(0)?;
    let way = goal.and_then(|goal| people.story.next_point(place, goal).or(Some(goal)));
    let at_end = people.story.links().last().is_some_and(|(from, _)| place.y > from.y - SEES);
    let sees = if people.story.is_shut() && at_end { f32::MAX } else { SEES };
    Sight::of(&people.humans, people.cameras[0].heading(), way, sees)
}

/// Lets the autopilot hold the first controller in this step of the characters.
pub fn hold<M: Machine>(world: &mut GameWorld<'_, M>) {
    let Some(pilot) = world.input.pilot.as_mut() else { return };
    let goal = world.rules.goal_place();
    let sight = world.people.as_deref().filter(|_| !world.staging.is_playing()).and_then(|people| look(people, goal));
    pilot.held = sight.map(|sight| pilot.decide(&sight));
    let told = sight.filter(|_| pilot.steps.is_multiple_of(TELLS)).zip(world.people.as_deref());
    if let Some((sight, people)) = told {
        let health = people.humans.player(0).map_or(0, |n| people.humans.people[n].health);
        let ([x, y, _], rivals) = (sight.place.to_array(), rivals(&people.humans).count());
        world.machine.print(format_args!("PILOT {} at {x:.1} {y:.1} health {health} rivals {rivals}", pilot.steps));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AHEAD: Vec3 = Vec3::new(0.0, 10.0, 0.0);

    fn foe(away: f32) -> Option<Foe> {
        Some(Foe { place: Vec3::Y * away, down: false })
    }

    fn held(pilot: &mut Pilot, sight: &Sight, steps: usize) -> std::vec::Vec<Buttons> {
        (0..steps).map(|_| pilot.decide(sight).buttons).collect()
    }

    #[test]
    fn the_stick_points_along_the_way_as_the_camera_sees_it() {
        let sight = Sight { way: Some(AHEAD), camera: core::f32::consts::FRAC_PI_2, ..Sight::default() };
        let left = Pilot::new(Skill::Walks).decide(&sight).left;
        assert!(
            (left.x + 1.0).abs() < 1e-3 && left.y.abs() < 1e-3,
            "ahead is to the left of who looks right: {left:?}"
        );
    }

    #[test]
    fn who_only_walks_strikes_nobody_and_who_hammers_presses_again_and_again() {
        let sight = Sight { way: Some(AHEAD), foe: foe(1.0), ..Sight::default() };
        let walked = held(&mut Pilot::new(Skill::Walks), &sight, 60);
        assert!(walked.iter().all(|buttons| *buttons == 0));
        let presses = |skill| {
            let held = held(&mut Pilot::new(skill), &sight, 210);
            held.windows(2).filter(|pair| pair[0] != button::SQUARE && pair[1] == button::SQUARE).count()
        };
        let (hammered, careful) = (presses(Skill::Hammers), presses(Skill::Careful));
        assert!(hammered >= 29 && careful * 3 < hammered * 2 && careful > 5, "{hammered} {careful}");
    }

    #[test]
    fn the_careful_one_blocks_what_it_has_had_time_to_see() {
        let mut pilot = Pilot::new(Skill::Careful);
        let sight = Sight { foe: foe(1.0), threat: Some(Vec3::Y), ..Sight::default() };
        let blocked = held(&mut pilot, &sight, usize::from(REACTION) + 4);
        let first = blocked.iter().position(|buttons| *buttons == button::R1);
        assert_eq!(first, Some(usize::from(REACTION) - 1));
        let after = held(&mut pilot, &Sight { threat: None, ..sight }, usize::from(KEEPS_BLOCK) + 1);
        assert_eq!(after.iter().filter(|buttons| **buttons == button::R1).count(), usize::from(KEEPS_BLOCK) - 1);
        let hammers = held(&mut Pilot::new(Skill::Hammers), &sight, 60);
        assert!(hammers.iter().all(|buttons| buttons & button::R1 == 0));
    }

    #[test]
    fn who_does_not_come_on_goes_another_way_and_then_the_other_side() {
        let mut pilot = Pilot::new(Skill::Walks);
        let sight = Sight { way: Some(AHEAD), ..Sight::default() };
        let sides: std::vec::Vec<f32> = (0..300).map(|_| pilot.decide(&sight).left.x).collect();
        assert!(sides.iter().any(|x| *x > 0.5) && sides.iter().any(|x| *x < -0.5));
    }
}
