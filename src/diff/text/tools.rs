//! The tools that differ.

use std::io;

use super::hunk::Hunks;
use super::layer::located;
use super::phrases::{signed_tokens, tokens};
use super::refine::Refiner;
use super::{heading, sentence};
use crate::diff::{Difference, Tool, ToolPair, View};
use crate::layout::{Flow, Spread, Word, count};

/// Writes them, if any differs.
pub fn write(difference: &Difference, refiner: &Refiner, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let tools = difference.tools.as_deref().unwrap_or_default();
    let differ: Vec<_> = tools.iter().filter(|tool| !tool.is_same()).collect();
    if differ.is_empty() && !difference.tool_order {
        return Ok(());
    }
    heading("tools", &difference.tool_tokens.map(tokens).unwrap_or_default(), view, out)?;
    for pair in &differ {
        tool(difference, pair, refiner, view, out)?;
    }
    if difference.tool_order {
        sentence("the tools that both have stand in another order", view, out)?;
    }
    let same = tools.len() - differ.len();
    if same > 0 && !differ.is_empty() {
        let are = if same == 1 { "is" } else { "are" };
        sentence(&format!("{} {are} the same", count(same, "tool")), view, out)?;
    }
    Ok(())
}

/// Writes one that differs, without much effort for its words: it is one of many.
pub fn tool_in_short(difference: &Difference, pair: &ToolPair, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    tool(difference, pair, &Refiner::brief(), view, out)
}

fn tool(
    difference: &Difference,
    pair: &ToolPair,
    refiner: &Refiner,
    view: &View,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let theme = view.theme;
    let left = pair.index.left.and_then(|index| difference.left.tools.as_ref()?.get(index));
    let right = pair.index.right.and_then(|index| difference.right.tools.as_ref()?.get(index));
    let Some(shown) = right.or(left) else { return Ok(()) };
    let hue = shown.place.as_ref().map_or(theme.dim(), |place| theme.tier(&place.tier));
    let cost = match (left, right) {
        (Some(_), Some(_)) => tokens(pair.tokens),
        _ => signed_tokens(pair.tokens),
    };
    Spread { lead: "┌ ", fill: ' ', style: hue, width: view.width }.write(
        &Word::new(&shown.name, theme.strong()),
        &Word::new(&format!("{}  {cost}", what(pair)), theme.dim()),
        out,
    )?;
    if let (Some(left), Some(right)) = (left, right) {
        if !pair.description.is_empty() {
            let name = format!("{} · description", shown.name);
            Hunks::new(&name, &left.description, &right.description, &pair.description, refiner).write(view, out)?;
        }
        if !pair.schema.is_empty() {
            let (old, new) = (left.schema_text(), right.schema_text());
            let name = format!("{} · schema", shown.name);
            Hunks::new(&name, &old, &new, &pair.schema, refiner).write(view, out)?;
        }
    }
    let feet = match (left, right) {
        (Some(left), Some(right)) if pair.item || pair.renamed => {
            vec![foot(Some(("-", theme.removed())), left, view), foot(Some(("+", theme.added())), right, view)]
        }
        _ => vec![foot(None, shown, view)],
    };
    for (index, foot) in feet.iter().enumerate() {
        let lead = if index == 0 { "└ " } else { "  " };
        Flow { lead, lead_style: hue, hang: "    ", between: " ", width: view.width }.write(foot, out)?;
    }
    Ok(())
}

/// Where a tool comes from.
fn foot(sign: Option<(&str, owo_colors::Style)>, tool: &Tool, view: &View) -> Vec<Word> {
    let theme = view.theme;
    let mut line: Vec<Word> = sign.into_iter().map(|(sign, style)| Word::new(sign, style).glued()).collect();
    match &tool.place {
        Some(place) => line.extend(located(place, theme)),
        None => line.extend(crate::layout::words("not from a file", theme.dim())),
    }
    if sign.is_some() {
        let ids = [("item", &tool.item_id), ("routed to", &tool.primary)];
        for (word, id) in ids {
            let Some(id) = id else { continue };
            let last = line.pop().map(Word::comma);
            line.extend(last);
            line.push(Word::new(&format!("{word} {id}"), theme.dim()));
        }
    }
    line
}

/// What became of it, in words.
pub fn what(pair: &ToolPair) -> String {
    match (pair.index.left, pair.index.right) {
        (None, _) if pair.over_budget => return "added: within the budget now".to_string(),
        (None, _) => return "added".to_string(),
        (_, None) if pair.over_budget => return "dropped by the budget".to_string(),
        (_, None) => return "removed".to_string(),
        _ => {}
    }
    let parts = [
        (pair.renamed, "name"),
        (!pair.description.is_empty(), "description"),
        (!pair.schema.is_empty(), "schema"),
        (pair.item, "item"),
    ];
    let parts: Vec<_> = parts.into_iter().filter(|(is, _)| *is).map(|(_, part)| part).collect();
    format!("other {}", parts.join(" and "))
}
