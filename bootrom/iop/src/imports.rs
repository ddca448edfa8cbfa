//! Import tables for programs of the IOP.

/// One import table: the library's name, its version, and functions with their numbers. Each function becomes an external
/// one of that name; until a loader has linked the table, calling it returns at once.
///
/// The symbols of the stubs begin with `import_`, so that a library's function may be called as one of the compiler's own.
/// Names of five to eight letters are what systems have, and the padding counts on it.
///
/// Source: IOP facts, Import and export tables
#[macro_export]
macro_rules! imports {
    ($library:literal, $version:literal; $(
        $(#[$attribute:meta])*
        fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? = $number:literal;
    )+) => {
        core::arch::global_asm!(
            ".section .text.imports, \"ax\", @progbits",
            ".set noreorder",
            ".balign 4",
            concat!(".word 0x41E00000, 0, ", $version),
            concat!(".ascii \"", $library, "\""),
            ".balign 4, 0",
            $(
                concat!(".globl import_", stringify!($name)),
                concat!(".type import_", stringify!($name), ", @function"),
                concat!("import_", stringify!($name), ":"),
                // `jr $ra` and, in its delay slot, a word that only names the function.
                concat!(".word 0x03E00008, 0x24000000 | ", $number),
            )+
            ".word 0, 0",
            // Zeroes up to where code begins, so that the linker puts no words of its own between.
            ".balign 16, 0",
            ".text",
        );
        unsafe extern "C" {
            $(
                $(#[$attribute])*
                #[link_name = concat!("import_", stringify!($name))]
                pub safe fn $name($($argument: $type),*) $(-> $result)?;
            )+
        }
    };
}
