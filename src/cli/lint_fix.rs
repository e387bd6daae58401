//! What `lint` changes: `--fix`, `--add-allow`, and `--diff` for either.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::arguments::Lint;
use super::resolve::wrong;
use super::screen;
use crate::diagnostic::{Diagnostic, Location};
use crate::layout::count;
use crate::lint::allow::{CANNOT_BE_ALLOWED, Reason, TRUST, add};
use crate::lint::baseline::Baseline;
use crate::lint::fix::{Changes, Left, Take, Treatment, fix, fixable};
use crate::lint::scope::Scope;
use crate::lint::view::Paths;
use crate::lint::{Finding, Group, Options, check};
use crate::protocol::Protocol;
use crate::store::Tiers;
use crate::text::visible::visible_line;

/// Everything that decides what is found.
pub(super) struct Linting<'a> {
    /// What was typed.
    pub typed: &'a Lint,
    /// The assembly rules.
    pub protocol: &'a Protocol,
    /// What the settings say.
    pub options: &'a Options,
    /// In which files findings are reported.
    pub scope: &'a Scope,
    /// What is passed over.
    pub baseline: Option<&'a Baseline>,
    /// How the files of the project are called.
    pub paths: &'a Paths,
    /// Whether standard error is for people.
    pub speaks: bool,
    /// The file that standard input stands for.
    pub piped: Option<&'a str>,
}

/// What was changed.
pub(super) struct Changed {
    /// The tiers as they are now.
    pub tiers: Tiers,
    /// Why some files were left as they are.
    pub diagnostics: Vec<Diagnostic>,
    /// With `--diff`, what would change, as a patch. Then nothing is reported.
    pub patch: Option<Vec<u8>>,
    /// What was done; none where nothing was asked for.
    pub treatment: Option<Treatment>,
    /// What standard input became, if anything did.
    pub piped: Option<Vec<u8>>,
}

impl Linting<'_> {
    /// Changes what is asked for.
    ///
    /// # Errors
    /// A reason that cannot stand, or flags that do not fit.
    pub fn change(&self, tiers: Tiers) -> Result<Changed, Diagnostic> {
        let Lint { fix: fixes, unsafe_fixes, diff, add_allow, .. } = self.typed;
        let fixes = *fixes || (*diff && add_allow.is_none());
        if *unsafe_fixes && !fixes {
            return Err(wrong("--unsafe-fixes alone changes nothing", "add --fix, or --diff"));
        }
        if !fixes && add_allow.is_none() {
            return Ok(Changed { tiers, diagnostics: Vec::new(), patch: None, treatment: None, piped: None });
        }
        let reason = add_allow.as_deref().map(Reason::new).transpose();
        let reason = reason.map_err(|why| wrong(why, "write one line of plain words"))?;
        let before = tiers.replacing([]);
        let mut made = Made::nothing(tiers);
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
            // What is piped is not what lies on disk, which stays as it is.
            _ if self.piped.is_some() => BTreeMap::new(),
            (None, _) => BTreeMap::new(),
            (Some(root), true) => made.changes.check(root),
            (Some(root), false) => made.changes.write(root),
        };
        if !refused.is_empty() {
            made.treatment.left.extend(refused);
            made.after = before.replacing(made.changes.files());
        }
        let mut patch = Vec::new();
        if *diff {
            // Writing into a vector cannot fail.
            let _ = made.changes.write_patch(self.way(), &mut patch);
        }
        made.treatment.fixes = fixes;
        self.say(&made);
        let diagnostics = made.treatment.left.iter().map(|(path, why)| left_alone(path, why)).collect();
        let (patch, treatment) = (diff.then_some(patch), Some(made.treatment));
        let piped = self.piped.and_then(|path| made.changes.files().find(|(known, _)| *known == path));
        let piped = piped.map(|(_, bytes)| bytes.clone());
        Ok(Changed { tiers: made.after, diagnostics, patch, treatment, piped })
    }

    /// The way to the project, where there are several.
    fn way(&self) -> &str {
        self.paths.project().map_or("", |_| self.paths.way())
    }

    /// Where the settings of the project stand, from the working folder where there are several.
    fn settings(&self) -> String {
        let path = self.paths.settings();
        path.strip_prefix(self.paths.way()).filter(|_| self.paths.project().is_none()).unwrap_or(&path).to_string()
    }

    fn fix(&self, made: &mut Made) {
        let fixed = fix(&made.after, &|tiers, take| self.look(tiers, take), self.typed.unsafe_fixes);
        made.treatment.left.extend(fixed.unsettled.iter().map(|path| (path.clone(), Left::Unsettled)));
        self.look(&fixed.tiers, &mut |_, found| {
            let left = found.iter().filter(|finding| !fixed.unsettled.iter().any(|path| path == finding.path()));
            let left: Vec<_> = left.filter_map(fixable).collect();
            made.signed = left.iter().filter(|fixable| fixable.is_signed && !self.typed.unsafe_fixes).count();
            made.together = left.len() - made.signed;
        });
        (made.after, made.changes, made.treatment.fixed) = (fixed.tiers, fixed.changes, fixed.findings);
    }

    fn allow(&self, made: &mut Made, reason: &Reason) {
        let added = add(&made.after, &|tiers, take| self.look(tiers, take), reason);
        (made.after, made.treatment.allowed, made.left) = (added.tiers, added.findings, added.left);
        made.changes.then(added.changes);
    }

    /// Gives what is found in the files of some tiers and counts.
    fn look(&self, tiers: &Tiers, take: &mut Take<'_>) {
        let project = self.scope.project(tiers, self.protocol, self.options);
        let found = check(&project);
        let found = match self.baseline {
            Some(baseline) => baseline.pass(found, &project).left,
            None => found,
        };
        take(&project, found);
    }

    /// Says what was done, and what could be.
    fn say(&self, made: &Made) {
        let mut lines = made.said(self.typed.diff, &self.settings());
        if let Some(project) = self.paths.project() {
            lines.iter_mut().for_each(|line| *line = format!("{}: {line}", visible_line(project)));
        }
        if self.speaks && !lines.is_empty() {
            screen::make_way();
            // There is nobody left to tell when standard error is closed.
            let _ = writeln!(io::stderr().lock(), "{}", lines.join("\n"));
        }
    }
}

