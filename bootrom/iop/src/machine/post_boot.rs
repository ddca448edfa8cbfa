//! Functions that modules want to be called when the boot is over.
//!
//! Source: IOP kernel, LOADCORE (RegisterPostBootCallback)

use super::critical::Shared;

/// A function: what it gets are its own entry of the list, and whether it waited there.
pub type Function = extern "C" fn(*mut u32, i32) -> i32;

/// Functions that may wait.
const WAITING: usize = 16;
/// Priorities: the lower comes first.
const PRIORITIES: u32 = 4;

struct State {
    waiting: [Option<(Function, u32)>; WAITING],
    over: bool,
}

static STATE: Shared<State> = Shared::new(State { waiting: [None; WAITING], over: false });

/// Lets `function` wait for the boot's end. When that is over, or too many wait, it is called at once and the result is its.
pub fn register(function: Function, priority: u32) -> Option<i32> {
    let waits = STATE.with(|state| {
        let place = state.waiting.iter().position(Option::is_none).filter(|_| !state.over)?;
        state.waiting[place] = Some((function, priority.min(PRIORITIES - 1)));
        Some(())
    });
    if waits.is_some() { None } else { Some(call(function, false)) }
}

/// Calls all that wait: the boot is over.
pub fn run() {
    for priority in 0..PRIORITIES {
        for place in 0..WAITING {
            let due = STATE.with(|state| state.waiting[place].take_if(|(_, wanted)| *wanted == priority));
            if let Some((function, _)) = due {
                call(function, true);
            }
        }
    }
    STATE.with(|state| state.over = true);
}

fn call(function: Function, waited: bool) -> i32 {
    let mut entry = [function as usize as u32, 0];
    function(entry.as_mut_ptr(), waited.into())
}
