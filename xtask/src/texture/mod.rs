//! Textures: from recipes in `iso/textures/` to pictures of few colours.
//!
//! A recipe is a list of strokes (`strokes` for surfaces, `shapes` for signs) over a `canvas` of colours that joins at
//! its edges; `quantise` finds 16 or 256 colours for it and dithers. The result is a [`Picture`]: what the console loads
//! and what previews sample.

mod canvas;
mod quantise;
mod shapes;
pub mod sheet;
mod strokes;

use crate::level::source::{Place, Statement};
use anyhow::{Context as _, Result, bail, ensure};
use boardwalk::ee::gs::general::SMALLER;
use boardwalk::maths::{Vec3, scalar};
use canvas::Canvas;
use std::path::Path;

/// The folder of the recipes below `iso/`.
pub const FOLDER: &str = "textures";
/// A recipe's ending.
const ENDING: &str = "texture";
/// Smallest and largest side of a picture.
const SIDES: (u32, u32) = (8, 256);

/// Shortest side of a smaller picture.
const LEAST: u32 = 16;

/// A picture of few colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Texels in a row: a power of two.
    pub width: u32,
    /// Rows: a power of two.
    pub height: u32,
    /// An index into the palette for each texel, row by row.
    pub texels: Vec<u8>,
    /// 16 or 256 colours: red, green, blue, alpha; 128 is opaque.
    pub palette: Vec<[u8; 4]>,
    /// Smaller pictures that the console has of it for what is far away.
    pub smaller: u8,
}

impl Picture {
    /// Colour and opacity of a texel; coordinates repeat.
    pub fn texel(&self, x: i32, y: i32) -> (Vec3, f32) {
        let (x, y) = (x.rem_euclid(self.width as i32), y.rem_euclid(self.height as i32));
        let index = self.texels[(y as u32 * self.width + x as u32) as usize];
        let [r, g, b, a] = self.palette[usize::from(index)];
        (Vec3::new(f32::from(r), f32::from(g), f32::from(b)) * (1.0 / 255.0), f32::from(a) / 128.0)
    }

    /// Colour and opacity between texels, as the GS's linear filter mixes them.
    pub fn sample(&self, [u, v]: [f32; 2]) -> (Vec3, f32) {
        let (x, y) = (u * self.width as f32 - 0.5, v * self.height as f32 - 0.5);
        let (left, top) = (scalar::floor(x), scalar::floor(y));
        let (s, t) = (x - left, y - top);
        let at = |dx: i32, dy: i32| self.texel(left as i32 + dx, top as i32 + dy);
        let mix = |(a, p): (Vec3, f32), (b, q): (Vec3, f32), t: f32| (a.lerp(b, t), p + (q - p) * t);
        mix(mix(at(0, 0), at(1, 0), s), mix(at(0, 1), at(1, 1), s), t)
    }

    /// The picture at half its size: of every four texels their mean, as near as the palette comes to it.
    #[must_use]
    pub fn halved(&self) -> Self {
        let (width, height) = (self.width / 2, self.height / 2);
        let mean = |x: u32, y: u32| {
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| {
                let index = self.texels[((2 * y + dy) * self.width + 2 * x + dx) as usize];
                self.palette[usize::from(index)]
            });
            std::array::from_fn(|channel| four.iter().map(|colour| i32::from(colour[channel])).sum::<i32>() / 4)
        };
        let nearest = |wanted: [i32; 4]| {
            let off = |colour: &[u8; 4]| -> i32 {
                colour.iter().zip(wanted).map(|(own, wanted)| (i32::from(*own) - wanted).pow(2)).sum()
            };
            let best = self.palette.iter().enumerate().min_by_key(|(_, colour)| off(colour));
            best.map_or(0, |(index, _)| index as u8)
        };
        let texels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| nearest(mean(x, y)));
        Self { width, height, texels: texels.collect(), palette: self.palette.clone(), smaller: 0 }
    }

    /// The picture in full colour, for people.
    pub fn image(&self) -> image::RgbaImage {
        image::RgbaImage::from_fn(self.width, self.height, |x, y| {
            let index = self.texels[(y * self.width + x) as usize];
            let [r, g, b, a] = self.palette[usize::from(index)];
            image::Rgba([r, g, b, (u32::from(a) * 255 / 128).min(255) as u8])
        })
    }
}

/// Makes the picture of a name from its recipe. `load` gives the text of a file below `iso/`.
///
/// # Errors
/// A missing recipe or a mistake in one; the message names file and line.
pub fn read(name: &str, load: &dyn Fn(&str) -> Result<String>) -> Result<Picture> {
    let file = format!("{name}.{ENDING}");
    make(&file, &load(&format!("{FOLDER}/{file}"))?)
}

/// Names of all recipes of a folder, sorted.
///
/// # Errors
/// The folder cannot be read.
pub fn names(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == ENDING) {
            names.extend(path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned));
        }
    }
    names.sort();
    Ok(names)
}

