//! What extensions contribute to each user prompt.

use crate::prompt::{LayerKind, Prompt, PromptTurn, Slot};
use crate::text::numbers::count;
use crate::text::tokens::Tokenizer;

pub const TITLE: &str = "What each user prompt gets";

/// One sentence per user prompt; empty if extensions change nothing.
pub fn sentences(prompt: &Prompt, tokenizer: Tokenizer) -> impl Iterator<Item = String> {
    prompt.variants.iter().map(move |variant| sentence(variant, tokenizer))
}

fn sentence(variant: &PromptTurn, tokenizer: Tokenizer) -> String {
    let texts = || variant.messages.iter().map(|message| message.text());
    let bytes = count(texts().map(str::len).sum(), "byte");
    let tokens = count(texts().map(|text| tokenizer.count(text)).sum(), "token");
    let rebuilt = variant.rebuild.map(|trigger| format!("the base was rebuilt ({trigger})"));
    // The first extension replaces the message.
    let mut is_replaced = variant.sections.is_empty();
    let added = variant.layers.iter().filter(|layer| layer.kind == LayerKind::Extension).map(|layer| {
        let (name, bytes) = (&layer.name, count(layer.bytes, "byte"));
        match layer.slot {
            Slot::SystemExtensions if std::mem::take(&mut is_replaced) => {
                format!("{name} replaces the system message with {bytes}")
            }
            Slot::SystemExtensions => format!("{name} adds {bytes} to the system message"),
            _ => format!("{name} adds a message of {bytes}"),
        }
    });
    let remarks = variant.remarks.iter().cloned();
    let mut facts: Vec<String> = rebuilt.into_iter().chain(added).chain(remarks).collect();
    if facts.is_empty() {
        facts.push("the base unchanged".to_string());
    }
    format!("{bytes}, {tokens}: {}", facts.join("; "))
}
