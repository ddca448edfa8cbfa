//! Device paths: `device`, unit number, and what the device makes of the rest.

/// A path taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DevicePath<'a> {
    /// The device's name without its unit number.
    pub device: &'a [u8],
    /// The number directly before the colon, 0 without one.
    pub unit: u32,
    /// Everything behind the colon.
    pub rest: &'a [u8],
}

/// Takes `path` apart; None without a colon.
///
/// Source: IOP kernel, IOMAN
#[must_use]
pub fn split(path: &[u8]) -> Option<DevicePath<'_>> {
    let path = path.trim_ascii_start();
    let colon = path.iter().position(|byte| *byte == b':')?;
    let (before, rest) = (&path[..colon], &path[colon + 1..]);
    let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (device, number) = before.split_at(before.len() - digits);
    let unit = number.iter().fold(0_u32, |unit, digit| unit.wrapping_mul(10).wrapping_add(u32::from(digit - b'0')));
    Some(DevicePath { device, unit, rest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_a_device_a_unit_and_a_rest() {
        let expected = DevicePath { device: b"cdrom", unit: 0, rest: b"\\SYSTEM.CNF;1" };
        assert_eq!(split(b"  cdrom0:\\SYSTEM.CNF;1"), Some(expected));
        assert_eq!(split(b"mc12:/A:B"), Some(DevicePath { device: b"mc", unit: 12, rest: b"/A:B" }));
        assert_eq!(split(b"host:file"), Some(DevicePath { device: b"host", unit: 0, rest: b"file" }));
        assert_eq!(split(b":x"), Some(DevicePath { device: b"", unit: 0, rest: b"x" }));
    }

    #[test]
    fn without_a_colon_there_is_no_device() {
        assert_eq!(split(b"SYSTEM.CNF"), None);
        assert_eq!(split(b""), None);
    }
}
