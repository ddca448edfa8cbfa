//! From a controller that was just plugged in to one that is read.
//!
//! The driver reports the port's state once a frame and asks for what comes next: first the state, then the analogue mode,
//! then the actuators, then the pressure of the buttons, then reading. Only a DualShock gets to the end; whatever else is
//! plugged in gives no input.
//!
//! Source: support systems, Pads (libpad machine); IOP kernel facts, PADMAN.

/// The analogue mode's number, and the lock that keeps the controller's own button from leaving it.
pub const ANALOGUE: (u8, u8) = (1, 3);
/// The terminal number of a DualShock in its analogue mode.
pub const DUALSHOCK: u8 = 7;
/// The alignment of the actuators: the small one, the large one, nothing else.
pub const ACTUATORS: [u8; 6] = [0, 1, 0xff, 0xff, 0xff, 0xff];
/// Frames that a command may fail or be refused in before the machine goes on without it.
const TRIES: u8 = 10;

/// A port's state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PortState {
    /// Nothing is plugged in.
    #[default]
    Disconnected,
    /// The port looks for a controller.
    Searching,
    /// A controller without a configuration mode.
    Simple,
    /// The port talks to the controller.
    Busy,
    /// A controller that can be asked and read.
    Stable,
    /// The port has failed.
    Failed,
}

impl PortState {
    /// From the module's number.
    pub const fn from_number(number: u8) -> Self {
        match number {
            1 => Self::Searching,
            2 => Self::Simple,
            5 => Self::Busy,
            6 => Self::Stable,
            7 => Self::Failed,
            _ => Self::Disconnected,
        }
    }
}

/// What became of the last command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RequestState {
    /// Done.
    #[default]
    Complete,
    /// The controller did not do it.
    Failed,
    /// Not yet.
    Busy,
}

impl RequestState {
    /// The module's number for [`Self::Busy`].
    pub const BUSY: u8 = 2;

    /// From the module's number.
    pub const fn from_number(number: u8) -> Self {
        match number {
            0 => Self::Complete,
            Self::BUSY => Self::Busy,
            _ => Self::Failed,
        }
    }
}

/// What the driver knows of a port in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortInfo {
    /// The port's state.
    pub state: PortState,
    /// What became of the last command.
    pub request: RequestState,
    /// The terminal number of the mode that the controller is in.
    pub terminal: u8,
    /// The controller has a DualShock's analogue mode.
    pub has_analogue: bool,
    /// The controller's actuators.
    pub actuators: u8,
    /// The controller's buttons tell how hard they are pressed.
    pub has_pressure: bool,
}

/// What the driver is to do in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Next {
    /// Nothing: there is no input.
    #[default]
    Nothing,
    /// Switch to [`ANALOGUE`].
    SetAnalogue,
    /// Align the [`ACTUATORS`].
    AlignActuators,
    /// Let the buttons tell how hard they are pressed.
    EnablePressure,
    /// Read the controller.
    Read,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Find,
    Analogue,
    Actuators,
    Pressure,
    Read,
}

/// One port's machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PadSetup {
    stage: Stage,
    asked: bool,
    tries: u8,
}

impl PadSetup {
    /// One frame's step.
    pub fn advance(&mut self, info: &PortInfo) -> Next {
        match info.state {
            PortState::Disconnected | PortState::Searching | PortState::Failed | PortState::Simple => {
                *self = Self::default();
                return Next::Nothing;
            }
            PortState::Busy => return Next::Nothing,
            PortState::Stable => {}
        }
        if self.asked {
            match info.request {
                RequestState::Busy => return Next::Nothing,
                RequestState::Complete => self.go_on(),
                RequestState::Failed => self.refused(),
            }
        }
        // Each stage that has nothing to ask leads to the next in the same frame.
        loop {
            let asks = match self.stage {
                Stage::Find => None,
                Stage::Analogue if info.terminal == DUALSHOCK => None,
                // A controller without the mode gives no input, however stable it is.
                Stage::Analogue if !info.has_analogue => return Next::Nothing,
                Stage::Analogue => Some(Next::SetAnalogue),
                Stage::Actuators => (info.actuators > 0).then_some(Next::AlignActuators),
                Stage::Pressure => info.has_pressure.then_some(Next::EnablePressure),
                Stage::Read => return Next::Read,
            };
            match asks {
                Some(_) if self.tries >= TRIES => self.give_up(),
                Some(next) => {
                    self.asked = true;
                    return next;
                }
                None => self.go_on(),
            }
        }
    }

    /// The module did not take the command of this frame: it is asked again.
    pub const fn refused(&mut self) {
        self.asked = false;
        self.tries = self.tries.saturating_add(1);
    }

    /// True when the controller is read.
    pub const fn is_ready(&self) -> bool {
        matches!(self.stage, Stage::Read)
    }

