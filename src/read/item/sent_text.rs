use super::Knowledge;
use super::knowledge::{NoText, TextPlace, document};
use crate::diagnostic::Diagnostic;
use crate::read::value::Value;
use crate::read::yaml::{YamlNode, load};
use crate::text::{Span, Traced};

/// The text of an item where the whole file counts if there is no other (Directives, "The newest release").
#[derive(Debug, Clone)]
pub enum SentText {
    /// May be empty: a text of white space is trimmed.
    Text(Traced),
    /// The value of `body`, which is not text; the released package fails here.
    NotText(Traced, &'static str),
    WholeFile {
        trimmed: Span,
        why: String,
    },
    LeftOut(LeftOutBy),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOutBy {
    /// It begins with `---`.
    FrontMatter,
    ErrorKey,
}

impl Knowledge {
    pub fn sent_text(&self) -> SentText {
        let whole = |why: &str| SentText::WholeFile { trimmed: self.source.whole().trim(), why: why.to_string() };
        let document = match &self.place {
            TextPlace::Nowhere(NoText::FrontMatter) => return SentText::LeftOut(LeftOutBy::FrontMatter),
            TextPlace::Block(_) | TextPlace::Key(_) => self.metadata.clone(),
            TextPlace::Nowhere(_) => match self.as_yaml() {
                Ok(document) => document,
                Err(error) => return whole(&format!("it is too large to be read as YAML: {}", error.message())),
            },
        };
        if document.get("error").is_some() {
            return SentText::LeftOut(LeftOutBy::ErrorKey);
        }
        match (&self.place, document.get("body")) {
            (TextPlace::Block(span), _) if !span.range().is_empty() => SentText::Text(Traced::file(span)),
            (TextPlace::Block(_), _) => whole(self.why_whole_file()),
            (_, Some(body)) if body.is_true() => match body.value() {
                Value::Str(_) => SentText::Text(body.traced().trim()),
                value => SentText::NotText(body.traced().trim(), value.type_name()),
            },
            _ => whole(self.why_whole_file()),
        }
    }

    /// The whole file, whatever its extension; null if it is not valid YAML, and an error if it exceeds a limit.
    fn as_yaml(&self) -> Result<YamlNode, Diagnostic> {
        match load(&self.source.span(document(self.source.text()))) {
            Ok(loaded) => Ok(loaded.node),
            Err(error) if error.problem.is_limit() => Err(error),
            Err(_) => Ok(YamlNode::of(&Value::Null)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::item::parse_knowledge;
    use crate::text::testing::source;

    fn sent(path: &str, text: &str) -> String {
        let item = parse_knowledge(&source("project", path, text)).unwrap().item;
        match item.sent_text() {
            SentText::Text(text) => format!("text {}", text.text()),
            SentText::NotText(text, found) => format!("{found} {}", text.text()),
            SentText::WholeFile { trimmed, .. } => format!("file {}", trimmed.text()),
            SentText::LeftOut(by) => format!("{by:?}"),
        }
    }

    #[test]
    fn the_whole_file_counts_without_a_text() {
        for (path, text, expected) in [
            ("k.md", "```yaml\nname: K\n```\n\nA.\n", "text A."),
            ("k.md", "```yaml\nname: K\n```\n \n", "file ```yaml\nname: K\n```"),
            ("k.md", "```yaml\nerror: null\n```\nA.\n", "ErrorKey"),
            ("k.md", "<!-- s -->\n# A\n", "file <!-- s -->\n# A"),
            ("k.md", "<!-- s -->\n\n---\na: 1\n---\n", "FrontMatter"),
            ("k.md", "body: A\n", "text A"),
            ("k.md", " \n", "file "),
            ("k.yaml", "body: '  '\n", "text "),
            ("k.yaml", "body: 0\n", "file body: 0"),
            ("k.yaml", "body: [1]\n", "list [1]"),
            ("k.yaml", "body: A\nerror:\n", "ErrorKey"),
            ("k.yaml", "- error\n", "file - error"),
            ("k.yaml", "a: [x\n", "file a: [x"),
        ] {
            assert_eq!(sent(path, text), expected, "{text:?}");
        }
    }
}
