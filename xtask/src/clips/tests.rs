//! The compiler, and the game's own clips: planted feet stay, hips go before hands, numbers are the spec's.

use super::body::HEEL_FROM_BALL;
use super::compile::{bake, compile, compile_folder, read_folder};
use super::source::{Source, read};
use boardwalk::animation::clip::Clip;
use boardwalk::animation::events::kind;
use boardwalk::animation::library::{ClipIndex, ClipLibrary};
use boardwalk::animation::pose::LocalPose;
use boardwalk::animation::skeleton::{BONES, Skeleton, bone};
use boardwalk::combat::{FightTable, attacks};
use boardwalk::maths::{Pose, Quat, Vec3};
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../iso/clips")
}

fn library() -> ClipLibrary {
    ClipLibrary::read(compile_folder(&folder()).unwrap().into_boxed_slice()).unwrap()
}

/// Bones in the clip's own space at a frame.
fn bones(library: &ClipLibrary, index: ClipIndex, frame: f32) -> [Pose; BONES] {
    let (skeleton, seconds) = (Skeleton::new(), frame / 30.0);
    let mut pose = LocalPose::reference(&skeleton);
    library.sample(index, seconds, &skeleton, &mut pose);
    let (at, turned) = library.motion(index, seconds);
    let mut out = [Pose::IDENTITY; BONES];
    skeleton.place(&pose, &Pose::new(Quat::from_heading(turned), at), 1.0, &mut out);
    out
}

fn frames(clip: &Clip) -> f32 {
    clip.length * 30.0
}

/// Ball and heel of a foot.
fn sole(bones: &[Pose; BONES], foot: usize) -> [Vec3; 2] {
    let ball = bones[foot].point(Vec3::new(0.13, 0.0, -0.085));
    let heel = bones[foot].point(Vec3::new(0.13 + HEEL_FROM_BALL.y, 0.0, -0.085));
    [ball, heel]
}

/// The furthest that a point of a foot on the ground strays from where it came down, in metres.
fn worst_slide(library: &ClipLibrary, index: ClipIndex) -> (f32, f32) {
    const ON_GROUND: f32 = 0.008;
    const STEPS: usize = 4;
    let clip = library.clip(index);
    let mut worst = (0.0f32, 0.0f32);
    for foot in [bone::LEFT_FOOT, bone::RIGHT_FOOT] {
        for point in 0..2 {
            let mut came_down: Option<Vec3> = None;
            for step in 0..=(frames(clip) as usize * STEPS) {
                let frame = step as f32 / STEPS as f32;
                let at = sole(&bones(library, index, frame), foot)[point];
                if at.z.abs() > ON_GROUND {
                    came_down = None;
                    continue;
                }
                let from = *came_down.get_or_insert(at);
                let slid = (at - from).horizontal().length();
                if slid > worst.0 {
                    worst = (slid, frame);
                }
            }
        }
    }
    worst
}

/// The clips of a climb: its way carries the body up, and the ground is not under their feet.
const CLIMBS: std::ops::RangeInclusive<u16> = 440..=453;

