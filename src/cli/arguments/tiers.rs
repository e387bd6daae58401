use std::path::PathBuf;

use clap::Args;

/// Where items are looked for.
#[derive(Debug, Clone, Args, Default)]
pub struct TierFlags {
    /// Name the folder that holds the project's .ai/.
    ///
    /// Without it: RYE_PROJECT, else the nearest folder from the working folder up.
    #[arg(long, value_name = "DIR", help_heading = "Tiers")]
    pub project: Option<PathBuf>,

    /// Name the folder that holds the user's .ai/, or none.
    ///
    /// Without it: USER_SPACE, else the home folder.
    #[arg(long, value_name = "DIR", help_heading = "Tiers")]
    pub user_space: Option<PathBuf>,

    /// Name a bundle's folder, builtin or none (repeatable).
    ///
    /// Without it: RYE_SYSTEM_SPACE, else the bundles that installed Python packages declare, else the embedded one.
    #[arg(long, value_name = "DIR", help_heading = "Tiers")]
    pub system: Vec<PathBuf>,

    /// Follow links that leave the folder of their tier.
    #[arg(long, help_heading = "Tiers", hide_short_help = true)]
    pub follow_links: bool,

    /// Refuse an item that is larger.
    #[arg(long, value_name = "BYTES", default_value_t = 16_000_000, help_heading = "Tiers", hide_short_help = true)]
    pub max_item_size: u64,
}

impl TierFlags {
    /// One that was typed, if there is one.
    pub fn first(&self) -> Option<&'static str> {
        let typed = [
            ("--project", self.project.is_some()),
            ("--user-space", self.user_space.is_some()),
            ("--system", !self.system.is_empty()),
            ("--follow-links", self.follow_links),
        ];
        typed.into_iter().find_map(|(flag, is_typed)| is_typed.then_some(flag))
    }
}
