//! The rules in a folder, at any depth.

use std::collections::HashSet;

use super::policy::Kind;
use super::texts::{Fate, Reader};
use crate::agents::files::{below, location};
use crate::prompt::FileReason;
use crate::read::store::{PathKind, ReadError};

pub(super) const FOLDER: &str = "rules";
pub(super) const ENDING: &str = ".md";

/// A folder of rules.
pub(super) struct Rules<'p> {
    pub folder: String,
    pub kind: Kind,
    /// Where the patterns start.
    pub base: &'p str,
    /// Why none of them counts.
    pub skip: Option<FileReason>,
}

impl Reader<'_, '_> {
    /// Reads the rules of a folder and of those below. The agent has them in the order of the file system; where that is
    /// not known, they are in that of their names.
    pub fn rules(&mut self, rules: &Rules<'_>) {
        let files = self.visit.files;
        if files.is_dangling(&rules.folder) {
            let is_missing = matches!(files.kind(&rules.folder), Err(ReadError::NotFound));
            return self.leave_out(&rules.folder, if is_missing { FileReason::Missing } else { FileReason::Invalid });
        }
        let mut entered = HashSet::new();
        let mut waiting = vec![rules.folder.clone()];
        let mut is_order_open = false;
        while let Some(path) = waiting.pop() {
            if self.visit.kind(&path) != Some(PathKind::Folder) {
                self.in_rules(rules, &path);
                continue;
            }
            if !entered.insert(self.visit.real(&path)) {
                self.leave_out(&path, FileReason::Duplicate);
                continue;
            }
            let entries = self.names.list(files, &path);
            is_order_open |= entries.iter().filter(|entry| entry.name.ends_with(ENDING)).count() > 1;
            let named = entries.iter().rev().filter(|entry| entry.is_named);
            waiting.extend(named.map(|entry| below(&path, &entry.name)));
        }
        if is_order_open && rules.skip.is_none() && !files.in_disk_order() {
            let at = location(&rules.folder, rules.kind.tier(), files.revision(&rules.folder));
            self.warn("has these rules in the order of the file system; here they are sorted".to_string(), at);
        }
    }

    /// A path in a folder of rules that is not a folder.
    fn in_rules(&mut self, rules: &Rules<'_>, path: &str) {
        if !path.ends_with(ENDING) {
            if self.visit.files.is_file(path) {
                self.leave_out(path, FileReason::NotRead);
            }
            return;
        }
        if !self.is_file(path) {
            return;
        }
        // A rule is known by its real path.
        let real = self.visit.real(path);
        let fate = match rules.skip {
            Some(why) => Fate::left_out(why),
            None if real != path && rules.kind == Kind::Project && !self.is_allowed(&real, rules.kind) => {
                let reason = format!("it leads to {real}, outside of the working folder");
                self.warn_of_loss(path, rules.kind, reason, "approve it in the agent, or move it");
                Fate::left_out(FileReason::NotApproved)
            }
            None => self.rule(&real, rules.kind, rules.base),
        };
        if real == path || self.visit.files.is_link(path) {
            self.set_fate(path, Fate { by: fate.by.clone(), ..fate });
        }
        if real != path {
            self.set_fate(&real, fate);
        }
    }
}
