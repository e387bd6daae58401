//! The tools of two palettes, paired by name.

use std::collections::HashSet;

use super::lines::{Comparer, all_of};
use super::order::Matches;
use super::{Change, Considered, LineChange, Pair, Side, Tool};
use crate::explain::sent::schema_text;
use crate::prompt::{Outcome, Slot, tool_text, tool_tokens};
use crate::tokens::Tokenizer;

/// A tool on one side, and the one of its name on the other.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolPair {
    /// Indices into the tools of each side.
    pub index: Pair<Option<usize>>,
    /// What it costs.
    pub tokens: Pair<usize>,
    /// Whether the API sees another name of the same item.
    pub renamed: bool,
    /// The runs of lines in which the descriptions differ.
    pub description: Vec<LineChange>,
    /// The runs of lines in which the schemas differ, as indented JSON with its keys in order.
    pub schema: Vec<LineChange>,
    /// Whether it is another item, or is taken from another tier or file, or a call goes elsewhere.
    pub item: bool,
    /// Whether it is on one side alone because the other side's budget has no room for it.
    pub over_budget: bool,
}

impl Tool {
    /// What it costs.
    pub(super) fn text(&self) -> String {
        tool_text(&self.schema, &self.description)
    }

    /// Its schema in lines, as they are compared.
    pub fn schema_text(&self) -> String {
        schema_text(&self.schema)
    }
}

/// The tools of two sides.
pub struct Tools {
    /// Every one.
    pub list: Vec<ToolPair>,
    /// Whether those that both have stand in another order.
    pub order: bool,
    /// What all cost.
    pub tokens: Pair<usize>,
}

impl Tools {
    /// Compares the tools, by name first and then by item; none where one side does not tell them.
    pub fn new(left: &Side, right: &Side, comparer: &Comparer, tokenizer: Tokenizer) -> Option<Self> {
        let (old, new) = (left.tools.as_deref()?, right.tools.as_deref()?);
        let mut matches = Matches::new(old.len(), new.len());
        matches.add_by(|l| Some(&old[l].name), |r| Some(&new[r].name));
        matches.add_by(|l| old[l].item_id.as_ref(), |r| new[r].item_id.as_ref());
        let in_order = matches.in_order(|_, _| true);
        let has_moved = |(right, is_in_order): (usize, &bool)| matches.right[right].is_some() && !is_in_order;
        let order = in_order.iter().enumerate().any(has_moved);
        let no_room = Pair { left: without_room(left), right: without_room(right) };
        let list = matches.merged(&in_order, |_, at| at).into_iter().map(|index| {
            let tools = Pair { left: index.left.map(|l| &old[l]), right: index.right.map(|r| &new[r]) };
            let over_budget = match tools {
                Pair { left: Some(tool), right: None } => {
                    no_room.right.contains(tool.item_id.as_deref().unwrap_or_default())
                }
                Pair { left: None, right: Some(tool) } => {
                    no_room.left.contains(tool.item_id.as_deref().unwrap_or_default())
                }
                _ => false,
            };
            ToolPair { index, over_budget, ..compare(tools, comparer, tokenizer) }
        });
        let tokens = |tools: &[Tool]| tool_tokens(tools.iter().map(Tool::text), tokenizer);
        Some(Self { list: list.collect(), order, tokens: Pair { left: tokens(old), right: tokens(new) } })
    }
}

/// The items for which the budget of a palette has no room.
fn without_room(side: &Side) -> HashSet<&str> {
    let is_over =
        |it: &&Considered| it.slot == Slot::Palette.into_str() && it.outcome == Outcome::OverBudget.into_str();
    side.decisions.iter().flatten().filter(is_over).map(|decision| decision.name.as_str()).collect()
}

fn compare(tools: Pair<Option<&Tool>>, comparer: &Comparer, tokenizer: Tokenizer) -> ToolPair {
    let tokens = |tool: Option<&Tool>| tool.map_or(0, |tool| tokenizer.count(&tool.text()));
    let mut pair = ToolPair {
        index: Pair::default(),
        tokens: Pair { left: tokens(tools.left), right: tokens(tools.right) },
        renamed: false,
        description: Vec::new(),
        schema: Vec::new(),
        item: false,
        over_budget: false,
    };
    let all = |tool: &Tool| all_of(&tool.schema_text()).unwrap_or_default();
    match tools {
        Pair { left: Some(l), right: Some(r) } => {
            pair.renamed = l.name != r.name;
            pair.description = comparer.changes(&l.description, &r.description);
            pair.schema = comparer.changes(&l.schema_text(), &r.schema_text());
            let is_elsewhere = match (&l.place, &r.place) {
                (Some(l), Some(r)) => l.is_elsewhere(r),
                (l, r) => l.is_some() != r.is_some(),
            };
            // What was sent tells no items.
            let tells = l.item_id.is_some() && r.item_id.is_some();
            pair.item = tells && (l.item_id != r.item_id || l.primary != r.primary || is_elsewhere);
        }
        Pair { left: Some(l), right: None } => pair.schema.push(LineChange { left: all(l), right: 0..0 }),
        Pair { left: None, right: Some(r) } => pair.schema.push(LineChange { left: 0..0, right: all(r) }),
        Pair { left: None, right: None } => {}
    }
    pair
}

impl ToolPair {
    /// What became of it.
    pub fn change(&self) -> Change {
        match (self.index.left, self.index.right) {
            (None, _) => Change::Added,
            (_, None) => Change::Removed,
            _ if !self.description.is_empty() || !self.schema.is_empty() => Change::Changed,
            _ if self.renamed || self.item => Change::Around,
            _ => Change::Same,
        }
    }

    /// Whether nothing differs.
    pub fn is_same(&self) -> bool {
        self.change() == Change::Same
    }
}
