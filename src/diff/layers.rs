//! Which layer stands for which, and what differs in and around it.

use std::collections::HashMap;

use super::lines::{Comparer, all_of};
use super::order::Matches;
use super::similar::similar;
use super::{Layer, LayerPair, LineChange, Pair, Side};
use crate::prompt::{LayerKind, Role};
use crate::tokens::Tokenizer;

/// Every layer of both sides, in pairs.
pub fn pairs(left: &Side, right: &Side, comparer: &Comparer, tokenizer: Tokenizer) -> Vec<LayerPair> {
    let matches = matches(left, right);
    // What stands in another slot or message is moved, whatever the others do.
    let stays = |l: usize, r: usize| {
        let (l, r) = (&left.layers[l], &right.layers[r]);
        l.slot == r.slot && role(left, l) == role(right, r)
    };
    let in_order = matches.in_order(stays);
    let places = Places::new(left, right);
    let merged = matches.merged(&in_order, |layer, at| places.place(layer, at));
    let pair = |Pair { left: l, right: r }: Pair<Option<usize>>| {
        let moved = matches!((l, r), (Some(_), Some(r)) if !in_order[r]);
        LayerPair { moved, ..compare(left, right, Pair { left: l, right: r }, comparer, tokenizer) }
    };
    merged.into_iter().map(pair).collect()
}

/// Compares a layer with the one that stands for it.
pub fn compare(
    left: &Side,
    right: &Side,
    Pair { left: l, right: r }: Pair<Option<usize>>,
    comparer: &Comparer,
    tokenizer: Tokenizer,
) -> LayerPair {
    let layers = Pair { left: l.map(|l| &left.layers[l]), right: r.map(|r| &right.layers[r]) };
    let old = layers.left.map(|layer| left.layer_text(layer));
    let new = layers.right.map(|layer| right.layer_text(layer));
    let tokens = |text: Option<&str>| text.map_or(0, |text| tokenizer.count(text));
    let lines = match (old, new) {
        (Some(old), Some(new)) => comparer.changes(old, new),
        (Some(old), None) => all_of(old).map(|lines| LineChange { left: lines, right: 0..0 }).into_iter().collect(),
        (None, Some(new)) => all_of(new).map(|lines| LineChange { left: 0..0, right: lines }).into_iter().collect(),
        (None, None) => Vec::new(),
    };
    let mut pair = LayerPair {
        left: l,
        right: r,
        tokens: Pair { left: tokens(old), right: tokens(new) },
        lines,
        moved: false,
        renamed: false,
        taken_from: false,
        asked_by: false,
        wrapped: false,
    };
    if let Pair { left: Some(l), right: Some(r) } = layers {
        // The name of a message is where it stands, and one that is a path says where the text is from.
        let is_named = l.kind != LayerKind::Message.into_str() && !(l.file.is_some() && r.file.is_some());
        pair.renamed = l.name != r.name && is_named;
        pair.taken_from = is_elsewhere(l, r);
        pair.asked_by = is_asked_by_another(left, l, right, r);
        pair.wrapped = l.wrap != r.wrap;
    }
    pair
}

fn is_elsewhere(left: &Layer, right: &Layer) -> bool {
    if let (Some(l), Some(r)) = (&left.file, &right.file) {
        // The path is the whole of it: the tier says how it lies to the folder that is asked about.
        return l.path != r.path;
    }
    matches!((left.place(), right.place()), (Some(l), Some(r)) if l.is_elsewhere(r))
}

/// Whether something else asks for a layer. The directive of one side stands for that of the other, whatever their ids,
/// and a hook that has another name asks for itself.
fn is_asked_by_another(left: &Side, l: &Layer, right: &Side, r: &Layer) -> bool {
    let (Some(old), Some(new)) = (&l.declared_by, &r.declared_by) else {
        return l.declared_by.is_some() != r.declared_by.is_some();
    };
    let is_own = |side: &Side, by: &str| side.directive.as_deref() == Some(by);
    if is_own(left, &old.by) && is_own(right, &new.by) {
        return false;
    }
    let is_hook = l.kind == LayerKind::Hook.into_str() && r.kind == l.kind;
    let is_same_name = old.by == new.by || (is_hook && l.name != r.name);
    let is_elsewhere = matches!((&old.place, &new.place), (Some(l), Some(r)) if l.is_elsewhere(r));
    !is_same_name || is_elsewhere
}

fn role(side: &Side, layer: &Layer) -> Option<Role> {
    side.messages.get(layer.message).map(|message| message.role)
}

/// The layers of the right side as runs of one role, to find where one of the left alone stands among them.
struct Places<'a> {
    left: &'a Side,
    roles: Vec<Option<Role>>,
    /// By role, where its runs begin.
    starts: HashMap<Option<Role>, Vec<usize>>,
    /// For each layer, where its run ends.
    ends: Vec<usize>,
}

impl<'a> Places<'a> {
    fn new(left: &'a Side, right: &Side) -> Self {
        let roles: Vec<_> = right.layers.iter().map(|layer| role(right, layer)).collect();
        let mut starts: HashMap<_, Vec<usize>> = HashMap::new();
        let mut ends = Vec::with_capacity(roles.len());
        for run in roles.chunk_by(|a, b| a == b) {
            let start = ends.len();
            starts.entry(run[0]).or_default().push(start);
            ends.extend(run.iter().map(|_| start + run.len()));
        }
        Self { left, roles, starts, ends }
    }

