//! Lines of messages after `│ `, with their origin in the margin. A line with several origins has a row for each piece
//! below it, between `├ ` and `┤`, so that leading and trailing spaces are visible.

use std::borrow::Cow;
use std::sync::Arc;

use owo_colors::Style;
use unicode_width::UnicodeWidthStr;

use crate::answer::explain::ExplainView;
use crate::answer::explain::blame::{LineSelection, MessageLine, OriginPiece, SelectedLines, message_name};
use crate::prompt::{Layer, Prompt, no_message};
use crate::text::numbers::{count, thousands};
use crate::text::visible::visible_line;
use crate::text::{InputFrom, Origin, Source, argument};
use crate::write::report::{Line, Report, word};
use crate::write::theme::{DIM, PLAIN, STRONG, of_tier};

/// The maximum length of the name of an input or a variable in a margin, in characters.
const LONGEST_NAME: usize = 40;

/// The digits reserved for line numbers when paths are shortened.
const USUAL_LINES: usize = 4;

pub fn report(prompt: &Prompt, lines: &LineSelection, view: &ExplainView, report: &mut Report) {
    match lines.picked.is_empty() {
        true if lines.is_part => report.row(word(PLAIN, "No line matches.")),
        true => report.row(word(PLAIN, &no_message(view.role))),
        false => rows(prompt, lines, view, report),
    }
}

pub fn rows(prompt: &Prompt, lines: &LineSelection, view: &ExplainView, report: &mut Report) {
    let margin = Margin::new(prompt, lines, view);
    for (index, picked) in lines.picked.iter().enumerate() {
        if index > 0 {
            report.blank();
        }
        margin.message(prompt, picked, report);
    }
}

struct Margin {
    is_visible: bool,
    /// The columns of the longest origin.
    origin: usize,
    room: usize,
    number: usize,
}

impl Margin {
    fn new(prompt: &Prompt, lines: &LineSelection, view: &ExplainView) -> Self {
        let room = view.screen.width * 2 / 5;
        // A longer origin has a name that cannot be shortened, so its row is wider.
        let most = view.screen.width / 2;
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
        Self { is_visible: view.screen.visible, origin: origin.min(most), room, number: thousands(number).width() }
    }

    fn message(&self, prompt: &Prompt, picked: &SelectedLines, report: &mut Report) {
        let lines = count(picked.count, "line");
        let shown = picked.selected();
        let lines = if shown < picked.count { format!("{} of {lines}", thousands(shown)) } else { lines };
        report.heading((STRONG, &message_name(prompt, picked.message)), (DIM, &lines));
        let mut below: Vec<usize> = Vec::new();
        let mut file_before = None;
        for line in picked.of(prompt) {
            let mut layers: Vec<usize> = line.pieces.iter().filter_map(|piece| piece.layer).collect();
            layers.dedup();
            if !layers.is_empty() && layers != below {
                let titles: Vec<_> = layers.iter().map(|&layer| title(&prompt.layers[layer])).collect();
                report.row(word(DIM, "──").word(PLAIN, " ").word(STRONG, &titles.join(" · ")));
                below = layers;
                file_before = None;
            }
            file_before = self.line(&line, file_before, report);
        }
        let text = prompt.messages[picked.message].text();
        if picked.includes_last_line() || text.is_empty() {
            let end = match text {
                "" => "the message is empty",
                text if text.ends_with('\n') => "a newline ends the message",
                _ => "no newline at the end",
            };
            report.row(word(DIM, &format!("· {end}")));
        }
    }

    /// Returns the file that the margin names, if there is only one.
    fn line(
        &self,
        line: &MessageLine,
        file_before: Option<*const Source>,
        report: &mut Report,
    ) -> Option<*const Source> {
        let rows = MarginRow::of(line);
        if let [row] = rows.as_slice() {
            let file = row.file();
            // A margin that continues the same file is dim.
            let style = if file.is_some() && file == file_before { DIM } else { row.style() };
            report.row(self.text(self.margin(&row.label(self.room), style, Some(line.number)), line.text, "│"));
            return file;
        }
        let margin = self.margin(&count(rows.len(), "piece"), DIM, Some(line.number));
        report.row(self.text(margin, line.text, "│"));
        for (index, row) in rows.iter().enumerate() {
            let margin = self.margin(&row.label(self.room), row.style(), None);
            let edge = if index + 1 < rows.len() { "├" } else { "└" };
            report.row(match row.text {
                "" => margin.word(DIM, edge).word(PLAIN, " ").word(DIM, "(the newline)"),
                text => self.text(margin, text, edge).word(DIM, "┤"),
            });
        }
        None
    }

    fn margin(&self, label: &str, style: Style, number: Option<usize>) -> Line {
        let number = format!("{:>1$}", number.map(thousands).unwrap_or_default(), self.number);
        let end = self.origin.max(label.width()) + 1;
        word(style, label).up_to(end).word(DIM, &number).word(PLAIN, " ")
    }

    fn text(&self, margin: Line, text: &str, edge: &str) -> Line {
        let space = if text.is_empty() { "" } else { " " };
        margin.word(DIM, edge).word(PLAIN, space).prompt_text(PLAIN, text, self.is_visible)
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

    fn style(&self) -> Style {
        match (&self.piece.origin, self.piece.span()) {
            (Origin::File(_) | Origin::Derived(_), Some(span)) => of_tier(span.source().tier()),
            (Origin::Protocol, _) => DIM,
            _ => PLAIN,
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
