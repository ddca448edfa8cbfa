//! Rays against the mesh.

use super::grid::{CellBox, ColumnLine};
use super::{CollisionMesh, Probe, TriangleFlags, TriangleId};
use crate::maths::Vec3;

/// A ray.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    /// Where it starts.
    pub origin: Vec3,
    /// Unit direction.
    pub direction: Vec3,
    /// Length in metres.
    pub length: f32,
}

impl Ray {
    /// The point at a distance in metres.
    #[inline]
    pub fn at(&self, t: f32) -> Vec3 {
        self.origin + self.direction * t
    }

    /// The far end.
    #[inline]
    pub fn end(&self) -> Vec3 {
        self.at(self.length)
    }
}

/// What a ray passes through.
#[derive(Clone, Copy, Debug, Default)]
pub struct RayFilter<'a> {
    /// Triangles with any of these flags are passed, bits 0x1 and 0x800 apart: the first makes the ray test disabled
    /// triangles, the second those disabled ones that carry it.
    pub mask: u16,
    /// Materials that are seen through.
    pub see_through: &'a [u8],
}

/// What a ray hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Distance in metres.
    pub distance: f32,
    /// Unit normal at the ray's side.
    pub normal: Vec3,
    /// Flags that a ray reports.
    pub flags: TriangleFlags,
    /// Material number.
    pub material: u8,
    /// Area number.
    pub area: u8,
    /// The triangle.
    pub triangle: TriangleId,
}

/// A ray's answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayResult {
    /// The nearest hit.
    pub hit: Option<RayHit>,
    /// The hit's material; without a hit that of a crossed see-through face, or [`NO_MATERIAL`].
    pub material: u8,
}

/// What a result says before anything is crossed.
pub const NO_MATERIAL: u8 = 1;

/// A determinant below this is a ray along the triangle's plane.
const PARALLEL: f32 = 1e-6;
/// Metres around a column's borders in which rounding may put a point on either side.
const COLUMN_SLACK: f32 = 0.01;
/// Mask bits that admit disabled triangles; they exclude nothing.
const ADMITTING: u16 = TriangleFlags::ENABLED.0 | TriangleFlags::RAYS_WHEN_DISABLED.0;

impl RayFilter<'_> {
    /// Whether a triangle with these flags is tested at all.
    ///
    /// Source: support systems, Collision mesh.
    #[inline]
    pub fn admits(&self, flags: TriangleFlags) -> bool {
        if flags.0 & TriangleFlags::REPORTED & self.mask & !ADMITTING != 0 {
            return false;
        }
        let mask = TriangleFlags(self.mask);
        flags.has(TriangleFlags::ENABLED)
            || mask.has(TriangleFlags::ENABLED)
            || (mask & flags).has(TriangleFlags::RAYS_WHEN_DISABLED)
    }
}

impl CollisionMesh {
    /// The nearest triangle on a ray.
    ///
    /// A see-through face is crossed, not passed by: it leaves its material in the result of a ray that hits nothing.
    ///
    /// Source: support systems, Collision mesh; seed 002, Reimplementing Physics, RayCast and World (Unit 16).
    // Covers: seed 002, WorldManager_RayCast (0x0040db88) test=see_through_materials_are_crossed_and_leave_their_number_on_a_clear_ray default=RayResult { hit: None, material: 0 }
    pub fn cast(&mut self, ray: &Ray, filter: &RayFilter<'_>) -> RayResult {
        let mut search = Search { ray, filter, nearest: None, crossed: None };
        #[cfg(not(target_arch = "mips"))]
        if search.walk_tree(self) {
            return search.result(self);
        }
        // Our choice: only the part of the ray in the mesh's box is walked; nothing can be hit outside it.
        if let Some(part) = self.clip(ray.origin, ray.end()) {
            self.clear_checked();
            search.walk(self, part);
        }
        search.result(self)
    }
}

struct Search<'a> {
    ray: &'a Ray,
    filter: &'a RayFilter<'a>,
    /// Distance and number of the nearest face that is not seen through.
    nearest: Option<(f32, TriangleId)>,
    /// Distance and material of the nearest see-through face.
    crossed: Option<(f32, u8)>,
}

