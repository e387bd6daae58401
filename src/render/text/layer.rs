//! A layer as a box: its name, its text behind a margin, and where it came from.

use std::io;
use std::sync::Arc;

use indexmap::IndexSet;
use owo_colors::Style;

use super::layout::{Flow, Spread, Word, count, words};
use crate::prompt::{Layer, LayerKind, Part, Segment};
use crate::text::visible::{escape, is_hidden};
use crate::text::{Origin, Span};
use crate::theme::Theme;
use crate::tokens::Tokenizer;

/// What a box needs besides its layer.
pub struct Boxes {
    /// Colours.
    pub theme: Theme,
    /// Whether characters that act on a terminal are shown; our own lines never hold any.
    pub visible: bool,
    /// Columns.
    pub width: usize,
    /// How tokens are counted.
    pub tokenizer: Tokenizer,
}

impl Boxes {
    /// A layer: heading, text, and lines about where it came from. `part` is its text, none if it has no byte.
    pub fn layer(&self, layer: &Layer, part: Option<&Part>, out: &mut dyn io::Write) -> io::Result<()> {
        let text = part.map_or("", |part| part.text);
        let hue = self.theme.tier(tier(layer));
        let name = match layer.kind {
            LayerKind::Context => layer.name.clone(),
            kind => format!("{} {}", kind.word(), layer.name),
        };
        self.heading(&name, text, hue, out)?;
        self.content(text, hue, out)?;

        let mut lines = vec![self.taken_from(layer, part)];
        lines.extend(self.asked_for_by(layer));
        lines.extend(part.and_then(|part| self.values(part)));
        if text.is_empty() {
            lines.push(words("it has no text", self.theme.dim()).collect());
        } else if text.ends_with('\n') {
            lines.push(words("its text ends with a line feed", self.theme.dim()).collect());
        }
        for (at, line) in lines.iter().enumerate() {
            let lead = if at == 0 { "└ " } else { "  " };
            Flow { lead, lead_style: hue, hang: "    ", between: " ", width: self.width }.write(line, out)?;
        }
        Ok(())
    }

    /// What stands between two layers and belongs to neither: line feeds in words, anything else in a box.
    pub fn between(&self, text: &str, out: &mut dyn io::Write) -> io::Result<()> {
        let dim = self.theme.dim();
        if text.contains(|c| c != '\n') {
            self.heading("between layers", text, dim, out)?;
            self.content(text, dim, out)?;
            return writeln!(out, "{}", dim.style("└ fixed text of the protocol"));
        }
        let what = match text.len() {
            1 => "line break".to_string(),
            2 => "blank line".to_string(),
            more => count(more, "line break"),
        };
        writeln!(out, "{}", dim.style(format!("· {what}")))
    }

    fn heading(&self, name: &str, text: &str, hue: Style, out: &mut dyn io::Write) -> io::Result<()> {
        let tokens = Word::new(&count(self.tokenizer.count(text), "token"), self.theme.dim());
        Spread { lead: "┌ ", fill: ' ', style: hue, width: self.width }.write(
            &Word::new(name, self.theme.strong()),
            &tokens,
            out,
        )
    }

