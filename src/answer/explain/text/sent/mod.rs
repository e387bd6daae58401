//! The departures: a summary, then the lines that differ with context.

mod hunk;
mod summary;

use self::summary::{describe, tool};
use crate::answer::diff::text::LineMark;
use crate::answer::explain::ExplainView;
use crate::answer::explain::sent::{Departure, Departures, lines};
use crate::prompt::Prompt;
use crate::text::numbers::count;
use crate::write::report::{Line, Report, word};
use crate::write::theme::{DIM, PLAIN, STRONG, of_tier};

const MOST_LINES: usize = 10;

pub fn report(prompt: &Prompt, departures: &Departures, view: &ExplainView, report: &mut Report) {
    summary::report(prompt, departures, report);
    let mut report = SentReport { prompt, view, report };
    let heading = |departure: &Departure| describe(prompt, departure).heading;
    for section in departures.list.chunk_by(|one, next| heading(one) == heading(next)) {
        report.section(&heading(&section[0]), section);
    }
}

struct SentReport<'a, 'o> {
    prompt: &'a Prompt,
    view: &'a ExplainView,
    report: &'a mut Report<'o>,
}

impl SentReport<'_, '_> {
    fn section(&mut self, [left, right]: &[String; 2], section: &[Departure]) {
        self.report.section(left, right);
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
                    self.change(change, &rendered, neighbour(index.checked_sub(1)), neighbour(Some(index + 1)));
                }
                Departure::OtherParts { count: parts, .. } => {
                    let are = if *parts == 1 { "is" } else { "are" };
                    let parts = count(*parts, "part");
                    let what = "not text: an image, a file, a tool call, or its result";
                    self.report.note(&format!("{parts} of the message {are} {what}"));
                }
                // The heading already says so.
                Departure::MessageNotSent { .. } => {}
                Departure::MessageExtra { text, .. } => self.beginning(text),
                Departure::Injected { position, rendered, sent } => {
                    let names =
                        |names: &[String]| if names.is_empty() { "nothing".to_string() } else { names.join(", ") };
                    self.report.note(&format!("{position} the directive"));
                    self.both(&[names(rendered)], &[names(sent)]);
                }
                Departure::ToolNotSent { .. } | Departure::ToolExtra { .. } | Departure::ToolChanged { .. } => {
                    self.tool(departure);
                }
                Departure::ToolOrder => self.report.note("the tools that both have are in a different order"),
                Departure::Model { rendered, sent } => {
                    self.both(std::slice::from_ref(rendered), std::slice::from_ref(sent));
                }
            }
        }
    }

    /// A tool: its name, what differs, the lines that differ, and its file.
    fn tool(&mut self, departure: &Departure) {
        let entry = match departure {
            Departure::ToolNotSent { tool, .. } | Departure::ToolChanged { tool, .. } => self.prompt.tools.get(*tool),
            _ => None,
        };
        let file = entry.and_then(|tool| tool.source.as_ref());
        let hue = file.map_or(DIM, |source| of_tier(source.tier()));
        let (name, what) = tool(departure);
        self.report.spread(hue, "┌ ", (STRONG, name), (DIM, what));
        match departure {
            Departure::ToolExtra { about, .. } if !about.is_empty() => self.beginning(about),
            Departure::ToolChanged { lines, .. } => {
                lines.iter().for_each(|[rendered, sent]| self.both(rendered, sent));
            }
            _ => {}
        }
        let from = match (entry, file) {
            (_, Some(source)) => Line::default().file(source.tier(), PLAIN, source.path()),
            (Some(_), None) => word(DIM, "not from a file"),
            (None, None) => word(DIM, "only in the sent request"),
        };
        self.report.marked(hue, "└ ", "    ", from);
    }

    fn beginning(&mut self, text: &str) {
        for shown in text.split('\n').take(MOST_LINES) {
            self.marked(LineMark::New, shown);
        }
        if let more @ 1.. = text.split('\n').skip(MOST_LINES).count() {
            self.report.note(&format!("and {}", count(more, "more line")));
        }
    }

    fn both(&mut self, rendered: &[String], sent: &[String]) {
        rendered.iter().for_each(|text| self.marked(LineMark::Old, text));
        sent.iter().for_each(|text| self.marked(LineMark::New, text));
    }

    fn marked(&mut self, mark: LineMark, text: &str) {
        self.report.row(hunk::line(mark, text, DIM, self.view.screen.visible));
    }
}

#[cfg(test)]
mod tests;
