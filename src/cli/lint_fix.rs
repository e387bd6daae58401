//! `lint --fix` and `--add-allow`, and `--diff` for either.

use std::collections::BTreeMap;

use super::arguments::Lint;
use super::run::StderrReport;
use crate::diagnostic::{Diagnostic, Location};
use crate::lint::allow::{AllowReason, CANNOT_BE_ALLOWED, TRUST, add};
use crate::lint::baseline::Baseline;
use crate::lint::fix::{FileChanges, FixOutcome, NotFixed, ReceiveFindings, fix, fixable};
use crate::lint::scope::LintScope;
use crate::lint::view::Paths;
use crate::lint::{Finding, Group, Known, LintOptions, check};
use crate::read::protocol::Protocol;
use crate::read::store::Tiers;
use crate::text::numbers::count;
use crate::text::visible::visible_line;

/// Everything that determines the findings.
pub(super) struct Linting<'a> {
    pub typed: &'a Lint,
    pub protocol: &'a Protocol,
    pub options: &'a LintOptions,
    pub scope: &'a LintScope,
    pub baseline: Option<&'a Baseline>,
    pub paths: &'a Paths,
    pub stderr: StderrReport,
    /// The path of `--stdin-filename`.
    pub piped: Option<&'a str>,
}

pub(super) struct Fixed {
    /// The tiers after the changes.
    pub tiers: Tiers,
    /// Why some files were not changed.
    pub diagnostics: Vec<Diagnostic>,
    /// `--diff`: the changes, instead of a report.
    pub patch: Option<Vec<u8>>,
    /// `None` without `--fix` and `--add-allow`.
    pub fix_outcome: Option<FixOutcome>,
    /// The fixed text of standard input, if it changed.
    pub piped: Option<Vec<u8>>,
}

impl Linting<'_> {
    /// Makes the changes that the flags request.
    ///
    /// # Errors
    /// The reason is invalid, or the flags contradict each other.
    pub fn change(&self, tiers: Tiers) -> Result<Fixed, Diagnostic> {
        let Lint { fix: fixes, unsafe_fixes, diff, add_allow, .. } = self.typed;
        let fixes = *fixes || (*diff && add_allow.is_none());
        if *unsafe_fixes && !fixes {
            return Err(Diagnostic::invalid("--unsafe-fixes requires --fix or --diff", "add one of them"));
        }
        if !fixes && add_allow.is_none() {
            return Ok(Fixed { tiers, diagnostics: Vec::new(), patch: None, fix_outcome: None, piped: None });
        }
        let reason = add_allow.as_deref().map(AllowReason::new).transpose();
        let reason = reason.map_err(|why| Diagnostic::invalid(why, "write one line of plain text"))?;
        let before = tiers.replacing([]);
        let mut made = PendingFixes {
            after: tiers,
            changes: FileChanges::default(),
            fix_outcome: FixOutcome::default(),
            signed: 0,
            conflicting: 0,
            left: Vec::new(),
        };
        if fixes {
            self.fix(&mut made);
        }
        if let Some(reason) = &reason {
            self.allow(&mut made, reason);
        }
        if let (Some(path), true) = (self.piped, !*diff) {
            made.changes.keep_only(path);
            made.after = before.replacing(made.changes.files());
        }
        let refused = match (before.project_root(), diff) {
            // Standard input is fixed without touching the disk.
            _ if self.piped.is_some() => BTreeMap::new(),
            (None, _) => BTreeMap::new(),
            (Some(root), true) => made.changes.check(root, before.disk()),
            (Some(root), false) => made.changes.write(root, before.disk()),
        };
        if !refused.is_empty() {
            made.fix_outcome.left.extend(refused);
            made.after = before.replacing(made.changes.files());
        }
        let mut patch = Vec::new();
        if *diff {
            // Writing to a vector cannot fail.
            let _ = made.changes.write_patch(self.path_to_project(), &mut patch);
        }
        made.fix_outcome.fixes = fixes;
        self.say(&made);
        let diagnostics = made.fix_outcome.left.iter().map(|(path, why)| not_changed(path, why)).collect();
        let (patch, fix_outcome) = (diff.then_some(patch), Some(made.fix_outcome));
        let piped = self.piped.and_then(|path| made.changes.files().find(|(known, _)| *known == path));
        let piped = piped.map(|(_, bytes)| bytes.clone());
        Ok(Fixed { tiers: made.after, diagnostics, patch, fix_outcome, piped })
    }

    /// The prefix of paths if there are several projects.
    fn path_to_project(&self) -> &str {
        self.paths.project().map_or("", |_| self.paths.prefix())
    }

    /// The path of the project's settings, relative to the working folder if there are several projects.
    fn settings(&self) -> String {
        let path = self.paths.settings();
        path.strip_prefix(self.paths.prefix()).filter(|_| self.paths.project().is_none()).unwrap_or(&path).to_string()
    }

    fn fix(&self, made: &mut PendingFixes) {
        let fixed = fix(&made.after, &|tiers, take| self.check(tiers, take), self.typed.unsafe_fixes);
        made.fix_outcome.left.extend(fixed.unsettled.iter().map(|path| (path.clone(), NotFixed::Unsettled)));
        self.check(&fixed.tiers, &mut |_, found| {
            let left = found.iter().filter(|finding| !fixed.unsettled.iter().any(|path| path == finding.path()));
            let left: Vec<_> = left.filter_map(fixable).collect();
            made.signed = left.iter().filter(|fixable| fixable.is_signed && !self.typed.unsafe_fixes).count();
            made.conflicting = left.len() - made.signed;
        });
        (made.after, made.changes, made.fix_outcome.fixed) = (fixed.tiers, fixed.changes, fixed.findings);
    }

    fn allow(&self, made: &mut PendingFixes, reason: &AllowReason) {
        let added = add(&made.after, &|tiers, take| self.check(tiers, take), reason);
        (made.after, made.fix_outcome.allowed, made.left) = (added.tiers, added.findings, added.left);
        made.changes.then(added.changes);
    }

    /// Passes `take` the findings that the baseline does not list.
    fn check(&self, tiers: &Tiers, take: &mut ReceiveFindings<'_>) {
        let project = self.scope.project(tiers, self.protocol, self.options, Known::default());
        let found = check(&project);
        let found = match self.baseline {
            Some(baseline) => baseline.pass(found, &project).left,
            None => found,
        };
        take(&project, found);
    }

    fn say(&self, made: &PendingFixes) {
        let mut lines = made.summary(self.typed.diff, &self.settings());
        if let Some(project) = self.paths.project() {
            lines.iter_mut().for_each(|line| *line = format!("{}: {line}", visible_line(project)));
        }
        if !lines.is_empty() {
            self.stderr.say(&lines.join("\n"));
        }
    }
}

