//! Answers for people: lines of the view, and the prompt's text with a margin. Nothing depends on colour.

mod blame;
mod capabilities;
mod condition;
mod from;
mod hooks;
mod inputs;
mod plan;
mod repository;
mod sent;
mod settings;
mod why;

use std::io;

use owo_colors::Style;

use super::{ExplainView, Explanation};
use crate::prompt::Prompt;
use crate::write::layout::{Flow, Spread, Word, heading, what_if};

const WIDTHS: (usize, usize) = (40, 200);

const HANG: &str = "  ";

impl ExplainView {
    fn heading(&self, left: &str, right: &str, out: &mut dyn io::Write) -> io::Result<()> {
        heading(left, right, self.theme, self.width, out)
    }

    fn flow<'a>(&self, lead: &'a str, hang: &'a str) -> Flow<'a> {
        Flow::plain(lead, hang, self.theme, self.width)
    }

    fn spread<'a>(&self, lead: &'a str, fill: char, style: Style) -> Spread<'a> {
        Spread { lead, fill, style, width: self.width }
    }
}

fn title(prompt: &Prompt, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let (strong, dim) = (view.theme.strong(), view.theme.dim());
    let mut facts = vec![Word::new(prompt.subject.name(), strong), Word::new(&prompt.protocol, dim)];
    facts.extend(prompt.installed_phrase().map(|installed| Word::new(&installed, dim)));
    if prompt.subject.directive().is_some() || !prompt.model.effective.is_empty() {
        facts.push(Word::new(&format!("model {}", prompt.model.effective), dim));
    }
    Flow { between: "  ", ..view.flow("", HANG) }.write(&facts, out)
}

pub fn write(prompt: &Prompt, answer: &Explanation, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let view = &ExplainView { width: view.width.clamp(WIDTHS.0, WIDTHS.1), ..*view };
    what_if(&prompt.what_if, view.theme, view.width, out)?;
    match answer {
        Explanation::Plan => plan::write(prompt, view, out),
        Explanation::Blame(lines) => blame::write(prompt, lines, view, out),
        Explanation::From(occurrences) => from::write(prompt, occurrences, view, out),
        Explanation::Why(reasons) => why::write(prompt, reasons, view, out),
        Explanation::Inputs => inputs::write(prompt, view, out),
        Explanation::Settings => settings::write(prompt, view, out),
        Explanation::Hooks => hooks::write(prompt, view, out),
        Explanation::Capabilities(tree) => capabilities::write(prompt, tree.as_ref(), view, out),
        Explanation::Sent(departures) => sent::write(prompt, departures, view, out),
    }
}
