//! Compares literals and patterns with the languages themselves: `python3` and `node`, if they are installed.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use rye_render::internals::fill::palette::attenuate;
use rye_render::internals::prompt::{Declared, Grant};
use rye_render::internals::read::tool::{ToolFile, read_tool};
use rye_render::internals::read::value::{from_json, to_python_json};
use rye_render::internals::text::Source;
use serde_json::Value as Json;

use crate::support::missing;

/// Runs a script that turns a JSON list on standard input into one on standard output. `None` if the program is missing.
fn ask(program: &str, flag: &str, script: &str, question: &Json) -> Option<Vec<Json>> {
    let child = Command::new(program).args([flag, script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        missing(program);
        return None;
    };
    child.stdin.take().unwrap().write_all(question.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{program} failed");
    let Json::Array(answers) = serde_json::from_slice(&output.stdout).unwrap() else { panic!("expected a list") };
    Some(answers)
}

/// The tool that a file with this name declares.
fn declared(name: &str, text: &str) -> Option<ToolFile> {
    read_tool(&Source::read(Arc::from("project"), name, text.as_bytes().to_vec()).unwrap()).ok()
}

/// Generates the same values on every run.
fn generate<T>(count: usize, strategy: impl Strategy<Value = T>) -> Vec<T> {
    let mut runner = TestRunner::deterministic();
    (0..count).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

/// Literals of a language: its scalars in maps, lists and parentheses.
fn literals(
    scalars: &'static [&'static str],
    keys: &'static [&'static str],
    blanks: &'static [&'static str],
) -> BoxedStrategy<String> {
    let scalar = prop::sample::select(scalars).prop_map(str::to_string);
    scalar
        .prop_recursive(4, 24, 5, move |inner| {
            let part = (prop::sample::select(keys), inner, prop::sample::select(blanks));
            (prop::collection::vec(part, 0..5), 0..3u8, any::<bool>()).prop_map(|(parts, form, trailing)| {
                let item = |(key, value, blank): &(&str, String, &str)| match form {
                    0 => format!("{blank}{key}{blank}:{blank}{value}{blank}"),
                    _ => format!("{blank}{value}{blank}"),
                };
                let items: Vec<String> = parts.iter().map(item).collect();
                let trailing = if trailing && !items.is_empty() { "," } else { "" };
                match form {
                    0 => format!("{{{}{trailing}}}", items.join(",")),
                    1 => format!("[{}{trailing}]", items.join(",")),
                    _ => format!("({})", items.first().map_or("0", String::as_str)),
                }
            })
        })
        .boxed()
}

/// The text, or the text with one character inserted, deleted or replaced.
fn mutated(texts: BoxedStrategy<String>, characters: &'static str) -> BoxedStrategy<String> {
    let characters: Vec<char> = characters.chars().collect();
    (texts, any::<prop::sample::Index>(), prop::sample::select(characters), 0..4u8)
        .prop_map(|(text, at, with, how)| {
            let mut text: Vec<char> = text.chars().collect();
            let at = at.index(text.len());
            match how {
                0 => text.insert(at, with),
                1 => text[at] = with,
                2 => drop(text.remove(at)),
                _ => {}
            }
            text.into_iter().collect()
        })
        .boxed()
}

const PYTHON_SCALARS: &[&str] = &[
    "None",
    "True",
    "False",
    "0",
    "00",
    "-1",
    "+2",
    "- 3",
    "-(4)",
    "1_000",
    "0x_fF",
    "0o17",
    "0B1_0",
    "1.5",
    "1.",
    ".5e3",
    "1e-7",
    "-1E+5",
    "1e16",
    "123456789012345678901234567890",
    "''",
    "'a'",
    "\"it's\"",
    "'''a\n'b'''",
    "r'\\d\\''",
    "u'é'",
    "R\"\\\n\"",
    "'a' \"b\"",
    "('a'\n 'b')",
    "'\\x41\\u00e9\\U0001F600\\101\\0\\q'",
    "'a\\\nb'",
    "\"\"\"\\\"\"\"\"",
    "'😀\u{a0}'",
    "'# no'",
    "()",
    "(1,)",
];
const PYTHON_KEYS: &[&str] = &["'k'", "1", "True", "1.0", "None", "'é'", "-2", "(1)", "'a' 'b'"];
const PYTHON_BLANKS: &[&str] = &["", " ", "\n", " # ' why\n", "\\\n", "\t"];
const PYTHON: &str = r"
import ast, json, sys, warnings
warnings.simplefilter('ignore')
def read(text):
    found = None
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError):
        return None
    for node in body:
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else getattr(node, 'target', None)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(target, ast.Name) and target.id == 'CONFIG_SCHEMA':
            try:
                value = ast.literal_eval(node.value)
                found = json.dumps(value, ensure_ascii=False, allow_nan=False).encode() and value
            except (ValueError, TypeError, SyntaxError, UnicodeEncodeError, AttributeError):
                pass
    return json.dumps(found, ensure_ascii=False) if isinstance(found, dict) and found else None
