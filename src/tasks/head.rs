//! The task head: what every task of every class has.

use super::clock::{TICK_RATE, TaskClock, Ticks};
use super::handle::Handle;
use crate::maths::{Pose, Quat, Vec3};
use crate::physics::kernels::Kernels;

/// Bits of the head's flags word. Source: seed 000, The base task object, unless an entry names another.
pub mod flag {
    /// Attached to a parent or held. Read by [`super::TaskHead::is_attached`]. Source: seed 002, Settling.
    pub const ATTACHED: u32 = 0x10;
    /// Static. Read by the velocity getter and the integrator.
    pub const STATIC: u32 = 0x200;
    /// Moved by its velocity as a position. Read by the velocity getter and the integrator.
    pub const VELOCITY_IS_POSITION: u32 = 0x400;
    /// The rotation eases to the target kept in the angular velocity's place. Read by pose and integrator.
    pub const EASED: u32 = 0x1000;
    /// A human with an effect of its own. Read by the characters' step 7. Source: seed 000, Humans_Update.
    pub const EFFECT: u32 = 0x4000;
    /// On a wheel. Read by the wheel.
    pub const ON_WHEEL: u32 = 0x2000;
    /// A rotation mode. Read by the integrator.
    pub const LOCAL_SPIN: u32 = 0x8_0000;
    /// A settle turns it. Read by the world object's integrator. Source: seed 002, Settling.
    pub const SETTLING: u32 = 0x4_0000;
    /// Grounded. Read by the class updates.
    pub const GROUNDED: u32 = 0x200_0000;
    /// Airborne: gravity acts. Read by the integrator.
    pub const AIRBORNE: u32 = 0x400_0000;
    /// Settled, not yet at rest. Read by the contact handler. Source: seed 002, Settling.
    pub const SETTLED: u32 = 0x800_0000;
    /// A ray along the velocity times the next update to the landing. Read by the wheel.
    pub const PROBES_LANDING: u32 = 0x1000_0000;
    /// The ray found a landing ahead. Read by the particles that come to lie.
    pub const LANDING_AHEAD: u32 = 0x2000_0000;
    /// Integrated; set when a task is created. Read by the integrator.
    pub const INTEGRATED: u32 = 0x8000_0000;

    /// All that a human's head ever has. Read by whoever looks at a human as at a task. Source: seed 000, The wheel.
    pub const HUMAN: u32 = 0x4200_5001;
    /// Either bit makes the velocity read as zero.
    pub const NO_VELOCITY: u32 = STATIC | VELOCITY_IS_POSITION;
    /// Either bit makes an object update every second tick. Source: seed 002, How things actually move.
    pub const FLYING_OR_SETTLING: u32 = AIRBORNE | SETTLING;
}

pub use crate::physics::constants::GRAVITY;

/// An interval of this many ticks means "run once". Source: seed 000, The base task object.
pub const RUN_ONCE: u16 = 0x100;

/// The interval a head starts with, in ticks. Source: seed 000, The base task object.
pub const INITIAL_INTERVAL: u16 = 255;

/// What all tasks share.
///
/// The links of the wheel are kept apart from it ([`super::wheel::WheelLink`]), so that running a bucket touches ten
/// bytes of each waiting task.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskHead {
    /// Metres.
    pub position: Vec3,
    /// Orientation.
    pub rotation: Quat,
    /// Metres a second; a position while [`flag::VELOCITY_IS_POSITION`] is set.
    pub velocity: Vec3,
    /// Radians a second in x, y, z; a target rotation while [`flag::EASED`] is set.
    pub angular: Quat,
    /// When it was last updated, in its phase's ticks.
    pub last_update: Ticks,
    /// Bits of [`flag`].
    pub flags: u32,
    /// Update interval in seconds; follows [`Self::interval`].
    pub interval_seconds: f32,
    /// Update interval in ticks; [`RUN_ONCE`] for one run.
    pub interval: u16,
    /// The part of the parent that it hangs from.
    pub attach_part: u8,
    /// The point of that part.
    pub attach_point: u8,
    /// What it is attached to.
    pub parent: Handle,
    /// Its own handle; nil for classes without one.
    pub handle: Handle,
    /// A word for scripts.
    pub user: u32,
}

