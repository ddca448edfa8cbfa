//! A mover on the workbench: plain stand-ins for body, weenie and table, for host tools and tests.
//!
//! Stand-in: the game's characters implement the seams; here a body is a record of switches that anything may set.

use super::seams::{Body, Call, Trace, Weenie};
use super::{
    MotionId, MotionState, MotionTable, MovementManager, Mover, ObjectMotions, Position, Sequence, StickyManager,
    TablePartArray, Time, heading_of_degrees, wrap_degrees,
};
use crate::maths::{Quat, Vec3};
use alloc::vec::Vec;

/// A body that is what its fields say.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchBody {
    /// The thing's id.
    pub id: u32,
    /// Whether gravity acts on it.
    pub gravity: bool,
    /// Whether it touches something.
    pub contact: bool,
    /// Whether that can be walked on.
    pub walkable: bool,
    /// Whether it is placed in the world.
    pub cell: bool,
    /// Whether its constraint is stretched to the end.
    pub constrained: bool,
    /// Whether its last move was its player's own.
    pub autonomous: bool,
    /// Whether it glides towards a reported position.
    pub interpolating: bool,
    /// World velocity in metres a second.
    pub velocity: Vec3,
    /// Place and heading.
    pub position: Position,
    /// Radius in metres.
    pub radius: f32,
    /// Height in metres.
    pub height: f32,
    /// Whether losing its footing is reported, as the game's bodies do.
    pub calls_leave_ground: bool,
    /// Whether it was woken.
    pub active: bool,
    /// The thing it follows.
    pub target: Option<u32>,
    /// How far ahead its reports look, in seconds.
    pub target_quantum: f32,
}

impl Default for BenchBody {
    fn default() -> Self {
        Self {
            id: 1,
            gravity: true,
            contact: true,
            walkable: true,
            cell: true,
            constrained: false,
            autonomous: false,
            interpolating: false,
            velocity: Vec3::ZERO,
            position: Position::default(),
            radius: 0.5,
            height: 2.0,
            calls_leave_ground: true,
            active: false,
            target: None,
            target_quantum: 0.0,
        }
    }
}

impl Body for BenchBody {
    fn id(&self) -> u32 {
        self.id
    }
    fn has_gravity(&self) -> bool {
        self.gravity
    }
    fn has_contact(&self) -> bool {
        self.contact
    }
    fn on_walkable(&self) -> bool {
        self.walkable
    }
    fn in_cell(&self) -> bool {
        self.cell
    }
    fn is_fully_constrained(&self) -> bool {
        self.constrained
    }
    fn movement_is_autonomous(&self) -> bool {
        self.autonomous
    }
    fn is_interpolating(&self) -> bool {
        self.interpolating
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
    fn set_active(&mut self) {
        self.active = true;
    }
    fn set_on_walkable(&mut self, walkable: bool) -> bool {
        let left = self.walkable && !walkable;
        self.walkable = walkable;
        left && self.calls_leave_ground
    }
    fn set_local_velocity(&mut self, velocity: Vec3, _autonomous: bool) {
        self.velocity = self.orientation().rotate(velocity);
    }
    fn set_heading(&mut self, degrees: f32) {
        self.position.heading = degrees;
    }
    fn set_target(&mut self, _context_id: u32, object_id: u32, _radius: f32, quantum: f32) {
        (self.target, self.target_quantum) = (Some(object_id), quantum);
    }
    fn clear_target(&mut self) {
        self.target = None;
    }
    fn target_quantum(&self) -> f32 {
        self.target_quantum
    }
    fn set_target_quantum(&mut self, quantum: f32) {
        self.target_quantum = quantum;
    }
}

/// A weenie that answers what its fields say.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchWeenie {
    /// Whether it is a creature.
    pub creature: bool,
    /// Whether it is this machine's player.
    pub player: bool,
    /// Its run rate.
    pub run_rate: Option<f32>,
    /// Whether it can jump.
    pub can_jump: bool,
    /// Upward speed in metres a second of a full jump; smaller ones get their share.
    pub jump_velocity: Option<f32>,
    /// Whether its stamina pays for jumps.
    pub stamina: bool,
}

impl Default for BenchWeenie {
    fn default() -> Self {
        Self {
            creature: true,
            player: true,
            run_rate: Some(1.0),
            can_jump: true,
            jump_velocity: Some(10.0),
            stamina: true,
        }
    }
}

impl Weenie for BenchWeenie {
    fn is_creature(&self) -> bool {
        self.creature
    }
    fn is_the_player(&self) -> bool {
        self.player
    }
    fn jump_velocity(&self, extent: f32) -> Option<f32> {
        self.jump_velocity.map(|full| full * extent)
    }
    fn run_rate(&self) -> Option<f32> {
        self.run_rate
    }
    fn can_jump(&self, _extent: f32) -> bool {
        self.can_jump
    }
    fn jump_stamina_cost(&self, extent: f32) -> Option<u32> {
        const COST_OF_A_FULL_JUMP: f32 = 20.0;
        self.stamina.then_some((COST_OF_A_FULL_JUMP * extent) as u32)
    }
}

/// A table, or a stand-in that has everything or nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BenchTable {
    /// Takes every motion; each waits for this many animations.
    Accept(u32),
    /// Refuses every motion.
    Refuse,
    /// A real table.
    Table(MotionTable<'static>),
}

