//! A controller as the pad driver sees it: one command a frame, a state, and requests that take a few frames.
//!
//! [`Pad::command`] says what to send next, [`Pad::answer`] takes what came back. A newly found controller is asked who it is (a
//! plan of commands), then it is polled for good; a request puts another plan in between.
//! Source: IOP kernel, PADMAN; hardware notes, Pad protocol

/// Bytes of the longest frame: header, buttons, sticks, pressures.
pub const FRAME_BYTES: usize = 21;
/// Bytes of button data that the EE gets.
pub const DATA_BYTES: usize = 32;
/// Bytes of a frame in configuration mode.
const CONFIGURATION_BYTES: usize = 9;
/// Bytes of the shortest frame.
const SHORT_BYTES: usize = 5;
/// Place of the first data byte in a frame.
const FRAME_DATA: usize = 3;
const ADDRESS: u8 = 0x01;
const CONFIGURATION_ID: u8 = 0xF3;
const ANSWER_MARK: u8 = 0x5A;
/// Failed answers after which a controller counts as gone.
const ERRORS: u8 = 10;
/// Tries to get a controller into configuration mode.
const CONFIGURATION_TRIES: u8 = 10;
/// Motor bytes of a poll.
pub const MOTOR_BYTES: usize = 6;
/// No motor.
const NO_MOTOR: u8 = 0xFF;
/// Buttons and sticks of the answer mask, without the twelve pressures.
const MASK_PLAIN: u32 = 0x3F;
const MASK_PRESSURES_SHIFT: u32 = 6;
/// All pressures.
const MASK_PRESSURES: u32 = 0xFFF;

/// What the EE is told about a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// None there.
    Disconnected = 0,
    /// There, without a configuration mode; usable.
    FoundPlain = 2,
    /// Busy with commands of its own.
    Executing = 5,
    /// Polled every frame.
    Stable = 6,
    /// Its answers are bad.
    Error = 7,
}

/// What the EE is told about its last request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestState {
    /// Done, or none was made.
    Complete = 0,
    /// Could not be done.
    Failed = 1,
    /// Under way.
    Busy = 2,
}

/// What a pad is about, by the numbers of the second driver.
///
/// Source: IOP kernel, PADMAN (frame structures); public SDK, pad driver
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Polled.
    Update = 1,
    /// Asked who it is.
    Query = 2,
    /// Led into another mode.
    SetMode = 4,
    /// Told which motor is which.
    SetAlign = 5,
    /// Told which buttons tell their pressure.
    SetPressures = 6,
}

/// A command of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    EnterConfiguration,
    Model,
    Mode { mode: u8, lock: u8 },
    Actuator(u8),
    Combination,
    ModeNumber(u8),
    Align,
    ButtonMask,
    AnswerMask(u32),
    LeaveConfiguration,
}

const STEPS: usize = 12;
const QUERY: [Step; STEPS] = [
    Step::EnterConfiguration,
    Step::Model,
    Step::Mode { mode: 0, lock: 0 },
    Step::Actuator(0),
    Step::Actuator(1),
    Step::Combination,
    Step::ModeNumber(0),
    Step::ModeNumber(1),
    Step::Align,
    Step::ButtonMask,
    Step::LeaveConfiguration,
    Step::LeaveConfiguration,
];
/// Steps of [`QUERY`] that count; the last place only fills the array.
const QUERY_STEPS: usize = 11;

/// Commands to be sent before polling goes on.
#[derive(Clone, Copy, Debug)]
struct Plan {
    steps: [Step; STEPS],
    count: usize,
    next: usize,
    tries: u8,
}

impl Plan {
    /// A few commands inside of configuration mode.
    fn around(inside: &[Step]) -> Self {
        let mut steps = [Step::LeaveConfiguration; STEPS];
        steps[0] = Step::EnterConfiguration;
        for (slot, step) in steps[1..STEPS - 1].iter_mut().zip(inside) {
            *slot = *step;
        }
        Plan { steps, count: inside.len().min(STEPS - 2) + 2, next: 0, tries: 0 }
    }
}

