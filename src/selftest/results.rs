//! Outcomes of the self-test's groups, as lines for people and as bytes for a short code.

use core::fmt::{self, Write};
use heapless::{String, Vec};

/// A part of the self-test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Group {
    /// Integer instructions that only the EE has.
    Processor,
    /// Floats, whose rounding no other processor shares.
    Floats,
    /// The data cache against memory.
    Cache,
    /// The DMA controller to the scratchpad and back.
    Dma,
    /// Drawing, read back from the GS.
    Graphics,
    /// VU0's kernels against their scalar twins.
    Vu0,
    /// Counters against the vertical blank.
    Clock,
    /// Bytes to the I/O processor and back.
    Sif,
    /// Every file of the disc.
    Disc,
    /// The memory card in the first slot.
    CardOne,
    /// The memory card in the second slot.
    CardTwo,
    /// Controllers.
    Pads,
    /// Sounds and music.
    Sound,
}

/// How a group went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Verdict {
    /// Nothing was there to be tested, or nobody tested it.
    #[default]
    Absent,
    /// As it should be.
    Pass,
    /// Not as a console is documented to be, which an emulator may do without harm: a fact, not a failure.
    Difference,
    /// Wrong.
    Fail,
}

impl Verdict {
    const ALL: [Self; 4] = [Self::Absent, Self::Pass, Self::Difference, Self::Fail];

    /// A word to show.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Pass => "pass",
            Self::Difference => "difference",
            Self::Fail => "FAIL",
        }
    }

    /// Pass or fail.
    pub const fn of(good: bool) -> Self {
        if good { Self::Pass } else { Self::Fail }
    }
}

/// How a figure is shown and packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What is counted, with its unit.
    pub name: &'static str,
    /// Bytes in the code; a larger value is cut to the largest that fits, or for masks to its low bits.
    bytes: usize,
    /// A set of bits, shown in hexadecimals.
    is_mask: bool,
}

impl Figure {
    /// The largest value that a code carries.
    const fn largest(&self) -> u32 {
        u32::MAX >> (32 - 8 * self.bytes)
    }
}

const fn count(name: &'static str, bytes: usize) -> Figure {
    Figure { name, bytes, is_mask: false }
}

const fn mask(name: &'static str, bytes: usize) -> Figure {
    Figure { name, bytes, is_mask: true }
}

/// Figures of a group at most.
pub const FIGURES: usize = 4;

impl Group {
    /// Every group in the order of the test.
    pub const ALL: [Self; GROUPS] = [
        Self::Processor,
        Self::Floats,
        Self::Cache,
        Self::Dma,
        Self::Graphics,
        Self::Vu0,
        Self::Clock,
        Self::Sif,
        Self::Disc,
        Self::CardOne,
        Self::CardTwo,
        Self::Pads,
        Self::Sound,
    ];

    /// A name to show.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Processor => "processor",
            Self::Floats => "floats",
            Self::Cache => "cache",
            Self::Dma => "dma",
            Self::Graphics => "graphics",
            Self::Vu0 => "vu0",
            Self::Clock => "clock",
            Self::Sif => "sif",
            Self::Disc => "disc",
            Self::CardOne => "card 1",
            Self::CardTwo => "card 2",
            Self::Pads => "pads",
            Self::Sound => "sound",
        }
    }

    /// What the group's figures are.
    pub const fn figures(self) -> &'static [Figure] {
        const PROCESSOR: [Figure; 1] = [mask("wrong", 2)];
        const FLOATS: [Figure; 1] = [mask("unlike", 4)];
        const CACHE: [Figure; 3] = [count("stored", 1), count("fetched", 1), count("stale", 1)];
        const DMA: [Figure; 2] = [count("wrong", 2), count("cycles/KB", 2)];
        const GRAPHICS: [Figure; 3] = [mask("wrong", 2), mask("unlike", 1), mask("crc", 2)];
        const VU0: [Figure; 2] = [count("steps", 1), count("alone", 2)];
        const CLOCK: [Figure; 4] = [count("cycles/60", 4), count("ppm", 2), count("late", 1), mask("timers", 1)];
        const SIF: [Figure; 3] = [count("wrong", 1), count("KB", 1), count("KB/s", 2)];
        const DISC: [Figure; 4] = [count("wrong", 1), count("files", 1), count("KB/s", 2), count("retries", 1)];
        const CARD: [Figure; 2] = [count("state", 1), count("free KB", 2)];
        const PADS: [Figure; 4] = [mask("1", 2), mask("sticks", 1), mask("2", 2), mask("sticks", 1)];
        const SOUND: [Figure; 3] = [mask("heard of", 1), count("groups", 1), count("underruns", 1)];
        match self {
            Self::Processor => &PROCESSOR,
            Self::Floats => &FLOATS,
            Self::Cache => &CACHE,
            Self::Dma => &DMA,
            Self::Graphics => &GRAPHICS,
            Self::Vu0 => &VU0,
            Self::Clock => &CLOCK,
            Self::Sif => &SIF,
            Self::Disc => &DISC,
            Self::CardOne | Self::CardTwo => &CARD,
            Self::Pads => &PADS,
            Self::Sound => &SOUND,
        }
    }
}

