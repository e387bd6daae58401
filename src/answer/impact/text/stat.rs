use std::io;

use crate::answer::diff::stat::{StatRow, write_table};
use crate::answer::diff::{DiffView, Pair};
use crate::answer::impact::{ChangedPrompt, Impact};

/// Writes a line for each prompt that differs, with its tokens and a bar for its growth.
pub fn write(impact: &Impact, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let row = |changed: &ChangedPrompt| StatRow {
        name: changed.id.clone(),
        tokens: changed.tokens,
        count: changed.tokens.left.abs_diff(changed.tokens.right),
        bar: Pair {
            left: changed.tokens.left.saturating_sub(changed.tokens.right),
            right: changed.tokens.right.saturating_sub(changed.tokens.left),
        },
        note: if changed.is_on_one_side() { changed.change.into_str() } else { "" },
    };
    let rows: Vec<StatRow> = impact.changed.iter().map(row).collect();
    write_table(&rows, &impact.verdict(), impact.tokens, "token", view, out)
}
