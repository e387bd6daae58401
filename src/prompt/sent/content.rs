//! Texts that may be split into parts.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::ReadMessage;
use crate::prompt::Role;

/// The content of a message: a string, a part, a list of parts, or an object that holds any of these as `parts`.
#[derive(Debug, Default)]
pub struct ReadContent {
    parts: Vec<String>,
    other_parts: usize,
}

impl ReadContent {
    pub fn message(self, role: Role, place: String) -> ReadMessage {
        let mut text = String::new();
        self.parts.iter().for_each(|part| join(&mut text, part));
        ReadMessage { role, text, parts: self.parts, other_parts: self.other_parts, place }
    }
}

/// Adds a part after a blank line, unless a newline already separates the two: models see parts as separate texts.
fn join(text: &mut String, part: &str) {
    let meets_break = text.ends_with('\n') || part.starts_with('\n');
    if !meets_break && !text.is_empty() && !part.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(part);
}

impl<'de> Deserialize<'de> for ReadContent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = ReadContent;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("text or a list of parts")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ReadContent, E> {
        Ok(ReadContent { parts: vec![text.to_string()], other_parts: 0 })
    }

    fn visit_unit<E: Error>(self) -> Result<ReadContent, E> {
        Ok(ReadContent::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<ReadContent, A::Error> {
        let mut content = ReadContent::default();
        while let Some(part) = parts.next_element::<ReadContent>()? {
            content.parts.extend(part.parts);
            content.other_parts += part.other_parts;
        }
        Ok(content)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<ReadContent, A::Error> {
        let mut content = None;
        while let Some(name) = fields.next_key::<String>()? {
            match name.as_str() {
                "text" | "parts" => content = Some(fields.next_value()?),
                _ => drop(fields.next_value::<IgnoredAny>()?),
            }
        }
        Ok(content.unwrap_or(ReadContent { parts: Vec::new(), other_parts: 1 }))
    }
}
