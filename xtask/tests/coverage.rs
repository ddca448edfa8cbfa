//! The coverage pages are generated; here they are held to the source.

use xtask::context::Context;
use xtask::coverage::{Mode, run};

#[test]
fn the_coverage_pages_say_what_the_source_says() {
    match run(&Context::new().unwrap(), Mode::Check, None) {
        Ok(lines) => lines.iter().for_each(|line| println!("{line}")),
        Err(error) => panic!("{error:#}"),
    }
}
