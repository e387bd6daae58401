//! Generated projects: every way for text to reach a message, in files with every kind of line ending.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use rye_render::internals::read::store::TierKind;

/// The tiers that may have files, in search order.
pub const TIERS: [(&str, TierKind); 4] = [
    ("project", TierKind::Project),
    ("user", TierKind::User),
    ("system:one", TierKind::System),
    ("system:two", TierKind::System),
];

/// Knowledge that directives and hooks request; the last item does not exist.
const ITEMS: [&str; 6] = ["k/a", "k/b", "k/c", "k/deep/d", "k/e", "k/none"];

/// Pieces of text that is interpolated fully or partly. `{env:H}` inserts `{input:`, which starts a placeholder.
const TEXT: &[&str] = &[
    "word",
    "é",
    "日本",
    " ",
    "\n",
    "\n\n",
    "\t",
    "\r\n",
    "\r",
    "\u{85}",
    "\u{2028}",
    "\u{1c}",
    "\u{200b}",
    "{",
    "}",
    "`",
    "{input:x}",
    "{input:y}",
    "{input:y|dé\n}",
    "{input:y:{input:x}}",
    "{input:z?}",
    "{env:E}",
    "{env:F:d}",
    "{env:F}",
    "{env:H}x}",
    "${inputs.x}",
    "${inputs.y}",
    "${model}",
    "${ nope || model }",
    "${nope}",
    "${}",
    "<b>",
    "&amp;",
    "<!-- c -->",
    "<permissions>",
    "</permissions>",
    "```\n",
    "</directive>",
];

/// Pieces of the text of an XML element.
const XML: &[&str] = &[
    "word",
    "é",
    " ",
    "\n",
    "\t",
    "\u{a0}",
    "&amp;",
    "&#233;",
    "&#x1F600;",
    "&lt;b&gt;",
    "<![CDATA[a<b&amp;\n]]>",
    "<!-- c -->",
    "<?p i?>",
    "<b>cut</b>",
    "{input:x}",
    "\u{2028}",
];

/// Pieces of the value of an attribute.
const ATTRIBUTE: &[&str] = &["word", "é", " ", "\n", "\t", "&amp;", "&quot;", "&#x41;", "日", "{input:x}"];

/// Ways to write a name in YAML; `BODIES` are ways to write text.
const NAMES: &[&str] = &[
    "Name",
    "\"Quoted \\u00e9 \\x41\\n\"",
    "'It''s'",
    "017",
    "yes",
    "1_000",
    "2024-01-02",
    "null",
    "\"\"",
    "1e3",
    "12:30:45",
    "[a, b]",
    "{a: 1}",
    "${inputs.x}",
    "!!str 5",
    "0.1",
    ".inf",
];
const BODIES: &[&str] = &[
    "|\n  One.\n  Twö ${inputs.x}.\n",
    ">\n  Folded\n  into é\n\n  two.\n",
    "|-\n  Kept\n\n",
    "|+\n  a\n\n",
    "plain text",
    "\"a\\nb \\\n  c\\u2028\"",
    "'single\n\n  quoted'",
    ">-\n   more\n    indented\n   less\n",
    "0x1F",
    "[1, x]",
    "\" \"",
    "|2\n    two\n",
];

fn pieces(from: &'static [&'static str], count: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(select(from), 0..count).prop_map(|pieces| pieces.concat())
}

/// A file with one kind of line ending, in each tier whose bit is set.
fn place(text: impl Strategy<Value = String>) -> impl Strategy<Value = (u8, String)> {
    let ends = select(&["\n", "\n", "\r\n", "\r", "mixed"][..]);
    (1..16u8, text, ends).prop_map(|(tiers, text, ends)| {
        let mut even = false;
        let mut alternate = |_: char| {
            even = !even;
            if even { "\r\n" } else { "\n" }
        };
        let text = match ends {
            "\n" => text,
            "mixed" => text.chars().map(|c| if c == '\n' { alternate(c).to_string() } else { c.to_string() }).collect(),
            ends => text.replace('\n', ends),
        };
        (tiers, text)
    })
}

