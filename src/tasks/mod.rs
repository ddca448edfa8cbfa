//! The TaskEngine: the scheduler of everything in the world that is not a character, and the frame the characters run in.
//!
//! [`engine::TaskEngine`] is the root and owns all of it; [`create`] makes and ends tasks, [`run`] runs a bucket. [`ids`] says which task, [`pool`] holds records, [`handle`] is
//! how anything refers to anything, and [`head`] is what all tasks share. [`manager`] owns the heads, the two timing
//! wheels ([`wheel`], and [`watch`] over what runs when) and the clocks ([`clock`]); [`message`] carries what one task tells another. [`ticks`] turns the
//! game's clock into pairs of 60 Hz ticks: each tick steps the [`humans`] (their body on every second), runs one bucket
//! of the wheel, and then the physics. The classes on the wheel are [`objects`], [`cars`], [`glass`], [`lights`],
//! [`particles`] (and [`particle_scripts`], what scripts ask of them) and [`scenes`]; [`blows`] is what happens to one that is struck; [`effects`] and [`script_objects`] are what scripts ask besides, and [`boxes`] what has
//! a handle but is no task. Whatever a task needs from outside it asks of a [`world::World`], which is
//! an argument; what the physics needs of tasks it asks of [`owners`]. [`memory`] says what all of it takes, [`mod@print`] what a task is.

pub mod blows;
pub mod boxes;
pub mod cars;
pub mod clock;
pub mod create;
pub mod effects;
pub mod engine;
#[cfg(test)]
mod fake;
pub mod glass;
pub mod handle;
pub mod head;
pub mod humans;
pub mod ids;
pub mod lights;
pub mod manager;
pub mod matrix;
pub mod memory;
pub mod message;
pub mod names;
pub mod objects;
pub mod owners;
pub mod particle_scripts;
pub mod particles;
pub mod pool;
pub mod print;
pub mod quiet;
pub mod run;
pub mod scenarios;
pub mod scenes;
pub mod script_objects;
pub mod ticks;
pub mod watch;
pub mod wheel;
pub mod world;
