//! The picture: video mode, frame buffers, packets in flight and the vertical blank's handler.
//!
//! [`Display::frame`] hands out a packet, takes it back complete and starts it when its turn comes. What the program and
//! the handler share is one small value behind a critical section.
//!
//! Source: support systems, Graphics and frame pacing; console rules 1 and 3.

use super::gif::{Chain, Line, Packet};
use super::gs::memory::FRAMES;
use super::gs::privileged::{self, CSR_FINISH, CSR_RESET, IMR_ALL_MASKED, IMR_FINISH, Pmode, offset};
use super::interrupt::{self, Cause, NoHandlerSlot};
use super::pacing::{Action, Pacer, Report};
use super::ticks::{MEASURED_BLANKS, Rate, Ticks};
use super::video::{VideoMode, VideoOptions};
use super::{cache, cop0, dmac, registers, syscall};
use crate::tty_println;
use alloc::boxed::Box;
use core::cell::Cell;
use core::ffi::c_void;
use core::fmt::Write as _;
use critical_section::Mutex;

/// Bytes of both packet buffers together.
///
/// Our choice: larger than the original's 0x1c0000, as a street full of things and particles takes more than half of that.
pub const PACKET_BYTES: usize = 0x28_0000;
const PACKET_LINES: usize = PACKET_BYTES / 2 / size_of::<Line>();
/// GIF_CTRL: resets the interface.
const GIF_RESET: u32 = 1;
/// Cycles to wait after a reset of the GS.
const RESET_CYCLES: u32 = 3_000;
/// Cycles after which a packet counts as lost: a second, which no frame needs.
const PATIENCE_CYCLES: u32 = 294_912_000;

/// What the handler and the program share.
#[derive(Clone, Copy)]
struct Shared {
    pacer: Pacer,
    ticks: Ticks,
    video: VideoOptions,
    /// Blanks of this mode, the counter at one of them, and the cycles from there to the sixtieth after it.
    measured: u32,
    first_blank: u32,
    sixty_blanks: Option<u32>,
    /// The counter when the current chain was started, and the cycles that the GS took for the last finished one.
    started: u32,
    drawn: u32,
}

impl Shared {
    const fn starting_at(count: u32, video: VideoOptions) -> Self {
        Self {
            pacer: Pacer::new(),
            ticks: Ticks::starting_at(count),
            video,
            measured: 0,
            first_blank: 0,
            sixty_blanks: None,
            started: count,
            drawn: 0,
        }
    }

    /// Measures the counter against the screen.
    fn measure(&mut self, count: u32) {
        // The very first call may be for a blank that began long before its cause was let in.
        if self.measured == 1 {
            self.first_blank = count;
        } else if self.measured == 1 + MEASURED_BLANKS {
            self.sixty_blanks = Some(count.wrapping_sub(self.first_blank));
        }
        self.measured = self.measured.saturating_add(1);
    }
}

static SHARED: Mutex<Cell<Shared>> = Mutex::new(Cell::new(Shared::starting_at(0, VideoOptions::new(VideoMode::Ntsc))));

/// Works on the shared value with interrupts held.
fn shared<T>(work: impl FnOnce(&mut Shared) -> T) -> T {
    critical_section::with(|section| {
        let cell = SHARED.borrow(section);
        let mut value = cell.get();
        let result = work(&mut value);
        cell.set(value);
        result
    })
}

/// What pacing has counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counters {
    /// Vertical blanks since the display was opened.
    pub blanks: u32,
    /// Frames shown.
    pub flips: u32,
    /// Blanks by which frames were late.
    pub missed: u32,
    /// Ticks since the display was opened, on the nominal clock whatever the console's own is.
    pub ticks: u64,
    /// The same in the counter's own cycles, folded by the vertical blank's handler.
    pub cycles: u64,
    /// This console's cycles over sixty blanks, once they are measured.
    pub sixty_blanks: Option<u32>,
    /// Cycles that the GS took for the last frame that it finished.
    pub drawn: u32,
}

