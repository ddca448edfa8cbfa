//! When a frame is drawn, shown and counted.
//!
//! A frame's chain is started when the one before it is on the screen. It ends with a token that asks for its flip
//! ([`TOKENS`]) and a FINISH command, and becomes *pending* when the GS has come to both: the token says that this very chain
//! is through, FINISH that all of it is drawn. At a vertical blank a pending frame is shown if two blanks have passed since the last flip; a frame that
//! needs longer is shown late, never skipped, and the blanks beyond two are counted. One finished chain may wait behind the
//! one that is being drawn: the processor is never more than one frame ahead.
//!
//! Our choice: the token is a number that the GS leaves in its LABEL register, where the original's DMA handler stopped at a
//! tag in the chain: it comes out of the end of the drawing instead of its beginning, and needs no interrupt of its own.
//!
//! This is the rule alone, as a small value that the blank's handler and the program share.
//!
//! Source: support systems, Graphics and frame pacing; console rule 1.

/// Blanks between two flips: 30 frames a second on a 60 Hz screen.
pub const BLANKS_PER_FRAME: u32 = 2;

/// The tokens of frames, by the frame buffer that they draw into: two in a row differ. Source: support systems, Graphics and
/// frame pacing.
pub const TOKENS: [u32; 2] = [0x40, 0x41];

/// The token of a frame buffer; the blank's handler cannot panic.
const fn token_of(buffer: usize) -> u32 {
    TOKENS[buffer & 1]
}

/// What the GS says at a vertical blank.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// All that it was given is drawn: FINISH.
    pub finished: bool,
    /// The last token that it came to.
    pub token: u32,
}

/// What the frame that was started last is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Stage {
    /// It is on the screen.
    #[default]
    Shown,
    /// The GS draws it.
    Drawing,
}

/// What a caller has to do now, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Action {
    /// Show the frame buffer of this index.
    pub flip: Option<usize>,
    /// Start the chain at this address.
    pub start: Option<u32>,
}

/// The state of pacing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pacer {
    stage: Stage,
    waiting: Option<u32>,
    shown: usize,
    since_flip: u32,
    /// Vertical blanks in all.
    pub blanks: u32,
    /// Frames shown in all.
    pub flips: u32,
    /// Blanks by which frames were late, in all.
    pub missed: u32,
}

impl Pacer {
    /// Nothing shown, nothing drawn.
    pub const fn new() -> Self {
        Self { stage: Stage::Shown, waiting: None, shown: 1, since_flip: 0, blanks: 0, flips: 0, missed: 0 }
    }

    /// The frame buffer that the next chain to be built draws into.
    pub const fn target(&self) -> usize {
        let ahead = match self.stage {
            Stage::Shown => 0,
            Stage::Drawing => 1,
        };
        (self.shown + 1 + ahead) & 1
    }

    /// The token that closes the next chain to be built.
    pub const fn token(&self) -> u32 {
        token_of(self.target())
    }

    /// The frame buffer on the screen.
    pub const fn shown(&self) -> usize {
        self.shown
    }

    /// True when another chain may be submitted: its packet memory and its turn are free.
    pub const fn accepts(&self) -> bool {
        self.waiting.is_none()
    }

    /// True when the chain that was submitted last is on the screen.
    pub const fn idle(&self) -> bool {
        matches!(self.stage, Stage::Shown) && self.waiting.is_none()
    }

    /// A chain is complete. Call only when [`accepts`](Self::accepts) says so.
    pub const fn submit(&mut self, chain: u32) -> Action {
        match self.stage {
            Stage::Shown => {
                self.stage = Stage::Drawing;
                Action { flip: None, start: Some(chain) }
            }
            Stage::Drawing => {
                self.waiting = Some(chain);
                Action { flip: None, start: None }
            }
        }
    }

