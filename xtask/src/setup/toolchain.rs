//! The Rust toolchain for the console: a rustup toolchain of the user's where one fits, else the system's compiler, which on Debian
//! and Ubuntu is installed when it is missing.
//!
//! What fits: the standard library's source (the console has no prebuilt one), LLVM 23 with its own repair of the R5900's short-loop
//! erratum, or LLVM 22 with delay slots left empty, which avoids the erratum at about 7 % of size.

use super::apt;
use crate::context::Context;
use crate::process::{find_program, is_executable, run};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A compiler, its linker and its disassembler, ready to build for the EE and the IOP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// The `cargo` to call; a real program, never rustup's stand-in.
    pub cargo: PathBuf,
    /// The compiler that belongs to it.
    pub rustc: PathBuf,
    /// Variables to set for `cargo`.
    pub env: Vec<(String, String)>,
    /// An ELF linker of the LLVM family.
    pub linker: PathBuf,
    /// Compiler flags that keep EE code clear of the short-loop erratum.
    pub ee_flags: Vec<String>,
    /// `llvm-objdump`, for the checkers and for people.
    pub objdump: PathBuf,
    /// What was chosen, in one line.
    pub description: String,
}

impl Toolchain {
    /// Another program of the LLVM tools that [`Toolchain::objdump`] belongs to, such as `objcopy`.
    pub fn llvm_tool(&self, name: &str) -> PathBuf {
        let file = self.objdump.file_name().unwrap_or_default().to_string_lossy().replace("objdump", name);
        self.objdump.with_file_name(file)
    }

    /// Where the standard library's source lies, by every name that the compiler may call it.
    pub fn library_places(&self) -> impl Iterator<Item = PathBuf> {
        let library = self.rustc.parent().and_then(Path::parent).map(|folder| folder.join(LIBRARY_SOURCE));
        // Debian's lies behind a link.
        let linked = library.as_deref().and_then(|library| library.canonicalize().ok());
        [library, linked].into_iter().flatten().filter_map(|library| library.parent().map(Path::to_path_buf))
    }

