//! The music's layers: which one is heard, and the change from one to the other on a beat.

use crate::maths::scalar;
use boardwalk_iop::adpcm::{OUTPUT_RATE, PITCH_48K};
use boardwalk_iop::music::{CHANNEL_SAMPLES, Header, LAYERS};
use core::f32::consts::FRAC_PI_2;

/// Beats that a change takes.
const FADE_BEATS: f32 = 2.0;
/// The music's full volume on the voices.
const FULL: f32 = 0x3FFF as f32;

/// A layer of the music.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layer {
    /// The pier at night.
    #[default]
    Calm,
    /// It has come to blows.
    Fight,
}

/// How a change goes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    /// None is wanted.
    Still,
    /// Waits for the beat after this one.
    Waits(u32),
    /// Goes on.
    Fades,
}

/// The mix of both layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mix {
    samples_per_beat: f32,
    seconds_per_beat: f32,
    layer: Layer,
    /// Share of the fight, 0 to 1.
    share: f32,
    change: Change,
    level: f32,
    told: Option<[u16; LAYERS]>,
}

impl Mix {
    /// The mix of music with this header, calm.
    pub fn new(header: Header) -> Self {
        let samples = header.groups as f32 * CHANNEL_SAMPLES as f32;
        let rate = OUTPUT_RATE as f32 * f32::from(header.pitch) / f32::from(PITCH_48K);
        let samples_per_beat = samples / header.beats.max(1) as f32;
        Self {
            samples_per_beat,
            seconds_per_beat: samples_per_beat / rate.max(1.0),
            layer: Layer::Calm,
            share: 0.0,
            change: Change::Still,
            level: 1.0,
            told: None,
        }
    }

    /// Sets the music's volume, 0 to 1.
    pub const fn set_level(&mut self, level: f32) {
        self.level = level.clamp(0.0, 1.0);
    }

    /// The layer that is heard, or on its way.
    pub const fn layer(&self) -> Layer {
        self.layer
    }

    /// The beat that a sample lies in.
    pub fn beat(&self, sample: u32) -> u32 {
        (sample as f32 / self.samples_per_beat) as u32
    }

    /// Wants a layer. The change begins with the beat after the one that is heard now.
    pub fn want(&mut self, layer: Layer, sample: u32) {
        if layer != self.layer {
            self.layer = layer;
            self.change = Change::Waits(self.beat(sample));
        }
    }

    /// Volumes of both layers. Their powers add up to one, so that the change has no hole in its middle.
    pub fn volumes(&self) -> [u16; LAYERS] {
        let (fight, calm) = scalar::sin_cos(self.share * FRAC_PI_2);
        [calm, fight].map(|share| (share * self.level * FULL) as u16)
    }

    /// Lets time pass while a sample is heard; the volumes, when the module has not been told of them. Call [`told`](Self::told) then.
    pub fn update(&mut self, seconds: f32, sample: u32) -> Option<[u16; LAYERS]> {
        if let Change::Waits(beat) = self.change
            && self.beat(sample) != beat
        {
            self.change = Change::Fades;
        }
        if self.change == Change::Fades {
            let step = seconds / (FADE_BEATS * self.seconds_per_beat);
            let (step, end) = if self.layer == Layer::Fight { (step, 1.0) } else { (-step, 0.0) };
            self.share = (self.share + step).clamp(0.0, 1.0);
            if self.share == end {
                self.change = Change::Still;
            }
        }
        let volumes = self.volumes();
        (self.told != Some(volumes)).then_some(volumes)
    }

    /// Notes what the module has been told.
    pub const fn told(&mut self, volumes: [u16; LAYERS]) {
        self.told = Some(volumes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// 32 kHz, 14,336 samples a beat: 0.448 s.
    fn mix() -> Mix {
        let mut mix = Mix::new(Header { pitch: 0xAAA, groups: 12, loop_group: 0, beats: 12 });
        let volumes = mix.update(0.0, 0).unwrap();
        mix.told(volumes);
        mix
    }

    /// Frames of a thirtieth from a sample on: the share of the fight in each, and the beat.
    fn frames(mix: &mut Mix, from: u32, count: u32) -> Vec<(u32, f32)> {
        (0..count)
            .map(|frame| {
                let sample = from + frame * 32_000 / 30;
                if let Some(volumes) = mix.update(1.0 / 30.0, sample) {
                    mix.told(volumes);
                }
                (mix.beat(sample), mix.share)
            })
            .collect()
    }

    #[test]
    fn a_change_begins_with_the_next_beat_and_takes_two() {
        let mut mix = mix();
        mix.want(Layer::Fight, 15_000);
        let frames = frames(&mut mix, 15_000, 60);
        let first = frames.iter().find(|(_, share)| *share > 0.0).unwrap();
        assert_eq!(first.0, 2);
        assert!(frames.iter().all(|(beat, share)| *beat >= 2 || *share == 0.0));
        let last = frames.iter().find(|(_, share)| *share == 1.0).unwrap();
        assert!((3..=4).contains(&last.0), "{last:?}");
    }

    #[test]
    fn powers_add_up_all_through_a_change_and_there_is_no_jump() {
        let mut mix = mix();
        mix.want(Layer::Fight, 0);
        let mut last = mix.volumes();
        for frame in 0..60 {
            mix.update(1.0 / 30.0, frame * 32_000 / 30);
            let volumes = mix.volumes();
            let power: f32 = volumes.iter().map(|&volume| (f32::from(volume) / FULL).powi(2)).sum();
            assert!((power - 1.0).abs() < 0.001, "{power}");
            assert!(volumes.iter().zip(last).all(|(now, then)| now.abs_diff(then) < 1200), "{last:?} {volumes:?}");
            last = volumes;
        }
        assert_eq!(last, [0, 0x3FFF]);
    }

    #[test]
    fn whoever_changes_their_mind_goes_back_from_where_it_is() {
        let mut mix = mix();
        mix.want(Layer::Fight, 0);
        frames(&mut mix, 14_000, 14);
        let share = mix.share;
        assert!(share > 0.2 && share < 0.8, "{share}");
        mix.want(Layer::Calm, 28_000);
        let back = frames(&mut mix, 28_800, 60);
        assert!(back[0].1 <= share && back.last().unwrap().1 == 0.0);
    }

    #[test]
    fn the_module_is_told_only_of_changes() {
        let mut mix = mix();
        assert_eq!(mix.update(0.1, 0), None);
        mix.set_level(0.5);
        assert_eq!(mix.update(0.1, 0), Some([0x1FFF, 0]));
    }
}
