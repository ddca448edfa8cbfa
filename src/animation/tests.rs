//! Clips, tasks and stacks together.

use super::clip::flag;
use super::library::{ClipLibrary, LibraryError};
use super::pool::AnimPool;
use super::pose::LocalPose;
use super::skeleton::{Skeleton, bone};
use super::stack::AnimStack;
use super::task::{AnimTask, DIRECTIONS, Play};
use super::testing::{clip, clips, ids};
use super::write::library;
use crate::maths::Vec3;
use crate::tasks::humans::gates::held;
use std::vec::Vec;

const STEP: f32 = 1.0 / 30.0;
const S1: [(u16, u16); 3] = [(5, 0x2c), (12, 0x2d), (13, 0x48)];

/// A stack, its pool and its human's held bits.
struct Actor {
    library: ClipLibrary,
    pool: AnimPool,
    stack: AnimStack,
    held: u32,
}

impl Actor {
    fn new() -> Self {
        let library = clips(&[
            clip(388, 0, 30, 0.0, 0.0, &[]),
            clip(12, flag::SLOWER, 16, 0.4, 0.8, &S1),
            clip(16, flag::SLOWER, 16, 0.4, 0.4, &S1),
            clip(408, flag::FULL_RATE, 30, 2.0, 0.0, &[(3, 0xa)]),
            clip(409, flag::FULL_RATE, 30, 4.0, 0.1, &[]),
            clip(410, flag::FULL_RATE, 20, 5.0, 0.2, &[(7, 0xa)]),
            clip(411, flag::FULL_RATE, 20, 7.0, 0.3, &[]),
        ]);
        Self { library, pool: AnimPool::new(), stack: AnimStack::default(), held: 0 }
    }

    fn push(&mut self, id: u16, held: u32, fade: f32, fade_held: u32) {
        let clip = self.library.find(id).unwrap();
        let play = if held == 0 { Play::Loop } else { Play::Once { next: None, blend: 0.0 } };
        let task = self.pool.take(AnimTask::new(play, clip, held)).unwrap();
        self.stack.push(&mut self.pool, task, fade, fade_held, &mut self.held);
    }

    fn attack(&mut self, fade: f32) {
        let idle = self.pool.take(AnimTask::looping(self.library.find(388).unwrap())).unwrap();
        let play = Play::Once { next: Some(idle), blend: 0.2 };
        let task = AnimTask::new(play, self.library.find(12).unwrap(), held::ATTACK);
        let task = self.pool.take(task).unwrap();
        self.stack.push(&mut self.pool, task, fade, 0, &mut self.held);
        self.held |= held::WIND_UP;
    }

    fn step(&mut self) -> super::stack::StackStep {
        self.stack.advance(&mut self.pool, &self.library, STEP, &mut self.held, &mut |_| {})
    }

    fn playing(&self) -> u16 {
        self.library.clip(self.stack.clip(&self.pool).unwrap()).id
    }
}

#[test]
fn a_library_finds_its_clips_by_number_and_knows_their_speed() {
    let actor = Actor::new();
    assert_eq!(ids(&actor.library), [12, 16, 388, 408, 409, 410, 411]);
    let walk = actor.library.clip(actor.library.find(408).unwrap());
    assert!((walk.speed() - 2.0).abs() < 2e-3, "{}", walk.speed());
    assert!((actor.library.clip(actor.library.find(12).unwrap()).rate() - 0.8).abs() < 1e-6);
    assert_eq!(actor.library.find(13), None);
}

#[test]
fn a_sampled_clip_is_what_was_written() {
    let actor = Actor::new();
    let (skeleton, index) = (Skeleton::new(), actor.library.find(12).unwrap());
    let mut pose = LocalPose::reference(&skeleton);
    actor.library.sample(index, 8.0 / 30.0, &skeleton, &mut pose);
    let nod = 2.0 * crate::maths::scalar::acos(pose.rotations[bone::HEAD].dot(skeleton.reference[bone::HEAD]).abs());
    assert!((nod - 0.4).abs() < 0.01, "half of 0.8: {nod}");
    assert!((pose.root - Vec3::new(0.0, 0.0, 0.96)).length() < 1e-3);
    assert_eq!(pose.tagged >> bone::HEAD & 1, 0);
    assert_eq!(pose.tagged >> bone::LEFT_HAND & 1, 1);
    assert_eq!(pose.rotations[bone::LEFT_HAND], skeleton.reference[bone::LEFT_HAND]);
}

