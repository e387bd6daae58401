use std::path::PathBuf;

use clap::Args;

/// `init [DIR]`
#[derive(Debug, Args)]
pub struct Init {
    /// The folder of the project; the working folder without it.
    pub folder: Option<PathBuf>,
}
