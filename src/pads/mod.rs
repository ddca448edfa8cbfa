//! Pads: what a controller says, remembered for a few samples, and the questions the game asks of it.
//!
//! [`frame`] is what the controllers' module writes and is asked, [`setup`] brings a controller to where it can be read. The driver reads its bytes and hands them to [`Reading::from_bytes`]; [`PadRecord::sample`] puts one reading
//! into the record, which keeps eight samples of the [buttons](button) and counters for held directions. The questions
//! ([`PadRecord::pressed`] and the rest) look only at the record, so they can be asked any number of times in a frame and
//! give the same answer. [`Pads`] holds a record for each port; [`PadRecord::input`] turns one into what the characters'
//! step takes. [`ResetCombination`] watches for the buttons that lead back to the title.
//!
//! Source: support systems, Pads.

pub mod button;
pub mod frame;
mod ports;
mod pulled;
mod queries;
mod reading;
mod record;
mod reset;
mod script;
pub mod setup;

pub use ports::{PORTS, Pads};
pub use pulled::Pulled;
pub use queries::TapOrHold;
pub use reading::{PRESSURES, Pressure, Reading, Stick};
pub use record::{Direction, PadRecord, SAMPLES};
pub use reset::ResetCombination;
pub use script::Script;
