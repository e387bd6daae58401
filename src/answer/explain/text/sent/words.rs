//! What a departure is called in the summary and in its heading.

use crate::answer::explain::sent::{ComparedPart, Departure, title};
use crate::prompt::Prompt;
use crate::write::layout::line_place;

pub struct DepartureWords {
    pub heading: [String; 2],
    /// What departs: `user message`.
    pub subject: String,
    /// How it departs; empty if the subject says so.
    pub what: String,
}

pub fn words(prompt: &Prompt, departure: &Departure) -> DepartureWords {
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

pub fn subject(prompt: &Prompt, subject: ComparedPart) -> String {
    match subject {
        ComparedPart::Message(index) => title(prompt, index),
        ComparedPart::Injected => "names around the directive".to_string(),
        ComparedPart::Palette => "tools".to_string(),
        ComparedPart::Model => "model".to_string(),
    }
}
