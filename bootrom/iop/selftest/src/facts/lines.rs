//! INTRMAN: the gate, held dispatch, nested handlers, hooks; VBLANK; the rest of TIMRMAN and of DMACMAN.

use crate::handler::within;
use crate::system;
use crate::tally::Tally;
use crate::word::Word;

pub fn run(tally: &mut Tally) {
    gate(tally);
    context(tally);
    dispatch(tally);
    nested(tally);
    hooks(tally);
    blanks(tally);
    timers(tally);
    channels(tally);
    control(tally);
}

const GATE_CLOSED: i32 = -102;
static COUNT: Word = Word::new(0);

/// Waits by turns of a loop, about a millisecond.
fn spin() {
    for turn in 0..10_000 {
        core::hint::black_box(turn);
    }
}

extern "C" fn counts(_argument: u32) -> u32 {
    COUNT.add(1);
    3_686
}

const SYSTEM_CLOCK: u32 = 1;

/// A timer that counts ten times in a millisecond.
fn ticking() -> i32 {
    let id = system::AllocHardTimer(SYSTEM_CLOCK, 32, 1);
    system::SetupHardTimer(id, SYSTEM_CLOCK, 0, 1);
    system::SetTimerHandler(id, 3_686, counts, 0);
    system::StartHardTimer(id);
    id
}

fn end(timer: i32) {
    system::StopHardTimer(timer);
    system::FreeHardTimer(timer);
}

/// How many ticks come while `body` and a little more run.
fn ticks(body: impl FnOnce()) -> i32 {
    body();
    COUNT.set(0);
    spin();
    COUNT.get()
}

fn gate(tally: &mut Tally) {
    let timer = ticking();
    let (mut state, mut inner) = (9, 9);
    tally.holds("interrupts come", ticks(|| ()) > 0);
    let mut result = 0;
    let held = ticks(|| result = system::CpuSuspendIntr(&raw mut state));
    let again = system::CpuSuspendIntr(&raw mut inner);
    system::CpuResumeIntr(inner);
    let still = ticks(|| ());
    tally.holds("interrupts are suspended", held == 0 && result == 0 && state == 1);
    tally.holds("twice, and then not resumed by the inner end", again == GATE_CLOSED && inner == 0 && still == 0);
    tally.holds("and resumed by the outer one", ticks(|| _ = system::CpuResumeIntr(state)) > 0);
    let held = ticks(|| result = system::CpuDisableIntr());
    let again = system::CpuDisableIntr();
    tally.holds("interrupts are disabled", held == 0 && result == 0 && again == GATE_CLOSED);
    tally.holds("and enabled", ticks(|| result = system::CpuEnableIntr()) > 0 && result == 0);
    end(timer);
}

extern "C" fn sum(first: u32, second: u32) -> u32 {
    first * 10 + second
}

fn context(tally: &mut Tally) {
    tally.equal("a function is called in kernel mode", system::CpuInvokeInKmode(sum, 4, 2) as i32, 42);
    let here = 0_u32;
    tally.equal("a thread's stack is not the interrupts'", system::QueryIntrStack(&raw const here as u32), 0);
    let inside = within(|| {
        let here = 0_u32;
        [system::QueryIntrStack(&raw const here as u32), system::QueryIntrContext()]
    });
    tally.holds("a handler's is", inside == Some([1, 1]));
}

fn dispatch(tally: &mut Tally) {
    let timer = ticking();
    let line = system::GetHardTimerIntrCode(timer);
    // SAFETY: the system's table has an entry for each line, a function and its word.
    let [function, _] = unsafe { system::GetIntrmanInternalData().read().add(line as usize).read_volatile() };
    tally.holds("a handler is found in the table of all", function != 0);
    // SAFETY: as above.
    let [none, _] = unsafe { system::GetIntrmanInternalData().read().add(10).read_volatile() };
    tally.equal("and none where there is none", none as i32, 0);
    tally.equal("a line's handlers are held", ticks(|| system::DisableDispatchIntr(line)), 0);
    tally.holds("and called again", ticks(|| system::EnableDispatchIntr(line)) > 0);
    end(timer);
}

fn nested(tally: &mut Tally) {
    let timer = ticking();
    let counted = within(|| {
        COUNT.set(0);
        spin();
        let before = COUNT.get();
        system::iCatchMultiIntr();
        [before, COUNT.get()]
    });
    end(timer);
    tally.holds("a handler lets another one in", counted.is_some_and(|[before, after]| before == 0 && after == 1));
    COUNT.set(0);
    system::iCatchMultiIntr();
    tally.equal("a thread needs no such thing", COUNT.get(), 0);
}

