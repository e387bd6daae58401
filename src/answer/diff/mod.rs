//! The difference between two prompts: layer by layer, tool by tool and word by word.
//!
//! A [`Side`] is a rendered prompt, a saved one, or what was actually sent. [`Difference`] is the comparison; every
//! format is a view of it.

mod around;
mod between;
mod cache;
pub mod html;
pub mod hunks;
pub mod json;
mod layers;
pub mod lines;
pub(crate) mod markdown;
mod messages;
mod names;
pub(crate) mod order;
mod pair;
pub(crate) mod patch;
mod places;
mod refine;
mod side;
mod similar;
pub(crate) mod stat;
pub(crate) mod summary;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod text;
mod tools;
mod values;
mod view;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::ops::Range;

use serde::Serialize;
use strum::IntoStaticStr;

use self::lines::Comparer;
use self::messages::Paired;
use self::tools::ToolPairs;
use crate::answer::explain::inputs::HiddenValues;
use crate::answer::render::WriteError;
use crate::text::numbers::thousands;
use crate::text::tokens::Tokenizer;

pub use around::FieldChange;
pub use cache::{Cache, CachePlace};
pub use lines::{Ignore, LineChange, words};
pub use pair::Pair;
pub use side::{
    Considered, ExtendsLink, FieldGroup, FilePlace, Requester, Side, SideField, SideKind, SideLayer, SideMessage,
    SideTool,
};
pub use tools::ToolPair;
pub use values::{SideValue, ValueChange};
pub use view::{CONTEXT, DiffFormat, DiffView};
#[cfg(test)]
pub use {lines::LinePiece, side::SideItem};

/// Writes a difference. Pass a buffered writer: there are many small writes.
pub fn write(difference: &Difference, view: &DiffView, out: &mut dyn io::Write) -> Result<(), WriteError> {
    view.screen.write_escaped(view.format.escaping(), out, |out| {
        match view.format {
            DiffFormat::Text => text::write(difference, view, out)?,
            DiffFormat::Stat => stat::write(difference, view, out)?,
            DiffFormat::NameOnly => names::write(difference, out)?,
            DiffFormat::Json => json::write(difference, view, out)?,
            DiffFormat::Markdown => markdown::write(difference, view, out)?,
            DiffFormat::Patch => patch::write(difference, view, out)?,
            DiffFormat::Html => html::write(difference, view, out)?,
        }
        Ok(())
    })
}

/// The maximum number of request settings that are named.
const MAX_SETTINGS: usize = 8;

#[derive(Debug, Clone, Copy)]
pub struct DiffOptions {
    pub tokenizer: Tokenizer,
    /// What to ignore when lines are compared.
    pub ignore: Ignore,
    /// The shortest prefix in tokens that a provider caches.
    pub cache_min: usize,
}

impl Default for DiffOptions {
    fn default() -> Self {
        Self { tokenizer: Tokenizer::default(), ignore: Ignore::default(), cache_min: 1_024 }
    }
}

#[derive(Debug)]
pub struct Difference {
    pub left: Side,
    pub right: Side,
    /// All layers: those of the right side in order, with each layer that only the left side has in its old place.
    pub layers: Vec<LayerPair>,
    /// Whether separators or the order of messages differ, which no layer shows.
    pub between: bool,
    /// All tools, ordered like the layers; `None` if one side does not record its tools.
    pub tools: Option<Vec<ToolPair>>,
    /// Whether the order of the tools that both sides have differs.
    pub tool_order: bool,
    /// The extends chains, root first, if an id or a file differs.
    pub chain: Option<Pair<Vec<ExtendsLink>>>,
    pub fields: Vec<FieldChange>,
    /// Indices of the decisions with a different outcome; `None` on a side that did not consider the item.
    pub decisions: Vec<Pair<Option<usize>>>,
    /// Whether only hidden values differ.
    pub hidden: bool,
    /// What is not compared, in words: `tools`, `the system message`.
    pub not_compared: Vec<Cow<'static, str>>,
    /// The tokens of the messages, as far as their text is known.
    pub tokens: Pair<usize>,
    /// `None` if one side does not record its tools.
    pub tool_tokens: Option<Pair<usize>>,
    pub cache: Cache,
    /// Whether the comparison was cut short, so that matching lines may be shown as changed.
    pub is_coarse: bool,
}

