//! Reading level files: statements of a verb and settings, blocks, prefabs and includes.
//!
//! A line is a verb, perhaps a name, and settings `key=value`; `#` begins a comment. A value is a word, a text in quotes, or
//! numbers with commas between them. `group`, `repeat` and `prefab` open a block that `end` closes.

use anyhow::{Context as _, Result, anyhow, bail};
use boardwalk::maths::Vec3;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::place::Transform;

/// Where a statement stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file's name.
    pub file: Arc<str>,
    /// Its line, counted from 1.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A line that says something.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its first word.
    pub verb: String,
    /// Where it stands.
    pub place: Place,
    name: Option<String>,
    settings: Vec<Setting>,
}

#[derive(Clone, Debug)]
struct Setting {
    key: String,
    value: String,
    asked: Cell<bool>,
}

/// A statement with the place that the blocks around it give it.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The statement.
    pub statement: Statement,
    /// From its own axes to the level's.
    pub transform: Transform,
}

impl Statement {
    /// Reads a line; `None` when it says nothing.
    ///
    /// # Errors
    /// A quote that is not closed, or a word that is no setting.
    pub fn parse(text: &str, place: Place) -> Result<Option<Self>> {
        let words = words(text).with_context(|| place.to_string())?;
        let mut words = words.into_iter().peekable();
        let Some(verb) = words.next() else { return Ok(None) };
        let name = words.next_if(|word| !word.contains('='));
        let mut settings = Vec::new();
        for word in words {
            let (key, value) = word.split_once('=').ok_or_else(|| anyhow!("{place}: {word} is no setting"))?;
            settings.push(Setting { key: key.into(), value: value.into(), asked: Cell::new(false) });
        }
        Ok(Some(Self { verb, place, name, settings }))
    }

    /// The name behind the verb.
    ///
    /// # Errors
    /// There is none.
    pub fn name(&self) -> Result<&str> {
        self.name.as_deref().ok_or_else(|| anyhow!("{}: {} needs a name", self.place, self.verb))
    }

    /// The name behind the verb, if there is one.
    pub fn name_if_any(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Every value of a key, in their order.
    pub fn all<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.settings.iter().filter(move |setting| setting.key == key).map(|setting| {
            setting.asked.set(true);
            setting.value.as_str()
        })
    }

    /// A setting's text.
    pub fn text<'a>(&'a self, key: &'a str) -> Option<&'a str> {
        self.all(key).last()
    }

    /// A setting's text.
    ///
    /// # Errors
    /// It is missing.
    pub fn need<'a>(&'a self, key: &'a str) -> Result<&'a str> {
        self.text(key).ok_or_else(|| anyhow!("{}: {} needs {key}=", self.place, self.verb))
    }

    /// Whether a setting says `yes`; any word but `yes` and `no` is an error.
    ///
    /// # Errors
    /// Another word.
    pub fn flag(&self, key: &str, default: bool) -> Result<bool> {
        match self.text(key) {
            None => Ok(default),
            Some("yes") => Ok(true),
            Some("no") => Ok(false),
            Some(other) => bail!("{}: {key}= is yes or no, not {other}", self.place),
        }
    }

    /// A setting's number.
    ///
    /// # Errors
    /// It is no number.
    pub fn number(&self, key: &str, default: f32) -> Result<f32> {
        match self.text(key) {
            None => Ok(default),
            Some(text) => Ok(numbers::<1>(text).with_context(|| format!("{}: {key}=", self.place))?[0]),
        }
    }

    /// A setting's count of things.
    ///
    /// # Errors
    /// It is no whole number from `least` to `most`.
    pub fn count(&self, key: &str, default: u32, least: u32, most: u32) -> Result<u32> {
        let Some(text) = self.text(key) else { return Ok(default) };
        match text.parse() {
            Ok(value) if (least..=most).contains(&value) => Ok(value),
            _ => bail!("{}: {key}= is a whole number from {least} to {most}, not {text}", self.place),
        }
    }

    /// A setting's point or size.
    ///
    /// # Errors
    /// It is not three numbers.
    pub fn vector(&self, key: &str, default: Vec3) -> Result<Vec3> {
        match self.text(key) {
            None => Ok(default),
            Some(text) => Ok(Vec3::from_array(numbers::<3>(text).with_context(|| format!("{}: {key}=", self.place))?)),
        }
    }

    /// A setting's point on the ground.
    ///
    /// # Errors
    /// It is missing or not two numbers.
    pub fn flat(&self, key: &str) -> Result<(f32, f32)> {
        let [x, y] = numbers::<2>(self.need(key)?).with_context(|| format!("{}: {key}=", self.place))?;
        Ok((x, y))
    }

