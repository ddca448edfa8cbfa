//! A menu: items, a cursor, and what the pad does to them.

use crate::pads::{Direction, PadRecord, button};

/// Most items of a menu.
pub const MOST_ITEMS: u8 = 32;

/// What one look at the pad came to; each has its sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MenuEvent {
    /// Nothing.
    #[default]
    None,
    /// The cursor stands on another item.
    Moved,
    /// Cross on an item that can be chosen.
    Chosen(u8),
    /// Cross on an item that cannot.
    Refused,
    /// Left or right (true) on an item.
    Adjusted(u8, bool),
    /// Triangle: back to where the menu was opened from.
    Back,
}

/// A column of items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Menu {
    items: u8,
    cursor: u8,
    /// One bit for each item that cannot be chosen.
    disabled: u32,
    scroll: u8,
}

impl Menu {
    /// A menu of some items, at most 32, with the cursor on the first.
    pub const fn new(items: u8) -> Self {
        Self { items: if items < MOST_ITEMS { items } else { MOST_ITEMS }, cursor: 0, disabled: 0, scroll: 0 }
    }

    /// Says whether an item can be chosen. The cursor stands on the others too, so that they can be read.
    pub const fn set_enabled(&mut self, item: u8, enabled: bool) {
        if item < self.items {
            let bit = 1 << item;
            self.disabled = if enabled { self.disabled & !bit } else { self.disabled | bit };
        }
    }

    /// True when an item can be chosen.
    pub const fn is_enabled(&self, item: u8) -> bool {
        item < self.items && self.disabled & 1 << item == 0
    }

    /// Where the cursor stands.
    pub const fn cursor(&self) -> u8 {
        self.cursor
    }

    /// Puts the cursor on an item.
    pub const fn set_cursor(&mut self, item: u8) {
        if item < self.items {
            self.cursor = item;
        }
    }

    /// Items in all.
    pub const fn items(&self) -> u8 {
        self.items
    }

    /// The items that are on the screen when `rows` of them fit; the cursor's is always among them.
    pub fn visible(&mut self, rows: u8) -> core::ops::Range<u8> {
        let rows = rows.clamp(1, MOST_ITEMS);
        self.scroll = self.scroll.min(self.cursor).max((self.cursor + 1).saturating_sub(rows));
        self.scroll..(self.scroll + rows).min(self.items)
    }

    /// Looks at a pad: up and down move, around the ends too, and go on while they are held, left and right change
    /// the item; cross chooses, triangle goes back. A choice wins over a move.
    pub fn update(&mut self, pad: &PadRecord) -> MenuEvent {
        if self.items == 0 {
            return if pad.pressed(button::TRIANGLE) != 0 { MenuEvent::Back } else { MenuEvent::None };
        }
        if pad.pressed(button::CROSS) != 0 {
            return if self.is_enabled(self.cursor) { MenuEvent::Chosen(self.cursor) } else { MenuEvent::Refused };
        }
        if pad.pressed(button::TRIANGLE) != 0 {
            return MenuEvent::Back;
        }
        let (left, right) = (pad.repeats(Direction::Left), pad.repeats(Direction::Right));
        if left != right {
            return MenuEvent::Adjusted(self.cursor, right);
        }
        let (up, down) = (pad.repeats(Direction::Up), pad.repeats(Direction::Down));
        if up == down || self.items == 1 {
            return MenuEvent::None;
        }
        let step = if down { 1 } else { self.items - 1 };
        self.cursor = (self.cursor + step) % self.items;
        MenuEvent::Moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::time::STEP;
    use crate::pads::Reading;
    use crate::pads::button::{CROSS, DOWN, TRIANGLE, UP};

    struct Player {
        pad: PadRecord,
        now: u64,
    }

    impl Player {
        fn new() -> Self {
            Self { pad: PadRecord::default(), now: 0 }
        }

        fn hold(&mut self, buttons: u16, menu: &mut Menu) -> MenuEvent {
            self.now += STEP;
            self.pad.sample(Some(Reading { buttons, ..Reading::default() }), self.now);
            menu.update(&self.pad)
        }

        fn tap(&mut self, buttons: u16, menu: &mut Menu) -> MenuEvent {
            self.hold(0, menu);
            self.hold(buttons, menu)
        }
    }

    #[test]
    fn the_cursor_goes_around_both_ends() {
        let (mut player, mut menu) = (Player::new(), Menu::new(3));
        assert_eq!((player.tap(UP, &mut menu), menu.cursor()), (MenuEvent::Moved, 2));
        assert_eq!((player.tap(DOWN, &mut menu), menu.cursor()), (MenuEvent::Moved, 0));
        assert_eq!((player.tap(UP | DOWN, &mut menu), menu.cursor()), (MenuEvent::None, 0));
    }

    #[test]
    fn a_held_direction_goes_on_after_fifteen_samples_and_then_every_four() {
        let (mut player, mut menu) = (Player::new(), Menu::new(20));
        let moves: std::vec::Vec<_> = (1..=24).filter(|_| player.hold(DOWN, &mut menu) == MenuEvent::Moved).collect();
        assert_eq!(moves, [1, 15, 19, 23]);
    }

    #[test]
    fn cross_chooses_what_can_be_chosen_and_triangle_goes_back() {
        let (mut player, mut menu) = (Player::new(), Menu::new(2));
        menu.set_enabled(1, false);
        assert_eq!(player.tap(CROSS | DOWN, &mut menu), MenuEvent::Chosen(0));
        player.tap(DOWN, &mut menu);
        assert_eq!(player.tap(CROSS, &mut menu), MenuEvent::Refused);
        assert_eq!(player.hold(CROSS, &mut menu), MenuEvent::None, "held is not pressed again");
        menu.set_enabled(1, true);
        assert_eq!(player.tap(CROSS, &mut menu), MenuEvent::Chosen(1));
        assert_eq!(player.tap(TRIANGLE, &mut menu), MenuEvent::Back);
    }

    #[test]
    fn an_empty_menu_only_goes_back() {
        let (mut player, mut menu) = (Player::new(), Menu::new(0));
        assert_eq!(player.tap(CROSS | DOWN, &mut menu), MenuEvent::None);
        assert_eq!(player.tap(TRIANGLE, &mut menu), MenuEvent::Back);
        assert_eq!(Menu::new(200).items(), MOST_ITEMS);
    }

    #[test]
    fn the_cursors_item_is_always_visible() {
        let mut menu = Menu::new(10);
        assert_eq!(menu.visible(4), 0..4);
        menu.set_cursor(6);
        assert_eq!(menu.visible(4), 3..7);
        menu.set_cursor(4);
        assert_eq!(menu.visible(4), 3..7, "it scrolls no further than it must");
        menu.set_cursor(0);
        assert_eq!(menu.visible(4), 0..4);
        assert_eq!(menu.visible(40), 0..10);
    }
}