/// Number of groups.
pub const GROUPS: usize = 13;

/// What a group has found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// How it went.
    pub verdict: Verdict,
    /// Its figures, in the order of [`Group::figures`]; the rest is 0.
    pub figures: [u32; FIGURES],
}

impl Outcome {
    /// An outcome with some figures.
    pub fn new<const N: usize>(verdict: Verdict, figures: [u32; N]) -> Self {
        const { assert!(N <= FIGURES, "an outcome has so many figures") };
        let mut outcome = Self { verdict, ..Self::default() };
        for (place, figure) in outcome.figures.iter_mut().zip(figures) {
            *place = figure;
        }
        outcome
    }

    /// What should be there was not, or did not answer: a failure whose figures say nothing.
    pub const fn unanswered() -> Self {
        Self { verdict: Verdict::Fail, figures: [u32::MAX; FIGURES] }
    }

    /// True when no figure says anything, also after they were cut for a code.
    fn is_unanswered(&self, group: Group) -> bool {
        let mut figures = group.figures().iter().zip(self.figures);
        self.verdict == Verdict::Fail && figures.all(|(figure, value)| value >= figure.largest())
    }
}

/// Characters of a line.
pub const LINE: usize = 72;

/// Everything that the self-test has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Results {
    /// Tells this program from others: the low half of its code's CRC-32.
    pub build: u16,
    /// What each group has found, in the order of [`Group::ALL`].
    pub outcomes: [Outcome; GROUPS],
}

/// Layout of the packed form.
const VERSION: u8 = 2;
const HEADER_BYTES: usize = 1 + 2 + 4;

/// Bytes of packed results.
pub const BYTES: usize = {
    let (mut bytes, mut group) = (HEADER_BYTES, 0);
    while group < GROUPS {
        let figures = Group::ALL[group].figures();
        let mut figure = 0;
        while figure < figures.len() {
            bytes += figures[figure].bytes;
            figure += 1;
        }
        group += 1;
    }
    bytes
};

const _: () = assert!(BYTES <= crate::crash::short_code::MOST_BYTES, "the results fit a short code");

impl Results {
    /// Nothing tested yet.
    pub fn new(build: u16) -> Self {
        Self { build, outcomes: [Outcome::default(); GROUPS] }
    }

    /// A group's outcome.
    pub fn of(&self, group: Group) -> Outcome {
        self.outcomes.get(group as usize).copied().unwrap_or_default()
    }

    /// Notes a group's outcome.
    pub fn note(&mut self, group: Group, outcome: Outcome) {
        if let Some(place) = self.outcomes.get_mut(group as usize) {
            *place = outcome;
        }
    }

    /// How many groups went this way.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.verdict == verdict).count()
    }

    /// A line about a group: its name, its verdict and its figures.
    pub fn line(&self, group: Group) -> String<LINE> {
        let outcome = self.of(group);
        let mut line = String::new();
        // A line that is full says the most that it can.
        let _cut = write_line(&mut line, group, &outcome);
        line
    }

    /// The results as bytes: version, build, two bits a verdict, then the figures; little-endian.
    pub fn pack(&self) -> Vec<u8, BYTES> {
        let mut bytes = Vec::new();
        let verdicts = self.outcomes.iter().rev().fold(0_u32, |bits, outcome| bits << 2 | outcome.verdict as u32);
        let header = [VERSION].into_iter().chain(self.build.to_le_bytes()).chain(verdicts.to_le_bytes());
        let figures = Group::ALL.into_iter().zip(&self.outcomes).flat_map(|(group, outcome)| {
            group.figures().iter().zip(outcome.figures).flat_map(|(figure, value)| packed(figure, value))
        });
        bytes.extend(header.chain(figures).take(BYTES));
        bytes
    }

    /// Reads packed results; none of another version or length.
    pub fn unpack(bytes: &[u8]) -> Option<Self> {
        let (&[version, low, high, ref verdicts @ ..], mut rest) = bytes.split_first_chunk::<HEADER_BYTES>()?;
        let verdicts = u32::from_le_bytes(*verdicts.first_chunk()?);
        if version != VERSION || bytes.len() != BYTES {
            return None;
        }
        let mut results = Self::new(u16::from_le_bytes([low, high]));
        for group in Group::ALL {
            let verdict = Verdict::ALL[(verdicts >> (2 * group as u32) & 3) as usize];
            let mut outcome = Outcome { verdict, ..Outcome::default() };
            for (place, figure) in outcome.figures.iter_mut().zip(group.figures()) {
                let (value, behind) = rest.split_at_checked(figure.bytes)?;
                *place = value.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
                rest = behind;
            }
            results.note(group, outcome);
        }
        Some(results)
    }
}

