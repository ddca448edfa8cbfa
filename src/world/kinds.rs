//! What a level's things are made of: records of its file beside the placements.
//!
//! A level carries the kinds that it needs, so that nothing about things is compiled into the program: the same program plays
//! whatever the disc says.
//!
//! Source: seed 000, Task classes and pools (types are level data). Our choice: the records' layout.

use super::chunks::Record;
use alloc::vec::Vec;

/// Bits of a [`ParticleKind`].
pub mod particle_flag {
    /// Adds light instead of veiling. Read when it is drawn.
    pub const LIGHT: u32 = 1 << 0;
    /// Takes the colour of the lamps around it when it comes into being. Read at its creation.
    pub const LIT: u32 = 1 << 1;
    /// Turns like a leaf in place of always facing the eye. Read at its creation.
    pub const LEAF: u32 = 1 << 2;
    /// Does not fall below where it came into being. Read by its update.
    pub const FLOATS: u32 = 1 << 3;
    /// Comes to lie where it lands. Read at its creation.
    pub const LANDS: u32 = 1 << 4;
}

/// A kind of particle: a mote that is seen, or, when it emits others, a source of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ParticleKind {
    /// CRC-32 of its name.
    pub name: u32,
    /// CRC-32 of its texture's name.
    pub texture: u32,
    /// Bits of [`particle_flag`].
    pub flags: u32,
    /// Ticks between updates.
    pub interval: u16,
    /// Shortest and longest life, seconds; 0 for one that does not end by itself.
    pub life: [f32; 2],
    /// Half its side at the beginning and at the end, metres.
    pub size: [f32; 2],
    /// Colours at the beginning and at the end, 0xAABBGGRR.
    pub colours: [u32; 2],
    /// Share of its life in which it appears, 0 to 1.
    pub appears: f32,
    /// How far its way differs from straight up, 0 to 1.
    pub spread: f32,
    /// Lowest and highest speed at the beginning, metres a second.
    pub speed: [f32; 2],
    /// Downward acceleration, metres a second squared; less than 0 rises.
    pub weight: f32,
    /// Share of its speed that it loses in a second.
    pub drag: f32,
    /// Share of the wind that it takes in a second.
    pub wind: f32,
    /// Fastest turn, radians a second.
    pub spin: f32,
    /// Motes a second, for a source.
    pub rate: f32,
    /// Metres from the camera within which a source gives.
    pub range: f32,
    /// Seconds for which a source gives, and rests; a rest of 0 is none.
    pub cycle: [f32; 2],
    /// CRC-32 of the kind that a source gives; 0 for a mote.
    pub emits: u32,
}

impl Record for ParticleKind {
    const BYTES: usize = 96;

    fn to_words(&self) -> Vec<u32> {
        let f = f32::to_bits;
        Vec::from([
            self.name,
            self.texture,
            self.flags,
            u32::from(self.interval),
            f(self.life[0]),
            f(self.life[1]),
            f(self.size[0]),
            f(self.size[1]),
            self.colours[0],
            self.colours[1],
            f(self.appears),
            f(self.spread),
            f(self.speed[0]),
            f(self.speed[1]),
            f(self.weight),
            f(self.drag),
            f(self.wind),
            f(self.spin),
            f(self.rate),
            f(self.range),
            f(self.cycle[0]),
            f(self.cycle[1]),
            self.emits,
            0,
        ])
    }

    fn from_words(words: &[u32]) -> Option<Self> {
        let word = |at: usize| words.get(at).copied();
        let float = |at: usize| super::chunks::float(word(at)?);
        let pair = |at: usize| Some([float(at)?, float(at + 1)?]);
        Some(Self {
            name: word(0)?,
            texture: word(1)?,
            flags: word(2)?,
            interval: u16::try_from(word(3)?).ok().filter(|interval| *interval > 0)?,
            life: pair(4)?,
            size: pair(6)?,
            colours: [word(8)?, word(9)?],
            appears: float(10)?,
            spread: float(11)?,
            speed: pair(12)?,
            weight: float(14)?,
            drag: float(15)?,
            wind: float(16)?,
            spin: float(17)?,
            rate: float(18)?,
            range: float(19)?,
            cycle: pair(20)?,
            emits: word(22)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::chunks::{bytes, records};
    use super::*;

    #[test]
    fn a_particle_kind_comes_back_as_it_was_written() {
        let kind = ParticleKind {
            name: 7,
            interval: 2,
            life: [1.0, 2.0],
            colours: [0x8011_2233, 0],
            emits: 9,
            cycle: [3.0, 4.0],
            ..ParticleKind::default()
        };
        assert_eq!(records::<ParticleKind>(&bytes(&[kind])).collect::<Vec<_>>(), [Some(kind)]);
        let never = ParticleKind { interval: 0, ..kind };
        assert_eq!(records::<ParticleKind>(&bytes(&[never])).next(), Some(None), "it would never be updated");
    }
}
