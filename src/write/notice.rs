//! Prints diagnostics and rule findings for people.

mod excerpt;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer};

use crate::diagnostic::{Diagnostic, Failure, Location, Severity};
use crate::text::numbers::thousands;
use crate::text::visible::visible_line;
use crate::write::layout::wrapped;
use crate::write::theme::{MARGIN, STRONG, Theme, of_message};

use excerpt::Excerpt;

/// A diagnostic or finding to print.
pub struct Notice<'a> {
    pub severity: Severity,
    pub code: &'a str,
    /// One sentence, or for a chain a sentence and a line per link.
    pub message: &'a str,
    pub at: Option<&'a Location>,
    /// Whether the place is shown even if the message has several lines.
    pub is_placed: bool,
    /// The column at which to wrap the message; `None` keeps it on one line.
    pub title_width: Option<usize>,
    /// Other places, each with a note.
    pub related: Vec<(&'a Location, &'a str)>,
    /// Lines below the excerpt, each with its label, such as `help`.
    pub remarks: Vec<(&'static str, String)>,
    /// The name to show for the file of a place.
    pub file: &'a dyn Fn(&Location) -> String,
}

/// Message, place, excerpt and help, each line ending with a line feed. No control character from a file, path or id
/// reaches the terminal. A message of several lines names its places itself, so it has no excerpt.
pub fn print(diagnostic: &Diagnostic, theme: Theme, width: usize) -> String {
    notice(diagnostic, &diagnostic.message(), 0).print(theme, width)
}

/// All diagnostics, but of more than two warnings of an agent with the same message only the first, with the number of the
/// others: each folder on the way may have one.
pub fn print_all<'d>(
    diagnostics: impl Iterator<Item = &'d Diagnostic>,
    theme: Theme,
    width: usize,
    title_width: Option<usize>,
) -> String {
    let all: Vec<(&Diagnostic, String)> = diagnostics.map(|diagnostic| (diagnostic, diagnostic.message())).collect();
    let mut equal: HashMap<(&str, &str), usize> = HashMap::new();
    for (diagnostic, message) in
        all.iter().filter(|(it, _)| it.severity() < Severity::Error && it.problem.names_agent())
    {
        *equal.entry((diagnostic.code(), message)).or_default() += 1;
    }
    let mut out = String::new();
    for (diagnostic, message) in &all {
        // 0 from the second one on.
        let others = match equal.get_mut(&(diagnostic.code(), message.as_str())) {
            Some(0) => continue,
            Some(count @ 3..) => std::mem::take(count) - 1,
            _ => 0,
        };
        let notice = Notice { title_width, ..notice(diagnostic, message, others) };
        out += &notice.print(theme, width);
    }
    out
}

fn notice<'a>(diagnostic: &'a Diagnostic, message: &'a str, others: usize) -> Notice<'a> {
    let help = diagnostic.help().map(|help| ("help", help));
    let more = (others > 0).then(|| ("note", format!("the same in {} other places", thousands(others))));
    Notice {
        severity: diagnostic.severity(),
        code: diagnostic.code(),
        message,
        at: diagnostic.at.as_ref(),
        is_placed: false,
        title_width: None,
        related: Vec::new(),
        remarks: help.into_iter().chain(more).collect(),
        file: &file_name,
    }
}

/// The width, in columns, of an error shown with `Display`.
const WIDTH: usize = 100;

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = self.0.iter().map(|error| print(error, Theme::Plain, WIDTH));
        formatter.write_str(errors.collect::<String>().trim_end())
    }
}

impl std::error::Error for Failure {}

