//! Tunes to the music that the module streams.

use super::bank::pitch;
use super::encode::encode;
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
    let channels = tune.channels.each_ref().map(|channel| encode(&to_integers(channel)).concat());
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
    use crate::audio::encode::tests::decoded;
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
}