/// Makes a picture from a recipe's text.
///
/// # Errors
/// A mistake; the message names file and line.
pub fn make(file: &str, text: &str) -> Result<Picture> {
    let file: std::sync::Arc<str> = file.into();
    let mut canvas: Option<(Canvas, usize, u8)> = None;
    for (index, line) in text.lines().enumerate() {
        let place = Place { file: file.clone(), line: index + 1 };
        let Some(statement) = Statement::parse(line, place)? else { continue };
        match &mut canvas {
            None => canvas = Some(begin(&statement)?),
            Some((canvas, ..)) => {
                let known = strokes::draw(canvas, &statement)? || shapes::draw(canvas, &statement)?;
                ensure!(known, "{}: there is no stroke {}", statement.place, statement.verb);
            }
        }
        statement.finish()?;
    }
    let (canvas, colours, smaller) = canvas.with_context(|| format!("{file}: a recipe begins with picture"))?;
    Ok(Picture { smaller, ..quantise::quantise(&canvas, colours) })
}

/// `picture size=W,H colours=16|256 smaller=N`: the first line.
fn begin(statement: &Statement) -> Result<(Canvas, usize, u8)> {
    if statement.verb != "picture" {
        bail!("{}: a recipe begins with picture", statement.place);
    }
    let (width, height) = statement.flat("size")?;
    let (width, height) = (width as u32, height as u32);
    let fits = |side: u32| side.is_power_of_two() && (SIDES.0..=SIDES.1).contains(&side);
    ensure!(fits(width) && fits(height), "{}: sides are powers of two from 8 to 256", statement.place);
    let colours = match statement.text("colours") {
        None | Some("16") => 16,
        Some("256") => 256,
        Some(other) => bail!("{}: colours= is 16 or 256, not {other}", statement.place),
    };
    let smaller = statement.number("smaller", 0.0)? as u8;
    let least = width.min(height) >> smaller.min(31);
    ensure!(
        usize::from(smaller) <= SMALLER && (smaller == 0 || least >= LEAST),
        "{}: smaller= is at most {SMALLER}, and none of them has a side under {LEAST}",
        statement.place
    );
    Ok((Canvas::new(width, height), colours, smaller))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_gives_the_same_picture_each_time_with_few_colours() {
        let text = "picture size=64,32 colours=16\nfill colour=120,90,60\nnoise scale=6,6 amount=0.4 octaves=3";
        let picture = make("a.texture", text).unwrap();
        assert_eq!(picture, make("a.texture", text).unwrap());
        assert_eq!((picture.texels.len(), picture.palette.len()), (64 * 32, 16));
        assert!(picture.texels.iter().all(|&texel| texel < 16));
        let used: std::collections::BTreeSet<u8> = picture.texels.iter().copied().collect();
        assert!(used.len() > 8, "{} colours", used.len());
    }

    #[test]
    fn mistakes_name_file_and_line() {
        for (text, words) in [
            ("fill colour=1,1,1", "a.texture:1: a recipe begins with picture"),
            ("picture size=20,8", "a.texture:1: sides are powers"),
            ("picture size=8,8\n\nblot", "a.texture:3: there is no stroke blot"),
            ("picture size=8,8\nfill color=1,1,1", "a.texture:2: fill has no setting color="),
            ("", "a.texture: a recipe begins"),
        ] {
            let error = format!("{:#}", make("a.texture", text).unwrap_err());
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn a_smaller_picture_has_the_mean_of_each_four_texels() {
        let grey = |v: u8| [v, v, v, 128];
        let palette = vec![grey(0), grey(60), grey(130), grey(255)];
        let picture = Picture { width: 4, height: 2, texels: vec![0, 3, 3, 3, 3, 0, 3, 3], palette, smaller: 1 };
        let half = picture.halved();
        assert_eq!((half.width, half.height, half.texels), (2, 1, vec![2, 3]));
        let refused = make("a.texture", "picture size=64,64 smaller=3").unwrap_err();
        assert!(refused.to_string().contains("none of them has a side under 16"), "{refused}");
        assert_eq!(make("a.texture", "picture size=64,64 smaller=2").unwrap().smaller, 2);
    }

    #[test]
    fn sampling_repeats_and_mixes_neighbours() {
        let picture = Picture {
            width: 2,
            height: 1,
            texels: vec![0, 1],
            palette: vec![[0, 0, 0, 128], [255, 255, 255, 128]],
            smaller: 0,
        };
        assert_eq!(picture.sample([0.25, 0.5]).0.x, 0.0);
        assert_eq!(picture.sample([0.5, 0.5]).0.x, 0.5);
        assert_eq!(picture.sample([1.75, 0.5]).0.x, 1.0);
        assert_eq!(picture.sample([0.0, 0.5]).0.x, 0.5);
    }
}
