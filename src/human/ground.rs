//! Moving a human: root motion, gravity, the sweep, the ground.
//!
//! Source: humans and combat, Moving, ground, air; seed 002, Sweeping a body.

use super::numbers::{AnimState, FALL_HURTS, OUT_OF_WORLD, state};
use super::speeds::turn_between;
use super::store::{Humans, Notice};
use crate::collision::{CollisionMesh, Ray, RayFilter};
use crate::ee::vu0::carry::carry;
use crate::maths::{Pose, Quat, Vec3, wrap_heading};
use crate::physics::PhysicsWorld;
use crate::physics::constants::{GRAVITY, LOWEST_FALL_SPEED, WALL_UPRIGHT, WILD_SPEED};
use crate::physics::sweep::SweepOutcome;
use crate::tasks::engine::TaskEngine;
use crate::tasks::humans::gates::{held, state as gate_state};
use crate::tasks::humans::step::STEP_SECONDS;
use crate::tasks::owners::TaskOwners;

/// Where the snap ray starts over the feet and how far down it reaches, in metres.
const SNAP: (f32, f32) = (1.0, 1.5);
/// Feet this far below the ground at the start of an update land. Source: physics units, Landing contact.
const LANDS_BELOW: f32 = 0.17;
/// Steps of blocked flight after which a human goes back to the last ground.
const BLOCKED_STEPS: u32 = 60;

/// No clip carries faster than this, in metres a second. Source: humans and combat, Moving, ground, air (Order).
fn capped(carried: Vec3) -> Vec3 {
    let speed = carried.length();
    if speed > WILD_SPEED { carried * (WILD_SPEED / speed) } else { carried }
}

impl Humans {
    /// Moves one human after its control: the rest of the state update.
    pub fn move_human(
        &mut self,
        n: usize,
        tasks: &mut TaskEngine,
        physics: &mut PhysicsWorld,
        mut mesh: Option<&mut CollisionMesh>,
    ) {
        let human = &mut self.people[n];
        if !human.present {
            return;
        }
        if human.velocity.length() > WILD_SPEED * human.spawn.scale {
            human.velocity = Vec3::ZERO;
        }
        let stood = human.pose();
        let (moved, turned) = human.carried;
        let carried = capped(Quat::from_heading(human.heading).rotate(moved) * (1.0 / STEP_SECONDS));
        // A clip that turns a brain's human in place goes no further than where it wants to look.
        let turned = if human.held & held::TURN != 0 && human.spawn.player.is_none() {
            let left = turn_between(human.heading, human.asked.heading);
            turned.clamp(left.min(0.0), left.max(0.0))
        } else {
            turned
        };
        human.heading = wrap_heading(human.heading + turned);
        let airborne = human.is_airborne();
        if airborne {
            if self.lands(n) {
                self.land(n);
            } else {
                let human = &mut self.people[n];
                human.airborne += 1;
                if human.airborne >= 2 {
                    human.velocity.z = (human.velocity.z - GRAVITY * STEP_SECONDS).max(LOWEST_FALL_SPEED);
                }
            }
        }
        let human = &mut self.people[n];
        let own = if human.stillness > 0 { Vec3::ZERO } else { human.velocity + carried + human.push };
        let climbs = self.follow_climb(n);
        let human = &mut self.people[n];
        let before = human.position;
        let (body, free) = (human.body, human.fight.partner.is_none() && climbs.is_none());
        match body.filter(|_| free) {
            Some(body) => {
                if human.is_airborne()
                    && let Some(mesh) = mesh.as_deref_mut()
                {
                    let owners = TaskOwners::with_humans(tasks, self);
                    physics.push_out_in_air(body, mesh, &owners);
                }
                let mut owners = TaskOwners::with_humans(tasks, self);
                physics.follow_owner(body, &owners);
                let result = physics.sweep_body(body, own, STEP_SECONDS, mesh.as_deref_mut(), &mut owners);
                let human = &mut self.people[n];
                if result.outcome == SweepOutcome::Stuck && human.is_airborne() {
                    human.blocked += 1;
                }
                if human.fight.is_charge() && result.outcome == SweepOutcome::Stuck {
                    human.fight.stopped = true;
                }
            }
            None => human.position = climbs.unwrap_or(human.position + own * STEP_SECONDS),
        }
        let human = &mut self.people[n];
        // What a wall has taken from the velocity is no longer the gait's speed.
        if human.fight.stopped && human.fight.is_charge() {
            (human.velocity.x, human.velocity.y) = (0.0, 0.0);
            human.carried = (Vec3::ZERO, 0.0);
        }
        if let Some(mesh) = mesh.filter(|_| climbs.is_none()) {
            self.find_ground(n, before, mesh);
        }
        // The bones were placed before the move; they go along.
        let human = &mut self.people[n];
        let back = stood.rotation.conjugate();
        let moved = human.pose() * Pose::new(back, -back.rotate(stood.position));
        carry(&moved, &mut human.bones);
        if let Some(body) = self.people[n].body {
            physics.mark_dirty(body);
            physics.update_body(body, &mut TaskOwners::with_humans(tasks, self));
        }
    }

