use clap::Args;

/// Who must have signed what a prompt is made of.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct TrustFlags {
    /// Refuse a prompt with parts that are not signed by a key that the user or system tier trusts.
    ///
    /// explain shows the trust of every part instead, signed or not.
    #[arg(long, help_heading = "Trust", hide_short_help = true)]
    pub verify: bool,

    /// Accept keys that the project alone trusts (with --verify).
    #[arg(long, requires = "verify", help_heading = "Trust", hide_short_help = true)]
    pub trust_project_keys: bool,
}
