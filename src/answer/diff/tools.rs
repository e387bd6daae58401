use std::collections::HashSet;

use super::lines::{Comparer, all_of};
use super::order::Matches;
use super::{Change, Considered, LineChange, Pair, Side, SideTool};
use crate::answer::explain::sent::schema_text;
use crate::prompt::{DecisionOutcome, Slot, tool_text, tool_tokens};
use crate::text::tokens::Tokenizer;

/// A tool on one side and its counterpart on the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolPair {
    /// Indices into the tools of each side.
    pub index: Pair<Option<usize>>,
    pub tokens: Pair<usize>,
    /// Whether the API sees the same item under a different name.
    pub renamed: bool,
    /// The runs of lines in which the descriptions differ.
    pub description: Vec<LineChange>,
    /// The runs of lines in which the schemas differ, as indented JSON with sorted keys.
    pub schema: Vec<LineChange>,
    /// Whether the item, its tier or file, or the action that a call is routed to differs.
    pub item: bool,
    /// Whether one side lacks the tool because its budget has no room for it.
    pub over_budget: bool,
}

impl SideTool {
    /// The text whose tokens are counted.
    fn text(&self) -> String {
        tool_text(&self.schema, &self.description)
    }

    /// The schema in lines, as it is compared.
    pub fn schema_text(&self) -> String {
        schema_text(&self.schema)
    }
}

/// The tools of two sides.
pub struct ToolPairs {
    pub list: Vec<ToolPair>,
    /// Whether the order of the tools that both sides have differs.
    pub order: bool,
    pub tokens: Pair<usize>,
}

impl ToolPairs {
    /// Compares the tools, by name first and then by item; `None` if one side does not record them.
    pub fn new(left: &Side, right: &Side, comparer: &Comparer, tokenizer: Tokenizer) -> Option<Self> {
        let (old, new) = (left.tools.as_deref()?, right.tools.as_deref()?);
        let mut matches = Matches::new(old.len(), new.len());
        matches.add_by(|l| Some(&old[l].name), |r| Some(&new[r].name));
        matches.add_by(|l| old[l].item_id.as_ref(), |r| new[r].item_id.as_ref());
        let in_order = matches.in_order(|_, _| true);
        let has_moved = |(right, is_in_order): (usize, &bool)| matches.right[right].is_some() && !is_in_order;
        let order = in_order.iter().enumerate().any(has_moved);
        let over_budget = Pair { left, right }.map(over_budget);
        let list = matches.merged(&in_order, |_, at| at).into_iter().map(|index| {
            let tools = Pair { left: index.left.map(|l| &old[l]), right: index.right.map(|r| &new[r]) };
            let has_no_room =
                |tool: &SideTool, items: &HashSet<&str>| items.contains(tool.item_id.as_deref().unwrap_or(""));
            let over_budget = match tools {
                Pair { left: Some(tool), right: None } => has_no_room(tool, &over_budget.right),
                Pair { left: None, right: Some(tool) } => has_no_room(tool, &over_budget.left),
                _ => false,
            };
            ToolPair { index, over_budget, ..compare(tools, comparer, tokenizer) }
        });
        let tokens = |tools: &[SideTool]| tool_tokens(tools.iter().map(SideTool::text), tokenizer);
        Some(Self { list: list.collect(), order, tokens: Pair { left: tokens(old), right: tokens(new) } })
    }
}

/// The items for which the budget of a palette has no room.
fn over_budget(side: &Side) -> HashSet<&str> {
    let is_over =
        |it: &&Considered| it.slot == Slot::Palette.into_str() && it.outcome == DecisionOutcome::OverBudget.into_str();
    side.decisions.iter().flatten().filter(is_over).map(|decision| decision.name.as_str()).collect()
}

fn compare(tools: Pair<Option<&SideTool>>, comparer: &Comparer, tokenizer: Tokenizer) -> ToolPair {
    let tokens = tools.map(|tool| tool.map_or(0, |tool| tokenizer.count(&tool.text())));
    let mut pair = ToolPair { tokens, ..ToolPair::default() };
    if let Some(Pair { left: l, right: r }) = tools.both() {
        pair.renamed = l.name != r.name;
        pair.description = comparer.changes(&l.description, &r.description);
        pair.schema = comparer.changes(&l.schema_text(), &r.schema_text());
        let is_elsewhere = match (&l.place, &r.place) {
            (Some(l), Some(r)) => l.is_elsewhere(r),
            (l, r) => l.is_some() != r.is_some(),
        };
        // Sent prompts do not record items.
        let has_items = l.item_id.is_some() && r.item_id.is_some();
        pair.item = has_items && (l.item_id != r.item_id || l.primary != r.primary || is_elsewhere);
    } else {
        pair.schema = vec![tools.map(|tool| tool.and_then(|tool| all_of(&tool.schema_text())).unwrap_or_default())];
    }
    pair
}

impl ToolPair {
    pub fn change(&self) -> Change {
        match (self.index.left, self.index.right) {
            (None, _) => Change::Added,
            (_, None) => Change::Removed,
            _ if !self.description.is_empty() || !self.schema.is_empty() => Change::Changed,
            _ if self.renamed || self.item => Change::TextUnchanged,
            _ => Change::Same,
        }
    }

    pub fn is_same(&self) -> bool {
        self.change() == Change::Same
    }
}
