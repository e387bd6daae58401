//! Safe fixes keep prompts and all other bytes, in projects generated from pieces.

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::lint::testing::Example;
use crate::lint::testing::{files, prompts, tiers};

const IDS: [&str; 4] = ["a", "b", "deep/c", "d"];

const KNOWLEDGE: [&str; 4] = ["k/one", "k/two", "k/three", "k/none"];

const PROTOCOLS: [&str; 3] = ["rye-1", "rye-2", "rye-3"];

/// Text that may precede the fence of a directive.
const PREAMBLES: [&str; 6] = [
    "",
    "",
    "Notes.\n\n",
    "<!-- rye:signed:2026-04-06T04:31:43Z:broken -->\n",
    "<!-- rye:unsigned -->\n",
    "<!-- rye-render: allow RR104 outside of the fence -->\n",
];

/// Allowances, most of them unused.
const ALLOWANCES: [&str; 7] = [
    "<!-- rye-render: allow RR104 it will come -->",
    "<!-- rye-render: allow RR106 it is in another tier -->",
    "<!-- rye-render: allow RR108 said twice -->",
    "<!-- rye-render: allow RR104, RR106 both -->",
    "<!-- rye-render: allow RR108 -->",
    "<!--rye-render: allow cost why\nnot-->",
    "<!-- allowed -->",
];

/// The forms of an entry of a context; `ID` is its id.
const ENTRIES: [&str; 7] = [
    "<before>ID</before>",
    "<before> ID </before>",
    "<after>ID</after>",
    "<system>\n  ID\n</system>",
    "<before ><!-- why -->ID</before >",
    "<before><![CDATA[ID]]></before>",
    "<suppress>ID</suppress>",
];

const INPUTS: [&str; 8] = [
    "<input name=\"x\" required=\"true\" default=\"one\"/>",
    "<input required='TRUE'\n    name=\"x\" default=\"\">What for</input>",
    "<input name=\"y\" default=\">\" required=\"true\"/>",
    "<input name=\"y\" default=\" required='true' \"\n\trequired = \"true\" />",
    "<input\trequired=\"true\" default=\"{input:x}\" name=\"z\"></input>",
    "<input name=\"z\" required=\"true\"/>",
    "<input required=\"true\" default=\"nameless\"/>",
    "<!-- <input name=\"x\" required=\"true\" default=\"1\"/> -->",
];

/// Content that may be anywhere between the elements of the root.
const ASIDES: [&str; 6] = [
    "<raw><!-- rye-render: allow RR104 it is opaque --></raw>",
    "<!-- <permissions> -->",
    "<!-- </permissions> -->",
    "<template/>",
    "<example><input name=\"x\" required=\"true\" default=\"1\"/></example>",
    "<outputs><output name=\"o\">Where {input:x} is</output></outputs>",
];

const PERMISSIONS: [&str; 4] = [
    "",
    "<permissions>*</permissions>",
    "<permissions><execute><tool>a.*</tool></execute><!-- rye-render: allow RR401 later --></permissions>",
    "<permissions kind=\"x\"><fetch>x</fetch></permissions>",
];

const BODIES: [&str; 4] =
    ["", "Go, {input:x}, ${inputs.y}, {input:z:there}.", "Go.\n\n<raw>\n", "<directive>\nGo.\n</directive>"];

const ITEMS: [&str; 6] = [
    "```yaml\nname: one\n```\n\nSay {input:x}, ${inputs.x}.\n",
    "```yaml\n# rye-render: allow RR040 it needs none\nname: one\n```\n",
    "```yaml\ncategory: k # rye-render: allow RR040 it needs none\n# rye-render: allow RR007 nor this\n```\n\nText.\n",
    "---\nname: one\n# rye-render: allow RR015 as it was\n---\n\nText.\n",
    "<!-- rye:signed:2026-04-06T04:31:43Z:broken -->\n```yaml\n# rye-render: allow RR040 signed\nname: one\n```\n\nText.\n",
    "No block.\n",
];

const ACTIONS: [&str; 6] = [
    "{primary: fetch, item_type: knowledge, item_id: k/one}",
    "{primary: execute, item_type: knowledge, item_id: k/two}",
    "{primary: fetch, item_type: directive, item_id: a}",
    "{primary: fetch, item_type: directive, item_id: 'deep/${inputs.x || model}'}",
    "{primary: fetch, item_type: knowledge, item_id: k/none} # rye-render: allow RR107 later",
    "{set_extends: b}",
];

const EVENTS: [&str; 3] = ["build_system_prompt", "thread_started", "resolve_extends"];

fn pieces(of: &'static [&'static str], most: usize) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(select(of), 0..=most)
}

fn directive() -> impl Strategy<Value = String> {
    let head = (select(&IDS), select(&PREAMBLES), prop::option::of(select(&IDS)), any::<[bool; 2]>());
    let entries = prop::collection::vec((select(&ENTRIES), select(&KNOWLEDGE), select(&["\n      ", "", " "])), 0..4);
    let inside = (pieces(&ALLOWANCES, 2), entries, select(&PERMISSIONS), pieces(&INPUTS, 3), pieces(&ASIDES, 2));
    (head, inside, select(&BODIES), any::<[prop::sample::Index; 3]>()).prop_map(|(head, inside, body, places)| {
        let (id, preamble, extends, [has_hook, is_before_root]) = head;
        let (allowances, entries, permissions, inputs, asides) = inside;
        let entries = entries.iter().map(|(entry, item, between)| format!("{between}{}", entry.replace("ID", item)));
        let hook = if has_hook {
            format!("<hooks><hook id=\"h\" event=\"thread_started\"><action primary=\"fetch\" item_type=\"directive\" item_id=\"{id}\"/></hook></hooks>")
        } else {
            String::new()
        };
        let parts = [
            format!("<metadata>\n    <description>D</description>{permissions}"),
            format!("    <context>{}</context>{hook}", entries.collect::<String>()),
            "  </metadata>".to_string(),
            format!("  <inputs>{}\n  </inputs>", inputs.concat()),
            asides.join(" "),
            "</directive>".to_string(),
        ];
        let extends = extends.map(|parent| format!(" extends=\"{parent}\"")).unwrap_or_default();
        let mut lines = vec![format!("<directive name=\"{id}\" version=\"1\"{extends}>")];
        lines.extend(parts);
        for (allowance, place) in allowances.iter().zip(&places) {
            let at = usize::from(!is_before_root) + place.index(lines.len() - 1);
            lines.insert(at, allowance.to_string());
        }
        let gap = if places[2].index(2) == 0 { "\n" } else { " " };
        format!("=== .ai/directives/{id}.md\n{preamble}```xml\n{}\n```\n\n{body}\n", lines.join(gap))
    })
}

