//! Which task: its class and its place in the class's pool, in two bytes.

/// The task classes that share the task head.
///
/// Source: seed 000, Task classes and pools. Humans have the head although no wheel ever holds one. The two particle
/// pools are one class with two managers there; here each has its own range of identities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum TaskClass {
    /// A character.
    Human,
    /// A prop, weapon, pick-up or door.
    Object,
    /// A particle system of play.
    Particle,
    /// A particle system of pause and menus.
    PauseParticle,
    /// A running scene.
    Scene,
    /// A car.
    Car,
    /// A glass pane.
    Pane,
    /// A light task.
    Light,
}

impl TaskClass {
    /// All classes, in the order of their identities.
    pub const ALL: [Self; 8] = [
        Self::Human,
        Self::Object,
        Self::Particle,
        Self::PauseParticle,
        Self::Scene,
        Self::Car,
        Self::Pane,
        Self::Light,
    ];

    /// The classes that a manager creates, in the order of `TaskEngine::reset`.
    pub const MANAGED: [Self; 7] =
        [Self::Particle, Self::PauseParticle, Self::Object, Self::Car, Self::Light, Self::Pane, Self::Scene];

    /// How many tasks of the class may live at once. Source: seed 000, Task classes and pools.
    pub const fn capacity(self) -> u16 {
        match self {
            Self::Human => 60,
            Self::Object => 384,
            Self::Particle => 1400,
            Self::PauseParticle => 100,
            Self::Scene => 12,
            Self::Car => 18,
            Self::Pane => 100,
            Self::Light => 28,
        }
    }

    /// The identity of the class's first task.
    #[inline]
    pub const fn first(self) -> u16 {
        FIRSTS[self as usize]
    }

    /// What the class answers to a cast. Source: seed 000, Type bits.
    pub const fn type_bits(self) -> u32 {
        match self {
            Self::Human => type_bits::HUMAN | type_bits::HUMAN_SECOND | type_bits::TASK,
            Self::Object => type_bits::OBJECT | type_bits::TASK,
            Self::Particle | Self::PauseParticle => type_bits::PARTICLE | type_bits::TASK,
            Self::Scene => type_bits::SCENE | type_bits::TASK,
            Self::Car => type_bits::CAR | type_bits::TASK,
            Self::Pane => type_bits::PANE | type_bits::TASK,
            Self::Light => type_bits::LIGHT | type_bits::TASK,
        }
    }
}

/// The identity of each class's first task.
const FIRSTS: [u16; TaskClass::ALL.len()] = {
    let mut firsts = [0; TaskClass::ALL.len()];
    let mut n = 1;
    while n < firsts.len() {
        firsts[n] = firsts[n - 1] + TaskClass::ALL[n - 1].capacity();
        n += 1;
    }
    firsts
};

/// Bits by which casts and scripts tell classes apart. Source: seed 000, Type bits.
pub mod type_bits {
    /// Common to all tasks; cleared in what scripts see.
    pub const TASK: u32 = 0x2;
    /// Light task.
    pub const LIGHT: u32 = 0x4;
    /// World object.
    pub const OBJECT: u32 = 0x8;
    /// Particle system or tag.
    pub const PARTICLE: u32 = 0x10;
    /// Second human bit; who tests it is not traced.
    pub const HUMAN_SECOND: u32 = 0x20;
    /// Human.
    pub const HUMAN: u32 = 0x40;
    /// World flag.
    pub const FLAG: u32 = 0x80;
    /// Volume, turf and player boxes.
    pub const BOX: u32 = 0x100;
    /// Camera.
    pub const CAMERA: u32 = 0x200;
    /// Glass pane.
    pub const PANE: u32 = 0x400;
    /// Scene; read by the wheel, which always puts these on the wheel of play.
    pub const SCENE: u32 = 0x800;
    /// Car.
    pub const CAR: u32 = 0x10_0000;

    /// What scripts see of a class's bits.
    pub const fn rtti(bits: u32) -> u32 {
        bits & !TASK
    }
}

/// Tasks of all classes together.
pub const TASKS: usize = TaskClass::Light.first() as usize + TaskClass::Light.capacity() as usize;

/// One task: an index into every table that the classes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskId(u16);

impl Default for TaskId {
    fn default() -> Self {
        Self::NONE
    }
}

impl TaskId {
    /// No task.
    pub const NONE: Self = Self(u16::MAX);

    /// The `index`-th task of a class, or [`Self::NONE`] when the class has no such place.
    pub const fn new(class: TaskClass, index: u16) -> Self {
        if index < class.capacity() { Self(class.first() + index) } else { Self::NONE }
    }

    /// The task of a shared table's row.
    pub const fn from_row(row: u16) -> Self {
        if (row as usize) < TASKS { Self(row) } else { Self::NONE }
    }

    /// True for [`Self::NONE`].
    pub const fn is_none(self) -> bool {
        self.0 == u16::MAX
    }

    /// The row in the tables that the classes share, or `None` for no task.
    #[inline]
    pub const fn row(self) -> Option<usize> {
        if (self.0 as usize) < TASKS { Some(self.0 as usize) } else { None }
    }

    /// The raw identity, for links.
    #[inline]
    pub const fn raw(self) -> u16 {
        self.0
    }

    /// The class, or `None` for no task.
    #[inline]
    pub const fn class(self) -> Option<TaskClass> {
        // The ranges are constants, so this is a short chain of comparisons; the most frequent classes come first.
        let id = self.0;
        Some(if id >= TaskClass::Object.first() && id < TaskClass::Particle.first() {
            TaskClass::Object
        } else if id >= TaskClass::Particle.first() && id < TaskClass::PauseParticle.first() {
            TaskClass::Particle
        } else if id < TaskClass::Object.first() {
            TaskClass::Human
        } else if id < TaskClass::Scene.first() {
            TaskClass::PauseParticle
        } else if id < TaskClass::Car.first() {
            TaskClass::Scene
        } else if id < TaskClass::Pane.first() {
            TaskClass::Car
        } else if id < TaskClass::Light.first() {
            TaskClass::Pane
        } else if (id as usize) < TASKS {
            TaskClass::Light
        } else {
            return None;
        })
    }

    /// The place in the pool of `class`, or `None` when the task is of another class.
    #[inline]
    pub const fn index_in(self, class: TaskClass) -> Option<usize> {
        let index = self.0.wrapping_sub(class.first());
        if index < class.capacity() { Some(index as usize) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_of_the_classes_follow_each_other_without_gaps() {
        assert_eq!(TASKS, 60 + 384 + 1400 + 100 + 12 + 18 + 100 + 28);
        for class in TaskClass::ALL {
            let (first, last) = (TaskId::new(class, 0), TaskId::new(class, class.capacity() - 1));
            assert_eq!(first.class(), Some(class));
            assert_eq!(last.class(), Some(class));
            assert_eq!(last.index_in(class), Some(class.capacity() as usize - 1));
            assert!(TaskId::new(class, class.capacity()).is_none());
        }
        assert_eq!(TaskId::NONE.class(), None);
    }

    #[test]
    fn the_type_bits_are_the_seeds() {
        let bits = TaskClass::ALL.map(TaskClass::type_bits);
        assert_eq!(bits, [0x62, 0x0a, 0x12, 0x12, 0x802, 0x10_0002, 0x402, 0x06]);
        assert_eq!(type_bits::rtti(0x62), 0x60);
    }
}
