//! The summary of the departures, and what each is called in the summary and in its heading.

use crate::answer::explain::sent::{ComparedPart, Departure, Departures, title};
use crate::prompt::Prompt;
use crate::text::numbers::count;
use crate::write::layout::line_place;
use crate::write::report::{Report, word, words};
use crate::write::theme::{DIM, STRONG};

const MOST: usize = 12;

pub fn report(prompt: &Prompt, departures: &Departures, report: &mut Report) {
    let kind = format!("sent: {}", departures.kind.phrase());
    let facts = word(STRONG, prompt.subject.name()).word(DIM, &prompt.protocol).word(DIM, &kind);
    report.phrases("  ", "", "  ", facts);

    let mut sentence = |lead: &str, text: &str, style| report.marked(style, lead, "  ", words(style, text));
    sentence("sent request: ", &verdict(prompt, departures), STRONG);
    let subjects = |all: &[ComparedPart]| all.iter().map(|it| subject(prompt, *it)).collect::<Vec<_>>().join(", ");
    if departures.compared.is_empty() {
        sentence("  ", "nothing in the file could be compared", DIM);
    } else {
        sentence("  compared: ", &subjects(&departures.compared), DIM);
    }
    if !departures.unknown.is_empty() {
        sentence("  not in the file: ", &subjects(&departures.unknown), DIM);
    }
    if departures.later > 0 {
        let later = count(departures.later, "later message");
        sentence("  ", &format!("{later} of the thread, from the model's first answer on, not compared"), DIM);
    }
    if departures.own > 0 {
        let own = count(departures.own, "other message");
        sentence("  ", &format!("{own} that no file decides: the agent's own, and what you typed"), DIM);
    }
    departures.notes.iter().for_each(|note| sentence("  note: ", note, DIM));
}

fn verdict(prompt: &Prompt, departures: &Departures) -> String {
    let list = &departures.list;
    match list.len() {
        0 if departures.compared.is_empty() => return "unknown".to_string(),
        0 if departures.unknown.is_empty() => return "same".to_string(),
        0 => return "same, as far as the file shows".to_string(),
        _ => {}
    }
    let shown: Vec<_> = list.iter().take(MOST).map(|departure| describe(prompt, departure)).collect();
    // Departures of one message share its name.
    let same = shown.chunk_by(|one, next| one.subject == next.subject).map(|same| {
        let what = same.iter().map(|words| words.what.as_str()).filter(|what| !what.is_empty());
        [same[0].subject.as_str()].into_iter().chain(what).collect::<Vec<_>>().join(", ")
    });
    let more = list.len().saturating_sub(MOST);
    let more = (more > 0).then(|| format!("and {more} more"));
    let places: Vec<String> = same.chain(more).collect();
    format!("{}: {}", count(list.len(), "difference"), places.join("; "))
}

pub struct DepartureWords {
    pub heading: [String; 2],
    /// What departs: `user message`.
    pub subject: String,
    /// How it departs; empty if the subject says so.
    pub what: String,
}

pub fn describe(prompt: &Prompt, departure: &Departure) -> DepartureWords {
    const MARKS: &str = "- rendered  + sent";
    let both = |message: &usize, place: &str, what: String| {
        let subject = title(prompt, *message);
        DepartureWords { heading: [subject.clone(), format!("{MARKS} ({place})")], subject, what }
    };
    let of_part = |part: ComparedPart, what: String| {
        let subject = subject(prompt, part);
        DepartureWords { heading: [subject.clone(), MARKS.to_string()], subject, what }
    };
    match departure {
        Departure::Lines { message, place, change } => both(message, place, line_place(&change.rendered.range())),
        Departure::OtherParts { message, place, .. } => both(message, place, "parts that are not text".to_string()),
        Departure::MessageNotSent { message } => {
            let (subject, what) = (title(prompt, *message), "not sent".to_string());
            DepartureWords { heading: [subject.clone(), what.clone()], subject, what }
        }
        Departure::MessageExtra { role, place, .. } => DepartureWords {
            heading: [format!("{role} message"), format!("not in the prompt ({place})")],
            subject: format!("{role} message that is not in the prompt"),
            what: String::new(),
        },
        Departure::Injected { position, .. } => DepartureWords {
            subject: format!("names {position} the directive"),
            ..of_part(ComparedPart::Injected, String::new())
        },
        Departure::ToolNotSent { .. } | Departure::ToolExtra { .. } | Departure::ToolChanged { .. } => {
            let (name, what) = tool(departure);
            of_part(ComparedPart::Palette, format!("{name} {what}"))
        }
        Departure::ToolOrder => of_part(ComparedPart::Palette, "their order".to_string()),
        Departure::Model { .. } => of_part(ComparedPart::Model, String::new()),
    }
}

/// The name of a tool, and how it departs; empty for other departures.
pub fn tool(departure: &Departure) -> (&str, &'static str) {
    match departure {
        Departure::ToolNotSent { name, .. } => (name, "not sent"),
        Departure::ToolExtra { name, .. } => (name, "not in the palette"),
        Departure::ToolChanged { name, description, schema, .. } => match (description, schema) {
            (true, true) => (name, "with a different description and schema"),
            (true, false) => (name, "with a different description"),
            (false, _) => (name, "with a different schema"),
        },
        _ => ("", ""),
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
