//! Times the host's mesh queries beside those of another collision library, over the same triangles in the same run.
//!
//! Prints `BENCH name value unit`, one figure a line. Before anything is timed, both libraries answer the same queries:
//! a quick wrong answer is worth nothing. Where they differ, [`judge`] works out the truth in double precision.

mod judge;
mod scenes;

use boardwalk::collision::scenes::Random;
use boardwalk::collision::{CollisionMesh, Ray, RayFilter};
use boardwalk::maths::Vec3;
use boardwalk::physics::contact::{ContactList, Half};
use boardwalk::physics::crowds::Crowd;
use boardwalk::physics::kernels::Kernels;
use boardwalk::physics::mesh::{SphereFilter, Walker, first_of_sphere, sweep_capsule};
use boardwalk::physics::scenarios::WallWalk;
use boardwalk::physics::shapes::{Capsule, Sphere};
use parry3d::math::{Pose, Vector};
use parry3d::query::{self, RayCast as _, ShapeCastOptions};
use parry3d::shape::{Ball, TriMesh};
use scenes::Triangles;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

/// Queries of each figure; both libraries get the same ones.
const QUERIES: usize = 20_000;
/// Rounds of which the quickest counts: what else the machine does only ever adds.
const ROUNDS: usize = 5;
/// Frames of a crowd: as many as the console's figure is the mean of.
const CROWD_FRAMES: u32 = 8;
/// Furthest that two fractions or shares of a ray may be apart.
const AGREEMENT: f32 = 1e-4;

/// A sphere and its move.
struct Move {
    sphere: Sphere,
    by: Vec3,
}

/// One scene with both libraries' meshes and what is asked of them.
struct Bench {
    name: &'static str,
    ours: CollisionMesh,
    theirs: TriMesh,
    moves: Vec<Move>,
    rays: Vec<Ray>,
}

fn vector(v: Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

impl Bench {
    fn new(name: &'static str, triangles: &Triangles, seed: u64) -> Self {
        let theirs = TriMesh::new(triangles.vertices.iter().map(|&v| vector(v)).collect(), triangles.corners.clone())
            .expect("the scene has triangles");
        let mut random = Random::new(seed);
        let moves = (0..QUERIES).map(|_| {
            let sphere = Sphere { centre: triangles.place(&mut random), radius: random.range(0.1, 0.5) };
            Move { sphere, by: random.direction() * random.range(0.1, 3.0) }
        });
        let moves = moves.collect();
        let rays = (0..QUERIES).map(|_| {
            let (origin, direction) = (triangles.place(&mut random), random.direction());
            Ray { origin, direction, length: random.range(5.0, 60.0) }
        });
        let mut ours = triangles.mesh();
        ours.plant_tree();
        Self { name, ours, theirs, moves, rays: rays.collect() }
    }

    fn our_cast(mesh: &mut CollisionMesh, sphere: &Sphere, by: Vec3) -> Option<f32> {
        let first = first_of_sphere(Kernels::Scalar, mesh, sphere, by, &SphereFilter::ALL, Half::default());
        first.map(|contact| contact.fraction)
    }

    fn their_cast(mesh: &TriMesh, sphere: &Sphere, by: Vec3) -> Option<f32> {
        let (at, options) = (vector(sphere.centre), ShapeCastOptions::with_max_time_of_impact(1.0));
        let (ball, still) = (Ball::new(sphere.radius), Vector::ZERO);
        let hit =
            query::cast_shapes(&Pose::from_translation(at), vector(by), &ball, &Pose::IDENTITY, still, mesh, options);
        hit.ok().flatten().map(|hit| hit.time_of_impact)
    }

    fn our_ray(mesh: &mut CollisionMesh, ray: &Ray) -> Option<f32> {
        mesh.cast(ray, &RayFilter::default()).hit.map(|hit| hit.distance / ray.length)
    }

    fn their_ray(mesh: &TriMesh, ray: &Ray) -> Option<f32> {
        let theirs = query::Ray::new(vector(ray.origin), vector(ray.direction));
        mesh.cast_local_ray(&theirs, ray.length, false).map(|distance| distance / ray.length)
    }

    /// How many of our answers and of theirs are wrong, of those in which the two differ.
    fn wrong_answers(&mut self, triangles: &Triangles) -> [usize; 2] {
        let mut wrong = [0; 2];
        let mut count = |answers: [Option<f32>; 2], is_right: &dyn Fn(Option<f32>) -> bool| {
            for (wrong, answer) in wrong.iter_mut().zip(answers) {
                *wrong += usize::from(!is_right(answer));
            }
        };
        for Move { sphere, by } in &self.moves {
            let ours = Self::our_cast(&mut self.ours, sphere, *by);
            let theirs = Self::their_cast(&self.theirs, sphere, *by);
            if !agree(ours, theirs) {
                let bounds = judge::first_touch(triangles, sphere, *by);
                count([ours, theirs], &|answer| bounds.allow(answer, AGREEMENT));
            }
        }
        for ray in &self.rays {
            let (ours, theirs) = (Self::our_ray(&mut self.ours, ray), Self::their_ray(&self.theirs, ray));
            if !agree(ours, theirs) {
                let bounds = judge::first_hit(triangles, ray);
                count([ours, theirs], &|answer| bounds.allow(answer, AGREEMENT));
            }
        }
        wrong
    }

    fn figures(&mut self) {
        let Self { name, ours, theirs, moves, rays } = self;
        let mut list = ContactList::new();
        let ball = [
            quickest(|| {
                moves.iter().for_each(|Move { sphere, by }| {
                    black_box(Self::our_cast(ours, sphere, *by));
                })
            }),
            quickest(|| {
                moves.iter().for_each(|Move { sphere, by }| {
                    black_box(Self::their_cast(theirs, sphere, *by));
                })
            }),
        ];
        report(name, "sphere-mesh", ball);
        let ray = [
            quickest(|| {
                rays.iter().for_each(|ray| {
                    black_box(Self::our_ray(ours, ray));
                })
            }),
            quickest(|| {
                rays.iter().for_each(|ray| {
                    black_box(Self::their_ray(theirs, ray));
                })
            }),
        ];
        report(name, "ray-mesh", ray);
        let capsule = quickest(|| {
            moves.iter().for_each(|Move { sphere, by }| {
                let capsule = Capsule { base: sphere.centre, radius: sphere.radius, height: 1.8 };
                let walker = Walker { capsule, radius: sphere.radius, slides: true };
                list.clear();
                sweep_capsule(Kernels::Scalar, ours, &walker, *by, Half::default(), &mut list);
                black_box(list.len());
            })
        });
        println!("BENCH host/{name}/capsule-mesh {capsule:.1} ns");
    }
}

fn agree(a: Option<f32>, b: Option<f32>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= AGREEMENT,
        (None, None) => true,
        _ => false,
    }
}

