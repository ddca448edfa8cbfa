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
use crate::combat::hits::BLOCKS;
use crate::human::numbers::{AnimState, state};
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
/// Metres within which somebody's attack is a threat, and steps until a person has seen something.
const THREAT: f32 = 2.4;
const REACTION: u16 = 6;
/// Steps from one press of square to the next, and for how many of them it is down.
const PRESS: (u16, u16) = (7, 2);
/// Steps from one deed to the next in a hold, and its blows before the throw.
const HOLD: u16 = 16;
const HOLD_BLOWS: u16 = 2;
/// Metres within which the careful one covers himself from whoever stands, and steps that he waits so for an opening.
const COVERS: f32 = 2.2;
const PATIENCE: u16 = 50;
/// What he presses once there is one: two light blows and a hard one, which ends lying.
const STRING: [Buttons; 3] = [button::SQUARE, button::SQUARE, button::CROSS];
/// Steps between two presses of it.
const BEAT: u16 = 9;
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
    /// It holds somebody.
    pub holds: bool,
    /// Rivals near who stand.
    pub crowd: usize,
    /// It has been struck.
    pub reels: bool,
    /// Somebody in reach is open: his blow was blocked, or another's has met him.
    pub opening: Option<Vec3>,
    /// The way to face in which a block covers whoever attacks, and as many more of those near as it can.
    pub covers: Option<f32>,
}

/// The autopilot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pilot {
    skill: Skill,
    /// What is held in this step, until it is read.
    held: Option<Reading>,
    steps: u32,
    /// Steps since the last press began.
    pressed: u16,
    /// Steps for which somebody has been held.
    held_for: u16,
    /// Steps for which it has covered itself, and for which it has seen an opening.
    covered: u16,
    opened: u16,
    /// Steps of its string that are left.
    answers: u16,
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
            held_for: 0,
            covered: 0,
            opened: 0,
            answers: 0,
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
        match foe {
            Some(foe) if self.skill == Skill::Careful => self.guard(sight, foe),
            Some(foe) => self.fight(sight, foe),
            None => sight.way.map_or(Reading::default(), |way| self.go(sight, way, 0)),
        }
    }

    /// The careful one: covers himself when somebody is near, and strikes once that one is open, or does nothing for long.
    fn guard(&mut self, sight: &Sight, foe: Foe) -> Reading {
        self.opened = if sight.opening.is_some() { self.opened.saturating_add(1) } else { 0 };
        let off = (foe.place - sight.place).horizontal();
        if self.answers == 0
            && (self.opened >= REACTION || (self.covered >= PATIENCE && sight.crowd <= 1))
            && !foe.down
            && off.length() < REACH
        {
            self.answers = BEAT * STRING.len() as u16;
            (self.covered, self.opened) = (0, 0);
        }
        if sight.reels {
            // Its string is broken off: it covers itself as soon as it can.
            (self.answers, self.opened) = (0, 0);
        }
        if self.answers > 0 {
            return self.answer(sight, sight.opening.unwrap_or(foe.place));
        }
        let waits = self.covered < PATIENCE || foe.down || sight.crowd > 1;
        if off.length() < COVERS && waits {
            self.covered = self.covered.saturating_add(1);
            (self.was, self.since) = (sight.place, 0);
            let left = stick(sight.covers.unwrap_or_else(|| heading_of(off)), sight.camera, TURNS);
            return Reading { buttons: button::R1, left, ..Reading::default() };
        }
        if off.length() >= COVERS {
            self.covered = 0;
        }
        let sprint = if off.length() > SPRINTS { button::L2 } else { 0 };
        self.go(sight, foe.place, sprint)
    }

    /// One step of the careful one's string, aimed with the stick.
    fn answer(&mut self, sight: &Sight, at: Vec3) -> Reading {
        let step = BEAT * STRING.len() as u16 - self.answers;
        self.answers -= 1;
        let press = step % BEAT < PRESS.1;
        let buttons = STRING.get(usize::from(step / BEAT)).copied().filter(|_| press).unwrap_or(0);
        let left = stick(heading_of(at - sight.place), sight.camera, if press { 1.0 } else { 0.0 });
        Reading { buttons, left, ..Reading::default() }
    }

    fn fight(&mut self, sight: &Sight, foe: Foe) -> Reading {
        let off = (foe.place - sight.place).horizontal();
        let near = off.length();
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

    /// Square or circle, pressed again and again.
    fn press(&mut self) -> Buttons {
        self.pressed += 1;
        if self.pressed >= PRESS.0 {
            self.pressed = 0;
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
            holds: me.is(state::GRABBING | state::GRABBING_SECOND),
            crowd: rivals(humans).filter(|human| apart(human) < COVERS && !human.is(state::DOWN)).count(),
            reels: me.anim == AnimState::Hurt,
            opening: rivals(humans)
                .filter(|human| apart(human) < REACH && human.anim == AnimState::Hurt && !human.is(state::DOWN))
                .min_by(|one, other| apart(one).total_cmp(&apart(other)))
                .map(|human| human.position),
            covers: covers(humans, me),
        })
    }
}

