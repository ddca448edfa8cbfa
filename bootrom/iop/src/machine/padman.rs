//! PADMAN: both controllers, polled at each vertical blank, for clients on the EE.
//!
//! A thread of its own talks to the controllers and sends what they say to the EE's memory; the server's thread takes requests.
//! Source: IOP kernel, PADMAN

use super::critical::Shared;
use super::server::{self, ServerThread, Service, words_of};
use super::{libraries, sifman, sio2, threads};
use bootrom_iop::errors::Error;
use bootrom_iop::pad::{MOTOR_BYTES, Pad, RequestState, State};
use bootrom_iop::pad_frame::{FRAME_BYTES, Flavour, Frame, frame_of, table_of};
use bootrom_iop::sif::{Progress, Transfer};

const PORTS: usize = 2;
const POLL_PRIORITY: u32 = 20;
const POLL_STACK: u32 = 0x1000;
const SERVER_PRIORITY: u32 = 46;
const REQUEST_BYTES: u32 = 128;
const REQUEST_WORDS: usize = 32;
/// The only function number; the command is in the request.
const FUNCTION: u32 = 1;

static OLD_SERVER: ServerThread = ServerThread {
    name: "PADMAN",
    priority: SERVER_PRIORITY,
    services: &[
        Service { sid: 0x8000_010F, function: serve, buffer_bytes: REQUEST_BYTES },
        Service { sid: 0x8000_011F, function: serve, buffer_bytes: REQUEST_BYTES },
    ],
};
static NEW_SERVER: ServerThread = ServerThread {
    name: "XPADMAN",
    priority: SERVER_PRIORITY,
    services: &[
        Service { sid: 0x8000_0100, function: serve, buffer_bytes: REQUEST_BYTES },
        Service { sid: 0x8000_0101, function: serve, buffer_bytes: REQUEST_BYTES },
    ],
};

/// Commands, by the new driver's numbers; the old ones are 80000100 and up, from open on.
mod command {
    pub const OPEN: u32 = 0x01;
    pub const ACTUATOR: u32 = 0x03;
    pub const COMBINATION: u32 = 0x04;
    pub const MODE: u32 = 0x05;
    pub const SET_MODE: u32 = 0x06;
    pub const SET_MOTORS: u32 = 0x07;
    pub const SET_ALIGN: u32 = 0x08;
    pub const BUTTON_MASK: u32 = 0x09;
    pub const SET_PRESSURES: u32 = 0x0A;
    pub const SET_REFERENCE: u32 = 0x0B;
    pub const PORTS: u32 = 0x0C;
    pub const SLOTS: u32 = 0x0D;
    pub const CLOSE: u32 = 0x0E;
    pub const END: u32 = 0x0F;
    pub const INIT: u32 = 0x10;
    pub const VERSION: u32 = 0x12;
}
const OLD_COMMANDS: u32 = 0x8000_0100;
/// Version that the new driver tells.
///
/// Our choice: the number of a late driver of the ROM.
const VERSION: u32 = 0x0280;

/// An opened port: its pad and where its frames go.
struct Port {
    pad: Pad,
    /// EE address of the two frames, 0 while it is closed.
    area: u32,
    number: u32,
    /// The frame on its way, and its transfer.
    frame: Frame,
    transfer: u32,
}

const NO_PORT: Port = Port { pad: Pad::new(), area: 0, number: 0, frame: Frame([0; FRAME_BYTES]), transfer: 0 };

/// The table of what is connected, and where it goes.
struct Table {
    /// EE address of the two tables, 0 for none.
    area: u32,
    number: u32,
    /// Bit 0 of a port's word: a controller is there.
    connected: [u32; PORTS],
    /// The table on its way, and its transfer.
    frame: Frame,
    transfer: u32,
}

const NO_TABLE: Table =
    Table { area: 0, number: 0, connected: [0; PORTS], frame: Frame([0; FRAME_BYTES]), transfer: 0 };

struct Pads {
    ports: [Port; PORTS],
    flavour: Flavour,
    table: Table,
}

impl Pads {
    /// Closes every port and forgets the table.
    fn close(&mut self) {
        self.ports = [NO_PORT; PORTS];
        self.table = NO_TABLE;
    }
}

static PADS: Shared<Pads> = Shared::new(Pads { ports: [NO_PORT; PORTS], flavour: Flavour::Old, table: NO_TABLE });

