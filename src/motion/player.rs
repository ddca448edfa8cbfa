//! What characters answer the interpreter: how fast they run, how high they jump, what it costs.

use super::Weenie;

/// How many times faster than the walk a character runs.
///
/// Source: settled questions 16.
pub const RUN_RATE: f32 = 1.95;
/// Upward speed of a fully charged jump in metres a second.
///
/// Source: settled questions 16.
pub const FULL_JUMP_V_Z: f32 = 5.5;
/// Stamina that a fully charged jump costs.
///
/// Source: settled questions 16.
pub const FULL_JUMP_STAMINA: f32 = 20.0;

/// A character as the interpreter sees it.
///
/// Our choice: the original's formulas need skills and burdens, which nobody here has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CharacterWeenie {
    /// Whether a pad drives it.
    pub is_player: bool,
    /// What is left of its stamina.
    pub stamina: f32,
}

impl Weenie for CharacterWeenie {
    fn is_creature(&self) -> bool {
        true
    }

    fn is_the_player(&self) -> bool {
        self.is_player
    }

    fn jump_velocity(&self, extent: f32) -> Option<f32> {
        Some(FULL_JUMP_V_Z * extent)
    }

    fn run_rate(&self) -> Option<f32> {
        Some(RUN_RATE)
    }

    fn can_jump(&self, _extent: f32) -> bool {
        self.stamina > 0.0
    }

    /// Whoever may jump at all can pay: what is missing is forgiven.
    fn jump_stamina_cost(&self, extent: f32) -> Option<u32> {
        (self.stamina > 0.0).then_some((FULL_JUMP_STAMINA * extent) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::bench::Bench;
    use crate::motion::seams::NoTrace;
    use crate::motion::{MotionError, Mover};

    #[test]
    fn a_player_jumps_while_it_has_stamina() {
        let mut bench = Bench::accepting();
        let mut jump = |stamina| {
            bench.body = Some(Default::default());
            let weenie = CharacterWeenie { is_player: true, stamina };
            let mut mover = Mover { weenie: Some(&weenie), trace: &mut NoTrace, ..bench.mover() };
            let cost = mover.jump(0.5);
            (cost, bench.body.as_ref().map(|body| body.velocity.z))
        };
        assert_eq!(jump(1.0), (Ok(10), Some(2.75)));
        assert_eq!(jump(0.0), (Err(MotionError::CannotJumpLoadedDown), Some(0.0)));
    }

    #[test]
    fn everybody_runs_alike() {
        let weenie = CharacterWeenie::default();
        assert_eq!(weenie.run_rate(), Some(1.95));
        assert!(weenie.is_creature() && !weenie.is_the_player());
    }
}
