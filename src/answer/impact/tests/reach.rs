//! The directives that a change can reach include all that it affects.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::scene::*;
use crate::answer::impact::*;

/// The directives that a change can reach.
fn reached(left: &Files, right: &Files) -> Vec<String> {
    let (left, right) = (Scene::new(left), Scene::new(right));
    let (of_left, of_right) = (|id: &str| left.request(id), |id: &str| right.request(id));
    let sides = ImpactSides::new(left.side("left", &of_left), right.side("right", &of_right));
    let ids: BTreeSet<&String> = left.directives.keys().chain(right.directives.keys()).collect();
    let ids: Vec<_> = ids.into_iter().collect();
    let reached = reach::reached(&ids, &sides);
    ids.iter().zip(reached).filter(|(_, is_reached)| *is_reached).map(|(id, _)| id.to_string()).collect()
}

#[test]
fn a_change_reaches_directives_that_name_the_item_and_their_children() {
    let mut files = everything();
    files.retain(|(_, path), _| !path.starts_with(".ai/config/"));
    let reached = |changes: &[(usize, &str, Option<&str>)]| {
        let of_change = reached(&files, &with(&files, changes));
        // An input decides which item it names, so every change reaches it.
        of_change.into_iter().filter(|id| id != "app/asks").collect::<Vec<_>>()
    };
    let k = knowledge("Another.");
    assert_eq!(reached(&[]), [""; 0]);
    assert_eq!(reached(&[(2, "knowledge/far/k.md", Some(&k))]), ["app/entity", "far/a", "far/b", "far/c", "far/tool"]);
    assert_eq!(
        reached(&[(0, "knowledge/far/l.md", Some(&k))]),
        ["app/entity", "far/b", "far/c", "far/tool"],
        "a different file extension"
    );
    assert_eq!(reached(&[(0, "directives/far/c.md", Some(&directive("", "")))]), ["app/entity", "far/c", "far/hook"]);
    assert_eq!(reached(&[(1, "tools/far/one.yaml", None)]), ["app/all", "far/tool"]);
    assert_eq!(reached(&[(1, "tools/near/new.yaml", Some("a: 1"))]), ["app/all", "far/tool"]);
    assert_eq!(reached(&[(0, "directives/app/entity.md", None)]), ["app/entity"]);
    assert_eq!(reached(&[(0, "knowledge/app/steps.yaml", None)]), ["app/deploy", "app/entity"]);
    assert_eq!(reached(&[(2, "knowledge/unused.md", Some(&k))]), [""; 0]);
    // Files that every prompt looks up.
    let all = Scene::new(&files).directives.len();
    for path in
        ["config/agent/resilience.yaml", "tools/rye/sign.py", "knowledge/rye/agent/core/DirectiveInstruction.md"]
    {
        assert_eq!(reached(&[(1, path, Some("a: 1"))]).len(), all - 1, "{path}");
    }
    let mut right = files.clone();
    right.insert((2, "texts.py".to_string()), "WHAT = 'Another'\n".to_string());
    assert_eq!(self::reached(&files, &right).len(), all);
}

#[test]
fn a_change_to_one_file_reaches_only_rendered_prompts() {
    let mut files = everything();
    // Without the configuration: one of its hooks names an item by an input, so every change would reach every prompt.
    files.retain(|(_, path), _| !path.starts_with(".ai/config/"));
    let mut changed = BTreeSet::new();
    for place in files.keys() {
        let mut longer = files.clone();
        longer.entry(place.clone()).and_modify(|text| text.push_str("# more\n"));
        let mut without = files.clone();
        without.remove(place);
        for right in [longer, without] {
            let (left, right) = (Scene::new(&files), Scene::new(&right));
            let quick = impact_of(&left, &right, true);
            assert_eq!(format!("{quick:#?}"), format!("{:#?}", impact_of(&left, &right, false)), "{place:?}");
            changed.extend(quick.changed.into_iter().map(|prompt| (prompt.id, place.clone())));
        }
    }
    // The comparison includes a prompt for each way to name a file.
    for (id, tier, path) in [
        ("app/asks", 0, ".ai/knowledge/app/one.md"),
        ("app/entity", 2, ".ai/knowledge/far/k.md"),
        ("far/hook", 2, ".ai/directives/far/c.md"),
        ("far/a", 2, "texts.py"),
    ] {
        assert!(changed.contains(&(id.to_string(), (tier, path.to_string()))), "{id} {path}");
    }
}

