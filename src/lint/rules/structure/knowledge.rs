//! Knowledge items: their form, where they are used, and what is wrong with them there.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Diagnostic, Location, NoXmlBlock, Severity};
use crate::fill::assemble::{self, TakenText};
use crate::lint::project::{FileContent, FileKind};
use crate::lint::rules::{Findings, ItemKind, LintFile, Problem, Project, has_context};
use crate::read::item::{self, Hook, HookAction, ItemField, Knowledge, NoText, TextPlace};
use crate::read::protocol::{ChainText, HookText, KnowledgeText};
use crate::read::store::last_segment;

use super::front_matter;

pub(super) struct ItemUse<'p> {
    pub id: &'p ItemField,
    pub by: ItemUser<'p>,
}

pub(super) enum ItemUser<'p> {
    Chain,
    Hook(&'p Hook, &'p HookAction),
}

impl ItemUse<'_> {
    /// Whether the text is chosen as a hook chooses it: `content`, else the body, else the whole file.
    pub fn takes_hook_text(&self, project: &Project<'_>) -> bool {
        match self.by {
            ItemUser::Chain => project.protocol.chain_text == ChainText::AsHooks,
            ItemUser::Hook(_, action) => action.executes() || project.protocol.knowledge == KnowledgeText::Body,
        }
    }

    /// Whether the item is parsed, rather than used as a plain file.
    pub fn parses(&self, project: &Project<'_>) -> bool {
        matches!(self.by, ItemUser::Chain) || self.takes_hook_text(project)
    }

    /// Whether the text is wrapped in an element named after the item.
    pub fn takes_name(&self, project: &Project<'_>) -> bool {
        project.protocol.hook_text == HookText::ContentKey && self.is_wrapped(project)
    }

    fn is_wrapped(&self, project: &Project<'_>) -> bool {
        matches!(self.by, ItemUser::Hook(hook, _) if hook.wraps()) && self.takes_hook_text(project)
    }

    pub fn executes(&self) -> bool {
        matches!(self.by, ItemUser::Hook(_, action) if action.executes())
    }
}

/// Hooks from the configuration come first, then directives and their hooks.
pub(super) fn uses<'p>(project: &'p Project<'_>) -> impl Iterator<Item = ItemUse<'p>> {
    let directives = project.files.iter().filter_map(LintFile::directive);
    let of_chain = directives.flat_map(|directive| directive.context.items());
    let is_used = has_context(project);
    let hooks = project.hooks().filter(|hook| hook.shapes_messages()).flat_map(of_hook);
    hooks.chain(of_chain.map(|id| ItemUse { id, by: ItemUser::Chain })).filter(move |_| is_used)
}

fn of_hook(hook: &Hook) -> impl Iterator<Item = ItemUse<'_>> {
    let of_knowledge = hook.actions.iter().filter(|action| action.kind() == Some(ItemKind::Knowledge));
    let known = of_knowledge.filter(|action| action.adds_text());
    known.filter_map(move |action| Some(ItemUse { id: action.item_id.as_ref()?, by: ItemUser::Hook(hook, action) }))
}

/// Whether no other copy shadows this one.
fn counts(project: &Project<'_>, file: &LintFile) -> bool {
    project.find(ItemKind::Knowledge, &file.id).is_some_and(|counting| std::ptr::eq(counting, file))
}

pub fn hook_text(project: &Project<'_>, found: &mut Findings<'_>) {
    let problems = |id: &str, item: &Knowledge| TakenText::of(id, item, project.protocol.hook_text).problems;
    report(project, found, problems, |used| used.takes_hook_text(project));
}

pub fn knowledge_name_ignored(project: &Project<'_>, found: &mut Findings<'_>) {
    let problem = |id: &str, item: &Knowledge| {
        let name = item.metadata.get("name").filter(|name| name.is_true())?.traced();
        let tag = last_segment(id);
        (name.text() != tag)
            .then(|| Problem::KnowledgeNameIgnored { name: name.text().to_string(), tag: tag.to_string() })
    };
    let is_by_id = project.protocol.hook_text == HookText::TextOrFile;
    report(project, found, problem, |used| is_by_id && used.is_wrapped(project));
}

pub fn knowledge_name_empty(project: &Project<'_>, found: &mut Findings<'_>) {
    let problem = |id: &str, item: &Knowledge| {
        let is_empty = item.metadata.get("name").is_some_and(|name| !name.value().is_true());
        is_empty.then(|| Problem::KnowledgeNameEmpty { id: id.to_string() })
    };
    report(project, found, problem, |used| used.takes_name(project));
}

pub fn knowledge_name_missing(project: &Project<'_>, found: &mut Findings<'_>) {
    let problem = |id: &str, item: &Knowledge| {
        let is_missing = item.metadata.get("name").is_none();
        is_missing.then(|| Problem::KnowledgeNameMissing { id: id.to_string(), tag: id.to_string() })
    };
    report(project, found, problem, |used| used.executes() && used.takes_name(project));
}

