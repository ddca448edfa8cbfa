//! What a human's control and actions need to know of what is around it, looked at once a step.

use super::numbers::JOG;
use super::store::Humans;
use crate::collision::{CollisionMesh, Ray, RayFilter, TriangleFlags};
use crate::maths::{Vec3, from_heading};

/// From so many metres off every player a brain's human is far: its turns are made at once.
///
/// Source: humans and combat, AI locomotion (lod of 2 and more). Our choice of the distance, at which the coarsest person is drawn.
const FAR: f32 = 15.0;
/// How high and how far ahead nothing may be climbable where somebody jumps, in metres.
///
/// Source: humans and combat, Moving, ground, air (Jump).
const CLIMB: (f32, f32) = (1.7, 5.5);

impl Humans {
    /// Looks around one human.
    pub(super) fn look_around(&mut self, n: usize, mesh: Option<&mut CollisionMesh>) {
        let human = &self.people[n];
        let away = |eye: &Vec3| (*eye - human.position).horizontal().length_squared();
        let mut eyes = self.eyes.iter().flatten().map(away).peekable();
        let watched = eyes.peek().is_some();
        let far = watched && human.spawn.player.is_none() && eyes.all(|away| away > FAR * FAR);
        let runs = human.spawn.player.is_some() && human.gait >= JOG;
        let before_climb =
            runs && mesh.is_some_and(|mesh| can_be_climbed(mesh, human.position, from_heading(human.heading)));
        let human = &mut self.people[n];
        (human.far, human.before_climb) = (far, before_climb);
    }
}

/// Whether what is first met ahead can be climbed.
fn can_be_climbed(mesh: &mut CollisionMesh, feet: Vec3, ahead: Vec3) -> bool {
    let (height, length) = CLIMB;
    let ray = Ray { origin: feet + Vec3::Z * height, direction: ahead, length };
    let hit = mesh.cast(&ray, &RayFilter::default()).hit;
    let climbs = TriangleFlags::CLIMBABLE.with(TriangleFlags::PLAYER_CLIMBABLE);
    hit.is_some_and(|hit| hit.flags.0 & climbs.0 != 0)
}
