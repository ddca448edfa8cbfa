//! Meshes that move with bones.

use super::super::super::light::Lights;
use super::super::super::mesh::{BONES, Batch, Flags, Mesh, Run, Sphere};
use super::super::lights::{Rig, mixed};
use super::super::state::WHOLE;
use super::super::volume::Place;
use super::{Scene, cover_byte};
use crate::ee::vu0::transform::{Constants, LightRows, light, transform};
use crate::maths::Pose;

/// What the kernel computes with for each bone, made when a vertex first asks for it.
type Known = [Option<(Constants, LightRows)>; BONES];

/// Somebody's bones, and the light there.
struct Stance<'b> {
    bones: &'b [Pose; BONES],
    rig: &'b Rig,
    known: Known,
}

impl Scene<'_, '_, '_> {
    /// Draws a mesh that moves with its bones: poses that take points of the model as it was built to the world, see
    /// [`bone_poses`](super::super::bone_poses).
    pub fn draw_skinned(&mut self, mesh: &Mesh, bones: &[Pose; BONES], lights: &Lights) {
        let rig = Rig::at(bones[0].point(mesh.sphere().centre), lights);
        self.draw_skinned_with(&[(*mesh, 1.0)], bones, &rig);
    }

    /// The same of several meshes on the same bones in the light of `rig`, one after the other, each with the share of it that is
    /// seen, 0 to 1: a level of detail that takes over from another.
    pub fn draw_skinned_with(&mut self, meshes: &[(Mesh, f32)], bones: &[Pose; BONES], rig: &Rig) {
        /// How much larger than the model as it was built a pose of it can be.
        const STRETCH: f32 = 1.5;
        let mut stance = Stance { bones, rig, known: [None; BONES] };
        for (mesh, cover) in meshes {
            let built = mesh.sphere();
            let ball = Sphere { centre: bones[0].point(built.centre), radius: built.radius * STRETCH };
            let place = self.volume.place(&ball);
            let cover = cover_byte(*cover);
            if place == Place::Hidden || cover == 0 {
                self.counters.hidden += u32::from(cover != 0);
                continue;
            }
            self.cover = cover;
            for batch in mesh.batches() {
                self.draw_skinned_batch(&batch, &mut stance, place);
            }
            self.cover = WHOLE;
        }
    }

    fn draw_skinned_batch(&mut self, batch: &Batch, stance: &mut Stance<'_>, place: Place) {
        let mut first = 0;
        for run in batch.runs() {
            let (constants, rows) = self.of_run(&run, stance);
            let end = first + usize::from(run.count);
            let vertices = batch.vertices.get(first..end).unwrap_or_default();
            let out = self.renderer.vertices.get_mut(first..end).unwrap_or_default();
            if batch.material.flags.contains(Flags::UNLIT) {
                transform(&constants, vertices, out);
            } else {
                light(&constants, &rows, vertices, out);
            }
            first = end;
        }
        let constants = self.constants(&Pose::IDENTITY, (0.0, 0.0));
        self.draw_transformed(batch.material, batch.vertices, (batch.indices, batch.triangles), &constants, place);
    }

    /// What a row of vertices with the same bones is transformed and lit by.
    fn of_run(&self, run: &Run, stance: &mut Stance<'_>) -> (Constants, LightRows) {
        let mut of_bone = |bone: u8| {
            let index = usize::from(bone).min(BONES - 1);
            let Stance { bones, rig, known } = &mut *stance;
            *known[index]
                .get_or_insert_with(|| (self.constants(&bones[index], (0.0, 0.0)), rig.rows(bones[index].rotation)))
        };
        let (mut constants, mut rows) = of_bone(run.bones[0]);
        if run.weight != u8::MAX && run.bones[1] != run.bones[0] {
            let (other, other_rows) = of_bone(run.bones[1]);
            let share = 1.0 - f32::from(run.weight) / f32::from(u8::MAX);
            constants.rows = mixed(&constants.rows, &other.rows, share);
            rows.lamps = mixed(&rows.lamps, &other_rows.lamps, share);
            [rows.sun] = mixed(&[rows.sun], &[other_rows.sun], share);
        }
        (constants, rows)
    }
}