    /// A call of this toolchain's `cargo`, free of what the `cargo` that started us left in the environment.
    pub fn cargo_command(&self) -> Command {
        let mut command = Command::new(&self.cargo);
        for name in ["RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH", "CARGO", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
            command.env_remove(name);
        }
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// First LLVM whose MIPS back end repairs the short-loop erratum itself.
const LLVM_WITH_FIX: u32 = 23;
/// Oldest LLVM that this project's code was built and checked with.
const LLVM_OLDEST: u32 = 22;
/// Where a compiler keeps the standard library's source, below its own folder.
const LIBRARY_SOURCE: &str = "lib/rustlib/src/rust/library";
/// Debian's packages of the compiler that its browsers are built with, newer than the release's own.
const PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];
/// Debian's package of the linter that belongs to [`PACKAGES`].
const CLIPPY: &str = "rust-web-clippy";
/// Where the system's compiler lives. The full path passes by rustup's stand-ins, which come first on `PATH`.
const SYSTEM: &str = "/usr";

/// Finds the toolchain for the console, installing Debian's where that is possible and nothing else fits.
pub fn toolchain(_context: &Context) -> Result<Toolchain> {
    let reasons = match search() {
        Ok(found) => return Ok(found),
        Err(reasons) => reasons,
    };
    if let Some(obstacle) = apt::obstacle() {
        bail!("{}", advice(&reasons, obstacle));
    }
    if let Err(error) = install() {
        bail!("{error:#}\n\n{}", advice(&reasons, "installing Debian's compiler failed"));
    }
    search().map_err(|reasons| anyhow::anyhow!("{}", advice(&reasons, "the installed packages do not fit")))
}

/// The linter that belongs to a toolchain, for the code that only the console's programs contain. Debian's is installed when it is
/// missing.
pub fn clippy(toolchain: &Toolchain) -> Result<PathBuf> {
    let clippy = toolchain.cargo.with_file_name("cargo-clippy");
    if is_executable(&clippy) {
        return Ok(clippy);
    }
    if toolchain.cargo.starts_with(SYSTEM) && apt::obstacle().is_none() {
        apt::install(&[CLIPPY])?;
    }
    if !is_executable(&clippy) {
        bail!(
            "{} has no clippy beside it. Do one of these and try again:\n\
             - rustup component add clippy, for the toolchain above\n\
             - on Debian or Ubuntu, as root: {}",
            toolchain.cargo.display(),
            apt::by_hand(&[CLIPPY])
        );
    }
    Ok(clippy)
}

/// Installs or renews Debian's compiler, and installs the LLVM tools of the version that it was built with.
fn install() -> Result<()> {
    let rustc = Path::new(SYSTEM).join("bin/rustc");
    let llvm = || {
        let text = run(Command::new(&rustc).arg("-vV"), "rustc -vV").ok()?;
        Compiler::parse(&text).map(|compiler| compiler.llvm).filter(|llvm| *llvm >= LLVM_OLDEST)
    };
    if llvm().is_none() || !Path::new(SYSTEM).join(LIBRARY_SOURCE).is_dir() {
        apt::install(&PACKAGES)?;
    }
    let Some(llvm) = llvm() else { bail!("the packaged compiler is older than LLVM {LLVM_OLDEST}") };
    apt::install(&llvm_packages(llvm).each_ref().map(String::as_str))
}

/// Debian's packages of the linker and the tools of an LLVM version.
fn llvm_packages(llvm: u32) -> [String; 2] {
    [format!("lld-{llvm}"), format!("llvm-{llvm}")]
}

/// What a person can do, and what was found that did not fit.
fn advice(reasons: &[String], obstacle: &str) -> String {
    let mut text = String::from("No Rust toolchain that can build for the console was found.\n");
    for reason in reasons {
        text += &format!("  - {reason}\n");
    }
    text += &format!(
        "Nothing was installed: {obstacle}. Do one of these and try again:\n\
         - rustup toolchain install nightly --component rust-src --component llvm-tools\n\
         - on Debian or Ubuntu, as root: {}\n\
         Needed are the library's source, a compiler with LLVM {LLVM_OLDEST} or newer, an LLVM linker and llvm-objdump.",
        apt::by_hand(&[&PACKAGES[..], &llvm_packages(LLVM_OLDEST).each_ref().map(String::as_str)].concat())
    );
    text
}

/// Looks at every toolchain of the machine; the error lists why each does not fit.
fn search() -> Result<Toolchain, Vec<String>> {
    let mut reasons = Vec::new();
    let mut spare = None;
    let listed = find_program("rustup")
        .and_then(|rustup| run(Command::new(rustup).args(["toolchain", "list", "-v"]), "rustup").ok())
        .unwrap_or_default();
    for (name, folder) in rustup_toolchains(&listed) {
        match examine(&format!("rustup toolchain {name}"), &folder) {
            Ok((found, compiler)) if compiler.llvm >= LLVM_WITH_FIX => return Ok(found),
            Ok((found, _)) => spare = spare.or(Some(found)),
            Err(reason) => reasons.push(reason),
        }
    }
    match examine("system compiler", Path::new(SYSTEM)) {
        Ok((found, _)) => return Ok(found),
        Err(reason) => reasons.push(reason),
    }
    spare.ok_or(reasons)
}

/// Reads `rustup toolchain list -v`: names and folders, each folder once.
fn rustup_toolchains(text: &str) -> Vec<(String, PathBuf)> {
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for line in text.lines() {
        let (Some(name), Some(at)) = (line.split_whitespace().next(), line.find([' ', '\t'])) else { continue };
        let Some(folder) = line[at..].find('/').map(|slash| PathBuf::from(line[at + slash..].trim())) else { continue };
        if !found.iter().any(|(_, known)| *known == folder) {
            found.push((name.to_owned(), folder));
        }
    }
    found
}

/// Decides whether the compiler below `folder` fits. The source is looked for first, since that asks no program.
fn examine(name: &str, folder: &Path) -> Result<(Toolchain, Compiler), String> {
    let (rustc, cargo) = (folder.join("bin/rustc"), folder.join("bin/cargo"));
    if let Some(missing) = [&rustc, &cargo].into_iter().find(|file| !is_executable(file)) {
        return Err(format!("{name}: no {}", missing.display()));
    }
    if !folder.join(LIBRARY_SOURCE).is_dir() {
        return Err(format!("{name}: without the library's source (component rust-src)"));
    }
    let text = run(Command::new(&rustc).arg("-vV"), "rustc -vV").map_err(|error| format!("{name}: {error:#}"))?;
    let compiler = Compiler::parse(&text).ok_or_else(|| format!("{name}: its answer to -vV cannot be read"))?;
    let ee_flags = ee_flags(compiler.llvm)
        .ok_or_else(|| format!("{name}: LLVM {}, needed is {LLVM_OLDEST} or newer", compiler.llvm))?;
    let tools = folder.join("lib/rustlib").join(&compiler.host).join("bin");
    let linker = tool(&tools, "rust-lld", "ld.lld", compiler.llvm)
        .ok_or_else(|| format!("{name}: no LLVM linker (package lld-{})", compiler.llvm))?;
    let objdump = tool(&tools, "llvm-objdump", "llvm-objdump", compiler.llvm)
        .ok_or_else(|| format!("{name}: no llvm-objdump (component llvm-tools, or package llvm-{})", compiler.llvm))?;
    let mut env = vec![("RUSTC".to_owned(), rustc.display().to_string())];
    if !compiler.nightly {
        // Building the standard library and targets of one's own are options that only nightlies offer unasked.
        env.push(("RUSTC_BOOTSTRAP".to_owned(), "1".to_owned()));
    }
    let description = format!("{name}, Rust {} with LLVM {}", compiler.release, compiler.llvm);
    Ok((Toolchain { cargo, rustc, env, linker, ee_flags, objdump, description }, compiler))
}

/// An LLVM tool: the toolchain's own, else the packaged one of the same version, of the next newer ones, or of an older one that will do,
/// else any on `PATH`.
fn tool(own: &Path, own_name: &str, name: &str, llvm: u32) -> Option<PathBuf> {
    let packaged = (llvm..llvm + 4)
        .chain((LLVM_OLDEST..llvm).rev())
        .flat_map(|version| {
            [
                PathBuf::from(format!("/usr/bin/{name}-{version}")),
                PathBuf::from(format!("/usr/lib/llvm-{version}/bin/{name}")),
            ]
        })
        .find(|file| is_executable(file));
    let own = own.join(own_name);
    if is_executable(&own) { Some(own) } else { packaged.or_else(|| find_program(name)) }
}

/// Flags against the short-loop erratum for a given LLVM, or nothing when that LLVM is too old.
fn ee_flags(llvm: u32) -> Option<Vec<String>> {
    let flag = match llvm {
        LLVM_WITH_FIX.. => "-Ctarget-feature=+fix-r5900",
        LLVM_OLDEST => "-Cllvm-args=-disable-mips-delay-filler",
        _ => return None,
    };
    Some(vec![flag.to_owned()])
}

/// What `rustc -vV` tells about a compiler.
#[derive(Debug, PartialEq, Eq)]
struct Compiler {
    release: String,
    host: String,
    /// LLVM's major version.
    llvm: u32,
    nightly: bool,
}

impl Compiler {
    fn parse(text: &str) -> Option<Self> {
        let field = |name: &str| {
            text.lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
                .map(|value| value.trim().to_owned())
        };
        let release = field("release")?;
        Some(Self {
            host: field("host")?,
            llvm: field("LLVM version")?.split('.').next()?.parse().ok()?,
            nightly: release.contains("-nightly") || release.contains("-dev"),
            release,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEBIAN: &str = "rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)\nbinary: rustc\n\
        commit-hash: ac68faa20c58cbccd01ee7208bf3b6e93a7d7f96\ncommit-date: 2026-05-25\n\
        host: x86_64-unknown-linux-gnu\nrelease: 1.96.0\nLLVM version: 22.1.8\n";
    const NIGHTLY: &str = "rustc 1.99.0-nightly (0123456 2026-10-01)\nbinary: rustc\nhost: aarch64-apple-darwin\n\
        release: 1.99.0-nightly\nLLVM version: 23.1.4\n";

    #[test]
    fn a_compiler_is_known_by_its_own_words() {
        let debian = Compiler::parse(DEBIAN).unwrap();
        assert_eq!((debian.llvm, debian.nightly, debian.release.as_str()), (22, false, "1.96.0"));
        let nightly = Compiler::parse(NIGHTLY).unwrap();
        assert_eq!((nightly.llvm, nightly.nightly, nightly.host.as_str()), (23, true, "aarch64-apple-darwin"));
        assert_eq!(Compiler::parse("rustc 1.0.0\n"), None);
    }

    #[test]
    fn the_erratum_is_avoided_by_what_each_llvm_can_do() {
        assert_eq!(ee_flags(23).unwrap(), ["-Ctarget-feature=+fix-r5900"]);
        assert_eq!(ee_flags(24).unwrap(), ["-Ctarget-feature=+fix-r5900"]);
        assert_eq!(ee_flags(22).unwrap(), ["-Cllvm-args=-disable-mips-delay-filler"]);
        assert_eq!(ee_flags(21), None);
    }

    #[test]
    fn rustup_folders_are_read_once_each() {
        let text = "stable-x86_64 (active, default) /data/a b/.rustup/toolchains/stable\n\
                    nightly-x86_64 (active)\t/data/a b/.rustup/toolchains/nightly\n\
                    1.95.0-x86_64 /data/a b/.rustup/toolchains/stable\nno installed toolchains\n";
        let found = rustup_toolchains(text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[1], ("nightly-x86_64".to_owned(), PathBuf::from("/data/a b/.rustup/toolchains/nightly")));
    }

    #[test]
    fn a_toolchain_without_the_library_source_says_which_component_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("bin")).unwrap();
        for name in ["rustc", "cargo"] {
            std::os::unix::fs::symlink("/bin/sh", folder.path().join("bin").join(name)).unwrap();
        }
        let reason = examine("test", folder.path()).unwrap_err();
        assert!(reason.contains("rust-src"), "{reason}");
        let text = advice(&[reason], "installing packages needs root rights");
        assert!(text.contains("rust-src") && text.contains("rustc-web") && text.contains("root rights"), "{text}");
    }

    #[test]
    fn a_toolchain_of_its_own_kind_is_taken_with_its_tools() {
        let folder = tempfile::tempdir().unwrap();
        let script = |path: &str, text: &str| {
            use std::os::unix::fs::PermissionsExt;
            let file = folder.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, format!("#!/bin/sh\ncat <<'END'\n{text}END\n")).unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        };
        script("bin/rustc", NIGHTLY);
        script("bin/cargo", "");
        script("lib/rustlib/aarch64-apple-darwin/bin/rust-lld", "");
        script("lib/rustlib/aarch64-apple-darwin/bin/llvm-objdump", "");
        std::fs::create_dir_all(folder.path().join(LIBRARY_SOURCE)).unwrap();
        let (found, _) = examine("test", folder.path()).unwrap();
        assert_eq!(found.ee_flags, ["-Ctarget-feature=+fix-r5900"]);
        assert!(found.linker.ends_with("rust-lld") && found.objdump.starts_with(folder.path()));
        assert!(!found.env.iter().any(|(name, _)| name == "RUSTC_BOOTSTRAP"), "a nightly needs no such leave");
    }
}
