use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::diagnostic::Location;
use crate::read::value::Value;
use crate::read::value::python_repr;
use crate::read::yaml::YamlData;
use crate::read::yaml::YamlNode;
use crate::text::{Position, Source};

fn read(text: &str) -> Arc<Source> {
    Source::read("project".into(), "x.yaml", text.into()).unwrap()
}

fn try_load(text: &str) -> Result<Loaded, Diagnostic> {
    load(&read(text).whole())
}

fn repr(text: &str) -> String {
    python_repr(&try_load(text).unwrap_or_else(|refused| panic!("{text:?}: {refused:?}")).node.value())
}

/// The text that a diagnostic marks, and its position.
fn place(diagnostic: &Diagnostic) -> (String, Position) {
    match &diagnostic.at {
        Some(Location::Span(span)) => (span.text().to_string(), span.place().position),
        other => panic!("{other:?}"),
    }
}

fn refusal(text: &str) -> (String, Position) {
    let refused = try_load(text).expect_err(text);
    assert_eq!(refused.code(), "invalid_yaml", "{text:?}");
    place(&refused)
}

fn at(line: usize, column: usize) -> Position {
    Position { line, column }
}

/// Spans of all nodes, in order.
fn spans(node: &YamlNode) -> Vec<String> {
    let own = node.span.iter().map(|span| span.text().to_string());
    let parts = match &node.data {
        YamlData::Scalar(_) => Vec::new(),
        YamlData::List(list) => list.iter().flat_map(spans).collect(),
        YamlData::Map(map) => map.values().flat_map(spans).collect(),
    };
    own.chain(parts).collect()
}

#[test]
fn documents_become_values() {
    for (text, expected) in [
        ("", "None"),
        ("# nothing", "None"),
        ("---\n", "None"),
        ("a: yes\nb: [1_0, 0x10, 'no']\nc:\n- d: ~\n-", "{'a': True, 'b': [10, 16, 'no'], 'c': [{'d': None}, None]}"),
        ("1: a\nnull: b\n2026-01-02: c", "{1: 'a', None: 'b', datetime.date(2026, 1, 2): 'c'}"),
        ("a: plain\n  and on\nb: \"x\\\n  y\"\nc: >-\n  f\n  g\n", "{'a': 'plain and on', 'b': 'xy', 'c': 'f g'}"),
        ("=: 1\n'<<': 2", "{'=': 1, '<<': 2}"),
        ("- !!str 5\n- !!int '7'\n- !!null x\n- ! '8'\n- !!str\n- !!binary aGk=", "['5', 7, None, 8, '', b'hi']"),
        ("!!omap [a: 1, b: 2]", "[['a', 1], ['b', 2]]"),
        ("!!set {x, y}", "{'x': None, 'y': None}"),
        ("%TAG ! tag:yaml.org,2002:\n--- !str 5", "'5'"),
        ("a: !\n&b b: !!str\n&c c: *b", "{'a': None, 'b': '', 'c': 'b'}"),
        ("\u{feff}a: 1", "{'a': 1}"),
    ] {
        assert_eq!(repr(text), expected, "{text:?}");
    }
}

#[test]
fn a_last_line_needs_no_line_feed() {
    for (text, expected) in [
        ("a: |\n  x", "{'a': 'x'}"),
        ("a: |+\n  x", "{'a': 'x'}"),
        ("a: >\n  x\n  y", "{'a': 'x y'}"),
        ("a: |\n  x\n  ", "{'a': 'x\\n'}"),
        ("a: |+\n  x\n\n", "{'a': 'x\\n\\n'}"),
    ] {
        assert_eq!(repr(text), expected, "{text:?}");
    }
}

#[test]
fn keys_of_the_map_override_merged_ones() {
    let base = "b: &b {x: 1, y: 2}\nc: &c {x: 5, z: 6}\n";
    for (text, expected) in [
        ("d: {y: 3, <<: *b}", "{'x': 1, 'y': 3}"),
        ("d: {<<: [*b, *c], q: 0}", "{'x': 1, 'z': 6, 'y': 2, 'q': 0}"),
        ("d: {<<: *b, <<: *c}", "{'x': 5, 'y': 2, 'z': 6}"),
    ] {
        let loaded = try_load(&format!("{base}{text}")).unwrap();
        assert_eq!(python_repr(&loaded.node.get("d").unwrap().value()), expected, "{text}");
        assert!(loaded.diagnostics.is_empty());
    }
    assert_eq!(refusal("a: {<<: 1}"), ("<<".into(), at(1, 5)));
    assert_eq!(refusal("a: {<<: [{}, 1]}"), ("<<".into(), at(1, 5)));
}