/// A layer of one side and its counterpart on the other.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LayerPair {
    /// Index into the layers of the left side.
    #[serde(skip)]
    pub left: Option<usize>,
    /// Index into the layers of the right side.
    #[serde(skip)]
    pub right: Option<usize>,
    /// `None` on a side whose text is unknown.
    #[serde(skip)]
    pub tokens: Pair<Option<usize>>,
    /// The runs of lines that differ, in order; all lines as one run if only one side has the layer.
    #[serde(skip)]
    pub lines: Vec<LineChange>,
    /// Whether the layer's message or slot differs, or its place among the layers that both sides have.
    pub moved: bool,
    pub renamed: bool,
    /// Whether the tier or the file of the text differs.
    pub taken_from: bool,
    /// Whether a different hook or directive requests the layer.
    #[serde(rename = "asked_by")]
    pub requested_by: bool,
    /// Whether only one side wraps the text in an element.
    pub wrapped: bool,
    /// The values that differ and that a file outside the layer decides.
    pub values: Vec<ValueChange>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, IntoStaticStr)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Change {
    Added,
    Removed,
    /// The text differs.
    Changed,
    /// The text is the same; its place, name or source differs.
    #[serde(rename = "around")]
    #[strum(serialize = "around")]
    TextUnchanged,
    Same,
}

impl LayerPair {
    pub fn index(&self) -> Pair<Option<usize>> {
        Pair { left: self.left, right: self.right }
    }

    pub fn change(&self) -> Change {
        match (self.left, self.right) {
            (None, _) => Change::Added,
            (_, None) => Change::Removed,
            _ if !self.lines.is_empty() => Change::Changed,
            _ if self.moved || self.renamed || self.taken_from || self.requested_by || self.wrapped => {
                Change::TextUnchanged
            }
            _ => Change::Same,
        }
    }
}

impl Difference {
    pub fn new(mut left: Side, mut right: Side, options: &DiffOptions) -> Self {
        let comparer = Comparer::new(options.ignore);
        let (layers, between, mut not_compared) = if left.has_layers && right.has_layers {
            let layers = layers::pairs(&left, &right, &comparer, options.tokenizer);
            let between = between::differs(&left, &right, &layers, &comparer);
            (layers, between, Vec::new())
        } else {
            let has_layers = left.has_layers || right.has_layers;
            let Paired { list, not_compared } = messages::pairs(&mut left, &mut right);
            let sides = Pair { left: &left, right: &right };
            let pair = |pair| layers::compare(sides, pair, &comparer, options.tokenizer);
            let layers = list.into_iter().map(pair).collect();
            let about_layers = has_layers.then(|| self::layers_untold(&left, &right));
            (layers, false, not_compared.into_iter().chain(about_layers).map(Cow::Borrowed).collect())
        };
        not_compared.extend(self::not_compared(&left, &right));
        let mut fields = around::fields(&left, &right);
        fields.extend(around::parts(&left, &right, &layers));
        let tools = ToolPairs::new(&left, &right, &comparer, options.tokenizer);
        let tokens =
            |side: &Side| side.messages.iter().map(|it| options.tokenizer.count(&it.known(0..it.text.len()))).sum();
        Self {
            between,
            tool_order: tools.as_ref().is_some_and(|tools| tools.order),
            tool_tokens: tools.as_ref().map(|tools| tools.tokens),
            tools: tools.map(|tools| tools.list),
            chain: around::chains(&left, &right),
            fields,
            decisions: around::decisions(&left, &right),
            hidden: false,
            not_compared,
            tokens: Pair { left: &left, right: &right }.map(tokens),
            cache: Cache::new(&left, &right, &layers, options),
            is_coarse: comparer.is_coarse(),
            layers,
            left,
            right,
        }
    }

    /// Returns `shown`, the same comparison with values hidden, and records whether only hidden values differ.
    pub fn hiding(&self, shown: Self) -> Self {
        Self { hidden: shown.is_same() && !self.is_same(), ..shown }
    }

    /// Whether the prompts are the same. Decisions are ignored: a different decision alone changes no prompt.
    pub fn is_same(&self) -> bool {
        self.layers.iter().all(|layer| layer.change() == Change::Same)
            && !self.between
            && self.tools.iter().flatten().all(|tool| tool.is_same())
            && !self.tool_order
            && self.chain.is_none()
            && self.fields.is_empty()
            && !self.hidden
            && self.left.is_absent() == self.right.is_absent()
    }

