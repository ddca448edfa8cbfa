//! Running a bucket of the wheel.

use super::engine::TaskEngine;
use super::head::flag;
use super::ids::{TaskClass, TaskId};
use super::manager::{Stay, TaskManager};
use super::world::World;

impl TaskEngine {
    /// Runs one task's update.
    fn update(&mut self, world: &mut dyn World, id: TaskId) -> Stay {
        let Some(class) = id.class() else { return Stay::Leave };
        self.updates[class as usize] = self.updates[class as usize].wrapping_add(1);
        match class {
            TaskClass::Human => Stay::Leave,
            TaskClass::Object => self.update_object(world, id),
            TaskClass::Particle | TaskClass::PauseParticle => self.update_particle(world, id),
            TaskClass::Scene => self.update_scene(world, id),
            TaskClass::Car => self.update_car(world, id),
            TaskClass::Pane => self.update_pane(world, id),
            TaskClass::Light => self.update_light(world, id),
        }
    }

    /// Runs the current bucket of the current phase's wheel and goes on to the next bucket.
    ///
    /// Each task is taken off, updated, and put back after its interval when its update says so, when it did not put
    /// itself back, and when it does not run once only. A task that probes for its landing may come back sooner.
    // Covers: seed 000, TaskWheel_RunBucket (0x003a3588) test=tasks::engine::tests::a_task_runs_after_each_of_its_intervals
    pub fn run_bucket(&mut self, world: &mut dyn World) {
        let phase = self.manager.clock.phase();
        self.manager.watch_wheel(phase);
        self.manager.wheel_mut(phase).begin();
        loop {
            let id = self.manager.wheel(phase).running();
            if id.is_none() {
                break;
            }
            // The original's call before the update (slot +0x14) has nothing to do here: a head's pose is always current.
            self.manager.take_off(id);
            self.manager.watch.count(id);
            let stay = self.update(world, id);
            let Some(head) = self.manager.head(id) else { continue };
            let (again, interval) = (!head.has(flag::ON_WHEEL) && stay == Stay::Stay, head.interval);
            match TaskManager::next_delay(interval).filter(|_| again) {
                Some(delay) => {
                    self.manager.insert(id, delay);
                    self.manager.watch.again(id, delay);
                }
                None => self.manager.watch.disturb(id),
            }
            self.probe_landing(world, id);
        }
        self.manager.wheel_mut(phase).advance();
    }

    /// The landing probe of a task that has both the wheel's and the probe's bit.
    fn probe_landing(&mut self, world: &dyn World, id: TaskId) {
        const BOTH: u32 = flag::ON_WHEEL | flag::PROBES_LANDING;
        if self.manager.head(id).is_none_or(|head| head.flags & BOTH != BOTH) {
            return;
        }
        let Some(due) = self.manager.ticks_until_due(id) else { return };
        let cast = |from, direction, length| world.ray(from, direction, length).map(|hit| hit.distance);
        if let Some(delay) = self.manager.probe_landing_ahead(id, due, cast) {
            self.manager.unschedule(id);
            self.manager.insert(id, delay);
        }
    }
}