impl ObjectMotions for BenchTable {
    fn set_default_state(&self, state: &mut MotionState, sequence: &mut Sequence) -> Option<u32> {
        match self {
            Self::Accept(_) => {
                *state = MotionState::default();
                (state.style, state.substate) = (MotionId::NON_COMBAT, MotionId::READY);
                Some(0)
            }
            Self::Refuse => None,
            Self::Table(table) => table.set_default_state(state, sequence),
        }
    }

    fn do_object_motion(
        &self,
        motion: MotionId,
        state: &mut MotionState,
        sequence: &mut Sequence,
        speed: f32,
    ) -> Option<u32> {
        match self {
            Self::Accept(num_anims) => {
                if motion.is_action() {
                    state.add_action(motion, speed);
                }
                Some(*num_anims)
            }
            Self::Refuse => None,
            Self::Table(table) => table.do_object_motion(motion, state, sequence, speed),
        }
    }

    fn stop_object_motion(&self, motion: MotionId, state: &mut MotionState, sequence: &mut Sequence) -> Option<u32> {
        match self {
            Self::Accept(num_anims) => Some(*num_anims),
            Self::Refuse => None,
            Self::Table(table) => table.stop_object_motion(motion, state, sequence),
        }
    }

    fn stop_object_completely(&self, state: &mut MotionState, sequence: &mut Sequence) -> u32 {
        match self {
            Self::Accept(num_anims) => *num_anims,
            Self::Refuse => 0,
            Self::Table(table) => table.stop_object_completely(state, sequence),
        }
    }
}

/// A part array over a bench table.
pub type BenchParts = TablePartArray<BenchTable>;

/// Remembers every call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallLog(pub Vec<Call>);

impl Trace for CallLog {
    fn call(&mut self, call: Call) {
        self.0.push(call);
    }
}

/// A mover with everything it works with.
#[derive(Clone, Debug, Default)]
pub struct Bench {
    /// Interpreter and move-to.
    pub movement: MovementManager,
    /// What it sticks to.
    pub sticky: StickyManager,
    /// Its body.
    pub body: Option<BenchBody>,
    /// What it is.
    pub weenie: Option<BenchWeenie>,
    /// What shows it.
    pub parts: Option<BenchParts>,
    /// The moment.
    pub now: Time,
    /// Calls so far.
    pub trace: CallLog,
}

/// How fast the bench's body turns at factor 1, in degrees a second.
pub const BENCH_TURN_RATE: f32 = 90.0;
/// How fast it falls, in metres a second squared.
pub const BENCH_GRAVITY: f32 = 9.8;

impl Bench {
    /// On the ground, without a weenie, with a table that takes everything at once, and an interpreter that is made but not
    /// in its default state.
    pub fn accepting() -> Self {
        let mut bench = Self {
            body: Some(BenchBody::default()),
            parts: Some(TablePartArray::new(Some(BenchTable::Accept(0)))),
            ..Self::default()
        };
        bench.mover().create_interpreter();
        bench
    }

    /// The bundle to call on.
    pub fn mover(&mut self) -> Mover<'_> {
        Mover {
            movement: &mut self.movement,
            sticky: &mut self.sticky,
            body: self.body.as_mut().map(|body| body as &mut dyn Body),
            weenie: self.weenie.as_ref().map(|weenie| weenie as &dyn Weenie),
            parts: self.parts.as_mut().map(|parts| parts as &mut dyn super::seams::PartArray),
            now: self.now,
            trace: &mut self.trace,
        }
    }

    /// One frame of `dt` seconds in the game's order: animations and, if `moves`, the body; then hooks, move-to, the nodes
    /// that take no time, and the grip.
    pub fn frame(&mut self, dt: f32, moves: bool) {
        self.now = self.now.after(dt);
        // Whoever fills a queue by hand has unpaired them himself.
        #[cfg(any(test, debug_assertions))]
        let held = self.mover().pairing_holds();
        if let Some(parts) = &mut self.parts {
            parts.update(dt);
        }
        if moves {
            self.move_body(dt);
        }
        let mut mover = self.mover();
        mover.process_hooks(&mut |_| {});
        mover.use_time();
        mover.check_for_completed_motions();
        if mover.sticky.has_expired(mover.now) {
            mover.unstick_from_object();
        }
        #[cfg(any(test, debug_assertions))]
        if held {
            mover.check_pairs();
        }
    }

    /// Moves the body as its grip, its interpreted state or its flight wants.
    fn move_body(&mut self, dt: f32) {
        let calls = self.trace.0.len();
        let mut mover = self.mover();
        let (wanted, max_speed) = (mover.ground_velocity(), mover.max_speed());
        // Asking for speeds is no part of the scene.
        self.trace.0.truncate(calls);
        let state = &self.movement.interpreter.interpreted_state;
        let turn = if state.turn_command.is_none() { 0.0 } else { state.turn_speed * BENCH_TURN_RATE * dt };
        let Some(body) = &mut self.body else { return };
        if let Some(step) = self.sticky.step(body.position, body.radius, max_speed, dt) {
            body.position.point += step.offset;
            body.position.heading = wrap_degrees(body.position.heading + step.turn);
            return;
        }
        body.position.heading = wrap_degrees(body.position.heading + turn);
        if body.on_ground() || !body.gravity {
            body.velocity = body.orientation().rotate(wanted);
            body.position.point += body.velocity * dt;
        } else {
            body.contact = false;
            body.velocity.z -= BENCH_GRAVITY * dt;
            body.position.point += body.velocity * dt;
            if body.position.point.z <= 0.0 {
                body.position.point.z = 0.0;
                (body.contact, body.walkable) = (true, true);
                self.mover().hit_ground();
            }
        }
    }
}
