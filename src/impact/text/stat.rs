//! A line for each prompt that differs: tokens before and after, and by how many these grow, as a number and as a bar.

use std::io;

use crate::diff::stat::{Row, write_table};
use crate::diff::{Change, Pair, View};
use crate::impact::{Changed, Impact};

/// Writes it.
pub fn write(impact: &Impact, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let row = |changed: &Changed| Row {
        name: changed.id.clone(),
        tokens: changed.tokens,
        count: changed.tokens.left.abs_diff(changed.tokens.right),
        bar: Pair {
            left: changed.tokens.left.saturating_sub(changed.tokens.right),
            right: changed.tokens.right.saturating_sub(changed.tokens.left),
        },
        note: match changed.change {
            Change::Added => "added",
            Change::Removed => "removed",
            _ => "",
        },
    };
    let rows: Vec<Row> = impact.changed.iter().map(row).collect();
    write_table(&rows, &super::verdict(impact), impact.tokens, "token", view, out)
}
