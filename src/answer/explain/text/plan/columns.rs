use std::io;

use owo_colors::Style;
use unicode_width::UnicodeWidthStr;

use crate::answer::explain::ExplainView;
use crate::answer::explain::plan::{Plan, PlanRow, PlanSize};
use crate::text::numbers::thousands;
use crate::text::visible::visible_line;
use crate::write::layout::{Flow, Word, bar, share, width_of};
use crate::write::theme::Theme;

/// From this width on, an entry is on one line if it fits.
const WIDE: usize = 100;
/// Below this width there are no bars and no places.
const NARROW: usize = 60;
const NAMES: (usize, usize) = (22, 44);
const WIDEST_PLACE: usize = 16;
pub const INDENT: &str = "      ";

pub fn tier<'a>(row: &PlanRow<'a>) -> &'a str {
    row.tool.and_then(|tool| tool.source.as_ref()).map_or("", |source| source.tier())
}

/// The columns of the table: name, place, bytes, tokens, share and a bar.
pub struct PlanColumns {
    theme: Theme,
    width: usize,
    total: usize,
    start: usize,
    place: usize,
    bytes: usize,
    tokens: usize,
    bar: usize,
}

impl PlanColumns {
    pub fn new(plan: &Plan, view: &ExplainView) -> Self {
        let rows = || plan.sections.iter().flat_map(|section| &section.rows);
        let longest = |of: fn(&PlanRow) -> usize| rows().map(of).max().unwrap_or_default();
        let place = |row: &PlanRow| row.place().len().max(tier(row).width());
        let is_narrow = view.width < NARROW;
        let mut columns = Self {
            theme: view.theme,
            width: view.width,
            total: plan.size.tokens,
            start: 0,
            place: if is_narrow { 0 } else { longest(place).clamp("chain".len(), WIDEST_PLACE) },
            bytes: thousands(plan.size.bytes).len().max("bytes".len()),
            tokens: thousands(plan.size.tokens).len().max("tokens".len()),
            bar: match view.width {
                ..NARROW => 0,
                NARROW..WIDE => 8,
                _ => 10,
            },
        };
        let right = view.width.saturating_sub(columns.block());
        let names = longest(|row| if row.is_guideline() { 0 } else { row.name.width() })
            .max(plan.chain.iter().map(|member| member.id.width()).max().unwrap_or_default())
            .clamp(NAMES.0, NAMES.1);
        columns.start = if view.width < WIDE { right } else { right.min(4 + names + 2) };
        columns
    }

    fn block(&self) -> usize {
        let gap = |columns| if columns > 0 { columns + 2 } else { 0 };
        gap(self.place) + self.bytes + 2 + self.tokens + 2 + "share".len() + if self.bar > 0 { self.bar + 1 } else { 0 }
    }

    pub fn line_width(&self) -> usize {
        self.width - INDENT.len()
    }

    pub fn titles(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let Self { start, bytes, tokens, .. } = *self;
        let titles = format!("{}{:>bytes$}  {:>tokens$}  share", self.place("slot"), "bytes", "tokens");
        writeln!(out, "{}", self.theme.dim().style(format!("{:start$}{titles}", "")))
    }

    pub fn section(&self, name: &str, size: Option<PlanSize>, out: &mut dyn io::Write) -> io::Result<()> {
        let (dim, name) = (self.theme.dim(), Word::new(name, self.theme.strong()));
        let used = "━━ ".width() + name.width();
        write!(out, "{}", dim.style("━━ "))?;
        name.write(out)?;
        let Some(size) = size else {
            let end = self.start + self.block();
            return writeln!(out, " {}", dim.style("━".repeat(end.saturating_sub(used + 1))));
        };
        let start = self.start + self.place("").len();
        let numbers = self.numbers(size);
        let numbers = dim.style(numbers.trim_end());
        match start.checked_sub(used + 2) {
            Some(line) => writeln!(out, " {} {numbers}", dim.style("━".repeat(line))),
            None => writeln!(out, "\n{:start$}{numbers}", ""),
        }
    }

    /// A name with its numbers, and lines about it: the first after the numbers if it fits.
    pub fn entry(
        &self,
        (lead, lead_style): (&str, Style),
        name: &Word,
        place: &str,
        size: Option<PlanSize>,
        lines: &[Vec<Word>],
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        write!(out, "{}", lead_style.style(lead))?;
        name.write(out)?;
        let used = lead.width() + name.width();
        let block = match size {
            Some(size) => self.place(place) + &self.numbers(size),
            None => self.place(place),
        };
        let block = block.trim_end();
        let (beside, below) = match lines.split_first() {
            Some((first, rest)) if self.has_room(name, size.is_some(), first) => (Some(first), rest),
            _ => (None, lines),
        };
        // A long name pushes its numbers to the next line.
        let is_long = used + 2 > self.start;
        let (wide, gap) = (self.wide(size.is_some()), self.start.saturating_sub(used));
        let dim = self.theme.dim();
        match beside {
            Some(line) => {
                let block = format!("{:gap$}{block:<wide$}  ", "");
                write!(out, "{}", dim.style(block))?;
                self.line("", line, out)?;
            }
            None if block.is_empty() => writeln!(out)?,
            None if is_long => writeln!(out, "\n{:1$}{2}", "", self.start, dim.style(block))?,
            None => writeln!(out, "{:gap$}{}", "", dim.style(block))?,
        }
        below.iter().try_for_each(|line| self.line(INDENT, line, out))
    }

    /// Whether a line about an entry fits after its numbers, or in their place.
    pub fn has_room(&self, name: &Word, has_size: bool, line: &[Word]) -> bool {
        let fits = self.start + self.wide(has_size) + 2 + width_of(line) <= self.width;
        self.width >= WIDE && 4 + name.width() + 2 <= self.start && fits
    }

    fn wide(&self, has_size: bool) -> usize {
        if has_size { self.block() } else { self.place("").len().saturating_sub(2) }
    }

    pub fn line(&self, lead: &str, line: &[Word], out: &mut dyn io::Write) -> io::Result<()> {
        let hang = "        ";
        Flow { lead, lead_style: Style::new(), hang, between: " ", width: self.width }.write(line, out)
    }

    /// The place of an entry padded to its column; spaces if it does not fit.
    fn place(&self, place: &str) -> String {
        let place = visible_line(place);
        match (self.place, self.place.checked_sub(place.width())) {
            (0, _) => String::new(),
            (_, Some(rest)) => format!("{place}{:rest$}  ", ""),
            (columns, None) => " ".repeat(columns + 2),
        }
    }

    fn numbers(&self, size: PlanSize) -> String {
        let PlanSize { bytes, tokens, .. } = size;
        let (bytes, number, share) = (thousands(bytes), size.tokens_shown(), share(tokens, self.total));
        let line = format!("{bytes:>0$}  {number:>1$}  {share:>5}", self.bytes, self.tokens);
        if self.bar > 0 { format!("{line} {}", bar(tokens, self.total, self.bar)) } else { line }
    }
}
