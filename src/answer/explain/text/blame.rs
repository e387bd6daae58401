//! Lines of messages after `│ `, with their origin in the margin. A line with several origins has a row for each piece
//! below it, between `├ ` and `┤`, so that leading and trailing spaces are visible.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use owo_colors::Style;
use unicode_width::UnicodeWidthStr;

use crate::answer::explain::ExplainView;
use crate::answer::explain::blame::{LineSelection, MessageLine, OriginPiece, SelectedLines, message_name};
use crate::prompt::{Layer, Prompt, no_message};
use crate::text::numbers::{count, thousands};
use crate::text::visible::visible_line;
use crate::text::{InputFrom, Origin, Source, argument};
use crate::write::layout::{Word, own_text};

/// The maximum length of the name of an input or a variable in a margin, in characters.
const LONGEST_NAME: usize = 40;

/// The digits reserved for line numbers when paths are shortened.
const USUAL_LINES: usize = 4;

pub fn write(prompt: &Prompt, lines: &LineSelection, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    if lines.picked.is_empty() {
        return match lines.is_part {
            true => writeln!(out, "No line matches."),
            false => writeln!(out, "{}", no_message(view.role)),
        };
    }
    rows(prompt, lines, view, out)
}

pub fn rows(prompt: &Prompt, lines: &LineSelection, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let margin = Margin::new(prompt, lines, view);
    for (index, picked) in lines.picked.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        margin.message(prompt, picked, out)?;
    }
    Ok(())
}

struct Margin<'a> {
    view: &'a ExplainView,
    /// The columns of the longest origin.
    origin: usize,
    room: usize,
    number: usize,
}

impl<'a> Margin<'a> {
    fn new(prompt: &Prompt, lines: &LineSelection, view: &'a ExplainView) -> Self {
        let room = view.width * 2 / 5;
        // A longer origin has a name that cannot be shortened, so its row is wider.
        let most = view.width / 2;
        let (mut origin, mut number) = (0, 0);
        // Labels of consecutive lines of a file are equally long until their numbers gain a digit.
        let mut last = None;
        for picked in &lines.picked {
            for line in picked.of(prompt) {
                number = number.max(line.number);
                for row in MarginRow::of(&line) {
                    let shape = row.shape();
                    if shape.is_none() || shape != last {
                        origin = origin.max(row.label(room).width());
                        last = shape;
                    }
                }
            }
        }
        Self { view, origin: origin.min(most), room, number: thousands(number).width() }
    }

    fn message(&self, prompt: &Prompt, picked: &SelectedLines, out: &mut dyn io::Write) -> io::Result<()> {
        let ExplainView { theme, .. } = self.view;
        let lines = count(picked.count, "line");
        let shown = picked.selected();
        let lines = if shown < picked.count { format!("{} of {lines}", thousands(shown)) } else { lines };
        self.view.heading(&message_name(prompt, picked.message), &lines, out)?;
        let mut below: Vec<usize> = Vec::new();
        let mut file_before = None;
        for line in picked.of(prompt) {
            let mut layers: Vec<usize> = line.pieces.iter().filter_map(|piece| piece.layer).collect();
            layers.dedup();
            if !layers.is_empty() && layers != below {
                let titles: Vec<_> = layers.iter().map(|&layer| title(&prompt.layers[layer])).collect();
                let heading = Word::new(&titles.join(" · "), theme.strong());
                writeln!(out, "{} {}", theme.dim().style("──"), heading)?;
                below = layers;
                file_before = None;
            }
            file_before = self.line(&line, file_before, out)?;
        }
        let text = prompt.messages[picked.message].text();
        if picked.includes_last_line() || text.is_empty() {
            let end = match text {
                "" => "the message is empty",
                text if text.ends_with('\n') => "a newline ends the message",
                _ => "no newline at the end",
            };
            writeln!(out, "{}", theme.dim().style(format!("· {end}")))?;
        }
        Ok(())
    }

    /// Returns the file that the margin names, if there is only one.
    fn line(
        &self,
        line: &MessageLine,
        file_before: Option<*const Source>,
        out: &mut dyn io::Write,
    ) -> io::Result<Option<*const Source>> {
        let rows = MarginRow::of(line);
        if let [row] = rows.as_slice() {
            let file = row.file();
            // A margin that continues the same file is dim.
            let style =
                if file.is_some() && file == file_before { self.view.theme.dim() } else { row.style(self.view) };
            self.margin(&row.label(self.room), style, Some(line.number), out)?;
            self.text(line.text, "│", out)?;
            writeln!(out)?;
            return Ok(file);
        }
        self.margin(&count(rows.len(), "piece"), self.view.theme.dim(), Some(line.number), out)?;
        self.text(line.text, "│", out)?;
        writeln!(out)?;
        for (index, row) in rows.iter().enumerate() {
            self.margin(&row.label(self.room), row.style(self.view), None, out)?;
            let edge = if index + 1 < rows.len() { "├" } else { "└" };
            let dim = self.view.theme.dim();
            match row.text {
                "" => writeln!(out, "{} {}", dim.style(edge), dim.style("(the newline)"))?,
                text => {
                    self.text(text, edge, out)?;
                    writeln!(out, "{}", dim.style("┤"))?;
                }
            }
        }
        Ok(None)
    }

