//! Invalid sides when folders are compared, and the advice about them.

use super::{story, typed};
use crate::support::Test;

fn refused(words: &[&str], message: &str) {
    let Some(test) = story(|_| {}) else { return };
    let ran = typed(test, words).status(2).any_stderr().run();
    assert!(ran.stderr.contains(message), "{words:?}: {}", ran.stderr);
}

#[test]
fn flags_for_directives_are_refused() {
    refused(&["--all", "--cwd", "a"], "--all compares the prompts of all folders");
    refused(&["--stands-for", "x", "a", "b"], "--stands-for is for directives");
    refused(&["--git-external", "a"], "--git-external is for directives");
    refused(&["-i", "a=b"], "--input requires a directive, but this is the prompt of a folder");
    refused(&["--right-protocol", "rye-3"], "one side is the prompt of a folder, the other of a directive");
}

#[test]
fn flags_for_folders_are_refused() {
    let refused = |words: &[&str], message: &str| {
        let ran = typed(Test::new().args(["diff"]), words).status(2).any_stderr().run();
        assert!(ran.stderr.contains(message), "{words:?}: {}", ran.stderr);
    };
    refused(&["deploy", "--right-tools", "read"], "--tools requires a folder, and this is a directive");
    refused(&["deploy", "--prompt", "Go"], "--prompt requires a folder");
    refused(&["--protocol", "rye-3"], "no directive is named");
}

#[test]
fn a_side_that_is_not_a_folder_is_refused() {
    refused(&["AGENTS.md"], "AGENTS.md is a file, but not a saved prompt, a transcript or a request body");
    refused(&["HEAD:AGENTS.md", "."], "HEAD:AGENTS.md is a file, but a side is a folder");
    refused(&["packages/none"], "folder packages/none not found");
    // A missing folder with a different name is a mistake, not a removed prompt.
    refused(&["packages/a", "HEAD:packages/none"], "folder HEAD:packages/none not found");
    refused(&["packages/a", "--cwd", "."], "LEFT and --cwd both name a folder");
    refused(&["nope:"], "revision `nope` not found in the repository");
    refused(&["HEAD:", "--rev", "HEAD"], "--rev and REV:FOLDER both name a revision");
}

#[test]
fn a_revision_needs_a_repository() {
    let ran = Test::new().args(["diff", "--protocol", "sf"]).status(2).any_stderr().run();
    assert!(ran.stderr.contains("is not in a git repository"), "{}", ran.stderr);
    assert!(ran.stderr.contains("name two folders"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_repository_that_leads_out_of_it_is_followed_on_disk() {
    let Some(test) = story(|repo| {
        std::fs::write(repo.path("../shared.md"), "Shared.\n").unwrap();
        repo.link("packages/b/CLAUDE.md", "../../../shared.md").remove("packages/b/AGENTS.md").commit("link");
    }) else {
        return;
    };
    typed(test, &["packages/b", "--format", "name-only"]).stdout("").run();
}
