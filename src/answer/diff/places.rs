//! Where layers, tools and decisions come from, in words.

use owo_colors::Style;

use super::{Change, Considered, FilePlace, LayerPair, Pair, Requester, SideLayer, SideTool, ToolPair};
use crate::prompt::LayerKind;
use crate::write::report::{Line, word, words};
use crate::write::theme::{ADDED, DIM, PLAIN, REMOVED, STRONG};

/// A line about the left side (`removed`), about the right side (`added`), or about both.
pub struct SideLine {
    pub side: Change,
    pub line: Line,
}

impl SideLine {
    fn both(line: Line) -> Self {
        Self { side: Change::Same, line }
    }

    pub fn signed(self) -> Line {
        match self.side.line_sign() {
            Some(sign) => word(self.side.style(), sign).glued().then(self.line),
            None => self.line,
        }
    }
}

impl Change {
    /// The sign of a line that only one side has.
    pub fn line_sign(self) -> Option<&'static str> {
        match self {
            Self::Added => Some("+"),
            Self::Removed => Some("-"),
            _ => None,
        }
    }

    pub(crate) fn style(self) -> Style {
        match self {
            Self::Added => ADDED,
            Self::Removed => REMOVED,
            _ => PLAIN,
        }
    }
}

/// Where the text of a layer comes from: one line if both sides take it from the same file, else a line each.
pub fn origins(layers: Pair<Option<&SideLayer>>) -> Vec<SideLine> {
    let places = layers.map(|layer| layer?.place());
    match (places.left, places.right) {
        (None, None) => Vec::new(),
        (Some(only), None) if layers.right.is_none() => vec![SideLine::both(located(only))],
        (None, Some(only)) if layers.left.is_none() => vec![SideLine::both(located(only))],
        (Some(left), Some(right)) if left.tier == right.tier && left.path == right.path => {
            let line = located(right);
            vec![SideLine::both(if left == right { line } else { line.mark(";").then(old_text(left, right)) })]
        }
        (left, right) => each(Pair { left, right }, |place| Some(file(place))),
    }
}

/// Where the old text is in the same file.
fn old_text(left: &FilePlace, right: &FilePlace) -> Line {
    let old = words(DIM, "old text");
    let is_moved = left.line != right.line || left.last_line != right.last_line;
    if !is_moved && left.revision.is_none() {
        return old.word(DIM, "in the working tree");
    }
    let unit = if left.last_line > left.line { "lines" } else { "line" };
    let lines = if is_moved { words(DIM, &format!("on {unit} {}", left.lines())) } else { Line::default() };
    revision(left, old.then(lines))
}

/// What asks for a layer: a line for each side if that differs.
pub fn requesters(pair: &LayerPair, layers: Pair<Option<&SideLayer>>) -> Vec<SideLine> {
    let line = |layer: Option<&SideLayer>| {
        let layer = layer?;
        if layer.kind == LayerKind::Directive.into_str() {
            return Some(words(DIM, "the requested directive"));
        }
        Some(words(DIM, "requested by").then(requester(layer.declared_by.as_ref()?)))
    };
    match pair.requested_by {
        true => each(layers, line),
        false => line(layers.newest()).map(SideLine::both).into_iter().collect(),
    }
}

/// The values in a layer that differ, and the file that decides each.
pub fn values(pair: &LayerPair) -> impl Iterator<Item = SideLine> {
    pair.values.iter().map(|change| {
        let places = change.value.as_ref().map(|value| value.as_ref().map(|value| &value.place));
        let line = word(STRONG, &change.name).mark(":").words(PLAIN, &change.phrase()).mark(",");
        let line = line.then(places.newest().map(located).unwrap_or_default());
        SideLine::both(match places.both().filter(|both| both.left.is_elsewhere(both.right)) {
            Some(Pair { left, .. }) => line.words(DIM, "instead of").then(located(left)),
            None => line,
        })
    })
}

/// The file of a tool; if its name, item or file differs, the item and the file on each side.
pub fn of_tool(pair: &ToolPair, tools: Pair<Option<&SideTool>>) -> Vec<SideLine> {
    let place = |tool: &SideTool| file(tool.place.as_ref());
    let item = |tool: &SideTool| {
        let ids = [("item", &tool.item_id), ("routed to", &tool.primary)].into_iter();
        let ids = ids.filter_map(|(what, id)| Some(format!("{what} {}", id.as_ref()?)));
        Some(ids.fold(place(tool), |line, id| line.mark(",").word(DIM, &id)))
    };
    match tools.both().filter(|_| pair.item || pair.renamed) {
        Some(both) => each(both, item),
        None => tools.newest().map(|tool| SideLine::both(place(tool))).into_iter().collect(),
    }
}

/// The reason for a decision, and what decided it unless the reason names that.
pub fn reason(considered: &Considered) -> Line {
    let line = words(DIM, &considered.why);
    let Some(by) = &considered.by else { return line };
    let says = considered.why.contains(&by.by) || by.place.as_ref().is_some_and(|place| place.path == by.by);
    line.mark(",").then(match &by.place {
        Some(place) if says => located(place),
        _ => requester(by),
    })
}

/// A line for each side that has one.
fn each<T>(sides: Pair<T>, line: impl Fn(T) -> Option<Line>) -> Vec<SideLine> {
    let sides = Pair { left: Change::Removed, right: Change::Added }.zip(sides).into_array().into_iter();
    sides.filter_map(|(side, of)| Some(SideLine { side, line: line(of)? })).collect()
}

fn file(place: Option<&FilePlace>) -> Line {
    place.map_or_else(|| words(DIM, "not from a file"), located)
}

fn requester(by: &Requester) -> Line {
    let name = word(DIM, &by.by);
    match &by.place {
        Some(place) => name.mark(",").then(located(place)),
        None => name,
    }
}

/// `project .ai/knowledge/rules.md:6-20 at HEAD`.
pub fn located(place: &FilePlace) -> Line {
    let lines = place.lines();
    let colon = if lines.is_empty() { "" } else { ":" };
    revision(place, Line::default().file(&place.tier, PLAIN, &format!("{}{colon}{lines}", place.path)))
}

fn revision(place: &FilePlace, line: Line) -> Line {
    match &place.revision {
        Some(revision) => line.word(DIM, "at").glued().word(DIM, revision),
        None => line,
    }
}
