//! The boot ROM's IOP kernel on the emulated console: a module of our own tries its libraries, a program its servers.

use super::console::{ended_well, judge, no_complaints};
use super::rig::{Boots, Job};
use super::{Counts, Rig};
use crate::build::Program;
use crate::irx::starter;
use anyhow::{Context as _, Result};

/// What the self-test module calls itself, and its version.
const NAME: &str = "selftest";
const VERSION: u16 = 0x0100;

/// Every library and server, once as they are and once on RAM full of leftovers.
pub fn modules(rig: &mut Rig) -> Result<Counts> {
    let built = |rig: &mut Rig, program: Program| -> Result<_> {
        let all = rig.programs()?;
        all.iter().find(|built| built.program == program).cloned().context("a program has not been built")
    };
    // By way of a file, as `run --irx` takes it.
    let path = rig.context.target.join("tests").join(format!("{NAME}.irx"));
    std::fs::create_dir_all(path.parent().context("the file lies in a folder")?)?;
    std::fs::write(&path, starter::module_of(&built(rig, Program::IopTest)?, NAME, VERSION)?)?;
    let module = starter::module_file(&path)?;
    let files = starter::files(&built(rig, Program::IopClient)?, module, "prove", Vec::new())?;
    let mut counts = Counts::default();
    let job = Job::new("modules", "");
    let leftovers = Job { fill_ram: true, ..Job::new("modules-filled", "") };
    for (job, where_run) in [(job, ""), (leftovers, ", RAM full of leftovers")] {
        let seen = rig.boot(&Job { boots: Boots::Files(files.clone()), ..job })?;
        let mut proved = 0;
        for line in &seen.lines {
            if line.starts_with("IOP ok ") {
                proved += 1;
            } else if line.starts_with("IOP FAILED ") {
                counts += judge(&format!("a fact of the IOP{where_run}"), Err(anyhow::anyhow!("{line}")));
            }
        }
        println!("  {proved} facts");
        counts.passed += proved;
        let outcome = ended_well(&seen).and_then(|()| no_complaints(&seen));
        counts += judge(&format!("every library and server was tried{where_run}"), outcome);
    }
    Ok(counts)
}
