use std::collections::BTreeMap;

use strum::IntoStaticStr;

use crate::diagnostic::{Diagnostic, Problem};
use crate::lint::Finding;

use super::fixable;

/// Why fixable findings remain in a file.
#[derive(Debug, Clone, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum NotFixed {
    Signed,
    /// It changed since it was read.
    Changed,
    ReadOnly,
    Outside,
    NotWritten(String),
    Unsettled,
    /// A fix conflicts with other fixes or with the text around it.
    Together,
}

impl NotFixed {
    pub fn problem(&self) -> Problem {
        let (why, help) = match self {
            Self::Signed => ("its signature would become invalid", "add --unsafe-fixes, and sign it again"),
            Self::Changed => ("it changed while it was checked", "run the command again"),
            Self::ReadOnly => ("the file is read-only", "make it writable, and run the command again"),
            Self::Outside => ("a link leads out of the project", "change the file that the link leads to"),
            Self::NotWritten(reason) => return Problem::NotWritten { reason: reason.clone() },
            Self::Unsettled => ("its fixes undo each other", "fix it by hand; `lint` shows the findings"),
            Self::Together => ("a fix conflicts with the text around it", "fix it by hand; `lint` shows the finding"),
        };
        Problem::LeftAlone { why, help }
    }

    pub fn words(&self) -> (String, String) {
        let said = Diagnostic::new(self.problem());
        (said.message(), said.help().unwrap_or_default())
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileOutcome {
    pub path: String,
    pub fixed: usize,
    pub allowed: usize,
    pub left: usize,
    /// Why findings are left.
    pub why: Option<NotFixed>,
}

/// The outcome of `--fix` and `--add-allow`.
#[derive(Debug, Clone, Default)]
pub struct FixOutcome {
    /// Whether fixes were requested.
    pub fixes: bool,
    pub fixed: BTreeMap<String, usize>,
    pub allowed: BTreeMap<String, usize>,
    pub left: BTreeMap<String, NotFixed>,
}

impl FixOutcome {
    /// The outcome per file in byte order of paths, given the remaining findings.
    pub fn files(&self, findings: &[Finding]) -> Vec<FileOutcome> {
        let mut files: BTreeMap<&str, FileOutcome> = BTreeMap::new();
        for (path, fixed) in &self.fixed {
            files.entry(path).or_default().fixed = *fixed;
        }
        for (path, allowed) in &self.allowed {
            files.entry(path).or_default().allowed = *allowed;
        }
        for (path, why) in &self.left {
            files.insert(path, FileOutcome { why: Some(why.clone()), ..FileOutcome::default() });
        }
        for finding in findings.iter().filter(|_| self.fixes) {
            let Some(fixable) = fixable(finding) else { continue };
            let file = files.entry(finding.path()).or_default();
            file.left += 1;
            file.why.get_or_insert(if fixable.is_signed { NotFixed::Signed } else { NotFixed::Together });
        }
        files.into_iter().map(|(path, file)| FileOutcome { path: path.to_string(), ..file }).collect()
    }
}
