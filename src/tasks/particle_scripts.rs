//! What scripts ask of particle systems, tags and steam vents: starting, ending, states.

use super::engine::{TaskEngine, number};
use super::handle::Handle;
use super::message::{Argument, MessageError};
use super::particles::TagSwitch;
use super::world::World;

/// States that a tag with numbered states is switched between. Source: seed 000, Particles (Tag_SetState).
const TAG_ON: i32 = 4;
const TAG_OFF: i32 = 6;

impl TaskEngine {
    /// Starts a particle system.
    // Covers: seed 000, Particle_Start (0x003975c0) test=scripts_start_end_and_change_particles
    pub fn start_particle(&mut self, world: &mut dyn World, handle: Handle) -> Result<i32, MessageError> {
        self.send_message(world, handle, number::START, &[])
    }

    /// Ends a particle system's output; what flies goes on.
    // Covers: seed 000, Particle_End (0x00397610) test=scripts_start_end_and_change_particles
    pub fn end_particle(&mut self, world: &mut dyn World, handle: Handle) -> Result<i32, MessageError> {
        self.send_message(world, handle, number::STOP, &[])
    }

    /// Gives a particle system a numbered state.
    // Covers: seed 000, Particle_ChangeState (0x00397660) test=scripts_start_end_and_change_particles
    pub fn change_particle_state(
        &mut self,
        world: &mut dyn World,
        handle: Handle,
        state: i32,
    ) -> Result<i32, MessageError> {
        self.send_message(world, handle, number::SET_STATE, &[Argument::Int(state)])
    }

    /// Ends a particle system at once.
    // Covers: seed 000, Particle_Kill (0x00397730) test=a_killed_particle_is_gone
    pub fn kill_particle(&mut self, world: &mut dyn World, handle: Handle) -> bool {
        let Some(id) = self.particle_of(handle) else { return false };
        self.release(world, id);
        true
    }

    /// Says how a tag is switched and what it shows.
    // Covers: seed 000, Tag_Configure (0x0039bc28) test=a_tag_is_switched_as_it_is_configured
    pub fn configure_tag(&mut self, handle: Handle, switch: TagSwitch, rect: [f32; 4]) -> bool {
        let Some(record) = self.particle_of(handle).and_then(|id| self.particle_mut(id)) else { return false };
        record.switch = switch;
        record.rect = rect;
        true
    }

    /// Switches a tag: message 0x19 with 4 or 6, or messages 0x39 and 0x3a.
    // Covers: seed 000, Tag_SetState (0x0039bd50) test=a_tag_is_switched_as_it_is_configured
    pub fn set_tag_state(&mut self, world: &mut dyn World, handle: Handle, on: bool) -> Result<i32, MessageError> {
        let switch = self.particle_of(handle).and_then(|id| self.particle(id)).map(|record| record.switch);
        match switch {
            Some(TagSwitch::Numbered) => {
                let state = if on { TAG_ON } else { TAG_OFF };
                self.send_message(world, handle, number::SET_STATE, &[Argument::Int(state)])
            }
            Some(TagSwitch::StartStop) => {
                self.send_message(world, handle, if on { number::START } else { number::STOP }, &[])
            }
            None => Ok(0),
        }
    }

    /// Gives a steam vent its seconds on and off.
    // Covers: seed 000, Steam_Configure (0x0039be28) test=steam_keeps_its_cycle
    pub fn configure_steam(&mut self, handle: Handle, on: f32, off: f32) -> bool {
        let Some(record) = self.particle_of(handle).and_then(|id| self.particle_mut(id)) else { return false };
        record.cycle = [on.max(0.0), off.max(0.0)];
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeWorld, engine};
    use super::super::ids::TaskId;
    use super::*;

    fn setup() -> (TaskEngine, FakeWorld) {
        (engine(), FakeWorld::default())
    }

    fn handle(tasks: &TaskEngine, id: TaskId) -> Handle {
        tasks.manager.head(id).unwrap().handle
    }

    #[test]
    fn scripts_start_end_and_change_particles() {
        let (mut tasks, mut world) = setup();
        let id = tasks.spawn_test_particle(&mut world, 0);
        let target = handle(&tasks, id);
        world.log.clear();
        tasks.start_particle(&mut world, target).unwrap();
        tasks.end_particle(&mut world, target).unwrap();
        tasks.change_particle_state(&mut world, target, 3).unwrap();
        assert_eq!(world.log, ["type particle0 57", "type particle0 58", "type particle0 25"]);
        assert_eq!(world.last_int, Some(3));
    }

    #[test]
    fn a_killed_particle_is_gone() {
        let (mut tasks, mut world) = setup();
        let id = tasks.spawn_test_particle(&mut world, 0);
        let target = handle(&tasks, id);
        assert!(tasks.kill_particle(&mut world, target));
        assert!(!tasks.kill_particle(&mut world, target));
        assert!(!tasks.is_live(id));
    }

    #[test]
    fn a_tag_is_switched_as_it_is_configured() {
        let (mut tasks, mut world) = setup();
        let id = tasks.spawn_test_particle(&mut world, 0);
        let target = handle(&tasks, id);
        world.log.clear();
        for on in [true, false] {
            tasks.set_tag_state(&mut world, target, on).unwrap();
        }
        assert_eq!(world.log, ["type particle0 57", "type particle0 58"]);
        assert!(tasks.configure_tag(target, TagSwitch::Numbered, [0.0; 4]));
        for (on, state) in [(true, 4), (false, 6)] {
            tasks.set_tag_state(&mut world, target, on).unwrap();
            assert_eq!(world.last_int, Some(state));
        }
        assert_eq!(tasks.set_tag_state(&mut world, Handle::NIL, true), Ok(0));
    }

    #[test]
    fn steam_keeps_its_cycle() {
        let (mut tasks, mut world) = setup();
        let id = tasks.spawn_test_particle(&mut world, 0);
        let target = handle(&tasks, id);
        assert!(tasks.configure_steam(target, 2.0, -1.0));
        assert_eq!(tasks.particle(id).unwrap().cycle, [2.0, 0.0]);
        assert!(!tasks.configure_steam(Handle::NIL, 1.0, 1.0));
    }
}
