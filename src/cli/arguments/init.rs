use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub struct Init {
    /// Folder of the project [default: the working folder].
    pub folder: Option<PathBuf>,
}
