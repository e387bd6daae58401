//! `schema`: the JSON Schemas of what is printed.

use super::Ended;
use super::arguments::{Color, Schema};
use super::output::Output;
use super::report::Report;
use crate::diagnostic::{Diagnostic, Problem};
use crate::nearest::nearest;
use crate::render::schema;

/// Runs the command.
pub(super) fn run(typed: &Schema, color: Color) -> Ended {
    let text = match &typed.name {
        None => Ok(schema::names().map(|name| format!("{name}\n")).collect()),
        Some(name) => schema::schema(name).map(str::to_string).ok_or_else(|| unknown(name)),
    };
    let written = text.and_then(|text: String| Output::Standard.write(|out| Ok(out.write_all(text.as_bytes())?)));
    if let Err(error) = &written {
        Report::new(false, color).write(std::slice::from_ref(error));
    }
    Ended::of(&written)
}

fn unknown(name: &str) -> Diagnostic {
    let what = format!("there is no schema `{name}`; known: {}", schema::names().collect::<Vec<_>>().join(", "));
    let help = nearest(name, schema::names()).map(|nearest| format!("did you mean `{nearest}`?"));
    Diagnostic::new(Problem::InvalidArgument { what, help })
}
