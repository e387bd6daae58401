//! Inputs: where each is declared, and the placeholders that name it.

use std::ops::Range;

use super::about::About;
use crate::lint::LintFile;
use crate::read::item::{Directive, InputDeclaration};
use crate::read::store::ItemKind;
use crate::text::Span;
use crate::text::python::word;

/// How placeholders of an input begin.
const OPENERS: [&str; 2] = ["{input:", "${inputs."];

/// The most parents that are searched; a chain may be a circle.
const MOST_PARENTS: usize = 100;

impl<'a> About<'a> {
    /// Where the input of a placeholder at an offset is declared: in the directive, or else in the nearest parent.
    pub(super) fn declaration(&self, offset: usize) -> Option<&'a Span> {
        let directive = self.file()?.readable()?;
        let is_here = |(_, whole): &(&str, Range<usize>)| whole.start <= offset && offset <= whole.end;
        let (name, _) = placeholders(self.source()?.text()).find(is_here)?;
        let parent = |it: &&'a Directive| -> Option<&'a Directive> {
            self.reading.project.find(ItemKind::Directive, it.parent()?.as_str()).and_then(LintFile::readable)
        };
        let mut chain = std::iter::successors(Some(directive), parent).take(MOST_PARENTS);
        chain.find_map(|it| it.inputs.iter().find(|input| input.name.as_str() == name)).map(|input| &input.name.span)
    }

    /// The placeholders of the input whose declaration stands at an offset.
    pub(super) fn placeholders(&self, offset: usize) -> Option<Vec<Span>> {
        let (directive, source) = (self.file()?.readable()?, self.file()?.source.as_ref()?);
        let is_here = |input: &&InputDeclaration| self.holds(&input.span, offset);
        let input = directive.inputs.iter().find(is_here)?;
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
