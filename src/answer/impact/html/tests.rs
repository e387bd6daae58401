use regex::Regex;

use super::*;
use crate::answer::diff::html::testing::{sample, view};
use crate::answer::diff::{Change, Pair};
use crate::answer::impact::testing::tool;
use crate::answer::impact::{Affected, Cause, CauseKind, ChangedPrompt, Failed, LayerChange, Share, ShownLines};
use crate::diagnostic::Diagnostic;
use crate::write::page::testing::{HOSTILE, is_contained, makes_no_requests, tags, text_of};

/// Two prompts that differ because of one file, a new one, and one that cannot be rendered.
fn impact() -> Impact {
    let difference = sample();
    let layer = |title: &str, change, left, right| LayerChange {
        title: title.into(),
        role: "system".into(),
        change,
        tokens: Pair { left: Some(left), right: Some(right) },
        pair: 1,
    };
    let changed = |id: &str, change| ChangedPrompt {
        id: id.into(),
        change,
        layers: vec![layer("deploy/rules", Change::Changed, 42, 56), layer("deploy/freeze", Change::Removed, 7, 0)],
        tools: vec![tool("sign")],
        fields: difference.fields.clone(),
        decisions: Vec::new(),
        chain: true,
        between: false,
        tool_order: false,
        is_coarse: false,
        tokens: Pair { left: 1120, right: 1151 },
        cache: difference.cache.clone(),
        agent: None,
        lost: Vec::new(),
        hidden_values: difference.hidden_values(),
        has_unknown: false,
        sha256: Pair::default(),
    };
    let affected = |prompt, layers: &[usize], tokens| Affected {
        prompt,
        share: Share { layers: layers.to_vec(), tokens, ..Share::default() },
    };
    let besides =
        Affected { prompt: 2, share: Share { tools: vec![0], fields: vec![0], chain: true, ..Share::default() } };
    let file = |path: &str, id: Option<&str>, is_there: (bool, bool)| CauseKind::File {
        tier: "project".into(),
        path: path.into(),
        id: id.map(str::to_string),
        is_there: Pair { left: is_there.0, right: is_there.1 },
    };
    Impact {
        title: Pair { left: "main".into(), right: "working tree".into() },
        directives: 41,
        changed: vec![
            changed("deploy", Change::Changed),
            changed("deploy/new", Change::Added),
            changed("rollback", Change::Changed),
        ],
        hidden: Vec::new(),
        failed: vec![Failed {
            id: "broken".into(),
            errors: Pair {
                left: Vec::new(),
                right: vec![Diagnostic::invalid("`target` is missing", "give --input target=VALUE")],
            },
        }],
        causes: vec![
            Cause {
                what: file(".ai/knowledge/deploy/rules.md", Some("deploy/rules"), (true, true)),
                prompts: vec![affected(0, &[0], 14), affected(2, &[0], 14)],
                shown: Some(ShownLines {
                    prompt: 0,
                    layers: vec![1],
                    tools: Vec::new(),
                    difference: Box::new(sample()),
                }),
            },
            Cause {
                what: file(".ai/config/agent/hooks.yaml", None, (true, false)),
                prompts: vec![besides],
                shown: None,
            },
            Cause {
                what: file(".ai/directives/deploy/new.md", Some("deploy/new"), (false, true)),
                prompts: vec![affected(1, &[0, 1], 63)],
                shown: None,
            },
        ],
        tokens: Pair { left: 3_360, right: 3_453 },
        has_unknown: false,
    }
}

fn shown(impact: &Impact) -> String {
    let mut out = Vec::new();
    write(impact, &view(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_head_has_the_numbers() {
    let text = text_of(&shown(&impact()));
    for said in
        ["3 of 41 prompts changed", "3,360 → 3,453 tokens (+93, +2.8%)", "1 added", "1 prompt cannot be rendered"]
    {
        assert!(text.contains(said), "{said}");
    }
}

#[test]
fn a_cause_has_its_prompts_and_its_lines() {
    let page = shown(&impact());
    let cause = |index: usize| {
        let from = page.split_once(&format!("<section class=\"cause\" id=\"C{index}\"")).unwrap().1;
        from.split_once("</section>").unwrap().0
    };
    let rows = |index| {
        let row = Regex::new("(?s)<tr><th scope=\"row\">(.*?)</tr>").unwrap();
        row.captures_iter(cause(index)).map(|found| text_of(&found[1].replace("</td>", "|"))).collect::<Vec<_>>()
    };
    assert_eq!(rows(0), ["deploysystem|+14|195 of 635 bytes|", "rollbacksystem|+14|195 of 635 bytes|"]);
    assert_eq!(
        rows(1),
        ["rollbacktools, fields, chaintool sign: description changedmodel.tier: fast → deep\
             the extends chain differs|0|195 of 635 bytes|"]
    );
    assert_eq!(rows(2), ["deploy/newadded|+63||"]);
    assert!(cause(0).contains("id=\"C0-L1\" open") && cause(0).contains("Write down what you did."));
    assert!(!cause(1).contains("class=\"lines\""));
}

#[test]
fn every_link_has_a_target() {
    let page = shown(&impact());
    for found in Regex::new("href=\"#([^\"]*)\"").unwrap().captures_iter(&page) {
        assert_eq!(page.matches(&format!("id=\"{}\"", &found[1])).count(), 1, "{}", &found[1]);
    }
}

#[test]
fn a_failure_has_its_reason() {
    let text = text_of(shown(&impact()).split_once("id=\"F0\"").unwrap().1);
    assert!(
        text.contains("broken") && text.contains("`target` is missing") && text.contains("give --input target=VALUE")
    );
}

#[test]
fn untrusted_names_are_never_markup() {
    let mut impact = impact();
    let plain = shown(&impact);
    let hostile = format!("x{HOSTILE}");
    impact.title = Pair { left: hostile.clone(), right: hostile.clone() };
    for changed in &mut impact.changed {
        changed.id.clone_from(&hostile);
        changed.layers.iter_mut().for_each(|layer| layer.title.clone_from(&hostile));
        changed.tools.iter_mut().for_each(|tool| tool.name.clone_from(&hostile));
        changed.fields.iter_mut().for_each(|field| field.name.clone_from(&hostile));
    }
    impact.failed[0].id.clone_from(&hostile);
    for cause in &mut impact.causes {
        if let CauseKind::File { path, id, .. } = &mut cause.what {
            path.clone_from(&hostile);
            id.iter_mut().for_each(|id| id.clone_from(&hostile));
        }
    }
    assert_eq!(tags(&shown(&impact)), tags(&plain));
}

#[test]
fn no_change_is_stated() {
    let nothing = Impact { changed: Vec::new(), causes: Vec::new(), failed: Vec::new(), ..impact() };
    assert!(text_of(&shown(&nothing)).contains("None of 41 prompts changed"));
}

#[test]
fn the_page_is_self_contained() {
    assert!(PAGE.styles.iter().chain([&PAGE.script]).all(|held| is_contained(held)));
    assert!(makes_no_requests(&shown(&impact())));
}
