//! Drawing: from points in the world and texts to primitives in a packet.
//!
//! A [`Canvas`](canvas::Canvas) writes into the frame's packet in pixels of the 640x448 picture. A
//! [`Camera`](camera::Camera) turns world points into such pixels, [`light`] gives vertices their colours, and a
//! [`baked::Mesh`] draws many of them. Textures are computed at start-up ([`texture`], [`font`]) and stay in the GS's
//! memory. Menus, HUD and overlay draw through `embedded-graphics` on a [`Surface`](draw_target::Surface). Everything here
//! is computation on plain values and runs on the host as well.
//!
//! Source: support systems, Graphics and frame pacing.

pub mod baked;
pub mod camera;
pub mod canvas;
pub mod card;
pub mod clip;
pub mod colour;
pub mod draw_target;
pub mod font;
pub mod light;
pub mod mesh;
pub mod nine_patch;
pub mod render;
pub mod text;
pub mod texture;
pub mod texture_cache;
pub mod texture_file;
pub mod wave;
