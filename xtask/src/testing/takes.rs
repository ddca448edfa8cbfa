//! The scenes of humans: recorded pads played on the console, held to what the original was measured to do.
//!
//! The console's lines are compared with the host's of the same recording, and then with the expectations of each scene: what
//! a column says in some updates, within a tolerance. What fails is told by its update, its column and both values.
//!
//! Source: known numbers, Trace scenarios (tolerances: clip, phase and gait exact, speed 0.05, heading 1 degree).

mod known;
mod table;

use super::console::{ended_well, judge};
use super::rig::Job;
use super::{Counts, Rig};
use anyhow::{Context as _, Result};
use boardwalk::animation::library::ClipLibrary;
use boardwalk::collision::scenes::{Scene as Level, floor};
use boardwalk::combat::FightTable;
use boardwalk::game::takes::YARD_SCENES;
use boardwalk::human::Humans;
use boardwalk::human::stage::Stage;
use boardwalk::human::takes::{SCENES, play};
use boardwalk::motion::MotionTable;
use std::path::Path;
use table::Table;

/// Plays every scene on both and holds the console's to the known numbers.
pub fn run(rig: &mut Rig) -> Result<Counts> {
    let seen = rig.boot(&Job { seconds: 420, ..Job::new("takes", "quick lockstep takes hold") })?;
    let mut counts = Counts::default();
    let host = host(&rig.context.root.join("iso"))?;
    for (scene, ours) in SCENES.iter().zip(&host) {
        let section = section(&seen.lines, scene.name)
            .with_context(|| format!("the console ended with {:?}{}", seen.last_lines(), seen.obituary()));
        let console = section.and_then(|lines| Table::read(&lines));
        let (alike, known) = match console {
            Ok(console) => (console.alike(ours), known::hold(scene.name, &console)),
            Err(error) => (Err(anyhow::anyhow!("{error:#}")), Err(error)),
        };
        counts += judge(&format!("{} is alike on console and host", scene.name), alike);
        counts += judge(&format!("{} on the console is as measured", scene.name), known);
    }
    // What needs the running game's things is the console's alone.
    for scene in &YARD_SCENES {
        let section = section(&seen.lines, scene.name)
            .with_context(|| format!("the console ended with {:?}{}", seen.last_lines(), seen.obituary()));
        let known = section.and_then(|lines| Table::read(&lines)).and_then(|console| known::hold(scene.name, &console));
        counts += judge(&format!("{} in the game is as measured", scene.name), known);
    }
    counts += judge("every scene of humans was played", ended_well(&seen));
    Ok(counts)
}

/// The console's lines of a scene without what the game says in between; none when it did not come to the scene's end.
fn section(lines: &[String], name: &str) -> Option<Vec<String>> {
    let begin = lines.iter().position(|line| *line == format!("TAKE {name}"))? + 1;
    let length = lines[begin..].iter().position(|line| line.starts_with(&format!("TAKE END {name} ")))?;
    let is_row =
        |line: &&String| line.starts_with("variant ") || line.starts_with(|letter: char| letter.is_ascii_digit());
    Some(lines[begin..begin + length].iter().filter(is_row).cloned().collect())
}

/// Every scene as the host plays it, with the sources of the disc.
fn host(iso: &Path) -> Result<Vec<Table>> {
    let clips = crate::clips::compile_folder(&iso.join("clips"))?;
    let library = ClipLibrary::read(clips.into_boxed_slice()).map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let table = FightTable::read(&std::fs::read(iso.join("fight/people.table"))?)
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    let humans = Humans::new(library, table).map_err(|missing| anyhow::anyhow!("{missing:?}"))?;
    let mut stage = Stage::new(humans, Level::new().with(floor(10.0, 0.0)).mesh([1, 1, 1]));
    let tables = crate::motion_tables::compile_folder(&iso.join("motion"))?;
    let human = tables.into_iter().find(|table| table.name == "human").context("there is no table of humans")?;
    let words = human.bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let table = MotionTable::parse(Vec::leak(words)).map_err(|error| anyhow::anyhow!("{error:?}"))?;
    stage.brains.use_motions(table);
    let mut tables = Vec::new();
    for scene in &SCENES {
        let path = iso.join("pads").join(scene.name).with_extension("pads");
        let recording = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let mut out = String::new();
        play(scene, &recording, &mut stage, &mut out).map_err(|error| anyhow::anyhow!("{}: {error}", scene.name))?;
        let lines: Vec<String> = out.lines().map(str::to_owned).collect();
        tables.push(Table::read(&lines).with_context(|| scene.name)?);
    }
    Ok(tables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_of_humans_is_as_measured() {
        let iso = Path::new(env!("CARGO_MANIFEST_DIR")).join("../iso");
        let mut failed = Vec::new();
        for (scene, table) in SCENES.iter().zip(host(&iso).unwrap()) {
            if let Err(error) = known::hold(scene.name, &table) {
                println!("{}\n{table}", scene.name);
                failed.push(format!("{}: {error:#}", scene.name));
            }
        }
        assert!(failed.is_empty(), "{failed:#?}");
    }

    #[test]
    fn every_scene_fails_when_what_it_is_held_to_is_otherwise() {
        const COLUMNS: [&str; 13] = [
            "clip",
            "held",
            "code",
            "gait",
            "command",
            "anim",
            "speed",
            "heading",
            "y",
            "z",
            "health",
            "other clip",
            "other health",
        ];
        let iso = Path::new(env!("CARGO_MANIFEST_DIR")).join("../iso");
        for (scene, table) in SCENES.iter().zip(host(&iso).unwrap()) {
            let fails =
                |column: &&&str| known::hold(scene.name, &table.with(column, |number| number * 1.1 + 1.0)).is_err();
            let read: Vec<&&str> = COLUMNS.iter().filter(fails).collect();
            println!("{} is held to {read:?}", scene.name);
            assert!(read.len() >= 2, "{}: {read:?}", scene.name);
        }
    }

    #[test]
    fn every_recording_of_the_disc_belongs_to_a_scene() {
        let iso = Path::new(env!("CARGO_MANIFEST_DIR")).join("../iso");
        let list = std::fs::read_to_string(iso.join("archive.list")).unwrap();
        for file in std::fs::read_dir(iso.join("pads")).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            let mut scenes = SCENES.iter().map(|scene| scene.name).chain(YARD_SCENES.iter().map(|scene| scene.name));
            assert!(scenes.any(|scene| format!("{scene}.pads") == name), "{name}");
            assert!(list.contains(&format!("file pads/{name} pads/{name}")), "{name} is not on the disc");
        }
    }
}
