//! Answers questions about collisions, one JSON object a line, on standard input and output.
//!
//! ```text
//! {"op":"mesh","vertices":[[x,y,z],...],"triangles":[[a,b,c],...],"two_sided":false}   sets the level mesh
//! {"op":"sphere_triangle","c":[..],"r":0.5,"move":[..],"tri":[[..],[..],[..]],"two_sided":false}
//! {"op":"sphere_mesh","c":[..],"r":0.5,"move":[..]}               every enabled face
//! {"op":"capsule_mesh","base":[..],"r":0.5,"height":2,"move":[..]}   a walker against the walls
//! {"op":"sphere_sphere"|"capsule_capsule"|"sphere_box"|"capsule_box"|"box_box","a":SHAPE,"b":SHAPE,"move":[..]}
//! {"op":"box_triangle","a":SHAPE,"move":[..],"tri":[[..],[..],[..]]}
//! {"op":"ray_mesh","origin":[..],"dir":[..],"length":10}          also ray_box and ray_capsule, with "b":SHAPE
//! {"op":"overlap","a":SHAPE,"b":SHAPE}
//! {"op":"move","base":[..],"r":0.5,"height":2,"velocity":[..],"dt":0.0333}   a human's whole sweep
//! ```
//!
//! A shape is `{"kind":"box","centre","axes","half"}`, `{"kind":"sphere","c","r"}`, `{"kind":"capsule","base","r","height"}`
//! or `{"kind":"segment","a","b","r"}`. The answer is `{"hit":true,"fraction","point","normal"}`, `{"hit":false}`,
//! `{"position","velocity"}` for a move, `{"triangles"}` for a mesh, or `{"error"}`, after which the program goes on.

mod request;
#[cfg(test)]
mod tests;
mod walker;

use boardwalk::collision::build::{SourceTriangle, build_fitting};
use boardwalk::collision::{CollisionMesh, Ray, RayFilter, TriangleFlags};
use boardwalk::maths::Vec3;
use boardwalk::physics::PhysicsWorld;
use boardwalk::physics::contact::{Contact, ContactList, Half};
use boardwalk::physics::kernels::scalar;
use boardwalk::physics::kernels::{Kernels, Touch};
use boardwalk::physics::mesh::{SphereFilter, Walker, first_of_sphere, sweep_capsule};
use boardwalk::physics::pairs::{self, PairRules};
use boardwalk::physics::shape::Shape;
use boardwalk::physics::shapes::{Capsule, Geometry, Sphere};
use request::{Pair, Point, RayAtShape, Request, Result, capsule, face, number, ray, size, vector};
use serde::Serialize;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use walker::{WALKER, WalkingHuman};

/// Bytes of the longest line that is read.
const LONGEST_LINE: u64 = 256 << 20;

#[derive(Serialize)]
#[serde(untagged)]
enum Reply {
    Hit { hit: bool, fraction: f32, point: Point, normal: Point },
    Miss { hit: bool },
    Moved { position: Point, velocity: Point },
    Loaded { triangles: usize },
    Error { error: String },
}

impl From<Option<Touch>> for Reply {
    fn from(touch: Option<Touch>) -> Self {
        match touch {
            Some(t) => {
                Self::Hit { hit: true, fraction: t.fraction, point: t.point.to_array(), normal: t.normal.to_array() }
            }
            None => Self::Miss { hit: false },
        }
    }
}

fn touch_of(contact: &Contact) -> Touch {
    Touch { fraction: contact.fraction, point: contact.point, normal: contact.normal }
}

/// Everything that lasts from line to line.
struct Program {
    mesh: Option<CollisionMesh>,
    world: PhysicsWorld,
}

impl Program {
    fn mesh(&mut self) -> Result<&mut CollisionMesh> {
        self.mesh.as_mut().ok_or_else(|| "no mesh has been set".to_string())
    }

    fn answer(&mut self, line: &[u8]) -> Reply {
        let request = serde_json::from_slice(line).map_err(|error| error.to_string());
        let reply = request.and_then(|request| self.reply(request)).and_then(finite);
        reply.unwrap_or_else(|error| Reply::Error { error })
    }

