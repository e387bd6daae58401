//! Conditions that no value or no directive satisfies.

use std::slice;

use rayon::prelude::*;

use crate::decide::KnownContext;
use crate::decide::condition::{Truth, Work, truth_anywhere, words};
use crate::lint::rules::{Findings, Project};
use crate::read::item::condition::{Comparison, Condition, Form, Operator};
use crate::read::item::{Hook, ROUTING_EVENT, parse_directive};
use crate::read::listing;
use crate::read::store::{ItemId, ItemKind, TierKind};
use crate::read::value::Value;

use super::{conditions, contexts, is_of_project, place_of};

/// Regular expressions are run for each directive, so larger projects are not checked.
const MOST_PATTERNS: usize = 300;

pub fn condition_never(project: &Project<'_>, found: &mut Findings<'_>) {
    let mut directives = Directives { project, own: None, others: [None, None] };
    let is_judged = |hook: &&Hook| is_of_project(hook, project) && !project.has_costly_patterns(hook);
    for hook in project.configured_hooks().filter(is_judged) {
        if is_sound(hook) && (never_holds(hook) || directives.holds_for_none(hook)) {
            report(hook, "every directive", found);
        }
    }
    for (file, directive) in project.linted_directives().filter(|(_, it)| !it.hooks.is_empty()) {
        let known = KnownContext::of(&file.id, directive);
        for hook in directive.hooks.iter().filter(|hook| !project.has_costly_patterns(hook) && is_sound(hook)) {
            if never_holds(hook) || !known.may_hold(hook) {
                report(hook, "this directive", found);
            }
        }
    }
}

fn report(hook: &Hook, whom: &str, found: &mut Findings<'_>) {
    let Some(at) = hook.condition.span.clone().or_else(|| place_of(hook, "id")) else { return };
    let why = contexts::never_by_type(hook).unwrap_or_else(|| match words(&hook.condition) {
        Some(words) if !never_holds(hook) => format!("`{words}` is false for {whom}"),
        _ => "no value makes its condition true".to_string(),
    });
    found.at(at, format!("hook {} never applies: {why}", hook.name()));
}

/// Whether the condition has no fault that other rules report.
fn is_sound(hook: &Hook) -> bool {
    !hook.condition.is_empty()
        && hook.condition.parts().all(|part| match &part.form {
            Form::Invalid(_) => false,
            Form::Comparison(it) => it.operator.is_some() && conditions::fault(it).is_none(),
            _ => true,
        })
}

fn never_holds(hook: &Hook) -> bool {
    truth_anywhere(&hook.condition) == Truth::False
        || contradicts_itself(&hook.condition)
        || contexts::never_by_type(hook).is_some()
}

/// The directives that hooks may apply to; those of other tiers are listed on first use.
struct Directives<'p> {
    project: &'p Project<'p>,
    own: Option<Vec<KnownContext>>,
    /// First those known only by id, then those that were read.
    others: [Option<Vec<KnownContext>>; 2],
}

impl Directives<'_> {
    /// A quick answer for the most common condition, which names a directive of the project.
    fn may_hold_for_a_named_one(&self, hook: &Hook) -> bool {
        let named = texts(hook).filter_map(|id| self.project.find(ItemKind::Directive, id));
        let mut own = named.filter(|file| self.project.is_of_project(file));
        own.any(|file| file.directive().is_some_and(|directive| KnownContext::of(&file.id, directive).may_hold(hook)))
    }

    /// Whether the condition is false for every directive; `false` if there are no directives.
    fn holds_for_none(&mut self, hook: &Hook) -> bool {
        let project = self.project;
        // Most hooks may apply to the first directive.
        let Some((file, directive)) = project.directives().next() else { return false };
        if KnownContext::of(&file.id, directive).may_hold(hook) || self.may_hold_for_a_named_one(hook) {
            return false;
        }
        let all = || project.directives().map(|(file, it)| KnownContext::of(&file.id, it)).collect();
        let own: &[KnownContext] = self.own.get_or_insert_with(all);
        let searches = hook.condition.comparisons().any(|(_, it)| it.operator == Some(Operator::Regex));
        let judged = if searches { &own[..own.len().min(MOST_PATTERNS)] } else { own };
        if judged.par_iter().any(|known| known.may_hold(hook)) {
            return false;
        }
        let reads = hook.event == ROUTING_EVENT;
        let others = self.others[usize::from(reads)].get_or_insert_with(|| others(project, reads));
        let is_too_costly = searches && own.len() + others.len() > MOST_PATTERNS;
        !is_too_costly && !others.par_iter().any(|known| known.may_hold(hook))
    }
}

