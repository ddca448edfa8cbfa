//! When a frame is drawn, shown and counted.
//!
//! A frame's chain is started when the one before it is on the screen, and becomes *pending* when the GS has reported that
//! it is drawn. At a vertical blank a pending frame is shown if two blanks have passed since the last flip; a frame that
//! needs longer is shown late, never skipped, and the blanks beyond two are counted. One finished chain may wait behind the
//! one that is being drawn: the processor is never more than one frame ahead.
//!
//! This is the rule alone, as a small value that the blank's handler and the program share.
//!
//! Source: support systems, Graphics and frame pacing; console rule 1.

/// Blanks between two flips: 30 frames a second on a 60 Hz screen.
pub const BLANKS_PER_FRAME: u32 = 2;

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

    /// A vertical blank begins; `drawn` says that the GS has reported the current chain done.
    pub const fn vertical_blank(&mut self, drawn: bool) -> Action {
        self.blanks = self.blanks.wrapping_add(1);
        self.since_flip = self.since_flip.saturating_add(1);
        let pending = matches!(self.stage, Stage::Drawing) && drawn;
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

    #[test]
    fn a_frame_is_shown_only_when_it_is_drawn() {
        let mut pacer = Pacer::new();
        assert_eq!(pacer.submit(0x100).start, Some(0x100));
        for _ in 0..5 {
            assert_eq!(pacer.vertical_blank(false), Action::default());
        }
        assert!(!pacer.idle());
        assert_eq!(pacer.vertical_blank(true).flip, Some(0));
        assert!(pacer.idle());
    }

    #[test]
    fn a_quick_frame_waits_for_the_second_blank() {
        let mut pacer = Pacer::new();
        let _ = pacer.submit(0x100);
        assert_eq!(pacer.vertical_blank(true), Action::default());
        assert_eq!(pacer.vertical_blank(true).flip, Some(0));
        let _ = pacer.submit(0x200);
        assert_eq!(pacer.vertical_blank(true), Action::default());
        assert_eq!(pacer.vertical_blank(true).flip, Some(1));
        assert_eq!((pacer.flips, pacer.missed), (2, 0));
    }

    #[test]
    fn one_chain_waits_and_starts_with_the_flip() {
        let mut pacer = Pacer::new();
        let _ = pacer.submit(0x100);
        assert!(pacer.accepts());
        assert_eq!(pacer.submit(0x200).start, None);
        assert!(!pacer.accepts(), "the processor is one frame ahead and no more");
        let _ = pacer.vertical_blank(true);
        assert_eq!(pacer.vertical_blank(true), Action { flip: Some(0), start: Some(0x200) });
        assert!(pacer.accepts());
    }

    #[test]
    fn the_frame_on_screen_is_never_the_target() {
        let mut pacer = Pacer::new();
        let mut shown = None;
        for frame in 0..20_u32 {
            while !pacer.accepts() {
                shown = pacer.vertical_blank(true).flip.or(shown);
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
        let _ = pacer.vertical_blank(true);
        let _ = pacer.vertical_blank(true);
        let _ = pacer.submit(0x200);
        for _ in 0..4 {
            let _ = pacer.vertical_blank(false);
        }
        assert_eq!(pacer.vertical_blank(true).flip, Some(1));
        assert_eq!(pacer.missed, 3);
    }
}
