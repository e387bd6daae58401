//! What joins when the agent reads a file in the working folder, and why a rule does so or not.

use std::collections::{BTreeMap, HashSet};

use super::instructions::framed;
use super::lists::Joins;
use super::nested::{NestedTexts, folders};
use super::policy::{InstructionPolicy, Kind, is_below};
use super::texts::{FileText, FoundTexts, ScopedRule};
use crate::agents::agent::KnownFiles;
use crate::agents::files::{ancestors, normalized, parent};
use crate::agents::visit::Visit;
use crate::prompt::{FileNote, FileState, LayerKind, NoteStep, PromptSubject, Role, Slot};
use crate::read::store::PathKind;
use crate::text::Traced;

/// What joins because of one file.
#[derive(Default)]
struct Joining {
    /// In a message each.
    texts: Vec<FileText>,
    /// Of `AGENTS.md` and what it imports, in one message.
    agents_texts: Vec<FileText>,
}

/// Writes what joins with each file of the request.
pub(super) fn write(
    visit: &mut Visit<'_>,
    policy: &InstructionPolicy<'_>,
    mut found: FoundTexts,
    mut nested: BTreeMap<String, NestedTexts>,
    joins: &mut Joins<'_>,
) {
    let mut known: HashSet<String> = found.texts.iter().map(|text| text.path.clone()).collect();
    for file in visit.request.touch.clone() {
        visit.draft.touch(&file);
        let path = normalized(&file);
        if !is_below(&path, &policy.folders.cwd) || visit.kind(&path) == Some(PathKind::Folder) {
            continue;
        }
        let mut joining = Joining::default();
        joining.rules(&mut found.scoped, Kind::User, &path);
        for folder in folders(&path, &policy.folders.cwd) {
            let Some(nested) = nested.get_mut(folder) else { continue };
            joining.texts.append(&mut nested.texts);
            joining.rules(&mut nested.scoped, Kind::Project, &path);
            joining.agents_texts.append(&mut nested.agents_texts);
        }
        let is_on_the_way = |rule: &ScopedRule| ancestors(&policy.folders.cwd).any(|folder| folder == rule.base);
        found.scoped.retain(is_on_the_way);
        joining.rules(&mut found.scoped, Kind::Project, &path);
        let mut is_new = |text: &FileText| known.insert(text.path.clone());
        joining.texts.retain(&mut is_new);
        joining.agents_texts.retain(&mut is_new);
        joining.write(visit);
        let relative = path.strip_prefix(&policy.folders.cwd).unwrap_or(&path).trim_start_matches('/').to_string();
        let skills = joins.join(visit, &relative);
        joining.write_system(visit, skills);
    }
}

impl Joining {
    /// Moves the rules that match a file.
    fn rules(&mut self, scoped: &mut Vec<ScopedRule>, kind: Kind, path: &str) {
        let matches = |rule: &mut ScopedRule| rule.text.kind == kind && rule.applies(path);
        self.texts.extend(scoped.extract_if(.., matches).map(|rule| rule.text));
    }

    fn write(&self, visit: &mut Visit<'_>) {
        if self.texts.is_empty() {
            return;
        }
        let [start, end] = match visit.since("2.1.315") {
            true => [Traced::protocol("<system-reminder>\n"), Traced::protocol("\n</system-reminder>")],
            false => ["joined_start", "joined_end"].map(|id| visit.own(id)),
        };
        visit.draft.message(Role::User);
        for (index, text) in self.texts.iter().enumerate() {
            if index > 0 {
                visit.draft.separate("\n");
            }
            visit.draft.between(&start);
            add(visit, Slot::UserOnDemand, text);
            visit.draft.between(&end);
        }
    }

    fn write_system(&self, visit: &mut Visit<'_>, skills: Option<Traced>) {
        if self.agents_texts.is_empty() && skills.is_none() {
            return;
        }
        visit.draft.message(Role::System);
        for (index, text) in self.agents_texts.iter().enumerate() {
            visit.draft.separate(if index > 0 { "\n" } else { "tool.call hook additional context: " });
            add(visit, Slot::SystemOnDemand, text);
        }
        if let Some(skills) = skills {
            visit.draft.separate(if self.agents_texts.is_empty() { "" } else { "\n\n" });
            visit.draft.part(Slot::SystemOnDemand, LayerKind::Skill, "skills", &skills);
        }
    }
}

