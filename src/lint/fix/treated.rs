use std::collections::BTreeMap;

use super::{Left, fixable};
use crate::lint::Finding;

/// What became of a file that something was to be put right in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Treated {
    /// The file.
    pub path: String,
    /// How many findings were put right.
    pub fixed: usize,
    /// How many findings an allowance was written for.
    pub allowed: usize,
    /// How many findings have a fix that was not made.
    pub left: usize,
    /// Why.
    pub why: Option<Left>,
}

/// What was done, and why something was not.
#[derive(Debug, Clone, Default)]
pub struct Treatment {
    /// Whether fixes were asked for at all.
    pub fixes: bool,
    /// How many findings were put right, by file.
    pub fixed: BTreeMap<String, usize>,
    /// How many findings are allowed, by file.
    pub allowed: BTreeMap<String, usize>,
    /// The files that were left as they were.
    pub left: BTreeMap<String, Left>,
}

impl Treatment {
    /// The files in byte order of paths, given what is found in them now.
    pub fn files(&self, findings: &[Finding]) -> Vec<Treated> {
        let mut files: BTreeMap<&str, Treated> = BTreeMap::new();
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
            file.why.get_or_insert(if fixable.is_signed { Left::Signed } else { Left::Together });
        }
        files.into_iter().map(|(path, file)| Treated { path: path.to_string(), ..file }).collect()
    }
}
