//! The list of the archive's files and how each is made.
//!
//! | line | puts into the archive |
//! | --- | --- |
//! | `file NAME SOURCE` | the source as it is |
//! | `music NAME SOURCE` | a tune, ready to be streamed |
//! | `bank NAME` | a bank of the `sound` lines that follow |
//! | `sound NAME SOURCE` | an effect of the bank before |
//! | `person NAME SOURCE DETAIL` | a person's mesh, near, middle or far |
//! | `sound NAME SOURCE variants N` | N variants of it: `NAME_1` to `NAME_N` |
//! | `clips NAME FOLDER` | the library of all clips of a folder |
//! | `level NAME SOURCE` | the level of this name below `levels/`, and behind it its parts |

use super::ArchiveFile;
use crate::audio::effect::Effect;
use crate::audio::text::{Line, lines};
use crate::audio::{bank, effect, music, tune};
use crate::level::container;
use crate::models::{self, Detail};
use crate::motion_tables;
use anyhow::{Context as _, Result, bail};
use boardwalk::audio::cues::VARIANTS;
use boardwalk::world::{SECTION, part_name};
use boardwalk_iop::music::CHANNEL_SAMPLES;
use std::path::Path;

/// The list's name below `iso/`.
pub const LIST: &str = "archive.list";

/// Names of the motions that tables speak of.
const MOTION_NAMES: &str = "motion/motions.toml";

/// Makes all files of the list in a folder, in the list's order.
///
/// # Errors
/// A line that means nothing, or a source that cannot be made; the message names both.
pub fn read(folder: &Path) -> Result<Vec<ArchiveFile>> {
    let path = folder.join(LIST);
    let list = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    make(&list, &|source| {
        let path = folder.join(source);
        if path.is_dir() {
            return crate::clips::compile_folder(&path);
        }
        std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    })
    .with_context(|| path.display().to_string())
}

fn make(list: &str, load: &dyn Fn(&str) -> Result<Vec<u8>>) -> Result<Vec<ArchiveFile>> {
    let text = |source: &str| String::from_utf8(load(source)?).ok().with_context(|| format!("{source} is no text"));
    let mut files = Vec::new();
    let mut open: Option<(String, Vec<(String, Effect)>)> = None;
    for mut line in lines(list) {
        let (verb, name) = (line.word("a kind")?, line.word("a name")?.to_owned());
        if verb != "sound" {
            files.extend(open.take().map(finish).transpose()?);
        }
        match verb {
            "bank" => open = Some((name, Vec::new())),
            "sound" => {
                let source = line.word("a source")?;
                let Some((_, effects)) = &mut open else { bail!("line {}: a sound without its bank", line.number) };
                let text = text(source)?;
                for (name, variant) in variants(&mut line, name)? {
                    effects.push((name, effect::make_variant(&text, variant).with_context(|| source.to_owned())?));
                }
            }
            "music" => {
                let source = line.word("a source")?;
                let bytes = tune::make(&text(source)?, CHANNEL_SAMPLES).and_then(|tune| music::write(&tune));
                files.push(ArchiveFile { name, bytes: bytes.with_context(|| source.to_owned())? });
            }
            // A folder's clips arrive compiled.
            "file" | "clips" => files.push(ArchiveFile { name, bytes: load(line.word("a source")?)? }),
            "motions" => {
                let source = line.word("a source")?;
                let names = motion_tables::Names::parse(&text(MOTION_NAMES)?).context(MOTION_NAMES)?;
                let bytes = motion_tables::compile(&text(source)?, &names).with_context(|| source.to_owned())?;
                files.push(ArchiveFile { name, bytes });
            }
            "level" => {
                let source = line.word("a source")?;
                let level = source.strip_prefix("levels/").unwrap_or(source);
                let made = container::files(level, &text).with_context(|| source.to_owned())?;
                let stem = name.strip_suffix(".lev").unwrap_or(&name).to_owned();
                files.push(ArchiveFile { name, bytes: made.level });
                for (number, bytes) in made.parts.into_iter().enumerate() {
                    let part = u16::try_from(number).ok().and_then(|number| part_name(&stem, SECTION, number));
                    let name = part.with_context(|| format!("{stem}: too long a name"))?.as_str().to_owned();
                    files.push(ArchiveFile { name, bytes });
                }
            }
            "person" => {
                let source = line.word("a source")?;
                let detail = line.word("a detail")?;
                let Some(detail) = Detail::named(detail) else { bail!("line {}: {detail} is no detail", line.number) };
                let bytes = models::make(&text(source)?, detail).with_context(|| source.to_owned())?;
                files.push(ArchiveFile { name, bytes });
            }
            other => bail!("line {}: {other} is no kind of file", line.number),
        }
    }
    files.extend(open.take().map(finish).transpose()?);
    Ok(files)
}

