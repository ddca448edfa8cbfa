//! Boots the disc with arguments of one's own and says where its last picture is: for looking at what one builds.
//!
//! `cargo run -p xtask --example look -- NAME "quick lockstep frames=460 mission=2" …`, as many pairs as wanted. In the
//! environment `LINES=A|B` prints only the console's lines that contain one of the words, `PICTURES=150` takes a picture every
//! so many frames on the way (`NAME-001.png`, `NAME-002.png`, …), and `SECONDS=N` is how long it may take.

use xtask::context::Context;
use xtask::testing::{Job, Rig};

/// A number of the environment, when it is there.
fn number<T: std::str::FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

/// A run with a picture every so many frames, as far as its arguments say for how long it is.
fn job(name: &str, arguments: &str) -> Job {
    let frames = arguments.split(' ').find_map(|word| word.strip_prefix("frames=")?.parse().ok());
    let job = Job::new(name, &format!("{arguments} hold"));
    let seconds = number("SECONDS").unwrap_or(job.seconds);
    Job { seconds, ..job.photographed(number("PICTURES").unwrap_or(0), frames.unwrap_or(0)) }
}

fn main() -> anyhow::Result<()> {
    let keep = std::env::var("LINES").unwrap_or_default();
    let mut rig = Rig::new(Context::new()?, false);
    let mut words = std::env::args().skip(1);
    while let (Some(name), Some(arguments)) = (words.next(), words.next()) {
        let seen = rig.boot(&job(&name, &arguments))?;
        for line in seen.lines.iter().filter(|line| keep.split('|').any(|word| line.contains(word))) {
            println!("{name}: {line}");
        }
        println!("{name}: {:.1} seconds, {:?}{}", seen.lasted, seen.picture, if seen.died { ", died" } else { "" });
    }
    Ok(())
}