/// See [`Sight::covers`]: between the nearest one, or the one who attacks, and the next whom the same block covers.
fn covers(humans: &Humans, me: &Human) -> Option<f32> {
    let off = |human: &Human| (human.position - me.position).horizontal();
    let near = || rivals(humans).filter(|human| off(human).length() < THREAT && !human.is(state::DOWN));
    let matters = |human: &&Human| off(human).length() + if human.fight.attack.is_some() { 0.0 } else { THREAT };
    let first = near().min_by(|one, other| matters(one).total_cmp(&matters(other)))?;
    let heading = heading_of(off(first));
    let beside = near().map(|human| turn_between(heading, heading_of(off(human))));
    let (mut right, mut left) = (0.0f32, 0.0f32);
    for angle in beside.filter(|angle| angle.abs() < 2.0 * BLOCKS) {
        (right, left) = (right.max(angle), left.min(angle));
    }
    // Those on one side only are taken in; on both the nearest comes first.
    let both = if right - left < 2.0 * BLOCKS { right + left } else { 0.0 };
    Some(wrap_heading(heading + both * 0.5))
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

    fn presses(held: &[Buttons], button: Buttons) -> usize {
        held.windows(2).filter(|pair| pair[0] & button == 0 && pair[1] & button != 0).count()
    }

    #[test]
    fn who_only_walks_strikes_nobody_and_who_hammers_presses_again_and_again() {
        let sight = Sight { way: Some(AHEAD), foe: foe(1.0), ..Sight::default() };
        let walked = held(&mut Pilot::new(Skill::Walks), &sight, 60);
        assert!(walked.iter().all(|buttons| *buttons == 0));
        let of = |skill| held(&mut Pilot::new(skill), &sight, 210);
        let (hammered, careful) = (presses(&of(Skill::Hammers), button::SQUARE), of(Skill::Careful));
        assert!(hammered >= 29 && of(Skill::Hammers).iter().all(|buttons| buttons & button::R1 == 0), "{hammered}");
        // Nothing happens for long: then the careful one begins.
        let covered = careful.iter().take_while(|buttons| **buttons == button::R1).count();
        let careful = presses(&careful, button::SQUARE);
        assert!(covered == usize::from(PATIENCE) && (4..10).contains(&careful), "{covered} {careful}");
    }

    #[test]
    fn the_careful_one_answers_what_it_has_had_time_to_see_with_one_string_and_none_while_it_reels() {
        let mut pilot = Pilot::new(Skill::Careful);
        let covers = Sight { foe: foe(1.0), crowd: 2, ..Sight::default() };
        assert!(held(&mut pilot, &covers, 200).iter().all(|buttons| *buttons == button::R1), "two are near");
        let open = Sight { opening: Some(Vec3::Y), ..covers };
        let answer = held(&mut pilot, &open, usize::from(REACTION));
        let first = answer.iter().position(|buttons| *buttons == button::SQUARE);
        assert_eq!(first, Some(usize::from(REACTION) - 1));
        let rest = held(&mut pilot, &covers, usize::from(BEAT) * STRING.len());
        assert_eq!((presses(&rest, button::SQUARE), presses(&rest, button::CROSS)), (1, 1), "{rest:?}");
        held(&mut pilot, &open, usize::from(REACTION));
        let struck = held(&mut pilot, &Sight { reels: true, ..covers }, 30);
        assert!(struck.iter().all(|buttons| *buttons == button::R1), "{struck:?}");
    }

    #[test]
    fn who_does_not_come_on_goes_another_way_and_then_the_other_side() {
        let mut pilot = Pilot::new(Skill::Walks);
        let sight = Sight { way: Some(AHEAD), ..Sight::default() };
        let sides: std::vec::Vec<f32> = (0..300).map(|_| pilot.decide(&sight).left.x).collect();
        assert!(sides.iter().any(|x| *x > 0.5) && sides.iter().any(|x| *x < -0.5));
    }
}
