use crate::lint::rules::{Directive, Findings, LintFile, Project, first_line};
use crate::read::trust::{Covers, Trust, directive_region};

use super::text_after_signed::added_text;

pub fn check(file: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let is_left_out = |trust: &Trust| trust.verdict.is_signed() && trust.covers == Covers::Part;
    let body = directive.body.text();
    // Other rules report text after a signed body, and unsigned declarations.
    if !body.is_empty()
        && added_text(directive).is_none()
        && project.trusted(file).is_some_and(is_left_out)
        && !is_within_region(directive)
    {
        found.at(first_line(&directive.body), format!("the signature of `{}` does not cover its body", file.id));
    }
}

fn is_within_region(directive: &Directive) -> bool {
    let body = directive.body.range();
    let region = directive_region(directive.source.text());
    region.is_some_and(|region| region.start <= body.start && body.end <= region.end)
}
