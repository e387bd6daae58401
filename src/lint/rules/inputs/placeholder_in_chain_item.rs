//! Placeholders of knowledge items that a chain places.

use std::collections::{HashMap, HashSet};

use memchr::memchr;

use crate::fill::assemble::chain_text;
use crate::fill::interpolate::hook::has_placeholder;
use crate::lint::placeholders::{PlaceholderKind, placeholders};
use crate::lint::project::PlacementOutcome;
use crate::lint::rules::{Findings, ItemKind, LintFile, Project, Span, has_context};
use crate::read::item::{Hook, HookAction};
use crate::text::code::CodeRanges;

use super::uses;

struct UnfilledPlaceholder {
    at: Span,
    /// None for an environment variable.
    input: Option<String>,
    is_reported: bool,
}

pub fn placeholder_in_chain_item(project: &Project<'_>, found: &mut Findings<'_>) {
    if !has_context(project) {
        return;
    }
    // By path, because two files may have the same id.
    let candidates = project.linted().filter_map(|file| Some((file.path.as_str(), kept(file, project)?)));
    let mut candidates: HashMap<&str, Vec<UnfilledPlaceholder>> = candidates.collect();
    if candidates.is_empty() {
        return;
    }
    // An item that a hook also inserts is filled in there.
    for hook in project.hooks() {
        if may_insert_any(hook) {
            return;
        }
        uses::items(hook, project).for_each(|(_, file)| drop(candidates.remove(file.path.as_str())));
    }
    for file in project.linted() {
        let Some(directive) = file.directive().filter(|_| !candidates.is_empty()) else { continue };
        let composed = project.composed(file, directive);
        let declared: HashSet<&str> = directive.inputs.iter().map(|input| input.name.as_str()).collect();
        for placed in composed.context.iter().filter(|placed| matches!(placed.becomes, PlacementOutcome::Placed)) {
            // A copy in a different tier may shadow it.
            let Some(item) = placed.file.filter(|item| item.is_linted) else { continue };
            let candidates = candidates.get_mut(item.path.as_str()).into_iter().flatten();
            let is_declared = |kept: &UnfilledPlaceholder| kept.input.as_deref().is_none_or(|it| declared.contains(it));
            for kept in candidates.filter(|kept| !kept.is_reported && is_declared(kept)) {
                kept.is_reported = true;
                let written = kept.at.text();
                let message =
                    format!("`{written}` stays as written: placeholders of items in a chain are not filled in");
                found.at(&kept.at, message).related(&placed.id.span, "it is placed here");
            }
        }
    }
}

/// The placeholders of a knowledge item outside code, if there are any.
fn kept(file: &LintFile, project: &Project<'_>) -> Option<Vec<UnfilledPlaceholder>> {
    let item = file.knowledge().filter(|knowledge| memchr(b'{', knowledge.source.text().as_bytes()).is_some())?;
    let text = chain_text(&file.id, item, project.protocol)?;
    let code = CodeRanges::of(text.text());
    let in_prose = placeholders(text.text()).filter(|it| !code.has(it.range.start));
    let kept = in_prose.filter_map(|it| {
        let input = (it.kind != PlaceholderKind::Environment).then(|| it.name.to_string());
        Some(UnfilledPlaceholder { at: text.slice(it.range).span()?, input, is_reported: false })
    });
    Some(kept.collect::<Vec<_>>()).filter(|kept| !kept.is_empty())
}

/// Whether a hook inserts an item whose id is only known at run time.
fn may_insert_any(hook: &Hook) -> bool {
    let mut items = hook.actions.iter().filter_map(HookAction::item);
    items.any(|(kind, id)| kind == ItemKind::Knowledge && has_placeholder(id.as_str()))
}

#[cfg(test)]
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::rule::RR208 as RULE;
    use crate::lint::testing::{Example, examples};
    use crate::lint::testing::{found, messages_of};

    #[test]
    fn items_that_a_hook_inserts_are_filled_in() {
        for (id, expected) in [("deploy/rules", 0), ("${inputs.rules}", 0), ("deploy/other", 1)] {
            let hook = format!(
                "=== .ai/config/agent/hooks.yaml\nhooks:\n  - id: h\n    event: thread_started\n    \
                 action: {{primary: fetch, item_type: knowledge, item_id: '{id}'}}\n"
            );
            let files = [examples(&RULE).bad.0, &hook].concat().leak();
            let findings = found(Example(files), &LintOptions::default());
            assert_eq!(findings.iter().filter(|it| it.rule.code == RULE.code).count(), expected, "{id}");
        }
    }

    fn at(path: &str, line: usize, written: &str) -> String {
        format!("{path}:{line}: `{written}` stays as written: placeholders of items in a chain are not filled in")
    }

    #[test]
    fn only_the_placed_copy_is_reported() {
        // `.md` precedes `.yaml`, whatever the other file contains.
        let other = "=== .ai/knowledge/deploy/rules.yaml\nname: rules\nbody: \"Of {input:target}\"\n";
        let path = ".ai/knowledge/deploy/rules.md";
        for protocol in ["rye-2", "rye-3"] {
            assert_eq!(
                messages_of(&RULE, &(examples(&RULE).bad.0.to_string() + other), protocol),
                [at(path, 5, "{input:target}")]
            );
        }
        assert_eq!(messages_of(&RULE, examples(&RULE).bad.0, "rye-1"), [""; 0], "there is no context");
        // An item of the user tier is not checked.
        assert_eq!(
            messages_of(&RULE, &examples(&RULE).bad.0.replace("=== .ai/knowledge", "=== user:.ai/knowledge"), "rye-3"),
            [""; 0]
        );
    }

    #[test]
    fn each_placeholder_is_reported_once_and_only_if_its_input_is_declared() {
        let files = examples(&RULE).composed.0.replace("{env:USER}", "{env:USER}, {input:target|here}, {input:region}");
        let expected = ["${inputs.target}", "{env:USER}", "{input:target|here}"];
        let path = ".ai/knowledge/deploy/rules.md";
        assert_eq!(messages_of(&RULE, &files, "rye-3"), expected.map(|written| at(path, 5, written)));
        let suppressed = "<context><before>deploy/rules</before><suppress>deploy/rules</suppress></context>";
        let files = examples(&RULE).bad.0.replace("<context><before>deploy/rules</before></context>", suppressed);
        assert_eq!(messages_of(&RULE, &files, "rye-3"), [""; 0]);
        assert_eq!(messages_of(&RULE, &files, "rye-2"), [at(path, 5, "{input:target}")], "only hooks are suppressed");
    }
}
