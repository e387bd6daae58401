//! Where lines of a file appear in messages, with origins as in `--blame`, and what else they do.

use std::io;

use owo_colors::Style;

use super::blame;
use super::why::with_lines;
use crate::answer::explain::ExplainView;
use crate::answer::explain::blame::line_count;
use crate::answer::explain::from::Occurrences;
use crate::prompt::Prompt;
use crate::text::Span;
use crate::text::numbers::count;
use crate::write::layout::{Word, margin_text, words};

pub fn write(prompt: &Prompt, found: &Occurrences, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    place(found, view, out)?;
    let say = |sentence: &str, out: &mut dyn io::Write| {
        writeln!(out)?;
        view.flow("", "").say(sentence, Style::new(), out)
    };
    let item = |sentence: &str, span: Option<&Span>, out: &mut dyn io::Write| {
        let line = with_lines(words(sentence, Style::new()).collect(), span, view.theme);
        view.flow("  ", "    ").write(&line, out)
    };
    if !found.lines.picked.is_empty() {
        let lines = found.lines.picked.iter().map(|picked| picked.selected()).sum();
        say(&format!("It appears in {} of the messages.", count(lines, "line")), out)?;
        blame::rows(prompt, &found.lines, view, out)?;
    }
    if !found.tools.is_empty() {
        say("It appears in the tool palette.", out)?;
    }
    for occurrence in &found.tools {
        let what = format!("the {} of {}", occurrence.part, occurrence.name);
        item(&what, Some(&occurrence.span), out)?;
    }
    if found.reasons.is_empty() {
        return Ok(());
    }
    let occurs = !found.occurrences.is_empty() || !found.tools.is_empty();
    say(if occurs { "It also does this:" } else { "It appears in no message." }, out)?;
    found.reasons.iter().try_for_each(|reason| item(&reason.why, reason.at.as_ref(), out))
}

fn place(found: &Occurrences, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let source = &found.place.source;
    let (tier, theme) = (source.tier(), view.theme);
    if !tier.is_empty() {
        write!(out, "{} ", Word::new(tier, theme.tier(tier)))?;
    }
    let lines = match &found.place.lines {
        Some(lines) if lines.start() == lines.end() => format!(":{}", lines.start()),
        Some(lines) => format!(":{}-{}", lines.start(), lines.end()),
        None => String::new(),
    };
    write!(out, "{}", Word::new(&format!("{}{lines}", source.path()), theme.strong()))?;
    let Some(text) = &found.place.text else {
        return writeln!(out, "  {}", theme.dim().style(count(line_count(source.text()), "line")));
    };
    writeln!(out)?;
    for line in text.text().split('\n') {
        margin_text(line, theme.dim(), view.visible, theme, out)?;
    }
    Ok(())
}
