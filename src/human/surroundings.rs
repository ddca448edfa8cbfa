//! Who is far from every eye, looked at once a step.

use super::store::Humans;
use crate::maths::Vec3;

/// From so many metres off every player a brain's human is far: its turns are made at once.
///
/// Source: humans and combat, AI locomotion (lod of 2 and more). Our choice of the distance, at which the coarsest person is drawn.
const FAR: f32 = 15.0;

impl Humans {
    /// Looks around one human.
    pub(super) fn look_around(&mut self, n: usize) {
        let human = &self.people[n];
        let away = |eye: &Vec3| (*eye - human.position).horizontal().length_squared();
        let mut eyes = self.eyes.iter().flatten().map(away).peekable();
        let watched = eyes.peek().is_some();
        let far = watched && human.spawn.player.is_none() && eyes.all(|away| away > FAR * FAR);
        self.people[n].far = far;
    }
}
