//! The JSON Schema of the settings.

use serde_json::{Value as Json, json};
use strum::VariantArray;

use crate::agents::Agent;
use crate::lint::Level;
use crate::lint::options::OptionField;
use crate::lint::options::documented::DOCUMENTED;
use crate::text::tokens::Tokenizer;
use crate::text::words::words;

/// The documentation of a key, from which the schema and the tables of docs/settings.md come.
pub struct KeyDoc {
    pub name: &'static str,
    pub values: &'static str,
    pub default: &'static str,
    pub meaning: &'static str,
}

pub const KEY_DOCS: [KeyDoc; 5] = [
    KeyDoc {
        name: "protocol",
        values: "the name of a protocol",
        default: "`rye-3`",
        meaning: "the protocol for all commands, unless `--protocol` names one",
    },
    KeyDoc {
        name: "protocols",
        values: "a list of definitions",
        default: "none",
        meaning: "your own [protocols](protocols.md#a-protocol-file); those of every tier are available",
    },
    KeyDoc {
        name: "agents",
        values: "a list of agents, as `NAME` or `NAME@VERSION`",
        default: "those installed",
        meaning: "the [agent](agents.md#which-agent) of a folder without `--agent` is the first of them",
    },
    KeyDoc {
        name: "examples",
        values: "a map of directives to inputs",
        default: "none",
        meaning: "[example inputs](inputs.md#example-inputs) for commands that render every directive",
    },
    KeyDoc { name: "lint", values: "a map", default: "none", meaning: "settings of `lint`" },
];

pub const LINT_KEY_DOCS: [KeyDoc; 8] = [
    KeyDoc {
        name: "select",
        values: "a list of rules",
        default: "all",
        meaning: "check only these rules; a rule that is off by default becomes a warning if named",
    },
    KeyDoc { name: "ignore", values: "a list of rules", default: "none", meaning: "rules to skip" },
    KeyDoc {
        name: "fail_on",
        values: "`note`, `warning`, `error`, `off`",
        default: "`warning`",
        meaning: "the lowest level that causes exit status 1; `off` for never",
    },
    KeyDoc { name: "exclude", values: "a list of patterns", default: "none", meaning: "files to skip" },
    KeyDoc {
        name: "rules",
        values: "a map of rules to `off`, `note`, `warning`, `error`",
        default: "each rule's own",
        meaning: "levels of rules; the most specific entry wins",
    },
    KeyDoc { name: "options", values: "a map", default: "see below", meaning: "limits that rules use" },
    KeyDoc {
        name: "paths",
        values: "a list of maps",
        default: "none",
        meaning: "levels for some files: `files` (patterns), `ignore`, `rules`; a later entry overrides an earlier one",
    },
    KeyDoc {
        name: "budgets",
        values: "a map of directives to numbers",
        default: "none",
        meaning: "the maximum number of tokens per prompt, which overrides `prompt_tokens`; an id overrides a pattern such as `web/*`",
    },
];