static ASKED: Word = Word::new(0);
static CONTEXTS: Word = Word::new(0);
static ANSWER: Word = Word::new(0);
static URGENT_RAN: Word = Word::new(0);

extern "C" fn should_preempt() -> i32 {
    ASKED.add(1);
    ANSWER.get()
}

extern "C" fn new_context(context: u32) -> u32 {
    CONTEXTS.add(1);
    context
}

extern "C" fn urgent(_argument: u32) {
    system::SleepThread();
    URGENT_RAN.set(1);
    system::ExitThread();
}

extern "C" fn wakes(thread: u32) -> u32 {
    COUNT.add(1);
    system::iWakeupThread(thread as i32);
    0
}

/// Wakes a more urgent thread from a handler, and waits a little; whether it has run by then.
fn urgent_runs(thread: i32) -> bool {
    URGENT_RAN.set(0);
    system::StartThread(thread, 0);
    COUNT.set(0);
    let soon = system::Clock { low: 3_686, high: 0 };
    system::SetAlarm(&raw const soon, wakes, thread as u32);
    while COUNT.get() == 0 {}
    spin();
    URGENT_RAN.get() == 1
}

fn hooks(tally: &mut Tally) {
    let thread = super::threads::thread(urgent, 40, 0x800);
    ANSWER.set(0);
    system::SetShouldPreemptCb(Some(should_preempt));
    let ran = urgent_runs(thread);
    let asked = ASKED.get();
    system::ResetShouldPreemptCb();
    tally.holds("a hook is asked whether another thread goes on", asked > 0 && !ran);
    system::DelayThread(1_000);
    tally.equal("which it does when nobody is asked", URGENT_RAN.get(), 1);
    system::SetNewCtxCb(Some(new_context));
    let ran = urgent_runs(thread);
    let contexts = CONTEXTS.get();
    system::ResetNewCtxCb();
    tally.holds("a hook may say which context goes on", contexts > 0 && !ran);
    system::DelayThread(1_000);
    tally.equal("and does so no more when it is taken back", URGENT_RAN.get(), 1);
    system::DeleteThread(thread);
}

static BEGINS: Word = Word::new(0);
static ENDS: Word = Word::new(0);

extern "C" fn at_begin(argument: u32) -> i32 {
    BEGINS.add(argument as i32);
    1
}

extern "C" fn at_end(_argument: u32) -> i32 {
    ENDS.add(1);
    i32::from(ENDS.get() < 2)
}

const BEGIN: i32 = 0;
const END: i32 = 1;

/// Microseconds since a moment. A function of its own, so that its division stays away from others.
#[inline(never)]
fn since(begin: &system::Clock) -> u32 {
    let mut now = system::Clock::default();
    system::GetSystemTime(&raw mut now);
    now.low.wrapping_sub(begin.low) / 36
}

fn now() -> system::Clock {
    let mut now = system::Clock::default();
    system::GetSystemTime(&raw mut now);
    now
}

fn blanks(tally: &mut Tally) {
    tally.equal("a handler of the blank", system::RegisterVblankHandler(BEGIN, 64, at_begin, 10), 0);
    tally.equal("once for each function", system::RegisterVblankHandler(BEGIN, 64, at_begin, 10), -104);
    system::RegisterVblankHandler(END, 64, at_end, 0);
    system::WaitVblankStart();
    let (begins, start) = (BEGINS.get(), now());
    system::WaitVblankStart();
    let field = since(&start);
    tally.holds("a wait for the blank's begin lasts a field", (15_000..22_000).contains(&field));
    tally.equal("in which its handler runs once, with its word", BEGINS.get() - begins, 10);
    system::WaitVblankEnd();
    let blank = since(&start) - field;
    tally.holds("the blank's end comes soon", (500..3_000).contains(&blank));
    // Outside of the blank there is nothing to wait for.
    let start = now();
    system::WaitNonVblank();
    tally.holds("outside is where that leads", since(&start) < 500);
    system::WaitVblank();
    let waited = since(&start);
    let begins = BEGINS.get();
    system::WaitVblank();
    tally.holds("inside is where the next blank is", waited > 10_000 && BEGINS.get() == begins);
    for _ in 0..3 {
        system::WaitVblankEnd();
    }
    tally.equal("a handler that says so is not called again", ENDS.get(), 2);
    tally.equal("and is gone", system::ReleaseVblankHandler(END, at_end), -105);
    tally.equal("a handler of the blank goes", system::ReleaseVblankHandler(BEGIN, at_begin), 0);
    let begins = BEGINS.get();
    system::WaitVblankStart();
    tally.equal("and is called no more", BEGINS.get(), begins);
}

