use crate::answer::diff::DiffOptions;
use std::fmt::Write as _;

use serde_json::Value as Json;

use super::*;
use crate::answer::diff::hunks;
use crate::answer::diff::testing::{Made, added, changed, long, odd, removed, same, with_sent};
use crate::answer::diff::{self, DiffFormat, SideMessage};
use crate::answer::diff::{Considered, ExtendsLink, FilePlace, Requester, SideItem, SideLayer};
use crate::answer::schema::tests::assert_valid;
use crate::prompt::{Role, Slot};
use crate::text::tokens::Tokenizer;
use crate::text::visible::is_hidden;
use crate::write::screen::Screen;

fn view(context: usize, visible: bool) -> DiffView {
    DiffView {
        format: DiffFormat::Json,
        context,
        side_by_side: false,
        word_diff: false,
        tokenizer: Tokenizer::Chars4,
        screen: Screen { visible, ..Screen::plain(80) },
    }
}

fn written(difference: &Difference, view: &DiffView) -> String {
    let mut out = Vec::new();
    diff::write(difference, view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[track_caller]
fn json(difference: &Difference, context: usize) -> Json {
    assert_valid("diff", written(difference, &view(context, false)).as_bytes())
}

fn all() -> [Difference; 7] {
    [same(), changed(), added(), removed(), long(), odd(), with_sent()]
}

#[test]
fn every_difference_is_valid() {
    for difference in all() {
        for context in [0, 3, usize::MAX] {
            let json = json(&difference, context);
            assert_eq!(json["format"], "rye-render.diff/1");
            assert_eq!(json["same"], difference.is_same());
            assert_eq!(json["layers"].as_array().unwrap().len(), difference.layers.len());
        }
        assert_eq!(written(&difference, &view(3, false)), written(&difference, &view(3, false)));
    }
}

#[test]
fn control_characters_are_escaped_and_read_back() {
    for difference in all() {
        let seen = written(&difference, &view(3, true));
        assert!(!seen.contains(is_hidden), "{seen:?}");
        let exact = written(&difference, &view(3, false));
        assert_eq!(serde_json::from_str::<Json>(&seen).unwrap(), serde_json::from_str::<Json>(&exact).unwrap());
    }
}

fn joined(lines: &Json) -> String {
    lines.as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect()
}

/// The right text, built from the left one and the runs.
fn applied(left: &str, runs: &Json) -> String {
    let lines: Vec<_> = left.split_inclusive('\n').collect();
    let (mut out, mut next) = (String::new(), 0);
    for run in runs.as_array().unwrap() {
        let first = usize::try_from(run["left"]["first"].as_u64().unwrap()).unwrap() - 1;
        out.extend(lines[next..first].iter().copied());
        assert_eq!(
            out.split_inclusive('\n').count() + 1,
            usize::try_from(run["right"]["first"].as_u64().unwrap()).unwrap()
        );
        out += &joined(&run["right"]["text"]);
        next = first + run["left"]["text"].as_array().unwrap().len();
        assert_eq!(lines[first..next].concat(), joined(&run["left"]["text"]));
    }
    out.extend(lines[next..].iter().copied());
    out
}

/// The lines of a unified diff with their marks, built from the runs.
fn unified(runs: &Json) -> String {
    let mut out = String::new();
    for run in runs.as_array().unwrap() {
        let parts =
            [(' ', &run["above"]), ('-', &run["left"]["text"]), ('+', &run["right"]["text"]), (' ', &run["below"])];
        for (mark, lines) in parts {
            for line in lines.as_array().unwrap() {
                writeln!(out, "{mark}{}", line.as_str().unwrap()).unwrap();
            }
        }
    }
    out
}

#[test]
fn the_unified_diff_of_each_layer_can_be_rebuilt() {
    for difference in all() {
        for context in [0, 1, 3, 100, usize::MAX] {
            let json = json(&difference, context);
            for (pair, shown) in difference.layers.iter().zip(json["layers"].as_array().unwrap()) {
                let text = |side: &Side, index: Option<usize>| {
                    index.map_or(String::new(), |index| side.layer_text(&side.layers[index]).to_string())
                };
                let (left, right) = (text(&difference.left, pair.left), text(&difference.right, pair.right));
                let [old, new] = [&left, &right].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
                assert_eq!(applied(&left, &shown["lines"]), right);
                let hunks = hunks::unified(&pair.lines, &Pair { left: old, right: new }, context, "\n");
                let lines = hunks.iter().map(|hunk| hunk.split_once('\n').expect("a heading").1).collect::<String>();
                // Each line has its newline, and one more.
                let shown = unified(&shown["lines"]).replace("\n\n", "\n");
                assert_eq!(shown, lines, "-U{context}");
            }
        }
    }
}

#[test]
fn context_lines_have_their_newlines() {
    let made = |text| Made::new("a").message(Role::System).item(Slot::SystemChain, "project", "x", text).0;
    let runs = |left, right| {
        let json = json(&crate::answer::diff::testing::difference(&made(left), &made(right)), 3);
        unified(&json["layers"][0]["lines"]).replace("\n\n", "\n")
    };
    assert_eq!(runs("a\nb", "a\nb\nc"), " a\n b\n+c\n");
    assert_eq!(runs("a\nb\nc", "a\nb"), " a\n b\n-c\n");
}

#[test]
fn schemas_can_be_rebuilt() {
    let difference = changed();
    for shown in json(&difference, 0)["tools"].as_array().unwrap() {
        let text = |side: &str| {
            let schema = &shown[side]["input_schema"];
            let schema = || crate::read::value::read_json(&schema.to_string()).unwrap();
            if shown[side].is_null() { String::new() } else { crate::answer::explain::sent::schema_text(&schema()) }
        };
        assert_eq!(applied(&text("left"), &shown["schema"]), text("right"));
    }
}

/// A layer by name.
fn layer<'a>(json: &'a Json, name: &str) -> &'a Json {
    let is_it = |pair: &&Json| pair["right"]["name"] == name || pair["left"]["name"] == name;
    json["layers"].as_array().unwrap().iter().find(is_it).unwrap()
}

