//! Numbers as text without the standard library's float formatting, which costs the EE thousands of cycles a number.

use core::fmt::{self, Display, Formatter};

/// A float with one to three digits behind the point; aligned and padded as the format asks.
#[derive(Clone, Copy, Debug)]
pub struct Fixed(pub f32, pub u8);

/// Bytes as bytes, `K` or `M`, three or four digits long.
#[derive(Clone, Copy, Debug)]
pub struct Bytes(pub usize);

/// Cycles of the EE's counter as milliseconds with two digits behind the point.
#[derive(Clone, Copy, Debug)]
pub struct Cycles(pub u32);

/// The EE's cycles in a millisecond. Source: seed 003, Timers.
const CYCLES_PER_MILLISECOND: u32 = 294_912;

impl Display for Fixed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let unit: u32 = match self.1 {
            0 => 1,
            1 => 10,
            2 => 100,
            _ => 1000,
        };
        let value = self.0 * unit as f32;
        if value.is_nan() {
            return f.pad("nan");
        }
        if value.abs() >= 2.0e9 {
            return f.pad(if value < 0.0 { "-big" } else { "big" });
        }
        let rounded = (value.abs() + 0.5) as u32;
        let sign = if value < 0.0 && rounded != 0 { "-" } else { "" };
        let mut text = heapless::String::<16>::new();
        let (whole, rest) = (rounded / unit, rounded % unit);
        // Sixteen characters hold a sign, ten digits and a point.
        let _ = match unit {
            1 => fmt::write(&mut text, format_args!("{sign}{whole}")),
            10 => fmt::write(&mut text, format_args!("{sign}{whole}.{rest}")),
            100 => fmt::write(&mut text, format_args!("{sign}{whole}.{rest:02}")),
            _ => fmt::write(&mut text, format_args!("{sign}{whole}.{rest:03}")),
        };
        f.pad(&text)
    }
}

impl Display for Bytes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const KILO: usize = 1024;
        let mut text = heapless::String::<24>::new();
        // The text is always shorter than its room.
        let _ = match self.0 {
            bytes if bytes < 10_000 => fmt::write(&mut text, format_args!("{bytes}")),
            bytes if bytes < 10_000 * KILO => fmt::write(&mut text, format_args!("{}K", bytes / KILO)),
            bytes => fmt::write(&mut text, format_args!("{}M", bytes / (KILO * KILO))),
        };
        f.pad(&text)
    }
}

impl Display for Cycles {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Fixed(self.0 as f32 * (1.0 / CYCLES_PER_MILLISECOND as f32), 2).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    #[test]
    fn floats_round_and_keep_their_sign() {
        let cases = [(1.005, 1, "1.0"), (-0.04, 1, "0.0"), (-2.55, 2, "-2.55"), (12.3456, 3, "12.346"), (7.6, 0, "8")];
        for (value, digits, text) in cases {
            assert_eq!(format!("{}", Fixed(value, digits)), text);
        }
    }

    #[test]
    fn floats_that_are_no_figures_are_words() {
        assert_eq!(format!("{:>6}", Fixed(f32::NAN, 2)), "   nan");
        assert_eq!(format!("{}", Fixed(-1.0e30, 2)), "-big");
    }

    #[test]
    fn figures_fill_their_column() {
        assert_eq!(format!("{:>7}|{:<7}|", Fixed(1.5, 1), Fixed(1.5, 1)), "    1.5|1.5    |");
        assert_eq!(format!("{:>6}", Bytes(384 * 1024)), "  384K");
        assert_eq!(format!("{}/{}", Bytes(9_999), Bytes(26_049_684)), "9999/24M");
        assert_eq!(format!("{}", Cycles(294_912 * 33 + 98_304)), "33.33");
    }
}
