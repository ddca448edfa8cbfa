//! Where a frame's time goes.
//!
//! Whoever runs the frame marks the end of each of its steps with the cycle counter; the meter keeps each step's mean and
//! most over a window, and the last frames for the graph.

use crate::ee::pacing::BLANKS_PER_FRAME;

/// The steps of a frame. Source: seed 003, One in-game frame; settled questions 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Span {
    /// The clock.
    Clock,
    /// The tick pairs: characters, wheel, physics.
    Ticks,
    /// The camera's hand-over.
    Cameras,
    /// The sub-managers.
    Managers,
    /// Resource streaming.
    Streaming,
    /// The world's update.
    World,
    /// The viewports' packets.
    Viewports,
    /// HUD and menus.
    Overlays,
    /// This overlay.
    Debug,
    /// The scripts' hook.
    Scripts,
    /// Waiting for the screen and handing over the packet.
    Present,
    /// The file service.
    Files,
    /// Errors, counter, leave reasons.
    Rest,
}

impl Span {
    /// Every step in the order of the frame.
    pub const ALL: [Self; 13] = [
        Self::Clock,
        Self::Ticks,
        Self::Cameras,
        Self::Managers,
        Self::Streaming,
        Self::World,
        Self::Viewports,
        Self::Overlays,
        Self::Debug,
        Self::Scripts,
        Self::Present,
        Self::Files,
        Self::Rest,
    ];

    /// A name to show.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clock => "CLOCK",
            Self::Ticks => "TICKS",
            Self::Cameras => "CAMERAS",
            Self::Managers => "MANAGERS",
            Self::Streaming => "STREAMING",
            Self::World => "WORLD",
            Self::Viewports => "VIEWPORTS",
            Self::Overlays => "HUD",
            Self::Debug => "OVERLAY",
            Self::Scripts => "SCRIPTS",
            Self::Present => "PRESENT",
            Self::Files => "FILES",
            Self::Rest => "REST",
        }
    }
}

/// Frames of the graph.
pub const GRAPH_FRAMES: usize = 120;
/// Frames over which means are taken.
const WINDOW: u32 = 16;
const SPANS: usize = Span::ALL.len();

/// One frame of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Frame {
    /// The processor's cycles without waiting for the screen.
    pub busy: u32,
    /// Cycles that the GS drew; 0 when nobody measured.
    pub gs: u32,
    /// Blanks that the frame was shown for.
    pub blanks: u8,
}

impl Frame {
    /// True when the frame was shown for longer than a frame should.
    pub const fn is_late(&self) -> bool {
        self.blanks as u32 > BLANKS_PER_FRAME
    }
}

/// A step's cycles over the last window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figure {
    /// The mean.
    pub mean: u32,
    /// The most.
    pub most: u32,
}

/// The meter.
#[derive(Clone, Debug)]
pub struct Meter {
    last: u32,
    current: [u32; SPANS],
    sums: [u64; SPANS],
    most: [u32; SPANS],
    shown: [Figure; SPANS],
    counted: u32,
    graph: [Frame; GRAPH_FRAMES],
    next: usize,
    frames: u32,
    late: u32,
}

impl Default for Meter {
    fn default() -> Self {
        Self {
            last: 0,
            current: [0; SPANS],
            sums: [0; SPANS],
            most: [0; SPANS],
            shown: [Figure::default(); SPANS],
            counted: 0,
            graph: [Frame::default(); GRAPH_FRAMES],
            next: 0,
            frames: 0,
            late: 0,
        }
    }
}

impl Meter {
    /// A frame begins at this count.
    pub fn begin(&mut self, count: u32) {
        self.last = count;
        self.current = [0; SPANS];
    }

    /// What happened since the last mark was `span`.
    pub fn mark(&mut self, span: Span, count: u32) {
        self.current[span as usize] += count.wrapping_sub(self.last);
        self.last = count;
    }

    /// Of what was marked as `from`, `cycles` belong to `to`.
    pub fn shift(&mut self, from: Span, to: Span, cycles: u32) {
        let cycles = cycles.min(self.current[from as usize]);
        self.current[from as usize] -= cycles;
        self.current[to as usize] += cycles;
    }

