//! The interpreter's cases; their numbers are those of the motion notes' vectors.

mod commands;
mod gates;
mod jump;
mod pairing;
mod queue;
mod reapply;

use super::*;
use crate::maths::Vec3;
use crate::motion::bench::{Bench, BenchBody, BenchTable, BenchWeenie};
use crate::motion::interp::reapply::stamp_is_newer;
use crate::motion::state::ActionNode;
use crate::motion::{
    AnimationNode, HoldKey, MotionResult, Movement, MovementParameters, MovementType, ParameterBits, TablePartArray,
};
use alloc::vec;
use alloc::vec::Vec;
use proptest::prelude::*;
use std::println;

const COMBAT: MotionId = MotionId::HAND_COMBAT;
const CHEER: MotionId = MotionId(0x1300_004c);
const ACTION: MotionId = MotionId(0x1000_0060);
const THRUST: MotionId = MotionId(0x1000_0058);
const BLOCKED: Option<MotionError> = Some(MotionError::CannotJumpFromThisPosition);

/// On the ground in a cell, no weenie, a table that takes everything.
fn grounded() -> Bench {
    Bench::accepting()
}

/// In the air under gravity.
fn airborne() -> Bench {
    let mut bench = grounded();
    bench.body = Some(BenchBody { contact: false, walkable: false, ..Default::default() });
    bench
}

/// Without a body.
fn bodiless() -> Bench {
    let mut bench = grounded();
    bench.body = None;
    bench
}

fn with_weenie(mut bench: Bench, weenie: BenchWeenie) -> Bench {
    bench.weenie = Some(weenie);
    bench
}

fn creature(rate: f32) -> BenchWeenie {
    BenchWeenie { run_rate: Some(rate), ..Default::default() }
}

fn p() -> MovementParameters {
    MovementParameters::default()
}

fn p_without(bits: ParameterBits) -> MovementParameters {
    MovementParameters { bits: ParameterBits::DEFAULT.without(bits), ..Default::default() }
}

fn state(bench: &mut Bench) -> &mut InterpretedMotionState {
    &mut bench.movement.interpreter.interpreted_state
}

fn pending(bench: &Bench) -> Vec<(u32, MotionId, Option<MotionError>)> {
    bench.movement.interpreter.pending_motions.iter().map(|n| (n.context_id, n.motion, n.jump_error_code)).collect()
}

fn queue(bench: &mut Bench, nodes: &[(u32, MotionId, Option<MotionError>)]) {
    let pending = &mut bench.movement.interpreter.pending_motions;
    pending.clear();
    for &(context_id, motion, jump_error_code) in nodes {
        pending.push(MotionNode { context_id, motion, jump_error_code });
    }
}

fn add_actions(bench: &mut Bench, interpreted: usize, raw: usize) {
    let node = ActionNode { motion: ACTION, speed: 1.0, stamp: 0, autonomous: false };
    for _ in 0..interpreted {
        state(bench).actions.push(node);
    }
    for _ in 0..raw {
        bench.movement.interpreter.raw_state.actions.push(node);
    }
}

fn calls(bench: &Bench, wanted: impl Fn(&Call) -> bool) -> usize {
    bench.trace.0.iter().filter(|call| wanted(call)).count()
}

fn cancels(bench: &Bench) -> usize {
    calls(bench, |call| *call == Call::CancelMoveTo(MotionError::ActionCancelled))
}

fn table_calls(bench: &Bench) -> usize {
    calls(bench, |call| {
        matches!(call, Call::DoInterpretedMotion(..) | Call::StopInterpretedMotion(..) | Call::StopCompletelyInternal)
    })
}

fn do_motion(bench: &mut Bench, motion: MotionId) -> MotionResult {
    bench.mover().do_motion(motion, &p())
}
