//! Declarations in files that shape a prompt but are not part of a message.

mod directive;
mod items;
mod placeholders;
#[cfg(test)]
mod tests;

use serde::Serialize;

use crate::prompt::Prompt;
use crate::read::value::Value;
use crate::text::Span;

/// A declaration.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Metadata {
    /// What is declared: `limits`, `input`, `suppress`, `tool_preload`.
    pub name: String,
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    pub value: Value,
    #[serde(rename = "source")]
    /// The declaration: the attribute with its name, the element with its tags, the key with its value.
    pub span: Span,
    /// The newline or `;` that it must follow to take effect, and the spaces and tabs after that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_break: Option<Span>,
}

impl Metadata {
    fn new(name: impl Into<String>, value: impl Into<Value>, span: &Span) -> Self {
        Self { name: name.into(), value: value.into(), span: span.clone(), line_break: None }
    }

    /// A declaration that takes effect only at the start of a line or after a `;`.
    fn line(name: impl Into<String>, value: impl Into<Value>, span: &Span) -> Self {
        let (text, end) = (span.source().text(), span.range().start);
        let before = text[..end].trim_end_matches([' ', '\t']);
        let start = before.strip_suffix(['\n', ';']).unwrap_or(before).len();
        let line_break = (start < end).then(|| span.source().span(start..end));
        Self { line_break, ..Self::new(name, value, span) }
    }
}

/// Everything that the files of a prompt declare about it, file by file: the chain from its root to the directive, the
/// configuration, the knowledge items, the tools.
///
/// Computed on demand from the prompt; no file is read.
pub fn metadata(prompt: &Prompt) -> Vec<Metadata> {
    let mut all = Vec::new();
    for member in &prompt.chain {
        directive::of_member(member, &mut all);
    }
    let leaf = prompt.chain.last().and_then(|member| member.directive.as_deref());
    if let Some(leaf) = leaf {
        directive::of_leaf(leaf, &mut all);
    }
    placeholders::placeholders(prompt, &mut all);
    let configuration = items::of_configuration(&prompt.configuration);
    if let Some(leaf) = leaf.filter(|leaf| directive::is_body_seen(prompt, leaf, &configuration)) {
        all.push(Metadata::new("body", leaf.body.text(), &leaf.body));
    }
    all.extend(configuration);
    for knowledge in &prompt.knowledge {
        items::of_knowledge(knowledge, &mut all);
    }
    for tool in prompt.tools.iter().chain(&prompt.tools_left_out) {
        items::of_tool(tool, &mut all);
    }
    all
}