impl Search<'_> {
    fn result(&self, mesh: &CollisionMesh) -> RayResult {
        let hit = self.nearest.map(|(distance, id)| {
            let (record, front) = (mesh.triangle(id), mesh.face(id).normal);
            RayHit {
                distance,
                normal: if front.dot(self.ray.direction) > 0.0 { -front } else { front },
                flags: TriangleFlags(record.flags.0 & TriangleFlags::REPORTED),
                material: record.material,
                area: record.area,
                triangle: id,
            }
        });
        let crossed = self.crossed.map_or(NO_MATERIAL, |(_, material)| material);
        RayResult { hit, material: hit.map_or(crossed, |hit| hit.material) }
    }

    /// Walks the tree instead of the cells; false when there is none.
    #[cfg(not(target_arch = "mips"))]
    fn walk_tree(&mut self, mesh: &CollisionMesh) -> bool {
        /// How much further than the nearest hit a walk goes on, as a share of its way.
        const OPEN: f32 = 1.000_01;
        let Some(tree) = &mesh.tree else { return false };
        let Ray { origin, direction, length } = *self.ray;
        tree.walk(origin, direction * length, 0.0, |block, _, open| {
            let mut crossed = block.crossed(origin, direction, open * length);
            while crossed != 0 {
                let lane = crossed.trailing_zeros() as usize;
                crossed &= crossed - 1;
                let id = block.id(lane);
                self.triangle(mesh, id, mesh.flags(id), &block.corners(lane));
            }
            // A little more stays open than is needed, against rounding.
            self.nearest.map_or(open, |(distance, _)| distance / length * OPEN)
        });
        true
    }

    /// Walks the cells of a part of the ray, columns from the origin's side, and ends with the first hit that lies before
    /// the next column.
    fn walk(&mut self, mesh: &mut CollisionMesh, part: (f32, f32)) {
        let (origin, end) = (self.ray.origin, self.ray.end());
        let at = |share: f32| self.ray.at(share * self.ray.length);
        let (a, b) = (at(part.0), at(part.1));
        let cells = mesh.grid().cells_of(a.min(b), a.max(b));
        if cells.is_strip() {
            let probe = mesh.ray_probe((origin, end), (a, b));
            self.cells(mesh, cells, &probe);
            return;
        }
        let line = ColumnLine::new(mesh.grid().to_grid(origin), mesh.grid().to_grid(end));
        let forward = origin.x <= end.x;
        let slack = Vec3::splat(COLUMN_SLACK);
        let mut entered = a;
        for step in 0..=cells.max[0] - cells.min[0] {
            let x = if forward { cells.min[0] + step } else { cells.max[0] - step };
            let is_last = x == if forward { cells.max[0] } else { cells.min[0] };
            let border = if forward { f32::from(x) + 1.0 } else { f32::from(x) };
            let share = if is_last { part.1 } else { line.share_at(border).clamp(part.0, part.1) };
            let left = self.ray.at(share * self.ray.length);
            let rows = line.rows(x, (cells.min[1], cells.max[1]));
            let layers = mesh.grid().cells_of(entered.min(left) - slack, entered.max(left) + slack);
            let column = CellBox { min: [x, rows.0, layers.min[2]], max: [x, rows.1, layers.max[2]] };
            let probe = mesh.ray_probe((origin, end), (entered, left));
            self.cells(mesh, column, &probe);
            if self.nearest.is_some_and(|(distance, _)| distance < share * self.ray.length - COLUMN_SLACK) {
                return;
            }
            entered = left;
        }
    }

    fn cells(&mut self, mesh: &mut CollisionMesh, cells: CellBox, probe: &Probe) {
        let mut cursor = mesh.cursor(cells);
        while let Some(id) = cursor.next_listed(mesh) {
            // One that this part of the ray cannot touch is not marked as met: a later part may.
            if mesh.may_touch(id, probe) && mesh.check(id) {
                self.triangle(mesh, id, mesh.flags(id), &mesh.corners(id));
            }
        }
    }

    fn triangle(&mut self, mesh: &CollisionMesh, id: TriangleId, flags: TriangleFlags, corners: &[Vec3; 3]) {
        if !self.filter.admits(flags) {
            return;
        }
        let two_sided = flags.has(TriangleFlags::TWO_SIDED);
        let reach = self.nearest.map_or(self.ray.length, |(distance, _)| distance);
        let Some(distance) = ray_triangle(self.ray, corners, two_sided) else { return };
        if distance > reach || self.nearest.is_some() && distance == reach {
            return;
        }
        if !self.filter.see_through.is_empty() {
            let material = mesh.triangle(id).material;
            if self.filter.see_through.contains(&material) {
                if self.crossed.is_none_or(|(nearest, _)| distance < nearest) {
                    self.crossed = Some((distance, material));
                }
                return;
            }
        }
        self.nearest = Some((distance, id));
    }
}

