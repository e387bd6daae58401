//! What a question is: its parameters, and the run that answers it.

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use rmcp::schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::roots::Roots;
use super::run::Run;

/// The parameters of a tool.
pub trait Question: DeserializeOwned + JsonSchema {
    const NAME: &'static str;
    const TITLE: &'static str;
    /// When to ask, for the model.
    const ABOUT: &'static str;

    fn run(self, roots: &Roots) -> Result<Run, String>;
}

/// A question without its parameters.
pub struct QuestionKind {
    pub name: &'static str,
    title: &'static str,
    about: &'static str,
    schema: fn() -> JsonObject,
    run: fn(JsonObject, &Roots) -> Result<Run, String>,
}

impl QuestionKind {
    pub const fn of<Q: Question>() -> Self {
        Self { name: Q::NAME, title: Q::TITLE, about: Q::ABOUT, schema: schema::<Q>, run: run::<Q> }
    }

    pub fn tool(&self) -> Tool {
        // It asks nobody but the files.
        let annotations = ToolAnnotations::with_title(self.title).read_only(true).open_world(false);
        Tool::new(self.name, self.about, (self.schema)()).with_annotations(annotations)
    }

    /// The run that answers, or what is wrong with the parameters.
    pub fn run(&self, parameters: JsonObject, roots: &Roots) -> Result<Run, String> {
        let schema = (self.schema)();
        let known = schema.get("properties").and_then(Value::as_object);
        let unknown = parameters.keys().find(|name| !known.is_some_and(|known| known.contains_key(*name)));
        if let Some(name) = unknown {
            let known = known.into_iter().flat_map(JsonObject::keys).map(|name| format!("`{name}`"));
            return Err(format!("there is no `{name}`, only {}", known.collect::<Vec<_>>().join(", ")));
        }
        (self.run)(parameters, roots)
    }
}

fn schema<Q: Question>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<Q>().to_value();
    match schema.as_object_mut() {
        Some(schema) => {
            schema.remove("title");
            std::mem::take(schema)
        }
        None => JsonObject::new(),
    }
}

fn run<Q: Question>(parameters: JsonObject, roots: &Roots) -> Result<Run, String> {
    let question: Q = serde_json::from_value(Value::Object(parameters)).map_err(|error| error.to_string())?;
    question.run(roots)
}
