//! The lines of two texts as markup, in an order that serves both layouts, unified and side by side.

use std::ops::Range;

use minijinja::{HtmlEscape, Value, context};

use crate::answer::diff::hunks::{NO_NEWLINE, lines_of};
use crate::answer::diff::lines::LinePiece;
use crate::answer::diff::refine::{ChangedLine, Refiner, without_newline};
use crate::answer::diff::{LineChange, Pair};
use crate::text::numbers::count;
use crate::text::visible::visible;
use crate::write::page::text::with_hidden_marked;

/// The maximum number of bytes shown per line. The rest is left out.
const LONGEST: usize = 20_000;

/// The bytes of text that still fit on the page. A browser would take minutes to show more.
pub struct PageRoom {
    /// For lines that differ, and their context.
    changed: usize,
    /// For folded lines.
    same: usize,
    refiner: Refiner,
}

impl Default for PageRoom {
    fn default() -> Self {
        Self { changed: 250_000, same: 250_000, refiner: Refiner::default() }
    }
}

pub struct LineMarkup {
    markup: String,
    left_out: Option<String>,
}

impl LineMarkup {
    /// A part of a card, with a title if the card has several.
    pub fn part(self, title: Option<&'static str>) -> Value {
        context! { title, markup => Value::from_safe_string(self.markup), left_out => self.left_out }
    }

    /// The lines that differ with context; the others are folded.
    pub fn changed(left: &str, right: &str, changes: &[LineChange], context: usize, room: &mut PageRoom) -> Self {
        let mut writer = LineWriter::new(left, right, room);
        let mut done = Pair { left: 0, right: 0 };
        for (index, change) in changes.iter().enumerate() {
            let head = if index == 0 { 0 } else { context };
            writer.between(done.left..change.left.start, done.right..change.right.start, head, context);
            writer.run(change);
            done = change.as_ref().map(|lines| lines.end);
        }
        let Pair { left, right } = writer.lines.as_ref().map(Vec::len);
        let head = if changes.is_empty() { 0 } else { context };
        writer.between(done.left..left, done.right..right, head, 0);
        writer.done()
    }

    pub fn replaced(left: &str, right: &str, room: &mut PageRoom) -> Self {
        let mut writer = LineWriter::new(left, right, room);
        let all = writer.lines.as_ref().map(|lines| 0..lines.len());
        writer.run(&all);
        writer.done()
    }

    pub fn same(text: &str, room: &mut PageRoom) -> Self {
        let mut writer = LineWriter::new(text, text, room);
        if writer.room.same < text.len() {
            let left_out = format!("The text is the same and too long for this page: {}.", count(text.len(), "byte"));
            return Self { markup: String::new(), left_out: Some(left_out) };
        }
        writer.room.same -= text.len();
        for at in 0..writer.lines.right.len() {
            writer.both(Some(at), at);
        }
        writer.done()
    }
}

struct LineWriter<'a> {
    lines: Pair<Vec<&'a str>>,
    room: &'a mut PageRoom,
    out: String,
    /// The number of lines that differ and do not fit.
    left_out: usize,
}

impl<'a> LineWriter<'a> {
    fn new(left: &'a str, right: &'a str, room: &'a mut PageRoom) -> Self {
        Self { lines: lines_of(left, right), room, out: String::new(), left_out: 0 }
    }

    fn done(self) -> LineMarkup {
        let more = count(self.left_out, "more changed line");
        let left_out = format!("Too long for this page: {more}. --format patch shows everything.");
        LineMarkup { markup: self.out, left_out: (self.left_out > 0).then_some(left_out) }
    }

    /// Writes a line of both sides. If blank lines are ignored, the left side may lack it.
    fn both(&mut self, left: Option<usize>, right: usize) {
        let text = without_newline(self.lines.right[right]);
        let shown = cut(text);
        let left = left.map(|at| format!(" data-l=\"{}\"", at + 1)).unwrap_or_default();
        let (again, marked) = (visible(shown), with_hidden_marked(shown));
        self.out.push_str(&format!(
            "<p class=\"c\"{left} data-r=\"{}\"><span data-t=\"{}\"><b>{marked}</b></span>{}</p>",
            right + 1,
            HtmlEscape(&again),
            rest(text, shown)
        ));
    }

