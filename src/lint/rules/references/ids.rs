//! Ids of missing items, and the ids that were meant.

use crate::diagnostic::KNOWLEDGE_PREFIX;
use crate::fill::interpolate::hook::has_placeholder;
use crate::lint::rule::RR109 as ID_CASE;
use crate::lint::rules::{Edit, Findings, ItemField, Problem, Project};
use crate::read::item::HookAction;
use crate::read::store::{ItemId, ItemKind};

/// A valid id that no tier has.
pub(super) struct Dangling {
    /// The most similar id.
    pub nearest: Option<String>,
    pub differs_in_case: bool,
}

impl Dangling {
    /// None for an id that a tier has, or that is invalid.
    pub fn find(kind: ItemKind, id: &str, project: &Project<'_>) -> Option<Self> {
        if project.find(kind, id).is_some() {
            return None;
        }
        let parsed = ItemId::parse(id).ok()?;
        // An unreadable file still exists.
        if project.exists(kind, id) {
            return None;
        }
        let nearest = project.nearest(kind, &parsed);
        let differs_in_case = nearest.as_deref().is_some_and(|near| differ_only_in_case(near, id));
        Some(Self { nearest, differs_in_case })
    }

    /// Whether `id_case` reports it.
    pub fn is_left_to_id_case(&self, project: &Project<'_>) -> bool {
        self.differs_in_case && project.options.is_on_anywhere(&ID_CASE)
    }

    /// Reports the item, with the most similar id as its help unless the problem says how to write the id.
    pub fn report(&self, kind: ItemKind, id: &ItemField, requested_by: String, found: &mut Findings<'_>, help: &str) {
        let problem = Problem::ItemMissing { kind: kind.into_str(), id: id.as_str().to_string(), requested_by };
        let finding = found.problem(problem, &id.span);
        if !id.as_str().starts_with(KNOWLEDGE_PREFIX) {
            finding.help(help).suggest(self.nearest.as_ref());
        }
    }
}

fn differ_only_in_case(left: &str, right: &str) -> bool {
    left != right && left.to_lowercase() == right.to_lowercase()
}

/// The item that an action names, unless its id is only known at run time.
pub(super) fn item_of(action: &HookAction) -> Option<(ItemKind, &ItemField)> {
    action.item().filter(|(_, id)| !has_placeholder(id.as_str()))
}

/// Replaces an id; none if it is written with entities, for example.
pub(super) fn rewrite(field: &ItemField, id: &str) -> Option<Edit> {
    let written = field.span.trim();
    let is_plain = |c: char| !matches!(c, '<' | '>' | '&' | '"' | '\'' | '\n');
    (written.text() == field.as_str() && id.chars().all(is_plain)).then(|| Edit::replace(&written, id))
}

#[cfg(test)]
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::testing::Example;
    use crate::lint::testing::found;

    /// The number of suggestions for `count` missing ids.
    fn suggestions(count: usize) -> usize {
        let context: String =
            (0..count).map(|number| format!("<before>rules/of_deployments_{number:03}</before>")).collect();
        let metadata = format!("<metadata><description>A</description><context>{context}</context></metadata>");
        let root = format!("<directive name=\"a\" version=\"1.0.0\">{metadata}</directive>");
        let item = "=== .ai/knowledge/rules/of_deployments.md\n```yaml\nname: of_deployments\n```\nNever.\n";
        let text = format!("=== .ai/directives/a.md\n```xml\n{root}\n```\n{item}");
        let missing = found(Example(text.leak()), &LintOptions::default());
        let missing: Vec<_> = missing.into_iter().filter(|finding| finding.rule.name == "item_missing").collect();
        assert_eq!(missing.len(), count);
        missing.iter().filter(|finding| finding.help.contains("did you mean")).count()
    }

    #[test]
    fn only_the_first_missing_ids_get_suggestions() {
        assert_eq!(suggestions(100), 100);
        assert_eq!(suggestions(300), 200);
    }
}
