//! The first text of a prompt that changes from run to run, and the size of the rest.

use crate::lint::placeholders;
use crate::lint::rules::{Composed, Project};
use crate::prompt::{Layer, LayerKind};
use crate::text::Origin;
use crate::text::numbers::thousands;

use super::rendered;

pub(super) struct VolatileText {
    pub kind: LayerKind,
    pub name: String,
    before: usize,
    after: usize,
}

impl VolatileText {
    /// The message of a finding; `of` is the directive, if the text is elsewhere.
    pub fn words(&self, written: &str, of: Option<&str>) -> String {
        let prompt = of.map_or_else(|| "the prompt".to_string(), |id| format!("the prompt of `{id}`"));
        let [before, after] = [self.before, self.after].map(thousands);
        format!(
            "`{written}` changes from run to run, {before} tokens into {prompt}, and the {after} after it cannot be cached"
        )
    }
}

/// The first change, if more tokens follow than the setting allows.
pub(super) fn first_change(composed: &Composed<'_>, project: &Project<'_>) -> Option<VolatileText> {
    let prompt = rendered::with_inputs(composed, project)?;
    let tokenizer = project.options.tokenizer;
    let mut before = 0;
    for (index, message) in prompt.messages.iter().enumerate() {
        for segment in message.segments() {
            let Some(layer) = segment.layer.and_then(|layer| prompt.layers.get(layer)) else { continue };
            if !changes(segment.origin, layer, project) {
                continue;
            }
            let (front, rest) = message.text().split_at(segment.at);
            let rest = tokenizer.count(&rest[segment.text.len()..]);
            let later: usize = prompt.messages[index + 1..].iter().map(|later| tokenizer.count(later.text())).sum();
            let change = VolatileText {
                kind: layer.kind,
                name: layer.name.clone(),
                before: before + tokenizer.count(front),
                after: rest + later,
            };
            return Some(change).filter(|change| change.after > project.options.volatile_from);
        }
        before += tokenizer.count(message.text());
    }
    None
}

/// Whether text changes from run to run. Values of the thread change only in threads that other
/// threads start, and are only reported in items of this project.
fn changes(origin: &Origin, layer: &Layer, project: &Project<'_>) -> bool {
    match origin {
        Origin::Input { .. } | Origin::Env(_) => true,
        Origin::Variable { name, .. } if placeholders::is_of_thread(name) => {
            let file = layer.item.as_ref().and_then(|item| project.find(item.kind, &item.id));
            file.is_some_and(|file| file.is_linted)
        }
        Origin::Variable { name, .. } => name.is_empty() || placeholders::first(name) == "inputs",
        _ => false,
    }
}
