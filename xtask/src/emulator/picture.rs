//! Comparing a picture with a golden one.

use anyhow::{Context as _, Result, bail};
use image::{Rgb, RgbImage};
use std::fs;
use std::path::{Path, PathBuf};

/// How far two pictures may be apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Largest difference of a colour channel, 0 to 255, that still counts as the same.
    pub channel: u8,
    /// Largest share of pixels, 0 to 1, that may differ by more than that.
    pub share: f32,
}

impl Tolerance {
    /// Every pixel the same.
    pub const EXACT: Self = Self { channel: 0, share: 0.0 };
    /// Room for rounding in blended edges, not for a missing object.
    pub const CLOSE: Self = Self { channel: 8, share: 0.002 };
}

/// What a comparison found.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Pixels that differ by more than the tolerance.
    pub pixels: u32,
    /// All pixels.
    pub total: u32,
    /// The largest difference of a channel.
    pub largest: u8,
    /// Whether that is within the tolerance.
    pub within: bool,
    /// The picture of the differences, written when the pictures are too far apart: differing pixels white on the dimmed golden picture.
    pub diff: Option<PathBuf>,
}

impl Difference {
    /// The share of differing pixels, 0 to 1.
    pub fn share(&self) -> f32 {
        self.pixels as f32 / self.total.max(1) as f32
    }
}

/// Compares the picture file `actual` with `golden`. A golden picture that is missing is made from `actual` and reported as an error, so that
/// a person looks at it before it counts. `actual`'s place also gets the picture of the differences (`NAME.diff.png`).
pub fn compare(actual: &Path, golden: &Path, tolerance: Tolerance) -> Result<Difference> {
    let seen = read(actual)?;
    if !golden.exists() {
        if let Some(parent) = golden.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::copy(actual, golden).with_context(|| format!("cannot write {}", golden.display()))?;
        bail!("there was no golden picture; {} was written, look at it and run again", golden.display());
    }
    let expected = read(golden)?;
    if seen.dimensions() != expected.dimensions() {
        bail!(
            "{} has {:?} pixels, the golden picture {:?}",
            actual.display(),
            seen.dimensions(),
            expected.dimensions()
        );
    }
    let (mut difference, marked) = difference(&seen, &expected, tolerance);
    let diff = actual.with_extension("diff.png");
    if difference.within {
        // A picture of an older failure would mislead.
        let _ = fs::remove_file(&diff);
    } else {
        marked.save(&diff).with_context(|| format!("cannot write {}", diff.display()))?;
        difference.diff = Some(diff);
    }
    Ok(difference)
}

/// Writes the upper part of a picture beside it (`NAME.top.png`): `share` of its lines, 0 to 1.
///
/// # Errors
/// A picture that cannot be read, or a failed write.
pub fn crop_top(file: &Path, share: f32) -> Result<PathBuf> {
    let (width, height) = read(file)?.dimensions();
    crop(file, [0, 0, width, (height as f32 * share) as u32], "top")
}