/// The changes so far, in memory.
struct PendingFixes {
    after: Tiers,
    changes: FileChanges,
    fix_outcome: FixOutcome,
    /// The number of remaining findings that `--unsafe-fixes` would fix.
    signed: usize,
    /// The number of remaining findings whose fixes conflict with other fixes.
    conflicting: usize,
    /// Findings that cannot be allowed.
    left: Vec<Finding>,
}

impl PendingFixes {
    fn summary(&self, would: bool, settings: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let words = if would { ["would fix", "would allow"] } else { ["fixed", "allowed"] };
        for (word, counts) in words.into_iter().zip([&self.fix_outcome.fixed, &self.fix_outcome.allowed]) {
            // Excludes files that could not be written.
            let done: Vec<usize> = counts.iter().filter(|it| self.changes.holds(it.0)).map(|it| *it.1).collect();
            if !done.is_empty() {
                let (findings, files) = (count(done.iter().sum(), "finding"), count(done.len(), "file"));
                lines.push(format!("{word} {findings} in {files}"));
            }
        }
        if self.signed > 0 {
            let findings = count(self.signed, "finding");
            lines.push(format!("{findings} in signed files can be fixed with --unsafe-fixes, which breaks signatures"));
        }
        if self.conflicting > 0 {
            let findings = count(self.conflicting, "finding");
            lines.push(format!("{findings} left, because a fix conflicts with the text around it"));
        }
        // An allowance cannot allow a finding about allowances.
        let about_allowances =
            self.left.iter().filter(|finding| CANNOT_BE_ALLOWED.contains(&finding.rule.code)).count();
        let left = self.left.iter().filter(|finding| !CANNOT_BE_ALLOWED.contains(&finding.rule.code));
        let (trust, left): (Vec<&Finding>, Vec<_>) = left.partition(|finding| finding.rule.group == Group::Trust);
        if about_allowances > 0 {
            lines.push(format!("{} about allowances must be fixed by hand", count(about_allowances, "finding")));
        }
        if !left.is_empty() {
            lines.push(setting(&left, settings));
        }
        if !trust.is_empty() {
            lines.push(of_trust(&trust));
        }
        lines
    }
}

/// The codes of findings by file.
fn by_path<'f>(left: &[&'f Finding]) -> BTreeMap<&'f str, Vec<&'static str>> {
    let mut by_path: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for finding in left {
        let codes = by_path.entry(finding.path()).or_default();
        if !codes.contains(&finding.rule.code) {
            codes.push(finding.rule.code);
        }
    }
    by_path
}

fn of_trust(left: &[&Finding]) -> String {
    let mut lines = vec![format!("{} left: {TRUST}", count(left.len(), "finding"))];
    for (path, codes) in by_path(left) {
        lines.push(format!("  {}: {}", visible_line(path), codes.join(", ")));
    }
    lines.join("\n")
}

/// The settings that allow findings where a comment cannot.
fn setting(left: &[&Finding], settings: &str) -> String {
    let mut lines = vec![
        format!(
            "{} cannot be allowed by a comment; add these lines to {} instead:",
            count(left.len(), "finding"),
            visible_line(settings)
        ),
        "lint:\n  paths:".to_string(),
    ];
    for (path, codes) in by_path(left) {
        let path = visible_line(&serde_json::Value::from(path).to_string()).into_owned();
        lines.push(format!("    - {{files: [{path}], ignore: [{}]}}", codes.join(", ")));
    }
    lines.join("\n")
}

fn not_changed(path: &str, why: &NotFixed) -> Diagnostic {
    let path = path.to_string();
    Diagnostic::at(why.problem(), Location::File { tier: "project".into(), path, revision: None, position: None })
}
