//! A line for each layer and tool that differs: tokens before and after, by how many, and a bar of its lines; and below,
//! what differs in all.

mod table;

use std::io;

use owo_colors::Style;

use super::text::fitted;
use super::text::header::{remarks, sameness, verdict};
use super::text::phrases::{all_tokens, pair_name};
use super::{Change, Difference, LineChange, Pair, View};
use crate::layout::{Flow, count, words};

pub(crate) use self::table::{Row, write_table};

/// Writes it.
pub fn write(difference: &Difference, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let rows: Vec<Row> = layers(difference).chain(tools(difference)).collect();
    if !rows.is_empty() {
        write_table(&rows, "in all", all_tokens(difference), "line", view, out)?;
    }
    let mut sentences = match (difference.is_same(), difference.decisions.len()) {
        (false, _) => vec![verdict(difference, str::to_string)],
        (true, 0) => vec![sameness(difference).to_string()],
        (true, 1) => vec![format!("{}; 1 decision differs", sameness(difference))],
        (true, more) => vec![format!("{}; {} differ", sameness(difference), count(more, "decision"))],
    };
    sentences.extend(remarks(difference));
    let flow = Flow { lead: "", lead_style: view.theme.dim(), hang: "  ", between: " ", width: fitted(view).width };
    sentences.iter().try_for_each(|it| flow.write(&words(it, Style::new()).collect::<Vec<_>>(), out))
}

fn layers(difference: &Difference) -> impl Iterator<Item = Row> {
    let layers = difference.layers.iter().enumerate().filter(|(_, pair)| pair.change() != Change::Same);
    layers.map(|(index, pair)| Row {
        name: pair_name(difference, index).unwrap_or_default(),
        tokens: pair.tokens,
        count: all(&pair.lines),
        bar: each(&pair.lines),
        note: match pair.change() {
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Around if pair.moved => "moved",
            Change::Around if pair.renamed => "renamed",
            Change::Around if pair.taken_from => "from elsewhere",
            Change::Around if pair.asked_by => "asked for by another",
            Change::Around => "wrapped otherwise",
            Change::Changed | Change::Same => "",
        },
    })
}

fn tools(difference: &Difference) -> impl Iterator<Item = Row> {
    let Difference { left, right, .. } = difference;
    difference.tools.iter().flatten().filter(|tool| !tool.is_same()).map(|pair| {
        let of_right = pair.index.right.and_then(|index| right.tools.as_ref()?.get(index));
        let tool = of_right.or_else(|| left.tools.as_ref()?.get(pair.index.left?));
        Row {
            name: format!("tool · {}", tool.map_or("", |tool| &tool.name)),
            tokens: pair.tokens,
            count: all(&pair.description) + all(&pair.schema),
            bar: both(each(&pair.description), each(&pair.schema)),
            note: match pair.change() {
                Change::Added => "added",
                Change::Removed if pair.over_budget => "over budget",
                Change::Removed => "removed",
                Change::Around if pair.renamed => "renamed",
                Change::Around => "another item",
                Change::Changed | Change::Same => "",
            },
        }
    })
}

fn both(one: Pair<usize>, other: Pair<usize>) -> Pair<usize> {
    Pair { left: one.left + other.left, right: one.right + other.right }
}

/// How many lines differ.
fn all(changes: &[LineChange]) -> usize {
    let Pair { left, right } = each(changes);
    left + right
}

/// Lines that are gone, and lines that are new.
fn each(changes: &[LineChange]) -> Pair<usize> {
    Pair {
        left: changes.iter().map(|change| change.left.len()).sum(),
        right: changes.iter().map(|change| change.right.len()).sum(),
    }
}
