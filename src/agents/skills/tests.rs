use super::{FoundSkills, Listing, Root, UnusedReason, discover, is_top, roots_up_to};
use crate::agents::testing::tree;
use crate::diagnostic::{Diagnostic, Location, Problem, Severity};
use crate::read::store::{PathKind, ReadError, Store, StoreEntry};
use crate::text::Span;

const PREAMBLE: [&str; 3] = [
    "The following skills provide specialized instructions for specific tasks.",
    "Use the read tool to load a skill's file when the task matches its description.",
    "When a skill file references a relative path, resolve it against the skill directory.",
];

/// The skills found from `/code/app` with the home folder `/home`.
fn find(files: &[(&str, &str)]) -> FoundSkills {
    let tree = tree(files);
    discover(&roots_up_to("/code/app", "/home/.sf/agent", "/home", ".sf", &[], |above| is_top(above, &tree)), &tree)
}

fn listed(found: &FoundSkills) -> Option<String> {
    let preamble = PREAMBLE.map(str::to_string);
    let listing = Listing::new(&found.skills, &preamble)?;
    let entries: String = listing.skills.iter().map(|(_, entry)| entry.text()).collect();
    Some(format!("{}{entries}{}", listing.head.text(), listing.tail.text()))
}

/// A list of skills as shown to the agent: name, description and location of each.
fn list(skills: &[[&str; 3]]) -> Option<String> {
    let skill = |[name, description, location]: &[&str; 3]| {
        format!(
            "  <skill>\n    <name>{name}</name>\n    <description>{description}</description>\n    \
             <location>{location}</location>\n  </skill>\n"
        )
    };
    let skills: String = skills.iter().map(skill).collect();
    Some(format!("{}\n\n<available_skills>\n{skills}</available_skills>", PREAMBLE.join("\n")))
}

/// The codes and paths of the diagnostics.
fn wrong(found: &FoundSkills) -> Vec<(&'static str, String)> {
    let place = |diagnostic: &Diagnostic| match &diagnostic.at {
        Some(Location::Span(span)) => span.source().path().to_string(),
        Some(Location::File { path, .. }) => path.clone(),
        None => panic!("{diagnostic:?} has no location"),
    };
    found.diagnostics.iter().map(|diagnostic| (diagnostic.code(), place(diagnostic))).collect()
}

fn names(found: &FoundSkills) -> Vec<&str> {
    found.skills.iter().map(|skill| skill.name.text()).collect()
}

fn skill(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\n\nBody.\n")
}

#[test]
fn names_descriptions_and_locations_are_escaped() {
    let tidy = skill("tidy-imports", "Sorts & groups <import> lines so that \"core\" goes first, even in Bob's files");
    let found = find(&[
        ("/home/.sf/agent/skills/tidy-imports/SKILL.md", &tidy),
        ("/home/.sf/agent/skills/a&b/SKILL.md", &skill("a<b", "x")),
    ]);
    let tidy = "Sorts &amp; groups &lt;import&gt; lines so that &quot;core&quot; goes first, even in Bob&apos;s files";
    assert_eq!(
        listed(&found),
        list(&[
            ["a&lt;b", "x", "/home/.sf/agent/skills/a&amp;b/SKILL.md"],
            ["tidy-imports", tidy, "/home/.sf/agent/skills/tidy-imports/SKILL.md"],
        ])
    );
}

#[test]
fn disabled_skills_are_hidden_and_an_empty_list_is_omitted() {
    let secret = "---\nname: secret-one\ndescription: Only by hand\ndisable-model-invocation: true\n---\n\nBody.\n";
    let found = find(&[("/home/.sf/agent/skills/secret-one/SKILL.md", secret)]);
    assert_eq!(listed(&found), None);
    let found = find(&[
        ("/home/.sf/agent/skills/open-one/SKILL.md", &skill("open-one", "Stays visible")),
        ("/home/.sf/agent/skills/secret-one/SKILL.md", secret),
    ]);
    assert_eq!(listed(&found), list(&[["open-one", "Stays visible", "/home/.sf/agent/skills/open-one/SKILL.md"]]));
    assert_eq!(found.skills[1].hidden_by.as_ref().map(Span::line), Some(4));
}

#[test]
fn only_true_hides_a_skill() {
    for (value, hidden) in
        [("true", true), ("True", true), ("TRUE", true), ("yes", false), ("on", false), ("'true'", false), ("1", false)]
    {
        let text = format!("---\ndescription: d\ndisable-model-invocation: {value}\n---\n");
        let found = find(&[("/home/.sf/agent/skills/a/SKILL.md", &text)]);
        assert_eq!(found.skills[0].hidden_by.is_some(), hidden, "{value}");
    }
}

