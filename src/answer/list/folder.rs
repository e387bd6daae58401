//! The files and skills that an agent reads in a folder.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::items::first_line;
use super::{ListEntry, ListExclusion, ListKind, ListReader, ListResult};
use crate::agents::{self, Applying, BUILT_IN, Hidden, Skill, UnusedReason};
use crate::prompt::{Decision, Declared, LayerKind, Prompt, Slot};
use crate::text::Source;
use crate::text::tokens::Tokenizer;

pub fn of_folder(applying: &Applying, kinds: &[ListKind], tokenizer: Tokenizer) -> ListResult {
    let prompt = &applying.prompt;
    let texts = prompt.layer_texts();
    let files = files(applying);
    let entry = |decision: &Decision| {
        let kind = kind(decision.slot).filter(|kind| kinds.contains(kind))?;
        // The introduction to the skills is not a skill.
        let is_skill = || decision.layer.is_none_or(|layer| prompt.layers[layer].kind == LayerKind::Skill);
        if kind == ListKind::Skill && !is_skill() {
            return None;
        }
        let text = decision.layer.and_then(|layer| texts.get(layer)).copied().unwrap_or_default();
        Some(entry(decision, kind, tokenizer.count(text), &files))
    };
    of_prompt(prompt, kinds, prompt.decisions.iter().filter_map(entry).collect())
}

/// Entries by kind, in the order of the prompt.
pub(super) fn of_prompt(prompt: &Prompt, kinds: &[ListKind], mut entries: Vec<ListEntry>) -> ListResult {
    // A stable sort keeps the order of the prompt within a kind.
    entries.sort_by_key(|entry| entry.kind);
    ListResult {
        protocol: prompt.protocol.clone(),
        folder: Some(prompt.subject.name().to_string()),
        kinds: kinds.to_vec(),
        entries,
        diagnostics: prompt.diagnostics.clone(),
    }
}

/// The kind of a part of the prompt, by the place of its slot.
pub(super) fn kind(slot: Slot) -> Option<ListKind> {
    match slot.place() {
        "base" => Some(ListKind::Base),
        "append" | "instructions" => Some(ListKind::Append),
        "context" | "on_demand" => Some(ListKind::Context),
        "skills" => Some(ListKind::Skill),
        _ => None,
    }
}

#[derive(Default)]
struct FolderFile<'a> {
    tier: &'a str,
    bytes: usize,
    about: Option<String>,
    shadowed_by: Option<&'a str>,
}

impl<'a> FolderFile<'a> {
    fn of(source: &'a Source) -> Self {
        Self { tier: source.tier(), bytes: source.length(), about: None, shadowed_by: None }
    }
}

fn files(applying: &Applying) -> HashMap<&str, FolderFile<'_>> {
    let Applying { prompt, base, append, context, skills, .. } = applying;
    let counts = prompt.layers.iter().find(|layer| layer.kind == LayerKind::Base).map(|layer| layer.name.as_str());
    let replaced_by = counts.filter(|name| *name != BUILT_IN);
    let mut files = HashMap::from([(BUILT_IN, FolderFile { shadowed_by: replaced_by, ..FolderFile::default() })]);
    let chosen = base.iter().chain(append).map(|chosen| (&chosen.source, &chosen.hides));
    for (source, hides) in chosen.chain(context.iter().map(|file| (&file.source, &file.hides))) {
        files.insert(source.path(), FolderFile::of(source));
        if let Some(Hidden { path, tier, bytes }) = hides {
            let file = FolderFile { tier, bytes: *bytes, about: None, shadowed_by: Some(source.path()) };
            // A folder may have two roles.
            files.entry(path).or_insert(file);
        }
    }
    for Skill { path, description, source, .. } in &skills.skills {
        files.insert(path, FolderFile { about: Some(first_line(description.text())), ..FolderFile::of(source) });
    }
    for agents::UnusedSkill { path, tier, description, source, why, .. } in &skills.left_out {
        let file =
            source.as_ref().map_or(FolderFile { tier, ..FolderFile::default() }, |source| FolderFile::of(source));
        let about = description.as_ref().map(|description| first_line(description.text()));
        let shadowed_by = match why {
            UnusedReason::Collision { winner } => Some(winner.as_str()),
            UnusedReason::Unreadable(_) | UnusedReason::NoDescription | UnusedReason::Ignored { .. } => None,
        };
        files.insert(path, FolderFile { about, shadowed_by, ..file });
    }
    files
}

fn entry(decision: &Decision, kind: ListKind, tokens: usize, files: &HashMap<&str, FolderFile>) -> ListEntry {
    let Decision { name, outcome, by, declared_by, .. } = decision;
    // A skill's declaration has its path; the name of any other file is its path.
    let path = declared_by.as_ref().map_or(name, |declared| &declared.by);
    // Files named on the command line are not among those found.
    let given = || {
        let span = by.as_ref().filter(|by| by.by == *name).and_then(|Declared { span, .. }| span.as_ref())?;
        Some(FolderFile::of(span.source()))
    };
    let given = if files.contains_key(path.as_str()) { None } else { given() };
    let nothing = FolderFile::default();
    let file = files.get(path.as_str()).or(given.as_ref()).unwrap_or(&nothing);
    let shadowed_by = file.shadowed_by.and_then(|winner| files.get(winner)).map(|winner| winner.tier.to_string());
    ListEntry {
        kind,
        name: name.clone(),
        about: file.about.clone(),
        tier: Arc::from(file.tier),
        path: path.clone(),
        bytes: file.bytes,
        tokens,
        left_out: (!outcome.is_in_use()).then(|| ListExclusion { shadowed_by, why: decision.reason() }),
        ..ListEntry::default()
    }
}

