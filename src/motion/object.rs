//! The motion records of one thing, and the relays that the rest of the game calls (CPhysicsObj's part of it).

use super::seams::{Body, PartArray, Trace, Weenie};
use super::state::{InterpretedMotionState, RawMotionState};
use super::{Hook, MotionId, MovementManager, Mover, StickyManager, Time};

/// Everything that a call needs besides the records.
pub struct Surroundings<'a> {
    /// The body.
    pub body: Option<&'a mut dyn Body>,
    /// What the thing is in the game.
    pub weenie: Option<&'a dyn Weenie>,
    /// The moment of the call.
    pub now: Time,
    /// Where calls are written down.
    pub trace: &'a mut dyn Trace,
}

/// The motion records of one thing. Things that never move have neither manager nor parts, and every relay then does
/// nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionObject<P> {
    /// Interpreter and move-to, for things that commands move.
    pub movement: Option<MovementManager>,
    /// What shows the motion, for things that are shown moving.
    pub parts: Option<P>,
    /// What the thing sticks to.
    pub sticky: StickyManager,
}

impl<P> Default for MotionObject<P> {
    fn default() -> Self {
        Self { movement: None, parts: None, sticky: StickyManager::default() }
    }
}

impl<P: PartArray> MotionObject<P> {
    /// The bundle to call on; `None` for a thing without a movement manager.
    pub fn mover<'a, 'b: 'a>(&'a mut self, around: Surroundings<'b>) -> Option<Mover<'a>> {
        let Surroundings { body, weenie, now, trace } = around;
        Some(Mover {
            movement: self.movement.as_mut()?,
            sticky: &mut self.sticky,
            body: body.map(|body| body as &mut dyn Body),
            weenie,
            parts: self.parts.as_mut().map(|parts| parts as &mut dyn PartArray),
            now,
            trace,
        })
    }

    /// Gives the thing a movement manager with neither part made, or in its default state if asked to
    /// (MakeMovementManager).
    // Covers: seed 004, MovementManager::Create (0x00524050) test=relays_reach_a_thing_with_a_manager
    pub fn make_movement_manager(&mut self, around: Surroundings<'_>, init: bool) {
        if self.movement.is_some() {
            return;
        }
        self.movement = Some(MovementManager::new());
        if let Some(mut mover) = self.mover(around) {
            if init {
                mover.enter_default_state();
            }
            if let Some(body) = mover.body.as_deref_mut() {
                body.set_active();
            }
        }
    }

    /// A motion completed.
    pub fn motion_done(&mut self, around: Surroundings<'_>, motion: MotionId, success: bool) {
        if let Some(mut mover) = self.mover(around) {
            mover.body_motion_done(motion, success);
        }
    }

    /// Stamina ran out.
    // Covers: seed 004, CPhysicsObj::report_exhaustion (0x0050fdd0) test=relays_reach_a_thing_with_a_manager
    pub fn report_exhaustion(&mut self, around: Surroundings<'_>) {
        if let Some(mut mover) = self.mover(around) {
            mover.report_exhaustion();
        }
    }

    /// The raw state, if the thing has a movement manager; makes the interpreter.
    // Covers: seed 004, CPhysicsObj::InqRawMotionState (0x0050fde0) test=relays_reach_a_thing_with_a_manager
    pub fn raw_motion_state(&mut self, around: Surroundings<'_>) -> Option<&RawMotionState> {
        self.mover(around)?.ensure_interpreter();
        self.movement.as_ref().map(|movement| &movement.interpreter.raw_state)
    }

    /// The interpreted state, if the thing has a movement manager; makes the interpreter.
    // Covers: seed 004, CPhysicsObj::InqInterpretedMotionState (0x0050fe00) test=relays_reach_a_thing_with_a_manager
    pub fn interpreted_motion_state(&mut self, around: Surroundings<'_>) -> Option<&InterpretedMotionState> {
        self.mover(around)?.ensure_interpreter();
        self.movement.as_ref().map(|movement| &movement.interpreter.interpreted_state)
    }