/// A change to one file.
#[derive(Debug, Clone)]
enum Edit {
    Delete(Index),
    /// Its text is copied to a new path or over a different file.
    Copy(Index, usize, Index),
    /// It moves to a different path of the same kind.
    Rename(Index, usize, &'static str),
    /// It gets a copy with a different extension, which may or may not take precedence.
    Extension(Index, usize, &'static str),
    /// One of its words is replaced.
    Word(Index, Index, &'static str),
    Append(Index),
}

const NAMES: [&str; 9] =
    ["app/check", "app/leaf", "team/rules", "core/identity", "app/water", "far/a", "far/l", "near/three", "new"];

const WORDS: [&str; 22] = [
    "far/a",
    "far/k",
    "far/*",
    "near.*",
    "${inputs.name}",
    "app&#47;voice",
    "app/mid",
    "team/base",
    "root",
    "app/leaf",
    "app/check",
    "team/rules",
    "core/identity",
    "suppress",
    "before",
    "true",
    "false",
    "fetch",
    "app.*",
    "haiku",
    "<",
    "7",
];

fn edit() -> impl Strategy<Value = Edit> {
    let any = any::<Index>;
    prop_oneof![
        any().prop_map(Edit::Delete),
        (any(), 0..3_usize, any()).prop_map(|(from, tier, to)| Edit::Copy(from, tier, to)),
        (any(), 0..3_usize, select(&NAMES[..])).prop_map(|(file, tier, name)| Edit::Rename(file, tier, name)),
        (any(), 0..3_usize, select(vec!["md", "yaml", "yml", "py"]))
            .prop_map(|(file, tier, end)| Edit::Extension(file, tier, end)),
        (any(), any(), select(&WORDS[..])).prop_map(|(file, at, word)| Edit::Word(file, at, word)),
        any().prop_map(Edit::Append),
    ]
}

fn edited(mut files: Files, edits: &[Edit]) -> Files {
    for edit in edits {
        let place = |index: &Index| files.keys().nth(index.index(files.len())).unwrap().clone();
        match edit {
            Edit::Delete(file) => drop(files.remove(&place(file))),
            Edit::Copy(from, tier, to) => {
                let (text, path) = (files[&place(from)].clone(), place(to).1);
                files.insert((*tier, path), text);
            }
            Edit::Extension(file, tier, end) => {
                let (of, path) = place(file);
                let copy = format!("{}.{end}", path.rsplit_once('.').unwrap().0);
                let text = files[&(of, path)].clone();
                files.insert((*tier, copy), text);
            }
            Edit::Rename(file, tier, name) => {
                let place = place(file);
                let Some(kind) = place.1.split('/').nth(1) else { continue };
                let text = files.remove(&place).unwrap();
                let end = place.1.rsplit('.').next().unwrap();
                files.insert((*tier, format!(".ai/{kind}/{name}.{end}")), text);
            }
            Edit::Word(file, at, word) => {
                let text = files.get_mut(&place(file)).unwrap();
                let is_part = |c: char| c.is_alphanumeric() || "/_.*".contains(c);
                let words: Vec<_> = text.split(|c| !is_part(c)).filter(|word| !word.is_empty()).collect();
                let Some(old) = words.get(at.index(words.len().max(1))) else { continue };
                let start = old.as_ptr() as usize - text.as_ptr() as usize;
                let range = start..start + old.len();
                text.replace_range(range, word);
            }
            Edit::Append(file) => files.get_mut(&place(file)).unwrap().push_str("more\n"),
        }
    }
    files
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn prompts_that_are_skipped_are_the_same(
        without in select(vec!["none", ".ai/config/", ".ai/config/agent/hooks.yaml"]),
        before in vec(edit(), 0..4),
        edits in vec(edit(), 1..4),
    ) {
        // Changes to items that configuration hooks name reach every prompt; with fewer hooks, more are skipped.
        let mut left = everything();
        left.retain(|(_, path), _| !path.starts_with(without));
        let left = edited(left, &before);
        let right = edited(left.clone(), &edits);
        let (left, right) = (Scene::new(&left), Scene::new(&right));
        let quick = impact_of(&left, &right, true);
        let whole = impact_of(&left, &right, false);
        prop_assert_eq!(format!("{quick:#?}"), format!("{whole:#?}"));
    }
}
