use crate::read::store::Disk;
use std::path::Path;

use super::*;
use crate::lint::testing;
use crate::lint::testing::Example;
use crate::lint::{Known, LintOptions};
use crate::read::protocol::Protocols;

/// The files that are checked when these are named.
fn checked(files: &str, named: &[&str]) -> Vec<String> {
    let scope = LintScope {
        named: Some(named.iter().map(|path| NamedPath::file(*path)).collect()),
        force_exclude: false,
        ..LintScope::default()
    };
    checked_by(&scope, files, &LintOptions::default())
}

fn checked_by(scope: &LintScope, files: &str, options: &LintOptions) -> Vec<String> {
    let files = files.to_string().leak();
    let tiers = testing::tiers(Example(files));
    let protocol = Protocols::default().get("rye-3").unwrap();
    let project = scope.project(&tiers, &protocol, options, Known::default());
    project.linted().map(|file| file.path.trim_start_matches(".ai/").to_string()).collect()
}

fn directive(id: &str, extends: &str, inside: &str) -> String {
    let extends = if extends.is_empty() { String::new() } else { format!(" extends=\"{extends}\"") };
    format!(
        "=== .ai/directives/{id}.md\n```xml\n<directive name=\"{id}\"{extends}><metadata>{inside}</metadata></directive>\n```\nGo.\n"
    )
}

fn knowledge(id: &str) -> String {
    format!("=== .ai/knowledge/{id}.md\n```yaml\nname: {id}\n```\nText.\n")
}

const HOOK: &str = "\
=== .ai/config/agent/hooks.yaml
hooks:
  - id: h
    event: thread_started
    condition: {path: directive, op: eq, value: leaf}
    action: {primary: fetch, item_type: knowledge, item_id: hooked}
  - id: r
    event: resolve_extends
    condition: {path: directive, op: eq, value: other}
    action: {set_extends: routed}
";

/// A chain of three directives that places an item, plus a separate directive and hooks.
fn project() -> String {
    [
        directive("base", "", "<context><before>item</before></context>"),
        directive("middle", "base", "<permissions><execute><tool>app.*</tool></execute></permissions>"),
        directive("leaf", "middle", ""),
        directive("other", "", "<hooks><hook event='thread_started'><action><fetch item_type='knowledge' item_id='own'/></action></hook></hooks>"),
        directive("routed", "", ""),
        knowledge("item"),
        knowledge("hooked"),
        knowledge("own"),
        knowledge("unused"),
        "=== .ai/tools/app/water.yaml\ndescription: Water\n".to_string(),
        "=== .ai/tools/web/weed.yaml\ndescription: Weed\n".to_string(),
        HOOK.to_string(),
    ]
    .concat()
}

#[test]
fn a_file_is_checked_with_every_directive_that_it_can_affect() {
    let of = |path: &str| checked(&project(), &[path]);
    let directives = |names: &[&str]| names.iter().map(|name| format!("directives/{name}.md")).collect::<Vec<_>>();
    assert_eq!(of(".ai/directives/leaf.md"), directives(&["leaf"]));
    assert_eq!(of(".ai/directives/base.md"), directives(&["base", "leaf", "middle"]));
    let with = |names: &[&str], file: &str| [directives(names), vec![file.to_string()]].concat();
    assert_eq!(of(".ai/knowledge/item.md"), with(&["base", "leaf", "middle"], "knowledge/item.md"));
    assert_eq!(of(".ai/knowledge/unused.md"), ["knowledge/unused.md"]);
    // The hook's condition is false for all other directives.
    assert_eq!(of(".ai/knowledge/hooked.md"), with(&["leaf"], "knowledge/hooked.md"));
    assert_eq!(of(".ai/knowledge/own.md"), with(&["other"], "knowledge/own.md"));
    // A hook may set the parent.
    assert_eq!(of(".ai/directives/routed.md"), directives(&["other", "routed"]));
    assert_eq!(of(".ai/tools/app/water.yaml"), with(&["leaf", "middle"], "tools/app/water.yaml"));
    assert_eq!(of(".ai/tools/web/weed.yaml"), ["tools/web/weed.yaml"]);
    // Configuration may affect every file.
    let whole = checked_by(&LintScope::default(), &project(), &LintOptions::default());
    assert_eq!(whole.len(), 12);
    assert_eq!(of(".ai/config/agent/hooks.yaml"), whole);
    assert_eq!(of(".ai/directives/none.md"), [""; 0]);
    assert_eq!(checked(&project(), &[]), [""; 0]);
}

/// A broken reference does not depend on changes to other items.
#[test]
fn a_deleted_item_affects_only_files_that_name_it() {
    let files = [
        directive("base", "", "<context><before>gone</before></context>"),
        directive("leaf", "gone", "<hooks><hook event='thread_started'><action><fetch item_type='knowledge' item_id='gone'/></action></hook></hooks>"),
        directive("other", "", ""),
        knowledge("item"),
        HOOK.to_string(),
    ]
    .concat();
    assert_eq!(checked(&files, &[".ai/knowledge/item.md"]), ["knowledge/item.md"]);
    assert_eq!(checked(&files, &[".ai/directives/other.md"]), ["directives/other.md"]);
    // This file is the missing item.
    let with = |item: &str, path: &str| checked(&(files.clone() + item), &[path]);
    let item = knowledge("gone");
    assert_eq!(with(&item, ".ai/knowledge/gone.md"), ["directives/base.md", "directives/leaf.md", "knowledge/gone.md"]);
    let parent = directive("gone", "", "");
    assert_eq!(with(&parent, ".ai/directives/gone.md"), ["directives/gone.md", "directives/leaf.md"]);
}

