//! The numbers of the modes.

/// A game mode by the seed's number.
///
/// Source: seed 003, Game mode, the table of modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ModeId {
    /// One level is played.
    Gameplay = 1,
    /// The legal screen.
    LegalScreen = 5,
    /// Memory-card checks and saving.
    MemoryCard = 6,
    /// The save system's screens.
    SaveScreens = 7,
    /// The flow of levels, at the bottom of the stack.
    LevelFlow = 8,
    /// Pause.
    Pause = 0xa,
    /// A mission is complete.
    MissionComplete = 0xb,
    /// A mission has failed.
    MissionFailed = 0xc,
    /// The arcade game's end, a menu over the world.
    ArcadeGameOver = 0xd,
    /// The world runs until a set time, then a function is called.
    Freeze = 0xe,
    /// Disc errors and missing controllers.
    Error = 0xf,
    /// Mission select.
    MissionSelect = 0x10,
    /// The arena game's menus.
    ArenaMenus = 0x11,
    /// Profiles: the front end's menus.
    ProfileManager = 0x12,
    /// Statistics.
    Statistics = 0x13,
    /// The arena game's result.
    ArenaResult = 0x14,
}

impl ModeId {
    /// Every mode, by number.
    pub const ALL: [Self; 16] = [
        Self::Gameplay,
        Self::LegalScreen,
        Self::MemoryCard,
        Self::SaveScreens,
        Self::LevelFlow,
        Self::Pause,
        Self::MissionComplete,
        Self::MissionFailed,
        Self::ArcadeGameOver,
        Self::Freeze,
        Self::Error,
        Self::MissionSelect,
        Self::ArenaMenus,
        Self::ProfileManager,
        Self::Statistics,
        Self::ArenaResult,
    ];

    /// Room for an array that is indexed by number.
    pub(super) const NUMBERS: usize = Self::ArenaResult as usize + 1;

    /// The seed's number.
    // Covers: seed 003, GameMode::GetId test=the_modes_have_the_seeds_numbers
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Its place in an array of [`MODE_NUMBERS`](super::MODE_NUMBERS).
    pub const fn index(self) -> usize {
        self as usize
    }

    /// A name to show.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gameplay => "gameplay",
            Self::LegalScreen => "legal screen",
            Self::MemoryCard => "memory card",
            Self::SaveScreens => "save screens",
            Self::LevelFlow => "level flow",
            Self::Pause => "pause",
            Self::MissionComplete => "mission complete",
            Self::MissionFailed => "mission failed",
            Self::ArcadeGameOver => "arcade game over",
            Self::Freeze => "freeze",
            Self::Error => "error",
            Self::MissionSelect => "mission select",
            Self::ArenaMenus => "arena menus",
            Self::ProfileManager => "profile manager",
            Self::Statistics => "statistics",
            Self::ArenaResult => "arena result",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modes_have_the_seeds_numbers() {
        let numbers = ModeId::ALL.map(ModeId::number);
        assert_eq!(numbers, [1, 5, 6, 7, 8, 0xa, 0xb, 0xc, 0xd, 0xe, 0xf, 0x10, 0x11, 0x12, 0x13, 0x14]);
    }
}
