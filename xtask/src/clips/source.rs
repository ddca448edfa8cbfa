//! The text of poses and clips.
//!
//! | line | means |
//! | --- | --- |
//! | `pose NAME [like POSE] [mirror POSE]` | a pose; the lines that follow set its controls |
//! | `clip ID NAME FRAMES [loop] [rate 0.75, 0.8, 0.9 or 1] [like POSE] [FLAG…]` | a clip; the lines that follow belong to it |
//! | `copy ID NAME OF [mirror]` | a clip with another's keys, perhaps mirrored |
//! | `key FRAME [POSE] [mirror POSE]` | what follows is set at this frame; a pose sets every control |
//! | `PART AXIS VALUE…` | controls, as in `hand.l y 0.4 z -0.1`; before the first key they hold for the whole clip |
//! | `gait NAME VALUE…` | the cycle of a walk or run over the keys |
//! | `cycles N` | how many of them the clip has |
//! | `speeds VALUE…` | metres a second ahead in each update at the clip's rate and the player's scale |
//! | `event FRAME KIND [VALUE] [at X Y Z]` | an event, perhaps with a place in metres |
//! | `strike FROM TO BONE…` | shapes that strike on the updates of two frames and of all between; `all` for every shape |
//!
//! A `#` begins a comment.

use super::controls::{self, COUNT, Control, Controls, find, mirror_of, mirrored};
use super::gait::Gait;
use anyhow::{Context as _, Result, bail};
use boardwalk::animation::clip::flag;
use boardwalk::animation::events::{Event, kind};
use boardwalk::maths::Vec3;
use std::collections::BTreeMap;

/// What is set at a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Key {
    /// The frame.
    pub frame: u16,
    /// Controls and values.
    pub values: BTreeMap<Control, f32>,
}

/// A clip as its text says it.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipSource {
    /// Its number.
    pub id: u16,
    /// Its name.
    pub name: String,
    /// Its length.
    pub frames: u16,
    /// Whether its end is its start.
    pub looped: bool,
    /// Bits of [`flag`].
    pub flags: u32,
    /// Controls that no key sets.
    pub base: Controls,
    /// Keys in the order of their frames.
    pub keys: Vec<Key>,
    /// The cycle over them.
    pub gait: Option<Gait>,
    /// Cycles in the clip.
    pub cycles: f32,
    /// Metres a second ahead of each update.
    pub speeds: Vec<f32>,
    /// Events.
    pub events: Vec<Event>,
}

/// All that a folder's texts name.
#[derive(Clone, Debug, Default)]
pub struct Source {
    poses: BTreeMap<String, Controls>,
    /// The clips in the order of the texts.
    pub clips: Vec<ClipSource>,
}

const EVENTS: [(&str, u16); 20] = [
    ("knockdown", kind::KNOCKDOWN),
    ("partner", kind::PARTNER),
    ("effect", kind::EFFECT),
    ("step", kind::STEP),
    ("strike_on", kind::STRIKE_ON),
    ("strike_off", kind::STRIKE_OFF),
    ("all_on", kind::ALL_ON),
    ("all_off", kind::ALL_OFF),
    ("warning", kind::WARNING),
    ("counter", kind::COUNTER),
    ("early_block", kind::EARLY_BLOCK),
    ("window", kind::WINDOW),
    ("end", kind::END),
    ("lift", kind::LIFT),
    ("put_back", kind::PUT_BACK),
    ("release", kind::RELEASE),
    ("take", kind::TAKE),
    ("partner_hit", kind::PARTNER_HIT),
    ("recovery", kind::RECOVERY),
    ("second_end", 0x2d),
];

const FLAGS: [(&str, u32); 5] = [
    ("no_velocity", flag::NO_VELOCITY),
    ("no_turn", flag::NO_TURN),
    ("muted", flag::MUTED),
    ("continuous", flag::CONTINUOUS),
    ("capsules", flag::STRIKES_CAPSULES),
];

/// The words of a line, one after the other.
struct Words<'a> {
    words: std::iter::Peekable<std::str::SplitWhitespace<'a>>,
}

impl<'a> Words<'a> {
    fn word(&mut self, what: &str) -> Result<&'a str> {
        self.words.next().with_context(|| format!("{what} is missing"))
    }

    fn number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T> {
        let word = self.word(what)?;
        word.parse().ok().with_context(|| format!("{word} is no {what}"))
    }
}

impl Source {
    fn pose(&self, name: &str) -> Result<Controls> {
        if name == "standing" {
            return Ok(controls::standing());
        }
        self.poses.get(name).copied().with_context(|| format!("there is no pose {name}"))
    }

