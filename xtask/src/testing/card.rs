//! The test card: what the renderer and the GS draw, page by page, against golden pictures.

use super::console::{ended_well, golden, judge};
use super::rig::{Job, Seen};
use super::{Counts, Rig};
use crate::emulator::picture::{self, Tolerance};
use crate::emulator::{Mode, Renderer};
use anyhow::{Context as _, Result, ensure};
use boardwalk::graphics::card::flat::field;
use std::path::Path;

/// Pages of the card.
const PAGES: u32 = 2;

/// What may differ between two rasterisers: edges by a pixel, filtered texels and blended shades by a few steps.
pub(super) const ALIKE: Tolerance = Tolerance { channel: 24, share: 0.005 };
/// The same of a level, whose boards and bricks have smaller pictures that the emulator leaves out through OpenGL.
pub(super) const LEVEL_ALIKE: Tolerance = Tolerance { channel: 24, share: 0.02 };

/// The case of page 1 that the emulator cannot draw through OpenGL: it leaves out a texture's smaller pictures there, whatever its
/// settings say. The console's way of choosing them is judged by its other rasteriser and by the host's GS, in the step `second`.
const NOT_THROUGH_OPENGL: &str = "SMALLER";

/// A picture is like the golden one of a page, as far as another rasteriser can be.
fn page_alike(rig: &Rig, seen: &Seen, page: u32) -> Result<()> {
    let name = format!("card-{page}");
    if page == 1 {
        let picture = seen.picture.as_deref().context("no picture was taken")?;
        leave_out(picture, &rig.context.root.join(format!("tests/golden/{name}.png")))?;
    }
    alike(rig, seen, &name, ALIKE)
}

/// A picture is like the golden one of a name, as far as another rasteriser can be.
pub(super) fn alike(rig: &Rig, seen: &Seen, name: &str, tolerance: Tolerance) -> Result<()> {
    ended_well(seen)?;
    let picture = seen.picture.as_deref().context("no picture was taken")?;
    let golden = rig.context.root.join(format!("tests/golden/{name}.png"));
    let difference = picture::compare(picture, &golden, tolerance)?;
    println!("  {:.2} % of the pixels differ by more than {}", difference.share() * 100.0, tolerance.channel);
    ensure!(difference.within, "look at {}", difference.diff.as_deref().unwrap_or(picture).display());
    Ok(())
}

/// Puts the golden picture's part of the case that is not judged in its place.
fn leave_out(picture: &Path, golden: &Path) -> Result<()> {
    let field = field(NOT_THROUGH_OPENGL).context("the card has no such case")?;
    let mut seen = image::open(picture)?.into_rgb8();
    let known = image::open(golden)?.into_rgb8();
    ensure!(seen.dimensions() == known.dimensions(), "{} has another size", picture.display());
    for y in field.y0 as u32..field.y1 as u32 {
        for x in field.x0 as u32..field.x1 as u32 {
            seen.put_pixel(x, y, *known.get_pixel(x, y));
        }
    }
    Ok(seen.save(picture)?)
}

/// Every primitive, format, blend and cut, as pictures.
pub fn card(rig: &mut Rig) -> Result<Counts> {
    let mut counts = Counts::default();
    for page in 1..=PAGES {
        let name = format!("card-{page}");
        let seen = rig.boot(&Job::new(&name, &format!("card={page} hold")))?;
        if let Some(line) = seen.lines.iter().rfind(|line| line.starts_with("CARD ")) {
            println!("  {line}");
        }
        counts += judge(&format!("page {page} of the card is drawn"), ended_well(&seen));
        counts += judge(&format!("page {page} is the golden one"), golden(rig, &seen, &name));
    }
    // A second rasteriser, by other hands: what depends on one's habits would look different.
    for page in 1..=PAGES {
        let name = format!("card-{page}-opengl");
        let job = Job { renderer: Renderer::OpenGl, ..Job::new(&name, &format!("card={page} hold")) };
        let seen = rig.boot(&job)?;
        counts += judge(&format!("page {page} looks the same through OpenGL"), page_alike(rig, &seen, page));
    }
    // Once more with the data cache modelled: the same picture, and no chain refers to what was not written back.
    let cached = Job {
        mode: Mode::InterpreterWithCache,
        seconds: 300,
        ..Job::new("card-cache", &format!("card={PAGES} dma-check hold"))
    };
    let seen = rig.boot(&cached)?;
    counts += judge("everything that drawing refers to is written back", {
        let line = "FACT unwritten 0 quadwords";
        ended_well(&seen).and_then(|()| {
            ensure!(seen.lines.iter().any(|seen| seen == line), "`{line}` was not said");
            Ok(())
        })
    });
    counts += judge("the data cache changes nothing", golden(rig, &seen, &format!("card-{PAGES}")));
    Ok(counts)
}