/// Writes a part of a picture beside it (`NAME.PART.png`): left, top, width and height, as far as they are in it.
///
/// # Errors
/// A picture that cannot be read, or a failed write.
pub fn crop(file: &Path, [left, top, width, height]: [u32; 4], part: &str) -> Result<PathBuf> {
    let mut whole = read(file)?;
    let cut = image::imageops::crop(&mut whole, left, top, width, height).to_image();
    let path = file.with_extension(format!("{part}.png"));
    cut.save(&path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// Writes a picture beside it (`NAME.masked.png`) in which parts (left, top, width and height) are black: what differs in each run.
///
/// # Errors
/// A picture that cannot be read, or a failed write.
pub fn mask(file: &Path, parts: &[[u32; 4]]) -> Result<PathBuf> {
    let mut whole = read(file)?;
    for (x, y, pixel) in whole.enumerate_pixels_mut() {
        if parts
            .iter()
            .any(|&[left, top, width, height]| (left..left + width).contains(&x) && (top..top + height).contains(&y))
        {
            *pixel = Rgb([0; 3]);
        }
    }
    let path = file.with_extension("masked.png");
    whole.save(&path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// How many pixels beyond an inner part (left, top, width and height) differ from the picture's left edge: what runs off a page
/// of one colour.
///
/// # Errors
/// A picture that cannot be read.
pub fn beyond(file: &Path, [left, top, width, height]: [u32; 4]) -> Result<usize> {
    let picture = read(file)?;
    // The first row is half a line of the interlaced picture, and darker.
    let ground = picture.get_pixel(0, 1).0;
    let (across, down) = (left..left + width, top..top + height);
    let differs = |colour: &Rgb<u8>| colour.0.iter().zip(ground).any(|(a, b)| a.abs_diff(b) > Tolerance::CLOSE.channel);
    let outside = picture.enumerate_pixels().filter(|(x, y, _)| *y > 0 && (!across.contains(x) || !down.contains(y)));
    Ok(outside.filter(|(_, _, colour)| differs(colour)).count())
}

fn read(file: &Path) -> Result<RgbImage> {
    Ok(image::open(file).with_context(|| format!("cannot read the picture {}", file.display()))?.into_rgb8())
}

/// Compares two pictures of one size, and marks where they differ.
fn difference(actual: &RgbImage, golden: &RgbImage, tolerance: Tolerance) -> (Difference, RgbImage) {
    let mut marked = RgbImage::new(golden.width(), golden.height());
    let (mut pixels, mut largest) = (0, 0);
    for ((a, g), mark) in actual.pixels().zip(golden.pixels()).zip(marked.pixels_mut()) {
        let apart = a.0.iter().zip(g.0).map(|(a, g)| a.abs_diff(g)).max().unwrap_or(0);
        largest = largest.max(apart);
        let differs = apart > tolerance.channel;
        pixels += u32::from(differs);
        *mark = if differs { Rgb([255; 3]) } else { Rgb(g.0.map(|channel| channel / 4)) };
    }
    let total = golden.width() * golden.height();
    let within = pixels as f32 <= tolerance.share * total as f32;
    (Difference { pixels, total, largest, within, diff: None }, marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(spots: &[(u32, u32, u8)]) -> RgbImage {
        let mut picture = RgbImage::from_pixel(10, 10, Rgb([100, 100, 100]));
        for (x, y, value) in spots {
            picture.put_pixel(*x, *y, Rgb([100, *value, 100]));
        }
        picture
    }

    #[test]
    fn small_differences_are_forgiven_and_large_ones_are_counted() {
        let tolerance = Tolerance { channel: 8, share: 0.01 };
        let (found, marked) = difference(&picture(&[(0, 0, 108), (1, 1, 150)]), &picture(&[]), tolerance);
        assert_eq!((found.pixels, found.total, found.largest, found.within), (1, 100, 50, true));
        assert_eq!((marked.get_pixel(1, 1).0, marked.get_pixel(0, 0).0), ([255; 3], [25; 3]));
        let (found, _) = difference(&picture(&[(0, 0, 0), (1, 1, 150)]), &picture(&[]), tolerance);
        assert!(!found.within && found.share() > 0.01, "{found:?}");
    }

    #[test]
    fn exact_means_exact() {
        assert!(difference(&picture(&[]), &picture(&[]), Tolerance::EXACT).0.within);
        assert!(!difference(&picture(&[(5, 5, 101)]), &picture(&[]), Tolerance::EXACT).0.within);
    }

    #[test]
    fn a_missing_golden_picture_is_written_and_fails_once() {
        let folder = tempfile::tempdir().unwrap();
        let (actual, golden) = (folder.path().join("a.png"), folder.path().join("golden/a.png"));
        picture(&[]).save(&actual).unwrap();
        assert!(compare(&actual, &golden, Tolerance::EXACT).unwrap_err().to_string().contains("golden/a.png"));
        assert!(compare(&actual, &golden, Tolerance::EXACT).unwrap().within);
    }

    #[test]
    fn a_failed_comparison_leaves_a_picture_of_the_differences() {
        let folder = tempfile::tempdir().unwrap();
        let (actual, golden) = (folder.path().join("a.png"), folder.path().join("g.png"));
        picture(&[(3, 3, 0)]).save(&actual).unwrap();
        picture(&[]).save(&golden).unwrap();
        let found = compare(&actual, &golden, Tolerance::EXACT).unwrap();
        let diff = found.diff.expect("a picture of the differences");
        assert_eq!(read(&diff).unwrap().get_pixel(3, 3).0, [255; 3]);
        picture(&[]).save(&actual).unwrap();
        assert!(compare(&actual, &golden, Tolerance::EXACT).unwrap().within && !diff.exists());
        RgbImage::new(5, 5).save(&actual).unwrap();
        assert!(compare(&actual, &golden, Tolerance::EXACT).is_err(), "pictures of two sizes");
    }
}
