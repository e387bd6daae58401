//! The trust of each part, and the least trusted part.

use std::io;

use super::HANG;
use crate::answer::explain::ExplainView;
use crate::answer::explain::plan::PlanRow;
use crate::prompt::Prompt;
use crate::prompt::{PartTrust, PromptTrust};
use crate::write::layout::{Word, with_place, words};
use crate::write::theme::Theme;

/// `None` if the signature was not checked, or if the part is not from a file.
pub fn line(prompt: &Prompt, row: &PlanRow, theme: Theme) -> Option<Vec<Word>> {
    Some(phrase(row.trust(prompt)?, theme).collect())
}

pub fn weakest(prompt: &Prompt, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let Some(weakest) = prompt.trust.as_ref().and_then(PromptTrust::weakest) else { return Ok(()) };
    let (theme, dim) = (view.theme, view.theme.dim());
    let mut sentence: Vec<Word> = words("weakest link:", dim).collect();
    sentence.push(Word::new(&weakest.title, theme.strong()).comma());
    sentence.extend(phrase(weakest, theme));
    let line = with_place(sentence, Some(&weakest.at), theme);
    writeln!(out)?;
    view.flow("  ", HANG).write(&line, out)
}

fn phrase(part: &PartTrust, theme: Theme) -> impl Iterator<Item = Word> + use<> {
    let style = match part.trust.holds(true) {
        true => theme.dim(),
        false => theme.message("warning"),
    };
    part.trust.phrase().split(' ').map(|word| Word::new(word, style)).collect::<Vec<_>>().into_iter()
}
