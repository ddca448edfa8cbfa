//! Effects to a bank.

use super::effect::Effect;
use super::encode::{encode, encode_loop};
use super::to_integers;
use anyhow::{Context as _, Result, bail};
use boardwalk::audio::bank::{Bank, SOUND_ALIGNMENT, Sound, header};
use boardwalk::file_io::{NameHash, SECTOR_BYTES};
use boardwalk_iop::adpcm::{OUTPUT_RATE, PITCH_48K, flag};

/// Writes a bank of named effects.
///
/// # Errors
/// A name without hash, or a bank that the console would refuse.
pub fn write(effects: &[(String, Effect)]) -> Result<Vec<u8>> {
    let (mut records, mut blocks) = (Vec::new(), Vec::new());
    for (name, effect) in effects {
        let hash = NameHash::of_file(name).with_context(|| format!("{name}: too long a name"))?;
        let bytes = sound_blocks(effect);
        let sound = Sound {
            name: hash,
            offset: blocks.len() as u32,
            bytes: bytes.len() as u32,
            pitch: pitch(effect.rate),
            loops: effect.loops,
        };
        records.extend(sound.to_bytes());
        blocks.extend(bytes);
        blocks.resize(blocks.len().next_multiple_of(SOUND_ALIGNMENT as usize), 0);
    }
    let count = effects.len() as u32;
    let table = records.len() as u32 + header(0, 0, 0).len() as u32;
    let offset = table.next_multiple_of(SECTOR_BYTES);
    let mut bank = Vec::from(header(count, offset, blocks.len() as u32));
    bank.extend(records);
    bank.resize(offset as usize, 0);
    if let Err(error) = Bank::read(&bank) {
        bail!("the written bank cannot be read back: {error}");
    }
    bank.extend(blocks);
    Ok(bank)
}

/// The pitch at which a rate sounds right.
pub fn pitch(rate: u32) -> u16 {
    (u32::from(PITCH_48K) * rate / OUTPUT_RATE) as u16
}

/// A sound's blocks with their flags: a loop from the first to the last, or an end behind which the voice is silent.
fn sound_blocks(effect: &Effect) -> Vec<u8> {
    let samples = to_integers(&effect.samples);
    let mut blocks = if effect.loops { encode_loop(&samples) } else { encode(&samples) };
    if blocks.is_empty() {
        blocks.push([0; 16]);
    }
    let last = blocks.len() - 1;
    if effect.loops {
        blocks[0][1] |= flag::START;
        blocks[last][1] |= flag::END | flag::REPEAT;
    } else {
        blocks[last][1] |= flag::END;
    }
    blocks.concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audio::effect;
    use crate::audio::encode::tests::quality;
    use std::path::Path;

    /// What the blocks lose of the game's own effects.
    #[test]
    fn the_game_s_effects_keep_a_good_distance_to_their_noise() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../iso/sound");
        let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "sound"));
        paths.sort();
        let (mut sum, mut least) = (0.0, f64::MAX);
        for path in &paths {
            let effect = effect::make(&std::fs::read_to_string(path).unwrap()).unwrap();
            let blocks = sound_blocks(&effect).as_chunks::<16>().0.to_vec();
            let quality = quality(&to_integers(&effect.samples), &blocks);
            println!("{}: {quality:.1} dB", path.file_stem().unwrap().display());
            (sum, least) = (sum + quality, least.min(quality));
        }
        println!("{} effects, {:.1} dB in the mean, {least:.1} dB at least", paths.len(), sum / paths.len() as f64);
        // Noise itself, as of steps on sand, has nothing that a filter could predict.
        assert!(paths.len() > 20 && least > 12.0 && sum / paths.len() as f64 > 25.0, "{least:.1} dB");
    }

    #[test]
    fn a_bank_holds_every_effect_with_its_pitch_and_flags() {
        let hit = effect::make("layer noise decay 0.05").unwrap();
        let sea = effect::make("rate 12000\nloop\nlayer noise hold 0.2 decay 0.01").unwrap();
        let bytes = write(&[("hit".into(), hit), ("sea".into(), sea)]).unwrap();
        let bank = Bank::read(&bytes).unwrap();
        let named = |name| bank.find(NameHash::of_file(name).unwrap()).unwrap();
        let flags = |sound: Sound| {
            let at = (bank.blocks_offset + sound.offset) as usize;
            let blocks: Vec<u8> = bytes[at..at + sound.bytes as usize].chunks(16).map(|block| block[1]).collect();
            (blocks[0], blocks[blocks.len() - 1])
        };
        let (hit, sea) = (named("hit"), named("sea"));
        assert_eq!((hit.pitch, hit.loops, flags(hit)), (0x800, false, (0, flag::END)));
        assert_eq!((sea.pitch, sea.loops, flags(sea)), (0x400, true, (flag::START, flag::END | flag::REPEAT)));
        assert_eq!(bytes.len() as u32, bank.blocks_offset + bank.blocks_bytes);
    }
}
