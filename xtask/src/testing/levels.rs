//! A level on the console: read from the disc, shown from its views.

use super::card::{LEVEL_ALIKE, alike};
use super::console::{ended_well, golden, judge, no_complaints, steady_rate};
use super::rig::Job;
use super::{Counts, Rig};
use crate::emulator::{Mode, Renderer};
use anyhow::{Context as _, Result, ensure};

/// The views whose pictures are kept.
const VIEWS: [&str; 2] = ["start", "arena"];
/// Frames of a view: more than two seconds of it, so that its rate can be told.
const FRAMES: u32 = 150;

/// The boardwalk from two of its views: loaded, drawn at thirty frames a second, as it was.
pub fn levels(rig: &mut Rig) -> Result<Counts> {
    let mut counts = Counts::default();
    for view in VIEWS {
        let name = format!("level-{view}");
        let seen = rig.boot(&Job::new(&name, &format!("level=boardwalk view={view} frames={FRAMES} hold")))?;
        for line in seen.lines.iter().filter(|line| line.starts_with("LEVEL ")) {
            println!("  {line}");
        }
        counts += judge(
            &format!("the level is read and shown from {view}"),
            ended_well(&seen).and_then(|()| no_complaints(&seen)),
        );
        counts += judge(&format!("30 frames a second at {view}"), steady_rate(&seen));
        counts += judge(&format!("nothing is left out at {view}"), nothing_lost(&seen.lines));
        counts += judge(&format!("the picture of {view} is the golden one"), golden(rig, &seen, &name));
        // The rasteriser by other hands: see the card's step.
        let again = format!("{name}-opengl");
        let arguments = format!("level=boardwalk view={view} frames={FRAMES} hold");
        let seen = rig.boot(&Job { renderer: Renderer::OpenGl, ..Job::new(&again, &arguments) })?;
        counts += judge(&format!("{view} looks the same through OpenGL"), alike(rig, &seen, &name, LEVEL_ALIKE));
    }
    counts += judge("all that a level's frames refer to is written back", {
        // With the data cache modelled: textures by reference, meshes, things.
        let job = Job {
            mode: Mode::InterpreterWithCache,
            seconds: 400,
            ..Job::new("level-cache", "level=boardwalk view=start frames=3 dma-check hold")
        };
        let seen = rig.boot(&job)?;
        ended_well(&seen).and_then(|()| {
            let line = "FACT unwritten 0 quadwords";
            ensure!(seen.lines.iter().any(|seen| seen == line), "`{line}` was not said");
            Ok(())
        })
    });
    Ok(counts)
}

/// The view's line tells of triangles, and of none that found no room.
fn nothing_lost(lines: &[String]) -> Result<()> {
    let line = lines.iter().find(|line| line.starts_with("LEVEL view ")).context("no view was reported")?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let figure = |name: &str| {
        let value = words.windows(2).find(|pair| pair[0] == name).and_then(|pair| pair[1].parse::<u32>().ok());
        value.with_context(|| format!("`{line}` has no {name}"))
    };
    ensure!(figure("lost")? == 0, "`{line}`");
    ensure!(figure("triangles")? > 500, "`{line}` has hardly a triangle");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_that_loses_something_or_shows_nothing_is_told() {
        let view = |text: &str| nothing_lost(&[format!("LEVEL view 1 {text}")]);
        assert!(view("triangles 3000 lost 0").is_ok());
        assert!(view("triangles 3000 lost 2").is_err());
        assert!(view("triangles 12 lost 0").is_err());
        assert!(nothing_lost(&[]).is_err());
    }
}
