//! Thread calls. Source: EE kernel semantics, section 3.

use super::{kernel, report, returned};
use crate::kernel::state::Kernel;
use crate::kernel::user;
use bootrom_ee::scheduler::ThreadParameters;

/// The program's structure for CreateThread and ReferThreadStatus, in words.
type ThreadRecord = [u32; 12];

/// 20h CreateThread(record): the id.
pub extern "C" fn create_thread(record: u32) -> i32 {
    /// Words that CreateThread reads, status to option.
    type Read = [u32; 9];
    let [_, entry, stack, stack_size, gp, priority, _, attributes, option]: Read = user::read(record);
    let parameters = ThreadParameters { entry, stack, stack_size, gp, priority: priority as i32, attributes, option };
    returned(|kernel| kernel.scheduler.create(&parameters))
}

/// 21h DeleteThread(id).
pub extern "C" fn delete_thread(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.delete(id))
}

/// 22h StartThread(id, argument).
pub extern "C" fn start_thread(id: u32, argument: u32) -> i32 {
    returned(|kernel| kernel.scheduler.start(id, argument))
}

/// 23h ExitThread().
pub extern "C" fn exit_thread() -> i32 {
    tell_if_last(|kernel| kernel.scheduler.exit())
}

/// 24h ExitDeleteThread().
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
pub extern "C" fn terminate_thread(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.terminate(id, false))
}

/// 26h iTerminateThread(id).
pub extern "C" fn i_terminate_thread(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.terminate(id, true))
}

/// 27h DisableDispatchThread: retail kernels only say that they cannot.
pub extern "C" fn disable_dispatch() -> i32 {
    report!("DisableDispatchThread is not supported");
    0
}

/// 28h EnableDispatchThread.
pub extern "C" fn enable_dispatch() -> i32 {
    report!("EnableDispatchThread is not supported");
    0
}

/// 29h, 2Ah ChangeThreadPriority(id, priority): the old priority.
pub extern "C" fn change_priority(id: u32, priority: i32) -> i32 {
    returned(|kernel| kernel.scheduler.change_priority(id, priority))
}

/// 2Bh, 2Ch RotateThreadReadyQueue(priority).
pub extern "C" fn rotate_ready_queue(priority: i32) -> i32 {
    returned(|kernel| kernel.scheduler.rotate(priority))
}

/// 2Dh, 2Eh ReleaseWaitThread(id).
pub extern "C" fn release_wait(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.release_wait(id))
}

/// 2Fh GetThreadId(): the caller, or the interrupted thread.
pub extern "C" fn get_thread_id() -> i32 {
    kernel(|kernel| i32::from(kernel.scheduler.current()))
}

/// 30h, 31h ReferThreadStatus(id, record): the status; the record may be absent.
pub extern "C" fn refer_thread_status(id: u32, record: u32) -> i32 {
    match kernel(|kernel| kernel.scheduler.refer(id)) {
        Ok((status, report)) => {
            if record != 0 {
                user::write::<ThreadRecord>(record, report);
            }
            status as i32
        }
        Err(_) => -1,
    }
}

/// 32h SleepThread().
pub extern "C" fn sleep_thread() -> i32 {
    returned(|kernel| kernel.scheduler.sleep())
}

/// 33h WakeupThread(id).
pub extern "C" fn wakeup_thread(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.wakeup(id, false))
}

/// 34h iWakeupThread(id). Retail kernels lose it for the interrupted thread; this one does not.
pub extern "C" fn i_wakeup_thread(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.wakeup(id, true))
}

/// 35h, 36h CancelWakeupThread(id).
pub extern "C" fn cancel_wakeup(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.cancel_wakeup(id))
}

/// 37h, 38h SuspendThread(id).
pub extern "C" fn suspend_thread(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.suspend(id))
}

/// 39h ResumeThread(id).
pub extern "C" fn resume_thread(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.resume(id, false))
}

/// 3Ah iResumeThread(id).
pub extern "C" fn i_resume_thread(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.resume(id, true))
}
