//! A difference for a pull request: what it comes to, a table of what differs, and the lines, folded.
//!
//! Names, sentences and texts come from strangers: each stands in a code span or a fence that it cannot end.

mod hunks;
mod table;

use std::io;

use super::text::header::{remarks, sameness, verdict};
use super::text::phrases::{all_tokens, cache, cost};
use super::{Change, Difference, View};
use crate::layout::count;
use crate::markdown::{Fold, Room, brief};

pub(crate) use hunks::{layer, tool};

/// Writes it: as much as GitHub takes in a comment, and what is left out, in a word.
pub fn write(difference: &Difference, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let mut room = Room::new();
    let head = head(difference);
    room.takes(&head);
    let end = end(difference, view);
    room.takes(&end);
    let table = table::table(difference, &mut room.half());
    room.takes(&table);
    write!(out, "{head}{table}{end}")?;

    let layers = difference.layers.iter().filter(|pair| pair.change() != Change::Same);
    let layers = layers.filter_map(|pair| hunks::layer(difference, pair, view.context));
    let tools = difference.tools.iter().flatten().filter(|pair| !pair.is_same());
    let tools = tools.flat_map(|pair| hunks::tool(difference, pair, view.context));
    folds(layers.chain(tools), &mut room, out)
}

/// Writes what there is room for, and how much there is none for.
fn folds(folds: impl Iterator<Item = Fold>, room: &mut Room, out: &mut dyn io::Write) -> io::Result<()> {
    let (mut all, mut left_out) = (0, 0);
    for fold in folds {
        let (text, without) = fold.fitted(room);
        all += fold.hunks.len();
        left_out += without;
        out.write_all(text.as_bytes())?;
    }
    out.write_all(Room::note(left_out, all).as_bytes())
}

/// What is compared, and what it comes to.
fn head(difference: &Difference) -> String {
    let Difference { left, right, .. } = difference;
    let mut head = format!("### {} → {}\n\n", brief(&left.title), brief(&right.title));
    if difference.is_same() {
        let tokens = count(all_tokens(difference).right, "token");
        head += &format!("**{}**: {tokens}.\n", sameness(difference).replacen('t', "T", 1));
    } else {
        let cost = cost(difference).replace("  ", ", ");
        head += &format!("**{cost}**: {}.\n", verdict(difference, brief));
    }
    remarks(difference).iter().for_each(|remark| head += &format!("\n_{remark}_\n"));
    head
}

/// What it means for a cache.
fn end(difference: &Difference, view: &View) -> String {
    if difference.is_same() || difference.left.is_absent() || difference.right.is_absent() {
        return String::new();
    }
    format!("\n**Cache:** {}.\n", cache(difference, view.cache_min, brief))
}

#[cfg(test)]
mod tests;
