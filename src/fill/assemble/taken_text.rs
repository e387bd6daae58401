//! The text of a knowledge item.

use crate::diagnostic::Problem;
use crate::read::item::{Knowledge, NoText, TextPlace};
use crate::read::protocol::{ChainText, HookText, Protocol};
use crate::read::value::Value;
use crate::read::yaml::YamlNode;
use crate::text::{Traced, python};

pub(super) const EMPTY_FILE: &str = "its file is empty";

/// The text that a hook takes from a knowledge item (Directives, "Knowledge" and "The newest release").
pub(crate) struct TakenText {
    /// The error says why the item is left out.
    pub text: Result<Traced, &'static str>,
    /// Why the text may be unexpected.
    pub problems: Vec<Problem>,
}

impl TakenText {
    pub fn of(id: &str, knowledge: &Knowledge, rule: HookText) -> Self {
        let (text, problem) = match rule {
            HookText::ContentKey => by_content_key(id.to_string(), knowledge),
            HookText::TextOrFile => by_text_or_file(id.to_string(), knowledge),
        };
        let is_set = |key: &&str| {
            let text = knowledge.metadata.get(key).and_then(YamlNode::as_str);
            text.is_some_and(|text| !python::trim(text).is_empty())
        };
        let ignores = rule == HookText::TextOrFile && text.is_ok();
        let key = ["content", "raw"].into_iter().filter(|_| ignores).find(is_set);
        let ignored = key.map(|key| Problem::KnowledgeKeyIgnored { id: id.to_string(), key });
        Self { text, problems: problem.into_iter().chain(ignored).collect() }
    }
}

/// The text of an item in a chain; none if it is left out.
pub(crate) fn chain_text(id: &str, knowledge: &Knowledge, protocol: &Protocol) -> Option<Traced> {
    match protocol.chain_text {
        ChainText::AsHooks => TakenText::of(id, knowledge, protocol.hook_text).text.ok(),
        ChainText::Body => Some(knowledge.text()),
    }
}

type TextAndProblem = (Result<Traced, &'static str>, Option<Problem>);

/// The first of `content`, text and whole file that is not empty.
fn by_content_key(id: String, knowledge: &Knowledge) -> TextAndProblem {
    if let Some(content) = knowledge.metadata.get("content").filter(|node| node.value().is_true()) {
        let text = content.traced().trim();
        let problem = text.is_empty().then_some(Problem::KnowledgeBlankContent { id });
        return (Ok(text), problem);
    }
    let whole = || knowledge.source.whole().trim();
    match knowledge.has_text() {
        true => (Ok(knowledge.text()), None),
        false if whole().range().is_empty() => (Err(EMPTY_FILE), None),
        false => {
            let why = knowledge.why_whole_file().to_string();
            (Ok(Traced::file(&whole())), Some(Problem::KnowledgeWholeFile { id, why }))
        }
    }
}

/// A text, or the whole file where there is none (Directives, "The newest release"). A text of white space is trimmed.
fn by_text_or_file(id: String, knowledge: &Knowledge) -> TextAndProblem {
    const BEGINS_WITH_DASHES: &str = "it begins with `---`";
    let whole = |id: String, why: String| {
        let text = Traced::file(&knowledge.source.whole().trim());
        match text.is_empty() {
            _ if knowledge.source.text().is_empty() => (Err(EMPTY_FILE), None),
            true => (Ok(text), Some(Problem::KnowledgeBlank { id })),
            false => (Ok(text), Some(Problem::KnowledgeWholeFile { id, why })),
        }
    };
    let document = match &knowledge.place {
        TextPlace::Nowhere(NoText::FrontMatter) => {
            return (Err(BEGINS_WITH_DASHES), Some(Problem::KnowledgeWithoutText { id, reason: BEGINS_WITH_DASHES }));
        }
        TextPlace::Block(_) | TextPlace::Key(_) => knowledge.metadata.clone(),
        TextPlace::Nowhere(_) => match knowledge.as_yaml() {
            Ok(document) => document,
            Err(error) => return whole(id, format!("it is too large to be read as YAML: {}", error.message())),
        },
    };
    if document.get("error").is_some() {
        return (Err("its metadata has the key `error`"), Some(Problem::KnowledgeErrorKey { id }));
    }
    match (&knowledge.place, document.get("body")) {
        (TextPlace::Block(span), _) if !span.range().is_empty() => (Ok(Traced::file(span)), None),
        (TextPlace::Key(_) | TextPlace::Nowhere(_), Some(body)) if body.is_true() => {
            let text = body.traced().trim();
            let problem = match body.value() {
                Value::Str(_) => text.is_empty().then_some(Problem::KnowledgeBlank { id }),
                // The released package fails here.
                value => Some(Problem::KnowledgeBodyNotText { id, found: value.type_name() }),
            };
            (Ok(text), problem)
        }
        _ => whole(id, knowledge.why_whole_file().to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Diagnostic;
    use crate::read::item::parse_knowledge;
    use crate::text::testing::source;

    #[test]
    fn the_whole_file_counts_without_a_text() {
        let taken = |path: &str, text: &str| {
            let item = parse_knowledge(&source("project", path, text)).unwrap().item;
            let (text, problem) = by_text_or_file("k".to_string(), &item);
            (
                text.map(|text| text.text().to_string()),
                problem.map_or("none", |problem| Diagnostic::new(problem).code()),
            )
        };
        let (whole, without) = ("knowledge_whole_file", "knowledge_without_text");
        for (path, text, expected, problem) in [
            ("k.md", "```yaml\nname: K\n```\n\nA.\n", Ok("A."), "none"),
            ("k.md", "```yaml\nname: K\n```\n \n", Ok("```yaml\nname: K\n```"), whole),
            ("k.md", "```yaml\nerror: null\n```\nA.\n", Err("its metadata has the key `error`"), "knowledge_error_key"),
            ("k.md", "<!-- s -->\n# A\n", Ok("<!-- s -->\n# A"), whole),
            ("k.md", "<!-- s -->\n\n---\na: 1\n---\n", Err("it begins with `---`"), without),
            ("k.md", "body: A\n", Ok("A"), "none"),
            ("k.md", "", Err(EMPTY_FILE), "none"),
            ("k.md", " \n", Ok(""), "knowledge_blank"),
            ("k.yaml", "body: '  '\n", Ok(""), "knowledge_blank"),
            ("k.yaml", "body: 0\n", Ok("body: 0"), whole),
            ("k.yaml", "body: [1]\n", Ok("[1]"), "knowledge_body_not_text"),
            ("k.yaml", "body: A\nerror:\n", Err("its metadata has the key `error`"), "knowledge_error_key"),
            ("k.yaml", "- error\n", Ok("- error"), whole),
            ("k.yaml", "a: [x\n", Ok("a: [x"), whole),
        ] {
            assert_eq!(taken(path, text), (expected.map(str::to_string), problem), "{text:?}");
        }
    }
}
