//! Long results on a terminal go through the user's pager.

use crate::hostile::terminal::on_a_screen;
use crate::support::Test;

/// A screen of ten lines.
const SMALL: &str = "stty rows 10 cols 80;";

fn list() -> Test {
    Test::plain().env("RYE_SYSTEM_SPACE", "builtin").env("NO_COLOR", "1").args(["list"])
}

#[test]
fn long_output_goes_through_the_pager() {
    let pager = |name| list().env(name, "sed s/^/seen:/");
    for name in ["PAGER", "RYE_RENDER_PAGER"] {
        let Some(shown) = on_a_screen(pager(name), SMALL) else { return };
        assert!(shown.starts_with("seen:"), "{shown}");
        assert!(shown.lines().count() > 10 && shown.lines().all(|line| line.starts_with("seen:")), "{shown}");
    }
    let own = list().env("PAGER", "false").env("RYE_RENDER_PAGER", "sed s/^/own:/");
    assert!(on_a_screen(own, SMALL).is_some_and(|shown| shown.starts_with("own:")));
}

#[test]
fn short_output_and_redirected_output_skip_the_pager() {
    let pager = "sed s/^/seen:/";
    let Some(short) = on_a_screen(list().args(["tool"]).env("PAGER", pager), SMALL) else { return };
    assert!(short.starts_with("━━ tools") && !short.contains("seen:"), "{short}");
    for nothing in ["", "cat"] {
        let shown = on_a_screen(list().env("PAGER", nothing), SMALL).unwrap_or_default();
        assert!(shown.starts_with("━━ directives"), "{shown}");
    }
    let ran = list().env("PAGER", pager).any_stdout().run();
    assert!(!ran.stdout.contains("seen:"), "a pipe is not a terminal: {}", ran.stdout);
}

/// A pager that exits early has shown what the user wanted.
#[test]
fn quitting_the_pager_is_not_an_error() {
    let Some(shown) = on_a_screen(list().env("PAGER", "head -n 1"), SMALL) else { return };
    assert_eq!(shown.lines().count(), 1, "{shown}");
    for pager in ["kill -INT $$", "kill -TERM $$", "kill -HUP $$", "kill -PIPE $$", "exit 130"] {
        assert_eq!(on_a_screen(list().env("PAGER", pager), SMALL).as_deref(), Some(""), "{pager}");
    }
}

/// Control characters would reach the terminal through a pager, too.
#[test]
fn hidden_characters_are_escaped_in_a_pager() {
    let name = "project/.ai/knowledge/a.md";
    let text = format!("```yaml\nname: a\n```\n\n{}\u{1b}[31m\u{202e}\n", "line\n".repeat(30));
    let directive = "```xml\n<directive name=\"d\" version=\"1\"><metadata><context><before>a</before></context></metadata>\
                     </directive>\n```\n\nGo.\n";
    let test = Test::plain().file(name, &text).file("project/.ai/directives/d.md", directive);
    let test = test.args(["render", "d", "--format", "plain", "--role", "user"]).env("PAGER", "sed s/^/seen:/");
    let Some(shown) = on_a_screen(test, SMALL) else { return };
    assert!(shown.contains("<U+001B>[31m<U+202E>") && !shown.contains('\u{1b}'), "{shown}");
    assert!(shown.starts_with("seen:"), "{shown}");
}

/// The pager is missing, or fails or crashes before it reads.
#[test]
fn a_pager_that_fails_loses_nothing() {
    let Some(expected) = on_a_screen(list().env("PAGER", "cat"), SMALL) else { return };
    for pager in ["rye-render-has-no-such-pager", "false", "exit 3", "kill -SEGV $$", "exit 139"] {
        let shown = on_a_screen(list().env("PAGER", pager), SMALL).unwrap_or_default();
        assert!(shown.ends_with(&expected) && expected.lines().count() > 10, "{pager}: {shown}");
    }
}
