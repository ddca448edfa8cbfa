//! The CRTC timings of SetGsCrt.
//!
//! Source: PS2 hardware facts, section 6.7; EE kernel semantics, section 7. The 480p and 720p line timings are
//! recomputed from public timing figures there; all others are a ROM's own.

use crate::vesa;

/// Wait between the last two values of SMODE1 in the high-definition modes, in turns of an empty loop.
pub const HIGH_DEFINITION_DELAY: u32 = 0x7_A120;
/// Wait after the clock generator's reset in the other modes, in turns of an empty loop.
pub const STANDARD_DELAY: u32 = 10_000;

/// SMODE1's output format bit: 0 RGB, 1 component.
const COMPONENT: u64 = 1 << 25;
/// SMODE1 bit that component output of a non-interlaced standard mode sets when bit 1 of the parameter asks for it.
const PROGRESSIVE_COMPONENT: u64 = 1 << 36;

/// Which television system a region letter of ROMVER asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// 60 Hz.
    Ntsc,
    /// 50 Hz.
    Pal,
}

impl Region {
    /// From the fifth letter of ROMVER.
    pub fn from_letter(letter: u8) -> Self {
        if letter == b'E' { Self::Pal } else { Self::Ntsc }
    }
}

/// What SetGsCrt writes, in the order of the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// SMODE1 while the other registers change.
    pub smode1_first: u64,
    /// SYNCH1.
    pub synch1: u64,
    /// SYNCH2.
    pub synch2: u64,
    /// SYNCV.
    pub syncv: u64,
    /// SMODE2: interlace and FIELD or FRAME.
    pub smode2: u64,
    /// SRFSH.
    pub srfsh: u64,
    /// SMODE1 once the others are set; the high-definition modes have two values with a wait between.
    pub smode1_then: [Option<u64>; 2],
    /// Turns of the empty loop between the two.
    pub delay: u32,
}

/// A mode's fixed numbers.
#[derive(Clone, Copy)]
pub(crate) struct Mode {
    pub(crate) smode1: [u64; 3],
    pub(crate) synch1: u64,
    pub(crate) synch1_progressive: u64,
    pub(crate) synch2: u64,
    pub(crate) syncv: u64,
    pub(crate) syncv_progressive: u64,
    pub(crate) srfsh: u64,
    pub(crate) high_definition: bool,
}

const NTSC: Mode = Mode {
    smode1: [0x7_4083_4504, 0x7_4081_4504, 0],
    synch1: 0x7_F5B6_1F06_F040,
    synch1_progressive: 0x7_F5B6_1F06_F040,
    synch2: 0x33_A4D8,
    syncv: 0xC7_8006_01A0_1801,
    syncv_progressive: 0xC7_8006_01A0_1802,
    srfsh: 8,
    high_definition: false,
};

const PAL: Mode = Mode {
    smode1: [0x7_4083_6504, 0x7_4081_6504, 0],
    synch1: 0x7_F5C2_1FC8_3030,
    synch1_progressive: 0x7_F5C2_1F68_3030,
    synch2: 0x34_84BC,
    syncv: 0xA9_0005_0210_1401,
    syncv_progressive: 0xA9_0005_0210_1404,
    srfsh: 8,
    high_definition: false,
};

const fn high_definition(smode1: [u64; 3], synch1: u64, synch2: u64, syncv: u64, srfsh: u64) -> Mode {
    Mode {
        smode1,
        synch1,
        synch1_progressive: synch1,
        synch2,
        syncv,
        syncv_progressive: syncv,
        srfsh,
        high_definition: true,
    }
}

const P480: Mode = high_definition(
    [0x17_4043_0504, 0x17_4041_0504, 0x17_4040_0504],
    0x3_F2DC_1F83_9823,
    0x1B_0240,
    0xC7_8C00_01E0_0006,
    4,
);
const P576: Mode = high_definition(
    [0x17_404B_0504, 0x17_4049_0504, 0x17_4048_0504],
    0x4_02E0_2003_C827,
    0x19_CA67,
    0xA9_0000_0270_0005,
    4,
);
const P720: Mode = high_definition(
    [0x13_4023_04B2, 0x13_4022_04B2, 0x13_4020_04B2],
    0x2_82E9_1406_E046,
    0x18_0200,
    0xAB_4000_0140_0005,
    2,
);
const I1080: Mode = high_definition(
    [0x3_4023_04B2, 0x3_4022_04B2, 0x3_4020_04B2],
    0x3_4420_0B04_3829,
    0x20_EB63,
    0x150_E002_01C0_0005,
    4,
);
/// The line timing for GS revisions from 0x19 on.
const I1080_LATE: Mode = high_definition(
    [0x3_4023_04B2, 0x3_4022_04B2, 0x3_4020_04B2],
    0x3_4420_0B04_182D,
    0x20_FB61,
    0x150_E002_01C0_0005,
    4,
);
/// First GS revision with the later 1080i timing.
pub(crate) const LATE_REVISION: u32 = 0x19;

