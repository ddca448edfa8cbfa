//! Notes and pitches: how fast a sample plays that was recorded as one note and is to sound as another.
//!
//! A note is a semitone and a fine part of 1/128 of one; a pitch of 0x1000 plays as recorded.
//! Source: IOP facts, SPU2 and libsd

use crate::arithmetic::divide;

/// Fine steps of a semitone, and semitones of an octave.
const FINE: i32 = 128;
const SEMITONES: i32 = 12;
/// Steps of an octave.
const OCTAVE: usize = (FINE * SEMITONES) as usize;
/// The pitch of a sample as it was recorded.
const AS_RECORDED: f64 = 4096.0;
/// The highest pitch that a voice takes.
const HIGHEST: u16 = 0x3FFF;
/// 2 to the power of 1/1536.
const STEP: f64 = 1.000_451_373_1;
/// Bits by which the table is finer than a pitch, so that low notes stay true.
const FRACTION: u32 = 3;

/// Pitches of the steps of one octave, finer by [`FRACTION`] bits.
static TABLE: [u16; OCTAVE] = table();

const fn table() -> [u16; OCTAVE] {
    let mut table = [0; OCTAVE];
    let mut value = AS_RECORDED * (1 << FRACTION) as f64;
    let mut step = 0;
    while step < OCTAVE {
        table[step] = (value + 0.5) as u16;
        value *= STEP;
        step += 1;
    }
    table
}

/// The pitch by which a sample of the note `centre` sounds as `note`; each with its fine part.
#[must_use]
pub fn pitch_of(centre: (u16, u16), note: (u16, i16)) -> u16 {
    let steps = (i32::from(note.0) - i32::from(centre.0)) * FINE + i32::from(note.1) - i32::from(centre.1);
    let (octave, step) = octave_of(steps);
    let value = u32::from(TABLE[step]);
    let pitch = match octave {
        0.. => value.checked_shl(octave as u32).filter(|_| octave < 8).unwrap_or(u32::MAX) >> FRACTION,
        _ => value.checked_shr(FRACTION + octave.unsigned_abs()).unwrap_or(0),
    };
    u16::try_from(pitch).unwrap_or(HIGHEST).min(HIGHEST)
}

/// The octave of a number of steps, and the step in it.
fn octave_of(steps: i32) -> (i32, usize) {
    let (octaves, rest) = divide(steps.unsigned_abs(), OCTAVE as u32);
    let (octaves, rest) = (octaves as i32, rest as usize);
    match (steps < 0, rest) {
        (false, _) => (octaves, rest),
        (true, 0) => (-octaves, 0),
        (true, _) => (-octaves - 1, OCTAVE - rest),
    }
}

/// The note (upper byte) and its fine part (lower byte) as which a sample of the note `centre` sounds at `pitch`.
#[must_use]
pub fn note_of(centre: (u16, u16), pitch: u16) -> u16 {
    // Into the table's octave: its pitches lie from 0x1000 to 0x1FFF.
    let mut value = u32::from(pitch.clamp(1, HIGHEST)) << FRACTION;
    let (low, high) = (u32::from(TABLE[0]), u32::from(TABLE[0]) * 2);
    let mut octave = 0;
    while value >= high {
        value >>= 1;
        octave += 1;
    }
    while value < low {
        value <<= 1;
        octave -= 1;
    }
    let step = TABLE.partition_point(|entry| u32::from(*entry) <= value).saturating_sub(1) as i32;
    let steps = (i32::from(centre.0) * FINE + i32::from(centre.1) + octave * OCTAVE as i32 + step).max(0);
    (((steps >> 7) << 8) | (steps & (FINE - 1))) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octaves_double_and_halve_the_pitch() {
        assert_eq!(pitch_of((60, 0), (60, 0)), 0x1000);
        assert_eq!(pitch_of((60, 0), (72, 0)), 0x2000);
        assert_eq!(pitch_of((60, 0), (48, 0)), 0x0800);
        assert_eq!(pitch_of((60, 0), (36, 0)), 0x0400);
        assert_eq!(pitch_of((60, 0), (127, 0)), HIGHEST);
        assert_eq!(pitch_of((127, 127), (0, -128)), 2);
    }

    #[test]
    fn semitones_and_fine_steps_are_equal_parts_of_an_octave() {
        for note in 0..24_u16 {
            for fine in [0_i16, 1, 64, 127] {
                let steps = f64::from(note) * 128.0 + f64::from(fine);
                let exact = 4096.0 * (steps / 1536.0).exp2();
                let found = f64::from(pitch_of((60, 0), (60 + note, fine)));
                assert!((found - exact.min(16383.0)).abs() <= 1.0, "{note} {fine}: {found} for {exact}");
            }
        }
    }

    #[test]
    fn a_pitch_leads_back_to_its_note() {
        for note in 40..84_u16 {
            let pitch = pitch_of((60, 0), (note, 0));
            let found = i32::from(note_of((60, 0), pitch));
            let steps = (found >> 8) * 128 + (found & 0xFF);
            assert!((steps - i32::from(note) * 128).abs() <= 2, "{note}: {found:#x}");
        }
        assert_eq!(note_of((60, 0), 0x1000), 60 << 8);
        assert_eq!(note_of((60, 64), 0x2000), 72 << 8 | 64);
        assert_eq!(note_of((0, 0), 0), 0);
    }
}
