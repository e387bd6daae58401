//! The lines that differ, folded.

use crate::answer::diff::hunks::{NO_NEWLINE, ends_differ, lines_of, unified};
use crate::answer::diff::summary::layer_name;
use crate::answer::diff::{Difference, LayerPair, LineChange, Pair, ToolPair};
use crate::text::numbers::{count, thousands};
use crate::write::markdown::{Fold, code_in_html};

pub fn layer(difference: &Difference, pair: &LayerPair, context: usize) -> Option<Fold> {
    let texts = difference.texts_of(pair);
    fold(&layer_name(difference, pair), texts.left, texts.right, &pair.lines, context)
}

/// The lines of the description and of the schema; empty if one side lacks the tool.
pub fn tool(difference: &Difference, pair: &ToolPair, context: usize) -> Vec<Fold> {
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
