//! What a repository alone hides from its readers, before the plan.

use std::io;

use owo_colors::Style;

use super::HANG;
use crate::answer::explain::ExplainView;
use crate::prompt::RepositoryOnly;
use crate::write::layout::{Word, words};

pub fn write(repository: &RepositoryOnly, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let (strong, dim) = (view.theme.strong(), view.theme.dim());
    writeln!(out, "{}", strong.style(repository.title()))?;
    for hidden in &repository.hidden {
        let mut line = vec![Word::new(&repository.place(hidden), strong).colon()];
        line.extend(words(&hidden.sentence(), dim));
        view.flow(HANG, "    ").write(&line, out)?;
        let text: Vec<Word> = words(&hidden.text, Style::new()).collect();
        view.flow("    │ ", "    │ ").write(&text, out)?;
    }
    if let Some(rest) = repository.rest() {
        view.flow(HANG, HANG).say(&rest, dim, out)?;
    }
    if let Some(title) = repository.waiting_title() {
        writeln!(out, "{}", strong.style(title))?;
    }
    for (path, clause) in repository.waits() {
        let mut line = vec![Word::new(path, strong).colon()];
        line.extend(words(clause, dim));
        view.flow(HANG, "    ").write(&line, out)?;
    }
    writeln!(out)
}
