//! The task manager: heads, wheels, clocks, transforms, and the list of what moved.

use super::clock::{Phase, TICK_RATE, TaskClock};
use super::handle::ENTRIES;
use super::head::{RUN_ONCE, TaskHead, flag};
use super::ids::{TASKS, TaskClass, TaskId, type_bits};
use super::watch::WheelWatch;
use super::wheel::{Links, TaskWheel};
use crate::maths::{Pose, Quat, Vec3};
use crate::physics::kernels::Kernels;
use alloc::boxed::Box;
use alloc::vec;

/// What an update tells the wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stay {
    /// Off the wheel.
    #[default]
    Leave,
    /// Run again after the interval.
    Stay,
}

/// Everything that tasks of all classes share.
#[derive(Debug)]
pub struct TaskManager {
    /// Per-phase time.
    pub clock: TaskClock,
    heads: Box<[TaskHead]>,
    links: Links,
    wheels: Box<[TaskWheel; 2]>,
    transforms: Box<[Pose]>,
    moved: Box<[TaskId]>,
    moved_count: usize,
    moved_marks: Box<[u32]>,
    /// Counts what the wheel of play updates, when it is asked to.
    pub watch: WheelWatch,
    /// Which twin of the kernel that turns rotations runs; the physics has the same choice for its own.
    pub kernels: Kernels,
}

impl Default for TaskManager {
    fn default() -> Self {
        Self::new()
    }
}

impl TaskManager {
    /// Both wheels empty, all heads at their defaults, phase 0.
    pub fn new() -> Self {
        Self {
            clock: TaskClock::default(),
            heads: vec![TaskHead::new(); TASKS].into_boxed_slice(),
            links: Links::default(),
            wheels: Box::default(),
            transforms: vec![Pose::new(Quat::IDENTITY, Vec3::ZERO); ENTRIES].into_boxed_slice(),
            moved: vec![TaskId::NONE; TASKS].into_boxed_slice(),
            moved_count: 0,
            moved_marks: vec![0; TASKS.div_ceil(32)].into_boxed_slice(),
            watch: WheelWatch::default(),
            kernels: Kernels::default(),
        }
    }

    /// Bytes that the tables take.
    pub fn bytes(&self) -> usize {
        let of_task = size_of::<TaskHead>() + size_of::<super::wheel::WheelLink>() + size_of::<TaskId>();
        let tables = ENTRIES * size_of::<Pose>() + size_of::<[TaskWheel; 2]>() + size_of_val(&*self.moved_marks);
        TASKS * of_task + tables + self.watch.bytes()
    }

    /// Empties both wheels and the moved list and sets the clocks to zero; the heads stay.
    // Covers: seed 000, TaskManager_InitWheel (0x003a33b0) test=initialising_empties_wheels_and_lists
    pub fn init_wheels(&mut self) {
        self.wheels.iter_mut().for_each(TaskWheel::init);
        self.links.reset();
        self.heads.iter_mut().for_each(|head| head.flags &= !flag::ON_WHEEL);
        self.clock.reset();
        self.clear_moved();
        self.watch.stop();
    }

    /// A task's head.
    #[inline]
    pub fn head(&self, id: TaskId) -> Option<&TaskHead> {
        Some(&self.heads[id.row()?])
    }

    /// A task's head.
    #[inline]
    pub fn head_mut(&mut self, id: TaskId) -> Option<&mut TaskHead> {
        Some(&mut self.heads[id.row()?])
    }

    /// Puts a task's head and link to their defaults, off any wheel.
    pub fn init_task(&mut self, id: TaskId) {
        self.unschedule(id);
        if let Some(head) = self.head_mut(id) {
            *head = TaskHead::new();
        }
        if let Some(link) = self.links.get_mut(id) {
            *link = super::wheel::WheelLink::default();
        }
    }

    /// Wheel links, to read.
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// The wheel of a phase.
    pub fn wheel(&self, phase: Phase) -> &TaskWheel {
        &self.wheels[phase as usize]
    }

    /// The wheel of a phase, for the runner of buckets.
    pub fn wheel_mut(&mut self, phase: Phase) -> &mut TaskWheel {
        &mut self.wheels[phase as usize]
    }

    /// Selects wheel and clock of a phase.
    // Covers: seed 000, TaskManager_SetPhase (0x003a2c80) test=a_task_goes_on_the_wheel_of_its_phase
    pub fn set_phase(&mut self, phase: Phase) {
        self.clock.set_phase(phase);
    }

