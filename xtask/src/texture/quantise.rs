//! Few colours for many: median cut, a few rounds of moving the colours to their texels' means, and dithering.

use super::Picture;
use super::canvas::Canvas;

/// A colour with its opacity, each of `[0, 1]`.
type Sample = [f32; 4];

/// How much each channel's error counts: the eye sees green best, and edges of opacity at once.
const WEIGHTS: Sample = [0.8, 1.2, 0.5, 1.6];
/// Rounds of moving the colours.
const ROUNDS: usize = 3;
/// Steps of a channel within which all samples take the same colour: the search is done once for each.
const STEPS: usize = 64;
/// Share of a texel's error that goes to its neighbours. Less than all of it: flat areas stay quiet.
const SPREAD: f32 = 0.8;

/// A picture of `colours` colours.
pub(super) fn quantise(canvas: &Canvas, colours: usize) -> Picture {
    let clamp = |v: f32| v.clamp(0.0, 1.0);
    let samples: Vec<Sample> = canvas
        .texels
        .iter()
        .map(|texel| [clamp(texel.colour.x), clamp(texel.colour.y), clamp(texel.colour.z), clamp(texel.alpha)])
        .collect();
    let mut palette = median_cut(&samples, colours);
    for _ in 0..ROUNDS {
        move_to_means(&samples, &mut palette);
    }
    palette.sort_by(|a, b| brightness(a).total_cmp(&brightness(b)));
    let texels = dither(&samples, &palette, canvas.width as usize);
    let byte = |v: f32, most: f32| (v * most + 0.5) as u8;
    let entries =
        palette.iter().map(|[r, g, b, a]| [byte(*r, 255.0), byte(*g, 255.0), byte(*b, 255.0), byte(*a, 128.0)]);
    let mut entries: Vec<[u8; 4]> = entries.collect();
    entries.resize(colours, [0, 0, 0, 128]);
    Picture { width: canvas.width, height: canvas.height, texels, palette: entries, smaller: 0 }
}

fn brightness([r, g, b, a]: &Sample) -> f32 {
    r * 0.3 + g * 0.6 + b * 0.1 + a
}

fn apart(a: &Sample, b: &Sample) -> f32 {
    (0..4).map(|i| (a[i] - b[i]) * (a[i] - b[i]) * WEIGHTS[i]).sum()
}

/// Finds the nearest colour, once for all samples of a small cell.
struct Search<'a> {
    palette: &'a [Sample],
    known: Vec<u16>,
}

impl<'a> Search<'a> {
    fn new(palette: &'a [Sample]) -> Self {
        Self { palette, known: vec![u16::MAX; STEPS * STEPS * STEPS * 4] }
    }

    fn find(&mut self, sample: &Sample) -> usize {
        let step = |v: f32, steps: usize| (v.clamp(0.0, 1.0) * (steps - 1) as f32 + 0.5) as usize;
        let [r, g, b] = [0, 1, 2].map(|i| step(sample[i], STEPS));
        let cell = ((step(sample[3], 4) * STEPS + r) * STEPS + g) * STEPS + b;
        if self.known[cell] == u16::MAX {
            self.known[cell] = nearest(self.palette, sample) as u16;
        }
        usize::from(self.known[cell])
    }
}

fn nearest(palette: &[Sample], sample: &Sample) -> usize {
    let mut best = (0, f32::MAX);
    for (index, colour) in palette.iter().enumerate() {
        let distance = apart(colour, sample);
        if distance < best.1 {
            best = (index, distance);
        }
    }
    best.0
}

fn mean(samples: &[Sample]) -> Sample {
    let mut sum = [0.0; 4];
    for sample in samples {
        (0..4).for_each(|i| sum[i] += sample[i]);
    }
    sum.map(|v| v / samples.len().max(1) as f32)
}

