//! Every word of code must be an instruction of the processor.
//!
//! The linker fills the gaps between functions with a word that neither processor has. Such a word passes where
//! nothing can reach it: behind a jump and its delay slot, behind `eret` or `break`, or behind a call or system call
//! that is the last thing of a function (the callee never returns, else the compiler would have gone on); and nothing
//! may branch to it.

use super::at_word;
use crate::elf::decode::{Class, Cpu, Flow, decode};
use crate::elf::flow::instruction_at;
use crate::elf::image::Image;
use crate::elf::report::Rule;
use std::collections::BTreeSet;

/// What lld writes between functions.
pub const PADDING: u32 = 0x0417_0001;

/// Checks every word of code.
pub fn check(image: &Image, cpu: Cpu) -> Rule {
    let mut rule = Rule { name: "opcodes", unit: "words", ..Rule::default() };
    let targets = branch_targets(image, cpu);
    for (address, word) in image.code() {
        rule.examined += 1;
        if word == PADDING {
            if targets.contains(&address) || !is_behind_an_end(image, cpu, address) {
                rule.violations.push(at_word(image, address, word, "the linker's padding can be reached"));
            }
        } else if let Err(why) = decode(cpu, word) {
            rule.violations.push(at_word(image, address, word, why));
        }
    }
    rule
}

fn branch_targets(image: &Image, cpu: Cpu) -> BTreeSet<u32> {
    image.code().filter_map(|(address, word)| decode(cpu, word).ok()?.flow.target(address)).collect()
}

