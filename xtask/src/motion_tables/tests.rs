//! What a source may say, and what the engine makes of the tables on the disc.

use super::*;
use boardwalk::motion::bench::{Bench, BenchTable};
use boardwalk::motion::seams::PartArray;
use boardwalk::motion::{MotionId, MotionTable, MovementParameters, ParameterBits, TablePartArray, interp};
use std::path::PathBuf;

const NAMES: &str = "[motions]
free = 0x8000003d
fists = 0x8000003c
ready = 0x41000003
walk = 0x45000005
turn = 0x6500000d
punch = 0x1000005b
wave = 0x20000090
";

const SOUND: &str = r#"
default_style = "free"
[clips]
idle = { id = 1, frames = 30 }
step = { id = 2, frames = 10, rate = 15.0, hooks = [{ frame = 3, value = 9, way = "forward" }] }
[modifiers]
wave = { velocity = [0.5, 0.0, 0.0] }
[styles.free]
default = "ready"
cycles.ready = { anims = ["idle"] }
cycles.walk = { anims = ["step"], velocity = [0.0, 3.12, 0.0] }
links.ready.walk = { anims = [{ clip = "step", first = 2, last = 5, rate = -30.0 }] }
links.ready.punch = { anims = ["step"] }
links.ready.fists = { anims = ["step"] }
[styles.fists]
default = "ready"
cycles.ready = { anims = ["idle"], clears_modifiers = true }
links.any.free = { anims = ["step"] }
"#;

fn names() -> Names {
    Names::parse(NAMES).unwrap()
}

fn words(bytes: &[u8]) -> &'static [u32] {
    let words = bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    Vec::leak(words)
}

fn disc_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../iso/motion")
}

/// What is wrong with the sound source after a change.
fn problems_after(from: &str, to: &str) -> String {
    assert!(SOUND.contains(from), "{from}");
    compile(&SOUND.replacen(from, to, 1), &names()).expect_err("this should be refused").to_string()
}

#[test]
fn the_engine_reads_what_is_compiled() {
    let bytes = compile(SOUND, &names()).unwrap();
    let table = MotionTable::parse(words(&bytes)).unwrap();
    assert_eq!(table.default_style(), MotionId::NON_COMBAT);
    assert_eq!(table.style_default(MotionId::HAND_COMBAT), MotionId::READY);
    let walk = table.cycle(MotionId::NON_COMBAT, MotionId::WALK_FORWARD).unwrap();
    assert_eq!(walk.velocity.to_array(), [0.0, 3.12, 0.0]);
    let step = table.animations(&walk).next().unwrap();
    assert_eq!((step.clip, step.low_frame, step.high_frame, step.framerate), (2, 0, 9, 15.0));
    let hook = table.frame_hooks(step.hooks).next().unwrap();
    assert_eq!((hook.frame, hook.value, hook.forward, hook.backward), (3, 9, true, false));
    let rest = boardwalk::motion::PlayedMotion { motion: MotionId::READY, speed: 1.0 };
    let link = table.link(MotionId::NON_COMBAT, rest, MotionId::WALK_FORWARD, 1.0).unwrap();
    let part = table.animations(&link).next().unwrap();
    assert_eq!((part.low_frame, part.high_frame, part.framerate), (2, 5, -30.0));
    assert!(table.cycle(MotionId::HAND_COMBAT, MotionId::READY).unwrap().clears_modifiers);
    assert!(table.modifier(MotionId::HAND_COMBAT, MotionId(0x2000_0090)).is_some());
    assert!(table.link(MotionId::HAND_COMBAT, rest, MotionId::NON_COMBAT, 1.0).is_some(), "a link from any motion");
}

