//! What the program says to arguments that it cannot use, and to files that they name.

use clap::CommandFactory;
use rye_render::internals::cli::arguments::Arguments;

use crate::support::Test;

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
            r#""help":"see `rye-render --help`","source":null}}"#,
            "\n"
        ))
        .status(2)
        .run();
}

#[test]
fn conflicting_flags_are_refused() {
    test()
        .args(["render", "x", "--event", "thread_continued"])
        .stderr(
            "error[invalid_argument]: a resumed thread has earlier messages\n\
             help: name their file with --messages\n",
        )
        .status(2)
        .run();
}

#[test]
fn a_missing_file_of_inputs_is_an_error() {
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
    let version = concat!("rye-render ", env!("CARGO_PKG_VERSION"), "\n");
    Test::new().args(["--version"]).stdout(version).run();
}

/// A window of usual height, and the columns that every terminal has.
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
fn no_command_shows_the_commands() {
    let ran = Test::new().any_stderr().status(2).run();
    assert!(ran.stderr.contains("Usage: rye-render"), "{}", ran.stderr);
}
