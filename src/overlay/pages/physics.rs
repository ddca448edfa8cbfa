//! The physics world: pools, settles, what was dropped, the level mesh, the kernels' switch.

use super::{Choice, Look, absent, figures, occupancy};
use crate::overlay::number::Fixed;
use crate::overlay::sheet::{Ink, Sheet};
use crate::overlay::subjects::Figure;
use crate::physics::pools::{BodyKind, SETTLE_SLOTS};

/// The kinds of bodies with their names.
const KINDS: [(BodyKind, &str); 5] = [
    (BodyKind::Human, "HUMAN BODIES"),
    (BodyKind::PunchBag, "PUNCH BAG"),
    (BodyKind::Object, "OBJECT BODIES"),
    (BodyKind::Pane, "PANE BODIES"),
    (BodyKind::Car, "CAR BODIES"),
];

pub(super) fn write(sheet: &mut Sheet, look: &Look<'_>) {
    let Some(physics) = look.subjects.physics else { return absent(sheet, format_args!("PHYSICS WORLD")) };
    let counters = physics.counters();
    let mut counts = [0; KINDS.len()];
    for &body in physics.live_bodies() {
        let kind = BodyKind::of(body);
        if let Some(index) = KINDS.iter().position(|(known, _)| *known == kind) {
            counts[index] += 1;
        }
    }
    for ((kind, name), count) in KINDS.into_iter().zip(counts) {
        occupancy(sheet, name, count, kind.bodies().len(), 0);
    }
    occupancy(sheet, "SETTLE SLOTS", physics.settling(), SETTLE_SLOTS, counters.settles_refused);
    sheet.end();
    figures(
        sheet,
        &[
            Figure::new("SORTED BODIES", physics.live_bodies().len() as u32),
            Figure::fault("BODIES REFUSED", counters.bodies_refused),
            Figure::fault("SHAPES REFUSED", counters.shapes_refused),
            Figure::fault("IGNORES REFUSED", counters.ignores_refused),
            Figure::fault("CANDIDATES LOST", counters.candidates_dropped),
            Figure::fault("CONTACTS LOST", counters.contacts_dropped + counters.strikes_dropped),
            Figure::new("STUCK SWEEPS", counters.stuck_sweeps),
            Figure::new("SWEEP PASSES", physics.recent().passes),
            Figure::new("CANDIDATES MET", physics.recent().candidates),
            Figure::new("CONTACTS MET", physics.recent().contacts),
        ],
    );
    sheet.field(0, 25, "WIDEST BODY M", Ink::Plain, Fixed(physics.widest(), 2));
    if let Some(mesh) = look.subjects.mesh {
        let [x, y, z] = mesh.grid().cells;
        sheet.field(27, 25, "MESH TRIANGLES", Ink::Plain, mesh.triangle_count()).end();
        sheet.put(Ink::Dim, format_args!("GRID")).tab(18).put(Ink::Plain, format_args!("{x} X {y} X {z} CELLS"));
    }
    sheet.end().end();
    let kernels = match look.subjects.vu0 {
        Some(true) => "VU0",
        Some(false) => "SCALAR",
        None => "AS BUILT",
    };
    let cursor = if look.chosen == Some(Choice::Vu0) { ">" } else { " " };
    sheet.put(look.ink(Choice::Vu0, Ink::Plain), format_args!("{cursor} KERNELS")).tab(18);
    sheet.put(Ink::Good, format_args!("{kernels}"));
}

#[cfg(test)]
mod tests {
    use super::super::Page;
    use super::super::tests::text_of;
    use crate::collision::scenes::{Scene, floor};
    use crate::overlay::subjects::Subjects;
    use crate::physics::PhysicsWorld;

    #[test]
    fn the_page_counts_bodies_and_triangles() {
        let world = PhysicsWorld::new();
        let mesh = Scene::new().with(floor(10.0, 0.0)).mesh([2, 2, 1]);
        let subjects = Subjects { physics: Some(&world), mesh: Some(&mesh), vu0: Some(true), ..Subjects::default() };
        let text = text_of(Page::Physics, &subjects);
        assert!(text.contains("    0 / 416"), "object bodies");
        assert!(text.contains("2 X 2 X 1 CELLS") && text.contains("VU0"));
    }
}
