//! Packages by the system's own apt: what it is told to install, and the archive addresses that it already knows.

use crate::process::{self, find_program};
use crate::progress::Progress;
use anyhow::{Context as _, Result, bail};
use std::path::Path;
use std::process::Command;

/// Release of Debian whose archive carries PCSX2 1.6.
pub const EMULATOR_RELEASE: &str = "bookworm";

/// Why [`install`] may not be called, if it may not.
pub fn obstacle() -> Option<&'static str> {
    if find_program("apt-get").is_none() {
        return Some("this system has no apt-get");
    }
    (!nix::unistd::geteuid().is_root()).then_some("installing packages needs root rights")
}

/// The command by which a person installs `packages` by hand.
pub fn by_hand(packages: &[&str]) -> String {
    format!("apt-get update && apt-get install --no-install-recommends {}", packages.join(" "))
}

/// Installs `packages` with apt, asking nothing and removing nothing. Needs root; see [`obstacle`].
pub fn install(packages: &[&str]) -> Result<()> {
    let mut progress = Progress::new(&format!("Installing {}", packages.join(", ")), 100);
    progress.detail("reading the package lists");
    // Without the network the lists of last time may still do, so only the installation itself decides.
    let update = process::run(apt_get().arg("update"), "apt-get update");
    process::check_interrupted()?;
    let install = || {
        let mut command = apt_get();
        command.args(["install", "-y", "--no-install-recommends", "--no-remove", "-o", STATUS_TO_STDOUT]);
        command.arg("-oDPkg::Lock::Timeout=60").args(packages);
        command
    };
    let mut watch = |line: &str| {
        if let Some((percent, what)) = status(line) {
            progress.set(percent);
            progress.detail(what);
        }
    };
    let mut result = process::run_lines(&mut install(), "apt-get install", &mut watch);
    if result.as_ref().is_err_and(|error| format!("{error:#}").contains("dpkg --configure -a")) {
        // An earlier run was cut off in the middle; dpkg wants to finish that first.
        process::run(Command::new("dpkg").args(["--configure", "-a"]).env(ASK_NOTHING.0, ASK_NOTHING.1), "dpkg")?;
        result = process::run_lines(&mut install(), "apt-get install", &mut watch);
    }
    if let Err(error) = result {
        let lists = update.err().map(|error| format!("\n{error:#}")).unwrap_or_default();
        bail!("{error:#}{lists}\nInstall the packages by hand and try again:\n  {}", by_hand(packages));
    }
    progress.finish("installed");
    Ok(())
}

const ASK_NOTHING: (&str, &str) = ("DEBIAN_FRONTEND", "noninteractive");
/// apt writes machine-readable progress to this file descriptor.
pub const STATUS_TO_STDOUT: &str = "APT::Status-Fd=1";

fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    command.arg("-q").env(ASK_NOTHING.0, ASK_NOTHING.1).env("LC_ALL", "C.UTF-8");
    command
}

/// Reads one line of apt's status output: percent done and what is being done.
pub fn status(line: &str) -> Option<(u64, &str)> {
    let mut fields = line.splitn(4, ':');
    if !matches!(fields.next()?, "dlstatus" | "pmstatus") {
        return None;
    }
    fields.next()?;
    let percent: f64 = fields.next()?.trim().parse().ok()?;
    // Percentages are small and not negative, so the cast only drops the fraction.
    Some((percent.clamp(0.0, 100.0) as u64, fields.next()?.trim()))
}

/// The address of a Debian archive with main packages, as this machine's apt is configured to reach it.
pub fn debian_archive() -> Result<String> {
    let text = process::run(Command::new("apt-get").arg("indextargets").env("LC_ALL", "C.UTF-8"), "apt-get indextargets")
        .context("PCSX2 is unpacked from Debian's packages, which needs Debian's apt-get; or give your own with --pcsx2 and --bios")?;
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let debian = release.lines().any(|line| line.trim() == "ID=debian");
    archive_in(&text, debian).context(
        "apt's sources name no Debian main archive; add one to /etc/apt/sources.list, or give your own PCSX2 with --pcsx2 and --bios",
    )
}

/// Finds the main archive in the text of `apt-get indextargets`. Before the first `apt-get update` the labels are not known yet;
/// on Debian itself (`debian`) an unlabelled archive whose release is neither updates nor security is the main one.
fn archive_in(text: &str, debian: bool) -> Option<String> {
    let stanzas =
        || text.split("\n\n").map(Stanza).filter(|s| s.is("Identifier", "Packages") && s.is("Component", "main"));
    let labelled = stanzas().find(|s| s.is("Label", "Debian") && s.is("Origin", "Debian"));
    let unlabelled = || {
        stanzas().find(|s| {
            debian && s.get("Label").is_none() && s.get("Release").is_some_and(|name| !name.contains(['-', '/']))
        })
    };
    labelled.or_else(unlabelled)?.get("Site").map(str::to_owned)
}

/// One paragraph of `Name: value` lines.
struct Stanza<'a>(&'a str);

impl<'a> Stanza<'a> {
    fn get(&self, name: &str) -> Option<&'a str> {
        self.0
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value.trim())
    }

    fn is(&self, name: &str, value: &str) -> bool {
        self.get(name) == Some(value)
    }
}

/// The keyring that Debian's archives are signed with, where Debian and its derivatives keep it.
pub fn debian_keyring() -> Result<&'static Path> {
    let keyring = Path::new("/usr/share/keyrings/debian-archive-keyring.gpg");
    if !keyring.is_file() {
        bail!("{} is missing; install the package debian-archive-keyring", keyring.display());
    }
    Ok(keyring)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stanza(release: &str, label: &str, site: &str) -> String {
        let label = if label.is_empty() { String::new() } else { format!("Label: {label}\nOrigin: Debian\n") };
        format!(
            "MetaKey: main/binary-amd64/Packages\n{label}Identifier: Packages\nComponent: main\nRelease: {release}\nSite: {site}\n\n"
        )
    }

    #[test]
    fn the_main_archive_is_preferred_to_the_security_archive() {
        let text = stanza("bookworm-security", "Debian-Security", "http://a.example/debian-security")
            + &stanza("bookworm", "Debian", "http://b.example/debian");
        assert_eq!(archive_in(&text, true).as_deref(), Some("http://b.example/debian"));
    }

    #[test]
    fn other_components_and_other_indexes_are_passed_over() {
        let text = "Identifier: Packages\nComponent: contrib\nLabel: Debian\nOrigin: Debian\nSite: http://a.example\n\n\
                    Identifier: Translations\nComponent: main\nLabel: Debian\nOrigin: Debian\nSite: http://b.example\n\n";
        assert_eq!(archive_in(text, true), None);
    }

    #[test]
    fn before_the_first_update_debian_is_known_by_its_release_names() {
        let text = stanza("bookworm-security", "", "http://a.example") + &stanza("bookworm", "", "http://b.example");
        assert_eq!(archive_in(&text, true).as_deref(), Some("http://b.example"));
        assert_eq!(archive_in(&text, false), None, "another distribution's archive carries no PCSX2");
    }

    #[test]
    fn status_lines_give_percent_and_text() {
        assert_eq!(status("dlstatus:3:27.4503:Retrieving file 3 of 231"), Some((27, "Retrieving file 3 of 231")));
        assert_eq!(status("pmstatus:llvm-22:80:Unpacking llvm-22 (amd64)"), Some((80, "Unpacking llvm-22 (amd64)")));
        assert_eq!(status("Reading package lists..."), None);
        assert_eq!(status("dlstatus:3:many:words"), None);
    }
}
