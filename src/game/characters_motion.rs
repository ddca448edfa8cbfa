//! Who decides for a human in a step: its brain, or its pad through the motion system.
//!
//! In the command-driven scheme the players' pads command the motion system in the brains' step, as brains do; in the direct
//! scheme their sticks are the locomotion's alone. The setting may change in any pause.
//!
//! Source: settled questions 15.

use super::characters::People;
use super::state::Scheme;
use crate::tasks::humans::records::PlayerRecords;

impl People {
    /// Whether a human's pad commands the motion system by a scheme, or has done so until now.
    fn is_commanded(&self, n: usize, scheme: Scheme) -> bool {
        let human = &self.humans.people[n];
        let is_pads = human.present && human.spawn.player.is_some();
        is_pads && (human.driven.is_some() || scheme == Scheme::Commands && self.brains.can_command())
    }

    /// Whether anybody decides for a human in the brains' step.
    pub(super) fn decides(&self, n: usize, scheme: Scheme) -> bool {
        self.brains.is_enabled(n, &self.humans) || self.is_commanded(n, scheme)
    }

    /// A brain's turn to think; pads have thought already.
    pub(super) fn think(&mut self, n: usize) {
        if self.brains.is_enabled(n, &self.humans) {
            self.brains.think(n, &self.humans);
        }
    }