impl Notice<'_> {
    pub fn print(&self, theme: Theme, width: usize) -> String {
        let excerpt = match self.at {
            Some(Location::Span(span)) if !self.message.contains('\n') => Excerpt::of(span),
            _ => None,
        };
        match excerpt {
            Some(excerpt) => self.print_excerpt(&excerpt, theme, width),
            None => self.print_without_excerpt(theme, width),
        }
    }

    fn print_without_excerpt(&self, theme: Theme, width: usize) -> String {
        let (first, rest) = self.message.split_once('\n').unwrap_or((self.message, ""));
        let kind = format!("{}[{}]", self.severity.into_str(), self.code);
        let below = format!("\n{}", " ".repeat(kind.len() + ": ".len()));
        let mut out = format!(
            "{}{}\n",
            theme.choose(of_message(self.severity.into_str())).style(kind),
            theme.choose(STRONG).style(format!(": {}", self.title(first).replace('\n', &below)))
        );
        for line in rest.lines() {
            out += &format!("{}\n", visible_line(line));
        }
        let arrow = |location: &Location| format!("  {} {}\n", theme.choose(MARGIN).style("-->"), self.place(location));
        if let Some(location) = self.at.filter(|_| rest.is_empty() || self.is_placed) {
            out += &arrow(location);
        }
        for (location, message) in &self.related {
            out += &format!("{}: {}\n", theme.choose(of_message("note")).style("note"), visible_line(message));
            out += &arrow(location);
        }
        // Aligned with the remarks of findings that have excerpts.
        let sign = if self.is_placed { "  = " } else { "" };
        for (word, text) in &self.remarks {
            let margin = sign.len() + word.len() + ": ".len();
            let text = wrapped(visible_line(text).split(' '), width.saturating_sub(margin));
            let text = text.replace('\n', &format!("\n{}", " ".repeat(margin)));
            let style = if self.is_placed { STRONG } else { of_message(word) };
            out += &format!("{}{}: {text}\n", theme.choose(MARGIN).style(sign), theme.choose(style).style(word));
        }
        out
    }

    fn print_excerpt(&self, excerpt: &Excerpt<'_>, theme: Theme, width: usize) -> String {
        let others: Vec<_> = self.related.iter().map(|&(at, message)| (at, message, Excerpt::at(at))).collect();
        // The margin has the digits of the last line number, and ` | `.
        let last = others.iter().filter_map(|(.., other)| other.as_ref()).map(Excerpt::last_line);
        let last = last.fold(excerpt.last_line(), usize::max);
        let columns = width.saturating_sub(last.to_string().len() + " | ".len());
        let file = |excerpt: &Excerpt<'_>| (self.file)(&excerpt.span.into());
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let title = level.primary_title(self.title(self.message)).id(visible_line(self.code));
        let snippet = excerpt.snippet(file(excerpt), AnnotationKind::Primary, columns);
        let remarks = self.remarks.iter().map(|(word, text)| {
            let margin = word.len() + ": ".len() + 1;
            Level::HELP.with_name(*word).message(wrapped(visible_line(text).split(' '), columns.saturating_sub(margin)))
        });
        let mut groups = vec![title.element(snippet).elements(remarks)];
        for (at, message, other) in &others {
            let title = Level::NOTE.secondary_title(visible_line(message));
            groups.push(match other {
                Some(other) => title.element(other.snippet(file(other), AnnotationKind::Context, columns)),
                None => Group::with_title(title).element(Origin::path(self.place(at))),
            });
        }
        let renderer = match theme {
            Theme::Plain => Renderer::plain(),
            Theme::Coloured => Renderer::styled(),
        };
        renderer.term_width(width).render(&groups) + "\n"
    }

    /// The message, wrapped at `title_width`.
    fn title(&self, message: &str) -> String {
        let shown = visible_line(message);
        let Some(width) = self.title_width else { return shown.into_owned() };
        let margin = format!("{}[{}]: ", self.severity.into_str(), self.code).len();
        wrapped(shown.split(' '), width.saturating_sub(margin))
    }

    /// `project .ai/directives/deploy.md:9:5`.
    fn place(&self, location: &Location) -> String {
        format!("{}{}", (self.file)(location), location.line_and_column())
    }
}

/// `project .ai/directives/deploy.md` or `project v1.2:.ai/directives/deploy.md`. The index is named `:`,
/// without a second colon.
pub fn file_name(location: &Location) -> String {
    let (tier, path, revision) = match location {
        Location::Span(span) => (span.source().tier(), span.source().path(), span.source().revision()),
        Location::File { tier, path, revision, .. } => (&**tier, path.as_str(), revision.as_deref()),
    };
    let between = if tier.is_empty() { "" } else { " " };
    let (revision, colon) = match revision {
        None => ("", ""),
        Some(":") => (":", ""),
        Some(revision) => (revision, ":"),
    };
    format!("{}{between}{}{colon}{}", visible_line(tier), visible_line(revision), visible_line(path))
}
