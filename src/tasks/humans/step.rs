//! Humans_Update: the order of a character step.
//!
//! It is called on every 60 Hz tick and works on every second one, so that characters step at 30 Hz. Within one step a
//! pad's command and a brain's command are both in the record before the dispatcher reads it.

use super::super::engine::TaskEngine;
use super::super::world::World;
use super::gates::Gate;
use super::records::{PadInput, PlayerRecords};
use super::{BRAINS, FORMATIONS, GANGS, HUMANS};

/// Steps that may be switched off. Source: seed 000, Humans_Update (each step behind a debug switch).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Switch {
    /// Step 1.
    Effects = 1 << 0,
    /// Step 2, pads.
    Pads = 1 << 1,
    /// Step 2, formations (0x005e5354).
    Formations = 1 << 2,
    /// Step 3.
    Records = 1 << 3,
    /// Step 4 (0x005e5358).
    Gangs = 1 << 4,
    /// Step 5 (0x005e535c).
    Brains = 1 << 5,
    /// Step 6 (0x005e5360).
    Animation = 1 << 6,
    /// Step 7.
    HumanEffects = 1 << 7,
    /// Step 8 (0x005e5364).
    State = 1 << 8,
    /// Step 9 (0x005e5368).
    Actions = 1 << 9,
    /// Step 10.
    Cameras = 1 << 10,
}

/// How often one of the brains and gangs gets its turn. Source: seed 000, Humans_Update, steps 4 and 5.
const TURNS: usize = 5;

/// Seconds of a character step.
pub const STEP_SECONDS: f32 = 1.0 / 30.0;

/// What a human does in the action step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Condition {
    /// No human lives there.
    #[default]
    Absent,
    /// Acts.
    Active,
    /// Dead or knocked out.
    Down,
}

/// What the steps do. All of it may use the tasks; the records are `tasks.humans.records`.
pub trait Characters: World {
    /// Step 1: litter, ground fog, rain splashes.
    fn step_effects(&mut self, tasks: &mut TaskEngine);
    /// Step 2: reads the pads.
    fn update_pads(&mut self);
    /// Step 2: one formation.
    fn update_formation(&mut self, tasks: &mut TaskEngine, formation: usize);
    /// Step 3: what a pad says, `None` when it is not there.
    fn pad_input(&self, pad: u8) -> Option<PadInput>;
    /// Step 4: one gang's turn.
    fn update_gang(&mut self, tasks: &mut TaskEngine, gang: usize);
    /// Step 5: whether a brain runs.
    fn brain_enabled(&self, brain: usize) -> bool;
    /// Step 5: a brain's turn to think.
    fn think(&mut self, tasks: &mut TaskEngine, brain: usize);
    /// Step 5: a brain's update, which writes its human's command.
    fn update_brain(&mut self, tasks: &mut TaskEngine, brain: usize);
    /// Step 6: task stack and events of one human.
    fn animate(&mut self, tasks: &mut TaskEngine, human: usize);
    /// Step 6, after all humans: playing ids are refreshed and deferred tasks given back.
    fn refresh_animation(&mut self);
    /// Step 7: effects of one human, and the player gang checks.
    fn human_effects(&mut self, tasks: &mut TaskEngine, human: usize);
    /// Step 8: whether a human's state may be updated.
    fn state_is_ready(&self, human: usize) -> bool;
    /// Step 8: locomotion of one human.
    fn update_state(&mut self, tasks: &mut TaskEngine, human: usize);
    /// What lives in a human's place.
    fn condition(&self, human: usize) -> Condition;
    /// The words that the gates read.
    fn gate(&self, human: usize) -> Gate;
    /// Step 9: the command dispatcher.
    fn dispatch(&mut self, tasks: &mut TaskEngine, human: usize, command: u8);
    /// Step 9: the choice of the anim state.
    fn choose_anim_state(&mut self, tasks: &mut TaskEngine, human: usize);
    /// Step 9, for a human that is down: pending damage and the like.
    fn update_down(&mut self, tasks: &mut TaskEngine, human: usize);
    /// Step 10: the cameras.
    fn update_cameras(&mut self, tasks: &mut TaskEngine, dt: f32);
}

