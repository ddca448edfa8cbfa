//! From the text of a clip to the clip that goes on the disc.

use super::body::{self, Frame};
use super::controls::{COUNT, Controls, middle};
use super::curve::Curve;
use super::source::{ClipSource, Source, read};
use super::steps;
use anyhow::{Context as _, Result, bail};
use boardwalk::animation::clip::{FRAME_RATE, flag};
use boardwalk::animation::skeleton::BONES;
use boardwalk::animation::write::{NewClip, library};
use boardwalk::maths::{Quat, Vec3};
use std::path::Path;

/// Metres by which a foot may miss its place.
const MISS: f32 = 0.012;
/// The player's scale, by which starts were measured. Source: humans and combat, Data.
const PLAYER_SCALE: f32 = 0.97;

/// A clip frame by frame.
#[derive(Clone, Debug)]
pub struct Baked {
    /// The controls of each frame.
    pub controls: Vec<Controls>,
    /// The pose of each frame.
    pub frames: Vec<Frame>,
    /// Where the motion is at each frame.
    pub motion: Vec<Vec3>,
    /// How far it has turned, radians clockwise.
    pub turn: Vec<f32>,
}

/// Clip seconds in a second.
fn rate(flags: u32) -> f32 {
    match flags & (flag::SLOWER | flag::FULL_RATE | flag::SLOW) {
        0 => 0.75,
        flag::SLOWER => 0.8,
        flag::SLOW => 0.9,
        _ => 1.0,
    }
}

/// How far ahead the motion is at a frame when each update's speed is given.
fn travelled(speeds: &[f32], rate: f32, frame: f32) -> f32 {
    let updates = frame / rate;
    let mut sum = 0.0;
    for (n, speed) in speeds.iter().enumerate() {
        sum += speed / FRAME_RATE / PLAYER_SCALE * (updates - n as f32).clamp(0.0, 1.0);
    }
    let last = speeds.last().copied().unwrap_or_default();
    sum + last / FRAME_RATE / PLAYER_SCALE * (updates - speeds.len() as f32).max(0.0)
}

fn curves(clip: &ClipSource) -> Vec<Curve> {
    let length = f32::from(clip.frames);
    (0..COUNT)
        .map(|control| {
            let mut keys: Vec<(f32, f32)> =
                clip.keys.iter().filter_map(|key| Some((f32::from(key.frame), *key.values.get(&control)?))).collect();
            if keys.is_empty() {
                keys.push((0.0, clip.base[control]));
            } else if keys[0].0 > 0.0 {
                keys.insert(0, (0.0, clip.base[control]));
            }
            let is_root = middle::ROOT.contains(&control);
            if clip.looped && !is_root {
                let first = keys[0].1;
                match keys.last_mut() {
                    Some(last) if last.0 >= length => last.1 = first,
                    _ => keys.push((length, first)),
                }
            }
            Curve::new(keys, clip.looped)
        })
        .collect()
}

