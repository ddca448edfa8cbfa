//! Builds the programs that run on the console: `core` and `alloc` from source, linked, patched and checked.
//!
//! All of them share one profile and one set of compiler flags per processor, so that the standard library is built once
//! for each. What differs, the linker script, is passed to the last crate alone. Every program passes the post-link
//! patcher and its checkers before anything else sees it.

use crate::context::Context;
use crate::elf::report::Report;
use crate::elf::{check, patch};
use crate::process;
use crate::setup::{self, Toolchain};
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Flags of rustdoc: warnings refused, but a page for people who work on the code may link to private items.
pub const DOC_FLAGS: &str = "-D warnings -A rustdoc::private-intra-doc-links";

/// The processor a program is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Processor {
    /// The R5900.
    Ee,
    /// The R3000A.
    Iop,
}

impl Processor {
    /// The compiler's target description, below the workspace.
    const fn target(self) -> &'static str {
        match self {
            Self::Ee => "mips-ee.json",
            Self::Iop => "iop/mips-iop.json",
        }
    }
}

/// A program for the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// The game, the disc's program.
    Game,
    /// The boot ROM's first instructions, for both processors.
    Reset,
    /// The boot ROM's EE kernel.
    Kernel,
    /// The boot ROM's loader of the disc's program.
    EeLoad,
    /// The boot ROM's IOP kernel.
    IopKernel,
    /// The game's IOP module, which the disc carries as an IRX file.
    IopModule,
    /// A program that proves an EE kernel's calls; for the tests.
    KernelTest,
    /// A program that does at its start and end what programs of the public SDK do; for the tests.
    SdkTest,
    /// A program that starts an IOP module and proves an IOP kernel's servers.
    IopClient,
    /// An IOP module that proves an IOP kernel's libraries; for the tests.
    IopTest,
    /// The start code of packed programs.
    Unpack,
}

impl Program {
    /// Every program, in build order.
    pub const ALL: [Self; 11] = [
        Self::Game,
        Self::Kernel,
        Self::EeLoad,
        Self::Reset,
        Self::IopKernel,
        Self::IopModule,
        Self::KernelTest,
        Self::SdkTest,
        Self::IopClient,
        Self::IopTest,
        Self::Unpack,
    ];
    /// The programs of the boot ROM.
    pub const ROM: [Self; 4] = [Self::Reset, Self::Kernel, Self::EeLoad, Self::IopKernel];

    /// The cargo package, which is also the binary's name.
    pub const fn package(self) -> &'static str {
        match self {
            Self::Game => "boardwalk",
            Self::Reset => "bootrom-reset",
            Self::Kernel => "bootrom-ee",
            Self::EeLoad => "bootrom-eeload",
            Self::IopKernel => "bootrom-iop",
            Self::IopModule => "boardwalk-iop",
            Self::KernelTest => "bootrom-selftest",
            Self::SdkTest => "bootrom-sdk",
            Self::IopClient => "bootrom-iop-client",
            Self::IopTest => "bootrom-iop-selftest",
            Self::Unpack => "boardwalk-unpack",
        }
    }

    /// Which processor it runs on. The reset code runs on both, so it keeps to the older one's instructions.
    pub const fn processor(self) -> Processor {
        match self {
            Self::Game
            | Self::Kernel
            | Self::EeLoad
            | Self::KernelTest
            | Self::SdkTest
            | Self::IopClient
            | Self::Unpack => Processor::Ee,
            Self::Reset | Self::IopKernel | Self::IopModule | Self::IopTest => Processor::Iop,
        }
    }

    /// Whether the package has a library beside the program.
    const fn has_library(self) -> bool {
        !matches!(self, Self::Reset | Self::KernelTest | Self::SdkTest | Self::IopClient | Self::IopTest)
    }

    const fn linker_script(self) -> &'static str {
        match self {
            Self::Reset => "linker/rom-reset.ld",
            Self::Kernel => "linker/rom-ee.ld",
            Self::EeLoad => "linker/rom-eeload.ld",
            Self::IopKernel => "linker/rom-iop.ld",
            Self::IopModule | Self::IopTest => "linker/iop.ld",
            Self::Game | Self::KernelTest | Self::SdkTest | Self::IopClient => "linker/ee.ld",
            Self::Unpack => "linker/unpack.ld",
        }
    }
}

/// A built, patched and checked program.
#[derive(Debug, Clone)]
pub struct Built {
    /// Which one.
    pub program: Program,
    /// The patched ELF with its symbols.
    pub elf: PathBuf,
    /// What the checkers found.
    pub report: Report,
}

/// Builds one program and proves it clean.
///
/// # Errors
/// A failed compiler run, or code that the processor would not run as meant; the report has been printed then.
pub fn program(context: &Context, toolchain: &Toolchain, program: Program) -> Result<Built> {
    let linked = compile(context, toolchain, program)?;
    let elf = path(context, program);
    // The compiler's own output stays as it is, so that it is not linked again for the patcher's changes.
    std::fs::copy(&linked, &elf).with_context(|| format!("cannot copy {}", linked.display()))?;
    let report = match program.processor() {
        Processor::Ee => {
            patch::patch_file(&elf)?;
            check::check_ee(&elf)?
        }
        Processor::Iop => check::check_iop(&elf)?,
    };
    if !report.passed() {
        eprintln!("{report}");
        bail!("{} has code that a console would not run as meant; the table above names it", program.package());
    }
    Ok(Built { program, elf, report })
}

