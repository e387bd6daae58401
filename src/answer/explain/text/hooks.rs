//! Every hook in evaluation order: its declaration, actions, condition and verdict.

use std::io;

use owo_colors::Style;

use super::condition::ConditionTree;
use crate::answer::explain::ExplainView;
use crate::answer::explain::hooks::{action_phrase, placement};
use crate::prompt::{HookRun, HookVerdict, Prompt};
use crate::text::numbers::count;
use crate::write::layout::{Flow, Word, located, with_place, words};

const INDENT: &str = "    ";

pub fn write(prompt: &Prompt, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let (strong, dim) = (view.theme.strong(), view.theme.dim());
    let mut facts = vec![Word::new(prompt.subject.name(), strong), Word::new(&prompt.protocol, dim)];
    facts.extend(counts(&prompt.hooks).iter().map(|what| Word::new(what, dim)));
    Flow { between: "  ", ..view.flow("", "  ") }.write(&facts, out)?;
    if prompt.hooks.is_empty() {
        let sentence = "No hook is considered: no file declares one, or this mode or protocol has none.";
        return view.flow("", "").say(sentence, dim, out);
    }
    for runs in prompt.hooks.chunk_by(|one, next| one.hook.event == next.hook.event) {
        writeln!(out)?;
        let event = match runs[0].hook.event.as_str() {
            "" => "no event",
            event => event,
        };
        view.heading(event, &count(runs.len(), "hook"), out)?;
        for run in runs {
            hook(run, view, out)?;
        }
    }
    writeln!(out, "\n{}", dim.style("● applies   ○ does not   ? depends on a value that is not known here"))
}

/// `6 hooks`, `2 apply`, `1 unknown`.
fn counts(hooks: &[HookRun]) -> Vec<String> {
    let of = |verdict| hooks.iter().filter(|run| run.verdict == verdict).count();
    let mut counts = vec![count(hooks.len(), "hook")];
    match of(HookVerdict::Applies) {
        0 => {}
        1 => counts.push("1 applies".to_string()),
        several => counts.push(format!("{several} apply")),
    }
    match of(HookVerdict::Unknown) {
        0 => {}
        unknown => counts.push(format!("{unknown} unknown")),
    }
    counts
}

fn hook(run: &HookRun, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let HookRun { hook, judgement, verdict, why, by, .. } = run;
    let dim = view.theme.dim();
    let (mark, style) = match verdict {
        HookVerdict::Applies => ("● ", view.theme.strong()),
        HookVerdict::Unknown => ("? ", view.theme.strong()),
        _ => ("○ ", dim),
    };
    let (name, phrase) = (Word::new(hook.name(), style), Word::new(verdict.phrase(), style));
    view.spread(mark, ' ', style).write(&name, &phrase, out)?;
    let line = view.flow(INDENT, "      ");
    if *why != judgement.why() {
        let span = by.as_ref().and_then(|by| by.span.as_ref());
        line.write(&with_place(words(why, Style::new()).collect(), span, view.theme), out)?;
    }
    if let Some(span) = &hook.span {
        line.write(&located(span, &span.line().to_string(), view.theme), out)?;
    }
    line.say(&placement(hook), dim, out)?;
    for (index, action) in hook.actions.iter().enumerate() {
        let mut sentence: Vec<_> = words(&action_phrase(action), Style::new()).collect();
        let result = run.results.get(index).filter(|result| !result.outcome.is_in_use());
        if let Some(result) = result {
            sentence.extend(words(&format!("─ {}: {}", result.outcome.phrase(), result.why), dim));
        }
        line.write(&sentence, out)?;
    }
    ConditionTree::new(judgement).write(INDENT.len(), view, out)
}

#[cfg(test)]
mod tests;
