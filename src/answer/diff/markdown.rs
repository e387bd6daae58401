//! A difference for a pull request: a summary, a table of what differs, and the lines, folded.
//!
//! Names and texts are untrusted: each is in a code span or a fence that it cannot end.

use std::io;

use super::hunks::{NO_NEWLINE, ends_differ, lines_of, unified};
use super::places::values;
use super::summary::{
    all_tokens, cache, capitalized, cost, field_name, layer_name, number, outcome, phrase, remarks, signed,
    tool_change, verdict,
};
use super::text::layer::phrases_around;
use super::{DiffView, Difference, ExtendsLink, FieldChange, LayerPair, LineChange, Pair, SideLayer, ToolPair, around};
use crate::text::numbers::{count, thousands};
use crate::write::markdown::{CommentRoom, Fold, brief, code_in_html};

const TITLES: &str = "\
| What differs | How | Tokens |  |
| --- | --- | ---: | ---: |
";

/// The maximum number of directives listed for a chain.
const MOST_LINKS: usize = 10;

/// Writes as much as fits in a GitHub comment, and a note on what is left out.
pub fn write(difference: &Difference, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let mut room = CommentRoom::new();
    let head = head(difference);
    room.takes(&head);
    let end = end(difference);
    room.takes(&end);
    let table = table(difference, &mut room.half());
    room.takes(&table);
    write!(out, "{head}{table}{end}")?;

    let layers = difference.changed_layers().filter_map(|(_, pair)| layer_fold(difference, pair, view.context));
    let tools = difference.changed_tools().flat_map(|(_, pair)| tool_folds(difference, pair, view.context));
    layers.chain(tools).try_for_each(|fold| out.write_all(fold.fitted(&mut room).as_bytes()))?;
    out.write_all(room.note().as_bytes())
}

fn head(difference: &Difference) -> String {
    let Difference { left, right, .. } = difference;
    let mut head = format!("### {} → {}\n\n", brief(&left.title), brief(&right.title));
    if difference.is_same() {
        let tokens = count(all_tokens(difference).right, "token");
        head += &format!("**{}** {tokens}.\n", capitalized(&verdict(difference, brief)));
    } else {
        head += &format!("**{}**: {}.\n", cost(difference), verdict(difference, brief));
    }
    remarks(difference).iter().for_each(|remark| head += &format!("\n_{remark}_\n"));
    difference.hidden_values().sentence().iter().for_each(|hidden| head += &format!("\n{hidden}\n"));
    head
}

fn end(difference: &Difference) -> String {
    if difference.is_same() || !difference.is_on_both() {
        return String::new();
    }
    format!("\n**Cache:** {}.\n", cache(difference, brief))
}

/// The table with the rows that fit, and a row that says how many were left out; empty without rows.
fn table(difference: &Difference, room: &mut CommentRoom) -> String {
    let rows = rows(difference);
    let all = rows.len();
    let more = |more: usize| row(&format!("… and {} more", thousands(more)), "left out", None);
    room.table("", TITLES, rows.into_iter(), all, more).unwrap_or_default()
}

fn row(name: &str, how: &str, tokens: Option<Pair<Option<usize>>>) -> String {
    let tokens = match tokens {
        Some(tokens) if tokens.left == tokens.right => format!("{} | ", number(tokens.left)),
        Some(tokens) => {
            format!("{} → {} | {}", number(tokens.left), number(tokens.right), signed(tokens))
        }
        None => " | ".to_string(),
    };
    format!("| {name} | {how} | {tokens} |\n")
}

fn rows(difference: &Difference) -> Vec<String> {
    let mut rows: Vec<_> = difference.changed_layers().map(|(_, pair)| layer_row(difference, pair)).collect();
    if difference.between {
        rows.push(row("between layers", "separators, or the order of messages", None));
    }
    rows.extend(difference.changed_tools().map(|(_, pair)| tool_row(difference, pair)));
    if difference.tool_order {
        rows.push(row("tools", "the order differs", None));
    }
    rows.extend(difference.fields.iter().map(field_row));
    rows.extend(difference.chain.as_ref().map(|chain| row("extends chain", &links(chain), None)));
    rows.extend(difference.decisions.iter().filter_map(|&index| decision_row(difference, index)));
    rows
}

