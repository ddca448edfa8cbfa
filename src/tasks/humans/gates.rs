//! Who reads the held flags: one predicate per reader.
//!
//! Source: seed 000, Who reads the held flags and The locomotion gate; humans and combat, Data and Attacks.

/// Bits of a human record's held flags. Source: humans and combat, Data.
pub mod held {
    /// An attack's wind-up. Read by the chain.
    pub const WIND_UP: u32 = 0x1;
    /// The window in which a press chains. Read by the chain.
    pub const WINDOW: u32 = 0x2;
    /// An attack's end. Read by the chain.
    pub const END: u32 = 0x4;
    /// The second end bit that event 0x2d clears in place of the first three.
    pub const SECOND_END: u32 = 0x8;
    /// Grab, tackle or object attack.
    pub const GRAB: u32 = 0x10;
    /// Climbing over something.
    pub const CLIMBING: u32 = 0x40;
    /// Tackling.
    pub const TACKLING: u32 = 0x200;
    /// A dead human's override; the stick is not refused for it but moves nothing.
    pub const DEAD: u32 = 0x800;
    /// Ducking.
    pub const DUCK: u32 = 0x1000;
    /// Countering.
    pub const COUNTER: u32 = 0x2000;
    /// Tackled.
    pub const TACKLED: u32 = 0x1_0000;
    /// Recovery after an attack.
    pub const RECOVERY: u32 = 0x4_0000;
    /// Run stop, the end of a climb, a step.
    pub const STEP: u32 = 0x8_0000;
    /// Knock-back, or the first updates in the air.
    pub const KNOCK_BACK: u32 = 0x40_0000;
    /// Landing, run attack and charge.
    pub const LANDING: u32 = 0x100_0000;
    /// A start clip, and the fade into the idle.
    pub const START: u32 = 0x1000_0000;
    /// A turn clip.
    pub const TURN: u32 = 0x2000_0000;
    /// The clip from fight to neutral.
    pub const FIGHT_TO_NEUTRAL: u32 = 0x4000_0000;

    /// The three phases of an attack.
    pub const ATTACK: u32 = WIND_UP | WINDOW | END;
}

/// Bits of a human record's state word. Source: humans and combat, Data.
pub mod state {
    /// Jumping.
    pub const JUMPING: u64 = 0x4_0000_0000;
    /// Falling.
    pub const FALLING: u64 = 0x8_0000_0000;
    /// A long fall.
    pub const LONG_FALL: u64 = 0x10_0000_0000;
    /// Dead.
    pub const DEAD: u64 = 0x2_0000_0000;
    /// A state of its own in the busy test. Source: seed 000, The locomotion gate (0x00227eb0).
    pub const BUSY_SECOND: u64 = 0x1_0000_0000;
    /// With an attachment, another reason for the stick to do nothing. Source: seed 000, The locomotion gate.
    pub const CARRIED: u64 = 0x80_0000;
    /// In the air. Source: seed 000, The locomotion gate (0x00227f90).
    pub const AIRBORNE: u64 = JUMPING | FALLING | LONG_FALL;
}

/// The dispatcher runs no command while any of these is held.
pub const DISPATCHER_HELD: u32 = 0x05c7_fee0;
/// The chain takes a press only while any of these is held.
pub const CHAIN_HELD: u32 = held::ATTACK;
/// Square and cross are refused while any of these is held.
pub const SQUARE_CROSS_HELD: u32 = 0x0100_101f;
/// Square and cross are refused in any of these states.
pub const SQUARE_CROSS_STATE: u64 = 0x07bf_9e9f_4300;
/// Grab and tackle are refused while any of these is held.
pub const GRAB_HELD: u32 = 0x0fc7_eaf7;
/// Triangle is refused while any of these is held.
pub const TRIANGLE_HELD: u32 = 0x05cf_eafb;
/// Triangle is refused in any of these states.
pub const TRIANGLE_STATE: u64 = 0x07bf_9e9f_7ff0;
/// The AI's attack action waits while any of these is held.
pub const AI_ATTACK_HELD: u32 = 0x05c0_221f;
/// The stick's velocity is zero while any of these is held.
pub const VELOCITY_HELD: u32 = 0x110c_0880;
/// Any of these held makes the human busy.
pub const BUSY_HELD: u32 = 0xaeeb_f7ff;
/// Any of these states makes the human busy.
pub const BUSY_STATE: u64 = 0x079b_9e1e_0f30;
/// The dispatcher is skipped in any of these states.
pub const NO_DISPATCH_STATE: u64 = 0x1f_8097_4000;

/// State codes during which the stick's velocity is zero: turning in place, and 6, whose meaning is not known.
pub const VELOCITY_CODES: [u32; 2] = [5, 6];

/// What the gates ask about a human.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gate {
    /// The state word, bits of [`state`].
    pub state: u64,
    /// The held flags, bits of [`held`].
    pub held: u32,
    /// The state code.
    pub code: u32,
    /// The per-player record's "skip actions".
    pub skip_actions: bool,
    /// What the human is attached to, or -1.
    pub attachment: i32,
}

impl Gate {
    /// In the air.
    pub fn is_airborne(&self) -> bool {
        self.state & state::AIRBORNE != 0
    }

    /// The locomotion's "no stick" test: the whole stick step is skipped, turning included.
    // Covers: seed 000, Human_IsBusy (0x00223cb0) test=each_reason_to_be_busy_is_one
    pub fn is_busy(&self) -> bool {
        self.state & (BUSY_STATE | state::AIRBORNE | state::BUSY_SECOND) != 0
            || self.skip_actions
            || self.held & BUSY_HELD != 0
    }

