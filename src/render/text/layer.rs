//! A layer as a box: its name, its text behind a margin, and where it came from.

use std::io;

use indexmap::IndexSet;
use owo_colors::Style;

use crate::layout::{Flow, Spread, Word, count, lines_of, located, own_text, words};
use crate::prompt::{Layer, LayerKind, Part};
use crate::text::Origin;
use crate::theme::Theme;
use crate::tokens::Tokenizer;

pub struct Boxes {
    pub theme: Theme,
    /// Whether characters that act on a terminal are shown; our own lines never hold any.
    pub visible: bool,
    pub width: usize,
    /// How tokens are counted.
    pub tokenizer: Tokenizer,
}

impl Boxes {
    /// A layer: heading, text, and lines about where it came from. `part` is its text, none if it has no byte.
    pub fn layer(&self, layer: &Layer, part: Option<&Part>, out: &mut dyn io::Write) -> io::Result<()> {
        let text = part.map_or("", |part| part.text);
        let hue = self.theme.tier(tier(layer));
        self.heading(&layer.title(), text, hue, out)?;
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
            own_text(line, self.visible, self.theme, out)?;
            writeln!(out)?;
        }
        Ok(())
    }

    /// Where the text was taken from: the text of the item, else the first file that a byte of it comes from.
    fn taken_from(&self, layer: &Layer, part: Option<&Part>) -> Vec<Word> {
        match layer.taken_from(part) {
            Some(span) => lines_of(&span, self.theme).into(),
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
            Origin::Input { name, from, .. } => Some(format!("input {name} ({})", from.into_str())),
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

/// The tier that gives a layer its hue: of its text, else of what asked for it.
fn tier(layer: &Layer) -> &str {
    let item = layer.item.as_ref().and_then(|item| item.span.as_ref());
    let span = item.or_else(|| layer.declared_by.as_ref()?.span.as_ref());
    span.map_or("", |span| span.source().tier())
}
