//! What can be played: the missions and the arena game.

/// A level, by the name of its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The stretch of boardwalk.
    Boardwalk,
    /// The walled yard.
    Yard,
}

impl Place {
    /// The name of its files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Boardwalk => "boardwalk",
            Self::Yard => "yard",
        }
    }

    /// The place of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Boardwalk, Self::Yard].into_iter().find(|place| place.name() == name)
    }
}

/// What ends a mission well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The player reaches the goal.
    Reach,
    /// Things thrown, this many.
    Throw(u16),
    /// More rounds of a fight than the other, of this many at most.
    Rounds(u8),
}

/// A mission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mission {
    /// Its name.
    pub name: &'static str,
    /// What is to be done.
    pub task: &'static str,
    /// Where.
    pub place: Place,
    /// What ends it well.
    pub goal: Goal,
    /// Seconds after which it has failed.
    pub seconds: u16,
    /// Money for it.
    pub money: u32,
}

/// The missions in their order.
pub const MISSIONS: [Mission; 3] = [
    Mission {
        name: "A WALK IN THE YARD",
        task: "REACH THE LAMP AT THE FAR WALL",
        place: Place::Yard,
        goal: Goal::Reach,
        seconds: 120,
        money: 50,
    },
    Mission {
        name: "THROWING STONES",
        task: "THROW FIVE BRICKS",
        place: Place::Yard,
        goal: Goal::Throw(5),
        seconds: 60,
        money: 80,
    },
    Mission {
        name: "ALONG THE BOARDWALK",
        task: "GET TO THE FAR END",
        place: Place::Boardwalk,
        goal: Goal::Reach,
        seconds: 300,
        money: 200,
    },
];

/// How many missions there are.
pub const MISSION_COUNT: u8 = MISSIONS.len() as u8;

/// What is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// A mission by its number.
    Mission(u8),
    /// The arena game, with this many rounds.
    Arena(u8),
}

impl Play {
    /// What follows: the next mission, if there is one.
    pub const fn next(self) -> Option<Self> {
        match self {
            Self::Mission(number) if number + 1 < MISSION_COUNT => Some(Self::Mission(number + 1)),
            _ => None,
        }
    }

    /// The first mission that is played at a place, if there is one.
    pub fn at(place: Place) -> Option<Self> {
        let number = MISSIONS.iter().position(|mission| mission.place == place)?;
        Some(Self::Mission(number as u8))
    }

    /// What it is about: the arena is the yard, one against the other.
    pub const fn mission(self) -> Mission {
        match self {
            Self::Mission(number) if (number as usize) < MISSIONS.len() => MISSIONS[number as usize],
            Self::Mission(_) => MISSIONS[0],
            Self::Arena(rounds) => Mission {
                name: "ARENA",
                task: "KNOCK THE OTHER OUT",
                place: Place::Yard,
                goal: Goal::Rounds(rounds),
                seconds: rounds as u16 * SECONDS_A_ROUND,
                money: rounds as u32 * MONEY_A_ROUND,
            },
        }
    }
}

/// How long a round of the arena game lasts, and what it brings.
pub const SECONDS_A_ROUND: u16 = 60;
const MONEY_A_ROUND: u32 = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_out_of_range_is_the_first_mission() {
        assert_eq!(Play::Mission(200).mission(), MISSIONS[0]);
        assert_eq!(Play::Mission(1).mission(), MISSIONS[1]);
    }

    #[test]
    fn places_are_found_by_their_files_name() {
        assert_eq!(Place::from_name("yard"), Some(Place::Yard));
        assert_eq!(Place::from_name("attic"), None);
    }

    #[test]
    fn an_arena_asks_more_the_more_rounds_it_has() {
        let (short, long) = (Play::Arena(1).mission(), Play::Arena(3).mission());
        assert_eq!((short.goal, long.goal), (Goal::Rounds(1), Goal::Rounds(3)));
        assert!(long.seconds > short.seconds && long.money > short.money);
    }
}
