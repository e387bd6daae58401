//! The departures: a summary, then the lines that differ with context.

mod hunk;
mod summary;
mod words;

use std::io;

use self::hunk::line;
use self::words::{tool, words};
use crate::answer::diff::text::LineMark;
use crate::answer::explain::ExplainView;
use crate::answer::explain::sent::{Departure, Departures, lines};
use crate::prompt::Prompt;
use crate::text::numbers::count;
use crate::write::layout::{Flow, Word};

const MOST_LINES: usize = 10;

pub fn write(prompt: &Prompt, departures: &Departures, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    summary::write(prompt, departures, view, out)?;
    let mut writer = DepartureWriter { prompt, view, out };
    let heading = |departure: &Departure| words(prompt, departure).heading;
    for section in departures.list.chunk_by(|one, next| heading(one) == heading(next)) {
        writer.section(&heading(&section[0]), section)?;
    }
    Ok(())
}

struct DepartureWriter<'a> {
    prompt: &'a Prompt,
    view: &'a ExplainView,
    out: &'a mut dyn io::Write,
}

impl DepartureWriter<'_> {
    fn section(&mut self, [left, right]: &[String; 2], section: &[Departure]) -> io::Result<()> {
        writeln!(self.out)?;
        self.view.heading(left, right, self.out)?;
        // The lines of a message come before its other parts.
        let rendered = match section[0] {
            Departure::Lines { message, .. } => lines(self.prompt.messages[message].text()),
            _ => Vec::new(),
        };
        for (index, departure) in section.iter().enumerate() {
            match departure {
                Departure::Lines { change, .. } => {
                    let neighbour = |index: Option<usize>| match section.get(index?)? {
                        Departure::Lines { change, .. } => Some(change.rendered.range()),
                        _ => None,
                    };
                    self.change(change, &rendered, neighbour(index.checked_sub(1)), neighbour(Some(index + 1)))?;
                }
                Departure::OtherParts { count: parts, .. } => {
                    let are = if *parts == 1 { "is" } else { "are" };
                    let parts = count(*parts, "part");
                    let what = "not text: an image, a file, a tool call, or its result";
                    self.sentence(&format!("{parts} of the message {are} {what}"))?;
                }
                // The heading already says so.
                Departure::MessageNotSent { .. } => {}
                Departure::MessageExtra { text, .. } => self.beginning(text)?,
                Departure::Injected { position, rendered, sent } => {
                    let names =
                        |names: &[String]| if names.is_empty() { "nothing".to_string() } else { names.join(", ") };
                    self.sentence(&format!("{position} the directive"))?;
                    self.both(&[names(rendered)], &[names(sent)])?;
                }
                Departure::ToolNotSent { .. } | Departure::ToolExtra { .. } | Departure::ToolChanged { .. } => {
                    self.tool(departure)?;
                }
                Departure::ToolOrder => self.sentence("the tools that both have are in a different order")?,
                Departure::Model { rendered, sent } => {
                    self.both(std::slice::from_ref(rendered), std::slice::from_ref(sent))?;
                }
            }
        }
        Ok(())
    }

    /// A tool: its name, what differs, the lines that differ, and its file.
    fn tool(&mut self, departure: &Departure) -> io::Result<()> {
        let theme = self.view.theme;
        let entry = match departure {
            Departure::ToolNotSent { tool, .. } | Departure::ToolChanged { tool, .. } => self.prompt.tools.get(*tool),
            _ => None,
        };
        let file = entry.and_then(|tool| tool.source.as_ref());
        let hue = file.map_or(theme.dim(), |source| theme.tier(source.tier()));
        let (name, what) = tool(departure);
        let (name, what) = (Word::new(name, theme.strong()), Word::new(what, theme.dim()));
        self.view.spread("┌ ", ' ', hue).write(&name, &what, self.out)?;
        match departure {
            Departure::ToolExtra { about, .. } if !about.is_empty() => self.beginning(about)?,
            Departure::ToolChanged { lines, .. } => {
                lines.iter().try_for_each(|[rendered, sent]| self.both(rendered, sent))?;
            }
            _ => {}
        }
        let from = match (entry, file) {
            (_, Some(source)) => {
                vec![Word::new(source.tier(), hue).glued(), Word::new(source.path(), owo_colors::Style::new())]
            }
            (Some(_), None) => vec![Word::new("not from a file", theme.dim())],
            (None, None) => vec![Word::new("only in the sent request", theme.dim())],
        };
        Flow { lead_style: hue, ..self.view.flow("└ ", "    ") }.write(&from, self.out)
    }

    fn beginning(&mut self, text: &str) -> io::Result<()> {
        for shown in text.split('\n').take(MOST_LINES) {
            self.marked(LineMark::New, shown)?;
        }
        match text.split('\n').skip(MOST_LINES).count() {
            0 => Ok(()),
            more => self.sentence(&format!("and {}", count(more, "more line"))),
        }
    }

    fn sentence(&mut self, sentence: &str) -> io::Result<()> {
        self.view.flow("  ", "    ").say(sentence, self.view.theme.dim(), self.out)
    }

    fn both(&mut self, rendered: &[String], sent: &[String]) -> io::Result<()> {
        rendered.iter().try_for_each(|text| self.marked(LineMark::Old, text))?;
        sent.iter().try_for_each(|text| self.marked(LineMark::New, text))
    }

    fn marked(&mut self, mark: LineMark, text: &str) -> io::Result<()> {
        line(mark, text, self.view.theme.dim(), self.view, self.out)
    }
}

#[cfg(test)]
mod tests;
