//! The text of a person: a line for each thing.
//!
//! | line | means |
//! | --- | --- |
//! | `skin`, `hair`, `top`, `signal`, `trousers`, `shoes` `R G B` | colours, 0 to 255; `signal` is the gang's: collar, cuffs and band |
//! | `bulk N` | how broad, 1 for most |
//! | `sleeves short` or `long` | where the top ends |
//! | `head hair`, `bald`, `cap` or `hood` | what is on the head |
//! | `coat N` | how far the top hangs over the trousers, in metres |

use anyhow::{Context as _, Result, bail};

/// Red, green and blue.
pub type Colour = [u8; 3];

/// What is on a head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Head {
    /// Hair.
    #[default]
    Hair,
    /// Nothing.
    Bald,
    /// A cap in the signal's colour.
    Cap,
    /// The top's hood.
    Hood,
}

/// What somebody looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Person {
    /// Colour of face and hands.
    pub skin: Colour,
    /// Colour of hair.
    pub hair: Colour,
    /// Colour of shirt or jacket.
    pub top: Colour,
    /// Colour by which a gang is known.
    pub signal: Colour,
    /// Colour of trousers.
    pub trousers: Colour,
    /// Colour of shoes.
    pub shoes: Colour,
    /// How broad, 1 for most.
    pub bulk: f32,
    /// The top covers the arms.
    pub long_sleeves: bool,
    /// What is on the head.
    pub head: Head,
    /// Metres by which the top hangs over the trousers.
    pub coat: f32,
}

impl Default for Person {
    fn default() -> Self {
        Self {
            skin: [222, 176, 142],
            hair: [58, 40, 30],
            top: [214, 206, 190],
            signal: [214, 206, 190],
            trousers: [70, 76, 96],
            shoes: [40, 36, 36],
            bulk: 1.0,
            long_sleeves: true,
            head: Head::Hair,
            coat: 0.06,
        }
    }
}

impl Person {
    /// Reads a text.
    ///
    /// # Errors
    /// A line that means nothing; the message has its number.
    pub fn read(text: &str) -> Result<Self> {
        let mut person = Self::default();
        for (n, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
            let Some((verb, rest)) = words.split_first() else { continue };
            person.line(verb, rest).with_context(|| format!("line {}", n + 1))?;
        }
        Ok(person)
    }

    fn line(&mut self, verb: &str, rest: &[&str]) -> Result<()> {
        let number = || -> Result<f32> {
            let [word] = rest else { bail!("{verb} has one number") };
            word.parse().with_context(|| format!("{word} is no number"))
        };
        let colour = || -> Result<Colour> {
            let [r, g, b] = rest else { bail!("{verb} has three numbers") };
            Ok([r.parse()?, g.parse()?, b.parse()?])
        };
        match verb {
            "skin" => self.skin = colour()?,
            "hair" => self.hair = colour()?,
            "top" => self.top = colour()?,
            "signal" => self.signal = colour()?,
            "trousers" => self.trousers = colour()?,
            "shoes" => self.shoes = colour()?,
            "bulk" => self.bulk = number()?.clamp(0.8, 1.3),
            "coat" => self.coat = number()?.clamp(0.0, 0.35),
            "sleeves" => match rest {
                ["short"] => self.long_sleeves = false,
                ["long"] => self.long_sleeves = true,
                _ => bail!("sleeves are short or long"),
            },
            "head" => {
                self.head = match rest {
                    ["hair"] => Head::Hair,
                    ["bald"] => Head::Bald,
                    ["cap"] => Head::Cap,
                    ["hood"] => Head::Hood,
                    _ => bail!("nothing like that is on a head"),
                }
            }
            other => bail!("{other} is nothing of a person"),
        }
        Ok(())
    }
}
