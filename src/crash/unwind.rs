//! The way that led to a place: callers, found by reading the code itself.
//!
//! There is no unwind table on the console. Each function's beginning lowers the stack pointer by a constant and stores the return
//! address; reading those instructions tells how far the caller's frame is. Functions that align their frame keep the old
//! stack pointer in the frame pointer. Where a function begins is asked of the symbols when they are there, else guessed: the
//! nearest lowering of the stack pointer above.

use super::Record;
use core::ops::Range;
use heapless::Vec;

/// The most places that are followed.
pub const DEPTH: usize = 16;
/// The most instructions that a search for a function's beginning looks at.
const SEARCH: u32 = 8_192;
/// Instructions of a function's beginning that are looked at.
const PROLOGUE: u32 = 128;
/// Instructions before the one that makes a frame of more than 32 KiB: they bring its size into `$at`.
const LARGE_FRAME_LEAD: u32 = 2;

/// `addiu $sp, $sp, x`.
const LOWER_STACK: u32 = 0x27BD_0000;
/// `sw $ra, x($sp)`.
const STORE_RETURN: u32 = 0xAFBF_0000;
/// `sw $fp, x($sp)`.
const STORE_FRAME: u32 = 0xAFBE_0000;
/// `sw $ra, x($at)` and `sw $fp, x($at)`.
const STORE_RETURN_BY_AT: u32 = 0xAC3F_0000;
const STORE_FRAME_BY_AT: u32 = 0xAC3E_0000;
/// The two forms of `move $fp, $sp`.
const KEEP_STACK: [u32; 2] = [0x03A0_F021, 0x03A0_F025];
/// `subu $sp, $sp, $at`: a frame of more than 32 KiB.
const LOWER_BY_AT: u32 = 0x03A1_E823;
/// `jr $ra`.
const RETURN: u32 = 0x03E0_0008;

/// Registers that the way is followed by.
#[derive(Clone, Copy, Debug)]
struct Frame {
    counter: u32,
    stack: u32,
    frame: u32,
    /// Only the innermost function may still have its return address in the register.
    returns: Option<u32>,
}

/// What a function's beginning tells.
#[derive(Clone, Copy, Debug, Default)]
struct Prologue {
    size: u32,
    return_at: Option<u32>,
    frame_at: Option<u32>,
    keeps_stack: bool,
}

/// Follows the stack from a record, innermost first. `word` reads memory and answers nothing for what cannot be read; `start`
/// knows where a function begins, if anybody does; `code` is where functions lie.
pub fn unwind(
    record: &Record,
    code: Range<u32>,
    word: impl Fn(u32) -> Option<u32>,
    start: impl Fn(u32) -> Option<u32>,
) -> Vec<u32, DEPTH> {
    let mut places = Vec::new();
    let mut frame = Frame {
        counter: record.at(),
        stack: record.general[Record::STACK],
        frame: record.general[Record::FRAME],
        returns: Some(record.general[Record::RETURN]),
    };
    if !code.contains(&frame.counter) {
        // A jump to nowhere: where it came from is in the register.
        let _ = places.push(frame.counter);
        frame.counter = record.general[Record::RETURN].wrapping_sub(8);
        frame.returns = None;
    }
    while code.contains(&frame.counter) && frame.counter.is_multiple_of(4) {
        if places.push(frame.counter).is_err() {
            break;
        }
        let Some(caller) = caller(&frame, &code, &word, &start) else { break };
        frame = caller;
    }
    places
}

fn caller(
    frame: &Frame,
    code: &Range<u32>,
    word: &impl Fn(u32) -> Option<u32>,
    start: &impl Fn(u32) -> Option<u32>,
) -> Option<Frame> {
    let known = start(frame.counter).filter(|start| code.contains(start) && *start <= frame.counter);
    let begin = known.or_else(|| guess(frame.counter, code, word))?;
    // At a call its delay slot has been done, which may be the one that stores the return address.
    let done = if frame.returns.is_none() { frame.counter.wrapping_add(8) } else { frame.counter };
    let prologue = read_prologue(begin, done, word);
    let base = if prologue.keeps_stack { frame.frame } else { frame.stack };
    let returns = match prologue.return_at {
        Some(offset) => word(base.wrapping_add(offset))?,
        // A function without calls keeps it in the register; only the innermost can be one.
        None => frame.returns?,
    };
    // A caller lies higher on the stack, or, of a function without a frame, at the same place with another address.
    if prologue.size == 0 && frame.returns.is_none() {
        return None;
    }
    Some(Frame {
        // The call and its delay slot.
        counter: returns.wrapping_sub(8),
        stack: base.wrapping_add(prologue.size),
        frame: match prologue.frame_at {
            Some(offset) => word(base.wrapping_add(offset))?,
            None => frame.frame,
        },
        returns: None,
    })
}

