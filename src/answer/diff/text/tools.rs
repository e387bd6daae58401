//! Tools that differ, with their lines.

use std::io;

use super::hunk::Hunks;
use super::{DifferenceWriter, are_the_same};
use crate::answer::diff::places::of_tool;
use crate::answer::diff::summary::{signed_tokens, tokens, tool_change};
use crate::answer::diff::{LineChange, Pair, ToolPair};
use crate::write::layout::{Flow, Word};

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
        if let Some(Pair { left, right }) = tools.both() {
            let hunks = |part: &str, left: &str, right: &str, changes: &[LineChange], out: &mut dyn io::Write| {
                let name = format!("{} · {part}", shown.name);
                Hunks::new(&name, left, right, changes, refiner).write(view, out)
            };
            hunks("description", &left.description, &right.description, &pair.description, out)?;
            hunks("schema", &left.schema_text(), &right.schema_text(), &pair.schema, out)?;
        }
        for (index, foot) in of_tool(pair, tools, theme).into_iter().enumerate() {
            let lead = if index == 0 { "└ " } else { "  " };
            Flow { lead_style: hue, ..view.flow(lead, "    ") }.write(&foot.signed(theme), out)?;
        }
        Ok(())
    }
}
