//! The boot ROM's IOP kernel on the emulated console: a module of our own tries its libraries, a program its servers.

use super::console::{ended_well, judge, no_complaints};
use super::rig::{Boots, Job};
use super::{Counts, Rig};
use crate::build::Program;
use crate::coverage;
use crate::emulator::card;
use crate::irx::ioprp::{self, ImageFile};
use crate::irx::starter;
use crate::iso::DiscFile;
use anyhow::{Context as _, Result, ensure};

/// What the self-test module calls itself, and its version.
const NAME: &str = "selftest";
const VERSION: u16 = 0x0100;
/// Where the facts of the module and of its client stand.
const FACTS: [&str; 2] = ["bootrom/iop/selftest", "bootrom/iop/client"];

/// An image that brings the module instead of a server of the ROM's.
pub(super) const IMAGE: &str = "IOPRP.IMG";

/// The image with the module in the place of `server`.
pub(super) fn image(module: &[u8], server: &str) -> Result<Vec<u8>> {
    let list = b"@800\nSYSMEM\nLOADCORE\nCDVDMAN\nCDVDFSV\nSIFINIT\nFILEIO\nLOADFILE\nEESYNC\n";
    ioprp::pack(&[
        ImageFile { name: "IOPBTCONF", version: 0, bytes: list },
        // Not a module, but never loaded either: the kernel's own parts stay.
        ImageFile { name: "SYSMEM", version: 0x0300, bytes: b"no module" },
        // Without its driver the drive's server stays, too.
        ImageFile { name: "CDVDFSV", version: 0x0300, bytes: b"no module" },
        ImageFile { name: server, version: 0x0204, bytes: module },
    ])
}

/// In the line in which the module sums up its senseless calls.
const SENSELESS: &str = " functions; ";

/// What the kernel says of a thread that has used its stack up, and the bytes with which it may go on.
const SPENT: &str = "bytes of stack left";
const LEAST: u32 = 0xA8;

/// The bytes that such a line tells.
fn bytes_left(line: &str) -> Result<u32> {
    let (_, behind) = line.split_once(" has ").with_context(|| format!("`{line}`"))?;
    let number = behind.split(' ').next().unwrap_or_default();
    number.parse().with_context(|| format!("`{line}`"))
}

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
    let others = vec![DiscFile { path: IMAGE.into(), bytes: image(&module, "FILEIO")? }];
    let files = starter::files(&built(rig, Program::IopClient)?, module, "prove", others)?;
    let mut counts = Counts::default();
    let mut named = Vec::new();
    for folder in FACTS {
        named.extend(coverage::bootrom::facts(&rig.context.root, folder)?);
    }
    let job = Job::new("modules", "");
    let leftovers = Job { fill_ram: true, ..Job::new("modules-filled", "") };
    for (job, where_run) in [(job, ""), (leftovers, ", RAM full of leftovers")] {
        let path = rig.context.target.join("tests").join(format!("{}-card.ps2", job.name));
        std::fs::write(&path, card::unformatted()).with_context(|| format!("cannot write {}", path.display()))?;
        let seen = rig.boot(&Job { boots: Boots::Files(files.clone()), cards: [Some(path), None], ..job })?;
        let mut proved = 0;
        for line in &seen.lines {
            if line.starts_with("IOP ok ") {
                proved += 1;
            } else if line.starts_with("IOP FAILED ") {
                counts += judge(&format!("a fact of the IOP{where_run}"), Err(anyhow::anyhow!("{line}")));
            }
        }
        println!("  {proved} facts");
        if let Some(line) = seen.lines.iter().find(|line| line.contains(SENSELESS)) {
            println!("  {line}");
        }
        let open = named.iter().find(|fact| !seen.lines.iter().any(|line| *line == format!("IOP ok {fact}")));
        counts += judge(
            &format!("the facts that the coverage page names are proved{where_run}"),
            match open {
                Some(fact) => Err(anyhow::anyhow!("not `{fact}`")),
                None => Ok(()),
            },
        );
        counts.passed += proved;
        let outcome = ended_well(&seen).and_then(|()| no_complaints(&seen));
        counts += judge(&format!("every library and server was tried{where_run}"), outcome);
    }
    let (client, module) = (built(rig, Program::IopClient)?, starter::module_file(&path)?);
    let boots = Boots::Files(starter::files(&client, module, "tell=stack", Vec::new())?);
    let seen = rig.boot(&Job { boots, until: SPENT, ..Job::new("modules-stack", "") })?;
    let line = seen.lines.iter().find(|line| line.contains(SPENT)).context("nobody said so");
    let left = line.and_then(|line| bytes_left(line));
    counts += judge(
        "a thread without a stack is told and stopped",
        left.and_then(|left| {
            ensure!(left < LEAST, "{left} bytes were left, with which it may go on");
            Ok(())
        }),
    );
    Ok(counts)
}
