//! Tools that differ, with their lines.

use std::io;

use owo_colors::Style;

use super::hunk::Hunks;
use super::layer::located;
use super::{DifferenceWriter, are_the_same};
use crate::answer::diff::summary::{signed_tokens, tokens, tool_change};
use crate::answer::diff::{DiffView, Pair, SideTool, ToolPair};
use crate::write::layout::{Flow, Word, punctuate, words};

impl DifferenceWriter<'_> {
    pub fn tools(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let Self { difference, view, .. } = self;
        let differ: Vec<_> = difference.changed_tools().collect();
        if differ.is_empty() && !difference.tool_order {
            return Ok(());
        }
        view.heading("tools", &difference.tool_tokens.map(tokens).unwrap_or_default(), out)?;
        for (_, pair) in &differ {
            self.tool(pair, out)?;
        }
        if difference.tool_order {
            view.sentence("the order of the tools differs", out)?;
        }
        let same = difference.tools.as_deref().unwrap_or_default().len() - differ.len();
        if same > 0 && !differ.is_empty() {
            view.sentence(&are_the_same(same, "tool"), out)?;
        }
        Ok(())
    }

    pub fn tool(&self, pair: &ToolPair, out: &mut dyn io::Write) -> io::Result<()> {
        let Self { difference, refiner, view } = self;
        let theme = view.theme;
        let tools = difference.tools_of(pair);
        let Some(shown) = tools.newest() else { return Ok(()) };
        let hue = shown.place.as_ref().map_or(theme.dim(), |place| theme.tier(&place.tier));
        let cost = if tools.both().is_some() { tokens(pair.tokens) } else { signed_tokens(pair.tokens) };
        let change = Word::new(&format!("{}  {cost}", tool_change(pair)), theme.dim());
        view.spread("┌ ", hue).write(&Word::new(&shown.name, theme.strong()), &change, out)?;
        let mut feet = vec![foot(None, shown, view)];
        if let Some(Pair { left, right }) = tools.both() {
            if !pair.description.is_empty() {
                let name = format!("{} · description", shown.name);
                Hunks::new(&name, &left.description, &right.description, &pair.description, refiner)
                    .write(view, out)?;
            }
            if !pair.schema.is_empty() {
                let (old, new) = (left.schema_text(), right.schema_text());
                let name = format!("{} · schema", shown.name);
                Hunks::new(&name, &old, &new, &pair.schema, refiner).write(view, out)?;
            }
            if pair.item || pair.renamed {
                let (old, new) = (Some(("-", theme.removed())), Some(("+", theme.added())));
                feet = vec![foot(old, left, view), foot(new, right, view)];
            }
        }
        for (index, foot) in feet.iter().enumerate() {
            let lead = if index == 0 { "└ " } else { "  " };
            Flow { lead_style: hue, ..view.flow(lead, "    ") }.write(foot, out)?;
        }
        Ok(())
    }
}

fn foot(sign: Option<(&str, Style)>, tool: &SideTool, view: &DiffView) -> Vec<Word> {
    let theme = view.theme;
    let mut line: Vec<Word> = sign.into_iter().map(|(sign, style)| Word::new(sign, style).glued()).collect();
    match &tool.place {
        Some(place) => line.extend(located(place, theme)),
        None => line.extend(words("not from a file", theme.dim())),
    }
    if sign.is_some() {
        let ids = [("item", &tool.item_id), ("routed to", &tool.primary)];
        for (word, id) in ids {
            let Some(id) = id else { continue };
            punctuate(&mut line, ",");
            line.push(Word::new(&format!("{word} {id}"), theme.dim()));
        }
    }
    line
}
