//! What knowledge items and tools declare besides their text.

use super::Metadata;
use crate::prompt::ToolEntry;
use crate::read::item::{DeclarationKind, Knowledge, TextPlace};
use crate::read::value::Value;
use crate::read::yaml::YamlNode;
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