/// Reports each used item that has the rule's problem: at the item if it is linted, otherwise where it is used.
pub(super) fn report<P: IntoIterator<Item = Problem>>(
    project: &Project<'_>,
    found: &mut Findings<'_>,
    problems: impl Fn(&str, &Knowledge) -> P,
    matters: impl Fn(&ItemUse<'_>) -> bool,
) {
    let with_problem = |file: &LintFile| {
        let mut problems = problems(&file.id, file.knowledge()?).into_iter();
        problems.find(|problem| found.is_about(problem)).filter(|_| counts(project, file))
    };
    let items: HashMap<&str, (&LintFile, Problem)> =
        project.files.iter().filter_map(|file| Some((file.id.as_str(), (file, with_problem(file)?)))).collect();
    if items.is_empty() {
        return;
    }
    let mut reported = HashSet::new();
    for used in uses(project).filter(|used| matters(used)) {
        let Some((file, problem)) = items.get(used.id.as_str()) else { continue };
        if !file.is_linted {
            found.problem(problem.clone(), &used.id.span);
        } else if reported.insert(&file.id) {
            let at = project.location(file);
            found.problem(problem.clone(), at.clone()).related(&used.id.span, "used here");
        }
    }
}

pub fn knowledge_broken(project: &Project<'_>, found: &mut Findings<'_>) {
    let broken: HashMap<&str, (&LintFile, &Diagnostic)> = project
        .files
        .iter()
        .filter_map(|file| Some((file.id.as_str(), (file, fault(file)?))))
        .filter(|(_, (file, _))| counts(project, file))
        .collect();
    if broken.is_empty() {
        return;
    }
    for item_use in uses(project).filter(|item_use| item_use.parses(project)) {
        let Some((file, fault)) = broken.get(item_use.id.as_str()) else { continue };
        let problem = Problem::KnowledgeBroken { id: file.id.clone(), reason: assemble::reason_of(fault) };
        // A different rule reports the block itself.
        let place = fault.at.clone().filter(|at| matches!(at, Location::Span(_)));
        found.problem(problem, &item_use.id.span).related_if(place, "the error is here");
    }
}

fn fault(file: &LintFile) -> Option<&Diagnostic> {
    let is_item = file.kind == FileKind::Item(ItemKind::Knowledge) && matches!(file.content, FileContent::Nothing);
    let mut diagnostics = file.diagnostics.iter().filter(|_| is_item && file.source.is_some());
    diagnostics.find(|it| it.severity() == Severity::Error && !it.problem.is_limit())
}

pub fn knowledge_without_metadata(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(knowledge) = file.knowledge() else { return };
    let is_without = match knowledge.place {
        TextPlace::Nowhere(NoText::NoBlock) => true,
        // Dashes without metadata are text.
        TextPlace::Nowhere(NoText::FrontMatter) => {
            file.path.ends_with(".md") && front_matter::dashes(knowledge.source.text()).is_none()
        }
        _ => false,
    };
    // A README describes a folder to people.
    if !is_without || file.stem().eq_ignore_ascii_case("readme") {
        return;
    }
    let message = format!("`{}` has no ```yaml block", file.id);
    let Some((reason, at)) = item::unusable(&knowledge.source, "yaml") else {
        found.at(project.location(file), message);
        return;
    };
    let why = match reason {
        NoXmlBlock::Almost { line, fault } => format!("the fence on line {line} is invalid, because {fault}"),
        NoXmlBlock::NeverClosed { line } => format!("the one on line {line} is never closed"),
        NoXmlBlock::Hidden { line, by } => format!("the one on line {line} is inside the longer fence on line {by}"),
        NoXmlBlock::ByteOrderMark => "a byte order mark precedes it".to_string(),
        NoXmlBlock::Absent | NoXmlBlock::ForPeople => return,
    };
    found.at(&at, format!("{message}: {why}")).help("open the block with a ```yaml line and close it with a ``` line");
}

pub fn knowledge_without_text(project: &Project<'_>, found: &mut Findings<'_>) {
    let is_placed =
        |item_use: &ItemUse<'_>| matches!(item_use.by, ItemUser::Chain) && !item_use.takes_hook_text(project);
    report(project, found, |id, item| (!item.has_text()).then(|| without_text(id, item)), is_placed);

    // Where the whole file counts instead, an item needs no text.
    if project.protocol.hook_text == HookText::TextOrFile {
        return;
    }
    // An item that nothing uses yet also needs text.
    let linted = project.linted().filter_map(|file| Some((file, file.knowledge()?)));
    let empty: Vec<_> = linted.filter(|(_, item)| !item.has_text() && is_meant_to_have_text(item)).collect();
    if empty.is_empty() {
        return;
    }
    let used: HashSet<&str> = uses(project).map(|item_use| item_use.id.as_str()).collect();
    for (file, item) in empty {
        if !used.contains(file.id.as_str()) && counts(project, file) {
            found.problem(without_text(&file.id, item), project.location(file));
        }
    }
}

fn without_text(id: &str, item: &Knowledge) -> Problem {
    Problem::KnowledgeWithoutText { id: id.to_string(), reason: item.why_no_text() }
}

/// Whether an unused item is more than data or notes.
fn is_meant_to_have_text(item: &Knowledge) -> bool {
    let has_content = item.metadata.get("content").is_some();
    match item.place {
        TextPlace::Block(_) | TextPlace::Key(_) => !has_content,
        TextPlace::Nowhere(reason) => reason == NoText::NotYaml,
    }
}
