//! Materials by number and name.

/// A material of a triangle or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Material(pub u8);

/// Number of materials that the original names.
pub const MATERIAL_COUNT: u8 = 191;

/// The materials that the documents name, by number.
///
/// Our choice: the remaining numbers have no name here, because the table is game data; they read as `MATERIAL`.
const NAMES: [(u8, &str); 9] = [
    (0, "undefined"),
    (1, "NONE"),
    (2, "GLASS"),
    (3, "STEEL"),
    (5, "CONCRETE"),
    (7, "LAMPOST"),
    (30, "LOW_FENCE"),
    (31, "OPAQUE_FENCE"),
    (122, "RAILING"),
];

impl Material {
    /// No material.
    pub const NONE: Self = Self(1);
    /// Panes, which sight passes.
    pub const GLASS: Self = Self(2);
    /// Steel.
    pub const STEEL: Self = Self(3);
    /// Concrete.
    pub const CONCRETE: Self = Self(5);
    /// A fence that a climb passes.
    pub const LOW_FENCE: Self = Self(30);
    /// A fence that a climb passes and sight does not.
    pub const OPAQUE_FENCE: Self = Self(31);
    /// A railing that a climb passes.
    pub const RAILING: Self = Self(122);

    /// The material's name.
    ///
    /// Source: seed 002, Reimplementing Physics, RayCast and World (Unit 16).
    pub fn name(self) -> &'static str {
        if self.0 >= MATERIAL_COUNT {
            return NAMES[0].1;
        }
        NAMES.iter().find(|(number, _)| *number == self.0).map_or("MATERIAL", |(_, name)| name)
    }

    /// The material of a name, as a level's source gives it.
    pub fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(_, known)| *known == name).map(|(number, _)| Self(*number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers_have_their_names_and_unknown_ones_do_not() {
        assert_eq!(Material(122).name(), "RAILING");
        assert_eq!(Material(0).name(), "undefined");
        assert_eq!(Material(191).name(), "undefined");
        assert_eq!(Material(4).name(), "MATERIAL");
        assert_eq!(Material::named("LOW_FENCE"), Some(Material::LOW_FENCE));
        assert_eq!(Material::named("no such thing"), None);
    }
}
