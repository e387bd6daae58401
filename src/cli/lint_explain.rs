//! `lint --explain`: the pages of rules.

use std::path::Path;

use super::Exit;
use super::arguments::Color;
use super::output::Printer;
use super::report::CommandOutcome;
use super::resolve::wrong;
use crate::diagnostic::Diagnostic;
use crate::lint::{RULES, Rule, Selector, page, unknown_help};

/// Writes the page of a rule, the pages of all rules for `ALL`, or one line per rule for a group or a code prefix.
pub(super) fn explain(asked: &str, output: Option<&Path>, color: Color) -> CommandOutcome {
    let selector = Selector::parse(asked).map_err(|nearest| unknown(asked, nearest))?;
    let rules: Vec<&Rule> = RULES.iter().copied().filter(|rule| selector.names(rule)).collect();
    let printer = Printer::new(output, color, false);
    let Printer { theme, width, .. } = printer;
    let text = match selector {
        Selector::Group(_) | Selector::Beginning(..) => page::list(&rules, theme),
        Selector::All | Selector::Rule(_) => {
            let pages: Vec<_> = rules.iter().map(|rule| page::text(rule, theme, width)).collect();
            pages.join("\n")
        }
    };
    printer.output.write(|out| Ok(out.write_all(text.as_bytes())?))?;
    Ok(Exit::Success)
}

fn unknown(asked: &str, nearest: Option<String>) -> Diagnostic {
    wrong(&format!("unknown rule or group `{asked}`"), &unknown_help(nearest.as_deref()))
}
