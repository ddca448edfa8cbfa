//! From the clock to ticks: pairs while playing, one tick while paused.

use super::clock::Phase;
use super::engine::TaskEngine;
use super::humans::step::{Characters, STEP_SECONDS, humans_update};
use super::world::World;

/// Clock ticks of a pair of 60 Hz ticks. Source: seed 000, Clocks and phases.
pub const PAIR: u64 = 0x96_0000;

/// Pairs that one frame may run. Source: settled questions 1.
pub const MAX_PAIRS: u32 = 4;

/// Where the pairs stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TickState {
    base: Option<u64>,
    /// Pairs run since the last reset.
    pub pairs: u64,
    /// Clock ticks that were dropped because a frame would have run more than [`MAX_PAIRS`].
    pub dropped: u64,
}

impl TickState {
    /// Forgets what is carried: after a phase change, a resume, or a load that blocked.
    pub fn restart(&mut self) {
        self.base = None;
    }

    /// How many pairs are due at a clock time; what is left over is carried.
    pub fn pairs_due(&mut self, now: u64) -> u32 {
        let base = *self.base.get_or_insert(now);
        let passed = now.saturating_sub(base);
        let whole = passed / PAIR;
        let due = whole.min(u64::from(MAX_PAIRS));
        self.dropped += (whole - due) * PAIR;
        self.base = Some(now.max(base) - passed % PAIR);
        self.pairs += due;
        due as u32
    }
}

impl TaskEngine {
    /// The frame's task step in a phase, given the clock; says how many pairs ran.
    // Covers: seed 000, TaskManager_Tick (0x003a3148) test=a_tick_goes_to_its_phase
    pub fn tick(&mut self, world: &mut dyn Characters, phase: Phase, now: u64) -> u32 {
        if phase != self.manager.clock.phase() {
            self.ticks.restart();
            self.manager.set_phase(phase);
        }
        match phase {
            Phase::Play => self.tick_game(world, now),
            Phase::Pause => {
                self.tick_paused(world);
                0
            }
        }
    }

    /// Play: as many pairs of 60 Hz ticks as the clock has room for, then the game's state and the spawns.
    // Covers: seed 000, TaskManager_TickGame (0x003a2ea0) test=frames_of_77_ms_run_2_2_2_3_pairs
    pub fn tick_game(&mut self, world: &mut dyn Characters, now: u64) -> u32 {
        let pairs = self.ticks.pairs_due(now);
        for _ in 0..2 * pairs {
            let next = self.manager.clock.now().wrapping_add(1);
            self.manager.clock.set_time(next);
            humans_update(self, world);
            self.run_bucket(world);
            world.physics_step(self);
        }
        world.update_game_state(self);
        // First what is to go: else a record whose time is up would make its object again in every frame.
        self.unload_timed(world);
        self.update_spawns(world);
        pairs
    }

    /// Pause and menus: one tick on the phase's own clock. The characters step only while their counter is 1, which is
    /// once after a reset; else pads and cameras alone run. These two are not the characters' step, so that none of its
    /// switches holds them.
    // Covers: seed 000, TaskManager_TickPaused (0x003a3000) test=a_paused_tick_steps_the_characters_only_at_counter_1
    pub fn tick_paused(&mut self, world: &mut dyn Characters) {
        let next = self.manager.clock.now().wrapping_add(1);
        self.manager.clock.set_time(next);
        if self.humans.counter == super::humans::step::HumanStep::FIRST {
            humans_update(self, world);
        } else {
            world.update_pads();
            world.update_cameras(self, STEP_SECONDS);
        }
        self.run_bucket(world);
    }

    /// The managers' own updates: objects, cars, lights, particles, scenes; while paused, the pause's particles.
    // Covers: seed 000, TaskManager_UpdateManagers (0x003a31a8) test=the_managers_update_in_order
    pub fn update_managers(&mut self, world: &mut dyn World, phase: Phase) {
        match phase {
            Phase::Play => {
                self.update_object_manager(world);
                self.update_car_manager(world);
                self.update_light_manager(world);
                // Our choice of place: the seed's order leaves the panes out, and nothing of theirs is seen in between.
                self.update_pane_manager(world);
                self.draw_particles(world, Phase::Play);
                self.update_scene_manager(world);
            }
            // Our choice: scenes belong to the wheel of play in both phases, so a pause leaves them alone.
            Phase::Pause => self.draw_particles(world, Phase::Pause),
        }
        self.manager.clear_moved();
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeWorld, engine};
    use super::*;

