//! The text of a person: a line for each thing.
//!
//! | line | means |
//! | --- | --- |
//! | `skin`, `hair`, `top`, `signal`, `trousers`, `shoes` `R G B` | colours, 0 to 255; `signal` is the gang's: collar, cuffs and band |
//! | `bulk N` | how broad, 1 for most |
//! | `shape man` or `woman` | the torso's proportions |
//! | `sleeves none`, `short` or `long` | where the top ends |
//! | `legs long`, `shorts` or `dress` | what the legs are in |
//! | `head hair`, `long`, `tail`, `bald`, `cap`, `beanie`, `hat` or `hood` | what is on the head |
//! | `coat N` | how far the top hangs over the trousers, in metres |
//! | `open R G B` | the top is open over a shirt of this colour |
//! | `wheel`, `band`, `stripe` | the signal's colour as a wheel on the back, a band round the chest, along sleeves and legs |

use anyhow::{Context as _, Result, bail};

/// Red, green and blue.
pub type Colour = [u8; 3];

/// What is on a head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Head {
    /// Hair.
    #[default]
    Hair,
    /// Hair down to the shoulders.
    Long,
    /// Hair tied at the back.
    Tail,
    /// Nothing.
    Bald,
    /// A cap in the signal's colour.
    Cap,
    /// A knitted cap in the signal's colour.
    Beanie,
    /// A hat with a brim in the signal's colour.
    Hat,
    /// The top's hood.
    Hood,
}

/// Where sleeves end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sleeves {
    /// At the shoulder.
    None,
    /// Over the elbow.
    Short,
    /// At the hand.
    #[default]
    Long,
}

/// What legs are in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Legs {
    /// Trousers.
    #[default]
    Long,
    /// Trousers that end at the knee.
    Shorts,
    /// The top reaches to the knee.
    Dress,
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
    /// A woman's torso.
    pub woman: bool,
    /// Where the sleeves end.
    pub sleeves: Sleeves,
    /// What the legs are in.
    pub legs: Legs,
    /// What is on the head.
    pub head: Head,
    /// Metres by which the top hangs over the trousers.
    pub coat: f32,
    /// Colour of the shirt under a top that is open.
    pub open: Option<Colour>,
    /// The gang's wheel is on the back.
    pub wheel: bool,
    /// A band of the signal's colour goes round the chest.
    pub band: bool,
    /// Stripes of the signal's colour run along sleeves and legs.
    pub stripe: bool,
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
            woman: false,
            sleeves: Sleeves::default(),
            legs: Legs::default(),
            head: Head::default(),
            coat: 0.06,
            open: None,
            wheel: false,
            band: false,
            stripe: false,
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
            "open" => self.open = Some(colour()?),
            "bulk" => self.bulk = number()?.clamp(0.8, 1.3),
            "coat" => self.coat = number()?.clamp(0.0, 0.3),
            "wheel" => self.wheel = true,
            "band" => self.band = true,
            "stripe" => self.stripe = true,
            "shape" => {
                self.woman = match rest {
                    ["man"] => false,
                    ["woman"] => true,
                    _ => bail!("a shape is man or woman"),
                }
            }
            "sleeves" => {
                self.sleeves = match rest {
                    ["none"] => Sleeves::None,
                    ["short"] => Sleeves::Short,
                    ["long"] => Sleeves::Long,
                    _ => bail!("sleeves are none, short or long"),
                }
            }
            "legs" => {
                self.legs = match rest {
                    ["long"] => Legs::Long,
                    ["shorts"] => Legs::Shorts,
                    ["dress"] => Legs::Dress,
                    _ => bail!("legs are in long trousers, shorts or a dress"),
                }
            }
            "head" => {
                self.head = match rest {
                    ["hair"] => Head::Hair,
                    ["long"] => Head::Long,
                    ["tail"] => Head::Tail,
                    ["bald"] => Head::Bald,
                    ["cap"] => Head::Cap,
                    ["beanie"] => Head::Beanie,
                    ["hat"] => Head::Hat,
                    ["hood"] => Head::Hood,
                    _ => bail!("nothing like that is on a head"),
                }
            }
            other => bail!("{other} is nothing of a person"),
        }
        Ok(())
    }
}
