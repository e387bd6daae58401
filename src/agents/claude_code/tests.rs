use super::{CLAUDE_CODE, NO_INSTRUCTIONS};
use crate::agents::agent::AgentRequest;
use crate::agents::testing::{request, tree};
use crate::diagnostic::Severity;
use crate::prompt::{FileReason, FileState, Prompt};
use crate::text::Origin;

struct Start<'a> {
    home: &'a str,
    arguments: &'a [&'a str],
    variables: &'a [(&'static str, &'a str)],
    touch: &'a [&'a str],
    version: &'a str,
}

const PLAIN: Start<'_> = Start { home: "/home", arguments: &[], variables: &[], touch: &[], version: "2.1.330" };

/// The prompt in the folder `/w/app`.
fn prompt(files: &[(&str, &str)], start: &Start<'_>) -> Prompt {
    let request = AgentRequest {
        chosen: CLAUDE_CODE.at(Some(start.version.to_string()), None),
        variables: start.variables.iter().map(|(name, value)| (*name, value.to_string())).collect(),
        arguments: start.arguments.iter().map(ToString::to_string).collect(),
        touch: start.touch.iter().map(ToString::to_string).collect(),
        ..request(&CLAUDE_CODE, "/w/app", start.home)
    };
    crate::agents::render_agent(&request, &tree(files))
}

/// What the headings name, and the texts below them.
fn texts(prompt: &Prompt) -> Vec<(String, String)> {
    let text: String = prompt.request().iter().map(|message| message.text().to_string()).collect();
    let text = text.split("\n</system-reminder>").next().unwrap_or_default();
    let parts = text.split("\n\nContents of ").skip(1).filter_map(|part| part.split_once(":\n\n"));
    parts.map(|(head, text)| (head.split(" (").next().unwrap_or(head).to_string(), text.to_string())).collect()
}

fn paths(prompt: &Prompt) -> Vec<String> {
    texts(prompt).into_iter().map(|(path, _)| path).collect()
}

fn state(prompt: &Prompt, path: &str) -> String {
    let file = prompt.files.iter().find(|file| file.path == path);
    file.map_or("none".to_string(), |file| {
        format!("{} {}", file.state.into_str(), file.why.map_or("", |why| why.into_str())).trim_end().to_string()
    })
}

fn codes(prompt: &Prompt) -> Vec<&'static str> {
    prompt.diagnostics.iter().map(|it| it.code()).filter(|code| *code != "own_text_unknown").collect()
}

const BOTH: &str = r#"{"pluginConfigs": {"agents-md@builtin": {"options": {"projectInstructions": "both"}}}}"#;

#[test]
fn a_comment_that_goes_takes_the_carriage_returns_along() {
    let prompt = prompt(&[("/w/app/CLAUDE.md", "---\r\na: b\r\n---\r\nx\r\n\r\n<!-- c -->\r\n\r\ny\rz")], &PLAIN);
    assert_eq!(texts(&prompt), [("/w/app/CLAUDE.md".to_string(), "x\n\ny\nz".to_string())]);
    let mut files = prompt.messages[1].segments().filter_map(|segment| match segment.origin {
        Origin::File(span) => Some((span.text().to_string(), segment.text.to_string())),
        _ => None,
    });
    assert!(files.all(|(of_span, sent)| of_span == sent));
}

