//! A layer that differs: what changed, where it comes from, and its lines.

use std::io;

use owo_colors::Style;

use super::DifferenceWriter;
use super::hunk::Hunks;
use crate::answer::diff::summary::{layer_name, phrase, signed_tokens, tokens};
use crate::answer::diff::{Change, Difference, FilePlace, LayerPair, Pair, Requester, Side, SideLayer};
use crate::text::numbers::count;
use crate::write::layout::{Word, punctuate, words};
use crate::write::theme::Theme;

impl DifferenceWriter<'_> {
    pub fn layer(&self, pair: &LayerPair, out: &mut dyn io::Write) -> io::Result<()> {
        let Self { difference, refiner, view } = self;
        let is_on_one_side = matches!(pair.change(), Change::Added | Change::Removed);
        let cost = if is_on_one_side { signed_tokens(pair.tokens) } else { tokens(pair.tokens) };
        let name = layer_name(difference, pair);
        view.heading(&name, &cost, out)?;
        let indented = view.flow("  ", "    ");
        indented.write(&self.change(pair), out)?;
        for line in origins(difference.layers_of(pair), view.theme) {
            indented.write(&line, out)?;
        }
        if is_on_one_side || pair.requested_by {
            self.requesters(pair, out)?;
        }
        let texts = difference.texts_of(pair);
        Hunks::new(&name, texts.left, texts.right, &pair.lines, refiner).write(view, out)
    }

    /// Writes a layer without a heading, with `most` changed lines at most.
    pub fn layer_in_short(&self, pair: &LayerPair, most: usize, out: &mut dyn io::Write) -> io::Result<()> {
        let Self { difference, refiner, view } = self;
        let name = layer_name(difference, pair);
        if pair.lines.is_empty() {
            let mut line = vec![Word::new(&name, Style::new()).colon()];
            line.extend(self.change(pair));
            return view.flow("  ", "    ").write(&line, out);
        }
        let texts = difference.texts_of(pair);
        let (hunks, more) = Hunks::new(&name, texts.left, texts.right, &pair.lines, refiner).limited(most);
        hunks.write(view, out)?;
        if more > 0 {
            let dim = view.theme.dim();
            writeln!(out, "{}", dim.style(format!("  and {}", count(more, "more changed line"))))?;
        }
        Ok(())
    }

    fn change(&self, pair: &LayerPair) -> Vec<Word> {
        let mut line: Vec<Word> = words(phrase(pair.change()), pair.change().style(self.view.theme)).collect();
        for phrase in around(self.difference, pair, str::to_string) {
            punctuate(&mut line, ",");
            line.extend(words(&phrase, Style::new()));
        }
        line
    }

    /// Writes what asks for the layer, on each side.
    fn requesters(&self, pair: &LayerPair, out: &mut dyn io::Write) -> io::Result<()> {
        let theme = self.view.theme;
        let layers = self.difference.layers_of(pair);
        let sides = [(layers.left, "-", theme.removed()), (layers.right, "+", theme.added())];
        for (layer, sign, style) in sides {
            let Some(by) = layer.and_then(|layer| layer.declared_by.as_ref()) else { continue };
            let mut line = Vec::new();
            if pair.requested_by {
                line.push(Word::new(sign, style).glued());
            }
            line.extend(words("requested by", theme.dim()));
            line.extend(requester(by, theme));
            self.view.flow("  ", "    ").write(&line, out)?;
        }
        Ok(())
    }
}

impl Change {
    pub(crate) fn style(self, theme: Theme) -> Style {
        match self {
            Self::Added => theme.added(),
            Self::Removed => theme.removed(),
            _ => Style::new(),
        }
    }
}

/// What differs around the text, in phrases. `name` formats names.
pub fn around(difference: &Difference, pair: &LayerPair, name: impl Fn(&str) -> String) -> Vec<String> {
    let Some(Pair { left, right }) = difference.layers_of(pair).both() else { return Vec::new() };
    let role = |side: &Side, layer: &SideLayer| side.messages.get(layer.message).map_or("", |it| it.role.into_str());
    let mut phrases = Vec::new();
    if pair.moved {
        let (old, new) = (role(&difference.left, left), role(&difference.right, right));
        phrases.push(if left.slot != right.slot {
            format!("moved from {} to {}", name(&left.slot), name(&right.slot))
        } else if old != new {
            format!("moved from the {old} message to the {new} message")
        } else {
            let [old, new] = pair.index().map(|at| at.map_or(0, |at| at + 1)).into_array();
            format!("moved from layer {old} to layer {new}")
        });
    }
    if pair.renamed {
        phrases.push(format!("renamed from {}", name(&left.title)));
    }
    if pair.taken_from {
        phrases.push(match (left.place(), right.place()) {
            (Some(left), Some(right)) if left.tier != right.tier => {
                format!("now taken from {} instead of {}", name(&right.tier), name(&left.tier))
            }
            _ => "now taken from a different file".to_string(),
        });
    }
    if pair.requested_by {
        let by =
            |layer: &SideLayer| layer.declared_by.as_ref().map_or_else(|| "nothing".to_string(), |by| by.by.clone());
        phrases.push(match (by(left), by(right)) {
            (left, right) if left != right => format!("requested by {} instead of {}", name(&right), name(&left)),
            (_, right) => format!("requested by {} in a different place", name(&right)),
        });
    }
    if pair.wrapped {
        let now = if right.wrap { "now" } else { "no longer" };
        phrases.push(format!("{now} wrapped in an element"));
    }
    phrases
}

/// Where the text comes from: one line if both sides take it from the same file, else a line each.
fn origins(layers: Pair<Option<&SideLayer>>, theme: Theme) -> Vec<Vec<Word>> {
    let places = layers.map(|layer| layer?.place());
    match (places.left, places.right) {
        (None, None) => Vec::new(),
        (Some(only), None) if layers.right.is_none() => vec![located(only, theme)],
        (None, Some(only)) if layers.left.is_none() => vec![located(only, theme)],
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
            vec![line]
        }
        (left, right) => {
            let side = |sign, style, place: Option<&FilePlace>| {
                let mut line = vec![Word::new(sign, style).glued()];
                match place {
                    Some(place) => line.extend(located(place, theme)),
                    None => line.extend(words("not from a file", theme.dim())),
                }
                line
            };
            vec![side("-", theme.removed(), left), side("+", theme.added(), right)]
        }
    }
}

/// The requester's name and declaration.
pub fn requester(by: &Requester, theme: Theme) -> Vec<Word> {
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
