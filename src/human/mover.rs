//! A human as the motion system moves it: its records, its body's adapter, and the commands of a pad.
//!
//! Two sides use it. A brain's ways ([`crate::ai::walk`]) only ask what move-to wants and leave the moving to the
//! characters' locomotion. A pad of the command-driven scheme gives commands, and the body then moves by the motion
//! system's own velocities and shows the clips of its sequence ([`super::driven`]). For both, what the physics does to the
//! human reaches the records through [`HumanMover::see`]: landing, leaving the ground, exhaustion.
//!
//! Source: settled questions 14 to 16; seed 004, MovementManager.

use super::driven::{Driven, Shown};
use super::numbers::STAMINA;
use super::person::Human;
use crate::maths::{Quat, Vec3};
use crate::motion::seams::CallRing;
use crate::motion::{
    Body, CharacterWeenie, CommandInput, CommandOutcome, CommandScheme, HoldKey, Hook, MotionObject, Mover,
    ObjectMotions, Position, Surroundings, TablePartArray, TargetTracker, Time, degrees_of_heading, heading_of_degrees,
};
use crate::physics::constants::{HUMAN_HEIGHT, HUMAN_RADIUS};
use crate::tasks::humans::step::STEP_SECONDS;

/// Calls that are remembered for the overlay.
const REMEMBERED: usize = 8;
/// Frames of clips that one step passes at most.
const FRAMES: usize = 8;
/// Stamina that a second of running by the hold key costs.
///
/// Our choice: between the direct scheme's run, which costs nothing, and its sprint, so that a runner tires.
const RUN_COST: f32 = 7.0;
/// Metres within which whom one follows is seen in every step.
///
/// Our choice: the interval between looks is for things across a world. Who fights or keeps a place beside somebody sees each
/// of his steps.
const CLOSE: f32 = 6.0;
/// The share of the stamina that must be back before the hold key counts again after exhaustion.
const RECOVERED: f32 = 0.25;

/// The human's body as the motion system sees it.
#[derive(Clone, Copy, Debug, Default)]
pub struct HumanBody {
    id: u32,
    position: Position,
    velocity: Vec3,
    grounded: bool,
    present: bool,
    radius: f32,
    height: f32,
    /// Its pad gives the commands.
    autonomous: bool,
    /// The world velocity that it was given.
    launched: Option<Vec3>,
    tracker: TargetTracker,
}

impl HumanBody {
    /// Place and heading.
    pub fn place(&self) -> Position {
        self.position
    }

    /// Radius in metres.
    pub fn rim(&self) -> f32 {
        self.radius
    }

    /// Height in metres.
    pub fn tall(&self) -> f32 {
        self.height
    }
}

impl Body for HumanBody {
    fn id(&self) -> u32 {
        self.id
    }
    fn has_gravity(&self) -> bool {
        true
    }
    fn has_contact(&self) -> bool {
        self.grounded
    }
    fn on_walkable(&self) -> bool {
        self.grounded
    }
    fn in_cell(&self) -> bool {
        self.present
    }
    fn is_fully_constrained(&self) -> bool {
        false
    }
    fn movement_is_autonomous(&self) -> bool {
        self.autonomous
    }
    fn is_interpolating(&self) -> bool {
        false
    }
    fn position(&self) -> Position {
        self.position
    }
    fn orientation(&self) -> Quat {
        Quat::from_heading(heading_of_degrees(self.position.heading))
    }
    fn velocity(&self) -> Vec3 {
        self.velocity
    }
    fn radius(&self) -> f32 {
        self.radius
    }
    fn height(&self) -> f32 {
        self.height
    }
    fn set_active(&mut self) {}
    fn set_on_walkable(&mut self, walkable: bool) -> bool {
        core::mem::replace(&mut self.grounded, walkable) && !walkable
    }
    fn set_local_velocity(&mut self, velocity: Vec3, _autonomous: bool) {
        self.velocity = self.orientation().rotate(velocity);
        self.launched = Some(self.velocity);
    }
    fn set_heading(&mut self, degrees: f32) {
        self.position.heading = degrees;
    }
    fn set_target(&mut self, _: u32, object_id: u32, radius: f32, quantum: f32) {
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

/// A frame of a clip that was passed: the clip's number and the frame.
pub type PassedFrame = (u32, u16);

/// One human's motion records.
#[derive(Clone, Debug)]
pub struct HumanMover<T> {
    /// The records, for the overlay too.
    pub object: MotionObject<TablePartArray<T>>,
    /// The latest calls.
    pub calls: CallRing<REMEMBERED>,
    /// What the pad holds.
    pub scheme: CommandScheme,
    /// Frames of clips that the last step passed.
    pub passed: heapless::Vec<PassedFrame, FRAMES>,
    /// Frames that found the list full, and so fire no sounds.
    pub frames_lost: u32,
    /// Landings, departures and exhaustions that were reported since the human came, for whoever watches.
    pub reports: [u32; 3],
    body: HumanBody,
    weenie: CharacterWeenie,
    now: Time,
    /// The stamina ran out and has not come back far enough.
    tired: bool,
}

/// An object's number for the motion system: 0 is nobody.
pub const fn object_of(human: u8) -> u32 {
    human as u32 + 1
}

fn around<'a>(
    body: &'a mut HumanBody,
    weenie: &'a CharacterWeenie,
    now: Time,
    trace: &'a mut CallRing<REMEMBERED>,
) -> Surroundings<'a> {
    Surroundings { body: Some(body), weenie: Some(weenie), now, trace }
}

