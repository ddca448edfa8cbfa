//! The test card: what the renderer and the GS draw, page by page, against golden pictures.

use super::console::{ended_well, golden, judge};
use super::rig::Job;
use super::{Counts, Rig};
use anyhow::Result;

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
    Ok(counts)
}
