//! The subject of a prompt, and the additional parts of a folder's prompt.

use std::borrow::Cow;

use serde::Serialize;

use super::{DirectiveInfo, Layer, Message, ToolEntry};

#[derive(Debug, Clone)]
pub enum PromptSubject {
    Directive(Box<DirectiveInfo>),
    Folder(String),
}

impl Default for PromptSubject {
    fn default() -> Self {
        Self::Folder(String::new())
    }
}

impl PromptSubject {
    pub fn name(&self) -> &str {
        match self {
            Self::Directive(directive) => &directive.id,
            Self::Folder(path) => path,
        }
    }

    /// Describes the part of the prompt that is not overhead.
    pub fn own(&self) -> &'static str {
        match self {
            Self::Directive(_) => "the directive's own text",
            Self::Folder(_) => "the user's prompt",
        }
    }

    /// Makes a path relative to the folder; other names are unchanged.
    pub fn short<'n>(&self, name: &'n str) -> Cow<'n, str> {
        let Self::Folder(folder) = self else { return name.into() };
        let below = |folder: &str| name.strip_prefix(folder)?.strip_prefix('/').filter(|_| !folder.is_empty());
        if let Some(below) = below(folder) {
            return below.into();
        }
        // Files in ancestor folders also apply.
        let mut above = folder.as_str();
        for ups in 1.. {
            let Some((parent, _)) = above.rsplit_once('/').filter(|(parent, _)| !parent.is_empty()) else { break };
            match below(parent) {
                Some(file) if !file.contains('/') => return format!("{}{file}", "../".repeat(ups)).into(),
                Some(_) => break,
                None => above = parent,
            }
        }
        name.into()
    }

    /// Whether `typed` refers to `path`: in full, relative to the folder, or by its last parts.
    pub fn calls(&self, path: &str, typed: &str) -> bool {
        let typed = typed.strip_prefix("./").unwrap_or(typed);
        path == typed || self.short(path) == typed || path.strip_suffix(typed).is_some_and(|rest| rest.ends_with('/'))
    }

    pub fn directive(&self) -> Option<&DirectiveInfo> {
        match self {
            Self::Directive(directive) => Some(directive),
            Self::Folder(_) => None,
        }
    }

    pub fn folder(&self) -> Option<&str> {
        match self {
            Self::Folder(path) => Some(path),
            Self::Directive(_) => None,
        }
    }
}

/// A section of an `sf` prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Section"))]
pub struct SystemSection {
    /// `base`, `append`, `context`, `skills` or `environment`.
    pub kind: &'static str,
    /// `builtin`, `--system-prompt`, the absolute path of a file, or a list of paths; null if no file contributes.
    pub source: SectionSource,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum SectionSource {
    None,
    One(String),
    Several(Vec<String>),
}

#[derive(Debug, Clone)]
pub struct PromptTurn {
    pub messages: Vec<Message>,
    pub layers: Vec<Layer>,
    pub tools: Vec<ToolEntry>,
    /// Excludes sections that extensions remove.
    pub sections: Vec<SystemSection>,
    /// What caused a rebuild of the base: `set_active_tools`, `resources_discover`.
    pub rebuild: Option<&'static str>,
    pub remarks: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_match_from_the_folder() {
        let folder = PromptSubject::Folder("/home/ada/shop/app".to_string());
        let called = [
            ("/home/ada/shop/app/AGENTS.md", "AGENTS.md"),
            ("/home/ada/shop/app/.sf/skills/x/SKILL.md", ".sf/skills/x/SKILL.md"),
            ("/home/ada/shop/AGENTS.md", "../AGENTS.md"),
            ("/home/AGENTS.md", "../../../AGENTS.md"),
            ("/AGENTS.md", "/AGENTS.md"),
            ("/home/ada/.sf/agent/AGENTS.md", "/home/ada/.sf/agent/AGENTS.md"),
            ("/home/ada/shop/apple/AGENTS.md", "/home/ada/shop/apple/AGENTS.md"),
            ("tidy", "tidy"),
        ];
        for (path, short) in called {
            assert_eq!(folder.short(path), short);
            assert!(folder.calls(path, path) && folder.calls(path, short));
        }
        assert!(folder.calls("/home/ada/shop/AGENTS.md", "AGENTS.md"));
        assert!(folder.calls("/home/ada/shop/AGENTS.md", "shop/AGENTS.md"));
        assert!(!folder.calls("/home/ada/shop/MYAGENTS.md", "AGENTS.md"));
        assert_eq!(PromptSubject::Folder("/".to_string()).short("/AGENTS.md"), "/AGENTS.md");
    }
}