impl<T: ObjectMotions> HumanMover<T> {
    /// Records in their default state; motions come from a table.
    pub fn new(human: u8, table: T) -> Self {
        let mut mover = Self {
            object: MotionObject { parts: Some(TablePartArray::new(Some(table))), ..MotionObject::default() },
            calls: CallRing::default(),
            scheme: CommandScheme::default(),
            passed: heapless::Vec::new(),
            frames_lost: 0,
            reports: [0; 3],
            body: HumanBody { id: object_of(human), grounded: true, present: true, ..HumanBody::default() },
            weenie: CharacterWeenie { is_player: false, stamina: STAMINA },
            now: Time(0),
            tired: false,
        };
        let Self { object, calls, body, weenie, now, .. } = &mut mover;
        object.make_movement_manager(around(body, weenie, *now, calls), true);
        mover.body.launched = None;
        mover
    }

    /// The body's adapter.
    pub fn body(&self) -> &HumanBody {
        &self.body
    }

    /// Works with the bundle of everything that calls need; `None` without records.
    pub fn with<R>(&mut self, work: impl FnOnce(&mut Mover<'_>) -> R) -> Option<R> {
        let Self { object, calls, body, weenie, now, .. } = self;
        object.mover(around(body, weenie, *now, calls)).as_mut().map(work)
    }

    /// The human has gone: nothing is under way any more, and whoever takes its place begins anew.
    pub fn leave_world(&mut self) {
        self.body.present = false;
        self.with(|mover| {
            mover.cancel_move_to(crate::motion::MotionError::ActionCancelled);
            mover.parts_handle_exit_world();
            mover.handle_exit_world();
        });
        self.scheme = CommandScheme::default();
        self.body.tracker.clear();
        self.body.present = true;
        self.body.grounded = true;
        self.with(|mover| mover.enter_default_state());
        (self.body.launched, self.tired, self.reports) = (None, false, [0; 3]);
    }

    /// Looks at the human: where it is, and what the physics did to it since the last look. Landing and leaving the ground
    /// are told to the records; so is stamina that has run out.
    pub fn see(&mut self, human: &Human) {
        let body = &mut self.body;
        body.position = Position { point: human.position, heading: degrees_of_heading(human.heading) };
        body.velocity = human.velocity;
        body.radius = HUMAN_RADIUS * human.spawn.scale;
        body.height = HUMAN_HEIGHT * human.spawn.scale;
        body.autonomous = human.driven.is_some();
        let had_stamina = self.weenie.stamina > 0.0;
        self.weenie = CharacterWeenie { is_player: human.driven.is_some(), stamina: human.stamina };
        let grounded = !human.is_airborne();
        if grounded != core::mem::replace(&mut body.grounded, grounded) {
            self.reports[usize::from(!grounded)] += 1;
            self.with(|mover| if grounded { mover.hit_ground() } else { mover.leave_ground() });
        }
        if had_stamina && human.stamina <= 0.0 {
            self.reports[2] += 1;
            self.tired = true;
            self.with(|mover| mover.report_exhaustion());
        }
    }

    /// The human's physics is through for this step: what it did is reported, and a body that left the ground takes along
    /// what the records gave it.
    pub fn moved(&mut self, human: &mut Human) {
        self.see(human);
        if let Some(velocity) = self.body.launched.take()
            && human.driven.is_some()
            && human.is_airborne()
        {
            human.velocity = velocity;
        }
    }

    /// A step's time passes: animations play, and what has ended completes its motions. Answers the turn that they make,
    /// in radians clockwise.
    pub fn pass_time(&mut self) -> f32 {
        self.now = self.now.after(STEP_SECONDS);
        let Self { object, calls, body, weenie, now, passed, frames_lost, .. } = self;
        let moved = object.parts.as_mut().map(|parts| parts.update(STEP_SECONDS)).unwrap_or_default();
        passed.clear();
        object.update(around(body, weenie, *now, calls), &mut |hook| {
            if let Hook::Frame { clip, frame, .. } = hook
                && passed.push((clip, frame)).is_err()
            {
                *frames_lost = frames_lost.saturating_add(1);
            }
        });
        // The table's turns are about the upright axis, anticlockwise.
        -moved.rotation.z
    }

    /// Where the human that is followed is, and how fast.
    pub fn look(&mut self, seen: Option<(Position, Vec3)>) {
        if seen.is_some_and(|(place, _)| (place.point - self.body.position.point).length() < CLOSE) {
            self.body.tracker.renew();
        }
        if let Some(info) = self.body.tracker.look(self.now, seen) {
            self.with(|mover| mover.target_reported(&info));
        }
    }

    /// Whether the records have nothing left to play to its end.
    pub fn is_at_rest(&self) -> bool {
        self.object.movement.as_ref().is_none_or(|movement| !movement.motions_pending() && !movement.is_moving_to())
    }

    /// One step of a pad's commands: what the body is to do in it. `busy` is somebody whom a blow, a hold or an attack moves:
    /// nothing is held meanwhile.
    pub fn command(&mut self, human: &mut Human, input: CommandInput, busy: bool) -> CommandOutcome {
        if human.driven.is_none() {
            human.driven = Some(Driven::default());
        }
        self.see(human);
        let turn = self.pass_time();
        self.tired &= human.stamina < STAMINA * RECOVERED;
        let input = CommandInput { run: input.run && !self.tired, ..input };
        let mut scheme = self.scheme;
        let outcome = self.with(|mover| {
            if busy {
                scheme.pause(mover, input);
                return CommandOutcome::default();
            }
            scheme.update(mover, input, STEP_SECONDS)
        });
        self.scheme = scheme;
        let outcome = outcome.unwrap_or_default();
        if let Some(cost) = outcome.jumped {
            human.stamina = (human.stamina - cost as f32).max(0.0);
        }
        self.spend(human);
        let velocity = self.with(|mover| mover.ground_velocity()).unwrap_or_default();
        let leap = self.body.launched.take().filter(|_| outcome.jumped.is_some());
        let shown = self.object.parts.as_ref().and_then(|parts| parts.sequence.current());
        let shown = shown.map(|(range, frame)| Shown { clip: range.clip as u16, frame });
        human.driven = Some(Driven { velocity, turn, leap, shown, charge: self.scheme.charge() });
        outcome
    }

    /// Running tires, and rest restores.
    fn spend(&self, human: &mut Human) {
        let Some(movement) = &self.object.movement else { return };
        let runs = movement.interpreter.raw_state.current_holdkey == HoldKey::Run
            && !movement.interpreter.interpreted_state.is_idle();
        let change = if runs { -RUN_COST } else { super::numbers::STAMINA_RATES[1] };
        if self.body.grounded {
            human.stamina = (human.stamina + change * STEP_SECONDS).clamp(0.0, STAMINA);
        }
    }

    /// Another scheme takes the human over: nothing is held, and it stands.
    pub fn release(&mut self, human: &mut Human) {
        let mut scheme = self.scheme;
        self.with(|mover| {
            scheme.release(mover);
            mover.stop_completely();
        });
        self.scheme = scheme;
        self.body.launched = None;
        human.driven = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::AnimRange;
    use crate::motion::table::build::sample;

    #[test]
    fn frames_that_found_the_list_full_are_counted() {
        let mut mover = HumanMover::new(1, sample().build().unwrap());
        let sequence = &mut mover.object.parts.as_mut().unwrap().sequence;
        sequence.clear_animations();
        let ten_a_step = 10.0 / STEP_SECONDS;
        sequence.append(AnimRange { clip: 1, low_frame: 0, high_frame: 90, framerate: ten_a_step, hooks: (0, 1) });
        mover.pass_time();
        let (passed, lost) = (mover.passed.len(), mover.frames_lost);
        std::println!("{passed} frames passed, {lost} lost");
        assert!(passed == FRAMES && (1..=2).contains(&lost), "{passed} {lost}");
    }
}