    fn reply(&mut self, request: Request) -> Result<Reply> {
        let touch = match request {
            Request::Mesh { vertices, triangles, two_sided } => return self.load(&vertices, &triangles, two_sided),
            Request::Move { base, r, height, velocity, dt } => {
                return self.walk(&capsule(base, r, height)?, vector("velocity", velocity)?, number("dt", dt)?);
            }
            Request::SphereTriangle { c, r, by, tri, two_sided } => {
                let (c, r, d) = (vector("c", c)?, size("r", r)?, vector("move", by)?);
                face(&tri, two_sided, c)?.and_then(|face| scalar::sweep_sphere_triangle(c, r, d, &face))
            }
            Request::SphereMesh { c, r, by } => {
                let (sphere, d) = (Sphere { centre: vector("c", c)?, radius: size("r", r)? }, vector("move", by)?);
                let all = SphereFilter::ALL;
                let first = first_of_sphere(Kernels::Scalar, self.mesh()?, &sphere, d, &all, Half::default());
                first.as_ref().map(touch_of)
            }
            Request::CapsuleMesh { base, r, height, by } => {
                let capsule = capsule(base, r, height)?;
                let walker = Walker { capsule, radius: capsule.radius, slides: true };
                let d = vector("move", by)?;
                let mut list = ContactList::new();
                sweep_capsule(Kernels::Scalar, self.mesh()?, &walker, d, Half::default(), &mut list);
                list.as_slice().first().map(touch_of)
            }
            Request::SphereSphere(pair) => swept(&pair, ["sphere", "sphere"])?,
            Request::CapsuleCapsule(pair) => swept(&pair, ["capsule", "capsule"])?,
            Request::SphereBox(pair) => swept(&pair, ["sphere", "box"])?,
            Request::CapsuleBox(pair) => swept(&pair, ["capsule", "box"])?,
            Request::BoxBox(pair) => swept(&pair, ["box", "box"])?,
            Request::BoxTriangle { a, by, tri, two_sided } => {
                let Geometry::Box(b) = a.geometry()? else { return Err("a: is no box".into()) };
                let d = vector("move", by)?;
                face(&tri, two_sided, b.centre)?.and_then(|face| scalar::sweep_box_triangle(&b, d, &face))
            }
            Request::RayMesh(given) => self.ray_at_mesh(&ray(&given)?)?,
            Request::RayBox(given) => ray_at_shape(&given, "box")?,
            Request::RayCapsule(given) => ray_at_shape(&given, "capsule")?,
            Request::Overlap { a, b } => pairs::overlap(&a.geometry()?, &b.geometry()?),
        };
        Ok(touch.into())
    }

    fn load(&mut self, vertices: &[Point], triangles: &[[u32; 3]], two_sided: bool) -> Result<Reply> {
        let vertices = vertices.iter().map(|&v| vector("vertices", v)).collect::<Result<Vec<Vec3>>>()?;
        let flags = if two_sided { TriangleFlags::TWO_SIDED } else { TriangleFlags::default() };
        let triangle = |&corners: &[u32; 3]| SourceTriangle { corners, flags, material: 0, area: 0 };
        let source: Vec<SourceTriangle> = triangles.iter().map(triangle).collect();
        let mut mesh = build_fitting(&vertices, &source).map_err(|error| error.to_string())?;
        mesh.plant_tree();
        let triangles = mesh.triangle_count();
        self.mesh = Some(mesh);
        Ok(Reply::Loaded { triangles })
    }

    fn ray_at_mesh(&mut self, ray: &Ray) -> Result<Option<Touch>> {
        let result = self.mesh()?.cast(ray, &RayFilter::default());
        Ok(result.hit.map(|hit| {
            let fraction = if ray.length > 0.0 { hit.distance / ray.length } else { 0.0 };
            Touch { fraction, point: ray.at(hit.distance), normal: hit.normal }
        }))
    }

