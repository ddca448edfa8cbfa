//! Events: how what happens near a human reaches those who care about it.

use super::super::handle::Handle;

/// Event types. Source: seed 000, Messages and events.
pub mod kind {
    /// A new enemy; goes to the gang's tactic.
    pub const NEW_ENEMY: u16 = 0xb;
    /// The brain's goals ran out.
    pub const GOALS_RAN_OUT: u16 = 0xd;
    /// The attack warning.
    pub const ATTACK_WARNING: u16 = 0x10;
    /// Violence nearby.
    pub const VIOLENCE: u16 = 0x14;
    /// A crime nearby. Our choice of number, of those that the civilians' brain hears.
    pub const CRIME: u16 = 7;
    /// A noise nearby. Our choice of number, of those that the civilians' brain hears.
    pub const NOISE: u16 = 0x17;
    /// Those that the civilians' brain hears; what the others than the warning mean in the original is not known.
    pub const CIVILIAN: [u16; 5] = [0, 1, CRIME, ATTACK_WARNING, NOISE];
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// One of [`kind`].
    pub kind: u16,
    /// Who caused it.
    pub sender: Handle,
}

impl Event {
    /// Whether a civilian's brain makes something of it.
    pub fn concerns_civilians(&self) -> bool {
        kind::CIVILIAN.contains(&self.kind)
    }
}

/// Who hears a human's events.
pub trait EventHandlers {
    /// The script handlers that hang on the human.
    fn script_event(&mut self, human: usize, event: &Event);
    /// The human's gang.
    fn gang_event(&mut self, human: usize, event: &Event);
    /// The human's brain.
    fn brain_event(&mut self, human: usize, event: &Event);
}

/// Hands an event to a human: script handlers first, then the gang, then the brain.
///
/// Source: seed 000, Messages and events.
// Covers: seed 000, Human_OnEvent (0x0021d480) test=an_event_goes_to_scripts_then_gang_then_brain
pub fn human_on_event(handlers: &mut dyn EventHandlers, human: usize, event: &Event) {
    handlers.script_event(human, event);
    handlers.gang_event(human, event);
    handlers.brain_event(human, event);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn the_civilians_brain_hears_five_numbers() {
        let heard = (0..0x40).filter(|kind| Event { kind: *kind, sender: Handle::NIL }.concerns_civilians());
        assert_eq!(heard.collect::<Vec<u16>>(), [0, 1, 7, 0x10, 0x17]);
        assert_eq!((kind::NEW_ENEMY, kind::GOALS_RAN_OUT, kind::VIOLENCE), (0xb, 0xd, 0x14));
    }

    #[test]
    fn an_event_goes_to_scripts_then_gang_then_brain() {
        struct Log(Vec<(&'static str, usize, u16)>);
        impl EventHandlers for Log {
            fn script_event(&mut self, human: usize, event: &Event) {
                self.0.push(("script", human, event.kind));
            }
            fn gang_event(&mut self, human: usize, event: &Event) {
                self.0.push(("gang", human, event.kind));
            }
            fn brain_event(&mut self, human: usize, event: &Event) {
                self.0.push(("brain", human, event.kind));
            }
        }
        let mut log = Log(Vec::new());
        human_on_event(&mut log, 4, &Event { kind: kind::VIOLENCE, sender: Handle::NIL });
        assert_eq!(log.0, [("script", 4, 0x14), ("gang", 4, 0x14), ("brain", 4, 0x14)]);
    }
}
