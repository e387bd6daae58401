//! Inputs: where each is declared, and the placeholders that name it.

use std::ops::Range;

use super::about::About;
use crate::read::item::InputDeclaration;
use crate::text::Span;
use crate::text::python::word;

/// How placeholders of an input begin.
const OPENERS: [&str; 2] = ["{input:", "${inputs."];

impl<'a> About<'a> {
    /// The input that is declared or named at an offset. Inputs of a parent are not inherited.
    fn input(&self, offset: usize) -> Option<&'a InputDeclaration> {
        let is_named = |(_, whole): &(&str, Range<usize>)| whole.start <= offset && offset <= whole.end;
        let named = placeholders(self.source()?.text()).find(is_named).map(|(name, _)| name);
        let is_it = |input: &&InputDeclaration| match named {
            Some(name) => input.name.as_str() == name,
            None => self.holds(&input.span, offset),
        };
        self.file()?.readable()?.inputs.iter().find(is_it)
    }

    pub(super) fn declaration(&self, offset: usize) -> Option<&'a Span> {
        self.input(offset).map(|input| &input.name.span)
    }

    /// The placeholders of the input that is declared or named at an offset.
    pub(super) fn placeholders(&self, offset: usize) -> Option<Vec<Span>> {
        let (input, source) = (self.input(offset)?, self.file()?.source.as_ref()?);
        let of_it = placeholders(source.text()).filter(|(name, _)| *name == input.name.as_str());
        Some(of_it.map(|(_, whole)| source.span(whole)).collect())
    }
}

/// The name of each placeholder, and the range from its opener to the end of the name.
fn placeholders(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    OPENERS.into_iter().flat_map(move |opener| {
        text.match_indices(opener).filter_map(move |(start, _)| {
            let rest = &text[start + opener.len()..];
            let (name, after) = rest.split_at(word(rest));
            let is_whole = !name.is_empty() && after.starts_with(['}', ':', '|', '?']);
            is_whole.then(|| (name, start..start + opener.len() + name.len()))
        })
    })
}