    /// The text itself, a line for each line: a line break is a line feed, and after the last line there is none.
    fn content(&self, text: &str, hue: Style, out: &mut dyn io::Write) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        for line in text.split('\n') {
            write!(out, "{}", hue.style("│"))?;
            if !line.is_empty() {
                write!(out, " ")?;
            }
            let is_shown = |c| self.visible && is_hidden(c);
            for piece in line.split_inclusive(is_shown) {
                match piece.chars().next_back().filter(|&last| is_shown(last)) {
                    Some(last) => {
                        let seen = &piece[..piece.len() - last.len_utf8()];
                        write!(out, "{seen}{}", self.theme.escape().style(escape(last)))?;
                    }
                    None => write!(out, "{piece}")?,
                }
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// `project .ai/knowledge/rules.md:6-20`.
    fn lines_of(&self, span: &Span) -> [Word; 2] {
        let (first, last) = (span.line(), span.last_line());
        let lines = if first == last { first.to_string() } else { format!("{first}-{last}") };
        located(span, &lines, self.theme)
    }

    /// Where the text was taken from: the text of the item, else the first file that a byte of it comes from.
    fn taken_from(&self, layer: &Layer, part: Option<&Part>) -> Vec<Word> {
        let of_segment = |segment: Segment| match segment.origin {
            Origin::File(span) | Origin::Derived(span) => Some(span.clone()),
            _ => None,
        };
        let mut taken = part.into_iter().flat_map(Part::segments).filter_map(of_segment);
        let item = layer.item.as_ref().and_then(|item| item.span.clone());
        let span = match item {
            Some(file) if layer.kind == LayerKind::Directive => Some(lines_in_use(&file, taken).unwrap_or(file)),
            item => item.or_else(|| taken.next()),
        };
        match span {
            Some(span) => self.lines_of(&span).into(),
            None if layer.kind == LayerKind::Message => words("given by --messages", self.theme.dim()).collect(),
            None => words("not from a file", self.theme.dim()).collect(),
        }
    }

    /// What asked for the layer: its place, which names the directive or the file of the hook, else its name. Nothing
    /// for what the command line asks for.
    fn asked_for_by(&self, layer: &Layer) -> Option<Vec<Word>> {
        let typed = matches!(layer.kind, LayerKind::Directive | LayerKind::Message);
        let declared = layer.declared_by.as_ref().filter(|_| !typed)?;
        let mut line: Vec<_> = words("asked for by", self.theme.dim()).collect();
        match &declared.span {
            Some(span) => line.extend(located(span, &span.line().to_string(), self.theme)),
            None => line.extend(words(&declared.by, self.theme.dim())),
        }
        Some(line)
    }

    /// The values that were put into the text, each once, in order.
    fn values(&self, part: &Part) -> Option<Vec<Word>> {
        let names = part.segments().filter_map(|segment| match segment.origin {
            Origin::Input { name, from, .. } => Some(format!("input {name} ({})", from.word())),
            Origin::Env(name) => Some(format!("env {name}")),
            Origin::Variable(name) => Some(format!("${{{name}}}")),
            // The text of an earlier message is nothing else.
            Origin::Argument(_) | Origin::File(_) | Origin::Derived(_) | Origin::Protocol => None,
        });
        let mut names: IndexSet<_> = names.collect();
        let last = names.pop()?;
        let mut line = vec![Word::new("holds", self.theme.dim())];
        line.extend(names.iter().map(|name| Word::new(name, self.theme.dim()).comma()));
        line.push(Word::new(&last, self.theme.dim()));
        Some(line)
    }
}

/// From the first to the last byte of a file that is in use.
fn lines_in_use(file: &Span, taken: impl Iterator<Item = Span>) -> Option<Span> {
    let source = file.source();
    let ranges = taken.filter(|span| Arc::ptr_eq(span.source(), source)).map(|span| span.range());
    let range = ranges.reduce(|all, range| all.start.min(range.start)..all.end.max(range.end))?;
    Some(source.span(range))
}

/// The tier that gives a layer its hue: of its text, else of what asked for it.
fn tier(layer: &Layer) -> &str {
    let item = layer.item.as_ref().and_then(|item| item.span.as_ref());
    let span = item.or_else(|| layer.declared_by.as_ref()?.span.as_ref());
    span.map_or("", |span| span.source().tier())
}

/// A sentence, a comma and `project .ai/directives/deploy.md:9`; the sentence alone if it has no place.
pub fn with_place(mut sentence: Vec<Word>, span: Option<&Span>, theme: Theme) -> Vec<Word> {
    if let Some(span) = span {
        let last = sentence.pop().map(Word::comma);
        sentence.extend(last);
        sentence.extend(located(span, &span.line().to_string(), theme));
    }
    sentence
}

fn located(span: &Span, lines: &str, theme: Theme) -> [Word; 2] {
    let source = span.source();
    [
        Word::new(source.tier(), theme.tier(source.tier())).glued(),
        Word::new(&format!("{}:{lines}", source.path()), Style::new()),
    ]
}
