use std::io;

use owo_colors::Style;

use super::DifferenceWriter;
use crate::answer::diff::Difference;
use crate::answer::diff::summary::{all_tokens, cache, cost, not_compared, remarks, sameness, verdict};
use crate::text::numbers::count;
use crate::write::layout::{Word, words};

impl DifferenceWriter<'_> {
    /// Writes one line about prompts that are the same.
    pub fn same(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let (strong, dim) = (self.view.theme.strong(), self.view.theme.dim());
        let Difference { left, right, .. } = self.difference;
        let title = Word::new(&right.title, strong);
        // The root of a repository, as in `HEAD:`, has a colon already.
        let title = if right.title.ends_with(':') { title } else { title.colon() };
        let mut line = vec![Word::new(&left.title, strong), Word::new("and", dim), title];
        line.extend(words(&format!("{},", sameness(self.difference)), Style::new()));
        line.push(Word::new(&count(all_tokens(self.difference).right, "token"), dim));
        if let Some(remark) = not_compared(self.difference) {
            line.extend(words(&format!("({remark})"), dim));
        }
        self.view.flow("", "  ").write(&line, out)
    }

    /// Writes the sides, the verdict, and the remarks that a reader needs to understand the rest.
    pub fn header(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let Self { difference, view, .. } = self;
        let dim = view.theme.dim();
        let title = Word::new(&format!("{} → {}", difference.left.title, difference.right.title), view.theme.strong());
        view.spread("", dim).write(&title, &Word::new(&cost(difference), dim), out)?;
        view.flow("", "  ").say(&verdict(difference, str::to_string), Style::new(), out)?;
        for side in difference.sides().into_array() {
            if let Some(source) = side.kind.phrase() {
                let mut line = vec![Word::new(&side.title, dim), Word::new("is", dim)];
                line.extend(words(source, dim));
                view.flow("  ", "    ").write(&line, out)?;
            }
        }
        remarks(difference).iter().try_for_each(|remark| view.sentence(remark, out))
    }

    /// Writes what the difference means for a cache.
    pub fn end(&self, out: &mut dyn io::Write) -> io::Result<()> {
        if !self.difference.is_on_both() {
            return Ok(());
        }
        writeln!(out)?;
        let line = format!("cache: {}", cache(self.difference, str::to_string));
        self.view.flow("", "  ").say(&line, Style::new(), out)
    }
}