#[test]
fn a_skill_without_a_description_is_left_out() {
    let found = find(&[
        ("/home/.sf/agent/skills/aa-none/SKILL.md", "---\nname: aa-none\n---\n\nBody.\n"),
        ("/home/.sf/agent/skills/bb-null/SKILL.md", "---\nname: bb-null\ndescription: \n---\n\nBody.\n"),
        ("/home/.sf/agent/skills/cc-blank/SKILL.md", "---\nname: cc-blank\ndescription: \"   \"\n---\n\nBody.\n"),
        ("/home/.sf/agent/skills/dd-good/SKILL.md", &skill("dd-good", "Has one")),
        ("/home/.sf/agent/skills/ee-nofront/SKILL.md", "# No front matter here\n"),
    ]);
    assert_eq!(listed(&found), list(&[["dd-good", "Has one", "/home/.sf/agent/skills/dd-good/SKILL.md"]]));
    let expected = ["aa-none", "bb-null", "cc-blank", "ee-nofront"];
    let path = |name: &str| format!("/home/.sf/agent/skills/{name}/SKILL.md");
    assert_eq!(wrong(&found), expected.map(|name| ("skill_description_missing", path(name))));
    assert!(found.left_out.iter().all(|left_out| left_out.why == UnusedReason::NoDescription));
    assert_eq!(found.left_out.iter().map(|left_out| left_out.path.clone()).collect::<Vec<_>>(), expected.map(path));
}

#[test]
fn a_skill_with_a_value_that_is_not_text_is_left_out() {
    for (text, key) in [
        ("name: 5\ndescription: d", "name"),
        ("name: [a]\ndescription: d", "name"),
        ("name: true\ndescription: d", "name"),
        ("description: 5", "description"),
        ("description: {a: b}", "description"),
        ("description: 1e3", "description"),
    ] {
        let found = find(&[("/home/.sf/agent/skills/a/SKILL.md", &format!("---\n{text}\n---\n"))]);
        let reason = format!("its `{key}` is not text");
        assert_eq!(found.left_out[0].why, UnusedReason::Unreadable(Problem::SkillUnreadable { reason }), "{text}");
        assert_eq!(wrong(&found)[0].0, "skill_unreadable");
    }
}

#[test]
fn roots_are_searched_in_order_and_depth_first() {
    let found = find(&[
        ("/code/app/.sf/skills/group/inner/deep/SKILL.md", &skill("deep", "project, three levels down")),
        ("/code/app/.sf/skills/zebra/SKILL.md", &skill("zebra", "project, last letter")),
        ("/home/.sf/agent/skills/beta/SKILL.md", &skill("beta", "user, second")),
        ("/home/.sf/agent/skills/alpha/SKILL.md", &skill("alpha", "user, first")),
        ("/home/.sf/agent/skills/alpha/README.md", &skill("readme", "not a skill file")),
    ]);
    assert_eq!(
        listed(&found),
        list(&[
            ["deep", "project, three levels down", "/code/app/.sf/skills/group/inner/deep/SKILL.md"],
            ["zebra", "project, last letter", "/code/app/.sf/skills/zebra/SKILL.md"],
            ["alpha", "user, first", "/home/.sf/agent/skills/alpha/SKILL.md"],
            ["beta", "user, second", "/home/.sf/agent/skills/beta/SKILL.md"],
        ])
    );
    assert_eq!(wrong(&found), []);
    assert_eq!(found.skills.iter().map(|skill| skill.tier).collect::<Vec<_>>(), ["cwd", "cwd", "agent", "agent"]);
}

#[test]
fn the_first_skill_of_a_name_wins_even_if_hidden() {
    let (winner, loser) = ("/code/app/.sf/skills/deploy/SKILL.md", "/home/.sf/agent/skills/deploy/SKILL.md");
    let users = skill("deploy", "the user's way");
    let found = find(&[(winner, &skill("deploy", "the project's way")), (loser, &users)]);
    assert_eq!(listed(&found), list(&[["deploy", "the project&apos;s way", winner]]));
    assert_eq!(wrong(&found), [("skill_collision", loser.to_string())]);
    assert_eq!(found.left_out[0].why, UnusedReason::Collision { winner: winner.to_string() });

    let hidden = "---\nname: deploy\ndescription: d\ndisable-model-invocation: true\n---\n";
    let found = find(&[(winner, hidden), (loser, &users)]);
    assert_eq!(listed(&found), None);
    assert_eq!(found.left_out[0].path, loser);
}

#[test]
fn a_skill_without_a_name_is_named_after_its_folder() {
    let nameless = "---\ndescription: Named after its folder\n---\n\nBody.\n";
    let found = find(&[
        ("/home/.sf/agent/skills/folder-name/SKILL.md", nameless),
        ("/home/.sf/agent/skills/loose.md", "---\nname: ''\ndescription: d\n---\n"),
        ("/home/.sf/agent/skills/other/SKILL.md", &skill("renamed", "Keeps its own name")),
    ]);
    assert_eq!(
        listed(&found),
        list(&[
            ["folder-name", "Named after its folder", "/home/.sf/agent/skills/folder-name/SKILL.md"],
            ["skills", "d", "/home/.sf/agent/skills/loose.md"],
            ["renamed", "Keeps its own name", "/home/.sf/agent/skills/other/SKILL.md"],
        ])
    );
    let other = "/home/.sf/agent/skills/other/SKILL.md".to_string();
    assert_eq!(wrong(&found), [("skill_name_mismatch", other)]);
}