fn knowledge() -> impl Strategy<Value = String> {
    let block = |key: &'static str| {
        (select(NAMES), pieces(TEXT, 8), any::<bool>()).prop_map(move |(name, body, named)| {
            let name = if named { format!("name: {name}\n") } else { String::new() };
            format!("<!-- s -->\n```yaml\n{name}{key}```\n{body}\n")
        })
    };
    prop_oneof![
        6 => block("x: 1\n"),
        1 => (select(BODIES), select(NAMES)).prop_map(|(content, name)| format!("```yaml\nname: {name}\ncontent: {content}\n```\nUnseen.\n")),
        1 => pieces(TEXT, 6).prop_map(|body| format!("---\nname: Front\n---\n{body}\n")),
        1 => pieces(TEXT, 6),
        1 => Just("```yaml\nname: [\n```\nBroken.\n".to_string()),
    ]
}

fn yaml_knowledge() -> impl Strategy<Value = String> {
    (select(BODIES), select(NAMES), select(&["body", "body", "content", "other"][..]))
        .prop_map(|(body, name, key)| format!("name: {name}\n{key}: {body}\n"))
}

/// `<tag>item</tag>` for some items, in order.
fn entries(tag: &'static str) -> impl Strategy<Value = String> {
    subsequence(&ITEMS[..], 0..4)
        .prop_map(move |items| items.iter().map(|item| format!("<{tag}> {item}\n</{tag}>")).collect())
}

fn outputs() -> impl Strategy<Value = String> {
    let attribute = |name: &'static str, value: &'static [&'static str]| {
        prop::option::of(pieces(value, 3))
            .prop_map(move |value| value.map_or(String::new(), |it| format!(" {name}=\"{it}\"")))
    };
    let output = (
        attribute("name", ATTRIBUTE),
        attribute("type", &["number", "", "é"]),
        attribute("required", &["true", "True", "no"]),
        pieces(XML, 4),
    );
    prop::collection::vec(output, 0..3).prop_map(|outputs| {
        let outputs: String =
            outputs.iter().map(|(a, b, c, text)| format!("<output{a}{b}{c}>{text}</output>")).collect();
        if outputs.is_empty() { outputs } else { format!("<outputs>{outputs}</outputs>") }
    })
}

fn directive(parents: &'static [&'static str]) -> impl Strategy<Value = String> {
    let permissions = select(
        &[
            "",
            "<permissions>\n<execute><tool>a.*</tool></execute>\n</permissions>",
            "<permissions>*</permissions>",
            "<!-- <permissions>{input:x} -->",
            "<permissions><execute><tool>{input:x}</tool></execute></permissions>",
        ][..],
    );
    let hooks = select(
        &[
            "",
            "<hooks><hook id=\"own&amp;\" event=\"thread_started\" position=\"after\"><action primary=\"fetch\" item_type=\"knowledge\" item_id=\"k/a\"/></hook></hooks>",
            "<hooks><hook event=\"build_system_prompt\"><action><execute item_type=\"knowledge\" item_id=\"k/&#98;\"/></action></hook></hooks>",
        ][..],
    );
    let head =
        (prop::option::of(pieces(&["word", "é", "&amp;", " "], 3)), select(parents), pieces(XML, 6), any::<bool>());
    let context = (
        entries("system"),
        entries("before"),
        entries("after"),
        select(&["", "", "<suppress>k/a</suppress><suppress>h1</suppress>"][..]),
    );
    (pieces(TEXT, 5), head, permissions, hooks, context, outputs(), pieces(TEXT, 10)).prop_map(
        |(preamble, (name, parent, description, at_root), permissions, hooks, context, outputs, body)| {
            let name = name.filter(|name| !name.is_empty()).map_or(String::new(), |name| format!(" name=\"{name}\""));
            let extends = if parent.is_empty() { String::new() } else { format!(" extends=\"{parent}\"") };
            let description =
                if description.is_empty() { description } else { format!("<description>{description}</description>") };
            let (inside, outside) = if at_root { ("", &*description) } else { (&*description, "") };
            let (system, before, after, suppress) = context;
            format!(
                "{preamble}\n```xml\n<directive{name}{extends}>{outside}<metadata>{inside}{permissions}{hooks}\
                 <context>{system}{before}{after}{suppress}</context></metadata>{outputs}</directive>\n```\n{body}"
            )
        },
    )
}

