//! The pool of animation tasks that all humans share.

use super::task::{AnimTask, Play};
use crate::tasks::humans::{ANIM_CURSORS, ANIM_TASKS};
use alloc::boxed::Box;
use alloc::vec;

/// A task's place in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnimTaskId(u16);

/// All tasks of all humans, and the cursors with which they play.
#[derive(Debug)]
pub struct AnimPool {
    tasks: Box<[Option<AnimTask>]>,
    /// Cursors that each task took.
    cursors: Box<[u8]>,
    free: heapless::Vec<u16, ANIM_TASKS>,
    cursors_used: usize,
    /// Tasks that were asked for while they or their cursors were not there.
    pub shortages: u32,
}

impl Default for AnimPool {
    fn default() -> Self {
        Self::new()
    }
}

impl AnimPool {
    /// An empty pool. Memory is taken here only.
    pub fn new() -> Self {
        let mut free = heapless::Vec::new();
        (0..ANIM_TASKS as u16).rev().for_each(|n| {
            let _ = free.push(n);
        });
        Self {
            tasks: vec![None; ANIM_TASKS].into_boxed_slice(),
            cursors: vec![0; ANIM_TASKS].into_boxed_slice(),
            free,
            cursors_used: 0,
            shortages: 0,
        }
    }

    /// Takes a place for a task, and its cursors; `None` when either pool is full, which is counted.
    pub fn take(&mut self, task: AnimTask) -> Option<AnimTaskId> {
        let cursors = task.cursors();
        let place = if self.cursors_used + usize::from(cursors) > ANIM_CURSORS { None } else { self.free.pop() };
        let Some(n) = place else {
            self.shortages = self.shortages.saturating_add(1);
            return None;
        };
        self.cursors_used += usize::from(cursors);
        self.cursors[usize::from(n)] = cursors;
        self.tasks[usize::from(n)] = Some(task);
        Some(AnimTaskId(n))
    }

    /// Notes that a task's place and cursors are free.
    fn free(&mut self, n: u16) {
        self.cursors_used -= usize::from(core::mem::take(&mut self.cursors[usize::from(n)]));
        let _ = self.free.push(n);
    }

    /// Gives a task and everything it refers to back.
    pub fn give(&mut self, id: AnimTaskId) {
        let mut at = Some(id);
        while let Some(AnimTaskId(n)) = at {
            let task = self.tasks[usize::from(n)].take();
            let Some(task) = task else { return };
            self.free(n);
            at = task.next();
            if let Play::Layer { base, .. } = task.play {
                at = Some(base);
            }
        }
    }

    /// Gives one task back and keeps what is behind it.
    pub fn give_only(&mut self, id: AnimTaskId) {
        if self.tasks[usize::from(id.0)].take().is_some() {
            self.free(id.0);
        }
    }

    /// A task.
    pub fn get(&self, id: AnimTaskId) -> Option<&AnimTask> {
        self.tasks[usize::from(id.0)].as_ref()
    }

    /// A task.
    pub fn get_mut(&mut self, id: AnimTaskId) -> Option<&mut AnimTask> {
        self.tasks[usize::from(id.0)].as_mut()
    }

    /// Puts a task into a place that was taken.
    pub fn put(&mut self, id: AnimTaskId, task: AnimTask) {
        if let Some(place) = self.get_mut(id) {
            *place = task;
        }
    }

    /// What lies below all layers: the task itself when it is none.
    pub fn below_layers(&self, mut id: AnimTaskId) -> AnimTaskId {
        while let Some(AnimTask { play: Play::Layer { base, .. }, .. }) = self.get(id) {
            id = *base;
        }
        id
    }

    /// The held bits that a task keeps, and what lies below it.
    pub fn held(&self, id: AnimTaskId) -> u32 {
        let below = self.below_layers(id);
        [id, below].iter().filter_map(|id| self.get(*id)).fold(0, |held, task| held | task.held)
    }

    /// Tasks in use.
    pub fn used(&self) -> usize {
        ANIM_TASKS - self.free.len()
    }

    /// Cursors in use.
    pub fn cursors_used(&self) -> usize {
        self.cursors_used
    }

    /// Bytes that the pools take.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.tasks) + size_of_val(&*self.cursors) + size_of_val(&self.free)
    }
}
