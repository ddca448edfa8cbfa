//! Compiles the motion tables of `iso/motion/` into `target/motion/`, to be tried with `cargo run --example motion`.

use anyhow::Result;
use xtask::context::Context;
use xtask::motion_tables::compile_folder;

fn main() -> Result<()> {
    let context = Context::new()?;
    let folder = context.target.join("motion");
    std::fs::create_dir_all(&folder)?;
    for table in compile_folder(&context.root.join("iso/motion"))? {
        let path = folder.join(format!("{}.bwmt", table.name));
        std::fs::write(&path, &table.bytes)?;
        println!("{}: {} bytes", path.display(), table.bytes.len());
    }
    Ok(())
}
