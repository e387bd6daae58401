use owo_colors::Style;
use unicode_width::UnicodeWidthStr;

use crate::answer::explain::ExplainView;
use crate::answer::explain::plan::{Plan, PlanRow, PlanSize};
use crate::text::visible::visible_line;
use crate::write::layout::bar;
use crate::write::report::{Line, Report, word};
use crate::write::theme::{DIM, PLAIN, STRONG};

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

/// A part of the prompt, and what is said about it.
#[derive(Default)]
pub struct PlanEntry<'a> {
    pub lead: &'a str,
    pub hue: Style,
    pub name: &'a str,
    pub place: &'a str,
    pub size: Option<PlanSize>,
    pub lines: Vec<Line>,
}

/// The columns of the table: name, place, bytes, tokens, share and a bar.
pub struct PlanColumns {
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
        let is_narrow = view.screen.width < NARROW;
        let mut columns = Self {
            width: view.screen.width,
            total: plan.size.tokens,
            start: 0,
            place: if is_narrow { 0 } else { longest(place).clamp("chain".len(), WIDEST_PLACE) },
            bytes: plan.size.bytes_shown().len().max("bytes".len()),
            tokens: plan.size.tokens_shown().len().max("tokens".len()),
            bar: match view.screen.width {
                ..NARROW => 0,
                NARROW..WIDE => 8,
                _ => 10,
            },
        };
        let right = view.screen.width.saturating_sub(columns.block());
        let names = longest(|row| if row.is_guideline() { 0 } else { row.name.width() })
            .max(plan.chain.iter().map(|member| member.id.width()).max().unwrap_or_default())
            .clamp(NAMES.0, NAMES.1);
        columns.start = if view.screen.width < WIDE { right } else { right.min(4 + names + 2) };
        columns
    }

    fn block(&self) -> usize {
        let gap = |columns| if columns > 0 { columns + 2 } else { 0 };
        gap(self.place) + self.bytes + 2 + self.tokens + 2 + "share".len() + if self.bar > 0 { self.bar + 1 } else { 0 }
    }

    pub fn line_width(&self) -> usize {
        self.width - INDENT.len()
    }

    pub fn titles(&self) -> Line {
        let Self { start, bytes, tokens, .. } = *self;
        let titles = format!("{}{:>bytes$}  {:>tokens$}  share", self.place("slot"), "bytes", "tokens");
        word(DIM, &format!("{:start$}{titles}", ""))
    }

    pub fn section(&self, name: &str, size: Option<PlanSize>, report: &mut Report) {
        let heading = word(DIM, "━━ ").then(word(STRONG, name));
        let used = "━━ ".width() + word(STRONG, name).width();
        let Some(size) = size else {
            let end = self.start + self.block();
            return report.row(heading.word(PLAIN, " ").word(DIM, &"━".repeat(end.saturating_sub(used + 1))));
        };
        let start = self.start + self.place("").len();
        let numbers = self.numbers(size);
        let numbers = numbers.trim_end();
        match start.checked_sub(used + 2) {
            Some(line) => {
                let heading = heading.word(PLAIN, " ").word(DIM, &"━".repeat(line));
                report.row(heading.word(PLAIN, " ").word(DIM, numbers));
            }
            None => {
                report.row(heading);
                report.row(Line::default().up_to(start).word(DIM, numbers));
            }
        }
    }

    /// A name with its numbers, and lines about it: the first after the numbers if it fits.
    pub fn entry(&self, entry: PlanEntry, report: &mut Report) {
        let PlanEntry { lead, hue, name, place, size, mut lines } = entry;
        let name = word(hue, name);
        let block = match size {
            Some(size) => self.place(place) + &self.numbers(size),
            None => self.place(place),
        };
        let block = block.trim_end();
        let wide = if size.is_some() { self.block() } else { self.place("").len().saturating_sub(2) };
        let has_room = |line: &Line| {
            let fits = self.start + wide + 2 + line.width() <= self.width;
            self.width >= WIDE && 4 + name.width() + 2 <= self.start && fits
        };
        let beside = lines.first().is_some_and(has_room).then(|| lines.remove(0));
        let begin = word(hue, lead).then(name);
        match beside {
            Some(line) => {
                let gap = self.start - begin.row_width();
                report.row(begin.word(DIM, &format!("{:gap$}{block:<wide$}  ", "")).spaced(line));
            }
            None if block.is_empty() => report.row(begin),
            None => {
                let begin = report.begin(begin, self.start.saturating_sub(2), 2);
                report.row(begin.word(DIM, block));
            }
        }
        lines.into_iter().for_each(|line| report.marked(PLAIN, INDENT, "        ", line));
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
        let (bytes, tokens, share) = (size.bytes_shown(), size.tokens_shown(), size.share(self.total));
        let line = format!("{bytes:>0$}  {tokens:>1$}  {share:>5}", self.bytes, self.tokens);
        if self.bar > 0 { format!("{line} {}", bar(size.tokens, self.total, self.bar)) } else { line }
    }
}