#[test]
fn links_must_lead_somewhere() {
    assert!(problems_after("links.ready.punch", "links.ready.turn").contains("turn has no cycle"));
    assert!(problems_after("links.ready.punch", "links.ready.kick").contains("no motion is called kick"));
    assert!(problems_after("links.ready.punch", "links.turn.walk").contains("turn has no cycle"));
    assert!(problems_after("links.ready.punch", "links.ready.wave").contains("is no stance, lasting motion or action"));
    assert!(
        problems_after("links.ready.punch = { anims = [\"step\"] }", "links.ready.punch = {}")
            .contains("link ready to punch has no animations")
    );
}

#[test]
fn empty_cycles_must_be_meant() {
    let cycle = "cycles.ready = { anims = [\"idle\"] }";
    assert!(problems_after(cycle, "cycles.ready = {}").contains("cycle ready has no animations"));
    assert!(compile(&SOUND.replacen(cycle, "cycles.ready = { empty = true }", 1), &names()).is_ok());
    assert!(problems_after(cycle, "cycles.ready = { empty = true, anims = [\"idle\"] }").contains("empty and is not"));
}

#[test]
fn stances_must_be_reachable_and_complete() {
    assert!(problems_after("links.any.free", "links.any.walk").contains("no way from stance fists to stance free"));
    assert!(problems_after("default = \"ready\"", "default = \"walks\"").contains("default cycle walks is not there"));
    assert!(problems_after("default_style = \"free\"", "default_style = \"bow\"").contains("default stance bow"));
    assert!(problems_after("[styles.fists]", "[styles.walk]").contains("is no stance"));
}

#[test]
fn clips_must_exist_and_hold_the_frames() {
    assert!(problems_after("anims = [\"idle\"]", "anims = [\"idel\"]").contains("there is no clip idel"));
    assert!(problems_after("last = 5", "last = 10").contains("frames 2 to 10 of step, which has 10"));
    assert!(problems_after("last = 5", "last = 1").contains("frames 2 to 1"));
    assert!(problems_after("rate = -30.0", "rate = 0.0").contains("at the rate 0"));
    assert!(problems_after("rate = 15.0", "rate = nan").contains("has the rate NaN"));
    assert!(problems_after("frame = 3", "frame = 10").contains("a hook at frame 10"));
    assert!(problems_after("frames = 30", "frames = 0").contains("clip idle has no frames"));
    assert!(problems_after("wave = { ", "wave = { anims = [\"idle\"], ").contains("never played"));
}

#[test]
fn every_mistake_of_a_file_is_reported_at_once() {
    let broken = SOUND.replace("\"idle\"", "\"idel\"").replace("last = 5", "last = 50");
    let text = compile(&broken, &names()).unwrap_err().to_string();
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(compile("default_style = 5", &names()).is_err());
    assert!(compile(&format!("{SOUND}\nspeed = 3"), &names()).is_err(), "a misspelt field is no field");
}

#[test]
fn two_names_cannot_share_an_id() {
    let error = Names::parse("[motions]\na = 5\nb = 5").unwrap_err().to_string();
    assert_eq!(error, "a and b are both 0x00000005");
}

#[test]
fn the_names_agree_with_the_engine() {
    let text = std::fs::read_to_string(disc_folder().join(NAMES_FILE)).unwrap();
    let names = Names::parse(&text).unwrap();
    for (name, id) in [
        ("non_combat", MotionId::NON_COMBAT),
        ("hand_combat", MotionId::HAND_COMBAT),
        ("ready", MotionId::READY),
        ("walk_forward", MotionId::WALK_FORWARD),
        ("run_forward", MotionId::RUN_FORWARD),
        ("fallen", MotionId::FALLEN),
        ("dead", MotionId::DEAD),
        ("crouch", MotionId::CROUCH),
        ("sitting", MotionId::SITTING),
        ("sleeping", MotionId::SLEEPING),
        ("falling", MotionId::FALLING),
        ("pickup", MotionId::PICKUP),
        ("jump_charging", MotionId::JUMP_CHARGING),
        ("turn_right", MotionId::TURN_RIGHT),
        ("side_step_right", MotionId::SIDE_STEP_RIGHT),
    ] {
        assert_eq!(names.id(name), Some(id.0), "{name}");
    }
}