    const SECOND: u64 = 294_912_000;

    fn ms(ms: u64) -> u64 {
        SECOND * ms / 1000
    }

    #[test]
    fn frames_of_77_ms_run_2_2_2_3_pairs() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        assert_eq!(tasks.tick_game(&mut world, 0), 0);
        let pairs: std::vec::Vec<u32> = (1..=4).map(|frame| tasks.tick_game(&mut world, ms(77) * frame)).collect();
        assert_eq!(pairs, [2, 2, 2, 3]);
        assert_eq!(tasks.manager.clock.now(), 18, "every pair is two ticks");
    }

    #[test]
    fn one_frame_in_about_a_thousand_runs_two_pairs_at_59_94_hz() {
        let mut state = TickState::default();
        let frame = |n: u64| n * SECOND * 1001 / 30_000;
        state.pairs_due(0);
        let pairs: std::vec::Vec<u32> = (1..=1200).map(|n| state.pairs_due(frame(n))).collect();
        assert!(pairs.iter().all(|p| *p == 1 || *p == 2), "no frame runs none");
        assert_eq!(pairs.iter().filter(|p| **p == 2).count(), 1);
    }

    #[test]
    fn a_frame_runs_four_pairs_at_most_and_the_rest_is_counted() {
        let mut state = TickState::default();
        state.pairs_due(0);
        assert_eq!(state.pairs_due(10 * PAIR + 5), 4);
        assert_eq!(state.dropped, 6 * PAIR);
        assert_eq!(state.pairs_due(11 * PAIR - 1), 0, "five ticks were carried, none of the dropped ones");
        assert_eq!(state.pairs_due(11 * PAIR), 1);
        assert_eq!(state.pairs_due(3), 0, "a clock that goes back runs nothing");
    }

    #[test]
    fn objects_of_a_marked_zone_or_whose_time_is_up_go_and_stay_away() {
        use super::super::objects::spawn::SpawnRecord;
        use super::super::objects::zones::mark_zone;
        use super::super::world::Person;
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        world.persons.insert(0, Person { player: Some(0), ..Person::default() });
        tasks.objects.zones.enable(3);
        for record in [
            SpawnRecord { unload_at: 4, ..SpawnRecord::default() },
            SpawnRecord { zone: 3, ..SpawnRecord::default() },
            SpawnRecord::default(),
        ] {
            tasks.spawn_object("brick", record);
        }
        let mut made = 0;
        let mut frame = |tasks: &mut TaskEngine, n: u64| {
            world.log.clear();
            tasks.tick_game(&mut world, n * PAIR);
            tasks.update_managers(&mut world, Phase::Play);
            made += world.log.iter().filter(|line| line.starts_with("type object") && line.ends_with(" 0")).count();
            tasks.objects.pool.count()
        };
        assert_eq!([0, 1].map(|n| frame(&mut tasks, n)), [3, 3]);
        assert_eq!([2, 3, 4].map(|n| frame(&mut tasks, n)), [2; 3], "its time is up at tick 4");
        let objects = &mut tasks.objects;
        mark_zone(&mut objects.zones, &mut objects.spawns, 3);
        assert_eq!([5, 6].map(|n| frame(&mut tasks, n)), [1; 2]);
        tasks.objects.zones.enable(3);
        assert_eq!(frame(&mut tasks, 7), 1, "their records are gone");
        assert_eq!(made, 3, "none is made again");
    }

    #[test]
    fn a_phase_change_forgets_what_is_carried() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        tasks.tick(&mut world, Phase::Play, 0);
        tasks.tick(&mut world, Phase::Pause, PAIR);
        assert_eq!(tasks.tick(&mut world, Phase::Play, 3 * PAIR), 0);
        assert_eq!(tasks.tick(&mut world, Phase::Play, 4 * PAIR), 1);
    }

    #[test]
    fn a_tick_is_humans_then_wheel_then_physics() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        tasks.tick_game(&mut world, 0);
        world.log.clear();
        tasks.spawn_test_particle(&mut world, 0);
        world.log.clear();
        tasks.tick_game(&mut world, PAIR);
        let kept: std::vec::Vec<&str> = world
            .log
            .iter()
            .map(std::string::String::as_str)
            .filter(|l| ["pads", "cameras", "physics", "game_state"].contains(l) || l.starts_with("type"))
            .collect();
        let tick_a = ["pads", "cameras", "type particle0 1", "physics"];
        let tick_b = ["type particle0 1", "physics", "game_state"];
        assert_eq!(kept, [&tick_a[..], &tick_b[..]].concat());
    }

    #[test]
    fn the_managers_update_in_order() {
        use super::super::cars::tests::car;
        use super::super::engine::Creation;
        use super::super::fake::BRICK;
        use super::super::ids::TaskClass;
        use super::super::objects::life::tests::object;
        use crate::maths::Vec3;
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        tasks.new_light(&mut world, 1, Vec3::ZERO).unwrap();
        let van = car(&mut tasks, &mut world, Vec3::ZERO);
        tasks.set_car_instance(&mut world, van, super::super::world::InstanceId(77));
        let brick = object(&mut tasks, &mut world, BRICK, 0.0);
        tasks.manager.queue_moved(brick);
        // A finished scene gives its data back when its manager is updated, which the world hears.
        let scene = tasks.create(&mut world, TaskClass::Scene, 5, &Creation::at(Vec3::ZERO)).unwrap();
        tasks.scene_mut(scene).unwrap().data = 640;
        tasks.finish_scene(&mut world, scene);
        world.log.clear();
        tasks.update_managers(&mut world, Phase::Play);
        let kinds: std::vec::Vec<&str> = world.log.iter().map(|l| l.split(' ').next().unwrap()).collect();
        assert_eq!(kinds, ["draw", "draw", "light", "sprite", "call"], "{:?}", world.log);
        assert!(world.log[0].starts_with("draw 1 ") && world.log[1].starts_with("draw 77 "), "objects before cars");
        assert_eq!((world.sprites.len(), tasks.manager.moved().len()), (1, 0));
        world.log.clear();
        tasks.update_managers(&mut world, Phase::Pause);
        assert!(world.log.is_empty(), "a pause leaves play alone");
    }

    #[test]
    fn a_tick_goes_to_its_phase() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        tasks.tick(&mut world, Phase::Play, 0);
        assert_eq!(tasks.tick(&mut world, Phase::Play, 2 * PAIR), 2);
        tasks.tick(&mut world, Phase::Pause, 2 * PAIR);
        assert_eq!((tasks.manager.clock.time_of(Phase::Play), tasks.manager.clock.time_of(Phase::Pause)), (4, 1));
    }

    #[test]
    fn a_paused_tick_steps_the_characters_only_at_counter_1() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        tasks.manager.set_phase(Phase::Pause);
        tasks.tick_paused(&mut world);
        assert!(world.log.contains(&"refresh".into()), "right after a reset the step has its body");
        world.log.clear();
        tasks.tick_paused(&mut world);
        assert_eq!(world.log, ["pads", "cameras"]);
        assert_eq!(tasks.manager.clock.time_of(Phase::Pause), 2);
        assert_eq!(tasks.manager.wheel(Phase::Pause).current(), 2);
    }

    #[test]
    fn the_pads_and_cameras_of_a_pause_have_no_switch() {
        use super::super::humans::step::Switch;
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        tasks.manager.set_phase(Phase::Pause);
        tasks.tick_paused(&mut world);
        for switch in [Switch::Pads, Switch::Cameras] {
            tasks.humans.set_switch(switch, false);
        }
        world.log.clear();
        tasks.tick_paused(&mut world);
        assert_eq!(world.log, ["pads", "cameras"]);
    }
}
