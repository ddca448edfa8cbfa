//! Feet that move are lifted: whoever writes a pose says where a foot stands, and the step in between comes from here.

use super::controls::{Controls, side, side as side_of};

/// Metres a frame from which a foot counts as moving.
const MOVES: f32 = 0.002;
/// A foot that is off by less stays on the ground.
const STAYS: f32 = 0.012;
/// How high a step is for its length, and its limits in metres.
const HEIGHT: (f32, f32, f32) = (0.4, 0.05, 0.12);
/// Degrees a frame from which a flat foot counts as turning, and how far its heel is up then.
const TURNS: (f32, f32) = (0.8, 5.0);

/// Lifts feet of a clip while they go from one place to another, and heels while a foot turns on its ball.
pub fn lift_moving_feet(all: &mut [Controls]) {
    for s in 0..2 {
        let first = side_of(s);
        let [x, y, z] = side::FOOT.map(|n| first + n);
        let distance = |a: &Controls, b: &Controls| ((a[x] - b[x]).powi(2) + (a[y] - b[y]).powi(2)).sqrt();
        let mut from = 0;
        while from + 1 < all.len() {
            let mut to = from;
            while to + 1 < all.len() && distance(&all[to], &all[to + 1]) > MOVES {
                to += 1;
            }
            if to == from {
                from += 1;
                continue;
            }
            let length = distance(&all[from], &all[to]);
            if length > STAYS {
                let height = (HEIGHT.0 * length).clamp(HEIGHT.1, HEIGHT.2);
                for (n, frame) in all[from..=to].iter_mut().enumerate() {
                    let t = n as f32 / (to - from) as f32;
                    frame[z] = frame[z].max(height * (4.0 * t * (1.0 - t)).powf(0.4));
                }
            }
            from = to;
        }
        let (yaw, pitch) = (first + side::FOOT_YAW, first + side::FOOT_PITCH);
        for n in 1..all.len() {
            if (all[n][yaw] - all[n - 1][yaw]).abs() > TURNS.0 {
                for frame in &mut all[n - 1..=n] {
                    if frame[pitch] >= 0.0 {
                        frame[pitch] = frame[pitch].max(TURNS.1);
                    }
                }
            }
        }
    }
}
