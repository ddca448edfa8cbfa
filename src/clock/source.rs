//! Where a frame's real time comes from.

use super::time;

/// The real time that the game's clock sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The console's own.
    Console,
    /// One fixed step a frame, whatever the console's clock says: scenarios, recorded demos and soak runs repeat exactly.
    ///
    /// Source: settled questions 6.
    Lockstep {
        /// Ticks given out so far.
        elapsed: u64,
    },
}

impl Source {
    /// Lockstep from 0 on.
    pub const fn lockstep() -> Self {
        Self::Lockstep { elapsed: 0 }
    }

    /// Real time for the next frame, in ticks; `console` is the console's total.
    pub const fn next_frame(&mut self, console: u64) -> u64 {
        match self {
            Self::Console => console,
            Self::Lockstep { elapsed } => {
                *elapsed += time::STEP;
                *elapsed
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lockstep_gives_one_step_a_frame_whatever_the_console_says() {
        let mut lockstep = Source::lockstep();
        let frames = [17, 17, 99_999_999_999].map(|console| lockstep.next_frame(console));
        assert_eq!(frames, [time::STEP, 2 * time::STEP, 3 * time::STEP]);
        assert_eq!(Source::Console.next_frame(17), 17);
    }
}
