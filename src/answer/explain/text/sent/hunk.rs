//! Lines that differ, in a box that names their layers.

use std::ops::Range;

use owo_colors::Style;

use super::SentReport;
use crate::answer::diff::text::LineMark;
use crate::answer::explain::sent::{DepartingLines, Touched};
use crate::prompt::LayerKind;
use crate::text::visible::visible;
use crate::write::layout::{line_numbers, line_place};
use crate::write::report::{Line, word, words};
use crate::write::theme::{DIM, PLAIN, STRONG, of_tier};

const CONTEXT: usize = 2;

impl SentReport<'_, '_> {
    /// A change with a few equal lines around it. `all` are the lines of the message; `before` and `after` are the
    /// lines of the neighbouring changes, so that no line is shown twice.
    pub fn change(
        &mut self,
        change: &DepartingLines,
        all: &[&str],
        before: Option<Range<usize>>,
        after: Option<Range<usize>>,
    ) {
        let DepartingLines { rendered: old, sent: new, touched, unseen } = change;
        let (rendered, sent) = (&old.range(), &new.range());
        let tier = touched.first().and_then(|touched| touched.spans.first()).map_or("", |span| span.source().tier());
        let hue = of_tier(tier);
        let names: Vec<_> = touched.iter().map(|touched| self.name(touched)).collect();
        let name = if names.is_empty() { "an empty message".to_string() } else { names.join(", ") };
        self.report.spread(hue, "┌ ", (STRONG, &name), (DIM, &which(rendered, sent)));

        // Lines between two changes go below the first, the rest above the second.
        let above = before.map_or(rendered.start, |it| (rendered.start - it.end).saturating_sub(CONTEXT)).min(CONTEXT);
        let below = after.map_or(all.len(), |it| it.start) - rendered.end;
        let below = rendered.end..rendered.end + below.min(CONTEXT);
        let around = |lines: Range<usize>| all[lines].iter().map(|line| (LineMark::Both, *line));
        let lines = around(rendered.start - above..rendered.start)
            .chain(old.text.iter().map(|line| (LineMark::Old, line.as_str())))
            .chain(new.text.iter().map(|line| (LineMark::New, line.as_str())))
            .chain(around(below));
        for (mark, text) in lines {
            // Escapes a difference that would be invisible, as in `<U+200E>`.
            self.report.row(line(mark, text, hue, self.view.screen.visible || *unseen));
        }

        let mut feet = Vec::new();
        for (touched, name) in touched.iter().zip(&names) {
            let place = if rendered.start == 0 { "before" } else { "after" };
            let foot = if rendered.is_empty() { word(DIM, place) } else { Line::default() };
            let foot = if names.len() > 1 { foot.word(DIM, name).mark(",") } else { foot };
            feet.push(foot.then(came_from(touched)));
            let values = touched.values.join(", ");
            feet.extend((!values.is_empty()).then(|| words(DIM, &format!("holds {values}"))));
        }
        if *unseen {
            feet.push(words(DIM, "differs only in white space and invisible characters"));
        }
        for (index, foot) in feet.into_iter().enumerate() {
            let lead = if index == 0 { "└ " } else { "  " };
            self.report.marked(hue, lead, "    ", foot);
        }
    }

    fn name(&self, touched: &Touched) -> String {
        match touched.layer.and_then(|index| self.prompt.layers.get(index)) {
            Some(layer) if layer.kind == LayerKind::Context => layer.name.clone(),
            Some(layer) => format!("{} {}", layer.kind.into_str(), layer.name),
            None => "between layers".to_string(),
        }
    }
}

fn came_from(touched: &Touched) -> Line {
    let places = touched.spans.iter().fold(Line::default(), |line, span| line.at_lines(Some(span)));
    if !places.is_empty() {
        return places;
    }
    words(DIM, if touched.values.is_empty() { "fixed text of the protocol" } else { "not from a file" })
}

fn which(rendered: &Range<usize>, sent: &Range<usize>) -> String {
    match (rendered.is_empty(), sent.is_empty()) {
        (true, _) => format!("{}, sent {}", line_place(rendered), line_numbers(sent)),
        (false, true) => format!("{}, not sent", line_numbers(rendered)),
        (false, false) if rendered == sent => line_numbers(rendered),
        (false, false) => format!("{}, sent as {}", line_numbers(rendered), line_numbers(sent)),
    }
}

/// A line after the margin and its mark.
pub fn line(mark: LineMark, text: &str, margin: Style, is_visible: bool) -> Line {
    let shown = if is_visible { visible(text) } else { text.into() };
    let line = format!("{} {shown}", mark.sign());
    // An empty line is the mark alone.
    let line = if text.is_empty() { line.trim_end() } else { &line };
    let between = if line.is_empty() { "" } else { " " };
    word(margin, "│").word(PLAIN, between).prompt_text(mark.style(), line, false)
}
