//! Where lines of a file appear in the messages, or why they do not.

mod declared;
mod folder;
mod place;
mod reasons;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use serde::Serialize;

use super::blame::{LineSelection, OriginPiece, lines};
use super::metadata::Metadata;
use crate::diagnostic::Diagnostic;
use crate::prompt::Prompt;
use crate::read::store::Tiers;
use crate::text::{Origin, Source, Span};
use declared::Declarations;

pub use place::FileLines;

#[derive(Debug)]
pub struct Occurrences {
    pub place: FileLines,
    /// In the order of the messages.
    pub occurrences: Vec<Occurrence>,
    pub lines: LineSelection,
    pub tools: Vec<ToolOccurrence>,
    /// What else the lines do, or why none of them is in the prompt.
    pub reasons: Vec<LineReason>,
}

/// Bytes of a line of a message that come from the file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "LandingJson"))]
pub struct Occurrence {
    /// Index into `messages`.
    pub message: usize,
    pub role: &'static str,
    /// 1-based.
    pub line: usize,
    /// Byte offset in the message.
    pub at: usize,
    /// Including their newline.
    pub text: String,
    /// Index into `layers`; null for text between layers.
    pub layer: Option<usize>,
    /// `exact`: as in the file; `derived`: computed from it; `default`: the default of an input.
    pub how: &'static str,
}

/// A tool that the lines declare.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ToolLandingJson"))]
pub struct ToolOccurrence {
    /// Index into `tools`.
    pub tool: usize,
    /// As the API sees it.
    pub name: String,
    /// `description` or `schema`.
    pub part: &'static str,
    /// The declaration.
    #[serde(rename = "source")]
    pub span: Span,
    /// False for an output of the directive, from which `directive_return` is generated.
    #[serde(skip)]
    is_of_file: bool,
}

/// What else lines of a file do, or why they are in no message.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LineReason {
    /// A stable identifier.
    pub code: &'static str,
    pub why: String,
    #[serde(rename = "source")]
    pub at: Option<Span>,
}

const METADATA: &str = "metadata";

impl LineReason {
    fn new(code: &'static str, why: impl Into<String>) -> Self {
        Self { code, why: why.into(), at: None }
    }

    fn nothing_depends_on(place: &FileLines) -> Self {
        let what = if place.lines.is_some() { "this line" } else { "this file" };
        Self::new("not_part", format!("nothing in this prompt depends on {what}"))
    }
}

impl Occurrences {
    /// # Errors
    ///
    /// An item that the reasons need cannot be read.
    pub fn new(place: FileLines, prompt: &Prompt, tiers: &Tiers) -> Result<Self, Diagnostic> {
        let mut occurrences = Vec::new();
        let mut as_they_stand = BTreeMap::new();
        for (message, of_it) in prompt.messages.iter().enumerate() {
            for line in lines(of_it) {
                for piece in &line.pieces {
                    let Some(how) = place.holds(piece) else { continue };
                    if let Origin::File(span) = &piece.origin {
                        as_they_stand.insert((span.range().start, span.range().end), span.clone());
                    }
                    occurrences.push(Occurrence {
                        message,
                        role: of_it.role.into_str(),
                        line: line.number,
                        at: piece.at,
                        text: piece.text.to_string(),
                        layer: piece.layer,
                        how,
                    });
                }
            }
        }
        let lines =
            LineSelection::found(prompt, occurrences.iter().map(|occurrence| (occurrence.message, occurrence.line)));
        let tools = tools(&place, prompt);
        let occurs = !occurrences.is_empty() || !tools.is_empty();
        // A declaration that appears as written is already reported as an occurrence.
        let is_shown = |declared: &Metadata| {
            let within = declared.span.range();
            let mut inside = as_they_stand.range((within.start, 0)..(within.end, 0));
            let is_value = |(_, text): (_, &Span)| {
                text.range().end <= within.end && Some(text.text().trim()) == declared.value.as_str()
            };
            inside.any(is_value)
                || tools.iter().any(|occurrence| occurrence.span == declared.span && occurrence.is_of_file)
        };
        let declarations = Declarations::new(&place, prompt, is_shown);
        let reasons = reasons::reasons(&place, occurs, declarations, prompt, tiers)?;
        Ok(Self { place, occurrences, lines, tools, reasons })
    }
}

impl FileLines {
    /// How the bytes came from these lines; `None` if they did not.
    fn holds(&self, piece: &OriginPiece) -> Option<&'static str> {
        let (first, last) = piece.lines?;
        let span = piece.span()?;
        // A value of the whole file, such as its path, belongs to no line.
        let is_of_lines = !span.range().is_empty() || self.lines.is_none();
        let is_here = is_of_lines && self.is_file(span.source()) && self.touches(&(first..=last));
        is_here.then_some(match piece.origin {
            Origin::Derived(_) => "derived",
            Origin::Variable { .. } if span.text() != piece.text => "derived",
            Origin::Input { .. } => "default",
            _ => "exact",
        })
    }

    /// The file may have been read more than once.
    fn is_file(&self, source: &Arc<Source>) -> bool {
        Arc::ptr_eq(source, &self.source)
            || (source.path() == self.source.path() && source.tier() == self.source.tier())
    }

    fn touches(&self, lines: &RangeInclusive<usize>) -> bool {
        self.lines.as_ref().is_none_or(|asked| asked.start() <= lines.end() && lines.start() <= asked.end())
    }

    fn meets(&self, span: &Span) -> bool {
        self.is_file(span.source()) && (self.lines.is_none() || self.touches(&(span.line()..=span.last_line())))
    }
}

/// The descriptions and schemas that these lines declare, and the outputs of `directive_return`.
fn tools(place: &FileLines, prompt: &Prompt) -> Vec<ToolOccurrence> {
    let mut occurrences = Vec::new();
    for (index, tool) in prompt.tools.iter().enumerate() {
        let occurrence = |part, span, is_of_file| {
            let name = tool.name.clone();
            ToolOccurrence { tool: index, name, part, span, is_of_file }
        };
        let Some(source) = &tool.source else {
            let leaf = prompt.chain.last().and_then(|leaf| leaf.directive.as_ref());
            let outputs = leaf.map_or(&[][..], |directive| &directive.outputs);
            let here = outputs.iter().map(|output| output.span.clone()).filter(|span| place.meets(span));
            occurrences.extend(here.map(|span| occurrence("schema", span, false)));
            continue;
        };
        if !place.is_file(source) {
            continue;
        }
        let parts = [("description", &tool.description_span), ("schema", &tool.schema_span)];
        occurrences.extend(
            parts.into_iter().filter_map(|(part, span)| {
                Some(occurrence(part, span.clone().filter(|span| place.meets(span))?, true))
            }),
        );
    }
    occurrences
}

#[cfg(test)]
mod tests;
