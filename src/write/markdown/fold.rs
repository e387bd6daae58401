//! Folded hunks, as many as fit in a comment.

use super::{fence, length};
use crate::text::numbers::count;
use crate::text::visible::visible;

/// GitHub's limit for a comment, in characters.
const MOST: usize = 65_536;

/// An upper bound for the length of the note about left-out hunks.
const NOTE: usize = 300;

#[derive(Debug)]
pub struct CommentRoom(usize);

impl CommentRoom {
    /// An empty comment, with room reserved for a note at its end.
    pub fn new() -> Self {
        Self(MOST - 1 - NOTE)
    }

    pub fn half(&self) -> Self {
        Self(self.0 / 2)
    }

    pub fn takes(&mut self, text: &str) -> bool {
        let rest = self.0.checked_sub(length(text));
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    pub fn note(left_out: usize, all: usize) -> String {
        if left_out == 0 {
            return String::new();
        }
        let of = format!("{} of {}", crate::text::numbers::thousands(left_out), count(all, "hunk"));
        let is = if left_out == 1 { "is" } else { "are" };
        format!(
            "\n**{of} {is} left out**, since GitHub allows at most {} characters. The same command with `--format json` \
             shows everything.\n",
            crate::text::numbers::thousands(MOST)
        )
    }
}

#[derive(Debug)]
pub struct Fold {
    pub summary: String,
    pub hunks: Vec<String>,
}

impl Fold {
    /// The hunks that fit completely, and the number left out.
    pub fn fitted(&self, room: &mut CommentRoom) -> (String, usize) {
        let hunks: Vec<_> = self.hunks.iter().map(|hunk| visible(hunk)).collect();
        let fence = hunks.iter().map(|hunk| fence(hunk)).max().unwrap_or_default();
        let begin = format!("\n<details>\n<summary>{}</summary>\n\n{fence}diff\n", self.summary);
        let end = format!("{fence}\n\n</details>\n");
        let missing = |count: usize| match count {
            0 => String::new(),
            _ => format!("\n{} left out here.\n", crate::text::numbers::count(count, "hunk")),
        };
        let frame = length(&begin) + length(&end) + length(&missing(self.hunks.len()));
        let Some(free) = room.0.checked_sub(frame) else { return (String::new(), hunks.len()) };
        let mut inner = CommentRoom(free);
        let fitting: Vec<_> = hunks.iter().filter(|hunk| inner.takes(hunk)).map(|hunk| &**hunk).collect();
        let left_out = hunks.len() - fitting.len();
        if fitting.is_empty() {
            return (String::new(), left_out);
        }
        room.0 = inner.0;
        (format!("{begin}{}{fence}\n{}\n</details>\n", fitting.concat(), missing(left_out)), left_out)
    }
}
