use std::sync::Arc;

use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use super::excerpt::BESIDE_MARK;
use super::*;
use crate::diagnostic::{ChainLink, InputProblems, Problem};
use crate::text::testing::{find, source};
use crate::text::visible::is_hidden;
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
error[unknown_permission_tag]: <serch> is not allowed in <permissions>
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
fn a_chain_has_its_places_and_no_excerpt() {
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
error[circular_extends]: project/deploy/base extends itself through project/deploy/common
    project/deploy/base    project .ai/directives/project/deploy/base.md:6
  → project/deploy/common  project .ai/directives/project/deploy/common.md:6
  → project/deploy/base    (again)
help: remove one of these `extends` attributes
"
    );
}

#[test]
fn a_circular_chain_names_three_members_and_counts_the_rest() {
    let first = |ids: &[&str]| {
        let link = |id: &&str| ChainLink { id: id.to_string(), tier: String::new(), place: String::new() };
        let chain = ids.iter().map(link).collect();
        Diagnostic::new(Problem::CircularExtends { chain }).message().lines().next().unwrap_or_default().to_string()
    };
    assert_eq!(first(&["a", "a"]), "a extends itself");
    assert_eq!(first(&["leads", "a", "b", "a"]), "a extends itself through b");
    assert_eq!(first(&["a", "b", "c", "d", "a"]), "a extends itself through b, c, d");
    assert_eq!(first(&["a", "b", "c", "d", "e", "f", "a"]), "a extends itself through b, c, d and 2 more");
}

#[test]
fn a_file_without_text_has_a_name_and_no_excerpt() {
    let position = Some(Position { line: 2, column: 7 });
    let at =
        Location::File { tier: "user".into(), path: ".ai/directives/x\u{1b}.md".to_string(), revision: None, position };
    assert_eq!(
        plain(&Diagnostic::at(Problem::InvalidUtf8 { at: 17 }, at)),
        "\
error[invalid_utf8]: not valid UTF-8: byte 17 cannot be decoded
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
fn hidden_characters_do_not_shift_columns() {
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
    let inputs = InputProblems { missing: vec!["who".into()], unknown: Vec::new(), valid: vec!["who".into()] };
    let spanned =
        Diagnostic::at(Problem::MissingRequiredInput { inputs: inputs.clone() }, find(&directive(), "<directive>"));
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
        print(&Diagnostic::new(Problem::MissingRequiredInput { inputs }), Theme::Plain, 60),
        "\
error[missing_required_input]: missing required input: who
help: the directive takes: who; give a value with --input
      NAME=VALUE, or show {input:NAME} with --placeholders
"
    );
}

#[test]
fn a_marked_line_is_cut_at_the_width() {
    let file = source("project", "x.md", &format!("\n<input name=\"é\">{}</input>\n", "a long description ".repeat(9)));
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
fn a_mark_is_cut_at_the_width() {
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
fn colour_is_a_parameter() {
    let diagnostic = Diagnostic::at(Problem::EmptyPrompt, find(&directive(), "é"));
    assert!(print(&diagnostic, Theme::Coloured, 80).contains("\u{1b}["));
    assert!(print(&Diagnostic::new(Problem::OutsideTier), Theme::Coloured, 80).contains("\u{1b}["));
    // The arrow has the same style with and without an excerpt.
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

#[test]
fn many_equal_warnings_are_shown_once() {
    let at =
        |path: &str| Location::File { tier: "project".into(), path: path.to_string(), revision: None, position: None };
    let warning = |path: &str, by: &str| {
        Diagnostic::at(Problem::AgentShadows { agent: "pi", by: by.to_string(), help: "import it" }, at(path))
    };
    let warnings = ["a", "b", "c"].map(|path| warning(path, "x"));
    let all = |list: &[Diagnostic]| print_all(list.iter(), Theme::Plain, 80, None);
    let one =
        "warning[agent_shadows]: pi does not read this file: x takes its place\n  --> project a\nhelp: import it\n";
    assert_eq!(all(&warnings), format!("{one}note: the same in 2 other places\n"));
    assert_eq!(all(&warnings[..2]), plain(&warnings[0]) + &plain(&warnings[1]));
    let [a, b, c] = &warnings;
    let mixed = [a.clone(), warning("d", "y"), b.clone(), c.clone()];
    assert_eq!(all(&mixed), format!("{one}note: the same in 2 other places\n{}", plain(&mixed[1])));
    let error = Diagnostic::invalid("no", "");
    assert_eq!(all(&[error.clone(), error.clone(), error.clone()]), plain(&error).repeat(3));
}
