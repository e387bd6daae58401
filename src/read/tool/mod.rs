//! Reads the schema and description of a tool file without running it.

mod javascript;
mod python;
mod yaml;

use std::ops::Range;
use std::sync::Arc;

pub(crate) use javascript::escape as javascript_escape;
pub use python::{ReturnSentence, return_sentence};

use crate::read::store::Modules;
use crate::read::value::Value;
use crate::text::{Cursor, Source, Span};

const SCHEMA: &str = "CONFIG_SCHEMA";
const DESCRIPTION: &str = "__tool_description__";

/// The error says why it is not a literal; the cursor stays at the cause.
type Literal<T> = Result<T, &'static str>;

/// Why a file cannot be read, and the byte offset of the cause.
type ToolFault = (&'static str, usize);

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

#[derive(Debug, Clone, PartialEq)]
enum Assigned {
    /// The byte range runs from the first word of the assignment to the character that ends it.
    Literal(Value, Range<usize>),
    /// An expression that cannot be read without running it: what it contains, and at which byte.
    Other(&'static str, usize),
}

#[derive(Debug, Default)]
struct Assignments {
    schema: Option<Assigned>,
    description: Option<Assigned>,
}

impl Assignments {
    fn wants(name: &str) -> bool {
        name == SCHEMA || name == DESCRIPTION
    }

    /// Whether the text names a variable for which no assignment was found.
    fn misses_one_in(&self, text: &str) -> bool {
        self.schema.is_none() && text.contains(SCHEMA) || self.description.is_none() && text.contains(DESCRIPTION)
    }

    /// The last literal wins, as in the released package.
    fn record(&mut self, name: &str, assigned: Assigned) {
        let slot = if name == SCHEMA { &mut self.schema } else { &mut self.description };
        if matches!(assigned, Assigned::Literal(..)) || !matches!(slot, Some(Assigned::Literal(..))) {
            *slot = Some(assigned);
        }
    }
}

/// The end of a declaration: after the character that terminates it.
fn ended(mut next: Cursor<'_>) -> usize {
    next.bump();
    next.at()
}