/// Whether execution cannot run on into `address` from the word before it.
fn is_behind_an_end(image: &Image, cpu: Cpu, address: u32) -> bool {
    let at = |distance: u32| instruction_at(image, cpu, address.wrapping_sub(distance));
    let function_ends_here = image.symbols.ending_at(address).is_some();
    match address.checked_sub(4).and_then(|before| image.word(before)) {
        // The section's first word, or one behind padding that was looked at itself.
        None | Some(PADDING) => return true,
        Some(_) => {}
    }
    if let Some(branch) = at(8).filter(|found| found.flow.has_delay_slot()) {
        return match branch.flow {
            flow if flow.is_call() => function_ends_here,
            Flow::Branch { always, .. } => always,
            _ => true,
        };
    }
    at(4).is_some_and(|found| found.flow == Flow::Leave || (found.class == Class::SystemCall && function_ends_here))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elf::symbols::{Function, Symbols};

    const BASE: u32 = 0x0010_0000;
    const NOP: u32 = 0;
    const JR_RA: u32 = 0x03E0_0008;
    const JAL: u32 = 0x0C04_0000;
    const B_SELF: u32 = 0x1000_FFFF;
    const BNE_FORWARD: u32 = 0x1485_0001;
    const SYSCALL: u32 = 0x0000_000C;
    const BREAK: u32 = 0x0000_000D;
    const ERET: u32 = 0x4200_0018;

    fn faults(cpu: Cpu, words: &[u32]) -> Vec<u32> {
        let rule = check(&Image::of_words(BASE, words), cpu);
        assert_eq!(rule.examined, words.len());
        rule.violations.iter().filter_map(|violation| violation.word).collect()
    }

    #[test]
    fn words_that_the_r5900_lacks_are_caught() {
        let bad = [
            0xC082_0000, // ll
            0xE082_0000, // sc
            0xD082_0000, // lld
            0xF082_0000, // scd
            0x0085_001C, // dmult
            0x0085_001F, // ddivu
            0x0080_1001, // movf
            0x0081_1001, // movt
            0x7082_1002, // mul $2, $4, $2
            0xD480_0000, // ldc1
            0xF480_0000, // sdc1
            0x4620_1000, // add.d
            0x4600_100D, // trunc.w.s
            0x4600_100C, // round.w.s
            0x4600_100E, // ceil.w.s
            0x4600_100F, // floor.w.s
            0x4604_1031, // c.un.s
            0x4604_1035, // c.ult.s
            0x4604_103C, // c.lt.s as MIPS has it
            0x4604_1134, // c.lt.s to condition bit 1
            0x4600_6004, // sqrt.s as MIPS has it
            0x4C84_000F, // prefx
            0x4200_0020, // wait
            0x0022_1082, // rotr
            0x4022_6000, // dmfc0
            0x4440_1801, // cfc1 with reserved bits
            0x7040_3FFF, // psraw with reserved bits
            0x4A00_003A, // COP2 hole
            0x4A40_003C | 0x11 << 6,
            0x0417_0000, // sigrie with another code
        ];
        for word in bad {
            assert_eq!(faults(Cpu::R5900, &[word]), [word], "{word:08x}");
        }
    }

    #[test]
    fn words_that_the_r5900_has_pass() {
        let good = [
            NOP,
            0x27BD_FFE0, // addiu
            0x0085_0018, // mult
            0x0085_1018, // mult $2, $4, $5
            0x0085_0034, // teq
            0x0085_100A, // movz
            0xCC80_0000, // pref
            0x460C_0004, // sqrt.s in the EE form
            0x4604_1034, // c.lt
            0x4600_1024, // cvt.w.s
            0x4680_1020, // cvt.s.w
            0x4604_1016, // rsqrt.s
            0x4604_1018, // adda.s
            0x4604_101C, // madd.s
            0x4604_1028, // max.s
            0x4502_0001, // bc1fl
            0x7882_0000, // lq
            0x7C82_0000, // sq
            0xD881_0000, // lqc2
            0xF881_0000, // sqc2
            0x7085_1008, // paddw
            0x7085_16E8, // qfsrv
            0x7080_1004, // plzcw
            0x7000_1130, // pmfhl.sh
            0x4A00_02FF, // vnop
            0x4A00_03BF, // vwaitq
            0x4BE3_10EA, // vmul
            0x4BC2_19FF, // vclip
            0x4848_B000, // cfc2
            0x4A00_0038, // vcallms
            0x4200_0038, // ei
            0x4200_0039, // di
            0x0000_000F, // sync
            0x0000_040F, // sync.p
            0xBC80_0000, // cache
            0x4002_C801, // mfpc
        ];
        for word in good {
            assert_eq!(faults(Cpu::R5900, &[word]), [0_u32; 0], "{word:08x}");
        }
    }

    #[test]
    fn words_newer_than_mips_1_are_caught_on_the_iop() {
        let bad = [
            0x5085_0001, // beql
            0x0402_0001, // bltzl
            0x0000_000F, // sync
            0x9C82_0000, // lwu
            0xC082_0000, // ll
            0xE082_0000, // sc
            0x0085_0034, // teq
            0x048C_0001, // teqi
            0xDC82_0000, // ld
            0x0085_102D, // daddu
            0x4604_1000, // add.s
            0xC480_0000, // lwc1
            0x0085_100B, // movn
            0x0085_1018, // mult with three operands
            0x7085_1008, // paddw
            0x4A00_02FF, // vnop
            0x4200_0018, // eret
            0x4200_0002, // tlbwi
            0xBC80_0000, // cache
        ];
        for word in bad {
            assert_eq!(faults(Cpu::R3000A, &[word]), [word], "{word:08x}");
        }
    }

    #[test]
    fn words_of_mips_1_pass_on_the_iop() {
        let good = [
            NOP,
            0x27BD_FFE0, // addiu
            0x0085_0018, // mult
            0x0000_1012, // mflo
            0x8882_0003, // lwl
            0x9882_0000, // lwr
            0x1485_0001, // bne
            0x0411_0001, // bal
            0x4002_6000, // mfc0
            0x4082_6000, // mtc0
            0x4200_0010, // rfe
            SYSCALL,
            BREAK,
        ];
        for word in good {
            assert_eq!(faults(Cpu::R3000A, &[word]), [0_u32; 0], "{word:08x}");
        }
    }

    #[test]
    fn padding_passes_where_nothing_reaches_it() {
        for ending in [[JR_RA, NOP], [B_SELF, NOP], [NOP, ERET], [NOP, BREAK]] {
            assert_eq!(faults(Cpu::R5900, &[ending[0], ending[1], PADDING, PADDING, JR_RA, NOP]), [0_u32; 0]);
        }
    }

    #[test]
    fn padding_in_a_delay_slot_or_behind_plain_code_is_caught() {
        for start in [[NOP, NOP], [NOP, JR_RA], [JAL, NOP], [NOP, SYSCALL], [BNE_FORWARD, NOP]] {
            assert_eq!(faults(Cpu::R5900, &[start[0], start[1], PADDING]), [PADDING], "{start:x?}");
        }
    }

    #[test]
    fn padding_that_is_branched_to_is_caught() {
        assert_eq!(faults(Cpu::R5900, &[BNE_FORWARD, NOP, NOP, JR_RA, NOP, PADDING]), [0_u32; 0]);
        let to_padding = BNE_FORWARD + 3;
        assert_eq!(faults(Cpu::R5900, &[to_padding, NOP, NOP, JR_RA, NOP, PADDING]), [PADDING]);
    }

    #[test]
    fn padding_behind_a_function_that_ends_in_a_call_passes() {
        for (last, size) in [([JAL, NOP], 8), ([NOP, SYSCALL], 8)] {
            let mut image = Image::of_words(BASE, &[last[0], last[1], PADDING]);
            image.symbols = Symbols::from_functions([Function { name: "panics".into(), address: BASE, size }]);
            assert!(check(&image, Cpu::R5900).violations.is_empty());
            image.symbols = Symbols::from_functions([Function { name: "panics".into(), address: BASE, size: 4 }]);
            assert_eq!(check(&image, Cpu::R5900).violations.len(), 1);
        }
    }
}