fn texts(hook: &Hook) -> impl Iterator<Item = &str> {
    let expected = hook.condition.comparisons().map(|(_, it)| &it.expected);
    expected.flat_map(|it| it.as_list().unwrap_or(slice::from_ref(it))).filter_map(Value::as_str)
}

fn others(project: &Project<'_>, read: bool) -> Vec<KnownContext> {
    let tiers = project.tiers.list().iter().enumerate().filter(|(_, tier)| tier.kind != TierKind::Project);
    let ids = tiers.flat_map(|(tier, _)| listing::readable_in(project.tiers, tier, ItemKind::Directive));
    let ids: Vec<String> = ids.map(|hit| hit.id).collect();
    let known =
        |id: String| if read { read_context(&id, project) } else { None }.unwrap_or_else(|| KnownContext::of_id(&id));
    ids.into_par_iter().map(known).collect()
}

/// Reads the copy that is used.
fn read_context(id: &str, project: &Project<'_>) -> Option<KnownContext> {
    if let Some(file) = project.find(ItemKind::Directive, id) {
        return file.directive().map(|directive| KnownContext::of(id, directive));
    }
    let found = project.tiers.find(ItemKind::Directive, &ItemId::parse(id).ok()?).ok()??;
    let parsed = parse_directive(&found.source, project.protocol).ok()?;
    Some(KnownContext::of(id, &parsed.item))
}

/// Conditions with more comparisons are not checked.
const MOST: usize = 20;

fn contradicts_itself(condition: &Condition) -> bool {
    let mut all = Required::default();
    all.add(condition);
    all.hold.len() + all.fail.len() <= MOST
        && (all.hold.iter().any(|it| all.fail.contains(it))
            || all.no_value_satisfies()
            || all.bounds_exclude_each_other())
}

/// The comparisons that must hold, and those that must fail.
#[derive(Default)]
struct Required<'f> {
    hold: Vec<&'f Comparison>,
    fail: Vec<&'f Comparison>,
}

impl<'f> Required<'f> {
    fn add(&mut self, condition: &'f Condition) {
        match &condition.form {
            Form::Comparison(comparison) => self.hold.push(comparison),
            Form::All(children) => children.iter().for_each(|child| self.add(child)),
            Form::Not(child) => {
                if let Form::Comparison(comparison) = &child.form {
                    self.fail.push(comparison);
                }
            }
            _ => {}
        }
    }

    /// Whether every value that an `eq` or `in` allows fails some other comparison.
    fn no_value_satisfies(&self) -> bool {
        // Regular expressions may be slow, so they are not run.
        let decides = |it: &&&Comparison| matches!(it.operator, Some(Operator::Eq | Operator::In));
        self.hold.iter().filter(decides).any(|decider| {
            let of_path = |it: &&&Comparison| it.path == decider.path && it.operator != Some(Operator::Regex);
            let satisfies = |value: &Value| {
                self.hold.iter().filter(of_path).all(|it| it.holds_for(value) != Some(false))
                    && self.fail.iter().filter(of_path).all(|it| it.holds_for(value) != Some(true))
            };
            match (decider.operator, &decider.expected) {
                (Some(Operator::Eq), value) => !satisfies(value),
                (_, Value::List(list)) => !list.iter().any(satisfies),
                _ => false,
            }
        })
    }

    /// Whether a lower bound exceeds an upper one.
    fn bounds_exclude_each_other(&self) -> bool {
        use Operator::{Gt, Gte, Lt, Lte};
        let with = |wanted: [Operator; 2]| {
            self.hold.iter().filter_map(move |it| it.operator.filter(|it| wanted.contains(it)).map(|found| (found, it)))
        };
        with([Gt, Gte]).any(|(above, low)| {
            with([Lt, Lte]).filter(|(_, high)| high.path == low.path).any(|(below, high)| {
                let is_within = if above == Gt || below == Lt { Gt } else { Gte };
                is_within.holds(&high.expected, &low.expected, &Work::default()) == Ok(false)
            })
        })
    }
}

