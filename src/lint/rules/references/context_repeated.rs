use crate::lint::project::{ContextItem, PlacementOutcome};
use crate::lint::rules::{Composed, Edit, Findings, ItemField, Project, Span};

use super::suppression::may_be_routed;

pub fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
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
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::pages::RR108 as RULE;
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
