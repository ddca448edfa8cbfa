//! The camera behind and above a human.

use crate::collision::{CollisionMesh, Ray, RayFilter};
use crate::maths::{Vec3, from_heading, scalar, wrap_heading};
use crate::pads::Stick;
use crate::tasks::world::View;

/// The band of metres in which the eye is kept behind its human. Source: support systems, Cameras.
const BAND: [f32; 2] = [3.0, 3.5];
/// How far down it looks, radians. Source: support systems, Cameras (13 degrees).
const PITCH: f32 = 0.2269;
/// The share of the wanted step that it moves in an update. Source: support systems, Cameras.
const FOLLOWS: f32 = 0.22;
/// The right stick turns between these, radians a second. Source: support systems, Cameras (60 to 150 degrees).
const STICK_TURN: [f32; 2] = [core::f32::consts::FRAC_PI_3, 2.618];
/// The eye's pitch may be changed within this by the right stick, radians.
const STICK_PITCH: [f32; 2] = [-0.35, 0.55];
/// Height over the feet that it looks at, metres; and how far ahead of a run.
const LOOK: f32 = 1.45;
const AHEAD: f32 = 0.09;
/// Triangles that it looks through. Source: support systems, Cameras (ray mask 0x200).
const MASK: u16 = 0x200;
/// The eye keeps off walls by this, in metres.
const CLEARANCE: f32 = 0.25;
/// The share of the way behind somebody who turns on the spot that it swings in an update. Our choice: the direct scheme's
/// camera never swings, but there the stick's directions are the picture's.
const SWINGS: f32 = 0.15;
/// A fight pulls it back by this, in metres.
const FIGHT: f32 = 0.5;
/// A heavy hit shakes it for this many steps, by this much in metres.
const SHAKE: (u16, f32) = (6, 0.05);
/// Steps of a camera in a second.
const STEPS_A_SECOND: f32 = 30.0;
/// How far it sees, and the cosine of half its angle of view.
const FAR: f32 = 120.0;
const COS_HALF: f32 = 0.85;

/// What a follow camera is told in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Subject {
    /// Feet, metres.
    pub position: Vec3,
    /// Metres a second.
    pub velocity: Vec3,
    /// In a fight.
    pub fights: bool,
    /// The heading behind which it swings by itself, for somebody who turns on the spot.
    pub turns_to: Option<f32>,
}

/// The camera.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FollowCamera {
    /// The eye, metres.
    pub eye: Vec3,
    /// What it looks at, metres.
    pub look: Vec3,
    pitch: f32,
    back: f32,
    shake: Shaking,
}

/// A shake that dies away.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Shaking {
    /// Steps that it has left, and that it had.
    left: u16,
    steps: u16,
    /// Metres up and down at its beginning.
    size: f32,
}

impl Shaking {
    /// Metres by which it shakes now.
    fn now(&self) -> f32 {
        self.size * f32::from(self.left) / f32::from(self.steps.max(1))
    }
}

impl FollowCamera {
    /// Behind a human that faces a heading, at once.
    pub fn behind(position: Vec3, heading: f32) -> Self {
        let look = position + Vec3::Z * LOOK;
        let mut camera = Self { look, pitch: PITCH, ..Self::default() };
        camera.eye = camera.wanted(heading, BAND[0]);
        camera
    }

    /// Where the eye would be, looking along a heading from this far.
    fn wanted(&self, heading: f32, distance: f32) -> Vec3 {
        let (s, c) = scalar::sin_cos(self.pitch);
        self.look - from_heading(heading) * (distance * c) + Vec3::Z * (distance * s)
    }

    /// Where it looks, radians clockwise from +y: sticks are turned by it.
    pub fn heading(&self) -> f32 {
        crate::maths::heading_of((self.look - self.eye).horizontal())
    }

    /// A heavy hit shakes it.
    pub fn shake(&mut self) {
        self.shake = Shaking { left: SHAKE.0, steps: SHAKE.0, size: SHAKE.1 };
    }

    /// Shakes it by `size` metres, dying away over `seconds`. What shakes it more goes on.
    ///
    /// Source: seed 000, Script types (a player camera's shake slot: level and time).
    pub fn shake_by(&mut self, size: f32, seconds: f32) {
        let steps = (seconds * STEPS_A_SECOND) as u16;
        if size >= self.shake.now() {
            self.shake = Shaking { left: steps, steps, size };
        }
    }

