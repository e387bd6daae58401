//! `schema`: the JSON Schemas of the outputs.

use super::Exit;
use super::arguments::{Color, Schema};
use super::output::OutputTarget;
use super::report::StderrReport;
use crate::answer::schema;
use crate::diagnostic::{Diagnostic, Problem};
use crate::text::nearest::nearest;

pub(super) fn run(typed: &Schema, color: Color) -> Exit {
    StderrReport::new(false, color).run(|_| {
        let text = match &typed.name {
            None => schema::names().map(|name| format!("{name}\n")).collect(),
            Some(name) => schema::schema(name).ok_or_else(|| unknown(name))?,
        };
        OutputTarget::Standard.write(|out| Ok(out.write_all(text.as_bytes())?))?;
        Ok(Exit::Success)
    })
}

fn unknown(name: &str) -> Diagnostic {
    let what = format!("unknown schema `{name}`; use one of: {}", schema::names().collect::<Vec<_>>().join(", "));
    let help = nearest(name, schema::names()).map(|nearest| format!("did you mean `{nearest}`?"));
    Diagnostic::new(Problem::InvalidArgument { what, help })
}
