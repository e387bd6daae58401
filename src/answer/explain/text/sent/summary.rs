//! The summary of the departures.

use std::io;

use crate::answer::explain::ExplainView;
use crate::answer::explain::sent::{ComparedPart, Departure, Departures, title};
use crate::prompt::Prompt;
use crate::text::numbers::count;
use crate::write::layout::{Flow, Word, line_place};

const MOST: usize = 12;

pub fn write(prompt: &Prompt, departures: &Departures, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let (strong, dim) = (view.theme.strong(), view.theme.dim());
    let kind = format!("sent: {}", departures.sent.kind.phrase());
    let facts = [Word::new(prompt.subject.name(), strong), Word::new(&prompt.protocol, dim), Word::new(&kind, dim)];
    Flow { between: "  ", ..view.flow("", "  ") }.write(&facts, out)?;

    let mut sentence =
        |lead: &str, text: &str, style| Flow { lead_style: style, ..view.flow(lead, "  ") }.say(text, style, out);
    sentence("sent request: ", &verdict(prompt, departures), strong)?;
    let subjects = |all: &[ComparedPart]| all.iter().map(|it| subject(prompt, *it)).collect::<Vec<_>>().join(", ");
    if departures.compared.is_empty() {
        sentence("  ", "nothing in the file could be compared", dim)?;
    } else {
        sentence("  compared: ", &subjects(&departures.compared), dim)?;
    }
    if !departures.unknown.is_empty() {
        sentence("  not in the file: ", &subjects(&departures.unknown), dim)?;
    }
    if departures.later > 0 {
        let later = count(departures.later, "later message");
        sentence("  ", &format!("{later} of the thread, from the model's first answer on, not compared"), dim)?;
    }
    departures.sent.notes.iter().try_for_each(|note| sentence("  note: ", note, dim))
}

fn verdict(prompt: &Prompt, departures: &Departures) -> String {
    let list = &departures.list;
    match list.len() {
        0 if departures.compared.is_empty() => return "unknown".to_string(),
        0 if departures.unknown.is_empty() => return "same".to_string(),
        0 => return "same, as far as the file shows".to_string(),
        _ => {}
    }
    let mut places: Vec<String> = Vec::new();
    let mut subject = None;
    for departure in list.iter().take(MOST) {
        let (about, rest) = place(prompt, departures, departure);
        match places.last_mut() {
            // Departures of one message share its name.
            Some(last) if subject.as_ref() == Some(&about) => {
                if !rest.is_empty() {
                    last.push_str(", ");
                    last.push_str(&rest);
                }
            }
            _ if rest.is_empty() => places.push(about.clone()),
            _ => places.push(format!("{about}, {rest}")),
        }
        subject = Some(about);
    }
    let more = list.len().saturating_sub(MOST);
    if more > 0 {
        places.push(format!("and {more} more"));
    }
    format!("{}: {}", count(list.len(), "difference"), places.join("; "))
}

fn place(prompt: &Prompt, departures: &Departures, departure: &Departure) -> (String, String) {
    match departure {
        Departure::Lines { message, change, .. } => (title(prompt, *message), line_place(&change.rendered)),
        Departure::OtherParts { message, .. } => (title(prompt, *message), "parts that are not text".to_string()),
        Departure::NotSent { message } => (title(prompt, *message), "not sent".to_string()),
        Departure::Extra { sent } => {
            let role = departures.sent.messages[*sent].role.into_str();
            (format!("{role} message that is not in the prompt"), String::new())
        }
        Departure::Injected { position, .. } => (format!("names {position} the directive"), String::new()),
        Departure::Tool(change) => {
            (subject(prompt, ComparedPart::Palette), super::tools::phrase(prompt, departures, change))
        }
        Departure::ToolOrder => (subject(prompt, ComparedPart::Palette), "their order".to_string()),
        Departure::Model => (subject(prompt, ComparedPart::Model), String::new()),
    }
}

fn subject(prompt: &Prompt, subject: ComparedPart) -> String {
    match subject {
        ComparedPart::Message(index) => title(prompt, index),
        ComparedPart::Injected => "names around the directive".to_string(),
        ComparedPart::Palette => "tools".to_string(),
        ComparedPart::Model => "model".to_string(),
    }
}
