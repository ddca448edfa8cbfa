//! The kernels in plain single floats.
//!
//! Numbers that are no numbers never hit: every comparison is written so that it fails on them.

mod boxes;
mod capsule_box;
mod capsule_capsule;
mod planes;
mod roots;
mod segments;
pub(super) mod slab;
mod sphere_box;
pub(super) mod sphere_triangle;
mod upright;

pub use boxes::{box_box_overlap, sweep_box_box, sweep_box_triangle};
pub use capsule_box::{overlap_capsule_box, sweep_capsule_box};
pub use capsule_capsule::{interval_overlap_time, overlap_capsule_capsule, sweep_capsule_capsule};
pub use planes::approaches;
pub use roots::{circle_roots, ray_capsule_root, ray_circle_root, ray_sphere_root};
pub use segments::{closest_parameter, closest_point, closest_points, perpendicular_basis};
pub use slab::{clip_slab, ray_box};
pub use sphere_box::{closest_point_of_box, overlap_sphere_box, sweep_sphere_box};
pub use sphere_triangle::{
    closest_point_of_triangle, sphere_triangle_penetration, sweep_sphere_edge, sweep_sphere_triangle,
};
pub use upright::{ray_upright_capsule, sweep_sphere_capsule, sweep_sphere_sphere};

#[cfg(test)]
mod reference;
