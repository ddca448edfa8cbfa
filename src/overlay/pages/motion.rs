//! One mover of the motion system: both states, the three queues and the move-to nodes.

use super::{Choice, Look, absent};
use crate::motion::{AnimationNode, HoldKey, MotionId, MoveToNode, MovementType};
use crate::overlay::number::Fixed;
use crate::overlay::sheet::{Ink, Sheet};

/// Characters of a motion's name.
const NAME: usize = 15;
/// Entries of a queue that are shown.
const SHOWN: usize = 3;
/// Columns of a queue.
const QUEUE: usize = 17;

/// A motion's name, cut to its column, else its number.
fn named(motion: MotionId) -> heapless::String<NAME> {
    let mut text = heapless::String::new();
    match motion.name() {
        Some(name) => name.chars().take(NAME).for_each(|letter| text.push(letter).unwrap_or_default()),
        // Nine characters fit.
        None => core::fmt::write(&mut text, format_args!("{:08X}", motion.0)).unwrap_or_default(),
    }
    text
}

/// Actions in flight by the interpreted state, the raw state and the table.
struct Actions([usize; 3]);

impl core::fmt::Display for Actions {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let [means, raw, table] = self.0;
        write!(f, "{means}/{raw}/{table}")
    }
}

const fn key_name(key: HoldKey) -> &'static str {
    match key {
        HoldKey::Run => "RUN",
        HoldKey::None => "WALK",
        HoldKey::Invalid => "-",
    }
}

pub(super) fn write(sheet: &mut Sheet, look: &Look<'_>) {
    let Some(mover) = &look.subjects.mover else { return absent(sheet, format_args!("MOVER")) };
    let interp = &mover.movement.interpreter;
    let (raw, means) = (&interp.raw_state, &interp.interpreted_state);
    let ink = look.ink(Choice::Mover, Ink::Title);
    sheet.put(ink, format_args!("< MOVER OF {} >", look.subjects.movers));
    sheet.tab(20).put(Ink::Dim, format_args!("RAW STATE")).tab(37).put(Ink::Dim, format_args!("INTERPRETED")).end();
    sheet.put(Ink::Dim, format_args!("STYLE")).tab(20).put(Ink::Plain, format_args!("{}", named(raw.current_style)));
    sheet.tab(37).put(Ink::Plain, format_args!("{}", named(means.current_style))).end();
    sheet.put(Ink::Dim, format_args!("HOLD KEY")).tab(20);
    sheet.put(Ink::Plain, format_args!("{}", key_name(raw.current_holdkey))).end();
    let rows = [
        ("FORWARD", raw.forward_command, raw.forward_speed, means.forward_command, means.forward_speed),
        ("SIDESTEP", raw.sidestep_command, raw.sidestep_speed, means.sidestep_command, means.sidestep_speed),
        ("TURN", raw.turn_command, raw.turn_speed, means.turn_command, means.turn_speed),
    ];
    let keys = [raw.forward_holdkey, raw.sidestep_holdkey, raw.turn_holdkey];
    for ((name, raw, raw_speed, means, speed), key) in rows.into_iter().zip(keys) {
        sheet.put(Ink::Dim, format_args!("{name}"));
        sheet.tab(13).put(Ink::Plain, format_args!("{:>6}", Fixed(raw_speed, 2)));
        sheet.tab(20).put(Ink::Plain, format_args!("{}", named(raw)));
        let ink = if means == raw { Ink::Plain } else { Ink::Warn };
        sheet.tab(37).put(ink, format_args!("{:<15}", named(means))).end();
        sheet.tab(20).put(Ink::Dim, format_args!("KEY {}", key_name(key)));
        sheet.tab(37).put(Ink::Dim, format_args!("{:>6}", Fixed(speed, 2))).end();
    }
    write_queues(sheet, look);
    let move_to = &mover.movement.move_to;
    let kind = if !mover.movement.has_move_to || move_to.movement_type == MovementType::Invalid {
        "NOTHING"
    } else {
        movement_name(move_to.movement_type)
    };
    sheet.put(Ink::Title, format_args!("MOVE-TO")).tab(9).put(Ink::Plain, format_args!("{kind}"));
    sheet.tab(27);
    if let Some(thing) = mover.sticks_to {
        sheet.put(Ink::Warn, format_args!("STICKS TO {thing} "));
    }
    for node in move_to.pending_actions.iter() {
        match node {
            MoveToNode::Move => sheet.put(Ink::Warn, format_args!("GO ")),
            MoveToNode::Turn(heading) => sheet.put(Ink::Warn, format_args!("TURN {} ", Fixed(*heading, 0))),
        };
    }
    sheet.end();
    let jump = if interp.standing_longjump { "STANDING LONG" } else { "NONE" };
    sheet
        .field(0, 24, "JUMP CHARGE", Ink::Plain, Fixed(interp.jump_extent, 2))
        .field(27, 24, "JUMP", Ink::Plain, jump)
        .end();
    let unpaired = interp.unpaired_motions;
    let ink = if unpaired == 0 { Ink::Good } else { Ink::Bad };
    sheet
        .field(0, 24, "RUN RATE", Ink::Plain, Fixed(interp.my_run_rate, 2))
        .field(27, 24, "UNPAIRED", ink, unpaired)
        .end();
}

