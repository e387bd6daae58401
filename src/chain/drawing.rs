use std::io;

use crate::layout::{Flow, Word, words};

use super::{Charset, View};

/// The lines to the left of a tree, for a walk from each node to those below it.
///
/// A tree may be ten thousand levels deep, so its lines are drawn in stretches of some levels: each stretch begins at
/// the left again, behind a line that says how deep it is.
pub(super) struct Drawing<'v> {
    pub view: &'v View,
    /// For each level below the root, whether another node of it follows below the same parent.
    follows: Vec<bool>,
    /// The levels of a stretch.
    stretch: usize,
    /// The first level of the stretch in which the last node stood.
    begun: usize,
}

/// What is drawn from.
struct Glyphs {
    /// Before a node that another one follows, and before the last one.
    node: [&'static str; 2],
    /// Below such a node.
    below: [&'static str; 2],
    /// Beside the text of a node that has nodes below it, and of one that has none.
    beside: [&'static str; 2],
    ellipsis: &'static str,
    left_out: &'static str,
}

const UTF8: Glyphs =
    Glyphs {
        node: ["├─ ", "└─ "], below: ["│  ", "   "], beside: ["│ ", "  "], ellipsis: "…", left_out: "✗"
    };

const ASCII: Glyphs =
    Glyphs { node: ["|- ", "`- "], below: ["|  ", "   "], beside: ["| ", "  "], ellipsis: "...", left_out: "x" };

impl<'v> Drawing<'v> {
    pub fn new(view: &'v View) -> Self {
        // Half of the columns at most, and three a level.
        Self { view, follows: Vec::new(), stretch: (view.width / 6).max(1), begun: 0 }
    }

    fn glyphs(&self) -> &'static Glyphs {
        match self.view.charset {
            Charset::Ascii => &ASCII,
            Charset::Utf8 => &UTF8,
        }
    }

    /// What stands before something that is left out.
    pub fn left_out(&self) -> &'static str {
        self.glyphs().left_out
    }

    /// What stands for more than is shown.
    pub fn ellipsis(&self) -> &'static str {
        self.glyphs().ellipsis
    }

    /// The node that comes next: how many levels below its root it is, and whether another one follows it below the same
    /// parent, whose name is given. Says so where a stretch begins.
    pub fn go_to(&mut self, depth: usize, follows: bool, parent: &str, out: &mut dyn io::Write) -> io::Result<()> {
        let Some(level) = depth.checked_sub(1) else {
            self.follows.clear();
            self.begun = 0;
            return Ok(());
        };
        self.follows.truncate(level);
        self.follows.push(follows);
        let begun = level - level % self.stretch;
        if std::mem::replace(&mut self.begun, begun) == begun {
            return Ok(());
        }
        let dim = self.view.theme.dim();
        let ellipsis = self.ellipsis();
        let mut line: Vec<_> = words(&format!("{ellipsis} {depth} levels deep, below"), dim).collect();
        line.push(Word::new(parent, dim));
        line.push(Word::new(ellipsis, dim));
        Flow { lead: "", lead_style: dim, hang: "  ", between: " ", width: self.view.width }.write(&line, out)
    }

    /// What stands before the node itself.
    pub fn at_node(&self) -> String {
        match self.follows[self.begun.min(self.follows.len())..].split_last() {
            Some((&last, before)) => self.lines(before) + self.glyphs().node[usize::from(!last)],
            None => String::new(),
        }
    }

    /// What stands before further lines of the node, which has nodes below it or not.
    pub fn beside(&self, has_below: bool) -> String {
        let levels = &self.follows[self.begun.min(self.follows.len())..];
        self.lines(levels) + self.glyphs().beside[usize::from(!has_below)]
    }

    fn lines(&self, levels: &[bool]) -> String {
        levels.iter().map(|&follows| self.glyphs().below[usize::from(!follows)]).collect()
    }
}
