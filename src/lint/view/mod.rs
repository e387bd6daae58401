//! The formats of findings, one file each.

mod fingerprint;
mod github;
mod gitlab;
pub mod json;
mod junit;
mod place;
mod rdjson;
mod sarif;
#[cfg(test)]
pub(crate) mod tests;
mod text;

use std::collections::HashSet;
use std::io::{self, Write};

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::diagnostic::Severity;
use crate::lint::finding::{Finding, Related};
use crate::lint::fix::{FileOutcome, NotFixed, fixable};
use crate::lint::rule::Rule;
use crate::text::numbers::thousands;
use crate::text::visible::visible_line;
use crate::write::screen::{Escaping, Screen};

pub use json::shape::CheckedCounts;
use json::shape::Summary;
pub use place::Paths;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum LintFormat {
    /// For people, with lines and carets.
    #[default]
    Text,
    Concise,
    Json,
    Jsonl,
    /// SARIF 2.1.0
    Sarif,
    /// Annotations for GitHub Actions.
    Github,
    /// A Code Quality report for GitLab.
    Gitlab,
    Junit,
    Rdjson,
}

impl LintFormat {
    pub fn has_statistics(self) -> bool {
        matches!(self, Self::Text | Self::Concise | Self::Json | Self::Jsonl)
    }
}

#[derive(Debug, Clone, Default)]
pub struct LintView {
    pub format: LintFormat,
    pub statistics: bool,
    pub screen: Screen,
    /// The rules whose notes are never summarised.
    pub lists: ListedNotes,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ListedNotes {
    /// All rules, because notes are failures.
    #[default]
    All,
    /// The rules selected by name.
    Codes(Vec<&'static str>),
}

impl ListedNotes {
    fn names(&self, code: &str) -> bool {
        match self {
            Self::All => true,
            Self::Codes(codes) => codes.contains(&code),
        }
    }
}

impl LintView {
    /// The width of a finding's first line; unlimited unless on a terminal.
    fn title_width(&self) -> Option<usize> {
        self.screen.visible.then_some(self.screen.width)
    }
}

#[derive(Debug)]
pub struct LintReport {
    pub projects: Vec<ProjectReport>,
    pub seconds: Option<f64>,
}

#[derive(Debug)]
pub struct ProjectReport {
    /// The names of its files.
    pub paths: Paths,
    /// Ordered by path and place.
    pub findings: Vec<Finding>,
    pub checked: CheckedCounts,
    pub fix_outcomes: Option<Vec<FileOutcome>>,
}

/// `2 can be fixed with --fix, 3 in signed files with --unsafe-fixes`; `verb` is `can be fixed `.
fn fixable_shown(safe: usize, signed: usize, verb: &str) -> Option<String> {
    let [safe_shown, signed_shown] = [safe, signed].map(thousands);
    match (safe, signed) {
        (0, 0) => None,
        (_, 0) => Some(format!("{safe_shown} {verb}with --fix")),
        (0, _) => Some(format!("{signed_shown} in signed files {verb}with --fix --unsafe-fixes")),
        _ => Some(format!("{safe_shown} {verb}with --fix, {signed_shown} in signed files with --unsafe-fixes")),
    }
}

/// Counts a finding with a fix: for `--fix` and no further flag, or in a signed file.
fn count_fixable(finding: &Finding, safe: &mut usize, signed: &mut usize) {
    match fixable(finding) {
        Some(fixable) if fixable.is_signed => *signed += 1,
        Some(_) => *safe += 1,
        None => {}
    }
}

impl LintReport {
    fn summary(&self) -> Summary {
        let mut counts = Summary { checked: self.checked(), ..Summary::default() };
        for (finding, _) in self.findings() {
            match finding.severity {
                Severity::Error => counts.errors += 1,
                Severity::Warning => counts.warnings += 1,
                Severity::Note => counts.notes += 1,
            }
        }
        for project in &self.projects {
            // A fix that failed is not offered again.
            let fix_outcomes = project.fix_outcomes.iter().flatten();
            let is_left = |file: &&FileOutcome| file.why.as_ref().is_some_and(|why| *why != NotFixed::Signed);
            let left: HashSet<&str> = fix_outcomes.filter(is_left).map(|file| file.path.as_str()).collect();
            let findings = project.findings.iter().filter(|finding| !left.contains(finding.path()));
            findings.for_each(|it| count_fixable(it, &mut counts.fixable, &mut counts.fixable_unsafe));
        }
        counts
    }

    fn findings(&self) -> impl Iterator<Item = (&Finding, &Paths)> {
        self.projects.iter().flat_map(|project| project.findings.iter().map(|finding| (finding, &project.paths)))
    }

    fn checked(&self) -> CheckedCounts {
        let sum = |of: fn(&CheckedCounts) -> usize| self.projects.iter().map(|project| of(&project.checked)).sum();
        CheckedCounts {
            directives: sum(|it| it.directives),
            knowledge: sum(|it| it.knowledge),
            tools: sum(|it| it.tools),
            hooks: sum(|it| it.hooks),
            instructions: sum(|it| it.instructions),
            skills: sum(|it| it.skills),
        }
    }
}

/// Writes a report. Control characters are visible in all formats except JSON, and in JSON on a terminal.
pub fn write(report: &LintReport, view: &LintView, out: &mut dyn Write) -> io::Result<()> {
    let escaping = match view.format {
        LintFormat::Text | LintFormat::Concise | LintFormat::Github | LintFormat::Junit => Escaping::Itself,
        LintFormat::Json | LintFormat::Jsonl | LintFormat::Sarif | LintFormat::Gitlab | LintFormat::Rdjson => {
            Escaping::Json
        }
    };
    view.screen.write_escaped(escaping, out, |out| match view.format {
        LintFormat::Text | LintFormat::Concise if view.statistics => text::write_statistics(report, view, out),
        LintFormat::Text => text::write(report, view, out),
        LintFormat::Concise => text::write_concise(report, out),
        LintFormat::Github => github::write(report, out),
        LintFormat::Junit => junit::write(report, out),
        LintFormat::Json => json::write(report, view, out),
        LintFormat::Jsonl => json::write_lines(report, view, out),
        LintFormat::Sarif => sarif::write(report, out),
        LintFormat::Gitlab => gitlab::write(report, out),
        LintFormat::Rdjson => rdjson::write(report, out),
    })
}

/// The word of a format for the severity of a finding, of those for notes, warnings and errors.
fn severity_word(finding: &Finding, [note, warning, error]: [&'static str; 3]) -> &'static str {
    match finding.severity {
        Severity::Note => note,
        Severity::Warning => warning,
        Severity::Error => error,
    }
}

fn message_and_help(finding: &Finding) -> String {
    format!("{}\nhelp: {}", finding.message, finding.help)
}

/// The message with related places, for formats without a field for them.
fn in_one_text(finding: &Finding, paths: &Paths) -> String {
    let mut text = message_and_help(finding);
    for Related { at, message } in &finding.related {
        let line = place::positions(at).0.line;
        text += &format!("\n{message}: {}:{line}", visible_line(&paths.for_programs(at)));
    }
    text
}

fn docs(rule: &Rule) -> String {
    format!("docs/rules/{}.md", rule.code)
}
