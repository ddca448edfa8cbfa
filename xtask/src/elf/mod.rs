//! What happens to a linked program before it may run on a console: rewriting, checking, naming.
//!
//! [`image`] opens an ELF file of one of the two processors and yields its executable words and its symbols.
//! [`patch`] rewrites the floating-point words that the compiler emits in the MIPS form and the R5900 has in another.
//! [`decode`] turns a word into an instruction (name, registers read and written, flow), and [`flow`] follows
//! instructions over branches and delay slots. [`check`] runs the [`rules`] over an image and collects a
//! [`report::Report`]. [`symbols`] maps addresses to function names for the reports and for crash screens.
//!
//! ```text
//! linker -> ELF -> patch::patch_file -> check::check_ee / check::check_iop -> Report -> image or IRX
//! ```
//!
//! # Statics that DMA reads or writes
//! Such a static must own whole 64-byte cache lines (Source: rules for a console, 6). A linked image no longer tells
//! which static a DMA channel sees, so the program tells it: the static's name begins with `DMA_`
//! (`static DMA_RPC_BUFFER: …`), whatever its type or input section. Everything in an output section whose name is
//! or begins with `.dma` is taken for such a static as well. [`rules::dma_statics`] checks that each begins on a
//! 64-byte boundary and has a size that is a multiple of 64; a `#[repr(C, align(64))]` type gives both.

pub mod check;
pub mod decode;
pub mod flow;
pub mod image;
pub mod patch;
pub mod report;
pub mod rules;
pub mod symbols;
