//! A layer or a tool that differs: what changed, where it comes from, and its lines.

use super::hunk::Hunks;
use super::{DifferenceReport, are_the_same};
use crate::answer::diff::places::{of_tool, origins, requesters, values};
use crate::answer::diff::summary::{layer_name, phrase, signed_tokens, tokens, tool_change};
use crate::answer::diff::{Change, Difference, LayerPair, LineChange, Pair, Side, SideLayer, ToolPair};
use crate::text::numbers::count;
use crate::write::report::{Line, word, words};
use crate::write::theme::{DIM, PLAIN, STRONG, of_tier};

impl DifferenceReport<'_, '_> {
    pub fn layer(&mut self, pair: &LayerPair) {
        let Self { difference, refiner, view, report } = self;
        let is_on_one_side = matches!(pair.change(), Change::Added | Change::Removed);
        let cost = if is_on_one_side { signed_tokens(pair.tokens) } else { tokens(pair.tokens) };
        let name = layer_name(difference, pair);
        report.section(&name, &cost);
        report.line("  ", "    ", change(difference, pair));
        let layers = difference.layers_of(pair);
        let requesters = requesters(pair, layers).into_iter().filter(|_| is_on_one_side || pair.requested_by);
        for line in origins(layers).into_iter().chain(requesters).chain(values(pair)) {
            report.line("  ", "    ", line.signed());
        }
        let texts = difference.texts_of(pair);
        Hunks::new(&name, texts.left, texts.right, &pair.lines, refiner).report(view, report);
    }

    /// A layer without a heading, with `most` changed lines at most.
    pub fn layer_in_short(&mut self, pair: &LayerPair, most: usize) {
        let Self { difference, refiner, view, report } = self;
        let name = layer_name(difference, pair);
        if pair.lines.is_empty() {
            return report.line("  ", "    ", word(PLAIN, &name).mark(":").then(change(difference, pair)));
        }
        let texts = difference.texts_of(pair);
        let (hunks, more) = Hunks::new(&name, texts.left, texts.right, &pair.lines, refiner).limited(most);
        hunks.report(view, report);
        if more > 0 {
            report.row(word(DIM, &format!("  and {}", count(more, "more changed line"))));
        }
    }

    pub fn tools(&mut self) {
        let difference = self.difference;
        let differ = difference.changed_tools().count();
        if differ == 0 && !difference.tool_order {
            return;
        }
        self.report.section("tools", &difference.tool_tokens.map(tokens).unwrap_or_default());
        difference.changed_tools().for_each(|(_, pair)| self.tool(pair));
        if difference.tool_order {
            self.report.note("the order of the tools differs");
        }
        let same = difference.tools.as_deref().unwrap_or_default().len() - differ;
        if same > 0 && differ > 0 {
            self.report.note(&are_the_same(same, "tool"));
        }
    }

    pub fn tool(&mut self, pair: &ToolPair) {
        let Self { difference, refiner, view, report } = self;
        let tools = difference.tools_of(pair);
        let Some(shown) = tools.newest() else { return };
        let hue = shown.place.as_ref().map_or(DIM, |place| of_tier(&place.tier));
        let cost = if tools.both().is_some() { tokens(pair.tokens) } else { signed_tokens(pair.tokens) };
        let change = format!("{}  {cost}", tool_change(pair));
        report.spread(hue, "┌ ", (STRONG, &shown.name), (DIM, &change));
        if let Some(Pair { left, right }) = tools.both() {
            let mut hunks = |part: &str, left: &str, right: &str, changes: &[LineChange]| {
                let name = format!("{} · {part}", shown.name);
                Hunks::new(&name, left, right, changes, refiner).report(view, report);
            };
            hunks("description", &left.description, &right.description, &pair.description);
            hunks("schema", &left.schema_text(), &right.schema_text(), &pair.schema);
        }
        for (index, foot) in of_tool(pair, tools).into_iter().enumerate() {
            let lead = if index == 0 { "└ " } else { "  " };
            report.marked(hue, lead, "    ", foot.signed());
        }
    }
}

fn change(difference: &Difference, pair: &LayerPair) -> Line {
    let line = words(pair.change().style(), phrase(pair.change()));
    let phrases = phrases_around(difference, pair, str::to_string);
    phrases.iter().fold(line, |line, phrase| line.mark(",").words(PLAIN, phrase))
}

/// What differs around the text, in phrases. `name` formats names.
pub fn phrases_around(difference: &Difference, pair: &LayerPair, name: impl Fn(&str) -> String) -> Vec<String> {
    let Some(Pair { left, right }) = difference.layers_of(pair).both() else { return Vec::new() };
    let role = |side: &Side, layer: &SideLayer| side.messages.get(layer.message).map_or("", |it| it.role.into_str());
    let mut phrases = Vec::new();
    if pair.moved {
        let (old, new) = (role(&difference.left, left), role(&difference.right, right));
        phrases.push(if left.slot != right.slot {
            format!("moved from {} to {}", name(&left.slot), name(&right.slot))
        } else if old != new {
            format!("moved from the {old} message to the {new} message")
        } else {
            let [old, new] = pair.index().map(|at| at.map_or(0, |at| at + 1)).into_array();
            format!("moved from layer {old} to layer {new}")
        });
    }
    if pair.renamed {
        phrases.push(format!("renamed from {}", name(&left.title)));
    }
    if pair.taken_from {
        phrases.push(match (left.place(), right.place()) {
            (Some(left), Some(right)) if left.tier != right.tier => {
                format!("now taken from {} instead of {}", name(&right.tier), name(&left.tier))
            }
            _ => "now taken from a different file".to_string(),
        });
    }
    if pair.requested_by {
        let by =
            |layer: &SideLayer| layer.declared_by.as_ref().map_or_else(|| "nothing".to_string(), |by| by.by.clone());
        phrases.push(match (by(left), by(right)) {
            (left, right) if left != right => format!("requested by {} instead of {}", name(&right), name(&left)),
            (_, right) => format!("requested by {} in a different place", name(&right)),
        });
    }
    if pair.wrapped {
        let now = if right.wrap { "now" } else { "no longer" };
        phrases.push(format!("{now} wrapped in an element"));
    }
    phrases
}
