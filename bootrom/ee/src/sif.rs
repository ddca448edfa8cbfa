//! The ring of transfers to the IOP (DMA channel 6): which tags are free, how a transfer is identified and how far it
//! is. The binary writes the tags and the channel's registers.
//!
//! A transfer of programs is up to 112 bytes that the kernel copies behind a header for the IOP's DMA, and a second tag
//! for what is longer. The channel runs through the tags in order; the last one ends it. To add transfers the channel
//! is stopped, the tag it stopped in is rewritten for what is left of it, and it goes on from there.
//!
//! Source: EE kernel semantics, section 10; PS2 hardware facts, section 2.3.

/// Tags of the ring. Behind the last one a link leads back to the first.
pub const TAGS: usize = 31;
/// Bytes of a transfer that the kernel copies.
pub const COPIED: u32 = 112;

/// Attribute bits of a transfer.
pub mod attribute {
    /// Interrupt the EE when the transfer has been sent.
    pub const INTERRUPT_HERE: u32 = 0x02;
    /// Interrupt the IOP when it has arrived.
    pub const INTERRUPT_IOP: u32 = 0x04;
    /// The source already starts with the IOP's header.
    pub const HAS_HEADER: u32 = 0x20;
    /// Last block: the IOP's channel ends.
    pub const END: u32 = 0x40;
}

/// DMA tag kinds in the place they have in a tag.
pub mod tag {
    /// Transfer, then end.
    pub const REFE: u32 = 0 << 28;
    /// Transfer nothing of its own here, go on at the address.
    pub const NEXT: u32 = 2 << 28;
    /// Transfer, then the next tag.
    pub const REF: u32 = 3 << 28;
    /// The kind's bits.
    pub const KIND: u32 = 7 << 28;
    /// Interrupt after this tag.
    pub const INTERRUPT: u32 = 1 << 31;
}

/// What a program puts in SifSetDma's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Transfer {
    /// Address here, 16-byte aligned.
    pub source: u32,
    /// Address on the IOP, 16-byte aligned.
    pub destination: u32,
    /// Bytes; rounded up to whole quadwords.
    pub size: u32,
    /// [`attribute`] bits.
    pub attributes: u32,
}

impl Transfer {
    /// Bytes as they go over the wire.
    pub fn rounded_size(&self) -> u32 {
        self.size.saturating_add(15) & !15
    }

    /// The quadword that leads the data on the IOP's side.
    pub fn header(&self) -> [u32; 4] {
        let end = if self.attributes & attribute::END != 0 { 1 << 31 } else { 0 };
        let interrupt = if self.attributes & attribute::INTERRUPT_IOP != 0 { 1 << 30 } else { 0 };
        [self.destination & 0x00FF_FFFF | end | interrupt, self.rounded_size() / 4, 0, 0]
    }

    /// Number of tags that it takes.
    pub fn tags(&self) -> usize {
        if self.attributes & attribute::HAS_HEADER == 0 && self.rounded_size() > COPIED { 2 } else { 1 }
    }
}

/// The channel as its registers show it once it has been stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Tag that would be read next; [`TAGS`] is the link behind the last one.
    pub next_tag: usize,
    /// Quadwords left of the tag before it.
    pub quadwords: u32,
    /// It had not ended by itself.
    pub running: bool,
}

/// How to go on with the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resumption {
    /// Tag to start at.
    pub start: usize,
    /// The start tag was stopped half-way: rewrite it for what is left.
    pub rewrite: bool,
    /// A tag that was the last one and must lead on now.
    pub reopen: Option<usize>,
    /// First tag for the new transfers.
    pub first: usize,
    /// Tags free for new transfers.
    pub free: usize,
}

/// The ring's state between calls.
pub struct Ring {
    next: usize,
    count: u16,
    owners: [u16; TAGS],
}

impl Ring {
    /// An empty ring.
    pub const fn new() -> Self {
        Self { next: 0, count: 0, owners: [0; TAGS] }
    }

    /// Where the channel is and what may be added.
    pub fn resumption(&self, channel: Channel) -> Resumption {
        let start = self.start(channel);
        let pending = self.distance(start, self.next);
        let rewrite = channel.running && channel.quadwords != 0;
        let pending = if channel.running { pending } else { 0 };
        Resumption {
            start: if pending == 0 { self.next } else { start },
            rewrite: rewrite && pending != 0,
            reopen: (pending != 0).then(|| (self.next + TAGS - 1) % TAGS),
            first: self.next,
            free: TAGS - 1 - pending,
        }
    }

    /// True while the channel has sent all that it had and does not yet show it.
    pub fn is_ending(&self, channel: Channel) -> bool {
        channel.running && channel.quadwords == 0 && self.start(channel) == self.next
    }

    /// Takes `tags` tags for one call; its id, never 0 and never negative.
    pub fn take(&mut self, tags: usize) -> u32 {
        self.count = self.count % 0x7FFF + 1;
        let first = self.next;
        for offset in 0..tags {
            self.owners[(first + offset) % TAGS] = self.count;
        }
        self.next = (first + tags) % TAGS;
        u32::from(self.count) << 16 | (first as u32) << 8 | tags as u32
    }

