use std::collections::{HashMap, HashSet};
use std::ops::Range;

use rayon::prelude::*;
use regex::Regex;

use crate::fill::assemble::INSTRUCTION_ITEM;
use crate::fill::palette::fnmatch;
use crate::lint::rules::{Findings, LintFile, Project};
use crate::read::item::HookAction;
use crate::read::store::{ItemId, ItemKind};

pub fn knowledge_unused(project: &Project<'_>, found: &mut Findings<'_>) {
    let knowledge = || project.linted().filter(|file| file.kind.item() == Some(ItemKind::Knowledge));
    if knowledge().next().is_none() || project.directives().next().is_none() || project.is_bundle() {
        return;
    }
    let used = Used::of(project);
    let is_counted =
        |file: &&LintFile| project.find(ItemKind::Knowledge, &file.id).is_some_and(|it| it.path == file.path);
    let unused: Vec<&LintFile> = knowledge().filter(|file| !used.names(&file.id)).filter(is_counted).collect();
    if unused.is_empty() {
        return;
    }
    let ids: HashSet<&str> = unused.iter().map(|file| file.id.as_str()).collect();
    let mentioned = mentioned(project, &ids);
    for file in unused.into_iter().filter(|file| !mentioned.contains(file.id.as_str())) {
        if !stands_in(project, file) {
            let message = format!("no directive or hook uses `{}`", file.id);
            found.at(project.location(file), message);
        }
    }
}

/// Whether the item shadows one in another tier, where other items may use it.
fn stands_in(project: &Project<'_>, file: &LintFile) -> bool {
    ItemId::parse(&file.id).is_ok_and(|id| !project.tiers.shadowed(ItemKind::Knowledge, &id, file.tier).is_empty())
}

/// Whether an action asks for an item of a different kind. An incomplete action may mean any.
fn asks_elsewhere(action: &HookAction) -> bool {
    action.kind().is_some_and(|kind| kind != ItemKind::Knowledge)
}

#[derive(Default)]
struct Used<'p> {
    ids: HashSet<&'p str>,
    /// The fixed prefixes of ids that contain a placeholder.
    beginnings: HashSet<&'p str>,
    /// Ids that permissions grant by name, with dots for slashes.
    granted: HashSet<&'p str>,
    /// Folders that permissions grant, with a trailing dot.
    folders: HashSet<&'p str>,
    /// Other patterns that permissions grant.
    patterns: HashSet<&'p str>,
}

impl<'p> Used<'p> {
    fn of(project: &'p Project<'_>) -> Self {
        let mut used = Self { ids: HashSet::from([INSTRUCTION_ITEM]), ..Self::default() };
        for directive in project.files.iter().filter_map(LintFile::readable) {
            used.ids.extend(directive.context.items().map(|id| id.as_str()));
            let granted = directive.permissions.iter().map(|it| it.capability.as_str());
            granted.filter_map(|it| it.strip_prefix(GRANT)).for_each(|pattern| used.add_grant(pattern));
        }
        let actions = project.hooks().flat_map(|hook| &hook.actions).filter(|action| !asks_elsewhere(action));
        for id in actions.filter_map(|action| action.item_id.as_ref()) {
            match id.as_str().split_once("${") {
                Some((beginning, _)) => used.beginnings.insert(beginning),
                None => used.ids.insert(id.as_str()),
            };
        }
        used
    }

    fn add_grant(&mut self, pattern: &'p str) {
        let is_plain = |text: &str| !text.contains(['*', '?', '[']);
        match pattern.strip_suffix('*') {
            // Access to everything does not show that an item is used.
            Some("") => {}
            Some(folder) if folder.ends_with('.') && is_plain(folder) => drop(self.folders.insert(folder)),
            _ if is_plain(pattern) => drop(self.granted.insert(pattern)),
            _ => drop(self.patterns.insert(pattern)),
        }
    }

    fn names(&self, id: &str) -> bool {
        let is_granted = || {
            let dotted = id.replace('/', ".");
            let mut folders = dotted.match_indices('.').map(|(dot, _)| &dotted[..=dot]);
            self.granted.contains(dotted.as_str())
                || folders.any(|folder| self.folders.contains(folder))
                || self.patterns.iter().any(|pattern| fnmatch::matches(&dotted, pattern))
        };
        self.ids.contains(id) || self.beginnings.iter().any(|it| id.starts_with(it)) || is_granted()
    }
}

