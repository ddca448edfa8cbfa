//! What the overlay asks of the game, and what can be chosen on its pages.

use crate::maths::Vec3;
use crate::tasks::humans::step::Switch;

/// A request to the game root, which carries it out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Command {
    /// Stops or continues game time.
    Freeze(bool),
    /// One step of the game's clock while it stands still.
    SingleStep,
    /// Game time's speed, 1 being normal.
    TimeScale(f32),
    /// Puts the player down here, looking this way (radians clockwise from north).
    Teleport(Vec3, f32),
    /// Makes one of the spawnable things here, by its index.
    Spawn(u8, Vec3),
    /// Turns a part of the character step on or off.
    StepSwitch(Switch, bool),
    /// Physics kernels on VU0, or their scalar twins.
    UseVu0(bool),
}

/// Things drawn in the world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Layer {
    /// The collision mesh, coloured by flag.
    Mesh,
    /// Bodies' bounds.
    Bodies,
    /// Recent contacts and their normals.
    Contacts,
    /// Bodies' shapes, bones included.
    Shapes,
    /// The level's boxes and flags.
    Boxes,
    /// Spawn records.
    Spawns,
    /// The AI's navigation.
    Navigation,
}

impl Layer {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Mesh, Self::Bodies, Self::Contacts, Self::Shapes, Self::Boxes, Self::Spawns, Self::Navigation];

    /// A name to show.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mesh => "COLLISION MESH BY FLAG",
            Self::Bodies => "BODIES",
            Self::Contacts => "CONTACTS AND NORMALS",
            Self::Shapes => "SHAPES AND BONES",
            Self::Boxes => "BOXES AND FLAGS",
            Self::Spawns => "SPAWN RECORDS",
            Self::Navigation => "NAVIGATION",
        }
    }
}

/// Which layers are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Layers(u8);

impl Layers {
    /// Every layer.
    pub const ALL: Self = Self((1 << Layer::ALL.len()) - 1);

    /// Whether a layer is drawn.
    pub const fn has(self, layer: Layer) -> bool {
        self.0 & 1 << layer as u8 != 0
    }

    /// Whether none is.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Turns a layer over.
    pub const fn toggle(&mut self, layer: Layer) {
        self.0 ^= 1 << layer as u8;
    }
}

/// A row that the pad's cursor can be on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A switch of the character step.
    Step(Switch),
    /// Which pools are shown.
    Pools,
    /// The physics kernels.
    Vu0,
    /// Which human is shown.
    Human,
    /// Which mover is shown.
    Mover,
    /// A layer of world drawing.
    Layer(Layer),
    /// Stops and continues game time.
    Freeze,
    /// One step.
    SingleStep,
    /// Slow motion.
    Slow,
    /// The camera that flies.
    FreeCamera,
    /// The player comes to where the camera is.
    Teleport,
    /// Something appears before the camera.
    Spawn,
}

/// The switches of the character step in its order, with their names. Source: seed 000, Humans_Update.
pub const SWITCHES: [(Switch, &str); 11] = [
    (Switch::Effects, "1 EFFECTS"),
    (Switch::Pads, "2 PADS"),
    (Switch::Formations, "2 FORMATIONS"),
    (Switch::Records, "3 RECORDS"),
    (Switch::Gangs, "4 GANGS"),
    (Switch::Brains, "5 BRAINS"),
    (Switch::Animation, "6 ANIMATION"),
    (Switch::HumanEffects, "7 HUMAN FX"),
    (Switch::State, "8 STATE"),
    (Switch::Actions, "9 ACTIONS"),
    (Switch::Cameras, "10 CAMERAS"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layer_has_its_own_bit() {
        let mut layers = Layers::default();
        assert!(layers.is_empty());
        for layer in Layer::ALL {
            assert!(!layers.has(layer));
            layers.toggle(layer);
            assert!(layers.has(layer));
        }
        assert_eq!(layers, Layers::ALL);
        layers.toggle(Layer::Mesh);
        assert!(!layers.has(Layer::Mesh) && layers.has(Layer::Bodies));
    }
}
