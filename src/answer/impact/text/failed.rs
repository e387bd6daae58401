use std::io;

use owo_colors::Style;

use crate::answer::diff::DiffView;
use crate::answer::impact::Impact;
use crate::diagnostic::{Diagnostic, Location, Severity};
use crate::text::numbers::count;
use crate::write::layout::{Word, punctuate, words};

/// Writes the directives that cannot be rendered, each with its worst error.
pub fn write(impact: &Impact, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    if impact.failed.is_empty() {
        return Ok(());
    }
    let theme = view.theme;
    view.heading(&format!("{} cannot be rendered", count(impact.failed.len(), "prompt")), "not compared", out)?;
    for failed in &impact.failed {
        writeln!(out, "  {}", Word::new(&failed.id, theme.strong()))?;
        for (title, errors) in impact.title.as_ref().zip(failed.errors.as_ref()).into_array() {
            let Some(error) = worst(errors) else { continue };
            let mut line = vec![Word::new(title, theme.dim()).colon()];
            line.extend(message(error, view));
            if errors.len() > 1 {
                line.extend(words(&format!("(and {} more)", errors.len() - 1), theme.dim()));
            }
            view.flow("    ", "      ").write(&line, out)?;
        }
    }
    Ok(())
}

/// The first error, or else the first warning.
pub fn worst(errors: &[Diagnostic]) -> Option<&Diagnostic> {
    errors.iter().find(|error| error.severity() == Severity::Error).or(errors.first())
}

/// Tier, path and line.
pub fn place(error: &Diagnostic) -> Option<(&str, &str, Option<usize>)> {
    match error.at.as_ref()? {
        Location::Span(span) => Some((span.source().tier(), span.source().path(), Some(span.line()))),
        Location::File { tier, path, position, .. } => Some((tier, path, position.map(|position| position.line))),
    }
}

/// The first line of the message, and its place.
fn message(error: &Diagnostic, view: &DiffView) -> Vec<Word> {
    let theme = view.theme;
    let message = error.message();
    let mut line: Vec<Word> = words(message.lines().next().unwrap_or_default(), Style::new()).collect();
    if let Some((tier, path, at)) = place(error) {
        punctuate(&mut line, ",");
        if !tier.is_empty() {
            line.push(Word::new(tier, theme.tier(tier)).glued());
        }
        let at = at.map(|at| format!(":{at}")).unwrap_or_default();
        line.push(Word::new(&format!("{path}{at}"), Style::new()));
    }
    line
}