    /// Snaps a human to the ground, or lets it fall.
    fn find_ground(&mut self, n: usize, before: Vec3, mesh: &mut CollisionMesh) {
        let human = &mut self.people[n];
        if human.position.z < mesh.lowest_z() - OUT_OF_WORLD {
            human.health = 0;
            human.state |= gate_state::DEAD;
            human.velocity = Vec3::ZERO;
            human.position = human.last_ground;
            return;
        }
        let (above, reach) = SNAP;
        let down = Vec3::new(0.0, 0.0, -1.0);
        let ray = |at: Vec3, length: f32| Ray { origin: at + Vec3::Z * above, direction: down, length };
        if human.is_airborne() {
            if let Some(hit) = mesh.cast(&ray(human.position, above + 60.0), &RayFilter::default()).hit {
                human.ground_height = human.position.z + above - hit.distance;
            }
            if human.blocked >= BLOCKED_STEPS {
                human.position = human.last_ground;
                human.blocked = 0;
            }
            return;
        }
        if human.fight.partner.is_some() && human.is(state::GRABBED) {
            return;
        }
        let hit = mesh.cast(&ray(human.position, reach), &RayFilter::default()).hit;
        match hit.filter(|hit| hit.normal.z > WALL_UPRIGHT * 0.5) {
            Some(hit) => {
                human.position.z += above - hit.distance;
                human.ground_height = human.position.z;
                human.ground_normal = hit.normal;
                human.ground_material = hit.material;
                human.last_ground = human.position;
                human.velocity.z = 0.0;
            }
            None => {
                human.velocity = (human.position - before) * (1.0 / STEP_SECONDS);
                human.velocity.z = 0.0;
                self.leave_ground(n, gate_state::FALLING, AnimState::Fall);
            }
        }
    }

    /// Takes a human off the ground.
    pub fn leave_ground(&mut self, n: usize, how: u64, anim: AnimState) {
        let human = &mut self.people[n];
        human.state = human.state & !gate_state::AIRBORNE | how;
        human.airborne = 0;
        human.blocked = 0;
        human.left_at = human.position.z;
        human.anim = anim;
        if human.driven.is_some() {
            return;
        }
        let clip = if how == gate_state::FALLING { self.cast.drop_start } else { self.cast.jump };
        let next = if how == gate_state::FALLING { self.cast.drop } else { self.cast.jump };
        self.play_then(n, clip, 0, next, 0.0, 0.1);
    }

    /// Whether this update, by where it starts, is the landing.
    ///
    /// Our choice: by the depth of the feet under the ground, as was measured on the original, which falls on through the
    /// shallower starts that its landing segment's contact (flag 0x80) reports too. Why it does is not traced, so that the
    /// contact stops no charge and decides nothing else here.
    ///
    /// Source: physics units, Landing contact.
    fn lands(&self, n: usize) -> bool {
        let human = &self.people[n];
        let depth = human.ground_height - human.position.z;
        human.velocity.z <= 0.0 && human.airborne > 1 && depth >= LANDS_BELOW * human.spawn.scale
    }

    /// Puts a human on the ground: damage by the speed of the fall, and the clip.
    fn land(&mut self, n: usize) {
        let human = &mut self.people[n];
        let fall = human.velocity.z;
        human.position.z = human.ground_height;
        human.state &= !gate_state::AIRBORNE;
        human.velocity = Vec3::ZERO;
        human.anim = AnimState::Land;
        let running = human.stick.0 > super::numbers::DEAD_ZONE && human.spawn.player.is_some();
        let jumped = human.playing == 434;
        let [hurts, kills] = FALL_HURTS;
        let share = if fall < hurts { ((fall - hurts) / (kills - hurts)).min(1.0) } else { 0.0 };
        let damage = (share * f32::from(human.max_health)) as i16;
        human.speed = if running { human.speed } else { 0.0 };
        let at = human.position;
        self.notify(Notice::Landed { human: n as u8, at, speed: -fall });
        // The motion system plays the landing of whom it moves.
        if self.people[n].driven.is_none() {
            self.play_landed(n, running, jumped);
        }
        if damage > 0 {
            self.wound(n, damage, None);
        }
    }

    /// The clip of a landing, by how it came to it.
    fn play_landed(&mut self, n: usize, running: bool, jumped: bool) {
        let cast = self.cast;
        let clip = match (running, jumped) {
            (true, _) => cast.land_running,
            (false, true) => cast.land,
            (false, false) => cast.drop_land,
        };
        let next = if running { None } else { Some(cast.idle) };
        self.play_landing(n, clip, held::LANDING, next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_clip_carries_faster_than_fifty_metres_a_second() {
        assert_eq!(capped(Vec3::new(0.0, 60.0, 80.0)), Vec3::new(0.0, 30.0, 40.0));
        assert_eq!(capped(Vec3::Y * 49.0), Vec3::Y * 49.0);
    }
}
