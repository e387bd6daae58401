//! The palette and the capability tree, built from in-memory stores.

use std::sync::Arc;

use super::*;
use crate::prompt::{DecisionOutcome, Declared};
use crate::read::protocol::ToolRules;
use crate::read::store::{MemoryStore, ReadOptions, Tier, TierKind, Tiers};
use crate::read::value::{Map, Value, to_python_json};

const RULES: ToolRules = ToolRules::DOCUMENTED;
const RELEASED: ToolRules = ToolRules { star_is_all: false, undeclared_primaries: false, ..ToolRules::DOCUMENTED };

/// A tool file whose schema and description take 100 characters in total.
fn tool(description: &str) -> String {
    let fill = "x".repeat(100 - r#"{"a": ""}"#.len() - description.chars().count());
    format!("__tool_description__ = '{description}'\nCONFIG_SCHEMA = {{'a': '{fill}'}}\n")
}

/// Paths below `.ai/`, each with the text of the file or, if it is a single line, the description of a tool.
type Files<'a> = &'a [(&'a str, &'a str)];

fn tiers(stores: &[(TierKind, &str, Files<'_>)]) -> Tiers {
    let tier = |(kind, label, files): &(TierKind, &str, Files<'_>)| {
        let files = files.iter().map(|(path, text)| {
            let text = if text.contains('\n') || text.is_empty() { text.to_string() } else { tool(text) };
            (format!(".ai/{path}"), text)
        });
        let store = Arc::new(files.collect::<MemoryStore>());
        Tier { kind: *kind, label: Arc::from(*label), store, root: None, modules: None }
    };
    Tiers::new(stores.iter().map(tier).collect(), ReadOptions::default())
}

fn project(files: Files<'_>) -> Tiers {
    tiers(&[(TierKind::Project, "project", files)])
}

fn grants(capabilities: &[&str]) -> Vec<Grant> {
    let by = Declared { by: "app/job".to_string(), span: None };
    capabilities.iter().map(|capability| Grant { capability: capability.to_string(), by: by.clone() }).collect()
}

fn palette(capabilities: &[&str], tiers: &Tiers, rules: ToolRules, tokens: i64) -> Palette {
    let grants = grants(capabilities);
    let preload = YamlNode::of(&Value::Map(Map::from([(Value::from("max_tokens"), Value::from(tokens))])));
    let request =
        PaletteRequest { grants: &grants, declared: !capabilities.is_empty(), outputs: None, preload: Some(&preload) };
    build(&request, tiers, rules).unwrap()
}

fn ids(palette: &Palette) -> Vec<&str> {
    palette.tools.iter().map(|tool| tool.item_id.as_str()).collect()
}

fn registered(capabilities: &[&str], tiers: &Tiers, rules: ToolRules) -> Vec<String> {
    ids(&palette(capabilities, tiers, rules, 2000)).into_iter().map(str::to_string).collect()
}

fn codes(palette: &Palette) -> Vec<&'static str> {
    palette.diagnostics.iter().map(Diagnostic::code).collect()
}

const PRIMARIES: Files<'static> =
    &[("tools/rye/execute.py", "Run"), ("tools/rye/fetch.py", "Look up"), ("tools/rye/sign.py", "Sign")];

#[test]
fn primaries_are_registered_for_granted_actions() {
    let tiers = project(PRIMARIES);
    let all = ["rye/execute", "rye/fetch", "rye/sign"];
    assert_eq!(registered(&[], &tiers, RULES), all);
    assert_eq!(registered(&[], &tiers, RELEASED), [""; 0]);
    assert_eq!(registered(&["rye.*"], &tiers, RULES), all);
    assert_eq!(registered(&["rye.*"], &tiers, RELEASED), [""; 0]);
    assert_eq!(registered(&["rye.execute.*"], &tiers, RULES), ["rye/execute"]);
    assert_eq!(registered(&["rye.execute.*"], &tiers, RELEASED), [""; 0]);
    assert_eq!(registered(&["rye.execute.tool.*"], &tiers, RELEASED), ["rye/execute"]);
    assert_eq!(registered(&["rye.sign.knowledge.x", "rye.fetch.*"], &tiers, RULES), ["rye/fetch", "rye/sign"]);
    assert_eq!(registered(&["rye.execute.tool.rye.*"], &tiers, RULES), ["rye/execute"]);
    assert_eq!(
        registered(&["rye.execute.directive.x", "rye.execute.tool.rye.sign"], &tiers, RULES),
        ["rye/execute", "rye/sign"]
    );
}

#[test]
fn descriptions_of_primaries_narrow_to_the_granted_kinds() {
    let tiers = project(PRIMARIES);
    let description = |capabilities: &[&str]| palette(capabilities, &tiers, RULES, 2000).tools[0].description.clone();
    assert_eq!(description(&["rye.fetch.*"]), "Look up");
    assert_eq!(description(&["rye.sign.knowledge.*"]), "Sign a knowledge");
    assert_eq!(description(&["rye.execute.tool.x", "rye.execute.directive.*"]), "Execute a directive or tool");
    assert_eq!(description(&["rye.fetch.tool.x", "rye.fetch.directive.x", "rye.fetch.knowledge.x"]), "Look up");
}

#[test]
fn missing_primaries_are_reported_only_if_granted() {
    let tiers = project(&[]);
    assert_eq!(codes(&palette(&[], &tiers, RULES, 2000)), [""; 0]);
    assert_eq!(codes(&palette(&["rye.fetch.*"], &tiers, RULES, 2000)), ["primary_missing"]);
}

#[test]
fn more_literal_patterns_are_applied_first() {
    let files = &[("tools/a/b/c.py", "c"), ("tools/a/b/d-e.py", "d"), ("tools/a/x.py", "x"), ("tools/top.py", "top")];
    let tiers = project(files);
    let reach = |capabilities: &[&str]| {
        let capabilities: Vec<String> = capabilities.iter().map(|p| format!("rye.execute.tool.{p}")).collect();
        let capabilities: Vec<&str> = capabilities.iter().map(String::as_str).collect();
        registered(&capabilities, &tiers, RULES)
    };
    assert_eq!(reach(&["a.*"]), ["a/b/c", "a/b/d-e", "a/x"]);
    assert_eq!(reach(&["*", "a.x", "a/b/*"]), ["a/x", "a/b/c", "a/b/d-e", "top"]);
    assert_eq!(reach(&["a.b.c", "a.b.c"]), ["a/b/c"]);
    for nothing in ["b.*", "a.*.c", "a*", "*.c", "a.*.*", "..*", "a..x", "nope", "a.{input:x}.*", "x\\y", "a\0"] {
        let capability = format!("rye.execute.tool.{nothing}");
        let palette = palette(&[&capability], &tiers, RULES, 2000);
        assert_eq!(ids(&palette), [""; 0], "{nothing}");
        assert_eq!(codes(&palette), ["primary_missing", "pattern_matches_nothing"], "{nothing}");
    }
}

#[test]
fn a_bare_star_is_all_or_nothing() {
    let mut files = PRIMARIES.to_vec();
    files.push(("tools/a.py", "a"));
    let tiers = project(&files);
    for (star, primaries) in [("rye.execute.tool.*", 1), ("rye.execute.*", 1), ("rye.*", 3)] {
        let all = palette(&[star], &tiers, RULES, 2000);
        assert_eq!((all.tools.len(), ids(&all)[primaries]), (primaries + 1, "a"), "{star}");
        assert_eq!(codes(&all), [""; 0]);
        assert_eq!(codes(&palette(&[star], &tiers, RELEASED, 2000)), ["pattern_matches_nothing"], "{star}");
    }
}

#[test]
fn paths_are_in_byte_order_and_earlier_tiers_win() {
    let tiers = tiers(&[
        (
            TierKind::Project,
            "project",
            &[("tools/x/b.js", "const CONFIG_SCHEMA = {p: 1};\n"), ("tools/x/b-c.py", "b-c")],
        ),
        (TierKind::User, "user", &[("tools/x/b.py", "later"), ("tools/x/a.py", "a")]),
        (TierKind::System, "system:std", &[("tools/x/a.yaml", "\n"), ("tools/x/b/c.py", "c"), ("tools/x/b.yml", "\n")]),
    ]);
    let palette = palette(&["rye.execute.tool.x.*"], &tiers, RULES, 2000);
    assert_eq!(ids(&palette), ["x/b-c", "x/b", "x/a", "x/b/c"]);
    assert_eq!(palette.tools[1].source.as_ref().unwrap().path(), ".ai/tools/x/b.js");
    let shadowed: Vec<_> = palette.decisions.iter().filter(|d| d.outcome == DecisionOutcome::Shadowed).collect();
    let whys: Vec<_> = shadowed.iter().map(|decision| (decision.name.as_str(), decision.why.as_str())).collect();
    assert_eq!(
        whys,
        [
            ("x/b", "the project's copy overrides the one in user"),
            ("x/a", "the user's copy overrides the one in system:std"),
            ("x/b", "the project's copy overrides the one in system:std"),
        ]
    );
}

#[test]
fn the_first_extension_of_a_tier_wins() {
    let tiers = project(&[("tools/x/a.sh", "\n"), ("tools/x/a.js", "\n"), ("tools/x/a.py", "py")]);
    assert_eq!(registered(&["rye.execute.tool.x.*"], &tiers, RULES), ["x/a"]);
    let shell = project(&[("tools/x/a.sh", "# CONFIG_SCHEMA = {}\n")]);
    let palette = palette(&["rye.execute.tool.x.a"], &shell, RULES, 2000);
    assert_eq!(codes(&palette), ["primary_missing", "tool_without_schema"]);
    let decision = palette.decisions.last().unwrap();
    assert_eq!((decision.name.as_str(), decision.outcome), ("x/a", DecisionOutcome::Empty));
}

#[test]
fn tools_over_budget_are_skipped_and_smaller_ones_still_fit() {
    let tiers = project(&[
        ("tools/rye/execute.py", "Run"),
        ("tools/x/a.py", "a"),
        ("tools/x/b.py", "CONFIG_SCHEMA = {'é': ''}\n"),
        ("tools/x/c.py", "c"),
    ]);
    let fits = |tokens| {
        let palette = palette(&["rye.execute.tool.x.*"], &tiers, RULES, tokens);
        let ids: Vec<String> = ids(&palette).into_iter().map(str::to_string).collect();
        let over = palette.decisions.iter().find(|decision| decision.outcome == DecisionOutcome::OverBudget);
        (ids.join(" "), over.map(|decision| decision.why.clone()), palette.budget.unwrap())
    };
    // The primary has 97 characters of schema and 14 of narrowed description, `x/b` has 9, and the others 100 each.
    let (ids, why, budget) = fits(55);
    assert_eq!(ids, "rye/execute x/a x/b");
    assert_eq!(why.as_deref(), Some("55 of 55 tokens used, needs 25"));
    assert_eq!((budget.used, budget.limit), (55, 55));
    assert_eq!(fits(30).0, "rye/execute x/b");
    assert_eq!(fits(0).0, "rye/execute");
    assert_eq!(fits(80).0, "rye/execute x/a x/b x/c");
}

#[test]
fn outputs_add_a_tool_outside_the_budget() {
    let off = YamlNode::of(&Value::Map(Map::from([(Value::from("enabled"), Value::from(false))])));
    let by = Declared { by: "app/task".to_string(), span: None };
    let request = PaletteRequest { grants: &[], declared: false, outputs: Some((&[], &by)), preload: Some(&off) };
    let palette = build(&request, &project(PRIMARIES), RULES).unwrap();
    assert_eq!(ids(&palette), ["rye/agent/threads/directive_return"]);
    assert_eq!(palette.tools[0].name, "directive_return");
    assert_eq!(palette.budget, None);
}

#[test]
fn api_names_are_checked() {
    let long = format!("tools/x/{}.py", "n".repeat(63));
    let tiers = project(&[("tools/x/a-b.py", "one"), ("tools/x/a_b.py", "two"), (&long, "three")]);
    let palette = palette(&["rye.execute.tool.x.*"], &tiers, RULES, 2000);
    assert_eq!(palette.tools[0].name, "x_a_b");
    assert_eq!(codes(&palette), ["primary_missing", "tool_name_collision", "tool_name_too_long"]);
}

#[test]
fn unreadable_files_are_refused_by_name_and_skipped_by_wildcards() {
    let mut store = MemoryStore::new();
    store.insert(".ai/tools/x/a.py", b"\xff".to_vec());
    store.insert(".ai/tools/x/b.py", tool("b"));
    let (label, store) = (Arc::from("project"), Arc::new(store));
    let tier = Tier { kind: TierKind::Project, label, store, root: None, modules: None };
    let tiers = Tiers::new(vec![tier], ReadOptions::default());
    assert_eq!(registered(&["rye.execute.tool.x.*"], &tiers, RULES), ["x/b"]);
    let grants = grants(&["rye.execute.tool.x.a"]);
    let request = PaletteRequest { grants: &grants, declared: true, outputs: None, preload: None };
    assert_eq!(build(&request, &tiers, RULES).unwrap_err().code(), "invalid_utf8");
}

#[test]
fn only_primaries_of_an_installed_bundle_resolve_names() {
    let text = "from acme.texts import WHAT\n__tool_description__ = WHAT\nCONFIG_SCHEMA = {'a': WHAT}\n";
    let paths = [".ai/tools/rye/execute.py", ".ai/tools/rye/other.py"];
    let tier = |kind, modules: Option<MemoryStore>| Tier {
        kind,
        label: Arc::from("system:std"),
        store: Arc::new(paths.iter().map(|path| (*path, text)).collect::<MemoryStore>()),
        root: None,
        modules: modules.map(|modules| Arc::new(modules) as _),
    };
    let modules = || Some([("acme/texts.py", "WHAT = 'what'")].into_iter().collect());
    let built = |tier| {
        let tiers = Tiers::new(vec![tier], ReadOptions::default());
        palette(&["rye.execute.*"], &tiers, RULES, 2000)
    };
    let installed = built(tier(TierKind::System, modules()));
    let [execute] = installed.tools.as_slice() else { panic!("{:?}", ids(&installed)) };
    assert_eq!((execute.item_id.as_str(), execute.description.as_str()), ("rye/execute", "what"));
    assert_eq!(to_python_json(&execute.input_schema), r#"{"a": "what"}"#);
    assert_eq!(execute.source.as_ref().map(|source| source.path()), Some(paths[0]));
    assert_eq!(codes(&installed), ["tool_without_schema"]);
    assert_eq!(ids(&built(tier(TierKind::System, None))), [""; 0]);
}

#[test]
fn the_tree_shows_reachable_items() {
    let tiers = tiers(&[
        (TierKind::Project, "project", &[("tools/a/b.py", ""), ("tools/a/__init__.py", ""), ("directives/d.md", "")]),
        (
            TierKind::System,
            "system:std",
            &[
                ("tools/a/b.js", ""),
                ("tools/a/b/c.sh", ""),
                ("tools/node_modules/x.js", ""),
                ("tools/z.py", ""),
                ("tools/a/notes.txt", ""),
            ],
        ),
    ]);
    let tree = |capabilities: &[&str]| CapabilityTree::new(&grants(capabilities), &tiers, RULES).unwrap();
    assert_eq!(
        tree(&["rye.fetch.*", "rye.execute.tool.a.*", "rye.execute.tool.z"]).to_string(),
        "\
├── execute
│   └── tool
│       ├── a
│       │   └── b
│       │       └── c
│       └── z
└── fetch
    ├── directive
    │   └── d
    ├── knowledge (none)
    └── tool
        ├── a
        │   └── b
        │       └── c
        └── z"
    );
    assert_eq!(tree(&[]).to_string(), "");
    assert_eq!(
        serde_json::to_string(&tree(&["rye.execute.tool.a.b", "rye.sign.knowledge.x"])).unwrap(),
        r#"{"execute":{"tool":{"a":{"b":{}}}},"sign":{"knowledge":{}}}"#
    );
}

#[test]
fn the_first_list_of_excluded_folders_wins() {
    let collect = "tools/rye/core/bundler/collect.yaml";
    let tiers = tiers(&[
        (TierKind::Project, "project", &[(collect, "other: 1\n"), ("tools/dist/a.py", ""), ("tools/__init__.py", "")]),
        (TierKind::User, "user", &[(collect, "exclude_dirs: [dist, rye]\n"), ("tools/.git/b.py", "")]),
        (TierKind::System, "system:std", &[(collect, "exclude_dirs: [.git]\n")]),
    ]);
    let tree = CapabilityTree::new(&grants(&["rye.execute.tool.*"]), &tiers, RULES).unwrap();
    assert_eq!(serde_json::to_string(&tree).unwrap(), r#"{"execute":{"tool":{".git":{"b":{}}}}}"#);
}

fn meter(key: &str, value: Value) -> (Meter, Vec<Diagnostic>) {
    let section = YamlNode::of(&Value::Map(Map::from([(Value::from(key), value)])));
    let mut diagnostics = Vec::new();
    (Meter::read(Some(&section), &mut diagnostics), diagnostics)
}

#[test]
fn a_tool_that_fills_the_budget_exactly_fits() {
    let mut meter = meter("max_tokens", Value::from(500)).0;
    meter.add(1959);
    assert_eq!(meter.take(42), Err("490 of 500 tokens used, needs 11".to_string()));
    assert_eq!(meter.take(41), Ok(()));
    assert_eq!(meter.budget(), PaletteBudget { used: 500, limit: 500 });
    assert_eq!(meter.take(0), Ok(()));
}

#[test]
fn numbers_of_any_kind_are_limits() {
    let limit = |value| {
        let meter = meter("max_tokens", value).0;
        (meter.limit, meter.characters)
    };
    assert_eq!(limit(Value::Float(1.5)), (1, 6));
    assert_eq!(limit(Value::from(-3)), (0, 0));
    assert_eq!(limit(Value::from(true)), (1, 4));
    assert_eq!(limit(Value::Int(num_bigint::BigInt::from(1u8) << 200)), (usize::MAX, usize::MAX));
    assert_eq!(limit(Value::Null), (2000, 8000));
    assert_eq!(meter("max_tokens", Value::from("many")).1.len(), 1);
}

#[test]
fn truth_follows_python() {
    assert!(!meter("enabled", Value::from(0)).0.enabled);
    assert!(!meter("enabled", Value::from("")).0.enabled);
    assert!(meter("enabled", Value::from("false")).0.enabled);
    assert!(meter("other", Value::Null).0.enabled);
}

fn output(name: &str, kind: &str, required: bool, description: &str) -> OutputInfo {
    let [name, output_type, description] = [name, kind, description].map(str::to_string);
    OutputInfo { name, output_type, required, description }
}

#[test]
fn outputs_are_properties() {
    let outputs = [output("a", "integer", true, "A number"), output("b", "string", false, "")];
    assert_eq!(
        to_python_json(&directive_return(&outputs).input_schema),
        concat!(
            r#"{"type": "object", "properties": {"a": {"type": "integer", "description": "A number"}, "#,
            r#""b": {"type": "string", "description": ""}}, "required": ["a"]}"#
        )
    );
    assert_eq!(
        to_python_json(&directive_return(&[]).input_schema),
        concat!(
            r#"{"type": "object", "properties": {"result": {"type": "string", "description": "Result output"}}, "#,
            r#""required": []}"#
        )
    );
}
