//! A condition as a tree, a line for each part: question, truth, and the value that it saw.

use crate::answer::explain::ExplainView;
use crate::decide::condition::{Judgement, Truth};
use crate::read::item::condition::Form;
use crate::write::report::{Line, Report, word, words};
use crate::write::theme::{DIM, PLAIN};

const DEEPEST: usize = 12;

/// The width of `unknown`.
const TRUTH: usize = 7;

struct ConditionLine {
    indent: usize,
    question: String,
    truth: Option<Truth>,
    answer: String,
}

pub fn condition(judgement: &Judgement, indent: usize, view: &ExplainView, report: &mut Report) {
    if judgement.condition.is_empty() {
        return report.row(Line::default().up_to(indent).word(DIM, "no condition"));
    }
    let mut lines = Vec::new();
    collect(judgement, indent, 0, &mut lines);
    let fits = |column: &usize| *column <= view.screen.width / 2;
    let column = lines.iter().map(ConditionLine::end).filter(fits).max().unwrap_or(0);
    lines.iter().for_each(|line| line.add(column, view.screen.width, report));
}

impl ConditionLine {
    /// The column behind the question.
    fn end(&self) -> usize {
        self.indent + word(PLAIN, &self.question).width()
    }

    /// Side by side if they fit, else on separate lines.
    fn add(&self, column: usize, width: usize, report: &mut Report) {
        let Self { indent, question, truth, answer } = self;
        let said = truth.map_or("skipped", |it| it.into_str());
        let style = if *truth == Some(Truth::True) { PLAIN } else { DIM };
        let (lead, hang) = (" ".repeat(*indent), " ".repeat(indent + 4));

        let behind_question = column.max(self.end()) + 2;
        let behind_truth = behind_question + TRUTH + 2;
        if behind_question + TRUTH > width {
            report.line(&lead, &hang, words(PLAIN, question));
            let truth = if answer.is_empty() { word(style, said) } else { word(DIM, said).mark(":") };
            return report.line(&hang, &hang, truth.words(DIM, answer));
        }
        let question = word(if truth.is_none() { DIM } else { PLAIN }, question);
        let question = question.padded(column.saturating_sub(*indent));
        let whole = word(DIM, answer);
        if !answer.is_empty() && behind_truth + whole.width() <= width {
            return report.phrases("  ", &lead, &hang, question.word(style, said).padded(TRUTH).then(whole));
        }
        report.phrases("  ", &lead, &hang, question.word(style, said));
        if !answer.is_empty() {
            report.line(&hang, &hang, words(DIM, answer));
        }
    }
}

fn collect(judgement: &Judgement, indent: usize, depth: usize, lines: &mut Vec<ConditionLine>) {
    let (question, answer) = match &judgement.condition.form {
        Form::Always => ("an empty condition".to_string(), None),
        Form::Invalid(reason) => ("not a condition".to_string(), Some(reason.to_string())),
        Form::Comparison(comparison) => (judgement.question(comparison), judgement.answer(comparison)),
        Form::Not(_) => ("not".to_string(), None),
        Form::Any(_) => ("any".to_string(), None),
        Form::All(_) => ("all".to_string(), None),
    };
    lines.push(ConditionLine {
        indent: indent + 2 * depth.min(DEEPEST),
        question,
        truth: judgement.truth,
        answer: answer.unwrap_or_default(),
    });
    for child in &judgement.children {
        collect(child, indent, depth + 1, lines);
    }
}
