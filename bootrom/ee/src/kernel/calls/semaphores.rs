//! Semaphore calls. Source: EE kernel semantics, section 4.

use super::{kernel, returned};
use crate::kernel::user;
use bootrom_ee::semaphores::SemaphoreParameters;

/// Offsets of the program's structure that are written one by one: the initial count is never touched.
mod offset {
    pub const COUNT: u32 = 0x00;
    pub const MAX: u32 = 0x04;
    pub const WAITING: u32 = 0x0C;
    pub const ATTRIBUTES: u32 = 0x10;
    pub const OPTION: u32 = 0x14;
}

/// 40h CreateSema(record): the id.
// Covers: ee, 0x40 CreateSema test=first semaphore is 0
pub extern "C" fn create_sema(record: u32) -> i32 {
    let [_, max, initial, _, attributes, option]: [u32; 6] = user::read(record);
    let parameters = SemaphoreParameters { initial: initial as i32, max: max as i32, attributes, option };
    returned(|kernel| kernel.scheduler.create_semaphore(&parameters))
}

/// 41h, 49h DeleteSema(id).
// Covers: ee, 0x41 DeleteSema test=delete releases the waiter with -1
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
pub extern "C" fn poll_sema(id: u32) -> i32 {
    returned(|kernel| kernel.scheduler.poll_semaphore(id))
}

/// 47h, 48h ReferSema(id, record).
// Covers: ee, 0x47 ReferSemaStatus test=report: waiting, count, initial untouched, option
pub extern "C" fn refer_sema(id: u32, record: u32) -> i32 {
    let Ok(report) = kernel(|kernel| kernel.scheduler.refer_semaphore(id)) else { return -1 };
    user::write(record + offset::COUNT, report.count);
    user::write(record + offset::MAX, report.max);
    user::write(record + offset::WAITING, report.waiting);
    user::write(record + offset::ATTRIBUTES, report.attributes);
    user::write(record + offset::OPTION, report.option);
    id as i32
}
