//! How hard the evening's fights are: an autopilot fights them at each of its skills, with the disc's own table and people.
//!
//! Everybody stands on an open floor as the level's flags say. What is measured is who is left, with how much, and after how long.

use super::{FLOOR, library};
use boardwalk::ai::Goal;
use boardwalk::collision::scenes::{Scene, floor};
use boardwalk::combat::{Bears, FightTable};
use boardwalk::game::autopilot::{Pilot, Sight, Skill};
use boardwalk::game::characters_acts::{ACTS, ActPlan, HARDER, Usual, gang};
use boardwalk::game::gangs::GangAttributes;
use boardwalk::human::stage::Stage;
use boardwalk::human::{Humans, Spawn};
use boardwalk::maths::Vec3;
use std::path::Path;
use xtask::level::scene::ThingKind;

/// The floor's edge and where the player comes onto it, metres.
const SIDE: f32 = 100.0;
const ENTRY: Vec3 = Vec3::new(50.0, 20.0, FLOOR);
/// Steps in a second, and for how many seconds a fight may last.
const RATE: usize = 30;
const PATIENCE: usize = 120;
/// Evenings of each skill, each begun a little to the side of the last.
const EVENINGS: usize = 8;
const EASY: usize = 0;
const NORMAL: usize = 1;
/// Who hammers has this share of his health left at least after the first fight.
const THIRD: f32 = 0.33;

/// What is left after a fight.
#[derive(Clone, Copy, Debug)]
struct Left {
    /// Share of the player's health; 0 is lost.
    health: f32,
    seconds: usize,
    friends: usize,
}

/// Where a flag of the boardwalk is.
fn flag(name: &str) -> Vec3 {
    static FLAGS: std::sync::OnceLock<Vec<(String, Vec3)>> = std::sync::OnceLock::new();
    let flags = FLAGS.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../iso");
        let scene = xtask::level::read("boardwalk", &xtask::level::loader(&folder)).unwrap();
        scene.things_of(ThingKind::Flag).map(|thing| (thing.name.clone(), thing.position)).collect()
    });
    flags.iter().find(|(own, _)| own == name).map_or_else(|| panic!("no flag {name}"), |(_, place)| *place)
}

fn table() -> FightTable {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../iso/fight/people.table");
    FightTable::read(&std::fs::read(path).unwrap()).unwrap()
}

fn is_up(stage: &Stage, n: usize) -> bool {
    !stage.humans.people[n].is_out()
}

/// One act's fight, coming from `from` in the level, with this share of the player's health, and of the difficulty.
fn fight(skill: Skill, acts: &[&ActPlan], from: Vec3, health: f32, difficulty: usize) -> Left {
    let mut humans = Humans::new(library(), table()).unwrap();
    (humans.strangers, humans.spared) = (1 << gang::WALKERS, 1 << gang::PLAYER);
    let mut stage = Stage::new(humans, Scene::new().with(floor(SIDE, FLOOR)).mesh([8, 8, 1]));
    stage.brains.use_motions(boardwalk::motion::table::build::sample().build().unwrap());
    GangAttributes::of_the_game().take_sides(&mut stage.brains);
    let bears = |who| table().health(who);
    let own = bears(Bears::Player);
    let player =
        Spawn { position: ENTRY, scale: 0.97, player: Some(0), health: own, gang: gang::PLAYER, ..Spawn::default() };
    assert_eq!(stage.spawn(player), Some(0));
    stage.humans.people[0].health = (f32::from(own) * health) as i16;
    let (mut friends, mut rivals) = (Vec::new(), Vec::new());
    for role in ACTS[0].roles.iter().filter(|role| role.gang == gang::PLAYER) {
        let Usual::Follow(place) = role.usual else { panic!("a friend follows") };
        let position = ENTRY + Vec3::new(f32::from(place) * 3.0 - 1.5, -2.0, 0.0);
        let n = stage.spawn(Spawn { position, health: bears(role.bears), ..Spawn::default() }).unwrap();
        stage.brains.enable(n, role.temper, Goal::Follow { leader: 0, place });
        friends.push(n);
    }
    for role in acts.iter().flat_map(|act| act.roles) {
        let [x, y] = role.beside;
        let position = ENTRY + (flag(role.flag) - from).horizontal() + Vec3::new(x, y, 0.0);
        let share = HARDER[difficulty];
        let health = (f32::from(bears(role.bears)) * share) as i16;
        let n = stage.spawn(Spawn { position, health, gang: role.gang, ..Spawn::default() }).unwrap();
        stage.brains.enable(n, role.temper, Goal::Idle);
        rivals.push(n);
    }
    let mut pilot = Pilot::new(skill);
    let mut steps = 0;
    while steps < PATIENCE * RATE && is_up(&stage, 0) && rivals.iter().any(|n| is_up(&stage, *n)) {
        let sight = Sight::of(&stage.humans, 0.0, None, f32::MAX).unwrap();
        stage.step(Some(pilot.decide(&sight)));
        stage.humans.notices.clear();
        steps += 1;
    }
    let left = if is_up(&stage, 0) { f32::from(stage.humans.people[0].health) / f32::from(own) } else { 0.0 };
    let friends = friends.iter().filter(|n| is_up(&stage, **n)).count();
    Left { health: left, seconds: steps / RATE, friends }
}

