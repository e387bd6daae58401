use std::io;

use owo_colors::Style;

use crate::answer::diff::DiffView;
use crate::answer::impact::Impact;
use crate::write::layout::{Word, punctuate, words};

/// Writes the directives that cannot be rendered, each with its worst error.
pub fn write(impact: &Impact, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let Some(failures) = impact.failures() else { return Ok(()) };
    let theme = view.theme;
    view.heading(&failures, "not compared", out)?;
    for failed in &impact.failed {
        writeln!(out, "  {}", Word::new(&failed.id, theme.strong()))?;
        for error in failed.worst(impact) {
            let mut line = vec![Word::new(error.side, theme.dim()).colon()];
            line.extend(words(&error.message, Style::new()));
            if !error.path.is_empty() {
                punctuate(&mut line, ",");
                line.push(Word::new(error.tier, theme.tier(error.tier)).glued());
                line.push(Word::new(&error.path, Style::new()));
            }
            line.extend(error.more.iter().flat_map(|more| words(more, theme.dim())));
            view.flow("    ", "      ").write(&line, out)?;
        }
    }
    Ok(())
}