/// The distance at which a ray meets a triangle, from 0 on; the ray's length is not looked at.
///
/// Source: support systems, Collision mesh (determinant at least 1e-6, either sign for two-sided triangles).
#[inline]
pub fn ray_triangle(ray: &Ray, corners: &[Vec3; 3], two_sided: bool) -> Option<f32> {
    let (e1, e2) = (corners[1] - corners[0], corners[2] - corners[0]);
    let p = ray.direction.cross(e2);
    let determinant = e1.dot(p);
    let steep = if two_sided { determinant.abs() } else { determinant };
    if steep.is_nan() || steep < PARALLEL {
        return None;
    }
    let inverse = 1.0 / determinant;
    let s = ray.origin - corners[0];
    let u = s.dot(p) * inverse;
    if !(0.0..=1.0).contains(&u) {
        return None;
    }
    let q = s.cross(e1);
    let v = ray.direction.dot(q) * inverse;
    if !(v >= 0.0 && u + v <= 1.0) {
        return None;
    }
    let t = e2.dot(q) * inverse;
    (t >= 0.0).then_some(t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::{Random, Scene, floor, quad, wall};

    const DOWN: Vec3 = Vec3::new(0.0, 0.0, -1.0);

    fn down_from(z: f32, length: f32) -> Ray {
        Ray { origin: Vec3::new(40.0, 40.0, z), direction: DOWN, length }
    }

    fn distance(mesh: &mut CollisionMesh, ray: &Ray, mask: u16) -> Option<f32> {
        mesh.cast(ray, &RayFilter { mask, see_through: &[] }).hit.map(|hit| hit.distance)
    }

    #[test]
    fn a_ray_down_finds_the_floor_with_its_material() {
        let mut mesh = Scene::new().with(floor(80.0, 2.0)).mesh([8, 8, 1]);
        let result = mesh.cast(&down_from(20.0, 100.0), &RayFilter::default());
        let hit = result.hit.unwrap();
        assert_eq!((hit.distance, hit.normal, result.material), (18.0, Vec3::Z, 5));
        assert!(mesh.cast(&down_from(20.0, 10.0), &RayFilter::default()).hit.is_none());
    }

    #[test]
    fn a_one_sided_floor_is_missed_from_below_and_a_two_sided_one_turns_its_normal() {
        let up = Ray { origin: Vec3::new(40.0, 40.0, -10.0), direction: Vec3::Z, length: 50.0 };
        let mut mesh = Scene::new().with(floor(80.0, 2.0)).mesh([8, 8, 1]);
        assert!(mesh.cast(&up, &RayFilter::default()).hit.is_none());
        let mut mesh = Scene::new().with_flags(floor(80.0, 2.0), TriangleFlags::TWO_SIDED, 5, 0).mesh([8, 8, 1]);
        let hit = mesh.cast(&up, &RayFilter::default()).hit.unwrap();
        assert_eq!((hit.distance, hit.normal), (12.0, -Vec3::Z));
    }

    fn two_floors() -> CollisionMesh {
        let upper = quad([30.0, 30.0, 5.0], [50.0, 30.0, 5.0], [50.0, 50.0, 5.0], [30.0, 50.0, 5.0]);
        Scene::new()
            .with_flags(floor(80.0, 0.0), TriangleFlags::default(), 5, 0)
            .with_flags(upper, TriangleFlags::PLAYER_CLIMBABLE, 7, 0)
            .mesh([8, 8, 1])
    }

    #[test]
    fn the_nearest_of_two_floors_wins_unless_the_mask_passes_it() {
        let mut mesh = two_floors();
        let ray = down_from(20.0, 100.0);
        assert_eq!(distance(&mut mesh, &ray, 0), Some(15.0));
        assert_eq!(distance(&mut mesh, &ray, 0x4), Some(20.0));
        assert_eq!(distance(&mut mesh, &ray, 0x1), Some(15.0));
    }

    #[test]
    fn a_disabled_floor_is_passed_unless_the_mask_admits_it() {
        let mut mesh = two_floors();
        let ray = down_from(20.0, 100.0);
        mesh.set_enabled_in_box(Vec3::new(25.0, 25.0, 4.0), Vec3::new(55.0, 55.0, 6.0), false);
        assert_eq!(distance(&mut mesh, &ray, 0), Some(20.0));
        assert_eq!(distance(&mut mesh, &ray, 0x1), Some(15.0));
        assert_eq!(distance(&mut mesh, &ray, 0x800), Some(20.0));
        for t in [2, 3].map(TriangleId) {
            mesh.set_flags(t, mesh.flags(t).with(TriangleFlags::RAYS_WHEN_DISABLED));
        }
        assert_eq!(distance(&mut mesh, &ray, 0x800), Some(15.0));
    }

    #[test]
    fn see_through_materials_are_crossed_and_leave_their_number_on_a_clear_ray() {
        let mut mesh = two_floors();
        let ray = down_from(20.0, 100.0);
        let result = mesh.cast(&ray, &RayFilter { mask: 0, see_through: &[7] });
        assert_eq!((result.hit.unwrap().distance, result.material), (20.0, 5));
        let result = mesh.cast(&ray, &RayFilter { mask: 0, see_through: &[7, 5] });
        assert_eq!((result.hit, result.material), (None, 7));
        let aside = Ray { origin: Vec3::new(200.0, 0.0, 9.0), ..ray };
        assert_eq!(mesh.cast(&aside, &RayFilter::default()).material, NO_MATERIAL);
    }

    #[test]
    fn a_long_diagonal_ray_reaches_a_far_wall() {
        let face = wall([70.0, 75.0], [70.0, 60.0], [-5.0, 5.0]);
        let mut mesh = Scene::new().with(floor(80.0, -1.0)).with(face).mesh([8, 8, 1]);
        let half = core::f32::consts::FRAC_1_SQRT_2;
        let ray = Ray { origin: Vec3::new(2.0, 0.0, 0.0), direction: Vec3::new(half, half, 0.0), length: 120.0 };
        let hit = distance(&mut mesh, &ray, 0).unwrap();
        assert!((hit - 68.0 * core::f32::consts::SQRT_2).abs() < 1e-3, "{hit}");
    }

    #[test]
    fn the_cell_walk_misses_nothing_that_testing_every_triangle_finds() {
        let mut random = Random::new(3);
        let mut scene = Scene::new();
        for _ in 0..300 {
            let at = random.vec3(15.0);
            scene = scene.triangle([at, at + random.vec3(6.0), at + random.vec3(6.0)]);
        }
        let (mut fine, mut one) = (scene.mesh([17, 23, 6]), scene.mesh([1, 1, 1]));
        let mut hits = 0;
        for _ in 0..6000 {
            let ray = Ray { origin: random.vec3(25.0), direction: random.direction(), length: random.range(0.0, 90.0) };
            let (a, b) = (distance(&mut fine, &ray, 0), distance(&mut one, &ray, 0));
            assert_eq!(a, b, "{ray:?}");
            hits += a.is_some() as u32;
        }
        assert!(hits > 500, "only {hits} rays hit");
    }

    #[test]
    fn a_ray_that_is_not_a_number_hits_nothing() {
        let mut mesh = two_floors();
        for bad in [f32::NAN, f32::INFINITY] {
            let ray = Ray { origin: Vec3::splat(bad), direction: DOWN, length: 10.0 };
            assert_eq!(distance(&mut mesh, &ray, 0), None);
            let ray = Ray { origin: Vec3::splat(10.0), direction: Vec3::splat(bad), length: bad };
            assert_eq!(distance(&mut mesh, &ray, 0), None);
        }
    }
}
