//! `schema`: the JSON Schemas of the outputs.

use super::arguments::Schema;
use super::output::print;
use super::run::CommandOutcome;
use crate::answer::schema;
use crate::diagnostic::{Diagnostic, Problem};
use crate::text::nearest::nearest;

pub(super) fn run(typed: &Schema) -> CommandOutcome {
    let text = match &typed.name {
        None => schema::names().map(|name| format!("{name}\n")).collect(),
        Some(name) => schema::schema(name).ok_or_else(|| unknown(name))?,
    };
    print(text)
}

fn unknown(name: &str) -> Diagnostic {
    let what = format!("unknown schema `{name}`; use one of: {}", schema::names().collect::<Vec<_>>().join(", "));
    let help = nearest(name, schema::names()).map(|nearest| format!("did you mean `{nearest}`?"));
    Diagnostic::new(Problem::InvalidArgument { what, help })
}