#[test]
fn the_last_duplicate_key_wins_with_a_warning() {
    let loaded = try_load("é: 1\n1: a\n'é': 2\n1.0: b\ntrue: c\n").unwrap();
    assert_eq!(python_repr(&loaded.node.value()), "{'é': 2, 1: 'c'}");
    let places: Vec<_> = loaded.diagnostics.iter().map(place).collect();
    assert_eq!(places, [("'é'".into(), at(3, 1)), ("1.0".into(), at(4, 1)), ("true".into(), at(5, 1))]);
    assert_eq!(loaded.diagnostics[0].problem, Problem::DuplicateKey { key: "é".into() });
}

#[test]
fn refusals_point_at_their_cause() {
    for (text, pointed, line, column) in [
        ("é: ü\nb: *x\n", "*", 2, 4),
        ("é: ü\n\u{1f682}: b: c", ":", 2, 5),
        ("a: 1\n? [b]\n: 2", "[b]", 2, 3),
        ("ü: \u{7}", "\u{7}", 1, 4),
        ("a: 1\nb:\t[]", "\t", 2, 3),
        ("a: x\ty", "\t", 1, 5),
        ("a: 1 \t# c", "\t", 1, 6),
        ("a: 1\n---\nb: 2", "", 2, 1),
        ("a: !x 1", "1", 1, 7),
        ("a: !!int x", "x", 1, 10),
        ("a: 2026-02-30", "2026-02-30", 1, 4),
        ("a: <<", "<<", 1, 4),
        ("a: &x 1\nb: &x 2", "&x", 2, 4),
        ("a: &x [1, *x]", "*x", 1, 11),
        ("a: @x", "@", 1, 4),
        (": a", "", 1, 1),
        ("[a?b]", "?", 1, 3),
        ("|\ntext", "text", 2, 1),
    ] {
        assert_eq!(refusal(text), (pointed.into(), at(line, column)), "{text:?}");
    }
}

#[test]
fn positions_in_part_of_a_file_are_relative_to_the_file() {
    let text = "```yaml\nname: ö\nbad: *x\n```\n";
    let refused = load(&read(text).span(8..26)).unwrap_err();
    assert_eq!(place(&refused), ("*".into(), at(3, 6)));
    let loaded = load(&read(text).span(8..17)).unwrap();
    assert_eq!(spans(&loaded.node)[1], "ö");
}

#[test]
fn spans_match_the_written_text() {
    let text = "ä: plain ü # c\nb:  'it''s'  # c\nc: &x !!str \"\\x41\" \nd: | # c\n  one\n\n  two\n\ne: >-\n  f\n\n\
                f: [1, {a: b}] # c\ng:\n- h\n- &y i\nj: *y\nk: &z\nl: m\n    n\n";
    let loaded = try_load(text).unwrap();
    let spans = spans(&loaded.node);
    assert_eq!(
        spans[1..],
        [
            "plain ü",
            "'it''s'",
            "\"\\x41\"",
            "| # c\n  one\n\n  two\n",
            ">-\n  f",
            "[1, {a: b}]",
            "1",
            "{a: b}",
            "b",
            "h\n- &y i",
            "h",
            "i",
            "i",
            "",
            "m\n    n"
        ]
    );
    assert_eq!(spans[0], text.trim_end());
}

#[test]
fn entries_of_the_document_are_placed_from_key_to_value() {
    for (text, expected) in [
        ("# c\nä: 1 # c\nb:\n- c: d\n- e\n\nf: |\n  g\nh:\n", &["ä: 1", "b:\n- c: d\n- e", "f: |\n  g\n", "h:"][..]),
        ("{a: 1, b: [2]}", &["a: 1", "b: [2]"]),
        ("a: &x {b: 1}\n&k c: *x\na: 2", &["a: &x {b: 1}", "&k c: *x", "a: 2"]),
        ("- a: 1", &[]),
    ] {
        let keys = try_load(text).unwrap().keys;
        assert_eq!(keys.iter().map(|key| key.span.text()).collect::<Vec<_>>(), expected, "{text:?}");
    }
}

fn core(text: &str) -> Result<Loaded, Diagnostic> {
    load_core(&read(text).whole(), YamlLimits::default())
}