    fn margin(&self, label: &str, style: Style, number: Option<usize>, out: &mut dyn io::Write) -> io::Result<()> {
        let blanks = self.origin.saturating_sub(label.width());
        let number = number.map(thousands).unwrap_or_default();
        let number = format!("{number:>width$}", width = self.number);
        write!(out, "{}{:blanks$} {} ", style.style(label), "", self.view.theme.dim().style(number))
    }

    fn text(&self, text: &str, edge: &str, out: &mut dyn io::Write) -> io::Result<()> {
        write!(out, "{}", self.view.theme.dim().style(edge))?;
        if !text.is_empty() {
            write!(out, " ")?;
        }
        own_text(text, self.view.visible, self.view.theme, out)
    }
}

struct MarginRow<'p, 't> {
    piece: &'p OriginPiece<'t>,
    /// Without the newline.
    text: &'t str,
}

impl<'p, 't> MarginRow<'p, 't> {
    fn of(line: &'p MessageLine<'t>) -> Vec<Self> {
        let mut rows: Vec<(&OriginPiece, usize)> = Vec::new();
        for piece in &line.pieces {
            let end = piece.at + piece.text.len();
            // The line itself shows the newline between two layers or after a tag.
            let is_separator = piece.text == "\n" && piece.origin == Origin::Protocol && !line.text.is_empty();
            match rows.last_mut() {
                _ if is_separator => {}
                Some((last, end_of_last)) if last.has_same_origin(piece) => *end_of_last = end,
                _ => rows.push((piece, end)),
            }
        }
        let line_end = line.at + line.text.len();
        let text = |piece: &OriginPiece, end: usize| {
            line.text.get(piece.at - line.at..end.min(line_end) - line.at).unwrap_or_default()
        };
        rows.into_iter().map(|(piece, end)| MarginRow { piece, text: text(piece, end) }).collect()
    }

    fn style(&self, view: &ExplainView) -> Style {
        match (&self.piece.origin, self.piece.span()) {
            (Origin::File(_) | Origin::Derived(_), Some(span)) => view.theme.tier(span.source().tier()),
            (Origin::Protocol, _) => view.theme.dim(),
            _ => Style::new(),
        }
    }

    fn file(&self) -> Option<*const Source> {
        Some(Arc::as_ptr(self.piece.span()?.source()))
    }

    /// The file and the digits of the line number, which determine the label's length.
    fn shape(&self) -> Option<(*const Source, u32)> {
        let (line, _) = self.piece.lines.filter(|_| matches!(self.piece.origin, Origin::File(_)))?;
        Some((self.file()?, line.ilog10()))
    }

    /// `project …/deploy.md:6`, `input target (flag)`: in `room` columns if possible.
    fn label(&self, room: usize) -> String {
        let piece = self.piece;
        let label = match &piece.origin {
            Origin::File(_) => self.place("", "", room),
            Origin::Derived(_) => self.place("", " derived", room),
            Origin::Input { name, from: InputFrom::Default, source: Some(_) } => {
                self.place(&format!("input {}, ", short(name)), "", room)
            }
            Origin::Input { name, from, .. } => format!("input {} ({})", short(name), from.into_str()),
            Origin::Env(name) => format!("env {}", short(name)),
            Origin::Variable { name, source: Some(_) } => self.place(&format!("${{{}}}, ", short(name)), "", room),
            Origin::Variable { name, source: None } => format!("${{{}}} (hook context)", short(name)),
            Origin::Argument(name) => short(&argument(name)).into_owned(),
            Origin::Protocol => "protocol".to_string(),
            Origin::Base { id, .. } => format!("own text {}", short(id)),
        };
        match visible_line(&label) {
            Cow::Borrowed(_) => label,
            Cow::Owned(shown) => shown,
        }
    }

    fn place(&self, before: &str, after: &str, room: usize) -> String {
        let (Some(span), Some((first, last))) = (self.piece.span(), self.piece.lines) else { return String::new() };
        let lines = if first == last { first.to_string() } else { format!("{first}-{last}") };
        let (tier, path) = (span.source().tier(), span.source().path());
        let whole = |path: &str| {
            let between = if tier.is_empty() { "" } else { " " };
            format!("{before}{tier}{between}{path}:{lines}{after}")
        };
        // All lines of a file are shortened equally, whatever the width of their numbers.
        let fixed = whole("").width() + USUAL_LINES.saturating_sub(lines.len());
        whole(&shortened(path, room.saturating_sub(fixed)))
    }
}

/// As much of the end of a path as fits, but always the file's name.
fn shortened(path: &str, room: usize) -> Cow<'_, str> {
    if path.width() <= room {
        return Cow::Borrowed(path);
    }
    let mut ends = path.match_indices('/').map(|(at, _)| &path[at..]).filter(|end| end.len() < path.len()).peekable();
    while let Some(end) = ends.next() {
        if end.width() < room || ends.peek().is_none() {
            return Cow::Owned(format!("…{end}"));
        }
    }
    Cow::Borrowed(path)
}

/// The title with its element, since one item may be in several.
fn title(layer: &Layer) -> String {
    let title = layer.title();
    match layer.slot.element() {
        Some(element) => format!("{title} in {element}"),
        None => title,
    }
}

fn short(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => Cow::Owned(format!("{}…", &name[..end])),
        None => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests;
