//! What surfaces are made of: a picture, a colour, and what a walker meets.

use super::source::Statement;
use anyhow::{Result, anyhow, bail};
use boardwalk::collision::TriangleFlags;
use boardwalk::collision::material::Material as Surface;
use boardwalk::maths::Vec3;

/// A material of the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct MaterialId(pub u16);

/// How a material's picture is put over what is behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Blend {
    /// Hides it.
    Opaque,
    /// Hides it where the picture is dense and leaves it elsewhere.
    Cut,
    /// Veils it.
    Over,
    /// Adds light.
    Add,
}

/// A material.
#[derive(Clone, Debug)]
pub struct Material {
    /// Its name in the source.
    pub name: String,
    /// Its picture; none is plain colour.
    pub texture: Option<String>,
    /// Metres that the picture spans.
    pub scale: [f32; 2],
    /// The picture lies across: its rows run along x instead of y.
    pub across: bool,
    /// Multiplies the picture.
    pub tint: Vec3,
    /// Its opacity, of 1.
    pub alpha: f32,
    /// Longest side of a part that is lit for itself, metres.
    pub grid: f32,
    /// How it is drawn.
    pub blend: Blend,
    /// What walkers meet.
    pub surface: u8,
    /// Flags of its triangles.
    pub flags: TriangleFlags,
    /// Has no back.
    pub two_sided: bool,
    /// Light of its own.
    pub glow: f32,
    /// Wet: what stands on it is seen mirrored in it. For level floors.
    pub wet: bool,
}

/// The level's materials.
#[derive(Clone, Debug, Default)]
pub struct Materials {
    all: Vec<Material>,
}

impl Materials {
    /// Adds what a `material` statement says.
    ///
    /// # Errors
    /// A setting that means nothing, or a name that is taken.
    pub fn define(&mut self, statement: &Statement) -> Result<()> {
        let name = statement.name()?.to_owned();
        if self.all.iter().any(|material| material.name == name) {
            bail!("{}: there is a material {name} already", statement.place);
        }
        let scale = statement.vector("scale", Vec3::new(2.0, 2.0, 0.0))?;
        if !(scale.x > 0.0 && scale.y > 0.0) {
            bail!("{}: scale= is two lengths and a 0", statement.place);
        }
        let surface = match statement.text("surface") {
            None => Surface::CONCRETE,
            Some(word) => Surface::named(word).ok_or_else(|| anyhow!("{}: no surface {word}", statement.place))?,
        };
        let blend = match statement.text("blend") {
            None => Blend::Opaque,
            Some("cut") => Blend::Cut,
            Some("over") => Blend::Over,
            Some("add") => Blend::Add,
            Some(other) => bail!("{}: blend= is cut, over or add, not {other}", statement.place),
        };
        let mut flags = TriangleFlags::default();
        for word in statement.all("flags").flat_map(|words| words.split(',')) {
            flags = flags.with(flag(word).ok_or_else(|| anyhow!("{}: no flag {word}", statement.place))?);
        }
        let two_sided = statement.flag("two_sided", false)?;
        self.all.push(Material {
            texture: statement.text("texture").map(str::to_owned),
            scale: [scale.x, scale.y],
            across: statement.flag("across", false)?,
            tint: statement.colour("tint", Vec3::splat(1.0))?,
            alpha: statement.number("alpha", 1.0)?,
            grid: statement.number("grid", 2.0)?.max(0.25),
            blend,
            surface: surface.0,
            flags: if two_sided { flags.with(TriangleFlags::TWO_SIDED) } else { flags },
            two_sided,
            glow: statement.number("glow", 0.0)?,
            wet: statement.flag("wet", false)?,
            name,
        });
        Ok(())
    }

    /// The material of a name.
    pub fn named(&self, name: &str) -> Option<MaterialId> {
        self.all.iter().position(|material| material.name == name).map(|index| MaterialId(index as u16))
    }

    /// A material.
    pub fn get(&self, id: MaterialId) -> &Material {
        &self.all[usize::from(id.0)]
    }

    /// All of them in their order.
    pub fn iter(&self) -> impl Iterator<Item = (MaterialId, &Material)> {
        self.all.iter().enumerate().map(|(index, material)| (MaterialId(index as u16), material))
    }
}

/// A triangle flag by the word for it.
fn flag(word: &str) -> Option<TriangleFlags> {
    Some(match word {
        "climb" => TriangleFlags::CLIMBABLE,
        "player_climb" => TriangleFlags::PLAYER_CLIMBABLE,
        "spheres_pass" => TriangleFlags::SPHERES_PASS,
        "covered" => TriangleFlags::COVERED,
        "door" => TriangleFlags::DOOR,
        "keeps_velocity" => TriangleFlags::KEEPS_VELOCITY,
        _ => return None,
    })
}
