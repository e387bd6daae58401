//! What differs between two prompts, layer against layer and word against word.
//!
//! [`Side`] is what is compared: a rendered prompt, a saved one, or what was really sent. [`Difference`] is the
//! comparison; every format is a view of it.

mod between;
mod cache;
mod decisions;
mod fields;
pub mod html;
pub mod hunks;
pub mod json;
mod layers;
pub mod lines;
pub(crate) mod markdown;
mod messages;
mod names;
mod order;
pub(crate) mod patch;
mod side;
mod similar;
pub(crate) mod stat;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod text;
mod tools;
mod view;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use strum::IntoStaticStr;

use self::lines::Comparer;
use self::messages::Paired;
use self::tools::Tools;
use crate::tokens::{Tokenizer, thousands};

pub use cache::{Cache, CachePlace};
pub use decisions::DecisionChange;
pub use fields::FieldChange;
pub use lines::{Ignore, LineChange, Piece, words};
pub use side::{Asker, Considered, Field, FieldGroup, Item, Layer, Link, Message, Place, Side, SideKind, Tool};
pub use tools::ToolPair;
pub(crate) use view::through;
pub use view::{Format, View, write};

/// So many settings of a request are named.
const MAX_SETTINGS: usize = 8;

/// How two sides are compared.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// How tokens are counted.
    pub tokenizer: Tokenizer,
    /// What does not count as a difference between lines.
    pub ignore: Ignore,
    /// The least prefix in tokens that a provider caches.
    pub cache_min: usize,
}

/// A value on either side; none where that side has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pair<T> {
    /// On the left side.
    pub left: T,
    /// On the right side.
    pub right: T,
}

/// What differs between two sides.
#[derive(Debug)]
pub struct Difference {
    /// What is compared.
    pub left: Side,
    /// With what.
    pub right: Side,
    /// Every layer of both sides: those of the right in order, and each that is on the left alone where it stood.
    pub layers: Vec<LayerPair>,
    /// Whether what stands between the layers differs, where no layer does: separators, the order of messages.
    pub between: bool,
    /// Every tool of both sides, likewise; none where one side does not tell.
    pub tools: Option<Vec<ToolPair>>,
    /// Whether the tools of both sides stand in another order.
    pub tool_order: bool,
    /// The extends chains, root first, where they differ in an id or in where one is taken from.
    pub chain: Option<Pair<Vec<Link>>>,
    /// What the directive asks for, and is given, field by field.
    pub fields: Vec<FieldChange>,
    /// What was considered and has another outcome: suppressed here and included there.
    pub decisions: Vec<DecisionChange>,
    /// Whether nothing differs but values that are hidden here, and stand in the sides by their names alone.
    pub hidden: bool,
    /// What is not compared, in words: what one side does not tell, as `tools` or `the system message`, and what is not
    /// read of a request.
    pub untold: Vec<Cow<'static, str>>,
    /// The tokens of all messages.
    pub tokens: Pair<usize>,
    /// The tokens of the tools; none where a side does not tell.
    pub tool_tokens: Option<Pair<usize>>,
    /// What of the left prompt a provider that has cached it can use for the right one.
    pub cache: Cache,
    /// Whether comparing took too long, so that lines are shown as changed that might have been matched.
    pub is_coarse: bool,
}

/// A layer on one side, and the one that stands for it on the other.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerPair {
    /// Index into the layers of the left side.
    pub left: Option<usize>,
    /// Index into the layers of the right side.
    pub right: Option<usize>,
    /// What it costs.
    pub tokens: Pair<usize>,
    /// The runs of lines that differ, in order. Of a layer on one side alone that is one run of all of its lines.
    pub lines: Vec<LineChange>,
    /// Whether it stands elsewhere: in another message, slot, or place among those that both sides have.
    pub moved: bool,
    /// Whether it has another name.
    pub renamed: bool,
    /// Whether its text is taken from another tier or file.
    pub taken_from: bool,
    /// Whether something else asks for it.
    pub asked_by: bool,
    /// Whether it stands in an element of its own on one side alone.
    pub wrapped: bool,
}

/// What became of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Change {
    /// It is on the right side alone.
    Added,
    /// It is on the left side alone.
    Removed,
    /// Its text differs.
    Changed,
    /// Its text is the same, and something around it is not: where it stands, what it is called, where it is from.
    Around,
    /// It is the same.
    Same,
}

impl LayerPair {
    /// What became of it.
    pub fn change(&self) -> Change {
        match (self.left, self.right) {
            (None, _) => Change::Added,
            (_, None) => Change::Removed,
            _ if !self.lines.is_empty() => Change::Changed,
            _ if self.moved || self.renamed || self.taken_from || self.asked_by || self.wrapped => Change::Around,
            _ => Change::Same,
        }
    }
}

