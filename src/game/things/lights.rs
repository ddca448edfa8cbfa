//! The light on what moves: the level's lamps, and those that tasks switch.

use crate::graphics::light::{Directional, Lamp, Lights};
use crate::maths::Vec3;
use crate::tasks::ids::TaskClass;
use crate::world::Level;
use alloc::vec::Vec;

/// Lamps that tasks switch.
const SWITCHED: usize = TaskClass::Light.capacity() as usize;
const DARK: Lamp = Lamp { position: Vec3::ZERO, colour: Vec3::ZERO, reach: 1.0 };

/// All lamps of a level.
pub struct Lighting {
    /// Those that tasks switch, by their slot, then the level's own.
    lamps: Vec<Lamp>,
    ambient: Vec3,
    moon: Directional,
}

impl Default for Lighting {
    fn default() -> Self {
        let moon = Directional { towards: Vec3::Z, colour: Vec3::splat(0.2) };
        Self { lamps: Vec::from([DARK; SWITCHED]), ambient: Vec3::splat(0.3), moon }
    }
}

impl Lighting {
    /// The light of a level.
    pub fn of_level(level: &Level) -> Self {
        let header = &level.header;
        let own = level.lamps().map(crate::world::chunks::Lamp::to_light);
        let mut lamps = Vec::with_capacity(SWITCHED + own.size_hint().0.max(level.lamps().count()));
        lamps.extend([DARK; SWITCHED]);
        lamps.extend(own);
        let moon = Directional { towards: header.moon_towards, colour: header.moon };
        Self { lamps, ambient: header.ambient, moon }
    }

    /// Switches the lamp of a light task.
    pub fn set(&mut self, slot: u16, position: Vec3, colour: [f32; 3], range: f32) {
        if let Some(lamp) = self.lamps.get_mut(usize::from(slot)).filter(|_| usize::from(slot) < SWITCHED) {
            *lamp = Lamp { position, colour: Vec3::from_array(colour), reach: range.max(0.1) };
        }
    }

    /// Leaves a share of the light of the level's lamp at a point.
    pub fn dim(&mut self, position: Vec3, share: f32) {
        for lamp in self.lamps.iter_mut().skip(SWITCHED).filter(|lamp| lamp.position == position) {
            lamp.colour *= share;
        }
    }

    /// All of it.
    pub fn lights(&self) -> Lights<'_> {
        Lights { ambient: self.ambient, directional: self.moon, lamps: &self.lamps }
    }

    /// The light that a mote at a point takes from all sides.
    pub fn around(&self, point: Vec3) -> Vec3 {
        // Beyond so many reaches a lamp gives less than a thirtieth of its light.
        const REACHES: f32 = 5.5;
        self.lamps.iter().fold(self.ambient + self.moon.colour * 0.5, |light, lamp| {
            let squared = (lamp.position - point).length_squared();
            let reach = lamp.reach * lamp.reach;
            if squared > reach * REACHES * REACHES { light } else { light + lamp.colour * (reach / (reach + squared)) }
        })
    }
}
