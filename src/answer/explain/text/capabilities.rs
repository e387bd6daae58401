//! `--show capabilities`: every grant and its source, and everything that the grants reach.

use std::io;

use owo_colors::Style;

use super::title;
use crate::answer::explain::ExplainView;
use crate::answer::explain::inclusion::{RemainingGrant, what_is_left};
use crate::fill::palette::{CapabilityTree, DIRECTIVE_RETURN};
use crate::prompt::{Grant, Prompt};
use crate::text::numbers::count;
use crate::write::layout::{Word, with_place, words};

/// Writes the grants, and the tree below them; the tree is `None` if the protocol has no palette.
pub fn write(
    prompt: &Prompt,
    tree: Option<&CapabilityTree>,
    view: &ExplainView,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let section = |name: &str, right: &str, out: &mut dyn io::Write| {
        writeln!(out)?;
        view.heading(name, right, out)
    };
    let line = |text: &str, out: &mut dyn io::Write| view.flow("  ", "  ").say(text, view.theme.dim(), out);

    title(prompt, view, out)?;
    if is_narrowed(prompt) {
        section("declared", &count(prompt.permissions.len(), "permission"), out)?;
        if prompt.permissions.is_empty() {
            line("No directive of the chain declares permissions, so the parent's apply.", out)?;
        }
        for permission in &prompt.permissions {
            let became = match what_is_left(permission, &prompt.capabilities) {
                RemainingGrant::All => String::new(),
                RemainingGrant::Narrowed(left) => format!("; narrowed to {left}"),
                RemainingGrant::Nothing => "; removed, since no capability of the parent thread covers it".to_string(),
            };
            grant(permission, &became, view, out)?;
        }
        section("left by the parent thread", &capabilities(&prompt.capabilities), out)?;
    } else {
        section("granted", &capabilities(&prompt.capabilities), out)?;
    }
    for capability in &prompt.capabilities {
        let why = if is_return(capability) { ", since it declares outputs" } else { "" };
        grant(capability, why, view, out)?;
    }
    if prompt.capabilities.is_empty() {
        line(&nothing(prompt), out)?;
    }

    let Some(tree) = tree else {
        let sentence = format!("{} has no tool palette: a grant reaches nothing.", prompt.protocol);
        writeln!(out)?;
        return view.flow("", "").say(&sentence, view.theme.dim(), out);
    };
    let actions: Vec<&str> = tree.names().collect();
    let actions = if actions.is_empty() { "no action".to_string() } else { actions.join(", ") };
    section("reached", &actions, out)?;
    let drawn = tree.to_string();
    for line in drawn.lines() {
        writeln!(out, "  {}", Word::new(line, Style::new()))?;
    }
    if drawn.is_empty() { line("Nothing.", out) } else { Ok(()) }
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
fn grant(grant: &Grant, remark: &str, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let theme = view.theme;
    let hue = grant.by.span.as_ref().map_or(theme.strong(), |span| theme.tier(span.source().tier()));
    writeln!(out, "  {}", Word::new(&grant.capability, hue))?;
    let by = format!("by {}{remark}", grant.by.by);
    let line = with_place(words(&by, theme.dim()).collect(), grant.by.span.as_ref(), theme);
    view.flow("      ", "        ").write(&line, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::explain::ExplainFormat;
    use crate::fill::palette::attenuate;
    use crate::prompt::Declared;
    use crate::prompt::testing::{deploy, find, source, user};
    use crate::text::tokens::Tokenizer;
    use crate::write::theme::Theme;

    fn shown(prompt: &Prompt, tree: Option<&CapabilityTree>) -> String {
        shown_at(prompt, tree, 80)
    }

    fn shown_at(prompt: &Prompt, tree: Option<&CapabilityTree>, width: usize) -> String {
        let view = ExplainView {
            format: ExplainFormat::Text,
            role: None,
            tokenizer: Tokenizer::Chars4,
            window: None,
            visible: true,
            theme: Theme::Plain,
            width,
        };
        let mut out = Vec::new();
        write(prompt, tree, &view, &mut out).unwrap();
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
