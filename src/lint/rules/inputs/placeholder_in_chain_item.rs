use std::collections::{HashMap, HashSet};

use crate::interpolate::hook::has_placeholder;
use crate::item::{Directive, Hook, HookAction};
use crate::lint::project::PlacementOutcome;
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};
use crate::protocol::ContextScope;
use crate::store::ItemKind;
use crate::text::Span;

use super::placeholders::{CodeRanges, PlaceholderKind, placeholders};
use super::uses;

pub(super) const RULE: Rule = Rule { check: Check::Project(check), ..pages::RR208 };

/// A placeholder in the text of an item, outside code.
struct UnfilledPlaceholder {
    at: Span,
    /// The input that it names; none for a variable of the environment.
    input: Option<String>,
    is_told: bool,
}

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    if project.protocol.context == ContextScope::None {
        return;
    }
    // By path, as two files may have one id.
    let candidates = project.linted().filter_map(|file| Some((file.path.as_str(), kept(file)?)));
    let mut candidates: HashMap<&str, Vec<UnfilledPlaceholder>> = candidates.collect();
    if candidates.is_empty() {
        return;
    }
    // What a hook brings in too is filled in there, and belongs there.
    for hook in project.hooks() {
        if may_bring_any(hook) {
            return;
        }
        uses::items(hook, project).for_each(|(_, file)| drop(candidates.remove(file.path.as_str())));
    }
    for file in project.linted() {
        let Some(directive) = file.directive().filter(|_| !candidates.is_empty()) else { continue };
        let composed = project.composed(file, directive);
        for asked in composed.context.iter().filter(|asked| matches!(asked.becomes, PlacementOutcome::Placed)) {
            // The copy of another tier may stand in front of it.
            let Some(item) = asked.file.filter(|item| item.is_linted) else { continue };
            if let Some(candidates) = candidates.get_mut(item.path.as_str()) {
                tell(candidates, &asked.id.span, directive, found);
            }
        }
    }
}

fn tell(candidates: &mut [UnfilledPlaceholder], asked: &Span, directive: &Directive, found: &mut Findings<'_>) {
    let declared: HashSet<&str> = directive.inputs.iter().map(|input| input.name.as_str()).collect();
    for kept in candidates.iter_mut().filter(|kept| !kept.is_told) {
        if kept.input.as_deref().is_none_or(|name| declared.contains(name)) {
            kept.is_told = true;
            let message =
                format!("`{}` stays as written: nothing is filled in where the item is placed", kept.at.text());
            found.at(&kept.at, message).related(asked, "it is placed here");
        }
    }
}

/// The placeholders of a knowledge item; none where it has none, as most.
fn kept(file: &LintFile) -> Option<Vec<UnfilledPlaceholder>> {
    let text = file.knowledge().filter(|knowledge| knowledge.source.text().contains('{'))?.text();
    let code = CodeRanges::of(text.text());
    let in_prose = placeholders(text.text()).filter(|it| !code.has(it.range.start));
    let kept = in_prose.filter_map(|it| {
        let input = (it.kind != PlaceholderKind::Environment).then(|| it.name.to_string());
        Some(UnfilledPlaceholder { at: text.slice(it.range).span()?, input, is_told: false })
    });
    Some(kept.collect::<Vec<_>>()).filter(|kept| !kept.is_empty())
}

/// Whether the item that a hook brings in is known to a thread alone.
fn may_bring_any(hook: &Hook) -> bool {
    let mut items = hook.actions.iter().filter_map(HookAction::item);
    items.any(|(kind, id)| kind == ItemKind::Knowledge && has_placeholder(id.as_str()))
}

#[cfg(test)]
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::testing::{Example, examples};
    use crate::lint::testing::{found, said};

    use super::*;

    /// The item of the bad example, and a hook that brings it in as well.
    #[test]
    fn what_a_hook_brings_in_is_filled_in() {
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
        format!("{path}:{line}: `{written}` stays as written: nothing is filled in where the item is placed")
    }

    #[test]
    fn the_copy_that_is_placed_is_the_one_that_is_told() {
        // `.md` goes before `.yaml`, whatever stands in the other one.
        let other = "=== .ai/knowledge/deploy/rules.yaml\nname: rules\nbody: \"Of {input:target}\"\n";
        let path = ".ai/knowledge/deploy/rules.md";
        for protocol in ["rye-2", "rye-3"] {
            assert_eq!(
                said(&RULE, &(examples(&RULE).bad.0.to_string() + other), protocol),
                [at(path, 5, "{input:target}")]
            );
        }
        assert_eq!(said(&RULE, examples(&RULE).bad.0, "rye-1"), [""; 0], "there is no context");
        // One of the user tier is not the project's, nor is what it says.
        assert_eq!(
            said(&RULE, &examples(&RULE).bad.0.replace("=== .ai/knowledge", "=== user:.ai/knowledge"), "rye-3"),
            [""; 0]
        );
    }

    #[test]
    fn each_is_told_once_and_only_where_somebody_declares_it() {
        let files = examples(&RULE).composed.0.replace("{env:USER}", "{env:USER}, {input:target|here}, {input:region}");
        let expected = ["${inputs.target}", "{env:USER}", "{input:target|here}"];
        let path = ".ai/knowledge/deploy/rules.md";
        assert_eq!(said(&RULE, &files, "rye-3"), expected.map(|written| at(path, 5, written)));
        let suppressed = "<context><before>deploy/rules</before><suppress>deploy/rules</suppress></context>";
        let files = examples(&RULE).bad.0.replace("<context><before>deploy/rules</before></context>", suppressed);
        assert_eq!(said(&RULE, &files, "rye-3"), [""; 0]);
        assert_eq!(said(&RULE, &files, "rye-2"), [at(path, 5, "{input:target}")], "it suppresses hooks alone");
    }
}
