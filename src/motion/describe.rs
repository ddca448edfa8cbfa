//! A mover's records as lines of text, for the overlay.

use super::interp::MotionNode;
use super::state::{InterpretedMotionState, RawMotionState};
use super::{HoldKey, MotionId, MotionTableManager, MoveToNode, MovementManager, MovementType};
use core::fmt::{self, Display, Formatter};

/// Queue entries that a line shows; more are counted.
const SHOWN_ENTRIES: usize = 4;

/// Both states, the queues, the actions, the charge and the move-to nodes of one mover, one a line.
#[derive(Clone, Copy, Debug)]
pub struct MotionPage<'a> {
    /// Interpreter and move-to.
    pub movement: &'a MovementManager,
    /// The table's side, if the mover is shown moving.
    pub table: Option<&'a MotionTableManager>,
}

/// A motion by its name, else by its number.
struct Named(MotionId);

impl Display for Named {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.name() {
            Some(name) => f.write_str(name),
            None => Display::fmt(&self.0, f),
        }
    }
}

/// The first entries of a queue, then how many more there are.
fn entries<T>(
    f: &mut Formatter<'_>,
    title: &str,
    list: &[T],
    lost: u32,
    show: impl Fn(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    write!(f, "{title} {}", list.len())?;
    for entry in list.iter().take(SHOWN_ENTRIES) {
        f.write_str(" ")?;
        show(f, entry)?;
    }
    if list.len() > SHOWN_ENTRIES {
        write!(f, " +{}", list.len() - SHOWN_ENTRIES)?;
    }
    if lost != 0 {
        write!(f, " lost {lost}")?;
    }
    writeln!(f)
}

fn raw_line(f: &mut Formatter<'_>, raw: &RawMotionState) -> fmt::Result {
    let key = if raw.current_holdkey == HoldKey::Run { "run" } else { "walk" };
    write!(f, "raw {} {key}", Named(raw.current_style))?;
    for (command, speed) in [
        (raw.forward_command, raw.forward_speed),
        (raw.sidestep_command, raw.sidestep_speed),
        (raw.turn_command, raw.turn_speed),
    ] {
        write!(f, " {} {speed:.2}", Named(command))?;
    }
    writeln!(f)
}

fn interpreted_line(f: &mut Formatter<'_>, state: &InterpretedMotionState) -> fmt::Result {
    write!(f, "means {}", Named(state.current_style))?;
    for (command, speed) in [
        (state.forward_command, state.forward_speed),
        (state.sidestep_command, state.sidestep_speed),
        (state.turn_command, state.turn_speed),
    ] {
        write!(f, " {} {speed:.2}", Named(command))?;
    }
    writeln!(f)
}

fn pending_entry(f: &mut Formatter<'_>, node: &MotionNode) -> fmt::Result {
    write!(f, "{}", Named(node.motion))?;
    match node.jump_error_code {
        Some(error) => write!(f, "!{:x}", error.code()),
        None => Ok(()),
    }
}

impl Display for MotionPage<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (interpreter, move_to) = (&self.movement.interpreter, &self.movement.move_to);
        let (raw, state) = (&interpreter.raw_state, &interpreter.interpreted_state);
        raw_line(f, raw)?;
        interpreted_line(f, state)?;
        let pending = &interpreter.pending_motions;
        entries(f, "pending", pending.as_slice(), pending.lost(), pending_entry)?;
        if interpreter.unpaired_motions != 0 {
            writeln!(f, "unpaired {}", interpreter.unpaired_motions)?;
        }
        if let Some(table) = self.table {
            let nodes = &table.pending_animations;
            entries(f, "table", nodes.as_slice(), nodes.lost(), |f, node| {
                write!(f, "{}:{}", Named(node.motion), node.num_anims)
            })?;
        }
        let table_actions = self.table.map_or(0, |table| table.state.actions.len());
        writeln!(f, "actions raw {} means {} table {table_actions}", raw.actions.len(), state.actions.len())?;
        let standing = if interpreter.standing_longjump { " standing" } else { "" };
        writeln!(f, "charge {:.2}{standing}", interpreter.jump_extent)?;
        let kind = match move_to.movement_type {
            MovementType::MoveToObject => "to a thing",
            MovementType::MoveToPosition => "to a place",
            MovementType::TurnToObject => "face a thing",
            MovementType::TurnToHeading => "face a heading",
            _ => "none",
        };
        entries(f, kind, move_to.pending_actions.as_slice(), move_to.pending_actions.lost(), |f, node| match node {
            MoveToNode::Move => f.write_str("go"),
            MoveToNode::Turn(heading) => write!(f, "turn:{heading:.0}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Vec3;
    use crate::motion::bench::Bench;
    use crate::motion::{Movement, MovementParameters, Position};
    use alloc::string::ToString;

    fn page(bench: &Bench) -> alloc::string::String {
        MotionPage { movement: &bench.movement, table: bench.parts.as_ref().map(|parts| &parts.manager) }.to_string()
    }

    #[test]
    fn a_page_shows_states_queues_and_nodes() {
        let mut bench = Bench::accepting();
        let params = MovementParameters { hold_key: HoldKey::Run, ..Default::default() };
        bench.mover().do_motion(MotionId::WALK_FORWARD, &params).unwrap();
        for _ in 0..4 {
            bench.mover().do_motion(MotionId(0x1000_005b), &params).unwrap();
        }
        let text = page(&bench);
        std::println!("{text}");
        let lines: alloc::vec::Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "raw NonCombat run WalkForward 1.00 - 1.00 - 1.00",
                "means NonCombat RunForward 1.00 - 1.00 - 1.00",
                "pending 5 RunForward 0x1000005b 0x1000005b 0x1000005b +1",
                "table 5 RunForward:0 0x1000005b:0 0x1000005b:0 0x1000005b:0 +1",
                "actions raw 4 means 4 table 4",
                "charge 0.00",
                "none 0",
            ]
        );
    }

    #[test]
    fn a_page_shows_where_a_movement_is() {
        let mut bench = Bench::accepting();
        let position = Position { point: Vec3::new(9.0, 0.0, 0.0), heading: 0.0 };
        let movement = Movement { movement_type: MovementType::MoveToPosition, position, ..Default::default() };
        bench.mover().perform_movement(&movement).unwrap();
        assert!(page(&bench).ends_with("to a place 2 turn:90 go\n"), "{}", page(&bench));
    }
}
