//! Impacts for the tests of the views.

use super::{
    Affected, Cause, CauseKind, ChangedPrompt, DecisionChange, Failed, Impact, LayerChange, Share, ShownLines,
    ToolChange,
};
use crate::answer::diff::DiffOptions;
use crate::answer::diff::testing::{after, before};
use crate::answer::diff::{Cache, CachePlace, Change, Difference, FieldChange, FieldGroup, Pair, Side};
use crate::answer::explain::inputs::HiddenValues;
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::text::Position;

/// A tool whose description differs.
pub fn tool(name: &str) -> ToolChange {
    ToolChange {
        name: name.to_string(),
        change: Change::Changed,
        renamed: false,
        description: true,
        schema: false,
        item: false,
        over_budget: false,
        tokens: Pair { left: 20, right: 22 },
        what: "description changed".to_string(),
        pair: 0,
    }
}

/// Two causes, a new prompt, and one that fails; `name` is applied to each name.
pub fn impact(name: impl Fn(&str) -> String) -> Impact {
    let pair = |left: usize, right: usize| Pair { left, right };
    let changed = |id: &str, change: Change, tokens: Pair<usize>| ChangedPrompt {
        id: name(id),
        change,
        layers: vec![LayerChange {
            title: name("deploy/rules"),
            role: "system".to_string(),
            change: Change::Changed,
            tokens: tokens.map(Some),
            pair: 0,
        }],
        tools: vec![tool(&name("rye_web_search"))],
        fields: vec![FieldChange {
            group: FieldGroup::Limits,
            name: name("turns"),
            value: Pair { left: Some(name("10")), right: Some(name("20")) },
        }],
        decisions: vec![DecisionChange {
            name: name("web_rules"),
            outcome: Pair { left: Some("condition_false".to_string()), right: Some("included".to_string()) },
        }],
        chain: true,
        between: true,
        tool_order: true,
        is_coarse: true,
        tokens,
        agent: None,
        lost: Vec::new(),
        hidden_values: HiddenValues::default(),
        has_unknown: false,
        cache: Cache {
            breaks_at: Some(CachePlace::Message { message: 0, at: 104, pair: Some(0) }),
            shared_bytes: 1204,
            shared_tokens: 301,
            bytes: pair(5870, 6158),
            min_tokens: 1024,
            is_reusable: Some(true),
            has_unknown: false,
            without_tools: false,
        },
        sha256: Pair { left: Some("0".repeat(64)), right: Some("f".repeat(64)) },
    };
    let side = |prompt, title: &str| Side::rendered(prompt, name(title));
    let shown = Difference::new(side(&before(), "main"), side(&after(), "work"), &DiffOptions::default());
    let rules =
        shown.layers.iter().position(|pair| pair.right.is_some_and(|at| shown.right.layers[at].name == "deploy/rules"));
    let affected = |prompt: usize, tokens: i64| Affected {
        prompt,
        share: Share {
            layers: vec![0],
            tools: vec![0],
            fields: vec![0],
            decisions: vec![0],
            chain: true,
            between: true,
            tool_order: true,
            tokens,
        },
    };
    let file = |id: Option<&str>, path: &str, is_there: (bool, bool)| CauseKind::File {
        tier: name("project"),
        path: name(path),
        id: id.map(&name),
        is_there: Pair { left: is_there.0, right: is_there.1 },
    };
    let at = Location::File {
        tier: name("project").into(),
        path: name("b.md"),
        position: Some(Position { line: 3, column: 1 }),
        revision: None,
    };
    let added = ChangedPrompt {
        sha256: Pair { left: None, right: Some("a".repeat(64)) },
        ..changed("new", Change::Added, pair(0, 90))
    };
    Impact {
        title: Pair { left: name("main"), right: name("working tree") },
        directives: 41,
        changed: vec![
            changed("deploy_production", Change::Changed, pair(1400, 1472)),
            changed("deploy_staging", Change::Changed, pair(1200, 1272)),
            added,
        ],
        hidden: Vec::new(),
        failed: vec![Failed {
            id: name("broken"),
            errors: Pair { left: Vec::new(), right: vec![Diagnostic::at(Problem::InvalidUtf8 { at: 7 }, at)] },
        }],
        causes: vec![
            Cause {
                what: file(Some("deploy/rules"), ".ai/knowledge/deploy/rules.md", (true, true)),
                prompts: vec![affected(0, 72), affected(1, 72)],
                shown: Some(ShownLines {
                    prompt: 0,
                    layers: rules.into_iter().collect(),
                    tools: Vec::new(),
                    difference: Box::new(shown),
                }),
            },
            Cause {
                what: file(Some("new"), ".ai/directives/new.md", (false, true)),
                prompts: vec![affected(2, 90)],
                shown: None,
            },
            Cause { what: CauseKind::Arguments, prompts: vec![affected(1, -72)], shown: None },
        ],
        tokens: pair(2_600, 2_834),
        has_unknown: false,
    }
}