#[test]
fn what_an_excluded_file_imports_is_excluded() {
    let files = [
        ("/home/.claude/settings.json", r#"{"claudeMdExcludes": ["**/CLAUDE.md", "sub"]}"#),
        ("/w/app/CLAUDE.md", "@a.md"),
        ("/w/app/a.md", "@b.md"),
        ("/w/app/b.md", "b"),
        ("/w/app/CLAUDE.local.md", "@b.md"),
    ];
    let prompt = prompt(&files, &PLAIN);
    assert_eq!(paths(&prompt), ["/w/app/CLAUDE.local.md", "/w/app/b.md"]);
    assert_eq!(state(&prompt, "/w/app/CLAUDE.md"), "left_out excluded");
    assert_eq!(state(&prompt, "/w/app/a.md"), "left_out excluded");
    assert_eq!(codes(&prompt), ["agent_pitfall"]);
}

#[test]
fn an_equal_agents_file_is_a_duplicate() {
    let files = [
        ("/home/.claude/settings.json", BOTH),
        ("/w/CLAUDE.md", "same\n"),
        ("/w/AGENTS.md", "other"),
        ("/w/app/AGENTS.md", " same"),
    ];
    let both = prompt(&files, &PLAIN);
    assert_eq!(paths(&both), ["/w/CLAUDE.md", "/w/AGENTS.md"]);
    assert_eq!(state(&both, "/w/app/AGENTS.md"), "left_out duplicate");
    let older = prompt(&files, &Start { version: "2.1.277", ..PLAIN });
    assert_eq!((paths(&older).len(), state(&older, "/w/AGENTS.md")), (1, "left_out not_read".to_string()));
}

#[test]
fn the_settings_of_a_project_do_not_choose_agents_files() {
    let files = [("/w/app/.claude/settings.json", BOTH), ("/w/app/CLAUDE.md", "a"), ("/w/app/AGENTS.md", "b")];
    let prompt = prompt(&files, &PLAIN);
    assert_eq!(state(&prompt, "/w/app/AGENTS.md"), "left_out shadowed");
    assert_eq!(codes(&prompt), ["agent_setting_ignored", "agent_shadows"]);
}

#[test]
fn switches_leave_out_every_text() {
    let files = [
        ("/home/.claude/CLAUDE.md", "user"),
        ("/home/.claude/projects/-w-app/memory/MEMORY.md", "memory"),
        ("/w/app/CLAUDE.md", "project"),
        ("/w/app/s/CLAUDE.md", "nested"),
    ];
    assert_eq!(paths(&prompt(&files, &PLAIN)).len(), 3);
    for start in [Start { arguments: &["--bare"], ..PLAIN }, Start { variables: &[(NO_INSTRUCTIONS, "1")], ..PLAIN }] {
        let prompt = prompt(&files, &start);
        assert_eq!(paths(&prompt), [""; 0]);
        assert!(files.iter().all(|(path, _)| state(&prompt, path) == "left_out excluded"));
    }
    let none = BOTH.replace("both", "none");
    let settings = Start { arguments: &["--settings", &none], ..PLAIN };
    assert_eq!(paths(&prompt(&files, &settings)), ["/home/.claude/projects/-w-app/memory/MEMORY.md"]);
}

#[test]
fn a_linked_rule_counts_if_it_leads_into_the_working_folder() {
    let files = [
        ("/w/app/.claude/rules/in.md", "->/w/app/docs/in.md"),
        ("/w/app/.claude/rules/out.md", "->/w/out.md"),
        ("/w/app/docs/in.md", "inside"),
        ("/w/out.md", "outside"),
    ];
    let prompt = prompt(&files, &PLAIN);
    assert_eq!(paths(&prompt), ["/w/app/docs/in.md"]);
    assert_eq!(state(&prompt, "/w/app/.claude/rules/in.md"), "loaded");
    assert_eq!(state(&prompt, "/w/app/.claude/rules/out.md"), "left_out not_approved");
    assert_eq!(state(&prompt, "/w/out.md"), "left_out not_approved");
}

#[test]
fn a_file_and_a_text_for_the_system_prompt_are_joined() {
    let start = Start {
        arguments: &["--system-prompt=T", "--system-prompt-file", "f", "--append-system-prompt", "A"],
        ..PLAIN
    };
    assert_eq!(prompt(&[("/w/app/f", "F\r\n\r\n")], &start).messages[0].text(), "F\r\n\n\nT\n\nA");
    let refused = prompt(&[], &start);
    assert!(refused.messages.is_empty() && codes(&refused) == ["agent_refuses"]);
}

#[test]
fn imports_of_nested_rules_join_with_their_folder() {
    let files = [
        ("/w/app/s/.claude/rules/r.md", "---\npaths: '*.rs'\n---\nrule @../../i.md\n"),
        ("/w/app/s/i.md", "import\n"),
        ("/w/app/s/CLAUDE.md", "->/w/app/shared.md"),
        ("/w/app/shared.md", "shared"),
    ];
    let start = Start { touch: &["/w/app/s/a.ts", "/w/app/s/b.rs", "/w/b.rs"], ..PLAIN };
    let prompt = prompt(&files, &start);
    let joined: Vec<String> = prompt
        .touched
        .iter()
        .map(|touched| {
            prompt.messages[touched.messages.clone()].iter().map(|message| message.text().to_string()).collect()
        })
        .collect();
    let framed =
        |path: &str, text: &str| format!("<system-reminder>\nContents of {path}:\n\n{text}\n</system-reminder>");
    assert_eq!(
        joined,
        [
            format!("{}\n{}", framed("/w/app/s/CLAUDE.md", "shared"), framed("/w/app/s/i.md", "import\n")),
            framed("/w/app/s/.claude/rules/r.md", "rule @../../i.md\n"),
            String::new(),
        ]
    );
}

#[test]
fn an_import_that_is_lost_is_reported_where_it_is_named() {
    let files = [
        ("/w/app/CLAUDE.md", "See\n  @a.md, and @no.md and @me and @a.png and @../b.md."),
        ("/w/app/a.md", "a"),
        ("/w/app/a.png", ""),
    ];
    let prompt = prompt(&files, &PLAIN);
    let places: Vec<_> = prompt
        .diagnostics
        .iter()
        .filter_map(|it| match &it.at {
            Some(crate::diagnostic::Location::Span(span)) => Some((span.text().to_string(), span.line(), it.code())),
            _ => None,
        })
        .collect();
    let lost = |text: &str| (text.to_string(), 2, "agent_import_lost");
    assert_eq!(places, [lost("@a.md,"), lost("@no.md"), lost("@a.png"), lost("@../b.md.")]);
}

#[test]
fn a_memory_may_be_cut_before_a_wide_character() {
    let path = "/home/.claude/projects/-w-app/memory/MEMORY.md";
    let prompt = prompt(&[(path, &"é".repeat(25_001)), ("/w/app/.git/HEAD", "")], &PLAIN);
    let memory = prompt.files.iter().find(|file| file.path == path).unwrap();
    assert_eq!(memory.state, FileState::Cut(50_000));
}

#[test]
fn a_switch_leaves_out_agents_files_that_a_setting_adds() {
    let both = r#"{"pluginConfigs": {"agents-md@builtin": {"options": {"projectInstructions": "both"}}}}"#;
    let files = [("/home/.claude/settings.json", both), ("/w/app/AGENTS.md", "Use tabs.")];
    let state = |arguments| {
        let prompt = prompt(&files, &Start { arguments, ..PLAIN });
        prompt.files.iter().find(|file| file.path == "/w/app/AGENTS.md").map(|file| (file.state, file.why))
    };
    assert_eq!(state(&[]), Some((FileState::Loaded, None)));
    for switch in [&["--bare"][..], &["--setting-sources", "user"]] {
        assert_eq!(state(switch), Some((FileState::LeftOut, Some(FileReason::Excluded))), "{switch:?}");
    }
}

#[test]
fn excludes_have_a_limit_that_is_said_once() {
    let patterns = vec![format!("/{}", "(".repeat(1_990)); 1_000];
    let settings = format!(r#"{{"claudeMdExcludes": {patterns:?}}}"#);
    let prompt = prompt(&[("/home/.claude/settings.json", &settings), ("/w/app/CLAUDE.md", "a")], &PLAIN);
    assert_eq!((paths(&prompt).len(), codes(&prompt)), (1, vec!["too_large"]));
}

#[test]
fn a_touched_folder_has_states_where_a_home_is_not_searched() {
    let files = [
        ("/w/app/s/CLAUDE.md", "<!-- a -->\n"),
        ("/w/app/s/AGENTS.md", "b"),
        ("/w/app/s/t/CLAUDE.local.md", "c"),
        ("/w/app/s/t/.claude/skills/hidden/SKILL.md", "---\ndisable-model-invocation: true\n---\nd"),
        ("/w/app/other/CLAUDE.md", "e"),
    ];
    for (home, other) in [("/home", "on_demand"), ("/w/app", "none"), ("/w/app/h", "none")] {
        let prompt = prompt(&files, &Start { home, touch: &["/w/app/s/a.rs", "/w/app/s/t/a.rs"], ..PLAIN });
        let expected = ["left_out empty", "left_out shadowed", "on_demand", "left_out hidden", other];
        assert_eq!(files.map(|(path, _)| state(&prompt, path)), expected, "{home}");
    }
}

#[test]
fn what_an_equal_agents_file_imports_may_come_later() {
    let files = [
        ("/home/.claude/settings.json", BOTH),
        ("/CLAUDE.md", "@app/a.md"),
        ("/w/AGENTS.md", "@app/a.md"),
        ("/w/app/CLAUDE.md", "@a.md"),
        ("/w/app/a.md", "a"),
    ];
    let prompt = prompt(&files, &PLAIN);
    assert_eq!(paths(&prompt), ["/CLAUDE.md", "/w/app/CLAUDE.md", "/w/app/a.md"]);
    assert_eq!(state(&prompt, "/w/AGENTS.md"), "left_out duplicate");
}

#[test]
fn a_worktree_lacks_only_files_that_it_does_not_have() {
    let git = [("/w/app/.git", "gitdir: /w/.git/worktrees/app\n"), ("/w/.git/worktrees/app/commondir", "../..\n")];
    let with = |files: &[(&str, &str)]| codes(&prompt(&[&git, files].concat(), &PLAIN)).len();
    assert_eq!(with(&[("/w/CLAUDE.md", "Be quick.")]), 1);
    assert_eq!(with(&[("/w/CLAUDE.md", "Be quick."), ("/w/app/CLAUDE.md", "Be quick.")]), 0);
}

#[test]
fn what_surprises_people_is_a_warning() {
    let option = |value: &str| BOTH.replace("both", value);
    let approved = r#"{"projects": {"/w/app": {"hasClaudeMdExternalIncludesApproved": true}}}"#;
    let rule = |head: &str, text: &str| format!("---\n{head}\n---\n{text}\n");
    let warnings = |files: &[(&str, &str)]| {
        let prompt = prompt(files, &PLAIN);
        let all = prompt.diagnostics.iter().filter(|it| it.severity() == Severity::Warning);
        all.map(|it| it.code()).collect::<Vec<_>>()
    };
    let (settings, rules) = ("/w/app/.claude/settings.json", "/w/app/.claude/rules/r.md");
    for (files, expected) in [
        (vec![(settings, r#"{"claudeMdExcludes": ["docs"]}"#)], "agent_pitfall"),
        (vec![(settings, r#"{"claudeMdExcludes": ["!/w/**"]}"#)], "agent_pitfall"),
        (vec![("/home/.claude/settings.json", option("bot").as_str())], "agent_pitfall"),
        (vec![("/w/.git/HEAD", ""), ("/home/.claude.json", approved)], "agent_trust_pitfall"),
        (vec![("/w/app/CLAUDE.md", rule("paths: /a", "x").as_str())], "agent_pitfall"),
        (vec![(rules, rule("paths: /a", "@../../a.md").as_str()), ("/w/app/a.md", "a")], "agent_pitfall"),
        (vec![(rules, rule("paths: ./{a,b}", "x").as_str())], "rule_never_applies"),
    ] {
        assert_eq!(warnings(&files), [expected], "{files:?}");
    }
    // What many projects have is not one.
    assert!(warnings(&[(rules, &rule("paths: src/**", "x\r"))]).is_empty());
    assert!(warnings(&[("/home/.claude/settings.json", &option("both"))]).is_empty());
}

#[test]
fn a_subagent_that_cannot_be_used_has_a_cause() {
    let path = "/w/app/.claude/agents/a.md";
    for (front, key) in
        [("description: d", "`name`"), ("name: a", "`description`"), ("name: a\ndescription: 3", "`description`")]
    {
        let prompt = prompt(&[(path, &format!("---\n{front}\n---\n"))], &PLAIN);
        assert_eq!(state(&prompt, path), "left_out invalid");
        assert!(prompt.notes.iter().any(|note| note.path == path && note.steps[0].0.contains(key)), "{front}");
    }
}
