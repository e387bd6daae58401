use crate::read::protocol::Protocol;
use crate::read::store::Tiers;

use super::options::LintOptions;
use super::scope::LintScope;

/// A project or an agents' folder whose files and settings are found, ready to be checked.
pub struct OpenProject {
    /// Reads each file once.
    pub tiers: Tiers,
    pub protocol: Protocol,
    pub options: LintOptions,
    pub scope: LintScope,
}
