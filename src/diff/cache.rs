//! What of a cached prompt another one can use: the prefix that both share, in the order in which providers cache.

use super::lines::common_prefix;
use super::{Change, Layer, LayerPair, Options, Side};
use crate::render::anthropic;

/// What of the left prompt a provider that has cached it can use for the right one.
///
/// The order is that in which providers cache: tools, system message, messages. Bytes are those of the tools as JSON in
/// the shape of a request body, and of the messages' texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cache {
    /// Where the first byte that differs stands; none if the right prompt begins with all of the left one, or neither differs.
    pub breaks_at: Option<CachePlace>,
    /// How many bytes both begin with.
    pub shared_bytes: usize,
    /// How many tokens that is.
    pub shared_tokens: usize,
    /// All bytes of the left prompt.
    pub left_bytes: usize,
    /// All bytes of the right prompt.
    pub right_bytes: usize,
    /// Whether that is as many as a provider caches at least.
    pub is_reusable: bool,
    /// Whether one side does not tell its tools, so that only messages are counted.
    pub without_tools: bool,
}

/// A place in the order in which providers cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CachePlace {
    /// In the tools: the name of the first that differs.
    Tool(String),
    /// In a message.
    Message {
        /// Index into the messages of the right side, or of the left one where the right has fewer.
        message: usize,
        /// The byte in its text.
        at: usize,
        /// The layer that stands there: index into the layer pairs of the difference; none between layers.
        pair: Option<usize>,
    },
}

/// A part of what a provider caches.
enum Unit<'a> {
    Tool(&'a str, String),
    Message(usize, &'a super::Message),
}

impl Unit<'_> {
    fn text(&self) -> &str {
        match self {
            Self::Tool(_, json) => json,
            Self::Message(_, message) => &message.text,
        }
    }

    /// Whether two parts can begin alike.
    fn is_of_kind(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Tool(..), Self::Tool(..)) => true,
            (Self::Message(_, a), Self::Message(_, b)) => a.role == b.role,
            _ => false,
        }
    }
}

impl Cache {
    /// Compares what both begin with. The layers are in pairs already.
    pub(super) fn new(left: &Side, right: &Side, pairs: &[LayerPair], options: &Options) -> Self {
        let without_tools = left.tools.is_none() || right.tools.is_none();
        let (old, new) = (units(left, without_tools), units(right, without_tools));
        let bytes = |units: &[Unit]| units.iter().map(|unit| unit.text().len()).sum();
        let mut shared = String::new();
        let mut breaks_at = None;
        for index in 0..old.len() {
            let (l, Some(r)) = (&old[index], new.get(index)) else {
                breaks_at = Some(place(&old[index], 0, left, right, pairs));
                break;
            };
            let at = if l.is_of_kind(r) { common_prefix(l.text(), r.text()) } else { 0 };
            shared.push_str(&l.text()[..at]);
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
            shared_bytes: shared.len(),
            shared_tokens,
            left_bytes: bytes(&old),
            right_bytes: bytes(&new),
            is_reusable: shared_tokens >= options.cache_min,
            without_tools,
        }
    }
}

fn units(side: &Side, without_tools: bool) -> Vec<Unit<'_>> {
    let tools = side.tools.iter().flatten().filter(|_| !without_tools);
    let tools = tools.map(|tool| Unit::Tool(&tool.name, anthropic::tool(&tool.name, &tool.description, &tool.schema)));
    let messages = side.messages.iter().enumerate().map(|(index, message)| Unit::Message(index, message));
    tools.chain(messages).collect()
}

fn place(unit: &Unit, at: usize, left: &Side, right: &Side, pairs: &[LayerPair]) -> CachePlace {
    match unit {
        Unit::Tool(name, _) => CachePlace::Tool(name.to_string()),
        Unit::Message(message, _) => {
            CachePlace::Message { message: *message, at, pair: breaker(*message, at, left, right, pairs) }
        }
    }
}

/// The layer that is to blame: one that differs and stands there on either side; between layers the next one, if it comes,
/// goes or moves, since what stands in front of it does so with it; else a layer that stands there on both sides.
fn breaker(message: usize, at: usize, left: &Side, right: &Side, pairs: &[LayerPair]) -> Option<usize> {
    let stands = |side: &Side, layer: Option<usize>| {
        let is_there = |layer: &Layer| layer.message == message && layer.range.contains(&at);
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
