use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::lint::finding::{Edit, Finding};
use crate::lint::fix::{CheckProject, FileChanges, edited};
use crate::lint::project::{FileContent, LintFile};
use crate::lint::rule::Group;
use crate::read::item::is_signed;
use crate::read::store::Tiers;
use crate::read::yaml::Outline;
use crate::text::Span;

use super::comment::{self, line_of};
use super::directive::{self, DirectiveBlock};
use super::files::{SentWhole, metadata};
use super::place;
use super::yaml::YamlEntries;

/// Why a finding is allowed: one line that is valid in every kind of comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowReason(String);

impl AllowReason {
    /// Trims the text. The error says why it cannot be in a comment.
    pub fn new(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        let wrong = if text.is_empty() {
            "the reason is empty"
        } else if text.chars().any(char::is_control) {
            "the reason contains a newline or control character"
        } else if text.contains("--") || text.ends_with('-') || text.contains(['<', '>', '{', '`']) {
            "the reason contains `--`, `<`, `>`, `{` or a backtick, which are not valid in every comment"
        } else if text.starts_with([',', ':', '-', '–', '—']) {
            "the reason begins with punctuation"
        } else {
            return Ok(Self(text.to_string()));
        };
        Err(wrong)
    }
}

pub struct AddedAllowances {
    pub tiers: Tiers,
    pub changes: FileChanges,
    pub findings: BTreeMap<String, usize>,
    /// Findings for which no allowance can be added.
    pub left: Vec<Finding>,
}

