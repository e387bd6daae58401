//! Files that are hard to compare, and changes around unchanged text.

use super::{DEPLOY, RULES, directive, knowledge, story};

#[test]
fn a_renamed_item_counts_as_moved() {
    let Some(test) = story(|repo| {
        let text = knowledge("Rules", "Never deploy on a Friday.\nAsk before you touch a database.\n");
        repo.remove(RULES).write(".ai/knowledge/app/conduct.md", text);
        repo.write(DEPLOY, directive("deploy", &["app/conduct"], "Roll it out."));
    }) else {
        return;
    };
    let ran = test.args(["deploy"]).status(1).any_stdout().run();
    assert!(ran.stdout.contains("text unchanged, renamed from app/rules"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Never deploy"), "{}", ran.stdout);
}

#[test]
fn an_item_from_a_different_tier_is_reported_even_with_the_same_text() {
    let Some(test) = story(|repo| {
        let text = std::fs::read(repo.path(RULES)).unwrap();
        let home = crate::repo::Repo::at(&repo.folder().with_file_name("home"));
        home.write(RULES, text);
        repo.remove(RULES);
    }) else {
        return;
    };
    let ran = test.args(["deploy"]).status(1).any_stdout().run();
    assert!(ran.stdout.contains("project .ai/knowledge/app/rules.md"), "{}", ran.stdout);
    assert!(ran.stdout.contains("user .ai/knowledge/app/rules.md"), "{}", ran.stdout);
}

#[test]
fn crlf_is_not_a_difference() {
    let Some(test) = story(|repo| {
        let text = std::fs::read_to_string(repo.path(RULES)).unwrap();
        repo.write(RULES, text.replace('\n', "\r\n"));
    }) else {
        return;
    };
    test.args(["deploy", "--format", "name-only"]).run();
}

#[test]
fn a_link_inside_the_tree_counts_as_its_target() {
    let Some(test) = story(|repo| {
        repo.remove(RULES).link(RULES, "shared.md");
        let shared = knowledge("Rules", "Never deploy on a Friday.\nAsk before you touch a database.\n");
        repo.write(".ai/knowledge/app/shared.md", shared).commit("a link");
    }) else {
        return;
    };
    test.args(["v1:deploy", "HEAD:deploy", "--format", "name-only"]).run();
}

#[test]
fn names_with_control_characters_are_escaped() {
    let id = "app/two\nlines\u{1b}[31m";
    let Some(test) = story(|repo| {
        repo.write(&format!(".ai/knowledge/{id}.md"), knowledge("X", "Text.\n"));
        let named = directive("deploy", &["app/rules", "app/two&#10;lines"], "Roll it out.");
        repo.write(DEPLOY, named).write(".ai/knowledge/app/two\nlines.md", knowledge("X", "Text.\n")).commit("two");
    }) else {
        return;
    };
    let ran =
        test.args(["v1:deploy", "HEAD:deploy", "--format", "name-only"]).status(1).any_stdout().any_stderr().run();
    assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    assert!(!ran.stdout.contains('\u{1b}'));
}

#[test]
fn a_patch_without_context_shows_only_the_changed_lines() {
    let Some(test) = story(|repo| {
        repo.write(".ai/directives/raw.md", directive("raw", &[], "One\n\n\nTwo")).commit("two");
        repo.write(".ai/directives/raw.md", directive("raw", &[], "One\n\n\nThree"));
    }) else {
        return;
    };
    let ran = test.args(["raw", "--format", "patch", "-U", "0"]).status(1).any_stdout().run();
    assert!(ran.stdout.contains("\n-Two\n+Three\n"), "{}", ran.stdout);
}