/// The files of an agent's prompt by kind, in the order of the prompt.
pub fn of_agent(prompt: &Prompt, kinds: &[ListKind], tokenizer: Tokenizer) -> ListResult {
    let mut entries = entries_of_agent(prompt, tokenizer);
    entries.retain(|entry| kinds.contains(&entry.kind));
    of_prompt(prompt, kinds, entries)
}

/// Each file that the agent looks at, in the order of the prompt.
pub fn entries_of_agent(prompt: &Prompt, tokenizer: Tokenizer) -> Vec<ListEntry> {
    let parts = prompt.layer_parts();
    let entry = |decision: &Decision| {
        let kind = kind(decision.slot)?;
        let layer = decision.layer.and_then(|index| prompt.layers.get(index));
        let part = decision.layer.and_then(|index| parts.get(index)?.as_ref());
        let source = layer.and_then(|layer| layer.taken_from(part));
        // Text of the agent itself is in no file.
        if layer.is_some() && source.is_none() {
            return None;
        }
        // A part that is not named after its file, such as the second one of an output style.
        let within = source.as_ref().map(|span| span.source().path()).filter(|_| !decision.name.starts_with('/'));
        if within.is_some_and(|path| prompt.files.iter().any(|file| file.path == path && file.layer.is_some())) {
            return None;
        }
        let name = layer.filter(|layer| layer.kind == LayerKind::Skill).map_or(&decision.name, |layer| &layer.name);
        Some(ListEntry {
            kind,
            name: name.clone(),
            tier: source.as_ref().map_or("", |span| span.source().tier()).into(),
            path: within.unwrap_or(&decision.name).to_string(),
            bytes: source.as_ref().map_or(0, |span| span.source().length()),
            tokens: part.and_then(|part| part.known()).map_or(0, |text| tokenizer.count(&text)),
            left_out: (!decision.outcome.is_in_use())
                .then(|| ListExclusion { shadowed_by: None, why: decision.reason() }),
            ..ListEntry::default()
        })
    };
    prompt.decisions.iter().filter_map(entry).collect()
}

/// Each file once, by kind and path, with the agents that use it. `lists` has a list for each agent, with its name.
pub fn of_agents(lists: Vec<(String, ListResult)>) -> ListResult {
    let mut whole = ListResult::default();
    let mut files: BTreeMap<(ListKind, String), ListEntry> = BTreeMap::new();
    let mut protocols = Vec::new();
    for (agent, list) in lists {
        for entry in list.entries {
            let entry = named(&agent, entry);
            match files.entry((entry.kind, entry.path.clone())) {
                Entry::Vacant(free) => drop(free.insert(entry)),
                Entry::Occupied(mut known) => join(known.get_mut(), entry),
            }
        }
        protocols.push(list.protocol);
        (whole.folder, whole.kinds) = (list.folder, list.kinds);
        whole.diagnostics.extend(list.diagnostics);
    }
    ListResult { protocol: protocols.join(", "), entries: files.into_values().collect(), ..whole }
}

fn named(agent: &str, entry: ListEntry) -> ListEntry {
    match entry.left_out {
        None => ListEntry { agents: vec![ListReader { agent: agent.to_string(), tokens: entry.tokens }], ..entry },
        Some(ListExclusion { shadowed_by, why }) => {
            ListEntry { left_out: Some(ListExclusion { shadowed_by, why: format!("{agent}: {why}") }), ..entry }
        }
    }
}

fn join(known: &mut ListEntry, other: ListEntry) {
    match (&mut known.left_out, &other.left_out) {
        (Some(known), Some(other)) => known.why = format!("{}; {}", known.why, other.why),
        (Some(_), None) => *known = other,
        (None, Some(_)) => {}
        (None, None) => {
            known.tokens = known.tokens.max(other.tokens);
            known.agents.extend(other.agents);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(entries: &[(&str, usize, Option<&str>)]) -> ListResult {
        let exclusion = |why: &str| ListExclusion { shadowed_by: None, why: why.to_string() };
        let entry = |&(path, tokens, why): &(&str, usize, Option<&str>)| ListEntry {
            kind: ListKind::Context,
            name: path.to_string(),
            about: None,
            tier: "project".into(),
            path: path.to_string(),
            bytes: 0,
            tokens,
            left_out: why.map(exclusion),
            agents: Vec::new(),
            trust: None,
        };
        ListResult { entries: entries.iter().map(entry).collect(), ..ListResult::default() }
    }

    #[test]
    fn each_file_is_listed_once() {
        let codex = list(&[("b", 2, None), ("a", 0, Some("shadowed")), ("c", 0, Some("empty"))]);
        let pi = list(&[("a", 3, None), ("b", 4, None), ("c", 0, Some("hidden"))]);
        let whole = of_agents(vec![("codex".to_string(), codex), ("pi".to_string(), pi)]);
        let shown = whole.entries.iter().map(|entry| {
            let agents = entry.agents.iter().map(|it| format!("{} {}", it.agent, it.tokens)).collect::<Vec<_>>();
            let why = entry.left_out.as_ref().map(|left_out| left_out.why.clone()).unwrap_or_default();
            format!("{} {}: {}{why}", entry.path, entry.tokens, agents.join(", "))
        });
        assert_eq!(shown.collect::<Vec<_>>(), ["a 3: pi 3", "b 4: codex 2, pi 4", "c 0: codex: empty; pi: hidden"]);
    }
}
