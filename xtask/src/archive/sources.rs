//! The list of the archive's files and how each is made.
//!
//! | line | puts into the archive |
//! | --- | --- |
//! | `file NAME SOURCE` | the source as it is |
//! | `music NAME SOURCE` | a tune, ready to be streamed |
//! | `bank NAME` | a bank of the `sound` lines that follow |
//! | `sound NAME SOURCE` | an effect of the bank before |
//! | `person NAME SOURCE DETAIL` | a person's mesh, near, middle or far |
//! | `clips NAME FOLDER` | the library of all clips of a folder |
//! | `level NAME SOURCE` | the level of this name below `levels/` |

use super::ArchiveFile;
use crate::audio::effect::Effect;
use crate::audio::text::lines;
use crate::audio::{bank, effect, music, tune};
use crate::level::container;
use crate::models::{self, Detail};
use anyhow::{Context as _, Result, bail};
use boardwalk_iop::music::CHANNEL_SAMPLES;
use std::path::Path;

/// The list's name below `iso/`.
pub const LIST: &str = "archive.list";

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
                let made = effect::make(&text(source)?).with_context(|| source.to_owned())?;
                let Some((_, effects)) = &mut open else { bail!("line {}: a sound without its bank", line.number) };
                effects.push((name, made));
            }
            "music" => {
                let source = line.word("a source")?;
                let bytes = tune::make(&text(source)?, CHANNEL_SAMPLES).and_then(|tune| music::write(&tune));
                files.push(ArchiveFile { name, bytes: bytes.with_context(|| source.to_owned())? });
            }
            // A folder's clips arrive compiled.
            "file" | "clips" => files.push(ArchiveFile { name, bytes: load(line.word("a source")?)? }),
            "level" => {
                let source = line.word("a source")?;
                let level = source.strip_prefix("levels/").unwrap_or(source);
                let bytes = container::file(level, &text).with_context(|| source.to_owned())?;
                files.push(ArchiveFile { name, bytes });
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

fn finish((name, effects): (String, Vec<(String, Effect)>)) -> Result<ArchiveFile> {
    Ok(ArchiveFile { bytes: bank::write(&effects)?, name })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audio::peak;
    use boardwalk::audio::bank::Bank;
    use boardwalk_iop::music::Header;

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
            ("tape t raw", "line 1: tape"),
        ] {
            let error = format!("{:#}", make(list, &load).unwrap_err());
            assert!(error.contains(words), "{list}: {error}");
        }
    }

    /// The sources of the game itself, as people listen to them.
    #[test]
    fn the_game_s_effects_are_short_and_never_clip() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../iso");
        let list = std::fs::read_to_string(folder.join(LIST)).unwrap();
        let mut count = 0;
        for mut line in lines(&list).filter(|line| line.clone().take() == Some("sound")) {
            line.take();
            let name = line.take().unwrap();
            let text = std::fs::read_to_string(folder.join(line.take().unwrap())).unwrap();
            let effect = effect::make(&text).unwrap();
            let (seconds, peak) = (effect.samples.len() as f32 / effect.rate as f32, peak(&effect.samples));
            println!("{name}: {seconds:.2} s, peak {peak:.2}");
            assert!(peak <= 0.95 && seconds > 0.02 && (seconds < 1.5 || effect.loops), "{name}");
            count += 1;
        }
        assert!(count >= 5, "{count} sounds");
    }
}