fn add(visit: &mut Visit<'_>, slot: Slot, text: &FileText) {
    let layer = visit.draft.part(slot, LayerKind::Context, &text.path, &framed(&text.path, None, &text.text));
    visit.stands(&text.path, FileState::OnDemand, layer);
}

/// How many patterns that do not match are listed.
const MOST_LISTED: usize = 5;

/// Notes what the patterns of the rules in question match.
pub(super) fn explain<'n>(visit: &mut Visit<'_>, found: &FoundTexts, nested: impl Iterator<Item = &'n NestedTexts>) {
    let Some(question) = &visit.request.why else { return };
    let subject = PromptSubject::Folder(visit.request.cwd.clone());
    let rules = found.scoped.iter().chain(nested.flat_map(|nested| &nested.scoped));
    let meant = rules.filter(|rule| subject.calls(&rule.text.path, &question.name));
    let notes: Vec<FileNote> = meant
        .map(|rule| FileNote { path: rule.text.path.clone(), steps: steps(rule, visit, &question.files, &subject) })
        .collect();
    visit.notes.extend(notes);
}

fn steps(rule: &ScopedRule, visit: &Visit<'_>, files: &KnownFiles, subject: &PromptSubject) -> Vec<NoteStep> {
    let touched: Vec<String> = visit.request.touch.iter().map(|file| normalized(file)).collect();
    let mut steps = Vec::new();
    let mut has_match = false;
    for path in &touched {
        let shown = subject.short(path);
        match rule.relative(path) {
            Some(relative) if rule.patterns.match_file(relative) => {
                has_match = true;
                steps.extend(matching(rule, relative, &shown));
            }
            Some(relative) => steps.extend(missing(rule, relative, &shown)),
            None => steps.push((format!("its patterns apply below {} only, not to {shown}", rule.base), None)),
        }
    }
    if !has_match {
        let from = touched.first().and_then(|path| parent(path)).unwrap_or(&visit.request.cwd);
        steps.push((nearest(rule, files, from, subject), None));
    }
    steps
}

fn matching(rule: &ScopedRule, relative: &str, shown: &str) -> Option<NoteStep> {
    // The last one decides.
    let mut written = rule.patterns.written().rev();
    let part = written.find(|part| rule.patterns.of(part).match_file(relative))?;
    Some((format!("`{}` matches {shown}", part.text), part.span.clone()))
}

fn missing(rule: &ScopedRule, relative: &str, shown: &str) -> Vec<NoteStep> {
    let alone = |part| rule.patterns.of(part).match_file(relative);
    if let Some(part) = rule.patterns.written().find(|part| alone(part)) {
        let what = format!("`{}` matches {shown}, but a later pattern with `!` takes it out", part.text);
        return vec![(what, part.span.clone())];
    }
    let parts = rule.patterns.written().take(MOST_LISTED);
    let mut steps: Vec<NoteStep> =
        parts.map(|part| (format!("`{}` does not match {shown}", part.text), part.span.clone())).collect();
    let more = rule.patterns.written().len().saturating_sub(MOST_LISTED);
    if more > 0 {
        steps.push((format!("{more} more of its patterns do not match {shown}"), None));
    }
    steps
}

/// The file that would bring the rule, and is nearest to a folder.
fn nearest(rule: &ScopedRule, files: &KnownFiles, folder: &str, subject: &PromptSubject) -> String {
    let matching = files.paths.iter().filter(|path| rule.applies(path));
    let kind = if files.are_tracked { "tracked file" } else { "file below the working folder" };
    match matching.min_by_key(|path| (steps_between(folder, path), *path)) {
        Some(path) => format!("the nearest {kind} that would bring it is {}", subject.short(path)),
        None => format!("its patterns match no {kind}"),
    }
}

/// How many folders one goes up and down from a folder to a file.
fn steps_between(folder: &str, path: &str) -> usize {
    let names = |path: &'_ str| path.split('/').filter(|name| !name.is_empty()).map(str::to_string).collect::<Vec<_>>();
    let (from, to) = (names(folder), names(parent(path).unwrap_or("/")));
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    from.len() + to.len() - 2 * shared
}
