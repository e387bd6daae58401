//! The wording of the assembler as a value: the differences between `sf` and its siblings.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;

use super::clock::DateStyle;
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::yaml::{Unreadable, read_own};
use crate::text::Source;

/// The parts that a sibling may change (`sf`, "Protocol `sf`: the exact rules").
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Protocol {
    pub name: String,
    pub folder: String,
    /// The agent's folder; `~` is the home folder.
    pub agent_dir: String,
    pub texts: Texts,
    /// The descriptions of the built-in tools by name.
    pub tools: Vec<(String, String)>,
}

/// Defines the texts of a protocol; in a sibling's file, each is optional.
macro_rules! texts {
    ($($(#[$doc:meta])* $field:ident: $type:ty,)+) => {
        #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
        pub struct Texts {
            $($(#[$doc])* pub $field: $type,)+
        }

        #[derive(Debug, Default, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        struct WrittenTexts {
            $($field: Option<$type>,)+
        }

        impl WrittenTexts {
            /// Missing texts come from `base`.
            fn over(self, base: Texts) -> Texts {
                Texts { $($field: self.$field.unwrap_or(base.$field),)+ }
            }
        }
    };
}

texts! {
    identity: String,
    /// The paragraph after the list of tools.
    tools_note: String,
    /// The guideline for bash without grep, find and ls.
    bash_line: String,
    /// The guideline for bash with grep, find or ls.
    prefer_line: String,
    /// The guideline for read with edit.
    read_line: String,
    /// The guideline for edit.
    edit_line: String,
    /// The guideline for write.
    write_line: String,
    /// The guideline for edit or write.
    summary_line: String,
    /// The second to last guideline.
    concise_line: String,
    paths_line: String,
    skills_preamble: Vec<String>,
    /// The paragraph about documentation, with `{docs_dir}` for its folder; may be empty.
    docs: String,
    date_format: DateStyle,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SiblingFile {
    name: String,
    /// `Protocol::read` has already used it to find the base.
    #[serde(rename = "extends")]
    _extends: String,
    folder: Option<String>,
    agent_dir: Option<String>,
    #[serde(default)]
    texts: WrittenTexts,
    #[serde(default)]
    tools: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
struct Extends {
    extends: Option<String>,
}

impl Default for Protocol {
    fn default() -> Self {
        static SF: LazyLock<Protocol> =
            LazyLock::new(|| toml::from_str(include_str!("sf.toml")).expect("sf.toml is valid"));
        SF.clone()
    }
}

impl Protocol {
    /// Reads a sibling's file; `None` if it does not extend a known protocol.
    pub fn read(source: &Arc<Source>, known: &[Self]) -> Result<Option<Self>, Diagnostic> {
        let invalid =
            |reason: String, at: usize| Diagnostic::at(Problem::InvalidProtocol { reason }, source.span(at..at));
        let Ok(Extends { extends: Some(parent) }) = read_own(source.text()) else { return Ok(None) };
        let Some(base) = known.iter().rev().find(|protocol| protocol.name == parent) else { return Ok(None) };
        let written: SiblingFile = read_own(source.text()).map_err(|Unreadable { reason, at }| invalid(reason, at))?;
        if known[0].name == written.name {
            let name = written.name;
            return Err(invalid(format!("`{name}` is built in: give it another name, and `extends: {name}`"), 0));
        }
        Ok(Some(written.over(base.clone())))
    }

    pub fn tool(&self, name: &str) -> Option<&str> {
        self.tools.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }
}

impl SiblingFile {
    /// This sibling, with missing values from `base`.
    fn over(self, mut base: Protocol) -> Protocol {
        base.name = self.name;
        base.folder = self.folder.unwrap_or(base.folder);
        base.agent_dir = self.agent_dir.unwrap_or(base.agent_dir);
        for (name, text) in self.tools {
            match base.tools.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => *known = text,
                None => base.tools.push((name, text)),
            }
        }
        base.texts = self.texts.over(base.texts);
        base
    }
}

impl Texts {
    /// The paragraph about documentation. Without a folder, a path below it becomes `[path]`.
    pub fn documentation(&self, docs_dir: Option<&str>) -> String {
        const FOLDER: &str = "{docs_dir}";
        if let Some(folder) = docs_dir {
            return self.docs.replace(FOLDER, folder);
        }
        let mut pieces = self.docs.split(FOLDER);
        let first = pieces.next().unwrap_or_default().to_string();
        pieces.fold(first, |text, piece| {
            let rest = piece.find(char::is_whitespace).map_or("", |end| &piece[end..]);
            text + "[path]" + rest
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Protocol>, String> {
        let source = Source::read("".into(), "p.yaml", text.as_bytes().to_vec()).unwrap();
        Protocol::read(&source, &[Protocol::default()]).map_err(|error| error.message())
    }

    #[test]
    fn a_sibling_overrides_only_what_it_lists() {
        let sibling =
            read("{name: pi, extends: sf, folder: .pi, texts: {docs: '', date_format: date}, tools: {ls: List}}");
        let sibling = sibling.unwrap().unwrap();
        let texts = Texts { docs: String::new(), date_format: DateStyle::Date, ..Protocol::default().texts };
        assert_eq!((sibling.folder.as_str(), &sibling.texts, sibling.tool("ls")), (".pi", &texts, Some("List")));
        assert_eq!(sibling.tool("read"), Protocol::default().tool("read"));
        assert_eq!(read("name: x\nextends: rye-3\n"), Ok(None));
        assert!(read("{name: x, extends: sf, text: {}}").unwrap_err().contains("text"));
        assert!(read("{name: sf, extends: sf}").unwrap_err().contains("is built in"));
    }

    #[test]
    fn documentation_is_a_path_or_a_placeholder() {
        let texts =
            Texts { docs: "- A: {docs_dir}/README.md\n- B: {docs_dir}/x (y)".to_string(), ..Protocol::default().texts };
        assert_eq!(texts.documentation(Some("/d")), "- A: /d/README.md\n- B: /d/x (y)");
        assert_eq!(texts.documentation(None), "- A: [path]\n- B: [path] (y)");
    }
}