    /// One frame of motion after the body has moved: hooks, move-to, then the nodes that take no time, then the grip. Frames
    /// of clips that were passed reach `on_frame`.
    ///
    /// Source: motion notes, MovementManager (Frame cadence).
    pub fn update(&mut self, around: Surroundings<'_>, on_frame: &mut dyn FnMut(Hook)) {
        let Some(mut mover) = self.mover(around) else { return };
        mover.process_hooks(on_frame);
        mover.use_time();
        mover.check_for_completed_motions();
        if mover.sticky.has_expired(mover.now) {
            mover.unstick_from_object();
        }
        #[cfg(any(test, debug_assertions))]
        mover.check_pairs();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::{Quat, Vec3, from_heading};
    use crate::motion::bench::{Bench, BenchBody, BenchParts};
    use crate::motion::seams::{CallRing, NoTrace};
    use crate::motion::table::build::sample;
    use crate::motion::{
        CharacterWeenie, Movement, MovementType, Position, TablePartArray, TargetTracker, degrees_of_heading,
    };

    /// A body that follows its target by itself, as the game's do.
    #[derive(Default)]
    struct GameBody {
        bench: BenchBody,
        tracker: TargetTracker,
    }

    macro_rules! hand_on {
        ($($name:ident -> $type:ty),* $(,)?) => { $(fn $name(&self) -> $type { self.bench.$name() })* };
    }

    impl Body for GameBody {
        hand_on!(id -> u32, has_gravity -> bool, has_contact -> bool, on_walkable -> bool, in_cell -> bool,
            is_fully_constrained -> bool, movement_is_autonomous -> bool, is_interpolating -> bool, position -> Position,
            orientation -> Quat, velocity -> Vec3, radius -> f32, height -> f32);

        fn set_active(&mut self) {
            self.bench.set_active();
        }
        fn set_on_walkable(&mut self, walkable: bool) -> bool {
            self.bench.set_on_walkable(walkable)
        }
        fn set_local_velocity(&mut self, velocity: Vec3, autonomous: bool) {
            self.bench.set_local_velocity(velocity, autonomous);
        }
        fn set_heading(&mut self, degrees: f32) {
            self.bench.set_heading(degrees);
        }
        fn set_target(&mut self, _context_id: u32, object_id: u32, radius: f32, quantum: f32) {
            self.tracker.follow(object_id, radius, quantum);
        }
        fn clear_target(&mut self) {
            self.tracker.clear();
        }
        fn target_quantum(&self) -> f32 {
            self.tracker.quantum()
        }
        fn set_target_quantum(&mut self, quantum: f32) {
            self.tracker.set_quantum(quantum);
        }
    }

    #[test]
    fn a_brain_has_its_character_catch_up_with_a_walker() {
        const STEP: f32 = 1.0 / 30.0;
        const WALKER: u32 = 9;
        let table = sample().build().unwrap();
        let mut object = MotionObject { parts: Some(TablePartArray::new(Some(table))), ..Default::default() };
        let (mut body, mut trace) = (GameBody::default(), CallRing::<16>::default());
        let weenie = CharacterWeenie::default();
        let mut now = Time(0);
        macro_rules! around {
            () => {
                Surroundings { body: Some(&mut body), weenie: Some(&weenie), now, trace: &mut trace }
            };
        }
        object.make_movement_manager(around!(), true);
        let follow = Movement {
            movement_type: MovementType::MoveToObject,
            object_id: WALKER,
            top_level_id: WALKER,
            radius: 0.5,
            height: 2.0,
            ..Default::default()
        };
        object.mover(around!()).unwrap().perform_movement(&follow).unwrap();
        let mut walker = Position { point: Vec3::new(6.0, 4.0, 0.0), heading: 0.0 };
        let stroll = Vec3::new(0.0, 0.8, 0.0);
        let mut steps = 0;
        while object.movement.as_ref().unwrap().is_moving_to() && steps < 900 {
            steps += 1;
            now = now.after(STEP);
            walker.point += stroll * STEP;
            object.parts.as_mut().unwrap().update(STEP);
            if let Some(asked) = object.movement.as_ref().unwrap().locomotion_request(body.position()) {
                let speed = [0.0, 1.2, 1.5, 4.0, 7.5][asked.gait as usize];
                body.bench.position.heading = degrees_of_heading(asked.heading);
                body.bench.velocity = from_heading(asked.heading) * speed;
                body.bench.position.point += body.bench.velocity * STEP;
            }
            if let Some(info) = body.tracker.look(now, Some((walker, stroll))) {
                object.mover(around!()).unwrap().target_reported(&info);
            }
            object.update(around!(), &mut |_| {});
        }
        let gap = (walker.point - body.position().point).length();
        std::println!("{steps} steps, {gap} m apart, {} calls remembered", trace.iter().count());
        // Rim to rim six tenths, and half a metre that the last report may be old.
        assert!(steps < 900 && (1.0..2.2).contains(&gap), "{steps} steps, {gap}");
        assert!(object.mover(around!()).unwrap().queues_are_paired());
        assert_eq!((trace.iter().count(), body.tracker.object_id()), (16, None));
    }

    #[test]
    fn relays_do_nothing_for_a_thing_without_a_manager() {
        let mut object: MotionObject<BenchParts> = MotionObject::default();
        let mut body = BenchBody::default();
        macro_rules! around {
            () => {
                Surroundings { body: Some(&mut body), weenie: None, now: Time(0), trace: &mut NoTrace }
            };
        }
        object.motion_done(around!(), MotionId::READY, true);
        object.report_exhaustion(around!());
        object.update(around!(), &mut |_| {});
        assert_eq!(object.raw_motion_state(around!()), None);
        assert_eq!(object.interpreted_motion_state(around!()), None);
        assert_eq!(object, MotionObject::default());
    }

    #[test]
    fn relays_reach_a_thing_with_a_manager() {
        let mut object: MotionObject<BenchParts> =
            MotionObject { parts: Bench::accepting().parts, ..Default::default() };
        let (mut body, mut trace) = (BenchBody::default(), Bench::default().trace);
        macro_rules! around {
            () => {
                Surroundings { body: Some(&mut body), weenie: None, now: Time(0), trace: &mut trace }
            };
        }
        object.make_movement_manager(around!(), false);
        assert_eq!(object.raw_motion_state(around!()), Some(&RawMotionState::default()));
        assert_eq!(object.interpreted_motion_state(around!()), Some(&InterpretedMotionState::default()));
        let before = object.movement.as_ref().unwrap().interpreter.pending_motions.len();
        object.report_exhaustion(around!());
        let after = object.movement.as_ref().unwrap().interpreter.pending_motions.len();
        assert!(after > before, "exhaustion plays the state again: {before} -> {after}");
        object.motion_done(around!(), MotionId::READY, true);
        assert_eq!(object.movement.as_ref().unwrap().interpreter.pending_motions.len(), after - 1);
    }
}
