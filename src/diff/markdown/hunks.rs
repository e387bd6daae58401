//! The lines that differ, to be folded away.

use crate::diff::hunks::{Line, hunks};
use crate::diff::text::hunk::NO_NEWLINE;
use crate::diff::text::phrases::layer_name;
use crate::diff::{Difference, LayerPair, LineChange, Pair, ToolPair};
use crate::markdown::{Fold, code_in_html};

/// The lines of a layer that differ; none where none does.
pub fn layer(difference: &Difference, pair: &LayerPair, context: usize) -> Option<Fold> {
    let left = pair.left.and_then(|index| difference.left.layers.get(index));
    let right = pair.right.and_then(|index| difference.right.layers.get(index));
    let name = match right {
        Some(layer) => layer_name(&difference.right, layer),
        None => layer_name(&difference.left, left?),
    };
    let old = left.map_or("", |layer| difference.left.layer_text(layer));
    let new = right.map_or("", |layer| difference.right.layer_text(layer));
    fold(&name, old, new, &pair.lines, context)
}

/// The lines of a tool that differ, of its description and of its schema; none where one side does not have it.
pub fn tool(difference: &Difference, pair: &ToolPair, context: usize) -> Vec<Fold> {
    let left = pair.index.left.and_then(|index| difference.left.tools.as_ref()?.get(index));
    let right = pair.index.right.and_then(|index| difference.right.tools.as_ref()?.get(index));
    let Some((left, right)) = left.zip(right) else { return Vec::new() };
    let name = |part: &str| format!("tool · {} · {part}", right.name);
    let description = fold(&name("description"), &left.description, &right.description, &pair.description, context);
    let schema = fold(&name("schema"), &left.schema_text(), &right.schema_text(), &pair.schema, context);
    description.into_iter().chain(schema).collect()
}

fn fold(name: &str, left: &str, right: &str, changes: &[LineChange], context: usize) -> Option<Fold> {
    if changes.is_empty() {
        return None;
    }
    let [old, new] = [left, right].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let is_open = |lines: &[&str]| lines.last().is_some_and(|line| !line.ends_with('\n'));
    // It is worth a word where one side alone ends without a line break.
    let differ = !old.is_empty() && !new.is_empty() && is_open(&old) != is_open(&new);
    let line = |line: Line| {
        let (mark, text) = match line {
            Line::Both(index) => (' ', new[index]),
            Line::Left(index) => ('-', old[index]),
            Line::Right(index) => ('+', new[index]),
        };
        match (text.ends_with('\n'), differ && mark != ' ') {
            (true, _) => format!("{mark}{text}"),
            (false, false) => format!("{mark}{text}\n"),
            (false, true) => format!("{mark}{text}\n\\ {NO_NEWLINE}\n"),
        }
    };
    let hunks = hunks(changes, Pair { left: old.len(), right: new.len() }, context);
    let hunks =
        hunks.iter().map(|hunk| format!("@@ {} @@\n", hunk.range()) + &hunk.lines().map(line).collect::<String>());
    let sum = |side: fn(&LineChange) -> usize| changes.iter().map(side).sum::<usize>();
    let (removed, added) = (sum(|change| change.left.len()), sum(|change| change.right.len()));
    let summary = format!("{}: {}", code_in_html(name), lines(removed, added));
    Some(Fold { summary, hunks: hunks.collect() })
}

/// `2 lines removed, 3 added`.
fn lines(removed: usize, added: usize) -> String {
    match (removed, added) {
        (0, _) => format!("{} added", crate::layout::count(added, "line")),
        (_, 0) => format!("{} removed", crate::layout::count(removed, "line")),
        _ => format!("{} removed, {} added", crate::layout::count(removed, "line"), crate::tokens::thousands(added)),
    }
}
