//! Clips for tests, made of numbers.

use super::events::Event;
use super::library::ClipLibrary;
use super::skeleton::{BONES, Skeleton, bone};
use super::write::{NewClip, library};
use crate::maths::{Quat, Vec3};
use std::vec::Vec;

/// A clip of `frames` frames that walks `distance` metres ahead, turns its head by `nod` radians and has events.
pub fn clip(id: u16, flags: u32, frames: u16, distance: f32, nod: f32, events: &[(u16, u16)]) -> NewClip {
    let count = usize::from(frames) + 1;
    let at = |n: usize| n as f32 / f32::from(frames);
    let mut rotations = std::vec![None; BONES];
    let skeleton = Skeleton::new();
    rotations[bone::ROOT] = Some(std::vec![super::skeleton::rest_rotation(bone::ROOT); count]);
    rotations[bone::HEAD] = Some(
        (0..count).map(|n| skeleton.reference[bone::HEAD] * Quat::from_axis_angle(Vec3::Y, nod * at(n))).collect(),
    );
    NewClip {
        id,
        name: std::format!("clip {id}"),
        flags,
        motion: (0..count).map(|n| Vec3::Y * (distance * at(n))).collect(),
        turn: std::vec![0.0; count],
        root: std::vec![Vec3::new(0.0, 0.0, 0.96); count],
        rotations,
        events: events.iter().map(|(frame, kind)| Event { frame: *frame, kind: *kind, ..Event::default() }).collect(),
    }
}

/// A library of such clips.
pub fn clips(list: &[NewClip]) -> ClipLibrary {
    ClipLibrary::read(library(list).into_boxed_slice()).unwrap()
}

/// The numbers of every clip of a library.
pub fn ids(library: &ClipLibrary) -> Vec<u16> {
    library.iter().map(|(_, clip)| clip.id).collect()
}