#[test]
fn everything_that_differs_is_named() {
    let json = json(&changed(), 3);
    let change = |name: &str| layer(&json, name)["change"].as_str().unwrap().to_string();
    let expected = [
        ("deploy/rules", "changed"),
        ("deploy/ethics", "around"),
        ("deploy/voice", "around"),
        ("rye/agent/core/Identity", "around"),
        ("deploy/holidays", "added"),
        ("deploy/legacy", "removed"),
        ("style", "same"),
        ("deploy", "changed"),
    ];
    for (name, word) in expected {
        assert_eq!(change(name), word, "{name}");
    }
    assert_eq!(layer(&json, "deploy/ethics")["moved"], true);
    assert_eq!(layer(&json, "deploy/voice")["renamed"], true);
    let identity = layer(&json, "rye/agent/core/Identity");
    assert_eq!(identity["taken_from"], true);
    assert_eq!(identity["left"]["item"]["source"]["tier"], "system:ryeos");
    assert_eq!(identity["right"]["item"]["source"]["tier"], "project");

    let group = |name: &str| json["fields"].as_array().unwrap().iter().find(|it| it["group"] == name).unwrap().clone();
    assert_eq!((&group("limits")["left"], &group("limits")["right"]), (&Json::from("10"), &Json::from("20")));
    assert_eq!(json["chain"]["right"].as_array().unwrap().len(), 3);
    let outcome = |name: &str, side: &str| {
        let of = |it: &&Json| it["left"]["name"] == name || it["right"]["name"] == name;
        json["decisions"].as_array().unwrap().iter().find(of).unwrap()[side]["outcome"].clone()
    };
    assert_eq!(outcome("web_rules", "left"), "condition_false");
    assert_eq!(outcome("web_rules", "right"), "included");
}

#[test]
fn digests_are_those_of_render() {
    let both = |difference: &Difference| {
        let json = json(difference, 3);
        ["left", "right"].map(|side| json[side]["sha256"].clone())
    };
    let digest = |prompt: &crate::prompt::Prompt| Json::from(crate::prompt::digest::sha256(&prompt.messages));
    let (before, after) = (digest(&diff::testing::before()), digest(&diff::testing::after()));
    assert_eq!(both(&changed()), [before.clone(), after.clone()]);
    assert_eq!(both(&added()), [Json::Null, after]);
    // A digest of only some messages would be useless.
    let mut difference = same();
    difference.not_compared = vec!["the system message".into()];
    assert_eq!(both(&difference), [Json::Null, Json::Null]);
}

#[test]
fn hostile_texts_stay_valid() {
    let texts =
        ["\u{0}\u{1b}[31m\u{202e}", "\"}],\n{\\", "\u{feff}\u{2028}\r\n\r", "</script>", "a".repeat(100_000).leak()];
    for text in texts {
        let side = |other: &str| {
            let mut side = Side::absent(text.to_string());
            side.kind = SideKind::Saved;
            (side.directive, side.protocol) = (Some(text.to_string()), Some(text.to_string()));
            side.messages = vec![SideMessage {
                role: Role::User,
                text: format!("{text}{other}"),
                other_parts: 0,
                unknown: Vec::new(),
            }];
            let place = FilePlace {
                tier: text.to_string(),
                path: text.to_string(),
                line: 0,
                last_line: 0,
                revision: Some(text.to_string()),
            };
            let by = Some(Requester { by: text.to_string(), place: Some(place.clone()) });
            side.layers = vec![SideLayer {
                title: text.to_string(),
                slot: text.to_string(),
                kind: text.to_string(),
                name: text.to_string(),
                message: 0,
                range: 0..side.messages[0].text.len(),
                item: Some(SideItem { kind: text.to_string(), id: text.to_string(), place: Some(place.clone()) }),
                file: None,
                declared_by: by.clone(),
                wrap: false,
                values: Vec::new(),
            }];
            side.decisions = Some(vec![Considered {
                title: text.to_string(),
                slot: text.to_string(),
                name: text.to_string(),
                outcome: other.to_string(),
                why: text.to_string(),
                by,
            }]);
            side.chain = Some(vec![ExtendsLink { id: format!("{text}{other}"), place }]);
            side
        };
        let json = json(&Difference::new(side("left"), side("right"), &DiffOptions::default()), 3);
        assert_eq!(json["layers"][0]["left"]["item"]["source"]["revision"], text);
        assert_eq!(json["decisions"][0]["left"]["outcome"], "left");
        assert_eq!(json["chain"]["right"][0]["id"], format!("{text}right"));
    }
}