impl Default for TaskHead {
    fn default() -> Self {
        Self::new()
    }
}

impl TaskHead {
    const NO_ANGULAR: Quat = Quat::new(0.0, 0.0, 0.0, 0.0);

    /// The defaults with which every class starts: at rest at the origin, no flags, interval 255.
    ///
    /// Phase 2 and bucket -1 of the original's defaults are the link's ([`super::wheel::WheelLink::default`]).
    // Covers: seed 000, Task_Init (0x003a15c0) test=a_new_head_is_at_rest_with_interval_255 default=Self{position:Vec3::ZERO,rotation:Self::NO_ANGULAR,velocity:Vec3::ZERO,angular:Self::NO_ANGULAR,last_update:0,flags:0,interval_seconds:0.0,interval:0,attach_part:0,attach_point:0,parent:Handle::NIL,handle:Handle::NIL,user:0}
    pub fn new() -> Self {
        Self {
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
            angular: Self::NO_ANGULAR,
            last_update: 0,
            flags: 0,
            interval_seconds: f32::from(INITIAL_INTERVAL) / TICK_RATE,
            interval: INITIAL_INTERVAL,
            attach_part: 0,
            attach_point: 0,
            parent: Handle::NIL,
            handle: Handle::NIL,
            user: 0,
        }
    }

    /// True when any of the bits is set.
    #[inline]
    pub fn has(&self, bits: u32) -> bool {
        self.flags & bits != 0
    }

    /// Sets the update interval in ticks, and in seconds with it.
    // Covers: seed 000, Task_SetUpdateInterval (0x003a1630) test=the_interval_is_kept_in_ticks_and_seconds
    pub fn set_update_interval(&mut self, ticks: u16) {
        self.interval = ticks;
        self.interval_seconds = f32::from(ticks) / TICK_RATE;
    }

    /// The velocity, zero for a static task and for one that its velocity moves as a position.
    // Covers: seed 000, Task_GetVelocity (0x003a1f00) test=a_static_task_reads_no_velocity
    pub fn velocity(&self) -> Vec3 {
        if self.has(flag::NO_VELOCITY) { Vec3::ZERO } else { self.velocity }
    }

    /// The stored velocity whatever the flags say.
    // Covers: seed 000, Task_GetVec30 (0x003a1f20) test=a_static_task_reads_no_velocity
    pub fn stored_velocity(&self) -> Vec3 {
        self.velocity
    }

    /// The stored angular velocity or target rotation.
    // Covers: seed 000, Task_GetVec40 (0x003a1f28) test=an_eased_rotation_slerps_over_the_interval
    pub fn stored_angular(&self) -> Quat {
        self.angular
    }

    /// Sets the velocity.
    // Covers: seed 000, Task_SetVelocity (0x003a1730) test=a_static_task_reads_no_velocity
    pub fn set_velocity(&mut self, velocity: Vec3) {
        self.velocity = velocity;
    }

    /// Sets the angular velocity, radians a second.
    pub fn set_angular_velocity(&mut self, spin: Vec3) {
        self.angular = Quat::new(spin.x, spin.y, spin.z, 0.0);
    }

    /// Eases the rotation to `target` over the interval.
    pub fn ease_to(&mut self, target: Quat) {
        self.angular = target;
        self.flags |= flag::EASED;
    }

    /// The angular velocity, zero while the place holds a target rotation.
    pub fn angular_velocity(&self) -> Vec3 {
        if self.has(flag::EASED) { Vec3::ZERO } else { Vec3::new(self.angular.x, self.angular.y, self.angular.z) }
    }