/// Both fights, one after the other.
fn evening(skill: Skill, aside: f32, difficulty: usize) -> [Left; 2] {
    let from = Vec3::new(aside, 50.0, 0.0);
    let first = fight(skill, &[&ACTS[1]], from, 1.0, difficulty);
    if first.health == 0.0 {
        return [first, first];
    }
    let second = fight(skill, &[&ACTS[3]], Vec3::new(aside, 144.0, 0.0), first.health, difficulty);
    [first, second]
}

fn evenings(skill: Skill, difficulty: usize) -> Vec<[Left; 2]> {
    let evenings: Vec<_> = (0..EVENINGS).map(|n| evening(skill, n as f32 * 0.37 - 1.5, difficulty)).collect();
    for [first, second] in &evenings {
        println!(
            "{skill:?} {difficulty}: first {:.2} after {} s, {} friends; second {:.2} after {} s, {} friends",
            first.health, first.seconds, first.friends, second.health, second.seconds, second.friends
        );
    }
    let mean = evenings.iter().map(|[_, second]| second.health).sum::<f32>() / EVENINGS as f32;
    println!("{skill:?} {difficulty}: {} of {EVENINGS} won, {mean:.2} of the health left", won(&evenings));
    evenings
}

/// How many of them are won.
fn won(evenings: &[[Left; 2]]) -> usize {
    evenings.iter().filter(|[_, second]| second.health > 0.0).count()
}

#[test]
fn who_blocks_and_answers_wins_and_has_been_in_a_fight() {
    let careful = evenings(Skill::Careful, NORMAL);
    let mean = careful.iter().map(|[_, second]| second.health).sum::<f32>() / EVENINGS as f32;
    assert!(won(&careful) >= 7 && (0.2..0.6).contains(&mean), "{} won with {mean} left", won(&careful));
    for fights in [0, 1].map(|which| careful.iter().map(move |evening| evening[which].seconds)) {
        let (all, longest) = (fights.clone().sum::<usize>() / EVENINGS, fights.max().unwrap());
        assert!((12..50).contains(&all) && longest <= 70, "{all} s, at most {longest} s");
    }
}

#[test]
fn who_hammers_sees_something_of_the_evening_and_seldom_its_end() {
    let hammers = evenings(Skill::Hammers, NORMAL);
    let first = hammers.iter().map(|[first, _]| first.health).fold(1.0, f32::min);
    assert!(first > THIRD, "the worst first fight leaves {first}");
    assert!(won(&hammers) <= 3, "{} won", won(&hammers));
    // Grabbing needs less of a hand than blocking and more than hammering.
    let grabs = evenings(Skill::Grabs, NORMAL);
    assert!(won(&grabs) > won(&hammers), "{} won", won(&grabs));
}

#[test]
fn on_easy_hammering_wins_most_evenings() {
    let hammers = evenings(Skill::Hammers, EASY);
    assert!(won(&hammers) * 2 > EVENINGS, "{} won", won(&hammers));
}
