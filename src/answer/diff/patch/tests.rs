use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use proptest::prelude::*;

use super::*;
use crate::answer::diff::{Cache, DiffFormat, SideKind, SideMessage};
use crate::text::tokens::Tokenizer;
use crate::write::screen::Screen;

fn side(directive: &str, messages: &[(Role, &str)]) -> Side {
    let messages = messages
        .iter()
        .map(|&(role, text)| SideMessage { role, text: text.to_string(), other_parts: 0, unknown: Vec::new() })
        .collect();
    Side {
        directive: Some(directive.to_string()),
        kind: SideKind::Saved,
        messages,
        ..Side::absent("a side".to_string())
    }
}

/// A patch depends only on the messages and on what is not compared.
fn patch(left: Side, right: Side, context: usize) -> String {
    let difference = Difference {
        left,
        right,
        layers: Vec::new(),
        between: false,
        tools: None,
        tool_order: false,
        chain: None,
        fields: Vec::new(),
        decisions: Vec::new(),
        hidden: false,
        not_compared: Vec::new(),
        tokens: Pair::default(),
        tool_tokens: None,
        cache: Cache::default(),
        is_coarse: false,
    };
    written(&difference, context)
}

fn written(difference: &Difference, context: usize) -> String {
    let view = DiffView {
        format: DiffFormat::Patch,
        context,
        side_by_side: false,
        word_diff: false,
        tokenizer: Tokenizer::Chars4,
        screen: Screen::plain(80),
    };
    let mut out = Vec::new();
    write(difference, &view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn user(left: &str, right: &str, context: usize) -> String {
    patch(side("a", &[(Role::User, left)]), side("a", &[(Role::User, right)]), context)
}

#[test]
fn a_changed_line_has_its_context() {
    let text = |fifth: &str| format!("1\n2\n3\n4\n{fifth}\n6\n7\n8\n9");
    let heading = "--- a/a/user\n+++ b/a/user\n";
    let expected = format!("{heading}@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
    assert_eq!(user(&text("5"), &text("five"), 3), expected);
    assert_eq!(user(&text("5"), &text("five"), 0), format!("{heading}@@ -5 +5 @@\n-5\n+five\n"));
    assert_eq!(user(&text("5"), &text("5"), 3), "");
}

#[test]
fn a_missing_final_newline_is_marked() {
    let heading = "--- a/a/user\n+++ b/a/user\n";
    let none = "\\ No newline at end of file\n";
    assert_eq!(user("x", "y", 3), format!("{heading}@@ -1 +1 @@\n-x\n{none}+y\n{none}"));
    assert_eq!(user("x", "x\n", 3), format!("{heading}@@ -1 +1 @@\n-x\n{none}+x\n"));
    assert_eq!(user("a\nx", "b\nx", 3), format!("{heading}@@ -1,2 +1,2 @@\n-a\n+b\n x\n{none}"));
    assert_eq!(user("", "\n", 3), format!("{heading}@@ -0,0 +1 @@\n+\n"));
}

#[test]
fn a_message_on_one_side_is_compared_with_dev_null() {
    let left = || side("a", &[(Role::User, "x\n")]);
    let both = || side("a", &[(Role::System, "s\n"), (Role::User, "x\n")]);
    let added = "--- /dev/null\n+++ b/a/system\n@@ -0,0 +1 @@\n+s\n";
    assert_eq!(patch(left(), both(), 3), added);
    let removed = "--- a/a/system\n+++ /dev/null\n@@ -1 +0,0 @@\n-s\n";
    assert_eq!(patch(both(), left(), 3), removed);
    let empty = side("a", &[(Role::User, "x\n"), (Role::User, "")]);
    assert_eq!(patch(left(), empty, 3), "");
}

#[test]
fn a_directive_cannot_lead_out_of_the_folder() {
    let named = |id: &str| patch(side(id, &[(Role::User, "x\n")]), side("right", &[(Role::User, "y\n")]), 0);
    for id in ["../../etc", "/etc", "./etc/.", "etc//", "etc/../"] {
        assert!(named(id).starts_with("--- a/etc/user\n+++ b/etc/user\n"), "{id}");
    }
    for id in ["", "/", "..", "."] {
        assert!(named(id).starts_with("--- a/prompt/user\n+++ b/prompt/user\n"), "{id}");
    }
}

#[test]
fn odd_names_are_quoted() {
    assert_eq!(quoted("a/é😀/user"), "a/é😀/user");
    assert_eq!(quoted("a/b c/user"), "\"a/b c/user\"");
    assert_eq!(quoted("a/\"\\\n\t\r\u{1}\u{7f}"), "\"a/\\\"\\\\\\n\\t\\r\\001\\177\"");
    assert_eq!(quoted("a/\u{202e}"), "\"a/\\342\\200\\256\"");
}

/// Whether a program is installed; if not, prints that its part of the test is skipped.
fn found(program: &str) -> bool {
    let runs = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !runs {
        assert!(std::env::var_os("RYE_RENDER_REQUIRE_TOOLS").is_none(), "this test requires {program}");
        announce(&format!("patches: {program} skipped: not installed"));
    }
    runs
}

/// Prints a sentence that is visible even if the test passes, unlike `println!`.
fn announce(sentence: &str) {
    use std::io::Write as _;
    // Ignores a closed standard error.
    let _ = writeln!(std::io::stderr(), "{sentence}");
}

fn run(program: &str, arguments: &[&str], folder: &Path, input: &str) -> Output {
    use std::io::Write as _;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Outside any repository, and without user settings.
    command.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap()).env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env_remove("POSIXLY_CORRECT");
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn lay_out(messages: &Side, name: &str, folder: &Path) {
    for (key, text) in files(messages) {
        let path = folder.join(super::name(name, key));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Every file below a folder with its bytes, sorted by path.
fn laid_out(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                assert_ne!(path.extension(), Some(OsStr::new("orig")), "it applied with an offset");
                all.push((path.strip_prefix(folder).unwrap().to_str().unwrap().to_string(), fs::read(&path).unwrap()));
            }
        }
    }
    all.sort();
    all
}

/// Whether a text ends with two equal lines, the last without a newline. If a patch without context removes the last
/// one, `git apply` also removes the newline of the other, even from a patch that `git diff` wrote.
fn is_misread_by_git(side: &Side) -> bool {
    files(side).iter().any(|(_, text)| {
        let mut lines = text.rsplit('\n');
        lines.next() == lines.next()
    })
}

/// Applies a patch to the left messages with the real programs, and expects exactly the right messages.
#[track_caller]
fn assert_applies(left: &Side, right: &Side, context: usize, programs: &[&str]) {
    let text = patch(left.clone(), right.clone(), context);
    let name = left.directive.clone().unwrap();
    let expected = tempfile::tempdir().unwrap();
    lay_out(right, &name, expected.path());
    for program in programs.iter().filter(|program| **program != "git" || context > 0 || !is_misread_by_git(left)) {
        let folder = tempfile::tempdir().unwrap();
        lay_out(left, &name, folder.path());
        if text.is_empty() {
            assert_eq!(laid_out(folder.path()), laid_out(expected.path()));
            continue;
        }
        let arguments: &[&str] = match (*program, context) {
            ("patch", _) => &["-p1", "--fuzz=0", "--batch", "--quiet"],
            (_, 0) => &["apply", "--unidiff-zero", "--whitespace=nowarn"],
            _ => &["apply", "--whitespace=nowarn"],
        };
        let output = run(program, arguments, folder.path(), &text);
        let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.is_empty(), "{program} -U{context}: {said}\n{text:?}");
        assert_eq!(laid_out(folder.path()), laid_out(expected.path()), "{program} -U{context}\n{text:?}");
    }
}

/// The installed programs.
fn programs() -> Vec<&'static str> {
    ["patch", "git"].into_iter().filter(|program| found(program)).collect()
}

