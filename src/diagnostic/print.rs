//! A diagnostic, or what a rule found, as people read it on a terminal.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Diagnostic, Location, Severity};
use crate::text::Span;
use crate::text::visible::{is_hidden, visible_line};
use crate::theme::Theme;

/// Columns on either side of a mark that the renderer keeps of a line that it cuts, `...` among them.
const BESIDE_MARK: usize = 6;

/// Lines of a range that are shown; the rest of a longer one is not.
const MOST_LINES: usize = 6;

/// A line longer than this (a file of one line, say) shows nothing that helps, and takes long to lay out.
const LONGEST_LINE: usize = 2000;

/// What is printed: a title, its place, other places, and what to do.
pub struct Notice<'a> {
    /// How bad it is.
    pub severity: Severity,
    /// The word or code behind it in brackets.
    pub code: &'a str,
    /// What is wrong: one sentence, or a line for each link of a chain.
    pub message: &'a str,
    /// Where.
    pub at: Option<&'a Location>,
    /// Whether the place is shown even where the message has lines of its own.
    pub is_placed: bool,
    /// Other places, and what is there.
    pub related: Vec<(&'a Location, &'a str)>,
    /// What follows, each with the word before it: `help`.
    pub remarks: Vec<(&'static str, String)>,
    /// How the file of a place is called.
    pub file: &'a dyn Fn(&Location) -> String,
}

/// The diagnostic in lines, each ending with a line feed: what is wrong, where, the lines of the file with the place
/// marked, what to do. No control character of a file, a path or an id reaches the terminal.
///
/// A message of several lines, as of a chain, names its places itself, so no excerpt follows it.
pub fn print(diagnostic: &Diagnostic, theme: Theme, width: usize) -> String {
    let notice = Notice {
        severity: diagnostic.severity(),
        code: diagnostic.code(),
        message: &diagnostic.message(),
        at: diagnostic.at.as_ref(),
        is_placed: false,
        related: Vec::new(),
        remarks: diagnostic.help().into_iter().map(|help| ("help", help)).collect(),
        file: &file_name,
    };
    notice.print(theme, width)
}

