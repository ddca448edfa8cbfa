//! News for brains and gangs: who has gone, and what was heard.
//!
//! Source: seed 000, Messages and events, and Humans_Update (step 4).

use super::brain::{Brain, Goal, Temper};
use super::brains::{Brains, is_up};
use crate::human::Humans;
use crate::tasks::humans::GANGS;
use crate::tasks::humans::events::kind;

/// Steps for which a coward is afraid of whom it saw strike, or was warned of.
const AFRAID: u16 = 150;
/// Steps for which somebody who takes a walk stands and looks when others fight.
const LOOKS: u16 = 60;
/// Metres about where it stands in which somebody walks whose goals ran out.
const STROLL: f32 = 4.0;

impl Goal {
    /// Whether somebody is what it is about.
    fn names(&self, place: u8) -> bool {
        match *self {
            Self::Follow { leader: other, .. }
            | Self::Attack { target: other }
            | Self::Flee { from: other }
            | Self::Help { friend: other } => other == place,
            Self::Idle | Self::Wander { .. } | Self::MoveTo { .. } | Self::Path { .. } => false,
        }
    }
}

impl Brains {
    /// Somebody is no longer there: the brain of the place stops, and no goal, formation or gang names it any more.
    pub fn forget(&mut self, place: u8) {
        let n = usize::from(place);
        if let Some(brain) = self.brains.get_mut(n) {
            *brain = Brain::default();
        }
        if let Some(walk) = self.walks.as_mut().and_then(|walks| walks.get_mut(n)) {
            walk.leave_world();
        }
        self.goals.clear(n);
        self.actions.clear(n);
        self.formations.forget(place);
        for other in 0..self.brains.len() {
            while self.goals.top(other).is_some_and(|goal| goal.names(place)) {
                self.goals.pop(other);
            }
        }
        for slot in 0..GANGS {
            if let Some(gang) = self.gangs.get_mut(slot) {
                gang.leader = gang.leader.filter(|leader| *leader != place);
            }
        }
    }

    /// What a gang's tactic makes of an event that one of its people hears.
    ///
    /// Source: seed 000, Messages and events (0xb goes to the gang's tactic).
    pub fn gang_hears(&mut self, slot: u8, event: u16, sender: u8) {
        if event == kind::NEW_ENEMY
            && let Some(gang) = self.gangs.get_mut(slot.into())
        {
            gang.hear_of(sender);
        }
    }

    /// What a brain makes of an event that its human hears. `sender` is who caused it.
    ///
    /// Our choice of what each means to whom: the seed names the events, not the answers.
    pub fn brain_hears(&mut self, n: usize, event: u16, sender: Option<u8>, humans: &Humans) {
        // Who is on the run already keeps to its way.
        let runs = matches!(self.usual(n), Goal::MoveTo { .. });
        let Some(brain) = self.brains.get_mut(n).filter(|brain| brain.enabled) else { return };
        match (event, brain.temper) {
            (kind::VIOLENCE | kind::ATTACK_WARNING | kind::CRIME, Temper::Coward) if !runs => {
                brain.afraid = sender.map(|sender| (sender, AFRAID)).or(brain.afraid);
            }
            (kind::VIOLENCE | kind::CRIME | kind::NOISE, Temper::Civilian) | (kind::NOISE, Temper::Coward) => {
                brain.pause = brain.pause.max(LOOKS);
            }
            (kind::GOALS_RAN_OUT, _) => {
                self.goals.push(n, Goal::Wander { home: humans.people[n].position, radius: STROLL });
            }
            _ => {}
        }
    }

    /// Step 4 for one gang: its tactic.
    ///
    /// Source: seed 000, Humans_Update, step 4.
    pub fn update_gang(&mut self, slot: usize, humans: &Humans) {
        let Some(gang) = self.gangs.get_mut(slot) else { return };
        let up = humans.present().filter(|(_, human)| usize::from(human.spawn.gang) == slot && !human.is_out());
        gang.take_turn(up.fold(0, |all, (n, _)| all | 1 << n), |enemy| is_up(humans, enemy));
    }
}
