//! Where layers, tools and decisions come from, in words.

use owo_colors::Style;

use super::{Change, Considered, FilePlace, LayerPair, Pair, Requester, SideLayer, SideTool, ToolPair};
use crate::prompt::LayerKind;
use crate::write::layout::{Word, punctuate, words};
use crate::write::theme::Theme;

/// A line about the left side (`removed`), about the right side (`added`), or about both.
pub struct SideLine {
    pub side: Change,
    pub words: Vec<Word>,
}

impl SideLine {
    pub fn signed(self, theme: Theme) -> Vec<Word> {
        let sign = self.side.line_sign().map(|sign| Word::new(sign, self.side.style(theme)).glued());
        sign.into_iter().chain(self.words).collect()
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

    pub(crate) fn style(self, theme: Theme) -> Style {
        match self {
            Self::Added => theme.added(),
            Self::Removed => theme.removed(),
            _ => Style::new(),
        }
    }
}

/// Where the text of a layer comes from: one line if both sides take it from the same file, else a line each.
pub fn origins(layers: Pair<Option<&SideLayer>>, theme: Theme) -> Vec<SideLine> {
    let places = layers.map(|layer| layer?.place());
    let both = |words| vec![SideLine { side: Change::Same, words }];
    match (places.left, places.right) {
        (None, None) => Vec::new(),
        (Some(only), None) if layers.right.is_none() => both(located(only, theme)),
        (None, Some(only)) if layers.left.is_none() => both(located(only, theme)),
        (Some(left), Some(right)) if left.tier == right.tier && left.path == right.path => {
            let mut line = located(right, theme);
            if left != right {
                punctuate(&mut line, ";");
                line.extend(words("old text", theme.dim()));
                let mut old = Vec::new();
                if left.line != right.line || left.last_line != right.last_line {
                    let unit = if left.last_line > left.line { "lines" } else { "line" };
                    old.extend(words(&format!("on {unit} {}", left.lines()), theme.dim()));
                }
                old.extend(revision(left, theme));
                if old.is_empty() {
                    old.push(Word::new("in the working tree", theme.dim()));
                }
                line.extend(old);
            }
            both(line)
        }
        (left, right) => each(Pair { left, right }, |place| Some(file(place, theme))),
    }
}

/// What asks for a layer: a line for each side if that differs.
pub fn requesters(pair: &LayerPair, layers: Pair<Option<&SideLayer>>, theme: Theme) -> Vec<SideLine> {
    let line = |layer: Option<&SideLayer>| {
        let layer = layer?;
        if layer.kind == LayerKind::Directive.into_str() {
            return Some(words("the requested directive", theme.dim()).collect());
        }
        let by = requester(layer.declared_by.as_ref()?, theme);
        Some(words("requested by", theme.dim()).chain(by).collect())
    };
    match pair.requested_by {
        true => each(layers, line),
        false => line(layers.newest()).into_iter().map(|words| SideLine { side: Change::Same, words }).collect(),
    }
}

/// The values in a layer that differ, and the file that decides each.
pub fn values(pair: &LayerPair, theme: Theme) -> impl Iterator<Item = SideLine> {
    pair.values.iter().map(move |change| {
        let places = change.value.as_ref().map(|value| value.as_ref().map(|value| &value.place));
        let name = Word::new(&change.name, theme.strong()).colon();
        let mut line: Vec<Word> = [name].into_iter().chain(words(&change.phrase(), Style::new())).collect();
        punctuate(&mut line, ",");
        line.extend(places.newest().into_iter().flat_map(|place| located(place, theme)));
        if let Some(Pair { left, .. }) = places.both().filter(|both| both.left.is_elsewhere(both.right)) {
            line.extend(words("instead of", theme.dim()).chain(located(left, theme)));
        }
        SideLine { side: Change::Same, words: line }
    })
}

/// The file of a tool; if its name, item or file differs, the item and the file on each side.
pub fn of_tool(pair: &ToolPair, tools: Pair<Option<&SideTool>>, theme: Theme) -> Vec<SideLine> {
    let place = |tool: &SideTool| file(tool.place.as_ref(), theme);
    let item = |tool: &SideTool| {
        let mut line = place(tool);
        for (word, id) in [("item", &tool.item_id), ("routed to", &tool.primary)] {
            let Some(id) = id else { continue };
            punctuate(&mut line, ",");
            line.push(Word::new(&format!("{word} {id}"), theme.dim()));
        }
        line
    };
    match tools.both().filter(|_| pair.item || pair.renamed) {
        Some(both) => each(both, |tool| Some(item(tool))),
        None => tools.newest().map(|tool| SideLine { side: Change::Same, words: place(tool) }).into_iter().collect(),
    }
}

/// The reason for a decision, and what decided it unless the reason names that.
pub fn reason(considered: &Considered, theme: Theme) -> Vec<Word> {
    let mut line: Vec<Word> = words(&considered.why, theme.dim()).collect();
    if let Some(by) = &considered.by {
        let says = considered.why.contains(&by.by) || by.place.as_ref().is_some_and(|place| place.path == by.by);
        punctuate(&mut line, ",");
        match &by.place {
            Some(place) if says => line.extend(located(place, theme)),
            _ => line.extend(requester(by, theme)),
        }
    }
    line
}

/// A line for each side that has words.
fn each<T>(sides: Pair<T>, words: impl Fn(T) -> Option<Vec<Word>>) -> Vec<SideLine> {
    let sides = Pair { left: Change::Removed, right: Change::Added }.zip(sides).into_array().into_iter();
    sides.filter_map(|(side, of)| Some(SideLine { side, words: words(of)? })).collect()
}

fn file(place: Option<&FilePlace>, theme: Theme) -> Vec<Word> {
    place.map_or_else(|| words("not from a file", theme.dim()).collect(), |place| located(place, theme))
}

fn requester(by: &Requester, theme: Theme) -> Vec<Word> {
    let name = Word::new(&by.by, theme.dim());
    match &by.place {
        Some(place) => [name.comma()].into_iter().chain(located(place, theme)).collect(),
        None => vec![name],
    }
}

/// `project .ai/knowledge/rules.md:6-20 at HEAD`.
pub fn located(place: &FilePlace, theme: Theme) -> Vec<Word> {
    let lines = place.lines();
    let colon = if lines.is_empty() { "" } else { ":" };
    let mut line = vec![
        Word::new(&place.tier, theme.tier(&place.tier)).glued(),
        Word::new(&format!("{}{colon}{lines}", place.path), Style::new()),
    ];
    line.extend(revision(place, theme));
    line
}

fn revision(place: &FilePlace, theme: Theme) -> Vec<Word> {
    let Some(revision) = &place.revision else { return Vec::new() };
    vec![Word::new("at", theme.dim()).glued(), Word::new(revision, theme.dim())]
}
