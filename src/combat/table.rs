//! The table of what blows cost and what people bear: a text of the disc.
//!
//! Its lines are told in the text itself, `iso/fight/people.table`. A line that makes no sense is told by its number, and so is
//! what is missing at the end.
//!
//! Source: settled questions 20 (damage and health are ours, in one table).

use super::attacks::{self, Attack, Height, Strength};
use crate::tasks::humans::gates::held;
use core::fmt;
use core::str::SplitWhitespace;
use heapless::Vec;

/// Attacks that a table can have.
const MOST: usize = 32;
/// Kinds of people.
const KINDS: usize = Bears::ALL.len();
/// Strengths whose bounds are told; beyond them a hit is crushing.
const GRADES: [Strength; 3] = [Strength::Light, Strength::Medium, Strength::Heavy];

/// Who bears how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bears {
    /// A player.
    Player,
    /// One of the player's gang.
    Friend,
    /// Somebody who takes a walk.
    Walker,
    /// A rival at the first fight.
    Docker,
    /// Who runs to warn the others.
    Runner,
    /// A rival at the gate.
    Gull,
    /// Those whom the others look up to.
    GullCaptain,
}

impl Bears {
    /// All of them with their names.
    const ALL: [(&'static str, Self); 7] = [
        ("player", Self::Player),
        ("friend", Self::Friend),
        ("walker", Self::Walker),
        ("docker", Self::Docker),
        ("runner", Self::Runner),
        ("gull", Self::Gull),
        ("gull_captain", Self::GullCaptain),
    ];
}

/// How those without a pad fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Steps until somebody may attack again: the least of them, and how many more there may be.
    pub least: u16,
    /// The same.
    pub spread: u16,
    /// How many strike one and the same at a time.
    pub line: u16,
    /// How many of ten blows that are seen coming are blocked.
    pub blocks: u16,
}

/// What is wrong with a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableError {
    /// The text is no text.
    NoText,
    /// A line that makes no sense; its number, counted from 1.
    Line(u32),
    /// A second line about the same; its number.
    Again(u32),
    /// An attack that is asked for is not told of; its number.
    Attack(u16),
    /// The health, the hold or the grade of this name is not told of.
    Missing(&'static str),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoText => f.write_str("it is no text"),
            Self::Line(line) => write!(f, "line {line} makes no sense"),
            Self::Again(line) => write!(f, "line {line} tells of something for a second time"),
            Self::Attack(id) => write!(f, "there is no attack {id}"),
            Self::Missing(what) => write!(f, "it does not tell of {what}"),
        }
    }
}

/// What blows cost and what people bear.
#[derive(Clone, Debug, PartialEq)]
pub struct FightTable {
    attacks: Vec<Attack, MOST>,
    /// A blow in a hold and the throw out of it.
    hold: [i16; 2],
    /// Somebody's body in the air and at a run.
    body: [i16; 2],
    /// Below so many points a hit of a thing is light, medium, heavy.
    grades: [i16; GRADES.len()],
    health: [i16; KINDS],
    pace: [i16; PACE.len()],
}

impl FightTable {
    /// The table that the program was built with.
    ///
    /// Our choice: stages without a disc fight by it, so that there is one table and no other.
    pub fn built_in() -> Result<Self, TableError> {
        Self::read(include_bytes!("../../iso/fight/people.table"))
    }

