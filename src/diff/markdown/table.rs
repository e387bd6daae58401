//! What differs, a row each.

use crate::diff::text::around::{considered, field_name};
use crate::diff::text::layer::{around, place_lines};
use crate::diff::text::phrases::{layer_name, signed};
use crate::diff::text::tools::what;
use crate::diff::{Change, Considered, Difference, FieldChange, Layer, LayerPair, Link, Pair, Place, ToolPair};
use crate::layout::count;
use crate::markdown::{Room, brief};
use crate::tokens::thousands;

const TITLES: &str = "\
| What differs | How | Tokens |  |
| --- | --- | ---: | ---: |
";

/// The table, with as many rows as there is room for, and a row that says how many there are besides; nothing where there
/// is no row.
pub fn table(difference: &Difference, room: &mut Room) -> String {
    let rows = rows(difference);
    if rows.is_empty() {
        return String::new();
    }
    let mut out = format!("\n{TITLES}");
    room.takes(&out);
    let shown = rows.iter().take_while(|row| room.takes(row)).count();
    rows[..shown].iter().for_each(|row| out += row);
    match rows.len() - shown {
        0 => {}
        more => out += &row(&format!("… and {} more", thousands(more)), "left out", None),
    }
    out
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
    let layers = difference.layers.iter().filter(|pair| pair.change() != Change::Same);
    let mut rows: Vec<_> = layers.map(|pair| layer(difference, pair)).collect();
    if difference.between {
        rows.push(row("between layers", "separators, or the order of the messages", None));
    }
    let tools = difference.tools.iter().flatten().filter(|pair| !pair.is_same());
    rows.extend(tools.map(|pair| tool(difference, pair)));
    if difference.tool_order {
        rows.push(row("tools", "in another order", None));
    }
    rows.extend(difference.fields.iter().map(field));
    if let Some(chain) = &difference.chain {
        rows.push(row(
            "extends chain",
            &format!("before: {}<br>now: {}", links(&chain.left), links(&chain.right)),
            None,
        ));
    }
    rows.extend(difference.decisions.iter().filter_map(|change| decision(difference, change.index)));
    rows
}

fn layer(difference: &Difference, pair: &LayerPair) -> String {
    let left = pair.left.and_then(|index| difference.left.layers.get(index));
    let right = pair.right.and_then(|index| difference.right.layers.get(index));
    let name = match (left, right) {
        (_, Some(layer)) => layer_name(&difference.right, layer),
        (Some(layer), None) => layer_name(&difference.left, layer),
        (None, None) => String::new(),
    };
    let mut how = match pair.change() {
        Change::Added => "added".to_string(),
        Change::Removed => "removed".to_string(),
        Change::Changed => "changed".to_string(),
        Change::Around | Change::Same => "the same text".to_string(),
    };
    if let (Some(left), Some(right)) = (left, right) {
        for phrase in around(difference, pair, left, right, brief) {
            how += &format!(", {phrase}");
        }
    }
    let from = right.or(left).and_then(Layer::place);
    let from = from.map(|place| format!("<br>{}", located(place))).unwrap_or_default();
    row(&brief(&name), &format!("{how}{from}"), Some(pair.tokens))
}

/// `project .ai/knowledge/rules.md:6-20` as code.
fn located(place: &Place) -> String {
    let lines = place_lines(place);
    let colon = if lines.is_empty() { "" } else { ":" };
    brief(&format!("{} {}{colon}{lines}", place.tier, place.path))
}

fn tool(difference: &Difference, pair: &ToolPair) -> String {
    let left = pair.index.left.and_then(|index| difference.left.tools.as_ref()?.get(index));
    let right = pair.index.right.and_then(|index| difference.right.tools.as_ref()?.get(index));
    let name = right.or(left).map_or("", |tool| &tool.name);
    row(&format!("tool {}", brief(name)), &what(pair), Some(pair.tokens))
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

/// The directives of a chain, root first, with their tiers. Of a long one the middle is left out.
fn links(links: &[Link]) -> String {
    const ENDS: usize = 5;
    let link = |link: &Link| format!("{} ({})", brief(&link.id), brief(&link.place.tier));
    let all = |links: &[Link]| links.iter().map(link).collect::<Vec<_>>().join(", ");
    match links.len() {
        0 => "none".to_string(),
        count if count <= 2 * ENDS => all(links),
        more => format!(
            "{}, … {} …, {}",
            all(&links[..ENDS]),
            count(more - 2 * ENDS, "more directive"),
            all(&links[more - ENDS..])
        ),
    }
}

/// What was considered, and what became of it.
fn decision(difference: &Difference, index: Pair<Option<usize>>) -> Option<String> {
    let left = considered(&difference.left, index.left);
    let right = considered(&difference.right, index.right);
    let shown = right.or(left)?;
    let outcome = |side: Option<&Considered>| {
        side.map_or("not considered".to_string(), |it| brief(&it.outcome.replace('_', " ")))
    };
    let how = format!("{} → {}<br>{}", outcome(left), outcome(right), brief(&shown.why));
    Some(row(&brief(&shown.title), &how, None))
}