/// The state of the step.
#[derive(Debug)]
pub struct HumanStep {
    /// Counts calls; the step has its body when it is even. Source: seed 000 (0x005104f4); settled questions 5.
    pub counter: u32,
    /// The records that pads and brains write.
    pub records: PlayerRecords,
    switches_off: u16,
    reversed: bool,
}

impl Default for HumanStep {
    fn default() -> Self {
        Self { counter: Self::FIRST, records: PlayerRecords::default(), switches_off: 0, reversed: false }
    }
}

impl HumanStep {
    /// The counter after a reset. Our choice: odd, so that the first call of a pair has the body.
    pub const FIRST: u32 = 1;

    /// Turns a step on or off.
    pub fn set_switch(&mut self, switch: Switch, on: bool) {
        if on {
            self.switches_off &= !(switch as u16);
        } else {
            self.switches_off |= switch as u16;
        }
    }

    /// Whether a step is on.
    pub fn is_on(&self, switch: Switch) -> bool {
        self.switches_off & switch as u16 == 0
    }

    /// Puts the counter, the order and the records back to their start; switches stay.
    pub fn reset(&mut self) {
        *self = Self { switches_off: self.switches_off, ..Self::default() };
    }

    fn has_turn(&self, index: usize) -> bool {
        index % TURNS == (self.counter >> 1) as usize % TURNS
    }
}

/// One call of the characters' step; the body runs on every second call.
///
/// Source: seed 000, Humans_Update.
// Covers: seed 000, Humans_Update (0x00249108) test=the_steps_run_in_the_seeds_order
pub fn humans_update(tasks: &mut TaskEngine, world: &mut dyn Characters) {
    tasks.humans.counter = tasks.humans.counter.wrapping_add(1);
    if !tasks.humans.counter.is_multiple_of(2) {
        return;
    }
    // 1
    if tasks.humans.is_on(Switch::Effects) {
        world.step_effects(tasks);
    }
    // 2
    if tasks.humans.is_on(Switch::Pads) {
        world.update_pads();
    }
    if tasks.humans.is_on(Switch::Formations) {
        (0..FORMATIONS).for_each(|formation| world.update_formation(tasks, formation));
    }
    // 3
    if tasks.humans.is_on(Switch::Records) {
        update_records(&mut tasks.humans.records, world);
    }
    // 4
    if tasks.humans.is_on(Switch::Gangs) {
        for gang in 0..GANGS {
            if tasks.humans.has_turn(gang) {
                world.update_gang(tasks, gang);
            }
        }
    }
    // 5
    if tasks.humans.is_on(Switch::Brains) {
        update_brains(tasks, world);
    }
    // 6
    if tasks.humans.is_on(Switch::Animation) {
        for_each_human(world, |world, human| world.animate(tasks, human));
        world.refresh_animation();
    }
    // 7
    if tasks.humans.is_on(Switch::HumanEffects) {
        for_each_human(world, |world, human| world.human_effects(tasks, human));
    }
    // 8
    if tasks.humans.is_on(Switch::State) {
        for_each_human(world, |world, human| {
            if world.state_is_ready(human) {
                world.update_state(tasks, human);
            }
        });
    }
    // 9
    if tasks.humans.is_on(Switch::Actions) {
        let reversed = tasks.humans.reversed;
        for n in 0..HUMANS {
            let human = if reversed { HUMANS - 1 - n } else { n };
            update_actions(tasks, world, human);
        }
        tasks.humans.reversed = !reversed;
    }
    // 10
    if tasks.humans.is_on(Switch::Cameras) {
        world.update_cameras(tasks, STEP_SECONDS);
    }
}

fn for_each_human(world: &mut dyn Characters, mut step: impl FnMut(&mut dyn Characters, usize)) {
    for human in 0..HUMANS {
        if world.condition(human) != Condition::Absent {
            step(world, human);
        }
    }
}

fn update_records(records: &mut PlayerRecords, world: &dyn Characters) {
    for human in 0..HUMANS {
        if let Some(record) = records.get_mut(human) {
            record.update(record.pad.and_then(|pad| world.pad_input(pad)));
        }
    }
}

