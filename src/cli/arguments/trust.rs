use clap::Args;

#[derive(Debug, Clone, Copy, Default, Args)]
pub struct TrustFlags {
    /// Refuse parts without a trusted signature.
    ///
    /// The user or system tier must trust the key. explain shows the trust of every part instead.
    #[arg(long, help_heading = "Trust", hide_short_help = true)]
    pub verify: bool,

    /// Accept keys that only the project trusts (with --verify).
    #[arg(long, requires = "verify", help_heading = "Trust", hide_short_help = true)]
    pub trust_project_keys: bool,
}
