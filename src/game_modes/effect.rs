//! A viewport's screen effect: how dark what it shows is.
//!
//! The value stands where the mode stack's base keeps it when a mode begins and puts it back when the mode ends. A level comes
//! out of the dark by it, its end goes into it, and menus over a world dim that.
//!
//! Source: seed 003, Game mode (the base's per-viewport value, whose meaning is inferred there). Our choice of what it is.

use super::mode::{ModeHost, VIEWPORTS};

/// Nothing is dimmed.
pub const CLEAR: u32 = 0;
/// Nothing is seen.
pub const DARKEST: u32 = 256;
/// A world behind a menu's words.
pub const BEHIND_MENU: u32 = DARKEST / 2;
/// The darkest that a level's end gets before its screen comes.
pub const AT_END: u32 = DARKEST / 4;

/// Dims every viewport alike.
pub fn dim<G: ModeHost>(game: &mut G, effect: u32) {
    for viewport in 0..VIEWPORTS {
        game.set_screen_effect(viewport, effect);
    }
}

/// A value on its way to another one, by at most `most`.
pub fn towards(effect: u32, wanted: u32, most: u32) -> u32 {
    wanted.clamp(effect.saturating_sub(most), effect.saturating_add(most))
}

/// How dark that is, 0 to 1.
pub fn darkness(effect: u32) -> f32 {
    effect.min(DARKEST) as f32 / DARKEST as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_to_another_step_by_step_and_stays_there() {
        assert_eq!(
            [towards(256, 0, 100), towards(56, 0, 100), towards(0, 64, 40), towards(40, 64, 40)],
            [156, 0, 40, 64]
        );
        assert_eq!(
            [darkness(CLEAR), darkness(BEHIND_MENU), darkness(DARKEST), darkness(u32::MAX)],
            [0.0, 0.5, 1.0, 1.0]
        );
    }
}
