//! What is found, as people and programs read it: a file for each format.

mod concise;
mod each;
mod fingerprint;
mod github;
mod gitlab;
pub mod json;
mod junit;
mod place;
mod rdjson;
mod sarif;
mod statistics;
#[cfg(test)]
pub(crate) mod tests;
mod text;

use std::collections::HashSet;
use std::io::{self, Write};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::finding::{Finding, Related};
use super::fix::{Left, Treated, fixable};
use super::rule::Rule;
use crate::diagnostic::Severity;
use crate::text::visible::{VisibleWriter, visible_line};
use crate::theme::Theme;
use crate::tokens::thousands;

pub use place::Paths;

/// A format of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Format {
    /// For people: each with its lines and a caret.
    #[default]
    Text,
    /// A line each.
    Concise,
    /// One object.
    Json,
    /// An object a line.
    Jsonl,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// A Code Quality report of GitLab.
    Gitlab,
    /// A JUnit report.
    Junit,
    /// The diagnostics of reviewdog.
    Rdjson,
}

impl Format {
    /// Whether it has a place for findings that are counted by rule.
    pub fn has_statistics(self) -> bool {
        matches!(self, Self::Text | Self::Concise | Self::Json | Self::Jsonl)
    }
}

/// How findings are shown.
#[derive(Debug, Clone)]
pub struct View {
    /// The format.
    pub format: Format,
    /// Whether findings are counted by rule instead of listed, in a format that has a place for it.
    pub statistics: bool,
    /// With or without colours.
    pub theme: Theme,
    /// Columns to lay text out for.
    pub width: usize,
    /// Whether what would act on a terminal is made visible in formats for programs too.
    pub visible: bool,
    /// The rules of which people are shown each note, however many there are.
    pub lists: Lists,
}

/// Rules of which each note is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lists {
    /// All of them: notes are worth a failure.
    All,
    /// Those with these codes, which were asked for by name.
    Codes(Vec<&'static str>),
}

impl Lists {
    fn names(&self, code: &str) -> bool {
        match self {
            Self::All => true,
            Self::Codes(codes) => codes.contains(&code),
        }
    }
}

impl View {
    /// Columns that the first line of a finding has: on a terminal those there are, elsewhere it is one line.
    fn title_width(&self) -> Option<usize> {
        self.visible.then_some(self.width)
    }
}

/// What was looked at, and what was found.
#[derive(Debug)]
pub struct Report {
    /// The projects, one as a rule.
    pub projects: Vec<OfProject>,
    /// How long it took, if that is told.
    pub seconds: Option<f64>,
}

/// What was looked at in a project, and what was found.
#[derive(Debug)]
pub struct OfProject {
    /// How its files are called.
    pub paths: Paths,
    /// In order of paths and places.
    pub findings: Vec<Finding>,
    /// How many of each were checked.
    pub checked: Checked,
    /// What became of its files, if anything was to be put right.
    pub treated: Option<Vec<Treated>>,
}

/// How much was checked.
#[derive(Debug, Clone, Copy, Default)]
pub struct Checked {
    /// Directives.
    pub directives: usize,
    /// Knowledge items.
    pub knowledge: usize,
    /// Tools.
    pub tools: usize,
    /// Hooks of the configuration.
    pub hooks: usize,
    /// Files of instructions for agents: `AGENTS.md`, `SYSTEM.md` and their kind.
    pub instructions: usize,
    /// Skills.
    pub skills: usize,
}

/// Findings in numbers.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    errors: usize,
    warnings: usize,
    notes: usize,
    fixable: FixableCounts,
}

/// Findings that can be put right.
#[derive(Debug, Clone, Copy, Default)]
struct FixableCounts {
    /// Those that `--fix` puts right.
    safe: usize,
    /// Those in signed files, which it leaves without `--unsafe-fixes`.
    signed: usize,
}

