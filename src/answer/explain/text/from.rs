//! Where lines of a file appear in messages, with origins as in `--blame`, and what else they do.

use super::blame;
use crate::answer::explain::ExplainView;
use crate::answer::explain::blame::line_count;
use crate::answer::explain::from::Occurrences;
use crate::prompt::Prompt;
use crate::text::numbers::count;
use crate::write::report::{Line, Report, word, words};
use crate::write::theme::{DIM, PLAIN, STRONG, of_tier};

pub fn report(prompt: &Prompt, found: &Occurrences, view: &ExplainView, report: &mut Report) {
    let say = |sentence: &str, report: &mut Report| {
        report.blank();
        report.line("", "", words(PLAIN, sentence));
    };
    place(found, report);
    if !found.lines.picked.is_empty() {
        let lines = found.lines.picked.iter().map(|picked| picked.selected()).sum();
        say(&format!("It appears in {} of the messages.", count(lines, "line")), report);
        blame::rows(prompt, &found.lines, view, report);
    }
    if !found.tools.is_empty() {
        say("It appears in the tool palette.", report);
    }
    for occurrence in &found.tools {
        let what = format!("the {} of {}", occurrence.part, occurrence.name);
        report.line("  ", "    ", words(PLAIN, &what).at_lines(Some(&occurrence.span)));
    }
    if !found.reasons.is_empty() {
        let occurs = !found.occurrences.is_empty() || !found.tools.is_empty();
        say(if occurs { "It also does this:" } else { "It appears in no message." }, report);
    }
    for reason in &found.reasons {
        report.line("  ", "    ", words(PLAIN, &reason.why).at_lines(reason.at.as_ref()));
    }
}

fn place(found: &Occurrences, report: &mut Report) {
    let source = &found.place.source;
    let tier = source.tier();
    let lines = match &found.place.lines {
        Some(lines) if lines.start() == lines.end() => format!(":{}", lines.start()),
        Some(lines) => format!(":{}-{}", lines.start(), lines.end()),
        None => String::new(),
    };
    let tier = if tier.is_empty() { Line::default() } else { word(of_tier(tier), tier).word(PLAIN, " ") };
    let line = tier.word(STRONG, &format!("{}{lines}", source.path()));
    let Some(text) = &found.place.text else {
        let lines = count(line_count(source.text()), "line");
        return report.row(line.word(PLAIN, "  ").word(DIM, &lines));
    };
    report.row(line);
    for line in text.text().split('\n') {
        report.quote(DIM, line);
    }
}