    /// In a message of its role, if there is one, as close as can be behind what stands in front of it; else behind the
    /// message in which it would stand.
    fn place(&self, layer: usize, at: usize) -> usize {
        let own = role(self.left, &self.left.layers[layer]);
        let in_front = at.checked_sub(1);
        if in_front.is_some_and(|index| self.roles[index] == own) || self.roles.get(at) == Some(&own) {
            return at;
        }
        let starts = self.starts.get(&own).map_or(&[][..], Vec::as_slice);
        let next = starts.get(starts.partition_point(|&start| start < at));
        next.copied().or_else(|| in_front.map(|index| self.ends[index])).unwrap_or(at)
    }
}

/// By identity first, then the same item elsewhere, then by text alone.
fn matches(left: &Side, right: &Side) -> Matches {
    let (old, new) = (&left.layers, &right.layers);
    let mut matches = Matches::new(old.len(), new.len());
    let mut by = |key: for<'a> fn(&'a Side, &'a Layer) -> Option<Key<'a>>| {
        matches.add_by(|l| key(left, &old[l]), |r| key(right, &new[r]));
    };
    // Earlier messages are called by their numbers, which say nothing: the same text, else the next of the role.
    by(|side, layer| message(side, layer).and_then(|role| key(&layer.slot, role, "", side.layer_text(layer))));
    by(|side, layer| message(side, layer).and_then(|role| key(&layer.slot, role, "", "")));
    // The same name in the same slot.
    by(|_, layer| key(&layer.slot, &layer.kind, &layer.name, ""));
    // The directive's own text, whatever it is called.
    by(|_, layer| key(&layer.slot, &layer.kind, "", "").filter(|_| layer.kind == LayerKind::Directive.into_str()));
    // The same item in the same slot: its hook has another name.
    by(|_, layer| item(layer).and_then(|(kind, id)| key(&layer.slot, kind, id, "")));
    // The same name, or item, elsewhere.
    by(|_, layer| key("", &layer.kind, &layer.name, ""));
    by(|_, layer| item(layer).and_then(|(kind, id)| key("", kind, id, "")));
    // The same file under another path, which stands in its text.
    by(|side, layer| file_text(side, layer).and_then(|text| key(&layer.slot, &layer.kind, "", text)));
    // The file of the folder itself, or of the agent's own: it stands for that of another folder, or of another name.
    by(|_, layer| own_file(layer).and_then(|tier| key(&layer.slot, &layer.kind, tier, "")));
    // The same text: in the same slot, or elsewhere.
    by(|side, layer| text(side, layer).and_then(|text| key(&layer.slot, &layer.kind, "", text)));
    by(|side, layer| text(side, layer).and_then(|text| key("", "", "", text)));
    // Texts of one kind that are much alike.
    let mut kinds: HashMap<&str, (Vec<usize>, Vec<usize>)> = HashMap::new();
    for l in matches.rest_left() {
        kinds.entry(&old[l].kind).or_default().0.push(l);
    }
    for r in matches.rest_right() {
        kinds.entry(&new[r].kind).or_default().1.push(r);
    }
    for (l, r) in kinds.into_values() {
        for (a, b) in similar(&texts(left, &l), &texts(right, &r)) {
            matches.add(l[a], r[b]);
        }
    }
    matches
}

/// What identifies a layer: its slot, kind, name, and text, as far as that counts.
type Key<'a> = (&'a str, &'a str, &'a str, &'a str);

fn key<'a>(slot: &'a str, kind: &'a str, name: &'a str, text: &'a str) -> Option<Key<'a>> {
    Some((slot, kind, name, text))
}

/// The role of a layer that is an earlier message.
fn message(side: &Side, layer: &Layer) -> Option<&'static str> {
    (layer.kind == LayerKind::Message.into_str()).then(|| role(side, layer).map(|it| it.into_str())).flatten()
}

/// The text of a layer that has one.
fn text<'a>(side: &'a Side, layer: &Layer) -> Option<&'a str> {
    Some(side.layer_text(layer)).filter(|text| !text.trim().is_empty())
}

/// The text of a file without the heading that names it.
fn file_text<'a>(side: &'a Side, layer: &Layer) -> Option<&'a str> {
    let text = side.layer_text(layer);
    layer.file.as_ref()?;
    text.strip_prefix("## ").and_then(|text| text.strip_prefix(&layer.name)).or(Some(text))
}

/// The tier of a file of which a prompt has one at most in each slot.
fn own_file(layer: &Layer) -> Option<&str> {
    layer.file.as_ref().map(|file| file.tier.as_str()).filter(|tier| matches!(*tier, "cwd" | "agent"))
}

fn item(layer: &Layer) -> Option<(&str, &str)> {
    layer.item.as_ref().map(|item| (item.kind.as_str(), item.id.as_str()))
}

fn texts<'a>(side: &'a Side, layers: &[usize]) -> Vec<&'a str> {
    layers.iter().map(|&index| side.layer_text(&side.layers[index])).collect()
}