/// Splits the box with the largest spread until there are enough.
fn median_cut(samples: &[Sample], colours: usize) -> Vec<Sample> {
    let spread = |samples: &[Sample]| {
        let range = |i: usize| {
            let (low, high) = samples.iter().fold((f32::MAX, f32::MIN), |(l, h), s| (l.min(s[i]), h.max(s[i])));
            (high - low) * WEIGHTS[i]
        };
        (0..4).map(|i| (i, range(i))).fold((0, -1.0), |best, own| if own.1 > best.1 { own } else { best })
    };
    let mut boxes = vec![samples.to_vec()];
    while boxes.len() < colours {
        let worth = |samples: &Vec<Sample>| spread(samples).1 * (samples.len() as f32).sqrt();
        let widest = (0..boxes.len()).max_by(|a, b| worth(&boxes[*a]).total_cmp(&worth(&boxes[*b])));
        let Some(widest) = widest.filter(|index| spread(&boxes[*index]).1 > 1e-4) else { break };
        let mut low = boxes.swap_remove(widest);
        let (axis, _) = spread(&low);
        low.sort_by(|a, b| a[axis].total_cmp(&b[axis]));
        let middle = low.iter().map(|s| s[axis]).sum::<f32>() / low.len() as f32;
        let at = low.partition_point(|s| s[axis] <= middle).clamp(1, low.len() - 1);
        let high = low.split_off(at);
        boxes.extend([low, high]);
    }
    boxes.iter().map(|samples| mean(samples)).collect()
}

fn move_to_means(samples: &[Sample], palette: &mut [Sample]) {
    let mut sums = vec![([0.0_f32; 4], 0_u32); palette.len()];
    let mut search = Search::new(palette);
    for sample in samples {
        let (sum, count) = &mut sums[search.find(sample)];
        (0..4).for_each(|i| sum[i] += sample[i]);
        *count += 1;
    }
    for (colour, (sum, count)) in palette.iter_mut().zip(sums) {
        if count > 0 {
            *colour = sum.map(|v| v / count as f32);
        }
    }
}

/// Spreads each texel's error to the neighbours that follow (Floyd and Steinberg's shares), rows in turns from either end.
fn dither(samples: &[Sample], palette: &[Sample], width: usize) -> Vec<u8> {
    let mut wanted = samples.to_vec();
    let mut texels = vec![0; samples.len()];
    let height = samples.len() / width;
    let mut search = Search::new(palette);
    for y in 0..height {
        let backwards = y % 2 == 1;
        for step in 0..width {
            let x = if backwards { width - 1 - step } else { step };
            let index = y * width + x;
            let best = search.find(&wanted[index]);
            texels[index] = best as u8;
            let error: Vec<f32> = (0..3).map(|i| (wanted[index][i] - palette[best][i]) * SPREAD).collect();
            let ahead: i32 = if backwards { -1 } else { 1 };
            for (dx, dy, share) in [(ahead, 0, 7.0), (-ahead, 1, 3.0), (0, 1, 5.0), (ahead, 1, 1.0)] {
                let (nx, ny) = (x as i32 + dx, y + dy);
                if nx >= 0 && (nx as usize) < width && ny < height {
                    let next = &mut wanted[ny * width + nx as usize];
                    (0..3).for_each(|i| next[i] += error[i] * share / 16.0);
                }
            }
        }
    }
    texels
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwalk::maths::Vec3;

    #[test]
    fn few_colours_keep_the_picture_s_mean() {
        let mut canvas = Canvas::new(64, 64);
        canvas.each(|texel, u, v| texel.colour = Vec3::new(u, v, 0.5 * u * v));
        let picture = quantise(&canvas, 16);
        let mean = |of: &dyn Fn(usize) -> f32| (0..64 * 64).map(of).sum::<f32>() / 4096.0;
        let before = mean(&|i| canvas.texels[i].colour.x);
        let after = mean(&|i| f32::from(picture.palette[usize::from(picture.texels[i])][0]) / 255.0);
        assert!((before - after).abs() < 0.02, "{before} {after}");
    }

    #[test]
    fn two_colours_are_kept_as_they_are() {
        let mut canvas = Canvas::new(8, 8);
        canvas.each(|texel, u, _| texel.colour = if u < 0.5 { Vec3::ZERO } else { Vec3::X });
        let picture = quantise(&canvas, 16);
        assert_eq!(picture.texel(0, 0).0, Vec3::ZERO);
        assert_eq!(picture.texel(7, 3).0, Vec3::X);
    }
}
