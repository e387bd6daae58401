use crate::write::report::{Line, Report, words};
use crate::write::theme::DIM;

use super::{Charset, GraphView};

/// The lines to the left of a tree, drawn node by node.
///
/// A tree can be ten thousand levels deep, so it is drawn in sections: each starts again at the left margin, after a
/// line with its depth.
pub(super) struct Drawing<'v> {
    view: &'v GraphView,
    pub glyphs: &'static Glyphs,
    /// For each level below the root: whether a sibling follows.
    follows: Vec<bool>,
    stretch: usize,
    begun: usize,
}

pub(super) struct Glyphs {
    /// Before a node with a following sibling, and before the last one.
    node: [&'static str; 2],
    below: [&'static str; 2],
    /// Next to the text of a node with children, and of one without.
    beside: [&'static str; 2],
    pub ellipsis: &'static str,
    pub left_out: &'static str,
}

const UTF8: Glyphs =
    Glyphs {
        node: ["├─ ", "└─ "], below: ["│  ", "   "], beside: ["│ ", "  "], ellipsis: "…", left_out: "✗"
    };

const ASCII: Glyphs =
    Glyphs { node: ["|- ", "`- "], below: ["|  ", "   "], beside: ["| ", "  "], ellipsis: "...", left_out: "x" };

impl<'v> Drawing<'v> {
    pub fn new(view: &'v GraphView) -> Self {
        // The lines take three columns per level, and at most half of the width.
        let glyphs = if view.charset == Charset::Ascii { &ASCII } else { &UTF8 };
        Self { view, glyphs, follows: Vec::new(), stretch: (view.screen.width / 6).max(1), begun: 0 }
    }

    /// Moves to the next node; `follows` is true if a sibling follows. Adds a line with the depth before a new section.
    pub fn go_to(&mut self, depth: usize, follows: bool, parent: &str, report: &mut Report) {
        let Some(level) = depth.checked_sub(1) else {
            self.follows.clear();
            self.begun = 0;
            return;
        };
        self.follows.truncate(level);
        self.follows.push(follows);
        let begun = level - level % self.stretch;
        if std::mem::replace(&mut self.begun, begun) != begun {
            let ellipsis = self.glyphs.ellipsis;
            let line = words(DIM, &format!("{ellipsis} {depth} levels deep, below"));
            report.line("", "  ", line.word(DIM, parent).word(DIM, ellipsis));
        }
    }

    /// Adds the node, in one or two columns. Returns the margin of the lines below it.
    pub fn node(&self, has_below: bool, columns: [Line; 2], report: &mut Report) -> String {
        let levels = &self.follows[self.begun.min(self.follows.len())..];
        let lead = match levels.split_last() {
            Some((&last, before)) => self.lines(before) + self.glyphs.node[usize::from(!last)],
            None => String::new(),
        };
        let beside = self.lines(levels) + self.glyphs.beside[usize::from(!has_below)];
        report.columns(DIM, &lead, &beside, self.view.screen.width * 7 / 16, columns);
        beside
    }

    fn lines(&self, levels: &[bool]) -> String {
        levels.iter().map(|&follows| self.glyphs.below[usize::from(!follows)]).collect()
    }
}
