//! The DMA channels by their numbers: registers, places in the control registers, and values that start them.
//!
//! Source: hardware notes, DMA controller

/// Channels with a register block.
pub const CHANNELS: u32 = 13;
const LOW_CHANNELS: u32 = 7;
const FIRST_LOW: u32 = 0x1F80_1080;
const FIRST_HIGH: u32 = 0x1F80_1500;
const BLOCK_BYTES: u32 = 0x10;
/// Control register of channels 0 to 6, of 7 to 12.
const CONTROL: u32 = 0x1F80_10F0;
const CONTROL_2: u32 = 0x1F80_1570;
/// A channel's bits in its control register.
const CONTROL_BITS: u32 = 4;
/// Of those: enabled.
pub const ENABLE: u32 = 8;
/// Of those: priority.
pub const PRIORITY: u32 = 7;
/// Channels with a tag address: the sound unit's first core and the two of the interface to the EE.
const TAGGED: [u32; 3] = [4, 9, 10];
/// Their extra words.
const EXTRA: [(u32, u32); 3] = [(9, 0x1F80_1560), (10, 0x1F80_1564), (4, 0x1F80_1568)];

/// Channel control: from memory to the device.
const TO_DEVICE: u32 = 1;
/// Slices on request.
const SLICES: u32 = 0x200;
/// Bit of transfers to memory on the channels that the older machine does not have in this role.
const TO_MEMORY: u32 = 1 << 30;
/// Starts a channel; set while it is busy.
pub const START: u32 = 1 << 24;
/// Channel control of a chain to the EE, from the EE.
pub const CHAIN_TO_EE: u32 = 0x701;
/// See [`CHAIN_TO_EE`].
pub const CHAIN_FROM_EE: u32 = 0x4000_0300;
/// Channels of the sound unit.
const SOUND: [u32; 2] = [4, 7];
/// The expansion device.
const EXPANSION: u32 = 8;

/// Physical address of a channel's registers: address, blocks, control, tag.
#[must_use]
pub fn registers(channel: u32) -> Option<u32> {
    match channel {
        0..LOW_CHANNELS => Some(FIRST_LOW + channel * BLOCK_BYTES),
        LOW_CHANNELS..CHANNELS => Some(FIRST_HIGH + (channel - LOW_CHANNELS) * BLOCK_BYTES),
        _ => None,
    }
}

/// Physical address of a channel's tag register, for those that have one.
#[must_use]
pub fn tag_register(channel: u32) -> Option<u32> {
    TAGGED.contains(&channel).then(|| registers(channel).map(|block| block + 12)).flatten()
}

/// Physical address of a channel's extra word, for those that have one.
#[must_use]
pub fn extra_register(channel: u32) -> Option<u32> {
    EXTRA.into_iter().find(|(number, _)| *number == channel).map(|(_, address)| address)
}

/// Physical address of the control register that has a channel's bits, and how far they are shifted.
#[must_use]
pub fn control(channel: u32) -> Option<(u32, u32)> {
    match channel {
        0..LOW_CHANNELS => Some((CONTROL, channel * CONTROL_BITS)),
        LOW_CHANNELS..CHANNELS => Some((CONTROL_2, (channel - LOW_CHANNELS) * CONTROL_BITS)),
        _ => None,
    }
}

/// The channel control value of slices to (`to_device`) or from the channel's device, without the start bit.
#[must_use]
pub fn slice_control(channel: u32, to_device: bool) -> u32 {
    if to_device {
        SLICES | TO_DEVICE
    } else if SOUND.contains(&channel) || channel == EXPANSION {
        SLICES
    } else {
        SLICES | TO_MEMORY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_channel_has_its_registers() {
        assert_eq!(registers(3), Some(0x1F80_10B0));
        assert_eq!(registers(6), Some(0x1F80_10E0));
        assert_eq!(registers(7), Some(0x1F80_1500));
        assert_eq!(registers(12), Some(0x1F80_1550));
        assert_eq!((registers(13), registers(u32::MAX)), (None, None));
        assert_eq!((tag_register(9), tag_register(3)), (Some(0x1F80_152C), None));
        assert_eq!((extra_register(4), extra_register(0)), (Some(0x1F80_1568), None));
        assert_eq!((control(3), control(9), control(13)), (Some((CONTROL, 12)), Some((CONTROL_2, 8)), None));
    }

    #[test]
    fn slices_start_with_the_values_that_the_channels_take() {
        assert_eq!(slice_control(3, false) | START, 0x4100_0200);
        assert_eq!(slice_control(4, false) | START, 0x0100_0200);
        assert_eq!(slice_control(7, true) | START, 0x0100_0201);
        assert_eq!(slice_control(11, true) | START, 0x0100_0201);
        assert_eq!(slice_control(12, false) | START, 0x4100_0200);
    }
}