fn timers(tally: &mut Tally) {
    /// Interrupt at the target, again and again, from zero.
    const MODE: u32 = 0x58;
    const REACHED: u32 = 0x800;
    let id = system::AllocHardTimer(SYSTEM_CLOCK, 32, 256);
    let line = system::GetHardTimerIntrCode(id);
    tally.holds("a timer has its line", (14..=16).contains(&line));
    // SAFETY: the system's own table of six timers, each of eleven words.
    let told = unsafe { system::GetTimersTable().add(11 * (line as usize - 11)).cast::<[u32; 3]>().read() };
    let place = (id as u32 & 0xFFF) << 4;
    let expected = [0xBF80_0000 | place, 256 << 16 | 32 << 8 | SYSTEM_CLOCK, 1 << 8 | line as u32];
    tally.holds("the timers' table tells registers, lines and users", told == expected);
    system::SetTimerCompare(id, 0x10_0000);
    tally.equal("a timer's target", system::GetTimerCompare(id) as i32, 0x10_0000);
    system::SetTimerMode(id, MODE);
    tally.equal("a timer's mode is what was set", system::GetTimerMode(id) as i32, MODE as i32);
    let found = system::ReferHardTimer(SYSTEM_CLOCK, 32, MODE, 0xFF);
    tally.equal("a timer is found by its mode", found, id);
    tally.equal("none by another", system::ReferHardTimer(SYSTEM_CLOCK, 32, MODE, !MODE), -150);
    system::SetTimerCounter(id, 0x1000);
    let read = system::GetTimerReadFunc(id);
    let (first, second, third) = (system::GetTimerCounter(id), read(), system::GetTimerCounter(id));
    tally.holds("a timer counts from where it was set", (0x1000..0x8000).contains(&first));
    tally.holds("a function reads the same count", first < second && second < third);
    system::SetTimerCounter(id, 0x0F_FF00);
    spin();
    tally.holds("a timer's status tells that its target was reached", system::GetTimerStatus(id) & REACHED != 0);
    tally.equal("once", (system::GetTimerStatus(id) & REACHED) as i32, 0);
    system::SetTimerMode(id, 0);
    system::FreeHardTimer(id);
    system::SetHoldMode(2, 0x15);
    tally.equal("how counts are kept", system::GetHoldMode(2) as i32, 5);
    system::SetHoldMode(2, 0);
    tally.equal("no such place to keep them", system::GetHoldMode(4) as i32, 0);
    tally.equal("nothing was kept", system::GetHoldReg(2) as i32, 0);
}

/// The expansion device's channel, which nothing here uses.
const UNUSED: u32 = 8;

fn channels(tally: &mut Tally) {
    system::dmac_ch_set_bcr(UNUSED, 0x0003_0010);
    tally.equal("a channel's blocks", system::dmac_ch_get_bcr(UNUSED) as i32, 0x0003_0010);
    system::dmac_ch_set_chcr(UNUSED, 0x201);
    tally.equal("a channel's control", system::dmac_ch_get_chcr(UNUSED) as i32, 0x201);
    tally.equal("slices are prepared", system::sceSetSliceDMA(UNUSED, 0x8000_1000, 16, 4, 1), 1);
    let told = [system::dmac_ch_get_madr(UNUSED), system::dmac_ch_get_bcr(UNUSED), system::dmac_ch_get_chcr(UNUSED)];
    tally.holds("by address, blocks and direction", told == [0x1000, 4 << 16 | 16, 0x201]);
    system::sceStartDMA(UNUSED);
    tally.holds("and started", system::dmac_ch_get_chcr(UNUSED) & 1 << 24 != 0);
    tally.equal("a channel at work is left alone", system::sceSetSliceDMA(UNUSED, 0, 1, 1, 0), 0);
    system::dmac_ch_set_chcr(UNUSED, 0);
    tally.equal("no such channel for slices", system::sceSetSliceDMA(13, 0, 1, 1, 0), 0);
    system::sceEnableDMAChannel(UNUSED);
    let enabled = system::dmac_get_dpcr2() >> 4 & 8;
    system::sceDisableDMAChannel(UNUSED);
    tally.equal("a channel is enabled", enabled as i32, 8);
    tally.equal("and disabled by the same bit", (system::dmac_get_dpcr2() >> 4 & 8) as i32, 0);
    chains(tally);
}

