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

use boardwalk::collision::build::{SourceTriangle, build_fitting};
use boardwalk::collision::{CollisionMesh, Face, Ray, RayFilter, TriangleFlags};
use boardwalk::maths::{Pose, Quat, Vec3};
use boardwalk::physics::PhysicsWorld;
use boardwalk::physics::contact::{Contact, ContactList, Half};
use boardwalk::physics::flags::{Answer, TypeMask};
use boardwalk::physics::human_body::{human_attribute, human_has_attribute};
use boardwalk::physics::humans::{MoverState, human_answer};
use boardwalk::physics::ids::OwnerId;
use boardwalk::physics::kernels::scalar;
use boardwalk::physics::kernels::{Kernels, Touch};
use boardwalk::physics::mesh::{SphereFilter, Walker, first_of_sphere, sweep_capsule};
use boardwalk::physics::owner::{Attribute, HumanState, Owners, PushedBy};
use boardwalk::physics::pairs::{self, PairRules};
use boardwalk::physics::shape::Shape;
use boardwalk::physics::shapes::{Capsule, Geometry, OrientedBox, Segment, Sphere};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

/// Numbers further from zero than this are refused: their fourth powers would leave the range of a single float.
const LARGEST: f32 = 1e9;
/// Bytes of the longest line that is read.
const LONGEST_LINE: u64 = 256 << 20;

