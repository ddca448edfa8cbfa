//! The characters alone on a level: the characters' step in its order without the rest of the game.
//!
//! Scenes and tests play on it, so that what they print is what the game does.

use super::owners::owner_of_human;
use super::person::Spawn;
use super::store::Humans;
use crate::ai::Brains;
use crate::collision::CollisionMesh;
use crate::combat::commands::command_of;
use crate::pads::{PadRecord, Reading};
use crate::physics::PhysicsWorld;
use crate::tasks::engine::TaskEngine;
use crate::tasks::humans::gates::Gate;
use crate::tasks::humans::step::Condition;
use crate::tasks::humans::{BRAINS, FORMATIONS, HUMANS};
use crate::tasks::owners::TaskOwners;
use alloc::boxed::Box;

/// Pads of a stage.
const PADS: usize = 2;

/// A level with people on it.
pub struct Stage {
    /// The people.
    pub humans: Humans,
    /// Who decides for them.
    pub brains: Brains,
    /// The tasks, for their records.
    pub tasks: Box<TaskEngine>,
    /// The physics.
    pub physics: Box<PhysicsWorld>,
    /// The level.
    pub mesh: CollisionMesh,
    /// The pads give commands of the motion system.
    pub commands: bool,
    pads: [PadRecord; PADS],
    steps: u32,
}

impl Stage {
    /// An empty stage.
    pub fn new(humans: Humans, mesh: CollisionMesh) -> Self {
        let tasks = Box::new(crate::tasks::scenarios::empty_engine());
        Self::of(humans, Brains::new(), tasks, Box::default(), mesh)
    }

    /// A stage of what is there already.
    pub fn of(
        humans: Humans,
        brains: Brains,
        tasks: Box<TaskEngine>,
        physics: Box<PhysicsWorld>,
        mesh: CollisionMesh,
    ) -> Self {
        Self { humans, brains, tasks, physics, mesh, commands: false, pads: Default::default(), steps: 0 }
    }

    /// Everybody goes and another level comes: a stage as it was in the beginning.
    pub fn clear(&mut self, mesh: CollisionMesh) {
        let Self { humans, brains, tasks, physics, .. } = self;
        for n in 0..HUMANS {
            if humans.people[n].present {
                humans.remove(n, tasks, physics);
            }
        }
        brains.forget_all();
        tasks.humans.reset();
        humans.begin_anew();
        (self.mesh, self.commands, self.pads, self.steps) = (mesh, false, Default::default(), 0);
    }

    /// Somebody comes; `None` when there is no room.
    pub fn spawn(&mut self, spawn: Spawn) -> Option<usize> {
        self.humans.spawn(spawn, &mut self.tasks, &mut self.physics)
    }

    /// One character step with what the first pad says.
    ///
    /// Source: seed 000, Humans_Update, steps 2 to 9.
    pub fn step(&mut self, reading: Option<Reading>) {
        let Self { humans, brains, tasks, physics, mesh, commands, pads, steps } = self;
        pads[0].sample(reading, u64::from(*steps) * crate::clock::time::STEP);
        (0..FORMATIONS).for_each(|n| brains.update_formation(n, humans));
        for n in 0..HUMANS {
            if let Some(record) = tasks.humans.records.get_mut(n) {
                let pad = record.pad.and_then(|pad| pads.get(usize::from(pad))).filter(|pad| pad.is_connected());
                record.update(pad.map(|pad| pad.input(command_of(pad))));
            }
        }
        for n in 0..BRAINS {
            if humans.people[n].spawn.player.is_some() && humans.people[n].present {
                if *commands {
                    brains.command(n, humans, &mut tasks.humans.records);
                } else {
                    brains.end_command(n, humans);
                }
            }
            if brains.is_enabled(n, humans) {
                if n % 5 == *steps as usize % 5 {
                    brains.think(n, humans);
                }
                brains.update(n, humans, &mut tasks.humans.records);
            }
        }
        (0..HUMANS).for_each(|n| humans.animate_human(n));
        humans.begin_step();
        for n in 0..HUMANS {
            humans.update_state(n, tasks, physics, Some(mesh));
            brains.moved(n, humans);
        }
        let reversed = *steps & 1 == 1;
        for n in 0..HUMANS {
            let n = if reversed { HUMANS - 1 - n } else { n };
            match humans.people[n].condition() {
                Condition::Absent => {}
                Condition::Down => humans.update_down(n),
                Condition::Active => {
                    let skip_actions = tasks.humans.records.get(n).is_some_and(|record| record.skip_actions);
                    if (Gate { skip_actions, ..humans.people[n].gate() }).runs_dispatcher() {
                        let command = tasks.humans.records.command(n);
                        humans.act(n, command, &mut tasks.humans.records);
                    }
                    humans.choose(n);
                }
            }
        }
        // Two ticks of the physics belong to one step.
        for _ in 0..2 {
            physics.step(&mut TaskOwners::with_humans(tasks, humans));
        }
        *steps += 1;
    }

    /// Whether a human's body is in the physics.
    pub fn has_body(&self, n: usize) -> bool {
        self.physics.body_of(owner_of_human(n)).is_some()
    }
}