    /// Writes lines that do not differ: `head` and `tail` lines of context, and the others folded.
    fn between(&mut self, left: Range<usize>, right: Range<usize>, head: usize, tail: usize) {
        let partner = |at: usize| (left.len() == right.len()).then(|| left.start + (at - right.start));
        // Folding a single line saves nothing.
        let (above, below) = if right.len() <= head.saturating_add(tail).saturating_add(1) {
            (right.end, right.end)
        } else {
            (right.start + head, right.end - tail)
        };
        for at in right.start..above {
            self.near(partner(at), at);
        }
        let bytes: usize = self.lines.right[above..below].iter().map(|line| line.len()).sum();
        let are = if below - above == 1 { "is" } else { "are" };
        let words = format!("{} {are} the same", count(below - above, "line"));
        if above < below && bytes <= self.room.same {
            self.room.same -= bytes;
            self.out.push_str(&format!("<details class=\"fold\"><summary>{words}</summary>"));
            for at in above..below {
                self.both(partner(at), at);
            }
            self.out.push_str("</details>");
        } else if above < below {
            self.out.push_str(&format!("<div class=\"fold\">{words}</div>"));
        }
        for at in below..right.end {
            self.near(partner(at), at);
        }
    }

    /// Writes a line of context.
    fn near(&mut self, left: Option<usize>, right: usize) {
        if self.has_room(&[self.lines.right[right]]) {
            self.both(left, right);
        }
    }

    /// Reserves room for lines, if there is enough.
    fn has_room(&mut self, lines: &[&str]) -> bool {
        let bytes: usize = lines.iter().map(|line| line.len().min(LONGEST)).sum();
        let fits = self.left_out == 0 && bytes <= self.room.changed;
        if fits {
            self.room.changed -= bytes;
        }
        fits
    }

    /// Writes lines that differ, those of the left side first.
    fn run(&mut self, change: &LineChange) {
        let mut added = String::new();
        self.out.push_str("<div class=\"run\">");
        let mut next = change.as_ref().map(|lines| lines.start + 1);
        for Pair { left, right } in self.room.refiner.rows(&self.lines, change) {
            let texts: Vec<&str> = [&left, &right].into_iter().flatten().map(|line| line.text).collect();
            if !self.has_room(&texts) {
                self.left_out += texts.len();
                continue;
            }
            if let Some(old) = left {
                self.out += &changed_line("d", "del", &format!("l=\"{}\"", next.left), &old);
                next.left += 1;
            }
            if let Some(new) = right {
                added += &changed_line("a", "ins", &format!("r=\"{}\"", next.right), &new);
                next.right += 1;
            }
        }
        self.out.push_str(&added);
        self.out.push_str("</div>");
    }
}

/// A line of one side, with its changed words marked unless all are changed. `number` is an attribute.
fn changed_line(class: &str, element: &str, number: &str, line: &ChangedLine) -> String {
    let shown = cut(line.text);
    let marked = match &line.pieces {
        Some(pieces) if shown == line.text => {
            let piece = |piece: &LinePiece| {
                let text = with_hidden_marked(piece.text);
                if piece.is_changed { format!("<{element}>{text}</{element}>") } else { text }
            };
            pieces.iter().map(piece).collect()
        }
        _ => with_hidden_marked(shown),
    };
    let end = if line.is_open { format!("<i class=\"remark\">{NO_NEWLINE}</i>") } else { String::new() };
    format!("<p class=\"{class}\" data-{number}><span><b>{marked}</b></span>{}{end}</p>", rest(line.text, shown))
}

fn cut(line: &str) -> &str {
    &line[..line.floor_char_boundary(LONGEST)]
}

fn rest(line: &str, shown: &str) -> String {
    match line.len() - shown.len() {
        0 => String::new(),
        more => format!("<i class=\"remark\">and {} in this line</i>", count(more, "more byte")),
    }
}
