//! Pairs the layers of two sides, and compares each pair.

use std::collections::HashMap;

use super::lines::{Comparer, all_of};
use super::order::Matches;
use super::similar::similar;
use super::{LayerPair, Pair, Side, SideLayer, values};
use crate::prompt::{LayerKind, Role};
use crate::text::tokens::Tokenizer;

pub fn pairs(left: &Side, right: &Side, comparer: &Comparer, tokenizer: Tokenizer) -> Vec<LayerPair> {
    let matches = matches(left, right);
    // A layer in a different slot or message has moved, even if the order is the same.
    let stays = |l: usize, r: usize| {
        let (l, r) = (&left.layers[l], &right.layers[r]);
        l.slot == r.slot && role(left, l) == role(right, r)
    };
    let in_order = matches.in_order(stays);
    let places = RoleRuns::new(left, right);
    let merged = matches.merged(&in_order, |layer, at| places.place(layer, at));
    let pair = |Pair { left: l, right: r }: Pair<Option<usize>>| {
        let moved = matches!((l, r), (Some(_), Some(r)) if !in_order[r]);
        LayerPair { moved, ..compare(Pair { left, right }, Pair { left: l, right: r }, comparer, tokenizer) }
    };
    merged.into_iter().map(pair).collect()
}

pub fn compare(sides: Pair<&Side>, index: Pair<Option<usize>>, comparer: &Comparer, tokenizer: Tokenizer) -> LayerPair {
    let layers = sides.zip(index).map(|(side, at)| at.map(|at| &side.layers[at]));
    let texts = sides.zip(layers).map(|(side, layer)| layer.map(|layer| side.layer_text(layer)));
    let lines = match texts.both() {
        Some(Pair { left, right }) => comparer.changes(left, right),
        None => {
            let all = texts.map(|text| text.and_then(all_of).unwrap_or_default());
            if all == Pair::default() { Vec::new() } else { vec![all] }
        }
    };
    let tokens = sides.zip(layers).map(|(side, layer)| match layer {
        Some(layer) => side.known_layer_text(layer).map(|text| tokenizer.count(&text)),
        None => Some(0),
    });
    let mut pair = LayerPair { left: index.left, right: index.right, tokens, lines, ..LayerPair::default() };
    if let Some(Pair { left: l, right: r }) = layers.both() {
        // The name of a message is its position, and a name that is a path says where the text is from.
        let is_named = l.kind != LayerKind::Message.into_str() && !(l.file.is_some() && r.file.is_some());
        pair.renamed = l.name != r.name && is_named;
        pair.taken_from = is_elsewhere(l, r);
        pair.requested_by = is_requested_elsewhere(sides, l, r);
        pair.wrapped = l.wrap != r.wrap;
        pair.values = values::changes(sides, Pair { left: l, right: r });
    }
    pair
}

fn is_elsewhere(left: &SideLayer, right: &SideLayer) -> bool {
    if let (Some(l), Some(r)) = (&left.file, &right.file) {
        // Only the path matters: the tier depends on the prompt's folder.
        return l.path != r.path;
    }
    matches!((left.place(), right.place()), (Some(l), Some(r)) if l.is_elsewhere(r))
}

/// Whether a different hook or directive asks for a layer. The compared directives are treated as the same, even with
/// different ids, and so are a hook and its renamed counterpart.
fn is_requested_elsewhere(sides: Pair<&Side>, l: &SideLayer, r: &SideLayer) -> bool {
    let (Some(old), Some(new)) = (&l.declared_by, &r.declared_by) else {
        return l.declared_by.is_some() != r.declared_by.is_some();
    };
    let is_own = |side: &Side, by: &str| side.directive.as_deref() == Some(by);
    if is_own(sides.left, &old.by) && is_own(sides.right, &new.by) {
        return false;
    }
    let is_hook = l.kind == LayerKind::Hook.into_str() && r.kind == l.kind;
    let is_same_name = old.by == new.by || (is_hook && l.name != r.name);
    let is_elsewhere = matches!((&old.place, &new.place), (Some(l), Some(r)) if l.is_elsewhere(r));
    !is_same_name || is_elsewhere
}

fn role(side: &Side, layer: &SideLayer) -> Option<Role> {
    side.messages.get(layer.message).map(|message| message.role)
}