impl FixableCounts {
    /// `2 can be fixed with --fix, 3 in signed files with --unsafe-fixes`, if there are any; `verb` is `can be fixed `.
    fn shown(self, verb: &str) -> Option<String> {
        let (safe, signed) = (thousands(self.safe), thousands(self.signed));
        match (self.safe, self.signed) {
            (0, 0) => None,
            (_, 0) => Some(format!("{safe} {verb}with --fix")),
            (0, _) => Some(format!("{signed} in signed files {verb}with --fix --unsafe-fixes")),
            _ => Some(format!("{safe} {verb}with --fix, {signed} in signed files with --unsafe-fixes")),
        }
    }

    fn add(&mut self, finding: &Finding) {
        match fixable(finding) {
            Some(fixable) if fixable.is_signed => self.signed += 1,
            Some(_) => self.safe += 1,
            None => {}
        }
    }
}

impl Report {
    fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for (finding, _) in self.findings() {
            match finding.severity {
                Severity::Error => counts.errors += 1,
                Severity::Warning => counts.warnings += 1,
                Severity::Note => counts.notes += 1,
            }
        }
        for project in &self.projects {
            // What was tried and left is not promised again.
            let treated = project.treated.iter().flatten();
            let is_left = |file: &&Treated| file.why.as_ref().is_some_and(|why| *why != Left::Signed);
            let left: HashSet<&str> = treated.filter(is_left).map(|file| file.path.as_str()).collect();
            let findings = project.findings.iter().filter(|finding| !left.contains(finding.path()));
            findings.for_each(|finding| counts.fixable.add(finding));
        }
        counts
    }

    /// All findings, each with how the files of its project are called.
    fn findings(&self) -> impl Iterator<Item = (&Finding, &Paths)> {
        self.projects.iter().flat_map(|project| project.findings.iter().map(|finding| (finding, &project.paths)))
    }

    /// How much was checked in all.
    fn checked(&self) -> Checked {
        self.projects.iter().map(|project| project.checked).fold(Checked::default(), |sum, more| Checked {
            directives: sum.directives + more.directives,
            knowledge: sum.knowledge + more.knowledge,
            tools: sum.tools + more.tools,
            hooks: sum.hooks + more.hooks,
            instructions: sum.instructions + more.instructions,
            skills: sum.skills + more.skills,
        })
    }
}

/// Writes a report. JSON is exact, unless it is people who look at it; all else shows no character that acts.
pub fn write(report: &Report, view: &View, out: &mut dyn Write) -> io::Result<()> {
    match view.format {
        Format::Text | Format::Concise if view.statistics => statistics::write(report, view, out),
        Format::Text => text::write(report, view, out),
        Format::Concise => concise::write(report, out),
        Format::Github => github::write(report, out),
        Format::Junit => junit::write(report, out),
        _ if view.visible => write_json(report, view, &mut VisibleWriter::json(out)),
        _ => write_json(report, view, out),
    }
}

fn write_json(report: &Report, view: &View, out: &mut dyn Write) -> io::Result<()> {
    match view.format {
        Format::Jsonl => json::write_lines(report, view, out),
        Format::Sarif => sarif::write(report, out),
        Format::Gitlab => gitlab::write(report, out),
        Format::Rdjson => rdjson::write(report, out),
        _ => json::write(report, view, out),
    }
}

/// The sentence about a finding and the one that says what to do.
fn message_and_help(finding: &Finding) -> String {
    format!("{}\nhelp: {}", finding.message, finding.help)
}

/// The same with the other places, for formats that have no place for them.
fn in_one_text(finding: &Finding, paths: &Paths) -> String {
    let mut text = message_and_help(finding);
    for Related { at, message } in &finding.related {
        let line = place::positions(at).0.line;
        text += &format!("\n{message}: {}:{line}", visible_line(&paths.for_programs(at)));
    }
    text
}

/// The page of a rule in the repository.
fn docs(rule: &Rule) -> String {
    format!("docs/rules/{}.md", rule.code)
}