    /// What a layer is called: `message` if one side records no contributions, so that whole messages are compared.
    pub fn unit(&self) -> &'static str {
        if self.left.has_layers && self.right.has_layers { "layer" } else { "message" }
    }

    /// The messages that are left out of both sides because one does not record them, in words.
    pub fn not_compared_messages(&self) -> impl Iterator<Item = &str> {
        let is_about_messages = |part: &&str| part.ends_with("message") || part.ends_with("messages");
        self.not_compared.iter().map(|part| &**part).filter(is_about_messages)
    }

    pub fn sides(&self) -> Pair<&Side> {
        Pair { left: &self.left, right: &self.right }
    }

    pub fn layers_of(&self, pair: &LayerPair) -> Pair<Option<&SideLayer>> {
        self.sides().zip(pair.index()).map(|(side, at)| side.layers.get(at?))
    }

    /// The texts of a pair of layers, empty on a side without the layer.
    pub fn texts_of(&self, pair: &LayerPair) -> Pair<&str> {
        self.sides().zip(self.layers_of(pair)).map(|(side, layer)| layer.map_or("", |layer| side.layer_text(layer)))
    }

    pub fn tools_of(&self, pair: &ToolPair) -> Pair<Option<&SideTool>> {
        self.sides().zip(pair.index).map(|(side, at)| side.tools.as_ref()?.get(at?))
    }

    pub fn decisions_of(&self, index: Pair<Option<usize>>) -> Pair<Option<&Considered>> {
        self.sides().zip(index).map(|(side, at)| side.decisions.as_ref()?.get(at?))
    }

    /// The layers that differ, each with its index.
    pub fn changed_layers(&self) -> impl Iterator<Item = (usize, &LayerPair)> {
        self.layers.iter().enumerate().filter(|(_, pair)| pair.change() != Change::Same)
    }

    /// The tools that differ, each with its index.
    pub fn changed_tools(&self) -> impl Iterator<Item = (usize, &ToolPair)> {
        self.tools.iter().flatten().enumerate().filter(|(_, pair)| !pair.is_same())
    }

    pub fn hidden_values(&self) -> HiddenValues {
        self.left.hidden_values.or(self.right.hidden_values)
    }

    /// Whether the tokens are more than is counted, because an agent's own text is unknown.
    pub fn has_unknown(&self) -> bool {
        self.left.has_unknown() || self.right.has_unknown()
    }

    /// Whether the prompt exists on both sides.
    pub fn is_on_both(&self) -> bool {
        !self.left.is_absent() && !self.right.is_absent()
    }
}

/// What is not compared if it is not known from a recorded request.
pub const UNKNOWN_TEXT: &str = "the agent's own text, which is unknown";

fn layers_untold(left: &Side, right: &Side) -> &'static str {
    match left.contradicts_layers || right.contradicts_layers {
        true => "layers (the segments of the saved prompt contradict its text)",
        false => "layers",
    }
}

/// Everything besides messages that is not compared, in words.
fn not_compared(left: &Side, right: &Side) -> Vec<Cow<'static, str>> {
    let is_one_absent = left.is_absent() || right.is_absent();
    let one_records = |records: fn(&Side) -> bool| !is_one_absent && records(left) != records(right);
    let one_is_sent = one_records(|side| matches!(side.kind, SideKind::Sent(_)));
    let compares_model = around::compares_model(left, right);
    let has_other_parts = |side: &Side| side.messages.iter().any(|message| message.other_parts > 0);
    let parts = [
        ("tools", one_records(|side| side.tools.is_some())),
        ("the extends chain", one_records(|side| side.chain.is_some())),
        ("decisions", one_records(|side| side.decisions.is_some())),
        ("metadata other than the model", one_is_sent && compares_model),
        ("the model and other metadata", one_is_sent && !compares_model),
        ("the model", !one_is_sent && one_records(|side| side.fields.is_some())),
        (UNKNOWN_TEXT, left.has_unknown() || right.has_unknown()),
        ("parts without text (images, tool calls and their results)", has_other_parts(left) || has_other_parts(right)),
    ];
    let not_compared = parts.into_iter().filter(|(_, is_left_out)| *is_left_out).map(|(part, _)| part.into());
    not_compared.chain(settings(left, right).map(Cow::Owned)).collect()
}

/// The settings of requests, which are not compared, in words. Any file may be read as a request, so a key that does
/// not look like the name of a setting is counted but not named.
fn settings(left: &Side, right: &Side) -> Option<String> {
    let all: BTreeSet<&str> = left.settings.iter().chain(&right.settings).map(String::as_str).collect();
    let is_name =
        |name: &str| name.len() <= 40 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let mut names: Vec<_> = all.iter().copied().filter(|name| is_name(name)).take(MAX_SETTINGS).collect();
    let more = all.len() - names.len();
    let more = (more > 0).then(|| format!("{} more", thousands(more)));
    names.extend(more.as_deref());
    (!names.is_empty()).then(|| format!("settings of the request ({})", names.join(", ")))
}

/// Lines as numbers from 1: `3-5`.
pub fn numbers(lines: &Range<usize>) -> String {
    match lines.len() {
        1 => (lines.start + 1).to_string(),
        _ => format!("{}-{}", lines.start + 1, lines.end),
    }
}

#[cfg(test)]
mod tests;
