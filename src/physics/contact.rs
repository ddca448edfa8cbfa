//! Contacts and the list that keeps them in order.

use super::flags::ContactFlags;
use super::ids::{BodyId, OwnerId, ShapeId};
use crate::collision::TriangleId;
use crate::maths::Vec3;

/// One side of a contact. All are empty for the level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Half {
    /// Who owns the body.
    pub owner: Option<OwnerId>,
    /// The body.
    pub body: Option<BodyId>,
    /// Its shape.
    pub shape: Option<ShapeId>,
}

/// A contact of a moving shape.
///
/// Source: seed 002, Contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact {
    /// Unit normal that points at the mover.
    pub normal: Vec3,
    /// A point of the touch in metres.
    pub point: Vec3,
    /// Velocity in m/s that a corner slide adds.
    pub slide: Vec3,
    /// Share of the move, 0 to 1.
    pub fraction: f32,
    /// What the resolver does beside the answer.
    pub flags: ContactFlags,
    /// The moving side.
    pub mover: Half,
    /// The other side; without an owner it is the level.
    pub other: Half,
    /// The triangle of the level mesh.
    pub triangle: Option<TriangleId>,
}

impl Contact {
    /// Whether the other side is the level.
    #[inline]
    pub fn is_level(&self) -> bool {
        self.other.owner.is_none()
    }

    /// The same contact seen from the other side, as the mirrored pair functions make it: the halves change places and the
    /// normal turns.
    pub fn mirrored(self) -> Self {
        Self { mover: self.other, other: self.mover, normal: -self.normal, ..self }
    }
}

/// Contacts that a list keeps.
pub const CONTACTS: usize = 50;

/// At most [`CONTACTS`] contacts, sorted by fraction; those of one fraction stay in the order in which they came.
///
/// Source: seed 002, Contacts.
#[derive(Clone, Debug, Default)]
pub struct ContactList {
    contacts: heapless::Vec<Contact, CONTACTS>,
    dropped: u32,
}

impl ContactList {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Inserts a contact; a full list drops its largest fraction and counts it.
    ///
    /// Source: seed 002, Contacts (Contact_InsertSorted 0x0033d718).
    // Covers: seed 002, Contact_InsertSorted (0x0033d718) test=contacts_are_kept_by_fraction_and_equals_in_order
    // Covers: seed 002, MeshContacts_SortByFraction (0x00347300) test=contacts_are_kept_by_fraction_and_equals_in_order
    pub fn insert(&mut self, contact: Contact) {
        let mut at = self.contacts.len();
        while at > 0 && self.contacts[at - 1].fraction > contact.fraction {
            at -= 1;
        }
        if self.contacts.is_full() {
            self.dropped = self.dropped.saturating_add(1);
            if at == CONTACTS {
                return;
            }
            self.contacts.pop();
        }
        // There is room now.
        let _ = self.contacts.insert(at, contact);
    }

    /// Counts contacts that had no room on their way here.
    pub(super) fn drop_more(&mut self, count: u32) {
        self.dropped = self.dropped.saturating_add(count);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.contacts.clear();
        self.dropped = 0;
    }

    /// Keeps the first `max` contacts.
    pub fn truncate(&mut self, max: usize) {
        self.contacts.truncate(max);
    }

    /// The contacts by fraction.
    #[inline]
    pub fn as_slice(&self) -> &[Contact] {
        &self.contacts
    }

    /// The contacts by fraction, to be changed in ways that keep their fractions.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [Contact] {
        &mut self.contacts
    }

    /// Number of contacts.
    #[inline]
    pub fn len(&self) -> usize {
        self.contacts.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// Contacts that found no place since the last [`Self::clear`].
    pub fn dropped(&self) -> u32 {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn at(fraction: f32) -> Contact {
        Contact { fraction, ..Contact::default() }
    }

    fn fractions(list: &ContactList) -> Vec<f32> {
        list.as_slice().iter().map(|contact| contact.fraction).collect()
    }

    #[test]
    fn contacts_are_kept_by_fraction_and_equals_in_order() {
        let mut list = ContactList::new();
        for (i, fraction) in [0.5, 0.25, 0.75, 0.25].into_iter().enumerate() {
            list.insert(Contact { triangle: Some(TriangleId(i as u16)), ..at(fraction) });
        }
        assert_eq!(fractions(&list), [0.25, 0.25, 0.5, 0.75]);
        assert_eq!(list.as_slice()[1].triangle, Some(TriangleId(3)));
    }

    #[test]
    fn a_full_list_drops_the_largest_fraction() {
        let mut list = ContactList::new();
        for i in 0..60 {
            list.insert(at(i as f32));
        }
        list.insert(at(-1.0));
        assert_eq!((list.len(), list.dropped()), (CONTACTS, 11));
        assert_eq!((fractions(&list)[0], fractions(&list)[49]), (-1.0, 48.0));
    }

    #[test]
    fn a_mirrored_contact_swaps_halves_and_turns_its_normal() {
        let half = |n| Half { owner: Some(OwnerId(n)), ..Half::default() };
        let contact = Contact { normal: Vec3::X, mover: half(1), other: half(2), ..at(0.5) };
        let mirrored = contact.mirrored();
        assert_eq!((mirrored.mover, mirrored.other, mirrored.normal), (half(2), half(1), -Vec3::X));
        assert_eq!(mirrored.mirrored(), contact);
    }
}
