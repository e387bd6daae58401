//! The tools that differ.

use std::io;

use super::hunk::Hunks;
use super::layer::{comma, located};
use super::refine::Refiner;
use super::{are_the_same, heading, sentence};
use crate::diff::summary::{signed_tokens, tokens, tool_change};
use crate::diff::{DiffView, Difference, Pair, SideTool, ToolPair};
use crate::layout::{Flow, Spread, Word};

pub fn write(difference: &Difference, refiner: &Refiner, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let differ: Vec<_> = difference.changed_tools().collect();
    if differ.is_empty() && !difference.tool_order {
        return Ok(());
    }
    heading("tools", &difference.tool_tokens.map(tokens).unwrap_or_default(), view, out)?;
    for (_, pair) in &differ {
        tool(difference, pair, refiner, view, out)?;
    }
    if difference.tool_order {
        sentence("the order of the tools differs", view, out)?;
    }
    let same = difference.tools.as_deref().unwrap_or_default().len() - differ.len();
    if same > 0 && !differ.is_empty() {
        sentence(&are_the_same(same, "tool"), view, out)?;
    }
    Ok(())
}

/// Writes one of many tools, with little effort for its words.
pub(crate) fn write_in_short(
    difference: &Difference,
    pair: &ToolPair,
    view: &DiffView,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    tool(difference, pair, &Refiner::brief(), view, out)
}

fn tool(
    difference: &Difference,
    pair: &ToolPair,
    refiner: &Refiner,
    view: &DiffView,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let theme = view.theme;
    let tools = difference.tools_of(pair);
    let Some(shown) = tools.newest() else { return Ok(()) };
    let hue = shown.place.as_ref().map_or(theme.dim(), |place| theme.tier(&place.tier));
    let cost = if tools.both().is_some() { tokens(pair.tokens) } else { signed_tokens(pair.tokens) };
    Spread { lead: "┌ ", fill: ' ', style: hue, width: view.width }.write(
        &Word::new(&shown.name, theme.strong()),
        &Word::new(&format!("{}  {cost}", tool_change(pair)), theme.dim()),
        out,
    )?;
    if let Some(Pair { left, right }) = tools.both() {
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
    let feet = match tools.both() {
        Some(Pair { left, right }) if pair.item || pair.renamed => {
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

fn foot(sign: Option<(&str, owo_colors::Style)>, tool: &SideTool, view: &DiffView) -> Vec<Word> {
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
            comma(&mut line);
            line.push(Word::new(&format!("{word} {id}"), theme.dim()));
        }
    }
    line
}
