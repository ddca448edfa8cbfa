//! Whose limbs move: those that somebody sees, and those that matter to a fight.

use super::characters_story::gang;
use super::characters_tests::{come, level, mind, people, steps};
use super::fake::FakeGame;
use crate::ai::Temper;
use crate::graphics::camera::Camera;
use crate::maths::Vec3;
use std::vec::Vec;

#[test]
fn limbs_rest_in_three_steps_of_four_while_nobody_looks() {
    let mut game = level();
    let n = mind(&mut game, 6.0, 5.0, gang::WALKERS, Temper::Civilian);
    let unposed = |game: &mut FakeGame, towards: Vec3| {
        game.things.look_from(&[Camera::towards(Vec3::Z * 1.7, towards, 470.0)]);
        let step = |_| {
            steps(game, 1);
            people(game).humans.people[n].unposed
        };
        (0..8).map(step).collect::<Vec<_>>()
    };
    assert_eq!(unposed(&mut game, Vec3::new(6.0, 5.0, 1.0)), [0; 8]);
    assert_eq!(unposed(&mut game, Vec3::new(-6.0, -5.0, 1.0)), [1, 2, 3, 0, 1, 2, 3, 0]);
    game.things.look_from(&[]);
    steps(&mut game, 1);
    assert!(!people(&mut game).humans.people[n].unwatched, "while nobody knows the eyes, all limbs move");
    assert!(!people(&mut game).humans.people[0].is_at_ease(), "a player's human is never at ease");
}

#[test]
fn limbs_near_an_attack_matter_whoever_looks() {
    let mut game = level();
    let n = come(&mut game, 6.0, 5.0, gang::WALKERS).unwrap();
    let other = come(&mut game, 8.0, 5.0, gang::WALKERS).unwrap();
    let humans = &mut people(&mut game).humans;
    assert!(!humans.is_near_attack(n, 5.0));
    humans.people[other].fight.attack = Some(12);
    assert_eq!([5.0, 1.0].map(|metres| humans.is_near_attack(n, metres)), [true, false]);
    assert!(!humans.is_near_attack(other, 5.0) && !humans.people[other].is_at_ease());
}
