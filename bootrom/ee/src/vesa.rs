//! The computer display modes of SetGsCrt, 0x1A to 0x4B.
//!
//! Source: the register fields of eight modes are public in the console's Linux frame-buffer driver, for GS revisions before
//! and from 0x19 on; the others are VESA's display monitor timings put into the same fields by the rule of that
//! driver's successor. Clocks: PS2 hardware facts, section 6.7.

use crate::video::{LATE_REVISION, Mode};

/// A clock: 13.5 MHz × `lc` ÷ ((`t1248` + 1) × `rc`), and how many of its ticks a pixel takes.
#[derive(Clone, Copy)]
struct Clock {
    lc: u64,
    rc: u64,
    t1248: u64,
    per_pixel: u64,
}

/// Front and back porch and the two halves of the picture in a line, in ticks: HFP, HBP, HF, HB.
type Line = [u64; 4];

struct Vesa {
    number: u32,
    clock: Clock,
    /// HS and HSVS in ticks; HSEQ is HS.
    sync: [u64; 2],
    /// The line for early and for late GS revisions.
    line: [Line; 2],
    /// Sync, back porch, picture and front porch in lines.
    lines: [u64; 4],
}

const fn clock(lc: u64, rc: u64, t1248: u64, per_pixel: u64) -> Clock {
    Clock { lc, rc, t1248, per_pixel }
}

/// A mode out of a monitor timing: front porch, sync, back porch and picture of a line in pixels.
const fn by_rule(number: u32, clock: Clock, [front, sync, back, width]: [u64; 4], lines: [u64; 4]) -> Vesa {
    let n = clock.per_pixel;
    let shift = n / 2;
    let first_part = width * n * 3 / 5;
    let line = [front * n + shift, back * n - shift, width * n - first_part, first_part];
    Vesa { number, clock, sync: [sync * n, (back + width + front - sync) * n / 2], line: [line, line], lines }
}

/// The family, by number: 640×480 (0x1A-0x1D), 800×600 (0x2A-0x2E), 1024×768 (0x3B-0x3E), 1280×1024 (0x4A, 0x4B).
const MODES: [Vesa; 15] = [
    Vesa {
        number: 0x1A,
        clock: clock(15, 2, 1, 2),
        sync: [192, 608],
        line: [[32, 84, 524, 768], [47, 81, 527, 753]],
        lines: [2, 33, 480, 10],
    },
    by_rule(0x1B, clock(28, 3, 1, 2), [24, 40, 128, 640], [3, 28, 480, 9]),
    Vesa {
        number: 0x1C,
        clock: clock(28, 3, 1, 2),
        sync: [128, 712],
        line: [[32, 228, 484, 808], [47, 225, 487, 793]],
        lines: [3, 16, 480, 1],
    },
    by_rule(0x1D, clock(32, 3, 1, 2), [56, 56, 80, 640], [3, 25, 480, 1]),
    by_rule(0x2A, clock(32, 3, 1, 2), [24, 72, 128, 800], [2, 22, 600, 1]),
    Vesa {
        number: 0x2B,
        clock: clock(71, 6, 1, 2),
        sync: [256, 800],
        line: [[80, 164, 636, 976], [95, 161, 639, 961]],
        lines: [4, 23, 600, 1],
    },
    by_rule(0x2C, clock(74, 5, 1, 2), [56, 120, 64, 800], [6, 23, 600, 37]),
    Vesa {
        number: 0x2D,
        clock: clock(44, 3, 1, 2),
        sync: [160, 896],
        line: [[32, 308, 588, 1024], [47, 305, 591, 1009]],
        lines: [3, 21, 600, 1],
    },
    by_rule(0x2E, clock(50, 3, 1, 2), [32, 64, 152, 800], [3, 27, 600, 1]),
    Vesa {
        number: 0x3B,
        clock: clock(58, 6, 0, 2),
        sync: [272, 1072],
        line: [[48, 308, 764, 1296], [63, 305, 767, 1281]],
        lines: [6, 29, 768, 3],
    },
    by_rule(0x3C, clock(78, 7, 1, 1), [24, 136, 144, 1024], [6, 29, 768, 3]),
    Vesa {
        number: 0x3D,
        clock: clock(35, 3, 1, 1),
        sync: [96, 560],
        line: [[16, 164, 396, 640], [31, 161, 399, 625]],
        lines: [3, 28, 768, 1],
    },
    by_rule(0x3E, clock(28, 2, 1, 1), [48, 96, 208, 1024], [3, 36, 768, 1]),
    Vesa {
        number: 0x4A,
        clock: clock(8, 1, 0, 1),
        sync: [112, 732],
        line: [[16, 236, 496, 828], [63, 233, 499, 781]],
        lines: [3, 38, 1024, 1],
    },
    Vesa {
        number: 0x4B,
        clock: clock(10, 1, 0, 1),
        sync: [144, 700],
        line: [[16, 236, 464, 828], [31, 233, 467, 813]],
        lines: [3, 38, 1024, 1],
    },
];

