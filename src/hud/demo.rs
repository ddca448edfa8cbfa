//! A HUD with everything on it, for its picture.

use super::captions::{Caption, CaptionKind};
use super::{Hud, HudInput, Names, Target, TargetKind, Vigour};
use crate::graphics::camera::Projected;

/// Seconds of a step.
const STEP: f32 = 1.0 / 30.0;

/// A player who was just hit and charges a jump, foes, a friend, somebody to catch, a goal behind, words.
pub fn step(hud: &mut Hud) {
    let at = |x: f32, y: f32| Projected { x, y, distance: 6.0, scale: 80.0, depth: 1 };
    let target = |kind, at, bearing, health| Target { kind, at, bearing, health, distance: 6.0 };
    let targets = [
        target(TargetKind::Foe, at(260.0, 210.0), -0.1, Some(0.7)),
        target(TargetKind::Foe, at(392.0, 196.0), 0.15, Some(0.25)),
        target(TargetKind::Friend, at(132.0, 236.0), -0.4, Some(1.0)),
        target(TargetKind::Prey, at(500.0, 220.0), 0.4, Some(0.9)),
        target(TargetKind::Goal, Projected::default(), 2.2, None),
    ];
    let input = |health: f32| HudInput {
        player: Some(Vigour { health, stamina: 0.8, charge: Some(0.45) }),
        task: "GET TO THE LAMP",
        seconds_left: Some(72),
        money: "MONEY $35",
        names: Names { bars: ["HEALTH", "STAMINA", "JUMP"], prey: "CATCH" },
        targets: &targets,
        caption: Some(Caption {
            kind: CaptionKind::SPOKEN,
            speaker: "JO",
            text: "They closed the gate an hour ago. We go along the beach, under the planks.",
        }),
        hint: "TRIANGLE  PICK UP",
        reminder: "",
    };
    for _ in 0..20 {
        hud.step(&input(0.9), STEP);
    }
    hud.step(&input(0.6), STEP);
}