impl Notice<'_> {
    /// The lines of it, each ending with a line feed.
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
        let kind = format!("{}[{}]", self.severity.word(), self.code);
        let mut out = format!(
            "{}{}\n",
            theme.severity(Some(self.severity)).style(kind),
            theme.strong().style(format!(": {}", visible_line(first)))
        );
        for line in rest.lines() {
            out += &format!("{}\n", visible_line(line));
        }
        let arrow = |location: &Location| format!("  {} {}\n", theme.margin().style("-->"), self.place(location));
        if let Some(location) = self.at.filter(|_| rest.is_empty() || self.is_placed) {
            out += &arrow(location);
        }
        for (location, message) in &self.related {
            out += &format!("{}: {}\n", theme.severity(Some(Severity::Note)).style("note"), visible_line(message));
            out += &arrow(location);
        }
        // Beside findings with excerpts, they stand where those have them.
        let sign = if self.is_placed { "  = " } else { "" };
        for (word, text) in &self.remarks {
            let margin = sign.len() + word.len() + ": ".len();
            let text = wrapped(&visible_line(text), width.saturating_sub(margin));
            let text = text.replace('\n', &format!("\n{}", " ".repeat(margin)));
            let style = if self.is_placed { theme.strong() } else { theme.severity(None) };
            out += &format!("{}{}: {text}\n", theme.margin().style(sign), style.style(word));
        }
        out
    }

    fn print_excerpt(&self, excerpt: &Excerpt<'_>, theme: Theme, width: usize) -> String {
        let others: Vec<_> = self.related.iter().map(|&(at, message)| (at, message, Excerpt::at(at))).collect();
        // Without the digits of a line number, and ` | `.
        let last = others.iter().filter_map(|(.., other)| other.as_ref()).map(Excerpt::last_line);
        let last = last.fold(excerpt.last_line(), usize::max);
        let columns = width.saturating_sub(last.to_string().len() + " | ".len());
        let file = |excerpt: &Excerpt<'_>| (self.file)(&excerpt.span.into());
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let title = level.primary_title(visible_line(self.message)).id(visible_line(self.code));
        let snippet = excerpt.snippet(file(excerpt), AnnotationKind::Primary, columns);
        let remarks = self.remarks.iter().map(|(word, text)| {
            let margin = word.len() + ": ".len() + 1;
            Level::HELP.with_name(*word).message(wrapped(&visible_line(text), columns.saturating_sub(margin)))
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

    /// `project .ai/directives/deploy.md:9:5`.
    fn place(&self, location: &Location) -> String {
        let position = match location {
            Location::Span(span) => Some(span.source().position(span.range().start)),
            Location::File { position, .. } => *position,
        };
        let position = position.map(|position| format!(":{}:{}", position.line, position.column)).unwrap_or_default();
        format!("{}{position}", (self.file)(location))
    }
}

/// Words in lines of at most `width` columns; a longer word stands alone.
fn wrapped(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut column = 0;
    for word in text.split(' ') {
        if column > 0 {
            let fits = column + 1 + word.width() <= width;
            out.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        out.push_str(word);
        column += word.width();
    }
    out
}

/// `project .ai/directives/deploy.md`, `project v1.2:.ai/directives/deploy.md`; a file named on the command line has no
/// tier, and the index, whose name is a colon, is not followed by another one.
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

/// The lines of a file that a span is in.
struct Excerpt<'a> {
    span: &'a Span,
    /// The lines, in which one character stands for one of the file, so that columns stay right.
    text: String,
    /// The span in them.
    marked: Range<usize>,
    /// The number of the first.
    line: usize,
}

impl<'a> Excerpt<'a> {
    /// None where the lines are too long to be of use.
    fn of(span: &'a Span) -> Option<Self> {
        let (file, range) = (span.source().text(), span.range());
        // No farther, since there may be a diagnostic for every byte of a long line.
        let reach = file.floor_char_boundary(range.start.saturating_sub(LONGEST_LINE + 1))..range.start;
        let start = match file[reach.clone()].rfind('\n') {
            Some(at) => reach.start + at + 1,
            None if reach.start == 0 => 0,
            None => return None,
        };
        // A span that ends with a line feed ends on the line before it.
        let last = if span.text().ends_with('\n') { range.end - 1 } else { range.end };
        let end = file[last..].find('\n').map_or(file.len(), |at| last + at);
        let mut marked_end = range.end.min(end);
        let mut end = end;
        if let Some((at, _)) = file[start..end].match_indices('\n').nth(MOST_LINES - 1) {
            end = start + at;
            marked_end = marked_end.min(end);
        }
        let lines = &file[start..end];
        if lines.split('\n').any(|line| line.len() > LONGEST_LINE) {
            return None;
        }
        let before = seen(&file[start..range.start]);
        let within = seen(&file[range.start..marked_end.max(range.start)]);
        let after = seen(&file[marked_end.max(range.start)..end.max(range.start)]);
        let marked = before.len()..before.len() + within.len();
        Some(Self { span, text: before + &within + &after, marked, line: span.line() })
    }

    /// The same of a place, where it is in a file that was read.
    fn at(location: &'a Location) -> Option<Self> {
        match location {
            Location::Span(span) => Self::of(span),
            Location::File { .. } => None,
        }
    }

    fn last_line(&self) -> usize {
        self.line + self.text.matches('\n').count()
    }

    fn snippet(&self, file: String, kind: AnnotationKind, columns: usize) -> Snippet<'_, Annotation<'_>> {
        let mark = kind.span(self.marked_within(columns));
        Snippet::source(&self.text).path(file).line_start(self.line).annotation(mark)
    }

    /// The mark, cut where it is longer than what can be shown of a line: the renderer cuts lines in front of a mark
    /// and behind it, and never the mark itself.
    fn marked_within(&self, columns: usize) -> Range<usize> {
        let Range { start, end } = self.marked;
        if self.text[start..end].contains('\n') {
            return start..end;
        }
        let first = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line = self.text[first..].split('\n').next().unwrap_or_default();
        if columns_of(line) <= columns {
            return start..end;
        }
        let cut_in_front = columns_of(&self.text[first..start]).saturating_sub(BESIDE_MARK);
        let most = (cut_in_front + columns).saturating_sub(BESIDE_MARK);
        let mut column = columns_of(&self.text[first..start]);
        let fitting = self.text[start..end].char_indices().find_map(|(at, c)| {
            column += columns_of_character(c);
            (column > most).then_some(start + at)
        });
        start..fitting.map_or(end, |last| last.max(self.text.ceil_char_boundary(start + 1)))
    }
}

/// How wide the renderer shows a text.
fn columns_of(text: &str) -> usize {
    text.chars().map(columns_of_character).sum()
}

/// A tab is shown as four blanks.
fn columns_of_character(c: char) -> usize {
    if c == '\t' { 4 } else { c.width().unwrap_or(1) }
}

/// Hidden characters as one visible character each.
fn seen(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::diagnostic::{ChainLink, InputProblems, Problem};
    use crate::text::testing::{find, source};
    use crate::text::{Position, Source};

    fn directive() -> Arc<Source> {
        source(
            "project",
            ".ai/directives/deploy_staging.md",
            "# Deploy\n\n```xml\n<directive>\n\t<context><syst\u{1b}em>é</syst\u{1b}em></context>\n</directive>\n```\n",
        )
    }

    fn plain(diagnostic: &Diagnostic) -> String {
        print(diagnostic, Theme::Plain, 80)
    }

    #[test]
    fn a_place_in_a_file_is_marked() {
        let file = source(
            "project",
            ".ai/directives/x.md",
            "# X\n\n```xml\n<directive>\n  <permissions><serch>*</serch></permissions>\n</directive>\n```\n",
        );
        let valid = ["execute", "fetch", "sign"].map(Into::into).to_vec();
        let problem = Problem::UnknownPermissionTag { tag: "serch".into(), valid };
        assert_eq!(
            plain(&Diagnostic::at(problem, find(&file, "<serch>"))),
            "\
error[unknown_permission_tag]: <permissions> has no <serch>
 --> project .ai/directives/x.md:5:16
  |
5 |   <permissions><serch>*</serch></permissions>
  |                ^^^^^^^
  |
  = help: use one of: execute, fetch, sign
"
        );
    }

    #[test]
    fn a_chain_names_its_places_itself() {
        let link = |id: &str, tier: &str, place: &str| ChainLink {
            id: id.to_string(),
            tier: tier.to_string(),
            place: place.to_string(),
        };
        let chain = vec![
            link("project/deploy/base", "project", ".ai/directives/project/deploy/base.md:6"),
            link("project/deploy/common", "project", ".ai/directives/project/deploy/common.md:6"),
            link("project/deploy/base", "", ""),
        ];
        assert_eq!(
            plain(&Diagnostic::at(Problem::CircularExtends { chain }, find(&directive(), "<directive>"))),
            "\
error[circular_extends]: project/deploy/base extends itself
    project/deploy/base    project .ai/directives/project/deploy/base.md:6
  → project/deploy/common  project .ai/directives/project/deploy/common.md:6
  → project/deploy/base    (again)
help: remove one of these `extends` attributes
"
        );
    }

    #[test]
    fn a_file_without_text_has_only_a_name() {
        let position = Some(Position { line: 2, column: 7 });
        let at = Location::File {
            tier: "user".into(),
            path: ".ai/directives/x\u{1b}.md".to_string(),
            revision: None,
            position,
        };
        assert_eq!(
            plain(&Diagnostic::at(Problem::InvalidUtf8 { at: 17 }, at)),
            "\
error[invalid_utf8]: not UTF-8: byte 17 cannot be decoded
  --> user .ai/directives/x<U+001B>.md:2:7
help: save the file as UTF-8
"
        );
        let place = |tier: &str, revision: Option<&str>| {
            let (tier, revision) = (tier.into(), revision.map(Into::into));
            let at = Location::File { tier, path: "in.json".to_string(), revision, position: None };
            plain(&Diagnostic::at(Problem::OutsideTier, at)).lines().nth(1).unwrap().to_string()
        };
        assert_eq!(place("", None), "  --> in.json");
        assert_eq!(place("project", Some("v1\u{1b}")), "  --> project v1<U+001B>:in.json");
        assert_eq!(place("project", Some(":")), "  --> project :in.json");
        assert!(!plain(&Diagnostic::new(Problem::OutsideTier)).contains("-->"));
    }

    #[test]
    fn columns_stay_right_behind_what_is_hidden() {
        let printed = plain(&Diagnostic::at(Problem::EmptyPrompt, find(&directive(), "é")));
        assert!(printed.contains("deploy_staging.md:5:20\n"), "{printed}");
        assert!(printed.contains("<syst\u{fffd}em>é</syst\u{fffd}em>"), "{printed}");
    }

    #[test]
    fn the_end_of_a_file_can_be_marked() {
        let file = source("project", "x.md", "a\nlast");
        assert!(plain(&Diagnostic::at(Problem::EmptyPrompt, file.span(6..6))).contains("x.md:2:5\n"));
        let empty = source("project", "x.md", "");
        assert!(plain(&Diagnostic::at(Problem::EmptyPrompt, empty.whole())).contains("x.md:1:1\n"));
    }

    #[test]
    fn long_ranges_and_long_lines_stay_short() {
        let many = source("project", "x.md", &"line\n".repeat(1000));
        assert!(plain(&Diagnostic::at(Problem::EmptyPrompt, many.whole())).lines().count() < 15);
        let long = source("project", "x.md", &"é".repeat(1_000_000));
        let printed = plain(&Diagnostic::at(Problem::EmptyPrompt, long.span(1000..1002)));
        assert!(printed.contains("  --> project x.md:1:501\n"), "{printed}");
    }

    #[test]
    fn help_stays_within_the_width() {
        let problems = InputProblems { missing: vec!["who".into()], unknown: Vec::new(), valid: vec!["who".into()] };
        let spanned = Diagnostic::at(Problem::Inputs(problems.clone()), find(&directive(), "<directive>"));
        assert_eq!(
            print(&spanned, Theme::Plain, 60),
            "\
error[missing_required_input]: missing required input: who
 --> project .ai/directives/deploy_staging.md:4:1
  |
4 | <directive>
  | ^^^^^^^^^^^
  |
  = help: the directive takes: who; give a value with
          --input NAME=VALUE, or show {input:NAME} with
          --placeholders
"
        );
        assert_eq!(
            print(&Diagnostic::new(Problem::Inputs(problems)), Theme::Plain, 60),
            "\
error[missing_required_input]: missing required input: who
help: the directive takes: who; give a value with --input
      NAME=VALUE, or show {input:NAME} with --placeholders
"
        );
    }

    #[test]
    fn a_marked_line_is_cut_at_the_width() {
        let file =
            source("project", "x.md", &format!("\n<input name=\"é\">{}</input>\n", "a long description ".repeat(9)));
        for width in 40..100 {
            let printed =
                print(&Diagnostic::at(Problem::EmptyPrompt, file.span(1..file.text().len() - 1)), Theme::Plain, width);
            let mut excerpt = printed.lines().skip(3);
            let [line, mark] = [excerpt.next().unwrap(), excerpt.next().unwrap()];
            assert!(line.width() <= width && line.ends_with("..."), "{width}: {printed}");
            assert!(mark.width() <= width && mark.ends_with("^^^^"), "{width}: {printed}");
        }
    }

    #[test]
    fn a_mark_is_shown_as_far_as_it_fits() {
        let longer = |width: usize| width - "1 | ".len() - 2 * BESIDE_MARK;
        for (width, column, length) in [60, 80, 120].into_iter().flat_map(|width| {
            [10, 66, 75, 200].into_iter().flat_map(move |column| [1, 8, 60, 300].map(|length| (width, column, length)))
        }) {
            for behind in [0, 1, 200] {
                let text = format!("  {}{}{}", "a".repeat(column - 3), "b".repeat(length), "c".repeat(behind));
                let file = source("project", "x.md", &text);
                let span = file.span(column - 1..column - 1 + length);
                let printed = print(&Diagnostic::at(Problem::EmptyPrompt, span), Theme::Plain, width);
                let fits = if "1 | ".len() + text.len() <= width { length } else { longer(width) };
                let case = format!("{width}, {column}, {length}, {behind}: {printed}");
                assert_eq!(printed.matches('^').count(), length.min(fits), "{case}");
                let mut lines = printed.lines().skip(3);
                let [line, mark] = [lines.next().unwrap(), lines.next().unwrap()];
                assert!(line.width() <= width && mark.width() <= width, "{case}");
                let above: String =
                    line.chars().zip(mark.chars()).filter(|(_, sign)| *sign == '^').map(|(c, _)| c).collect();
                assert_eq!(above, "b".repeat(length.min(fits)), "{case}");
            }
        }
    }

    #[test]
    fn colours_are_a_parameter() {
        let diagnostic = Diagnostic::at(Problem::EmptyPrompt, find(&directive(), "é"));
        assert!(print(&diagnostic, Theme::Coloured, 80).contains("\u{1b}["));
        assert!(print(&Diagnostic::new(Problem::OutsideTier), Theme::Coloured, 80).contains("\u{1b}["));
        // The arrow looks the same with an excerpt and without one.
        let at = Location::File { tier: "".into(), path: "x.md".to_string(), revision: None, position: None };
        let with = print(&diagnostic, Theme::Coloured, 80);
        let without = print(&Diagnostic::at(Problem::OutsideTier, at), Theme::Coloured, 80);
        let sign = |printed: &str| {
            let before = printed.split("-->").next().unwrap().rsplit("\u{1b}[0m").next().unwrap().to_string();
            let mut codes: Vec<u8> = before.split(|c: char| !c.is_ascii_digit()).flat_map(str::parse).collect();
            codes.sort_unstable();
            codes
        };
        assert_eq!(sign(&with).len(), 2);
        assert_eq!(sign(&with), sign(&without));
    }

    proptest! {
        #[test]
        fn any_place_can_be_printed(
            text in "([a<\n\t \u{1b}]|é|\u{202e}|😀\u{200d}|\u{301}){0,40}",
            from in 0usize..60,
            to in 0usize..60,
        ) {
            let file = source("project", "x.md", &text);
            let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            let (from, to) = (boundary(from.min(to)), boundary(from.max(to)));
            let printed = plain(&Diagnostic::at(Problem::EmptyPrompt, file.span(from..to)));
            let position = file.position(from);
            let place = format!("x.md:{}:{}\n", position.line, position.column);
            prop_assert!(printed.contains(&place), "{printed}\nwants {place}");
            prop_assert!(!printed.contains(is_hidden), "{printed}");
        }
    }
}