#[test]
fn whatever_a_files_bytes_are_nothing_is_read_outside_of_it() {
    let good = library(&[clip(12, 0, 16, 0.4, 0.8, &S1)]);
    let mut refused = 0;
    for at in 0..good.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut bytes = good.clone();
            bytes[at] = value;
            match ClipLibrary::read(bytes.into_boxed_slice()) {
                Ok(found) => {
                    for (index, clip) in found.iter() {
                        let mut pose = LocalPose::reference(&Skeleton::new());
                        found.sample(index, clip.length * 0.5, &Skeleton::new(), &mut pose);
                        assert!(found.events(index).count() < 1000);
                    }
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 100, "{refused}");
    for length in 0..good.len() {
        assert!(ClipLibrary::read(good[..length].into()).is_err(), "{length} bytes");
    }
    let double = library(&[clip(12, 0, 16, 0.0, 0.0, &[]), clip(12, 0, 16, 0.0, 0.0, &[])]);
    assert_eq!(ClipLibrary::read(double.into()).unwrap_err(), LibraryError::Twice(12));
}

#[test]
fn the_first_punch_holds_its_bits_on_the_measured_updates_and_gives_way_to_the_idle() {
    let mut actor = Actor::new();
    actor.push(388, 0, 0.0, 0);
    actor.attack(0.0);
    let mut flags = Vec::from([actor.held]);
    while actor.playing() == 12 {
        actor.step();
        flags.push(actor.held);
    }
    assert_eq!(flags[..6], [1; 6]);
    assert_eq!(flags[6..15], [2; 9]);
    assert_eq!(flags[15], 4);
    assert_eq!(flags[16..20], [0x4_0000; 4]);
    assert_eq!((flags[20], flags.len(), actor.playing()), (0, 21, 388));
    assert_eq!((actor.stack.len(), actor.pool.used()), (1, 1));
}

#[test]
fn window_and_end_fire_on_the_measured_updates_of_a_slow_clip() {
    let mut actor = Actor::new();
    actor.library = clips(&[clip(12, 0, 60, 0.0, 0.0, &[(14, 0x2c), (25, 0x2d)])]);
    actor.push(12, held::ATTACK, 0.0, 0);
    actor.held = held::WIND_UP;
    let mut at = Vec::new();
    for update in 1..40 {
        let before = actor.held;
        actor.step();
        if actor.held != before {
            at.push((update, actor.held));
        }
    }
    assert_eq!(at, [(19, held::WINDOW), (33, held::END)], "frame 14 at rate 0.75 fires on update 19, frame 25 on 33");
}

#[test]
fn a_clip_hands_control_back_and_takes_it_again_by_its_events() {
    let mut actor = Actor::new();
    actor.library = clips(&[clip(12, flag::FULL_RATE, 12, 0.0, 0.0, &[(4, 0x3e), (8, 0x3f)])]);
    actor.push(12, held::STEP, 0.0, 0);
    actor.held = held::STEP;
    let seen: Vec<u32> = (0..12)
        .map(|_| {
            actor.step();
            actor.held
        })
        .collect();
    assert_eq!((&seen[..3], &seen[3..7], &seen[7..11]), (&[held::STEP; 3][..], &[0; 4][..], &[held::STEP; 4][..]));
    assert_eq!(seen[11], 0, "the end clears what the task keeps");
}

#[test]
fn a_cut_clip_keeps_its_bits_while_it_fades() {
    let mut actor = Actor::new();
    actor.attack(0.0);
    actor.push(388, 0, 0.1, 0);
    let mut updates = 0;
    while actor.held != 0 {
        actor.step();
        updates += 1;
    }
    assert_eq!((updates, actor.stack.len()), (4, 1));
}

#[test]
fn a_fades_own_bits_are_seen_for_the_push_and_four_updates_more() {
    let mut actor = Actor::new();
    actor.push(408, 0, 0.0, 0);
    actor.push(388, 0, 0.15, held::START);
    let mut seen = 0;
    while actor.held & held::START != 0 {
        seen += 1;
        actor.step();
    }
    assert_eq!((seen, actor.stack.len()), (5, 1));
}

#[test]
fn a_chain_swaps_the_clip_and_keeps_the_task() {
    let mut actor = Actor::new();
    actor.attack(0.0);
    (0..7).for_each(|_| {
        actor.step();
    });
    let (used, clip) = (actor.pool.used(), actor.library.find(16).unwrap());
    actor.stack.swap(&mut actor.pool, clip, held::ATTACK);
    actor.held = held::WIND_UP;
    assert_eq!((actor.playing(), actor.pool.used()), (16, used));
    (0..6).for_each(|_| {
        actor.step();
    });
    assert_eq!(actor.held, held::WINDOW);
}

#[test]
fn motion_carries_by_the_clips_travel_and_loops_without_a_gap() {
    let mut actor = Actor::new();
    actor.push(408, 0, 0.0, 0);
    let total: f32 = (0..45).map(|_| actor.step().moved.y).sum();
    assert!((total - 3.0).abs() < 5e-3, "{total}");
}

#[test]
fn a_fade_shares_the_motion_by_its_weight() {
    let mut actor = Actor::new();
    actor.push(408, 0, 0.0, 0);
    actor.push(388, 0, 0.15, 0);
    let moved: Vec<f32> = (0..6).map(|_| actor.step().moved.y * 30.0).collect();
    assert!((moved[0] - 2.0).abs() < 0.02, "{moved:?}");
    assert!(moved.windows(2).all(|pair| pair[1] <= pair[0]) && moved[5] == 0.0, "{moved:?}");
}

#[test]
fn what_each_task_counts_in_the_blend_makes_up_the_whole() {
    let mut actor = Actor::new();
    actor.push(408, 0, 0.0, 0);
    assert_eq!(actor.stack.shares(&actor.pool)[..], [1.0]);
    actor.push(388, 0, 0.2, 0);
    actor.push(410, 0, 0.4, 0);
    (0..3).for_each(|_| {
        actor.step();
    });
    let shares = actor.stack.shares(&actor.pool);
    let (tasks, fades) = shares.split_at(3);
    // Half of the short fade; the long one has a quarter of its time.
    assert!((fades[0] - 0.5).abs() < 1e-3 && (fades[1] - 0.854).abs() < 1e-3, "{shares:?}");
    assert!((tasks[0] - (1.0 - fades[1])).abs() < 1e-6 && (tasks[2] - fades[1] * fades[0]).abs() < 1e-6, "{shares:?}");
    assert!((tasks.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{shares:?}");
}

#[test]
fn a_gait_blend_reaches_its_value_in_thirds_and_fires_its_leaders_events_only() {
    let mut actor = Actor::new();
    let gaits = [408, 409, 410, 411].map(|id| actor.library.find(id).unwrap());
    let task = actor.pool.take(AnimTask::gait(gaits, 0.0)).unwrap();
    actor.stack.push(&mut actor.pool, task, 0.0, 0, &mut actor.held);
    if let Some(AnimTask { play: Play::Gait { target, .. }, .. }) = actor.pool.get_mut(task) {
        *target = 2.0;
    }
    let value = |actor: &Actor| match actor.pool.get(task).unwrap().play {
        Play::Gait { value, .. } => value,
        _ => panic!("a gait"),
    };
    for step in 1..=6 {
        actor.step();
        assert!((value(&actor) - step as f32 / 3.0).abs() < 1e-4, "step {step}: {}", value(&actor));
    }
    assert_eq!(actor.playing(), 410);
    let mut fired = Vec::new();
    for _ in 0..20 {
        let Actor { stack, pool, library, held, .. } = &mut actor;
        stack.advance(pool, library, STEP, held, &mut |event| fired.push(event.frame));
    }
    assert_eq!(fired, [7], "once a stride");
}

#[test]
fn of_a_gait_pair_the_lower_leads_to_seven_eighths_and_the_upper_at_once_while_the_value_falls() {
    let actor = Actor::new();
    let gaits = [408, 409, 410, 411].map(|id| actor.library.find(id).unwrap());
    let leader = |value: f32, target: f32| {
        let mut task = AnimTask::gait(gaits, value);
        task.play = Play::Gait { clips: gaits, value, target };
        actor.library.clip(task.leader().unwrap()).id
    };
    assert_eq!([leader(1.5, 2.0), leader(1.87, 2.0), leader(1.88, 2.0), leader(2.0, 2.0)], [409, 409, 410, 410]);
    assert_eq!([leader(1.87, 1.0), leader(1.2, 1.0), leader(1.005, 1.0), leader(1.0, 1.0)], [410, 410, 409, 409]);
}

/// How far the head of a task's pose nods.
fn nod_of(actor: &Actor, task: &AnimTask) -> f32 {
    let skeleton = Skeleton::new();
    let mut pose = LocalPose::reference(&skeleton);
    task.sample(&actor.pool, &actor.library, &skeleton, &mut pose);
    // Of a small angle the sine says more than the cosine.
    let off = skeleton.reference[bone::HEAD].conjugate() * pose.rotations[bone::HEAD];
    2.0 * Vec3::new(off.x, off.y, off.z).length()
}

#[test]
fn mixes_run_at_one_phase_and_show_their_shares() {
    let actor = Actor::new();
    let [walk, jog, run, sprint] = [408, 409, 410, 411].map(|id| actor.library.find(id).unwrap());
    let half = |play: Play, clip| {
        let mut task = AnimTask::new(play, clip, 0);
        let mut moved = 0.0;
        // Half of the second that a walk's clip lasts.
        (0..15).for_each(|_| moved += task.advance(&actor.library, STEP, &mut |_, _| {}).moved.y);
        (nod_of(&actor, &task), moved)
    };
    // Clips nod by 0, 0.1, 0.2 and 0.3 at their ends, so by half of that here.
    let near = |found: (f32, f32), nod: f32| {
        assert!((found.0 - nod).abs() < 4e-3 && (found.1 - 1.0).abs() < 0.01, "{found:?} {nod}")
    };
    near(half(Play::TwoMix { other: sprint, share: 0.5 }, walk), 0.075);
    near(half(Play::TwoMix { other: sprint, share: 1.0 }, walk), 0.15);
    near(half(Play::FourMix { others: [jog, run, sprint], shares: [0.25; 4] }, walk), 0.075);
    near(half(Play::FourMix { others: [jog, run, sprint], shares: [0.0, 0.0, 1.0, 0.0] }, walk), 0.1);
    let mut clips = [walk; DIRECTIONS];
    clips[1] = sprint;
    let eighth = core::f32::consts::FRAC_PI_4;
    near(half(Play::EightWay { clips, direction: 0.0 }, walk), 0.0);
    near(half(Play::EightWay { clips, direction: 0.5 * eighth }, walk), 0.075);
    near(half(Play::EightWay { clips, direction: 7.75 * eighth }, walk), 0.0);
}

#[test]
fn what_lies_below_a_layer_plays_on_fires_and_gives_way_to_what_is_behind_it() {
    let mut actor = Actor::new();
    actor.attack(0.0);
    let [nods, idle] = [411, 388].map(|id| actor.library.find(id).unwrap());
    assert!(actor.stack.lay(&mut actor.pool, nods, 1 << bone::HEAD, 0.0));
    assert!(actor.stack.lay(&mut actor.pool, nods, 1 << bone::HEAD, 0.0), "there is one");
    assert_eq!((actor.playing(), actor.stack.len(), actor.pool.used()), (12, 1, 3));
    let mut flags = Vec::from([actor.held]);
    let mut moved = 0.0;
    while actor.playing() == 12 {
        moved += actor.step().moved.y;
        flags.push(actor.held);
    }
    // The blow's own metres and bits, on its own updates.
    assert!((moved - 0.4).abs() < 0.01, "{moved}");
    assert_eq!((flags[5], flags[6], flags[15], flags[16], flags[20], flags.len()), (1, 2, 4, 0x4_0000, 0, 21));
    assert_eq!((actor.stack.clip(&actor.pool), actor.stack.layer(&actor.pool).is_some()), (Some(idle), true));
    (0..5).for_each(|_| {
        actor.step();
    });
    let top = *actor.stack.iter(&actor.pool).next().unwrap();
    assert!(nod_of(&actor, &top) > 0.05, "the idle's head is the layer's");
    // It goes by and by, and gives its place back.
    let layer = actor.stack.layer(&actor.pool).unwrap();
    if let Some(AnimTask { play: Play::Layer { shows, .. }, .. }) = actor.pool.get_mut(layer) {
        *shows = false;
    }
    let steps = (1..20).find(|_| {
        actor.step();
        actor.stack.layer(&actor.pool).is_none()
    });
    assert!(matches!(steps, Some(6 | 7)), "{steps:?}");
    assert_eq!((actor.playing(), actor.pool.used(), actor.pool.cursors_used()), (388, 1, 1));
}

#[test]
fn a_cut_attack_below_a_layer_keeps_its_bits_while_it_fades() {
    let mut actor = Actor::new();
    actor.attack(0.0);
    let nods = actor.library.find(411).unwrap();
    actor.stack.lay(&mut actor.pool, nods, 1 << bone::HEAD, 1.0);
    actor.push(388, 0, 0.1, 0);
    let mut updates = 0;
    while actor.held != 0 {
        actor.step();
        updates += 1;
    }
    assert_eq!((updates, actor.stack.len(), actor.pool.used()), (4, 1, 1));
}

#[test]
fn one_half_of_a_pair_goes_where_the_other_is_and_fires_what_it_passed() {
    let actor = Actor::new();
    let clip = actor.library.find(12).unwrap();
    let mut task = AnimTask::new(Play::Paired { partner: 3, next: None }, clip, 0);
    task.keep_step(&actor.library, 12.0 / 30.0);
    let mut fired = Vec::new();
    let advance = task.advance(&actor.library, STEP, &mut |event, _| fired.push(event.frame));
    assert_eq!((fired, advance.ended), (Vec::from([5, 12, 13]), None));
    task.keep_step(&actor.library, 99.0);
    assert!(task.advance(&actor.library, STEP, &mut |_, _| {}).ended.is_some());
}

#[test]
fn poses_of_old_tasks_fade_out_by_the_cosine() {
    let mut actor = Actor::new();
    let skeleton = Skeleton::new();
    actor.push(411, 0, 0.0, 0);
    if let Some(task) = actor.stack.newest(&actor.pool).and_then(|id| actor.pool.get_mut(id)) {
        task.time = 0.6;
        task.speed = 0.0;
    }
    actor.push(388, 0, 0.2, 0);
    let nod = |actor: &Actor| {
        let mut pose = LocalPose::reference(&skeleton);
        actor.stack.pose(&actor.pool, &actor.library, &skeleton, &mut pose);
        2.0 * crate::maths::scalar::acos(pose.rotations[bone::HEAD].dot(skeleton.reference[bone::HEAD]).abs())
    };
    assert!((nod(&actor) - 0.27).abs() < 0.01, "{}", nod(&actor));
    (0..3).for_each(|_| {
        actor.step();
    });
    assert!((nod(&actor) - 0.135).abs() < 0.01, "half way: {}", nod(&actor));
}

#[test]
fn a_storm_of_pushes_stays_within_the_stack_and_leaks_nothing() {
    let mut actor = Actor::new();
    for n in 0..500u32 {
        actor.push(388, held::DUCK * (n & 1), 0.2, held::START);
        assert!(actor.stack.len() <= super::stack::STACK, "{}", actor.stack.len());
        if n.is_multiple_of(3) {
            actor.step();
        }
    }
    (0..12).for_each(|_| {
        actor.step();
    });
    assert_eq!((actor.stack.len(), actor.pool.used(), actor.held & held::START), (1, 1, 0));
    actor.stack.clear(&mut actor.pool, &mut actor.held);
    assert_eq!((actor.pool.used(), actor.held, actor.pool.shortages), (0, 0, 0));
}

#[test]
fn the_361st_task_and_the_261st_cursor_are_refused_and_counted() {
    let fade = AnimTask::fade(1.0, 0);
    let mut pool = AnimPool::new();
    let tasks: Vec<_> = (0..360).map(|_| pool.take(fade).unwrap()).collect();
    assert_eq!((pool.take(fade), pool.shortages, pool.cursors_used()), (None, 1, 0));
    tasks.iter().for_each(|task| pool.give_only(*task));
    let clip = Actor::new().library.find(408).unwrap();
    let (mut mix, mut one) = (fade, fade);
    (mix.play, one.play) = (Play::FourMix { others: [clip; 3], shares: [0.25; 4] }, Play::Loop);
    let mixes: Vec<_> = (0..65).map(|_| pool.take(mix).unwrap()).collect();
    assert_eq!((pool.take(one), pool.cursors_used(), pool.shortages), (None, 260, 2));
    assert!(pool.take(fade).is_some(), "a fade plays no clip");
    pool.give(mixes[0]);
    assert_eq!(pool.cursors_used(), 256);
}
