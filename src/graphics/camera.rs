//! From the world to the picture.

use super::light::Fog;
use crate::ee::gs::memory::{HEIGHT, WIDTH};
use crate::ee::vu0::project::Projection;
use crate::ee::vu0::transform::placing::Lens;
use crate::maths::{Pose, Quat, Vec3};

/// The greatest depth that the depth buffer holds; larger is nearer.
///
/// Our choice: the buffer's 24 bits in full, where the seed's engine stops at 65,535, because distant railings flicker
/// through each other with sixteen.
pub const MAX_DEPTH: f32 = 16_777_215.0;
/// The picture's corner in the GS's drawing plane of 4096 by 4096: its middle is the plane's.
pub const CORNER: (f32, f32) = (2048.0 - WIDTH as f32 / 2.0, 2048.0 - HEIGHT as f32 / 2.0);
/// Where on the picture's drawing plane the hardware can still draw, in pixels from the picture's corner.
const GUARD_BAND: core::ops::Range<f32> = -1700.0..2300.0;

/// The window of an eye that has the whole picture.
pub const WHOLE: (f32, f32) = (0.0, HEIGHT as f32);

/// A point of the picture.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Projected {
    /// Pixels from the left edge.
    pub x: f32,
    /// Lines from the upper edge.
    pub y: f32,
    /// Metres in front of the eye; not above the near distance when the point cannot be drawn.
    pub distance: f32,
    /// Pixels that a metre fills at that distance.
    pub scale: f32,
    /// Value for the depth buffer.
    pub depth: u32,
}

impl Projected {
    /// A point that no primitive may use.
    const HIDDEN: Self = Self { x: 0.0, y: 0.0, distance: 0.0, scale: 0.0, depth: 0 };

    /// True when primitives may use the point.
    #[inline]
    pub fn is_drawable(&self) -> bool {
        self.distance > 0.0
    }
}

/// An eye.
///
/// The line of what is straight ahead is part of the camera, as with a shifted lens: looking a little up or down by moving
/// it keeps upright things upright.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    /// Where the eye is.
    pub eye: Vec3,
    /// Unit vector to the right.
    pub right: Vec3,
    /// Unit vector ahead.
    pub ahead: Vec3,
    /// Unit vector upwards on the picture.
    pub up: Vec3,
    /// Lines that a metre fills at one metre.
    pub focal: f32,
    /// Pixels in a row for a line: 1 on a screen of 4:3, 0.75 on one of 16:9.
    pub stretch: f32,
    /// Picture line of what is straight ahead: the horizon's of a level eye.
    pub horizon: f32,
    /// Nearest distance that is drawn, in metres.
    pub near: f32,
    /// Picture lines between which it draws: a part of the picture when several eyes share it.
    pub window: (f32, f32),
}

impl Camera {
    /// An eye that looks along `heading` (radians, clockwise from north).
    pub fn new(eye: Vec3, heading: f32, focal: f32, horizon: f32) -> Self {
        let ahead = crate::maths::from_heading(heading);
        let right = Vec3::new(ahead.y, -ahead.x, 0.0);
        Self { eye, right, ahead, up: Vec3::Z, focal, stretch: 1.0, horizon, near: 0.5, window: WHOLE }
    }

    /// An eye that looks at `target`, upright, with the picture's middle on it. Straight up and down it looks north.
    pub fn towards(eye: Vec3, target: Vec3, focal: f32) -> Self {
        let ahead = (target - eye).try_normalize().unwrap_or(Vec3::Y);
        let right = ahead.cross(Vec3::Z).try_normalize().unwrap_or(Vec3::X);
        let up = right.cross(ahead);
        Self { eye, right, ahead, up, focal, stretch: 1.0, horizon: HEIGHT as f32 * 0.5, near: 0.2, window: WHOLE }
    }

    /// Where a world point lies on the picture; not drawable when it is too near or far beside.
    #[inline]
    pub fn project(&self, point: Vec3) -> Projected {
        let from_eye = point - self.eye;
        let distance = from_eye.dot(self.ahead);
        if distance < self.near {
            return Projected::HIDDEN;
        }
        let inverse = 1.0 / distance;
        let scale = self.focal * inverse;
        let x = WIDTH as f32 * 0.5 + from_eye.dot(self.right) * scale * self.stretch;
        let y = self.horizon - from_eye.dot(self.up) * scale;
        if !GUARD_BAND.contains(&x) || !GUARD_BAND.contains(&y) {
            return Projected::HIDDEN;
        }
        Projected { x, y, distance, scale, depth: (MAX_DEPTH * self.near * inverse) as u32 }
    }