fn knowledge() -> impl Strategy<Value = String> {
    (select(&KNOWLEDGE[..3]), select(&ITEMS)).prop_map(|(id, text)| format!("=== .ai/knowledge/{id}.md\n{text}"))
}

fn hooks() -> impl Strategy<Value = String> {
    let hook = (select(&EVENTS), select(&ACTIONS), any::<bool>());
    prop::collection::vec(hook, 0..3).prop_map(|hooks| {
        let hooks = hooks.iter().enumerate().map(|(index, (event, action, is_allowed))| {
            let allowance = if *is_allowed { "  # rye-render: allow RR301 it is new\n" } else { "" };
            format!("{allowance}  - id: h{index}\n    event: {event}\n    action: {action}\n")
        });
        format!("=== .ai/config/agent/hooks.yaml\nhooks:\n{}", hooks.collect::<String>())
    })
}

/// A file with varied line endings, sometimes with a byte order mark.
fn dressed(file: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let ends = select(&["\n", "\n", "\r\n", "\r"]);
    (file, ends, prop::bool::weighted(0.1)).prop_map(|(file, end, has_mark)| {
        let (path, text) = file.split_once('\n').unwrap();
        let mark = if has_mark { "\u{feff}" } else { "" };
        format!("{path}\n{mark}{}", text.replace('\n', end))
    })
}

fn project() -> impl Strategy<Value = String> {
    let directives = prop::collection::vec(dressed(directive()), 1..4);
    let items = prop::collection::vec(dressed(knowledge()), 0..3);
    (directives, items, dressed(hooks())).prop_map(|(directives, items, hooks)| {
        let mut paths = HashSet::new();
        let all = directives.into_iter().chain(items).chain([hooks]);
        // Each path once.
        all.filter(|file| paths.insert(file.split('\n').next().unwrap().to_string())).map(|file| file + "\n").collect()
    })
}

/// The lines of a file with their line endings; CRLF is one ending.
fn lines(text: &str) -> Vec<String> {
    text.replace("\r\n", "\u{1}").split_inclusive(['\n', '\r', '\u{1}']).map(str::to_string).collect()
}

/// Whether a safe fix may change a line.
fn may_change(line: &str) -> bool {
    let signs = ["rye-render", "not-->", "required", "before>", "before >", "after>", "system>", "k/"];
    signs.iter().any(|sign| line.contains(sign))
}

fn is_part<T: PartialEq>(part: impl IntoIterator<Item = T>, whole: impl IntoIterator<Item = T>) -> bool {
    let mut whole = whole.into_iter();
    part.into_iter().all(|it| whole.any(|other| other == it))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn safe_fixes_keep_prompts_and_all_other_bytes(text in project(), protocol in select(&PROTOCOLS)) {
        let example = Example(text.leak());
        let look = of_rules(protocol, |rule| rule.fix == FixKind::SamePrompt);
        let before = tiers(example);
        let fixed = fix(&before, &look, false);
        prop_assert_eq!(&fixed.unsettled, &[""; 0]);
        let all = files(example);
        for (path, after) in fixed.changes.files() {
            let (.., bytes) = all.iter().find(|(_, known, _)| known == path).unwrap();
            let (was, is) = (std::str::from_utf8(bytes).unwrap(), std::str::from_utf8(after).unwrap());
            prop_assert!(!was.lines().next().unwrap().contains("rye:signed"), "{} is signed", path);
            // Each of these fixes only removes text.
            prop_assert!(is_part(is.bytes(), was.bytes()), "{}", is);
let untouched = lines(was).into_iter().filter(|line| !may_change(line));
            prop_assert!(is_part(untouched, lines(is)), "{}", is);
        }
        prop_assert_eq!(prompts(&before, protocol), prompts(&fixed.tiers, protocol));
        prop_assert!(fix(&fixed.tiers, &look, false).changes.files().next().is_none(), "a second run changes files");
    }

    #[test]
    fn all_fixes_terminate_and_keep_signed_files(text in project(), protocol in select(&PROTOCOLS)) {
        let example = Example(text.leak());
        let look = of_rules(protocol, |rule| rule.fix != FixKind::None);
        let fixed = fix(&tiers(example), &look, false);
        prop_assert_eq!(&fixed.unsettled, &[""; 0]);
        prop_assert!(fix(&fixed.tiers, &look, false).changes.files().next().is_none(), "a second run changes files");
        for (_, path, bytes) in files(example) {
            let is_signed = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).next().is_some_and(|line| line.starts_with(b"<!-- rye:signed"));
            prop_assert!(!is_signed || fixed.changes.files().all(|(changed, _)| *changed != path), "{} is signed", path);
        }
    }
}
