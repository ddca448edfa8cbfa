//! What a human understands when a message reaches it.

use super::super::handle::Handle;
use super::super::message::{MessageError, MessageFrame};

/// Numbers of the messages. Source: seed 000, What an implementer needs; humans and combat, Animation tasks.
pub mod number {
    /// An attack is coming.
    pub const ATTACK_WARNING: u32 = 0xa4;
    /// The attack may be countered now.
    pub const COUNTER_WINDOW: u32 = 0xa5;
    /// The attack may be blocked early.
    pub const EARLY_BLOCK: u32 = 0xa6;
}

/// A message to a human, decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HumanMessage {
    /// `0` starts an attack on the human.
    AttackWarning(Handle),
    /// `0`'s attack may be countered.
    CounterWindow(Handle),
    /// `0`'s attack may be blocked early.
    EarlyBlock(Handle),
    /// For the human's script type.
    #[default]
    Other,
}

/// Decodes a message and takes its arguments off the frame.
///
/// Errors: the frame lacks the sender that the number asks for.
// Covers: seed 000, Human_HandleMessage (0x00245920) test=warnings_name_their_attacker
pub fn decode(number: u32, frame: &mut MessageFrame) -> Result<HumanMessage, MessageError> {
    Ok(match number {
        number::ATTACK_WARNING => HumanMessage::AttackWarning(frame.pop_handle()?),
        number::COUNTER_WINDOW => HumanMessage::CounterWindow(frame.pop_handle()?),
        number::EARLY_BLOCK => HumanMessage::EarlyBlock(frame.pop_handle()?),
        _ => HumanMessage::Other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_name_their_attacker() {
        let attacker = Handle::from_raw(0x0003_0001);
        let decoded = |number| {
            let mut frame = MessageFrame::default();
            frame.push_handle(attacker).unwrap();
            decode(number, &mut frame)
        };
        assert_eq!(decoded(0xa4), Ok(HumanMessage::AttackWarning(attacker)));
        assert_eq!(decoded(0xa5), Ok(HumanMessage::CounterWindow(attacker)));
        assert_eq!(decoded(0xa6), Ok(HumanMessage::EarlyBlock(attacker)));
        assert_eq!(decoded(0x1c), Ok(HumanMessage::Other));
        assert_eq!(decode(0xa4, &mut MessageFrame::default()), Err(MessageError::Empty));
    }
}
