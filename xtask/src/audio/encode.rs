//! Samples to blocks: for each block the filter and shift whose steps come closest to the samples.

use boardwalk_iop::adpcm::{BLOCK_BYTES, BLOCK_SAMPLES, FILTERS, History, MAX_SHIFT};

/// A block without flags.
pub type Block = [u8; BLOCK_BYTES];

/// Encodes samples that begin out of silence; the last block is filled up with it.
pub fn encode(samples: &[i16]) -> Vec<Block> {
    encode_after(samples, History::default())
}

/// Encodes samples that follow themselves without end: whole blocks of them.
///
/// Our choice: where the end runs into the begin the voice predicts from the end's samples, so the first block is encoded as
/// what follows them. The first time round it begins out of silence instead, and has come to its own within two blocks,
/// which is softer than the jump that a begin in the middle of a sound would be.
pub fn encode_loop(samples: &[i16]) -> Vec<Block> {
    let end = match samples {
        [.., before, last] => History { last: i32::from(*last), before: i32::from(*before) },
        _ => History::default(),
    };
    encode_after(samples, end)
}

fn encode_after(samples: &[i16], mut history: History) -> Vec<Block> {
    samples
        .chunks(BLOCK_SAMPLES)
        .map(|chunk| {
            let mut block = [0; BLOCK_SAMPLES];
            block[..chunk.len()].copy_from_slice(chunk);
            encode_block(&block, &mut history)
        })
        .collect()
}

/// What one choice of filter and shift gives.
struct Attempt {
    filter: u8,
    shift: u8,
    steps: [i8; BLOCK_SAMPLES],
    history: History,
    error: u64,
}

fn encode_block(samples: &[i16; BLOCK_SAMPLES], history: &mut History) -> Block {
    let mut best: Option<Attempt> = None;
    for filter in 0..FILTERS.len() as u8 {
        // Small steps first: they win most blocks, and a good one ends the others early.
        for shift in (0..=MAX_SHIFT).rev() {
            let limit = best.as_ref().map_or(u64::MAX, |best| best.error);
            if let Some(attempt) = attempt(samples, *history, filter, shift, limit) {
                best = Some(attempt);
            }
        }
    }
    // The first attempt has no limit, so there is one.
    let best = best.unwrap_or(Attempt { filter: 0, shift: 0, steps: [0; BLOCK_SAMPLES], history: *history, error: 0 });
    *history = best.history;
    let mut block = [0; BLOCK_BYTES];
    block[0] = best.filter << 4 | best.shift;
    for (byte, pair) in block[2..].iter_mut().zip(best.steps.chunks_exact(2)) {
        *byte = (pair[0] as u8 & 0xF) | (pair[1] as u8) << 4;
    }
    block
}

/// Encodes with one filter and shift, `None` once the squared error is not below `limit`.
fn attempt(samples: &[i16; BLOCK_SAMPLES], mut history: History, filter: u8, shift: u8, limit: u64) -> Option<Attempt> {
    let scale = 1i32 << (MAX_SHIFT - shift);
    let (mut steps, mut error) = ([0; BLOCK_SAMPLES], 0u64);
    for (step, &sample) in steps.iter_mut().zip(samples) {
        let wanted = i32::from(sample) - history.predict(filter);
        let chosen = (wanted + scale / 2).div_euclid(scale).clamp(-8, 7);
        let got = history.step(filter, shift, chosen);
        *step = chosen as i8;
        error += u64::from(got.abs_diff(sample.into())).pow(2);
        if error >= limit {
            return None;
        }
    }
    Some(Attempt { filter, shift, steps, history, error })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use boardwalk_iop::adpcm::decode;
    use proptest::prelude::*;

    /// What the console makes of blocks.
    pub fn decoded(blocks: &[Block]) -> Vec<i16> {
        let mut history = History::default();
        blocks.iter().flat_map(|block| decode(block, &mut history)).collect()
    }

    /// Signal to noise in decibels.
    pub fn quality(samples: &[i16], blocks: &[Block]) -> f64 {
        let (mut signal, mut noise) = (0.0f64, 1e-9f64);
        for (&wanted, got) in samples.iter().zip(decoded(blocks)) {
            signal += f64::from(wanted).powi(2);
            noise += f64::from(i32::from(wanted) - i32::from(got)).powi(2);
        }
        10.0 * (signal / noise).log10()
    }

    fn tone(hertz: f32, level: f32) -> Vec<i16> {
        let sample = |at: usize| (std::f32::consts::TAU * hertz * at as f32 / 48_000.0).sin() * level * 32767.0;
        (0..4800).map(|at| sample(at) as i16).collect()
    }

    #[test]
    fn tones_keep_a_good_distance_to_their_noise() {
        for (hertz, level, least) in
            [(110.0, 0.9, 50.0), (440.0, 0.9, 45.0), (2000.0, 0.5, 30.0), (9000.0, 0.5, 15.0), (440.0, 0.01, 35.0)]
        {
            let samples = tone(hertz, level);
            let quality = quality(&samples, &encode(&samples));
            println!("{hertz} Hz at {level}: {quality:.1} dB");
            assert!(quality > least, "{hertz} Hz at {level}: {quality:.1} dB, expected {least}");
        }
    }

    #[test]
    fn full_scale_noise_and_edges_are_followed_within_a_coarse_step() {
        let square: Vec<i16> = (0..2800).map(|at| if at / 50 % 2 == 0 { 32767 } else { -32768 }).collect();
        let quality = quality(&square, &encode(&square));
        println!("square: {quality:.1} dB");
        assert!(quality > 20.0, "{quality:.1} dB");
    }

    #[test]
    fn silence_is_exact_and_a_part_block_is_filled_with_it() {
        assert_eq!(decoded(&encode(&[0; 100])), [0; 112]);
        assert_eq!(encode(&[]), [[0; BLOCK_BYTES]; 0]);
        let samples = tone(440.0, 0.5);
        let blocks = encode(&samples[..30]);
        assert_eq!(blocks.len(), 2);
    }

    #[test]
    fn a_loop_s_end_runs_into_its_begin() {
        // Ten periods in 20 blocks, loud where it begins anew.
        let samples: Vec<i16> = (0..20 * BLOCK_SAMPLES)
            .map(|at| ((at as f32 / 56.0 * std::f32::consts::TAU).cos() * 24_000.0) as i16)
            .collect();
        let worst = |blocks: &[Block]| {
            let twice = decoded(&[blocks, blocks].concat());
            let second = twice[samples.len()..].iter().zip(&samples);
            second.take(2 * BLOCK_SAMPLES).map(|(got, wanted)| got.abs_diff(*wanted)).max().unwrap()
        };
        let (alone, looped) = (worst(&encode(&samples)), worst(&encode_loop(&samples)));
        println!("largest error behind the seam: {alone} when it begins out of silence, {looped} as a loop");
        assert!(looped < 200 && alone > 4 * looped, "{alone} {looped}");
    }

    proptest! {
        #[test]
        fn any_samples_give_blocks_that_the_console_defines(samples in proptest::collection::vec(any::<i16>(), 0..300)) {
            let blocks = encode(&samples);
            prop_assert_eq!(blocks.len(), samples.len().div_ceil(BLOCK_SAMPLES));
            for block in blocks {
                prop_assert!(block[0] >> 4 <= 4 && block[0] & 0xF <= MAX_SHIFT && block[1] == 0);
            }
        }
    }
}