/// A command to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its bytes.
    pub bytes: [u8; FRAME_BYTES],
    /// How many of them.
    pub length: usize,
}

/// A controller.
#[derive(Clone, Copy, Debug)]
pub struct Pad {
    /// Present state.
    pub state: State,
    /// State of the last request.
    pub request: RequestState,
    /// Kind and length of its answers; 0 while there is none.
    pub id: u8,
    /// Model number from its query.
    pub model: u8,
    /// Buttons as the EE gets them.
    pub data: [u8; DATA_BYTES],
    /// True when `data` holds an answer.
    pub ready: bool,
    /// Kinds of answers it can give, by mode.
    pub modes: [u16; 2],
    /// Number of modes.
    pub mode_count: u8,
    /// Which mode it is in.
    pub mode_index: u8,
    /// Function, kind, size and current of its motors.
    pub actuators: [[u8; 4]; 2],
    /// How many of its motors can run together in how many ways.
    pub combinations: u8,
    /// The first of these: how many motors, then their numbers.
    pub combination: [u8; 4],
    /// Its answer mask as it told it.
    pub button_mask: u32,
    /// The mode and the lock that were asked for last.
    pub asked: [u8; 2],
    /// Which motor each of the poll's bytes drives.
    pub align: [u8; MOTOR_BYTES],
    /// The motor bytes of the polls.
    pub direct: [u8; MOTOR_BYTES],
    /// True once somebody has set the motor bytes.
    pub drives: bool,
    plan: Option<Plan>,
    /// The plan is its first one.
    querying: bool,
    errors: u8,
    /// How often it was looked for since it last answered.
    pub looks: u32,
}

impl Pad {
    /// Nothing there yet.
    #[must_use]
    pub const fn new() -> Self {
        let mut data = [0; DATA_BYTES];
        data[0] = 0xFF;
        Pad {
            state: State::Executing,
            request: RequestState::Complete,
            id: 0,
            model: 0,
            data,
            ready: false,
            modes: [0; 2],
            mode_count: 0,
            mode_index: 0,
            actuators: [[0; 4]; 2],
            combinations: 0,
            combination: [0; 4],
            button_mask: 0,
            asked: [0; 2],
            align: [NO_MOTOR; MOTOR_BYTES],
            direct: [0; MOTOR_BYTES],
            drives: false,
            plan: None,
            querying: false,
            errors: 0,
            looks: 0,
        }
    }

    /// True for a controller with a configuration mode.
    #[must_use]
    pub fn is_configurable(&self) -> bool {
        self.mode_count > 0
    }

    /// True when a request can be taken.
    #[must_use]
    pub fn accepts(&self) -> bool {
        self.state == State::Stable && self.plan.is_none() && self.request != RequestState::Busy
    }

    /// What it is about.
    #[must_use]
    pub fn task(&self) -> Task {
        let Some(plan) = self.plan else { return Task::Update };
        match plan.steps[1] {
            _ if self.querying => Task::Query,
            Step::Mode { .. } => Task::SetMode,
            Step::Align => Task::SetAlign,
            Step::AnswerMask(_) => Task::SetPressures,
            _ => Task::Update,
        }
    }

    fn begin(&mut self, inside: &[Step]) -> bool {
        if !self.accepts() || !self.is_configurable() {
            return false;
        }
        self.plan = Some(Plan::around(inside));
        self.request = RequestState::Busy;
        self.state = State::Executing;
        true
    }

    /// Asks for digital (0) or analogue (1) answers; `lock` 3 takes the choice away from the controller's own button.
    pub fn set_mode(&mut self, mode: u8, lock: u8) -> bool {
        let begun = mode <= 1 && self.begin(&[Step::Mode { mode, lock }, Step::ButtonMask]);
        if begun {
            self.asked = [mode, lock];
        }
        begun
    }