type Point = [f32; 3];
type Result<T> = std::result::Result<T, String>;

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Request {
    Mesh {
        vertices: Vec<Point>,
        triangles: Vec<[u32; 3]>,
        #[serde(default)]
        two_sided: bool,
    },
    SphereTriangle {
        c: Point,
        r: f32,
        #[serde(rename = "move")]
        by: Point,
        tri: Triangle,
        two_sided: Option<bool>,
    },
    SphereMesh {
        c: Point,
        r: f32,
        #[serde(rename = "move")]
        by: Point,
    },
    CapsuleMesh {
        base: Point,
        r: f32,
        height: f32,
        #[serde(rename = "move")]
        by: Point,
    },
    SphereSphere(Pair),
    CapsuleCapsule(Pair),
    SphereBox(Pair),
    CapsuleBox(Pair),
    BoxBox(Pair),
    BoxTriangle {
        #[serde(alias = "box")]
        a: GivenShape,
        #[serde(rename = "move")]
        by: Point,
        tri: Triangle,
        two_sided: Option<bool>,
    },
    RayMesh(GivenRay),
    RayBox(RayAtShape),
    RayCapsule(RayAtShape),
    Overlap {
        a: GivenShape,
        b: GivenShape,
    },
    Move {
        base: Point,
        r: f32,
        height: f32,
        velocity: Point,
        dt: f32,
    },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Triangle {
    Points([Point; 3]),
    WithSides {
        #[serde(alias = "vertices", alias = "v", alias = "tri")]
        points: [Point; 3],
        #[serde(default)]
        two_sided: bool,
    },
}

#[derive(Deserialize)]
struct Pair {
    a: GivenShape,
    b: GivenShape,
    #[serde(rename = "move")]
    by: Point,
}

#[derive(Deserialize)]
struct GivenRay {
    origin: Point,
    dir: Point,
    length: f32,
}

#[derive(Deserialize)]
struct RayAtShape {
    #[serde(flatten)]
    ray: GivenRay,
    #[serde(alias = "a", alias = "shape", alias = "box", alias = "capsule")]
    b: GivenShape,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum GivenShape {
    Box { centre: Point, axes: [Point; 3], half: Point },
    Sphere { c: Point, r: f32 },
    Capsule { base: Point, r: f32, height: f32 },
    Segment { a: Point, b: Point, r: f32 },
}

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

fn number(name: &str, value: f32) -> Result<f32> {
    if value.abs() <= LARGEST { Ok(value) } else { Err(format!("{name}: {value} is out of range")) }
}

fn size(name: &str, value: f32) -> Result<f32> {
    if value >= 0.0 { number(name, value) } else { Err(format!("{name}: {value} is negative")) }
}

fn vector(name: &str, value: Point) -> Result<Vec3> {
    value.iter().try_for_each(|&part| number(name, part).map(drop))?;
    Ok(Vec3::from_array(value))
}

impl GivenShape {
    fn geometry(&self) -> Result<Geometry> {
        Ok(match *self {
            Self::Box { centre, axes, half } => {
                half.iter().try_for_each(|&part| size("half", part).map(drop))?;
                let [x, y, z] = axes;
                let axes = [vector("axes", x)?, vector("axes", y)?, vector("axes", z)?];
                unit_rows(&axes)?;
                let (half, centre) = (vector("half", half)?, vector("centre", centre)?);
                Geometry::Box(OrientedBox { half, axes, centre })
            }
            Self::Sphere { c, r } => Geometry::Sphere(Sphere { centre: vector("c", c)?, radius: size("r", r)? }),
            Self::Capsule { base, r, height } => Geometry::Capsule(capsule(base, r, height)?),
            Self::Segment { a, b, r } => {
                Geometry::Segment(Segment { start: vector("a", a)?, end: vector("b", b)?, radius: size("r", r)? })
            }
        })
    }
}

fn capsule(base: Point, r: f32, height: f32) -> Result<Capsule> {
    Ok(Capsule { base: vector("base", base)?, radius: size("r", r)?, height: size("height", height)? })
}

fn unit_rows(axes: &[Vec3; 3]) -> Result<()> {
    const TOLERANCE: f32 = 1e-3;
    for i in 0..3 {
        let (own, next) = (axes[i].length_squared() - 1.0, axes[i].dot(axes[(i + 1) % 3]));
        if own.abs() > TOLERANCE || next.abs() > TOLERANCE {
            return Err("axes: the rows are not three unit vectors at right angles".into());
        }
    }
    Ok(())
}

/// A triangle turned to a point, if it has two sides.
fn face(triangle: &Triangle, two_sided: Option<bool>, towards: Vec3) -> Result<Option<Face>> {
    let (points, own) = match *triangle {
        Triangle::Points(points) => (points, false),
        Triangle::WithSides { points, two_sided } => (points, two_sided),
    };
    let [a, b, c] = points;
    let face = Face::new([vector("tri", a)?, vector("tri", b)?, vector("tri", c)?]);
    Ok(if face.distance(towards) >= 0.0 {
        Some(face)
    } else if two_sided.unwrap_or(own) {
        Some(face.turned())
    } else {
        None
    })
}

/// A ray's start and whole way.
fn ray(given: &GivenRay) -> Result<Ray> {
    let origin = vector("origin", given.origin)?;
    let direction = vector("dir", given.dir)?.try_normalize().ok_or("dir: has no length")?;
    Ok(Ray { origin, direction, length: size("length", given.length)? })
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
        let vertices: Vec<Vec3> = vertices.iter().map(|&v| Vec3::from_array(v)).collect();
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

const WALKER: OwnerId = OwnerId(1);

/// The only owner there is: a human of scale 1 whose sphere has the capsule's radius.
struct WalkingHuman {
    position: Vec3,
    height: f32,
}

impl Owners for WalkingHuman {
    fn type_mask(&self, _: OwnerId) -> TypeMask {
        TypeMask::HUMAN
    }
    fn pose(&self, _: OwnerId) -> Pose {
        Pose::new(Quat::IDENTITY, self.position)
    }
    fn bone(&self, owner: OwnerId, _: u8) -> Pose {
        self.pose(owner)
    }
    fn held_pose(&self, _: OwnerId) -> Option<Pose> {
        None
    }
    fn human(&self, _: OwnerId) -> Option<HumanState> {
        // The capsule reaches 0.2 m above the head.
        let head_height = self.position.z + self.height - 0.2;
        Some(HumanState { head_height, ground_height: self.position.z, ..HumanState::default() })
    }
    fn attribute(&self, _: OwnerId, attribute: Attribute) -> f32 {
        human_attribute(attribute, 1.0)
    }
    fn set_attribute(&mut self, _: OwnerId, _: Attribute, _: f32) {}
    fn has_attribute(&self, _: OwnerId, attribute: Attribute) -> bool {
        human_has_attribute(attribute)
    }
    fn state_flags(&self, _: OwnerId) -> u32 {
        0
    }
    fn accepts(&self, _: OwnerId, _: OwnerId) -> bool {
        true
    }
    fn set_position(&mut self, _: OwnerId, position: Vec3) {
        self.position = position;
    }
    fn set_rotation(&mut self, _: OwnerId, _: Quat) {}
    fn set_velocity(&mut self, _: OwnerId, _: Vec3) {}
    fn on_contact(
        &mut self,
        _: &mut PhysicsWorld,
        _: Option<&mut CollisionMesh>,
        _: OwnerId,
        contact: &Contact,
    ) -> Answer {
        human_answer(contact, None, MoverState::default(), false).answer
    }
    fn on_pushed(&mut self, _: OwnerId, _: &PushedBy) {}
    fn on_settled(&mut self, _: OwnerId) {}
}

fn main() -> io::Result<()> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut output = BufWriter::new(io::stdout().lock());
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