json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
";

fn assert_same(name: &str, texts: &[String], answers: Option<Vec<Option<String>>>) {
    for (text, answer) in texts.iter().zip(answers.unwrap_or_default()) {
        let own = declared(name, text).map(|tool| to_python_json(&tool.schema));
        assert_eq!(own, answer, "{text}");
    }
}

/// Accepted values must be exact. Refusing is always allowed: the literal may have no JSON form, or a later key may hide
/// it.
fn assert_sound(name: &str, texts: &[String], answers: Option<Vec<Option<String>>>) {
    for (text, answer) in texts.iter().zip(answers.unwrap_or_default()) {
        if let Some(tool) = declared(name, text) {
            assert_eq!(Some(to_python_json(&tool.schema)), answer, "{text}");
        }
    }
}

fn ask_python(texts: &[String]) -> Option<Vec<Option<String>>> {
    let answers = ask("python3", "-c", PYTHON, &Json::from(texts))?;
    Some(answers.into_iter().map(|answer| answer.as_str().map(str::to_string)).collect())
}

fn module(literal: String) -> String {
    format!("CONFIG_SCHEMA = {{'v': {literal}}}\n")
}

#[test]
fn python_literals_read_as_python_reads_them() {
    let texts = generate(1000, literals(PYTHON_SCALARS, PYTHON_KEYS, PYTHON_BLANKS).prop_map(module));
    assert_same("x.py", &texts, ask_python(&texts));
}

#[test]
fn only_python_literals_are_accepted() {
    let literal = literals(PYTHON_SCALARS, PYTHON_KEYS, PYTHON_BLANKS);
    let texts = generate(1000, mutated(literal, "'\"\\\n #()[]{}:,._-+rbf0e1xj;=").prop_map(module));
    assert_sound("x.py", &texts, ask_python(&texts));
}

#[test]
fn python_assignments_are_found_where_python_finds_them() {
    const LINES: &[&str] = &[
        "CONFIG_SCHEMA = {'a': 1}",
        "CONFIG_SCHEMA: dict = {'b': 2} # x",
        "CONFIG_SCHEMA: dict['x', 1 if a else b] = \\\n {'c': 3}",
        "CONFIG_SCHEMA = {'d': f()}",
        "CONFIG_SCHEMA = {**x}",
        "x = 1; CONFIG_SCHEMA = {'e': [\n]};",
        "CONFIG_SCHEMA = y = {'f': 1}",
        "if x: CONFIG_SCHEMA = {'g': 1}",
        "if x:\n    CONFIG_SCHEMA = {'h': 1}\nelse: CONFIG_SCHEMA = {'i': 1}",
        "def f(a='''\nCONFIG_SCHEMA = {'j': 1}\n'''):\n\n  CONFIG_SCHEMA = {'k': 1}\n  return 1",
        "x = (\nCONFIG_SCHEMA == {'l': 1}\n)",
        "class A: CONFIG_SCHEMA = {'m': 1}",
        "'''\nCONFIG_SCHEMA = {'n': 1}'''",
        "r'\\'; CONFIG_SCHEMA = 1'",
        "# CONFIG_SCHEMA = {'o': 1}",
        "CONFIG_SCHEMA.x = {'p': 1}",
        "CONFIG_SCHEMA += {'q': 1}",
        "CONFIG_SCHEMA, y = {'r': 1}",
        "CONFIG_SCHEMA: dict",
        "@d\nclass B: pass",
        "x = '\\\nCONFIG_SCHEMA = {}'",
        "CONFIG_SCHEMA = {'s': 1}.copy()",
        "CONFIG_SCHEMA = {'t': 1} if x else {}",
        "async def g(): pass",
        "CONFIG_SCHEMA = ({'u': 1})",
        "CONFIG_SCHEMA \\\n = {'w': 1}",
        "x = 'a",
        "x = (",
        "x = ]",
        "",
        "\u{c}",
    ];
    let line = prop::sample::select(LINES);
    let texts = prop::collection::vec(line, 1..6).prop_map(|lines| lines.join("\n"));
    let texts = generate(1000, texts);
    assert_same("x.py", &texts, ask_python(&texts));
}

