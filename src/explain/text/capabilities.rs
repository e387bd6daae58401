//! `--show capabilities`: what is granted and by whom, and everything that it reaches.

use std::io;

use super::heading;
use crate::explain::View;
use crate::explain::asking::{self, Left};
use crate::layout::{Flow, Spread, Word, count, with_place, words};
use crate::palette::{CapabilityTree, DIRECTIVE_RETURN};
use crate::prompt::{Grant, Prompt};

/// Writes the grants, and below them the tree. Without one the protocol has no palette.
pub fn write(prompt: &Prompt, tree: Option<&CapabilityTree>, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    heading(prompt, view, out)?;
    let list = List { view };
    if is_narrowed(prompt) {
        list.section("declared", &count(prompt.permissions.len(), "permission"), out)?;
        if prompt.permissions.is_empty() {
            list.line("  ", "No directive of the chain declares permissions, so it has what its parent has.", out)?;
        }
        for grant in &prompt.permissions {
            list.grant(grant, &what_is_left(grant, &prompt.capabilities), out)?;
        }
        list.section("left by the parent thread", &capabilities(&prompt.capabilities), out)?;
    } else {
        list.section("granted", &capabilities(&prompt.capabilities), out)?;
    }
    for grant in &prompt.capabilities {
        let why = if is_return(grant) { ", since it declares outputs" } else { "" };
        list.grant(grant, why, out)?;
    }
    if prompt.capabilities.is_empty() {
        list.line("  ", &nothing(prompt), out)?;
    }

    let Some(tree) = tree else {
        writeln!(out)?;
        return list.line("", &format!("{} has no tool palette: a grant reaches nothing.", prompt.protocol), out);
    };
    list.section("reached", &actions(tree), out)?;
    let drawn = tree.to_string();
    for line in drawn.lines() {
        write!(out, "  ")?;
        Word::new(line, owo_colors::Style::new()).write(out)?;
        writeln!(out)?;
    }
    if drawn.is_empty() {
        list.line("  ", "Nothing.", out)?;
    }
    Ok(())
}

/// Whether what is granted is not what the chain declares, its outputs aside.
fn is_narrowed(prompt: &Prompt) -> bool {
    let dotted = |grant: &Grant| grant.capability.replace('/', ".");
    let declared = prompt.permissions.iter().map(dotted);
    let granted = prompt.capabilities.iter().filter(|grant| !is_return(grant)).map(dotted);
    declared.ne(granted)
}

fn is_return(grant: &Grant) -> bool {
    grant.capability == DIRECTIVE_RETURN
}

fn what_is_left(permission: &Grant, capabilities: &[Grant]) -> String {
    match asking::what_is_left(permission, capabilities) {
        Left::All => String::new(),
        Left::Narrowed(left) => format!("; narrowed to {left}"),
        Left::Nothing => "; taken away, since the parent thread has nothing that covers it".to_string(),
    }
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

fn actions(tree: &CapabilityTree) -> String {
    let names: Vec<&str> = tree.actions().names().map(|(name, _)| name).collect();
    if names.is_empty() { "no action".to_string() } else { names.join(", ") }
}

struct List<'a> {
    view: &'a View,
}

impl List<'_> {
    fn section(&self, name: &str, right: &str, out: &mut dyn io::Write) -> io::Result<()> {
        let (strong, dim) = (self.view.theme.strong(), self.view.theme.dim());
        writeln!(out)?;
        Spread { lead: "━━ ", fill: '━', style: dim, width: self.view.width }.write(
            &Word::new(name, strong),
            &Word::new(right, dim),
            out,
        )
    }

    fn line(&self, lead: &str, text: &str, out: &mut dyn io::Write) -> io::Result<()> {
        let dim = self.view.theme.dim();
        Flow { lead, lead_style: dim, hang: lead, between: " ", width: self.view.width }
            .write(&words(text, dim).collect::<Vec<_>>(), out)
    }

    /// A capability, and below it who grants it, with what there is to say about that.
    fn grant(&self, grant: &Grant, what: &str, out: &mut dyn io::Write) -> io::Result<()> {
        let theme = self.view.theme;
        let hue = grant.by.span.as_ref().map_or(theme.strong(), |span| theme.tier(span.source().tier()));
        write!(out, "  ")?;
        Word::new(&grant.capability, hue).write(out)?;
        writeln!(out)?;
        let by = format!("by {}{what}", grant.by.by);
        let line = with_place(words(&by, theme.dim()).collect(), grant.by.span.as_ref(), theme);
        Flow { lead: "      ", lead_style: theme.dim(), hang: "        ", between: " ", width: self.view.width }
            .write(&line, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::Format;
    use crate::palette::attenuate;
    use crate::prompt::Declared;
    use crate::prompt::testing::{deploy, find, source, user};
    use crate::theme::Theme;
    use crate::tokens::Tokenizer;

    fn shown(prompt: &Prompt, tree: Option<&CapabilityTree>) -> String {
        shown_at(prompt, tree, 80)
    }

    fn shown_at(prompt: &Prompt, tree: Option<&CapabilityTree>, width: usize) -> String {
        let view = View {
            format: Format::Text,
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
    fn nothing_granted_says_what_that_means() {
        insta::assert_snapshot!("nothing", shown(&user("Go."), Some(&CapabilityTree::default())));
        let mut undeclared = user("Go.");
        undeclared.tools = deploy().tools;
        insta::assert_snapshot!("undeclared", shown(&undeclared, None));
    }
}