    /// The wheel on which a task of a class belongs in a phase. Scenes always go on the wheel of play.
    fn phase_for(class: TaskClass, phase: Phase) -> Phase {
        if class.type_bits() & type_bits::SCENE != 0 { Phase::Play } else { phase }
    }

    fn wheel_of(&self, id: TaskId) -> Phase {
        let phase = if self.links.get(id).phase == Phase::Pause as u8 { Phase::Pause } else { Phase::Play };
        id.class().map_or(phase, |class| Self::phase_for(class, phase))
    }

    /// Puts a task on its phase's wheel, one interval from now. A task that is on a wheel is moved; interval 0 counts as 1.
    // Covers: seed 000, TaskManager_Schedule (0x003a32f0) test=a_task_goes_on_the_wheel_of_its_phase
    pub fn schedule(&mut self, id: TaskId) {
        if let Some(head) = self.head(id) {
            self.schedule_in(id, Self::next_delay(head.interval).unwrap_or(RUN_ONCE));
        }
    }

    /// Puts a task on its phase's wheel so that it runs after `ticks`; 0 is the bucket that runs next. Humans are never on a
    /// wheel, whoever asks for it.
    pub fn schedule_in(&mut self, id: TaskId, ticks: u16) {
        if id.class() == Some(TaskClass::Human) {
            return;
        }
        self.unschedule(id);
        let phase = self.clock.phase();
        if let Some(link) = self.links.get_mut(id) {
            link.phase = phase as u8;
        }
        self.insert(id, ticks);
    }

    /// Puts a task that is on no wheel into a bucket of the wheel of the phase it was scheduled in.
    pub fn insert(&mut self, id: TaskId, ticks: u16) {
        let wheel = &mut self.wheels[self.wheel_of(id) as usize];
        let bucket = wheel.find_bucket(ticks);
        wheel.insert(&mut self.links, id, bucket);
        if let Some(head) = self.head_mut(id) {
            head.flags |= flag::ON_WHEEL;
        }
    }

    /// In how many ticks a task runs; `None` for one that is on no wheel.
    pub fn ticks_until_due(&self, id: TaskId) -> Option<u16> {
        let bucket = u8::try_from(self.links.get(id).bucket).ok()?;
        Some(self.wheels[self.wheel_of(id) as usize].ticks_until(bucket))
    }

    /// Takes a task off its wheel. Says whether it was on one.
    // Covers: seed 000, TaskManager_Unschedule (0x003a3368) test=an_unscheduled_task_is_on_no_wheel
    // Covers: seed 000, Task_Unschedule (0x003a1660) test=an_unscheduled_task_is_on_no_wheel
    pub fn unschedule(&mut self, id: TaskId) -> bool {
        self.watch.disturb(id);
        self.take_off(id)
    }

    /// Takes a task off its wheel for its own update.
    pub(super) fn take_off(&mut self, id: TaskId) -> bool {
        let wheel = self.wheel_of(id) as usize;
        let removed = self.wheels[wheel].remove(&mut self.links, id);
        if let Some(head) = self.head_mut(id) {
            head.flags &= !flag::ON_WHEEL;
        }
        removed
    }

    /// Before the current bucket of a phase runs: what watches the wheel of play looks at it.
    pub(super) fn watch_wheel(&mut self, phase: Phase) {
        if phase == Phase::Play {
            self.watch.tick(&self.wheels[phase as usize], &self.links, &self.heads);
        }
    }

    /// Puts a task that moves back on its wheel, so that it runs with the next bucket; it is no longer at rest. Says
    /// whether it moves.
    // Covers: seed 000, Task_WakeIfMoving (0x003a1790) test=a_moving_task_is_woken_and_a_resting_one_is_not
    pub fn wake_if_moving(&mut self, id: TaskId) -> bool {
        let Some(head) = self.head_mut(id) else { return false };
        if !head.moves() {
            return false;
        }
        head.flags &= !flag::GROUNDED;
        self.schedule_in(id, 0);
        true
    }

    /// Sets a task's pose, writes it to the transform table, and notes that the task moved.
    // Covers: seed 000, Task_SetPose (0x003a1988) test=a_set_pose_reaches_table_and_moved_list
    pub fn set_pose(&mut self, id: TaskId, pose: Pose) {
        let Some(head) = self.head_mut(id) else { return };
        head.set_transform(pose);
        let handle = head.handle;
        if !handle.is_nil() {
            self.set_transform(handle.index(), pose);
        }
        self.queue_moved(id);
    }

