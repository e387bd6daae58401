use std::collections::HashSet;

use memchr::memchr2_iter;

use crate::lint::rules::{Directive, Findings, LintFile, Project};

use super::placeholders::{CodeRanges, PlaceholderKind, placeholders, texts};
use super::uses;
use crate::text::python::word;

pub fn check(_file: &LintFile, directive: &Directive, _project: &Project<'_>, found: &mut Findings<'_>) {
    if directive.inputs.is_empty() {
        return;
    }
    let mut open: Option<HashSet<&str>> = None;
    for text in texts(directive) {
        let code = CodeRanges::of(text.text());
        let mut seen = HashSet::new();
        for (at, written, name) in bracketed(text.text()) {
            let open = open.get_or_insert_with(|| unused(directive));
            if !open.contains(name) || code.has(at) || !seen.insert(written) {
                continue;
            }
            let message = format!("`{written}` is not a placeholder, so the value of the input `{name}` is not used");
            found.at(text.slice(at..at + written.len()), message).help(format!("write {{input:{name}}}"));
        }
    }
}

/// The inputs that no placeholder or hook of the directive uses.
fn unused(directive: &Directive) -> HashSet<&str> {
    let mut open: HashSet<&str> = directive.inputs.iter().map(|input| input.name.as_str()).collect();
    for text in [directive.body.text(), directive.content.text()] {
        for it in placeholders(text).filter(|it| it.kind != PlaceholderKind::Environment) {
            open.remove(it.name);
        }
    }
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
        let inside = &text[at + 1..];
        let before = &text[..at];
        // Double braces belong to templates, and a backslash escapes a brace.
        if before.ends_with(['{', '#', '%', '\\', '@']) {
            return None;
        }
        let is_angle = text[at..].starts_with('<');
        let rest =
            if is_angle { inside.strip_prefix("input:")? } else { inside.strip_prefix("input-").unwrap_or(inside) };
        let name = &rest[..word(rest)];
        let after = &rest[name.len()..];
        let is_closed = after.starts_with(if is_angle { '>' } else { '}' }) && !after.starts_with("}}");
        if name.is_empty() || !is_closed {
            return None;
        }
        let start = at - usize::from(!is_angle && before.ends_with('$'));
        let end = at + 1 + inside.len() - after.len() + 1;
        Some((start, &text[start..end], name))
    })
}

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR215 as RULE;
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
