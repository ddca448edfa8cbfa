//! What a person can do on the crash screen.

use core::ffi::CStr;

/// The disc's program as the kernel is asked for it. Source: disc and boot facts, SYSTEM.CNF
pub const DISC_PROGRAM: &CStr = c"cdrom0:\\BWLK_100.01;1";
/// The disc's device: a newly started IOP has it, and no loader's own drivers.
const DISC: &[u8] = b"cdrom0:";

/// What START does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WayBack {
    /// Nothing, or nothing yet: there is no controller to press it on.
    #[default]
    None,
    /// The program begins anew.
    Anew,
    /// The console's browser comes.
    Browser,
    /// A host on the network started the program; its own programs on the IOP are left alone, and there are no controllers.
    Host,
}

impl WayBack {
    /// What the screen says above the code.
    pub const fn words(self) -> &'static str {
        match self {
            Self::None => "SEND A PHOTOGRAPH, OR THIS CODE:",
            Self::Anew => "SEND A PHOTOGRAPH, OR THIS CODE. START BEGINS ANEW.",
            Self::Browser => "SEND A PHOTOGRAPH, OR THIS CODE. START LEAVES FOR THE BROWSER.",
            Self::Host => "SEND A PHOTOGRAPH, OR THIS CODE. RESET FROM THE HOST.",
        }
    }
}

/// What a newly started IOP can load anew: the program itself if it came from the disc, else the disc's, which is the same game.
/// Programs of other devices need drivers that went with the old IOP.
pub fn program_to_begin(own: Option<&CStr>, disc_has: impl FnOnce(&CStr) -> bool) -> Option<&CStr> {
    let from_disc = own.filter(|path| path.to_bytes().starts_with(DISC));
    from_disc.or_else(|| Some(DISC_PROGRAM).filter(|path| disc_has(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_of_the_disc_begins_anew_by_its_own_path() {
        let own = c"cdrom0:\\OTHER.ELF;1";
        assert_eq!(program_to_begin(Some(own), |_| false), Some(own));
    }

    #[test]
    fn a_program_of_another_device_begins_as_the_discs_when_it_is_in_the_drive() {
        for own in [Some(c"mass:/boardwalk.elf"), Some(c""), None] {
            let asked = |path: &CStr| path == DISC_PROGRAM;
            assert_eq!(program_to_begin(own, asked), Some(DISC_PROGRAM), "{own:?}");
            assert_eq!(program_to_begin(own, |_| false), None, "{own:?}");
        }
    }
}