/// The picture's hardware, owned by whoever draws.
pub struct Display {
    video: VideoOptions,
    packets: [Box<[Line]>; 2],
    next: usize,
    dropped: u32,
    check: Option<u32>,
    tells: bool,
}

impl Display {
    /// Resets the GS, sets the mode and installs the blank's handler. Nothing is shown before the first frame. Once.
    ///
    /// # Errors
    /// [`NoHandlerSlot`] when the kernel takes no handler.
    pub fn open(mode: VideoMode) -> Result<Self, NoHandlerSlot> {
        reset(mode);
        dmac::enable();
        let video = VideoOptions::new(mode);
        shared(|shared| *shared = Shared::starting_at(cop0::count(), video));
        // SAFETY: the handler keeps the rules of `interrupt` and uses no argument.
        unsafe { interrupt::add(Cause::VerticalBlankStart, on_vertical_blank, core::ptr::null_mut())? };
        // SAFETY: as above.
        unsafe { interrupt::add(Cause::Gs, on_finish, core::ptr::null_mut())? };
        // SAFETY: a mask that lets through what has a handler.
        unsafe { syscall::gs_put_imr(IMR_FINISH) };
        let packets = core::array::from_fn(|_| alloc::vec![Line::default(); PACKET_LINES].into_boxed_slice());
        Ok(Self { video, packets, next: 0, dropped: 0, check: None, tells: false })
    }

    /// The video mode.
    pub fn mode(&self) -> VideoMode {
        self.video.mode
    }

    /// What is chosen about the picture.
    pub fn video(&self) -> VideoOptions {
        self.video
    }

    /// Changes what is chosen about the picture. Another mode is set once the last frame is on the screen, which goes on
    /// being shown; everything else takes effect with the next frame. The counters go on; the clock is measured anew.
    pub fn set_video(&mut self, video: VideoOptions) {
        if video.mode != self.video.mode {
            self.settle(0);
            privileged::write(offset::PMODE, Pmode::OFF.0);
            set_mode(video.mode);
            // SAFETY: the kernel's call may have masked everything; what is let through has a handler.
            unsafe { syscall::gs_put_imr(IMR_FINISH) };
        }
        let (shown, changed) = shared(|shared| {
            let changed = shared.video.mode != video.mode;
            shared.video = video;
            if changed {
                (shared.measured, shared.sixty_blanks) = (0, None);
            }
            (shared.pacer.shown(), changed)
        });
        self.video = video;
        if changed {
            show(&video, FRAMES.get(shown).copied().unwrap_or(0));
        }
    }

    /// From now on looks at every chain before it is started, whether all of it was written back; for tests.
    pub fn check_write_backs(&mut self) {
        self.check = Some(0);
    }

    /// Quadwords that a chain referred to before they were written back; `None` when nobody looks.
    pub fn unwritten(&self) -> Option<u32> {
        self.check
    }

    /// From now on every packet is told to the console's listener before it is started; for tests, which draw it themselves.
    pub fn tell_packets(&mut self) {
        self.tells = true;
    }

    /// What pacing has counted so far.
    pub fn counters(&self) -> Counters {
        let (pacer, cycles, sixty_blanks, drawn) =
            shared(|shared| (shared.pacer, shared.ticks.fold(cop0::count()), shared.sixty_blanks, shared.drawn));
        let nominal = self.video.mode.setup().cycles_per_sixty_blanks;
        let rate = sixty_blanks.map_or(Rate::NOMINAL, |measured| Rate::measured(measured, nominal));
        Counters {
            blanks: pacer.blanks,
            flips: pacer.flips,
            missed: pacer.missed,
            ticks: rate.ticks(cycles),
            cycles,
            sixty_blanks,
            drawn,
        }
    }

