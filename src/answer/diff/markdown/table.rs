use crate::answer::diff::places::values;
use crate::answer::diff::summary::{field_name, layer_name, outcome, phrase, signed, tool_change};
use crate::answer::diff::text::layer::around;
use crate::answer::diff::{Difference, ExtendsLink, FieldChange, LayerPair, Pair, SideLayer, ToolPair, chain};
use crate::text::numbers::{count, thousands};
use crate::write::layout::plain;
use crate::write::markdown::{CommentRoom, brief};
use crate::write::theme::Theme;

const TITLES: &str = "\
| What differs | How | Tokens |  |
| --- | --- | ---: | ---: |
";

/// The maximum number of directives listed for a chain.
const MOST_LINKS: usize = 10;

/// The table with the rows that fit, and a row that says how many were left out; empty without rows.
pub fn table(difference: &Difference, room: &mut CommentRoom) -> String {
    let rows = rows(difference);
    let all = rows.len();
    let more = |more: usize| row(&format!("… and {} more", thousands(more)), "left out", None);
    room.table("", TITLES, rows.into_iter(), all, more).unwrap_or_default()
}

fn row(name: &str, how: &str, tokens: Option<Pair<usize>>) -> String {
    let tokens = match tokens {
        Some(tokens) if tokens.left == tokens.right => format!("{} | ", thousands(tokens.left)),
        Some(tokens) => {
            format!("{} → {} | {}", thousands(tokens.left), thousands(tokens.right), signed(tokens))
        }
        None => " | ".to_string(),
    };
    format!("| {name} | {how} | {tokens} |\n")
}

fn rows(difference: &Difference) -> Vec<String> {
    let mut rows: Vec<_> = difference.changed_layers().map(|(_, pair)| layer(difference, pair)).collect();
    if difference.between {
        rows.push(row("between layers", "separators, or the order of messages", None));
    }
    rows.extend(difference.changed_tools().map(|(_, pair)| tool(difference, pair)));
    if difference.tool_order {
        rows.push(row("tools", "the order differs", None));
    }
    rows.extend(difference.fields.iter().map(field));
    rows.extend(difference.chain.as_ref().map(|chain| row("extends chain", &links(chain), None)));
    rows.extend(difference.decisions.iter().filter_map(|&index| decision(difference, index)));
    rows
}

fn layer(difference: &Difference, pair: &LayerPair) -> String {
    let mut how = phrase(pair.change()).to_string();
    for phrase in around(difference, pair, brief) {
        how += &format!(", {phrase}");
    }
    let from = difference.layers_of(pair).newest().and_then(SideLayer::place);
    let from = from.map(|place| format!("<br>{}", brief(&place.to_string()))).unwrap_or_default();
    let values = values(pair, Theme::Plain).map(|line| format!("<br>{}", brief(&plain(&line.words))));
    row(&brief(&layer_name(difference, pair)), &format!("{how}{from}{}", values.collect::<String>()), Some(pair.tokens))
}

fn tool(difference: &Difference, pair: &ToolPair) -> String {
    let name = difference.tools_of(pair).newest().map_or("", |tool| &tool.name);
    row(&format!("tool {}", brief(name)), &tool_change(pair), Some(pair.tokens))
}

fn field(field: &FieldChange) -> String {
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
    let changed: Vec<_> = chain::links(chain).filter_map(|(change, link)| Some((change.line_sign()?, link))).collect();
    let link =
        |(sign, link): &(&str, &ExtendsLink)| format!("{sign} {} ({})", brief(&link.id), brief(&link.place.tier));
    let mut lines: Vec<_> = changed.iter().take(MOST_LINKS).map(link).collect();
    if let more @ 1.. = changed.len().saturating_sub(MOST_LINKS) {
        lines.push(format!("and {}", count(more, "more directive")));
    }
    lines.join("<br>")
}

fn decision(difference: &Difference, index: Pair<Option<usize>>) -> Option<String> {
    let decisions = difference.decisions_of(index);
    let shown = decisions.newest()?;
    let [old, new] = decisions.map(|it| brief(&outcome(it.map(|it| it.outcome.as_str())))).into_array();
    let how = format!("{old} → {new}<br>{}", brief(&shown.why));
    Some(row(&brief(&shown.title), &how, None))
}