/// The layers of the right side as runs of one role, used to place a layer that only the left side has.
struct RoleRuns<'a> {
    left: &'a Side,
    roles: Vec<Option<Role>>,
    /// The starts of the runs of each role.
    starts: HashMap<Option<Role>, Vec<usize>>,
    /// For each layer, the end of its run.
    ends: Vec<usize>,
}

impl<'a> RoleRuns<'a> {
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

    /// The index for a left-only layer due at `at`: the next one in a message of its role, or else after the message at
    /// `at`.
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

/// Matches layers by identity first, then by item in a different place, then by text alone.
fn matches(left: &Side, right: &Side) -> Matches {
    let (old, new) = (&left.layers, &right.layers);
    let mut matches = Matches::new(old.len(), new.len());
    let mut by = |key: for<'a> fn(&'a Side, &'a SideLayer) -> Option<LayerKey<'a>>| {
        matches.add_by(|l| key(left, &old[l]), |r| key(right, &new[r]));
    };
    // Earlier messages have only numbers as names: match the same text, else the next message of the role.
    by(|side, layer| message(side, layer).and_then(|role| key(&layer.slot, role, "", side.layer_text(layer))));
    by(|side, layer| message(side, layer).and_then(|role| key(&layer.slot, role, "", "")));
    // The same name in the same slot.
    by(|_, layer| key(&layer.slot, &layer.kind, &layer.name, ""));
    // The directive's own text, under any id.
    by(|_, layer| key(&layer.slot, &layer.kind, "", "").filter(|_| layer.kind == LayerKind::Directive.into_str()));
    // The same item in the same slot, from a renamed hook.
    by(|_, layer| item(layer).and_then(|(kind, id)| key(&layer.slot, kind, id, "")));
    // The same name, or item, elsewhere.
    by(|_, layer| key("", &layer.kind, &layer.name, ""));
    by(|_, layer| item(layer).and_then(|(kind, id)| key("", kind, id, "")));
    // The same file under a different path. The text begins with the path.
    by(|side, layer| file_text(side, layer).and_then(|text| key(&layer.slot, &layer.kind, "", text)));
    // The folder's own file, or the agent's, which matches that of a different folder.
    by(|_, layer| own_file(layer).and_then(|tier| key(&layer.slot, &layer.kind, tier, "")));
    // The same text: in the same slot, or elsewhere.
    by(|side, layer| text(side, layer).and_then(|text| key(&layer.slot, &layer.kind, "", text)));
    by(|side, layer| text(side, layer).and_then(|text| key("", "", "", text)));
    // Similar texts of the same kind.
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

/// The slot, kind, name and text of a layer, each empty if it is not compared.
type LayerKey<'a> = (&'a str, &'a str, &'a str, &'a str);

fn key<'a>(slot: &'a str, kind: &'a str, name: &'a str, text: &'a str) -> Option<LayerKey<'a>> {
    Some((slot, kind, name, text))
}

/// The role of a layer that is a whole message.
fn message(side: &Side, layer: &SideLayer) -> Option<&'static str> {
    (layer.kind == LayerKind::Message.into_str()).then(|| role(side, layer).map(|it| it.into_str())).flatten()
}

/// The text of a layer, if it is not blank.
fn text<'a>(side: &'a Side, layer: &SideLayer) -> Option<&'a str> {
    Some(side.layer_text(layer)).filter(|text| !text.trim().is_empty())
}

/// The text of a file without the heading that names it.
fn file_text<'a>(side: &'a Side, layer: &SideLayer) -> Option<&'a str> {
    let text = side.layer_text(layer);
    layer.file.as_ref()?;
    text.strip_prefix("## ").and_then(|text| text.strip_prefix(&layer.name)).or(Some(text))
}

/// The tier of a file, if each slot has at most one file of that tier.
fn own_file(layer: &SideLayer) -> Option<&str> {
    layer.file.as_ref().map(|file| file.tier.as_str()).filter(|tier| matches!(*tier, "cwd" | "agent"))
}

fn item(layer: &SideLayer) -> Option<(&str, &str)> {
    layer.item.as_ref().map(|item| (item.kind.as_str(), item.id.as_str()))
}

fn texts<'a>(side: &'a Side, layers: &[usize]) -> Vec<&'a str> {
    layers.iter().map(|&index| side.layer_text(&side.layers[index])).collect()
}
