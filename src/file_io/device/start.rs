//! Which modules the IOP gets, and in which order.
//!
//! Source: seed 003, Device initialisation; settled questions 24.

use crate::pads::frame::Generation;
use boardwalk_iop::protocol;

/// A module to be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModuleFile {
    /// What a person calls it.
    pub name: &'static str,
    /// Its path on the IOP.
    pub path: &'static str,
    /// Servers that are there only when the module is: its own, or those of a module that needs it.
    pub servers: &'static [u32],
}

/// The modules in the seed's order.
///
/// Our choice: those that every console has in its ROM are taken from there; only the game's own comes from the disc.
pub const MODULES: [ModuleFile; 6] = [
    ModuleFile { name: "SIO2MAN", path: "rom0:SIO2MAN", servers: &PADS },
    ModuleFile { name: "PADMAN", path: "rom0:PADMAN", servers: &PADS },
    ModuleFile { name: "LIBSD", path: "rom0:LIBSD", servers: &[protocol::SERVER] },
    OWN,
    ModuleFile { name: "MCMAN", path: "rom0:MCMAN", servers: &CARDS },
    ModuleFile { name: "MCSERV", path: "rom0:MCSERV", servers: &CARDS },
];
/// Where a module of the controllers' later generation lies, for a console whose ROM has it; another module's path stays as it is.
pub fn later_path(module: &ModuleFile) -> &'static str {
    match module.name {
        "SIO2MAN" => "rom0:XSIO2MAN",
        "PADMAN" => "rom0:XPADMAN",
        _ => module.path,
    }
}
/// Servers of the controllers, either generation's.
const PADS: [u32; 2] = [Generation::New.server(), Generation::Old.server()];
/// The server of the memory cards.
const CARDS: [u32; 1] = [0x8000_0400];
/// The game's own module.
pub const OWN: ModuleFile =
    ModuleFile { name: "BWIOP", path: "cdrom0:\\IOP\\BWIOP.IRX;1", servers: &[protocol::SERVER] };
/// Tries of a module.
///
/// Our choice: the original tries for ever, and a console with a dirty lens would stand still without a word.
pub const TRIES: u32 = 5;

/// How the I/O processor is brought to its modules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beginning {
    /// It is started anew and gets them all.
    #[default]
    Anew,
    /// It goes on with what it has and gets what is missing: a host's loader lives on it.
    ///
    /// Source: settled questions 24.
    AsItIs,
}

impl Beginning {
    /// The modules to be loaded now; `answers` says whether a server is there.
    pub fn missing(self, mut answers: impl FnMut(u32) -> bool) -> impl Iterator<Item = ModuleFile> {
        MODULES.into_iter().filter(move |module| match self {
            Self::Anew => true,
            Self::AsItIs => !module.servers.iter().any(|server| answers(*server)),
        })
    }
}

/// A module that could not be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing<E> {
    /// Which one.
    pub module: ModuleFile,
    /// What the last try said.
    pub error: E,
}

/// Loads one module, with tries.
///
/// # Errors
/// The last try's error, with the module's name for the screen that shows it.
pub fn load_one<E>(module: ModuleFile, load: &mut impl FnMut(ModuleFile) -> Result<(), E>) -> Result<(), Missing<E>> {
    let mut tries = 1;
    loop {
        match load(module) {
            Ok(()) => return Ok(()),
            Err(error) if tries == TRIES => return Err(Missing { module, error }),
            Err(_) => tries += 1,
        }
    }
}

/// Loads all modules in their order, each with its tries.
///
/// # Errors
/// The first module that would not load.
pub fn load_all<E>(mut load: impl FnMut(ModuleFile) -> Result<(), E>) -> Result<(), Missing<E>> {
    MODULES.into_iter().try_for_each(|module| load_one(module, &mut load))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn modules_are_loaded_in_the_seed_s_order_and_tried_again() {
        let mut loads = Vec::new();
        let result = load_all(|module| {
            loads.push(module.name);
            // Each second load fails.
            if loads.len() % 2 == 0 { Err(-204) } else { Ok(()) }
        });
        assert_eq!(result, Ok(()));
        loads.dedup();
        assert_eq!(loads, ["SIO2MAN", "PADMAN", "LIBSD", "BWIOP", "MCMAN", "MCSERV"]);
    }

    #[test]
    fn on_a_hosts_iop_only_what_no_server_answers_for_is_loaded() {
        let missing = |beginning: Beginning, there: &[u32]| {
            beginning.missing(|server| there.contains(&server)).map(|module| module.name).collect::<Vec<_>>()
        };
        let pads = Generation::Old.server();
        assert_eq!(missing(Beginning::Anew, &[pads]).len(), MODULES.len());
        assert_eq!(missing(Beginning::AsItIs, &[]).len(), MODULES.len());
        assert_eq!(missing(Beginning::AsItIs, &[pads]), ["LIBSD", "BWIOP", "MCMAN", "MCSERV"]);
        assert_eq!(missing(Beginning::AsItIs, &[pads, 0x8000_0400, protocol::SERVER]), [""; 0]);
    }

    #[test]
    fn a_module_that_will_not_load_is_named_after_its_tries() {
        let mut tries = 0;
        let result = load_all(|module| {
            tries += u32::from(module == OWN);
            if module == OWN { Err(-203) } else { Ok(()) }
        });
        assert_eq!(result, Err(Missing { module: OWN, error: -203 }));
        assert_eq!(tries, TRIES);
    }
}