/// Starts the first driver.
///
/// # Errors
/// No record or no memory.
pub fn start_old() -> Result<(), Error> {
    start(Flavour::Old, &OLD_SERVER)
}

/// Starts the second driver.
///
/// # Errors
/// No record or no memory.
pub fn start_new() -> Result<(), Error> {
    start(Flavour::New, &NEW_SERVER)
}

fn start(flavour: Flavour, server: &'static ServerThread) -> Result<(), Error> {
    sio2::start()?;
    PADS.with(|pads| pads.flavour = flavour);
    server::start(server);
    threads::spawn(poll, POLL_PRIORITY, POLL_STACK, 0)?;
    Ok(())
}

/// Frames between two looks at a port that is not open.
const LOOK: u32 = 8;

/// Talks to every open port's controller once a frame, and now and then to a closed one's for the table.
extern "C" fn poll(_argument: u32) -> i32 {
    let mut frame = 0_u32;
    loop {
        libraries::wait_vertical_blank();
        frame = frame.wrapping_add(1);
        for port in 0..PORTS {
            if PADS.with(|pads| pads.ports[port].area != 0) {
                poll_open(port);
            } else if frame % (LOOK * PORTS as u32) == LOOK * port as u32 && PADS.with(|pads| pads.table.area != 0) {
                look(port);
            }
        }
        PADS.with(send_table);
    }
}

fn poll_open(port: usize) {
    let command = PADS.with(|pads| pads.ports[port].pad.command());
    let mut bytes = command.bytes;
    let bytes = &mut bytes[..command.length];
    let answered = sio2::locked(|| sio2::exchange(port as u32, sio2::TIMING_PAD, bytes));
    PADS.with(|pads| {
        let flavour = pads.flavour;
        let open = &mut pads.ports[port];
        open.pad.answer(answered.then_some(&*bytes));
        pads.table.connected[port] = (open.pad.state != State::Disconnected).into();
        send_frame(open, flavour);
    });
}

/// Whether a closed port's controller answers.
fn look(port: usize) {
    let mut unknown = Pad::new();
    let mut command = unknown.command();
    let bytes = &mut command.bytes[..command.length];
    let answered = sio2::locked(|| sio2::exchange(port as u32, sio2::TIMING_PAD, bytes));
    unknown.answer(answered.then_some(&*bytes));
    PADS.with(|pads| pads.table.connected[port] = (unknown.state != State::Disconnected).into());
}

/// Sends the table to the half of its area that is older, unless the last one is still on its way.
fn send_table(pads: &mut Pads) {
    let table = &mut pads.table;
    if table.area == 0 || table.transfer != 0 && sifman::progress(table.transfer) != Progress::Done {
        return;
    }
    table.number = table.number.wrapping_add(1);
    table.frame = table_of(table.connected, table.number);
    table.transfer = sifman::send(&[Transfer {
        source: (&raw const table.frame) as u32,
        destination: table.area + (table.number + 1) % 2 * FRAME_BYTES as u32,
        size: FRAME_BYTES as u32,
        attributes: 0,
    }]);
}

/// Sends a port's frame to the half of its area that is older, unless the last one is still on its way.
fn send_frame(port: &mut Port, flavour: Flavour) {
    if port.area == 0 || port.transfer != 0 && sifman::progress(port.transfer) != Progress::Done {
        return;
    }
    port.frame = frame_of(&port.pad, port.number, flavour);
    let bytes = flavour.frame_bytes() as u32;
    port.transfer = sifman::send(&[Transfer {
        source: (&raw const port.frame) as u32,
        destination: port.area + port.number % 2 * bytes,
        size: bytes,
        attributes: 0,
    }]);
    port.number = port.number.wrapping_add(1);
}

extern "C" fn serve(function: u32, buffer: *mut u32, _size: u32) -> *mut u32 {
    // SAFETY: the buffer is the service's and has that many words.
    let request = unsafe { words_of::<REQUEST_WORDS>(buffer) };
    if function == FUNCTION {
        PADS.with(|pads| answer(pads, request));
    }
    buffer
}

/// The six bytes from word 3 on.
fn motor_bytes(request: &[u32; REQUEST_WORDS]) -> [u8; MOTOR_BYTES] {
    let [a, b, c, d] = request[3].to_le_bytes();
    let [e, f, ..] = request[4].to_le_bytes();
    [a, b, c, d, e, f]
}

