//! Goals alone, without bodies.

use super::brain::{Action, Brain, Goal, Scene, Temper};
use super::brains::Brains;
use crate::combat::Pace;
use crate::human::numbers::{AnimState, RUN, SPRINT, WALK};
use crate::human::{Human, Spawn};
use crate::maths::Vec3;

fn human(x: f32, y: f32) -> Human {
    Human::new(Spawn { position: Vec3::new(x, y, 0.0), ..Spawn::default() }, Default::default())
}

/// A brain with a goal and the action that it is in the middle of.
struct Mind {
    brain: Brain,
    goal: Goal,
    action: Option<Action>,
}

fn mind(goal: Goal, brain: Brain) -> Mind {
    Mind { brain, goal, action: None }
}

fn asked(mind: &mut Mind, me: &Human, other: Option<&Human>, chance: u16) -> (crate::human::person::Asked, u8) {
    let pace = Pace { least: 22, spread: 40, line: 2, blocks: 4 };
    let scene = Scene { me, named: other.map(|_| 1), other, place: None, chance, pace };
    mind.brain.update(mind.goal, &mut mind.action, &scene)
}

#[test]
fn a_goal_to_move_faces_its_place_and_ends_there() {
    let mut brain = mind(Goal::MoveTo { place: Vec3::new(5.0, 0.0, 0.0), gait: RUN }, Brain::default());
    let (far, _) = asked(&mut brain, &human(0.0, 0.0), None, 0);
    assert!(far.gait == RUN && (far.heading - core::f32::consts::FRAC_PI_2).abs() < 1e-5);
    assert_eq!(asked(&mut brain, &human(4.0, 0.0), None, 0).0.gait, WALK, "the last metre is walked");
    assert_eq!(asked(&mut brain, &human(4.8, 0.0), None, 0).0.gait, 0);
}

#[test]
fn a_fighter_closes_in_waits_for_its_delay_and_strikes() {
    let mut brain = mind(Goal::Attack { target: 1 }, Brain { first_line: true, delay: 3, ..Brain::default() });
    let me = human(0.0, 0.0);
    assert_eq!(asked(&mut brain, &me, Some(&human(0.0, 20.0)), 1).0.gait, SPRINT);
    assert_eq!(asked(&mut brain, &me, Some(&human(0.0, 3.0)), 1).0.gait, WALK);
    let near = human(0.0, 1.0);
    let commands: std::vec::Vec<u8> = (0..3).map(|_| asked(&mut brain, &me, Some(&near), 1).1).collect();
    assert_eq!(commands, [0xf, 0, 0], "one press, then the next delay");
    assert!(brain.brain.delay >= 20);
}

#[test]
fn who_is_not_in_the_first_line_keeps_off() {
    let mut brain = mind(Goal::Attack { target: 1 }, Brain { delay: 0, ..Brain::default() });
    let (asked, command) = asked(&mut brain, &human(0.0, 0.0), Some(&human(0.0, 1.0)), 1);
    assert!(asked.backwards && command == 0);
}

#[test]
fn a_warned_fighter_sometimes_blocks_and_then_stops() {
    let mut brain = mind(Goal::Attack { target: 1 }, Brain { delay: 60, ..Brain::default() });
    let mut me = human(0.0, 0.0);
    me.fight.warned_by = Some(1);
    let near = human(0.0, 1.0);
    assert_eq!(asked(&mut brain, &me, Some(&near), 9).1, 0, "not every time");
    assert_eq!(asked(&mut brain, &me, Some(&near), 1).1, 4);
    me.fight.warned_by = None;
    let held = (0..40).take_while(|_| asked(&mut brain, &me, Some(&near), 1).1 == 4).count();
    assert!((20..26).contains(&held), "{held}");
}

#[test]
fn who_has_blocked_answers_after_a_moment_and_nobody_strikes_whom_another_has_struck() {
    let mut brain = mind(Goal::Attack { target: 1 }, Brain { delay: 60, first_line: true, ..Brain::default() });
    brain.action = Some(Action::Block { steps: 20 });
    let (mut me, mut near) = (human(0.0, 0.0), human(0.0, 1.0));
    me.fight.open = Some(1);
    let first = asked(&mut brain, &me, Some(&near), 1).1;
    me.fight.open = None;
    let more: std::vec::Vec<u8> = (0..5).map(|_| asked(&mut brain, &me, Some(&near), 1).1).collect();
    assert_eq!((first, &more[..]), (4, &[4, 4, 4, 0xf, 0][..]));
    let mut brain = mind(Goal::Attack { target: 1 }, Brain { delay: 0, first_line: true, ..Brain::default() });
    near.anim = AnimState::Hurt;
    assert_eq!(asked(&mut brain, &me, Some(&near), 1).1, 0);
    near.anim = AnimState::Stance;
    assert_eq!(asked(&mut brain, &me, Some(&near), 1).1, 0xf);
}

#[test]
fn who_flees_runs_the_other_way() {
    let mut brain = mind(Goal::Flee { from: 1 }, Brain::default());
    let (asked, _) = asked(&mut brain, &human(0.0, 0.0), Some(&human(0.0, 3.0)), 0);
    assert!(asked.gait == RUN && (asked.heading - core::f32::consts::PI).abs() < 1e-5);
}

#[test]
fn the_61st_brain_is_refused_and_counted() {
    let mut brains = Brains::new();
    (0..61).for_each(|n| brains.enable(n, Temper::Civilian, Goal::Idle));
    assert_eq!((brains.refusals, brains.goals.count(), brains.goals.refusals()), (1, 60, 0));
}
