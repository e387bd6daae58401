//! What applies to a folder: the files that were found, next to the prompt that is made of them.

use super::assemble::Assembly;
use super::base::Chosen;
use super::context::ContextFile;
use super::files::Files;
use super::protocol::Protocol;
use super::request::Request;
use super::skills::Found;
use crate::diagnostic::Diagnostic;
use crate::prompt::Prompt;

/// What applies to a folder.
#[derive(Debug)]
pub struct Applying {
    /// The prompt.
    pub prompt: Prompt,
    /// The file of the base, if there is one.
    pub base: Option<Chosen>,
    /// The file of what is appended to it, likewise.
    pub append: Option<Chosen>,
    /// The files of instructions in the order of the prompt.
    pub context: Vec<ContextFile>,
    /// The folders of skills that are there, and the skills of all of them.
    pub skills: Found,
    /// Whether the agent can read the skills, without which none is listed.
    pub reads: bool,
}

impl Applying {
    /// Finds what applies, and puts the prompt together.
    ///
    /// # Errors
    /// As [`super::render`].
    pub fn new(request: &Request, protocol: &Protocol, files: &dyn Files) -> Result<Self, Vec<Diagnostic>> {
        let assembly = Assembly::new(request, protocol, files).map_err(|error| vec![error])?;
        let (base, append, context) = (assembly.base.clone(), assembly.append.clone(), assembly.context.clone());
        let (skills, reads) = (assembly.skills.clone(), assembly.reads());
        let prompt = assembly.prompt().map_err(|error| vec![error])?;
        Ok(Self { prompt, base, append, context, skills, reads })
    }
}