#[test]
fn git_and_patch_apply_the_patch() {
    let programs = programs();
    let texts = [
        "",
        "\n",
        "\n\n",
        "one line",
        "one line\n",
        "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n",
        "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n11\n12",
        "one\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\ntwelve\n",
        "a\r\nb\r\nc",
        "a\nb\r\nc\r\n",
        "a\rb\rc",
        "- a\n+ b\n\\ c\n@@ -1 +1 @@\n",
        "-- a/x\n++ b/x\n@@ -1,2 +1 @@\n\\ No newline at end of file\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/x b/x\n",
        "Index: x\nPrereq: 1.0\n*** 1 ****\n1c1\n< a\n---\n> b\n.\n",
        "é😀\u{202e}\u{feff}\u{2028}\u{85}\n東京\t\u{0}\u{1b}[31m\n",
        " \n\t\n  a  \n",
    ];
    // One context size per pair, so that each text is tested with all sizes on either side.
    let contexts = [0, 1, 3, usize::MAX];
    let mut count = 0;
    for (l, left) in texts.into_iter().enumerate() {
        for (r, right) in texts.into_iter().enumerate() {
            let sides = [left, right].map(|text| side("a", &[(Role::User, text)]));
            assert_applies(&sides[0], &sides[1], contexts[(l + r) % contexts.len()], &programs);
            count += 1;
        }
    }
    for program in programs {
        announce(&format!("patches: {program} applied {count} patches"));
    }
}

#[test]
fn git_and_patch_read_every_name() {
    let programs = programs();
    let left = [(Role::System, "gone\n"), (Role::User, "1\n2\n"), (Role::Assistant, "same"), (Role::User, "")];
    let right = [(Role::User, "1\n3\n"), (Role::Assistant, "same"), (Role::Tool, "new"), (Role::User, "x")];
    for id in [
        "a",
        "a b",
        "shop/deploy staging",
        "a\nb",
        "a\tb",
        "é 東京",
        "\"q\"",
        "a\\b",
        "\u{202e}x",
        "-p1",
        " a ",
        "'",
        "a'b",
    ] {
        for context in [0, 3] {
            assert_applies(&side(id, &left), &side(id, &right), context, &programs);
            assert_applies(&side(id, &right), &side(id, &left), context, &programs);
            // An added directive, and a removed one.
            let nothing = side(id, &[]);
            assert_applies(&nothing, &side(id, &right), context, &programs);
            assert_applies(&side(id, &right), &nothing, context, &programs);
        }
    }
}

/// Few different lines, so that many are the same on both sides.
fn texts() -> impl Strategy<Value = String> {
    let line =
        prop::sample::select(vec!["", "a", "b", "-a", "+a", "\\ a", "@@", " ", "a\r", "\r", "é", "--- a", "+++ a"]);
    (prop::collection::vec(line, 0..24), any::<bool>())
        .prop_map(|(lines, ends)| lines.join("\n") + if ends { "\n" } else { "" })
}

#[test]
fn generated_texts_are_patched_correctly() {
    let programs = programs();
    let cases = ((texts(), texts()), (texts(), texts()), 0usize..5);
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) };
    proptest!(config, |(((system, user), (other_system, other_user), context) in cases)| {
        let left = side("a", &[(Role::System, &system), (Role::User, &user)]);
        let right = side("a", &[(Role::System, &other_system), (Role::User, &other_user)]);
        assert_applies(&left, &right, context, &programs);
    });
}
