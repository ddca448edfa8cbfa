//! From a scene's lights to what the kernel multiplies with, for each thing.
//!
//! A thing sees one sun and the four lamps that shine brightest on it. Lamps count as far away: their directions and strengths
//! are those at the thing's middle.

use super::super::light::{Lamp, Lights};
use super::super::mesh::BONES;
use crate::ee::vu0::transform::{Directions, NORMAL_SCALE, Shades};
use crate::maths::{Pose, Vec3};

/// Lamps on a thing.
const LAMPS: usize = 4;
/// How much of a lamp's light wraps around a surface's edge: cloth and wood are never lit as sharply as billiard balls.
const WRAP: f32 = 0.25;

/// The sun and the brightest lamps at a place.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rig {
    towards: [Vec3; LAMPS],
    colours: [Vec3; LAMPS],
    sun: Vec3,
    sun_colour: Vec3,
    ambient: Vec3,
}

impl Rig {
    /// The light at `place`.
    pub fn at(place: Vec3, lights: &Lights) -> Self {
        let mut best: [(f32, Option<&Lamp>); LAMPS] = [(0.0, None); LAMPS];
        for lamp in lights.lamps {
            let (reach, away) = (lamp.reach * lamp.reach, (lamp.position - place).length_squared());
            let power = (lamp.colour.x + lamp.colour.y + lamp.colour.z) * reach;
            // There are many lamps, and few are among the brightest: only those pay for a division.
            if power <= best[LAMPS - 1].0 * (reach + away) {
                continue;
            }
            let strength = power / (reach + away);
            let rank = best.iter().position(|(other, _)| strength > *other).unwrap_or(LAMPS - 1);
            best[rank..].rotate_right(1);
            best[rank] = (strength, Some(lamp));
        }
        let mut rig = Self {
            sun: lights.directional.towards,
            sun_colour: lights.directional.colour,
            ambient: lights.ambient,
            ..Self::default()
        };
        for ((_, lamp), (towards, colour)) in best.iter().zip(rig.towards.iter_mut().zip(&mut rig.colours)) {
            let Some(lamp) = lamp else { break };
            let to_lamp = lamp.position - place;
            *colour = lamp.colour * (1.0 / (1.0 + to_lamp.length_squared() / (lamp.reach * lamp.reach)));
            *towards = to_lamp.try_normalize().unwrap_or(Vec3::Z);
        }
        rig
    }

    /// The way along the ground from the lamp that shines brightest, as a shadow falls; north where nothing shines.
    pub fn away_from_brightest(&self) -> Vec3 {
        (-self.towards[0]).horizontal().try_normalize().unwrap_or(Vec3::Y)
    }

    /// The ways to the lights, in the world's coordinates, and how bright they are.
    pub fn world(&self) -> (Directions, Shades) {
        let share = 1.0 / (1.0 + WRAP);
        let lamps = self.towards.map(|towards| towards * (NORMAL_SCALE * share));
        let sun = self.sun * NORMAL_SCALE;
        let four = |way: Vec3, last: f32| [way.x, way.y, way.z, last];
        let directions = Directions {
            lamps: [lamps.map(|lamp| lamp.x), lamps.map(|lamp| lamp.y), lamps.map(|lamp| lamp.z)],
            sun: four(sun, 0.0),
        };
        let shades = Shades {
            wrap: [WRAP * share; LAMPS],
            lamp_colours: self.colours.map(|lamp| four(lamp, 0.0)),
            sun_colour: four(self.sun_colour, 0.0),
            ambient: four(self.ambient, 1.0),
        };
        (directions, shades)
    }
}

/// Somebody's bones: where they are now, and where they were when the model was built.
#[derive(Clone, Copy, Debug)]
pub struct Bones<'b> {
    /// In the world.
    pub now: &'b [Pose; BONES],
    /// In the model's coordinates.
    pub built: &'b [Pose; BONES],
}

impl Bones<'_> {
    /// The pose that takes points of the model as it was built to the world, as far as they move with this bone.
    pub fn pose(&self, bone: usize) -> Pose {
        let (now, built) = (&self.now[bone], &self.built[bone]);
        let rotation = now.rotation * built.rotation.conjugate();
        Pose::new(rotation, now.position - rotation.rotate(built.position))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::light::Directional;
    use super::*;
    use crate::ee::vu0::transform::placing::{Lens, place};
    use crate::maths::Quat;
    use alloc::vec::Vec;

    fn lights(lamps: &[Lamp]) -> Lights<'_> {
        let directional = Directional { towards: Vec3::Z, colour: Vec3::splat(0.25) };
        Lights { ambient: Vec3::splat(0.1), directional, lamps }
    }

    #[test]
    fn the_four_brightest_lamps_are_kept_in_order() {
        let lamps: Vec<Lamp> = [5.0, 2.0, 9.0, 3.0, 4.0, 30.0]
            .map(|x| Lamp { position: Vec3::new(x, 0.0, 0.0), colour: Vec3::splat(1.0), reach: 1.0 })
            .into();
        let rig = Rig::at(Vec3::ZERO, &lights(&lamps));
        let brightness: Vec<f32> = rig.colours.iter().map(|colour| colour.x).collect();
        assert_eq!(brightness, [1.0 / 5.0, 1.0 / 10.0, 1.0 / 17.0, 1.0 / 26.0]);
        assert_eq!(rig.away_from_brightest(), -Vec3::X);
        assert_eq!(Rig::at(Vec3::ZERO, &lights(&[])).away_from_brightest(), Vec3::Y);
    }

    #[test]
    fn directions_turn_against_the_thing() {
        let lamp = Lamp { position: Vec3::new(0.0, 7.0, 0.0), colour: Vec3::splat(1.0), reach: 1.0 };
        let quarter = Quat::from_axis_angle(Vec3::Z, core::f32::consts::FRAC_PI_2);
        let (world, _) = Rig::at(Vec3::ZERO, &lights(&[lamp])).world();
        let turned = place(&Lens::default(), &world, &Pose::new(quarter, Vec3::ZERO)).directions;
        let x = turned.lamps[0][0] / (NORMAL_SCALE * 0.8);
        assert!((x - 1.0).abs() < 1e-5, "north is the turned thing's own x: {x}");
        assert!((turned.sun[2] / NORMAL_SCALE - 1.0).abs() < 1e-5);
    }

    #[test]
    fn a_bone_in_its_built_place_moves_nothing() {
        let built = [Pose::new(Quat::from_axis_angle(Vec3::X, 0.7), Vec3::new(0.1, 0.2, 1.3)); BONES];
        let point = Vec3::new(0.4, -0.3, 1.1);
        assert!((Bones { now: &built, built: &built }.pose(5).point(point) - point).length() < 1e-6);
        let mut now = built;
        now[5].position += Vec3::new(0.0, 0.0, 1.0);
        let moved = Bones { now: &now, built: &built };
        assert!((moved.pose(5).point(point) - point - Vec3::Z).length() < 1e-6);
    }
}
