//! A list as tables, one for each kind.

use std::io;

use unicode_width::UnicodeWidthStr;

use super::{ListEntry, ListResult, ListView};
use crate::prompt::PromptSubject;
use crate::text::numbers::{count, thousands};
use crate::text::visible::visible_line;
use crate::write::report::{Report, word, words};
use crate::write::screen::Screen;
use crate::write::theme::{DIM, PLAIN, STRONG, of_tier};

/// The maximum width of a table, in columns.
const WIDEST_TABLE: usize = 120;
/// The maximum widths of the name and tier columns; longer values push the rest to the next line.
const WIDEST: (usize, usize) = (40, 16);

pub(super) fn write(list: &ListResult, view: &ListView, out: &mut dyn io::Write) -> io::Result<()> {
    let width = view.screen.width.min(WIDEST_TABLE);
    let mut report = Report::new(Screen { width, ..view.screen }, out);
    let subject = list.folder.clone().map(PromptSubject::Folder);
    if let Some(folder) = &list.folder {
        report.phrases("  ", "", "  ", word(STRONG, folder).word(DIM, &list.protocol));
    }
    let columns = ListColumns::new(list, subject.as_ref(), width);
    let mut is_first = list.folder.is_none();
    for &kind in &list.kinds {
        let of_kind: Vec<&ListEntry> = list.entries.iter().filter(|entry| entry.kind == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            report.blank();
        }
        report.heading((STRONG, kind.plural()), (DIM, &numbers(&of_kind)));
        of_kind.iter().for_each(|entry| columns.entry(entry, &mut report));
    }
    if list.entries.is_empty() {
        report.row(word(PLAIN, "Nothing found."));
        return report.finish();
    }
    let is_of_several = list.entries.iter().any(|entry| !entry.agents.is_empty());
    let tokens = if is_of_several { "tokens: the most that it adds" } else { "tokens: what it adds to a prompt" };
    report.blank();
    report.phrases("   ", "", "", word(DIM, "● in use").word(DIM, "○ left out").word(DIM, tokens));
    report.finish()
}

/// `3 in use, 1 left out, 120 tokens`
fn numbers(of_kind: &[&ListEntry]) -> String {
    let in_use: Vec<&&ListEntry> = of_kind.iter().filter(|entry| entry.left_out.is_none()).collect();
    let tokens = count(in_use.iter().map(|entry| entry.tokens).sum(), "token");
    let left_out = match of_kind.len() - in_use.len() {
        0 => String::new(),
        some => format!(", {} left out", thousands(some)),
    };
    format!("{} in use{left_out}, {tokens}", thousands(in_use.len()))
}

struct ListColumns<'a> {
    subject: Option<&'a PromptSubject>,
    width: usize,
    name: usize,
    tier: usize,
    tokens: usize,
}

impl<'a> ListColumns<'a> {
    fn new(list: &ListResult, subject: Option<&'a PromptSubject>, width: usize) -> Self {
        let mut columns = Self { subject, width, name: 0, tier: 0, tokens: 0 };
        for entry in &list.entries {
            columns.name = columns.name.max(columns.shown(entry).width()).min(WIDEST.0);
            columns.tier = columns.tier.max(entry.tier.width()).min(WIDEST.1);
            columns.tokens = columns.tokens.max(thousands(entry.tokens).len());
        }
        columns
    }

    /// The name; if it is a path, relative to the folder.
    fn shown(&self, entry: &ListEntry) -> String {
        let name = self.subject.map_or(entry.name.as_str().into(), |subject| subject.short(&entry.name));
        visible_line(&name).into_owned()
    }

    fn entry(&self, entry: &ListEntry, report: &mut Report) {
        let (lead, style) = if entry.left_out.is_none() { ("  ● ", of_tier(&entry.tier)) } else { ("  ○ ", DIM) };
        let name = word(style, lead).word(style, &self.shown(entry));
        let line = report.begin(name, lead.width() + self.name, 2).word(style, &entry.tier);
        let end_of_tier = lead.width() + self.name + 2 + self.tier;
        let used = end_of_tier + 2 + self.tokens + 2;
        let agents: Vec<&str> = entry.agents.iter().map(|reader| reader.agent.as_str()).collect();
        let agents = Some(agents.join(", ")).filter(|agents| !agents.is_empty());
        let phrase = entry.trust.as_ref().map(|trust| visible_line(&trust.phrase()).into_owned()).or(agents);
        let (beside, below) = match phrase {
            Some(phrase) if used + phrase.width() <= self.width => (format!("  {phrase}"), None),
            phrase => (String::new(), phrase),
        };
        let numbers = format!("{:>1$}{beside}", thousands(entry.tokens), self.tokens);
        report.row(line.up_to(end_of_tier).word(PLAIN, "  ").word(DIM, &numbers));
        let why = entry.left_out.as_ref().map(|left_out| left_out.why.clone());
        for sentence in below.into_iter().chain(why) {
            report.line("      ", "        ", words(DIM, &sentence));
        }
    }
}
