//! The test card: what the renderer and the GS draw, page by page, against golden pictures.

use super::console::{ended_well, golden, judge};
use super::rig::Job;
use super::{Counts, Rig};
use crate::emulator::Mode;
use anyhow::{Result, ensure};

/// Pages of the card.
const PAGES: u32 = 2;

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
