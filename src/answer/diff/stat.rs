//! A line for each layer and tool that differs, with tokens and a bar of its lines, and a summary.

mod table;

use std::io;

use owo_colors::Style;

use super::summary::{all_tokens, layer_name, remarks, tags, tool_tags, verdict};
use super::text::fitted;
use super::{Change, DiffView, Difference, LayerPair, LineChange, Pair, ToolPair};

pub(crate) use self::table::{StatRow, write_table};

pub fn write(difference: &Difference, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let layers = difference.changed_layers().map(|(_, pair)| layer(difference, pair));
    let tools = difference.changed_tools().map(|(_, pair)| tool(difference, pair));
    let rows: Vec<StatRow> = layers.chain(tools).collect();
    if !rows.is_empty() {
        write_table(&rows, "total", all_tokens(difference), "line", view, out)?;
    }
    let mut sentences = [verdict(difference, str::to_string)].into_iter().chain(remarks(difference));
    sentences.try_for_each(|it| fitted(view).flow("", "  ").say(&it, Style::new(), out))
}

fn layer(difference: &Difference, pair: &LayerPair) -> StatRow {
    let bar = changed_lines(&pair.lines);
    StatRow {
        name: layer_name(difference, pair),
        tokens: pair.tokens,
        count: bar.left + bar.right,
        bar,
        note: note(pair.change(), || tags(difference, pair)),
    }
}

fn tool(difference: &Difference, pair: &ToolPair) -> StatRow {
    let lines = changed_lines(&pair.description).zip(changed_lines(&pair.schema));
    let bar = lines.map(|(description, schema)| description + schema);
    StatRow {
        name: format!("tool · {}", difference.tools_of(pair).newest().map_or("", |tool| &tool.name)),
        tokens: pair.tokens,
        count: bar.left + bar.right,
        bar,
        note: match pair.change() {
            Change::Removed if pair.over_budget => "over budget",
            change => note(change, || tool_tags(pair)),
        },
    }
}

fn note(change: Change, tags: impl Fn() -> Vec<&'static str>) -> &'static str {
    match change {
        Change::Added | Change::Removed => change.into_str(),
        Change::TextUnchanged => tags().first().copied().unwrap_or_default(),
        Change::Changed | Change::Same => "",
    }
}

/// The number of removed and of added lines.
fn changed_lines(changes: &[LineChange]) -> Pair<usize> {
    Pair {
        left: changes.iter().map(|change| change.left.len()).sum(),
        right: changes.iter().map(|change| change.right.len()).sum(),
    }
}
