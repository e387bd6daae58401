//! Which files the search finds.

use super::*;

#[test]
fn dot_files_node_modules_and_ignored_files_are_skipped() {
    let found = find(&[
        ("/home/.sf/agent/skills/.hidden/SKILL.md", &skill("hidden", "d")),
        ("/home/.sf/agent/skills/node_modules/x/SKILL.md", &skill("x", "d")),
        ("/home/.sf/agent/skills/.gitignore", "# comment\n/drafts/\nold-*\n!old-good\n"),
        ("/home/.sf/agent/skills/drafts/SKILL.md", &skill("drafts", "d")),
        ("/home/.sf/agent/skills/old-bad/SKILL.md", &skill("old-bad", "d")),
        ("/home/.sf/agent/skills/old-good/SKILL.md", &skill("old-good", "d")),
        ("/home/.sf/agent/skills/group/.fdignore", "one\n/two/\n!old-*\n"),
        ("/home/.sf/agent/skills/group/one/SKILL.md", &skill("one", "d")),
        ("/home/.sf/agent/skills/group/two/SKILL.md", &skill("two", "d")),
        ("/home/.sf/agent/skills/group/deep/one/SKILL.md", &skill("deep-one", "d")),
        ("/home/.sf/agent/skills/group/deep/drafts/SKILL.md", &skill("deep-drafts", "d")),
        ("/home/.sf/agent/skills/group/old-x/SKILL.md", &skill("old-x", "d")),
        ("/home/.sf/agent/skills/one/SKILL.md", &skill("outer-one", "d")),
    ]);
    assert_eq!(names(&found), ["deep-one", "old-x", "old-good", "outer-one"]);
    let left_out: Vec<_> = found.left_out.iter().map(|it| format!("{} {}", it.path, it.why)).collect();
    let ignored = |path: &str, folder: &str| {
        let root = "/home/.sf/agent/skills";
        format!("{root}/{path}/SKILL.md an ignore file in {root}{folder} excludes it")
    };
    assert_eq!(
        left_out,
        [
            ignored("drafts", ""),
            ignored("group/deep/drafts", ""),
            ignored("group/one", "/group"),
            ignored("group/two", "/group"),
            ignored("old-bad", "")
        ],
        "only likely skills are listed"
    );
}

#[test]
fn a_file_found_again_is_skipped_and_link_loops_end() {
    let found = find(&[
        ("/home/.sf/agent/skills/a/SKILL.md", "---\ndescription: d\n---\n"),
        ("/home/.sf/agent/skills/a/back", "->/home/.sf/agent/skills"),
        ("/home/.sf/agent/skills/b", "->/home/.sf/agent/skills/a"),
        ("/home/.sf/agent/skills/c/SKILL.md", "->/home/.sf/agent/skills/a/SKILL.md"),
        ("/home/.sf/agent/skills/gone/SKILL.md", "->/nowhere"),
        ("/home/.agents/skills", "->/elsewhere"),
        ("/elsewhere/z/SKILL.md", "---\ndescription: d\n---\n"),
    ]);
    assert_eq!(names(&found), ["a", "z"]);
    assert_eq!(found.skills[1].path, "/home/.agents/skills/z/SKILL.md");
    assert!(found.left_out.is_empty());
}

/// A file may be ignored on one path but not on the other, in either order.
#[test]
fn a_file_ignored_on_one_path_and_found_on_another_is_used() {
    let all = "/home/.sf/agent/skills";
    let linked = format!("->{all}/a");
    let files = [
        ("/code/app/.sf/skills/.gitignore", "a\nlast\n"),
        ("/code/app/.sf/skills/a", linked.as_str()),
        ("/code/app/.sf/skills/last/SKILL.md", "->/home/.agents/skills/last/SKILL.md"),
        ("/home/.sf/agent/skills/.gitignore", "z\n"),
        ("/home/.sf/agent/skills/a/SKILL.md", "---\nname: a\ndescription: d\n---\n"),
        ("/home/.sf/agent/skills/z", linked.as_str()),
        ("/home/.agents/skills/.gitignore", "last\n"),
        ("/home/.agents/skills/last/SKILL.md", "---\nname: last\ndescription: d\n---\n"),
    ];
    let found = find(&files);
    assert_eq!(found.skills.iter().map(|skill| skill.path.as_str()).collect::<Vec<_>>(), [format!("{all}/a/SKILL.md")]);
    let left_out: Vec<_> = found.left_out.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(left_out, ["/code/app/.sf/skills/last/SKILL.md"], "it is ignored on both paths");
    // A file whose name is taken is not also listed as ignored.
    let found = find(&[&files[..], &[("/code/app/.sf/skills/b/SKILL.md", &skill("a", "First"))]].concat());
    let of_a = found.left_out.iter().find(|it| it.path.ends_with("/a/SKILL.md"));
    let winner = "/code/app/.sf/skills/b/SKILL.md".to_string();
    assert_eq!(
        of_a.map(|it| (&it.path, &it.why)),
        Some((&format!("{all}/a/SKILL.md"), &UnusedReason::Collision { winner }))
    );
    assert_eq!(found.left_out.len(), 2);
}