    /// Packets' contents that did not fit so far.
    pub fn dropped(&self) -> u32 {
        self.dropped
    }

    /// Builds and submits one frame. `draw` gets the packet and the first page of the frame buffer to draw into. Waits
    /// while the program is a whole frame ahead of the screen.
    ///
    /// # Panics
    /// When the GS has not finished the frame before after two seconds: a packet of ours has stopped it.
    pub fn frame(&mut self, draw: impl FnOnce(&mut Packet, u32)) {
        let begin = cop0::count();
        while !shared(|shared| shared.pacer.accepts()) {
            let waited = cop0::count().wrapping_sub(begin);
            assert!(waited < 2 * PATIENCE_CYCLES, "the GS did not finish a frame");
        }
        let (target, token) = shared(|shared| (shared.pacer.target(), shared.pacer.token()));
        let Some(memory) = self.packets.get_mut(self.next) else { return };
        let mut packet = Packet::new(memory);
        draw(&mut packet, FRAMES.get(target).copied().unwrap_or(0));
        let chain = packet.finish_with(token);
        self.next ^= 1;
        self.dropped = self.dropped.wrapping_add(chain.dropped);
        write_back(&chain);
        if let Some(unwritten) = &mut self.check {
            *unwritten += dmac::unwritten(&chain);
        }
        if self.tells {
            tell(&chain);
        }
        // The handler must not run between the decision and the start.
        critical_section::with(|_| {
            let action = shared(|shared| {
                let action = shared.pacer.submit(chain.address);
                if action.start.is_some() {
                    shared.started = cop0::count();
                }
                action
            });
            act(action, &self.video);
        });
    }

    /// Waits until the frame that was submitted last has been on the screen for `blanks` blanks.
    pub fn settle(&self, blanks: u32) {
        while !shared(|shared| shared.pacer.idle()) {
            core::hint::spin_loop();
        }
        let since = self.counters().blanks;
        while self.counters().blanks.wrapping_sub(since) < blanks {
            core::hint::spin_loop();
        }
    }

    /// Sends a packet at once and waits until the GS has done it: for uploads while loading, before the first frame.
    pub fn send_and_wait<'a>(&'a mut self, build: impl FnOnce(&mut Packet<'a>)) {
        let Some(memory) = self.packets.get_mut(self.next) else { return };
        let mut packet = Packet::new(memory);
        build(&mut packet);
        let chain = packet.finish();
        // The packet refers to pictures that were computed just now: the whole cache is written back.
        cache::flush(cache::Flush::WriteBackData);
        if self.tells {
            tell(&chain);
        }
        start(chain.address);
        wait_until_drawn();
    }
}

/// Tells the console's listener what a chain brings to the GIF, some quadwords in hexadecimal digits a line.
fn tell(chain: &Chain) {
    const QUADS_OF_A_LINE: usize = 6;
    const DIGITS: usize = 32;
    let mut line = heapless::String::<{ QUADS_OF_A_LINE * DIGITS }>::new();
    dmac::each_quad(chain, |[a, b, c, d]| {
        // The line was said before it is full.
        let _room = write!(line, "{a:08x}{b:08x}{c:08x}{d:08x}");
        if line.len() == line.capacity() {
            tty_println!("GIF {line}");
            line.clear();
        }
    });
    tty_println!("GIF {line}.");
}

/// What was chosen about the picture last, for whoever takes the hardware over.
pub fn chosen() -> VideoOptions {
    shared(|shared| shared.video)
}

/// Takes the drawing hardware from whoever had it: stops its transfers and the blank's handler, then resets. For the panic
/// screen; the kernel's calls inside let interrupts in.
pub fn take_over(mode: VideoMode) {
    // SAFETY: a cause that the kernel knows; nothing runs that would miss it.
    unsafe { syscall::disable_intc(Cause::VerticalBlankStart as i32) };
    dmac::stop_gif();
    dmac::enable();
    reset(mode);
}

