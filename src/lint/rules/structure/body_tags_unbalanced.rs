use crate::lint::rules::{Directive, Findings, LintFile, Project};

use super::tags;

pub fn check(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for tag in tags::unbalanced(directive.body.text()) {
        let message = match tag.is_closing {
            true => format!("</{}> closes nothing", tag.name),
            false => format!("<{}> is never closed", tag.name),
        };
        found.at(directive.body.slice(tag.range), message);
    }
}