    /// A walking human's three passes against the mesh, answered as humans answer.
    fn walk(&mut self, capsule: &Capsule, velocity: Vec3, dt: f32) -> Result<Reply> {
        if dt <= 0.0 {
            return Err(format!("dt: {dt} is not above 0"));
        }
        self.mesh()?;
        let mut walker = WalkingHuman { position: capsule.base, height: capsule.height };
        let body = self.world.create_human_body(WALKER, &walker).ok_or("no body is free")?;
        if let Some(shape) = self.world.body(body).first_shape {
            self.world.shape_mut(shape).geometry = Shape::capsule(capsule.radius, capsule.height);
        }
        let result = self.world.sweep_body(body, velocity, dt, self.mesh.as_mut(), &mut walker);
        self.world.free_human_body(body);
        Ok(Reply::Moved { position: walker.position.to_array(), velocity: result.velocity.to_array() })
    }
}

fn swept(pair: &Pair, kinds: [&str; 2]) -> Result<Option<Touch>> {
    let (a, b) = (pair.a.geometry()?, pair.b.geometry()?);
    is_kind("a", &a, kinds[0])?;
    is_kind("b", &b, kinds[1])?;
    Ok(pairs::sweep(&a, vector("move", pair.by)?, &b, PairRules::default()))
}

fn is_kind(name: &str, geometry: &Geometry, kind: &str) -> Result<()> {
    let own = match geometry {
        Geometry::Box(_) => "box",
        Geometry::Sphere(_) => "sphere",
        Geometry::Capsule(_) => "capsule",
        Geometry::Segment(_) => "segment",
    };
    if own == kind { Ok(()) } else { Err(format!("{name}: is a {own}, not a {kind}")) }
}

/// A ray at a box or capsule. The engine keeps only the fraction; point and normal are worked out here.
fn ray_at_shape(given: &RayAtShape, kind: &str) -> Result<Option<Touch>> {
    let (ray, shape) = (ray(&given.ray)?, given.b.geometry()?);
    is_kind("b", &shape, kind)?;
    let d = ray.direction * ray.length;
    Ok(pairs::ray(Kernels::Scalar, ray.origin, d, &shape).map(|fraction| {
        let point = ray.origin + d * fraction;
        Touch { fraction, point, normal: surface_normal(&shape, point) }
    }))
}

fn surface_normal(shape: &Geometry, point: Vec3) -> Vec3 {
    match shape {
        Geometry::Box(b) => {
            let local = b.local(point);
            let depth = |axis: usize| local[axis].abs() - b.half[axis];
            let axis = (1..3).fold(0, |best, axis| if depth(axis) > depth(best) { axis } else { best });
            b.axes[axis] * if local[axis] < 0.0 { -1.0 } else { 1.0 }
        }
        Geometry::Capsule(c) => (point - scalar::closest_point(point, c.base, c.top())).normalize_or_zero(),
        Geometry::Sphere(_) | Geometry::Segment(_) => Vec3::ZERO,
    }
}

/// An answer whose numbers JSON can hold.
fn finite(reply: Reply) -> Result<Reply> {
    let sound = |parts: &[Point]| parts.iter().flatten().all(|part| part.is_finite());
    let fine = match &reply {
        Reply::Hit { fraction, point, normal, .. } => fraction.is_finite() && sound(&[*point, *normal]),
        Reply::Moved { position, velocity } => sound(&[*position, *velocity]),
        Reply::Miss { .. } | Reply::Loaded { .. } | Reply::Error { .. } => true,
    };
    if fine { Ok(reply) } else { Err("the answer is out of range".into()) }
}

/// Answers each line of the input with one line, flushed whenever nobody has written ahead.
fn serve(mut input: BufReader<impl Read>, output: impl Write) -> io::Result<()> {
    let mut output = BufWriter::new(output);
    let mut program = Program { mesh: None, world: PhysicsWorld::new() };
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let reply = program.answer(&line);
        serde_json::to_writer(&mut output, &reply)?;
        output.write_all(b"\n")?;
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    output.flush()
}

fn main() -> io::Result<()> {
    serve(BufReader::new(io::stdin().lock()), io::stdout().lock())
}