/// What is done so far, in memory.
struct Made {
    after: Tiers,
    changes: Changes,
    treatment: Treatment,
    /// How many of those that are left could be put right, were their files not signed.
    signed: usize,
    /// How many of them could be put right, were it not for others.
    together: usize,
    /// Those that cannot be allowed.
    left: Vec<Finding>,
}

impl Made {
    fn nothing(tiers: Tiers) -> Self {
        Self {
            after: tiers,
            changes: Changes::default(),
            treatment: Treatment::default(),
            signed: 0,
            together: 0,
            left: Vec::new(),
        }
    }

    fn said(&self, would: bool, settings: &str) -> Vec<String> {
        let mut said = Vec::new();
        let words = if would { ["would fix", "would allow"] } else { ["fixed", "allowed"] };
        for (word, counts) in words.into_iter().zip([&self.treatment.fixed, &self.treatment.allowed]) {
            // A file that was left as it is counts no more.
            let done: Vec<usize> = counts.iter().filter(|it| self.changes.holds(it.0)).map(|it| *it.1).collect();
            if !done.is_empty() {
                let (findings, files) = (count(done.iter().sum(), "finding"), count(done.len(), "file"));
                said.push(format!("{word} {findings} in {files}"));
            }
        }
        if self.signed > 0 {
            let findings = count(self.signed, "finding");
            said.push(format!("{findings} in signed files can be fixed with --unsafe-fixes, which breaks signatures"));
        }
        if self.together > 0 {
            let findings = count(self.together, "finding");
            said.push(format!("{findings} left, whose fixes cannot be made with what stands around them"));
        }
        // What is wrong with an allowance is no matter of another one.
        let about_allowances =
            self.left.iter().filter(|finding| CANNOT_BE_ALLOWED.contains(&finding.rule.code)).count();
        let left = self.left.iter().filter(|finding| !CANNOT_BE_ALLOWED.contains(&finding.rule.code));
        let (trust, left): (Vec<&Finding>, Vec<_>) = left.partition(|finding| finding.rule.group == Group::Trust);
        if about_allowances > 0 {
            said.push(format!(
                "{} about allowances left, to be put right where they stand",
                count(about_allowances, "finding")
            ));
        }
        if !left.is_empty() {
            said.push(setting(&left, settings));
        }
        if !trust.is_empty() {
            said.push(of_trust(&trust));
        }
        said
    }
}

/// The codes of findings by their files, which are made visible.
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

/// What is left because it is about trust.
fn of_trust(left: &[&Finding]) -> String {
    let mut lines = vec![format!("{} left: {TRUST}", count(left.len(), "finding"))];
    for (path, codes) in by_path(left) {
        lines.push(format!("  {}: {}", visible_line(path), codes.join(", ")));
    }
    lines.join("\n")
}

/// The setting that allows what no comment may.
fn setting(left: &[&Finding], settings: &str) -> String {
    let mut lines = vec![
        format!(
            "{} where no allowance may stand; in {} this allows them:",
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

fn left_alone(path: &str, why: &Left) -> Diagnostic {
    let path = path.to_string();
    Diagnostic::at(why.problem(), Location::File { tier: "project".into(), path, revision: None, position: None })
}
