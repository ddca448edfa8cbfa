//! A controller that is pulled for a while: a fault for tests.

/// The frames in which a port is to have no controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pulled {
    from: u32,
    until: u32,
}

impl Pulled {
    /// Reads `FROM-UNTIL`, frames of which the second is the first one with a controller again; without it none comes back.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, until) = text.split_once('-')?;
        let until = if until.is_empty() { u32::MAX } else { until.parse().ok()? };
        Some(Self { from: from.parse().ok()?, until })
    }

    /// True when the port has no controller in a frame.
    pub const fn is_in(&self, frame: u32) -> bool {
        self.from <= frame && frame < self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_controller_is_pulled_and_put_back_in_the_frames_that_are_named() {
        let pulled = Pulled::parse("90-180").unwrap();
        assert_eq!([89, 90, 179, 180].map(|frame| pulled.is_in(frame)), [false, true, true, false]);
        let lost = Pulled::parse("0-").unwrap();
        assert!(lost.is_in(0) && lost.is_in(1_000_000));
        assert_eq!(["", "5", "x-", "1-y"].map(Pulled::parse), [None; 4]);
    }
}
