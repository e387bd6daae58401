use std::collections::HashSet;

use crate::lint::rules::{Directive, Findings, LintFile, Project};
use crate::read::protocol::PromptPart;

use super::steps_in_fence;

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let parts = &project.protocol.parts;
    if !parts.contains(&PromptPart::Body) {
        return;
    }
    let with_preamble = parts.contains(&PromptPart::Preamble);
    let is_empty = |directive: &Directive| {
        says_nothing(directive.body.text()) && (!with_preamble || directive.preamble.range().is_empty())
    };
    let empty = project.linted_directives().filter(|(_, it)| is_empty(it) && !is_base(it));
    let empty: Vec<(&LintFile, &Directive)> = empty.collect();
    if empty.is_empty() {
        return;
    }
    let parents = parents(project);
    for (file, directive) in empty {
        if !parents.contains(file.id.as_str()) && !steps_in_fence::has_any(directive) {
            let what = if directive.body.range().is_empty() { "no text" } else { "only comments and empty elements" };
            found.at(&directive.tag, format!("`{}` has {what} after its xml block", file.id));
        }
    }
}

/// Whether `text` consists of comments and of elements without attributes or text.
fn says_nothing(text: &str) -> bool {
    let mut rest = text.trim_start();
    while let Some(inside) = rest.strip_prefix('<') {
        let end = match inside.strip_prefix("!--") {
            Some(comment) => comment.find("-->").map(|end| "!--".len() + end + "--".len()),
            None => tag_end(inside),
        };
        let Some(end) = end else { return false };
        rest = inside[end + 1..].trim_start();
    }
    rest.is_empty()
}

/// The end of a tag that contains only a name.
fn tag_end(inside: &str) -> Option<usize> {
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let length = name.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'))?;
    let after = name[length..].trim_start();
    let after = after.strip_prefix('/').unwrap_or(after);
    (length > 0 && after.starts_with('>')).then_some(inside.len() - after.len())
}

/// Whether a directive declares something that its children inherit.
fn is_base(directive: &Directive) -> bool {
    let context = &directive.context;
    let has_context = context.items().chain(&context.suppress).next().is_some();
    !directive.permissions.is_empty() || !directive.hooks.is_empty() || has_context
}

/// The directives that are extended, or set as a parent by a hook.
fn parents<'p>(project: &'p Project<'_>) -> HashSet<&'p str> {
    let set = project.hooks().flat_map(|hook| &hook.actions).filter_map(|action| action.set_extends.as_ref());
    let extended = project.files.iter().filter_map(|file| file.directive()?.extends.as_ref());
    extended.chain(set).map(|field| field.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR018 as RULE;
    use crate::lint::testing::examples;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn comments_and_empty_elements_say_nothing() {
        for silent in [
            "",
            "<!-- TODO: write -->",
            "<process></process>",
            "<process>\n  <step />\n</process>\n<!---->\n",
            "<!-- a > b --><x-y/>",
        ] {
            assert!(says_nothing(silent), "{silent}");
        }
        for said in [
            "Go.",
            "<process>Go.</process>",
            "<!-- a --> Go.",
            "<include file=\"a\"/>",
            "<!-- open",
            "< ",
            "<>",
            "<process",
            "<https://example.org>",
            "```\n<a/>\n```",
        ] {
            assert!(!says_nothing(said), "{said}");
        }
    }

    #[test]
    fn a_body_with_only_a_comment_is_reported() {
        let files = format!("{}\n<!-- TODO: write -->\n", examples(&RULE).bad.0);
        let reported = ".ai/directives/deploy.md:2: `deploy` has only comments and empty elements after its xml block";
        assert_eq!(crate::lint::testing::messages_of(&RULE, &files, "rye-3"), [reported]);
    }

    proptest! {
        #[test]
        fn no_text_causes_a_panic(text in "(<|>|/|!--|-->|a|é| |=|\"){0,14}") {
            says_nothing(&text);
        }
    }
}