fn layer_row(difference: &Difference, pair: &LayerPair) -> String {
    let mut how = phrase(pair.change()).to_string();
    for phrase in phrases_around(difference, pair, brief) {
        how += &format!(", {phrase}");
    }
    let from = difference.layers_of(pair).newest().and_then(SideLayer::place);
    let from = from.map(|place| format!("<br>{}", brief(&place.to_string()))).unwrap_or_default();
    let values = values(pair).map(|it| format!("<br>{}", brief(&it.line.text())));
    row(&brief(&layer_name(difference, pair)), &format!("{how}{from}{}", values.collect::<String>()), Some(pair.tokens))
}

fn tool_row(difference: &Difference, pair: &ToolPair) -> String {
    let name = difference.tools_of(pair).newest().map_or("", |tool| &tool.name);
    row(&format!("tool {}", brief(name)), &tool_change(pair), Some(pair.tokens.map(Some)))
}

fn field_row(field: &FieldChange) -> String {
    let Pair { left, right } = &field.value;
    let shown = |value: &Option<String>| field.shown(value).map(brief).unwrap_or_default();
    let value = |value: &Option<String>| field.shown(value).map(|it| format!(" {}", brief(it))).unwrap_or_default();
    let how = match (left, right) {
        (Some(_), Some(_)) => format!("{} → {}", shown(left), shown(right)),
        (None, Some(_)) => format!("added{}", value(right)),
        (Some(_), None) => format!("removed{}", value(left)),
        (None, None) => String::new(),
    };
    row(&brief(&field_name(field)), &how, None)
}

/// The directives that only one chain has, root first, with their tiers.
fn links(chain: &Pair<Vec<ExtendsLink>>) -> String {
    let changed: Vec<_> = around::links(chain).filter_map(|(change, link)| Some((change.line_sign()?, link))).collect();
    let link =
        |(sign, link): &(&str, &ExtendsLink)| format!("{sign} {} ({})", brief(&link.id), brief(&link.place.tier));
    let mut lines: Vec<_> = changed.iter().take(MOST_LINKS).map(link).collect();
    if let more @ 1.. = changed.len().saturating_sub(MOST_LINKS) {
        lines.push(format!("and {}", count(more, "more directive")));
    }
    lines.join("<br>")
}

fn decision_row(difference: &Difference, index: Pair<Option<usize>>) -> Option<String> {
    let decisions = difference.decisions_of(index);
    let shown = decisions.newest()?;
    let [old, new] = decisions.map(|it| brief(&outcome(it.map(|it| it.outcome.as_str())))).into_array();
    let how = format!("{old} → {new}<br>{}", brief(&shown.why));
    Some(row(&brief(&shown.title), &how, None))
}

/// The lines of a layer that differ, folded.
pub fn layer_fold(difference: &Difference, pair: &LayerPair, context: usize) -> Option<Fold> {
    let texts = difference.texts_of(pair);
    fold(&layer_name(difference, pair), texts.left, texts.right, &pair.lines, context)
}

/// The lines of the description and of the schema; empty if one side lacks the tool.
pub fn tool_folds(difference: &Difference, pair: &ToolPair, context: usize) -> Vec<Fold> {
    let Some(Pair { left, right }) = difference.tools_of(pair).both() else { return Vec::new() };
    let name = |part: &str| format!("tool · {} · {part}", right.name);
    let description = fold(&name("description"), &left.description, &right.description, &pair.description, context);
    let schema = fold(&name("schema"), &left.schema_text(), &right.schema_text(), &pair.schema, context);
    description.into_iter().chain(schema).collect()
}

fn fold(name: &str, left: &str, right: &str, changes: &[LineChange], context: usize) -> Option<Fold> {
    if changes.is_empty() {
        return None;
    }
    let texts = lines_of(left, right);
    // A missing newline is worth a remark only if the other side has one.
    let end = if ends_differ(&texts) { format!("\n\\ {NO_NEWLINE}\n") } else { "\n".to_string() };
    let sum = |side: fn(&LineChange) -> usize| changes.iter().map(side).sum::<usize>();
    let (removed, added) = (sum(|change| change.left.len()), sum(|change| change.right.len()));
    let summary = format!("{}: {}", code_in_html(name), lines(removed, added));
    Some(Fold { summary, hunks: unified(changes, &texts, context, &end) })
}

/// `2 lines removed, 3 added`.
fn lines(removed: usize, added: usize) -> String {
    match (removed, added) {
        (0, _) => format!("{} added", count(added, "line")),
        (_, 0) => format!("{} removed", count(removed, "line")),
        _ => format!("{} removed, {} added", count(removed, "line"), thousands(added)),
    }
}

#[cfg(test)]
mod tests;
