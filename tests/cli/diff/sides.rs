//! Directives at revisions, in the index and on disk, and flags for one side.

use super::{DEPLOY, RULES, directive, knowledge, story};

/// The rules with a stricter line about Friday.
fn stricter() -> String {
    knowledge("Rules", "Never deploy on a Friday or before a holiday.\nAsk before you touch a database.\n")
}

#[test]
fn one_argument_compares_head_with_the_working_tree() {
    let Some(test) = story(|repo| {
        repo.write(RULES, stricter());
    }) else {
        return;
    };
    test.args(["deploy"])
        .status(1)
        .stdout(
            "\
HEAD:deploy → deploy                                 28 → 33 tokens (+5, +17.9%)
the prompts differ: 1 of 2 layers

━━ user · app/rules ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 15 → 20 tokens  +5
  changed
  project .ai/knowledge/app/rules.md:5-6; old text at HEAD
@@ user · app/rules · lines 1-2 @@
│ - Never deploy on a Friday.
│ + Never deploy on a Friday or before a holiday.
                            ^^^^^^^^^^^^^^^^^^^^
│   Ask before you touch a database.

1 layer is the same

cache: the prefix ends at byte 24 of 131 (18%), broken by user · app/rules; too
  short to reuse: 6 tokens; caching needs at least 1,024
",
        )
        .run();
}

#[test]
fn a_revision_alone_is_compared_with_the_working_tree() {
    let Some(test) = story(|repo| {
        repo.write(RULES, stricter()).commit("two");
    }) else {
        return;
    };
    test.args(["v1:deploy", "--format", "name-only"]).status(1).stdout("app/rules\n").run();
}

#[test]
fn the_index_is_a_side() {
    let edited = |stage: bool| {
        story(move |repo| {
            repo.write(RULES, stricter());
            if stage {
                repo.add();
            }
            repo.write(DEPLOY, directive("deploy", &["app/rules"], "Not staged."));
        })
    };
    let (Some(staged), Some(unstaged)) = (edited(true), edited(false)) else { return };
    staged.args(["HEAD:deploy", ":deploy", "--format", "name-only"]).status(1).stdout("app/rules\n").run();
    unstaged.args(["HEAD:deploy", ":deploy"]).any_stdout().run();
}

#[test]
fn a_side_can_be_a_file() {
    let Some(test) = story(|repo| {
        repo.write(DEPLOY, directive("deploy", &["app/rules"], "Roll it out slowly."));
    }) else {
        return;
    };
    let path = "v1:.ai/directives/deploy.md";
    test.args([path, "./.ai/directives/deploy.md", "--format", "name-only"])
        .status(1)
        .stdout("directive deploy\n")
        .run();
}

#[test]
fn a_flag_can_apply_to_one_side() {
    let asks = "```xml\n<directive name=\"deploy\" version=\"1\"><inputs><input name=\"target\"/></inputs></directive>\n\
                ```\n\nGo to {input:target}.\n";
    let cases: [(&[&str], &str); 4] = [
        (&["--left-input", "target=a", "--right-input", "target=b"], "directive deploy\ninputs.target\n"),
        (&["-i", "target=a", "--right-input=target=b"], "directive deploy\ninputs.target\n"),
        (&["-i", "target=a", "--left-model", "one", "--right-model", "two"], "model.effective\n"),
        (&["-i", "target=a", "--right-with-context", "before=app/rules"], "app/rules\n"),
    ];
    for (flags, names) in cases {
        let Some(mut test) = story(|repo| {
            repo.write(DEPLOY, asks);
        }) else {
            return;
        };
        for flag in flags {
            test = test.args([*flag]);
        }
        test.args(["deploy", "deploy", "--format", "name-only"]).status(1).stdout(names).run();
    }
}

#[test]
fn sides_can_be_two_projects() {
    let Some(test) = story(|repo| {
        let other = repo.folder().with_file_name("other");
        let other = crate::repo::Repo::at(&other);
        super::plain(&other).write(RULES, stricter());
    }) else {
        return;
    };
    test.args(["deploy", "deploy", "--right-project", "../other", "--format", "name-only"])
        .status(1)
        .stdout("app/rules\n")
        .run();
}
