//! Tasks as text, for whoever looks for a fault.

use super::engine::TaskEngine;
use super::ids::TaskId;
use core::fmt::{self, Write};

impl TaskEngine {
    /// Writes a line of what a task is: class, handle, place, velocity and flags. No task writes nothing.
    // Covers: seed 000, Task_DebugPrint (0x0039caf0) test=a_task_is_told_in_two_lines default=Ok(())
    pub fn print_task(&self, out: &mut dyn Write, id: TaskId) -> fmt::Result {
        let (Some(class), Some(head)) = (id.class(), self.manager.head(id)) else { return Ok(()) };
        let (at, velocity) = (head.position, head.velocity());
        write!(out, "{class:?} {} handle {:?}", id.index_in(class).unwrap_or_default(), head.handle)?;
        write!(out, " at {:.2} {:.2} {:.2}", at.x, at.y, at.z)?;
        writeln!(out, " velocity {:.2} {:.2} {:.2} flags {:#x}", velocity.x, velocity.y, velocity.z, head.flags)
    }

    /// Writes a line of when a task runs: phase, bucket, interval and its last update. No task writes nothing.
    ///
    /// Our choice of what stands in which line: the seed knows that there are two prints.
    // Covers: seed 000, Task_DebugPrint2 (0x0039cb70) test=a_task_is_told_in_two_lines default=Ok(())
    pub fn print_task_schedule(&self, out: &mut dyn Write, id: TaskId) -> fmt::Result {
        let Some(head) = self.manager.head(id) else { return Ok(()) };
        let link = self.manager.links().get(id);
        let (interval, last) = (head.interval, head.last_update);
        writeln!(out, "phase {} bucket {} interval {interval} last update {last}", link.phase, link.bucket)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeWorld, engine};
    use super::super::ids::TaskClass;
    use super::*;
    use crate::maths::Vec3;
    use std::string::String;

    #[test]
    fn a_task_is_told_in_two_lines() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        tasks.manager.clock.set_time(7);
        let id = tasks.spawn_test_particle(&mut world, 3);
        tasks.manager.head_mut(id).unwrap().set_velocity(Vec3::Y);
        let mut text = String::new();
        tasks.print_task(&mut text, id).unwrap();
        assert_eq!(text, "Particle 0 handle 748#1 at 3.00 0.00 0.00 velocity 0.00 1.00 0.00 flags 0x80002000\n");
        text.clear();
        tasks.print_task_schedule(&mut text, id).unwrap();
        assert_eq!(text, "phase 0 bucket 0 interval 1 last update 7\n");
        text.clear();
        for id in [TaskId::NONE, TaskId::new(TaskClass::Car, 18)] {
            tasks.print_task(&mut text, id).unwrap();
            tasks.print_task_schedule(&mut text, id).unwrap();
        }
        assert_eq!(text, "");
    }
}
