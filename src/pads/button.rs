//! The buttons' bits.

/// A set of buttons, one bit each.
pub type Buttons = u16;

/// L2.
pub const L2: Buttons = 0x1;
/// R2.
pub const R2: Buttons = 0x2;
/// L1.
pub const L1: Buttons = 0x4;
/// R1.
pub const R1: Buttons = 0x8;
/// Triangle.
pub const TRIANGLE: Buttons = 0x10;
/// Circle.
pub const CIRCLE: Buttons = 0x20;
/// Cross: also what ends a freeze.
pub const CROSS: Buttons = 0x40;
/// Square.
pub const SQUARE: Buttons = 0x80;
/// Select.
pub const SELECT: Buttons = 0x100;
/// The left stick's button.
pub const L3: Buttons = 0x200;
/// The right stick's button.
pub const R3: Buttons = 0x400;
/// Start.
pub const START: Buttons = 0x800;
/// Up.
pub const UP: Buttons = 0x1000;
/// Right.
pub const RIGHT: Buttons = 0x2000;
/// Down.
pub const DOWN: Buttons = 0x4000;
/// Left.
pub const LEFT: Buttons = 0x8000;

/// The buttons that, held together, lead back to the title. Source: settled questions 21.
pub const RESET: Buttons = L1 | L2 | R1 | R2 | SELECT | START;
