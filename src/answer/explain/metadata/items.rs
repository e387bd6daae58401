//! What configuration files, knowledge items and tools declare besides their text.

use std::sync::Arc;

use super::Metadata;
use crate::prompt::{ConfigurationSection, ToolEntry};
use crate::read::item::{DeclarationKind, Knowledge, TextPlace};
use crate::read::value::Value;
use crate::read::yaml::{self, DocumentKey, YamlData, YamlNode};
use crate::text::{Origin, Span};

pub(super) fn of_knowledge(knowledge: &Knowledge, all: &mut Vec<Metadata>) {
    all.extend(knowledge.declarations.iter().map(|declaration| match &declaration.kind {
        DeclarationKind::Block => Metadata::line("yaml block", knowledge.metadata.value(), &declaration.span),
        DeclarationKind::FrontMatter => Metadata::new("front matter", Value::Null, &declaration.span),
        DeclarationKind::Key(name) => {
            let name = name.as_str().unwrap_or("a key that is not text");
            let value = match &knowledge.place {
                TextPlace::Key(text) if name == "body" => layout(&declaration.span, text),
                _ => declaration.span.text().into(),
            };
            Metadata::line(name, value, &declaration.span)
        }
    }));
}

/// The syntax around the text in a declaration (key, style, indentation), alternating with the lengths in bytes of the
/// text between.
fn layout(declaration: &Span, text: &YamlNode) -> Value {
    let source = declaration.source().text();
    let (mut layout, mut at) = (Vec::new(), declaration.range().start);
    for segment in text.traced().segments() {
        if let Origin::File(span) = segment.origin
            && span.range().start >= at
        {
            layout.push(Value::from(&source[at..span.range().start]));
            layout.push(Value::from(span.range().len() as i64));
            at = span.range().end;
        }
    }
    layout.extend(source.get(at..declaration.range().end).map(Value::from));
    Value::List(layout)
}

pub(super) fn of_tool(tool: &ToolEntry, all: &mut Vec<Metadata>) {
    all.extend(tool.schema_span.as_ref().map(|span| Metadata::line("schema", tool.input_schema.clone(), span)));
    all.extend(
        tool.description_span.as_ref().map(|span| Metadata::line("description", tool.description.as_str(), span)),
    );
}

/// Each file is parsed once.
pub(super) fn of_configuration(sections: &[ConfigurationSection]) -> Vec<Metadata> {
    let mut all = Vec::new();
    for sections in sections.chunk_by(|left, right| Arc::ptr_eq(left.span.source(), right.span.source())) {
        let source = sections[0].span.source();
        // It was parsed before, so parsing cannot fail.
        let Ok(file) = yaml::load(&source.whole()) else { continue };
        let mut aliased = Vec::new();
        for (index, ConfigurationSection { key, span }) in sections.iter().enumerate() {
            // The last value of a repeated key wins.
            let again = sections[index + 1..].iter().any(|later| later.key == *key);
            let Some(node) = file.node.get(key).filter(|_| !again) else { continue };
            all.push(Metadata::line(*key, node.value(), span));
            elsewhere(node, span, &mut aliased);
        }
        // A key whose value a section uses through an alias is a declaration, too.
        for DocumentKey { name, span } in &file.keys {
            let holds = aliased.iter().any(|&at| span.range().contains(&at));
            if let Some(key) = name.as_str().filter(|_| holds && sections.iter().all(|section| section.span != *span)) {
                let value = file.node.get(key).map(YamlNode::value).unwrap_or_default();
                all.push(Metadata::line(key, value, span));
            }
        }
    }
    all
}

/// The places of values that come from elsewhere in the file through an alias or a merge.
fn elsewhere(node: &YamlNode, place: &Span, found: &mut Vec<usize>) {
    if let Some(start) = node.span.as_ref().map(|span| span.range().start).filter(|at| !place.range().contains(at)) {
        found.push(start);
        return;
    }
    match &node.data {
        YamlData::Scalar(_) => {}
        YamlData::List(list) => list.iter().for_each(|node| elsewhere(node, place, found)),
        YamlData::Map(map) => map.values().for_each(|node| elsewhere(node, place, found)),
    }
}
