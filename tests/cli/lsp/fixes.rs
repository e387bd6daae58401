//! What an editor offers to do about findings.

use serde_json::json;

use super::editor::{self, Editor};
use super::{DEPLOY, DIRECTIVE, shop, shown};

/// The fixes of the editor make the text that `--fix` makes.
#[test]
fn fixes_are_those_of_the_command() {
    let files = shop();
    let text = DIRECTIVE.replace("rules</before>", "rules</before><before>rules</before>").replace('\n', "\r\n");
    let mut editor = Editor::start(&files, &json!({}));
    editor.open(DEPLOY, &text);
    let fixed = editor::output(&mut files.command(&["lint", "--fix", "--stdin-filename", DEPLOY]), &text);
    let fixed = String::from_utf8(fixed.stdout).expect("UTF-8");
    let all = editor.actions(DEPLOY, &json!(["source.fixAll"]));
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(editor::edited(&text, &all[0]["edit"]), fixed);
    assert_ne!(text, fixed);
    assert_eq!(editor.end(), Some(0));
}

/// A comment that the editor adds allows the finding for which it was offered, and no other.
#[test]
fn a_finding_is_allowed_by_a_comment() {
    let files = shop();
    let mut editor = Editor::start(&files, &json!({"textDocument": {"diagnostic": {}}}));
    editor.open(DEPLOY, DIRECTIVE);
    let before = shown(&editor.pull(DEPLOY)["items"]);
    let actions = editor.actions(DEPLOY, &json!(["quickfix"]));
    let allow = actions.iter().find(|action| action["title"].as_str().expect("a title").starts_with("Allow "));
    let allow = allow.unwrap_or_else(|| panic!("no comment is offered: {actions:?}"));
    let code = allow["diagnostics"][0]["code"].as_str().expect("a code").to_string();
    editor.change(DEPLOY, &json!({"text": editor::edited(DIRECTIVE, &allow["edit"])}));
    let after = shown(&editor.pull(DEPLOY)["items"]);
    let count = |all: &[(String, u64, u64)]| all.iter().filter(|(it, ..)| *it == code).count();
    assert_eq!((after.len(), count(&after)), (before.len() - 1, count(&before) - 1), "{before:?} {after:?}");
    assert_eq!(editor.end(), Some(0));
}