#[test]
fn the_core_schema_has_its_own_values() {
    for (text, expected) in [
        ("a: yes\nb: on\nc: 2026-01-02\nd: 12:30", "{'a': 'yes', 'b': 'on', 'c': '2026-01-02', 'd': '12:30'}"),
        ("a: True\nb: 0o17\nc: 017\nd: 1e3\ne: ~", "{'a': True, 'b': 15, 'c': 17, 'd': 1000.0, 'e': None}"),
        ("<<: {a: 1}\n=: 2", "{'<<': {'a': 1}, '=': 2}"),
        ("a: ! 1\nb: !x 1\nc: !!int x\nd: !x [1]\ne: !!str", "{'a': '1', 'b': '1', 'c': 'x', 'd': [1], 'e': ''}"),
        (
            "a: x\ty\nb:\tz\nc:\t\t-1\nd: [a?, ?b]\ne: \u{7}",
            "{'a': 'x\\ty', 'b': 'z', 'c': -1, 'd': ['a?', '?b'], 'e': '\\x07'}",
        ),
        ("a: &é 1\nb: &é 2\nc: *é", "{'a': 1, 'b': 2, 'c': 2}"),
        ("? [x]\n: y\n: z\na: 1", "{None: 'z', 'a': 1}"),
        ("\u{feff}a: \u{feff}x\u{e000}\n\u{feff}b: '\u{feff}'", "{'a': '\\ufeffx\\ue000', '\\ufeffb': '\\ufeff'}"),
        ("? x\n: y: z\n: {a: b}", "{'x': {'y': 'z'}, None: {'a': 'b'}}"),
        ("# nothing", "None"),
    ] {
        let loaded = core(text).unwrap_or_else(|refused| panic!("{text:?}: {refused:?}"));
        assert_eq!(python_repr(&loaded.node.value()), expected, "{text:?}");
    }
}

#[test]
fn the_core_schema_refuses_invalid_documents() {
    for (text, place_of) in [
        ("a: 1\nb: 2\na: 3", "a"),
        ("\ta: 1", "\t"),
        ("a: 1\n\tb: 2", "1"),
        ("a:\n\tx", "x"),
        ("a: x\n\ty", "x"),
        ("a: 'x\n\ty'", "\t"),
        ("a: |\n  x\n\t\n", "\t"),
        ("...\na: 1", "..."),
    ] {
        let refused = core(text).expect_err(text);
        assert_eq!((refused.code(), place(&refused).0.as_str()), ("invalid_yaml", place_of), "{text:?}");
    }
    for text in ["a: b: c", ": b: c", "a: *b", "a: @x", "a: \"x", "a: b\n...\nc: d", "a: [x\nb: c"] {
        assert_eq!(core(text).expect_err(text).code(), "invalid_yaml", "{text:?}");
    }
}

#[test]
fn hostile_documents_are_refused() {
    let bomb = |levels: usize| -> String {
        (1..levels).fold("a0: &a0 [x, x, x, x]\n".to_string(), |text, level| {
            let alias = format!("*a{}", level - 1);
            text + &format!("a{level}: &a{level} [{alias}, {alias}, {alias}, {alias}]\n")
        })
    };
    assert!(try_load(&bomb(5)).is_ok());
    for text in [
        bomb(20),
        "[".repeat(900_000),
        "{a: ".repeat(200_000),
        "- ".repeat(400_000),
        "? ".repeat(400_000),
        "[".repeat(251) + &"]".repeat(251),
        "[".to_string() + &"a,".repeat(100_000) + "]",
        format!("- &a {}\n- *a\n- *a\n", "x".repeat(400_000)),
        (0..240).map(|level| format!("&a{level} [")).collect::<String>() + &"x,".repeat(4_000) + &"]".repeat(240),
    ] {
        assert_eq!(try_load(&text).expect_err(&text[..60]).code(), "too_large", "{}", &text[..60]);
    }
    assert!(try_load(&("[".repeat(250) + &"]".repeat(250))).is_ok());
    let refused = try_load(&"#".repeat(1_000_001)).unwrap_err();
    assert_eq!(refused.problem, Problem::TooLarge { size: Some(1_000_001), limit: 1_000_000, raise_with: None });
}

/// Text in double quotes, with everything but printable ASCII escaped.
fn quoted(text: &str) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        ' '..='~' => c.to_string(),
        c => format!("\\U{:08x}", u32::from(c)),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[ab1é:,?&*!|>'\"%@#\\-\\[\\]{}\\\\ \n\t.~<=x]{0,40}") {
        let source = read(&text);
        for load in [load_within, load_core] {
            if let Ok(loaded) = load(&source.whole(), YamlLimits::default()) {
                spans(&loaded.node);
            }
        }
    }

    #[test]
    fn any_characters_are_read_or_refused(text in any::<String>()) {
        let source = read(&text);
        let _ = load(&source.whole());
        let _ = load_core(&source.whole(), YamlLimits::default());
    }

    #[test]
    fn scalars_round_trip(text in any::<String>(), int in any::<i64>(), float in any::<f64>()) {
        let float = if float.is_finite() { float } else { 0.5 };
        let written = format!("- {}\n- {int}\n- !!float {float:e}\n", quoted(&text));
        let expected = Value::List(vec![Value::Str(text), Value::from(int), Value::Float(float)]);
        prop_assert_eq!(try_load(&written).unwrap().node.value(), expected);
    }
}
