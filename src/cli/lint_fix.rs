//! What `lint` changes: `--fix`, `--add-allow`, and `--diff` for either.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::arguments::Lint;
use super::output::Output;
use super::resolve::wrong;
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::layout::count;
use crate::lint::allow::{InvalidReason, Reason, TRUST, add};
use crate::lint::baseline::Baseline;
use crate::lint::fix::{Changes, Take, fix, has_signed_fix};
use crate::lint::scope::Scope;
use crate::lint::{Finding, Group, Options, check};
use crate::protocol::Protocol;
use crate::store::{TierKind, Tiers};
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
    /// Whether standard error is for people.
    pub speaks: bool,
}

/// What was changed.
pub(super) struct Changed {
    /// The tiers as they are now.
    pub tiers: Tiers,
    /// Why some files were left as they are.
    pub diagnostics: Vec<Diagnostic>,
    /// With `--diff`, whether anything would change. Then nothing is reported.
    pub would_differ: Option<bool>,
}

impl Linting<'_> {
    /// Changes what is asked for.
    ///
    /// # Errors
    /// A reason that cannot stand, flags that do not fit, or an output that cannot be written.
    pub fn change(&self, tiers: Tiers) -> Result<Changed, Diagnostic> {
        let Lint { fix: fixes, unsafe_fixes, diff, add_allow, .. } = self.typed;
        let fixes = *fixes || (*diff && add_allow.is_none());
        if *unsafe_fixes && !fixes {
            return Err(wrong("--unsafe-fixes alone changes nothing", "add --fix, or --diff"));
        }
        if !fixes && add_allow.is_none() {
            return Ok(Changed { tiers, diagnostics: Vec::new(), would_differ: None });
        }
        let reason = add_allow.as_deref().map(Reason::new).transpose();
        let reason = reason.map_err(|InvalidReason(why)| wrong(why, "write one line of plain words"))?;
        let before = tiers.replacing([]);
        let mut made = Made::nothing(tiers);
        if fixes {
            self.fix(&mut made);
        }
        if let Some(reason) = &reason {
            self.allow(&mut made, reason);
        }
        if *diff {
            let output = Output::new(self.typed.output.as_deref());
            output.write(|out| Ok(made.changes.write_patch(out)?))?;
            self.say(&made);
            let would_differ = Some(!made.changes.is_empty());
            return Ok(Changed { tiers: made.after, diagnostics: made.diagnostics, would_differ });
        }
        let left = write(&mut made.changes, &before);
        if !left.is_empty() {
            made.diagnostics.extend(left);
            made.after = before.replacing(made.changes.files());
        }
        self.say(&made);
        Ok(Changed { tiers: made.after, diagnostics: made.diagnostics, would_differ: None })
    }

    fn fix(&self, made: &mut Made) {
        let fixed = fix(&made.after, &|tiers, take| self.look(tiers, take), self.typed.unsafe_fixes);
        made.diagnostics.extend(fixed.unsettled.iter().map(|path| unsettled(path)));
        if !self.typed.unsafe_fixes {
            let signed = |found: Vec<Finding>| found.iter().filter(|finding| has_signed_fix(finding)).count();
            self.look(&fixed.tiers, &mut |_, found| made.signed = signed(found));
        }
        (made.after, made.changes, made.fixed) = (fixed.tiers, fixed.changes, fixed.findings);
    }

    fn allow(&self, made: &mut Made, reason: &Reason) {
        let added = add(&made.after, &|tiers, take| self.look(tiers, take), reason);
        (made.after, made.allowed, made.left) = (added.tiers, added.findings, added.left);
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
        let lines = made.said(self.typed.diff);
        if self.speaks && !lines.is_empty() {
            // There is nobody left to tell when standard error is closed.
            let _ = writeln!(io::stderr().lock(), "{}", lines.join("\n"));
        }
    }
}

/// What is done so far, in memory.
struct Made {
    after: Tiers,
    changes: Changes,
    diagnostics: Vec<Diagnostic>,
    /// How many findings were put right, by file.
    fixed: BTreeMap<String, usize>,
    /// How many of those that are left could be, were their files not signed.
    signed: usize,
    /// How many findings are allowed, by file.
    allowed: BTreeMap<String, usize>,
    /// Those that cannot be.
    left: Vec<Finding>,
}

impl Made {
    fn nothing(tiers: Tiers) -> Self {
        Self {
            after: tiers,
            changes: Changes::default(),
            diagnostics: Vec::new(),
            fixed: BTreeMap::new(),
            signed: 0,
            allowed: BTreeMap::new(),
            left: Vec::new(),
        }
    }

    fn said(&self, would: bool) -> Vec<String> {
        let mut said = Vec::new();
        let words = if would { ["would fix", "would allow"] } else { ["fixed", "allowed"] };
        for (word, counts) in words.into_iter().zip([&self.fixed, &self.allowed]) {
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
        let (trust, left): (Vec<&Finding>, Vec<_>) =
            self.left.iter().partition(|finding| finding.rule.group == Group::Trust);
        if !left.is_empty() {
            said.push(setting(&left));
        }
        if !trust.is_empty() {
            said.push(of_trust(&trust));
        }
        said
    }
}

fn write(changes: &mut Changes, tiers: &Tiers) -> Vec<Diagnostic> {
    let project = tiers.list().iter().find(|tier| tier.kind == TierKind::Project);
    match project.and_then(|tier| Some((tier.root.as_deref()?, &tier.label))) {
        Some((root, label)) => changes.write(root, label),
        None => Vec::new(),
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
fn setting(left: &[&Finding]) -> String {
    let mut lines = vec![
        format!(
            "{} where no allowance may stand; in .ai/config/rye-render.yaml this allows them:",
            count(left.len(), "finding")
        ),
        "lint:\n  paths:".to_string(),
    ];
    for (path, codes) in by_path(left) {
        let path = visible_line(&serde_json::Value::from(path).to_string()).into_owned();
        lines.push(format!("    - {{files: [{path}], ignore: [{}]}}", codes.join(", ")));
    }
    lines.join("\n")
}

fn unsettled(path: &str) -> Diagnostic {
    let problem = Problem::LeftAlone {
        why: "its fixes ask for others, and no end was reached",
        help: "put it right by hand; `lint` shows it",
    };
    Diagnostic::at(
        problem,
        Location::File { tier: "project".into(), path: path.to_string(), revision: None, position: None },
    )
}