/// Answers a request in its own words.
fn answer(pads: &mut Pads, request: &mut [u32; REQUEST_WORDS]) {
    let command = if request[0] >= OLD_COMMANDS { (request[0] & 0xFF) + 1 } else { request[0] };
    match command {
        command::PORTS => request[3] = PORTS as u32,
        command::SLOTS => request[3] = 1,
        command::END => {
            pads.close();
            request[3] = 1;
        }
        command::INIT => {
            pads.close();
            pads.table.area = area_of(request[4], FRAME_BYTES);
            request[3] = 1;
        }
        command::VERSION => request[3] = VERSION,
        _ => {
            let slot = request[2];
            match pads.ports.get_mut(request[1] as usize).filter(|_| slot == 0) {
                Some(port) => answer_port(port, pads.flavour, command, request),
                None => [request[3], request[4], request[5]] = [0; 3],
            }
        }
    }
}

/// The area for two frames that a request names, 0 when that is none of a program's.
fn area_of(address: u32, frame_bytes: usize) -> u32 {
    if address != 0 && sifman::may_send(address, 2 * frame_bytes as u32) { address } else { 0 }
}

fn answer_port(port: &mut Port, flavour: Flavour, command: u32, request: &mut [u32; REQUEST_WORDS]) {
    let pad = &mut port.pad;
    let (third, fourth) = (request[3], request[4]);
    match command {
        command::OPEN => {
            *port = Port { area: area_of(fourth, flavour.frame_bytes()), ..NO_PORT };
            request[3] = (port.area != 0).into();
            request[5] = (&raw const port.frame) as u32;
        }
        command::CLOSE => {
            port.area = 0;
            request[3] = 1;
        }
        command::ACTUATOR => request[5] = actuator(pad, third, fourth),
        command::COMBINATION => request[5] = combination(pad, third, fourth),
        command::MODE => request[5] = mode(pad, third, fourth),
        command::SET_MODE => request[5] = pad.set_mode(third as u8, fourth as u8).into(),
        command::SET_MOTORS => request[5] = pad.set_motors(motor_bytes(request)).into(),
        command::SET_ALIGN => request[5] = pad.set_align(motor_bytes(request)).into(),
        command::BUTTON_MASK => request[3] = pad.button_mask,
        command::SET_PRESSURES => request[4] = pad.set_pressures(third).into(),
        command::SET_REFERENCE => request[7] = 0,
        _ => [request[3], request[4], request[5]] = [0; 3],
    }
}

/// How many motors (number FFFFFFFF), or one's function, kind, size or current by item 1 to 4.
fn actuator(pad: &Pad, number: u32, item: u32) -> u32 {
    if number == u32::MAX {
        return if pad.is_configurable() { pad.actuators.len() as u32 } else { 0 };
    }
    let value = pad.actuators.get(number as usize).and_then(|actuator| actuator.get((item as usize).wrapping_sub(1)));
    value.copied().map_or(0, u32::from)
}

/// How many ways to run motors together (list FFFFFFFF); how many motors one has (item FFFFFFFF), or the number of one of them.
fn combination(pad: &Pad, list: u32, item: u32) -> u32 {
    if list == u32::MAX {
        return pad.combinations.into();
    }
    let [motors, numbers @ ..] = pad.combination;
    if list != 0 || pad.combinations == 0 {
        0
    } else if item == u32::MAX {
        motors.into()
    } else {
        numbers.get(item as usize).copied().map_or(0, u32::from)
    }
}

/// Terms of the mode question.
///
/// Source: IOP kernel, PADMAN (info mode)
mod term {
    pub const CURRENT: u32 = 1;
    pub const EXTENDED: u32 = 2;
    pub const OFFSET: u32 = 3;
    pub const TABLE: u32 = 4;
}

fn mode(pad: &Pad, asked: u32, index: u32) -> u32 {
    if pad.request == RequestState::Busy || !pad.ready {
        return 0;
    }
    match asked {
        term::CURRENT => (pad.id >> 4).into(),
        term::EXTENDED => pad.modes.get(usize::from(pad.mode_index)).copied().unwrap_or(0).into(),
        term::OFFSET => pad.mode_index.into(),
        term::TABLE if index == u32::MAX => pad.mode_count.into(),
        term::TABLE => pad.modes.get(index as usize).copied().unwrap_or(0).into(),
        _ => 0,
    }
}