    /// A colour of three bytes, as numbers of `[0, 1]` and beyond for bright light.
    ///
    /// # Errors
    /// It is not three numbers.
    pub fn colour(&self, key: &str, default: Vec3) -> Result<Vec3> {
        Ok(match self.text(key) {
            None => default,
            Some(_) => self.vector(key, default)? * (1.0 / 255.0),
        })
    }

    /// Refuses settings that nobody asked for: they are misspelt.
    ///
    /// # Errors
    /// Names the first.
    pub fn finish(&self) -> Result<()> {
        match self.settings.iter().find(|setting| !setting.asked.get()) {
            Some(setting) => bail!("{}: {} has no setting {}=", self.place, self.verb, setting.key),
            None => Ok(()),
        }
    }
}

fn words(text: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for letter in text.chars() {
        match letter {
            '"' => quoted = !quoted,
            '#' if !quoted && word.is_empty() => break,
            letter if letter.is_whitespace() && !quoted => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            letter => word.push(letter),
        }
    }
    if quoted {
        bail!("a quote is not closed");
    }
    if !word.is_empty() {
        words.push(word);
    }
    Ok(words)
}

/// Numbers with commas between them.
///
/// # Errors
/// Another count, or a word that is no finite number.
pub fn numbers<const N: usize>(text: &str) -> Result<[f32; N]> {
    let found = text.split(',').map(|word| match word.trim().parse::<f32>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(anyhow!("{word} is no number")),
    });
    let found = found.collect::<Result<Vec<f32>>>()?;
    let count = found.len();
    found.try_into().map_err(|_| anyhow!("{N} numbers are wanted, {text} has {count}"))
}

/// How deep files, blocks and prefabs may nest.
const DEEPEST: usize = 16;
/// Most statements of a level once everything is written out.
const MOST_STATEMENTS: usize = 20_000;

enum Block {
    Group(Transform),
    Repeat { count: u32, step: Transform },
    Prefab(String),
}

struct Open {
    block: Block,
    place: Place,
    body: Vec<Placed>,
}

/// Reads a level's first file with all that it includes, and writes its blocks out.
///
/// # Errors
/// Names file and line.
pub fn read(first: &str, load: &dyn Fn(&str) -> Result<String>) -> Result<Vec<Placed>> {
    let mut reader = Reader { load, prefabs: BTreeMap::new(), open: Vec::new(), done: Vec::new() };
    reader.file(first, 0)?;
    if let Some(open) = reader.open.last() {
        bail!("{}: this block has no end", open.place);
    }
    Ok(reader.done)
}

struct Reader<'a> {
    load: &'a dyn Fn(&str) -> Result<String>,
    prefabs: BTreeMap<String, Vec<Placed>>,
    open: Vec<Open>,
    done: Vec<Placed>,
}

impl Reader<'_> {
    fn file(&mut self, name: &str, depth: usize) -> Result<()> {
        if depth > DEEPEST {
            bail!("{name} is included too deep");
        }
        let text = (self.load)(name)?;
        let file: Arc<str> = name.into();
        for (index, line) in text.lines().enumerate() {
            let place = Place { file: file.clone(), line: index + 1 };
            if let Some(statement) = Statement::parse(line, place)? {
                self.statement(statement, depth)?;
            }
        }
        Ok(())
    }

    fn statement(&mut self, statement: Statement, depth: usize) -> Result<()> {
        let block = match statement.verb.as_str() {
            "include" => {
                let name = statement.name()?.to_owned();
                return self.file(&name, depth + 1).with_context(|| format!("{}: include {name}", statement.place));
            }
            "group" => Block::Group(transform(&statement, "at")?),
            "repeat" => {
                Block::Repeat { count: statement.count("count", 1, 1, 1000)?, step: transform(&statement, "step")? }
            }
            "prefab" => Block::Prefab(statement.name()?.to_owned()),
            "end" => return self.close(&statement),
            "use" => return self.use_prefab(&statement),
            _ => return self.add([Placed { statement, transform: Transform::IDENTITY }]),
        };
        statement.finish()?;
        if self.open.len() >= DEEPEST {
            bail!("{}: blocks nest too deep", statement.place);
        }
        self.open.push(Open { block, place: statement.place, body: Vec::new() });
        Ok(())
    }

    fn close(&mut self, end: &Statement) -> Result<()> {
        let open = self.open.pop().ok_or_else(|| anyhow!("{}: end of no block", end.place))?;
        match open.block {
            Block::Group(transform) => self.add(open.body.into_iter().map(|placed| placed.moved(&transform))),
            Block::Repeat { count, step } => {
                let mut transform = Transform::IDENTITY;
                for _ in 0..count {
                    self.add(open.body.iter().map(|placed| placed.clone().moved(&transform)))?;
                    transform = transform.then(&step);
                }
                Ok(())
            }
            Block::Prefab(name) => match self.prefabs.insert(name, open.body) {
                None => Ok(()),
                Some(_) => bail!("{}: there is such a prefab already", open.place),
            },
        }
    }

    fn use_prefab(&mut self, statement: &Statement) -> Result<()> {
        let transform = transform(statement, "at")?;
        statement.finish()?;
        let name = statement.name()?;
        let body = self.prefabs.get(name).ok_or_else(|| anyhow!("{}: no prefab {name}", statement.place))?;
        let body: Vec<Placed> = body.iter().map(|placed| placed.clone().moved(&transform)).collect();
        self.add(body)
    }

    fn add(&mut self, statements: impl IntoIterator<Item = Placed>) -> Result<()> {
        let to = self.open.last_mut().map_or(&mut self.done, |open| &mut open.body);
        to.extend(statements);
        match to.get(MOST_STATEMENTS) {
            None => Ok(()),
            Some(placed) => bail!("{}: the level is too long", placed.statement.place),
        }
    }
}