/// Step 5: each enabled brain thinks on one step in five and updates on every step.
fn update_brains(tasks: &mut TaskEngine, world: &mut dyn Characters) {
    for brain in 0..BRAINS {
        if world.brain_enabled(brain) {
            if tasks.humans.has_turn(brain) {
                world.think(tasks, brain);
            }
            world.update_brain(tasks, brain);
        }
    }
}

/// Step 9 of one human: the dispatcher unless its gate is closed, then the anim state; another path when down.
///
/// Source: seed 000, Humans_Update, step 9.
// Covers: seed 000, Human_UpdateActions (0x00254e78) test=a_closed_gate_skips_the_dispatcher_only
pub fn update_actions(tasks: &mut TaskEngine, world: &mut dyn Characters, human: usize) {
    match world.condition(human) {
        Condition::Absent => {}
        Condition::Down => world.update_down(tasks, human),
        Condition::Active => {
            let skip_actions = tasks.humans.records.get(human).is_some_and(|record| record.skip_actions);
            if (Gate { skip_actions, ..world.gate(human) }).runs_dispatcher() {
                let command = tasks.humans.records.command(human);
                world.dispatch(tasks, human, command);
            }
            world.choose_anim_state(tasks, human);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fake::{FakeWorld, engine};
    use super::*;

    fn steps(world: &mut FakeWorld, tasks: &mut TaskEngine, calls: usize) -> std::vec::Vec<std::string::String> {
        world.log.clear();
        (0..calls).for_each(|_| humans_update(tasks, world));
        world.log.clone()
    }

    #[test]
    fn the_steps_run_in_the_seeds_order() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        world.people.insert(3, Condition::Active);
        let log = steps(&mut world, &mut tasks, 1);
        let kinds: std::vec::Vec<&str> = log.iter().map(|l| l.split(' ').next().unwrap()).collect();
        let mut order = kinds.clone();
        order.dedup();
        let expected = [
            "effects",
            "pads",
            "formation",
            "gang",
            "think",
            "brain",
            "animate",
            "refresh",
            "human_effects",
            "state",
            "dispatch",
            "anim_state",
            "cameras",
        ];
        let (before, brains_and_after) = order.split_at(4);
        assert_eq!(before, &expected[..4]);
        assert_eq!(brains_and_after.last(), Some(&"cameras"));
        assert_eq!(&brains_and_after[brains_and_after.len() - 7..], &expected[6..]);
        assert_eq!(kinds.iter().filter(|k| **k == "formation").count(), 41);
    }

    #[test]
    fn the_body_runs_on_the_first_call_of_a_pair_only() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        for pair in 0..4 {
            assert!(steps(&mut world, &mut tasks, 1).contains(&"pads".into()), "pair {pair}");
            assert!(steps(&mut world, &mut tasks, 1).is_empty());
        }
    }

    #[test]
    fn a_brain_thinks_on_one_step_in_five_and_updates_on_each() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let mut thought = std::vec![0; 60];
        for _ in 0..5 {
            let step = (tasks.humans.counter as usize).div_ceil(2) % 5;
            for line in steps(&mut world, &mut tasks, 2) {
                if let Some(brain) = line.strip_prefix("think ") {
                    let brain: usize = brain.parse().unwrap();
                    assert_eq!(brain % 5, step);
                    thought[brain] += 1;
                }
            }
            assert_eq!(world.log_count("brain "), 60);
        }
        assert_eq!(thought, std::vec![1; 60]);
    }

    #[test]
    fn a_fifth_of_the_gangs_runs_in_each_step() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let mut seen: std::vec::Vec<_> =
            (0..5).flat_map(|_| steps(&mut world, &mut tasks, 2)).filter(|l| l.starts_with("gang ")).collect();
        assert_eq!(seen.len(), 32);
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 32);
    }

    #[test]
    fn the_action_order_alternates_between_steps() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        for human in [2, 9, 40] {
            world.people.insert(human, Condition::Active);
        }
        let order = |log: &[std::string::String]| -> std::vec::Vec<std::string::String> {
            log.iter().filter(|l| l.starts_with("anim_state")).cloned().collect()
        };
        let (first, second) = (steps(&mut world, &mut tasks, 2), steps(&mut world, &mut tasks, 2));
        assert_eq!(order(&first), ["anim_state 2", "anim_state 9", "anim_state 40"]);
        assert_eq!(order(&second), ["anim_state 40", "anim_state 9", "anim_state 2"]);
    }

    #[test]
    fn each_switch_turns_its_step_off() {
        let cases = [
            (Switch::Effects, "effects"),
            (Switch::Pads, "pads"),
            (Switch::Formations, "formation 0"),
            (Switch::Gangs, "gang"),
            (Switch::Brains, "brain"),
            (Switch::Animation, "animate"),
            (Switch::HumanEffects, "human_effects"),
            (Switch::State, "state"),
            (Switch::Actions, "anim_state"),
            (Switch::Cameras, "cameras"),
        ];
        for (switch, prefix) in cases {
            let (mut tasks, mut world) = (engine(), FakeWorld::default());
            world.people.insert(0, Condition::Active);
            steps(&mut world, &mut tasks, 2);
            assert!(world.log_count(prefix) > 0, "{prefix} is on at first");
            tasks.humans.set_switch(switch, false);
            steps(&mut world, &mut tasks, 2);
            assert_eq!(world.log_count(prefix), 0, "{prefix}");
            tasks.humans.set_switch(switch, true);
            assert!(tasks.humans.is_on(switch));
        }
    }

    #[test]
    fn without_the_record_step_a_stale_command_stays() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        tasks.humans.set_switch(Switch::Records, false);
        tasks.humans.records.set_command(1, 9);
        steps(&mut world, &mut tasks, 2);
        assert_eq!(tasks.humans.records.command(1), 9);
    }

    #[test]
    fn a_brains_command_is_read_in_the_same_step_and_cleared_in_the_next() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        world.people.insert(5, Condition::Active);
        world.brain_commands.push((5, 0xf));
        let first = steps(&mut world, &mut tasks, 2);
        assert!(first.contains(&"dispatch 5 15".into()), "{first:?}");
        world.brain_commands.clear();
        let second = steps(&mut world, &mut tasks, 2);
        assert!(second.contains(&"dispatch 5 0".into()));
    }

    #[test]
    fn a_pads_command_reaches_the_dispatcher_in_its_step() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        world.people.insert(0, Condition::Active);
        world.pads.insert(0, PadInput { command: 0x16, ..PadInput::default() });
        let record = tasks.humans.records.get_mut(0).unwrap();
        (record.pad, record.pad_controlled) = (Some(0), true);
        assert!(steps(&mut world, &mut tasks, 1).contains(&"dispatch 0 22".into()));
    }

    #[test]
    fn a_closed_gate_skips_the_dispatcher_only() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        world.people.insert(0, Condition::Active);
        world.people.insert(1, Condition::Active);
        world.people.insert(2, Condition::Down);
        world.gates.insert(0, Gate { state: 0x4000, ..Gate::default() });
        tasks.humans.records.get_mut(1).unwrap().skip_actions = true;
        (0..4).for_each(|human| update_actions(&mut tasks, &mut world, human));
        assert_eq!(world.log, ["anim_state 0", "anim_state 1", "down 2"]);
        world.log.clear();
        world.gates.clear();
        update_actions(&mut tasks, &mut world, 0);
        assert_eq!(world.log, ["dispatch 0 0", "anim_state 0"]);
    }

    #[test]
    fn a_human_that_is_not_ready_keeps_its_state() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        world.people.insert(0, Condition::Active);
        world.people.insert(1, Condition::Active);
        world.not_ready.push(0);
        steps(&mut world, &mut tasks, 1);
        assert_eq!((world.log_count("state 0"), world.log_count("state 1")), (0, 1));
    }

    #[test]
    fn a_reset_keeps_the_switches() {
        let mut step = HumanStep { counter: 8, ..HumanStep::default() };
        step.set_switch(Switch::State, false);
        step.reset();
        assert_eq!((step.counter, step.is_on(Switch::State)), (1, false));
    }
}
