use std::io;

use crate::diff::stat::{Row, write_table};
use crate::diff::{Pair, View};
use crate::impact::{Changed, Impact};

/// Writes a line for each prompt that differs, with its tokens and a bar of its growth.
pub fn write(impact: &Impact, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let row = |changed: &Changed| Row {
        name: changed.id.clone(),
        tokens: changed.tokens,
        count: changed.tokens.left.abs_diff(changed.tokens.right),
        bar: Pair {
            left: changed.tokens.left.saturating_sub(changed.tokens.right),
            right: changed.tokens.right.saturating_sub(changed.tokens.left),
        },
        note: if changed.is_on_one_side() { changed.change.into_str() } else { "" },
    };
    let rows: Vec<Row> = impact.changed.iter().map(row).collect();
    write_table(&rows, &super::verdict(impact), impact.tokens, "token", view, out)
}
