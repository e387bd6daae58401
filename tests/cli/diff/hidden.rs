//! Hidden values appear in no output, but still affect the exit status.

use super::{DEPLOY, story};
use crate::support::Test;

const ASKS: &str = "```xml\n<directive name=\"deploy\" version=\"1\"><inputs><input name=\"target\"/></inputs></directive>\n\
                    ```\n\nGo to {input:target} with {env:TOKEN}.\n";

fn asking(arguments: &[&str]) -> Option<Test> {
    let mut test = story(|repo| {
        repo.write(DEPLOY, ASKS);
    })?;
    for argument in arguments {
        test = test.args([*argument]);
    }
    Some(test)
}

#[test]
fn titles_hide_values_in_every_format() {
    let flags = ["deploy", "deploy", "--left-env", "TOKEN=SECRET-1", "--left-input", "target=SECRET-2"];
    for format in ["markdown", "html", "text", "stat", "json", "patch", "name-only"] {
        let further =
            ["--right-env", "TOKEN=x", "--right-input=target=y", "--redact", "env,inputs", "--format", format];
        let Some(test) = asking(&[flags.as_slice(), &further].concat()) else { return };
        let ran = test.status(1).any_stdout().run();
        assert!(!ran.stdout.contains("SECRET"), "{format}: {}", ran.stdout);
    }
    let Some(test) = asking(&[flags.as_slice(), &["--right-input=target=y", "--format", "stat"]].concat()) else {
        return;
    };
    let ran = test.status(1).any_stdout().run();
    assert!(!ran.stdout.contains("SECRET"), "{}", ran.stdout);
}

#[test]
fn a_changed_value_is_a_difference_in_every_format() {
    let long = format!("target={}", "far ".repeat(50));
    let flags = ["--env", "TOKEN=x", "--left-input", "target=eu", "--right-input", &long];
    for which in [["deploy", "deploy"].as_slice(), &["--all"]] {
        for format in ["text", "markdown", "html"] {
            let asked = |further: &[&str]| asking(&[which, &flags, &["--format", format], further].concat());
            let Some(test) = asked(&[]) else { return };
            let ran = test.status(1).any_stdout().run();
            let says_so = ran.stdout.contains("hidden values");
            assert_eq!(says_so, format != "text", "{which:?} {format}: {}", ran.stdout);
            // Hidden values count towards growth.
            let ran = asked(&["--max-token-growth", "50%"]).unwrap().status(1).any_stdout().any_stderr().run();
            assert!(ran.stderr.contains("prompt_grew"), "{which:?} {format}: {}", ran.stderr);
        }
    }
    let same = ["deploy", "deploy", "--env", "TOKEN=x", "-i", "target=eu", "--format", "markdown"];
    let ran = asking(&same).unwrap().any_stdout().run();
    assert!(ran.stdout.contains("The prompts are the same"), "{}", ran.stdout);
}