    /// The transform of a handle's entry. Source: seed 000, The base task object (0x00714b00).
    pub fn transform(&self, index: u16) -> Option<Pose> {
        self.transforms.get(usize::from(index)).copied()
    }

    /// Writes the transform of a handle's entry.
    pub fn set_transform(&mut self, index: u16, pose: Pose) {
        if let Some(place) = self.transforms.get_mut(usize::from(index)) {
            *place = pose;
        }
    }

    /// Adds a task to the moved list; a task stands there once.
    // Covers: seed 000, TaskManager_QueueMoved (0x003a3398) test=a_moved_task_is_listed_once
    pub fn queue_moved(&mut self, id: TaskId) {
        let Some(row) = id.row() else { return };
        if self.moved_marks[row / 32] >> (row % 32) & 1 == 0 {
            self.moved_marks[row / 32] |= 1 << (row % 32);
            self.moved[self.moved_count] = id;
            self.moved_count += 1;
        }
    }

    /// What moved since the list was cleared, in order.
    pub fn moved(&self) -> &[TaskId] {
        &self.moved[..self.moved_count]
    }

    /// Empties the moved list.
    pub fn clear_moved(&mut self) {
        self.moved_count = 0;
        self.moved_marks.fill(0);
    }

    /// The delay after an update that stays, or `None` for a task that runs once. Interval 0 counts as 1.
    pub fn next_delay(interval: u16) -> Option<u16> {
        // Our choice: an interval of 0 would wait a full turn; a task that asks for it wants to run soon.
        (interval != RUN_ONCE).then(|| interval.max(1))
    }

