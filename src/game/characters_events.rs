//! What people hear of: messages and events on their way to humans, the story, gangs and brains.
//!
//! A clip's event sends a message, which the TaskEngine delivers before the clip's next event; a message that warns is
//! also an event, and so is every blow, for whom it meets and for who is near. An event goes through
//! [`human_on_event`]: first to the story, which stands in the place of the script handlers, then to the human's gang, then
//! to its brain.
//!
//! Source: seed 000, Messages and events; settled questions 17.

use super::characters::People;
use super::machine::Machine;
use super::world::GameWorld;
use crate::animation::skeleton::bone;
use crate::human::Blow;
use crate::maths::Vec3;
use crate::tasks::engine::TaskEngine;
use crate::tasks::humans::HUMANS;
use crate::tasks::humans::events::{Event, EventHandlers, human_on_event, kind};
use crate::tasks::humans::messages::HumanMessage;
use crate::tasks::message::Argument;

/// Metres about somebody's hips that an eye must not see, so that the limbs may rest; wider than anybody is, as an eye turns on.
const WATCHED: f32 = 2.6;
/// Metres within which somebody's attack makes it matter where another's limbs are.
const ATTACK_NEAR: f32 = 5.0;
/// Metres within which a blow, a noise or a crime is heard of. Our choice.
const HEARD: f32 = 12.0;

/// Those who hear one event.
struct Hearers<'a> {
    people: &'a mut People,
    /// The place of the human that caused it.
    sender: Option<u8>,
}

impl EventHandlers for Hearers<'_> {
    fn script_event(&mut self, human: usize, event: &Event) {
        self.people.story_hears(human, event.kind);
    }
    fn gang_event(&mut self, human: usize, event: &Event) {
        if let Some(sender) = self.sender {
            let gang = self.people.humans.people[human].spawn.gang;
            self.people.brains.gang_hears(gang, event.kind, sender);
        }
    }
    fn brain_event(&mut self, human: usize, event: &Event) {
        let People { brains, humans, .. } = &mut *self.people;
        brains.brain_hears(human, event.kind, self.sender, humans);
    }
}

impl<M: Machine> GameWorld<'_, M> {
    /// Step 6 of one human: clips go on, and each event's message is answered before the next event.
    pub(super) fn animate_human(&mut self, tasks: &mut TaskEngine, human: usize) {
        let Some(people) = self.people.as_deref_mut() else { return };
        let hips = people.humans.people[human].bones[bone::PELVIS].position;
        let watched = self.things.watches(hips, WATCHED) || people.humans.is_near_attack(human, ATTACK_NEAR);
        people.humans.people[human].unwatched = !watched;
        let fired = people.humans.advance_clips(human);
        for event in &fired.events {
            let Some(people) = self.people.as_deref_mut() else { return };
            if let Some((target, number)) = people.humans.fire(human, event) {
                let (target, sender) = (tasks.human_handle(target.into()), tasks.human_handle(human as u16));
                // Whom nobody warns is struck without a warning.
                let _answer = tasks.send_message(self, target, number, &[Argument::Handle(sender)]);
            }
        }
        if let Some(people) = self.people.as_deref_mut() {
            people.humans.finish_clips(human, &fired);
        }
        self.carry_out_deeds(tasks);
        self.spread_blows(tasks);
    }

    /// A message reaches a human; says whether it meant anything.
    pub(super) fn message_human(
        &mut self,
        tasks: &TaskEngine,
        human: u16,
        message: &HumanMessage,
        number: u32,
    ) -> bool {
        let (HumanMessage::AttackWarning(sender)
        | HumanMessage::CounterWindow(sender)
        | HumanMessage::EarlyBlock(sender)) = *message
        else {
            return false;
        };
        let (Some(people), Some(by)) = (self.people.as_deref_mut(), tasks.human_of(sender)) else { return false };
        let understood = people.humans.receive(human.into(), number, by as u8);
        if understood && matches!(message, HumanMessage::AttackWarning(_)) {
            self.hand_event(tasks, human.into(), &Event { kind: kind::ATTACK_WARNING, sender });
        }
        understood
    }

    /// Hands an event to a human that is there.
    pub(super) fn hand_event(&mut self, tasks: &TaskEngine, human: usize, event: &Event) {
        let Some(people) = self.people.as_deref_mut() else { return };
        if people.humans.people.get(human).is_some_and(|human| human.present) {
            let sender = tasks.human_of(event.sender).map(|sender| sender as u8);
            human_on_event(&mut Hearers { people, sender }, human, event);
        }
    }

    /// Blows are told of: a new enemy to whom they met, violence to whoever is near.
    pub(super) fn spread_blows(&mut self, tasks: &TaskEngine) {
        let Some(people) = self.people.as_deref_mut() else { return };
        for Blow { by, victim } in core::mem::take(&mut people.humans.blows) {
            let sender = tasks.human_handle(by.into());
            self.hand_event(tasks, victim.into(), &Event { kind: kind::NEW_ENEMY, sender });
            let at = self.place_of(victim.into());
            self.hand_around(tasks, at, &Event { kind: kind::VIOLENCE, sender }, &[by, victim]);
        }
    }

    /// Hands an event to everybody near a place but some.
    pub(super) fn hand_around(&mut self, tasks: &TaskEngine, at: Vec3, event: &Event, but: &[u8]) {
        for human in (0..HUMANS).filter(|human| !but.contains(&(*human as u8))) {
            if (self.place_of(human) - at).length() < HEARD {
                self.hand_event(tasks, human, event);
            }
        }
    }

    fn place_of(&self, human: usize) -> Vec3 {
        let human = self.people.as_deref().and_then(|people| people.humans.people.get(human));
        human.map_or(Vec3::ZERO, |human| human.position)
    }

    /// Step 5 of one brain: its update; whose goals have run out hears of it.
    pub(super) fn update_mind(&mut self, tasks: &mut TaskEngine, brain: usize) {
        let scheme = self.state.settings.scheme;
        let Some(people) = self.people.as_deref_mut() else { return };
        people.decide(brain, scheme, &mut tasks.humans.records);
        if people.brains.is_enabled(brain, &people.humans) && people.brains.goals.top(brain).is_none() {
            let sender = tasks.human_handle(brain as u16);
            self.hand_event(tasks, brain, &Event { kind: kind::GOALS_RAN_OUT, sender });
        }
    }

    /// Step 8 of one human: control, move, strikes; then its blows are told of.
    pub(super) fn move_human(&mut self, tasks: &mut TaskEngine, human: usize) {
        if let (Some(people), Some(physics)) = (self.people.as_deref_mut(), self.physics.as_deref_mut()) {
            people.humans.update_state(human, tasks, physics, self.mesh.get_mut().as_deref_mut());
            people.brains.moved(human, &mut people.humans);
        }
        self.carry_out_deeds(tasks);
        self.spread_blows(tasks);
    }
}
