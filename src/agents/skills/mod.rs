//! What agents with skills share: which files of a folder are skills, what they say, and the list that the model sees.

mod front_matter;
mod ignore;
mod listing;
mod walk;

use std::sync::Arc;

use super::decoding::Decoding;
use super::files::{self, location, parent};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::store::Store;
use crate::text::{Source, Span, Traced};

use front_matter::FrontMatter;

pub use listing::{Listing, element};
pub use walk::NameBudget;
pub(super) use walk::{FoundSkillFile, LooseFiles, WalkRules, Walked, walk};

/// What counts as a name, and what stands before the front matter.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadRules {
    pub decoding: Decoding,
    /// Whether a name that is not text makes a skill unusable. If not, the name of its folder counts.
    pub names_are_text: bool,
    /// Whether a name should be that of its folder.
    pub names_match_folders: bool,
}

#[derive(Debug, Clone)]
pub struct Skill {
    /// If it comes from the folder, its origin is the start of the file.
    pub name: Traced,
    pub description: Traced,
    /// As found, links unresolved.
    pub path: String,
    /// The index of the root that it was found in.
    pub root: usize,
    pub tier: &'static str,
    pub source: Arc<Source>,
    /// The `disable-model-invocation: true` that hides it from the agent.
    pub hidden_by: Option<Span>,
}

/// A skill file that the agent cannot use.
#[derive(Debug, Clone)]
pub struct UnusedSkill {
    pub name: Option<Traced>,
    pub description: Option<Traced>,
    /// As found, links unresolved.
    pub path: String,
    /// The index of the root that it was found in.
    pub root: usize,
    pub tier: &'static str,
    pub source: Option<Arc<Source>>,
    pub why: UnusedReason,
}

#[derive(Debug, Clone, PartialEq)]
pub enum UnusedReason {
    /// The file, its front matter or a value cannot be read; the problem says why.
    Unreadable(Problem),
    NoDescription,
    Collision {
        winner: String,
    },
    /// An ignore file excludes the skill file or its folder.
    Ignored {
        folder: String,
    },
}

impl UnusedSkill {
    pub(in crate::agents) fn unread(path: String, root: usize, tier: &'static str, why: UnusedReason) -> Self {
        Self { name: None, description: None, path, root, tier, source: None, why }
    }
}

/// Reads a skill file, and reports mistakes in it.
pub(super) fn read(
    path: &str,
    root: usize,
    tier: &'static str,
    rules: ReadRules,
    files: &dyn Store,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Skill, Box<UnusedSkill>> {
    let unread = |why| UnusedSkill::unread(path.to_string(), root, tier, why);
    let bytes = match files::read(files, path) {
        Ok(bytes) => bytes,
        Err(problem) => {
            let reason = match problem {
                Problem::Unreadable { reason } => reason,
                other => Diagnostic::new(other).message(),
            };
            let problem = Problem::SkillUnreadable { reason };
            diagnostics.push(Diagnostic::at(problem.clone(), location(path, tier, files.revision(path))));
            return Err(Box::new(unread(UnusedReason::Unreadable(problem))));
        }
    };
    let source = Source::read_lossy(files.revision(path), tier.into(), path, &bytes);
    let folder = parent(path).and_then(|folder| folder.rsplit('/').next()).unwrap_or_default();
    let mut name = None;
    let checked = FrontMatter::read(&rules.decoding.text(&source)).and_then(|front_matter| {
        let name = name.insert(front_matter.name(&source, folder, rules)?);
        front_matter.check_name(name, rules.names_match_folders.then_some(folder), diagnostics);
        let description = front_matter.description(diagnostics)?;
        Ok((name.clone(), description, front_matter.is_true("disable-model-invocation")))
    });
    match checked {
        Ok((name, description, hidden_by)) => {
            Ok(Skill { name, description, path: path.to_string(), root, tier, source, hidden_by })
        }
        Err(diagnostic) => {
            let why = match &diagnostic.problem {
                Problem::SkillDescriptionMissing => UnusedReason::NoDescription,
                problem => UnusedReason::Unreadable(problem.clone()),
            };
            diagnostics.push(diagnostic);
            Err(Box::new(UnusedSkill { name, source: Some(source), ..unread(why) }))
        }
    }
}
