//! The golden pictures against the host's own model of the GS: a second reading of the hardware, by other hands.

use super::console::{ended_well, judge};
use super::rig::Job;
use super::{Counts, Rig};
use crate::emulator::picture::{self, Tolerance};
use crate::gs::scenes::{self, Drawn, Place, Somebody};
use crate::level;
use anyhow::{Context as _, Result, bail, ensure};
use boardwalk::game::characters_draw::covers;
use boardwalk::overlay::Page;
use std::time::Instant;

/// What may differ between two readings of the hardware: edges by a pixel, shades by a few steps.
const ALIKE: Tolerance = Tolerance { channel: 24, share: 0.005 };
/// The title's frame that its golden picture shows: the last of three hundred.
const TITLE_FRAME: u32 = 299;
/// The frame of the first menu's.
const MENU_FRAME: u32 = 260;
/// The frame of a level's.
const LEVEL_FRAME: u32 = 149;

/// Draws what the console draws and compares it with what the emulator showed.
pub fn second(rig: &mut Rig) -> Result<Counts> {
    let mut counts = Counts::default();
    for page in 1..=2 {
        counts += compared(rig, &format!("card-{page}"), || scenes::card(page));
    }
    counts += compared(rig, "title", || scenes::title(TITLE_FRAME));
    counts += compared(rig, "menu-title", || scenes::menu(MENU_FRAME));
    // The page about the program tells which one it is: here another.
    for page in Page::ALL.into_iter().filter(|page| *page != Page::Build) {
        counts += compared(rig, &format!("overlay-{}", page.name()), || scenes::overlay(page));
    }
    counts += compared(rig, "overlay-hud", scenes::hud);
    let mut place = Place::make("boardwalk", &level::loader(&rig.context.root.join("iso")))?;
    for view in ["start", "arena"] {
        counts += compared(rig, &format!("level-{view}"), || place.draw(view, LEVEL_FRAME));
    }
    counts += judge("what comes into reach along the way appears little by little", appears_slowly(rig, &mut place));
    counts += judge("floors lie still under an eye that moves", floors_lie_still(&place));
    counts += judge("nobody jumps from one mesh to the next", people_change_slowly(rig, &place));
    Ok(counts)
}

/// What the console itself sends, drawn by the model, beside what the emulator shows of it.
pub fn told(rig: &mut Rig) -> Result<Counts> {
    let mut counts = Counts::default();
    for (name, arguments) in [
        ("told-card-1", "card=1"),
        ("told-card-2", "card=2"),
        ("told-level-start", "level=boardwalk view=start frames=4"),
        ("told-level-arena", "level=boardwalk view=arena frames=4"),
        ("told-title", "title frames=4"),
        // People, things, shadows, halos, the HUD: all that a player sees.
        ("told-play", "quick lockstep mission=1 frames=200 script=160t"),
    ] {
        let seen = rig.boot(&Job { seconds: 240, ..Job::new(name, &format!("{arguments} gif-tell hold")) })?;
        let outcome = ended_well(&seen).and_then(|()| {
            let shown = seen.picture.as_deref().context("no picture was taken")?;
            let drawn = scenes::told(seen.lines.iter().map(String::as_str))?;
            let picture = rig.context.target.join(format!("pictures/second-{name}.png"));
            drawn.picture.save(&picture).with_context(|| format!("cannot write {}", picture.display()))?;
            let difference = picture::compare(&picture, shown, ALIKE)?;
            println!("  {name}: {:.2} % differ by more than {}", difference.share() * 100.0, ALIKE.channel);
            ensure!(difference.within, "look at {}", picture.display());
            ensure!(drawn.doubts.is_empty(), "the documents leave open what it relies on");
            Ok(())
        });
        counts += judge(&format!("{name} looks to the host's GS as to the emulator"), outcome);
    }
    Ok(counts)
}

/// Moves the eye by two centimetres and looks how much the floor flickers, in views over boards, stone and asphalt.
fn floors_lie_still(place: &Place) -> Result<()> {
    const STEP: f32 = 0.02;
    /// Views, and the mean change of a pixel's 255 at most: a little above what they have, of which some is the eye's way itself.
    const VIEWS: [(&str, f32); 3] = [("arena", 9.0), ("start", 5.4), ("carpark", 1.9)];
    for (view, most) in VIEWS {
        let (flicker, _) = place.flicker(view, STEP)?;
        println!("  two centimetres at {view} change a pixel of its lower half by {flicker:.2} of 255 in the mean");
        ensure!(flicker <= most, "the floor of {view} flickers by {flicker:.2} of 255, more than {most}");
    }
    Ok(())
}

