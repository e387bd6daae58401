//! A difference for a pull request: a summary, a table of what differs, and the lines, folded.
//!
//! Names and texts are untrusted: each is in a code span or a fence that it cannot end.

mod hunks;
mod table;

use std::io;

use super::summary::{all_tokens, cache, capitalized, cost, remarks, verdict};
use super::{DiffView, Difference};
use crate::text::numbers::count;
use crate::write::markdown::{CommentRoom, brief};

pub(crate) use hunks::{layer, tool};

/// Writes as much as fits in a GitHub comment, and a note on what is left out.
pub fn write(difference: &Difference, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let mut room = CommentRoom::new();
    let head = head(difference);
    room.takes(&head);
    let end = end(difference);
    room.takes(&end);
    let table = table::table(difference, &mut room.half());
    room.takes(&table);
    write!(out, "{head}{table}{end}")?;

    let layers = difference.changed_layers().filter_map(|(_, pair)| hunks::layer(difference, pair, view.context));
    let tools = difference.changed_tools().flat_map(|(_, pair)| hunks::tool(difference, pair, view.context));
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

#[cfg(test)]
mod tests;