    /// What SifDmaStat returns for an id: −1 sent, 0 being sent, 1 waiting.
    pub fn status(&self, id: u32, channel: Channel) -> i32 {
        let (count, first, tags) = ((id >> 16) as u16, (id >> 8 & 0xFF) as usize, (id & 0xFF) as usize);
        if !channel.running || first >= TAGS || tags == 0 || tags >= TAGS || self.owners[first] != count {
            return -1;
        }
        let start = self.start(channel);
        let pending = self.distance(start, self.next);
        let place = self.distance(start, first);
        if self.distance(first, start) < tags && pending != 0 {
            0
        } else if place < pending {
            1
        } else {
            -1
        }
    }

    /// The oldest tag that is not done.
    fn start(&self, channel: Channel) -> usize {
        let next_tag = channel.next_tag.min(TAGS);
        if channel.quadwords != 0 { (next_tag + TAGS - 1) % TAGS } else { next_tag % TAGS }
    }

    fn distance(&self, from: usize, to: usize) -> usize {
        (to + TAGS - from) % TAGS
    }
}

impl Default for Ring {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(next_tag: usize, quadwords: u32, running: bool) -> Channel {
        Channel { next_tag, quadwords, running }
    }

    #[test]
    fn a_header_carries_destination_end_and_interrupt() {
        let transfer = Transfer {
            source: 0,
            destination: 0x8001_2340,
            size: 20,
            attributes: attribute::END | attribute::INTERRUPT_IOP,
        };
        assert_eq!(transfer.header(), [0xC001_2340, 8, 0, 0]);
        assert_eq!(transfer.tags(), 1);
        assert_eq!(Transfer { size: 113, ..transfer }.tags(), 2);
        assert_eq!(Transfer { size: 500, attributes: attribute::HAS_HEADER, ..transfer }.tags(), 1);
    }

    #[test]
    fn an_idle_ring_starts_where_the_new_tags_are() {
        let mut ring = Ring::new();
        let at = ring.resumption(channel(0, 0, false));
        assert_eq!((at.start, at.rewrite, at.reopen, at.first, at.free), (0, false, None, 0, TAGS - 1));
        let id = ring.take(3);
        assert_eq!(id, 0x0001_0003);
        assert_eq!(ring.status(id, channel(3, 0, false)), -1);
        assert_eq!(ring.resumption(channel(3, 0, false)).start, 3);
    }

    #[test]
    fn a_transfer_is_waiting_then_running_then_done() {
        let mut ring = Ring::new();
        let first = ring.take(1);
        let second = ring.take(2);
        assert_eq!(ring.status(first, channel(1, 5, true)), 0);
        assert_eq!(ring.status(second, channel(1, 5, true)), 1);
        assert_eq!(ring.status(first, channel(2, 5, true)), -1);
        assert_eq!(ring.status(second, channel(2, 5, true)), 0);
        assert_eq!(ring.status(second, channel(3, 5, true)), 0);
        assert_eq!(ring.status(second, channel(3, 0, false)), -1);
    }

    #[test]
    fn a_tag_stopped_half_way_is_rewritten_and_the_former_last_one_leads_on() {
        let mut ring = Ring::new();
        ring.take(4);
        let at = ring.resumption(channel(2, 7, true));
        assert_eq!((at.start, at.rewrite, at.reopen, at.first), (1, true, Some(3), 4));
        assert_eq!(at.free, TAGS - 1 - 3);
    }

    #[test]
    fn the_ring_wraps_through_its_link() {
        let mut ring = Ring::new();
        ring.take(29);
        let id = ring.take(3);
        assert_eq!(id & 0xFF00, 29 << 8);
        assert_eq!(ring.status(id, channel(TAGS, 1, true)), 0, "stopped in the last tag");
        assert_eq!(ring.status(id, channel(1, 1, true)), 0, "stopped in the first tag");
        assert_eq!(ring.resumption(channel(TAGS, 1, true)).start, 30);
        assert_eq!(ring.resumption(channel(TAGS, 0, true)).start, 0);
        assert_eq!(ring.status(id, channel(1, 0, false)), -1);
    }

    #[test]
    fn a_channel_is_ending_when_nothing_of_the_ring_is_left() {
        let mut ring = Ring::new();
        ring.take(2);
        assert!(!ring.is_ending(channel(1, 0, true)));
        assert!(!ring.is_ending(channel(2, 1, true)));
        assert!(ring.is_ending(channel(2, 0, true)));
        assert!(!ring.is_ending(channel(2, 0, false)));
    }

    #[test]
    fn an_old_id_stays_done_when_its_tags_are_used_again() {
        let mut ring = Ring::new();
        let old = ring.take(1);
        for _ in 0..TAGS {
            ring.take(1);
        }
        assert_eq!(ring.status(old, channel(0, 3, true)), -1);
        assert_eq!(ring.status(0, channel(0, 3, true)), -1);
        assert_eq!(ring.status(u32::MAX, channel(0, 3, true)), -1);
    }
}
