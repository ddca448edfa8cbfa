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
fn the_iops_vectors_are_known_through_every_image_and_from_the_end_of_its_memory() {
    let spares = |destination, size| Transfer { destination, size, ..Transfer::default() }.spares_vectors();
    for (destination, size) in
        [(0, 16), (0x80, 4), (0x7F0, 16), (0x0020_0080, 16), (0x8000_0180, 16), (0x001F_FFF0, 17)]
    {
        assert!(!spares(destination, size), "{destination:x} {size:x}");
    }
    for (destination, size) in [(0, 0), (0x800, 64), (0x001F_FFF0, 16), (0x0030_0000, 0x10_0000), (0xA001_0000, 16)] {
        assert!(spares(destination, size), "{destination:x} {size:x}");
    }
}

#[test]
fn what_is_touched_at_the_source_is_whole_quadwords_and_a_header_of_its_own() {
    let own = Transfer { attributes: attribute::HAS_HEADER, ..Transfer::default() };
    assert_eq!(own.touched_size(), 16);
    assert_eq!(Transfer { size: 17, ..own }.touched_size(), 32);
    assert_eq!(Transfer { size: 17, ..Transfer::default() }.touched_size(), 32);
    assert_eq!(Transfer::default().touched_size(), 0);
    assert!(Transfer { source: 0x7000_0010, ..own }.is_in_scratchpad());
    assert!(!Transfer { source: 0x2010_0000, ..own }.is_in_scratchpad());
}

#[test]
fn an_idle_ring_starts_where_the_new_tags_are() {
    let mut ring = Ring::new();
    let at = ring.resumption(channel(0, 0, false));
    assert_eq!((at.start, at.rewrite, at.reopen, at.first, at.free), (0, false, None, 0, TAGS - 1));
    let id = ring.take(3);
    assert_eq!(id, 0x0001_0003);
    ring.status(id, channel(3, 0, false));
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
fn a_transfer_is_not_over_when_it_is_first_asked_for() {
    let mut ring = Ring::new();
    let old = ring.take(1);
    let id = ring.take(1);
    let idle = channel(2, 0, false);
    assert_eq!((ring.status(old, idle), ring.status(0, idle)), (-1, -1));
    assert_eq!((ring.status(id, idle), ring.status(id, idle)), (0, -1));
}

#[test]
fn what_the_channel_cannot_count_does_not_fit() {
    let of = |size: u32| Transfer { size, ..Transfer::default() };
    assert!(of(0xF_FFF0).fits());
    assert!(!of(0xF_FFF1).fits());
    assert!(!of(u32::MAX).fits());
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
