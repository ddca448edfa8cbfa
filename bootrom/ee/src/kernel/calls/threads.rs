//! Thread calls. Source: EE kernel semantics, section 3.

use super::{kernel, report, returned};
use crate::kernel::state::Kernel;
use crate::kernel::user;
use bootrom_ee::scheduler::ThreadParameters;

/// The program's structure for CreateThread and ReferThreadStatus, in words.
type ThreadRecord = [u32; 12];

/// 20h CreateThread(record): the id.
// Covers: ee, 0x20 CreateThread test=first created thread is 2
pub extern "C" fn create_thread(record: u32) -> i32 {
    /// Words that CreateThread reads, status to option.
    type Read = [u32; 9];
    let Ok::<Read, _>([_, entry, stack, stack_size, gp, priority, _, attributes, option]) = user::read(record) else {
        return -1;
    };
    let parameters = ThreadParameters { entry, stack, stack_size, gp, priority: priority as i32, attributes, option };
    returned(|kernel| kernel.scheduler.create(&parameters))
}

/// 21h DeleteThread(id).
// Covers: ee, 0x21 DeleteThread test=records are used again last
pub extern "C" fn delete_thread(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.delete(id))
}

/// 22h StartThread(id, argument).
// Covers: ee, 0x22 StartThread test=a less urgent thread does not run
pub extern "C" fn start_thread(id: u32, argument: u32) -> i32 {
    returned(|kernel| kernel.scheduler.start(id, argument))
}

/// 23h ExitThread().
// Covers: ee, 0x23 ExitThread test=a more urgent thread runs at once and ends
pub extern "C" fn exit_thread() -> i32 {
    tell_if_last(|kernel| kernel.scheduler.exit())
}

/// 24h ExitDeleteThread().
// Covers: ee, 0x24 ExitDeleteThread test=scheduler::tests::the_end_of_the_last_thread_is_noticed
pub extern "C" fn exit_delete_thread() -> i32 {
    tell_if_last(|kernel| kernel.scheduler.exit_delete())
}

/// Ends the caller. When it was the last thread, only handlers go on; whoever waits for more should know.
fn tell_if_last(end: impl FnOnce(&mut Kernel)) -> i32 {
    let last = kernel(|kernel| {
        end(kernel);
        kernel.scheduler.all_ended()
    });
    if last {
        report!("every thread has ended");
    }
    0
}

/// 25h TerminateThread(id).
// Covers: ee, 0x25 TerminateThread test=scheduler::tests::a_terminated_thread_can_start_again_and_deleted_records_are_reused_last
pub extern "C" fn terminate_thread(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.terminate(id, false))
}

/// 26h iTerminateThread(id).
// Covers: ee, -0x26 iTerminateThread test=iTerminateThread ends it
pub extern "C" fn i_terminate_thread(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.terminate(id, true))
}

/// 27h DisableDispatchThread: retail kernels only say that they cannot. Source: EE kernel semantics, section 3.6.
// Covers: ee, 0x27 DisableDispatchThread test=dispatching cannot be switched
pub extern "C" fn disable_dispatch() -> i32 {
    report!("DisableDispatchThread is not supported");
    0
}

/// 28h EnableDispatchThread.
// Covers: ee, 0x28 EnableDispatchThread test=dispatching cannot be switched
pub extern "C" fn enable_dispatch() -> i32 {
    report!("EnableDispatchThread is not supported");
    0
}

/// 29h ChangeThreadPriority(id, priority): the old priority.
// Covers: ee, 0x29 ChangeThreadPriority test=old priority is told
pub extern "C" fn change_priority(id: u32, priority: i32) -> i32 {
    returned(|kernel| kernel.scheduler.change_priority(id, priority, false))
}

/// 2Ah iChangeThreadPriority(id, priority): the old priority; the interrupted thread yields only to who is more urgent.
// Covers: ee, -0x2A iChangeThreadPriority test=iChangeThreadPriority tells the old one
pub extern "C" fn i_change_priority(id: u32, priority: i32) -> i32 {
    returned(|kernel| kernel.scheduler.change_priority(id, priority, true))
}

/// 2Bh RotateThreadReadyQueue(priority).
// Covers: ee, 0x2B RotateThreadReadyQueue test=scheduler::tests::the_same_priority_again_yields_to_equals
pub extern "C" fn rotate_ready_queue(priority: i32) -> i32 {
    returned(|kernel| kernel.scheduler.rotate(priority, false))
}

