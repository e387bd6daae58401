//! Chooses the assembler: for directives, or for agents' working folders.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::agent_choice::{self, ChosenRules};
use super::arguments::{FolderFlags, SideFlags};
use super::folder::{self, FolderPromptRequest, working_folder};
use super::lint_folder::agents_file;
use super::repeated::deduplicated;
use super::resolve::{Asked, tier_arguments};
use super::run::Failure;
use crate::agents::{FolderRules, Protocol};
use crate::answer::diff::Pair;
use crate::answer::list::{self, ListKind, ListResult};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::protocol::Builtin;
use crate::read::store::{DirectiveArgument, ItemKind, Surroundings, absolute, find_project, find_tiers};
use crate::text::tokens::Tokenizer;

/// A folder whose prompt is asked for.
pub(super) struct FolderTarget<'t> {
    pub rules: FolderRules,
    /// The rules of other agents that could be meant.
    pub others: Vec<FolderRules>,
    pub cwd: PathBuf,
    /// The user's words, for a protocol.
    pub words: Option<&'t str>,
}

impl<'a> Asked<'a> {
    /// The rules for folders that `--agent` or `--protocol` names, if any. Without them, flags for folders are refused.
    pub(super) fn named(self) -> Result<Option<FolderRules>, Diagnostic> {
        if let Some(agent) = &self.folder.agent {
            return folder::agent(agent).map(Some);
        }
        let protocol = folder::protocol(self.prompt, &self.here.disk)?;
        match self.folder.first().filter(|_| protocol.is_none()) {
            Some(flag) => {
                let what = format!("{flag} requires a folder, and this is a directive");
                Err(Diagnostic::invalid(what, "add --agent NAME or --protocol sf"))
            }
            None => Ok(protocol.map(|protocol| FolderRules::Protocol(Box::new(protocol)))),
        }
    }

    /// The folder if the command line names an agent or a protocol for folders, or if one is detected, and a note if there
    /// is a choice. `argument` is a directive, a folder or the user's words.
    ///
    /// A folder is for directives if it or a folder above it holds `.ai/`, unless that has no directives and its settings
    /// name agents. Any other folder is for agents if it holds `.sf/`, an `AGENTS.md` applies to it or the settings name
    /// agents.
    pub(super) fn found<'t>(
        self,
        argument: Option<&'t str>,
    ) -> Result<(Option<FolderTarget<'t>>, Option<Diagnostic>), Diagnostic> {
        let Self { prompt, folder, here } = self;
        if prompt.protocol.is_some() || folder.agent.is_some() {
            let target = self.named()?.map(|rules| self.target(rules, argument)).transpose()?;
            return Ok((target, None));
        }
        let (cwd, words) = match argument.map(|argument| absolute(&here.working_folder, Path::new(argument))) {
            Some(path) if folder.cwd.is_none() && here.disk.is_folder(&path) => (path, None),
            _ => (working_folder(folder, here), argument),
        };
        let around = Surroundings { working_folder: cwd, ..here.clone() };
        let of_agents = agents_file(&around.working_folder, &Protocol::default(), here);
        let project = find_project(&tier_arguments(&prompt.tiers, None), &around)?;
        let holds_directives = |root: &PathBuf| here.disk.is_folder(&root.join(ItemKind::Directive.folder()));
        let is_free = !project.as_ref().is_some_and(holds_directives);
        if is_free && (of_agents.is_some() || words.is_none()) && !self.is_directive(argument)? {
            let choice = match of_agents.is_some() && project.is_none() {
                true => Some(agent_choice::of_folder(prompt, folder, &around)?),
                false => agent_choice::of_settings(prompt, &around)?,
            };
            if let Some(ChosenRules { rules, others, note }) = choice {
                let target = match words {
                    None => FolderTarget { rules, others, cwd: around.working_folder, words },
                    Some(_) => FolderTarget { others, ..self.target(rules, words)? },
                };
                return Ok((Some(target), note));
            }
        }
        self.named()?;
        // `--project` rules out a folder.
        let both = project.and(of_agents).filter(|_| prompt.tiers.project.is_none());
        Ok((None, both.map(|path| Diagnostic::new(Problem::FolderOfAgents { path }))))
    }

    /// Like [`Self::found`] for a command without the user's words: any argument that is not a folder is a directive.
    pub(super) fn found_folder<'t>(
        self,
        argument: Option<&'t str>,
    ) -> Result<Option<(FolderTarget<'t>, Option<Diagnostic>)>, Diagnostic> {
        let Self { prompt, folder, here } = self;
        let is_folder = |argument| here.disk.is_folder(&absolute(&here.working_folder, Path::new(argument)));
        let is_named = prompt.protocol.is_some() || folder.agent.is_some();
        if !is_named && argument.is_some_and(|argument| !is_folder(argument)) {
            self.named()?;
            return Ok(None);
        }
        let (target, note) = self.found(argument)?;
        Ok(target.map(|target| (target, note)))
    }

    /// With an agent, the argument is the folder; with a protocol, it is the user's words.
    fn target<'t>(self, rules: FolderRules, argument: Option<&'t str>) -> Result<FolderTarget<'t>, Diagnostic> {
        let names_folder = self.folder.agent.is_some() || matches!(rules, FolderRules::Agent(..));
        let (cwd, words) = match argument.filter(|_| names_folder) {
            Some(_) if self.folder.cwd.is_some() => return Err(named_twice()),
            Some(folder) => (absolute(&self.here.working_folder, Path::new(folder)), None),
            None => (working_folder(self.folder, self.here), argument),
        };
        Ok(FolderTarget { rules, others: Vec::new(), cwd, words })
    }

    /// Whether an argument is a directive's file or the id of a directive in a tier.
    fn is_directive(self, argument: Option<&str>) -> Result<bool, Diagnostic> {
        let here = &Surroundings { working_folder: working_folder(self.folder, self.here), ..self.here.clone() };
        match argument.map(|argument| DirectiveArgument::parse(OsStr::new(argument))) {
            Some(Ok(DirectiveArgument::File(path))) => Ok(here.disk.is_file(&path)),
            Some(Ok(DirectiveArgument::Id(id))) => {
                let (tiers, _) = find_tiers(&tier_arguments(&self.prompt.tiers, None), here, Builtin::Layers)?;
                Ok(tiers.find(ItemKind::Directive, &id)?.is_some())
            }
            Some(Err(_)) | None => Ok(false),
        }
    }
}

