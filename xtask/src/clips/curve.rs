//! Smooth ways through keys: cubic between two keys, never beyond them, so that a key is what it says.

/// A curve through keys of (frame, value) in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    keys: Vec<(f32, f32)>,
    slopes: Vec<f32>,
}

impl Curve {
    /// The curve through keys that are sorted by frame. One that loops goes on at its end as at its start.
    pub fn new(keys: Vec<(f32, f32)>, looped: bool) -> Self {
        let count = keys.len();
        let steep = |n: usize, m: usize| (keys[m].1 - keys[n].1) / (keys[m].0 - keys[n].0).max(1e-6);
        let width = |n: usize, m: usize| keys[m].0 - keys[n].0;
        let mut slopes = vec![0.0; count];
        for (n, slope) in slopes.iter_mut().enumerate() {
            let (last, first) = match n {
                // The first and the last key of a loop are one moment.
                n if n == 0 || n + 1 == count => {
                    if !looped || count < 3 {
                        continue;
                    }
                    ((count - 2, count - 1), (0, 1))
                }
                n => ((n - 1, n), (n, n + 1)),
            };
            let (before, after) = (steep(last.0, last.1), steep(first.0, first.1));
            if before * after > 0.0 {
                // The harmonic mean, weighted by the stretches' widths, keeps the curve between its keys.
                let (a, b) = (width(last.0, last.1), width(first.0, first.1));
                let (near, far) = (2.0 * b + a, b + 2.0 * a);
                *slope = (near + far) / (near / before + far / after);
            }
        }
        Self { keys, slopes }
    }

    /// The value at a frame; before the first key and after the last it stays.
    pub fn at(&self, frame: f32) -> f32 {
        let Some(next) = self.keys.iter().position(|key| key.0 > frame) else {
            return self.keys.last().map_or(0.0, |key| key.1);
        };
        let Some(n) = next.checked_sub(1) else { return self.keys[0].1 };
        let ((from, a), (to, b)) = (self.keys[n], self.keys[next]);
        let (width, t) = (to - from, (frame - from) / (to - from));
        let (t2, t3) = (t * t, t * t * t);
        a * (2.0 * t3 - 3.0 * t2 + 1.0)
            + b * (3.0 * t2 - 2.0 * t3)
            + width * (self.slopes[n] * (t3 - 2.0 * t2 + t) + self.slopes[next] * (t3 - t2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_meets_its_keys_and_never_leaves_what_lies_between_them() {
        let keys = vec![(0.0, 0.0), (4.0, 1.0), (5.0, 3.0), (10.0, 3.0), (12.0, -1.0)];
        let curve = Curve::new(keys.clone(), false);
        for (frame, value) in &keys {
            assert!((curve.at(*frame) - value).abs() < 1e-5);
        }
        for n in 0..120 {
            let value = curve.at(n as f32 * 0.1);
            assert!((-1.00001..=3.00001).contains(&value), "{value} at {n}");
        }
        assert_eq!((curve.at(-5.0), curve.at(50.0)), (0.0, -1.0));
        assert_eq!(Curve::default().at(3.0), 0.0);
    }

    #[test]
    fn a_loop_is_smooth_over_its_seam() {
        let curve = Curve::new(vec![(0.0, 0.0), (5.0, 1.0), (15.0, -1.0), (20.0, 0.0)], true);
        let (before, after) = (curve.at(20.0) - curve.at(19.9), curve.at(0.1) - curve.at(0.0));
        assert!((before - after).abs() < 2e-3, "{before} {after}");
    }
}
