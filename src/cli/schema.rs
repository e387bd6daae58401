//! `schema`: the JSON Schemas of the outputs.

use super::arguments::Schema;
use super::output::print;
use super::run::CommandOutcome;
use crate::answer::schema;
use crate::diagnostic::Diagnostic;
use crate::text::nearest::{did_you_mean, nearest};

pub(super) fn run(typed: &Schema) -> CommandOutcome {
    let text = match &typed.name {
        None => schema::names().map(|name| format!("{name}\n")).collect(),
        Some(name) => schema::schema(name).ok_or_else(|| unknown(name))?,
    };
    print(text)
}

fn unknown(name: &str) -> Diagnostic {
    let what = format!("unknown schema `{name}`; use one of: {}", schema::names().collect::<Vec<_>>().join(", "));
    Diagnostic::invalid(what, did_you_mean(nearest(name, schema::names()), ""))
}
