//! Light on vertices: a direction, lamps, and fog.

use crate::maths::Vec3;

/// A lamp that shines into all directions.
#[derive(Clone, Copy, Debug)]
pub struct Lamp {
    /// Where it hangs.
    pub position: Vec3,
    /// Its light at no distance.
    pub colour: Vec3,
    /// Metres at which half of its light is left.
    pub reach: f32,
}

/// Light from far away.
#[derive(Clone, Copy, Debug)]
pub struct Directional {
    /// Unit vector to the light.
    pub towards: Vec3,
    /// Its light on a surface that faces it.
    pub colour: Vec3,
}

/// All the light of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Lights<'a> {
    /// Light from everywhere.
    pub ambient: Vec3,
    /// The moon or the sun.
    pub directional: Directional,
    /// The lamps.
    pub lamps: &'a [Lamp],
}

/// How much of a lamp's light wraps around a surface's edge: cloth and wood are never lit as sharply as billiard balls.
const WRAP: f32 = 0.25;

impl Lamp {
    /// Its light on a surface at `point` that faces `normal`.
    #[inline]
    pub fn at(&self, point: Vec3, normal: Vec3) -> Vec3 {
        let to_lamp = self.position - point;
        let squared = to_lamp.length_squared();
        let facing = normal.dot(to_lamp) / crate::maths::scalar::sqrt(squared + 1e-6);
        let wrapped = ((facing + WRAP) / (1.0 + WRAP)).max(0.0);
        self.colour * (wrapped / (1.0 + squared / (self.reach * self.reach)))
    }
}

impl Lights<'_> {
    /// The light on a surface at `point` that faces the unit vector `normal`.
    pub fn at(&self, point: Vec3, normal: Vec3) -> Vec3 {
        let moon = self.directional.colour * self.directional.towards.dot(normal).max(0.0);
        self.lamps.iter().fold(self.ambient + moon, |light, lamp| light + lamp.at(point, normal))
    }
}

/// Fog that thickens with distance.
#[derive(Clone, Copy, Debug)]
pub struct Fog {
    /// Its colour.
    pub colour: Vec3,
    /// Metres at which half of a surface's colour is left.
    pub half: f32,
}

impl Fog {
    /// A surface's colour seen through `distance` metres of it.
    #[inline]
    pub fn over(&self, colour: Vec3, distance: f32) -> Vec3 {
        let thickness = distance / self.half;
        let left = 1.0 / (1.0 + thickness * thickness);
        self.colour + (colour - self.colour) * left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAMP: Lamp = Lamp { position: Vec3::new(0.0, 0.0, 3.0), colour: Vec3::new(1.0, 0.8, 0.5), reach: 3.0 };

    #[test]
    fn a_lamp_lights_what_faces_it_and_fades_with_distance() {
        let below = LAMP.at(Vec3::ZERO, Vec3::Z);
        let beside = LAMP.at(Vec3::new(4.0, 0.0, 0.0), Vec3::Z);
        let underside = LAMP.at(Vec3::ZERO, -Vec3::Z);
        assert!((below.x - 0.5).abs() < 1e-3, "half at its reach: {}", below.x);
        assert!(beside.x < below.x && underside == Vec3::ZERO);
    }

    #[test]
    fn fog_leaves_half_at_its_distance() {
        let fog = Fog { colour: Vec3::ZERO, half: 40.0 };
        assert!((fog.over(Vec3::splat(1.0), 40.0).x - 0.5).abs() < 1e-6);
        assert_eq!(fog.over(Vec3::splat(1.0), 0.0).x, 1.0);
    }
}
