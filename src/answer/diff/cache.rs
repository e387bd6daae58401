//! The prefix that both prompts share, in caching order: tools, system message, messages.

use std::borrow::Cow;

use serde::Serialize;

use super::lines::common_prefix;
use super::{Change, DiffOptions, LayerPair, Pair, Side, SideLayer};
use crate::answer::render::request::anthropic_tool;

/// The prefix that both prompts begin with, in the order in which providers cache: tools, system message, messages.
/// Byte counts cover the tools, as JSON in a request body, and the texts of the messages.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cache {
    /// The place of the first byte that differs; null if the right prompt begins with all of the left one.
    pub breaks_at: Option<CachePlace>,
    /// The length of the prefix, which is the offset of the first byte that differs.
    pub shared_bytes: usize,
    pub shared_tokens: usize,
    /// The length of each prompt.
    pub bytes: Pair<usize>,
    /// The shortest prefix in tokens that a provider caches (`--cache-min`).
    pub min_tokens: usize,
    /// Whether the prefix is long enough to be cached; null if that depends on text that is unknown.
    #[serde(rename = "reusable")]
    pub is_reusable: Option<bool>,
    /// Whether the prefix holds text that is unknown, which `shared_tokens` does not count.
    #[serde(rename = "unknown")]
    pub has_unknown: bool,
    /// Whether only messages are compared, because one side does not record its tools.
    pub without_tools: bool,
}

/// A place in the order in which providers cache.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CachePlace {
    Tool {
        /// The first tool that differs.
        name: String,
    },
    Message {
        /// Index into the messages of the right side, or of the left side if the right one has fewer.
        message: usize,
        /// The byte offset in its text.
        at: usize,
        /// Index into `layers`; left out between layers.
        #[serde(rename = "layer", skip_serializing_if = "Option::is_none")]
        pair: Option<usize>,
    },
}

enum Unit<'a> {
    Tool(&'a str, String),
    Message(usize, &'a super::SideMessage),
}

impl Unit<'_> {
    fn text(&self) -> &str {
        match self {
            Self::Tool(_, json) => json,
            Self::Message(_, message) => &message.text,
        }
    }

    /// The beginning that counts as tokens.
    fn known(&self, end: usize) -> Cow<'_, str> {
        match self {
            Self::Tool(_, json) => json[..end].into(),
            Self::Message(_, message) => message.known(0..end),
        }
    }

    /// Whether the beginning has more than counts as tokens.
    fn has_unknown(&self, end: usize) -> bool {
        matches!(self, Self::Message(_, message) if message.unknown.first().is_some_and(|part| part.start < end))
    }

    /// Whether two units can share a prefix.
    fn is_of_kind(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Tool(..), Self::Tool(..)) => true,
            (Self::Message(_, a), Self::Message(_, b)) => a.role == b.role,
            _ => false,
        }
    }
}

impl Cache {
    pub(super) fn new(left: &Side, right: &Side, pairs: &[LayerPair], options: &DiffOptions) -> Self {
        let without_tools = left.tools.is_none() || right.tools.is_none();
        let (old, new) = (units(left, without_tools), units(right, without_tools));
        let bytes = |units: &[Unit]| units.iter().map(|unit| unit.text().len()).sum();
        let (mut shared, mut shared_bytes) = (String::new(), 0);
        let (mut breaks_at, mut has_unknown) = (None, false);
        for index in 0..old.len() {
            let (l, Some(r)) = (&old[index], new.get(index)) else {
                breaks_at = Some(place(&old[index], 0, left, right, pairs));
                break;
            };
            let at = if l.is_of_kind(r) { common_prefix(l.text(), r.text()) } else { 0 };
            shared.push_str(&l.known(at));
            has_unknown |= l.has_unknown(at);
            shared_bytes += at;
            let is_all = l.is_of_kind(r) && at == l.text().len();
            let is_last = index + 1 == old.len();
            if !is_all || (at < r.text().len() && !is_last) {
                let unit = if matches!(l, Unit::Tool(..)) && !matches!(r, Unit::Tool(..)) { l } else { r };
                breaks_at = Some(place(unit, at, left, right, pairs));
                break;
            }
        }
        let shared_tokens = options.tokenizer.count(&shared);
        Self {
            breaks_at,
            shared_bytes,
            shared_tokens,
            bytes: Pair { left: bytes(&old), right: bytes(&new) },
            min_tokens: options.cache_min,
            is_reusable: match shared_tokens >= options.cache_min {
                false if has_unknown => None,
                is_long_enough => Some(is_long_enough),
            },
            has_unknown,
            without_tools,
        }
    }
}

fn units(side: &Side, without_tools: bool) -> Vec<Unit<'_>> {
    let tools = side.tools.iter().flatten().filter(|_| !without_tools);
    let tools = tools.map(|tool| Unit::Tool(&tool.name, anthropic_tool(&tool.name, &tool.description, &tool.schema)));
    let messages = side.messages.iter().enumerate().map(|(index, message)| Unit::Message(index, message));
    tools.chain(messages).collect()
}

fn place(unit: &Unit, at: usize, left: &Side, right: &Side, pairs: &[LayerPair]) -> CachePlace {
    match unit {
        Unit::Tool(name, _) => CachePlace::Tool { name: name.to_string() },
        Unit::Message(message, _) => {
            CachePlace::Message { message: *message, at, pair: breaker(*message, at, left, right, pairs) }
        }
    }
}

/// The layer that ends the prefix: the one at the byte that differs; between layers, the next one if it is added,
/// removed or moved, since its separator goes with it; else the layer that both sides have there.
fn breaker(message: usize, at: usize, left: &Side, right: &Side, pairs: &[LayerPair]) -> Option<usize> {
    let stands = |side: &Side, layer: Option<usize>| {
        let is_there = |layer: &SideLayer| layer.message == message && layer.range.contains(&at);
        layer.and_then(|layer| side.layers.get(layer)).is_some_and(is_there)
    };
    let on_left = pairs.iter().position(|pair| stands(left, pair.left));
    let on_right = pairs.iter().position(|pair| stands(right, pair.right));
    let differs = |pair: &usize| pairs[*pair].change() != Change::Same;
    let next = |side: &Side, index: fn(&LayerPair) -> Option<usize>| {
        let start = |pair: &LayerPair| {
            let layer = index(pair).and_then(|layer| side.layers.get(layer))?;
            (layer.message == message && layer.range.start > at).then_some(layer.range.start)
        };
        let behind = pairs.iter().enumerate().filter_map(|(pair, it)| Some((start(it)?, pair)));
        behind.min().map(|(_, pair)| pair)
    };
    let comes_or_goes =
        |pair: &usize| pairs[*pair].left.is_none() || pairs[*pair].right.is_none() || pairs[*pair].moved;
    let next_on_right = || next(right, |pair| pair.right).filter(|_| on_right.is_none()).filter(comes_or_goes);
    let next_on_left = || next(left, |pair| pair.left).filter(|_| on_left.is_none()).filter(comes_or_goes);
    (on_right.filter(differs))
        .or(on_left.filter(differs))
        .or_else(next_on_right)
        .or_else(next_on_left)
        .or(on_right.filter(|_| on_left == on_right))
}
