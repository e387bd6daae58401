//! Answers for people: our own lines, and the prompt's text behind a margin. Nothing depends on colour.

mod blame;
mod capabilities;
mod condition;
mod from;
mod hooks;
mod inputs;
mod plan;
mod sent;
mod why;

use std::io;

use super::{Answer, View};
use crate::layout::{Flow, Word, what_if};
use crate::prompt::Prompt;

/// The columns that the views can use well.
const WIDTHS: (usize, usize) = (40, 200);

/// Before the lines that follow the first of something.
const HANG: &str = "  ";

fn heading(prompt: &Prompt, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let (strong, dim) = (view.theme.strong(), view.theme.dim());
    let mut facts = vec![Word::new(prompt.subject.name(), strong), Word::new(&prompt.protocol, dim)];
    if prompt.subject.directive().is_some() || !prompt.model.effective.is_empty() {
        facts.push(Word::new(&format!("model {}", prompt.model.effective), dim));
    }
    Flow { lead: "", lead_style: dim, hang: HANG, between: "  ", width: view.width }.write(&facts, out)
}

pub fn write(prompt: &Prompt, answer: &Answer, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let view = &View { width: view.width.clamp(WIDTHS.0, WIDTHS.1), ..*view };
    what_if(&prompt.what_if, view.theme, view.width, out)?;
    match answer {
        Answer::Plan => plan::write(prompt, view, out),
        Answer::Blame(lines) => blame::write(prompt, lines, view, out),
        Answer::From(landings) => from::write(prompt, landings, view, out),
        Answer::Why(reasons) => why::write(prompt, reasons, view, out),
        Answer::Inputs => inputs::write(prompt, view, out),
        Answer::Hooks => hooks::write(prompt, view, out),
        Answer::Capabilities(tree) => capabilities::write(prompt, tree.as_ref(), view, out),
        Answer::Sent(departures) => sent::write(prompt, departures, view, out),
    }
}