/// Works a clip out frame by frame.
///
/// # Errors
/// A foot that cannot reach where it should be; the message has the frame.
pub fn bake(clip: &ClipSource) -> Result<Baked> {
    let curves = curves(clip);
    let count = usize::from(clip.frames) + 1;
    let seconds = f32::from(clip.frames) / FRAME_RATE / clip.cycles;
    let mut all: Vec<Controls> = (0..count)
        .map(|n| {
            let frame = n as f32;
            let mut controls: Controls = std::array::from_fn(|c| curves[c].at(frame));
            if !clip.speeds.is_empty() {
                controls[middle::ROOT[1]] = travelled(&clip.speeds, rate(clip.flags), frame);
            }
            if let Some(gait) = &clip.gait {
                let cycle = frame / f32::from(clip.frames) * clip.cycles;
                gait.lay(&mut controls, cycle.fract(), seconds);
                // What the whole cycles before have carried.
                let gone = gait.speed * seconds * cycle.floor();
                let (sideways, ahead) = gait.heading.to_radians().sin_cos();
                for (axis, share) in [(0, sideways), (1, ahead)] {
                    controls[middle::ROOT[axis]] += gone * share;
                    for s in 0..2 {
                        let outwards = if axis == 0 && s == 0 { -1.0 } else { 1.0 };
                        controls[super::controls::side(s) + super::controls::side::FOOT[axis]] +=
                            gone * share * outwards;
                    }
                }
            }
            controls
        })
        .collect();
    if clip.gait.is_none() {
        steps::lift_moving_feet(&mut all);
    }
    all.iter_mut().for_each(body::raise_heels);
    settle_hips(&mut all, clip.looped);
    let mut baked = Baked { controls: all, frames: Vec::new(), motion: Vec::new(), turn: Vec::new() };
    for (n, controls) in baked.controls.iter().enumerate() {
        let frame = body::pose(controls);
        if frame.missed > MISS {
            bail!("frame {n}: a foot is {:.1} cm short of its place", frame.missed * 100.0);
        }
        baked.frames.push(frame);
        let [x, y, yaw] = middle::ROOT.map(|c| controls[c]);
        baked.motion.push(Vec3::new(x, y, 0.0));
        baked.turn.push(yaw.to_radians());
    }
    Ok(baked)
}

/// Lowers the hips where the feet would not reach their places, smoothly.
fn settle_hips(all: &mut [Controls], looped: bool) {
    let limits: Vec<f32> = all.iter().map(body::highest_root).collect();
    let mut heights: Vec<f32> = all.iter().zip(&limits).map(|(c, limit)| c[middle::HIPS[2]].min(*limit)).collect();
    let count = heights.len();
    for _ in 0..3 {
        let before = heights.clone();
        for n in 0..count {
            let (last, next) = match (n, looped) {
                (0, true) => (count - 2, 1),
                (0, false) => (0, 1),
                (n, true) if n + 1 == count => (n - 1, 1),
                (n, false) if n + 1 == count => (n - 1, n),
                _ => (n - 1, n + 1),
            };
            heights[n] = before[n].min((before[last] + 2.0 * before[n] + before[next]) / 4.0);
        }
    }
    for (controls, height) in all.iter_mut().zip(heights) {
        controls[middle::HIPS[2]] = height;
    }
}

/// Compiles one clip.
///
/// # Errors
/// What is wrong with it, with its number and name.
pub fn compile(clip: &ClipSource) -> Result<NewClip> {
    let baked = bake(clip).with_context(|| format!("clip {} {}", clip.id, clip.name))?;
    let rotations = (0..BONES)
        .map(|n| {
            let values: Vec<Quat> = baked.frames.iter().map(|frame| frame.pose.rotations[n]).collect();
            // What never moves comes from the reference pose, but the root and what lies over it are always the clip's.
            let animated = matches!(n, 1..=6 | 16..=33);
            animated.then_some(values)
        })
        .collect();
    Ok(NewClip {
        id: clip.id,
        name: clip.name.clone(),
        flags: clip.flags,
        motion: baked.motion,
        turn: baked.turn,
        root: baked.frames.iter().map(|frame| frame.pose.root).collect(),
        rotations,
        events: clip.events.clone(),
    })
}

/// Reads every text of a folder, in the order of their names.
///
/// # Errors
/// A file that cannot be read, or a line that means nothing, with its path.
pub fn read_folder(folder: &Path) -> Result<Source> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .with_context(|| format!("cannot list {}", folder.display()))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "clips"));
    paths.sort();
    let mut source = Source::default();
    for path in paths {
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        read(&mut source, &text).with_context(|| path.display().to_string())?;
    }
    Ok(source)
}

/// The library of a folder's clips, as the disc holds it.
///
/// # Errors
/// See [`read_folder`] and [`compile()`].
pub fn compile_folder(folder: &Path) -> Result<Vec<u8>> {
    let source = read_folder(folder)?;
    let clips: Vec<NewClip> = source.clips.iter().map(compile).collect::<Result<_>>()?;
    Ok(library(&clips))
}
