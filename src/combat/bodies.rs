//! What a fight does to bodies: who is out blocks nobody, who lies cannot be moved, and a pair passes through itself.
//!
//! Source: seed 002, Human contacts (Groups, Who loses BLOCKHUMANS, A knockdown keeps it, What gives it back).

use crate::collision::CollisionMesh;
use crate::human::Humans;
use crate::human::numbers::{JOG, state};
use crate::human::owners::{human_of_owner, owner_of_human};
use crate::physics::PhysicsWorld;
use crate::physics::constants::IMMOVABLE;
use crate::physics::humans::{BodyWishes, PushReaction, Readiness, Standing, change_places, may_change_places};
use crate::physics::ids::BodyId;
use crate::physics::owner::PushedBy;
use crate::tasks::engine::TaskEngine;
use crate::tasks::humans::gates::held;
use crate::tasks::humans::step::STEP_SECONDS;
use crate::tasks::owners::TaskOwners;

impl Humans {
    /// Before a human's move: its body is made to fit its state. Nothing happens without a body, except that who was healed
    /// gets one.
    pub fn fit_body(&mut self, n: usize, tasks: &mut TaskEngine, physics: &mut PhysicsWorld) {
        let now = self.seconds();
        self.people[n].push_timer.tick(now);
        let (dead, out) = (self.people[n].is_dead(), self.people[n].is_out());
        let fight = &mut self.people[n].fight;
        let passable = fight.let_go;
        // Rising alone gives nothing back: that takes a heal.
        fight.let_go = out || (passable && !fight.healed);
        let heals = core::mem::take(&mut fight.healed) && passable && !out;
        let old = self.people[n].body;
        let body = if heals { self.heal_body(n, old, tasks, physics) } else { old };
        let Some(body) = body else { return };
        if dead && !passable {
            physics.knock_out(body);
        } else if out && !passable {
            physics.stop_blocking_humans(body);
        }
        if dead && self.lies_still(n) {
            self.lose_body(n, body, physics);
            return;
        }
        self.strike_anew(n, body, physics);
        self.link(n, body, tasks, physics);
        let holds = self.people[n].is(state::GRABBING);
        if holds != physics.human_parts(body).is_some_and(|parts| parts.push_sphere.is_some()) {
            physics.set_push_sphere(body, holds);
        }
    }

    /// Who was healed has a new body, which blocks again. No link and no strike survives it.
    ///
    /// Source: seed 002, Human contacts (Human_Heal 0x0022eb40).
    fn heal_body(
        &mut self,
        n: usize,
        old: Option<BodyId>,
        tasks: &mut TaskEngine,
        physics: &mut PhysicsWorld,
    ) -> Option<BodyId> {
        let wishes = BodyWishes { player: self.people[n].spawn.player.is_some(), pushable: true };
        let owner = owner_of_human(n);
        let body = physics.remake_human_body(old, owner, wishes, &TaskOwners::with_humans(tasks, self));
        let human = &mut self.people[n];
        human.body = body;
        human.fight.applied = 0;
        if let Some(body) = body {
            physics.body_moved(body, &TaskOwners::with_humans(tasks, self));
        }
        body
    }

    /// Whether somebody who is out has come to lie: nothing moves the body any more.
    fn lies_still(&self, n: usize) -> bool {
        let human = &self.people[n];
        !human.is_airborne() && human.fight.partner.is_none() && human.held & held::KNOCK_BACK == 0
    }

    /// The dead have no body: nothing strikes, pushes or meets them, and they leave one of the sixty to who comes.
    ///
    /// Our choice: it goes when the clip of the fall is over as well, so that walls stop who is thrown back by the last blow.
    ///
    /// Source: seed 002, Human contacts (a dead one has his body freed unless airborne).
    fn lose_body(&mut self, n: usize, body: BodyId, physics: &mut PhysicsWorld) {
        physics.free_human_body(body);
        let human = &mut self.people[n];
        human.push_weight = human.own_push_weight();
        (human.body, human.fight.applied) = (None, 0);
    }

    /// Humans, a bit each, are played by a scene with a group, or by none any more.
    ///
    /// Source: seed 002, Human contacts (Groups: a scene sets one group on the humans it plays).
    pub fn stage_together(&mut self, humans: u64, group: u16) {
        for (n, human) in self.people.iter_mut().enumerate() {
            if humans >> n & 1 != 0 {
                human.staged = group;
            }
        }
    }