#[cfg(test)]
mod condition_never_tests {
    use crate::lint::LintOptions;
    use crate::lint::testing::Example;
    use crate::lint::testing::found;

    fn codes(condition: &str, category: &str) -> Vec<&'static str> {
        let text = format!(
            "=== .ai/config/agent/hooks.yaml
hooks:
  - id: route
    event: resolve_extends
    condition: {condition}
    action:
      set_extends: base
=== .ai/directives/ops/deploy.md
```xml
<directive name=\"deploy\" version=\"1.0.0\">
  <metadata>
    <description>Deploy</description>
    <category>ops</category>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/directives/base.md
```xml
<directive name=\"base\" version=\"1.0.0\">
  <metadata>
    <description>Base</description>
  </metadata>
</directive>
```

Be careful.
=== system:.ai/directives/{category}/notes.md
```xml
<directive name=\"notes\" version=\"1.0.0\">
  <metadata>
    <description>Notes</description>
    <category>{category}</category>
  </metadata>
</directive>
```

Write notes.
"
        );
        let example = Example(Box::leak(text.into_boxed_str()));
        let found = found(example, &LintOptions::default());
        found.into_iter().map(|it| it.rule.code).filter(|code| *code == "RR311").collect()
    }

    /// Routing conditions may test the category, so directives of other tiers are read.
    #[test]
    fn no_directive_has_the_category() {
        let condition = |category: &str| format!("{{ path: category, op: eq, value: {category} }}");
        assert_eq!(codes(&condition("opps"), "system"), ["RR311"]);
        assert!(codes(&condition("ops"), "system").is_empty());
        assert!(codes(&condition("opps"), "opps").is_empty());
    }
}

#[cfg(test)]
mod contradiction_tests {
    use crate::lint::rule::RR311 as RULE;
    use crate::lint::testing::messages_of;

    fn is_found(condition: &str) -> bool {
        let files = format!(
            "=== .ai/config/agent/hooks.yaml\nhooks:\n  - id: h\n    event: thread_started\n    condition: {condition}\n    \
             action: {{primary: fetch, item_type: knowledge, item_id: r}}\n=== .ai/directives/a.md\n```xml\n\
             <directive name=\"a\" version=\"1\"/>\n```\n\nGo.\n"
        );
        let expected = [".ai/config/agent/hooks.yaml:4: hook h never applies: no value makes its condition true"];
        match messages_of(&RULE, &files, "rye-3") {
            found if found.is_empty() => false,
            found => {
                assert_eq!(found, expected, "{condition}");
                true
            }
        }
    }

    #[test]
    fn conditions_that_no_value_satisfies_are_found() {
        for all in [
            "{path: model, value: a}, {path: model, value: b}",
            "{path: model, op: in, value: [a, b]}, {path: model, op: ne, value: a}, {path: model, op: ne, value: b}",
            "{path: limits.turns, op: gt, value: 5}, {path: limits.turns, op: lt, value: 5}",
            "{path: limits.turns, op: gte, value: 5}, {all: [{path: limits.turns, op: lt, value: 5}]}",
            "{path: limits.turns, op: gte, value: 5.5}, {path: limits.turns, op: lte, value: 5}",
            "{path: inputs.x, op: exists}, {not: {path: inputs.x, op: exists}}",
            "{path: model, value: a}, {not: {path: model, op: contains, value: a}}",
        ] {
            assert!(is_found(&format!("{{all: [{all}]}}")), "{all}");
        }
        for fine in [
            "{path: limits.turns, op: gte, value: 5}, {path: limits.turns, op: lte, value: 5}",
            "{path: limits.turns, op: gt, value: 5}, {path: limits.spend, op: lt, value: 5}",
            "{path: limits.turns, op: gt, value: 5}, {path: limits.turns, op: lt, value: 6}",
            "{path: inputs.x, op: exists}, {not: {path: inputs.y, op: exists}}",
            "{path: model, value: a}, {not: {path: model, value: b}}",
            "{path: model, value: a}, {not: {all: [{path: model, value: a}, {path: depth, value: 0}]}}",
        ] {
            assert!(!is_found(&format!("{{all: [{fine}]}}")), "{fine}");
        }
        let any = "{any: [{path: model, value: a}, {path: model, value: b}]}";
        assert!(!is_found(any));
    }
}
