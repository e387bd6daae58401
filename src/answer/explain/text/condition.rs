//! A condition as a tree, a line for each part: question, truth, and the value that it saw.

use std::io;

use owo_colors::Style;

use crate::answer::explain::ExplainView;
use crate::decide::condition::{Judgement, Truth};
use crate::read::item::condition::Form;
use crate::write::layout::{Flow, Word, words};

const DEEPEST: usize = 12;

/// The width of `unknown`.
const TRUTH: usize = 7;

pub struct ConditionTree(Vec<ConditionLine>);

struct ConditionLine {
    depth: usize,
    question: String,
    truth: Option<Truth>,
    answer: Option<String>,
}

impl ConditionTree {
    /// `None` for an empty condition.
    pub fn new(judgement: &Judgement) -> Self {
        let mut lines = Vec::new();
        if !judgement.condition.is_empty() {
            collect(judgement, 0, &mut lines);
        }
        Self(lines)
    }

    pub fn write(&self, indent: usize, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
        if self.0.is_empty() {
            return writeln!(out, "{:indent$}{}", "", view.theme.dim().style("no condition"));
        }
        let questions = self.0.iter().map(|line| {
            let style = if line.truth.is_none() { view.theme.dim() } else { Style::new() };
            let indent = indent + 2 * line.depth.min(DEEPEST);
            (indent, Word::new(&line.question, style), line)
        });
        let questions: Vec<_> = questions.collect();
        let fits = |column: &usize| *column <= view.width / 2;
        let column = questions.iter().map(|(indent, word, _)| indent + word.width()).filter(fits).max().unwrap_or(0);
        for (indent, question, line) in questions {
            line.write(question, indent, column, view, out)?;
        }
        Ok(())
    }
}

impl ConditionLine {
    /// Side by side if they fit, else on separate lines.
    fn write(
        &self,
        question: Word,
        indent: usize,
        column: usize,
        view: &ExplainView,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        let dim = view.theme.dim();
        let word = self.truth.map_or("skipped", |it| it.into_str());
        let truth = Word::new(word, if self.truth == Some(Truth::True) { Style::new() } else { dim });
        let answer = self.answer.as_deref().unwrap_or_default();
        let (lead, hang) = (" ".repeat(indent), " ".repeat(indent + 4));
        let flow = |lead, between| Flow { between, ..view.flow(lead, &hang) };

        let behind_question = column.max(indent + question.width()) + 2;
        let behind_truth = behind_question + TRUTH + 2;
        if behind_question + TRUTH > view.width {
            flow(&lead, " ").say(&self.question, Style::new(), out)?;
            let truth = if answer.is_empty() { truth } else { Word::new(&format!("{word}:"), dim) };
            let rest = std::iter::once(truth).chain(words(answer, dim));
            return flow(&hang, " ").write(&rest.collect::<Vec<_>>(), out);
        }
        let question = question.padded(column.saturating_sub(indent));
        if answer.is_empty() {
            return flow(&lead, "  ").write(&[question, truth], out);
        }
        let whole = Word::new(answer, dim);
        if behind_truth + whole.width() <= view.width {
            return flow(&lead, "  ").write(&[question, truth.padded(TRUTH), whole], out);
        }
        flow(&lead, "  ").write(&[question, truth], out)?;
        flow(&hang, " ").say(answer, dim, out)
    }
}

fn collect(judgement: &Judgement, depth: usize, lines: &mut Vec<ConditionLine>) {
    let (question, answer) = match &judgement.condition.form {
        Form::Always => ("an empty condition".to_string(), None),
        Form::Invalid(reason) => ("not a condition".to_string(), Some(reason.to_string())),
        Form::Comparison(comparison) => (judgement.question(comparison), judgement.answer(comparison)),
        Form::Not(_) => ("not".to_string(), None),
        Form::Any(_) => ("any".to_string(), None),
        Form::All(_) => ("all".to_string(), None),
    };
    lines.push(ConditionLine { depth, question, truth: judgement.truth, answer });
    for child in &judgement.children {
        collect(child, depth + 1, lines);
    }
}
