//! A difference with every kind of change.

use crate::answer::diff::*;
use crate::prompt::Role;
use crate::read::value::Value;
use crate::text::tokens::Tokenizer;
use crate::write::screen::Screen;

/// The layers of a message: name, slot, text.
type Layers<'a> = &'a [(&'a str, &'a str, &'a str)];

/// A place in a file.
pub fn place(tier: &str, path: &str, line: usize, last_line: usize) -> FilePlace {
    FilePlace { tier: tier.into(), path: path.into(), line, last_line, revision: None }
}

fn side(title: &str, messages: &[(Role, Layers)]) -> Side {
    let mut side = Side { kind: SideKind::Rendered, ..Side::absent(title.into()) };
    side.directive = Some("deploy".into());
    side.protocol = Some("rye-3".into());
    for (index, (role, layers)) in messages.iter().enumerate() {
        let mut text = String::new();
        for (name, slot, layer) in *layers {
            if !text.is_empty() {
                text += "\n\n";
            }
            let start = text.len();
            text += layer;
            side.layers.push(SideLayer {
                title: name.to_string(),
                slot: slot.to_string(),
                kind: "context".into(),
                name: name.to_string(),
                message: index,
                range: start..text.len(),
                item: Some(SideItem {
                    kind: "knowledge".into(),
                    id: name.to_string(),
                    place: Some(place("project", &format!(".ai/knowledge/{name}.md"), 6, 9)),
                }),
                file: None,
                declared_by: Some(Requester {
                    by: "deploy".into(),
                    place: Some(place("project", ".ai/directives/deploy.md", 9, 9)),
                }),
                wrap: false,
                values: Vec::new(),
            });
        }
        side.messages.push(SideMessage { role: *role, text, other_parts: 0, unknown: Vec::new() });
    }
    side
}

fn tool(name: &str, description: &str) -> SideTool {
    SideTool {
        name: name.into(),
        description: description.into(),
        schema: Value::from("object"),
        item_id: Some(name.into()),
        primary: Some("execute".into()),
        place: Some(place("project", &format!(".ai/tools/{name}.yaml"), 0, 0)),
    }
}

/// A pair of layers that do not differ.
pub fn pair(left: Option<usize>, right: Option<usize>, tokens: (usize, usize)) -> LayerPair {
    LayerPair { left, right, tokens: Pair { left: Some(tokens.0), right: Some(tokens.1) }, ..LayerPair::default() }
}

const RULES: &str = "# Rules\n\nAsk before you touch a database.\nNever deploy on a Friday.\nRoll out to one region first, \
                     watch the error rate for ten minutes, and only then go on to the others.\n";
const NEW_RULES: &str = "# Rules\n\nAsk before you touch a database.\nNever deploy on a Friday or before a holiday.\nRoll \
                         out to one region first, watch the error rate for twenty minutes, and only then go on to the \
                         others.\nWrite down what you did.\n";

/// Layers, tools, fields, a decision and the chain, with every kind of change.
pub fn sample() -> Difference {
    let identity = "You are an agent at work in a project.\nLeave something useful behind.";
    let steps = "1. Read the plan.\n2. Check the budget.\n3. Build.\n4. Test.\n5. Sign.\n6. Ship to staging.\n7. Wait.\n8. \
                 Look at the graphs.\n9. Ship to production.\n10. Tell the team.\n11. Close the ticket.\n12. Rest.\n";
    let new_steps = steps.replace("Tell the team", "Tell the team and the customers") + "13. Begin again.";
    let mut left = side(
        "main:deploy",
        &[
            (
                Role::System,
                &[("rye/agent/core/Identity", "system.chain", identity), ("deploy/rules", "system.chain", RULES)],
            ),
            (
                Role::User,
                &[
                    ("deploy/freeze", "user.chain_before", "No deployment in December."),
                    ("deploy/contacts", "user.chain_before", "Ask Ada.\nAsk Grace."),
                    ("directive deploy", "user.directive", steps),
                ],
            ),
        ],
    );
    let mut right = side(
        "deploy",
        &[
            (
                Role::System,
                &[("rye/agent/core/Identity", "system.chain", identity), ("deploy/rules", "system.chain", NEW_RULES)],
            ),
            (
                Role::User,
                &[
                    ("hook ctx_environment", "user.hooks_before", "You work for the shop, on staging.\n"),
                    ("directive deploy", "user.directive", &new_steps),
                    ("people/contacts", "user.chain_after", "Ask Ada.\nAsk Grace."),
                ],
            ),
        ],
    );
    left.layers[3].item.as_mut().unwrap().place = Some(place("system:std", ".ai/knowledge/deploy/contacts.md", 4, 5));
    left.layers[3].declared_by.as_mut().unwrap().by = "deploy/base".into();
    left.tools = Some(vec![tool("execute", "Runs a tool."), tool("fetch", "Reads an item."), tool("sign", "Signs.")]);
    right.tools = Some(vec![tool("execute", "Runs a tool."), tool("fetch", "Reads an item or a file.")]);
    let considered = |outcome: &str, why: &str| Considered {
        title: "deploy/freeze in <before>".into(),
        slot: "user.chain_before".into(),
        name: "deploy/freeze".into(),
        outcome: outcome.into(),
        why: why.into(),
        by: Some(Requester { by: "deploy".into(), place: Some(place("project", ".ai/directives/deploy.md", 11, 11)) }),
    };
    left.decisions = Some(vec![considered("included", "requested by deploy")]);
    right.decisions = Some(vec![considered("suppressed", "suppressed by deploy")]);
    let links = |ids: &[(&str, &str)]| -> Vec<ExtendsLink> {
        let link = |(id, tier): &(&str, &str)| ExtendsLink {
            id: id.to_string(),
            place: place(tier, &format!(".ai/directives/{id}.md"), 1, 1),
        };
        ids.iter().map(link).collect()
    };
    let change = |left, right| LineChange { left, right };
    let system = left.messages[0].text.len();
    let layers = vec![
        pair(Some(0), Some(0), (18, 18)),
        LayerPair { lines: vec![change(3..5, 3..6)], ..pair(Some(1), Some(1), (42, 56)) },
        LayerPair { lines: vec![change(0..1, 0..0)], ..pair(Some(2), None, (7, 0)) },
        LayerPair { lines: vec![change(0..0, 0..1)], ..pair(None, Some(2), (0, 9)) },
        LayerPair { lines: vec![change(9..10, 9..10), change(12..12, 12..13)], ..pair(Some(4), Some(3), (43, 55)) },
        LayerPair {
            moved: true,
            renamed: true,
            taken_from: true,
            requested_by: true,
            ..pair(Some(3), Some(4), (5, 5))
        },
    ];
    let whole = |at: usize, tokens| ToolPair {
        index: Pair { left: Some(at), right: Some(at) },
        tokens: Pair { left: tokens, right: tokens },
        ..ToolPair::default()
    };
    let mut sign = whole(2, 9);
    (sign.index.right, sign.tokens.right, sign.over_budget) = (None, 0, true);
    Difference {
        layers,
        between: false,
        tools: Some(vec![
            whole(0, 12),
            ToolPair { description: vec![change(0..1, 0..1)], tokens: Pair { left: 11, right: 14 }, ..whole(1, 0) },
            sign,
        ]),
        tool_order: false,
        chain: Some(Pair {
            left: links(&[("base", "system:std"), ("deploy", "project")]),
            right: links(&[("base", "project"), ("deploy", "project")]),
        }),
        fields: vec![
            FieldChange {
                group: FieldGroup::Model,
                name: "tier".into(),
                value: Pair { left: Some("fast".into()), right: Some("deep".into()) },
            },
            FieldChange {
                group: FieldGroup::Permissions,
                name: "execute tool rye.bash".into(),
                value: Pair { left: None, right: Some(String::new()) },
            },
        ],
        decisions: vec![Pair { left: Some(0), right: Some(0) }],
        hidden: false,
        not_compared: Vec::new(),
        tokens: Pair { left: 1120, right: 1151 },
        tool_tokens: Some(Pair { left: 32, right: 26 }),
        cache: Cache {
            breaks_at: Some(CachePlace::Message { message: 0, at: 135, pair: Some(1) }),
            shared_bytes: 60 + 135,
            shared_tokens: 49,
            bytes: Pair {
                left: 60 + system + left.messages[1].text.len(),
                right: 60 + right.messages[0].text.len() + right.messages[1].text.len(),
            },
            min_tokens: 0,
            is_reusable: Some(true),
            has_unknown: false,
            without_tools: false,
        },
        is_coarse: false,
        left,
        right,
    }
}

/// The default view of the command line.
pub fn view() -> DiffView {
    DiffView {
        format: DiffFormat::Html,
        context: 3,
        side_by_side: false,
        word_diff: false,
        tokenizer: Tokenizer::Chars4,
        screen: Screen::plain(80),
    }
}
