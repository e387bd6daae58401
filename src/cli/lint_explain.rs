//! `lint --explain`: the pages of rules.

use std::path::Path;

use super::arguments::Color;
use super::output::Output;
use super::report::Outcome;
use super::terminal::{theme, variable, width};
use crate::diagnostic::{Diagnostic, Problem};
use crate::lint::{RULES, Rule, Selector, page};

/// Writes the page of a rule that is named by code or name, those of all rules for `ALL`, and for a group or the
/// beginning of codes a line for each of its rules.
pub(super) fn explain(asked: &str, output: Option<&Path>, color: Color) -> Outcome {
    let selector = Selector::parse(asked).map_err(|nearest| vec![unknown(asked, nearest)])?;
    let rules: Vec<&Rule> = RULES.iter().copied().filter(|rule| selector.names(rule)).collect();
    let output = Output::new(output);
    let theme = theme(color, output.is_terminal(), variable);
    let width = width(output.terminal_width(), variable);
    let text = match selector {
        Selector::Group(_) | Selector::Beginning(..) => page::list(&rules, theme),
        Selector::All | Selector::Rule(_) => {
            let pages: Vec<_> = rules.iter().map(|rule| page::text(rule, theme, width)).collect();
            pages.join("\n")
        }
    };
    let written = output.write(|out| Ok(out.write_all(text.as_bytes())?));
    written.map(|()| (false, Vec::new())).map_err(|error| vec![error])
}

fn unknown(asked: &str, nearest: Option<String>) -> Diagnostic {
    let help = match nearest {
        Some(nearest) => format!("did you mean `{nearest}`? --explain ALL tells of every rule"),
        None => "--explain ALL tells of every rule".to_string(),
    };
    let what = format!("there is no rule `{asked}`, and no such group");
    Diagnostic::new(Problem::InvalidArgument { what, help: Some(help) })
}
