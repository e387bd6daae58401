//! A layer that differs: what became of it, where it comes from, and its lines.

use std::io;

use owo_colors::Style;

use super::hunk::Hunks;
use super::phrases::{layer_name, signed_tokens, tokens};
use super::refine::Refiner;
use super::{heading, indented};
use crate::diff::{Asker, Change, Difference, Layer, LayerPair, Pair, Place, Side, View, numbers};
use crate::layout::{Word, count, words};
use crate::theme::Theme;

/// A layer of either side.
type Both<'a> = Pair<Option<&'a Layer>>;

fn both<'a>(difference: &'a Difference, pair: &LayerPair) -> Both<'a> {
    let of = |side: &'a Side, at: Option<usize>| side.layers.get(at?);
    Pair { left: of(&difference.left, pair.left), right: of(&difference.right, pair.right) }
}

fn name(difference: &Difference, layers: &Both) -> String {
    match (layers.right, layers.left) {
        (Some(layer), _) => layer_name(&difference.right, layer),
        (None, Some(layer)) => layer_name(&difference.left, layer),
        (None, None) => String::new(),
    }
}

/// Writes it.
pub fn write(
    difference: &Difference,
    pair: &LayerPair,
    refiner: &Refiner,
    view: &View,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let layers = both(difference, pair);
    let cost = match pair.change() {
        Change::Added | Change::Removed => signed_tokens(pair.tokens),
        _ => tokens(pair.tokens),
    };
    heading(&name(difference, &layers), &cost, view, out)?;
    indented(&happened(difference, pair, &layers, view.theme), view, out)?;
    for line in origins(&layers, view.theme) {
        indented(&line, view, out)?;
    }
    if matches!(pair.change(), Change::Added | Change::Removed) || pair.asked_by {
        askers(pair, &layers, view, out)?;
    }
    let name = name(difference, &layers);
    let texts = texts(difference, &layers);
    Hunks::new(&name, texts.left, texts.right, &pair.lines, refiner).write(view, out)
}

/// What became of a layer and its lines, so many of them at most, without a heading.
pub(crate) fn shown_in_short(
    difference: &Difference,
    pair: &LayerPair,
    most: usize,
    view: &View,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let layers = both(difference, pair);
    if pair.lines.is_empty() {
        let name = Word::new(&name(difference, &layers), Style::new()).colon();
        let mut line = vec![name];
        line.extend(happened(difference, pair, &layers, view.theme));
        return indented(&line, view, out);
    }
    let name = name(difference, &layers);
    let texts = texts(difference, &layers);
    let refiner = Refiner::brief();
    let (hunks, more) = Hunks::new(&name, texts.left, texts.right, &pair.lines, &refiner).limited(most);
    hunks.write(view, out)?;
    if more > 0 {
        let dim = view.theme.dim();
        writeln!(out, "{}", dim.style(format!("  and {}", count(more, "more changed line"))))?;
    }
    Ok(())
}

/// What is compared line by line; a text that is not there is empty.
fn texts<'a>(difference: &'a Difference, layers: &Both) -> Pair<&'a str> {
    Pair {
        left: layers.left.map_or("", |layer| difference.left.layer_text(layer)),
        right: layers.right.map_or("", |layer| difference.right.layer_text(layer)),
    }
}

/// What became of it, in words.
fn happened(difference: &Difference, pair: &LayerPair, layers: &Both, theme: Theme) -> Vec<Word> {
    let (what, style) = match pair.change() {
        Change::Added => ("added", theme.added()),
        Change::Removed => ("removed", theme.removed()),
        Change::Changed => ("changed", Style::new()),
        Change::Around | Change::Same => ("the text is the same", Style::new()),
    };
    let mut line: Vec<Word> = words(what, style).collect();
    if let Pair { left: Some(left), right: Some(right) } = *layers {
        for phrase in around(difference, pair, left, right, str::to_string) {
            let last = line.pop().map(Word::comma);
            line.extend(last);
            line.extend(words(&phrase, Style::new()));
        }
    }
    line
}