/// Adds allowances in memory for all findings that can be allowed. A second check finds allowances that
/// do not work or cause other findings; their files are left unchanged.
pub fn add(tiers: &Tiers, look: &CheckProject<'_>, reason: &AllowReason) -> AddedAllowances {
    let mut changes = FileChanges::default();
    let mut left = Vec::new();
    let mut allowed: HashMap<String, Vec<Finding>> = HashMap::new();
    let mut others: HashMap<String, usize> = HashMap::new();
    look(tiers, &mut |project, findings| {
        let files: HashMap<&str, &LintFile> = project.linted().map(|file| (file.path.as_str(), file)).collect();
        let sent = SentWhole::of(project);
        let mut places: HashMap<&str, Option<AllowableFile<'_>>> = HashMap::new();
        let mut spots: BTreeMap<&str, InsertionPoints> = BTreeMap::new();
        for finding in &findings {
            let file = files.get(finding.path()).copied();
            let spot = file.filter(|_| may_be_allowed(finding)).and_then(|file| {
                spot(places.entry(&file.path).or_insert_with(|| AllowableFile::of(file, &sent)).as_ref()?, finding)
            });
            match (file, spot) {
                (Some(file), Some(spot)) => {
                    spots.entry(&file.path).or_default().add(spot, finding.rule.code);
                    allowed.entry(file.path.clone()).or_default().push(finding.clone());
                }
                _ => {
                    *others.entry(finding.path().to_string()).or_default() += 1;
                    left.push(finding.clone());
                }
            }
        }
        for (path, spots) in spots {
            let file = files[path];
            match file.source.as_ref().and_then(|source| Some((source, spots.put(&source.whole(), reason)?))) {
                Some((source, after)) => changes.put(source, after),
                None => left.extend(allowed.remove(path).unwrap_or_default()),
            }
        }
    });
    let mut counts: HashMap<String, usize> = HashMap::new();
    look(&tiers.replacing(changes.files()), &mut |_, findings| {
        for finding in findings {
            *counts.entry(finding.path().to_string()).or_default() += 1;
        }
    });
    let count = |of: &HashMap<String, usize>, path: &str| of.get(path).copied().unwrap_or_default();
    allowed.retain(|path, findings| {
        let holds = count(&counts, path) <= count(&others, path);
        if !holds {
            changes.forget(path);
            left.append(findings);
        }
        holds
    });
    let tiers = tiers.replacing(changes.files());
    let findings = allowed.into_iter().map(|(path, findings)| (path, findings.len())).collect();
    AddedAllowances { tiers, changes, findings, left }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct InsertionPoint {
    at: usize,
    before: String,
    after: &'static str,
}

#[derive(Debug, Default)]
struct InsertionPoints(BTreeMap<InsertionPoint, Vec<&'static str>>);

impl InsertionPoints {
    fn add(&mut self, spot: InsertionPoint, code: &'static str) {
        let codes = self.0.entry(spot).or_default();
        if !codes.contains(&code) {
            codes.push(code);
        }
    }

    fn put(&self, whole: &Span, reason: &AllowReason) -> Option<Vec<u8>> {
        let edit = |(spot, codes): (&InsertionPoint, &Vec<&'static str>)| {
            let text = format!("{}{}{}", spot.before, comment::content(codes, &reason.0), spot.after);
            Edit::replace(&whole.slice(spot.at..spot.at), text)
        };
        let edits: Vec<Edit> = self.0.iter().map(edit).collect();
        edited(whole.source(), &edits.iter().collect::<Vec<_>>())
    }
}

/// Whether a comment can allow a finding of this rule, if there is a place for one.
pub fn may_be_allowed(finding: &Finding) -> bool {
    !matches!(finding.rule.group, Group::Lint | Group::Trust)
}

/// A file that may contain allowances, analysed once for all of its findings.
enum AllowableFile<'f> {
    Directive(DirectiveBlock<'f>),
    Yaml(Span, Outline, YamlEntries),
}

impl<'f> AllowableFile<'f> {
    fn of(file: &'f LintFile, sent: &SentWhole) -> Option<Self> {
        let source = file.source.as_ref().filter(|source| !is_signed(source))?;
        let yaml = match &file.content {
            FileContent::Directive(it) | FileContent::Refused(it) if sent.directive(&file.id).is_none() => {
                return Some(Self::Directive(DirectiveBlock::new(it)));
            }
            FileContent::Knowledge(it) if sent.knowledge(it).is_none() => metadata(it)?,
            FileContent::Configuration(_) => source.whole(),
            _ => return None,
        };
        let (outline, entries) = (Outline::of(yaml.text())?, YamlEntries::of(yaml.text(), yaml.range().start));
        Some(Self::Yaml(yaml, outline, entries))
    }
}

fn spot(places: &AllowableFile<'_>, finding: &Finding) -> Option<InsertionPoint> {
    let at = place(finding);
    match places {
        AllowableFile::Directive(block) => in_directive(block, at),
        AllowableFile::Yaml(yaml, outline, entries) => Some(in_yaml(yaml, outline, entries, at)),
    }
}

/// Above the entry that contains the offset; if a comment there is impossible or would apply to the whole file, at the
/// end of the line; if that is impossible too, at the top.
fn in_yaml(yaml: &Span, outline: &Outline, entries: &YamlEntries, at: Option<usize>) -> InsertionPoint {
    let (source, range) = (yaml.source(), yaml.range());
    let text = source.text();
    let on_top = InsertionPoint { at: range.start, before: "# ".to_string(), after: "\n" };
    let Some(at) = at.filter(|at| range.contains(at)) else { return on_top };
    let around = |parts: &[Range<usize>], at: usize| begun_before(parts, at.checked_sub(range.start)?);
    let within = |at: usize| around(&outline.scalars, at).filter(|scalar| at < range.start + scalar.end);
    let begun = within(at).map_or(at, |scalar| range.start + scalar.start);
    let line = line_of(source, begun);
    let is_split = within(line.start).is_some();
    let reaches = |entry: Range<usize>| entry.contains(&at);
    let is_head = entries.is_head(line.start);
    if !is_split && !is_head && entries.after(line.start).is_some_and(reaches) {
        return InsertionPoint { at: line.start, before: format!("{}# ", indentation(&text[line])), after: "\n" };
    }
    let line = line_of(source, at);
    let end = line.start + text[line].trim_end().len();
    let is_taken = around(&outline.comments, end).is_some_and(|comment| end <= range.start + comment.end);
    if within(end).is_none() && !is_taken {
        InsertionPoint { at: end, before: " # ".to_string(), after: "" }
    } else {
        on_top
    }
}

/// The last range that begins before an offset; the ranges are ordered.
fn begun_before(parts: &[Range<usize>], at: usize) -> Option<Range<usize>> {
    parts[..parts.partition_point(|part| part.start < at)].last().cloned()
}

/// Above the smallest element that contains the offset and begins a line; if there is none, at the end of the offset's
/// line; if that is impossible too, first in the root.
fn in_directive(block: &DirectiveBlock<'_>, at: Option<usize>) -> Option<InsertionPoint> {
    let directive = block.directive;
    let source = &directive.source;
    let text = source.text();
    let root = directive.tag.range();
    let may_stand = |at: usize| {
        !block.is_within_permissions(at) && !directive::is_text_between(&text[..at], &text[at..]) && !block.is_first(at)
    };
    if let Some(at) = at.filter(|at| (root.end..directive.content.range().end).contains(at)) {
        let starts_line = |element: &Span| {
            let line = line_of(source, element.range().start);
            text[line.start..element.range().start].trim().is_empty().then_some(line)
        };
        if let Some(line) = block.around(at).filter_map(starts_line).find(|line| may_stand(line.start)) {
            return Some(InsertionPoint {
                at: line.start,
                before: format!("{}<!-- ", indentation(&text[line])),
                after: " -->\n",
            });
        }
        let line = line_of(source, at);
        let end = line.start + text[line].trim_end().len();
        if end > root.end && may_stand(end) {
            return Some(InsertionPoint { at: end, before: " <!-- ".to_string(), after: " -->" });
        }
    }
    let is_empty = directive.tag.text().ends_with("/>");
    let may_stand = !is_empty && !directive::is_text_between(&text[..root.end], &text[root.end..]);
    may_stand.then(|| InsertionPoint { at: root.end, before: "\n  <!-- ".to_string(), after: " -->" })
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