    /// The halves of a pair share a group while they are one; those whom a scene plays, else, share the scene's.
    fn link(&mut self, n: usize, body: BodyId, tasks: &mut TaskEngine, physics: &mut PhysicsWorld) {
        let (group, staged) = (physics.body(body).group, self.people[n].staged);
        let partner = self.people[n].fight.partner.map(usize::from);
        match partner.and_then(|other| Some((other, self.people.get(other)?.body?))) {
            Some((_, theirs)) if group == staged || physics.body(theirs).group != group => {
                physics.link_humans(&[body, theirs], &mut TaskOwners::with_humans(tasks, self));
            }
            None if group != staged => {
                physics.unlink_humans(&[body], &mut TaskOwners::with_humans(tasks, self));
                physics.join_group(body, staged);
                let human = &mut self.people[n];
                human.push_weight = human.own_push_weight();
            }
            _ => {}
        }
    }

    /// After a human's move: bystanders make room for a grab, and a friend who was pushed for long changes places.
    pub fn make_room(
        &mut self,
        n: usize,
        tasks: &mut TaskEngine,
        physics: &mut PhysicsWorld,
        mesh: Option<&mut CollisionMesh>,
    ) {
        let Some(body) = self.people[n].body else { return };
        if physics.human_parts(body).is_some_and(|parts| parts.push_sphere.is_some()) {
            physics.push_away_humans(body, mesh, &mut TaskOwners::with_humans(tasks, self));
        }
        let Some((pusher, pushed)) = self.swap.take().map(|(a, b)| (usize::from(a), usize::from(b))) else { return };
        let (Some(a), Some(b)) = (self.people[pusher].body, self.people[pushed].body) else { return };
        if may_change_places(self.readiness(pusher), self.readiness(pushed)) {
            change_places(physics, a, b, &mut TaskOwners::with_humans(tasks, self));
            for n in [pusher, pushed] {
                tasks.move_human(n as u16, self.people[n].pose(), self.people[n].velocity);
            }
        }
    }

    fn readiness(&self, n: usize) -> Readiness {
        let human = &self.people[n];
        Readiness { fights: human.is(state::STANCE), held: human.held, states: human.state }
    }

    /// A walker has walked into somebody. Only players are minded.
    ///
    /// Source: seed 002, Human contacts (Human_OnPushContact 0x00219b08).
    pub fn was_pushed(&mut self, pushed: usize, by: &PushedBy) {
        let Some(pusher) = human_of_owner(by.mover).filter(|pusher| self.people[*pusher].present) else { return };
        self.people[pushed].fight.pushed_by = Some(pusher as u8);
        if self.people[pusher].spawn.player.is_none() {
            return;
        }
        let (now, standing) = (self.seconds(), self.standing(pusher, pushed));
        match self.people[pushed].push_timer.pushed(now, standing, by.direction, by.normal) {
            PushReaction::TakesOffence => {
                // No damage, but the player is an enemy from now on.
                self.people[pushed].fight.struck_by = Some(pusher as u8);
                self.strikes(pusher as u8, pushed as u8);
            }
            PushReaction::AsksToChangePlaces => self.swap = Some((pusher as u8, pushed as u8)),
            PushReaction::Nothing | PushReaction::Waits => {}
        }
    }

    /// How somebody who is pushed stands to the pusher.
    fn standing(&self, pusher: usize, pushed: usize) -> Standing {
        let (by, human) = (&self.people[pusher], &self.people[pushed]);
        let stranger = self.strangers.checked_shr(human.spawn.gang.into()).unwrap_or(0) & 1 == 1;
        match by.spawn.gang == human.spawn.gang {
            true if by.gait >= JOG => Standing::Friend,
            false if stranger => Standing::Stranger,
            _ => Standing::Other,
        }
    }

    /// Seconds since the level began.
    fn seconds(&self) -> f32 {
        self.now as f32 * STEP_SECONDS
    }
}

impl crate::human::Human {
    /// The push weight that its own state asks for: who lies or is out is moved by nobody.
    ///
    /// Source: seed 002, Human contacts (Human_KnockDown 0x0022f100, Human_GetUp 0x0022f3c8).
    pub fn own_push_weight(&self) -> f32 {
        if self.is_out() || self.is(state::DOWN) { IMMOVABLE } else { 1.0 }
    }
}
