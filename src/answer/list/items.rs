//! The items of all tiers.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::{ListEntry, ListExclusion, ListKind, ListResult};
use crate::diagnostic::{Diagnostic, Severity};
use crate::prompt::{tool_text, wins_over};
use crate::read::item::{ItemField, Parsed, RefusedDirective, parse_knowledge, read_directive};
use crate::read::listing::{self, ItemFile};
use crate::read::protocol::Protocol;
use crate::read::store::{ItemKind, Tiers};
use crate::read::tool::read_tool;
use crate::read::trust::{Keys, verify};
use crate::text::Source;
use crate::text::tokens::Tokenizer;
use crate::write::progress;

/// Lists every item of these kinds, reading each file once.
pub fn of_tiers(tiers: &Tiers, protocol: &Protocol, kinds: &[ListKind], tokenizer: Tokenizer) -> ListResult {
    let (mut found, mut diagnostics) = (Vec::new(), Vec::new());
    for &kind in kinds {
        let Ok(item) = kind.into_str().parse::<ItemKind>() else { continue };
        let (files, unreadable) = listing::readable(tiers, item, "");
        diagnostics.extend(unreadable);
        found.extend(files.into_iter().map(|file| ItemCopy { kind, item, file }));
    }
    let mut first: HashMap<(ListKind, &str), usize> = HashMap::new();
    for copy in &found {
        first.entry((copy.kind, &copy.file.id)).or_insert(copy.file.tier);
    }
    let keys = Keys::read(tiers);
    diagnostics.extend(keys.diagnostics());
    let reader = ItemReader { tiers, protocol, keys: &keys, tokenizer };
    let progress = progress::begin("reading", "items", found.len());
    let entry = |copy| {
        let entry = reader.entry(copy, first.get(&(copy.kind, copy.file.id.as_str())));
        progress.step();
        entry
    };
    let entries = found.par_iter().map(entry).collect();
    ListResult { protocol: protocol.name.clone(), folder: None, kinds: kinds.to_vec(), entries, diagnostics }
}

struct ItemCopy {
    kind: ListKind,
    item: ItemKind,
    file: ItemFile,
}

struct ItemReader<'a> {
    tiers: &'a Tiers,
    protocol: &'a Protocol,
    keys: &'a Keys,
    tokenizer: Tokenizer,
}

struct ItemSummary {
    tokens: usize,
    about: Option<String>,
    unusable: Option<String>,
}

impl ItemReader<'_> {
    /// Lists a copy; `first` is the first tier with its id, whose copy is used.
    fn entry(&self, copy: &ItemCopy, first: Option<&usize>) -> ListEntry {
        let ItemFile { id, tier: index, path } = &copy.file;
        let labels = self.tiers.list();
        let tier = Arc::clone(&labels[*index].label);
        let shadowed_by = first.filter(|first| *first != index).map(|first| labels[*first].label.to_string());
        let shadowed =
            shadowed_by.map(|winner| ListExclusion { why: wins_over(&winner, &tier), shadowed_by: Some(winner) });
        let unusable = |why| Some(ListExclusion { shadowed_by: None, why });
        let entry = ListEntry {
            kind: copy.kind,
            name: id.clone(),
            tier,
            path: path.clone(),
            left_out: shadowed,
            ..ListEntry::default()
        };
        let source = match self.tiers.read(*index, path) {
            Ok(Some(source)) => source,
            Ok(None) => return ListEntry { left_out: unusable("a dangling link".to_string()), ..entry },
            Err(error) => return ListEntry { left_out: unusable(error.message()), ..entry },
        };
        let ItemSummary { tokens, about, unusable: why } = self.content(copy.item, &source);
        ListEntry {
            bytes: source.length(),
            tokens,
            about,
            left_out: entry.left_out.or_else(|| why.and_then(unusable)),
            trust: Some(verify(&source, Some(copy.item), self.keys)),
            ..entry
        }
    }

    fn content(&self, kind: ItemKind, source: &Arc<Source>) -> ItemSummary {
        let count = |text: &str| self.tokenizer.count(text);
        let refused = |why: String| ItemSummary { tokens: 0, about: None, unusable: Some(why) };
        match kind {
            ItemKind::Directive => match read_directive(source, self.protocol) {
                Ok(Parsed { item, .. }) => ItemSummary {
                    tokens: count(item.body.text()),
                    about: item.description.as_ref().map(ItemField::as_str).map(first_line),
                    unusable: None,
                },
                Err(RefusedDirective { diagnostics, .. }) => refused(first_error(&diagnostics)),
            },
            ItemKind::Knowledge => match parse_knowledge(source) {
                Ok(Parsed { item, .. }) => {
                    let of_key = |key: &&str| Some(first_line(item.metadata.get(key)?.value().as_str()?));
                    let about = ["description", "title"].iter().find_map(of_key);
                    let unusable = (!item.has_text()).then(|| item.why_no_text().to_string());
                    ItemSummary { tokens: count(item.text().text()), about, unusable }
                }
                Err(error) => refused(error.message()),
            },
            ItemKind::Tool => match read_tool(source) {
                Ok(tool) => ItemSummary {
                    tokens: count(&tool_text(&tool.schema, &tool.description)),
                    about: Some(first_line(&tool.description)).filter(|text| !text.is_empty()),
                    unusable: None,
                },
                Err(error) => refused(error.reason),
            },
        }
    }
}

pub(super) fn first_line(text: &str) -> String {
    text.trim().lines().next().unwrap_or_default().to_string()
}

fn first_error(diagnostics: &[Diagnostic]) -> String {
    let error = diagnostics.iter().find(|diagnostic| diagnostic.severity() == Severity::Error);
    error.map_or_else(|| "it cannot be used".to_string(), Diagnostic::message)
}
