//! Answers for people: lines of the view, and the prompt's text with a margin. Nothing depends on colour.

mod blame;
mod capabilities;
mod condition;
mod from;
mod hooks;
mod inputs;
mod plan;
mod sent;
mod settings;
mod why;

use std::io;

use super::{ExplainView, Explanation};
use crate::prompt::Prompt;
use crate::write::report::{Report, word};
use crate::write::theme::{DIM, STRONG};

const HANG: &str = "  ";

/// What the prompt is.
fn title(prompt: &Prompt, report: &mut Report) {
    let mut facts = word(STRONG, prompt.subject.name()).word(DIM, &prompt.protocol);
    if let Some(installed) = prompt.installed_phrase() {
        facts = facts.word(DIM, &installed);
    }
    if prompt.subject.directive().is_some() || !prompt.model.effective.is_empty() {
        facts = facts.word(DIM, &format!("model {}", prompt.model.effective));
    }
    report.phrases("  ", "", HANG, facts);
}

pub fn write(prompt: &Prompt, answer: &Explanation, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let mut written = Report::new(view.screen, out);
    let report = &mut written;
    report.what_if(&prompt.what_if);
    match answer {
        Explanation::Plan => plan::report(prompt, view, report),
        Explanation::Blame(lines) => blame::report(prompt, lines, view, report),
        Explanation::From(occurrences) => from::report(prompt, occurrences, view, report),
        Explanation::Why(reasons) => why::report(prompt, reasons, view, report),
        Explanation::Inputs => inputs::report(prompt, report),
        Explanation::Settings => settings::report(prompt, report),
        Explanation::Hooks => hooks::report(prompt, view, report),
        Explanation::Capabilities(tree) => capabilities::report(prompt, tree.as_ref(), report),
        Explanation::Sent(departures) => sent::report(prompt, departures, view, report),
    }
    written.finish()
}
