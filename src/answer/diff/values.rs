//! The values in a layer that a file outside of it decides: a setting, an attribute, the text of a directive.

use std::collections::HashSet;
use std::ops::Range;

use serde::Serialize;

use super::order::Matches;
use super::{FilePlace, Pair, Side, SideLayer};

/// The longest value, in characters, that is named with what it was before.
const LONGEST: usize = 40;

/// A value on one side.
#[derive(Debug, Clone, PartialEq)]
pub struct SideValue {
    /// `limits.turns`
    pub name: String,
    /// Where it stands in its message.
    pub range: Range<usize>,
    pub place: FilePlace,
}

/// A value that differs; null on a side without it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ValueChange {
    /// The name of the variable.
    pub name: String,
    #[serde(flatten)]
    pub value: Pair<Option<PlacedValue>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlacedValue {
    pub text: String,
    /// What decides the value.
    #[serde(rename = "source")]
    pub place: FilePlace,
}

impl ValueChange {
    /// `8 → 16`, `added 16`; `changed` for text that is not shown whole.
    pub fn phrase(&self) -> String {
        let [left, right] = self.value.as_ref().map(|value| value.as_ref().map(|it| it.text.as_str())).into_array();
        let is_short = |text: &&str| !text.contains('\n') && text.chars().nth(LONGEST).is_none();
        if !left.iter().chain(&right).all(is_short) {
            return "changed".to_string();
        }
        match (left, right) {
            (Some(left), Some(right)) => format!("{left} → {right}"),
            (None, right) => format!("added {}", right.unwrap_or_default()),
            (Some(left), None) => format!("removed {left}"),
        }
    }
}

/// The values of a layer that differ, in order; one that stands there several times appears once.
pub fn changes(sides: Pair<&Side>, layers: Pair<&SideLayer>) -> Vec<ValueChange> {
    let (old, new) = (&layers.left.values, &layers.right.values);
    let mut matches = Matches::new(old.len(), new.len());
    matches.add_by(|l| Some(&old[l].name), |r| Some(&new[r].name));
    let in_order = matches.in_order(|_, _| true);
    let text = |side: &Side, layer: &SideLayer, value: &SideValue| {
        side.messages.get(layer.message)?.text.get(value.range.clone()).map(str::to_string)
    };
    let (mut seen, mut changes) = (HashSet::new(), Vec::new());
    for Pair { left, right } in matches.merged(&in_order, |_, at| at) {
        let values = Pair { left: left.map(|l| &old[l]), right: right.map(|r| &new[r]) };
        let placed = sides.zip(layers).zip(values).map(|((side, layer), value)| {
            let value = value?;
            Some(PlacedValue { text: text(side, layer, value)?, place: value.place.clone() })
        });
        let is_same = matches!(&placed, Pair { left: Some(left), right: Some(right) } if left.text == right.text);
        let Some(SideValue { name, .. }) = values.newest().filter(|_| !is_same) else { continue };
        if seen.insert((name, values.map(|value| value.map(|value| &value.place)).into_array())) {
            changes.push(ValueChange { name: name.clone(), value: placed });
        }
    }
    changes
}