    fn go_on(&mut self) {
        let stage = match self.stage {
            Stage::Find => Stage::Analogue,
            Stage::Analogue => Stage::Actuators,
            Stage::Actuators => Stage::Pressure,
            Stage::Pressure | Stage::Read => Stage::Read,
        };
        *self = Self { stage, ..Self::default() };
    }

    /// Without rumble or pressure the game goes on; without sticks it begins anew.
    fn give_up(&mut self) {
        if self.stage == Stage::Analogue {
            *self = Self { stage: Stage::Analogue, ..Self::default() };
        } else {
            self.go_on();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    const DUALSHOCK_2: PortInfo = PortInfo {
        state: PortState::Stable,
        request: RequestState::Complete,
        terminal: 4,
        has_analogue: true,
        actuators: 2,
        has_pressure: true,
    };

    /// What the machine asks of a port, frame by frame, with each command done two frames later.
    fn frames(setup: &mut PadSetup, port: PortInfo, count: usize) -> Vec<Next> {
        let (mut busy, mut info) = (0, port);
        let mut seen = Vec::new();
        for _ in 0..count {
            info.request = if busy > 0 { RequestState::Busy } else { port.request };
            busy = usize::saturating_sub(busy, 1);
            let next = setup.advance(&info);
            if !matches!(next, Next::Nothing | Next::Read) {
                busy = 2;
            }
            seen.push(next);
        }
        seen
    }

    fn asked(seen: &[Next]) -> Vec<Next> {
        seen.iter().copied().filter(|next| *next != Next::Nothing).collect()
    }

    #[test]
    fn a_dualshock_goes_through_mode_actuators_and_pressure_to_reading() {
        let mut setup = PadSetup::default();
        let seen = frames(&mut setup, DUALSHOCK_2, 11);
        let order = [Next::SetAnalogue, Next::AlignActuators, Next::EnablePressure, Next::Read, Next::Read];
        assert_eq!(asked(&seen), order);
        assert!(setup.is_ready());
    }

    #[test]
    fn what_a_controller_has_already_or_lacks_is_skipped() {
        let plain = PortInfo { terminal: DUALSHOCK, actuators: 0, has_pressure: false, ..DUALSHOCK_2 };
        assert_eq!(PadSetup::default().advance(&plain), Next::Read);
    }

    #[test]
    fn other_controllers_give_no_input() {
        for port in [
            PortInfo { state: PortState::Simple, ..DUALSHOCK_2 },
            PortInfo { has_analogue: false, ..DUALSHOCK_2 },
            PortInfo { state: PortState::Disconnected, ..DUALSHOCK_2 },
        ] {
            let mut setup = PadSetup::default();
            assert_eq!(asked(&frames(&mut setup, port, 30)), []);
            assert!(!setup.is_ready());
        }
    }

    #[test]
    fn a_pulled_controller_is_set_up_anew() {
        let mut setup = PadSetup::default();
        frames(&mut setup, DUALSHOCK_2, 12);
        assert_eq!(setup.advance(&PortInfo { state: PortState::Searching, ..DUALSHOCK_2 }), Next::Nothing);
        assert_eq!(setup.advance(&DUALSHOCK_2), Next::SetAnalogue);
    }

    #[test]
    fn a_busy_port_is_left_alone_and_not_forgotten() {
        let mut setup = PadSetup::default();
        frames(&mut setup, DUALSHOCK_2, 12);
        assert_eq!(setup.advance(&PortInfo { state: PortState::Busy, ..DUALSHOCK_2 }), Next::Nothing);
        assert_eq!(setup.advance(&DUALSHOCK_2), Next::Read);
    }

    #[test]
    fn failing_rumble_is_given_up_and_a_failing_mode_is_not() {
        let rumble =
            PortInfo { terminal: DUALSHOCK, request: RequestState::Failed, has_pressure: false, ..DUALSHOCK_2 };
        let seen = frames(&mut PadSetup::default(), rumble, 60);
        assert_eq!(seen.iter().filter(|next| **next == Next::AlignActuators).count(), usize::from(TRIES));
        assert_eq!(seen.last(), Some(&Next::Read));
        let mode = PortInfo { request: RequestState::Failed, ..DUALSHOCK_2 };
        let seen = frames(&mut PadSetup::default(), mode, 60);
        assert_eq!(asked(&seen), std::vec![Next::SetAnalogue; 20]);
    }

    #[test]
    fn the_modules_numbers_have_names() {
        let states = [0, 1, 2, 5, 6, 7, 99].map(PortState::from_number);
        use PortState::{Busy, Disconnected, Failed, Searching, Simple, Stable};
        assert_eq!(states, [Disconnected, Searching, Simple, Busy, Stable, Failed, Disconnected]);
        let requests = [0, 1, 2].map(RequestState::from_number);
        assert_eq!(requests, [RequestState::Complete, RequestState::Failed, RequestState::Busy]);
    }
}
