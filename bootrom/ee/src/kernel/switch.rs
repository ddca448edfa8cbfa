//! The way out of the kernel: whose registers go back into the frame.

use super::fatal;
use super::programs::IDLE_LOOP;
use super::state::{kernel, thread_frame};
use super::user;
use bootrom_ee::context::{CONTEXT_SIZE, Context, register};
use bootrom_ee::scheduler::{IDLE, Switch};
use core::arch::asm;

/// End of a call under a positive number.
#[unsafe(no_mangle)]
extern "C" fn leave_call() {
    if let Some(switch) = kernel(|kernel| kernel.scheduler.wants_switch().then(|| kernel.scheduler.dispatch())) {
        perform(switch);
    }
}

/// End of an interrupt.
#[unsafe(no_mangle)]
extern "C" fn leave_interrupt() {
    let wanted = |kernel: &mut super::state::Kernel| {
        kernel.scheduler.wants_switch_after_interrupt().then(|| kernel.scheduler.dispatch())
    };
    if let Some(switch) = kernel(wanted) {
        perform(switch);
    }
}

/// End of a call under a negative number: a wish for a switch waits for the end of the interrupt.
#[unsafe(no_mangle)]
extern "C" fn leave_negative_call() {
    kernel(|kernel| kernel.scheduler.defer());
}

fn perform(switch: Option<Switch>) {
    let Some(switch) = switch else { return };
    let frame = thread_frame();
    if let Some(old) = switch.save {
        save_float(&mut frame.context);
        let place = frame.context.get(register::SP).wrapping_sub(CONTEXT_SIZE) & !0xF;
        if user::check(place, CONTEXT_SIZE, QUADWORD).is_err() {
            fatal::no_stack(old);
        }
        copy_context(place, &raw const frame.context as u32);
        kernel(|kernel| {
            let thread = kernel.scheduler.thread_mut(old);
            thread.context = place;
            thread.pc = frame.epc;
        });
    }
    if switch.load == IDLE {
        frame.context = Context::ZERO;
        frame.epc = IDLE_LOOP;
        return;
    }
    let (place, pc) = kernel(|kernel| {
        let thread = kernel.scheduler.thread(switch.load);
        if switch.fresh {
            frame.context = Context::at_entry(thread.stack, thread.stack_size, thread.gp, thread.root, thread.argument);
        }
        (thread.context, thread.pc)
    });
    if !switch.fresh {
        if user::check(place, CONTEXT_SIZE, QUADWORD).is_err() {
            fatal::no_stack(switch.load);
        }
        copy_context(&raw mut frame.context as u32, place);
    }
    frame.epc = pc;
    if switch.broken {
        frame.context.set(register::V0, u32::MAX);
    }
    load_float(&frame.context);
}

/// Bytes of a 128-bit register.
const QUADWORD: u32 = 16;

/// Copies a context by whole registers: a switch copies two, and nothing else of it takes as long.
fn copy_context(to: u32, from: u32) {
    /// Two at a time.
    const PAIRS: u32 = CONTEXT_SIZE / (2 * QUADWORD);
    const { assert!(PAIRS * 2 * QUADWORD == CONTEXT_SIZE) };
    // SAFETY: both places hold a context: one is the kernel's frame, the other was looked at; the registers are given up.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            "2:",
            ".word 0x790B0000", // lq $11, 0($8)
            ".word 0x790C0010", // lq $12, 16($8)
            "addiu $8, $8, 32",
            "addiu $10, $10, -1",
            ".word 0x7D2B0000", // sq $11, 0($9)
            ".word 0x7D2C0010", // sq $12, 16($9)
            "bnez $10, 2b",
            "addiu $9, $9, 32",
            ".set pop",
            inout("$8") from => _, inout("$9") to => _, inout("$10") PAIRS => _,
            out("$11") _, out("$12") _,
            options(nostack)
        );
    }
}

/// Stores the FPU's registers. The accumulator is read by adding nothing to it.
fn save_float(context: &mut Context) {
    /// madd.s $f0, $f1, $f1 in the EE's form.
    const MADD: u32 = 0x4601_081C;
    // SAFETY: writes the fields of `context` that follow the general registers; $f0 and $f1 were stored before they
    // are used.
    unsafe {
        asm!(
            ".set push", ".set noat",
            ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
            "swc1 $f\\n, 0x200+\\n*4($8)",
            ".endr",
            "cfc1 $9, $31",
            "sw $9, 0x280($8)",
            "mtc1 $0, $f1",
            "nop",
            ".word {madd}",
            "swc1 $f0, 0x284($8)",
            ".set pop",
            madd = const MADD,
            in("$8") &raw mut *context,
            out("$9") _,
            options(nostack)
        );
    }
}

/// Loads the FPU's registers.
pub fn load_float(context: &Context) {
    /// suba.s $f0, $f1: the accumulator becomes $f0 - 0.
    const SUBA: u32 = 0x4601_0019;
    // SAFETY: reads the fields that `save_float` wrote; kernel code keeps nothing in the FPU.
    unsafe {
        asm!(
            ".set push", ".set noat",
            "lwc1 $f0, 0x284($8)",
            "mtc1 $0, $f1",
            "nop",
            ".word {suba}",
            "lw $9, 0x280($8)",
            "ctc1 $9, $31",
            ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
            "lwc1 $f\\n, 0x200+\\n*4($8)",
            ".endr",
            ".set pop",
            suba = const SUBA,
            in("$8") &raw const *context,
            out("$9") _,
            options(nostack)
        );
    }
}