/// The nearest lowering of the stack pointer above; none when the function before ends in between.
fn guess(counter: u32, code: &Range<u32>, word: &impl Fn(u32) -> Option<u32>) -> Option<u32> {
    let mut at = counter;
    for _ in 0..SEARCH {
        let instruction = word(at)?;
        if lowers(instruction) > 0 {
            return Some(at);
        }
        if instruction == LOWER_BY_AT {
            return Some(at.wrapping_sub(LARGE_FRAME_LEAD * 4));
        }
        at = at.checked_sub(4).filter(|at| code.contains(at))?;
    }
    None
}

/// By how much an instruction lowers the stack pointer.
fn lowers(instruction: u32) -> u32 {
    if instruction & 0xFFFF_0000 != LOWER_STACK {
        return 0;
    }
    let by = i32::from(instruction as u16 as i16);
    if by < 0 { by.unsigned_abs() } else { 0 }
}

fn offset_of(instruction: u32, pattern: u32) -> Option<u32> {
    (instruction & 0xFFFF_0000 == pattern).then(|| signed(instruction))
}

/// The low half of an instruction, sign-extended.
fn signed(instruction: u32) -> u32 {
    i32::from(instruction as u16 as i16).cast_unsigned()
}

/// What `$at` holds while a frame of more than 32 KiB is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scratch {
    Unknown,
    Number(u32),
    /// So many bytes above the stack pointer.
    OnStack(u32),
}

impl Scratch {
    /// After an instruction that may concern it.
    fn after(self, instruction: u32) -> Self {
        /// `addu $at, $sp, $at`.
        const ADD_STACK: u32 = 0x03A1_0821;
        let low = instruction & 0xFFFF;
        match (instruction & 0xFFFF_0000, self) {
            (0x3C01_0000, _) => Self::Number(low << 16),
            (0x2401_0000, _) => Self::Number(signed(instruction)),
            (0x3401_0000, _) => Self::Number(low),
            (0x3421_0000, Self::Number(number)) => Self::Number(number | low),
            (0x2421_0000, Self::Number(number)) => Self::Number(number.wrapping_add(signed(instruction))),
            _ => match (instruction, self) {
                (ADD_STACK, Self::Number(number)) => Self::OnStack(number),
                _ => self,
            },
        }
    }

    /// The place on the stack that a store through it goes to.
    fn place(self, instruction: u32, pattern: u32) -> Option<u32> {
        match self {
            Self::OnStack(above) => offset_of(instruction, pattern).map(|offset| above.wrapping_add(offset)),
            _ => None,
        }
    }
}

