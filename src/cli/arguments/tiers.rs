use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Clone, Args, Default)]
pub struct TierFlags {
    /// Set the folder that contains the project's .ai/.
    ///
    /// Default: RYE_PROJECT, else the nearest such folder searching up from the working folder.
    #[arg(long, value_name = "DIR", help_heading = "Tiers")]
    pub project: Option<PathBuf>,

    /// Set the folder that contains the user's .ai/, or none.
    ///
    /// Default: USER_SPACE, else the home folder. none also leaves out the user-wide settings.
    #[arg(long, value_name = "DIR", help_heading = "Tiers")]
    pub user_space: Option<PathBuf>,

    /// Set a bundle's folder, builtin or none (repeatable).
    ///
    /// Default: RYE_SYSTEM_SPACE, else the bundles that installed Python packages declare, else the embedded one.
    #[arg(long, value_name = "DIR", help_heading = "Tiers")]
    pub system: Vec<PathBuf>,

    /// Follow links out of the folder of their tier.
    #[arg(long, help_heading = "Tiers", hide_short_help = true)]
    pub follow_links: bool,

    /// Refuse larger items.
    #[arg(long, value_name = "BYTES", default_value_t = 16_000_000, help_heading = "Tiers", hide_short_help = true)]
    pub max_item_size: u64,
}
