//! The files that a coding agent looks at in a folder.

use super::folder::{kind, of_prompt};
use super::{ListEntry, ListExclusion, ListKind, ListResult};
use crate::prompt::{Decision, LayerKind, Prompt};
use crate::text::tokens::Tokenizer;

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
        let name = layer.filter(|layer| layer.kind == LayerKind::Skill).map_or(&decision.name, |layer| &layer.name);
        Some(ListEntry {
            kind,
            name: name.clone(),
            about: None,
            tier: source.as_ref().map_or("", |span| span.source().tier()).into(),
            path: decision.name.clone(),
            bytes: source.as_ref().map_or(0, |span| span.source().length()),
            tokens: part.and_then(|part| part.known()).map_or(0, |text| tokenizer.count(&text)),
            left_out: (!decision.outcome.is_in_use())
                .then(|| ListExclusion { shadowed_by: None, why: decision.reason() }),
            agents: Vec::new(),
            trust: None,
        })
    };
    prompt.decisions.iter().filter_map(entry).collect()
}