impl Placed {
    fn moved(self, outer: &Transform) -> Self {
        Self { transform: outer.of(&self.transform), ..self }
    }
}

fn transform(statement: &Statement, key: &str) -> Result<Transform> {
    Ok(Transform::new(statement.vector(key, Vec3::ZERO)?, statement.number("turn", 0.0)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<Vec<Placed>> {
        read("a", &|name| match name {
            "a" => Ok(text.to_owned()),
            "b" => Ok("lamp at=9,9,9".to_owned()),
            other => bail!("no {other}"),
        })
    }

    fn places(text: &str) -> Vec<[f32; 3]> {
        let all = read_text(text).unwrap();
        all.iter().map(|placed| placed.transform.point(Vec3::ZERO).to_array()).collect()
    }

    #[test]
    fn settings_are_words_texts_and_numbers() {
        let all = read_text("# first\nsign big text=\"HOT DOGS\" at=1,2.5,-3 lit=yes # last").unwrap();
        let sign = &all[0].statement;
        assert_eq!((sign.verb.as_str(), sign.name().unwrap()), ("sign", "big"));
        assert_eq!(sign.text("text"), Some("HOT DOGS"));
        assert_eq!(sign.vector("at", Vec3::ZERO).unwrap(), Vec3::new(1.0, 2.5, -3.0));
        assert!(sign.flag("lit", false).unwrap());
        sign.finish().unwrap();
    }

    #[test]
    fn a_repeat_steps_and_a_group_turns_clockwise() {
        assert_eq!(places("repeat count=3 step=0,2,0\nlamp\nend"), [[0.0; 3], [0.0, 2.0, 0.0], [0.0, 4.0, 0.0]]);
        let [turned] = places("group at=10,0,1 turn=90\nrepeat step=0,0,0\ngroup at=0,2,0\nlamp\nend\nend\nend")[..]
        else {
            panic!("one statement")
        };
        assert!((turned[0] - 12.0).abs() < 1e-5 && turned[1].abs() < 1e-5 && turned[2] == 1.0, "{turned:?}");
    }

    #[test]
    fn prefabs_stand_where_they_are_used() {
        let text = "prefab shop\ngroup at=0,1,0\nlamp\nend\nend\nuse shop at=5,0,0\nuse shop at=6,0,0";
        assert_eq!(places(text), [[5.0, 1.0, 0.0], [6.0, 1.0, 0.0]]);
        assert_eq!(read_text("include b").unwrap()[0].statement.place.to_string(), "b:1");
    }

    #[test]
    fn mistakes_name_file_and_line() {
        for (text, words) in [
            ("\nend", "a:2: end of no block"),
            ("group at=1,2\nend", "a:1: at="),
            ("group\n", "a:1: this block has no end"),
            ("use shop", "a:1: no prefab shop"),
            ("lamp \"x", "a:1: a quote"),
            ("lamp x y", "a:1: y is no setting"),
            ("include a", "too deep"),
            ("include c", "no c"),
            ("repeat count=1000\nrepeat count=1000\nlamp\nend\nend", "too long"),
        ] {
            let error = format!("{:#}", read_text(text).unwrap_err());
            assert!(error.contains(words), "{text}: {error}");
        }
        let all = read_text("lamp colr=1,1,1").unwrap();
        assert_eq!(all[0].statement.finish().unwrap_err().to_string(), "a:1: lamp has no setting colr=");
    }
}
