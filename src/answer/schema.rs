//! The published JSON Schemas of `docs/schema/`.

use miniz_oxide::inflate::decompress_to_vec_zlib;

// `SCHEMAS`: the names, sorted, with what the build script packed.
include!(concat!(env!("OUT_DIR"), "/schemas.rs"));

pub fn schema(name: &str) -> Option<String> {
    let (_, packed) = SCHEMAS.iter().find(|(known, _)| *known == name)?;
    let text = decompress_to_vec_zlib(packed).expect("the build script packed it");
    Some(String::from_utf8(text).expect("the files are JSON, and a test reads each"))
}

pub fn names() -> impl Iterator<Item = &'static str> {
    SCHEMAS.iter().map(|(name, _)| *name)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::borrow::Cow;

    use regex::Regex;
    use schemars::generate::SchemaSettings;
    use schemars::transform::RecursiveTransform;
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use serde_json::Value as Json;

    use super::*;
    use crate::answer::agents;
    use crate::answer::chain;
    use crate::answer::chain::testing::{chain, shop, tree};
    use crate::answer::diff;
    use crate::answer::explain::{self, ExplainFormat, ExplainView, Explanation};
    use crate::answer::impact;
    use crate::answer::list;
    use crate::answer::lock;
    use crate::answer::recordings;
    use crate::answer::render::write_events;
    use crate::diagnostic::{Diagnostic, Location, Problem};
    use crate::fill::palette::CapabilityTree;
    use crate::lint;
    use crate::prompt;
    use crate::prompt::json::origin::{OriginJson, SourceJson};
    use crate::prompt::json::shape::{DeclaredJson, DiagnosticJson, ItemJson};
    use crate::prompt::testing::{deploy, empty, source, user};
    use crate::prompt::{DecisionOutcome, Declared, ItemRef, Slot, json};
    use crate::read::settings;
    use crate::text::tokens::Tokenizer;
    use crate::text::{Origin, Position, Source, Span};
    use crate::write::screen::Screen;

    /// Gives values the schema of what they are written as.
    macro_rules! written_as {
        ($($own:ty => $written:ty,)*) => {
            $(impl JsonSchema for $own {
                fn inline_schema() -> bool {
                    <$written>::inline_schema()
                }

                fn schema_name() -> Cow<'static, str> {
                    <$written>::schema_name()
                }

                fn schema_id() -> Cow<'static, str> {
                    <$written>::schema_id()
                }

                fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                    <$written>::json_schema(generator)
                }
            })*
        };
    }

    written_as! {
        Source => SourceJson<'static>,
        Span => SourceJson<'static>,
        Location => SourceJson<'static>,
        Origin => OriginJson<'static>,
        Diagnostic => DiagnosticJson<'static>,
        Declared => DeclaredJson<'static>,
        ItemRef => ItemJson<'static>,
        DecisionOutcome => String,
        Slot => String,
    }

    /// A line of `render --all --format jsonl`.
    enum PromptLine {}

    impl JsonSchema for PromptLine {
        fn schema_name() -> Cow<'static, str> {
            "PromptLine".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "description": "A prompt, or why it cannot be rendered.",
                "anyOf": [
                    generator.subschema_for::<json::shape::PromptDocument>(),
                    generator.subschema_for::<json::shape::FailedPrompt>(),
                ],
            })
        }
    }

    /// A line of `lint --format jsonl`.
    enum LintLine {}

    impl JsonSchema for LintLine {
        fn schema_name() -> Cow<'static, str> {
            "LintLine".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            use lint::view::json::shape::{Finding, FixesLine, RuleCount};
            json_schema!({
                "description": "A finding; with `--statistics`, a rule; with `--fix` or `--add-allow`, a file.",
                "anyOf": [
                    generator.subschema_for::<Finding>(),
                    generator.subschema_for::<RuleCount>(),
                    generator.subschema_for::<FixesLine>(),
                ],
            })
        }
    }

    fn generated<T: JsonSchema>() -> String {
        let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(RecursiveTransform(tidy));
        let schema = settings.into_generator().into_root_schema_for::<T>();
        // The suffix `Json` of type names has no meaning in a schema.
        let type_name = Regex::new(r#"("|\$defs/)(\w+?)Json""#).unwrap();
        type_name.replace_all(&serde_json::to_string_pretty(&schema).unwrap(), "$1$2\"").into_owned() + "\n"
    }

    /// Removes what would be wrong in a schema: line breaks from comments, Rust's number formats, keywords
    /// that only describe how this program reads the JSON back, and null for fields that are omitted instead.
    fn tidy(schema: &mut Schema) {
        let Some(object) = schema.as_object_mut() else { return };
        ["format", "default", "readOnly"].iter().for_each(|keyword| drop(object.remove(*keyword)));
        if let Some(Json::String(description)) = object.get_mut("description") {
            *description = description.replace('\n', " ");
        }
        let required = object.get("required").and_then(Json::as_array).cloned().unwrap_or_default();
        let Some(properties) = object.get_mut("properties").and_then(Json::as_object_mut) else { return };
        for (_, property) in properties.iter_mut().filter(|(name, _)| !required.contains(&Json::from(name.as_str()))) {
            if let Some(types) = property.get_mut("type")
                && let Some([single, _]) = types.as_array().map(Vec::as_slice)
            {
                *types = single.clone();
            }
            if let Some([single, _]) = property.get("anyOf").and_then(Json::as_array).map(Vec::as_slice) {
                let single = single.clone();
                let property = property.as_object_mut().unwrap();
                property.remove("anyOf");
                property.extend(single.as_object().unwrap().clone());
            }
        }
    }

    /// `UPDATE_SCHEMA=1 cargo test schema` rewrites the files.
    #[test]
    fn the_checked_in_schemas_match_the_types() {
        let all = [
            ("prompt", generated::<json::shape::PromptDocument>()),
            ("prompt-line", generated::<PromptLine>()),
            ("explain", generated::<explain::json::shape::ExplainDocument>()),
            ("error", generated::<json::shape::ErrorDocument>()),
            ("events", generated::<prompt::TranscriptEvent>()),
            ("chain", generated::<chain::json::ChainDocument>()),
            ("diff", generated::<diff::json::shape::DiffDocument>()),
            ("impact", generated::<impact::json::ImpactDocument>()),
            ("lock-check", generated::<lock::json::CheckDocument>()),
            ("lint", generated::<lint::view::json::shape::LintDocument>()),
            ("lint-line", generated::<LintLine>()),
            ("agents", generated::<agents::json::AgentsDocument>()),
            ("agents-line", generated::<agents::json::AgentLine>()),
            ("list", generated::<list::json::ListDocument>()),
            ("list-line", generated::<list::json::ListEntryJson>()),
            ("recordings", generated::<recordings::RecordingsDocument>()),
            ("settings", lint::settings_schema()),
            ("lint-settings", generated::<settings::SettingsDocument>()),
        ];
        for (name, generated) in all {
            if std::env::var_os("UPDATE_SCHEMA").is_some() {
                let path = format!("{}/docs/schema/{name}.schema.json", env!("CARGO_MANIFEST_DIR"));
                std::fs::write(path, &generated).unwrap();
            } else {
                assert!(schema(name).as_deref() == Some(&*generated), "{name}: run UPDATE_SCHEMA=1 cargo test schema");
            }
        }
    }

    #[track_caller]
    pub fn assert_valid(name: &str, output: &[u8]) -> Json {
        let output: Json = serde_json::from_slice(output).unwrap();
        let schema: Json = serde_json::from_str(&schema(name).unwrap()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<_> = validator.iter_errors(&output).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        output
    }

    #[test]
    fn prompts_are_valid() {
        let blank = source("user", ".ai/directives/x.md", "");
        for prompt in [deploy(), user("a"), empty(&blank)] {
            let mut out = Vec::new();
            json::write(&prompt, Tokenizer::Chars4, &mut out).unwrap();
            assert_valid("prompt", &out);
            assert_valid("prompt-line", &out);
        }
    }

    #[test]
    fn explanations_are_valid() {
        let blank = source("user", ".ai/directives/x.md", "");
        for prompt in [deploy(), user("a"), empty(&blank)] {
            for (window, answer) in
                [(None, Explanation::Plan), (Some(100), Explanation::Capabilities(Some(CapabilityTree::default())))]
            {
                let view = ExplainView {
                    format: ExplainFormat::Json,
                    role: None,
                    tokenizer: Tokenizer::Chars4,
                    window,
                    screen: Screen::plain(80),
                };
                let mut out = Vec::new();
                explain::write(&prompt, &answer, &view, &mut out).unwrap();
                let valid = assert_valid("explain", &out);
                assert_eq!(valid["format"], "rye-render.explain/1");
                assert_eq!(valid["window"].is_null(), window.is_none());
            }
        }
    }

    #[test]
    fn a_prompt_that_breaks_the_schema_is_refused() {
        let mut out = Vec::new();
        json::write(&deploy(), Tokenizer::Chars4, &mut out).unwrap();
        let good: Json = serde_json::from_slice(&out).unwrap();
        let schema: Json = serde_json::from_str(&schema("prompt").unwrap()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for (pointer, bad) in [
            ("/format", Json::from("rye-render.prompt/2")),
            ("/messages/0/role", Json::from("robot")),
            ("/messages/0/segments/0/origin/kind", Json::from("elsewhere")),
            ("/decisions/0/outcome", Json::from("maybe")),
            ("/sha256", Json::from("x")),
        ] {
            let mut broken = good.clone();
            *broken.pointer_mut(pointer).unwrap() = bad;
            assert!(!validator.is_valid(&broken), "{pointer}");
        }
    }

    #[test]
    fn errors_are_valid() {
        let position = Some(Position { line: 2, column: 3 });
        let file =
            Location::File { tier: "project".into(), path: "a.md".to_string(), revision: Some("v1".into()), position };
        for diagnostic in [Diagnostic::new(Problem::OutsideTier), Diagnostic::at(Problem::InvalidUtf8 { at: 7 }, file)]
        {
            let (mut out, mut line) = (Vec::new(), Vec::new());
            json::write_error(&diagnostic, &mut out).unwrap();
            assert_valid("error", &out);
            let place =
                Location::File { tier: "user".into(), path: "x.md".to_string(), revision: None, position: None };
            json::write_failed("x", &place, &diagnostic, &mut line).unwrap();
            assert_valid("prompt-line", &line);
        }
    }

    #[test]
    fn events_are_valid() {
        let mut out = Vec::new();
        write_events(&deploy(), &mut out).unwrap();
        for line in out.split_inclusive(|&byte| byte == b'\n') {
            assert_valid("events", line);
        }
    }

    #[test]
    fn chains_are_valid() {
        let view = chain::GraphView { format: chain::GraphFormat::Json, ..tree(80) };
        let (mut graph, mut one) = (Vec::new(), Vec::new());
        chain::write(&shop(), "rye-3", &[], &view, &mut graph).unwrap();
        chain::write_chain(&chain(|_| {}), &chain::GraphScope::default(), &view, &mut one).unwrap();
        assert!(assert_valid("chain", &graph).get("members").is_none());
        assert_eq!(assert_valid("chain", &one)["members"].as_array().unwrap().len(), 3);
    }
}
