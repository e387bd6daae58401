use std::collections::BTreeMap;

use super::write;
use crate::agents::agent::{Agent, AgentRequest};
use crate::agents::claude_code::CLAUDE_CODE;
use crate::agents::claude_code::arguments::PromptArguments;
use crate::agents::claude_code::folders::DecidingFolders;
use crate::agents::claude_code::settings::OwnedSettings;
use crate::agents::testing::{request, tree};
use crate::diagnostic::Diagnostic;
use crate::prompt::{Prompt, Role};

/// The lists alone, and behind them what joins with each file that the variable names.
static LISTS: Agent = Agent { name: "lists", releases: &["2.1.276", "2.1.330"], program: "lists", read, ..CLAUDE_CODE };
const TOUCHED: &str = "TOUCHED";

fn read(visit: &mut crate::agents::visit::Visit<'_>) -> Result<(), Diagnostic> {
    let arguments = PromptArguments::read(visit)?;
    let folders = DecidingFolders::new(visit, arguments);
    let settings = OwnedSettings::read(visit, &folders)?;
    let mut joins = write(visit, &folders, &settings);
    joins.read(visit, ["/w/app/s", "/w/app/s/t"].map(str::to_string).into_iter());
    for file in visit.variable(TOUCHED).unwrap_or_default().to_string().split_whitespace() {
        let text = joins.join(visit, file).unwrap_or_default();
        visit.draft.message(Role::System);
        visit.draft.between(&text);
    }
    Ok(())
}