    /// Clears both motion vectors and stops easing.
    // Covers: seed 000, Task_ResetMotion (0x003a2238) test=resetting_the_motion_leaves_the_pose
    pub fn reset_motion(&mut self) {
        self.velocity = Vec3::ZERO;
        self.angular = Self::NO_ANGULAR;
        self.flags &= !flag::EASED;
    }

    /// Sets position and rotation as one.
    // Covers: seed 000, Task_SetTransform (0x003a16b8) test=the_transform_is_taken_as_given
    pub fn set_transform(&mut self, pose: Pose) {
        self.position = pose.position;
        self.rotation = pose.rotation;
    }

    /// Remembers what the task hangs from.
    // Covers: seed 000, Task_SetParent (0x003a18b8) test=parent_and_attach_point_are_kept
    pub fn set_parent(&mut self, parent: Handle) {
        self.parent = parent;
    }

    /// What the task hangs from.
    // Covers: seed 000, Task_GetParent (0x003a18c0) test=parent_and_attach_point_are_kept
    pub fn parent(&self) -> Handle {
        self.parent
    }

    /// Part and point of the parent.
    // Covers: seed 000, Task_GetAttachPoint (0x003a1940) test=parent_and_attach_point_are_kept
    pub fn attach_point(&self) -> (u8, u8) {
        (self.attach_part, self.attach_point)
    }

    /// Sets part and point of the parent.
    // Covers: seed 000, Task_SetAttachPoint (0x003a25b0) test=parent_and_attach_point_are_kept
    pub fn set_attach_point(&mut self, part: u8, point: u8) {
        self.attach_part = part;
        self.attach_point = point;
    }

    /// Sets the part alone.
    // Covers: seed 000, Task_SetByte6c (0x003a1f30) test=parent_and_attach_point_are_kept
    pub fn set_attach_part(&mut self, part: u8) {
        self.attach_part = part;
    }

    /// Whether the task hangs from something.
    // Covers: seed 000, Task_IsAttached (0x00394f20) test=parent_and_attach_point_are_kept
    pub fn is_attached(&self) -> bool {
        self.has(flag::ATTACHED)
    }

    /// Sets the word that scripts read.
    // Covers: seed 000, Task_SetFieldC8 (0x003a58d8) test=the_user_word_is_kept
    pub fn set_user(&mut self, value: u32) {
        self.user = value;
    }

    /// The word that scripts read.
    // Covers: seed 000, ScriptObj_GetUserValue (0x003a4b88) test=the_user_word_is_kept
    pub fn user(&self) -> u32 {
        self.user
    }

    /// Seconds since the last update.
    #[inline]
    pub fn elapsed(&self, now: Ticks) -> f32 {
        TaskClock::seconds_between(self.last_update, now)
    }

    /// The pose at a time between two updates.
    ///
    /// An eased rotation is on its way to the target; every other one is turned by the angular velocity since the last
    /// update, and the position is moved by the velocity.
    // Covers: seed 000, Task_GetPose (0x003a1e30) test=an_eased_rotation_slerps_over_the_interval
    pub fn pose_at(&self, now: Ticks, kernels: Kernels) -> Pose {
        let dt = self.elapsed(now);
        let rotation = if self.has(flag::EASED) {
            let share = if self.interval_seconds > 0.0 { dt / self.interval_seconds } else { 1.0 };
            self.rotation.slerp(self.angular, share)
        } else {
            self.turned(dt, kernels)
        };
        Pose::new(rotation, self.position_at(now))
    }

    /// The position of [`pose_at`](Self::pose_at) alone, for whom the rotation means nothing.
    #[inline]
    pub fn position_at(&self, now: Ticks) -> Vec3 {
        if self.has(flag::INTEGRATED) { self.position + self.velocity() * self.elapsed(now) } else { self.position }
    }

    fn turned(&self, dt: f32, kernels: Kernels) -> Quat {
        let spin = self.angular_velocity();
        if spin == Vec3::ZERO || dt == 0.0 {
            return self.rotation;
        }
        // Our choice: of the two ways to spin, the flagged one is about the task's own axes.
        let world = if self.has(flag::LOCAL_SPIN) { self.rotation.rotate(spin) } else { spin };
        kernels.integrate(self.rotation, world, dt)
    }