/// Channels of the first sound unit, to the EE and from it.
const SOUND: u32 = 4;
const TO_EE: u32 = 9;
const FROM_EE: u32 = 10;

fn chains(tally: &mut Tally) {
    let mut state = 0;
    // Nothing is sent meanwhile: what this leaves is written anew before the next transfer.
    system::CpuSuspendIntr(&raw mut state);
    while system::dmac_ch_get_chcr(TO_EE) & 1 << 24 != 0 {}
    let to_ee = system::dmac_set_dma_sif0(TO_EE, 32, 0x8000_2340);
    let to =
        [system::dmac_ch_get_bcr(TO_EE) & 0xFFFF, system::dmac_ch_get_tadr(TO_EE), system::dmac_ch_get_chcr(TO_EE)];
    let busy = system::dmac_set_dma_sif1(FROM_EE, 32);
    system::dmac_ch_set_chcr(FROM_EE, 0);
    let from_ee = system::dmac_set_dma_sif1(FROM_EE, 32);
    let from = [system::dmac_ch_get_bcr(FROM_EE) & 0xFFFF, system::dmac_ch_get_chcr(FROM_EE)];
    system::sceSifSetDChain();
    let armed = system::dmac_ch_get_chcr(FROM_EE);
    system::CpuResumeIntr(state);
    tally.holds("a chain to the EE is prepared", to_ee == 1 && to == [32, 0x2340, 0x701]);
    tally.equal("one from the EE is not while it waits for one", busy, 0);
    tally.holds("and is, when it does not", from_ee == 1 && from == [32, 0x4000_0300]);
    tally.equal("the channel from the EE is armed", armed as i32, 0x4100_0300);
    let sound = system::dmac_set_dma_chained_spu_sif0(SOUND, 16, 0x4560);
    let told =
        [system::dmac_ch_get_bcr(SOUND) & 0xFFFF, system::dmac_ch_get_tadr(SOUND), system::dmac_ch_get_chcr(SOUND)];
    tally.holds("a chain to the sound unit is prepared", sound == 1 && told == [16, 0x4560, 0x601]);
    system::dmac_ch_set_tadr(SOUND, 0x8880);
    tally.equal("a channel's tag", system::dmac_ch_get_tadr(SOUND) as i32, 0x8880);
    system::dmac_ch_set_tadr(SOUND, 0);
    system::dmac_ch_set_chcr(SOUND, 0);
    system::dmac_set_4_9_a(SOUND, 0x77);
    tally.equal("a channel's extra word", system::dmac_get_4_9_a(SOUND) as i32, 0x77);
    system::dmac_set_4_9_a(SOUND, 0);
    tally.equal("no such channel with one", system::dmac_get_4_9_a(UNUSED) as i32, 0);
}

/// Writes a control register changed by `bits`, and back; whether it held that.
fn changes(read: fn() -> u32, write: fn(u32), bits: u32) -> bool {
    let mut state = 0;
    system::CpuSuspendIntr(&raw mut state);
    let before = read();
    write(before ^ bits);
    let changed = read() == before ^ bits;
    write(before);
    let back = read() == before;
    system::CpuResumeIntr(state);
    changed && back
}

fn control(tally: &mut Tally) {
    tally.holds(
        "priorities of the lower channels",
        changes(|| system::dmac_get_dpcr(), |value| system::dmac_set_dpcr(value), 3),
    );
    tally.holds(
        "priorities of the upper channels",
        changes(|| system::dmac_get_dpcr2(), |value| system::dmac_set_dpcr2(value), 3 << 4),
    );
    tally.holds(
        "priorities of the outermost",
        changes(|| system::dmac_get_dpcr3(), |value| system::dmac_set_dpcr3(value), 3),
    );
    tally.holds(
        "interrupts of the lower channels",
        changes(|| system::dmac_get_dicr() & 0x00FF_FFFF, |value| system::dmac_set_dicr(value), 1 << 16),
    );
    tally.holds(
        "interrupts of the upper channels",
        changes(|| system::dmac_get_dicr2() & 0x00FF_FFFF, |value| system::dmac_set_dicr2(value), 1 << 17),
    );
    tally.holds(
        "how channels interrupt",
        changes(|| system::dmac_get_BF80157C(), |value| system::dmac_set_BF80157C(value), 2),
    );
    tally.holds(
        "whether channels work at all",
        changes(|| system::dmac_get_BF801578(), |value| system::dmac_set_BF801578(value), 2),
    );
}