/// A mover on the ground with one of the disc's tables, in its default state.
fn bench(table: MotionTable<'static>) -> Bench {
    let mut bench = Bench { parts: Some(TablePartArray::new(Some(BenchTable::Table(table)))), ..Bench::accepting() };
    bench.mover().enter_default_state();
    settle(&mut bench);
    bench
}

/// Plays until nothing is in flight.
fn settle(bench: &mut Bench) {
    for _ in 0..300 {
        bench.parts.as_mut().unwrap().update(1.0 / 30.0);
        let mut mover = bench.mover();
        mover.process_hooks(&mut |_| {});
        mover.check_for_completed_motions();
        if !mover.movement.motions_pending() {
            return;
        }
    }
    panic!("something stays in flight: {:?}", bench.movement.interpreter.pending_motions);
}

#[test]
fn the_discs_tables_play_every_motion_from_every_stance() {
    let tables = compile_folder(&disc_folder()).unwrap();
    assert!(!tables.is_empty());
    for compiled in tables {
        let table = MotionTable::parse(words(&compiled.bytes)).unwrap();
        let mut played = 0;
        let styles = [MotionId::NON_COMBAT, MotionId::HAND_COMBAT, MotionId(0x8000_003e)];
        for style in styles.into_iter().filter(|style| !table.style_default(*style).is_none()) {
            let targets: Vec<MotionId> = table.ids().collect();
            let always = [MotionId::TURN_RIGHT, MotionId::SIDE_STEP_RIGHT, MotionId::FALLING];
            for motion in targets.into_iter().chain(always) {
                let mut bench = bench(table);
                let params = MovementParameters::default();
                bench.mover().do_interpreted_motion(style, &params).unwrap();
                settle(&mut bench);
                if bench.mover().do_interpreted_motion(motion, &params).is_err() {
                    continue;
                }
                played += 1;
                assert!(bench.mover().queues_are_paired());
                settle(&mut bench);
                bench.mover().interpreter_stop_completely().unwrap();
                settle(&mut bench);
                let parts = bench.parts.as_mut().unwrap();
                assert!(parts.has_anims() && parts.manager.state.substate == MotionId::READY, "after {motion:?}");
            }
        }
        println!("{}: {} bytes, {played} motions played", compiled.name, compiled.bytes.len());
        assert!(played > 60);
    }
}

#[test]
fn people_punch_from_wherever_they_are() {
    let human = compile_folder(&disc_folder()).unwrap().into_iter().find(|table| table.name == "human").unwrap();
    let table = MotionTable::parse(words(&human.bytes)).unwrap();
    let (punch, params) = (MotionId(0x1000_005b), MovementParameters::default());
    for style in [MotionId::NON_COMBAT, MotionId::HAND_COMBAT] {
        for motion in [MotionId::READY, MotionId::WALK_FORWARD, MotionId::RUN_FORWARD, MotionId::TURN_RIGHT] {
            let mut bench = bench(table);
            bench.mover().do_interpreted_motion(style, &params).unwrap();
            bench.mover().do_interpreted_motion(motion, &params).unwrap();
            settle(&mut bench);
            assert_eq!(bench.mover().do_interpreted_motion(punch, &params), Ok(()), "{motion:?} in {style:?}");
            settle(&mut bench);
            let substate = bench.parts.as_ref().unwrap().manager.state.substate;
            assert_eq!(substate, motion, "what was going on goes on");
        }
    }
}