    /// One explicit Euler step to `now`: the position by the old velocity, then gravity while airborne, then the turn.
    /// The update's time is stamped. Without [`flag::INTEGRATED`] only the time is.
    // Covers: seed 000, Task_Integrate (0x003a2310) test=airborne_tasks_fall_by_explicit_euler
    pub fn integrate(&mut self, now: Ticks, kernels: Kernels) {
        let dt = self.elapsed(now);
        self.last_update = now;
        if !self.has(flag::INTEGRATED) || !self.needs_integration() {
            return;
        }
        if self.has(flag::VELOCITY_IS_POSITION) {
            self.position = self.velocity;
        } else if !self.has(flag::STATIC) {
            self.position += self.velocity * dt;
            if self.has(flag::AIRBORNE) {
                self.velocity.z -= GRAVITY * dt;
            }
        }
        self.rotation = if self.has(flag::EASED) { self.angular } else { self.turned(dt, kernels) };
    }

    /// Whether an update changes the pose or the velocity.
    #[inline]
    pub fn needs_integration(&self) -> bool {
        self.has(flag::VELOCITY_IS_POSITION | flag::EASED | flag::AIRBORNE) || self.moves()
    }

    /// Whether the task moves or turns at all and so has to be woken.
    pub fn moves(&self) -> bool {
        self.velocity() != Vec3::ZERO || self.angular_velocity() != Vec3::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f32::consts::FRAC_PI_2;

    #[test]
    fn a_new_head_is_at_rest_with_interval_255() {
        let head = TaskHead::new();
        assert_eq!((head.interval, head.flags, head.last_update), (255, 0, 0));
        assert_eq!(head.rotation, Quat::IDENTITY);
        assert_eq!((head.position, head.velocity, head.angular), (Vec3::ZERO, Vec3::ZERO, TaskHead::NO_ANGULAR));
        assert!(head.parent.is_nil() && head.handle.is_nil() && !head.moves());
    }

    #[test]
    fn the_interval_is_kept_in_ticks_and_seconds() {
        let mut head = TaskHead::new();
        head.set_update_interval(6);
        assert_eq!((head.interval, head.interval_seconds), (6, 0.1));
    }

    #[test]
    fn a_static_task_reads_no_velocity() {
        let mut head = TaskHead::new();
        head.set_velocity(Vec3::X);
        assert_eq!(head.velocity(), Vec3::X);
        for bit in [0x200, 0x400] {
            head.flags = bit;
            assert_eq!((head.velocity(), head.stored_velocity()), (Vec3::ZERO, Vec3::X));
        }
    }

    #[test]
    fn resetting_the_motion_leaves_the_pose() {
        let mut head = TaskHead { position: Vec3::Y, ..TaskHead::new() };
        head.set_velocity(Vec3::X);
        head.ease_to(Quat::from_heading(1.0));
        head.reset_motion();
        assert_eq!((head.velocity, head.angular, head.flags), (Vec3::ZERO, TaskHead::NO_ANGULAR, 0));
        assert_eq!(head.position, Vec3::Y);
    }

    #[test]
    fn the_transform_is_taken_as_given() {
        let mut head = TaskHead::new();
        let pose = Pose::new(Quat::from_heading(2.0), Vec3::new(1.0, 2.0, 3.0));
        head.set_transform(pose);
        assert_eq!((head.position, head.rotation), (pose.position, pose.rotation));
    }

    #[test]
    fn parent_and_attach_point_are_kept() {
        let mut head = TaskHead::new();
        assert!(!head.is_attached());
        head.flags |= flag::ATTACHED;
        assert!(head.is_attached());
        head.set_parent(Handle::from_raw(0x0003_0002));
        assert_eq!(head.parent(), Handle::from_raw(0x0003_0002));
        head.set_attach_point(4, 7);
        assert_eq!(head.attach_point(), (4, 7));
        head.set_attach_part(9);
        assert_eq!(head.attach_point(), (9, 7));
    }

    #[test]
    fn the_user_word_is_kept() {
        let mut head = TaskHead::new();
        head.set_user(42);
        assert_eq!(head.user(), 42);
    }

    #[test]
    fn an_eased_rotation_slerps_over_the_interval() {
        let mut head = TaskHead::new();
        let target = Quat::from_axis_angle(Vec3::Z, FRAC_PI_2);
        head.set_update_interval(10);
        head.flags |= flag::INTEGRATED;
        head.ease_to(target);
        assert_eq!(head.stored_angular(), target);
        let half = head.pose_at(5, Kernels::Scalar).rotation;
        assert!((half.axis_x() - Quat::from_axis_angle(Vec3::Z, FRAC_PI_2 / 2.0).axis_x()).length() < 1e-5);
        head.integrate(10, Kernels::Scalar);
        assert_eq!(head.rotation, target, "the update makes the target the rotation");
    }

    #[test]
    fn between_updates_a_task_moves_and_spins_on() {
        let mut head = TaskHead::new();
        head.flags |= flag::INTEGRATED;
        head.set_velocity(Vec3::new(6.0, 0.0, 0.0));
        head.set_angular_velocity(Vec3::new(0.0, 0.0, 1.0));
        let pose = head.pose_at(30, Kernels::Scalar);
        assert!((pose.position - Vec3::new(3.0, 0.0, 0.0)).length() < 1e-5);
        assert!(pose.rotation.axis_x().y > 0.4, "{:?}", pose.rotation);
        head.flags |= flag::STATIC;
        assert_eq!(head.pose_at(30, Kernels::Scalar).position, Vec3::ZERO);
    }

    #[test]
    fn a_local_spin_turns_about_the_tasks_own_axes() {
        let tipped = Quat::from_axis_angle(Vec3::X, FRAC_PI_2);
        let spin = |bits| {
            let mut head = TaskHead { rotation: tipped, flags: flag::INTEGRATED | bits, ..TaskHead::new() };
            head.set_angular_velocity(Vec3::new(0.0, 0.0, 1.0));
            head.integrate(1, Kernels::Scalar);
            head.rotation.axis_z()
        };
        assert!((spin(flag::LOCAL_SPIN) - tipped.axis_z()).length() < 1e-6, "its own z stays");
        assert!((spin(0) - tipped.axis_z()).length() > 1e-3);
    }

    #[test]
    fn airborne_tasks_fall_by_explicit_euler() {
        let mut head = TaskHead { flags: flag::INTEGRATED | flag::AIRBORNE, ..TaskHead::new() };
        head.set_velocity(Vec3::new(1.0, 0.0, 0.0));
        head.integrate(2, Kernels::Scalar);
        assert_eq!(head.position.z, 0.0, "the first step moves by the old velocity");
        assert!((head.velocity.z + GRAVITY / 30.0).abs() < 1e-6);
        head.integrate(4, Kernels::Scalar);
        assert!((head.position - Vec3::new(1.0 / 15.0, 0.0, -GRAVITY / 900.0)).length() < 1e-6, "{:?}", head.position);
        assert_eq!(head.last_update, 4);
    }

    #[test]
    fn a_velocity_may_be_the_next_position() {
        let mut head = TaskHead { flags: flag::INTEGRATED | flag::VELOCITY_IS_POSITION, ..TaskHead::new() };
        head.set_velocity(Vec3::new(5.0, 6.0, 7.0));
        head.integrate(1, Kernels::Scalar);
        assert_eq!(head.position, Vec3::new(5.0, 6.0, 7.0));
        head.flags = flag::INTEGRATED | flag::STATIC;
        head.integrate(60, Kernels::Scalar);
        assert_eq!(head.position, Vec3::new(5.0, 6.0, 7.0));
    }
}
