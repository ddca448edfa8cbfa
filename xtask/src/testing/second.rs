//! The golden pictures against the host's own model of the GS: a second reading of the hardware, by other hands.

use super::console::judge;
use super::{Counts, Rig};
use crate::emulator::picture::{self, Tolerance};
use crate::gs::scenes::{self, Drawn, Place};
use crate::level;
use anyhow::{Context as _, Result, bail, ensure};
use boardwalk::overlay::Page;
use std::time::Instant;

/// What may differ between two readings of the hardware: edges by a pixel, shades by a few steps.
const ALIKE: Tolerance = Tolerance { channel: 24, share: 0.005 };
/// The title's frame that its golden picture shows: the last of three hundred.
const TITLE_FRAME: u32 = 299;
/// The frame of the first menu's.
const MENU_FRAME: u32 = 240;
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
    Ok(counts)
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
