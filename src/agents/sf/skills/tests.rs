mod walk;

use super::{FoundSkills, Root, UnusedReason, discover, is_top, roots_up_to};
use crate::agents::skills::Listing;
use crate::agents::testing::tree;
use crate::diagnostic::{Diagnostic, Location, Problem, Severity};
use crate::read::store::{MemoryStore, PathKind, ReadError, Store, StoreEntry};
use crate::text::{Span, Traced};

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
    let listing = Listing::new(&found.skills, Traced::protocol(&PREAMBLE.join("\n")))?;
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

fn found(tree: &MemoryStore, cwd: &str, extra: &[&str]) -> Vec<String> {
    let extra: Vec<String> = extra.iter().map(|path| path.to_string()).collect();
    let roots = roots_up_to(cwd, "/home/.sf/agent", "/home", ".sf", &extra, |above| is_top(above, tree));
    roots.into_iter().map(|root| format!("{} {}", root.tier, root.folder)).collect()
}

#[test]
fn roots_are_in_order_and_end_at_the_repository() {
    let tree = tree(&[("/code/app/.git", "gitdir: elsewhere")]);
    assert_eq!(
        found(&tree, "/code/app/src/deep", &[]),
        [
            "cwd /code/app/src/deep/.sf/skills",
            "cwd /code/app/src/deep/.agents/skills",
            "ancestor /code/app/src/.agents/skills",
            "ancestor /code/app/.agents/skills",
            "agent /home/.sf/agent/skills",
            "home /home/.agents/skills",
        ]
    );
}

#[test]
fn without_a_repository_roots_end_at_the_file_system_root() {
    assert_eq!(
        found(&tree(&[]), "/home/app", &["more", "~/x/../y", "/abs/./z/", " ~ ", "/abs/z"]),
        [
            "cwd /home/app/.sf/skills",
            "cwd /home/app/.agents/skills",
            "ancestor /.agents/skills",
            "agent /home/.sf/agent/skills",
            "home /home/.agents/skills",
            "extension /home/app/more",
            "extension /home/y",
            "extension /abs/z",
            "extension /home",
        ]
    );
}