fn prompt(files: &[(&str, &str)], arguments: &[&str], variables: &[(&'static str, &str)], version: &str) -> Prompt {
    let request = AgentRequest {
        chosen: LISTS.at(Some(version.to_string()), None),
        variables: variables.iter().map(|(name, value)| (*name, value.to_string())).collect::<BTreeMap<_, _>>(),
        arguments: arguments.iter().map(ToString::to_string).collect(),
        ..request(&LISTS, "/w/app", "/home")
    };
    crate::agents::render_agent(&request, &tree(files))
}

fn lists(files: &[(&str, &str)], arguments: &[&str], variables: &[(&'static str, &str)]) -> Vec<String> {
    let prompt = prompt(files, arguments, variables, "2.1.330");
    prompt.messages.iter().map(|message| message.text().to_string()).collect()
}

fn states(prompt: &Prompt) -> Vec<String> {
    let state = |file: &crate::prompt::FileOutcome| {
        let why = file.why.map_or("", |why| why.into_str());
        format!("{} {} {why}", file.path, file.state.into_str()).trim_end().to_string()
    };
    prompt.files.iter().map(state).collect()
}

/// A message of the lines of skills.
fn skills(lines: &str) -> String {
    format!("{{{{base:environment..skills}}}}{lines}{{{{base:skills_builtin..date}}}}")
}

#[test]
fn without_files_there_is_no_message() {
    assert_eq!(lists(&[("/w/app/.claude/agents/a.md", "no front matter")], &[], &[]), [""; 0]);
}

#[test]
fn a_skill_of_a_further_folder_gives_way() {
    let files = [
        ("/home/.claude/skills/a/SKILL.md", "---\nname: other\n---\nuser"),
        ("/w/app/.claude/skills/b/SKILL.md", "---\ndisable-model-invocation: yes\n---\nhidden"),
        ("/w/app/.claude/skills/c/SKILL.md", "---\npaths: x\n---\nwaiting"),
        ("/d/lib/.claude/skills/a/SKILL.md", "---\nname: other\n---\nadded"),
        ("/d/lib/.claude/skills/b/SKILL.md", "added b"),
        ("/d/lib/.claude/skills/c/SKILL.md", "added c"),
        ("/d/lib/.claude/commands/a.md", "command"),
    ];
    let scoped = |name: &str| {
        format!(" (scoped to lib/{{{{base:skill_instead}}}}\"{name}\"{{{{base:skill_instead_end}}}}lib/)\n")
    };
    let expected = format!(
        "{{{{base:environment..skills}}}}- a (other): user\n- c: added c\n{{{{base:skills_builtin}}}}\
         - lib:a: added{}- lib:b: added b{}{{{{base:skills_builtin..date}}}}",
        scoped("a"),
        scoped("b"),
    );
    assert_eq!(lists(&files, &["--add-dir", "/d/lib"], &[]), [expected]);
    let prompt = prompt(&files, &["--add-dir", "/d/lib"], &[], "2.1.330");
    assert_eq!(
        states(&prompt),
        [
            "/d/lib/.claude/commands/a.md left_out shadowed",
            "/d/lib/.claude/skills/a/SKILL.md listed",
            "/d/lib/.claude/skills/b/SKILL.md listed",
            "/d/lib/.claude/skills/c/SKILL.md listed",
            "/home/.claude/skills/a/SKILL.md listed",
            "/w/app/.claude/skills/b/SKILL.md left_out hidden",
            "/w/app/.claude/skills/c/SKILL.md left_out shadowed",
        ]
    );
}

#[test]
fn the_same_file_is_one_skill() {
    let files = [("/home/.claude/skills/a/SKILL.md", "one"), ("/w/app/.claude/skills/b", "->/home/.claude/skills/a")];
    assert_eq!(lists(&files, &[], &[]), [skills("- a: one\n")]);
    assert!(
        states(&prompt(&files, &[], &[], "2.1.330"))
            .contains(&"/w/app/.claude/skills/b/SKILL.md left_out duplicate".to_string())
    );
}

#[test]
fn names_are_sorted_as_people_do() {
    let names = ["B1", "_u", "a10", "a9", "b2", "zz", "é"];
    let files: Vec<(String, &str)> =
        names.iter().map(|name| (format!("/w/app/.claude/skills/{name}/SKILL.md"), "x")).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    assert_eq!(lists(&files, &[], &[]), [skills("- _u: x\n- a10: x\n- a9: x\n- B1: x\n- b2: x\n- é: x\n- zz: x\n")]);
}

#[test]
fn descriptions_that_exceed_the_budget_are_dropped() {
    let files = [
        ("/w/app/.claude/skills/a/SKILL.md", "---\nname: x\n---\nfour"),
        ("/w/app/.claude/skills/b/SKILL.md", "longer"),
        ("/w/app/.claude/skills/c/SKILL.md", "four"),
    ];
    // The agent's own lines take 6,076 characters, and each name four.
    let budget = [("SLASH_COMMAND_TOOL_CHAR_BUDGET", "6104")];
    assert_eq!(lists(&files, &[], &budget), [skills("- a (x): four\n- b\n- c: four\n")]);
    let prompt = prompt(&files, &[], &budget, "2.1.330");
    assert!(states(&prompt).contains(&"/w/app/.claude/skills/b/SKILL.md listed budget".to_string()));
    assert!(prompt.diagnostics.iter().any(|it| it.code() == "agent_descriptions_over_budget"));
}

#[test]
fn older_releases_list_names_and_descriptions_as_they_are() {
    let files = [("/w/app/.claude/skills/a/SKILL.md", "---\nname: x\ndescription: \"<b>\\nc\"\n---\n")];
    assert_eq!(prompt(&files, &[], &[], "2.1.295").messages[0].text(), skills("- a: <b>\nc\n"));
    assert_eq!(prompt(&files, &[], &[], "2.1.300").messages[0].text(), skills("- a (x): &lt;b&gt; c\n"));
}

#[test]
fn the_nearest_output_style_counts() {
    let files = [
        ("/home/.claude/output-styles/terse.md", "user"),
        ("/w/.claude/output-styles/x.md", "---\nname: terse\n---\n\n far "),
        ("/w/app/.claude/output-styles/terse.md", "\u{feff}near\r\n"),
        ("/w/app/.claude/settings.local.json", r#"{"outputStyle": "terse"}"#),
    ];
    let current = "{{base:environment}}# Output Style: terse\nnear\n\n{{base:tools..skills_builtin}}terse\
                   {{base:output_style_reminder..date}}";
    assert_eq!(lists(&files, &[], &[]), [current]);
    let older = prompt(&files, &[], &[], "2.1.300");
    let expected = "{{base:environment..tools}}# Output Style: terse\nnear\n\n{{base:agents..skills_builtin}}terse\
                    {{base:output_style_reminder..date}}";
    assert_eq!(older.messages[0].text(), expected);
    assert_eq!(
        states(&older),
        [
            "/home/.claude/output-styles/terse.md left_out shadowed",
            "/w/.claude/output-styles/x.md left_out shadowed",
            "/w/app/.claude/output-styles/terse.md loaded",
        ]
    );
}

#[test]
fn a_subagent_may_take_the_place_of_an_own_one() {
    let files = [("/w/app/.claude/agents/e.md", "---\nname: Explore\ndescription: 'a\\nb'\n---\n")];
    let expected = "{{base:environment..agent:claude}}- Explore: a\nb (Tools: All tools)\n\
                    {{base:agent:general-purpose..date}}";
    assert_eq!(lists(&files, &[], &[]), [expected]);
}

#[test]
fn nested_skills_join_once_deepest_first() {
    let files = [
        ("/w/app/.claude/skills/w/SKILL.md", "---\npaths: s/**\n---\nwaits"),
        ("/w/app/.claude/skills/h/SKILL.md", "---\ndisable-model-invocation: on\n---\nhidden"),
        ("/w/app/s/.claude/skills/h/SKILL.md", "---\nname: x\n---\ntaken"),
        ("/w/app/s/.claude/skills/n/SKILL.md", "---\nname: y\n---\nouter"),
        ("/w/app/s/.claude/skills/i/SKILL.md", "---\ndisable-model-invocation: 1\n---\ninvisible"),
        ("/w/app/s/t/.claude/skills/n/SKILL.md", "inner"),
    ];
    let listed = lists(&files, &[], &[(TOUCHED, "f s/f s/t/f s/t/g")]);
    let new = |folder: &str| format!("{{{{base:new_skills}}}}{folder}/.claude/skills{{{{base:new_skills_end}}}}");
    let from = |folder: &str| format!(" (from {folder}/.claude/skills{{{{base:skill_scope}}}}{folder}/)");
    let first = format!(
        "{}\n- s:h\n- n\n\n{{{{base:skills}}}}- n (y): outer{}\n- s:h: taken (scoped to s/{{{{base:skill_instead}}}}\"h\"\
         {{{{base:skill_instead_end}}}}s/)\n- w: waits",
        new("s"),
        from("s"),
    );
    let second = format!(
        "{}\n- s/t:n\n\n{{{{base:skills}}}}- s:n: outer{}\n- s/t:n: inner{}",
        new("s/t"),
        from("s"),
        from("s/t"),
    );
    assert_eq!(listed, ["", &first, &second, ""]);
}

#[test]
fn nested_skills_of_a_further_folder_are_named_only() {
    let files = [("/w/app/s/.claude/skills/a/SKILL.md", "x")];
    let listed = lists(&files, &["--add-dir", "/w/app/s"], &[(TOUCHED, "s/f")]);
    assert_eq!(
        listed,
        [skills("- a: x\n"), "{{base:new_skills}}s/.claude/skills{{base:new_skills_end}}\n- a".to_string()]
    );
}
