//! Alarm calls. Source: EE kernel semantics, section 6.

use super::{caller_gp, returned};
use crate::kernel::hardware::{TIMER3, read, timer};
use crate::kernel::interrupts::arm_alarm;
use crate::kernel::state::kernel;

/// 18h, 1Eh, FCh, FDh SetAlarm(ticks, function, common): the id. As on the console, one whose line has passed before the timer is set waits
/// for a round of the counter. Source: EE kernel semantics, section 6.
// Covers: ee, 0x18 SetAlarm test=alarms are counted
// Covers: ee, -0x1E iSetAlarm test=iSetAlarm under both numbers
// Covers: ee, 0xFC SetAlarm of the alarm patch test=the first fires after 100 lines
// Covers: ee, -0xFD iSetAlarm of the alarm patch test=iSetAlarm under both numbers
pub extern "C" fn set_alarm(ticks: u32, function: u32, common: u32) -> i32 {
    let gp = caller_gp();
    let id = returned(|kernel| kernel.alarms.set(count(), ticks as u16, function, common, gp));
    kernel(arm_alarm);
    id
}

/// 19h, 1Fh, FEh, FFh ReleaseAlarm(id): the ticks that were left.
///
/// Our choice: every retail kernel damages its own list here, in a way that no public document tells, and what then fires is anybody's
/// guess. The documented result comes, the alarm is gone, and the list stays whole, with or without the public SDK's patch.
/// Source: EE kernel semantics, sections 6 and 14.
// Covers: ee, 0x19 ReleaseAlarm test=no alarm is left
// Covers: ee, -0x1F iReleaseAlarm test=iReleaseAlarm under both numbers
// Covers: ee, 0xFE ReleaseAlarm of the alarm patch test=the third is taken back
// Covers: ee, -0xFF iReleaseAlarm of the alarm patch test=iReleaseAlarm under both numbers
pub extern "C" fn release_alarm(id: u32) -> i32 {
    let left = returned(|kernel| kernel.alarms.release(count(), id));
    kernel(arm_alarm);
    left
}

/// The line counter.
pub fn count() -> u16 {
    read(TIMER3 + timer::COUNT) as u16
}