    fn pose_words(&self, first: &str, words: &mut Words<'_>) -> Result<Controls> {
        if first == "mirror" { Ok(mirrored(&self.pose(words.word("a pose")?)?)) } else { self.pose(first) }
    }

    /// The clip of a number.
    pub fn clip(&self, id: u16) -> Option<&ClipSource> {
        self.clips.iter().find(|clip| clip.id == id)
    }

    fn start_clip(&mut self, words: &mut Words<'_>) -> Result<()> {
        let (id, name) = (words.number("clip number")?, words.word("a name")?.to_owned());
        let mut clip = ClipSource {
            id,
            name,
            frames: words.number("length")?,
            looped: false,
            flags: 0,
            base: controls::standing(),
            keys: Vec::new(),
            gait: None,
            cycles: 1.0,
            speeds: Vec::new(),
            events: Vec::new(),
        };
        if !(1..=255).contains(&clip.frames) {
            bail!("a clip has 1 to 255 frames");
        }
        while let Some(word) = words.words.next() {
            match word {
                "loop" => clip.looped = true,
                "rate" => {
                    clip.flags |= match words.word("a rate")? {
                        "0.75" => 0,
                        "0.8" => flag::SLOWER,
                        "0.9" => flag::SLOW,
                        "1" => flag::FULL_RATE,
                        other => bail!("{other} is no rate"),
                    }
                }
                "like" => clip.base = self.pose(words.word("a pose")?)?,
                other => {
                    let bit = FLAGS.iter().find(|(name, _)| *name == other);
                    clip.flags |= bit.with_context(|| format!("{other} is nothing of a clip"))?.1;
                }
            }
        }
        self.add(clip)
    }

    fn add(&mut self, clip: ClipSource) -> Result<()> {
        if self.clip(clip.id).is_some() {
            bail!("there are two clips {}", clip.id);
        }
        self.clips.push(clip);
        Ok(())
    }

    fn copy_clip(&mut self, words: &mut Words<'_>) -> Result<()> {
        let (id, name): (u16, String) = (words.number("clip number")?, words.word("a name")?.to_owned());
        let of: u16 = words.number("clip number")?;
        let mut clip = self.clip(of).with_context(|| format!("there is no clip {of}"))?.clone();
        (clip.id, clip.name) = (id, name);
        match words.words.next() {
            None => {}
            Some("mirror") => {
                clip.base = mirrored(&clip.base);
                for key in &mut clip.keys {
                    key.values = key
                        .values
                        .iter()
                        .map(|(control, value)| {
                            let (seen, sign) = mirror_of(*control);
                            (seen, value * sign)
                        })
                        .collect();
                }
                if let Some(gait) = &mut clip.gait {
                    gait.heading = -gait.heading;
                }
                for event in &mut clip.events {
                    event.bone = match event.bone {
                        n @ (16..=21 | 28..=30) => n + if n < 22 { 6 } else { 3 },
                        n @ (22..=27 | 31..=33) => n - if n < 28 { 6 } else { 3 },
                        n => n,
                    };
                }
            }
            Some(other) => bail!("{other} is nothing of a copy"),
        }
        self.add(clip)
    }
}

fn bones(name: &str) -> Result<&'static [u16]> {
    Ok(match name {
        "hand.l" => &[18, 19],
        "hand.r" => &[24, 25],
        "foot.l" => &[29, 30],
        "foot.r" => &[32, 33],
        "head" => &[6],
        "body" => &[3],
        other => bail!("{other} cannot strike"),
    })
}

