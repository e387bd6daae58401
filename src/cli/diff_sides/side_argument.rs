use std::path::{Path, PathBuf};

use crate::answer::diff::Pair;
use crate::cli::resolve::wrong;
use crate::diagnostic::Diagnostic;
use crate::read::store::Revision;

/// A side of a comparison, as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SideArgument {
    Named {
        /// `None` for the working tree.
        at: Option<Revision>,
        /// The id or the file of a directive, or a folder.
        name: String,
        /// Whether a path is relative to the working folder. In `REV:path` it is relative to the top of the repository,
        /// as in `git show`, unless it starts with a dot.
        from_here: bool,
    },
    /// A saved prompt, a transcript or a request body; `-` is standard input.
    File(PathBuf),
}

impl SideArgument {
    pub fn on_disk(name: impl Into<String>) -> Self {
        Self::Named { at: None, name: name.into(), from_here: true }
    }

    pub fn at(self, at: Option<Revision>) -> Self {
        match self {
            Self::Named { name, from_here, .. } => Self::Named { at, name, from_here },
            file => file,
        }
    }

    pub fn title(&self) -> String {
        match self {
            Self::Named { at: Some(Revision::Named(revision)), name, .. } => format!("{revision}:{name}"),
            Self::Named { at: Some(Revision::Index), name, .. } => format!(":{name}"),
            Self::Named { at: None, name, .. } => name.clone(),
            Self::File(path) if path.as_os_str() == "-" => "standard input".to_string(),
            Self::File(path) => path.to_string_lossy().into_owned(),
        }
    }
}

/// Refuses a flag for one side if that side is a saved file.
pub fn check_saved(named: &Pair<SideArgument>, of_one: &Pair<Vec<String>>) -> Result<(), Diagnostic> {
    for (named, own, side) in [(&named.left, &of_one.left, "left"), (&named.right, &of_one.right, "right")] {
        if let (SideArgument::File(_), Some(flag)) = (named, own.first()) {
            let (flag, title) = (flag.split(['=', ' ']).next().unwrap_or_default(), named.title());
            let what = format!("--{side}-{flag} changes how a prompt is rendered, but {title} is a saved file");
            return Err(wrong(&what, "leave the flag out"));
        }
    }
    Ok(())
}

/// Refuses sides that `--rev` cannot apply to; `kind` is `directive` or `folder`.
pub fn check_for_range(left: &SideArgument, right: &SideArgument, kind: &str) -> Result<(), Diagnostic> {
    let typed = format!("REV:{}", kind.to_uppercase());
    for side in [left, right] {
        match side {
            SideArgument::Named { at: None, .. } => {}
            SideArgument::Named { at: Some(_), .. } => {
                return Err(wrong(&format!("--rev and {typed} both name a revision"), "leave one of the two out"));
            }
            SideArgument::File(path) => {
                let what = format!("--rev requires {kind}s, but {} is a saved file", path.display());
                return Err(wrong(&what, &format!("compare it with {typed}")));
            }
        }
    }
    Ok(())
}

/// Whether the name is that of a saved prompt, a transcript or a request body.
pub fn is_saved_by_name(typed: &str) -> bool {
    typed == "-" || [".json", ".jsonl", ".ndjson"].iter().any(|end| typed.ends_with(end))
}

/// Whether a file looks like JSON, judging by its first character.
pub fn begins_as_json(path: &Path) -> bool {
    crate::read::files::first_character(path).is_some_and(|first| matches!(first, '{' | '['))
}

pub fn is_path(typed: &str) -> bool {
    ["./", "../", "/"].iter().any(|start| typed.starts_with(start))
}

/// Splits `REV:name`; an empty revision is the index. A colon in braces, as in `HEAD^{/fix: typo}`, belongs to the
/// revision.
pub fn split(typed: &str) -> Option<(Revision, &str)> {
    let mut depth = 0_usize;
    let at = typed.char_indices().find_map(|(at, c)| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => return Some(at),
            _ => {}
        }
        None
    })?;
    let revision = if at == 0 { Revision::Index } else { Revision::Named(typed[..at].to_string()) };
    Some((revision, &typed[at + 1..]))
}
