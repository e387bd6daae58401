//! Errors about arguments and the files that they name.

use clap::CommandFactory;
use regex::Regex;
use rye_render::internals::cli::arguments::Arguments;

use crate::support::{RELEASED, Test};

const DIRECTIVE: &str = "```xml\n<directive name=\"x\"/>\n```\nHello.\n";

/// A project with the directive `x`.
fn test() -> Test {
    Test::new().file("project/.ai/directives/x.md", DIRECTIVE)
}

#[test]
fn an_unknown_flag_is_a_usage_error() {
    Test::new()
        .args(["render", "x", "--formt", "json"])
        .stderr(
            "error: unexpected argument '--formt' found\n\n  tip: a similar argument exists: '--format'\n\n\
             Usage: rye-render render [OPTIONS] <DIRECTIVE>\n       rye-render render [OPTIONS] --all -o <DIR>\n\nFor more information, try '--help'.\n",
        )
        .status(2)
        .run();
}

#[test]
fn programs_get_a_usage_error_as_json() {
    Test::new()
        .args(["render", "x", "--limit", "a", "--format", "json"])
        .stderr(concat!(
            r#"{"error":{"code":"invalid_argument","#,
            r#""message":"invalid value 'a' for '--limit <NAME=VALUE>': write a name, `=` and a value","#,
            r#""help":"see `rye-render render --help`","source":null}}"#,
            "\n"
        ))
        .status(2)
        .run();
}

/// Checks every format of every command: a new one must report JSON or be in `FOR_PEOPLE`.
#[test]
fn machine_formats_report_usage_errors_as_json() {
    const FOR_PEOPLE: [&str; 9] =
        ["text", "plain", "concise", "tree", "stat", "name-only", "markdown", "patch", "html"];
    let mut whole = Arguments::command();
    whole.build();
    let mut formats = 0;
    for command in whole.get_subcommands() {
        let format = command.get_arguments().find(|argument| argument.get_long() == Some("format"));
        for value in format.into_iter().flat_map(|format| format.get_possible_values()) {
            let (command, format) = (command.get_name(), value.get_name());
            let ran = Test::new().args([command, "--format", format, "--nope"]).any_stderr().status(2).run();
            let error = serde_json::from_str::<serde_json::Value>(&ran.stderr);
            let code = error.ok().map(|error| error["error"]["code"].clone());
            let expected = (!FOR_PEOPLE.contains(&format)).then(|| "invalid_argument".into());
            assert_eq!(code, expected, "{command} --format {format}: {}", ran.stderr);
            formats += 1;
        }
    }
    assert!(formats >= 30, "{formats}");
}

/// Process-wide state must not leak into the next run.
#[test]
fn the_program_can_run_twice_in_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str| {
        let path = folder.path().join(name);
        let words = ["rye-render", "render", "rye/demo/hello", "--user-space", "none", "--system", "builtin"];
        let words = words.into_iter().map(Into::into).chain(["-o".into(), path.clone().into_os_string()]);
        assert_eq!(rye_render::internals::cli::run_with(words.collect()), 0);
        std::fs::read_to_string(path).unwrap()
    };
    assert_eq!(run("first"), run("second"));
}

#[test]
fn conflicting_flags_are_refused() {
    test()
        .args(["render", "x", "--event", "thread_continued"])
        .stderr(
            "error[invalid_argument]: a resumed thread needs its earlier messages\n\
             help: add --messages FILE\n",
        )
        .status(2)
        .run();
}

#[test]
fn a_missing_inputs_file_is_an_error() {
    let ran = test().args(["render", "x", "--inputs", "in.json", "--format", "json"]).any_stderr().status(2).run();
    let error: serde_json::Value = serde_json::from_str(&ran.stderr).expect("one object");
    assert_eq!(error["error"]["code"], "unreadable");
    assert_eq!(error["error"]["message"], "cannot be read: No such file or directory");
    assert_eq!(error["error"]["source"]["path"], "in.json");
}

#[test]
fn errors_in_inputs_from_standard_input_have_a_position() {
    let ran = test().args(["render", "x", "--inputs", "-"]).stdin("{\n \"a\": }").any_stderr().status(2).run();
    assert!(
        ran.stderr.starts_with("error[invalid_argument]: the inputs are not JSON: expected value"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("standard input:2:"), "{}", ran.stderr);
}

#[test]
fn help_goes_to_standard_output() {
    for arguments in [["render", "-h"], ["render", "--help"], ["schema", "-h"]] {
        let ran = Test::new().args(arguments).any_stdout().run();
        assert!(ran.stdout.contains("Usage: rye-render"), "{}", ran.stdout);
    }
    let ran = Test::new().args(["--version"]).any_stdout().run();
    let commit = ran.stdout.strip_prefix(concat!("rye-render ", env!("CARGO_PKG_VERSION")));
    let with_commit = Regex::new(r"^ \([0-9a-f]{9} \d{4}-\d\d-\d\d\)\n$").expect("a pattern");
    let is_shown = commit.is_some_and(|it| it == "\n" || RELEASED.is_some() && with_commit.is_match(it));
    assert!(is_shown, "{}", ran.stdout);
}

/// Assumes a window of 50 lines and 80 columns.
#[test]
fn the_short_help_fits_on_one_screen() {
    let help = || Test::new().env("COLUMNS", "80").any_stdout();
    let mut whole = Arguments::command();
    whole.build();
    let of_commands = whole.get_subcommands().map(|command| (command.get_name(), help().args([command.get_name()])));
    for (command, test) in of_commands.chain([("all", help())]) {
        let ran = test.args(["-h"]).run();
        let (lines, widest) = (ran.stdout.lines().count(), ran.stdout.lines().map(|line| line.chars().count()).max());
        assert!(lines <= 50 && widest <= Some(80), "{command:?}: {lines} lines of up to {widest:?}\n{}", ran.stdout);
    }
}

#[test]
fn without_a_command_the_commands_are_shown() {
    let ran = Test::new().any_stderr().status(2).run();
    assert!(ran.stderr.contains("Usage: rye-render"), "{}", ran.stderr);
}