/// The numbers for SetGsCrt(interlaced, mode, field).
///
/// `parameter` is the video parameter of the configuration (bit 0 component output); mode 0 follows `region`. `None`
/// for a number that is no mode, and for 0x54, a late console's.
pub fn timing(
    interlaced: bool,
    mode: u32,
    field: u32,
    parameter: u32,
    region: Region,
    gs_revision: u32,
) -> Option<Timing> {
    /// Modes of the DVD player: the standard timings without the step that stops the clock.
    const DVD_NTSC: u32 = 0x72;
    const DVD_PAL: u32 = 0x73;
    /// The computer display modes.
    const VESA: core::ops::Range<u32> = 0x1A..0x50;
    let numbers = match mode {
        0 => match region {
            Region::Ntsc => NTSC,
            Region::Pal => PAL,
        },
        2 | DVD_NTSC => NTSC,
        3 | 1 | DVD_PAL => PAL,
        0x50 => P480,
        0x51 if gs_revision < LATE_REVISION => I1080,
        0x51 => I1080_LATE,
        0x52 => P720,
        0x53 => P576,
        _ => vesa::mode(mode, gs_revision)?,
    };
    // Computer displays take no component signal.
    let component = parameter & 1 != 0 && !VESA.contains(&mode);
    let mut output = if component { COMPONENT } else { 0 };
    if !interlaced && !numbers.high_definition && parameter & 2 != 0 {
        output |= PROGRESSIVE_COMPONENT;
    }
    let [first, second, third] = numbers.smode1.map(|value| value | output);
    let dvd = matches!(mode, DVD_NTSC | DVD_PAL);
    let interlaced_mode = if numbers.high_definition { mode == 0x51 } else { interlaced };
    Some(Timing {
        smode1_first: if dvd { second } else { first },
        synch1: if interlaced { numbers.synch1 } else { numbers.synch1_progressive },
        synch2: numbers.synch2,
        syncv: if interlaced { numbers.syncv } else { numbers.syncv_progressive },
        smode2: if interlaced_mode { u64::from(field & 1) << 1 | 1 } else { 0 },
        srfsh: numbers.srfsh,
        smode1_then: [(!dvd).then_some(second), numbers.high_definition.then_some(third)],
        delay: if numbers.high_definition { HIGH_DEFINITION_DELAY } else { STANDARD_DELAY },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(interlaced: bool, mode: u32) -> Timing {
        timing(interlaced, mode, 0, 0, Region::Ntsc, 0x1B).unwrap()
    }

    #[test]
    fn interlaced_ntsc_has_the_known_numbers() {
        let ntsc = of(true, 2);
        assert_eq!(ntsc.smode1_first, 0x7_4083_4504);
        assert_eq!(ntsc.smode1_then, [Some(0x7_4081_4504), None]);
        assert_eq!(ntsc.syncv, 0x00C7_8006_01A0_1801);
        assert_eq!(ntsc.smode2, 1);
    }

    #[test]
    fn a_line_has_the_systems_number_of_clocks() {
        for (mode, clocks) in [(2, 3432), (3, 3456), (0x50, 1716), (0x53, 1728), (0x52, 1650), (0x51, 2200)] {
            let numbers = of(true, mode);
            let field = |value: u64, from: u32, to: u32| value >> from & ((1 << (to - from + 1)) - 1);
            let line = field(numbers.synch1, 0, 10)
                + field(numbers.synch1, 11, 21)
                + field(numbers.synch1, 43, 58)
                + field(numbers.synch2, 0, 10)
                + field(numbers.synch2, 11, 21);
            assert_eq!(line, clocks, "mode {mode:#x}");
        }
    }

    #[test]
    fn mode_zero_follows_the_region() {
        assert_eq!(timing(true, 0, 0, 0, Region::Pal, 0x1B), timing(true, 3, 0, 0, Region::Ntsc, 0x1B));
        assert_eq!(Region::from_letter(b'E'), Region::Pal);
    }

    #[test]
    fn progressive_modes_are_not_interlaced_and_unknown_ones_are_none() {
        assert_eq!(of(false, 2).smode2, 0);
        assert_eq!(of(true, 0x50).smode2, 0);
        assert_eq!(timing(true, 2, 1, 0, Region::Ntsc, 0).unwrap().smode2, 3);
        assert_eq!(timing(false, 0x54, 0, 0, Region::Ntsc, 0), None);
        let vga = timing(false, 0x1A, 0, 1, Region::Ntsc, 0).unwrap();
        assert_eq!((vga.smode2, vga.smode1_first & COMPONENT), (0, 0));
    }

    #[test]
    fn component_output_is_a_bit_of_smode1() {
        let component = timing(false, 2, 0, 3, Region::Ntsc, 0).unwrap();
        assert_eq!(component.smode1_first ^ of(false, 2).smode1_first, 1 << 25 | 1 << 36);
    }
}
