//! The lines that differ, folded.

use crate::answer::diff::hunks::{HunkLine, ends_differ, hunks, lines_of};
use crate::answer::diff::summary::layer_name;
use crate::answer::diff::text::hunk::NO_NEWLINE;
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
    let ends_differ = ends_differ(&texts);
    let line = |line: HunkLine| {
        let (mark, text) = line.marked(&texts);
        match (text.ends_with('\n'), ends_differ && mark != ' ') {
            (true, _) => format!("{mark}{text}"),
            (false, false) => format!("{mark}{text}\n"),
            (false, true) => format!("{mark}{text}\n\\ {NO_NEWLINE}\n"),
        }
    };
    let hunks = hunks(changes, texts.as_ref().map(Vec::len), context);
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
        (0, _) => format!("{} added", count(added, "line")),
        (_, 0) => format!("{} removed", count(removed, "line")),
        _ => format!("{} removed, {} added", count(removed, "line"), thousands(added)),
    }
}