const GRANT: &str = "rye.fetch.knowledge.";

/// The ids that the text of another file mentions.
fn mentioned<'i>(project: &Project<'_>, ids: &HashSet<&'i str>) -> HashSet<&'i str> {
    let short = ids.iter().filter(|id| !id.contains('/')).copied().collect::<Vec<_>>();
    let short = words(short);
    let elsewhere = asked_elsewhere(project);
    let in_file = |file: &LintFile| -> Vec<&'i str> {
        let Some(source) = &file.source else { return Vec::new() };
        let mut found = Vec::new();
        let apart = elsewhere.get(&(source.tier(), source.path())).map_or(&[][..], Vec::as_slice);
        for text in pieces(source.text(), apart) {
            found.extend(paths(text).filter_map(|path| ids.get(path)).copied());
            let Some(short) = &short else { continue };
            let is_whole = |at: &regex::Match<'_>| {
                let bytes = text.as_bytes();
                let is_of_word = |byte: &u8| is_of_id(*byte) && *byte != b'.';
                let before = at.start().checked_sub(1).and_then(|before| bytes.get(before));
                ![before, bytes.get(at.end())].into_iter().flatten().any(is_of_word)
            };
            found.extend(short.find_iter(text).filter(is_whole).filter_map(|at| ids.get(at.as_str())));
        }
        found.retain(|id| file.kind.item() != Some(ItemKind::Knowledge) || *id != file.id);
        found
    };
    project.files.par_iter().flat_map_iter(in_file).collect()
}

/// The ids of other kinds in hooks, by tier and path of their files.
fn asked_elsewhere<'p>(project: &'p Project<'_>) -> HashMap<(&'p str, &'p str), Vec<Range<usize>>> {
    let mut ranges: HashMap<_, Vec<_>> = HashMap::new();
    let actions = project.hooks().flat_map(|hook| &hook.actions).filter(|action| asks_elsewhere(action));
    for span in actions.filter_map(|action| Some(&action.item_id.as_ref()?.span)) {
        ranges.entry((span.source().tier(), span.source().path())).or_default().push(span.range());
    }
    ranges.values_mut().for_each(|ranges| ranges.sort_by_key(|range| range.start));
    ranges
}

/// The text around ascending ranges. An alias in YAML repeats a range.
fn pieces<'t>(text: &'t str, without: &[Range<usize>]) -> Vec<&'t str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for range in without.iter().filter(|range| !range.is_empty()) {
        pieces.extend(text.get(start..range.start));
        start = range.end;
    }
    pieces.push(&text[start..]);
    pieces
}

/// A pattern for ids without a slash; none if there are no ids or too many.
fn words(mut ids: Vec<&str>) -> Option<Regex> {
    // The longer of two ids with the same start must match first.
    ids.sort_by_key(|id| std::cmp::Reverse(id.len()));
    let literals: Vec<String> = ids.into_iter().map(regex::escape).collect();
    if literals.is_empty() { None } else { Regex::new(&literals.join("|")).ok() }
}

/// The words in `text` that contain a slash, without folders and extensions around an id.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    /// Longer ids are not searched for, so that a line of slashes takes linear time.
    const LONGEST: usize = 300;
    let bytes = text.as_bytes();
    let mut done = 0;
    text.match_indices('/').filter_map(move |(at, _)| {
        // Most slashes belong to closing tags.
        if at < done || (at > 0 && bytes[at - 1] == b'<') {
            return None;
        }
        let start = at - bytes[done..at].iter().rev().take(LONGEST).take_while(|&&byte| is_of_id(byte)).count();
        done = at + bytes[at..].iter().take(LONGEST).take_while(|&&byte| is_of_id(byte)).count();
        let word = text.get(start..done)?.trim_start_matches(['.', '/']).trim_end_matches(['.', '/']);
        let word = word.rsplit_once("ai/knowledge/").map_or(word, |(_, id)| id);
        let stem = [".md", ".yaml", ".yml"].into_iter().find_map(|extension| word.strip_suffix(extension));
        Some(stem.unwrap_or(word))
    })
}

/// Any non-ASCII byte may be part of an id.
fn is_of_id(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/') || !byte.is_ascii()
}
