//! `cargo xtask`: sets up, builds, checks, packs, runs and tests Boardwalk.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
