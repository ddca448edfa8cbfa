//! Boots the disc with arguments of one's own and says where its last picture is: for looking at what one builds.
//!
//! `cargo run -p xtask --example look -- NAME "quick lockstep frames=460 mission=2" …`, as many pairs as wanted; `LINES=A|B`
//! in the environment prints only the console's lines that contain one of the words.

use xtask::context::Context;
use xtask::testing::{Job, Rig};

fn main() -> anyhow::Result<()> {
    let keep = std::env::var("LINES").unwrap_or_default();
    let mut rig = Rig::new(Context::new()?, false);
    let mut words = std::env::args().skip(1);
    while let (Some(name), Some(arguments)) = (words.next(), words.next()) {
        let seen = rig.boot(&Job::new(&name, &format!("{arguments} hold")))?;
        for line in seen.lines.iter().filter(|line| keep.split('|').any(|word| line.contains(word))) {
            println!("{name}: {line}");
        }
        println!("{name}: {:.1} seconds, {:?}{}", seen.lasted, seen.picture, if seen.died { ", died" } else { "" });
    }
    Ok(())
}