impl Difference {
    /// Compares two sides.
    pub fn new(mut left: Side, mut right: Side, options: &Options) -> Self {
        let comparer = Comparer::new(options.ignore);
        let (layers, between, mut untold) = if left.has_layers && right.has_layers {
            let layers = layers::pairs(&left, &right, &comparer, options.tokenizer);
            let between = between::differs(&left, &right, &layers, &comparer);
            (layers, between, Vec::new())
        } else {
            let has_layers = left.has_layers || right.has_layers;
            let Paired { list, untold } = messages::pairs(&mut left, &mut right);
            let pair = |pair| layers::compare(&left, &right, pair, &comparer, options.tokenizer);
            let layers = list.into_iter().map(pair).collect();
            let about_layers = has_layers.then(|| self::layers_untold(&left, &right));
            (layers, false, untold.into_iter().chain(about_layers).map(Cow::Borrowed).collect())
        };
        untold.extend(self::untold(&left, &right));
        let mut fields = fields::changes(&left, &right);
        fields.extend(fields::parts(&left, &right, &layers));
        let tools = Tools::new(&left, &right, &comparer, options.tokenizer);
        let tokens = |side: &Side| side.messages.iter().map(|it| options.tokenizer.count(&it.text)).sum();
        Self {
            between,
            tool_order: tools.as_ref().is_some_and(|tools| tools.order),
            tool_tokens: tools.as_ref().map(|tools| tools.tokens),
            tools: tools.map(|tools| tools.list),
            chain: chains(&left, &right),
            fields,
            decisions: decisions::changes(&left, &right),
            hidden: false,
            untold,
            tokens: Pair { left: tokens(&left), right: tokens(&right) },
            cache: Cache::new(&left, &right, &layers, options),
            is_coarse: comparer.is_coarse(),
            layers,
            left,
            right,
        }
    }

    /// The same comparison, if values are hidden in it: `shown` is what differs where they are.
    pub fn hiding(&self, shown: Self) -> Self {
        Self { hidden: shown.is_same() && !self.is_same(), ..shown }
    }

    /// Whether nothing differs that counts. Decisions alone change no prompt, so that they do not.
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

    /// What its layers are called: contributions, or whole messages where a side does not tell these.
    pub fn unit(&self) -> &'static str {
        if self.left.has_layers && self.right.has_layers { "layer" } else { "message" }
    }

    /// Messages that both sides had to lose, because one does not tell them, in words.
    pub fn untold_messages(&self) -> impl Iterator<Item = &str> {
        let is_about_messages = |part: &&str| part.ends_with("message") || part.ends_with("messages");
        self.untold.iter().map(|part| &**part).filter(is_about_messages)
    }
}

/// Why layers are not compared, where one side has them.
fn layers_untold(left: &Side, right: &Side) -> &'static str {
    match left.contradicts_layers || right.contradicts_layers {
        true => "layers (of a saved prompt, whose segments are not its text: it contradicts itself)",
        false => "layers",
    }
}

/// What is not compared beside messages and layers, in words.
fn untold(left: &Side, right: &Side) -> Vec<Cow<'static, str>> {
    let is_one_absent = left.is_absent() || right.is_absent();
    let one_tells = |tells: fn(&Side) -> bool| !is_one_absent && tells(left) != tells(right);
    let one_is_sent = one_tells(|side| matches!(side.kind, SideKind::Sent(_)));
    let compares_model = fields::compares_model(left, right);
    let has_other_parts = |side: &Side| side.messages.iter().any(|message| message.other_parts > 0);
    let parts = [
        ("tools", one_tells(|side| side.tools.is_some())),
        ("the extends chain", one_tells(|side| side.chain.is_some())),
        ("decisions", one_tells(|side| side.decisions.is_some())),
        ("metadata other than the model", one_is_sent && compares_model),
        ("the model and other metadata", one_is_sent && !compares_model),
        ("the model", !one_is_sent && one_tells(|side| side.fields.is_some())),
        (
            "what is in parts that are no text (images, calls of tools and their results)",
            has_other_parts(left) || has_other_parts(right),
        ),
    ];
    let told = parts.into_iter().filter(|(_, is_untold)| *is_untold).map(|(part, _)| part.into());
    told.chain(settings(left, right).map(Cow::Owned)).collect()
}

/// The settings of requests that are not compared, in words. Their names come from strangers: those that are none are
/// counted alone.
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

/// Both extends chains, where an id or a file differs.
fn chains(left: &Side, right: &Side) -> Option<Pair<Vec<Link>>> {
    let (old, new) = (left.chain.as_ref()?, right.chain.as_ref()?);
    let is_same = |(old, new): (&Link, &Link)| old.id == new.id && !old.place.is_elsewhere(&new.place);
    let all_same = old.len() == new.len() && old.iter().zip(new).all(is_same);
    (!all_same).then(|| Pair { left: old.clone(), right: new.clone() })
}

/// The lines of a layer that a change covers, as numbers from 1: `3-5`.
pub fn numbers(lines: &Range<usize>) -> String {
    match lines.len() {
        1 => (lines.start + 1).to_string(),
        _ => format!("{}-{}", lines.start + 1, lines.end),
    }
}

#[cfg(test)]
mod tests;