    /// Attached to something, or carried.
    pub fn is_attached(&self) -> bool {
        self.attachment != -1 || self.state & state::CARRIED != 0
    }

    /// The stick step is skipped.
    pub fn skips_stick(&self) -> bool {
        self.is_busy() || self.is_attached()
    }

    /// The stick turns the human and does not move it.
    pub fn zeroes_velocity(&self) -> bool {
        self.held & VELOCITY_HELD != 0 || VELOCITY_CODES.contains(&self.code)
    }

    /// Whether the action step runs the dispatcher at all.
    pub fn runs_dispatcher(&self) -> bool {
        self.state & NO_DISPATCH_STATE == 0 && !self.skip_actions
    }

    /// Whether the dispatcher may start a command.
    pub fn takes_command(&self) -> bool {
        self.held & DISPATCHER_HELD == 0
    }

    /// Whether a press may go on with a chain.
    pub fn takes_chain_press(&self) -> bool {
        self.held & CHAIN_HELD != 0
    }

    /// Whether square and cross may attack.
    pub fn takes_square_or_cross(&self) -> bool {
        self.held & SQUARE_CROSS_HELD == 0 && self.state & SQUARE_CROSS_STATE == 0
    }

    /// Whether a grab or tackle may start.
    pub fn takes_grab(&self) -> bool {
        self.held & GRAB_HELD == 0
    }

    /// Whether triangle may jump, climb or pick up.
    pub fn takes_triangle(&self) -> bool {
        self.held & TRIANGLE_HELD == 0 && self.state & TRIANGLE_STATE == 0
    }

    /// Whether the AI's attack action may write its command.
    pub fn takes_ai_attack(&self) -> bool {
        self.held & AI_ATTACK_HELD == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: Gate = Gate { state: 0, held: 0, code: 0, skip_actions: false, attachment: -1 };

    /// Compares a predicate with its mask bit by bit.
    fn held_bits(mask: u32, predicate: impl Fn(&Gate) -> bool) {
        for bit in 0..32 {
            let gate = Gate { held: 1 << bit, ..FREE };
            assert_eq!(predicate(&gate), mask >> bit & 1 == 1, "held bit {bit}");
        }
        assert!(!predicate(&FREE));
    }

    fn state_bits(mask: u64, predicate: impl Fn(&Gate) -> bool) {
        for bit in 0..64 {
            let gate = Gate { state: 1 << bit, ..FREE };
            assert_eq!(predicate(&gate), mask >> bit & 1 == 1, "state bit {bit}");
        }
    }

    #[test]
    fn busy_reads_every_held_bit_but_six() {
        assert_eq!(BUSY_HELD, !(0x800 | 0x4_0000 | 0x10_0000 | 0x100_0000 | 0x1000_0000 | 0x4000_0000));
        held_bits(0xaeeb_f7ff, Gate::is_busy);
    }

    #[test]
    fn each_reason_to_be_busy_is_one() {
        state_bits(0x079b_9e1e_0f30 | 0x1c_0000_0000 | 0x1_0000_0000, Gate::is_busy);
        assert!(Gate { skip_actions: true, ..FREE }.is_busy());
        assert!(!FREE.is_busy());
    }

    #[test]
    fn an_attached_human_skips_the_stick() {
        assert!(!FREE.skips_stick());
        assert!(Gate { attachment: 0, ..FREE }.skips_stick());
        assert!(Gate { state: 0x80_0000, ..FREE }.skips_stick());
        assert!(Gate { held: 1, ..FREE }.skips_stick());
    }

    #[test]
    fn the_velocity_gate_reads_its_bits_and_codes_5_and_6() {
        held_bits(0x110c_0880, Gate::zeroes_velocity);
        let codes = (0..16).filter(|code| Gate { code: *code, ..FREE }.zeroes_velocity());
        assert_eq!(codes.collect::<std::vec::Vec<_>>(), [5, 6], "0xd does not gate");
    }

    #[test]
    fn the_dispatcher_refuses_its_bits() {
        held_bits(0x5c7_fee0, |gate| !gate.takes_command());
        state_bits(0x1f_8097_4000, |gate| !gate.runs_dispatcher());
        assert!(!Gate { skip_actions: true, ..FREE }.runs_dispatcher());
    }

    #[test]
    fn the_chain_takes_presses_only_in_an_attack() {
        held_bits(0x7, Gate::takes_chain_press);
    }

    #[test]
    fn square_and_cross_refuse_their_bits() {
        held_bits(0x100_101f, |gate| !gate.takes_square_or_cross());
        state_bits(0x07bf_9e9f_4300, |gate| !gate.takes_square_or_cross());
    }

    #[test]
    fn grab_refuses_its_bits() {
        held_bits(0xfc7_eaf7, |gate| !gate.takes_grab());
    }

    #[test]
    fn triangle_refuses_its_bits() {
        held_bits(0x5cf_eafb, |gate| !gate.takes_triangle());
        state_bits(0x07bf_9e9f_7ff0, |gate| !gate.takes_triangle());
    }

    #[test]
    fn the_ais_attack_waits_for_its_bits() {
        held_bits(0x5c0_221f, |gate| !gate.takes_ai_attack());
    }

    #[test]
    fn a_clip_from_fight_to_neutral_gates_nothing_of_the_stick() {
        let gate = Gate { held: held::FIGHT_TO_NEUTRAL, ..FREE };
        assert!(!gate.is_busy() && !gate.zeroes_velocity());
    }
}