    /// Reads a table's text.
    ///
    /// # Errors
    /// The first line that makes no sense, or what is missing.
    pub fn read(text: &[u8]) -> Result<Self, TableError> {
        let text = core::str::from_utf8(text).map_err(|_| TableError::NoText)?;
        let (mut hold, mut body, mut pace) = ([None; 2], [None; 2], [None; PACE.len()]);
        let (mut grades, mut health) = ([None; GRADES.len()], [None; KINDS]);
        let mut list: Vec<Attack, MOST> = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
            let Some(verb) = words.next() else { continue };
            if verb == "attack" {
                let attack = attack(&mut words).ok_or(TableError::Line(number))?;
                if list.iter().any(|other| other.id == attack.id) {
                    return Err(TableError::Again(number));
                }
                list.push(attack).map_err(|_| TableError::Line(number))?;
            } else {
                let place = words.next().and_then(|name| match verb {
                    "hold" => HOLD.iter().position(|known| *known == name).map(|n| &mut hold[n]),
                    "body" => BODY.iter().position(|known| *known == name).map(|n| &mut body[n]),
                    "grade" => GRADE_NAMES.iter().position(|known| *known == name).map(|n| &mut grades[n]),
                    "health" => Bears::ALL.iter().position(|(known, _)| *known == name).map(|n| &mut health[n]),
                    "pace" => PACE.iter().position(|known| *known == name).map(|n| &mut pace[n]),
                    _ => None,
                });
                let points = words.next().and_then(|word| word.parse().ok()).filter(|points: &i16| *points > 0);
                let (place, points) = place.zip(points).ok_or(TableError::Line(number))?;
                if place.replace(points).is_some() {
                    return Err(TableError::Again(number));
                }
            }
            if words.next().is_some() {
                return Err(TableError::Line(number));
            }
        }
        let table = Self {
            attacks: list,
            hold: all(hold, HOLD)?,
            body: all(body, BODY)?,
            grades: all(grades, GRADE_NAMES)?,
            health: all(health, Bears::ALL.map(|(name, _)| name))?,
            pace: all(pace, PACE)?,
        };
        let chained = || table.attacks.iter().flat_map(|attack| [attack.square, attack.cross]).flatten();
        match attacks::NAMED.into_iter().chain(chained()).find(|id| table.find(*id).is_none()) {
            Some(id) => Err(TableError::Attack(id)),
            None => Ok(table),
        }
    }

    /// The attack of a number.
    pub fn find(&self, id: u16) -> Option<Attack> {
        self.attacks.iter().find(|attack| attack.id == id).copied()
    }

    /// Every attack.
    pub fn attacks(&self) -> &[Attack] {
        &self.attacks
    }

    /// Health points that a blow in a hold costs, or the throw out of it.
    pub const fn hold(&self, throws: bool) -> i16 {
        self.hold[throws as usize]
    }

    /// What somebody's body does to who or what it runs into without an attack: out of the air, else at a run.
    ///
    /// Our choice: a body strikes as hard as a thing that costs as much.
    pub fn body(&self, in_air: bool) -> Attack {
        let (id, damage) = if in_air { (attacks::JUMPS, self.body[0]) } else { (attacks::RUNS, self.body[1]) };
        let strength = self.strength_of(damage.into());
        Attack { id, damage, strength, height: Height::High, reach: 0.0, square: None, cross: None, held: 0 }
    }

    /// How hard a hit of a thing is that costs so many health points.
    pub fn strength_of(&self, damage: i32) -> Strength {
        let below = self.grades.iter().position(|below| damage < i32::from(*below));
        below.map_or(Strength::Crushing, |n| GRADES[n])
    }

    /// How those without a pad fight.
    pub fn pace(&self) -> Pace {
        let [least, spread, line, blocks] = self.pace.map(i16::unsigned_abs);
        Pace { least, spread, line, blocks }
    }

    /// Health points that somebody begins with.
    pub const fn health(&self, who: Bears) -> i16 {
        self.health[who as usize]
    }
}

/// The names of what a hold, a body, a pace and a grade tell.
const HOLD: [&str; 2] = ["hit", "throw"];
const BODY: [&str; 2] = ["jump", "run"];
const PACE: [&str; 4] = ["least", "spread", "line", "blocks"];
const GRADE_NAMES: [&str; GRADES.len()] = ["light", "medium", "heavy"];