    /// One step of `dt` seconds.
    pub fn step(&mut self, subject: &Subject, stick: Stick, mesh: Option<&mut CollisionMesh>, dt: f32) {
        // What it looks at follows at once across the ground, softly in height; it leads a run.
        let ahead = subject.velocity.horizontal() * AHEAD;
        let wanted = subject.position + Vec3::Z * LOOK + ahead;
        let step = wanted - self.look;
        self.look += Vec3::new(step.x * 0.6, step.y * 0.6, step.z * FOLLOWS);
        let pulled = if subject.fights { FIGHT } else { 0.0 };
        self.back += (pulled - self.back) * FOLLOWS * 0.5;
        let size = scalar::sqrt(stick.x * stick.x + stick.y * stick.y).min(1.0);
        let rate = STICK_TURN[0] + (STICK_TURN[1] - STICK_TURN[0]) * size;
        let swing = subject.turns_to.filter(|_| stick.x == 0.0).map_or(0.0, |to| {
            let off = wrap_heading(to - self.heading() + core::f32::consts::PI) - core::f32::consts::PI;
            off * SWINGS
        });
        let heading = wrap_heading(self.heading() + stick.x * rate * dt + swing);
        let level = if stick.y == 0.0 { (PITCH - self.pitch) * 0.03 } else { -stick.y * rate * 0.5 * dt };
        self.pitch = (self.pitch + level).clamp(STICK_PITCH[0], STICK_PITCH[1]);
        // The eye is dragged along and stays in its band.
        let flat = (self.look - self.eye).horizontal().length();
        let (_, c) = scalar::sin_cos(self.pitch);
        let distance = (flat / c.max(0.3)).clamp(BAND[0] + self.back, BAND[1] + self.back);
        let wanted = self.wanted(heading, distance);
        let turned = if stick.x == 0.0 { FOLLOWS.max(0.6) } else { 1.0 };
        self.eye += (wanted - self.eye) * turned;
        self.keep_distance();
        if let Some(mesh) = mesh {
            self.keep_out_of_walls(mesh);
        }
        if self.shake.left > 0 {
            self.shake.left -= 1;
            let sign = if self.shake.left & 1 == 0 { 1.0 } else { -1.0 };
            self.eye.z += sign * self.shake.now();
        }
    }

    fn keep_distance(&mut self) {
        let off = self.eye - self.look;
        let length = off.length();
        let kept = length.clamp(BAND[0] + self.back, BAND[1] + self.back);
        if length > 1e-3 {
            self.eye = self.look + off * (kept / length);
        }
    }

    /// The eye comes nearer rather than behind a wall.
    fn keep_out_of_walls(&mut self, mesh: &mut CollisionMesh) {
        let off = self.eye - self.look;
        let length = off.length();
        let Some(direction) = off.try_normalize() else { return };
        let filter = RayFilter { mask: MASK, see_through: &[] };
        let ray = Ray { origin: self.look, direction, length: length + CLEARANCE };
        if let Some(hit) = mesh.cast(&ray, &filter).hit {
            self.eye = self.look + direction * (hit.distance - CLEARANCE).max(0.3);
        }
        if let Some(push) = mesh.sphere_push(self.eye, CLEARANCE) {
            self.eye += push.push;
        }
    }

    /// What it sees.
    pub fn view(&self) -> View {
        view(self.eye, self.look)
    }
}

/// What tasks know of a camera at `eye` that looks at `look`.
pub fn view(eye: Vec3, look: Vec3) -> View {
    View { position: eye, forward: (look - eye).normalize_or_zero(), cos_half_angle: COS_HALF, far: FAR }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::{Scene, floor, wall};

    const DT: f32 = 1.0 / 30.0;

    #[test]
    fn it_stays_in_its_band_behind_a_runner_and_looks_thirteen_degrees_down() {
        let mut camera = FollowCamera::behind(Vec3::ZERO, 0.0);
        let mut subject = Subject { velocity: Vec3::Y * 7.8, ..Subject::default() };
        for _ in 0..120 {
            subject.position += subject.velocity * DT;
            camera.step(&subject, Stick::default(), None, DT);
            let distance = (camera.eye - camera.look).length();
            assert!((2.999..=3.501).contains(&distance), "{distance}");
        }
        let forward = camera.view().forward;
        let down = (-forward.z).asin().to_degrees();
        assert!((down - 13.0).abs() < 1.5 && camera.heading().min(0.1) < 0.05, "{down} {}", camera.heading());
    }

    #[test]
    fn the_right_stick_goes_round() {
        let mut camera = FollowCamera::behind(Vec3::ZERO, 0.0);
        for _ in 0..30 {
            camera.step(&Subject::default(), Stick { x: 1.0, y: 0.0 }, None, DT);
        }
        let turned = camera.heading().to_degrees();
        assert!((turned - 150.0).abs() < 25.0, "a second of full stick: {turned}");
    }

    #[test]
    fn it_swings_behind_who_turns_on_the_spot_until_the_stick_says_otherwise() {
        let mut camera = FollowCamera::behind(Vec3::ZERO, 0.0);
        let subject = Subject { turns_to: Some(1.5), ..Subject::default() };
        for _ in 0..60 {
            camera.step(&subject, Stick::default(), None, DT);
        }
        assert!((camera.heading() - 1.5).abs() < 0.05, "{}", camera.heading());
        camera.step(&subject, Stick { x: -1.0, y: 0.0 }, None, DT);
        assert!(camera.heading() < 1.48, "{}", camera.heading());
    }

    #[test]
    fn it_never_looks_through_a_wall() {
        let mut mesh =
            Scene::new().with(floor(40.0, 0.0)).with(wall([0.0, 18.5], [40.0, 18.5], [0.0, 6.0])).mesh([4, 4, 1]);
        // The wall faces +y or -y; from its front the eye stops before it.
        let subject = Subject { position: Vec3::new(20.0, 17.8, 0.0), ..Subject::default() };
        let mut camera = FollowCamera::behind(subject.position, core::f32::consts::PI);
        for _ in 0..30 {
            camera.step(&subject, Stick::default(), Some(&mut mesh), DT);
        }
        assert!(camera.eye.y < 18.5, "{:?}", camera.eye);
    }
}