    /// The same projection for the vertex kernel, with `fog`.
    pub fn projection(&self, fog: &Fog) -> Projection {
        let colour = fog.colour * 255.0;
        Projection { rows: self.rows(&Pose::IDENTITY), fog: [colour.x, colour.y, colour.z, fog.half * fog.half] }
    }

    /// Where the picture's centre of perspective lies on the drawing plane, in pixels.
    pub fn centre(&self) -> (f32, f32) {
        (WIDTH as f32 * 0.5 + CORNER.0, self.horizon + CORNER.1)
    }

    /// Rows of the matrix that takes a point of a thing at `pose`, `(x, y, z, 1)`, to (plane x, plane y, depth, 1) times its
    /// distance in metres.
    pub fn rows(&self, pose: &Pose) -> [[f32; 4]; 4] {
        let turn = pose.rotation;
        let axes = [turn.axis_x(), turn.axis_y(), turn.axis_z()];
        let [x, y, z] = axes.map(|axis| self.row(axis, 0.0));
        [x, y, z, self.row(pose.position - self.eye, MAX_DEPTH * self.near)]
    }

    /// The same for things of which only the pose changes.
    pub fn lens(&self) -> Lens {
        Lens { rows: self.rows(&Pose::new(Quat::IDENTITY, self.eye)), eye: self.eye }
    }

    /// Each plane coordinate is the eye's coordinate times the focal length, plus the centre times the distance.
    fn row(&self, direction: Vec3, depth: f32) -> [f32; 4] {
        let centre = self.centre();
        let (right, up, ahead) = (direction.dot(self.right), direction.dot(self.up), direction.dot(self.ahead));
        let x = right * self.focal * self.stretch + ahead * centre.0;
        [x, ahead * centre.1 - up * self.focal, depth, ahead]
    }

    /// True when a point is on the picture or within `margin` pixels of it.
    #[inline]
    pub fn sees(point: &Projected, margin: f32) -> bool {
        point.is_drawable()
            && (-margin..WIDTH as f32 + margin).contains(&point.x)
            && (-margin..HEIGHT as f32 + margin).contains(&point.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ee::vu0::project::{PictureVertex, WorldVertex, project};

    fn looking_north() -> Camera {
        Camera::new(Vec3::new(0.0, 0.0, 1.7), 0.0, 560.0, 264.0)
    }

    #[test]
    fn a_point_at_eye_height_straight_ahead_is_on_the_horizons_middle() {
        let point = looking_north().project(Vec3::new(0.0, 10.0, 1.7));
        assert_eq!((point.x, point.y), (320.0, 264.0));
        assert_eq!(point.scale, 56.0);
    }

    #[test]
    fn east_is_right_of_a_camera_that_looks_north() {
        assert!(looking_north().project(Vec3::new(1.0, 5.0, 0.0)).x > 320.0);
    }

    #[test]
    fn nearer_points_have_the_greater_depth() {
        let camera = looking_north();
        let depths = [1.0, 5.0, 50.0].map(|y| camera.project(Vec3::new(0.0, y, 0.0)).depth);
        assert!(depths[0] > depths[1] && depths[1] > depths[2], "{depths:?}");
    }

    #[test]
    fn the_kernels_projection_is_the_cameras() {
        let camera = Camera::new(Vec3::new(0.3, -0.5, 1.6), 0.1, 560.0, 264.0);
        let projection = camera.projection(&Fog { colour: Vec3::ZERO, half: 40.0 });
        for position in [Vec3::new(1.0, 6.0, 0.5), Vec3::new(-3.0, 40.0, 3.0)] {
            let mut picture = [PictureVertex::default()];
            project(&projection, &[WorldVertex { position, colour: Vec3::ZERO }], &mut picture);
            let point = camera.project(position);
            assert!((picture[0].x as f32 / 16.0 - point.x - CORNER.0).abs() < 0.1);
            assert!((picture[0].y as f32 / 16.0 - point.y - CORNER.1).abs() < 0.1);
            assert!((picture[0].depth - point.depth as i32).abs() < 4, "{} {}", picture[0].depth, point.depth);
        }
    }

    #[test]
    fn points_behind_or_far_beside_are_not_drawable() {
        let camera = looking_north();
        assert!(!camera.project(Vec3::new(0.0, -1.0, 0.0)).is_drawable());
        assert!(!camera.project(Vec3::new(50.0, 1.0, 0.0)).is_drawable());
    }
}