    /// The brains' step of one human.
    pub(super) fn decide(&mut self, n: usize, scheme: Scheme, records: &mut PlayerRecords) {
        let Self { brains, humans, .. } = self;
        if brains.is_enabled(n, humans) {
            brains.update(n, humans, records);
        } else if scheme == Scheme::Commands {
            brains.command(n, humans, records);
        } else {
            brains.end_command(n, humans);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::characters_draw::Models;
    use super::super::fake::{FakeGame, game};
    use super::*;
    use crate::ai::Brains;
    use crate::animation::testing::{clip, clips};
    use crate::boot::start::StartHost as _;
    use crate::game_modes::{ModeId, run_once};
    use crate::human::{Cast, Humans, Spawn};
    use crate::maths::Vec3;
    use crate::motion::{HoldKey, MotionId, MovementManager};
    use crate::overlay::Page;
    use crate::pads::Script;
    use std::boxed::Box;
    use std::vec::Vec;

    /// A game in the yard with people, whose first player stands where nothing is near, and a script.
    fn yard(scheme: Scheme, script: &str) -> Box<FakeGame> {
        let mut game = game();
        game.initialize_subsystems().unwrap();
        game.state.settings.scheme = scheme;
        game.input.script = Script::parse("9x,9x,9.");
        game.push_mode(ModeId::LevelFlow);
        while game.level.is_none() {
            run_once(&mut *game);
            game.after_round();
        }
        let cast: Vec<_> = Cast::IDS.iter().map(|id| clip(*id, 3, 20, 0.0, 0.0, &[])).collect();
        let mut people = Box::new(People::new(
            Humans::new(clips(&cast), crate::combat::FightTable::built_in().unwrap()).unwrap(),
            Brains::new(),
            Models::new(Vec::new()),
        ));
        people.brains.use_motions(crate::motion::table::build::sample().build().unwrap());
        game.people = Some(people);
        let (position, heading) = game.level.as_deref().unwrap().start;
        let spawn = Spawn { position, heading, player: Some(0), ..Spawn::default() };
        let come = game.with_tasks(|tasks, world| {
            let (people, physics) = (world.people.as_deref_mut().unwrap(), world.physics.as_deref_mut().unwrap());
            people.spawn(spawn, tasks, physics)
        });
        assert_eq!(come, Some(Some(0)));
        game.input.script = Script::parse(script);
        game
    }

    fn play(game: &mut FakeGame, frames: u32) {
        for _ in 0..frames {
            run_once(game);
            game.after_round();
        }
    }

    fn movement(game: &FakeGame) -> &MovementManager {
        let walks = game.people.as_deref().unwrap().brains.walks.as_ref().unwrap();
        walks[0].mover.object.movement.as_ref().unwrap()
    }

    fn reports(game: &FakeGame) -> [u32; 3] {
        game.people.as_deref().unwrap().brains.walks.as_ref().unwrap()[0].mover.reports
    }

    fn feet(game: &FakeGame) -> Vec3 {
        game.people.as_deref().unwrap().humans.people[0].position
    }

    #[test]
    fn the_stick_walks_by_commands_and_the_run_button_runs() {
        let mut game = yard(Scheme::Commands, "n*60,nf*60");
        play(&mut game, 30);
        let state = &movement(&game).interpreter.interpreted_state;
        assert_eq!((state.forward_command, state.forward_speed), (MotionId::WALK_FORWARD, 1.0));
        let from = feet(&game);
        play(&mut game, 30);
        let walked = (feet(&game) - from).horizontal().length();
        assert!((walked - 3.12).abs() < 0.15, "{walked} m in a second");
        play(&mut game, 60);
        let interpreter = &movement(&game).interpreter;
        std::println!("{:?}", interpreter.raw_state);
        assert_eq!(interpreter.raw_state.current_holdkey, HoldKey::Run);
        assert_eq!(interpreter.interpreted_state.forward_command, MotionId::RUN_FORWARD);
    }

    #[test]
    fn the_direct_scheme_moves_nobody_by_commands() {
        let mut game = yard(Scheme::Direct, "n*60");
        play(&mut game, 60);
        assert!(movement(&game).interpreter.interpreted_state.is_idle());
        let human = &game.people.as_deref().unwrap().humans.people[0];
        assert!(human.driven.is_none() && human.stick.0 == 1.0, "the stick is the locomotion's");
    }

    #[test]
    fn leaving_the_ground_and_landing_are_reported_once_each_for_a_charged_jump() {
        let mut game = yard(Scheme::Commands, "10t*20,90.");
        play(&mut game, 12);
        assert_eq!(reports(&game), [0, 0, 0]);
        let mut highest = 0.0_f32;
        let ground = feet(&game).z;
        for _ in 0..90 {
            play(&mut game, 1);
            highest = highest.max(feet(&game).z - ground);
        }
        std::println!("{highest} m, {:?}", reports(&game));
        // The jump itself told the records that the ground is left; the physics tells of the landing.
        assert_eq!(reports(&game), [1, 0, 0]);
        assert!(highest > 0.2 && (feet(&game).z - ground).abs() < 0.05);
    }

    #[test]
    fn ground_that_ends_reaches_the_records_from_the_physics() {
        let mut game = yard(Scheme::Commands, "200.");
        play(&mut game, 10);
        game.people.as_deref_mut().unwrap().humans.people[0].position.z += 2.5;
        play(&mut game, 4);
        assert_eq!(reports(&game), [0, 1, 0]);
        assert_eq!(movement(&game).interpreter.interpreted_state.forward_command, MotionId::READY);
        let walks = game.people.as_deref().unwrap().brains.walks.as_ref().unwrap();
        let substate = walks[0].mover.object.parts.as_ref().unwrap().manager.state.substate;
        assert_eq!(substate, MotionId::FALLING, "it plays the fall");
        play(&mut game, 60);
        assert_eq!(reports(&game), [1, 1, 0]);
    }

    #[test]
    fn a_runner_whose_stamina_is_out_is_reported_and_walks() {
        let mut game = yard(Scheme::Commands, "nf*300");
        play(&mut game, 20);
        game.people.as_deref_mut().unwrap().humans.people[0].stamina = 0.5;
        play(&mut game, 10);
        assert_eq!(reports(&game)[2], 1);
        assert_eq!(movement(&game).interpreter.interpreted_state.forward_command, MotionId::WALK_FORWARD);
        play(&mut game, 60);
        assert_eq!(movement(&game).interpreter.interpreted_state.forward_command, MotionId::RUN_FORWARD);
    }

    #[test]
    fn animations_that_end_complete_the_motions_in_flight() {
        let mut game = yard(Scheme::Commands, "n*10,90.");
        play(&mut game, 10);
        assert!(movement(&game).motions_pending(), "the way into the walk plays");
        play(&mut game, 80);
        assert!(!movement(&game).motions_pending());
    }

    #[test]
    fn another_scheme_in_the_pause_takes_the_player_over_and_back() {
        let mut game = yard(Scheme::Commands, "n*30,200.");
        play(&mut game, 20);
        assert!(game.people.as_deref().unwrap().humans.people[0].driven.is_some());
        game.state.settings.scheme = Scheme::Direct;
        play(&mut game, 4);
        let human = &game.people.as_deref().unwrap().humans.people[0];
        assert!(human.driven.is_none() && movement(&game).interpreter.interpreted_state.is_idle());
        game.state.settings.scheme = Scheme::Commands;
        play(&mut game, 4);
        assert!(game.people.as_deref().unwrap().humans.people[0].driven.is_some());
    }

    #[test]
    fn the_overlay_shows_the_commanded_player() {
        let mut game = yard(Scheme::Commands, "n*40");
        play(&mut game, 40);
        let people = game.people.as_deref().unwrap();
        let told = super::super::characters_facts::Told::look(people, (0, 0));
        let mover = told.mover(people).expect("the player is a mover");
        assert_eq!(mover.movement.interpreter.raw_state.forward_command, MotionId::WALK_FORWARD);
        assert_eq!(told.counts.1, 1);
        let subjects = crate::overlay::Subjects { mover: Some(mover), movers: 1, ..Default::default() };
        let text = crate::overlay::pages::tests::text_of(Page::Motion, &subjects);
        assert!(text.contains("WalkForward") && text.contains("PENDING"), "{text}");
    }

    #[test]
    fn the_overlay_shows_where_a_brains_human_is_going() {
        use crate::ai::{Goal, Temper};
        let mut game = yard(Scheme::Direct, "200.");
        let position = feet(&game) + Vec3::new(1.0, 0.0, 0.0);
        let come = game.with_tasks(|tasks, world| {
            let (people, physics) = (world.people.as_deref_mut().unwrap(), world.physics.as_deref_mut().unwrap());
            let n = people.spawn(Spawn { position, ..Spawn::default() }, tasks, physics)?;
            people.brains.enable(n, Temper::Civilian, Goal::Wander { home: position, radius: 4.0 });
            Some(n)
        });
        assert_eq!(come, Some(Some(1)));
        play(&mut game, 10);
        let people = game.people.as_deref().unwrap();
        let told = super::super::characters_facts::Told::look(people, (0, 0));
        let subjects = crate::overlay::Subjects { mover: told.mover(people), movers: 1, ..Default::default() };
        let text = crate::overlay::pages::tests::text_of(Page::Motion, &subjects);
        assert!(text.contains("TO A PLACE") && (text.contains("TURN ") || text.contains("GO ")), "{text}");
    }
}
