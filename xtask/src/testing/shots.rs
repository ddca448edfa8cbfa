//! The screenshots of the documentation: which there are, when each is taken, and the page that shows them.
//!
//! A run stops every so many frames and is photographed at each stop, so that no frame's number has to be known: a picture
//! belongs to a `Moment`, which is found afterwards in what the console said, and is the one of a stop behind it.

use super::rig::{Boots, Job, Rig, Seen};
use anyhow::{Context as _, Result, ensure};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// What every run of the game is told beside its own words.
const ALWAYS: &str = "quick lockstep";
/// Seconds that a run may take: the evening is long, and every stop takes half a second.
const SECONDS: u64 = 900;

/// What the console says when a picture's time has come.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Moment {
    /// A line that begins so.
    Line(&'static str),
    /// This task is given, as `PEOPLE 7 there, task …` says.
    Task(&'static str),
    /// The autopilot is so far along the boardwalk, in metres from and to, with rivals about.
    Rivals(f32, f32),
    /// The run is over.
    End,
}

/// One picture.
struct Shot {
    /// Its file's name without the ending.
    name: &'static str,
    /// What it shows.
    shows: &'static str,
    /// When it is taken.
    moment: Moment,
    /// At which stop behind that, the first one being 1.
    stop: usize,
}

/// A run and its pictures, in the order in which their moments come.
struct Run {
    /// What the game is told; the boot ROM without a disc has nobody to tell.
    words: Option<&'static str>,
    /// Frames after which it ends, and from one stop to the next.
    frames: u32,
    every: u32,
    shots: &'static [Shot],
}

/// The runs, in the page's order of pictures.
const RUNS: [Run; 7] = [
    Run {
        words: Some("script=190t,78x"),
        frames: 330,
        every: 15,
        shots: &[
            Shot {
                name: "title",
                shows: "the title, with the boardwalk behind its list",
                moment: Moment::Line("MODE profile manager"),
                stop: 4,
            },
            Shot {
                name: "missions",
                shows: "the missions to choose from",
                moment: Moment::Line("MODE mission select"),
                stop: 3,
            },
        ],
    },
    Run {
        words: Some("scenes mission=2 pilot=careful script=160t"),
        frames: 4500,
        every: 30,
        shots: &[
            Shot {
                name: "arrival",
                shows: "the scene that opens the boardwalk's mission",
                moment: Moment::Line("SCENE arrival"),
                stop: 5,
            },
            Shot {
                name: "walk",
                shows: "along the boardwalk with a gang of two",
                moment: Moment::Line("SCENE over"),
                stop: 2,
            },
            Shot {
                name: "first-fight",
                shows: "the dockers over the sea",
                moment: Moment::Rivals(52.0, 82.0),
                stop: 2,
            },
            Shot {
                name: "chase",
                shows: "the one who runs along the terrace to warn the others",
                moment: Moment::Task("CATCH THE ONE WHO RUNS TO WARN THEM"),
                stop: 1,
            },
            Shot {
                name: "second-fight",
                shows: "the gulls before the gate, in the car park",
                moment: Moment::Rivals(150.0, 182.0),
                stop: 4,
            },
        ],
    },
    Run {
        words: Some("mission=2 win=330 script=160t,60n*90"),
        frames: 500,
        every: 15,
        shots: &[Shot {
            name: "complete",
            shows: "a mission that is won",
            moment: Moment::Line("MODE mission complete"),
            stop: 4,
        }],
    },
    Run {
        words: Some("arena=1 pilot=hammer second=9. script=160t"),
        frames: 420,
        every: 15,
        shots: &[Shot {
            name: "arena",
            shows: "two players in the arena, each on a half of the picture",
            moment: Moment::Line("ARENA round"),
            stop: 7,
        }],
    },
    Run {
        words: Some("mission=1 script=160t,60n*60"),
        frames: 320,
        every: 15,
        shots: &[Shot {
            name: "yard",
            shows: "the test yard, with what can be broken, taken, pushed and climbed",
            moment: Moment::Line("MODE gameplay"),
            stop: 7,
        }],
    },
    Run {
        words: Some("mission=2 overlay=human script=160t"),
        frames: 400,
        every: 0,
        shots: &[Shot {
            name: "overlay",
            shows: "a page of the debug overlay: what the player's human does and why",
            moment: Moment::End,
            stop: 0,
        }],
    },
    Run {
        words: None,
        frames: 0,
        every: 0,
        shots: &[Shot {
            name: "boot-rom",
            shows: "the free boot ROM, which has found no disc",
            moment: Moment::End,
            stop: 0,
        }],
    },
];

impl Moment {
    /// Whether a line of the console says that it has come.
    fn is(self, line: &str) -> bool {
        match self {
            Self::Line(begins) => line.starts_with(begins),
            Self::Task(task) => line.starts_with("PEOPLE ") && line.ends_with(task),
            Self::Rivals(from, to) => {
                // Source: the autopilot's line, `PILOT steps at x y health h rivals r`.
                let words: Vec<&str> = line.split_whitespace().collect();
                let ["PILOT", _, "at", _, along, "health", _, "rivals", rivals] = words[..] else { return false };
                along.parse().is_ok_and(|along: f32| (from..=to).contains(&along)) && rivals != "0"
            }
            Self::End => false,
        }
    }
}

impl Shot {
    /// At which stop of the run it is taken, the first one being 0; none when its moment or the stop did not come.
    fn stop_of(&self, lines: &[String]) -> Option<usize> {
        let came = lines.iter().position(|line| self.moment.is(line))?;
        let is_stop = |line: &&String| line.starts_with("STOP ");
        let (before, behind) = lines.split_at(came);
        let stop = before.iter().filter(is_stop).count() + self.stop.checked_sub(1)?;
        (behind.iter().filter(is_stop).count() >= self.stop).then_some(stop)
    }
}

impl Run {
    /// What the game is told, but for the stops.
    fn arguments(&self) -> Option<String> {
        self.words.map(|words| format!("{ALWAYS} frames={} {words}", self.frames))
    }

    /// The run itself, with its stops.
    fn job(&self, number: usize) -> Job {
        let name = format!("shots-{number}");
        let job = match self.arguments() {
            Some(arguments) => Job::new(&name, &format!("{arguments} hold")).photographed(self.every, self.frames),
            None => Job { boots: Boots::NoDisc, until: "ROM: error", lit: true, ..Job::new(&name, "") },
        };
        Job { seconds: SECONDS, ..job }
    }

    /// Copies its pictures to where they are wanted.
    fn keep(&self, rig: &Rig, job: &Job, seen: &Seen, folder: &Path) -> Result<()> {
        for shot in self.shots {
            let taken = match shot.moment {
                Moment::End => seen.picture.clone(),
                _ => shot.stop_of(&seen.lines).and_then(|stop| job.stops.get(stop)).map(|name| rig.picture_path(name)),
            };
            let taken = taken.with_context(|| {
                format!("{}: {:?} did not come; the last lines were {:?}", shot.name, shot.moment, seen.last_lines())
            })?;
            let kept = folder.join(format!("{}.png", shot.name));
            fs::copy(&taken, &kept)
                .with_context(|| format!("cannot copy {} to {}", taken.display(), kept.display()))?;
            println!("{}: {}", shot.name, taken.display());
        }
        Ok(())
    }
}

/// Takes every screenshot and leaves it in `folder`, those of the runs before one that fails, too.
///
/// # Errors
/// A run that cannot be made, or whose moments do not come.
pub fn take(rig: &mut Rig, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (number, run) in RUNS.iter().enumerate() {
        let job = run.job(number);
        let seen = rig.boot(&job)?;
        ensure!(!seen.died, "run {number} ended early{}", seen.obituary());
        run.keep(rig, &job, &seen, folder)?;
    }
    Ok(())
}

/// The page that shows them.
pub fn page() -> String {
    let mut page = String::from(
        "# Screenshots\n\
         Taken on the emulated console, none of them changed. The `screenshots` example of xtask boots the disc with these words, finds each\n\
         picture's moment in what the console says, and writes them and this page anew.\n\n\
         | picture | shows | words |\n| --- | --- | --- |\n",
    );
    for run in &RUNS {
        let words = run.arguments().map_or("no disc in the drive".into(), |arguments| format!("`{arguments}`"));
        for Shot { name, shows, .. } in run.shots {
            // Writing to a text cannot fail.
            let _written = writeln!(page, "| ![{shows}](screenshots/{name}.png) | {shows} | {words} |");
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

    fn lines(text: &str) -> Vec<String> {
        text.split('/').map(str::to_owned).collect()
    }

    #[test]
    fn a_picture_is_the_one_of_the_stop_behind_its_moment() {
        let said = lines("MODE a/STOP 30/GO 30/MODE b/STOP 60/GO 60/STOP 90/GO 90");
        let shot = |begins, stop| Shot { name: "", shows: "", moment: Moment::Line(begins), stop };
        assert_eq!(shot("MODE a", 1).stop_of(&said), Some(0));
        assert_eq!(shot("MODE b", 1).stop_of(&said), Some(1));
        assert_eq!(shot("MODE b", 2).stop_of(&said), Some(2));
        assert_eq!(shot("MODE b", 3).stop_of(&said), None, "there was no such stop");
        assert_eq!(shot("MODE c", 1).stop_of(&said), None, "there was no such moment");
    }

    #[test]
    fn tasks_and_rivals_are_found_in_their_lines() {
        let task = Moment::Task("RUN");
        assert!(
            task.is("PEOPLE 7 there, task RUN") && !task.is("PEOPLE 7 there, task RUN FAR") && !task.is("CAPTION RUN")
        );
        let moment = Moment::Rivals(40.0, 82.0);
        assert!(moment.is("PILOT 300 at -8.1 61.2 health 165 rivals 4"));
        for other in
            ["PILOT 300 at -8.1 61.2 health 165 rivals 0", "PILOT 900 at -0.7 91.9 health 144 rivals 1", "MODE"]
        {
            assert!(!moment.is(other), "{other}");
        }
    }

    #[test]
    fn the_page_of_screenshots_is_the_one_of_today_s_runs_and_every_picture_is_there() {
        let docs = Path::new(ROOT).join("docs");
        assert_eq!(fs::read_to_string(docs.join("screenshots.md")).unwrap(), page(), "write it with the example");
        let mut bytes = 0;
        for shot in RUNS.iter().flat_map(|run| run.shots) {
            let picture = docs.join("screenshots").join(format!("{}.png", shot.name));
            bytes += fs::metadata(&picture).unwrap_or_else(|error| panic!("{}: {error}", picture.display())).len();
        }
        println!("{bytes} bytes of screenshots");
        assert!(bytes < 4 << 20, "{bytes} bytes of screenshots");
    }
}
