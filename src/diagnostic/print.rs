//! A diagnostic as people read it on a terminal.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use unicode_width::UnicodeWidthStr;

use super::{Diagnostic, Location, Severity};
use crate::text::visible::{is_hidden, visible_line};
use crate::text::{Source, Span};
use crate::theme::Theme;

/// Columns behind a mark that the renderer keeps of a line that it cuts, `...` among them.
const BEHIND_MARK: usize = 6;

/// Lines of a range that are shown; the rest of a longer one is not.
const MOST_LINES: usize = 6;

/// A line longer than this (a file of one line, say) shows nothing that helps, and takes long to lay out.
const LONGEST_LINE: usize = 2000;

/// The diagnostic in lines, each ending with a line feed: what is wrong, where, the lines of the file with the place
/// marked, what to do. No control character of a file, a path or an id reaches the terminal.
///
/// A message of several lines, as of a chain, names its places itself, so no excerpt follows it.
pub fn print(diagnostic: &Diagnostic, theme: Theme, width: usize) -> String {
    let excerpt = match &diagnostic.at {
        Some(Location::Span(span)) if !diagnostic.message().contains('\n') => Excerpt::of(span),
        _ => None,
    };
    match excerpt {
        Some(excerpt) => excerpt.print(diagnostic, theme, width),
        None => print_without_excerpt(diagnostic, theme, width),
    }
}

fn print_without_excerpt(diagnostic: &Diagnostic, theme: Theme, width: usize) -> String {
    let (message, strong) = (diagnostic.message(), theme.strong());
    let (first, rest) = message.split_once('\n').unwrap_or((&message, ""));
    let kind = format!("{}[{}]", diagnostic.severity().word(), diagnostic.code());
    let mut out = format!(
        "{}{}\n",
        theme.severity(Some(diagnostic.severity())).style(kind),
        strong.style(format!(": {}", visible_line(first)))
    );
    for line in rest.lines() {
        out += &format!("{}\n", visible_line(line));
    }
    if rest.is_empty()
        && let Some(location) = &diagnostic.at
    {
        out += &format!("  {} {}\n", theme.tier("").style("-->"), place(location));
    }
    if let Some(help) = diagnostic.help() {
        let help = wrapped(&visible_line(&help), width.saturating_sub("help: ".len())).replace('\n', "\n      ");
        out += &format!("{}: {help}\n", theme.severity(None).style("help"));
    }
    out
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

/// `project .ai/directives/deploy.md:9:5`.
fn place(location: &Location) -> String {
    let (name, position) = match location {
        Location::Span(span) => (name_of(span.source()), Some(span.source().position(span.range().start))),
        Location::File { tier, path, revision, position } => (name(tier, path, revision.as_deref()), *position),
    };
    let position = position.map(|position| format!(":{}:{}", position.line, position.column)).unwrap_or_default();
    format!("{name}{position}")
}

fn name_of(source: &Source) -> String {
    name(source.tier(), source.path(), source.revision())
}

/// `project .ai/directives/deploy.md`, `project v1.2:.ai/directives/deploy.md`; a file named on the command line has no
/// tier, and the index, whose name is a colon, is not followed by another one.
fn name(tier: &str, path: &str, revision: Option<&str>) -> String {
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

    fn print(&self, diagnostic: &Diagnostic, theme: Theme, width: usize) -> String {
        let level = match diagnostic.severity() {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        // The digits of a line number, and ` | `; the renderer does not count them.
        let last = self.line + self.text.matches('\n').count();
        let gutter = last.to_string().len() + " | ".len();
        let source = self.span.source();
        let snippet = Snippet::source(&self.text)
            .path(name_of(source))
            .line_start(self.line)
            .annotation(AnnotationKind::Primary.span(self.marked_within(width.saturating_sub(gutter))));
        let message = diagnostic.message();
        let help = diagnostic.help();
        let mut group = level.primary_title(visible_line(&message)).id(diagnostic.code()).element(snippet);
        if let Some(help) = &help {
            let margin = gutter + "help: ".len() + 1;
            group = group.element(Level::HELP.message(wrapped(&visible_line(help), width.saturating_sub(margin))));
        }
        let renderer = match theme {
            Theme::Plain => Renderer::plain(),
            Theme::Coloured => Renderer::styled(),
        };
        renderer.term_width(width.saturating_sub(gutter)).render(&[group]) + "\n"
    }

    /// The mark, cut where its line leaves the columns: the renderer shortens a line only behind the mark.
    fn marked_within(&self, columns: usize) -> Range<usize> {
        let Range { start, end } = self.marked;
        if self.text[start..end].contains('\n') {
            return start..end;
        }
        let line = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let most = columns.saturating_sub(BEHIND_MARK);
        let last = self.text[line..].char_indices().nth(most).map_or(end, |(at, _)| line + at);
        start..end.min(last.max(self.text.ceil_char_boundary(start + 1)))
    }
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
    fn colours_are_a_parameter() {
        let diagnostic = Diagnostic::at(Problem::EmptyPrompt, find(&directive(), "é"));
        assert!(print(&diagnostic, Theme::Coloured, 80).contains("\u{1b}["));
        assert!(print(&Diagnostic::new(Problem::OutsideTier), Theme::Coloured, 80).contains("\u{1b}["));
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