    /// Says which motor each of the poll's bytes drives.
    pub fn set_align(&mut self, align: [u8; MOTOR_BYTES]) -> bool {
        let before = core::mem::replace(&mut self.align, align);
        let begun = self.begin(&[Step::Align]);
        if !begun {
            self.align = before;
        }
        begun
    }

    /// Asks for pressures with the answers.
    pub fn set_pressures(&mut self, pressures: u32) -> bool {
        self.begin(&[Step::AnswerMask(MASK_PLAIN | (pressures & MASK_PRESSURES) << MASK_PRESSURES_SHIFT)])
    }

    /// Sets the motor bytes of the following polls.
    pub fn set_motors(&mut self, direct: [u8; MOTOR_BYTES]) -> bool {
        if self.state != State::Stable {
            return false;
        }
        self.direct = direct;
        self.drives = true;
        true
    }

    /// What to send now.
    #[must_use]
    pub fn command(&self) -> Command {
        match self.plan {
            Some(plan) => step_command(plan.steps[plan.next], self.align),
            None => self.poll(),
        }
    }

    fn poll(&self) -> Command {
        let mut bytes = [0; FRAME_BYTES];
        bytes[..2].copy_from_slice(&[ADDRESS, 0x42]);
        let length = if self.id == 0 { SHORT_BYTES } else { answer_bytes(self.id) };
        if self.id != 0 {
            let end = length.min(FRAME_DATA + MOTOR_BYTES);
            bytes[FRAME_DATA..end].copy_from_slice(&self.direct[..end - FRAME_DATA]);
        }
        Command { bytes, length }
    }

    /// Takes the answer to [`Self::command`]; None when nobody answered.
    pub fn answer(&mut self, answer: Option<&[u8]>) {
        let id = answer.and_then(|answer| (answer.get(2) == Some(&ANSWER_MARK)).then(|| answer[1]));
        match (id, answer) {
            (Some(id), Some(answer)) => {
                (self.errors, self.looks) = (0, 0);
                match self.plan {
                    Some(plan) => self.step_done(plan, id, answer),
                    None => self.polled(id, answer),
                }
            }
            _ => self.failed(),
        }
    }

    fn failed(&mut self) {
        self.errors = self.errors.saturating_add(1);
        if self.id != 0 && self.errors < ERRORS {
            if self.plan.is_none() {
                self.state = State::Error;
            }
            return;
        }
        let request = if self.request == RequestState::Busy { RequestState::Failed } else { self.request };
        let looks = self.looks.saturating_add(1);
        *self = Pad { state: State::Disconnected, request, errors: ERRORS, looks, ..Pad::new() };
    }

    fn polled(&mut self, id: u8, answer: &[u8]) {
        if id == CONFIGURATION_ID {
            // Left behind by somebody: lead it out.
            let mut steps = QUERY;
            steps[0] = Step::LeaveConfiguration;
            self.plan = Some(Plan { steps, count: 1, next: 0, tries: 0 });
            return;
        }
        if self.id == 0 {
            self.id = id;
            self.querying = true;
            self.state = State::Executing;
            self.plan = Some(Plan { steps: QUERY, count: QUERY_STEPS, next: 0, tries: 0 });
            return;
        }
        if answer_bytes(self.id) < answer_bytes(id) {
            // Only its beginning came; the next frame asks for all of it.
            self.id = id;
            return;
        }
        self.id = id;
        self.data = [0; DATA_BYTES];
        self.data[1] = id;
        let buttons = answer.get(FRAME_DATA..answer_bytes(id).min(answer.len())).unwrap_or_default();
        for (slot, byte) in self.data[2..].iter_mut().zip(buttons) {
            *slot = *byte;
        }
        self.ready = true;
        if self.mode_count > 0 {
            let kind = u16::from(id >> 4);
            self.mode_index = self.modes.iter().position(|mode| *mode == kind).unwrap_or(0) as u8;
        }
        self.state = if self.is_configurable() { State::Stable } else { State::FoundPlain };
        if self.request == RequestState::Busy {
            self.request = RequestState::Complete;
        }
    }