/// All of some numbers, or the name of the first that is missing.
fn all<const N: usize>(numbers: [Option<i16>; N], names: [&'static str; N]) -> Result<[i16; N], TableError> {
    match numbers.iter().position(Option::is_none) {
        Some(n) => Err(TableError::Missing(names[n])),
        None => Ok(numbers.map(Option::unwrap_or_default)),
    }
}

/// An attack's line behind its verb.
fn attack(words: &mut SplitWhitespace<'_>) -> Option<Attack> {
    let id = words.next()?.parse().ok()?;
    let _name = words.next()?;
    let damage = words.next()?.parse().ok().filter(|damage: &i16| *damage >= 0)?;
    let strength = match words.next()? {
        "light" => Strength::Light,
        "medium" => Strength::Medium,
        "heavy" => Strength::Heavy,
        "crushing" => Strength::Crushing,
        _ => return None,
    };
    let height = match words.next()? {
        "high" => Height::High,
        "middle" => Height::Middle,
        "low" => Height::Low,
        _ => return None,
    };
    let reach = words.next()?.parse().ok().filter(|reach| (0.0..10.0).contains(reach))?;
    let held = if attacks::MOVING.contains(&id) { held::LANDING } else { held::ATTACK };
    let mut attack = Attack { id, damage, strength, height, reach, square: None, cross: None, held };
    while let Some(button) = words.next() {
        let next = Some(words.next()?.parse().ok()?);
        match button {
            "square" => attack.square = next,
            "cross" => attack.cross = next,
            _ => return None,
        }
    }
    Some(attack)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::String;

    const TEXT: &str = include_str!("../../iso/fight/people.table");

    #[test]
    fn the_discs_table_tells_of_every_attack_and_of_everybody() {
        let table = FightTable::read(TEXT.as_bytes()).unwrap();
        let jab = table.find(12).unwrap();
        assert_eq!((jab.damage, jab.strength, jab.square, jab.cross), (5, Strength::Light, Some(16), Some(15)));
        assert_eq!((jab.held, table.find(24).unwrap().held), (held::ATTACK, held::LANDING));
        assert_eq!((table.hold(false), table.hold(true), table.health(Bears::Player)), (8, 18, 170));
        assert_eq!(table.pace(), Pace { least: 28, spread: 48, line: 2, blocks: 4 });
        let [jump, run] = [true, false].map(|in_air| table.body(in_air));
        assert_eq!((jump.damage, jump.strength, run.damage, run.strength), (8, Strength::Medium, 4, Strength::Light));
        let strengths = [0, 7, 8, 13, 14, 23, 24, 999].map(|damage| table.strength_of(damage) as u8);
        assert_eq!(strengths, [0, 0, 1, 1, 2, 2, 3, 3]);
        assert_eq!(table.find(18), None);
    }

    #[test]
    fn what_makes_no_sense_is_told_by_its_line_and_what_is_missing_by_its_name() {
        let line = |from: &str| TEXT.lines().position(|line| line.starts_with(from)).unwrap() as u32 + 1;
        let with = |old: &str, new: &str| FightTable::read(TEXT.replace(old, new).as_bytes()).unwrap_err();
        let jab = line("attack 12");
        for wrong in ["jab            5 light", "jab            x light", "jab            -1 light", "jab 5 hard"] {
            let text = TEXT.replace("jab            5 light", wrong);
            let error = (wrong != "jab            5 light").then_some(TableError::Line(jab));
            assert_eq!(FightTable::read(text.as_bytes()).err(), error, "{wrong}");
        }
        assert_eq!(with("health walker        50", "health walker"), TableError::Line(line("health walker")));
        assert_eq!(with("hold hit   8", "hold hit 8 9"), TableError::Line(line("hold hit")));
        assert_eq!(with("hold hit   8", "hold throw 8"), TableError::Again(line("hold throw")));
        assert_eq!(with("hold hit   8", ""), TableError::Missing("hit"));
        assert_eq!(with("body run  4", ""), TableError::Missing("run"));
        assert_eq!(with("health gull          57", ""), TableError::Missing("gull"));
        assert_eq!(with("pace line   2", ""), TableError::Missing("line"));
        assert_eq!(with("attack 13  overhand", "attack 12  overhand"), TableError::Again(line("attack 13")));
        assert_eq!(with("attack 13  overhand", "attack 21  overhand"), TableError::Attack(13), "a chain's end");
        assert_eq!(with("attack 104 push", "attack 22  push"), TableError::Attack(104), "what circle asks for");
        assert_eq!(FightTable::read(&[0xff]), Err(TableError::NoText));
        let long: String = (200..240).map(|id| std::format!("attack {id} a 1 light high 1\n")).collect();
        assert!(FightTable::read((String::from(TEXT) + &long).as_bytes()).is_err(), "more than there is room for");
    }
}
