//! `cargo xtask`: sets up, builds, checks, packs, runs and tests Boardwalk.
fn main() {}