/// Sends a packet at once and waits until the GS has done it, or for so long that something must be broken.
pub fn send(memory: &mut [Line], build: impl FnOnce(&mut Packet)) {
    let mut packet = Packet::new(memory);
    build(&mut packet);
    let chain = packet.finish();
    write_back(&chain);
    start(chain.address);
    wait_until_drawn();
}

/// Waits for the GS's report, at most [`PATIENCE_CYCLES`].
fn wait_until_drawn() {
    let begin = cop0::count();
    while privileged::read_csr() & CSR_FINISH == 0 && cop0::count().wrapping_sub(begin) < PATIENCE_CYCLES {}
}

/// Resets the GS and the GIF and sets the video mode; nothing is shown.
fn reset(mode: VideoMode) {
    // SAFETY: masks that leave no event interrupting.
    unsafe { syscall::gs_put_imr(IMR_ALL_MASKED) };
    // SAFETY: the reset bit of a register that has no other in use.
    registers::graphics_interface().gif_ctrl().write(|w| unsafe { w.bits(GIF_RESET) });
    privileged::write_csr(CSR_RESET);
    let begin = cop0::count();
    while cop0::count().wrapping_sub(begin) < RESET_CYCLES {}
    privileged::write_csr(0);
    set_mode(mode);
    privileged::write(offset::PMODE, Pmode::OFF.0);
    privileged::write(offset::BGCOLOR, 0);
}

/// Sets the screen's timing.
fn set_mode(mode: VideoMode) {
    let (interlaced, number, field) = mode.setup().crt;
    // SAFETY: a mode that the kernel knows.
    unsafe { syscall::set_gs_crt(interlaced, number, field) };
}

/// Shows the frame buffer at `page`. Integer only: the blank's handler calls it.
#[inline]
pub fn show(video: &VideoOptions, page: u32) {
    let setup = video.setup();
    let [first, second] = video.mode.frame_registers(page);
    privileged::write(offset::DISPFB1, first.0);
    privileged::write(offset::DISPFB2, second.0);
    privileged::write(offset::DISPLAY1, setup.displays[0].0);
    privileged::write(offset::DISPLAY2, setup.displays[1].0);
    privileged::write(offset::PMODE, setup.pmode.0);
}

fn write_back(chain: &Chain) {
    cache::write_back(chain.address as *const u8, chain.quads * 16);
}

/// Starts a chain after forgetting the FINISH of the one before.
#[inline]
fn start(address: u32) {
    privileged::write_csr(CSR_FINISH);
    // SAFETY: chains start only when the one before has reported FINISH, and all are written back.
    unsafe { dmac::start_gif_chain(address) };
}

#[inline]
fn act(action: Action, video: &VideoOptions) {
    if let Some(shown) = action.flip {
        show(video, if shown == 0 { FRAMES[0] } else { FRAMES[1] });
    }
    if let Some(chain) = action.start {
        start(chain);
    }
}

/// The vertical blank: counts, keeps the time, flips.
unsafe extern "C" fn on_vertical_blank(_cause: i32, _argument: *mut c_void) -> i32 {
    let report = Report { finished: privileged::read_csr() & CSR_FINISH != 0, token: privileged::read_label() };
    let (action, video) = shared(|shared| {
        let count = cop0::count();
        shared.ticks.fold(count);
        shared.measure(count);
        let action = shared.pacer.vertical_blank(report);
        if action.start.is_some() {
            shared.started = count;
        }
        (action, shared.video)
    });
    act(action, &video);
    interrupt::finish();
    0
}

/// The GS reports that it is done: how long it took. Integer only.
unsafe extern "C" fn on_finish(_cause: i32, _argument: *mut c_void) -> i32 {
    if privileged::read_csr() & CSR_FINISH != 0 {
        shared(|shared| shared.drawn = cop0::count().wrapping_sub(shared.started));
    }
    interrupt::finish();
    0
}