#[test]
fn a_planted_foot_slides_less_than_two_centimetres() {
    let library = library();
    let mut bad = Vec::new();
    for (index, clip) in library.iter().filter(|(_, clip)| !CLIMBS.contains(&clip.id)) {
        let (slid, frame) = worst_slide(&library, index);
        println!("{} {}: {:.1} mm at frame {frame}", clip.id, clip.name, slid * 1000.0);
        if slid >= 0.02 {
            bad.push(format!("{} {} {:.1} cm at {frame}", clip.id, clip.name, slid * 100.0));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

const STEP: f32 = 0.25;

/// From where something is furthest from its end, the frame by which it has half of its greatest speed towards it.
fn sets_off(until: f32, away: impl Fn(f32) -> f32) -> f32 {
    let frames: Vec<f32> = (0..=(until / STEP) as usize).map(|n| n as f32 * STEP).collect();
    let start = frames.iter().copied().fold(0.0, |best, frame| if away(frame) >= away(best) { frame } else { best });
    let speed = |frame: f32| away(frame) - away(frame + STEP);
    let ahead = || frames.iter().copied().filter(|frame| *frame >= start && *frame + STEP <= until);
    let peak = ahead().map(speed).fold(0.0, f32::max);
    ahead().find(|frame| speed(*frame) >= 0.5 * peak).unwrap_or(until)
}

/// When the hips set off in a strike, and when what strikes does, in frames; nothing for a clip in which no bone strikes.
fn sets_off_in(library: &ClipLibrary, index: ClipIndex) -> Option<(f32, f32)> {
    let event = |kinds: &[u16]| library.events(index).find(|event| kinds.contains(&event.kind));
    let on = event(&[kind::STRIKE_ON, kind::ALL_ON, kind::PARTNER_HIT])?;
    // A blow in a hold is one frame; of the dive's shapes the hand is looked at.
    let off = event(&[kind::STRIKE_OFF, kind::ALL_OFF]).map_or(on.frame + 1, |off| off.frame);
    let end = match on.bone {
        18 | 19 => bone::LEFT_HAND,
        0 => bone::RIGHT_HAND,
        24 | 25 => bone::RIGHT_HAND,
        29 | 30 => bone::LEFT_FOOT,
        _ => bone::RIGHT_FOOT,
    };
    // Against the hips, so that what carries the hand counts for nothing.
    let limb = |frame: f32| {
        let all = bones(library, index, frame);
        all[bone::MOTION].rotation.conjugate().rotate(all[end].position - all[bone::ROOT].position)
    };
    let hips = |frame: f32| {
        let all = bones(library, index, frame);
        let at = all[bone::MOTION].local(all[bone::ROOT].position);
        (all[bone::MOTION].rotation.conjugate() * all[bone::PELVIS].rotation, at)
    };
    // The last frame that strikes is the one before it is off.
    let until = f32::from((on.frame + off - 1).div_ceil(2));
    let (last, last_hips) = (limb(until), hips(until));
    let first = sets_off(until, |frame| {
        let now = hips(frame);
        let turned = 2.0 * boardwalk::maths::scalar::acos(now.0.dot(last_hips.0).abs());
        turned * 0.3 + (now.1 - last_hips.1).length()
    });
    Some((first, sets_off(until, |frame| (limb(frame) - last).length())))
}

/// The attack that strikes with no limb: what its hips carry moves with them.
const WITH_THE_BODY: u16 = attacks::CHARGE;

#[test]
fn in_every_strike_the_hips_go_before_what_strikes() {
    let library = library();
    let (mut late, mut seen) = (Vec::new(), Vec::new());
    for (index, clip) in library.iter() {
        if clip.id == WITH_THE_BODY {
            continue;
        }
        let Some((hips, limb)) = sets_off_in(&library, index) else { continue };
        println!("{} {}: hips {hips}, limb {limb}", clip.id, clip.name);
        if hips >= limb {
            late.push(format!("{} {}: hips at {hips}, limb at {limb}", clip.id, clip.name));
        }
        seen.push(clip.id);
    }
    assert!(late.is_empty(), "{late:#?}");
    for attack in FightTable::built_in().unwrap().attacks() {
        assert!(seen.contains(&attack.id) || attack.id == WITH_THE_BODY, "attack {} is not held to it", attack.id);
    }
}

/// A library of one clip.
fn library_of(text: &str) -> (ClipLibrary, ClipIndex) {
    let clip = compile(&source(text).clips[0]).unwrap();
    let library = ClipLibrary::read(boardwalk::animation::write::library(&[clip]).into_boxed_slice()).unwrap();
    let index = library.iter().next().unwrap().0;
    (library, index)
}

#[test]
fn a_strike_of_the_arm_alone_is_noticed() {
    let strike = |keys: &str| {
        let text = format!("clip 5 a 16\n key 0\n  hand.r y 0.1\n  hips yaw 30\n{keys}\n strike 10 12 hand.r");
        let (library, index) = library_of(&text);
        sets_off_in(&library, index).unwrap()
    };
    let whole = " key 1\n  hips yaw 30\n key 5\n  hand.r y 0.1\n key 9\n  hand.r y 0.4\n key 12\n  hips yaw -20";
    let arm = " key 2\n  hand.r y 0.1\n key 6\n  hand.r y 0.4\n key 8\n  hips yaw 30\n key 12\n  hips yaw -20";
    let ((first, then), (late, early)) = (strike(whole), strike(arm));
    println!("hips {first}, hand {then}; hips {late}, hand {early}");
    assert!(first < then && late > early);
}

#[test]
fn the_gaits_have_the_players_measured_speeds() {
    let library = library();
    for (id, speed) in [(380, 3.429), (407, 1.585), (408, 1.629), (409, 4.857), (410, 7.801), (411, 10.245)] {
        let found = library.clip(library.find(id).unwrap()).speed();
        assert!((found - speed).abs() < 0.01, "clip {id}: {found} instead of {speed}");
    }
}

/// What a clip's motion gives in each update, in metres a second at a scale.
fn updates(library: &ClipLibrary, id: u16, scale: f32) -> Vec<f32> {
    let index = library.find(id).unwrap();
    let clip = library.clip(index);
    let at = |update: usize| {
        let seconds = (update as f32 * clip.rate() / 30.0).min(clip.length);
        library.motion(index, seconds).0.y * scale
    };
    let count = (clip.length * 30.0 / clip.rate() - 1e-3).ceil() as usize;
    (0..count).map(|n| (at(n + 1) - at(n)) * 30.0).collect()
}

#[test]
fn starts_and_stops_move_as_measured() {
    let library = library();
    let walk = updates(&library, 413, 0.97);
    println!("{walk:?}");
    assert_eq!(walk.len(), 14, "13 steps and what is left of the last");
    assert!(walk[..13].iter().all(|speed| (speed - 0.762).abs() < 0.03));
    let run = updates(&library, 414, 0.97);
    println!("{run:?}");
    let measured = [2.773, 2.486, 2.558, 2.629, 2.844, 3.346, 3.895, 4.540, 5.112, 5.399, 5.614, 5.686];
    assert_eq!(run.len(), measured.len() + 1, "the last is cut by the gait");
    for (found, expected) in run.iter().zip(measured) {
        assert!((found - expected).abs() < 0.17, "{found} instead of {expected}");
    }
    let stop = updates(&library, 417, 0.97);
    let metres = stop.iter().sum::<f32>() / 30.0;
    assert!(stop.len() == 24 && (metres - 1.63).abs() < 0.02, "{} steps, {metres} m", stop.len());
    let attack = updates(&library, 24, 0.97);
    assert!(attack.len() == 21 && attack.iter().all(|speed| (speed - 7.09).abs() < 0.05), "{attack:?}");
    let charge = updates(&library, 0, 0.97);
    assert!(charge.len() == 27 && charge.iter().all(|speed| (speed - 7.45).abs() < 0.05), "{charge:?}");
}

#[test]
fn attacks_last_as_long_as_measured() {
    let library = library();
    for (id, steps) in [(12, 20), (11, 30), (19, 26), (20, 32), (13, 30), (14, 30), (15, 19), (23, 24), (389, 26)] {
        assert_eq!(updates(&library, id, 1.0).len(), steps, "clip {id}");
    }
}

#[test]
fn the_whole_cast_is_there_and_fits() {
    let bytes = compile_folder(&folder()).unwrap();
    let library = ClipLibrary::read(bytes.clone().into_boxed_slice()).unwrap();
    println!("{} clips, {} bytes", library.iter().count(), bytes.len());
    assert!(bytes.len() < 400 * 1024, "{} bytes", bytes.len());
    // Idles, starts, gaits, stop, turns; jump, fall, landings; strings, run attack, charge, dive; block, knock-down and rise;
    // pick up, carry, throw, push, grab.
    let moves = [388, 358, 413, 414, 407, 408, 409, 410, 411, 417, 390, 395, 396, 397, 398];
    let air = [434, 435, 436, 427, 428, 429];
    let blows = [12, 16, 19, 20, 11, 13, 14, 15, 17, 23, 24, 0, 1, 606, 196, 199, 389];
    let hands = [317, 668, 653, 104, 212, 193];
    let all = moves.into_iter().chain(air).chain(blows).chain(hands).chain(268..=303);
    let table = FightTable::built_in().unwrap();
    let attacks = table.attacks().iter().map(|attack| attack.id);
    for id in all.chain(boardwalk::human::Cast::IDS.iter().copied()).chain(attacks) {
        assert!(library.find(id).is_some(), "clip {id} is missing");
    }
}

fn source(text: &str) -> Source {
    let mut source = Source::default();
    read(&mut source, text).unwrap();
    source
}

#[test]
fn a_mirrored_clip_is_the_other_side() {
    let text = "clip 5 left 4\n hand.l y 0.3\n key 0\n  hips yaw 0\n key 4\n  hips yaw 20\n strike 1 2 hand.l\ncopy 6 right 5 mirror";
    let source = source(text);
    let [left, right] = [5, 6].map(|id| compile(source.clip(id).unwrap()).unwrap());
    assert_eq!((left.events[0].bone, right.events[0].bone), (18, 24));
    let skeleton = Skeleton::new();
    let place = |n: usize, clip: &boardwalk::animation::write::NewClip| {
        let mut pose = LocalPose::reference(&skeleton);
        for b in 1..BONES {
            if let Some(values) = &clip.rotations[b] {
                pose.rotations[b] = values[4];
            }
        }
        pose.root = clip.root[4];
        let mut out = [Pose::IDENTITY; BONES];
        skeleton.place(&pose, &Pose::IDENTITY, 1.0, &mut out);
        out[n].position
    };
    let (a, b) = (place(bone::LEFT_HAND, &left), place(bone::RIGHT_HAND, &right));
    assert!((a - Vec3::new(-b.x, b.y, b.z)).length() < 1e-3, "{a:?} {b:?}");
}

#[test]
fn a_hand_goes_where_it_is_told() {
    let text = "clip 1 reach 2\n hand.r x 0.1 y 0.4 z 0.1";
    let baked = bake(source(text).clip(1).unwrap()).unwrap();
    let mut out = [Pose::IDENTITY; BONES];
    Skeleton::new().place(&baked.frames[0].pose, &Pose::IDENTITY, 1.0, &mut out);
    let reached = out[bone::RIGHT_HAND].position - out[bone::RIGHT_ARM].position;
    assert!((reached - Vec3::new(0.1, 0.4, 0.1)).length() < 2e-3, "{reached:?}");
}

#[test]
fn mistakes_name_their_line() {
    for (text, words) in [
        ("hips x 1", "line 1: hips outside"),
        ("pose a\nhips w 1", "line 2"),
        ("pose a like b", "line 1"),
        ("clip 1 a 0", "line 1"),
        ("clip 1 a 4\nkey 5", "line 2"),
        ("clip 1 a 4\nkey 2\nkey 2", "line 3"),
        ("clip 1 a 4\nevent 2 bang", "line 2"),
        ("clip 1 a 4\nstrike 1 2 nose", "line 2"),
        ("clip 1 a 4\nclip 1 b 4", "line 2"),
        ("copy 1 a 2", "line 1"),
        ("clip 1 a 4\nhips yaw", "line 2"),
        ("pose a b c", "line 1"),
    ] {
        let error = format!("{:#}", read(&mut Source::default(), text).unwrap_err());
        assert!(error.contains(words), "{text}: {error}");
    }
    let far = source("clip 1 a 4\nfoot.l y 3 pitch 0");
    assert!(compile(far.clip(1).unwrap()).is_err_and(|error| format!("{error:#}").contains("short of")));
}

#[test]
fn every_source_of_the_folder_is_read() {
    assert!(read_folder(&folder()).unwrap().clips.len() > 80);
}
