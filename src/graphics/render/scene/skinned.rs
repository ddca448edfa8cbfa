//! Meshes that move with bones.

use super::super::super::light::Lights;
use super::super::super::mesh::{BONES, Batch, Flags, Mesh, Run, Sphere};
use super::super::lights::{Bones, Rig};
use super::super::state::WHOLE;
use super::super::volume::Place;
use super::{Scene, cover_byte};
use crate::ee::vu0::transform::placing::{Placed, mix, place};
use crate::ee::vu0::transform::{Directions, Shades, light, transform};
use crate::maths::Pose;

/// Somebody's bones, and the light there.
struct Stance<'b> {
    bones: Bones<'b>,
    directions: Directions,
    shades: Shades,
    /// What the kernels compute with for each bone, made when a vertex first asks for it.
    known: [Option<Placed>; BONES],
}

impl Scene<'_, '_, '_> {
    /// Draws a mesh that moves with its bones: poses that take points of the model as it was built to the world, see
    /// [`Bones::pose`].
    pub fn draw_skinned(&mut self, mesh: &Mesh, bones: &[Pose; BONES], lights: &Lights) {
        const BUILT: [Pose; BONES] = [Pose::IDENTITY; BONES];
        let rig = Rig::at(bones[0].point(mesh.sphere().centre), lights);
        self.draw_skinned_with(&[(*mesh, 1.0)], &Bones { now: bones, built: &BUILT }, &rig);
    }

    /// The same of several meshes on the same bones in the light of `rig`, one after the other, each with the share of it that is
    /// seen, 0 to 1: a level of detail that takes over from another.
    pub fn draw_skinned_with(&mut self, meshes: &[(Mesh, f32)], bones: &Bones, rig: &Rig) {
        /// How much larger than the model as it was built a pose of it can be.
        const STRETCH: f32 = 1.5;
        let (directions, shades) = rig.world();
        let mut stance = Stance { bones: *bones, directions, shades, known: [None; BONES] };
        let hips = bones.pose(0);
        for (mesh, cover) in meshes {
            let built = mesh.sphere();
            let ball = Sphere { centre: hips.point(built.centre), radius: built.radius * STRETCH };
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
        let mut constants = self.constants((0.0, 0.0));
        for run in batch.runs() {
            let placed = self.of_run(&run, stance);
            constants.rows = placed.rows;
            let end = first + usize::from(run.count);
            let vertices = batch.vertices.get(first..end).unwrap_or_default();
            let out = self.renderer.vertices.get_mut(first..end).unwrap_or_default();
            if batch.material.flags.contains(Flags::UNLIT) {
                transform(&constants, vertices, out);
            } else {
                light(&constants, (&placed.directions, &stance.shades), vertices, out);
            }
            first = end;
        }
        let constants = self.constants((0.0, 0.0));
        self.draw_transformed(batch.material, batch.vertices, (batch.indices, batch.triangles), &constants, place);
    }

    /// What a row of vertices with the same bones is transformed and lit by.
    fn of_run(&self, run: &Run, stance: &mut Stance<'_>) -> Placed {
        let one = self.of_bone(run.bones[0], stance);
        if run.weight == u8::MAX || run.bones[1] == run.bones[0] {
            return one;
        }
        let other = self.of_bone(run.bones[1], stance);
        mix(&one, &other, 1.0 - f32::from(run.weight) / f32::from(u8::MAX))
    }

    fn of_bone(&self, bone: u8, stance: &mut Stance<'_>) -> Placed {
        let index = usize::from(bone).min(BONES - 1);
        let Stance { bones, directions, known, .. } = stance;
        *known[index].get_or_insert_with(|| place(&self.lens, directions, &bones.pose(index)))
    }
}
