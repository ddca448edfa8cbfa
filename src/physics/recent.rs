//! What sweeping did lately: totals, and the latest contacts, for whoever watches.

use super::contact::Contact;
use crate::maths::Vec3;

/// Contacts that are kept.
pub const RECENT_CONTACTS: usize = 32;

/// A contact as it is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactMark {
    /// Where, in metres.
    pub point: Vec3,
    /// Its normal.
    pub normal: Vec3,
    /// With the level's mesh rather than with a body.
    pub level: bool,
}

/// Totals and the latest contacts; the totals wrap.
#[derive(Clone, Debug, Default)]
pub struct Recent {
    marks: [ContactMark; RECENT_CONTACTS],
    kept: u32,
    /// Passes of sweeps.
    pub passes: u32,
    /// Contacts met.
    pub contacts: u32,
    /// Bodies whose boxes were met, so that their shapes were looked at.
    pub candidates: u32,
}

impl Recent {
    /// A pass met these contacts; their nearest is kept.
    pub(super) fn note(&mut self, contacts: &[Contact]) {
        self.passes = self.passes.wrapping_add(1);
        self.contacts = self.contacts.wrapping_add(contacts.len() as u32);
        let Some(nearest) = contacts.first() else { return };
        let mark = ContactMark { point: nearest.point, normal: nearest.normal, level: nearest.is_level() };
        self.marks[self.kept as usize % RECENT_CONTACTS] = mark;
        self.kept = self.kept.wrapping_add(1);
    }

    /// The latest contacts, newest first.
    pub fn marks(&self) -> impl Iterator<Item = &ContactMark> {
        let kept = (self.kept as usize).min(RECENT_CONTACTS);
        (0..kept).map(|ago| &self.marks[self.kept.wrapping_sub(1 + ago as u32) as usize % RECENT_CONTACTS])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::contact::Half;
    use crate::physics::flags::ContactFlags;
    use std::vec::Vec;

    fn contact(x: f32) -> Contact {
        Contact {
            normal: Vec3::Z,
            point: Vec3::X * x,
            slide: Vec3::ZERO,
            fraction: 0.5,
            flags: ContactFlags::default(),
            mover: Half::default(),
            other: Half::default(),
            triangle: None,
        }
    }

    #[test]
    fn the_nearest_contact_of_each_pass_is_kept_newest_first() {
        let mut recent = Recent::default();
        recent.note(&[]);
        for pass in 0..RECENT_CONTACTS + 3 {
            recent.note(&[contact(pass as f32), contact(-1.0)]);
        }
        let marks: Vec<f32> = recent.marks().map(|mark| mark.point.x).collect();
        assert_eq!((marks.len(), marks[0], marks[RECENT_CONTACTS - 1]), (RECENT_CONTACTS, 34.0, 3.0));
        assert_eq!((recent.passes, recent.contacts), (36, 70));
    }
}
