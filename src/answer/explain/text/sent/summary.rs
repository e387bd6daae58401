//! The summary of the departures.

use std::io;

use super::words::{subject, words};
use crate::answer::explain::ExplainView;
use crate::answer::explain::sent::{ComparedPart, Departures};
use crate::prompt::Prompt;
use crate::text::numbers::count;
use crate::write::layout::{Flow, Word};

const MOST: usize = 12;

pub fn write(prompt: &Prompt, departures: &Departures, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let (strong, dim) = (view.theme.strong(), view.theme.dim());
    let kind = format!("sent: {}", departures.kind.phrase());
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
    if departures.own > 0 {
        let own = count(departures.own, "other message");
        sentence("  ", &format!("{own} that no file decides: the agent's own, and what you typed"), dim)?;
    }
    departures.notes.iter().try_for_each(|note| sentence("  note: ", note, dim))
}

fn verdict(prompt: &Prompt, departures: &Departures) -> String {
    let list = &departures.list;
    match list.len() {
        0 if departures.compared.is_empty() => return "unknown".to_string(),
        0 if departures.unknown.is_empty() => return "same".to_string(),
        0 => return "same, as far as the file shows".to_string(),
        _ => {}
    }
    let shown: Vec<_> = list.iter().take(MOST).map(|departure| words(prompt, departure)).collect();
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
