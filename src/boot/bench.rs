//! Figures of the program's own parts, in cycles of the EE's counter.
//!
//! Each line reads `BENCH name value unit`. On an emulator caches and buses cost nothing, so its figures are lower than a
//! console's; whoever prints them on must say so.
//!
//! Source: console rule 13.

use super::title::{Info, Title};
use crate::ai::{Destination, Walk, Way};
use crate::collision::{Approach, Face, MoveRows, Plane};
use crate::ee::cache;
use crate::ee::cop0;
use crate::ee::display::Display;
use crate::ee::gs::privileged;
use crate::ee::vu0::project::{PictureVertex, Projection, WorldVertex, project, project_scalar};
use crate::human::mover::HumanMover;
use crate::human::speeds::Speeds;
use crate::human::{Human, Spawn};
use crate::maths::{Pose, Quat, Vec3};
use crate::motion::CommandInput;
use crate::motion::table::build::sample;
use crate::physics::aabb::Aabb;
use crate::physics::crowds::Crowd;
use crate::physics::kernels::{Kernels, Touch, scalar, vu0};
use crate::physics::scenarios::WallWalk;
use crate::physics::shapes::OrientedBox;
use crate::tasks::scenarios::{idle_engine, idle_tick, particle_handles, resolve_all};
use crate::tasks::wheel::BUCKETS;
use crate::tty_println;
use alloc::vec;
use core::hint::black_box;

/// Calls of which the mean is taken.
const CALLS: u32 = 1000;
/// Bytes of the cache figure.
const CACHED_BYTES: usize = 64 * 1024;
/// Vertices of the projection figures: a large mesh.
const VERTICES: usize = 1000;
/// Frames of the title figures.
const FRAMES: u32 = 120;

/// Cycles that `work` takes.
pub(super) fn cycles(work: impl FnOnce()) -> u32 {
    let begin = cop0::count();
    work();
    cop0::count().wrapping_sub(begin)
}

/// Prints every figure.
#[inline(never)]
pub fn run(display: &mut Display, title: &mut Title) {
    let calls = cycles(|| {
        for _ in 0..CALLS {
            black_box(privileged::interrupt_mask());
        }
    });
    tty_println!("BENCH kernel/system-call {} cycles", calls / CALLS);

    let buffer = vec![0_u8; CACHED_BYTES];
    tty_println!("BENCH cache/write-back-64k {} cycles", cycles(|| cache::write_back_slice(&buffer)));

    projection();
    physics();
    tasks();
    motion();
    frames(display, title);
    super::bench_drawing::run(display);
}

/// The projection kernel and its twin over the same vertices.
fn projection() {
    let vertex = |i: usize| WorldVertex {
        position: Vec3::new((i % 10) as f32 - 5.0, 4.0 + (i / 10) as f32, 1.0),
        colour: Vec3::splat(128.0),
    };
    let vertices: vec::Vec<WorldVertex> = (0..VERTICES).map(vertex).collect();
    let mut picture = vec![PictureVertex::default(); VERTICES];
    let projection = Projection {
        rows: [[560.0, 0.0, 0.0, 0.0], [320.0, 224.0, 1000.0, 1.0], [0.0, -560.0, 0.0, 0.0], [0.0; 4]],
        fog: [46.0, 44.0, 74.0, 1764.0],
    };
    let scalar = cycles(|| project_scalar(&projection, &vertices, black_box(&mut picture)));
    let vector = cycles(|| project(&projection, &vertices, black_box(&mut picture)));
    tty_println!("BENCH project/scalar-1000-vertices {scalar} cycles");
    tty_println!("BENCH project/vu0-1000-vertices {vector} cycles");
}

/// A sphere against a triangle with both kernels, and a player's whole sweep along a wall.
fn physics() {
    let face = Face::new([Vec3::ZERO, Vec3::X, Vec3::Y]);
    let (c, d) = (Vec3::new(0.25, 0.25, 2.0), Vec3::new(0.0, 0.0, -2.0));
    let each = |kernel: fn(Vec3, f32, Vec3, &Face) -> Option<Touch>| {
        let all = cycles(|| {
            for _ in 0..CALLS {
                black_box(kernel(black_box(c), 0.5, d, &face));
            }
        });
        all / CALLS
    };
    tty_println!("BENCH sphere-triangle/scalar {} cycles", each(scalar::sweep_sphere_triangle));
    tty_println!("BENCH sphere-triangle/vu0 {} cycles", each(vu0::sweep_sphere_triangle));
    for (name, kernels) in [("scalar", Kernels::Scalar), ("vu0", Kernels::Vu0)] {
        if let Some(mut walk) = WallWalk::new() {
            walk.set_kernels(kernels);
            let all = cycles(|| {
                for _ in 0..CALLS {
                    black_box(walk.step());
                }
            });
            tty_println!("BENCH human-sweep/{name} {} cycles", all / CALLS);
        }
        kernel_figures(name, kernels);
        crowds(name, kernels);
    }
}

