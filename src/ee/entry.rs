//! A program's first steps, once it stands on its own stack and the kernel knows its heap.
//!
//! `crt0` clears `.bss`, makes the main thread and the heap in a few instructions and comes here; each step is the
//! console's matter, their order is this file's.
//!
//! Source: seed 003, entry (crt0).

/// What the first steps do.
pub trait EntryHost {
    /// The allocator over the kernel's heap, and the program's arguments.
    fn start_up(&mut self);
    /// Writes the data cache back.
    fn flush_cache(&mut self);
    /// Lets interrupts come.
    fn enable_interrupts(&mut self);
    /// The program; answers its exit value.
    fn main(&mut self) -> i32;
}

/// Start-up, the cache, interrupts, `main`; answers the value for the kernel's exit call.
// Covers: seed 003, entry (0x00100008) test=the_program_begins_in_the_seeds_order
pub fn enter<E: EntryHost>(host: &mut E) -> i32 {
    host.start_up();
    host.flush_cache();
    host.enable_interrupts();
    host.main()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[derive(Default)]
    struct Host(Vec<&'static str>);

    impl EntryHost for Host {
        fn start_up(&mut self) {
            self.0.push("start-up");
        }
        fn flush_cache(&mut self) {
            self.0.push("cache");
        }
        fn enable_interrupts(&mut self) {
            self.0.push("interrupts");
        }
        fn main(&mut self) -> i32 {
            self.0.push("main");
            7
        }
    }

    #[test]
    fn the_program_begins_in_the_seeds_order() {
        let mut host = Host::default();
        assert_eq!(enter(&mut host), 7, "what main answers goes to the exit call");
        assert_eq!(host.0, ["start-up", "cache", "interrupts", "main"]);
    }
}
