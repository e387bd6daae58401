//! The exit status follows that of the standard `diff`.

use super::{RULES, knowledge, story};

#[test]
fn the_exit_status_is_0_1_or_2() {
    let edited = || {
        story(|repo| {
            repo.write(RULES, knowledge("Rules", "Never deploy on a Friday, or on a Monday.\n\nAsk before.\n"));
        })
    };
    let cases: [(&[&str], i32); 7] = [
        (&["deploy"], 1),
        (&["deploy", "deploy"], 0),
        (&["deploy", "--exit-zero"], 0),
        (&["deploy", "--max-token-growth", "50%"], 0),
        (&["deploy", "--max-token-growth", "0.1"], 0),
        (&["v1:deploy", "deploy", "--ignore-blank-lines"], 1),
        (&["absent", "absent"], 2),
    ];
    for (arguments, status) in cases {
        let Some(mut test) = edited() else { return };
        for argument in arguments {
            test = test.args([*argument]);
        }
        test.status(status).any_stdout().any_stderr().run();
    }
}

#[test]
fn only_growth_over_the_limit_exits_with_1() {
    let Some(longer) = story(|repo| {
        repo.write(RULES, knowledge("Rules", &"Never deploy on a Friday.\n".repeat(20)));
    }) else {
        return;
    };
    let ran = longer.args(["deploy", "--max-token-growth", "5%"]).status(1).any_stdout().any_stderr().run();
    assert!(ran.stderr.contains("5%"), "{}", ran.stderr);
    let Some(shorter) = story(|repo| {
        repo.write(RULES, knowledge("Rules", "No.\n"));
    }) else {
        return;
    };
    shorter.args(["deploy", "--max-token-growth", "0%"]).any_stdout().run();
}

#[test]
fn ignored_white_space_is_not_a_difference() {
    let text = "Never  deploy on a Friday. \n\nAsk before you touch\ta database.\n";
    let Some(test) = story(|repo| {
        repo.write(RULES, knowledge("Rules", text));
    }) else {
        return;
    };
    let flags = ["deploy", "--ignore-space-change", "--ignore-blank-lines", "--format", "name-only"];
    test.args(flags).run();
}
