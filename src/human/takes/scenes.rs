//! The scenes: levels and people.

use super::{Cast, Scene};
use crate::ai::{Goal, Temper};
use crate::collision::scenes::{Scene as Level, floor, quad, wall};
use crate::human::Spawn;
use crate::human::stage::Stage;
use crate::maths::Vec3;
use core::f32::consts::PI;

/// Every scene.
pub const SCENES: [Scene; 12] = [
    Scene { name: "held_attack", variants: 1, set: alone },
    Scene { name: "block_release", variants: 1, set: alone },
    Scene { name: "turn_on_spot", variants: 1, set: alone },
    Scene { name: "civ_fight", variants: 1, set: civilian },
    Scene { name: "run_stop", variants: 1, set: alone },
    Scene { name: "jump_and_land", variants: 1, set: alone },
    Scene { name: "charge_fence", variants: 1, set: fence },
    Scene { name: "step_heights", variants: STEPS.len(), set: step },
    Scene { name: "slopes", variants: SLOPES.len(), set: slope },
    Scene { name: "grab", variants: 1, set: near },
    Scene { name: "knock_down_and_rise", variants: 1, set: in_the_way },
    Scene { name: "gang_follow", variants: 1, set: gang },
];

/// Side of a level in metres, cells of its grid, and where the player stands on it.
const SIDE: f32 = 120.0;
const CELLS: [u16; 3] = [8, 8, 1];
const START: Vec3 = Vec3::new(40.0, 20.0, 0.0);
/// The player's size. Source: seed 002, The human body.
const PLAYER_SCALE: f32 = 0.97;
/// Heights of the steps in metres: the low ones are walked onto, the others stop. Source: known numbers, traversal.
pub const STEPS: [f32; 8] = [0.10, 0.20, 0.245, 0.255, 0.26, 0.30, 0.50, 3.0];
/// Uprightness of the slopes. Source: known numbers, locomotion (slope).
pub const SLOPES: [f32; 2] = [0.949, 0.87];
/// Where a step's face, a slope's foot and a fence stand: metres along y.
const FACE: f32 = 23.0;
const FENCE: f32 = 40.0;

fn open() -> Level {
    Level::new().with(floor(SIDE, 0.0))
}

/// A level with its player, who looks along y.
fn begin(stage: &mut Stage, level: &Level) -> Option<usize> {
    stage.clear(level.mesh(CELLS));
    stage.spawn(Spawn { position: START, scale: PLAYER_SCALE, player: Some(0), ..Spawn::default() })
}

fn alone(stage: &mut Stage, _: usize) -> Option<Cast> {
    Some(Cast { who: begin(stage, &open())?, other: None })
}

/// Somebody of another gang, who looks at the player from so many metres.
fn facing(stage: &mut Stage, away: f32) -> Option<usize> {
    stage.spawn(Spawn { position: START + Vec3::Y * away, heading: PI, gang: 1, ..Spawn::default() })
}

fn civilian(stage: &mut Stage, _: usize) -> Option<Cast> {
    let player = begin(stage, &open())?;
    let who = facing(stage, 1.0)?;
    stage.brains.enable(who, Temper::Civilian, Goal::Idle);
    Some(Cast { who, other: Some(player) })
}

fn fence(stage: &mut Stage, _: usize) -> Option<Cast> {
    let level = open().with(wall([0.0, FENCE], [SIDE, FENCE], [0.0, 1.2]));
    Some(Cast { who: begin(stage, &level)?, other: None })
}

fn step(stage: &mut Stage, variant: usize) -> Option<Cast> {
    let z = *STEPS.get(variant)?;
    let top = quad([0.0, FACE, z], [SIDE, FACE, z], [SIDE, SIDE, z], [0.0, SIDE, z]);
    let level = open().with(top).with(wall([0.0, FACE], [SIDE, FACE], [0.0, z]));
    Some(Cast { who: begin(stage, &level)?, other: None })
}

fn slope(stage: &mut Stage, variant: usize) -> Option<Cast> {
    let upright = *SLOPES.get(variant)?;
    let rise = crate::maths::scalar::sqrt(1.0 - upright * upright) / upright;
    let (far, high) = (FACE + 20.0, 20.0 * rise);
    let level = open().with(quad([0.0, FACE, 0.0], [SIDE, FACE, 0.0], [SIDE, far, high], [0.0, far, high]));
    Some(Cast { who: begin(stage, &level)?, other: None })
}

fn near(stage: &mut Stage, _: usize) -> Option<Cast> {
    let who = begin(stage, &open())?;
    Some(Cast { who, other: Some(facing(stage, 0.9)?) })
}

/// Somebody stands in the way of a charge; he is the one under test.
fn in_the_way(stage: &mut Stage, _: usize) -> Option<Cast> {
    let player = begin(stage, &open())?;
    Some(Cast { who: facing(stage, 8.0)?, other: Some(player) })
}

fn gang(stage: &mut Stage, _: usize) -> Option<Cast> {
    let leader = begin(stage, &open())?;
    let mut last = leader;
    for place in 0..3u8 {
        let position = START + Vec3::new(f32::from(place) * 1.5 - 2.0, -2.0, 0.0);
        last = stage.spawn(Spawn { position, ..Spawn::default() })?;
        stage.brains.enable(last, Temper::Fighter, Goal::Follow { leader: leader as u8, place });
    }
    Some(Cast { who: last, other: Some(leader) })
}
