//! The path by which something got into the prompt, one step per line.

use std::collections::HashMap;
use std::io;

use super::condition::ConditionTree;
use crate::answer::explain::ExplainView;
use crate::answer::explain::why::{WhyPath, WhyPaths};
use crate::prompt::Prompt;
use crate::text::Span;
use crate::text::numbers::thousands;
use crate::write::layout::{Word, lines_of, punctuate, words};
use crate::write::theme::Theme;

const CONDITION: &str = "      ";

pub fn write(prompt: &Prompt, reasons: &WhyPaths, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let mut again: HashMap<usize, usize> = HashMap::new();
    for first in reasons.paths.iter().filter_map(|path| path.again) {
        *again.entry(first).or_default() += 1;
    }
    for (index, path) in reasons.paths.iter().enumerate() {
        if path.again.is_some() {
            continue;
        }
        if index > 0 {
            writeln!(out)?;
        }
        self::path(prompt, path, view, out)?;
        let more = match again.get(&index) {
            None => continue,
            Some(1) => "and one more duplicate".to_string(),
            Some(more) => format!("and {} more duplicates", thousands(*more)),
        };
        view.flow("  ", "    ").say(&more, view.theme.dim(), out)?;
    }
    if !reasons.paths.is_empty() {
        return Ok(());
    }
    let dim = view.theme.dim();
    let is_permitted = reasons.unrequested.iter().any(|item| item.permission.is_some());
    writeln!(out, "{}", if is_permitted { "It is not in the prompt." } else { "Nothing in this prompt requests it." })?;
    for item in &reasons.unrequested {
        let what = words(&item.what, view.theme.strong()).collect();
        view.flow("  ", "    ").write(&with_lines(what, item.span.as_ref(), view.theme), out)?;
        let why = words(&item.why, dim).collect();
        view.flow("    ", "    ").write(&with_lines(why, item.permission.as_ref(), view.theme), out)?;
    }
    Ok(())
}

fn path(prompt: &Prompt, path: &WhyPath, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let dim = view.theme.dim();
    let name = if path.is_in_use { view.theme.strong() } else { dim };
    view.spread("", ' ', dim).write(&Word::new(&path.title, name), &Word::new(path.outcome, dim), out)?;
    for (index, step) in path.steps.iter().enumerate() {
        let lead = if index == 0 { "  " } else { "  → " };
        let line = with_lines(words(&step.what, owo_colors::Style::new()).collect(), step.span.as_ref(), view.theme);
        view.flow(lead, "    ").write(&line, out)?;
        if let Some(judged) = path.hook.filter(|judged| judged.step == index)
            && !prompt.hooks[judged.index].judgement.condition.is_empty()
        {
            ConditionTree::new(&prompt.hooks[judged.index].judgement).write(CONDITION.len(), view, out)?;
        }
    }
    Ok(())
}

/// A sentence, a comma and `project .ai/knowledge/rules.md:6-20`.
pub fn with_lines(mut sentence: Vec<Word>, span: Option<&Span>, theme: Theme) -> Vec<Word> {
    if let Some(span) = span {
        punctuate(&mut sentence, ",");
        sentence.extend(lines_of(span, theme));
    }
    sentence
}
