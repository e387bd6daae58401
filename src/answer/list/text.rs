//! A list as tables, one for each kind.

use std::io;

use owo_colors::Style;
use unicode_width::UnicodeWidthStr;

use super::{ListEntry, ListKind, ListResult, ListView};
use crate::prompt::PromptSubject;
use crate::text::numbers::count;
use crate::text::numbers::thousands;
use crate::text::visible::visible_line;
use crate::write::layout::{Flow, Spread, Word, words};

/// The minimum and maximum width of a table, in columns.
const WIDTHS: (usize, usize) = (40, 120);
/// The maximum widths of the name and tier columns; longer values push the rest to the next line.
const WIDEST: (usize, usize) = (40, 16);
const INDENT: &str = "      ";

pub(super) fn write(list: &ListResult, view: &ListView, out: &mut dyn io::Write) -> io::Result<()> {
    let view = &ListView { width: view.width.clamp(WIDTHS.0, WIDTHS.1), ..*view };
    let (strong, dim) = (view.theme.strong(), view.theme.dim());
    let subject = list.folder.clone().map(PromptSubject::Folder);
    if let Some(folder) = &list.folder {
        let facts = [Word::new(folder, strong), Word::new(&list.protocol, dim)];
        Flow { lead: "", lead_style: dim, hang: "  ", between: "  ", width: view.width }.write(&facts, out)?;
    }
    let columns = ListColumns::new(list, subject.as_ref(), view);
    let mut is_first = list.folder.is_none();
    for &kind in &list.kinds {
        let of_kind: Vec<&ListEntry> = list.entries.iter().filter(|entry| entry.kind == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            writeln!(out)?;
        }
        heading(kind, &of_kind, view, out)?;
        of_kind.iter().try_for_each(|entry| columns.entry(entry, out))?;
    }
    if list.entries.is_empty() {
        return writeln!(out, "Nothing found.");
    }
    let is_of_several = list.entries.iter().any(|entry| !entry.agents.is_empty());
    let tokens = if is_of_several { "tokens: the most that it adds" } else { "tokens: what it adds to a prompt" };
    let facts = ["● in use", "○ left out", tokens].map(|fact| Word::new(fact, dim));
    writeln!(out)?;
    Flow { lead: "", lead_style: dim, hang: "", between: "   ", width: view.width }.write(&facts, out)
}

fn heading(kind: ListKind, of_kind: &[&ListEntry], view: &ListView, out: &mut dyn io::Write) -> io::Result<()> {
    let in_use: Vec<&&ListEntry> = of_kind.iter().filter(|entry| entry.left_out.is_none()).collect();
    let tokens = count(in_use.iter().map(|entry| entry.tokens).sum(), "token");
    let left_out = match of_kind.len() - in_use.len() {
        0 => String::new(),
        some => format!(", {} left out", thousands(some)),
    };
    let numbers = format!("{} in use{left_out}, {tokens}", thousands(in_use.len()));
    let dim = view.theme.dim();
    Spread { lead: "━━ ", fill: '━', style: dim, width: view.width }.write(
        &Word::new(kind.plural(), view.theme.strong()),
        &Word::new(&numbers, dim),
        out,
    )
}

struct ListColumns<'a> {
    view: &'a ListView,
    subject: Option<&'a PromptSubject>,
    name: usize,
    tier: usize,
    tokens: usize,
}

impl<'a> ListColumns<'a> {
    fn new(list: &ListResult, subject: Option<&'a PromptSubject>, view: &'a ListView) -> Self {
        let mut columns = Self { view, subject, name: 0, tier: 0, tokens: 0 };
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

    fn entry(&self, entry: &ListEntry, out: &mut dyn io::Write) -> io::Result<()> {
        let theme = self.view.theme;
        let (dim, hue) = (theme.dim(), theme.tier(&entry.tier));
        let (lead, style) = if entry.left_out.is_none() { ("  ● ", hue) } else { ("  ○ ", dim) };
        write!(out, "{}", style.style(lead))?;
        let name = self.shown(entry);
        Word::new(&name, style).write(out)?;
        match self.name.checked_sub(name.width()) {
            Some(gap) => write!(out, "{:gap$}", "")?,
            None => write!(out, "\n{:1$}", "", lead.width() + self.name)?,
        }
        let tier = visible_line(&entry.tier);
        let (gap, tokens) = (self.tier.saturating_sub(tier.width()), thousands(entry.tokens));
        write!(out, "  {}{:gap$}  ", style.style(&tier), "")?;
        let used = lead.width() + self.name + self.tier + self.tokens + 6;
        let agents: Vec<&str> = entry.agents.iter().map(|reader| reader.agent.as_str()).collect();
        let agents = Some(agents.join(", ")).filter(|agents| !agents.is_empty());
        let phrase = entry.trust.as_ref().map(|trust| visible_line(&trust.phrase()).into_owned()).or(agents);
        let (beside, below) = match phrase {
            Some(phrase) if used + phrase.width() <= self.view.width => (format!("  {phrase}"), None),
            phrase => (String::new(), phrase),
        };
        writeln!(out, "{}", dim.style(format!("{tokens:>0$}{beside}", self.tokens)))?;
        let why = entry.left_out.as_ref().map(|left_out| left_out.why.clone());
        below.into_iter().chain(why).try_for_each(|sentence| self.line(&sentence, dim, out))
    }

    fn line(&self, sentence: &str, style: Style, out: &mut dyn io::Write) -> io::Result<()> {
        let line: Vec<Word> = words(sentence, style).collect();
        Flow { lead: INDENT, lead_style: style, hang: "        ", between: " ", width: self.view.width }
            .write(&line, out)
    }
}
