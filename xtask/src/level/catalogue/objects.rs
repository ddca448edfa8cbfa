//! Kinds of objects and of glass.

use super::Catalogue;
use crate::level::source::{Statement, numbers};
use anyhow::{Context as _, Result, bail, ensure};
use boardwalk::maths::Vec3;
use boardwalk::physics::create::ObjectShape;
use boardwalk::physics::settle::RestAxes;
use boardwalk::tasks::glass::GlassType;
use boardwalk::tasks::names::name_hash;
use boardwalk::tasks::objects::types::{ObjectType, Touch};

/// Words of `rests=`.
const RESTS: [(&str, RestAxes); 6] = [
    ("no", RestAxes::NONE),
    ("z", RestAxes::Z),
    ("xz", RestAxes::XZ),
    ("xyz", RestAxes::XYZ),
    ("xz_round", RestAxes::XZ_ROUND),
    ("yz_round", RestAxes::YZ_ROUND),
];

impl Catalogue {
    /// `object NAME kind= model= box=|sphere= centre= weight= bounce= rests= flags= wear= hand= touch= breaks= becomes= sound= damage=`.
    pub(super) fn object(&mut self, statement: &Statement) -> Result<()> {
        let (place, name) = (&statement.place, statement.name()?);
        ensure!(name.len() <= 26, "{place}: the name {name} is longer than 26 letters");
        ensure!(
            self.objects.iter().all(|kind| kind.hash != name_hash(name)),
            "{place}: there is an object {name} already"
        );
        let centre = statement.vector("centre", Vec3::ZERO)?;
        let shape = match (statement.text("box"), statement.text("sphere")) {
            (Some(_), None) => ObjectShape::Box { size: statement.vector("box", Vec3::ZERO)?, centre },
            (None, Some(_)) => {
                ObjectShape::Sphere { size: Vec3::splat(statement.number("sphere", 0.2)? * 2.0), centre }
            }
            (None, None) => ObjectShape::None,
            _ => bail!("{place}: box= or sphere=, not both"),
        };
        let rests = statement.text("rests").unwrap_or("no");
        let axes = RESTS.iter().find(|(word, _)| *word == rests);
        let effects: Vec<&str> = statement.text("breaks").map_or_else(Vec::new, |text| text.split(',').collect());
        ensure!(effects.len() <= 2, "{place}: breaks= names two particles at most");
        self.wanted.extend(effects.iter().map(|name| ((*name).to_owned(), place.clone())));
        let effect = |at: usize| effects.get(at).map_or(0, |name| name_hash(name));
        let model = statement.text("model");
        self.wanted_models.extend(model.map(|model| (model.to_owned(), place.clone())));
        let [first, second] = match statement.text("wear") {
            Some(text) => numbers::<2>(text).with_context(|| format!("{place}: wear="))?.map(|hits| hits as u8),
            None => [0; 2],
        };
        let touch = match statement.text("touch") {
            None => Touch::Nothing,
            Some("item") => Touch::Item,
            Some(text) => Touch::Health(numbers::<1>(text).with_context(|| format!("{place}: touch="))?[0] as i32),
        };
        let named = ObjectType::named(name, statement.count("kind", 3, 0, 255)? as u8);
        let second_name = ObjectType::named(statement.text("becomes").unwrap_or(""), 0).name;
        self.objects.push(ObjectType {
            second_name,
            shape,
            weight: statement.number("weight", 1.0)?,
            restitution: statement.number("bounce", 0.1)?,
            axes: axes.with_context(|| format!("{place}: rests= is no {rests}"))?.1,
            physics_flags: statement.count("flags", 0, 0, 0xffff)? as u16,
            wear: [first, second],
            model: model.map_or(0, name_hash),
            touch,
            pickable: statement.flag("hand", false)?,
            break_effects: [effect(0), effect(1)],
            impact_sound: statement.text("sound").map_or(0, name_hash),
            contact_damage: statement.count("damage", 0, 0, 1000)? as i32,
            ..named
        });
        Ok(())
    }

    /// `glass NAME strength= splinters= sound=`: its size is each pane's own.
    pub(super) fn glass(&mut self, statement: &Statement) -> Result<()> {
        let splinters = statement.text("splinters");
        self.wanted.extend(splinters.map(|name| (name.to_owned(), statement.place.clone())));
        self.glass.push(GlassType {
            name: name_hash(statement.name()?),
            half: Vec3::ZERO,
            strength: statement.count("strength", 20, 1, 10_000)? as i32,
            splinters: splinters.map_or(0, name_hash),
            sound: statement.text("sound").map_or(0, name_hash),
        });
        Ok(())
    }
}