fn clip_line(clip: &mut ClipSource, source: &Controls, verb: &str, words: &mut Words<'_>, posed: bool) -> Result<bool> {
    match verb {
        "key" => {
            let frame: u16 = words.number("frame")?;
            if frame > clip.frames || clip.keys.last().is_some_and(|key| key.frame >= frame) {
                bail!("key {frame} is out of order");
            }
            let values = if posed { source.iter().copied().enumerate().collect() } else { BTreeMap::new() };
            clip.keys.push(Key { frame, values });
        }
        "gait" => {
            let mut gait = clip.gait.unwrap_or_default();
            while let Some(name) = words.words.next() {
                let value = words.number("number")?;
                if !gait.set(name, value) {
                    bail!("a gait has no {name}");
                }
            }
            clip.gait = Some(gait);
        }
        "cycles" => clip.cycles = words.number("number")?,
        "speeds" => {
            while words.words.peek().is_some() {
                clip.speeds.push(words.number("speed")?);
            }
        }
        "event" => {
            let frame: u16 = words.number("frame")?;
            let name = words.word("a kind")?;
            let kind = EVENTS.iter().find(|(n, _)| *n == name).with_context(|| format!("no event is called {name}"))?.1;
            let valued = words.words.peek().is_some_and(|word| *word != "at");
            let value = if valued { words.number("value")? } else { 0 };
            let mut place = Vec3::ZERO;
            if words.words.next_if_eq(&"at").is_some() {
                place = Vec3::new(words.number("place")?, words.number("place")?, words.number("place")?);
            }
            push_event(clip, Event { frame, kind, value, place, ..Event::default() })?;
        }
        "strike" => {
            let (from, to): (u16, u16) = (words.number("frame")?, words.number("frame")?);
            // Events come before the strikes' test of an update: what is off there no longer strikes in it.
            let (length, over) = ((to + 1).saturating_sub(from) as i16, to + 1);
            for name in words.words.by_ref() {
                if name == "all" {
                    push_event(clip, Event { frame: from, kind: kind::ALL_ON, ..Event::default() })?;
                    push_event(clip, Event { frame: over, kind: kind::ALL_OFF, ..Event::default() })?;
                    continue;
                }
                for bone in bones(name)? {
                    push_event(
                        clip,
                        Event { frame: from, kind: kind::STRIKE_ON, value: length, bone: *bone, ..Event::default() },
                    )?;
                    push_event(clip, Event { frame: over, kind: kind::STRIKE_OFF, bone: *bone, ..Event::default() })?;
                }
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn push_event(clip: &mut ClipSource, event: Event) -> Result<()> {
    if event.frame > clip.frames {
        bail!("frame {} is behind the clip's end", event.frame);
    }
    clip.events.push(event);
    Ok(())
}

/// Sets controls of a line such as `hand.l y 0.4`.
fn set(part: &str, words: &mut Words<'_>, mut put: impl FnMut(Control, f32)) -> Result<()> {
    let mut any = false;
    while let Some(axis) = words.words.next() {
        // `both` sides at once.
        let value: f32 = words.number("number")?;
        if let Some(name) = part.strip_suffix(".b") {
            for s in ["l", "r"] {
                let part = format!("{name}.{s}");
                put(find(&part, axis).with_context(|| format!("{part} has no {axis}"))?, value);
            }
        } else {
            put(find(part, axis).with_context(|| format!("{part} has no {axis}"))?, value);
        }
        any = true;
    }
    if !any {
        bail!("{part} is nothing known, or has no numbers");
    }
    Ok(())
}

/// Reads one text after another into a source; poses of an earlier text are known in a later one.
///
/// # Errors
/// A line that means nothing; the message has its number.
pub fn read(source: &mut Source, text: &str) -> Result<()> {
    enum Open {
        Nothing,
        Pose(String),
        Clip,
    }
    let mut open = Open::Nothing;
    for (n, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = Words { words: line.split_whitespace().peekable() };
        let Some(verb) = words.words.next() else { continue };
        let at = || format!("line {}", n + 1);
        match verb {
            "pose" => {
                let name = words.word("a name").with_context(at)?.to_owned();
                let first = words.words.next();
                let pose = match first {
                    None => controls::standing(),
                    Some("like") => source.pose(words.word("a pose").with_context(at)?).with_context(at)?,
                    Some(first) => source.pose_words(first, &mut words).with_context(at)?,
                };
                source.poses.insert(name.clone(), pose);
                open = Open::Pose(name);
            }
            "clip" => {
                source.start_clip(&mut words).with_context(at)?;
                open = Open::Clip;
            }
            "copy" => {
                source.copy_clip(&mut words).with_context(at)?;
                open = Open::Clip;
            }
            _ => match &open {
                Open::Nothing => bail!("line {}: {verb} outside of a pose or clip", n + 1),
                Open::Pose(name) => {
                    let mut pose = source.pose(name)?;
                    set(verb, &mut words, |control, value| pose[control] = value).with_context(at)?;
                    source.poses.insert(name.clone(), pose);
                }
                Open::Clip => {
                    let mut pose = [0.0; COUNT];
                    let mut posed = false;
                    if verb == "key" {
                        let frame = words.word("a frame").with_context(at)?;
                        if let Some(first) = words.words.next() {
                            pose = source.pose_words(first, &mut words).with_context(at)?;
                            posed = true;
                        }
                        words = Words { words: frame.split_whitespace().peekable() };
                    }
                    let Some(clip) = source.clips.last_mut() else { continue };
                    if clip_line(clip, &pose, verb, &mut words, posed).with_context(at)? {
                        continue;
                    }
                    let ClipSource { base, keys, .. } = clip;
                    set(verb, &mut words, |control, value| match keys.last_mut() {
                        Some(key) => {
                            key.values.insert(control, value);
                        }
                        None => base[control] = value,
                    })
                    .with_context(at)?;
                }
            },
        }
        if let Some(left) = words.words.next() {
            bail!("line {}: {left} is too much", n + 1);
        }
    }
    Ok(())
}
