use super::Permission;
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::item::ItemField;
use crate::read::item::xml::Element;
use crate::text::Span;

/// The granted capabilities, and an error for each unknown tag.
pub(super) fn read(block: Element<'_>, words: &[String]) -> (Vec<Permission>, Vec<Diagnostic>) {
    let (mut granted, mut errors) = (Vec::new(), Vec::new());
    let mut grant = |parts: &[&str], span: Span| {
        let mut capability = "rye".to_string();
        for part in parts {
            capability.push('.');
            capability.extend(part.chars().map(|c| if c == '/' { '.' } else { c }));
        }
        granted.push(Permission { capability, span });
    };
    let only_text = |element: Element<'_>| element.words().filter(|_| element.children().next().is_none());
    if let Some(all) = only_text(block).filter(|text| text.as_str() == "*") {
        grant(&["*"], all.span);
    }
    for action in block.children() {
        let word = action.tag();
        if word == "acknowledge" {
            continue;
        }
        if !words.iter().any(|known| known == word) {
            errors.push(unknown(action, words));
            continue;
        }
        if let Some(text) = only_text(action) {
            grant(&[word, text.as_str()], text.span.clone());
        }
        for item in action.children() {
            if let Some(pattern) = item.words() {
                grant(&[word, item.tag(), pattern.as_str()], pattern.span.clone());
            }
        }
    }
    (granted, errors)
}

pub(super) fn acknowledged(block: Element<'_>) -> Vec<ItemField> {
    let named = block.children().filter(|child| child.tag() == "acknowledge");
    named.filter_map(|child| child.value("risk").or_else(|| child.words())).collect()
}

fn unknown(tag: Element<'_>, words: &[String]) -> Diagnostic {
    let mut valid = words.to_vec();
    valid.push("acknowledge".to_string());
    valid.sort();
    valid.dedup();
    Diagnostic::at(Problem::UnknownPermissionTag { tag: tag.tag().to_string(), valid }, tag.span())
}