#[test]
fn skills_in_agents_folders_are_found() {
    let found = find(&[
        ("/code/app/.agents/skills/lint/SKILL.md", &skill("lint", "from the project")),
        ("/code/.agents/skills/above/SKILL.md", &skill("above", "from above")),
        ("/home/.sf/agent/skills/middle/SKILL.md", &skill("middle", "from the agent dir")),
        ("/home/.agents/skills/commit/SKILL.md", &skill("commit", "from the home")),
    ]);
    assert_eq!(names(&found), ["lint", "above", "middle", "commit"]);
    let tiers: Vec<_> = found.skills.iter().map(|skill| skill.tier).collect();
    assert_eq!(tiers, ["cwd", "ancestor", "agent", "home"]);
}

#[test]
fn names_and_descriptions_are_checked() {
    let long = "n".repeat(65);
    for (name, expected) in [
        ("a", &[][..]),
        (&long[1..], &[]),
        (&long, &["skill_name_too_long"]),
        ("Ab_c", &["skill_name_charset"]),
        ("-a", &["skill_name_edge_hyphen"]),
        ("a-", &["skill_name_edge_hyphen"]),
        ("a--b", &["skill_name_double_hyphen"]),
        ("É--", &["skill_name_charset", "skill_name_edge_hyphen", "skill_name_double_hyphen"]),
    ] {
        let path = format!("/home/.sf/agent/skills/{name}/SKILL.md");
        let found = find(&[(&path, &skill(&format!("\"{name}\""), "d"))]);
        assert_eq!(wrong(&found).into_iter().map(|(code, _)| code).collect::<Vec<_>>(), expected, "{name}");
        assert_eq!(names(&found), [name]);
    }
    // Each of these characters is two UTF-16 units.
    for (characters, expected) in [(512, vec![]), (513, vec!["skill_description_too_long"])] {
        let path = "/home/.sf/agent/skills/a/SKILL.md";
        let found = find(&[(path, &skill("a", &"😀".repeat(characters)))]);
        assert_eq!(wrong(&found).into_iter().map(|(code, _)| code).collect::<Vec<_>>(), expected);
        assert_eq!(found.skills.len(), 1);
    }
}

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
fn a_collision_is_reported_once_per_name() {
    let root = "/home/.sf/agent/skills";
    let found = find(&[
        ("/home/.sf/agent/skills/a/SKILL.md", &skill("first", "d")),
        ("/home/.sf/agent/skills/b/SKILL.md", "->/elsewhere/SKILL.md"),
        ("/home/.sf/agent/skills/c/SKILL.md", "->/elsewhere/SKILL.md"),
        ("/elsewhere/SKILL.md", &skill("first", "d")),
    ]);
    let path = |name: &str| format!("{root}/{name}/SKILL.md");
    let expected =
        [("skill_name_mismatch", path("a")), ("skill_name_mismatch", path("b")), ("skill_collision", path("b"))];
    assert_eq!(wrong(&found), expected);
    assert_eq!(found.left_out.len(), 1);
    // A skill without a name is named after its folder, which differs here.
    let found = find(&[
        ("/home/.sf/agent/skills/a/SKILL.md", &skill("b", "d")),
        ("/home/.sf/agent/skills/b/SKILL.md", "->/elsewhere/SKILL.md"),
        ("/home/.sf/agent/skills/c/SKILL.md", "->/elsewhere/SKILL.md"),
        ("/elsewhere/SKILL.md", "---\ndescription: d\n---\n"),
    ]);
    assert_eq!(names(&found), ["b", "c"]);
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

#[test]
fn skills_record_the_root_they_were_found_in() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: x\n---\n");
    let (below, above) = (skill("below"), skill("above"));
    let tree = tree(&[
        ("/a/b/below/SKILL.md", &below),
        ("/a/above/SKILL.md", &above),
        ("/a/again/SKILL.md", &below),
        ("/a/vague/SKILL.md", ""),
    ]);
    let root = |folder: &str| Root { folder: folder.to_string(), tier: "cwd", is_requested: false };
    let found = discover(&["/none", "/a/b", "/a"].map(root), &tree);
    assert_eq!(found.roots, ["/a/b", "/a"].map(root));
    let roots: Vec<_> = found.skills.iter().map(|skill| (skill.name.text(), skill.root)).collect();
    assert_eq!(roots, [("below", 0), ("above", 1)]);
    let left_out: Vec<_> = found.left_out.iter().map(|it| (it.path.as_str(), it.root)).collect();
    assert_eq!(left_out, [("/a/again/SKILL.md", 1), ("/a/vague/SKILL.md", 1)]);
    assert_eq!(found.left_out[0].description.as_ref().map(|it| it.text()), Some("x"));
}
