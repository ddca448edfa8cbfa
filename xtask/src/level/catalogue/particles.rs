//! Kinds of particles.

use super::Catalogue;
use crate::level::source::{Statement, numbers};
use anyhow::{Context as _, Result, ensure};
use boardwalk::tasks::names::name_hash;
use boardwalk::world::kinds::{ParticleKind, particle_flag};

/// Words of `flags=` and their bits.
const FLAGS: [(&str, u32); 5] = [
    ("light", particle_flag::LIGHT),
    ("lit", particle_flag::LIT),
    ("leaf", particle_flag::LEAF),
    ("floats", particle_flag::FLOATS),
    ("lands", particle_flag::LANDS),
];

impl Catalogue {
    /// `particle NAME texture= flags= every= life= size= colour= to= alpha= appears= spread= speed= weight= drag= wind= spin=`
    /// is a mote; one with `emits= rate= range= cycle=` is a source.
    pub(super) fn particle(&mut self, statement: &Statement) -> Result<()> {
        let place = &statement.place;
        let name = name_hash(statement.name()?);
        ensure!(
            self.particles.iter().all(|kind| kind.name != name),
            "{place}: there is a particle {} already",
            statement.name()?
        );
        let pair = |key: &str, default: [f32; 2]| -> Result<[f32; 2]> {
            let Some(text) = statement.text(key) else { return Ok(default) };
            let read = if text.contains(',') { numbers::<2>(text) } else { numbers::<1>(text).map(|[one]| [one, one]) };
            read.with_context(|| format!("{place}: {key}="))
        };
        let mut flags = 0;
        for word in statement.all("flags").flat_map(|words| words.split(',')) {
            let known = FLAGS.iter().find(|(known, _)| *known == word);
            flags |= known.with_context(|| format!("{place}: no flag {word}"))?.1;
        }
        let from = statement.colour("colour", boardwalk::maths::Vec3::splat(1.0))?;
        let to = statement.colour("to", from)?;
        let alpha = pair("alpha", [1.0, 0.0])?;
        let packed = |colour: boardwalk::maths::Vec3, alpha: f32| {
            let byte = |share: f32| (share * 255.0 + 0.5).clamp(0.0, 255.0) as u8;
            u32::from_le_bytes([byte(colour.x), byte(colour.y), byte(colour.z), byte(alpha)])
        };
        let texture = statement.text("texture");
        let emits = statement.text("emits");
        ensure!(texture.is_some() != emits.is_some(), "{place}: a mote has a texture=, a source emits= another");
        self.textures.extend(texture.map(str::to_owned));
        self.wanted.extend(emits.map(|name| (name.to_owned(), place.clone())));
        self.particles.push(ParticleKind {
            name,
            texture: texture.map_or(0, name_hash),
            flags,
            interval: statement.count("every", 2, 1, 60)? as u16,
            life: pair("life", [0.0; 2])?,
            size: pair("size", [0.1; 2])?,
            colours: [packed(from, alpha[0]), packed(to, alpha[1])],
            appears: statement.number("appears", 0.0)?,
            spread: statement.number("spread", 0.2)?,
            speed: pair("speed", [0.0; 2])?,
            weight: statement.number("weight", 0.0)?,
            drag: statement.number("drag", 0.0)?,
            wind: statement.number("wind", 0.0)?,
            spin: statement.number("spin", 0.0)?,
            rate: statement.number("rate", 1.0)?,
            range: statement.number("range", 40.0)?,
            cycle: pair("cycle", [1.0, 0.0])?,
            emits: emits.map_or(0, name_hash),
        });
        Ok(())
    }
}