/// The queues side by side: the interpreter's pending motions, the three lists of actions, the table's animations. The actions
/// are those of the interpreted state; behind their head stand how many it, the raw state and the table hold.
fn write_queues(sheet: &mut Sheet, look: &Look<'_>) {
    let Some(mover) = &look.subjects.mover else { return };
    let pending = &mover.movement.interpreter.pending_motions;
    let actions = &mover.movement.interpreter.interpreted_state.actions;
    let raw = &mover.movement.interpreter.raw_state.actions;
    let animations = mover.table.map(|table| &table.pending_animations);
    let animation_count = animations.map_or(0, |queue| queue.len());
    let held = [actions.len(), raw.len(), mover.table.map_or(0, |table| table.state.actions.len())];
    let ink = |lost| if lost == 0 { Ink::Title } else { Ink::Bad };
    sheet.put(ink(pending.lost()), format_args!("PENDING {}", pending.len()));
    sheet.tab(QUEUE).put(ink(actions.lost() + raw.lost()), format_args!("ACTIONS {}", Actions(held)));
    sheet.tab(2 * QUEUE).put(ink(mover.lost), format_args!("ANIMATIONS {animation_count}")).end();
    for entry in 0..SHOWN {
        if let Some(node) = pending.as_slice().get(entry) {
            sheet.tab(0).put(Ink::Plain, format_args!("{}", named(node.motion)));
        }
        if let Some(node) = actions.as_slice().get(entry) {
            sheet.tab(QUEUE).put(Ink::Plain, format_args!("{}", named(node.motion)));
        }
        if let Some(AnimationNode { motion, num_anims }) = animations.and_then(|queue| queue.as_slice().get(entry)) {
            sheet.tab(2 * QUEUE).put(Ink::Plain, format_args!("{} {num_anims}", named(*motion)));
        }
        sheet.end();
    }
}

const fn movement_name(movement: MovementType) -> &'static str {
    match movement {
        MovementType::MoveToObject => "TO A THING",
        MovementType::MoveToPosition => "TO A PLACE",
        MovementType::TurnToObject => "TURN TO A THING",
        MovementType::TurnToHeading => "TURN TO HEADING",
        _ => "A COMMAND",
    }
}

#[cfg(test)]
mod tests {
    use super::super::Page;
    use super::super::tests::text_of;
    use super::*;
    use crate::motion::interp::MotionNode;
    use crate::motion::state::ActionNode;
    use crate::motion::{MotionTableManager, MovementManager};
    use crate::overlay::subjects::{MoverFacts, Subjects};

    #[test]
    fn both_states_the_three_queues_and_the_nodes_are_shown() {
        let mut movement = MovementManager::new();
        movement.interpreter.raw_state.forward_command = MotionId::WALK_FORWARD;
        movement.interpreter.interpreted_state.forward_command = MotionId::RUN_FORWARD;
        movement.interpreter.interpreted_state.forward_speed = 1.95;
        let node = MotionNode { context_id: 1, motion: MotionId::RUN_FORWARD, jump_error_code: None };
        movement.interpreter.pending_motions.push(node);
        movement.has_move_to = true;
        movement.move_to.movement_type = MovementType::MoveToPosition;
        movement.move_to.pending_actions.push(MoveToNode::Turn(90.0));
        movement.move_to.pending_actions.push(MoveToNode::Move);
        movement.interpreter.raw_state.turn_holdkey = HoldKey::Run;
        let punch = ActionNode { motion: MotionId(0x1000_005b), speed: 1.0, stamp: 1, autonomous: true };
        movement.interpreter.raw_state.actions.push(punch);
        let mut table = MotionTableManager::default();
        (0..2).for_each(|_| table.state.add_action(punch.motion, 1.0));
        table.add_to_queue(MotionId::JUMP, 2);
        let mover = MoverFacts { movement: &movement, table: Some(&table), sticks_to: Some(7), lost: 0 };
        let text = text_of(Page::Motion, &Subjects { mover: Some(mover), movers: 1, ..Subjects::default() });
        for word in
            ["1.95", "PENDING 1", "ACTIONS 0/1/2", "KEY RUN", "ANIMATIONS 1", "TO A PLACE", "TURN 90 GO", "STICKS TO 7"]
        {
            assert!(text.contains(word), "{word}");
        }
    }
}
