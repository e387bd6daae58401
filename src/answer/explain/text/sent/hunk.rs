//! Lines that differ, in a box that names their layers.

use std::io;
use std::ops::Range;

use owo_colors::Style;

use super::DepartureWriter;
use crate::answer::diff::text::LineMark;
use crate::answer::explain::ExplainView;
use crate::answer::explain::sent::{DepartingLines, Touched};
use crate::prompt::LayerKind;
use crate::text::visible::visible;
use crate::write::layout::{Flow, Word, line_numbers, line_place, lines_of, punctuate, words};

const CONTEXT: usize = 2;

impl DepartureWriter<'_> {
    /// A change with a few equal lines around it. `all` are the lines of the message; `before` and `after` are the
    /// lines of the neighbouring changes, so that no line is shown twice.
    pub fn change(
        &mut self,
        change: &DepartingLines,
        all: &[&str],
        before: Option<Range<usize>>,
        after: Option<Range<usize>>,
    ) -> io::Result<()> {
        let DepartingLines { rendered: old, sent: new, touched, unseen } = change;
        let (rendered, sent) = (&old.range(), &new.range());
        let (view, theme) = (self.view, self.view.theme);
        let dim = theme.dim();
        let tier = touched.first().and_then(|touched| touched.spans.first()).map_or("", |span| span.source().tier());
        let hue = theme.tier(tier);
        let names: Vec<_> = touched.iter().map(|touched| self.name(touched)).collect();
        let name = if names.is_empty() { "an empty message".to_string() } else { names.join(", ") };
        view.spread("┌ ", ' ', hue).write(
            &Word::new(&name, theme.strong()),
            &Word::new(&which(rendered, sent), dim),
            self.out,
        )?;

        // Escapes a difference that would be invisible, as in `<U+200E>`.
        let view = &ExplainView { visible: view.visible || *unseen, ..*view };
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
            line(mark, text, hue, view, self.out)?;
        }

        let mut feet: Vec<Vec<Word>> = Vec::new();
        for (touched, name) in touched.iter().zip(&names) {
            let mut line = Vec::new();
            if rendered.is_empty() {
                line.push(Word::new(if rendered.start == 0 { "before" } else { "after" }, dim));
            }
            if names.len() > 1 {
                line.push(Word::new(name, dim).comma());
            }
            line.extend(self.came_from(touched));
            feet.push(line);
            let values = touched.values.join(", ");
            feet.extend((!values.is_empty()).then(|| words(&format!("holds {values}"), dim).collect()));
        }
        if *unseen {
            feet.push(words("differs only in white space and invisible characters", dim).collect());
        }
        for (index, foot) in feet.iter().enumerate() {
            let lead = if index == 0 { "└ " } else { "  " };
            Flow { lead_style: hue, ..view.flow(lead, "    ") }.write(foot, self.out)?;
        }
        Ok(())
    }

    fn name(&self, touched: &Touched) -> String {
        match touched.layer.and_then(|index| self.prompt.layers.get(index)) {
            Some(layer) if layer.kind == LayerKind::Context => layer.name.clone(),
            Some(layer) => format!("{} {}", layer.kind.into_str(), layer.name),
            None => "between layers".to_string(),
        }
    }

    fn came_from(&self, touched: &Touched) -> Vec<Word> {
        let theme = self.view.theme;
        let mut line: Vec<Word> = Vec::new();
        for span in &touched.spans {
            punctuate(&mut line, ",");
            line.extend(lines_of(span, theme));
        }
        if line.is_empty() {
            let why = if touched.values.is_empty() { "fixed text of the protocol" } else { "not from a file" };
            line.extend(words(why, theme.dim()));
        }
        line
    }
}

fn which(rendered: &Range<usize>, sent: &Range<usize>) -> String {
    match (rendered.is_empty(), sent.is_empty()) {
        (true, _) => format!("{}, sent {}", line_place(rendered), line_numbers(sent)),
        (false, true) => format!("{}, not sent", line_numbers(rendered)),
        (false, false) if rendered == sent => line_numbers(rendered),
        (false, false) => format!("{}, sent as {}", line_numbers(rendered), line_numbers(sent)),
    }
}

/// Writes a line after the margin and its mark.
pub fn line(mark: LineMark, text: &str, margin: Style, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let shown = if view.visible { visible(text) } else { text.into() };
    let line = format!("{} {shown}", mark.sign());
    // An empty line is the mark alone.
    let line = if text.is_empty() { line.trim_end() } else { &line };
    let between = if line.is_empty() { "" } else { " " };
    writeln!(out, "{}{between}{}", margin.style("│"), mark.style(view.theme).style(line))
}
