//! The licences of what others wrote and the console's programs contain.

use crate::process;
use anyhow::{Context as _, Result};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages whose programs go on the disc.
const SHIPPED: [&str; 3] = ["boardwalk", "boardwalk-iop", "boardwalk-unpack"];

/// The part of `cargo metadata` that is read.
#[derive(Debug, Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Debug, Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    /// None for the workspace's own.
    source: Option<String>,
    manifest_path: PathBuf,
}

#[derive(Debug, Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Debug, Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Debug, Deserialize)]
struct Kind {
    /// None for what is linked in, else `dev` or `build`.
    kind: Option<String>,
}

/// The page: each package with its licence's name and texts.
pub(super) fn page(root: &Path) -> Result<String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root).args(["metadata", "--format-version", "1", "--locked"]);
    let text = process::run(&mut command, "asking cargo for the packages")?;
    let metadata = serde_json::from_str(&text).context("cargo's list of packages cannot be read")?;
    write(&linked(&metadata)?)
}

/// The packages of others that the shipped ones contain, by name.
fn linked(metadata: &Metadata) -> Result<Vec<&Package>> {
    let packages: HashMap<&str, &Package> = metadata.packages.iter().map(|found| (found.id.as_str(), found)).collect();
    let nodes: HashMap<&str, &Node> = metadata.resolve.nodes.iter().map(|found| (found.id.as_str(), found)).collect();
    let own = |name: &str| metadata.packages.iter().find(|found| found.source.is_none() && found.name == name);
    let mut open = Vec::new();
    for name in SHIPPED {
        open.push(own(name).with_context(|| format!("no package {name}"))?.id.as_str());
    }
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = nodes.get(id).with_context(|| format!("{id} is not resolved"))?;
        let linked = node.deps.iter().filter(|found| found.dep_kinds.iter().any(|kind| kind.kind.is_none()));
        open.extend(linked.map(|found| found.pkg.as_str()));
    }
    let mut others: Vec<&Package> =
        seen.iter().filter_map(|id| packages.get(id).copied()).filter(|found| found.source.is_some()).collect();
    others.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(others)
}

fn write(packages: &[&Package]) -> Result<String> {
    let mut page = String::from(
        "# What others wrote\n\nThe programs contain Rust's `core`, `alloc` and `compiler_builtins` (the Rust project's contributors; MIT or \
         Apache-2.0, texts beside this file) and these packages. Texts that several packages share stand once, at the end.\n\n",
    );
    let mut texts = BTreeMap::<String, Vec<String>>::new();
    for package in packages {
        let licence = package.license.as_deref().with_context(|| format!("{} names no licence", package.name))?;
        let found = texts_of(package.manifest_path.parent().unwrap_or(Path::new("")))?;
        // Some packages name their licence and leave its text to the reader.
        let remark = if found.is_empty() { "; brings no text of its own" } else { "" };
        writeln!(page, "- {} {}: {licence}{remark}", package.name, package.version)?;
        for (name, text) in found {
            texts.entry(text).or_default().push(format!("{} ({name})", package.name));
        }
    }
    let mut ordered: Vec<_> = texts.into_iter().map(|(text, names)| (names, text)).collect();
    ordered.sort();
    for (names, text) in ordered {
        write!(page, "\n## {}\n\n```text\n{}\n```\n", names.join(", "), text.trim_end())?;
    }
    Ok(page)
}

/// The licence files of a package, by name, with plain line ends.
fn texts_of(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let upper = name.to_uppercase();
        let licence = ["LICENSE", "LICENCE", "COPYING", "UNLICENSE"].iter().any(|word| upper.starts_with(word));
        if licence && entry.path().is_file() {
            let text = std::fs::read_to_string(entry.path()).with_context(|| entry.path().display().to_string())?;
            found.push((name, text.replace("\r\n", "\n")));
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_that_is_linked_in_is_named_with_its_text() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let page = page(root).unwrap();
        for name in ["heapless", "linked_list_allocator", "libm", "portable-atomic"] {
            assert!(page.contains(&format!("\n- {name} ")), "{name} is missing");
        }
        // What only the tests or the host's side use is not shipped.
        assert!(!page.contains("- proptest") && !page.contains("- clap"), "{page:.800}");
        assert!(page.contains("Permission is hereby granted"));
    }
}