/// Nanoseconds of one query in the quickest round.
fn quickest(mut round: impl FnMut()) -> f64 {
    let time = |round: &mut dyn FnMut()| {
        let begin = Instant::now();
        round();
        begin.elapsed().as_nanos() as f64 / QUERIES as f64
    };
    (0..ROUNDS).map(|_| time(&mut round)).fold(f64::MAX, f64::min)
}

fn report(scene: &str, query: &str, [ours, theirs]: [f64; 2]) {
    println!("BENCH host/{scene}/{query} {ours:.1} ns");
    println!("BENCH host/{scene}/{query}-parry {theirs:.1} ns");
    println!("BENCH host/{scene}/{query}-ratio {:.2} times", theirs / ours);
}

/// The world's own figures: a human's whole sweep, and frames of crowds.
fn world_figures() {
    if let Some(mut walk) = WallWalk::new() {
        let step = quickest(|| {
            (0..QUERIES).for_each(|_| {
                black_box(walk.step());
            });
        });
        println!("BENCH host/human-sweep {step:.1} ns");
    }
    for (name, mut crowd) in [("60-humans", Crowd::of_humans()), ("384-objects", Crowd::of_objects())] {
        let begin = Instant::now();
        (0..CROWD_FRAMES).for_each(|_| crowd.frame());
        let frame = begin.elapsed().as_nanos() as f64 / f64::from(CROWD_FRAMES);
        println!("BENCH host/frame/{name} {frame:.0} ns");
    }
}

/// Makes a scene.
type Make = fn() -> Triangles;

/// Prints the figures of the scenes that the arguments name, of all without arguments; `world` is the physics world's own.
fn main() -> ExitCode {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let asked = |name: &str| named.is_empty() || named.iter().any(|n| n == name);
    let mut sound = true;
    let scenes: [(&str, Make); 3] = [("hills", scenes::hills), ("town", scenes::town), ("soup", scenes::soup)];
    for (name, triangles) in scenes.into_iter().filter(|(name, _)| asked(name)) {
        let triangles = triangles();
        let mut bench = Bench::new(name, &triangles, 11);
        let [ours, theirs] = bench.wrong_answers(&triangles);
        println!("BENCH host/{name}/wrong-answers {ours} of-{}", 2 * QUERIES);
        println!("BENCH host/{name}/wrong-answers-parry {theirs} of-{}", 2 * QUERIES);
        sound &= ours == 0;
        bench.figures();
    }
    if asked("world") {
        world_figures();
    }
    if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
