//! What each prompt of the user gets, where extensions have a part in it.

use crate::layout::count;
use crate::prompt::{LayerKind, Prompt, Variant};
use crate::tokens::Tokenizer;

/// What the sentences are about.
pub const TITLE: &str = "What each prompt of the user gets";

/// A sentence for each prompt of the user; none where extensions leave them alone.
pub fn sentences(prompt: &Prompt, tokenizer: Tokenizer) -> impl Iterator<Item = String> {
    prompt.variants.iter().map(move |variant| sentence(variant, tokenizer))
}

/// Its size, what was done before, and what extensions add to it.
fn sentence(variant: &Variant, tokenizer: Tokenizer) -> String {
    let texts = || variant.messages.iter().map(|message| message.text());
    let bytes = count(texts().map(str::len).sum(), "byte");
    let tokens = count(texts().map(|text| tokenizer.count(text)).sum(), "token");
    let rebuilt = variant.rebuild.map(|trigger| format!("the base was rebuilt ({trigger})"));
    let added = variant.layers.iter().filter(|layer| layer.kind == LayerKind::Extension).map(|layer| {
        let role = variant.messages.get(layer.message).map_or("", |message| message.role.word());
        format!("{} adds {} to the {role} message", layer.name, count(layer.bytes, "byte"))
    });
    let mut facts: Vec<String> = rebuilt.into_iter().chain(added).collect();
    if facts.is_empty() {
        facts.push("the base as it stands".to_string());
    }
    format!("{bytes}, {tokens}: {}", facts.join("; "))
}
