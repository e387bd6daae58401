//! Problems that only appear when the prompt of a directive is rendered. Rendering is slow, so each rule first rules
//! out most directives.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::fill::directive_prompt::own_prompt;
use crate::lint::rules::{Directive, Edit, Finding, Findings, ItemField, LintFile, Project, Span};
use crate::read::protocol::{PromptPart, Protocol};
use crate::text::Traced;
use crate::text::constant_pattern;

use super::elements;

pub(super) fn is_empty(field: &Option<ItemField>) -> bool {
    field.as_ref().is_none_or(|field| field.text.is_empty())
}

pub fn empty_prompt(directive: &Directive, _: &Protocol) -> bool {
    is_empty(&directive.name) && is_empty(&directive.description) && directive.body.range().is_empty()
}

pub fn closing_tag_unbalanced(directive: &Directive, _: &Protocol) -> bool {
    is_empty(&directive.name) && !directive.outputs.is_empty()
}

pub fn outputs_unnamed(directive: &Directive, _: &Protocol) -> bool {
    !directive.outputs.is_empty() && directive.outputs.iter().all(|output| is_empty(&output.name))
}

pub fn permissions_from_comment(directive: &Directive, protocol: &Protocol) -> bool {
    protocol.parts.contains(&PromptPart::Permissions)
        && directive.comments.iter().any(|comment| comment.text().contains("<permissions>"))
}

/// Renders the prompt and reports the problem that the rule is about.
pub fn report(directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>, fix: impl Fn(&mut Finding)) {
    let (content, body) = (Traced::file(&directive.content), Traced::file(&directive.body));
    // A failing template is not a fault of the directive.
    let Ok((_, diagnostics)) = own_prompt(directive, content, body, project.protocol, None) else { return };
    for diagnostic in diagnostics {
        if found.is_about(&diagnostic.problem) {
            fix(found.diagnosed(&diagnostic, || (&directive.content).into()));
        }
    }
}

pub fn permissions_not_shown(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let text = directive.content.text();
    if directive.permissions.is_empty()
        || text.contains("<permissions>")
        || !project.protocol.parts.contains(&PromptPart::Permissions)
    {
        return;
    }
    report(directive, project, found, |finding| remove_attributes(directive, finding));
}

/// The attributes are never read, so they can be removed.
fn remove_attributes(directive: &Directive, finding: &mut Finding) {
    let text = directive.content.text();
    let mut tags = text.match_indices("<permissions").map(|(at, _)| at);
    let (Some(start), None) = (tags.next(), tags.next()) else { return };
    let Some(end) = text[start..].find('>').map(|at| start + at + 1) else { return };
    let tag: Span = directive.content.slice(start..end);
    let is_hidden = directive.comments.iter().any(|comment| comment.range().contains(&tag.range().start));
    // A `>` in a quoted value would end the tag too early.
    let quotes = tag.text().matches(['"', '\'']).count();
    if !is_hidden && quotes.is_multiple_of(2) && !tag.text().ends_with("/>") {
        finding.at = (&tag).into();
        finding.fix("remove the attributes", [Edit::replace(&tag, "<permissions>")]);
    }
}

pub fn body_empty(project: &Project<'_>, found: &mut Findings<'_>) {
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
        if !parents.contains(file.id.as_str()) && !elements::has_any(directive) {
            let what = if directive.body.range().is_empty() { "no text" } else { "only comments and empty elements" };
            found.at(&directive.tag, format!("`{}` has {what} after its xml block", file.id));
        }
    }
}

/// Whether `text` consists of comments and of elements without attributes or text.
fn says_nothing(text: &str) -> bool {
    static COMMENT: LazyLock<Regex> = LazyLock::new(|| constant_pattern("(?s)<!--.*?-->"));
    let text = text.trim_start();
    if !text.is_empty() && !text.starts_with('<') {
        return false;
    }
    let rest = COMMENT.replace_all(text, "");
    let mut parts = rest.trim().split('<');
    parts.next().is_none_or(str::is_empty) && parts.all(|part| part.trim_end().strip_suffix('>').is_some_and(is_name))
}

/// Whether a tag, without its brackets, contains only a name.
fn is_name(tag: &str) -> bool {
    let name = tag.strip_suffix('/').unwrap_or(tag).trim_end();
    let name = name.strip_prefix('/').unwrap_or(name);
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
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
mod body_empty_tests {
    use crate::lint::rule::RR018 as RULE;
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