    /// A ray along the velocity over one interval. On a hit the task knows that it lands ahead, and the answer is the
    /// delay, in ticks, until the contact.
    ///
    /// `cast` is given origin, unit direction and length, and answers the distance to the hit.
    // Covers: seed 000, Task_ProbeLandingAhead (0x003a1f40) test=a_landing_ahead_shortens_the_delay
    pub fn probe_landing_ahead(
        &mut self,
        id: TaskId,
        delay: u16,
        cast: impl FnOnce(Vec3, Vec3, f32) -> Option<f32>,
    ) -> Option<u16> {
        let head = self.head_mut(id)?;
        let speed = head.velocity().length();
        let direction = head.velocity().try_normalize()?;
        let reach = speed * f32::from(delay) / TICK_RATE;
        let distance = cast(head.position, direction, reach)?;
        head.flags |= flag::LANDING_AHEAD;
        let ticks = distance / speed * TICK_RATE;
        Some((ticks as u16).clamp(1, delay.max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(class: TaskClass) -> TaskId {
        TaskId::new(class, 3)
    }

    #[test]
    fn a_task_goes_on_the_wheel_of_its_phase() {
        let mut manager = TaskManager::new();
        let (object, scene) = (task(TaskClass::Object), task(TaskClass::Scene));
        manager.set_phase(Phase::Pause);
        for id in [object, scene] {
            manager.head_mut(id).unwrap().set_update_interval(6);
            manager.schedule(id);
            assert!(manager.head(id).unwrap().has(flag::ON_WHEEL));
            assert_eq!((manager.links().get(id).phase, manager.links().get(id).bucket), (1, 6));
        }
        let on = |phase| manager.wheel(phase).bucket(manager.links(), 6).collect::<std::vec::Vec<_>>();
        assert_eq!(on(Phase::Pause), [object]);
        assert_eq!(on(Phase::Play), [scene], "a class with bit 0x800 always goes on wheel 0");
    }

    #[test]
    fn an_unscheduled_task_is_on_no_wheel() {
        let mut manager = TaskManager::new();
        let id = task(TaskClass::Car);
        manager.set_phase(Phase::Pause);
        manager.schedule(id);
        manager.set_phase(Phase::Play);
        assert!(manager.unschedule(id));
        assert!(!manager.unschedule(id));
        assert!(!manager.head(id).unwrap().has(flag::ON_WHEEL));
        assert_eq!(manager.links().get(id).bucket, -1);
        assert_eq!(manager.wheel(Phase::Pause).bucket(manager.links(), 255).count(), 0);
    }

    #[test]
    fn a_scheduled_task_is_moved_not_doubled() {
        let mut manager = TaskManager::new();
        let id = task(TaskClass::Pane);
        manager.schedule_in(id, 5);
        manager.schedule_in(id, 0);
        assert_eq!(manager.wheel(Phase::Play).bucket(manager.links(), 5).count(), 0);
        assert_eq!(manager.wheel(Phase::Play).bucket(manager.links(), 0).count(), 1);
    }

    #[test]
    fn a_moving_task_is_woken_and_a_resting_one_is_not() {
        let mut manager = TaskManager::new();
        let id = task(TaskClass::Object);
        manager.head_mut(id).unwrap().flags = flag::GROUNDED;
        assert!(!manager.wake_if_moving(id));
        assert_eq!(manager.links().get(id).bucket, -1);
        manager.head_mut(id).unwrap().set_angular_velocity(Vec3::X);
        assert!(manager.wake_if_moving(id));
        assert_eq!((manager.links().get(id).bucket, manager.head(id).unwrap().has(flag::GROUNDED)), (0, false));
    }

    #[test]
    fn a_set_pose_reaches_table_and_moved_list() {
        let mut manager = TaskManager::new();
        let id = task(TaskClass::Object);
        let pose = Pose::new(Quat::from_heading(1.0), Vec3::new(1.0, 2.0, 3.0));
        manager.set_pose(id, pose);
        manager.head_mut(id).unwrap().handle = super::super::handle::Handle::from_raw(1000 << 16 | 1);
        manager.set_pose(id, pose);
        assert_eq!(manager.head(id).unwrap().position, pose.position);
        assert_eq!(manager.transform(1000), Some(pose));
        assert_eq!(manager.moved(), [id]);
        assert_eq!(manager.transform(u16::MAX), None);
    }

    #[test]
    fn a_moved_task_is_listed_once() {
        let mut manager = TaskManager::new();
        let (a, b) = (task(TaskClass::Object), task(TaskClass::Car));
        for id in [b, a, b, TaskId::NONE] {
            manager.queue_moved(id);
        }
        assert_eq!(manager.moved(), [b, a]);
        manager.clear_moved();
        manager.queue_moved(b);
        assert_eq!(manager.moved(), [b]);
    }

    #[test]
    fn initialising_empties_wheels_and_lists() {
        let mut manager = TaskManager::new();
        let id = task(TaskClass::Object);
        manager.clock.set_time(9);
        manager.schedule_in(id, 1);
        manager.queue_moved(id);
        manager.init_wheels();
        assert_eq!((manager.clock.now(), manager.links().get(id).bucket, manager.moved().len()), (0, -1, 0));
        assert_eq!(manager.wheel(Phase::Play).bucket(manager.links(), 1).count(), 0);
        assert!(!manager.head(id).unwrap().has(flag::ON_WHEEL));
    }

    #[test]
    fn a_landing_ahead_shortens_the_delay() {
        let mut manager = TaskManager::new();
        let id = task(TaskClass::Particle);
        let head = manager.head_mut(id).unwrap();
        head.set_velocity(Vec3::new(0.0, 0.0, -6.0));
        head.position.z = 2.0;
        let delay = manager.probe_landing_ahead(id, 30, |from, direction, length| {
            assert_eq!((from.z, direction.z, length), (2.0, -1.0, 3.0));
            Some(2.0)
        });
        assert_eq!(delay, Some(20), "2 m at 6 m/s");
        assert!(manager.head(id).unwrap().has(flag::LANDING_AHEAD));
        assert_eq!(manager.probe_landing_ahead(id, 30, |_, _, _| Some(0.0)), Some(1));
        assert_eq!(manager.probe_landing_ahead(id, 30, |_, _, _| None), None);
        manager.head_mut(id).unwrap().set_velocity(Vec3::ZERO);
        assert_eq!(manager.probe_landing_ahead(id, 30, |_, _, _| Some(1.0)), None, "nothing that rests lands");
    }

    #[test]
    fn interval_0_counts_as_1_and_0x100_means_once() {
        assert_eq!(TaskManager::next_delay(0), Some(1));
        assert_eq!(TaskManager::next_delay(6), Some(6));
        assert_eq!(TaskManager::next_delay(0x100), None);
        assert_eq!(TaskManager::next_delay(0x101), Some(0x101));
    }
}
