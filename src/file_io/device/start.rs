//! Which modules the IOP gets, and in which order.
//!
//! Source: seed 003, Device initialisation; settled questions 24.

/// A module to be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModuleFile {
    /// What a person calls it.
    pub name: &'static str,
    /// Its path on the IOP.
    pub path: &'static str,
}

/// The modules in the seed's order.
///
/// Our choice: those that every console has in its ROM are taken from there; only the game's own comes from the disc.
pub const MODULES: [ModuleFile; 6] = [
    ModuleFile { name: "SIO2MAN", path: "rom0:SIO2MAN" },
    ModuleFile { name: "PADMAN", path: "rom0:PADMAN" },
    ModuleFile { name: "LIBSD", path: "rom0:LIBSD" },
    OWN,
    ModuleFile { name: "MCMAN", path: "rom0:MCMAN" },
    ModuleFile { name: "MCSERV", path: "rom0:MCSERV" },
];
/// The game's own module.
pub const OWN: ModuleFile = ModuleFile { name: "BWIOP", path: "cdrom0:\\IOP\\BWIOP.IRX;1" };
/// Tries of a module.
///
/// Our choice: the original tries for ever, and a console with a dirty lens would stand still without a word.
pub const TRIES: u32 = 5;

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
