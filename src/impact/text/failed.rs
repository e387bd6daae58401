//! Directives that cannot be rendered, each with what is wrong first.

use std::io;

use owo_colors::Style;

use crate::diagnostic::{Diagnostic, Location, Severity};
use crate::diff::View;
use crate::diff::text::heading;
use crate::impact::Impact;
use crate::layout::{Flow, Word, count, words};

/// Writes them.
pub fn write(impact: &Impact, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    if impact.failed.is_empty() {
        return Ok(());
    }
    let theme = view.theme;
    heading(&format!("{} cannot be rendered", count(impact.failed.len(), "prompt")), "not compared", view, out)?;
    for failed in &impact.failed {
        writeln!(out, "  {}", Word::new(&failed.id, theme.strong()))?;
        let sides = [(&impact.title.left, &failed.errors.left), (&impact.title.right, &failed.errors.right)];
        for (title, errors) in sides {
            let Some(error) = worst(errors) else { continue };
            let mut line = vec![Word::new(title, theme.dim()).colon()];
            line.extend(told(error, view));
            if errors.len() > 1 {
                line.extend(words(&format!("(and {} more)", errors.len() - 1), theme.dim()));
            }
            Flow { lead: "    ", lead_style: theme.dim(), hang: "      ", between: " ", width: view.width }
                .write(&line, out)?;
        }
    }
    Ok(())
}

/// The first error; of warnings alone, the first of them.
pub fn worst(errors: &[Diagnostic]) -> Option<&Diagnostic> {
    errors.iter().find(|error| error.severity() == Severity::Error).or(errors.first())
}

/// The tier of a file, its path, and the line.
pub fn place(error: &Diagnostic) -> Option<(&str, &str, Option<usize>)> {
    match error.at.as_ref()? {
        Location::Span(span) => Some((span.source().tier(), span.source().path(), Some(span.line()))),
        Location::File { tier, path, position, .. } => Some((tier, path, position.map(|position| position.line))),
    }
}

/// The first line of what is wrong, and where.
fn told(error: &Diagnostic, view: &View) -> Vec<Word> {
    let theme = view.theme;
    let message = error.message();
    let mut line: Vec<Word> = words(message.lines().next().unwrap_or_default(), Style::new()).collect();
    if let Some((tier, path, at)) = place(error) {
        let last = line.pop().map(Word::comma);
        line.extend(last);
        if !tier.is_empty() {
            line.push(Word::new(tier, theme.tier(tier)).glued());
        }
        let at = at.map(|at| format!(":{at}")).unwrap_or_default();
        line.push(Word::new(&format!("{path}{at}"), Style::new()));
    }
    line
}
