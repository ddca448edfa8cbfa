//! The ring against a model of the channel: whenever it is stopped and filled, every quadword leaves once and in order.

use super::*;
use proptest::prelude::*;
use std::vec::Vec;

/// The channel and its memory. Addresses of tags are their numbers.
struct Model {
    tags: [Tag; TAGS + 1],
    next: usize,
    address: u32,
    quadwords: u32,
    last: bool,
    running: bool,
    sent: Vec<u32>,
}

impl Model {
    fn new() -> Self {
        let mut tags = [Tag::default(); TAGS + 1];
        tags[TAGS] = Tag { word: tag::NEXT, address: 0 };
        Self { tags, next: 0, address: 0, quadwords: 0, last: false, running: false, sent: Vec::new() }
    }

    /// Sends up to `count` quadwords.
    fn step(&mut self, count: u32) {
        for _ in 0..count {
            while self.running && self.quadwords == 0 {
                if self.last {
                    self.running = false;
                    return;
                }
                let Tag { word, address } = self.tags[self.next];
                self.quadwords = word & 0xFFFF;
                self.address = address;
                self.last = word & tag::KIND == tag::REFE;
                self.next = if word & tag::KIND == tag::NEXT { address as usize } else { self.next + 1 };
            }
            if !self.running {
                return;
            }
            self.sent.push(self.address);
            self.address += 16;
            self.quadwords -= 1;
        }
    }

    fn channel(&self) -> Channel {
        Channel { next_tag: self.next, quadwords: self.quadwords, running: self.running }
    }

    fn go(&mut self, start: usize) {
        self.next = start;
        self.quadwords = 0;
        self.last = false;
        self.running = true;
    }
}

/// What the kernel does with registers, on the model. False when the ring has no room.
fn submit(model: &mut Model, ring: &mut Ring, transfers: &[(Transfer, u32)]) -> bool {
    let needed = transfers.iter().map(|(transfer, _)| transfer.tags()).sum();
    let at = ring.resumption(model.channel());
    if at.rewrite {
        model.tags[at.start] = model.tags[at.start].rest(model.quadwords, model.address);
    }
    if at.free < needed {
        if model.running {
            model.go(at.start);
        }
        return false;
    }
    if let Some(last) = at.reopen {
        model.tags[last] = model.tags[last].reopened();
    }
    ring.take(needed);
    let mut index = at.first;
    let mut left = needed;
    for (transfer, slot) in transfers {
        left -= transfer.tags();
        for tag in &tags_of(transfer, *slot, left == 0)[..transfer.tags()] {
            model.tags[index] = *tag;
            index = (index + 1) % TAGS;
        }
    }
    model.go(at.start);
    true
}

/// Addresses of the quadwords that a transfer sends.
fn quadwords(transfer: &Transfer, slot: u32) -> impl Iterator<Item = u32> {
    let size = transfer.rounded_size();
    let (own, copied) = if transfer.attributes & attribute::HAS_HEADER != 0 {
        (0, 0)
    } else {
        (16 + size.min(COPIED), size.min(COPIED))
    };
    let rest = transfer.source + copied..transfer.source + size;
    (slot..slot + own).step_by(16).chain(rest.step_by(16))
}

fn transfer() -> impl Strategy<Value = Transfer> {
    (1u32..400, any::<bool>()).prop_map(|(size, header)| Transfer {
        size,
        attributes: if header { attribute::HAS_HEADER } else { 0 },
        ..Transfer::default()
    })
}

proptest! {
    #[test]
    fn every_quadword_leaves_once_and_in_order(
        lists in proptest::collection::vec((proptest::collection::vec(transfer(), 1..5), 0u32..60), 1..60)
    ) {
        let mut model = Model::new();
        let mut ring = Ring::new();
        let mut expected = Vec::new();
        // Sources and slots of their own for every transfer, so that a quadword tells where it comes from.
        let mut source = 0x0010_0000;
        for (list, steps) in lists {
            let placed: Vec<_> = list
                .into_iter()
                .map(|transfer| {
                    source += 0x1000;
                    (Transfer { source, ..transfer }, source + 0x800)
                })
                .collect();
            while !submit(&mut model, &mut ring, &placed) {
                prop_assert!(model.running, "an idle ring has room");
                model.step(7);
            }
            expected.extend(placed.iter().flat_map(|(transfer, slot)| quadwords(transfer, *slot)));
            model.step(steps);
        }
        model.step(u32::MAX >> 8);
        prop_assert!(!model.running);
        prop_assert_eq!(model.sent, expected);
    }
}
