//! What a person sees while something long is done: a bar on a terminal, plain lines elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write as _};
use std::time::{Duration, Instant};

/// One long step with a known amount of work.
pub struct Progress {
    title: String,
    total: u64,
    bar: Option<ProgressBar>,
    started: Instant,
    /// The quarter that was told last, for plain lines.
    told: u64,
    ended: bool,
}

impl Progress {
    /// Begins a step of `total` units (packages, percent, …); 0 stands for an amount that is not known.
    pub fn new(title: &str, total: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| bar(title, total));
        if bar.is_none() {
            say(&format!("{title} ..."));
        }
        Self { title: title.to_owned(), total, bar, started: Instant::now(), told: 0, ended: false }
    }

    /// Tells how many units are done.
    pub fn set(&mut self, done: u64) {
        match &self.bar {
            Some(bar) => bar.set_position(done),
            None => {
                if let Some(percent) = next_line(self.told, done, self.total) {
                    self.told = percent;
                    say(&format!("{} {percent} %", self.title));
                }
            }
        }
    }

    /// Tells what is being worked on right now; plain lines leave it out.
    pub fn detail(&self, text: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(text.to_owned());
        }
    }

    /// Ends the step with a word about its result.
    pub fn finish(mut self, result: &str) {
        self.ended = true;
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        say(&format!("{}: {result} ({:.1} s)", self.title, self.started.elapsed().as_secs_f32()));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let (false, Some(bar)) = (self.ended, &self.bar) {
            bar.abandon();
        }
    }
}

/// Prints a line beside the output proper. A reader that went away is no reason to stop the work.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn bar(title: &str, total: u64) -> ProgressBar {
    let (bar, template) = if total == 0 {
        (ProgressBar::new_spinner(), "{prefix} {spinner} {elapsed} {wide_msg}")
    } else {
        (ProgressBar::new(total), "{prefix} [{bar:30}] {percent:>3} % {elapsed} {wide_msg}")
    };
    // The templates are constants of this file; a bad one only costs the looks.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style);
    bar.set_prefix(title.to_owned());
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// The percentage to print as a plain line, when `done` has passed another quarter since `told`.
fn next_line(told: u64, done: u64, total: u64) -> Option<u64> {
    let quarter = (done.saturating_mul(4).checked_div(total)?).min(4) * 25;
    (quarter > told).then_some(quarter)
}

#[cfg(test)]
mod tests {
    use super::next_line;

    #[test]
    fn plain_lines_come_once_a_quarter() {
        assert_eq!(next_line(0, 10, 100), None);
        assert_eq!(next_line(0, 25, 100), Some(25));
        assert_eq!(next_line(25, 49, 100), None);
        assert_eq!(next_line(25, 230, 231), Some(75));
        assert_eq!(next_line(75, 231, 231), Some(100));
    }

    #[test]
    fn unknown_amounts_print_no_percentages() {
        assert_eq!(next_line(0, 10, 0), None);
    }
}
