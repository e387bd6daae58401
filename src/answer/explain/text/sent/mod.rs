//! The departures: a summary, then the lines that differ with context.

mod hunk;
mod summary;
mod tools;

use std::collections::HashMap;
use std::io;
use std::time::{Duration, Instant};

use self::hunk::line;
use crate::answer::diff::text::LineMark;
use crate::answer::explain::ExplainView;
use crate::answer::explain::sent::{Departure, Departures, title};
use crate::prompt::Prompt;
use crate::text::numbers::count;

const MOST_LINES: usize = 10;

pub fn write(prompt: &Prompt, departures: &Departures, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    summary::write(prompt, departures, view, out)?;
    let list = &departures.list;
    let deadline = Instant::now() + TIME_LIMIT;
    let mut writer = DepartureWriter { prompt, departures, view, texts: departures.texts(prompt), deadline, out };
    for (index, departure) in list.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| list.get(index));
        let section = section(departure);
        if before.map(self::section).as_ref() != Some(&section) {
            writer.heading(&section)?;
        }
        match departure {
            Departure::Lines { message, change, .. } => {
                let neighbour = |other: Option<&Departure>| match other {
                    Some(Departure::Lines { message: other, change, .. }) if other == message => {
                        Some(change.rendered.clone())
                    }
                    _ => None,
                };
                writer.change(*message, change, neighbour(before), neighbour(list.get(index + 1)))?;
            }
            Departure::OtherParts { sent, .. } => {
                let parts = departures.sent.messages[*sent].other_parts;
                writer.sentence(&format!("{} not text: an image, a file, a tool call, or its result", are(parts)))?;
            }
            // The heading already says so.
            Departure::NotSent { .. } => {}
            Departure::Extra { sent } => writer.beginning(&departures.sent.messages[*sent].text)?,
            Departure::Injected { position, rendered, sent } => {
                let names = |names: &[String]| if names.is_empty() { "nothing".to_string() } else { names.join(", ") };
                writer.sentence(&format!("{position} the directive"))?;
                writer.marked(LineMark::Old, &names(rendered))?;
                writer.marked(LineMark::New, &names(sent))?;
            }
            Departure::Tool(change) => writer.tool(change)?,
            Departure::ToolOrder => writer.sentence("the tools that both have are in a different order")?,
            Departure::Model => {
                writer.marked(LineMark::Old, &prompt.model.effective)?;
                writer.marked(LineMark::New, departures.sent.model.as_deref().unwrap_or_default())?;
            }
        }
    }
    Ok(())
}

fn are(parts: usize) -> String {
    format!("{} of the message {}", count(parts, "part"), if parts == 1 { "is" } else { "are" })
}

/// The subject of a heading; messages by index.
#[derive(PartialEq)]
enum DepartureSection {
    Both { message: usize, sent: usize },
    NotSent { message: usize },
    Extra { sent: usize },
    Other(&'static str),
}

fn section(departure: &Departure) -> DepartureSection {
    match *departure {
        Departure::Lines { message, sent, .. } | Departure::OtherParts { message, sent } => {
            DepartureSection::Both { message, sent }
        }
        Departure::NotSent { message } => DepartureSection::NotSent { message },
        Departure::Extra { sent } => DepartureSection::Extra { sent },
        Departure::Injected { .. } => DepartureSection::Other("names around the directive"),
        Departure::Tool(_) | Departure::ToolOrder => DepartureSection::Other("tools"),
        Departure::Model => DepartureSection::Other("model"),
    }
}

/// The time limit for all descriptions and schemas together.
const TIME_LIMIT: Duration = Duration::from_secs(1);

struct DepartureWriter<'a> {
    prompt: &'a Prompt,
    departures: &'a Departures,
    view: &'a ExplainView,
    /// The lines of the messages that differ, by index.
    texts: HashMap<usize, [Vec<&'a str>; 2]>,
    deadline: Instant,
    out: &'a mut dyn io::Write,
}

impl DepartureWriter<'_> {
    fn heading(&mut self, section: &DepartureSection) -> io::Result<()> {
        const MARKS: &str = "- rendered  + sent";
        let place = |sent: usize| self.departures.sent.messages[sent].place.as_str();
        let (left, right) = match *section {
            DepartureSection::Both { message, sent } => {
                (title(self.prompt, message), format!("{MARKS} ({})", place(sent)))
            }
            DepartureSection::NotSent { message } => (title(self.prompt, message), "not sent".to_string()),
            DepartureSection::Extra { sent } => {
                let role = self.departures.sent.messages[sent].role.into_str();
                (format!("{role} message"), format!("not in the prompt ({})", place(sent)))
            }
            DepartureSection::Other(words) => (words.to_string(), MARKS.to_string()),
        };
        writeln!(self.out)?;
        self.view.heading(&left, &right, self.out)
    }

    fn beginning(&mut self, text: &str) -> io::Result<()> {
        for shown in text.split('\n').take(MOST_LINES) {
            self.marked(LineMark::New, shown)?;
        }
        let more = text.split('\n').skip(MOST_LINES).count();
        if more > 0 {
            self.sentence(&format!("and {}", count(more, "more line")))?;
        }
        Ok(())
    }

    fn sentence(&mut self, sentence: &str) -> io::Result<()> {
        self.view.flow("  ", "    ").say(sentence, self.view.theme.dim(), self.out)
    }

    fn marked(&mut self, mark: LineMark, text: &str) -> io::Result<()> {
        line(mark, text, self.view.theme.dim(), self.view, self.out)
    }
}

#[cfg(test)]
mod tests;