    /// A vertical blank begins; `report` is what the GS says of the current chain.
    pub const fn vertical_blank(&mut self, report: Report) -> Action {
        self.blanks = self.blanks.wrapping_add(1);
        self.since_flip = self.since_flip.saturating_add(1);
        let asked = report.token == token_of(self.shown ^ 1);
        let pending = matches!(self.stage, Stage::Drawing) && report.finished && asked;
        if !pending || self.since_flip < BLANKS_PER_FRAME {
            return Action { flip: None, start: None };
        }
        // The blanks before the first frame are the loading time, nobody's delay.
        if self.flips != 0 {
            self.missed = self.missed.wrapping_add(self.since_flip - BLANKS_PER_FRAME);
        }
        self.since_flip = 0;
        self.flips = self.flips.wrapping_add(1);
        self.shown ^= 1;
        self.stage = Stage::Shown;
        let start = self.waiting.take();
        if start.is_some() {
            self.stage = Stage::Drawing;
        }
        Action { flip: Some(self.shown), start }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A blank at which the current chain is drawn, or not yet.
    fn blank(pacer: &mut Pacer, drawn: bool) -> Action {
        let token = TOKENS[pacer.shown() ^ 1];
        pacer.vertical_blank(Report { finished: drawn, token })
    }

    #[test]
    fn a_frame_is_pending_only_with_its_own_token_and_the_finish() {
        let mut pacer = Pacer::new();
        for frame in 0..4_u32 {
            let (target, token) = (pacer.target(), pacer.token());
            let _ = pacer.submit(frame);
            let other = TOKENS[target ^ 1];
            for report in [(true, other), (false, token), (true, 0), (false, other)] {
                let (finished, token) = report;
                let action = pacer.vertical_blank(Report { finished, token });
                assert_eq!(action, Action::default(), "frame {frame} with {report:?}");
            }
            assert_eq!(pacer.vertical_blank(Report { finished: true, token }).flip, Some(target));
        }
    }

    #[test]
    fn a_frame_is_shown_only_when_it_is_drawn() {
        let mut pacer = Pacer::new();
        assert_eq!(pacer.submit(0x100).start, Some(0x100));
        for _ in 0..5 {
            assert_eq!(blank(&mut pacer, false), Action::default());
        }
        assert!(!pacer.idle());
        assert_eq!(blank(&mut pacer, true).flip, Some(0));
        assert!(pacer.idle());
    }

    #[test]
    fn a_quick_frame_waits_for_the_second_blank() {
        let mut pacer = Pacer::new();
        let _ = pacer.submit(0x100);
        assert_eq!(blank(&mut pacer, true), Action::default());
        assert_eq!(blank(&mut pacer, true).flip, Some(0));
        let _ = pacer.submit(0x200);
        assert_eq!(blank(&mut pacer, true), Action::default());
        assert_eq!(blank(&mut pacer, true).flip, Some(1));
        assert_eq!((pacer.flips, pacer.missed), (2, 0));
    }

    #[test]
    fn one_chain_waits_and_starts_with_the_flip() {
        let mut pacer = Pacer::new();
        let _ = pacer.submit(0x100);
        assert!(pacer.accepts());
        assert_eq!(pacer.submit(0x200).start, None);
        assert!(!pacer.accepts(), "the processor is one frame ahead and no more");
        let _ = blank(&mut pacer, true);
        assert_eq!(blank(&mut pacer, true), Action { flip: Some(0), start: Some(0x200) });
        assert!(pacer.accepts());
    }

    #[test]
    fn the_frame_on_screen_is_never_the_target() {
        let mut pacer = Pacer::new();
        let mut shown = None;
        for frame in 0..20_u32 {
            while !pacer.accepts() {
                shown = blank(&mut pacer, true).flip.or(shown);
            }
            let target = pacer.target();
            let start = pacer.submit(frame).start;
            if start.is_some() {
                assert_ne!(Some(target), shown, "frame {frame}");
            }
        }
    }

    #[test]
    fn a_late_frame_counts_the_blanks_beyond_two() {
        let mut pacer = Pacer::new();
        let _ = pacer.submit(0x100);
        let _ = blank(&mut pacer, true);
        let _ = blank(&mut pacer, true);
        let _ = pacer.submit(0x200);
        for _ in 0..4 {
            let _ = blank(&mut pacer, false);
        }
        assert_eq!(blank(&mut pacer, true).flip, Some(1));
        assert_eq!(pacer.missed, 3);
    }
}
