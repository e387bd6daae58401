//! Placeholders that are not filled in.

use std::collections::HashSet;
use std::sync::LazyLock;

use memchr::memchr2_iter;
use memchr::memmem::{self, Finder};

use crate::fill::assemble::chain_text;
use crate::fill::interpolate::pipes_outside_hook;
pub(super) use crate::lint::placeholders::{PlaceholderKind, placeholders};
use crate::lint::rules::{Directive, Findings, ItemKind, LintFile, Project, Span, has_context};
use crate::text::Traced;
pub(super) use crate::text::code::CodeRanges;
use crate::text::python::word;

use super::undeclared::names;
use super::uses;

/// The texts whose placeholders are filled in: the permissions and the body.
pub(super) fn texts(directive: &Directive) -> impl Iterator<Item = Span> {
    // Building a searcher takes longer than a search.
    static TAGS: LazyLock<[Finder<'static>; 2]> =
        LazyLock::new(|| ["<permissions>", "</permissions>"].map(Finder::new));
    let content = directive.content.text().as_bytes();
    let [opening, closing] = &*TAGS;
    let block = opening.find(content).and_then(|start| {
        let end = start + closing.find(&content[start..])?;
        Some(directive.content.slice(start..end))
    });
    block.into_iter().chain([directive.body.clone()])
}

pub fn env_without_default(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let mut seen = HashSet::new();
    for text in texts(directive).filter(|text| memmem::find(text.text().as_bytes(), b"{env:").is_some()) {
        for it in placeholders(text.text()).filter(|it| it.kind == PlaceholderKind::Environment) {
            // Once per variable.
            if it.default.is_none() && seen.insert(it.name.to_string()) {
                let span = text.slice(it.range);
                let message = format!("if {} is not set, `{}` stays as written", it.name, span.text());
                found.at(&span, message).help(format!("write {{env:{}:default}}", it.name));
            }
        }
    }
}

pub fn pipe_outside_hook(project: &Project<'_>, found: &mut Findings<'_>) {
    if !project.protocol.pipes {
        return;
    }
    for (_, directive) in project.linted_directives() {
        for diagnostic in pipes_outside_hook(&Traced::file(&directive.body)) {
            found.diagnosed(&diagnostic, || (&directive.body).into());
        }
    }
    let mut seen = HashSet::new();
    let placed = project.directives().flat_map(|(_, directive)| directive.context.items());
    for id in placed.filter(|_| has_context(project)) {
        let file = project.find(ItemKind::Knowledge, id.as_str()).filter(|file| file.is_linted);
        let Some(item) = file.filter(|file| seen.insert(&file.id)).and_then(|file| file.knowledge()) else { continue };
        for diagnostic in chain_text(id.as_str(), item, project.protocol).iter().flat_map(pipes_outside_hook) {
            found.diagnosed(&diagnostic, || (&id.span).into()).related(&id.span, "it is placed here");
        }
    }
}

pub fn placeholder_not_filled_in(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let mut known = None;
    let outputs = directive.outputs.iter().filter_map(|output| output.description.as_ref());
    for field in directive.description.iter().chain(outputs) {
        let code = CodeRanges::of(field.as_str());
        for it in placeholders(field.as_str())
            .filter(|it| it.kind != PlaceholderKind::Environment && !code.has(it.range.start))
        {
            if known.get_or_insert_with(|| names(directive, project)).contains(it.name) {
                let written = &field.as_str()[it.range.clone()];
                let at = field.text.slice(it.range.clone()).span().unwrap_or_else(|| field.span.clone());
                found.at(at, format!("`{written}` stays as written: placeholders in descriptions are not replaced"));
            }
        }
    }
}

pub fn placeholder_without_kind(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let open = unused(directive);
    if open.is_empty() {
        return;
    }
    for text in texts(directive) {
        let code = CodeRanges::of(text.text());
        let mut seen = HashSet::new();
        for (at, written, name) in bracketed(text.text()) {
            if !open.contains(name) || code.has(at) || !seen.insert(written) {
                continue;
            }
            let message = format!("`{written}` is not a placeholder, so the value of the input `{name}` is not used");
            found.at(text.slice(at..at + written.len()), message).help(format!("write {{input:{name}}}"));
        }
    }
}

/// The inputs that no placeholder of the directive names.
pub(super) fn without_placeholder(directive: &Directive) -> HashSet<&str> {
    let mut open: HashSet<&str> = directive.inputs.iter().map(|input| input.name.as_str()).collect();
    let mut named = [directive.body.text(), directive.content.text()].into_iter().flat_map(placeholders);
    while !open.is_empty()
        && let Some(it) = named.next()
    {
        if it.kind != PlaceholderKind::Environment {
            open.remove(it.name);
        }
    }
    open
}

/// The inputs that no placeholder or hook of the directive uses.
fn unused(directive: &Directive) -> HashSet<&str> {
    let mut open = without_placeholder(directive);
    for hook in &directive.hooks {
        for it in uses::of_condition(hook) {
            match it.of {
                Some(name) => open.remove(name.as_str()),
                None => return HashSet::new(),
            };
        }
    }
    open
}

/// Finds text that looks like a placeholder without a kind: its offset, the text, and the name.
fn bracketed(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    memchr2_iter(b'{', b'<', text.as_bytes()).filter_map(|at| {
        let (before, inside) = (&text[..at], &text[at + 1..]);
        let is_angle = text.as_bytes()[at] == b'<';
        let rest =
            if is_angle { inside.strip_prefix("input:")? } else { inside.strip_prefix("input-").unwrap_or(inside) };
        let name = &rest[..word(rest)];
        let after = &rest[name.len()..];
        let is_closed = after.starts_with(if is_angle { '>' } else { '}' }) && !after.starts_with("}}");
        // Double braces belong to templates, and a backslash escapes a brace.
        if name.is_empty() || !is_closed || before.ends_with(['{', '#', '%', '\\', '@']) {
            return None;
        }
        let start = at - usize::from(!is_angle && before.ends_with('$'));
        let end = at + 1 + inside.len() - after.len() + 1;
        Some((start, &text[start..end], name))
    })
}

#[cfg(test)]
mod placeholder_not_filled_in_tests {
    use crate::lint::rule::RR209 as RULE;
    use crate::lint::testing::examples;
    use crate::lint::testing::messages_of;

    fn of(description: &str, output: &str) -> Vec<String> {
        let files = format!(
            "=== .ai/directives/a.md\n```xml\r\n<directive name=\"a\" version=\"1\"><metadata>\r\n\
             <description>{description}</description></metadata>\r\n<inputs><input name=\"x\"/></inputs>\r\n\
             <outputs><output name=\"y\">{output}</output></outputs>\r\n</directive>\r\n```\r\n\r\nGo, {{input:x}}.\r\n"
        );
        messages_of(&RULE, &files, "rye-2")
    }

    #[test]
    fn inputs_in_prose_are_found() {
        let at = |line, written| {
            format!(
                ".ai/directives/a.md:{line}: `{written}` stays as written: placeholders in descriptions are not replaced"
            )
        };
        assert_eq!(of("To {input:x}", "At ${inputs.x}"), [at(3, "{input:x}"), at(5, "${inputs.x}")]);
        assert_eq!(of("To\r\n {input:x|here}, {input:x?}", ""), [at(4, "{input:x|here}"), at(4, "{input:x?}")]);
        for fine in ["To `{input:x}`", "To {input:z}", "To {env:HOME}", "To {input: x}", "To {x}"] {
            assert_eq!(of(fine, fine), [""; 0], "{fine}");
        }
    }

    #[test]
    fn without_declarations_the_names_in_the_body_and_in_ancestors_are_known() {
        let undeclared = examples(&RULE).bad.0.replacen(
            "  <inputs>\n    <input name=\"target\" type=\"string\" required=\"true\">Where to</input>\n  </inputs>\n",
            "",
            1,
        );
        assert!(!undeclared.contains("<inputs>"));
        assert_eq!(messages_of(&RULE, &undeclared, "rye-3").len(), 1);
        let silent = undeclared.replace("Deploy to {input:target}.", "Deploy.");
        assert_eq!(messages_of(&RULE, &silent, "rye-3"), [""; 0]);
        let child = silent.replace("version=\"1.0.0\"", "version=\"1.0.0\" extends=\"base\"");
        let base = examples(&RULE).good.0.replace("deploy", "base");
        assert_eq!(messages_of(&RULE, &(child + &base), "rye-3").len(), 1);
    }
}

#[cfg(test)]
mod placeholder_without_kind_tests {
    use crate::lint::rule::RR215 as RULE;
    use crate::lint::testing::examples;
    use proptest::prelude::*;

    use super::*;
    use crate::lint::testing::messages_of;

    fn of(body: &str) -> Vec<String> {
        let files = format!(
            "=== .ai/directives/a.md\n```xml\n<directive name=\"a\" version=\"1\"><metadata>\
             <description>D</description></metadata>\n<inputs><input name=\"x\"/><input name=\"my_y\"/></inputs>\n\
             </directive>\n```\n\n{body}\n"
        );
        messages_of(&RULE, &files, "rye-3")
    }

    #[test]
    fn every_form_is_found_once() {
        for (written, name) in [
            ("{x}", "x"),
            ("${x}", "x"),
            ("{input-x}", "x"),
            ("<input:x>", "x"),
            ("{my_y}", "my_y"),
            ("${my_y}", "my_y"),
        ] {
            let expected = format!(
                ".ai/directives/a.md:7: `{written}` is not a placeholder, so the value of the input `{name}` is not used"
            );
            assert_eq!(of(&format!("To {written}, {written}.")), [expected], "{written}");
        }
    }

    #[test]
    fn other_syntax_passes() {
        for fine in [
            "{x} and {input:x}",
            "{x} and ${inputs.x}",
            "`{x}`",
            "```py\nf\"{x}\"\n```",
            "{{x}} ${{x}} #{x} {%x} \\{x} @{x}",
            "{z} ${z} {x.y} {x } {X} {x:d} {x, my_y} <x> {}",
            "{\"x\": 1} <input x>",
        ] {
            assert_eq!(of(fine), [""; 0], "{fine}");
        }
    }

    #[test]
    fn an_input_that_a_hook_of_the_directive_checks_counts_as_used() {
        let hook = "<hooks><hook id=\"h\" event=\"thread_started\"><condition path=\"inputs.target\" op=\"exists\"/>\
                    <action primary=\"fetch\" item_type=\"knowledge\" item_id=\"r\"/></hook></hooks></metadata>";
        let files = examples(&RULE).bad.0.replacen("</metadata>", hook, 1);
        assert_eq!(messages_of(&RULE, &files, "rye-3"), [""; 0]);
        assert_eq!(messages_of(&RULE, examples(&RULE).bad.0, "rye-3").len(), 1);
    }

    proptest! {
        #[test]
        fn no_text_causes_a_panic(text in "(\\{|\\}|<|>|input:|input-|\\$|x|é| |\n){0,14}") {
            for (at, written, name) in bracketed(&text) {
                prop_assert!(text[at..].starts_with(written) && written.contains(name));
            }
        }
    }
}