pub fn generated() -> String {
    let lint: serde_json::Map<String, Json> =
        LINT_KEY_DOCS.iter().map(|key| (key.name.to_string(), of_lint(key))).collect();
    let of_file = |key: &KeyDoc| match key.name {
        "protocol" => described(key, json!({"type": "string"})),
        "protocols" => {
            let protocol = json!({"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}});
            described(key, json!({"type": ["array", "null"], "items": protocol}))
        }
        "agents" => {
            let names: Vec<&str> = Agent::all().map(|agent| agent.name).chain(["sf"]).collect();
            let releases: Vec<&str> = Agent::all().map(|agent| agent.name).collect();
            let release = json!({"type": "string", "pattern": format!("^({})@[0-9]", releases.join("|"))});
            let name = json!({"anyOf": [{"enum": names}, release]});
            described(key, json!({"anyOf": [name, {"type": "array", "items": name}, {"type": "null"}]}))
        }
        "examples" => {
            described(key, json!({"type": ["object", "null"], "additionalProperties": {"type": ["object", "null"]}}))
        }
        _ => described(key, closed(lint.clone())),
    };
    let properties = KEY_DOCS.iter().map(|key| (key.name.to_string(), of_file(key))).collect();
    let mut schema = closed(properties);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("settings of rye-render");
    schema["description"] = json!("The file .ai/config/rye-render.yaml.");
    serde_json::to_string_pretty(&schema).unwrap() + "\n"
}

fn of_lint(key: &KeyDoc) -> Json {
    // YAML 1.1 reads a bare `off` as false.
    let levels: Vec<Json> =
        Level::VARIANTS.iter().copied().map(|level| json!(level.into_str())).chain([json!(false)]).collect();
    let levels = json!({"enum": levels});
    let texts = json!({"anyOf": [{"type": ["string", "null"]}, {"type": "array", "items": {"type": "string"}}]});
    let rules = json!({"type": ["object", "null"], "additionalProperties": levels});
    let shape = match key.name {
        "select" | "ignore" | "exclude" => texts,
        "fail_on" => levels,
        "rules" => rules,
        "options" => {
            closed(DOCUMENTED.iter().map(|row| (row.name.to_string(), of_option(row.field(), row.meaning))).collect())
        }
        "budgets" => json!({"type": ["object", "null"], "additionalProperties": {"type": "integer", "minimum": 1}}),
        "paths" => {
            let properties = [("files", texts.clone()), ("ignore", texts), ("rules", rules)];
            let mut entry = closed(properties.map(|(name, shape)| (name.to_string(), shape)).into_iter().collect());
            entry["type"] = json!("object");
            entry["required"] = json!(["files"]);
            json!({"type": ["array", "null"], "items": entry})
        }
        other => panic!("the schema lacks `{other}`"),
    };
    described(key, shape)
}

fn of_option(field: OptionField, meaning: &str) -> Json {
    let mut shape = match field {
        OptionField::Count(_) => json!({"type": "integer", "minimum": 1}),
        OptionField::Percent(_) => json!({"type": "integer", "minimum": 1, "maximum": 100}),
        OptionField::Tokenizer(_) => json!({"enum": words::<Tokenizer>()}),
    };
    shape["description"] = json!(plain(meaning));
    shape
}

fn closed(properties: serde_json::Map<String, Json>) -> Json {
    json!({"type": ["object", "null"], "properties": properties, "additionalProperties": false})
}

fn described(key: &KeyDoc, mut shape: Json) -> Json {
    shape["description"] = json!(plain(key.meaning));
    shape
}

/// Removes links and backticks.
fn plain(meaning: &str) -> String {
    let mut text = String::new();
    let mut rest = meaning;
    while let Some((before, link)) = rest.split_once("](") {
        text += &before.replace('[', "");
        rest = link.split_once(')').map_or("", |(_, rest)| rest);
    }
    (text + rest).replace('`', "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::{LintFlags, LintOptions};
    use crate::read::settings::{KEYS, LINT_KEYS, Settings};
    use crate::read::store::TierKind;

    const DOCUMENT: &str = include_str!("../../../../docs/settings.md");

    #[test]
    fn the_documentation_lists_every_key() {
        let documented = |keys: &[KeyDoc]| keys.iter().map(|key| key.name).collect::<Vec<_>>();
        assert_eq!(documented(&KEY_DOCS), KEYS);
        assert_eq!(documented(&LINT_KEY_DOCS), LINT_KEYS);
        let keys = KEY_DOCS.iter().chain(&LINT_KEY_DOCS);
        let rows = keys.map(|key| format!("| `{}` | {} | {} | {} |\n", key.name, key.values, key.default, key.meaning));
        let options = DOCUMENTED.iter().map(|row| {
            let rules: Vec<String> = row.rules.iter().map(|rule| format!("`{rule}`")).collect();
            let (values, default) = (row.values(), row.default());
            format!("| `{}` | {values} | {default} | {} | {} |\n", row.name, row.meaning, rules.join(", "))
        });
        for row in rows.chain(options) {
            assert!(DOCUMENT.contains(&row), "docs/settings.md lacks\n{row}");
        }
        let rows = DOCUMENT.lines().filter(|line| line.starts_with("| `")).count();
        assert_eq!(rows, KEYS.len() + LINT_KEYS.len() + DOCUMENTED.len());
    }

    #[test]
    fn the_documented_example_is_valid() {
        let (_, rest) = DOCUMENT.split_once("```yaml\n").unwrap();
        let (example, _) = rest.split_once("```\n").unwrap();
        let settings = Settings::of(&[(TierKind::Project, example)]);
        let options = LintOptions::new(&settings, &LintFlags::default()).unwrap();
        assert_eq!((options.prompt_tokens, options.most_tokens("review/a")), (12_000, 4_000));

        let schema: serde_json::Value = serde_json::from_str(&generated()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let is_valid = |text: &str| validator.is_valid(&serde_yaml::from_str(text).unwrap());
        assert!(is_valid(example) && is_valid("lint:\n") && is_valid("lint: {rules: {RR001: off}}"));
        for wrong in
            ["lnt: {}", "lint: {selct: []}", "lint: {rules: {RR001: loud}}", "lint: {options: {layer_share: 101}}"]
        {
            assert!(!is_valid(wrong), "{wrong}");
        }
    }
}
