//! What differs around the texts: fields, the extends chain, decisions.

use serde::Serialize;

use super::order::Matches;
use super::{Change, Considered, ExtendsLink, FieldGroup, LayerPair, Pair, Side, SideField, SideKind, SideLayer};
use crate::prompt::DecisionOutcome;
use crate::text::numbers::thousands;

/// A field that differs. Each value is text, empty for a field without values, and null on a side without the field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FieldChange {
    pub group: FieldGroup,
    /// Its name in the group; empty for the group's only field.
    pub name: String,
    #[serde(flatten)]
    pub value: Pair<Option<String>>,
}

impl FieldChange {
    /// A value for display; `None` for a field without values.
    pub fn shown<'a>(&self, value: &'a Option<String>) -> Option<&'a str> {
        match value.as_deref()? {
            _ if !self.group.has_values() => None,
            "" => Some("(empty)"),
            value => Some(value),
        }
    }
}

/// The fields that differ, in the order of their groups.
pub fn fields(left: &Side, right: &Side) -> Vec<FieldChange> {
    let (Some(old), Some(new)) = (&left.fields, &right.fields) else { return Vec::new() };
    let comparable = |field: &&SideField| records(left, right, field) && records(right, left, field);
    let [old, new] = [old, new].map(|fields| fields.iter().filter(comparable).collect::<Vec<_>>());
    let mut matches = Matches::new(old.len(), new.len());
    matches.add_by(|l| Some((old[l].group, &old[l].name)), |r| Some((new[r].group, &new[r].name)));
    let in_order = matches.in_order(|_, _| true);
    let mut changes = Vec::new();
    for Pair { left, right } in matches.merged(&in_order, |_, at| at) {
        let fields = Pair { left: left.map(|l| old[l]), right: right.map(|r| new[r]) };
        let Some(SideField { group, name, .. }) = fields.newest() else { continue };
        let value = fields.map(|field| field.map(|field| field.value.clone()));
        if value.left != value.right {
            changes.push(FieldChange { group: *group, name: name.clone(), value });
        }
    }
    changes.sort_by_key(|change| change.group);
    changes
}

/// The messages whose number of parts without text differs, by the names of their layers.
pub fn parts(left: &Side, right: &Side, layers: &[LayerPair]) -> Vec<FieldChange> {
    let change = |pair: &LayerPair| {
        let found = Pair { left: layer(left, pair.left), right: layer(right, pair.right) };
        let value = found.map(|found| {
            let (_, parts) = found.filter(|(_, parts)| *parts > 0)?;
            Some(format!("{} without text", thousands(parts)))
        });
        let (layer, _) = found.newest().filter(|_| value.left != value.right)?;
        Some(FieldChange { group: FieldGroup::Parts, name: layer.title.clone(), value })
    };
    layers.iter().filter_map(change).collect()
}

/// A layer, and the number of parts without text in its message.
fn layer(side: &Side, index: Option<usize>) -> Option<(&SideLayer, usize)> {
    let layer = side.layers.get(index?)?;
    Some((layer, side.messages.get(layer.message)?.other_parts))
}

/// Whether both sides record the model.
pub fn compares_model(left: &Side, right: &Side) -> bool {
    let tells_model = |side: &Side, other: &Side| {
        side.fields.iter().flatten().any(|field| field.group == FieldGroup::Model && records(other, side, field))
    };
    tells_model(left, right) && tells_model(right, left)
}

/// Whether a side records such a field, so that its absence means something.
fn records(side: &Side, other: &Side, field: &SideField) -> bool {
    match side.kind {
        SideKind::Rendered | SideKind::Absent => true,
        // Saved formats do not record the mode.
        SideKind::Saved => (field.group, field.name.as_str()) != (FieldGroup::Protocol, "mode"),
        SideKind::Sent(_) => field.group == FieldGroup::Model && field.name == "effective" && names_model(other),
    }
}

/// Whether a side names a model. A tier, or nothing, leaves the choice to the sender.
fn names_model(side: &Side) -> bool {
    let named = |name: &str| {
        let is_it = |field: &&SideField| field.group == FieldGroup::Model && field.name == name;
        side.fields.iter().flatten().find(is_it).map(|field| field.value.as_str())
    };
    matches!(side.kind, SideKind::Sent(_))
        || named("id").is_some()
        || named("effective").is_some_and(|model| model != named("tier").unwrap_or("general"))
}

/// The extends chains, root first, if they differ.
pub fn chains(left: &Side, right: &Side) -> Option<Pair<Vec<ExtendsLink>>> {
    let (old, new) = (left.chain.as_ref()?, right.chain.as_ref()?);
    let all_same = old.len() == new.len() && old.iter().zip(new).all(is_same_link);
    (!all_same).then(|| Pair { left: old.clone(), right: new.clone() })
}

fn is_same_link((old, new): (&ExtendsLink, &ExtendsLink)) -> bool {
    old.id == new.id && !old.place.is_elsewhere(&new.place)
}

/// The directives of both chains, root first; those that both begin or end with appear once.
pub fn links(chains: &Pair<Vec<ExtendsLink>>) -> impl Iterator<Item = (Change, &ExtendsLink)> {
    let Pair { left, right } = chains;
    let begin = left.iter().zip(right).take_while(|links| is_same_link(*links)).count();
    let (old, new) = (&left[begin..], &right[begin..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|links| is_same_link(*links)).count();
    let parts = [
        (Change::Same, &right[..begin]),
        (Change::Removed, &old[..old.len() - end]),
        (Change::Added, &new[..new.len() - end]),
        (Change::Same, &new[new.len() - end..]),
    ];
    parts.into_iter().flat_map(|(change, links)| links.iter().map(move |link| (change, link)))
}

/// The indices of the decisions whose outcome differs. An item that is included on one side and not considered on the
/// other appears as a layer, a tool or a directive of the chain instead.
pub fn decisions(left: &Side, right: &Side) -> Vec<Pair<Option<usize>>> {
    let (Some(old), Some(new)) = (&left.decisions, &right.decisions) else { return Vec::new() };
    let mut matches = Matches::new(old.len(), new.len());
    fn place(decision: &Considered) -> (&str, &str) {
        (&decision.slot, &decision.name)
    }
    matches.add_by(|l| Some((place(&old[l]), &old[l].outcome)), |r| Some((place(&new[r]), &new[r].outcome)));
    matches.add_by(|l| Some(place(&old[l])), |r| Some(place(&new[r])));
    let in_order = matches.in_order(|_, _| true);
    let differs = |index: &Pair<Option<usize>>| match (index.left.map(|l| &old[l]), index.right.map(|r| &new[r])) {
        (Some(l), Some(r)) => l.outcome != r.outcome,
        (Some(alone), None) | (None, Some(alone)) => alone.outcome != DecisionOutcome::Included.into_str(),
        (None, None) => false,
    };
    matches.merged(&in_order, |_, at| at).into_iter().filter(differs).collect()
}
