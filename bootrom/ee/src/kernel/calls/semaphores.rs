//! Semaphore calls. Source: EE kernel semantics, section 4.

use super::{kernel, returned};
use crate::kernel::user;
use bootrom_ee::semaphores::{SemaphoreParameters, SemaphoreReport};

/// The program's structure: count, maximum, initial count, waiters, attributes, option.
type Record = [u32; 6];

/// 40h CreateSema(record): the id.
// Covers: ee, 0x40 CreateSema test=first semaphore is 0
pub extern "C" fn create_sema(record: u32) -> i32 {
    let Ok::<Record, _>([_, max, initial, _, attributes, option]) = user::read(record) else { return -1 };
    let parameters = SemaphoreParameters { initial: initial as i32, max: max as i32, attributes, option };
    returned(|kernel| kernel.scheduler.create_semaphore(&parameters))
}

/// 41h, 49h DeleteSema(id).
// Covers: ee, 0x41 DeleteSema test=delete releases the waiter with -1
// Covers: ee, -0x49 iDeleteSema test=iDeleteSema frees it
pub extern "C" fn delete_sema(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.delete_semaphore(id))
}

/// 42h, 43h SignalSema(id).
// Covers: ee, 0x42 SignalSema test=first come, first served
// Covers: ee, -0x43 iSignalSema test=a handler's signal runs the more urgent thread
pub extern "C" fn signal_sema(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.signal_semaphore(id))
}

/// 44h WaitSema(id).
// Covers: ee, 0x44 WaitSema test=wait takes a count at once
pub extern "C" fn wait_sema(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.wait_semaphore(id))
}

/// 45h, 46h PollSema(id).
// Covers: ee, 0x45 PollSema test=poll of an empty one
// Covers: ee, -0x46 iPollSema test=iPollSema takes a count or is refused
pub extern "C" fn poll_sema(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.poll_semaphore(id))
}

/// 47h, 48h ReferSema(id, record).
// Covers: ee, 0x47 ReferSemaStatus test=report: waiting, count, initial untouched, option
// Covers: ee, -0x48 iReferSemaStatus test=iReferSemaStatus tells the count
pub extern "C" fn refer_sema(id: u32, record: u32) -> i32 {
    let Ok(report) = kernel(|kernel| kernel.scheduler.refer_semaphore(id)) else { return -1 };
    // The initial count is not known any more and stays as it is.
    let Ok::<Record, _>([_, _, initial, ..]) = user::read(record) else { return -1 };
    let SemaphoreReport { count, max, waiting, attributes, option } = report;
    let words: Record = [count as u32, max as u32, initial, waiting as u32, attributes, option];
    if user::write(record, words).is_err() { -1 } else { id as i32 }
}
