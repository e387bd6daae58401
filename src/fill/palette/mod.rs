//! The tool palette: which tools the model may call, and why the others are left out (Directives, "Tools").

mod build;
pub(crate) mod capability;
pub(crate) mod fnmatch;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{Decision, Declared, Grant, OutputInfo, PaletteBudget, ToolEntry};
use crate::read::value::{Map, Value, map, python_str};
use crate::read::yaml::YamlNode;
use crate::text::numbers::thousands;

pub use build::{api_name, build};
pub(crate) use capability::excluded;
pub use capability::{CapabilityTree, DIRECTIVE_RETURN, Primary, attenuate};

/// Problems in the `tool_preload` section.
pub(crate) fn budget_problems(preload: &YamlNode) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    Meter::read(Some(preload), &mut diagnostics);
    diagnostics
}

/// The budget in characters; `None` if tools are disabled.
pub(crate) fn budget_characters(preload: Option<&YamlNode>) -> Option<usize> {
    let meter = Meter::read(preload, &mut Vec::new());
    meter.enabled.then_some(meter.characters)
}

#[derive(Debug, Clone, Copy)]
pub struct PaletteRequest<'a> {
    /// The grants, already narrowed to the parent's capabilities; without [`DIRECTIVE_RETURN`].
    pub grants: &'a [Grant],
    /// Whether any capability is declared anywhere: by a directive of the chain or by a parent.
    pub declared: bool,
    /// The named outputs and their declaration, if any output is declared.
    pub outputs: Option<(&'a [OutputInfo], &'a Declared)>,
    /// The `tool_preload` section of the merged `resilience.yaml`.
    pub preload: Option<&'a YamlNode>,
}

#[derive(Debug, Clone, Default)]
pub struct Palette {
    /// The tools in order: primaries, granted tools, `directive_return`.
    pub tools: Vec<ToolEntry>,
    pub left_out: Vec<ToolEntry>,
    pub decisions: Vec<Decision>,
    /// How much of the budget is used; `None` if tools are disabled.
    pub budget: Option<PaletteBudget>,
    pub diagnostics: Vec<Diagnostic>,
}

/// The documents' estimate.
const CHARACTERS_PER_TOKEN: usize = 4;
/// The default if no configuration sets one (Context Injection 2.0.0, "Token Budget and Prioritization").
pub const DEFAULT_TOKENS: usize = 2000;

/// The budget of `tool_preload` in `resilience.yaml`, and how much of it is used.
struct Meter {
    /// Whether tools are registered at all.
    pub enabled: bool,
    /// In tokens, as configured.
    limit: usize,
    /// The budget in characters.
    pub characters: usize,
    /// In characters.
    used: usize,
}

impl Meter {
    /// Reads the merged section. A `max_tokens` that is not a number adds a diagnostic, and the default applies.
    pub fn read(section: Option<&YamlNode>, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let key = |key| section.and_then(|section| section.get(key));
        let enabled = key("enabled").is_none_or(|enabled| enabled.value().is_true());
        let tokens = |tokens: usize| (tokens, tokens.saturating_mul(CHARACTERS_PER_TOKEN));
        let max_tokens = key("max_tokens");
        let (limit, characters) = match max_tokens.map(YamlNode::value).unwrap_or_default() {
            Value::Null => tokens(DEFAULT_TOKENS),
            // A fraction of a token also allows characters; a negative number allows none.
            Value::Float(float) => (float as usize, (float * CHARACTERS_PER_TOKEN as f64) as usize),
            Value::Bool(value) => tokens(usize::from(value)),
            Value::Int(int) if int.sign() == num_bigint::Sign::Minus => tokens(0),
            Value::Int(int) => tokens(usize::try_from(&int).unwrap_or(usize::MAX)),
            value => {
                let problem = Problem::ToolBudgetInvalid { value: python_str(&value), default: DEFAULT_TOKENS };
                let at = max_tokens.and_then(|node| node.span.as_ref()).map(Into::into);
                diagnostics.push(Diagnostic { problem, at });
                tokens(DEFAULT_TOKENS)
            }
        };
        Self { enabled, limit, characters, used: 0 }
    }

    /// Adds the size of a tool that is never dropped.
    pub fn add(&mut self, characters: usize) {
        self.used = self.used.saturating_add(characters);
    }

    /// Adds the size of a tool that must fit; it may fill the budget exactly. The error says why it does not fit.
    pub fn take(&mut self, characters: usize) -> Result<(), String> {
        if self.used.saturating_add(characters) > self.characters {
            let [used, limit, needed] = [tokens(self.used), self.limit, tokens(characters)].map(thousands);
            return Err(format!("{used} of {limit} tokens used, needs {needed}"));
        }
        self.used += characters;
        Ok(())
    }

    pub fn budget(&self) -> PaletteBudget {
        PaletteBudget { used: tokens(self.used), limit: self.limit }
    }
}

fn tokens(characters: usize) -> usize {
    characters.div_ceil(CHARACTERS_PER_TOKEN)
}

const DIRECTIVE_RETURN_ID: &str = "rye/agent/threads/directive_return";

/// The tool that receives the declared outputs (Directives, "Tools").
fn directive_return(outputs: &[OutputInfo]) -> ToolEntry {
    let property =
        |kind: &str, description: &str| Value::Map(map([("type", kind.into()), ("description", description.into())]));
    let mut properties: Map = outputs
        .iter()
        .map(|output| (Value::from(output.name.as_str()), property(&output.output_type, &output.description)))
        .collect();
    if properties.is_empty() {
        properties.insert(Value::from("result"), property("string", "Result output"));
    }
    let required = outputs.iter().filter(|output| output.required).map(|output| Value::from(output.name.as_str()));
    ToolEntry {
        name: "directive_return".to_string(),
        description: "Hands back the outputs of the directive and ends it".to_string(),
        input_schema: Value::Map(map([
            ("type", Value::from("object")),
            ("properties", Value::Map(properties)),
            ("required", Value::List(required.collect())),
        ])),
        item_id: DIRECTIVE_RETURN_ID.to_string(),
        primary: "execute",
        source: None,
        schema_span: None,
        description_span: None,
    }
}
