//! Every hook in evaluation order: its declaration, actions, condition and verdict.

use super::condition::condition;
use crate::answer::explain::ExplainView;
use crate::answer::explain::hooks::{action_phrase, placement};
use crate::prompt::{HookRun, HookVerdict, Prompt};
use crate::text::numbers::count;
use crate::write::report::{Report, line_of, word, words};
use crate::write::theme::{DIM, PLAIN, STRONG};

const INDENT: &str = "    ";

pub fn report(prompt: &Prompt, view: &ExplainView, report: &mut Report) {
    let facts = word(STRONG, prompt.subject.name()).word(DIM, &prompt.protocol);
    let facts = counts(&prompt.hooks).iter().fold(facts, |facts, what| facts.word(DIM, what));
    report.phrases("  ", "", "  ", facts);
    if prompt.hooks.is_empty() {
        let sentence = "No hook is considered: no file declares one, or this mode or protocol has none.";
        return report.line("", "", words(DIM, sentence));
    }
    for runs in prompt.hooks.chunk_by(|one, next| one.hook.event == next.hook.event) {
        let event = match runs[0].hook.event.as_str() {
            "" => "no event",
            event => event,
        };
        report.section(event, &count(runs.len(), "hook"));
        runs.iter().for_each(|run| hook(run, view, report));
    }
    report.blank();
    report.row(word(DIM, "● applies   ○ does not   ? depends on a value that is not known here"));
}

/// `6 hooks`, `2 apply`, `1 unknown`.
fn counts(hooks: &[HookRun]) -> Vec<String> {
    let of = |verdict| hooks.iter().filter(|run| run.verdict == verdict).count();
    let applying = match of(HookVerdict::Applies) {
        0 => None,
        1 => Some("1 applies".to_string()),
        several => Some(format!("{several} apply")),
    };
    let unknown = Some(of(HookVerdict::Unknown)).filter(|number| *number > 0);
    let unknown = unknown.map(|number| format!("{number} unknown"));
    [count(hooks.len(), "hook")].into_iter().chain(applying).chain(unknown).collect()
}

fn hook(run: &HookRun, view: &ExplainView, report: &mut Report) {
    let HookRun { hook, judgement, verdict, why, by, .. } = run;
    let (mark, style) = match verdict {
        HookVerdict::Applies => ("● ", STRONG),
        HookVerdict::Unknown => ("? ", STRONG),
        _ => ("○ ", DIM),
    };
    report.spread(style, mark, (style, hook.name()), (style, verdict.phrase()));
    let mut line = |line| report.line(INDENT, "      ", line);
    if *why != judgement.why() {
        let span = by.as_ref().and_then(|by| by.span.as_ref());
        line(words(PLAIN, why).at(span));
    }
    hook.span.iter().for_each(|span| line(line_of(span)));
    line(words(DIM, &placement(hook)));
    for (index, action) in hook.actions.iter().enumerate() {
        let sentence = words(PLAIN, &action_phrase(action));
        let result = run.results.get(index).filter(|result| !result.outcome.is_in_use());
        line(match result {
            Some(result) => sentence.words(DIM, &format!("─ {}: {}", result.outcome.phrase(), result.why)),
            None => sentence,
        });
    }
    condition(judgement, INDENT.len(), view, report);
}

#[cfg(test)]
mod tests;