/// Where a program's patched ELF goes.
pub fn path(context: &Context, program: Program) -> PathBuf {
    folder(context).join(format!("{}.elf", program.package()))
}

fn compile(context: &Context, toolchain: &Toolchain, program: Program) -> Result<PathBuf> {
    let script = context.root.join(program.linker_script());
    let mut command = cargo(context, toolchain, program.processor(), "rustc");
    command
        .args(["--package", program.package(), "--bin", program.package()])
        .args(["--", &format!("-Clink-arg=-T{}", script.display())]);
    if matches!(program, Program::IopModule | Program::IopTest) {
        // The console's loader places the module anywhere: the converter needs every relocation.
        command.arg("-Clink-arg=--emit-relocs");
    }
    run(&mut command, &format!("building {}", program.package()))?;
    let stem = Path::new(program.processor().target()).file_stem().unwrap_or_default();
    Ok(folder(context).join(stem).join("release").join(program.package()))
}

/// Runs clippy over the code of every program as it is compiled for its processor, warnings refused.
///
/// # Errors
/// A warning, or no clippy beside the compiler.
pub fn lint(context: &Context, toolchain: &Toolchain) -> Result<()> {
    let clippy = setup::clippy(toolchain)?;
    let beside = clippy.parent().map(Path::to_path_buf);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(beside.into_iter().chain(std::env::split_paths(&path)))?;
    // One call each: the boot ROM's programs use the engine without the game's own start-up code.
    for program in Program::ALL {
        let mut command = cargo(context, toolchain, program.processor(), "clippy");
        command.env("PATH", &path).args(["--package", program.package(), "--", "-D", "warnings"]);
        run(&mut command, &format!("linting {}", program.package()))?;
    }
    Ok(())
}

/// Builds the documentation of every program and of the engine as the console has them, private items included, warnings
/// refused.
///
/// # Errors
/// A broken link or another warning.
pub fn docs(context: &Context, toolchain: &Toolchain) -> Result<()> {
    for processor in [Processor::Ee, Processor::Iop] {
        let mut command = cargo(context, toolchain, processor, "doc");
        command
            .args(["--no-deps", "--lib", "--document-private-items"])
            .env("RUSTDOC", toolchain.rustc.with_file_name("rustdoc"))
            .env("RUSTDOCFLAGS", DOC_FLAGS);
        for program in
            Program::ALL.into_iter().filter(|program| program.processor() == processor && program.has_library())
        {
            command.args(["--package", program.package()]);
        }
        run(&mut command, &format!("documenting the programs for the {processor:?}"))?;
    }
    Ok(())
}

/// Runs the compiler: says what it does when that takes a while, and prints what went wrong.
fn run(command: &mut Command, what: &str) -> Result<()> {
    // LLVM's remark about the IOP's processor says nothing of our code.
    process::run_filtered(command, what, |line| line != "warning: MIPS-I support is experimental")
}

fn folder(context: &Context) -> PathBuf {
    context.target.join("console")
}

/// A call of the toolchain's cargo for a processor, up to the packages.
fn cargo(context: &Context, toolchain: &Toolchain, processor: Processor, verb: &str) -> Command {
    let mut flags = match processor {
        Processor::Ee => toolchain.ee_flags.clone(),
        Processor::Iop => Vec::new(),
    };
    if processor == Processor::Ee {
        // The tables are left out by the linker script. What counts is that functions which never return, as a panic's, keep
        // their return addresses, so that a crash screen can tell the way.
        flags.push("-Cforce-unwind-tables=yes".into());
    }
    flags.push(format!("-Clinker={}", toolchain.linker.display()));
    // The same bytes wherever the tree, the crates and the compiler lie.
    flags.push(format!("--remap-path-prefix={}=boardwalk", context.root.display()));
    flags.extend(toolchain.library_places().map(|place| format!("--remap-path-prefix={}=rust", place.display())));
    if let Some(home) = cargo_home() {
        flags.push(format!("--remap-path-prefix={}=cargo", home.display()));
    }
    let mut command = toolchain.cargo_command();
    command
        .current_dir(&context.root)
        .args([verb, "--quiet", "--release", "--locked"])
        .args(["-Zbuild-std=core,alloc", "-Zbuild-std-features=compiler-builtins-mem", "-Zjson-target-spec"])
        .args(["--target", processor.target(), "--target-dir"])
        .arg(folder(context))
        .env("RUSTC", &toolchain.rustc)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    for inherited in ["RUSTC_WRAPPER", "CARGO_TARGET_DIR", "CARGO_BUILD_TARGET", "CARGO_MANIFEST_DIR"] {
        command.env_remove(inherited);
    }
    command
}

fn cargo_home() -> Option<PathBuf> {
    std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")))
}