/// The names and variants that a sound's line asks for.
fn variants(line: &mut Line<'_>, name: String) -> Result<Vec<(String, u32)>> {
    match line.take() {
        None => Ok(vec![(name, 0)]),
        Some("variants") => {
            let count = line.number("the number of variants", 1.0, VARIANTS as f32)? as u32;
            Ok((0..count).map(|variant| (format!("{name}_{}", variant + 1), variant)).collect())
        }
        Some(other) => bail!("line {}: {other} is no setting of a sound", line.number),
    }
}

fn finish((name, effects): (String, Vec<(String, Effect)>)) -> Result<ArchiveFile> {
    Ok(ArchiveFile { bytes: bank::write(&effects)?, name })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audio::peak;
    use boardwalk::audio::bank::Bank;
    use boardwalk::audio::cues::FAMILIES;
    use boardwalk_iop::adpcm::{BLOCK_BYTES, History, OUTPUT_RATE, PITCH_48K, decode};
    use boardwalk_iop::music::Header;
    use boardwalk_iop::sound_memory::BANK_BYTES;

    fn load(source: &str) -> Result<Vec<u8>> {
        Ok(match source {
            "hit.sound" => b"layer noise decay 0.02".to_vec(),
            "air.tune" => b"rate 8000\ninstrument i sine\ntrack i\nc4:2".to_vec(),
            "raw" => vec![1, 2, 3],
            "bad.sound" => b"layer wood".to_vec(),
            other => bail!("no {other}"),
        })
    }

    #[test]
    fn every_kind_of_file_is_made_in_the_list_s_order() {
        let list = "bank b # two\n sound one hit.sound\n sound two hit.sound\nmusic m air.tune\nfile f raw";
        let files = make(list, &load).unwrap();
        assert_eq!(files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["b", "m", "f"]);
        assert_eq!(Bank::read(&files[0].bytes).unwrap().iter().count(), 2);
        assert!(Header::from_bytes(&files[1].bytes, files[1].bytes.len() as u32).is_some());
        assert_eq!(files[2].bytes, [1, 2, 3]);
    }

    #[test]
    fn mistakes_name_the_line_or_the_source() {
        for (list, words) in [
            ("file f", "line 1: a source"),
            ("file f gone", "no gone"),
            ("sound s hit.sound", "line 1: a sound without"),
            ("bank b\nsound s bad.sound", "bad.sound"),
            ("bank b\nsound s hit.sound variants 9", "the number of variants"),
            ("bank b\nsound s hit.sound loud", "line 2: loud"),
            ("tape t raw", "line 1: tape"),
        ] {
            let error = format!("{:#}", make(list, &load).unwrap_err());
            assert!(error.contains(words), "{list}: {error}");
        }
    }

    /// The bank of the game itself, as people hear it: decoded as the console does.
    #[test]
    fn the_game_s_effects_are_evenly_loud_and_never_clip() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../iso");
        let list = std::fs::read_to_string(folder.join(LIST)).unwrap();
        let sounds: String = list.lines().filter(|line| line.trim_start().starts_with("sound ")).fold(
            "bank b\n".to_owned(),
            |mut all, line| {
                all.push_str(line);
                all.push('\n');
                all
            },
        );
        let files = make(&sounds, &|source| Ok(std::fs::read(folder.join(source))?)).unwrap();
        let bank = Bank::read(&files[0].bytes).unwrap();
        assert!(bank.blocks_bytes <= BANK_BYTES, "{} bytes", bank.blocks_bytes);
        let mut loud = Vec::new();
        for sound in bank.iter() {
            let blocks = &files[0].bytes[(bank.blocks_offset + sound.offset) as usize..][..sound.bytes as usize];
            let mut history = History::default();
            let samples: Vec<f32> = blocks
                .as_chunks::<BLOCK_BYTES>()
                .0
                .iter()
                .flat_map(|block| decode(block, &mut history))
                .map(|sample| f32::from(sample) / 32_768.0)
                .collect();
            let rate = OUTPUT_RATE * u32::from(sound.pitch) / u32::from(PITCH_48K);
            let (seconds, peak, loudness) =
                (samples.len() as f32 / rate as f32, peak(&samples), effect::loudest(&samples, rate));
            assert!(peak <= 0.96 && (0.02..=6.0).contains(&seconds), "{sound:?}: {seconds} s, peak {peak}");
            assert!((0.06..=0.25).contains(&loudness), "{sound:?}: {loudness}");
            loud.push(loudness);
        }
        let mean = loud.iter().sum::<f32>() / loud.len() as f32;
        println!("{} sounds, {} bytes, mean loudness {mean:.3}", loud.len(), bank.blocks_bytes);
        assert!(mean > 0.12, "{mean}");
    }

    #[test]
    fn every_cue_has_its_sounds() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../iso");
        let list = std::fs::read_to_string(folder.join(LIST)).unwrap();
        let names: Vec<String> = lines(&list)
            .filter_map(|mut line| (line.take() == Some("sound")).then(|| line.take().map(str::to_owned)).flatten())
            .collect();
        for family in FAMILIES {
            assert!(names.iter().any(|name| name == family), "no sound for {family}");
        }
    }
}
