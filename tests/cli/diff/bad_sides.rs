//! Sides that cannot be compared: the error says why, and what to do.

use super::story;
use crate::support::Test;

/// The error message for sides that cannot be compared.
fn refused(arguments: &[&str]) -> Option<String> {
    let mut test = story(|_| {})?;
    for argument in arguments {
        test = test.args([*argument]);
    }
    Some(test.status(2).any_stderr().run().stderr)
}

#[test]
fn an_invalid_side_is_an_error() {
    let cases: [(&[&str], &[&str]); 9] = [
        (&["nosuch:deploy"], &["unknown_revision", "nosuch"]),
        (&["--", "-x:deploy"], &["invalid_revision", "hyphen"]),
        (&["deploy", "--rev", "-x"], &["invalid_revision", "hyphen"]),
        (&["HEAD:", "deploy"], &["no directive"]),
        (&["v1:deploy", "--rev", "v1"], &["--rev", "REV:DIRECTIVE"]),
        (&["v1:deploi", "v1:deploy"], &["directive_not_found", "did you mean `deploy`"]),
        (&["none.json", "deploy"], &["none.json", "No such file"]),
        (&["-", "deploy", "--left-input", "a=b"], &["--left-input", "standard input", "leave the flag out"]),
        (&["deploy", "deploy", "--side-by-side", "--format", "json"], &["--side-by-side"]),
    ];
    for (arguments, parts) in cases {
        let Some(said) = refused(arguments) else { return };
        for part in parts {
            assert!(said.contains(part), "{arguments:?}: {part}: {said}");
        }
    }
}

#[test]
fn without_a_repository_one_side_is_not_enough() {
    let ran = Test::new()
        .file("project/.ai/directives/deploy.md", &super::directive("deploy", &[], "Go."))
        .args(["diff", "deploy"])
        .status(2)
        .any_stderr()
        .run();
    assert!(ran.stderr.contains("no_repository"), "{}", ran.stderr);
}

#[test]
fn a_directive_on_one_side_only_is_a_difference() {
    let Some(test) = story(|repo| {
        repo.write(".ai/directives/new.md", super::directive("new", &[], "New."));
    }) else {
        return;
    };
    let ran = test.args(["new"]).status(1).any_stdout().run();
    assert!(ran.stdout.contains("added"), "{}", ran.stdout);
    let Some(test) = story(|repo| {
        repo.remove(super::DEPLOY);
    }) else {
        return;
    };
    let ran = test.args(["deploy"]).status(1).any_stdout().run();
    assert!(ran.stdout.contains("removed"), "{}", ran.stdout);
}

#[test]
fn a_new_directive_counts_as_added() {
    let path = ".ai/directives/new.md";
    for arguments in
        [vec!["new"], vec![path], vec!["HEAD:.ai/directives/new.md"], vec!["HEAD:.ai/directives/new.md", "new"]]
    {
        let Some(mut test) = story(|repo| {
            repo.write(path, super::directive("new", &[], "New."));
        }) else {
            return;
        };
        for argument in &arguments {
            test = test.args([*argument]);
        }
        let ran = test.status(1).any_stdout().any_stderr().run();
        assert!(ran.stdout.contains("added"), "{arguments:?}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_directive_on_neither_side_is_one_error() {
    let Some(said) = refused(&["nosuch"]) else { return };
    assert_eq!(said.matches("error[").count(), 1, "{said}");
}

#[test]
fn a_side_that_fails_is_reported_with_its_position() {
    let Some(test) = story(|repo| {
        repo.write(super::DEPLOY, "```xml\n<directive name=\"deploy\"\n```\n");
    }) else {
        return;
    };
    let ran = test.args(["deploy"]).status(2).any_stderr().run();
    assert!(ran.stderr.contains(".ai/directives/deploy.md"), "{}", ran.stderr);
}
