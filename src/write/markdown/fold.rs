//! Folded hunks, as many as fit in a comment.

use std::borrow::Cow;

use super::{fence, length};
use crate::text::numbers::{count, thousands};
use crate::text::visible::visible;

/// GitHub's limit for a comment, in characters.
const MOST: usize = 65_536;

/// An upper bound for the length of the note about left-out hunks.
const NOTE: usize = 300;

#[derive(Debug)]
pub struct CommentRoom {
    free: usize,
    hunks: usize,
    left_out: usize,
}

impl CommentRoom {
    /// An empty comment, with room reserved for a note at its end.
    pub fn new() -> Self {
        Self::of(MOST - 1 - NOTE)
    }

    fn of(free: usize) -> Self {
        Self { free, hunks: 0, left_out: 0 }
    }

    pub fn half(&self) -> Self {
        Self::of(self.free / 2)
    }

    pub fn takes(&mut self, text: &str) -> bool {
        let rest = self.free.checked_sub(length(text));
        self.free = rest.unwrap_or(self.free);
        rest.is_some()
    }

    /// A table of the rows that fit below a heading, and a row that counts the rest of `all`; `None` if no row fits.
    pub fn table(
        &mut self,
        head: &str,
        titles: &str,
        mut rows: impl Iterator<Item = String>,
        all: usize,
        more: impl Fn(usize) -> String,
    ) -> Option<String> {
        let mut out = format!("\n{titles}{}", rows.next()?);
        if !self.takes(&format!("{head}{out}{}", more(all))) {
            return None;
        }
        let rest: Vec<_> = rows.take_while(|row| self.takes(row)).collect();
        out += &rest.concat();
        let left_out = all - 1 - rest.len();
        Some(if left_out > 0 { out + &more(left_out) } else { out })
    }

    /// A note about the hunks that are left out, if any.
    pub fn note(&self) -> String {
        if self.left_out == 0 {
            return String::new();
        }
        let of = format!("{} of {}", thousands(self.left_out), count(self.hunks, "hunk"));
        let is = if self.left_out == 1 { "is" } else { "are" };
        format!(
            "\n**{of} {is} left out**, since GitHub allows at most {} characters. The same command with `--format json` \
             shows everything.\n",
            thousands(MOST)
        )
    }
}

#[derive(Debug)]
pub struct Fold {
    pub summary: String,
    pub hunks: Vec<String>,
}

impl Fold {
    /// The hunks that fit completely; empty if none does.
    pub fn fitted(&self, room: &mut CommentRoom) -> String {
        let hunks: Vec<_> = self.hunks.iter().map(|hunk| visible(hunk)).collect();
        let fence = hunks.iter().map(|hunk| fence(hunk)).max().unwrap_or_default();
        let begin = format!("\n<details>\n<summary>{}</summary>\n\n{fence}diff\n", self.summary);
        let end = format!("{fence}\n\n</details>\n");
        let missing = |number: usize| match number {
            0 => String::new(),
            number => format!("\n{} left out here.\n", count(number, "hunk")),
        };
        let frame = length(&begin) + length(&end) + length(&missing(self.hunks.len()));
        let mut inner = room.free.checked_sub(frame).map(CommentRoom::of);
        let fits = |hunk: &&Cow<str>| inner.as_mut().is_some_and(|inner| inner.takes(hunk));
        let fitting: Vec<_> = hunks.iter().filter(fits).map(|hunk| &**hunk).collect();
        let left_out = hunks.len() - fitting.len();
        room.hunks += hunks.len();
        room.left_out += left_out;
        let Some(CommentRoom { free, .. }) = inner.filter(|_| !fitting.is_empty()) else { return String::new() };
        room.free = free;
        format!("{begin}{}{fence}\n{}\n</details>\n", fitting.concat(), missing(left_out))
    }
}
