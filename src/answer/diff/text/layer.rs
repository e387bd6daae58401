//! A layer that differs: what changed, where it comes from, and its lines.

use std::io;

use owo_colors::Style;

use super::DifferenceWriter;
use super::hunk::Hunks;
use crate::answer::diff::places::{origins, requesters, values};
use crate::answer::diff::summary::{layer_name, phrase, signed_tokens, tokens};
use crate::answer::diff::{Change, Difference, LayerPair, Pair, Side, SideLayer};
use crate::text::numbers::count;
use crate::write::layout::{Word, punctuate, words};

impl DifferenceWriter<'_> {
    pub fn layer(&self, pair: &LayerPair, out: &mut dyn io::Write) -> io::Result<()> {
        let Self { difference, refiner, view } = self;
        let is_on_one_side = matches!(pair.change(), Change::Added | Change::Removed);
        let cost = if is_on_one_side { signed_tokens(pair.tokens) } else { tokens(pair.tokens) };
        let name = layer_name(difference, pair);
        view.heading(&name, &cost, out)?;
        let indented = view.flow("  ", "    ");
        indented.write(&self.change(pair), out)?;
        let layers = difference.layers_of(pair);
        let requesters = requesters(pair, layers, view.theme).into_iter();
        let requesters = requesters.filter(|_| is_on_one_side || pair.requested_by);
        for line in origins(layers, view.theme).into_iter().chain(requesters).chain(values(pair, view.theme)) {
            indented.write(&line.signed(view.theme), out)?;
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