    /// A plan's command was answered: keeps what it tells and goes to the next.
    fn step_done(&mut self, mut plan: Plan, id: u8, answer: &[u8]) {
        let data = answer.get(FRAME_DATA..).unwrap_or_default();
        let byte = |index: usize| data.get(index).copied().unwrap_or(0);
        let step = plan.steps[plan.next];
        if step != Step::EnterConfiguration && step != Step::LeaveConfiguration && id != CONFIGURATION_ID {
            // It did not enter: try again, then take it as it is.
            plan.next = 0;
            plan.tries += 1;
            if plan.tries >= CONFIGURATION_TRIES || self.querying && id >> 4 == 4 && plan.tries > 1 {
                self.plan = None;
                self.querying = false;
                if self.request == RequestState::Busy {
                    self.request = RequestState::Failed;
                }
                return;
            }
            self.plan = Some(plan);
            return;
        }
        match step {
            Step::Model => {
                self.model = byte(0);
                self.mode_count = byte(1).min(2);
                self.mode_index = byte(2);
                self.combinations = byte(4);
            }
            Step::Actuator(index) => {
                if let Some(actuator) = self.actuators.get_mut(usize::from(index)) {
                    *actuator = [byte(2), byte(3), byte(4), byte(5)];
                }
            }
            Step::ModeNumber(index) => {
                if let Some(mode) = self.modes.get_mut(usize::from(index)) {
                    *mode = byte(3).into();
                }
            }
            Step::Combination => self.combination = [byte(2), byte(3), byte(4), byte(5)],
            Step::ButtonMask => self.button_mask = u32::from_le_bytes([byte(0), byte(1), byte(2), 0]),
            Step::Mode { .. } | Step::AnswerMask(_) if !self.querying => self.id = id,
            _ => {}
        }
        plan.next += 1;
        if plan.next < plan.count {
            self.plan = Some(plan);
            return;
        }
        self.plan = None;
        self.querying = false;
        // The next poll begins with the shortest frame: the answers may be longer or shorter now.
        self.ready = false;
        self.id = PLAIN_ID;
    }
}

impl Default for Pad {
    fn default() -> Self {
        Self::new()
    }
}

/// Kind and length that every controller can answer with.
const PLAIN_ID: u8 = 0x41;

/// Bytes of an answer of kind `id`, header included.
fn answer_bytes(id: u8) -> usize {
    (FRAME_DATA + 2 * usize::from(id & 0xF)).clamp(SHORT_BYTES, FRAME_BYTES)
}

fn step_command(step: Step, align: [u8; MOTOR_BYTES]) -> Command {
    let mut bytes = [0; FRAME_BYTES];
    bytes[0] = ADDRESS;
    let (code, data): (u8, &[u8]) = match step {
        Step::EnterConfiguration => (0x43, &[1]),
        Step::LeaveConfiguration => (0x43, &[0]),
        Step::Model => (0x45, &[]),
        Step::Mode { mode, lock } => (0x44, &[mode, lock]),
        Step::Actuator(index) => (0x46, &[index]),
        Step::Combination => (0x47, &[]),
        Step::ModeNumber(index) => (0x4C, &[index]),
        Step::Align => (0x4D, &align),
        Step::ButtonMask => (0x41, &[]),
        Step::AnswerMask(mask) => {
            let [low, middle, high, _] = mask.to_le_bytes();
            (0x4F, &[low, middle, high])
        }
    };
    bytes[1] = code;
    bytes[FRAME_DATA..FRAME_DATA + data.len()].copy_from_slice(data);
    // Outside of configuration mode a controller answers as briefly as it can.
    let length = if step == Step::EnterConfiguration { SHORT_BYTES } else { CONFIGURATION_BYTES };
    Command { bytes, length }
}

#[cfg(test)]
mod tests;
