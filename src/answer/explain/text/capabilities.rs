//! `--show capabilities`: every grant and its source, and everything that the grants reach.

use super::title;
use crate::answer::explain::inclusion::{RemainingGrant, what_is_left};
use crate::fill::palette::{CapabilityTree, DIRECTIVE_RETURN};
use crate::prompt::{Grant, Prompt};
use crate::text::numbers::count;
use crate::write::report::{Report, word, words};
use crate::write::theme::{DIM, PLAIN, STRONG, of_tier};

/// The grants, and the tree below them; the tree is `None` if the protocol has no palette.
pub fn report(prompt: &Prompt, tree: Option<&CapabilityTree>, report: &mut Report) {
    title(prompt, report);
    let note = |sentence: &str, report: &mut Report| report.line("  ", "  ", words(DIM, sentence));
    let granted = capabilities(&prompt.capabilities);
    if is_narrowed(prompt) {
        report.section("declared", &count(prompt.permissions.len(), "permission"));
        if prompt.permissions.is_empty() {
            note("No directive of the chain declares permissions, so the parent's apply.", report);
        }
        for permission in &prompt.permissions {
            let became = match what_is_left(permission, &prompt.capabilities) {
                RemainingGrant::All => String::new(),
                RemainingGrant::Narrowed(left) => format!("; narrowed to {left}"),
                RemainingGrant::Nothing => "; removed, since no capability of the parent thread covers it".to_string(),
            };
            grant(permission, &became, report);
        }
        report.section("left by the parent thread", &granted);
    } else {
        report.section("granted", &granted);
    }
    for capability in &prompt.capabilities {
        let why = if is_return(capability) { ", since it declares outputs" } else { "" };
        grant(capability, why, report);
    }
    if prompt.capabilities.is_empty() {
        note(&nothing(prompt), report);
    }

    let Some(tree) = tree else {
        let sentence = format!("{} has no tool palette: a grant reaches nothing.", prompt.protocol);
        report.blank();
        return report.line("", "", words(DIM, &sentence));
    };
    let actions: Vec<&str> = tree.names().collect();
    let actions = if actions.is_empty() { "no action".to_string() } else { actions.join(", ") };
    report.section("reached", &actions);
    let drawn = tree.to_string();
    drawn.lines().for_each(|line| report.row(word(PLAIN, "  ").word(PLAIN, line)));
    if drawn.is_empty() {
        note("Nothing.", report);
    }
}

/// Whether the grants differ from those that the chain declares, apart from `directive_return`.
fn is_narrowed(prompt: &Prompt) -> bool {
    let dotted = |grant: &Grant| grant.capability.replace('/', ".");
    let declared = prompt.permissions.iter().map(dotted);
    let granted = prompt.capabilities.iter().filter(|grant| !is_return(grant)).map(dotted);
    declared.ne(granted)
}

fn is_return(grant: &Grant) -> bool {
    grant.capability == DIRECTIVE_RETURN
}

fn nothing(prompt: &Prompt) -> String {
    let names: Vec<&str> = prompt.tools.iter().map(|tool| tool.item_id.as_str()).collect();
    if names.is_empty() {
        return "Nothing is granted: the model gets no tool, and no item may be fetched or signed.".to_string();
    }
    format!("Nothing is granted by name, and nothing is declared: the model still gets {}.", names.join(", "))
}

fn capabilities(grants: &[Grant]) -> String {
    match grants.len() {
        1 => "1 capability".to_string(),
        more => format!("{more} capabilities"),
    }
}

/// A capability, and below it what grants it, with a remark.
fn grant(grant: &Grant, remark: &str, report: &mut Report) {
    let span = grant.by.span.as_ref();
    let hue = span.map_or(STRONG, |span| of_tier(span.source().tier()));
    report.row(word(PLAIN, "  ").word(hue, &grant.capability));
    report.line("      ", "        ", words(DIM, &format!("by {}{remark}", grant.by.by)).at(span));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fill::palette::attenuate;
    use crate::prompt::Declared;
    use crate::prompt::testing::{deploy, find, source, user};
    use crate::write::screen::Screen;

    fn shown(prompt: &Prompt, tree: Option<&CapabilityTree>) -> String {
        shown_at(prompt, tree, 80)
    }

    fn shown_at(prompt: &Prompt, tree: Option<&CapabilityTree>, width: usize) -> String {
        let mut out = Vec::new();
        report(prompt, tree, &mut Report::new(Screen::plain(width), &mut out));
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn grants_name_their_declarations() {
        let file = source("project", ".ai/directives/one.md", "fetch\nsign\nexecute\noutput\n");
        let grant = |capability: &str, at: &str| Grant {
            capability: capability.to_string(),
            by: Declared { by: "one".to_string(), span: Some(find(&file, at)) },
        };
        let mut prompt = user("Go.");
        prompt.permissions =
            vec![grant("rye.fetch.*", "fetch"), grant("rye.sign.*", "sign"), grant("rye.execute.tool.a.*", "execute")];
        prompt.capabilities = prompt.permissions.clone();
        prompt.capabilities.push(grant(DIRECTIVE_RETURN, "output"));
        insta::assert_snapshot!("granted", shown(&prompt, Some(&CapabilityTree::default())));
        insta::assert_snapshot!("granted_120", shown_at(&prompt, Some(&CapabilityTree::default()), 120));

        let parent = ["rye.fetch.*", "rye.execute.tool.a.b"].map(str::to_string);
        prompt.capabilities = attenuate(prompt.permissions.clone(), &parent);
        insta::assert_snapshot!("narrowed", shown(&prompt, None));
        prompt.permissions.clear();
        prompt.capabilities = attenuate(Vec::new(), &parent);
        insta::assert_snapshot!("of_the_parent", shown(&prompt, None));
    }

    #[test]
    fn no_grants_are_explained() {
        insta::assert_snapshot!("nothing", shown(&user("Go."), Some(&CapabilityTree::default())));
        let mut undeclared = user("Go.");
        undeclared.tools = deploy().tools;
        insta::assert_snapshot!("undeclared", shown(&undeclared, None));
    }
}
