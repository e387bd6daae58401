use std::collections::BTreeMap;

use super::{NotFixed, fixable};
use crate::lint::Finding;

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
        for (path, count) in self.fixed.iter().filter(|(path, _)| !self.left.contains_key(*path)) {
            files.entry(path).or_default().fixed += count;
        }
        for (path, count) in self.allowed.iter().filter(|(path, _)| !self.left.contains_key(*path)) {
            files.entry(path).or_default().allowed += count;
        }
        for (path, why) in &self.left {
            files.entry(path).or_default().why = Some(why.clone());
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