/// The numbers of a mode of the family.
pub fn mode(number: u32, gs_revision: u32) -> Option<Mode> {
    /// SMODE1: progressive, second clock, its source.
    const BASE: u64 = 1 << 36 | 1 << 33 | 1 << 32 | 1 << 30;
    /// SMODE1: sync generator and clock generator held in reset.
    const SYNC_RESET: u64 = 1 << 17;
    const CLOCK_RESET: u64 = 1 << 16;
    let Vesa { clock, sync: [hs, hsvs], line, lines: [vs, vbp, vdp, vfp], .. } =
        MODES.iter().find(|mode| mode.number == number)?;
    let [hfp, hbp, hf, hb] = line[usize::from(gs_revision >= LATE_REVISION)];
    let smode1 = BASE | clock.per_pixel << 21 | clock.t1248 << 10 | clock.lc << 3 | clock.rc;
    let synch1 = hs << 43 | hsvs << 32 | hs << 22 | hbp << 11 | hfp;
    let syncv = vs << 53 | vdp << 42 | vbp << 20 | vfp;
    Some(Mode {
        smode1: [smode1 | SYNC_RESET | CLOCK_RESET, smode1 | SYNC_RESET, smode1],
        synch1,
        synch1_progressive: synch1,
        synch2: hb << 11 | hf,
        syncv,
        syncv_progressive: syncv,
        srfsh: if clock.per_pixel == 1 { 2 } else { 4 },
        high_definition: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vga_has_the_known_base_and_vertical_numbers() {
        let vga = mode(0x1A, 0x1B).unwrap();
        assert_eq!(vga.smode1[1], 0x13_4042_047A);
        assert_eq!(vga.syncv, 0x0047_8000_0210_000A);
    }

    #[test]
    fn every_mode_has_the_line_and_the_rate_of_its_monitor_timing() {
        // Pixels a line, lines, frames a second.
        let timings = [
            (0x1A, 800, 525, 59.94),
            (0x1B, 832, 520, 72.81),
            (0x1C, 840, 500, 75.0),
            (0x1D, 832, 509, 85.01),
            (0x2A, 1024, 625, 56.25),
            (0x2B, 1056, 628, 60.32),
            (0x2C, 1040, 666, 72.19),
            (0x2D, 1056, 625, 75.0),
            (0x2E, 1048, 631, 85.06),
            (0x3B, 1344, 806, 60.0),
            (0x3C, 1328, 806, 70.07),
            (0x3D, 1312, 800, 75.03),
            (0x3E, 1376, 808, 85.0),
            (0x4A, 1688, 1066, 60.02),
            (0x4B, 1688, 1066, 75.02),
        ];
        assert_eq!(timings.map(|timing| timing.0), MODES.map(|mode| mode.number));
        for (vesa, (number, pixels, lines, rate)) in MODES.iter().zip(timings) {
            for line in vesa.line {
                let total = line.iter().sum::<u64>() + vesa.sync[0];
                assert_eq!(total, pixels * vesa.clock.per_pixel, "line of {number:#x}");
            }
            assert_eq!(vesa.lines.iter().sum::<u64>(), lines, "lines of {number:#x}");
            let Clock { lc, rc, t1248, per_pixel } = vesa.clock;
            let clock = 13.5e6 * lc as f64 / ((t1248 + 1) * rc * per_pixel) as f64;
            let found = clock / (pixels * lines) as f64;
            assert!((found / rate - 1.0).abs() < 0.006, "{number:#x}: {found:.2} frames a second instead of {rate}");
        }
    }
}
