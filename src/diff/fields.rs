//! What a directive asks for and is given, field by field.

use super::order::Matches;
use super::{Field, FieldGroup, Layer, LayerPair, Pair, Side, SideKind};
use crate::tokens::thousands;

/// A field that differs; a value is none where that side has no such field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    /// What it is about.
    pub group: FieldGroup,
    /// Its name in the group.
    pub name: String,
    /// The values.
    pub value: Pair<Option<String>>,
}

impl FieldChange {
    /// A value of it as people read it; none of what is there or not.
    pub fn shown<'a>(&self, value: &'a Option<String>) -> Option<&'a str> {
        match value.as_deref()? {
            _ if !self.group.has_values() => None,
            "" => Some("(empty)"),
            value => Some(value),
        }
    }
}

/// The fields that differ, in the order of their groups.
pub fn changes(left: &Side, right: &Side) -> Vec<FieldChange> {
    let (Some(old), Some(new)) = (&left.fields, &right.fields) else { return Vec::new() };
    let comparable = |field: &&Field| tells(left, right, field) && tells(right, left, field);
    let [old, new] = [old, new].map(|fields| fields.iter().filter(comparable).collect::<Vec<_>>());
    let mut matches = Matches::new(old.len(), new.len());
    matches.add_by(|l| Some((old[l].group, &old[l].name)), |r| Some((new[r].group, &new[r].name)));
    let in_order = matches.in_order(|_, _| true);
    let mut changes = Vec::new();
    for Pair { left, right } in matches.merged(&in_order, |_, at| at) {
        let (left, right) = (left.map(|l| old[l]), right.map(|r| new[r]));
        let Some(Field { group, name, .. }) = right.or(left) else { continue };
        let value = |field: Option<&Field>| field.map(|field| field.value.clone());
        let value = Pair { left: value(left), right: value(right) };
        if value.left != value.right {
            changes.push(FieldChange { group: *group, name: name.clone(), value });
        }
    }
    changes.sort_by_key(|change| change.group);
    changes
}

/// The messages that have other numbers of parts that are no text, by the names of their layers.
pub fn parts(left: &Side, right: &Side, layers: &[LayerPair]) -> Vec<FieldChange> {
    let change = |pair: &LayerPair| {
        let (old, new) = (layer(left, pair.left), layer(right, pair.right));
        let count = |found: Option<(&Layer, usize)>| found.map_or(0, |(_, parts)| parts);
        let value = |count: usize| (count > 0).then(|| format!("{} without text", thousands(count)));
        let value = Pair { left: value(count(old)), right: value(count(new)) };
        let (layer, _) = new.or(old).filter(|_| value.left != value.right)?;
        Some(FieldChange { group: FieldGroup::Parts, name: layer.title.clone(), value })
    };
    layers.iter().filter_map(change).collect()
}

/// A layer, and how many parts of its message are no text.
fn layer(side: &Side, index: Option<usize>) -> Option<(&Layer, usize)> {
    let layer = side.layers.get(index?)?;
    Some((layer, side.messages.get(layer.message)?.other_parts))
}

/// Whether both sides tell the model, so that it is compared.
pub fn compares_model(left: &Side, right: &Side) -> bool {
    let tells_model = |side: &Side, other: &Side| {
        side.fields.iter().flatten().any(|field| field.group == FieldGroup::Model && tells(other, side, field))
    };
    tells_model(left, right) && tells_model(right, left)
}

/// Whether a side tells such a field, if it has it.
fn tells(side: &Side, other: &Side, field: &Field) -> bool {
    match side.kind {
        SideKind::Rendered | SideKind::Absent => true,
        // No format holds the mode.
        SideKind::Saved => (field.group, field.name.as_str()) != (FieldGroup::Protocol, "mode"),
        SideKind::Sent(_) => field.group == FieldGroup::Model && field.name == "effective" && names_model(other),
    }
}

/// Whether a side names a model: a tier, or nothing, leaves it to whoever sends.
fn names_model(side: &Side) -> bool {
    let named = |name: &str| {
        let is_it = |field: &&Field| field.group == FieldGroup::Model && field.name == name;
        side.fields.iter().flatten().find(is_it).map(|field| field.value.as_str())
    };
    matches!(side.kind, SideKind::Sent(_))
        || named("id").is_some()
        || named("effective").is_some_and(|model| model != named("tier").unwrap_or("general"))
}
