//! Strips that reach behind the eye or beyond the drawing plane: triangle by triangle, cut where they must be.

use super::super::super::mesh::{REVERSED, SKIP, VERTEX};
use super::super::cut::{self, Corner};
use super::Scene;
use crate::ee::gs::general::Prim;
use crate::ee::strips::{self, QUADS};
use crate::ee::vu0::transform::{Constants, Vertex};
use heapless::Vec;

/// Triangles of a batch that can be cut.
const MAX_CUT: usize = 256;

impl Scene<'_, '_, '_> {
    /// Finds which of the first `count` transformed vertices cannot be drawn; false when all can.
    pub(super) fn mark_outside(&mut self, count: usize) -> bool {
        let near = self.camera.near;
        let mut any = 0;
        for (vertex, code) in self.renderer.vertices.iter().zip(self.renderer.outcodes.iter_mut()).take(count) {
            *code = cut::outcode(&vertex.clip, near);
            any |= *code;
        }
        // Numbers beyond the vertices name leftovers of other batches; only damaged meshes have them.
        if let Some(rest) = self.renderer.outcodes.get_mut(count..) {
            rest.fill(0);
        }
        any != 0
    }

    /// Draws strips of which some triangles have to be cut.
    pub(super) fn draw_cut(
        &mut self,
        prim: Prim,
        vertices: &[Vertex],
        (indices, triangles): (&[u16], u32),
        constants: &Constants,
        cull: bool,
    ) {
        let (records, codes) = (&self.renderer.vertices, &self.renderer.outcodes);
        let mut reaching: Vec<[u8; 3], MAX_CUT> = Vec::new();
        let (mut drawn, mut lost) = (0, 0);
        self.packet.packed(prim, indices.len(), |places| {
            let mut last = [0_usize; 2];
            for (&index, quads) in indices.iter().zip(places.chunks_exact_mut(QUADS)) {
                let corners = [last[0], last[1], usize::from(index & VERTEX)];
                let reversed = index & REVERSED != 0;
                let points = corners.map(|corner| &records[corner]);
                let outside = corners.map(|corner| codes[corner]);
                let mut draw = index & SKIP == 0;
                if outside == [0; 3] {
                    draw &= !cull || strips::faces_front(points, reversed);
                    drawn += usize::from(draw);
                } else {
                    let wanted = draw
                        && outside[0] & outside[1] & outside[2] == 0
                        && (!cull || cut::faces_front(points.map(|point| &point.clip), reversed));
                    if wanted {
                        lost += usize::from(reaching.push(corners.map(|corner| corner as u8)).is_err());
                    }
                    draw = false;
                }
                quads.copy_from_slice(&strips::packed(points[2], draw));
                last = [corners[1], corners[2]];
            }
        });
        self.counters.lost += lost as u32;
        for triangle in &reaching {
            let corners = triangle.map(|number| {
                let at = usize::from(number);
                let vertex = vertices.get(at).copied().unwrap_or_default();
                Corner::of(number, &vertex, &records[at], constants)
            });
            let polygon = cut::triangle(corners, self.camera.near);
            if polygon.len() >= 3 {
                self.packet.packed(prim, polygon.len(), |places| cut::emit(&polygon, &records[..], constants, places));
            }
        }
        self.count(triangles, drawn as u32, reaching.len() as u32);
    }
}
