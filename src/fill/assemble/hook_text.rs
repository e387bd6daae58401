//! The text that a hook takes from a knowledge item (Directives, "Knowledge" and "The newest release").

use crate::diagnostic::Problem;
use crate::read::item::{Knowledge, LeftOutBy, SentText};
use crate::read::protocol::{ChainText, HookText, Protocol};
use crate::read::yaml::YamlNode;
use crate::text::{Traced, python};

pub(super) const BEGINS_WITH_DASHES: &str = "it begins with `---`";

/// None if the item is left out.
pub(crate) fn hook_text(knowledge: &Knowledge, rule: HookText) -> Option<Traced> {
    match rule {
        HookText::ContentKey => Some(content_or_text(knowledge)),
        HookText::TextOrFile => match knowledge.sent_text() {
            SentText::Text(text) | SentText::NotText(text, _) => Some(text),
            SentText::WholeFile { trimmed, .. } => Some(Traced::file(&trimmed)),
            SentText::LeftOut(_) => None,
        },
    }
}

/// The text of an item in a chain; none if it is left out.
pub(crate) fn chain_text(knowledge: &Knowledge, protocol: &Protocol) -> Option<Traced> {
    match protocol.chain_text {
        ChainText::AsHooks => hook_text(knowledge, protocol.hook_text),
        ChainText::Body => Some(knowledge.text()),
    }
}

/// Why the text that a hook takes from an item may be unexpected.
pub(crate) fn hook_text_problems(id: &str, knowledge: &Knowledge, rule: HookText) -> Vec<Problem> {
    match rule {
        HookText::ContentKey => content_problem(id, knowledge).into_iter().collect(),
        HookText::TextOrFile => sent_problems(id, knowledge, &knowledge.sent_text()),
    }
}

/// The `content` key, which a hook prefers to the text unless it is empty.
pub(super) fn content_key(knowledge: &Knowledge) -> Option<&YamlNode> {
    knowledge.metadata.get("content").filter(|node| node.value().is_true())
}

/// The first of `content`, text and whole file that is not empty.
pub(super) fn content_or_text(knowledge: &Knowledge) -> Traced {
    match content_key(knowledge) {
        Some(content) => content.traced().trim(),
        None if knowledge.has_text() => knowledge.text(),
        None => Traced::file(&knowledge.source.whole().trim()),
    }
}

pub(super) fn content_problem(id: &str, knowledge: &Knowledge) -> Option<Problem> {
    let id = || id.to_string();
    match content_key(knowledge) {
        Some(content) => content.traced().trim().is_empty().then(|| Problem::KnowledgeBlankContent { id: id() }),
        None if knowledge.has_text() || knowledge.source.whole().trim().range().is_empty() => None,
        None => Some(Problem::KnowledgeWholeFile { id: id(), why: knowledge.why_whole_file().to_string() }),
    }
}

pub(super) fn sent_problems(id: &str, knowledge: &Knowledge, sent: &SentText) -> Vec<Problem> {
    let ignored = |key: &&str| {
        knowledge.metadata.get(key).is_some_and(|node| node.as_str().is_some_and(|text| !python::trim(text).is_empty()))
    };
    let key = ["content", "raw"].into_iter().filter(|_| !matches!(sent, SentText::LeftOut(_))).find(ignored);
    let ignored = key.map(|key| Problem::KnowledgeKeyIgnored { id: id.to_string(), key });
    sent_problem(id, knowledge, sent).into_iter().chain(ignored).collect()
}

fn sent_problem(id: &str, knowledge: &Knowledge, sent: &SentText) -> Option<Problem> {
    let id = id.to_string();
    match sent {
        SentText::LeftOut(LeftOutBy::FrontMatter) => {
            Some(Problem::KnowledgeWithoutText { id, reason: BEGINS_WITH_DASHES })
        }
        SentText::LeftOut(LeftOutBy::ErrorKey) => Some(Problem::KnowledgeErrorKey { id }),
        SentText::NotText(_, found) => Some(Problem::KnowledgeBodyNotText { id, found }),
        SentText::Text(text) => text.is_empty().then_some(Problem::KnowledgeBlank { id }),
        SentText::WholeFile { .. } if knowledge.source.text().is_empty() => None,
        SentText::WholeFile { trimmed, .. } if trimmed.range().is_empty() => Some(Problem::KnowledgeBlank { id }),
        SentText::WholeFile { why, .. } => Some(Problem::KnowledgeWholeFile { id, why: why.clone() }),
    }
}