/// Each hot kernel by itself, as the world calls it.
fn kernel_figures(name: &str, kernels: Kernels) {
    /// Planes of a gather.
    const PLANES: usize = 8;
    let pose = Pose::new(Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.7), Vec3::new(3.0, 4.0, 1.0));
    let (local, half) = (Vec3::new(0.1, 0.2, 0.3), Vec3::new(0.4, 0.5, 0.6));
    let plane = |i: usize| Plane { normal: [0.0, 0.6, 0.8], offset: i as f32 };
    let planes: [Plane; PLANES] = core::array::from_fn(plane);
    let listed: [&Plane; PLANES] = core::array::from_fn(|i| &planes[i]);
    let rows = MoveRows::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.2, 0.1, -0.3));
    let mut out = [Approach::default(); PLANES];
    let b = OrientedBox::new(half, pose.rotation, pose.position);
    let (o, d) = (Vec3::new(0.0, 4.2, 1.1), Vec3::new(6.0, 0.1, 0.2));
    let own = Aabb::around(Vec3::ZERO, half);
    let other = Aabb::around(local, half);
    let spin = Vec3::new(1.0, 2.0, 0.5);
    let tell = |what: &str, work: &mut dyn FnMut()| {
        let all = cycles(|| (0..CALLS).for_each(|_| work()));
        tty_println!("BENCH physics/{what}-{name} {} cycles", all / CALLS);
    };
    tell("gather-8-planes", &mut || kernels.approaches(black_box(&rows), &listed, &mut out));
    tell("ray-box", &mut || {
        black_box(kernels.ray_box(black_box(o), d, &b));
    });
    tell("boxes", &mut || {
        black_box(kernels.reaches(black_box(&own), &other));
    });
    tell("place-point", &mut || {
        black_box(kernels.point(black_box(&pose), local));
    });
    tell("place-box", &mut || {
        black_box(kernels.place_box(half, black_box(&pose), local));
    });
    tell("turn", &mut || {
        black_box(kernels.integrate(black_box(pose.rotation), spin, 0.02));
    });
}

/// A frame's physics of as many humans and as many objects as there can be.
fn crowds(name: &str, kernels: Kernels) {
    /// Frames of which the mean is taken.
    const CROWDED: u32 = 8;
    let frame = |what: &str, mut crowd: Crowd| {
        crowd.set_kernels(kernels);
        let all = cycles(|| (0..CROWDED).for_each(|_| crowd.frame()));
        tty_println!("BENCH frame/{what}-{name} {} cycles", all / CROWDED);
    };
    frame("60-humans", Crowd::of_humans());
    frame("384-objects", Crowd::of_objects());
}

/// Ticks of the wheel alone with every managed pool full of tasks that have nothing to do: a whole turn of it.
fn tasks() {
    let (mut engine, mut world) = idle_engine();
    let (mut total, mut most) = (0_u64, 0);
    for _ in 0..BUCKETS {
        let tick = cycles(|| idle_tick(&mut engine, &mut world));
        total += u64::from(tick);
        most = most.max(tick);
    }
    tty_println!("BENCH tasks/idle-tick-mean {} cycles", (total / BUCKETS as u64) as u32);
    tty_println!("BENCH tasks/idle-tick-most {most} cycles");
    let handles = particle_handles(&engine);
    let mut found = 0;
    let all = cycles(|| found = black_box(resolve_all(&engine, black_box(&handles))));
    tty_println!("BENCH tasks/resolve-handle {} cycles", all / found.max(1) as u32);
}

/// A character's step in the motion system: on its way to a place, by a pad's commands, and at rest.
fn motion() {
    let Ok(table) = sample().build() else { return };
    let mut human = Human::new(Spawn::default(), Speeds::default());
    let mut walk = Walk::new(0, table);
    // As far as nobody comes.
    let far = Way { to: Destination::Place(Vec3::Y * 1e4), near: 1.0 };
    if walk.start(&human, far, false).is_err() {
        return;
    }
    let all = cycles(|| {
        for _ in 0..CALLS {
            black_box(walk.step(&human, None, false));
        }
    });
    tty_println!("BENCH motion/move-to-step {} cycles", all / CALLS);
    let mut mover = HumanMover::new(1, table);
    let pads = [CommandInput { forward: true, ..CommandInput::default() }, CommandInput::default()];
    let mut most = 0;
    let all = cycles(|| {
        for call in 0..CALLS {
            let input = pads[(call / 30 % 2) as usize];
            most = most.max(cycles(|| {
                black_box(mover.command(&mut human, input, false));
            }));
        }
    });
    tty_println!("BENCH motion/command-step {} cycles", all / CALLS);
    tty_println!("BENCH motion/command-step-most {most} cycles");
}

/// What building the title's frames costs the processor.
fn frames(display: &mut Display, title: &mut Title) {
    let (mut total, mut most) = (0_u64, 0);
    for frame in 0..FRAMES {
        let info = Info { mode: display.mode().label(), frame, missed: 0 };
        display.frame(|packet, page| {
            let build = cycles(|| title.draw(packet, page, frame as f32 / super::FRAMES_PER_SECOND, &info));
            total += u64::from(build);
            most = most.max(build);
        });
    }
    tty_println!("BENCH title/build-mean {} cycles", (total / u64::from(FRAMES)) as u32);
    tty_println!("BENCH title/build-most {most} cycles");
}
