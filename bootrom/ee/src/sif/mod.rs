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

/// Bytes of a quadword.
const QUADWORD: u32 = 16;

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

    /// Bytes at the source that are touched: of one that brings its own header, that is written in any case.
    pub fn touched_size(&self) -> u32 {
        let header = if self.attributes & attribute::HAS_HEADER != 0 { QUADWORD } else { 0 };
        self.rounded_size().max(header)
    }

    /// True when the source is the scratchpad, which the channel does not see by that address.
    pub fn is_in_scratchpad(&self) -> bool {
        self.source >> 28 == 7
    }

    /// True when the channel's counters can hold it.
    pub fn fits(&self) -> bool {
        /// Most quadwords of a tag.
        const MOST: u32 = 0xFFFF;
        self.rounded_size() / QUADWORD <= MOST
    }

    /// True when it goes beyond the vectors and low words of the IOP's kernel, through whichever of the images that its memory has.
    ///
    /// Source: IOP kernel, low memory map
    pub fn spares_vectors(&self) -> bool {
        const ADDRESS_BITS: u32 = 0x00FF_FFFF;
        const IOP_MEMORY: u32 = 0x20_0000;
        const LOW_WORDS_END: u32 = 0x800;
        let start = (self.destination & ADDRESS_BITS) % IOP_MEMORY;
        self.size == 0 || start >= LOW_WORDS_END && self.rounded_size() <= IOP_MEMORY - start
    }

    /// Number of tags that it takes.
    pub fn tags(&self) -> usize {
        if self.attributes & attribute::HAS_HEADER == 0 && self.rounded_size() > COPIED { 2 } else { 1 }
    }
}

/// A tag's first two words: count, kind and interrupt; physical address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tag {
    /// Quadwords, kind and interrupt bit.
    pub word: u32,
    /// Where the data is, or the next tag.
    pub address: u32,
}

impl Tag {
    /// The tag for what is left of one that was stopped.
    pub const fn rest(self, quadwords: u32, address: u32) -> Self {
        Self { word: self.word & !0xFFFF | quadwords & 0xFFFF, address }
    }

    /// A former last tag, leading on.
    pub const fn reopened(self) -> Self {
        Self { word: self.word & !tag::KIND | tag::REF, address: self.address }
    }
}

/// The tags of a transfer, [`Transfer::tags`] of them. `slot` is the physical address of the header and of what is copied
/// behind it; `last` ends the channel.
pub fn tags_of(transfer: &Transfer, slot: u32, last: bool) -> [Tag; 2] {
    let interrupt = if transfer.attributes & attribute::INTERRUPT_HERE != 0 { tag::INTERRUPT } else { 0 };
    let end = interrupt | if last { tag::REFE } else { tag::REF };
    let size = transfer.rounded_size();
    let source = transfer.source & 0x1FFF_FFFF;
    if transfer.attributes & attribute::HAS_HEADER != 0 {
        return [Tag { word: end | (size / QUADWORD), address: source }, Tag::default()];
    }
    let copied = size.min(COPIED);
    let quadwords = 1 + copied / QUADWORD;
    if size == copied {
        return [Tag { word: end | quadwords, address: slot }, Tag::default()];
    }
    [
        Tag { word: tag::REF | quadwords, address: slot },
        Tag { word: end | ((size - copied) / QUADWORD), address: source + copied },
    ]
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
    /// The latest transfer, until somebody asks for it.
    unasked: u32,
}

impl Ring {
    /// An empty ring.
    pub const fn new() -> Self {
        Self { next: 0, count: 0, owners: [0; TAGS], unasked: 0 }
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
        self.unasked = u32::from(self.count) << 16 | (first as u32) << 8 | tags as u32;
        self.unasked
    }

    /// What SifDmaStat returns for an id: −1 sent, 0 being sent, 1 waiting.
    ///
    /// Right behind its SifSetDma a transfer is not over, however short: programs wait for the change. Source: EE kernel
    /// semantics, section 10.
    pub fn status(&mut self, id: u32, channel: Channel) -> i32 {
        let state = self.state(id, channel);
        if id != 0 && id == self.unasked {
            self.unasked = 0;
            return state.max(0);
        }
        state
    }

    fn state(&self, id: u32, channel: Channel) -> i32 {
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
mod model;
#[cfg(test)]
mod tests;