/// Walks up to people and looks what each step changes of their shapes.
fn people_change_slowly(rig: &Rig, place: &Place) -> Result<()> {
    /// A step of a run in one frame, metres, and from where to where it is gone.
    const STEP: f32 = 0.25;
    const WAY: [f32; 2] = [1.0, 72.0];
    /// What a step may change of a pixel's 255 without being seen, and how many pixels may change more.
    const UNSEEN: u8 = 24;
    const PIXELS: usize = 60;
    let mut most = 0;
    let mut any = false;
    for look in ["rembrandt", "dockers_a", "walker_b"] {
        let mut somebody = Somebody::make(look, &level::loader(&rig.context.root.join("iso")))?;
        somebody.stand_in(place);
        for near in [0.0, 1.0] {
            for step in (WAY[0] / STEP) as u32..(WAY[1] / STEP) as u32 {
                let distance = step as f32 * STEP;
                if covers(distance, near) == covers(distance - STEP, near) {
                    continue;
                }
                let (jump, pictures) = somebody.jump(distance, near, STEP, UNSEEN)?;
                if jump > PIXELS {
                    for (picture, name) in pictures.iter().zip(["before", "after"]) {
                        picture.save(rig.context.target.join(format!("pictures/person-{name}.png")))?;
                    }
                    bail!("{jump} pixels of {look} change at once from person-before.png on, {distance} m away");
                }
                any = true;
                most = most.max(jump);
            }
        }
    }
    ensure!(any, "nobody ever changes");
    println!("  a step towards people changes at most {most} of their pixels by more than {UNSEEN} of 255");
    Ok(())
}

/// Walks the level's way and looks what each step makes appear.
fn appears_slowly(rig: &Rig, place: &mut Place) -> Result<()> {
    /// Metres from look to look, and of a step: a run's in one frame.
    const APART: f32 = 4.0;
    const STEP: f32 = 0.25;
    /// What a step may change of a pixel's 255 without being seen, and how many pixels may change more: a far wire that
    /// comes before a lamp's light is a few.
    const UNSEEN: u8 = 24;
    const PIXELS: usize = 60;
    let cameras = place.cameras("promenade", APART);
    ensure!(!cameras.is_empty(), "there is no way");
    let looks = cameras.len();
    let (mut most, mut all) = (0, 0);
    for camera in cameras {
        let (jump, pictures) = place.jump(camera, STEP, UNSEEN)?;
        if jump > PIXELS {
            for (picture, name) in pictures.iter().zip(["before", "after"]) {
                picture.save(rig.context.target.join(format!("pictures/jump-{name}.png")))?;
            }
            bail!("{jump} pixels change at once from jump-before.png on, where the eye is at {:?}", camera.eye);
        }
        most = most.max(jump);
        all += pictures[0].as_raw().iter().zip(pictures[1].as_raw()).filter(|(a, b)| a != b).count();
    }
    println!("  of {looks} looks along the way a step changes at most {most} pixels by more than {UNSEEN} of 255");
    ensure!(all > 0, "nothing appears anywhere");
    Ok(())
}

fn compared(rig: &Rig, name: &str, draw: impl FnOnce() -> Result<Drawn>) -> Counts {
    let begun = Instant::now();
    let outcome = draw().and_then(|drawn| {
        let folder = rig.context.target.join("pictures");
        std::fs::create_dir_all(&folder)?;
        let picture = folder.join(format!("second-{name}.png"));
        drawn.picture.save(&picture).with_context(|| format!("cannot write {}", picture.display()))?;
        let golden = rig.context.root.join(format!("tests/golden/{name}.png"));
        ensure!(golden.exists(), "there is no golden picture {name}");
        let difference = picture::compare(&picture, &golden, ALIKE)?;
        let (share, seconds) = (difference.share() * 100.0, begun.elapsed().as_secs_f32());
        println!("  {name}: {share:.2} % differ by more than {}, {seconds:.1} s", ALIKE.channel);
        for (doubt, count) in drawn.doubts.iter() {
            println!("  {name}: {doubt:?}, {count} times");
        }
        if let Some(diff) = difference.diff {
            bail!("look at {}", diff.display());
        }
        ensure!(drawn.doubts.is_empty(), "the documents leave open what it relies on");
        Ok(())
    });
    judge(&format!("{name} looks the same to the host's GS, which has no doubts"), outcome)
}
