//! The path by which something got into the prompt, one step per line.

use std::collections::HashMap;

use super::condition::condition;
use crate::answer::explain::ExplainView;
use crate::answer::explain::why::{WhyPath, WhyPaths};
use crate::prompt::Prompt;
use crate::text::numbers::thousands;
use crate::write::report::{Report, word, words};
use crate::write::theme::{DIM, PLAIN, STRONG};

const CONDITION: usize = 6;

pub fn report(prompt: &Prompt, reasons: &WhyPaths, view: &ExplainView, report: &mut Report) {
    let mut again: HashMap<usize, usize> = HashMap::new();
    for first in reasons.paths.iter().filter_map(|path| path.again) {
        *again.entry(first).or_default() += 1;
    }
    for (index, path) in reasons.paths.iter().enumerate().filter(|(_, path)| path.again.is_none()) {
        if index > 0 {
            report.blank();
        }
        self::path(prompt, path, view, report);
        let more = match again.get(&index) {
            None => continue,
            Some(1) => "and one more duplicate".to_string(),
            Some(more) => format!("and {} more duplicates", thousands(*more)),
        };
        report.line("  ", "    ", words(DIM, &more));
    }
    if !reasons.paths.is_empty() {
        return;
    }
    let is_permitted = reasons.unrequested.iter().any(|item| item.permission.is_some());
    let verdict = if is_permitted { "It is not in the prompt." } else { "Nothing in this prompt requests it." };
    report.row(word(PLAIN, verdict));
    for item in &reasons.unrequested {
        report.line("  ", "    ", words(STRONG, &item.what).at_lines(item.span.as_ref()));
        report.line("    ", "    ", words(DIM, &item.why).at_lines(item.permission.as_ref()));
    }
}

fn path(prompt: &Prompt, path: &WhyPath, view: &ExplainView, report: &mut Report) {
    let style = if path.is_in_use { STRONG } else { DIM };
    report.spread(DIM, "", (style, &path.title), (DIM, path.outcome));
    for (index, step) in path.steps.iter().enumerate() {
        let lead = if index == 0 { "  " } else { "  → " };
        report.line(lead, "    ", words(PLAIN, &step.what).at_lines(step.span.as_ref()));
        let judged = path.hook.filter(|judged| judged.step == index);
        let judgement = judged.map(|judged| &prompt.hooks[judged.index].judgement);
        if let Some(judgement) = judgement.filter(|judgement| !judgement.condition.is_empty()) {
            condition(judgement, CONDITION, view, report);
        }
    }
}
