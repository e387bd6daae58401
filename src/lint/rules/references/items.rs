//! Items that a prompt asks for in vain, or twice.

use crate::lint::project::{ContextItem, PlacementOutcome};
use crate::lint::rule::{RR106, RR107, RR111};
use crate::lint::rules::{Composed, Edit, Findings, Hook, ItemField, ItemKind, LintFile, Project, Span, has_context};
use crate::read::store::TierKind;

use super::ids::{Dangling, item_of};
use super::suppression::may_be_routed;

pub fn item_missing(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    let own = composed.context.iter().filter(|placed| placed.by.id == composed.leaf.id && placed.file.is_none());
    for placed in own {
        // A hook may set a parent under which the item is not suppressed.
        if matches!(placed.becomes, PlacementOutcome::Suppressed) && !may_be_routed(composed, project) {
            continue;
        }
        // One finding per directive; a base that lists it too gets its own.
        if matches!(placed.becomes, PlacementOutcome::Duplicate(first) if first.span.source() == placed.id.span.source())
        {
            continue;
        }
        let dangling = Dangling::find(ItemKind::Knowledge, placed.id.as_str(), project);
        let Some(dangling) = dangling.filter(|dangling| !dangling.is_left_to_id_case(project)) else { continue };
        let requested_by = composed.leaf.id.clone();
        dangling.report(ItemKind::Knowledge, placed.id, requested_by, found, RR106.help);
    }
}

pub fn hook_item_missing(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !has_context(project) {
        return;
    }
    // An action without a kind is left to `hook_kind_missing`.
    for action in hook.actions.iter().filter(|action| action.meant_kind(false).is_none()) {
        let Some((kind, id)) = item_of(action) else { continue };
        let dangling = Dangling::find(kind, id.as_str(), project);
        let Some(dangling) = dangling.filter(|dangling| !dangling.is_left_to_id_case(project)) else { continue };
        if kind != ItemKind::Knowledge && id.as_str().starts_with("rye/") && !has_bundle(project) {
            continue;
        }
        let requested_by = format!("hook {}", hook.name());
        dangling.report(kind, id, requested_by, found, RR107.help);
    }
}

/// Whether a system bundle is installed besides the embedded one, which has few tools.
fn has_bundle(project: &Project<'_>) -> bool {
    project.tiers.list().iter().any(|tier| tier.kind == TierKind::System && tier.root.is_some())
}

pub fn route_target_missing(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    // Hooks of directives never set a parent.
    if !hook.routes() || project.protocol.routing.is_none() {
        return;
    }
    let Some(target) = hook.parent() else { return };
    let Some(dangling) = Dangling::find(ItemKind::Directive, target.as_str(), project) else { return };
    let message =
        format!("directive `{}`, which hook {} sets as the parent, is not in any tier", target.as_str(), hook.name());
    found.at(&target.span, message).help(RR111.help).suggest(dangling.nearest);
}

pub fn context_repeated(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    for placed in composed.context.iter().filter(|placed| placed.by.id == composed.leaf.id) {
        let PlacementOutcome::Duplicate(first) = placed.becomes else { continue };
        let is_own = first.span.source() == placed.id.span.source();
        // Under a different parent the entry may be needed.
        if !is_own && may_be_routed(composed, project) {
            continue;
        }
        let message = format!("`{}` is already in <{}>", placed.id.as_str(), placed.position.into_str());
        let finding = found.at(&placed.id.span, message).related(&first.span, "first listed here");
        // An entry in another tier may change independently.
        let is_of_same_tier = first.span.source().tier() == placed.id.span.source().tier();
        finding.fix("remove the entry", removal(placed).filter(|_| is_of_same_tier));
    }
}

/// Removes an entry, with its line if nothing else is on it.
fn removal(placed: &ContextItem<'_>) -> Option<Edit> {
    let element = element(placed.id, placed.position.into_str())?;
    let (source, range) = (element.source(), element.range());
    let text = source.text();
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.end..].find('\n').map(|at| range.end + at + 1)?;
    let is_alone = text[start..range.start].trim().is_empty() && text[range.end..end].trim().is_empty();
    Some(Edit::replace(&if is_alone { source.span(start..end) } else { element }, ""))
}

/// The element around its content, if it is written plainly.
fn element(content: &ItemField, tag: &str) -> Option<Span> {
    let (source, range) = (content.span.source(), content.span.range());
    let text = source.text();
    let start = text[..range.start].strip_suffix('>')?.rfind('<')?;
    let end = range.end + text[range.end..].find('>')? + 1;
    let opens = text[start + 1..].strip_prefix(tag)?.starts_with(|c: char| c == '>' || c.is_whitespace());
    let closes = text[range.end..end].strip_prefix("</")?.strip_suffix('>')?.trim() == tag;
    (opens && closes).then(|| source.span(start..end))
}

#[cfg(test)]
mod context_repeated_tests {
    use crate::lint::LintOptions;
    use crate::lint::rule::RR108 as RULE;
    use crate::lint::testing::examples;
    use crate::lint::testing::found;

    #[test]
    fn the_entry_is_removed_with_its_line() {
        let findings = found(examples(&RULE).bad, &LintOptions::default());
        let finding = findings.iter().find(|finding| finding.rule.code == RULE.code).unwrap();
        let edit = &finding.fix.as_ref().unwrap().edits[0];
        assert_eq!(
            (edit.span.text(), edit.span.line(), edit.text.as_str()),
            ("      <before>deploy/rules</before>\n", 7, "")
        );
        // Other elements on its line stay.
        let findings = found(examples(&RULE).composed, &LintOptions::default());
        let finding = findings.iter().find(|finding| finding.rule.code == RULE.code).unwrap();
        assert_eq!(finding.fix.as_ref().unwrap().edits[0].span.text(), "<before>deploy/rules</before>");
    }
}