fn hooks(key: &'static str) -> impl Strategy<Value = String> {
    let event = select(&["build_system_prompt", "thread_started", "thread_started", "thread_continued"][..]);
    let item = select(&["k/a", "k/b", "'k/c'", "k/deep/d", "k/e", "k/none", "\"k/${inputs.id}\"", "app/leaf"][..]);
    let more =
        select(&["", ", wrap: false", ", position: after", ", wrap: \"false\"", ", position: odd", ", layer: 7"][..]);
    let primary = select(&["fetch", "load", "execute"][..]);
    prop::collection::vec((event, item, more, primary), 0..5).prop_map(move |hooks| {
        let row = |(at, (event, item, more, primary)): (usize, &(&str, &str, &str, &str))| {
            let kind = if *item == "app/leaf" { "directive" } else { "knowledge" };
            format!("  - {{id: h{at}, event: {event}{more}, action: {{primary: {primary}, item_type: {kind}, item_id: {item}}}}}\n")
        };
        let rows: String = hooks.iter().enumerate().map(row).collect();
        if rows.is_empty() { format!("{key}: []\n") } else { format!("{key}:\n{rows}") }
    })
}

/// The files of the tiers by tier and path.
pub type Files = BTreeMap<(usize, String), String>;

/// The files of a project and of the tiers around it.
pub fn files() -> impl Strategy<Value = Files> {
    let markdown = prop::collection::vec(place(knowledge()), ITEMS.len() - 1);
    let yaml = prop::option::of(place(yaml_knowledge()));
    let directives =
        (place(directive(&["", "app/mid", "base"])), place(directive(&["", "base"])), place(directive(&[""])));
    let configuration = (place(hooks("context_hooks")), place(hooks("builtin_hooks")), place(hooks("hooks")));
    (directives, markdown, yaml, configuration).prop_map(
        |((leaf, mid, base), markdown, yaml, (context, builtin, own))| {
            let mut files = Files::new();
            let mut put = |path: String, (tiers, text): (u8, String)| {
                for tier in (0..TIERS.len()).filter(|tier| tiers & (1 << tier) != 0) {
                    // Copies differ, so that a range of the wrong copy is detected.
                    let text = if tier == 0 { text.clone() } else { format!("{text}\n{tier}") };
                    files.insert(
                        (tier, path.clone()),
                        if path.ends_with(".md") { text } else { text.trim_end_matches(char::is_numeric).to_string() },
                    );
                }
            };
            for (path, text) in [("app/leaf", leaf), ("app/mid", mid), ("base", base)] {
                put(format!(".ai/directives/{path}.md"), text);
            }
            for (item, text) in ITEMS.iter().zip(markdown) {
                put(format!(".ai/knowledge/{item}.md"), text);
            }
            if let Some((tiers, text)) = yaml {
                for tier in 0..TIERS.len() {
                    put(".ai/knowledge/k/e.yaml".to_string(), (tiers & (1 << tier), text.clone()));
                }
            }
            put(".ai/config/agent/hook_conditions.yaml".to_string(), (context.0 & 0b1100, context.1));
            put(".ai/config/agent/hook_conditions.yaml".to_string(), (builtin.0 & 0b0001, builtin.1));
            put(".ai/config/agent/hooks.yaml".to_string(), (own.0 & 0b0011, own.1));
            files
        },
    )
}
