//! What a line asks, and what of it is refused.

use boardwalk::collision::{Face, Ray};
use boardwalk::maths::Vec3;
use boardwalk::physics::shapes::{Capsule, Geometry, OrientedBox, Segment, Sphere};
use serde::Deserialize;

/// Numbers further from zero than this are refused: their fourth powers would leave the range of a single float.
const LARGEST: f32 = 1e9;
/// A point as it is given.
pub type Point = [f32; 3];
/// What a request comes to, or why not.
pub type Result<T> = std::result::Result<T, String>;

/// A line.
#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Request {
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

/// A triangle, with its sides told or not.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum Triangle {
    Points([Point; 3]),
    WithSides {
        #[serde(alias = "vertices", alias = "v", alias = "tri")]
        points: [Point; 3],
        #[serde(default)]
        two_sided: bool,
    },
}

/// Two shapes, the first one moving.
#[derive(Deserialize)]
pub struct Pair {
    pub a: GivenShape,
    pub b: GivenShape,
    #[serde(rename = "move")]
    pub by: Point,
}

/// A ray.
#[derive(Deserialize)]
pub struct GivenRay {
    pub origin: Point,
    pub dir: Point,
    pub length: f32,
}

/// A ray and the shape it is cast at.
#[derive(Deserialize)]
pub struct RayAtShape {
    #[serde(flatten)]
    pub ray: GivenRay,
    #[serde(alias = "a", alias = "shape", alias = "box", alias = "capsule")]
    pub b: GivenShape,
}

/// A shape.
#[derive(Clone, Copy, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GivenShape {
    Box { centre: Point, axes: [Point; 3], half: Point },
    Sphere { c: Point, r: f32 },
    Capsule { base: Point, r: f32, height: f32 },
    Segment { a: Point, b: Point, r: f32 },
}

/// A number that is not too far from zero.
pub fn number(name: &str, value: f32) -> Result<f32> {
    if value.abs() <= LARGEST { Ok(value) } else { Err(format!("{name}: {value} is out of range")) }
}

/// A number that is not below zero either.
pub fn size(name: &str, value: f32) -> Result<f32> {
    if value >= 0.0 { number(name, value) } else { Err(format!("{name}: {value} is negative")) }
}

/// A point or move.
pub fn vector(name: &str, value: Point) -> Result<Vec3> {
    value.iter().try_for_each(|&part| number(name, part).map(drop))?;
    Ok(Vec3::from_array(value))
}

impl GivenShape {
    pub fn geometry(&self) -> Result<Geometry> {
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

/// An upright capsule.
pub fn capsule(base: Point, r: f32, height: f32) -> Result<Capsule> {
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
pub fn face(triangle: &Triangle, two_sided: Option<bool>, towards: Vec3) -> Result<Option<Face>> {
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
pub fn ray(given: &GivenRay) -> Result<Ray> {
    let origin = vector("origin", given.origin)?;
    let direction = vector("dir", given.dir)?.try_normalize().ok_or("dir: has no length")?;
    Ok(Ray { origin, direction, length: size("length", given.length)? })
}