#[test]
fn cycles_and_broken_directives_end_the_search() {
    let files = [
        directive("a", "b", ""),
        directive("b", "a", "<context><before>item</before></context>"),
        directive("c", "a", ""),
        directive("d", "broken", ""),
        "=== .ai/directives/broken.md\nNo block.\n".to_string(),
        knowledge("item"),
    ]
    .concat();
    let item = ["directives/a.md", "directives/b.md", "directives/c.md", "knowledge/item.md"];
    assert_eq!(checked(&files, &[".ai/knowledge/item.md"]), item);
    assert_eq!(checked(&files, &[".ai/directives/broken.md"]), ["directives/broken.md", "directives/d.md"]);
}

#[test]
fn excluded_files_are_checked_only_if_named() {
    let exclude = Patterns::new(["leaf.md", "/.ai/knowledge/"].into_iter()).unwrap();
    let options = LintOptions { exclude, ..LintOptions::default() };
    let of = |named: Option<&[&str]>, force_exclude| {
        let named = named.map(|paths| paths.iter().map(|path| NamedPath::file(*path)).collect());
        checked_by(&LintScope { named, force_exclude, ..LintScope::default() }, &project(), &options)
    };
    let whole = of(None, false);
    assert!(whole.iter().all(|path| !path.ends_with("leaf.md") && !path.starts_with("knowledge")), "{whole:?}");
    assert_eq!(whole.len(), 7);
    assert_eq!(of(Some(&[".ai/directives/leaf.md"]), false), ["directives/leaf.md"]);
    assert_eq!(of(Some(&[".ai/directives/leaf.md"]), true), [""; 0]);
    // Excluded files are not checked even if a named file affects them.
    assert_eq!(of(Some(&[".ai/directives/middle.md"]), false), ["directives/middle.md"]);
}

#[test]
fn patterns_work_as_in_a_gitignore() {
    let matches = |patterns: &[&str], path: &str| Patterns::new(patterns.iter().copied()).unwrap().matches(path);
    for (patterns, path, expected) in [
        (&["x.md"][..], ".ai/directives/web/x.md", true),
        (&["web/"], ".ai/directives/web/x.md", true),
        (&["web"], ".ai/directives/web/x.md", true),
        (&["web/*.md"], ".ai/directives/web/x.md", false),
        (&["**/web/*.md"], ".ai/directives/web/x.md", true),
        (&[".ai/directives/web"], ".ai/directives/web/x.md", true),
        (&["/.ai/*/web/**"], ".ai/directives/web/x.md", true),
        (&["*.md", "!x.md"], ".ai/directives/web/x.md", false),
        (&["{web,app}/"], ".ai/directives/web/x.md", false),
        (&["a[0]{x,y}"], ".ai/directives/a0x", false),
        (&["a[0]{x,y}"], ".ai/directives/a0{x,y}", true),
        (&["\\[{x,y}"], "[{x,y}", true),
        (&["\\{x,y}"], "{x,y}", true),
        (&["[]{}]x"], "{x", true),
        (&["[!{]x"], "yx", true),
        (&["x.md/"], ".ai/directives/web/x.md", false),
        (&[], "x", false),
        (&["", "# x"], "x", false),
    ] {
        assert_eq!(matches(patterns, path), expected, "{patterns:?} {path}");
    }
    assert_eq!(Patterns::new(["a", "b["].into_iter()).unwrap_err().0, "b[");
}

#[test]
fn a_named_folder_includes_everything_below() {
    let place =
        |path: &str, is_folder| PathLocation::of(Path::new(path), is_folder, Path::new("/p/a"), &Disk::default());
    let holds = |path: &str, is_folder, file: &str| match place(path, is_folder) {
        PathLocation::Inside(named) => NamedPaths::new(&[named]).holds(file),
        _ => panic!("{path} is inside"),
    };
    assert!(holds("/p/a/.ai/knowledge", true, ".ai/knowledge/x.md"));
    assert!(!holds("/p/a/.ai/know", true, ".ai/knowledge/x.md"));
    assert!(holds("/p/a/.ai/knowledge/x.md", false, ".ai/knowledge/x.md"));
    assert!(!holds("/p/a/.ai/knowledge", false, ".ai/knowledge/x.md"));
    assert!(!holds("/p/a/.ai/know", true, ".ai/knowledge/x.md") && holds("/p/a/.ai", true, ".ai/knowledge/x/y.md"));
    assert!(holds("/p/a", true, ".ai/knowledge/x.md") && holds("/p", true, ".ai/knowledge/x.md"));
    assert_eq!(place("/p/a/README.md", false), PathLocation::Elsewhere);
    assert_eq!(place("/p/b/.ai/knowledge/x.md", false), PathLocation::OtherProject("/p/b".into()));
    assert_eq!(place("/p/a/sub/.ai/knowledge/x.md", false), PathLocation::OtherProject("/p/a/sub".into()));
    assert_eq!(place("/q/x.md", false), PathLocation::Elsewhere);
}