/// 2Ch iRotateThreadReadyQueue(priority). As on the console the queue turns and the interrupted thread runs on, behind its equals, until
/// something else asks who is to run. Source: EE kernel semantics, sections 3.5 and 14.
// Covers: ee, -0x2C iRotateThreadReadyQueue test=a handler's rotation leaves the interrupted thread running
pub extern "C" fn i_rotate_ready_queue(priority: i32) -> i32 {
    returned(|kernel| kernel.scheduler.rotate(priority, true))
}

/// 2Dh, 2Eh ReleaseWaitThread(id).
// Covers: ee, 0x2D ReleaseWaitThread test=a released sleep returns -1
// Covers: ee, -0x2E iReleaseWaitThread test=iReleaseWaitThread breaks its wait off
pub extern "C" fn release_wait(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.release_wait(id))
}

/// 2Fh GetThreadId(): the caller, or the interrupted thread.
// Covers: ee, 0x2F GetThreadId test=main thread is 1
// Covers: ee, -0x2F iGetThreadId test=main thread's id under the negative number
pub extern "C" fn get_thread_id() -> i32 {
    kernel(|kernel| i32::from(kernel.scheduler.current()))
}

/// 30h, 31h ReferThreadStatus(id, record): the status; the record may be absent. A free record's status is 0 and no error, on which
/// a game relies. Source: EE kernel semantics, section 3.7.
// Covers: ee, 0x30 ReferThreadStatus test=a deleted thread's status is 0
// Covers: ee, -0x31 iReferThreadStatus test=iReferThreadStatus tells a ready thread
pub extern "C" fn refer_thread_status(id: u32, record: u32) -> i32 {
    match kernel(|kernel| kernel.scheduler.refer(id)) {
        Ok((status, report)) => {
            if record != 0 && user::write::<ThreadRecord>(record, report).is_err() {
                return -1;
            }
            status as i32
        }
        Err(_) => -1,
    }
}

/// 32h SleepThread().
// Covers: ee, 0x32 SleepThread test=sleep returns the own id
pub extern "C" fn sleep_thread() -> i32 {
    returned(|kernel| kernel.scheduler.sleep())
}

/// 33h WakeupThread(id). The caller itself is refused, as on the console. Source: EE kernel semantics, section 3.6.
// Covers: ee, 0x33 WakeupThread test=oneself cannot be woken
pub extern "C" fn wakeup_thread(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.wakeup(id))
}

/// 34h iWakeupThread(id). The interrupted thread is refused: on the console its wakeup is an error or lost, which the public SDK goes
/// around by a thread of its own. Source: EE kernel semantics, sections 3.6 and 14.
// Covers: ee, -0x34 iWakeupThread test=iWakeupThread makes it ready
pub extern "C" fn i_wakeup_thread(id: u32) -> i32 {
    wakeup_thread(id)
}

/// 35h, 36h CancelWakeupThread(id).
// Covers: ee, 0x35 CancelWakeupThread test=CancelWakeupThread tells how many there were
// Covers: ee, -0x36 iCancelWakeupThread test=iCancelWakeupThread does, too
pub extern "C" fn cancel_wakeup(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.cancel_wakeup(id))
}

/// 37h SuspendThread(id).
// Covers: ee, 0x37 SuspendThread test=suspensions do not nest
pub extern "C" fn suspend_thread(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.suspend(id, false))
}

/// 38h iSuspendThread(id). As on the console the interrupted thread is marked and runs on until something else asks who is to run.
/// Source: EE kernel semantics, sections 3.6 and 14.
// Covers: ee, -0x38 iSuspendThread test=a handler's suspension leaves the interrupted thread running
pub extern "C" fn i_suspend_thread(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.suspend(id, true))
}

/// 39h ResumeThread(id).
// Covers: ee, 0x39 ResumeThread test=scheduler::tests::suspensions_do_not_nest_and_keep_a_wait
pub extern "C" fn resume_thread(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.resume(id, false))
}

/// 3Ah iResumeThread(id).
// Covers: ee, -0x3A iResumeThread test=iSuspendThread and iResumeThread
pub extern "C" fn i_resume_thread(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.resume(id, true))
}
