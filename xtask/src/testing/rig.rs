//! What the steps share: folders, toolchain and programs, each made when first needed.

use crate::build::{self, Built, Program};
use crate::context::Context;
use crate::setup::{self, Toolchain};
use anyhow::Result;

/// The shared state of one run of the tests.
pub struct Rig {
    /// The folders.
    pub context: Context,
    /// Parts of the names of the unit tests that are wanted; all when empty.
    pub host_filters: Vec<String>,
    /// Golden pictures are written instead of compared.
    pub bless: bool,
    toolchain: Option<Toolchain>,
    programs: Vec<Built>,
}

impl Rig {
    /// A rig with nothing built.
    pub fn new(context: Context, bless: bool) -> Self {
        Self { context, host_filters: Vec::new(), bless, toolchain: None, programs: Vec::new() }
    }

    /// The console's toolchain.
    ///
    /// # Errors
    /// When none is there and none can be installed.
    pub fn toolchain(&mut self) -> Result<Toolchain> {
        if self.toolchain.is_none() {
            self.toolchain = Some(setup::toolchain(&self.context)?);
        }
        self.toolchain.clone().ok_or_else(|| anyhow::anyhow!("no toolchain"))
    }

    /// Every program of the console, built and checked.
    ///
    /// # Errors
    /// A failed build or check.
    pub fn programs(&mut self) -> Result<&[Built]> {
        if self.programs.is_empty() {
            let toolchain = self.toolchain()?;
            self.programs = Program::ALL
                .into_iter()
                .map(|program| build::program(&self.context, &toolchain, program))
                .collect::<Result<_>>()?;
        }
        Ok(&self.programs)
    }
}