impl FolderTarget<'_> {
    /// The note of [`Asked::found`] for a command that shows what several agents read in one list or graph.
    pub(super) fn note_of_one(&self, note: Option<Diagnostic>) -> Option<Diagnostic> {
        note.filter(|_| self.others.is_empty())
    }

    /// The request for the prompt.
    pub(super) fn request(self, asked: Asked<'_>) -> Result<FolderPromptRequest, Diagnostic> {
        FolderPromptRequest::new(asked, &self.cwd, self.words, self.rules)
    }

    /// What all agents read in the folder, as one list; `None` for one agent.
    pub(super) fn list_of_all(
        &self,
        asked: Asked<'_>,
        kinds: &[ListKind],
        tokenizer: Tokenizer,
    ) -> Result<Option<ListResult>, Failure> {
        if self.others.is_empty() {
            return Ok(None);
        }
        let all: Vec<&FolderRules> = [&self.rules].into_iter().chain(&self.others).collect();
        // Only two releases of an agent need their numbers to be told apart.
        let label = |rules: &FolderRules| {
            let of_agent = all.iter().filter(|other| other.agent_name() == rules.agent_name());
            if of_agent.count() > 1 { rules.name() } else { rules.agent_name().to_string() }
        };
        let of_agent = |rules: &&FolderRules| -> Result<_, Failure> {
            let request = FolderPromptRequest::new(asked, &self.cwd, None, FolderRules::clone(rules))?;
            Ok((label(rules), request.list(kinds, tokenizer)?))
        };
        let lists = all.iter().map(of_agent).collect::<Result<_, _>>()?;
        let list = list::of_agents(lists);
        Ok(Some(ListResult { diagnostics: deduplicated(list.diagnostics), ..list }))
    }
}

/// Like [`Asked::named`] for both sides of a comparison, which must be of the same kind.
pub(super) fn of_sides(
    sides: &Pair<SideFlags>,
    here: &Surroundings<'_>,
) -> Result<Option<Pair<FolderRules>>, Diagnostic> {
    let rules = sides.as_ref().map(|side| side.asked(here).named());
    match (rules.left?, rules.right?) {
        (Some(left), Some(right)) => Ok(Some(Pair { left, right })),
        (None, None) if sides.left.words.is_some() || sides.right.words.is_some() => {
            Err(Diagnostic::invalid("--prompt requires a folder, and this is a directive", "add --protocol sf"))
        }
        (None, None) => Ok(None),
        _ => {
            let help =
                "save one with `render --format json -o FILE`, and compare FILE with the other, using its --protocol";
            Err(Diagnostic::invalid("one side is the prompt of a folder, the other of a directive", help))
        }
    }
}

/// The flags with the first of the agents in `--agent A,B`, and the others.
pub(super) fn several(folder: &FolderFlags) -> Result<(FolderFlags, Vec<FolderRules>), Diagnostic> {
    let mut agents = folder.agent.as_deref().map(folder::each_once).unwrap_or_default().into_iter();
    let first = agents.next().map(str::to_string);
    let others = agents.map(folder::agent).collect::<Result<_, _>>()?;
    Ok((FolderFlags { agent: first, ..folder.clone() }, others))
}

impl SideFlags {
    pub(super) fn asked<'a>(&'a self, here: &'a Surroundings<'a>) -> Asked<'a> {
        Asked { prompt: &self.prompt, folder: &self.folder, here }
    }
}

pub(super) fn named_twice() -> Diagnostic {
    Diagnostic::invalid("the folder is named twice", "leave out --cwd or the argument")
}

/// The error of a command that requires a directive.
pub(super) fn no_directive() -> Diagnostic {
    let help = "name an id or a file (`rye-render list directive` shows all), or add --protocol sf for what an agent \
                reads in this folder";
    Diagnostic::invalid("no directive is named", help)
}
