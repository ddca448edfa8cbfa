//! The module on the IOP: three threads and what they share.
//!
//! [`server`] answers the EE's calls at once and only notes what it is asked. [`disc`] does it: it feeds the music first,
//! then reads for the EE, piece by piece into buffers of which one is filled while another is pushed to the EE's memory.
//! [`music`] looks at the voices every few milliseconds and gives the half that has been played the next group. [`sound`] is
//! the sound library, found when the module starts: without it the module streams data all the same.
//!
//! What the threads share lies in [`state`], behind held interrupts.

mod cd;
mod disc;
mod imports;
mod music;
mod push;
mod server;
mod shared;
mod sound;
mod state;
mod threads;

use core::panic::PanicInfo;

/// Name and version of the module, for the console's list.
#[repr(C)]
struct Id {
    name: *const u8,
    version: u16,
}

// SAFETY: the name is a constant.
unsafe impl Sync for Id {}

/// Major 1, minor 0.
const VERSION: u16 = 0x0100;

#[unsafe(no_mangle)]
#[used]
#[allow(non_upper_case_globals)]
static _irx_id: Id = Id { name: c"bwiop".as_ptr().cast(), version: VERSION };

/// The module stays in memory.
const RESIDENT: i32 = 0;
/// The module is thrown away.
const UNLOAD: i32 = 1;

/// What the loader calls.
#[unsafe(no_mangle)]
extern "C" fn _start(_count: i32, _arguments: *const *const u8) -> i32 {
    // Each thread must run: a module that only half works would let the EE wait.
    if start().is_some() { RESIDENT } else { UNLOAD }
}

/// Takes all that the module needs before anything of it runs: what there is no memory for leaves nothing behind, so that the
/// loader may try again.
fn start() -> Option<()> {
    disc::take_memory()?;
    let made = [disc::make(), music::make(), server::make()];
    if made.contains(&None) {
        for thread in made.into_iter().flatten() {
            threads::give_back(thread);
        }
        disc::give_memory_back();
        return None;
    }
    sound::start();
    made.into_iter().flatten().all(threads::start).then_some(())
}

/// Stops the thread. A panic here is a bug of ours; the server goes on to tell that a thread stands.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    state::STATE.with(|state| state.panicked = true);
    imports::print(c"bwiop: panic");
    loop {
        threads::sleep();
    }
}