/// Reads what has been done of a function's beginning: everything before `done`.
fn read_prologue(begin: u32, done: u32, word: &impl Fn(u32) -> Option<u32>) -> Prologue {
    let mut found = Prologue::default();
    let mut scratch = Scratch::Unknown;
    for index in 0..PROLOGUE {
        let at = begin.wrapping_add(index * 4);
        if at >= done {
            break;
        }
        let Some(instruction) = word(at) else { break };
        let by = match (instruction, scratch) {
            (LOWER_BY_AT, Scratch::Number(size)) => size,
            _ => lowers(instruction),
        };
        let stored =
            |by_stack, by_scratch| offset_of(instruction, by_stack).or_else(|| scratch.place(instruction, by_scratch));
        if by > 0 && found.size == 0 {
            found.size = by;
        } else if let Some(offset) = stored(STORE_RETURN, STORE_RETURN_BY_AT) {
            found.return_at = found.return_at.or(Some(offset));
        } else if let Some(offset) = stored(STORE_FRAME, STORE_FRAME_BY_AT) {
            found.frame_at = found.frame_at.or(Some(offset));
        } else if KEEP_STACK.contains(&instruction) {
            found.keeps_stack = true;
        } else if instruction == RETURN {
            break;
        }
        scratch = scratch.after(instruction);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const CODE: Range<u32> = 0x10_0000..0x10_0400;
    const NOP: u32 = 0;

    /// Code from 1 MiB up and stack words.
    struct Machine {
        words: BTreeMap<u32, u32>,
    }

    impl Machine {
        fn new(functions: &[(u32, &[u32])], stack: &[(u32, u32)]) -> Self {
            let mut words: BTreeMap<u32, u32> = CODE.step_by(4).map(|at| (at, NOP)).collect();
            for (start, code) in functions {
                words.extend(code.iter().enumerate().map(|(index, word)| (start + index as u32 * 4, *word)));
            }
            words.extend(stack.iter().copied());
            Self { words }
        }

        fn way(&self, record: &Record, start: impl Fn(u32) -> Option<u32>) -> std::vec::Vec<u32> {
            unwind(record, CODE, |at| self.words.get(&at).copied(), start).to_vec()
        }
    }

    const fn lower(by: i16) -> u32 {
        LOWER_STACK | (-by) as u16 as u32
    }

    fn record(counter: u32, stack: u32, returns: u32) -> Record {
        let mut record = Record { program_counter: counter, ..Record::EMPTY };
        record.general[Record::STACK] = stack;
        record.general[Record::RETURN] = returns;
        record
    }

    /// main (0x100000) calls step (0x100100), which calls leaf (0x100200).
    fn three() -> Machine {
        Machine::new(
            &[
                (0x10_0000, &[lower(32), STORE_RETURN | 28]),
                (0x10_0100, &[lower(48), STORE_RETURN | 20, NOP, NOP]),
                (0x10_0200, &[NOP, NOP, RETURN]),
            ],
            &[(0x8000 + 20, 0x10_0048), (0x8000 + 48 + 28, 0)],
        )
    }

    fn starts(address: u32) -> Option<u32> {
        Some(address & !0xFF)
    }

    #[test]
    fn a_leaf_returns_by_its_register_and_the_others_by_the_stack() {
        assert_eq!(three().way(&record(0x10_0204, 0x8000, 0x10_0118), starts), [0x10_0204, 0x10_0110, 0x10_0040]);
    }

    #[test]
    fn without_symbols_the_nearest_frame_above_is_taken() {
        let way = three().way(&record(0x10_0110, 0x8000, 0x7777_7777), |_| None);
        assert_eq!(way, [0x10_0110, 0x10_0040]);
    }

    #[test]
    fn before_the_return_address_is_stored_the_register_has_it() {
        let way = three().way(&record(0x10_0104, 0x8000, 0x10_0048), starts);
        assert_eq!(way, [0x10_0104, 0x10_0040]);
    }

    #[test]
    fn a_return_address_that_a_calls_delay_slot_stores_is_found() {
        let call = 0x0C04_0080;
        let machine = Machine::new(
            &[(0x10_0000, &[lower(32), STORE_RETURN | 28]), (0x10_0100, &[lower(24), call, STORE_RETURN | 20])],
            &[(0x8000 + 20, 0x10_0048), (0x8018 + 28, 0)],
        );
        assert_eq!(machine.way(&record(0x10_0200, 0x8000, 0x10_010C), starts), [0x10_0200, 0x10_0104, 0x10_0040]);
    }

    #[test]
    fn a_jump_to_nowhere_is_shown_with_its_caller() {
        let way = three().way(&record(0, 0x8000, 0x10_0118), starts);
        assert_eq!(way, [0, 0x10_0110, 0x10_0040]);
    }

    #[test]
    fn an_aligned_frame_is_left_by_the_frame_pointer() {
        let code: &[u32] = &[lower(64), STORE_RETURN | 60, STORE_FRAME | 56, KEEP_STACK[1], NOP, NOP];
        let machine = Machine::new(
            &[(0x10_0000, &[lower(32), STORE_RETURN | 28]), (0x10_0100, code)],
            &[(0x9000 + 60, 0x10_0048), (0x9000 + 56, 0x1234), (0x9040 + 28, 0)],
        );
        let mut record = record(0x10_0114, 0x8FC0, 0);
        record.general[Record::FRAME] = 0x9000;
        assert_eq!(machine.way(&record, starts), [0x10_0114, 0x10_0040]);
    }

    #[test]
    fn a_frame_of_more_than_32_kib_is_followed() {
        // lui $at, 1; ori $at, $at, 0x7A0; subu; lui $at, 1; addu $at, $sp, $at; sw $ra, 0x79C($at).
        let code: &[u32] =
            &[0x3C01_0001, 0x3421_07A0, LOWER_BY_AT, 0x3C01_0001, 0x03A1_0821, STORE_RETURN_BY_AT | 0x79C];
        let machine = Machine::new(
            &[(0x10_0000, &[lower(32), STORE_RETURN | 28]), (0x10_0100, code)],
            &[(0x1_8000 + 0x79C, 0x10_0048), (0x1_8000 + 0x7A0 + 28, 0)],
        );
        for start in [starts as fn(u32) -> Option<u32>, |_| None] {
            assert_eq!(machine.way(&record(0x10_0140, 0x8000, 0), start), [0x10_0140, 0x10_0040]);
        }
    }

    #[test]
    fn a_stack_that_leads_in_a_circle_ends() {
        let machine = Machine::new(&[(0x10_0000, &[lower(32), STORE_RETURN | 28])], &[]);
        let circle = |at| machine.words.get(&at).copied().or(Some(0x10_0048));
        assert_eq!(unwind(&record(0x10_0040, 0x8000, 0), CODE, circle, starts).len(), DEPTH);
    }

    proptest! {
        #[test]
        fn whatever_memory_holds_the_way_ends(counter: u32, stack: u32, returns: u32, seed: u32) {
            let noise = |at: u32| Some(at.wrapping_mul(seed) ^ seed.rotate_left(at & 31));
            let places = unwind(&record(counter, stack, returns), CODE, noise, |_| None);
            prop_assert!(places.len() <= DEPTH);
        }
    }
}