#[test]
fn every_scene_plays_with_the_discs_table() {
    let human = compile_folder(&disc_folder()).unwrap().into_iter().find(|table| table.name == "human").unwrap();
    let table = MotionTable::parse(words(&human.bytes)).unwrap();
    for name in boardwalk::motion::scenarios::names() {
        let mut text = String::new();
        assert_eq!(boardwalk::motion::scenarios::play_with(name, BenchTable::Table(table), &mut text), Ok(true));
        let last = text.lines().last().unwrap_or_default();
        println!("{name}: {} lines, at last {last}", text.lines().count());
        assert!(text.lines().count() > 5 && !text.contains("0x43"), "{name}:\n{text}");
    }
}

#[test]
fn every_clip_of_the_discs_tables_is_on_the_disc_and_as_long_as_its_table_says() {
    let clips = crate::clips::compile::read_folder(&disc_folder().join("../clips")).unwrap().clips;
    for file in std::fs::read_dir(disc_folder()).unwrap() {
        let path = file.unwrap().path();
        if path.ends_with("motions.toml") {
            continue;
        }
        let table: Table = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for (name, clip) in &table.clips {
            let found = clips.iter().find(|found| u32::from(found.id) == clip.id);
            let found = found.unwrap_or_else(|| panic!("{}: there is no clip {} for {name}", path.display(), clip.id));
            println!("{name}: {} frames of {}", clip.frames, found.frames);
            assert_eq!(clip.frames, found.frames, "{}: {name}", path.display());
        }
    }
}

#[test]
fn planted_feet_stay_where_they_are_while_the_table_walks_and_runs() {
    let human = compile_folder(&disc_folder()).unwrap().into_iter().find(|table| table.name == "human").unwrap();
    let table = MotionTable::parse(words(&human.bytes)).unwrap();
    let clips = crate::clips::compile::read_folder(&disc_folder().join("../clips")).unwrap().clips;
    for (style, motion) in [
        (MotionId::NON_COMBAT, MotionId::WALK_FORWARD),
        (MotionId::NON_COMBAT, MotionId::RUN_FORWARD),
        (MotionId::NON_COMBAT, MotionId::SIDE_STEP_RIGHT),
        (MotionId::HAND_COMBAT, MotionId::WALK_FORWARD),
        (MotionId::HAND_COMBAT, MotionId::SIDE_STEP_RIGHT),
    ] {
        let cycle = table.cycle(style, motion).unwrap();
        let range = table.animations(&cycle).next().unwrap();
        let clip = clips.iter().find(|clip| u32::from(clip.id) == range.clip).unwrap();
        let gait = clip.gait.as_ref().unwrap();
        let speed = gait.speed * range.framerate / 30.0;
        println!("{style:?} {motion:?}: the feet go {speed} m/s, the body {} m/s", cycle.velocity.length());
        assert!((speed - cycle.velocity.length()).abs() < 0.02);
    }
}

#[test]
fn a_person_walks_runs_and_turns_at_the_interpreters_speeds() {
    let human = compile_folder(&disc_folder()).unwrap().into_iter().find(|table| table.name == "human").unwrap();
    let table = MotionTable::parse(words(&human.bytes)).unwrap();
    let free = MotionId::NON_COMBAT;
    let speed = |motion| table.cycle(free, motion).unwrap().velocity;
    assert_eq!(speed(MotionId::WALK_FORWARD).y, interp::WALK_ANIM_SPEED);
    assert_eq!(speed(MotionId::RUN_FORWARD).y, interp::RUN_ANIM_SPEED);
    assert_eq!(speed(MotionId::SIDE_STEP_RIGHT).x, interp::SIDESTEP_ANIM_SPEED);
    let mut bench = bench(table);
    let params = MovementParameters { bits: ParameterBits::DEFAULT, ..Default::default() };
    bench.mover().do_motion(MotionId::WALK_FORWARD, &params).unwrap();
    bench.mover().do_motion(MotionId::TURN_LEFT, &params).unwrap();
    let parts = bench.parts.as_mut().unwrap();
    let moved = parts.update(1.0);
    assert!((moved.offset.y - interp::WALK_ANIM_SPEED).abs() < 1e-5 && moved.rotation.z > 1.5, "{moved:?}");
}
