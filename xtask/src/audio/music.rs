//! Tunes to the music that the module streams.

use super::bank::pitch;
use super::encode::encode_loop;
use super::to_integers;
use super::tune::Tune;
use anyhow::{Result, ensure};
use boardwalk_iop::music::{CHANNEL_BYTES, CHANNEL_SAMPLES, HEADER_BYTES, Header};

/// Writes a tune that repeats from its begin.
///
/// # Errors
/// A tune that is no multiple of a group long.
pub fn write(tune: &Tune) -> Result<Vec<u8>> {
    let samples = tune.channels[0].len();
    let whole = samples > 0 && samples.is_multiple_of(CHANNEL_SAMPLES);
    ensure!(whole, "the tune's {samples} samples are no multiple of {CHANNEL_SAMPLES}");
    let channels = tune.channels.each_ref().map(|channel| encode_loop(&to_integers(channel)).concat());
    let groups = samples / CHANNEL_SAMPLES;
    let mut file = vec![0; HEADER_BYTES];
    let header = Header { pitch: pitch(tune.rate), groups: groups as u32, loop_group: 0, beats: tune.beats };
    file[..header.to_bytes().len()].copy_from_slice(&header.to_bytes());
    for group in 0..groups {
        for channel in &channels {
            file.extend_from_slice(&channel[group * CHANNEL_BYTES..][..CHANNEL_BYTES]);
        }
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audio::encode::tests::{decoded, quality};
    use crate::audio::tune;
    use boardwalk_iop::music::GROUP_BYTES;

    #[test]
    fn a_tune_becomes_whole_groups_of_all_channels() {
        let text = "tempo 60\nrate 24000\ninstrument i sine attack 0.01 release 0.05\ntrack i pan -1\nc4:1\n";
        let tune = tune::make(text, CHANNEL_SAMPLES).unwrap();
        let file = write(&tune).unwrap();
        let header = Header::from_bytes(&file, file.len() as u32).unwrap();
        assert_eq!(header, Header { pitch: 0x800, groups: 2, loop_group: 0, beats: 1 });
        let channel = |number: usize| -> Vec<i16> {
            let blocks: Vec<_> = (0..2)
                .flat_map(|group| &file[HEADER_BYTES + group * GROUP_BYTES + number * CHANNEL_BYTES..][..CHANNEL_BYTES])
                .copied()
                .collect();
            decoded(blocks.as_chunks::<16>().0)
        };
        let loudest = |samples: &[i16]| samples.iter().map(|sample| sample.unsigned_abs()).max().unwrap();
        assert!(loudest(&channel(0)) > 20_000);
        assert!(loudest(&channel(1)) < 10);
    }

    /// The disc's tunes as the console decodes them going round: nothing tells where they begin anew.
    #[test]
    fn the_game_s_tunes_run_from_their_end_into_their_begin() {
        /// Samples on either side of the seam that count as it, and as its surroundings.
        const AT_SEAM: usize = 64;
        const AROUND: usize = 4096;
        for name in ["pier", "title"] {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../iso/sound/{name}.tune"));
            let tune = tune::make(&std::fs::read_to_string(path).unwrap(), CHANNEL_SAMPLES).unwrap();
            let file = write(&tune).unwrap();
            let groups = tune.channels[0].len() / CHANNEL_SAMPLES;
            for (number, wanted) in tune.channels.iter().enumerate() {
                let channel = |group: usize| {
                    let begin = HEADER_BYTES + (group % groups) * GROUP_BYTES + number * CHANNEL_BYTES;
                    file[begin..begin + CHANNEL_BYTES].as_chunks::<16>().0
                };
                let blocks: Vec<_> = (0..=groups).flat_map(channel).copied().collect();
                let got = decoded(&blocks);
                let seam = groups * CHANNEL_SAMPLES;
                let wanted = to_integers(wanted);
                let lost = quality(&wanted, &blocks[..blocks.len() - CHANNEL_BYTES / 16]);
                println!("{name} channel {number}: {lost:.1} dB between the sound and what its blocks lose");
                assert!(
                    lost > 20.0 || wanted.iter().all(|sample| *sample == 0),
                    "{name} channel {number}: {lost:.1} dB"
                );
                let error = |at: usize| u32::from(got[at].abs_diff(wanted[at % seam]));
                let worst = |range: std::ops::Range<usize>| range.map(error).max().unwrap();
                let here = worst(seam - AT_SEAM..seam + AT_SEAM);
                let around = worst(seam - AROUND..seam - AT_SEAM).max(worst(seam + AT_SEAM..seam + AROUND));
                let jump = |at: usize| u32::from(got[at].abs_diff(got[at - 1]));
                println!("{name} channel {number}: error {here} at the seam, {around} around; jump {}", jump(seam));
                // What blocks lose differs from one to the next, at the seam as elsewhere.
                assert!(here <= 2 * around.max(100), "{name} channel {number}: {here} against {around}");
                let steepest = (seam - AROUND..seam).chain(seam + 1..seam + AROUND).map(jump).max().unwrap();
                assert!(jump(seam) <= steepest, "{name} channel {number}: {} against {steepest}", jump(seam));
            }
        }
    }
}