#[test]
fn named_roots_may_be_files_and_must_exist() {
    let tree = tree(&[("/x/one.md", "---\nname: one\ndescription: d\n---\n"), ("/x/two.txt", "")]);
    let extra = ["/x/one.md", "/x/two.txt", "/y"].map(str::to_string);
    let found = discover(
        &roots_up_to("/code/app", "/home/.sf/agent", "/home", ".sf", &extra, |above| is_top(above, &tree)),
        &tree,
    );
    assert_eq!(names(&found), ["one"]);
    assert_eq!(found.skills[0].tier, "extension");
    let wrong = wrong(&found);
    assert_eq!(wrong[0], ("skill_name_mismatch", "/x/one.md".to_string()));
    assert_eq!(wrong[1..], ["/x/two.txt", "/y"].map(|path| ("skill_unreadable", path.to_string())));
}

#[test]
fn a_file_that_cannot_be_read_is_left_out() {
    let roots = [Root { folder: "/x".to_string(), tier: "agent", is_requested: false }];
    let found = discover(&roots, &Broken);
    assert_eq!(wrong(&found), [("skill_unreadable", "/x/a.md".to_string())]);
    let message = "the skill is left out because it cannot be read: permission denied";
    assert_eq!(found.diagnostics[0].message(), message);
    assert!(found.left_out[0].source.is_none());
}

#[test]
fn a_search_ends_at_the_limit() {
    let roots =
        ["/x", "/y", "/z"].map(|folder| Root { folder: folder.to_string(), tier: "agent", is_requested: false });
    let found = discover(&roots, &Wide);
    // The limit is reached by 60,300 names in `/x`, 300 in `/y` and 39,400 in 197 folders there.
    assert_eq!(wrong(&found).last(), Some(&("skill_unreadable", "/y/297".to_string())));
    let last = found.diagnostics.last().unwrap();
    assert_eq!(
        last.message(),
        "the remaining skills are left out: the search stops after 100,000 files and folders (an ignore pattern \
         counts as ten)"
    );
    assert_eq!(last.severity(), Severity::Warning);
    // The skills of `/y` have the same names as those of `/x`.
    assert_eq!((found.skills.len(), found.left_out.len(), found.diagnostics.len()), (300, 197, 198));
    assert_eq!(found.left_out.last().map(|it| it.path.as_str()), Some("/y/296/SKILL.md"));
}

/// Folders with 300 folders each, which hold 200 files each; the first file is a skill.
struct Wide;

impl Store for Wide {
    fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
        Ok(if path.split('/').count() < 4 { PathKind::Folder } else { PathKind::File })
    }

    fn read(&self, path: &str, _: u64) -> Result<Vec<u8>, ReadError> {
        let name = path.split('/').nth(2).unwrap();
        Ok(format!("---\nname: \"{name}\"\ndescription: It is {name}.\n---\n").into_bytes())
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        Ok(match folder.split('/').count() {
            2 => (100..400).map(|name| StoreEntry::new(name.to_string(), true)).collect(),
            _ => {
                let others = (100..299).map(|name| name.to_string());
                ["SKILL.md".to_string()].into_iter().chain(others).map(|name| StoreEntry::new(name, false)).collect()
            }
        })
    }
}

/// A folder with one unreadable file.
struct Broken;

impl Store for Broken {
    fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
        Ok(if path == "/x" { PathKind::Folder } else { PathKind::File })
    }

    fn read(&self, _: &str, _: u64) -> Result<Vec<u8>, ReadError> {
        Err(ReadError::other(Problem::Unreadable { reason: "permission denied".to_string() }))
    }

    fn list(&self, _: &str) -> Result<Vec<StoreEntry>, ReadError> {
        Ok(vec![StoreEntry::new("a.md", false)])
    }
}
