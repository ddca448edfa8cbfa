//! The kinds of things that levels place: read from `iso/things/`, carried by every level.
//!
//! A line is a statement as in a level: `particle NAME …`, `object NAME …`, `glass NAME …`; `model NAME` opens a block of pieces
//! that `end` closes. A name that a level places or that a kind refers to
//! has to be in here; [`Catalogue::check`] says which is not.

pub mod models;
mod objects;
mod particles;

use super::scene::{Scene, ThingKind};
use super::source::{Place, Statement};
use anyhow::{Result, bail, ensure};
use boardwalk::game::things::MOST_KINDS;
use boardwalk::physics::create::ObjectShape;
use boardwalk::tasks::glass::GlassType;
use boardwalk::tasks::names::name_hash;
use boardwalk::tasks::objects::types::ObjectType;
use boardwalk::world::chunks;
use boardwalk::world::kinds::ParticleKind;
use models::Model;
use std::collections::BTreeSet;

/// The folder of the kinds below `iso/`, and the files in it.
const FOLDER: &str = "things";
const FILES: [&str; 2] = ["particles.things", "objects.things"];
/// The materials of the models.
const MATERIALS: &str = "materials.things";

/// All kinds.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// Particles.
    pub particles: Vec<ParticleKind>,
    /// Objects.
    pub objects: Vec<ObjectType>,
    /// Glass.
    pub glass: Vec<GlassType>,
    /// What kinds look like.
    pub models: Vec<Model>,
    /// Names of the textures that kinds show.
    pub textures: BTreeSet<String>,
    /// Names that kinds refer to, each with the statement that does.
    wanted: Vec<(String, Place)>,
    wanted_models: Vec<(String, Place)>,
}

/// Reads the kinds. `load` gives the text of a file below `iso/`.
///
/// # Errors
/// A missing file or a mistake in one; the message names file and line.
pub fn read(load: &dyn Fn(&str) -> Result<String>) -> Result<Catalogue> {
    let mut catalogue = Catalogue::default();
    let materials = load(&format!("{FOLDER}/{MATERIALS}"))?;
    for file in FILES {
        catalogue.add(file, &load(&format!("{FOLDER}/{file}"))?, &materials)?;
    }
    ensure!(catalogue.particles.len() <= MOST_KINDS, "more than {MOST_KINDS} kinds of particles");
    Ok(catalogue)
}

impl Catalogue {
    fn add(&mut self, file: &str, text: &str, materials: &str) -> Result<()> {
        let mut lines = text.lines().enumerate();
        while let Some((index, line)) = lines.next() {
            let place = Place { file: file.into(), line: index + 1 };
            let Some(statement) = Statement::parse(line, place)? else { continue };
            match statement.verb.as_str() {
                "particle" => self.particle(&statement)?,
                "object" => self.object(&statement)?,
                "glass" => self.glass(&statement)?,
                "model" => self.model(&statement, &mut lines, materials)?,
                other => bail!("{}: there is no kind of thing {other}", statement.place),
            }
            statement.finish()?;
        }
        Ok(())
    }

    /// `model NAME` … `end`: pieces of a level, drawn in the model's own axes.
    fn model<'a>(
        &mut self,
        statement: &Statement,
        lines: &mut impl Iterator<Item = (usize, &'a str)>,
        materials: &str,
    ) -> Result<()> {
        const BLOCKS: [&str; 3] = ["group", "repeat", "prefab"];
        let (place, name) = (&statement.place, statement.name()?);
        ensure!(
            self.models.iter().all(|model| model.name != name_hash(name)),
            "{place}: there is a model {name} already"
        );
        // The lines keep their numbers, so that mistakes name the right one.
        let mut text = "\n".repeat(place.line - 1) + "include materials\n";
        let mut depth = 0;
        for (_, line) in lines {
            let verb = line.split_whitespace().next().unwrap_or_default();
            if verb == "end" && depth == 0 {
                let model = models::draw(name, &place.file, &text, materials)?;
                self.textures.extend(model.textures.iter().cloned());
                self.models.push(model);
                // A form whose plain boxes have surfaces that fight is better left out.
                let plain = models::without_bevels(&text);
                let drawn = plain.and_then(|text| models::draw(name, &place.file, &text, materials).ok());
                self.models.extend(drawn.map(|model| Model { name: chunks::coarse(model.name), ..model }));
                return Ok(());
            }
            depth = depth + u32::from(BLOCKS.contains(&verb)) - u32::from(verb == "end");
            text += line;
            text.push('\n');
        }
        bail!("{place}: this model has no end")
    }

    /// How far over the ground an object's origin is when it stands, metres.
    pub fn rest_height(&self, name: &str) -> f32 {
        match self.objects.iter().find(|kind| kind.hash == name_hash(name)).map(|kind| kind.shape) {
            Some(ObjectShape::Box { size, centre }) => size.z / 2.0 - centre.z,
            Some(ObjectShape::Sphere { size, centre }) => size.x / 2.0 - centre.z,
            _ => 0.0,
        }
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
        for (name, place) in &self.wanted_models {
            ensure!(self.models.iter().any(|model| model.name == name_hash(name)), "{place}: no model {name}");
        }
        for thing in scene.things_of(ThingKind::Object) {
            let known = self.objects.iter().any(|kind| kind.hash == name_hash(&thing.name));
            ensure!(known, "{}: no object {}", thing.place, thing.name);
        }
        for thing in scene.things_of(ThingKind::Pane) {
            let known = self.glass.iter().any(|kind| kind.name == name_hash(&thing.name));
            ensure!(known, "{}: no glass {}", thing.place, thing.name);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwalk::graphics::mesh::Mesh;

    pub(super) fn of(text: &str) -> Result<Catalogue> {
        read(&|file| Ok(if file.ends_with(FILES[0]) { text.to_owned() } else { String::new() }))
    }

    #[test]
    fn a_model_with_broken_edges_has_a_coarse_form_with_plain_boxes() {
        let text = "model plain\n  chamfer material=steel size=1,1,1 bevel=0\nend\n\
                    model round\n  lathe material=steel sides=6 points=0.2,-0.4/0.2,0.4\nend\n\
                    model broken\n  chamfer material=steel size=1,1,1 bevel=0.05\nend";
        let load = |file: &str| {
            let materials = "material steel tint=200,200,200\n".to_owned();
            Ok(match file.rsplit('/').next() {
                Some(file) if file == FILES[1] => text.to_owned(),
                Some(MATERIALS) => materials,
                _ => String::new(),
            })
        };
        let catalogue = read(&load).unwrap();
        let triangles = |name: u32| {
            let model = catalogue.models.iter().find(|model| model.name == name)?;
            Some(Mesh::read(&model.mesh).unwrap().batches().map(|batch| batch.triangles).sum::<u32>())
        };
        let both = |name: &str| [triangles(name_hash(name)), triangles(chunks::coarse(name_hash(name)))];
        assert_eq!(both("broken"), [Some(44), Some(12)]);
        assert_eq!(both("round")[1], None);
        assert_eq!(both("plain")[0], Some(12));
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
