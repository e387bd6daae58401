//! Ids that lead nowhere, and those that were meant.

use crate::interpolate::hook::has_placeholder;
use crate::item::{HookAction, ItemField};
use crate::lint::rules::{Edit, Project};
use crate::store::{ItemId, ItemKind};

use super::id_case;

/// An id that is well formed, and that no tier has.
pub(super) struct Dangling {
    /// The id that is most like it, if any is.
    pub nearest: Option<String>,
    /// Whether the two differ in nothing but case.
    pub differs_in_case: bool,
}

impl Dangling {
    /// What is wrong with an id that leads nowhere; none for one that some tier has, or that is no id.
    pub fn find(kind: ItemKind, id: &str, project: &Project<'_>) -> Option<Self> {
        if project.find(kind, id).is_some() {
            return None;
        }
        let parsed = ItemId::parse(id).ok()?;
        // A file that cannot be read is there all the same.
        if project.exists(kind, id) {
            return None;
        }
        let nearest = project.nearest(kind, &parsed);
        let differs_in_case = nearest.as_deref().is_some_and(|near| same_but_for_case(near, id));
        Some(Self { nearest, differs_in_case })
    }

    /// Whether the rule about case tells of it.
    pub fn is_told_by_case(&self, project: &Project<'_>) -> bool {
        self.differs_in_case && project.options.speaks(&id_case::RULE)
    }

    /// What to do about it.
    pub fn help(&self, otherwise: &str) -> String {
        match &self.nearest {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => otherwise.to_string(),
        }
    }
}

/// Whether two ids differ in case and in nothing else.
pub(super) fn same_but_for_case(left: &str, right: &str) -> bool {
    left != right && left.to_lowercase() == right.to_lowercase()
}

/// The item that an action of a hook names, apart from ids that are known only when it runs.
pub(super) fn item_of(action: &HookAction) -> Option<(ItemKind, &ItemField)> {
    action.item().filter(|(_, id)| !has_placeholder(id.as_str()))
}

/// Writes another id in place of one; none where that is not written out plainly, but with entities for example.
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

    /// How many of so many ids that lead nowhere are told with what was meant.
    fn with_what_was_meant(count: usize) -> usize {
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
    fn of_many_ids_that_lead_nowhere_the_first_are_looked_up() {
        assert_eq!(with_what_was_meant(100), 100);
        assert_eq!(with_what_was_meant(300), 200);
    }
}