/// A figure's bytes, the lowest first.
fn packed(figure: &Figure, value: u32) -> impl Iterator<Item = u8> {
    let value = if figure.is_mask { value } else { value.min(figure.largest()) };
    value.to_le_bytes().into_iter().take(figure.bytes)
}

fn write_line(line: &mut String<LINE>, group: Group, outcome: &Outcome) -> fmt::Result {
    write!(line, "{:<10}{:<11}", group.name(), outcome.verdict.name())?;
    if outcome.verdict == Verdict::Absent {
        return Ok(());
    }
    if outcome.is_unanswered(group) {
        return line.write_str(" no answer");
    }
    for (figure, value) in group.figures().iter().zip(outcome.figures) {
        if figure.is_mask {
            write!(line, " {} {value:0width$x}", figure.name, width = 2 * figure.bytes)?;
        } else {
            write!(line, " {} {value}", figure.name)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crash::short_code::{self, Subject};
    use proptest::prelude::*;

    #[test]
    fn results_come_back_from_their_code() {
        let mut results = Results::new(0xBEEF);
        results.note(Group::Clock, Outcome::new(Verdict::Pass, [295_207_200, 12, 0, 8]));
        results.note(Group::Floats, Outcome::new(Verdict::Difference, [0x0102_0304]));
        results.note(Group::Sound, Outcome::new(Verdict::Fail, [1, 2, 3]));
        let code = short_code::encode(Subject::SelfTest, &results.pack());
        let (subject, bytes) = short_code::decode(&code).unwrap();
        assert_eq!((subject, Results::unpack(&bytes)), (Subject::SelfTest, Some(results)));
        assert_eq!(results.count(Verdict::Absent), GROUPS - 3);
        std::println!("{BYTES} bytes, {} letters", code.len());
    }

    #[test]
    fn lines_name_verdicts_and_figures() {
        let mut results = Results::new(0);
        results.note(Group::Disc, Outcome::new(Verdict::Pass, [0, 7, 3_600, 1]));
        results.note(Group::Floats, Outcome::new(Verdict::Difference, [0x15]));
        assert_eq!(results.line(Group::Disc), "disc      pass        wrong 0 files 7 KB/s 3600 retries 1");
        assert_eq!(results.line(Group::Floats), "floats    difference  unlike 00000015");
        assert_eq!(results.line(Group::CardTwo), "card 2    absent     ");
    }

    #[test]
    fn counts_too_large_for_the_code_stop_at_its_end() {
        let mut results = Results::new(0);
        results.note(Group::Disc, Outcome::new(Verdict::Fail, [1_000, 2, 70_000, 0]));
        let back = Results::unpack(&results.pack()).unwrap();
        assert_eq!(back.of(Group::Disc).figures, [255, 2, 65_535, 0]);
    }

    #[test]
    fn a_group_that_nobody_answered_has_no_figures_on_either_side_of_the_code() {
        let mut results = Results::new(0);
        for group in Group::ALL {
            results.note(group, Outcome::unanswered());
        }
        let back = Results::unpack(&results.pack()).unwrap();
        for group in Group::ALL {
            assert_eq!(results.line(group), std::format!("{:<10}FAIL        no answer", group.name()).as_str());
            assert_eq!(back.line(group), results.line(group));
        }
    }

    #[test]
    fn every_line_has_room() {
        let full = |group: Group| {
            let mut results = Results::new(0);
            results.note(group, Outcome::new(Verdict::Difference, [u32::MAX; FIGURES]));
            Results::unpack(&results.pack()).unwrap().line(group)
        };
        assert!(Group::ALL.into_iter().all(|group| full(group).len() < LINE));
    }

    proptest! {
        #[test]
        fn only_bytes_of_this_length_and_version_are_results(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let fits = bytes.len() == BYTES && bytes[0] == VERSION;
            prop_assert_eq!(Results::unpack(&bytes).is_some(), fits);
        }

        #[test]
        fn packed_results_survive(mut bytes: [u8; BYTES]) {
            bytes[0] = VERSION;
            // Six bits of the verdicts belong to nobody.
            bytes[HEADER_BYTES - 1] &= 0x03;
            prop_assert_eq!(&Results::unpack(&bytes).unwrap().pack()[..], &bytes[..]);
        }
    }
}