    /// The frame ends; it was shown for `blanks`, and the GS drew for `gs` cycles.
    pub fn end(&mut self, blanks: u32, gs: u32) {
        for (index, &cycles) in self.current.iter().enumerate() {
            self.sums[index] += u64::from(cycles);
            self.most[index] = self.most[index].max(cycles);
        }
        self.counted += 1;
        if self.counted == WINDOW {
            for (index, shown) in self.shown.iter_mut().enumerate() {
                *shown = Figure { mean: (self.sums[index] / u64::from(WINDOW)) as u32, most: self.most[index] };
            }
            (self.sums, self.most, self.counted) = ([0; SPANS], [0; SPANS], 0);
        }
        let busy = self.current.iter().sum::<u32>() - self.current[Span::Present as usize];
        let frame = Frame { busy, gs, blanks: blanks.min(u32::from(u8::MAX)) as u8 };
        self.graph[self.next] = frame;
        self.next = (self.next + 1) % GRAPH_FRAMES;
        self.frames += 1;
        self.late += u32::from(frame.is_late());
    }

    /// A step's cycles.
    pub fn figure(&self, span: Span) -> Figure {
        self.shown[span as usize]
    }

    /// All steps' mean cycles but for waiting.
    pub fn busy(&self) -> u32 {
        let all = Span::ALL.into_iter().filter(|span| *span != Span::Present);
        all.map(|span| self.figure(span).mean).sum()
    }

    /// The last frames, oldest first.
    pub fn graph(&self) -> impl Iterator<Item = &Frame> {
        let (newer, older) = self.graph.split_at(self.next);
        older.iter().chain(newer)
    }

    /// The latest frame.
    pub fn latest(&self) -> Frame {
        self.graph[(self.next + GRAPH_FRAMES - 1) % GRAPH_FRAMES]
    }

    /// Frames in all.
    pub const fn frames(&self) -> u32 {
        self.frames
    }

    /// Frames that were late, in all.
    pub const fn late(&self) -> u32 {
        self.late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(meter: &mut Meter, begin: u32, ticks: u32, wait: u32, blanks: u32) {
        meter.begin(begin);
        meter.mark(Span::Ticks, begin.wrapping_add(ticks));
        meter.mark(Span::Present, begin.wrapping_add(ticks).wrapping_add(wait));
        meter.end(blanks, 7);
    }

    #[test]
    fn means_and_mosts_appear_with_each_window() {
        let mut meter = Meter::default();
        for index in 0..WINDOW {
            assert_eq!(meter.figure(Span::Ticks), Figure::default());
            frame(&mut meter, u32::MAX - 50, 100 + index, 1000, 2);
        }
        assert_eq!(meter.figure(Span::Ticks), Figure { mean: 107, most: 115 });
        assert_eq!(meter.busy(), 107, "waiting is not work");
    }

    #[test]
    fn the_graph_keeps_the_latest_frames_in_order() {
        let mut meter = Meter::default();
        for index in 0..GRAPH_FRAMES as u32 + 3 {
            frame(&mut meter, 0, index, 0, 2);
        }
        let busy: std::vec::Vec<u32> = meter.graph().map(|frame| frame.busy).collect();
        assert_eq!((busy[0], busy[GRAPH_FRAMES - 1]), (3, GRAPH_FRAMES as u32 + 2));
        assert_eq!(meter.latest().busy, GRAPH_FRAMES as u32 + 2);
    }

    #[test]
    fn a_frame_shown_for_three_blanks_is_late() {
        let mut meter = Meter::default();
        frame(&mut meter, 0, 1, 1, 2);
        frame(&mut meter, 0, 1, 1, 3);
        assert_eq!((meter.late(), meter.frames()), (1, 2));
    }

    #[test]
    fn what_was_built_while_presenting_is_work_and_the_rest_is_waiting() {
        let mut meter = Meter::default();
        meter.begin(0);
        meter.mark(Span::Present, 1000);
        meter.shift(Span::Present, Span::Viewports, 300);
        meter.shift(Span::Present, Span::Viewports, 9000);
        meter.end(2, 0);
        assert_eq!(meter.latest().busy, 1000, "never more than there was");
    }

    #[test]
    fn spans_stand_where_their_number_says() {
        assert!(Span::ALL.into_iter().enumerate().all(|(index, span)| span as usize == index));
    }
}
