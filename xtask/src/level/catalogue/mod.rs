//! The kinds of things that levels place: read from `iso/things/`, carried by every level.
//!
//! A line is a statement as in a level: `particle NAME …`. A name that a level places or that a kind refers to
//! has to be in here; [`Catalogue::check`] says which is not.

mod particles;

use super::scene::{Scene, ThingKind};
use super::source::{Place, Statement};
use anyhow::{Result, bail, ensure};
use boardwalk::game::things::MOST_KINDS;
use boardwalk::tasks::names::name_hash;
use boardwalk::world::kinds::ParticleKind;
use std::collections::BTreeSet;

/// The folder of the kinds below `iso/`, and the files in it.
const FOLDER: &str = "things";
const FILES: [&str; 1] = ["particles.things"];

/// All kinds.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// Particles.
    pub particles: Vec<ParticleKind>,
    /// Names of the textures that kinds show.
    pub textures: BTreeSet<String>,
    /// Names that kinds refer to, each with the statement that does.
    wanted: Vec<(String, Place)>,
}

/// Reads the kinds. `load` gives the text of a file below `iso/`.
///
/// # Errors
/// A missing file or a mistake in one; the message names file and line.
pub fn read(load: &dyn Fn(&str) -> Result<String>) -> Result<Catalogue> {
    let mut catalogue = Catalogue::default();
    for file in FILES {
        catalogue.add(file, &load(&format!("{FOLDER}/{file}"))?)?;
    }
    ensure!(catalogue.particles.len() <= MOST_KINDS, "more than {MOST_KINDS} kinds of particles");
    Ok(catalogue)
}

impl Catalogue {
    fn add(&mut self, file: &str, text: &str) -> Result<()> {
        for (index, line) in text.lines().enumerate() {
            let place = Place { file: file.into(), line: index + 1 };
            let Some(statement) = Statement::parse(line, place)? else { continue };
            match statement.verb.as_str() {
                "particle" => self.particle(&statement)?,
                other => bail!("{}: there is no kind of thing {other}", statement.place),
            }
            statement.finish()?;
        }
        Ok(())
    }

    /// Looks whether every name that a level places is known.
    ///
    /// # Errors
    /// Names the statement that places it.
    pub fn check(&self, scene: &Scene) -> Result<()> {
        let known = |name: &str| self.particles.iter().any(|kind| kind.name == name_hash(name));
        let placed = scene.things_of(ThingKind::Emitter).map(|thing| (&thing.name, &thing.place));
        for (name, place) in placed.chain(self.wanted.iter().map(|(name, place)| (name, place))) {
            ensure!(known(name), "{place}: no particle {name}");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn of(text: &str) -> Result<Catalogue> {
        read(&|_| Ok(text.to_owned()))
    }

    #[test]
    fn a_kind_that_is_placed_or_given_has_to_be_there() {
        let catalogue = of("particle puff texture=puff life=1,2\nparticle vent emits=puff rate=4").unwrap();
        let scene = |name: &str| super::super::tests::scene_of(&format!("emitter {name} at=0,0,0"));
        assert!(catalogue.check(&scene("vent")).is_ok());
        let error = catalogue.check(&scene("geyser")).unwrap_err().to_string();
        assert!(error.contains("no particle geyser"), "{error}");
        let error = of("particle vent emits=steam").unwrap().check(&scene("vent")).unwrap_err().to_string();
        assert!(error.contains("things:1: no particle steam"), "{error}");
    }

    #[test]
    fn a_mistake_names_its_file_and_line() {
        for (text, words) in [
            ("\nplanet mars", "particles.things:2: there is no kind of thing planet"),
            ("particle a texture=puff lif=1,2", "particles.things:1: particle has no setting lif="),
            ("particle a texture=puff\nparticle a texture=puff", "particles.things:2: there is a particle a already"),
        ] {
            let error = of(text).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
