use std::borrow::Cow;

use crate::decide::request::Role;
use crate::text::{Origin, Traced};

/// A message's text, divided into runs with an origin and a layer.
#[derive(Debug, Clone)]
pub struct Message {
    pub role: Role,
    pub(super) text: String,
    pub(super) runs: Vec<MessageRun>,
}

#[derive(Debug, Clone)]
pub(super) struct MessageRun {
    /// A run begins where the previous one ends.
    pub end: usize,
    /// `None` for separators.
    pub layer: Option<usize>,
    pub origin: Origin,
}

/// A run of bytes of one origin and one layer.
#[derive(Debug, Clone, Copy)]
pub struct MessageSegment<'a> {
    pub at: usize,
    pub text: &'a str,
    /// `None` for separators.
    pub layer: Option<usize>,
    pub origin: &'a Origin,
}

impl Message {
    pub fn new(role: Role) -> Self {
        Self { role, text: String::new(), runs: Vec::new() }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text without the parts of an agent whose wording is unknown; `None` if nothing else is in it.
    pub fn known(&self) -> Option<Cow<'_, str>> {
        known(&self.text, self.segments())
    }

    /// Appends a layer's text, or a separator without a layer.
    ///
    /// Consecutive separators, as around a layer without text, become one run.
    pub fn push(&mut self, text: &Traced, layer: Option<usize>) {
        for segment in text.segments() {
            let end = self.text.len() + segment.at + segment.text.len();
            match self.runs.last_mut() {
                Some(MessageRun { end: last, layer: None, origin: Origin::Protocol })
                    if layer.is_none() && *segment.origin == Origin::Protocol =>
                {
                    *last = end;
                }
                _ => self.runs.push(MessageRun { end, layer, origin: segment.origin.clone() }),
            }
        }
        self.text.push_str(text.text());
    }
}

/// See [`Message::known`].
pub(super) fn known<'a>(
    text: &'a str,
    segments: impl Iterator<Item = MessageSegment<'a>> + Clone,
) -> Option<Cow<'a, str>> {
    let is_unknown = |segment: &MessageSegment| segment.origin.is_unknown();
    if !segments.clone().any(|segment| is_unknown(&segment)) {
        return Some(text.into());
    }
    let known: String = segments.filter(|segment| !is_unknown(segment)).map(|segment| segment.text).collect();
    (!known.is_empty()).then(|| known.into())
}
