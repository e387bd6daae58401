//! What an agent reads in a folder.

use std::sync::Arc;

use super::{Entry, Kind, LeftOut, List};
use crate::prompt::{Decision, Declared, LayerKind, Prompt, Slot};
use crate::tokens::Tokenizer;

/// The files and skills that were considered for the prompt of a folder.
pub fn of_prompt(prompt: &Prompt, kinds: &[Kind], tokenizer: Tokenizer) -> List {
    let texts = prompt.layer_texts();
    let entry = |decision: &Decision| {
        let kind = kind(decision.slot).filter(|kind| kinds.contains(kind))?;
        // What introduces the skills is none.
        let is_skill = || decision.layer.is_none_or(|layer| prompt.layers[layer].kind == LayerKind::Skill);
        if kind == Kind::Skill && !is_skill() {
            return None;
        }
        let text = decision.layer.and_then(|layer| texts.get(layer)).copied().unwrap_or_default();
        Some(entry(decision, kind, tokenizer.count(text)))
    };
    let mut entries: Vec<Entry> = prompt.decisions.iter().filter_map(entry).collect();
    // Stable: of a kind, all stays in the order of the prompt.
    entries.sort_by_key(|entry| entry.kind);
    List {
        protocol: prompt.protocol.clone(),
        folder: Some(prompt.subject.name().to_string()),
        kinds: kinds.to_vec(),
        entries,
        diagnostics: prompt.diagnostics.clone(),
    }
}

fn kind(slot: Slot) -> Option<Kind> {
    match slot {
        Slot::SystemBase => Some(Kind::Base),
        Slot::SystemAppend => Some(Kind::Append),
        Slot::SystemContext => Some(Kind::Context),
        Slot::SystemSkills => Some(Kind::Skill),
        _ => None,
    }
}

fn entry(decision: &Decision, kind: Kind, tokens: usize) -> Entry {
    let Decision { name, outcome, by, declared_by, .. } = decision;
    // A skill is declared by its file; any other file is its own name.
    let file = declared_by.as_ref().or(by.as_ref().filter(|by| by.by == *name));
    let source = file.and_then(|Declared { span, .. }| span.as_ref()).map(|span| span.source());
    Entry {
        kind,
        name: name.clone(),
        about: None,
        tier: source.map_or_else(|| Arc::from(""), |source| source.tier().into()),
        path: file.map_or(name, |file| &file.by).clone(),
        bytes: source.map_or(0, |source| source.text().len()),
        tokens,
        left_out: (!outcome.is_in_use()).then(|| LeftOut { shadowed_by: None, why: decision.reason() }),
        trust: None,
    }
}