const SCRIPT_SCALARS: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-1",
    "+2",
    "- 3",
    "1_000",
    "0xfF",
    "0o17",
    "0B1",
    "1.5",
    "1.",
    ".5e3",
    "1e-7",
    "-1E+5",
    "1e21",
    "-0",
    "5e-324",
    "12345678901234567890",
    "0.1",
    "1e20",
    "0x123456789abcdef123",
    "''",
    "'a'",
    "\"it's\"",
    "`a\n\\`$`",
    "'\\x41\\u00e9\\u{1F600}\\0\\q'",
    "'\\ud83d\\ude00'",
    "'a\\\nb'",
    "'😀\u{a0}\u{2028}'",
    "'// no'",
    "'/* no */'",
];
const SCRIPT_KEYS: &[&str] = &[
    "k",
    "'k'",
    "\"l-m\"",
    "1",
    "'0'",
    "07.5",
    "0x10",
    "'01'",
    "$_é1",
    "null",
    "get",
    "4294967295",
    "4294967294",
    "1e3",
];
const SCRIPT_BLANKS: &[&str] = &["", " ", "\n", " // ' why\n", "/* { */", "\u{a0}"];
const NODE: &str = r"
const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const read = text => {
  try {
    const script = `'use strict'; const exports = {}; ${text}\n; JSON.stringify(CONFIG_SCHEMA)`;
    return require('vm').runInNewContext(script, {}, {timeout: 60000});
  } catch { return null; }
};
console.log(JSON.stringify(texts.map(text => read(text) ?? null)));
";

fn ask_node(texts: &[String]) -> Option<Vec<Option<String>>> {
    let answers = ask("node", "-e", NODE, &Json::from(texts))?;
    // A lone surrogate is not valid JSON.
    let read = |answer: Json| Some(to_python_json(&from_json(serde_json::from_str(answer.as_str()?).ok()?)));
    Some(answers.into_iter().map(read).collect())
}

fn script(literal: String) -> String {
    format!("const CONFIG_SCHEMA = {{v: {literal}}};")
}

#[test]
fn javascript_literals_read_as_node_reads_them() {
    let literal = literals(SCRIPT_SCALARS, SCRIPT_KEYS, SCRIPT_BLANKS);
    let texts = generate(1000, literal.prop_map(script));
    assert_same("x.js", &texts, ask_node(&texts));
}

#[test]
fn only_javascript_literals_are_accepted() {
    let literal = literals(SCRIPT_SCALARS, SCRIPT_KEYS, SCRIPT_BLANKS);
    let texts = generate(1000, mutated(literal, "'\"`\\\n /*()[]{}:,._-+n0e1x$=").prop_map(script));
    assert_sound("x.js", &texts, ask_node(&texts));
}

#[test]
fn attenuation_follows_pythons_fnmatch() {
    const SCRIPT: &str = r"
import fnmatch, json, sys
def left(child, parent):
    if fnmatch.fnmatchcase(child, parent): return child
    return parent if fnmatch.fnmatchcase(parent, child) else None
json.dump([left(*pair) for pair in json.load(sys.stdin)], sys.stdout)
";
    let part = || prop_oneof!["[a-d.*?\\[\\]!^-]{0,8}", "\\[!?[a-d^\\\\&|~-]{1,7}\\][a-d]?", "[a-d\n.]{0,3}",];
    let pairs = generate(5000, (part(), part()));
    let Some(answers) = ask("python3", "-c", SCRIPT, &serde_json::to_value(&pairs).unwrap()) else { return };
    for ((child, parent), answer) in pairs.into_iter().zip(answers) {
        let by = Declared { by: String::new(), span: None };
        let left = attenuate(vec![Grant { capability: child.clone(), by }], std::slice::from_ref(&parent));
        let left = left.into_iter().next().map(|grant| grant.capability);
        assert_eq!(left.as_deref(), answer.as_str(), "{child:?} below {parent:?}");
    }
}
