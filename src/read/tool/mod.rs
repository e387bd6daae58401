//! Reads the schema and description of a tool file without running it.

mod assigned;
mod javascript;
mod python;
mod yaml;

use std::sync::Arc;

pub(crate) use javascript::escape as javascript_escape;
pub use python::{ReturnSentence, return_sentence};

use assigned::{Assigned, Assignments, SCHEMA, ToolFault};

use crate::read::store::Modules;
use crate::read::value::Value;
use crate::text::{Source, Span};

/// What a tool file declares (Directives, "Tools").
#[derive(Debug, Clone, PartialEq)]
pub struct ToolFile {
    /// The JSON Schema of its parameters, a non-empty map.
    pub schema: Value,
    pub description: String,
    /// The YAML key and its value, or the assignment up to the character that ends it.
    pub schema_span: Span,
    pub description_span: Option<Span>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct NoSchema {
    /// Why there is no schema, as a clause.
    pub reason: String,
    pub at: Option<Span>,
}

/// Reads a tool file in the format that its extension indicates.
pub fn read_tool(source: &Arc<Source>) -> Result<ToolFile, NoSchema> {
    let assignments = match extension(source) {
        "py" => python::assignments(source.text()),
        "js" | "ts" => javascript::assignments(source.text()),
        "yaml" | "yml" => return yaml::read(source),
        _ => return Err(refused(source, "files of this kind cannot declare a schema", None)),
    };
    from_assignments(source, assignments)
}

/// Reads a primary tool of an installed bundle. The released package reads literals, but executes the modules of its
/// three primaries, whose schemas name constants of modules next to the bundle. Here, those names are resolved without
/// running the modules: a name stands for the literal that the module, a class in it (`Class.NAME`) or, after
/// `from module import NAME`, another module assigns to it.
pub fn read_primary(source: &Arc<Source>, modules: Modules<'_>) -> Result<ToolFile, NoSchema> {
    if extension(source) != "py" {
        return read_tool(source);
    }
    from_assignments(source, python::executed_assignments(source, modules))
}

fn extension(source: &Source) -> &str {
    source.path().rsplit_once('.').unwrap_or_default().1
}

fn from_assignments(source: &Arc<Source>, found: Result<Assignments, ToolFault>) -> Result<ToolFile, NoSchema> {
    let found = found.map_err(|(reason, at)| refused(source, reason, Some(at)))?;
    let (schema, schema_span) = match found.schema {
        Some(Assigned::Literal(schema, range)) => (schema, source.span(range)),
        Some(Assigned::Other(what, at)) => {
            return Err(refused(source, &format!("{SCHEMA} is not a literal: it contains {what}"), Some(at)));
        }
        None => return Err(refused(source, &format!("it declares no {SCHEMA}"), None)),
    };
    let description = match found.description {
        Some(Assigned::Literal(Value::Str(text), range)) => Some((text, source.span(range))),
        _ => None,
    };
    tool(schema, schema_span, description)
}

fn tool(schema: Value, schema_span: Span, description: Option<(String, Span)>) -> Result<ToolFile, NoSchema> {
    match &schema {
        Value::Map(map) if !map.is_empty() => {
            let (description, description_span) = description.unzip();
            Ok(ToolFile { schema, description: description.unwrap_or_default(), schema_span, description_span })
        }
        Value::Map(_) => Err(NoSchema { reason: "its schema is empty".to_string(), at: Some(schema_span) }),
        _ => Err(NoSchema { reason: "its schema is not a map".to_string(), at: Some(schema_span) }),
    }
}

fn refused(source: &Arc<Source>, reason: &str, at: Option<usize>) -> NoSchema {
    NoSchema { reason: reason.to_string(), at: at.map(|at| source.span(at..at)) }
}
