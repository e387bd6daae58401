//! The base of the prompt and the text appended to it.

use std::sync::Arc;

use super::protocol::Protocol;
use super::request::GivenText;
use super::tools::{self, ToolFile};
use crate::agents::files::{below, location, read, size};
use crate::diagnostic::Diagnostic;
use crate::read::store::Store;
use crate::text::{Source, Traced};

pub const BUILT_IN: &str = "builtin";

/// A file that applies, and the file that it hides.
#[derive(Debug, Clone)]
pub struct Chosen {
    pub source: Arc<Source>,
    pub hides: Option<Hidden>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hidden {
    /// An absolute path.
    pub path: String,
    pub tier: &'static str,
    /// Its size; 0 if it cannot be read.
    pub bytes: usize,
}

/// A text that replaces the base or is appended to it.
pub enum Custom<'a> {
    /// The text of the command line, and the files that it overrides.
    Given(&'a GivenText, Vec<String>),
    /// The project's file, even if empty, else the agent's.
    File(Option<Chosen>),
}

impl<'a> Custom<'a> {
    /// Looks for a file in the folders of the project and of the agent; those that the command line overrides are not
    /// opened.
    pub fn find(
        name: &str,
        given: Option<&'a GivenText>,
        folders: [&str; 2],
        files: &dyn Store,
    ) -> Result<Self, Diagnostic> {
        let paths = folders.map(|folder| below(folder, name)).into_iter();
        if let Some(given) = given {
            return Ok(Self::Given(given, paths.filter(|path| files.kind(path).is_ok()).collect()));
        }
        let is_there = |path: &str| files.kind(path).map_or_else(|error| error.denial().is_some(), |_| true);
        let mut there = paths.zip(["cwd", "agent"]).filter(|(path, _)| is_there(path));
        let Some((path, tier)) = there.next() else { return Ok(Self::File(None)) };
        let bytes = read(files, &path)
            .map_err(|problem| Diagnostic::at(problem, location(&path, tier, files.revision(&path))))?;
        let source = Source::read_raw(files.revision(&path), tier.into(), path, &bytes);
        let hides = there.next().map(|(path, tier)| Hidden { bytes: size(files, &path).unwrap_or(0), path, tier });
        Ok(Self::File(Some(Chosen { source, hides })))
    }

    pub fn chosen(self) -> Option<Chosen> {
        if let Self::File(chosen) = self { chosen } else { None }
    }
}

pub fn built_in(active: &[String], file: &ToolFile, docs_dir: Option<&str>, protocol: &Protocol) -> Traced {
    let texts = &protocol.texts;
    let mut base = Traced::protocol(&texts.identity);
    base.push_protocol("\n\nAvailable tools:\n");
    if active.is_empty() {
        base.push_protocol("(none)");
    }
    for (index, name) in active.iter().enumerate() {
        base.push_protocol(if index == 0 { "- " } else { "\n- " });
        match file.get(name) {
            Some(tool) => base.push(&tool.name),
            None => base.push_protocol(name),
        };
        base.push_protocol(": ").push(&tools::line(name, file, protocol));
    }
    base.push_protocol("\n\n").push_protocol(&texts.tools_note).push_protocol("\n\nGuidelines:");
    for line in tools::guidelines(active, file, protocol).iter().filter(|line| !line.is_repeated) {
        base.push_protocol("\n- ").push(&line.text);
    }
    let documentation = texts.documentation(docs_dir);
    if !documentation.is_empty() {
        base.push_protocol("\n\n").push_protocol(&documentation);
    }
    base
}
