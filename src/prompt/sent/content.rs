//! Texts that may be split into parts.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::ReadMessage;
use crate::prompt::Role;

/// The content of a message: a string, a part, a list of parts, or an object that holds any of these as `parts`.
#[derive(Debug, Default)]
pub struct ReadContent {
    text: String,
    other_parts: usize,
}

impl ReadContent {
    pub fn message(self, role: Role, place: String) -> ReadMessage {
        ReadMessage { role, text: self.text, other_parts: self.other_parts, place }
    }

    /// Adds a part after a blank line, unless a newline already separates the two: models see parts as separate texts.
    fn add(&mut self, part: Self) {
        let meets_break = self.text.ends_with('\n') || part.text.starts_with('\n');
        if !meets_break && !self.text.is_empty() && !part.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(&part.text);
        self.other_parts += part.other_parts;
    }
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
        Ok(ReadContent { text: text.to_string(), other_parts: 0 })
    }

    fn visit_unit<E: Error>(self) -> Result<ReadContent, E> {
        Ok(ReadContent::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<ReadContent, A::Error> {
        let mut content = ReadContent::default();
        while let Some(part) = parts.next_element()? {
            content.add(part);
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
        Ok(content.unwrap_or(ReadContent { text: String::new(), other_parts: 1 }))
    }
}
