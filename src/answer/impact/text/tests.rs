use super::*;
use crate::answer::diff::testing::changed;
use crate::answer::diff::text::tests::{view, without_colour};
use crate::answer::diff::{Cache, CachePlace, Change, DiffFormat, FieldChange, FieldGroup, Pair};
use crate::answer::explain::inputs::HiddenValues;
use crate::answer::impact::testing::tool;
use crate::answer::impact::{
    Affected, Cause, CauseKind, ChangedPrompt, Failed, LayerChange, Share, ShownLines, write as write_view,
};
use crate::diagnostic::{Diagnostic, Problem};
use crate::write::screen::Screen;

fn prompt(id: &str, change: Change, tokens: (usize, usize), shared: usize) -> ChangedPrompt {
    let layer = |title: &str, role: &str| LayerChange {
        title: title.to_string(),
        role: role.to_string(),
        change: Change::Changed,
        tokens: Pair { left: Some(25), right: Some(37) },
        pair: 0,
    };
    ChangedPrompt {
        id: id.to_string(),
        change,
        layers: vec![layer("deploy/rules", "system"), layer("directive deploy", "user")],
        tools: vec![tool("rye_web_search")],
        fields: vec![FieldChange {
            group: FieldGroup::Limits,
            name: "turns".to_string(),
            value: Pair { left: Some("20".to_string()), right: Some("30".to_string()) },
        }],
        decisions: Vec::new(),
        chain: false,
        between: false,
        tool_order: false,
        is_coarse: false,
        tokens: Pair { left: tokens.0, right: tokens.1 },
        agent: None,
        lost: Vec::new(),
        hidden_values: HiddenValues::default(),
        has_unknown: false,
        cache: Cache {
            breaks_at: Some(CachePlace::Message { message: 0, at: shared, pair: Some(0) }),
            shared_bytes: shared,
            shared_tokens: shared / 4,
            bytes: Pair { left: 5800, right: 5870 },
            min_tokens: 1024,
            is_reusable: Some(shared > 1000),
            has_unknown: false,
            without_tools: false,
        },
        sha256: Pair::default(),
    }
}

fn affected(prompt: usize, layers: &[usize], tokens: i64) -> Affected {
    Affected { prompt, share: Share { layers: layers.to_vec(), tokens, ..Share::default() } }
}

fn file(id: Option<&str>, path: &str, is_there: (bool, bool)) -> CauseKind {
    CauseKind::File {
        tier: "project".to_string(),
        path: path.to_string(),
        id: id.map(str::to_string),
        is_there: Pair { left: is_there.0, right: is_there.1 },
    }
}

/// Three changed prompts and a new one, because of an item, a hooks file and the arguments; one directive is broken.
fn impact() -> Impact {
    let shown = changed();
    let rules = shown.layers.iter().position(|pair| pair.tokens == Pair { left: Some(25), right: Some(37) }).unwrap();
    let mut with_tool = affected(3, &[], -30);
    with_tool.share = Share { tools: vec![0], fields: vec![0], ..with_tool.share };
    Impact {
        title: Pair { left: "main".to_string(), right: "working tree".to_string() },
        directives: 41,
        changed: vec![
            prompt("deploy_production", Change::Changed, (1500, 1572), 1204),
            prompt("deploy_staging", Change::Changed, (1400, 1472), 1204),
            prompt("new\n\u{1b}[31mname", Change::Added, (0, 300), 0),
            prompt("rollback", Change::Changed, (900, 870), 880),
        ],
        hidden: Vec::new(),
        failed: vec![Failed {
            id: "broken".to_string(),
            errors: Pair {
                left: Vec::new(),
                right: vec![Diagnostic::new(Problem::ItemNotFound {
                    what: "directive",
                    id: "gone".to_string(),
                    nearest: None,
                })],
            },
        }],
        causes: vec![
            Cause {
                what: file(Some("deploy/rules"), ".ai/knowledge/deploy/rules.md", (true, true)),
                prompts: vec![affected(0, &[0], 72), affected(1, &[0, 1], 72)],
                shown: Some(ShownLines {
                    prompt: 0,
                    layers: vec![rules],
                    tools: Vec::new(),
                    difference: Box::new(shown),
                }),
            },
            Cause {
                what: file(None, ".ai/config/agent/hooks.yaml", (false, true)),
                prompts: vec![affected(2, &[0], 300)],
                shown: None,
            },
            Cause { what: CauseKind::Arguments, prompts: vec![with_tool], shown: None },
        ],
        tokens: Pair { left: 3_800, right: 4_214 },
        has_unknown: false,
    }
}

fn shown(impact: &Impact, view: &DiffView) -> String {
    let mut out = Vec::new();
    write_view(impact, view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn at_80_columns() {
    insta::assert_snapshot!(shown(&impact(), &view(80)));
}

#[test]
fn at_120_columns() {
    insta::assert_snapshot!(shown(&impact(), &view(120)));
}

#[test]
fn at_60_columns() {
    insta::assert_snapshot!(shown(&impact(), &view(60)));
}

#[test]
fn stat() {
    insta::assert_snapshot!(shown(&impact(), &DiffView { format: DiffFormat::Stat, ..view(80) }));
}

#[test]
fn names_are_plain_ids() {
    let names = shown(&impact(), &DiffView { format: DiffFormat::NameOnly, ..view(80) });
    assert_eq!(names, "deploy_production\ndeploy_staging\nnew<U+000A><U+001B>[31mname\nrollback\n");
}

#[test]
fn no_change_is_one_line() {
    let mut impact = Impact { changed: Vec::new(), failed: Vec::new(), causes: Vec::new(), ..impact() };
    assert_eq!(shown(&impact, &view(80)), "None of 41 prompts changed: main → working tree\n");
    impact.failed = self::impact().failed;
    assert!(shown(&impact, &view(80)).starts_with("None of 41 prompts changed\n  main → working tree\n"));
}

#[test]
fn colour_only_repeats_what_words_say() {
    for format in [DiffFormat::Text, DiffFormat::Stat] {
        let plain = DiffView { format, screen: Screen::terminal(80), ..view(80) };
        let coloured = shown(&impact(), &DiffView { screen: Screen::coloured(80), ..plain });
        assert_eq!(without_colour(&coloured), shown(&impact(), &plain));
    }
}

#[test]
fn ten_thousand_prompts_are_all_listed() {
    let mut impact = impact();
    impact.changed = (0..10_000).map(|at| prompt(&format!("p{at}"), Change::Changed, (9, 12), 1204)).collect();
    impact.causes.truncate(1);
    impact.causes[0].prompts = (0..10_000).map(|at| affected(at, &[0], 3)).collect();
    let started = std::time::Instant::now();
    let text = shown(&impact, &view(80));
    assert_eq!(text.lines().filter(|line| line.starts_with("  p") && line.contains("cache")).count(), 10_000);
    assert!(started.elapsed() < std::time::Duration::from_secs(5), "{:?}", started.elapsed());
}
