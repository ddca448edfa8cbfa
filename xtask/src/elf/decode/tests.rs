//! Tests of the decoder as a whole: operands, flow, and that no word upsets it.

use super::*;
use proptest::prelude::*;

fn ee(word: u32) -> Instruction {
    decode(Cpu::R5900, word).unwrap_or_else(|why| panic!("{word:08x}: {why}"))
}

fn gprs(numbers: &[u32]) -> Registers {
    numbers.iter().fold(Registers::NONE, |set, &number| set | Registers::gpr(number))
}

#[test]
fn operands_are_read_and_written_by_form() {
    let cases = [
        (0x00A6_2021, "addu", gprs(&[5, 6]), gprs(&[4])),
        (0x0005_2080, "sll", gprs(&[5]), gprs(&[4])),
        (0x24A4_0001, "addiu", gprs(&[5]), gprs(&[4])),
        (0x3C04_0001, "lui", Registers::NONE, gprs(&[4])),
        (0x8CA4_0000, "lw", gprs(&[5]), gprs(&[4])),
        (0xACA4_0000, "sw", gprs(&[4, 5]), Registers::NONE),
        (0x88A4_0003, "lwl", gprs(&[4, 5]), gprs(&[4])),
        (0x0085_0018, "mult", gprs(&[4, 5]), Registers::HI_LO),
        (0x0085_1018, "mult", gprs(&[4, 5]), Registers::HI_LO | gprs(&[2])),
        (0x0000_1012, "mflo", Registers::LO, gprs(&[2])),
        (0x0080_0011, "mthi", gprs(&[4]), Registers::HI),
        (0x4002_6000, "mfc0", Registers::NONE, gprs(&[2])),
        (0x4082_6000, "mtc0", gprs(&[2]), Registers::NONE),
        (0x0080_F809, "jalr", gprs(&[4]), Registers::RA),
        (0x0411_0001, "bgezal", Registers::NONE, Registers::RA),
        (0x4842_B000, "cfc2", Registers::VU_Q, gprs(&[2])),
        (0x48C2_9000, "ctc2", gprs(&[2]), Registers::VU_CLIP),
        (0x7085_16E8, "qfsrv", gprs(&[4, 5]) | Registers::SA, gprs(&[2])),
        (0x0498_0018, "mtsab", gprs(&[4]), Registers::SA),
    ];
    for (word, name, reads, writes) in cases {
        let found = ee(word);
        assert_eq!((found.name, found.reads, found.writes), (name, reads, writes), "{word:08x}");
    }
}

#[test]
fn the_zero_register_is_in_no_set() {
    assert_eq!(Registers::gpr(0), Registers::NONE);
    assert_eq!(ee(0x0000_0021).reads, Registers::NONE);
}

#[test]
fn branches_that_always_hold_are_told_from_conditional_ones() {
    let always = |word| matches!(ee(word).flow, Flow::Branch { always: true, .. });
    for word in [0x1000_0001, 0x1084_0001, 0x0401_0001, 0x0411_0001, 0x1800_0001, 0x5000_0001] {
        assert!(always(word), "{word:08x}");
    }
    for word in [0x1085_0001, 0x1400_0001, 0x0400_0001, 0x1C00_0001, 0x0481_0001, 0x4500_0001, 0x4501_0001] {
        assert!(!always(word), "{word:08x}");
    }
}

#[test]
fn likely_branches_are_told_from_ordinary_ones() {
    let likely = |word| matches!(ee(word).flow, Flow::Branch { likely: true, .. });
    for word in [0x5085_0001, 0x5485_0001, 0x5880_0001, 0x5C80_0001, 0x0482_0001, 0x0483_0001, 0x0493_0001, 0x4502_0001]
    {
        assert!(likely(word), "{word:08x}");
    }
    for word in [0x1085_0001, 0x1880_0001, 0x0480_0001, 0x0481_0001, 0x0491_0001, 0x4501_0001] {
        assert!(!likely(word), "{word:08x}");
    }
}

#[test]
fn targets_count_from_the_delay_slot() {
    assert_eq!(ee(0x1085_FFFF).flow.target(0x0010_0000), Some(0x0010_0000));
    assert_eq!(ee(0x1085_0001).flow.target(0x0010_0000), Some(0x0010_0008));
    assert_eq!(ee(0x0C04_0010).flow.target(0x8010_0000), Some(0x8010_0040));
    assert_eq!(ee(0x03E0_0008).flow.target(0x0010_0000), None);
}

#[test]
fn every_unmistakable_macro_operation_has_its_own_opcode() {
    // vmul.xyzw $vf3, $vf2, $vf3; vopmula.xyz; vdiv; vwaitq; vnop.
    let names = [0x4BE3_10EA, 0x4BC3_12FE, 0x4A62_0BBC, 0x4A00_03BF, 0x4A00_02FF].map(|word| ee(word).name);
    assert_eq!(names, ["vmul", "vopmula", "vdiv", "vwaitq", "vnop"]);
}

proptest! {
    #[test]
    fn no_word_upsets_the_decoder(word: u32, address: u32) {
        for cpu in [Cpu::R5900, Cpu::R3000A] {
            if let Ok(found) = decode(cpu, word) {
                prop_assert_eq!(found.word, word);
                prop_assert!(!found.name.is_empty());
                found.flow.target(address);
            }
        }
    }

    #[test]
    fn what_the_iop_has_the_ee_has_as_well(word: u32) {
        const RFE: u32 = 0x4200_0010;
        if let Ok(found) = decode(Cpu::R3000A, word) && word != RFE {
            prop_assert_eq!(decode(Cpu::R5900, word), Ok(found));
        }
    }
}