/// What is different around the text, in phrases that show names in that way.
pub fn around(
    difference: &Difference,
    pair: &LayerPair,
    left: &Layer,
    right: &Layer,
    shown: impl Fn(&str) -> String,
) -> Vec<String> {
    let role = |side: &Side, layer: &Layer| side.messages.get(layer.message).map(|message| message.role.into_str());
    let mut phrases = Vec::new();
    if pair.moved {
        let roles = (role(&difference.left, left).unwrap_or(""), role(&difference.right, right).unwrap_or(""));
        phrases.push(if left.slot != right.slot {
            format!("moved from {} to {}", shown(&left.slot), shown(&right.slot))
        } else if roles.0 != roles.1 {
            format!("moved from the {} message to the {} message", roles.0, roles.1)
        } else {
            let place = |at: Option<usize>| at.map_or(0, |at| at + 1);
            format!("moved from layer {} to layer {}", place(pair.left), place(pair.right))
        });
    }
    if pair.renamed {
        phrases.push(format!("renamed from {}", shown(&left.title)));
    }
    if pair.taken_from {
        let place = |layer: &Layer| layer.place().cloned();
        phrases.push(match (place(left), place(right)) {
            (Some(left), Some(right)) if left.tier != right.tier => {
                format!("now taken from {} instead of {}", shown(&right.tier), shown(&left.tier))
            }
            (Some(left), Some(right)) if left.path != right.path => "now taken from another file".to_string(),
            _ => "now taken from another place".to_string(),
        });
    }
    if pair.asked_by {
        let by = |layer: &Layer| layer.declared_by.as_ref().map_or_else(|| "nothing".to_string(), |by| by.by.clone());
        phrases.push(match (by(left), by(right)) {
            (left, right) if left != right => format!("asked for by {} instead of {}", shown(&right), shown(&left)),
            (_, right) => format!("asked for by {} in another place", shown(&right)),
        });
    }
    if pair.wrapped {
        let now = if right.wrap { "now" } else { "no longer" };
        phrases.push(format!("{now} in an element of its own"));
    }
    phrases
}

/// Where the text comes from: one line where both sides take it from the same file, else one each.
fn origins(layers: &Both, theme: Theme) -> Vec<Vec<Word>> {
    let place = |layer: Option<&Layer>| layer?.place().cloned();
    match (place(layers.left), place(layers.right)) {
        (None, None) => Vec::new(),
        (Some(only), None) if layers.right.is_none() => vec![located(&only, theme)],
        (None, Some(only)) if layers.left.is_none() => vec![located(&only, theme)],
        (Some(left), Some(right)) if left.tier == right.tier && left.path == right.path => {
            let mut line = located(&right, theme);
            if left != right {
                let last = line.pop().map(Word::comma);
                line.extend(last);
                line.extend(words("before", theme.dim()));
                let mut before = Vec::new();
                if left.line != right.line || left.last_line != right.last_line {
                    before.extend(words(&format!("lines {}", place_lines(&left)), theme.dim()));
                }
                before.extend(revision(&left, theme));
                if before.is_empty() {
                    before.push(Word::new("in the working tree", theme.dim()));
                }
                line.extend(before);
            }
            vec![line]
        }
        (left, right) => {
            let side = |sign, style, place: Option<Place>| {
                let mut line = vec![Word::new(sign, style).glued()];
                match place {
                    Some(place) => line.extend(located(&place, theme)),
                    None => line.extend(words("not from a file", theme.dim())),
                }
                line
            };
            vec![side("-", theme.removed(), left), side("+", theme.added(), right)]
        }
    }
}

/// What asks for it, on each side that has it.
fn askers(pair: &LayerPair, layers: &Both, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let theme = view.theme;
    let sides = [(layers.left, "-", theme.removed()), (layers.right, "+", theme.added())];
    for (layer, sign, style) in sides {
        let Some(by) = layer.and_then(|layer| layer.declared_by.as_ref()) else { continue };
        let mut line = Vec::new();
        if pair.asked_by {
            line.push(Word::new(sign, style).glued());
        }
        line.extend(words("asked for by", theme.dim()));
        line.extend(asker(by, theme));
        indented(&line, view, out)?;
    }
    Ok(())
}

/// Its name, and where it says so.
pub fn asker(by: &Asker, theme: Theme) -> Vec<Word> {
    match &by.place {
        Some(place) => {
            let mut line = vec![Word::new(&by.by, theme.dim()).comma()];
            line.extend(located(place, theme));
            line
        }
        None => vec![Word::new(&by.by, theme.dim())],
    }
}

/// `project .ai/knowledge/rules.md:6-20 at HEAD`.
pub fn located(place: &Place, theme: Theme) -> Vec<Word> {
    let lines = place_lines(place);
    let colon = if lines.is_empty() { "" } else { ":" };
    let mut line = vec![
        Word::new(&place.tier, theme.tier(&place.tier)).glued(),
        Word::new(&format!("{}{colon}{lines}", place.path), Style::new()),
    ];
    line.extend(revision(place, theme));
    line
}

/// `at HEAD`.
fn revision(place: &Place, theme: Theme) -> Vec<Word> {
    let Some(revision) = &place.revision else { return Vec::new() };
    vec![Word::new("at", theme.dim()).glued(), Word::new(revision, theme.dim())]
}

/// `6-20`; nothing where only the file is known.
pub fn place_lines(place: &Place) -> String {
    match place.line.checked_sub(1) {
        Some(start) => numbers(&(start..place.last_line.max(place.line))),
        None => String::new(),
    }
}
