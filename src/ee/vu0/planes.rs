//! The distances of a move's ends from the planes of many triangles.

use crate::collision::{Approach, MoveRows, Plane};
use crate::ee::encode::vu0::{Dest, Field, vmadd_bc, vmadda_bc, vmula_bc};
use crate::ee::encode::{lqc2, sqc2};

/// Works out a move's approach to each plane; the shorter slice decides how many.
#[inline]
pub fn approaches(rows: &MoveRows, planes: &[&Plane], out: &mut [Approach]) {
    // Vector registers: the rows, a plane, its answer.
    const ROW: [u32; 4] = [1, 2, 3, 4];
    const PLANE: u32 = 5;
    const RESULT: u32 = 6;
    // General registers of the loop.
    const ROWS: u32 = 11;
    const AT: u32 = 12;
    const TO: u32 = 9;

    let count = planes.len().min(out.len());
    if count == 0 {
        return;
    }
    // SAFETY: loads the rows, `count` addresses and the plane at each, and stores as many quadwords; all are 16-byte
    // aligned by their types, and the loop touches only VU0 and the registers declared. Its body is longer than the
    // short-loop erratum's six instructions.
    unsafe {
        core::arch::asm!(
            ".set push", ".set noreorder", ".set noat",
            ".word {row0}", ".word {row1}", ".word {row2}", ".word {row3}",
            "1:",
            "lw $12, 0($8)",
            "addiu $8, $8, 4",
            "addiu $10, $10, -1",
            ".word {load}",
            ".word {x}", ".word {y}", ".word {z}", ".word {w}",
            ".word {store}",
            "bnez $10, 1b",
            "addiu $9, $9, 16",
            ".set pop",
            row0 = const lqc2(ROW[0], ROWS, 0),
            row1 = const lqc2(ROW[1], ROWS, 16),
            row2 = const lqc2(ROW[2], ROWS, 32),
            row3 = const lqc2(ROW[3], ROWS, 48),
            load = const lqc2(PLANE, AT, 0),
            x = const vmula_bc(Dest::XYZW, ROW[0], PLANE, Field::X),
            y = const vmadda_bc(Dest::XYZW, ROW[1], PLANE, Field::Y),
            z = const vmadda_bc(Dest::XYZW, ROW[2], PLANE, Field::Z),
            w = const vmadd_bc(Dest::XYZW, RESULT, ROW[3], PLANE, Field::W),
            store = const sqc2(RESULT, TO, 0),
            inout("$8") planes.as_ptr() => _,
            inout("$9") out.as_mut_ptr() => _,
            inout("$10") count => _,
            in("$11") rows,
            out("$12") _,
            options(nostack),
        );
    }
}
