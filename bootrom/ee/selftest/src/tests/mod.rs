//! The facts, by group.

mod bench;
mod calls;
mod enabled;
mod faults;
mod hostile;
mod interrupts;
mod memory;
mod negative;
mod patches;
mod preemption;
mod programs;
mod quirks;
mod remote;
mod restart;
mod setup;
mod startup;
mod stress;
mod threads;
mod units;

use boardwalk::ee::crt0::Arguments;
use boardwalk::tty_println;
use core::fmt::Debug;

/// Counts facts.
pub struct Tally {
    failed: u32,
}

impl Tally {
    /// Prints a fact and whether it is as expected.
    pub fn equal<T: PartialEq + Debug>(&mut self, what: &str, found: T, expected: T) {
        if found == expected {
            tty_println!("KERNEL ok {}", what);
        } else {
            self.failed += 1;
            tty_println!("KERNEL FAILED {}: {:?} instead of {:?}", what, found, expected);
        }
    }

    /// Prints a fact that is a number between two others.
    pub fn within(&mut self, what: &str, found: u32, range: core::ops::RangeInclusive<u32>) {
        if range.contains(&found) {
            tty_println!("KERNEL ok {} ({})", what, found);
        } else {
            self.failed += 1;
            tty_println!("KERNEL FAILED {}: {} is not in {:?}", what, found, range);
        }
    }
}

/// The program's main.
pub fn run(arguments: &Arguments) -> i32 {
    let mut tally = Tally { failed: 0 };
    let path = arguments.iter().next().unwrap_or_default();
    // Named so on its disc, the program does something else.
    if path.contains("FAULTB") {
        faults::breakpoint();
    }
    if path.contains("FAULTS") {
        faults::no_stack();
    }
    if path.contains("FAULTH") {
        faults::call_in_handler();
    }
    if path.contains("NOLOADER") {
        programs::without_loader();
        return 1;
    }
    if path.contains("EXECBAD") {
        programs::replace_wrongly(&mut tally, arguments);
        return end(&tally);
    }
    if path.contains("HOSTILE") {
        hostile::run(&mut tally);
        return end(&tally);
    }
    if path.contains("RESTART") {
        restart::run(&mut tally, arguments);
        return end(&tally);
    }
    if path.contains("STRESS") {
        stress::run(&mut tally, path);
        return end(&tally);
    }
    if path.contains("BENCH") {
        tally.equal("the IOP's servers answer", bench::run(path), Ok(()));
        return end(&tally);
    }
    match arguments.iter().nth(1) {
        Some("third") => {
            programs::third(&mut tally, arguments);
            if tally.failed == 0 {
                programs::start_fourth();
            }
            return end(&tally);
        }
        Some("fourth") => {
            programs::fourth(&mut tally, arguments);
            return end(&tally);
        }
        Some("second") => {
            programs::second(&mut tally, arguments);
            remote::run(&mut tally, path);
            patches::run(&mut tally);
            startup::run(&mut tally);
        }
        _ => {
            calls::run(&mut tally);
            threads::run(&mut tally);
            negative::run(&mut tally);
            interrupts::run(&mut tally);
            enabled::run(&mut tally);
            preemption::run(&mut tally);
            quirks::run(&mut tally);
            memory::run(&mut tally);
            units::run(&mut tally);
            remote::run(&mut tally, path);
        }
    }
    if tally.failed > 0 {
        return end(&tally);
    }
    match arguments.iter().nth(1) {
        Some("second") => programs::load_third(path),
        _ => programs::replace_by_second(path),
    }
    tty_println!("BOARDWALK END failed: the program was not replaced");
    1
}

fn end(tally: &Tally) -> i32 {
    match tally.failed {
        0 => tty_println!("BOARDWALK END ok"),
        failed => tty_println!("BOARDWALK END failed: {} facts", failed),
    }
    7
}
