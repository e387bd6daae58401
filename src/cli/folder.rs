//! Turns flags into the request for an agent's prompt in a folder.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use directories::ProjectDirs;
use indexmap::IndexSet;

use super::arguments::{FolderFlags, PromptFlags};
use super::folder_protocol::of_protocol;
use super::resolve::{Asked, check_utf8};
use super::run::Failure;
use crate::agents::{
    self, Agent, AgentRequest, Applying, FolderRules, FolderTrust, KnownFiles, Machine, Protocol, Recording,
    Recordings, Request, RuleQuestion,
};
use crate::answer::chain::{self, Graph, GraphScope};
use crate::answer::list::{self, ListKind, ListResult};
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::sent::{self, NotRead, Sent};
use crate::prompt::{InstalledAgent, Prompt};
use crate::read::store::{
    AtRevision, Disk, FolderStore, IsolatedStore, PathKind, Store, Surroundings, Tracked, absolute,
};
use crate::read::{environment, files, limits};
use crate::system::{self, PATHS, text};
use crate::text::Source;
use crate::text::tokens::Tokenizer;

/// The protocol that `--protocol` names, if it is for folders.
pub(super) fn protocol(typed: &PromptFlags, disk: &Disk) -> Result<Option<Protocol>, Diagnostic> {
    let Some(name) = &typed.protocol else { return Ok(None) };
    let mut known = vec![Protocol::default()];
    for path in &typed.protocol_file {
        known.extend(Protocol::read(&files::read(path, limits::PROTOCOL_BYTES, disk)?, &known)?);
    }
    Ok(known.into_iter().rev().find(|protocol| protocol.name == *name))
}

/// The agent that `--agent` names, and the release whose rules apply.
pub(super) fn agent(typed: &str) -> Result<FolderRules, Diagnostic> {
    let (name, version) = match typed.split_once('@') {
        Some((name, version)) => (name, Some(version.to_string())),
        None => (typed, None),
    };
    version.as_deref().map_or(Ok(()), agents::check_version)?;
    match name {
        "sf" => Ok(FolderRules::Protocol(Box::default())),
        name => Ok(FolderRules::Agent(Agent::named(name)?, version)),
    }
}

/// The agents in `A,B`.
pub(super) fn each_once(typed: &str) -> IndexSet<&str> {
    typed.split(',').collect()
}

pub(super) struct FolderPromptRequest {
    rules: RequestRules,
    cwd: String,
    disk: FolderStore,
}

enum RequestRules {
    Protocol(Box<Request>, Box<Protocol>),
    Agent(Box<AgentRequest>),
}

impl FolderPromptRequest {
    /// Reads the files that the flags name. `cwd` is the folder, which need not exist on disk.
    pub(super) fn new(
        asked: Asked<'_>,
        cwd: &Path,
        words: Option<&str>,
        rules: FolderRules,
    ) -> Result<Self, Diagnostic> {
        let Asked { prompt, folder, here } = asked;
        let disk = if folder.base.is_some() { here.disk.in_its_order() } else { here.disk.whole() };
        let rules = match rules {
            FolderRules::Protocol(protocol) => {
                RequestRules::Protocol(Box::new(of_protocol(asked, cwd, words, &protocol)?), protocol)
            }
            FolderRules::Agent(agent, version) => {
                check_flags(agent, asked)?;
                let request = of_agent((agent, version), &real(cwd, &disk)?, Some(folder), here, &disk)?;
                RequestRules::Agent(Box::new(AgentRequest { model: prompt.model.clone(), ..request }))
            }
        };
        Ok(Self { rules, cwd: text(cwd), disk })
    }

    /// Makes this the request that an agent sent from here: folders are listed in the order of the disk, as the agent did,
    /// and its own text is taken from the messages if no recording has it.
    pub(super) fn was_sent(&mut self, sent: &Sent, here: &Surroundings<'_>) {
        self.disk = here.disk.in_its_order();
        if let RequestRules::Agent(request) = &mut self.rules
            && request.recording.is_none()
        {
            request.base.get_or_insert_with(|| sent.clone().by_part().messages.into());
        }
    }

    /// Includes the instruction files below the folder that the agent never reads, which costs a search.
    pub(super) fn look_below(&mut self) {
        if let RequestRules::Agent(request) = &mut self.rules {
            request.looks_below = true;
        }
    }

    /// The prompt in a folder of an [`IsolatedStore`], with rules that do not depend on what is installed.
    pub(super) fn isolated(cwd: String, rules: FolderRules, here: &Surroundings<'_>) -> Result<Self, Diagnostic> {
        let disk = here.disk.whole();
        let home = IsolatedStore::HOME;
        let rules = match rules {
            FolderRules::Protocol(protocol) => {
                let here = Surroundings { home: Some(home.into()), variable: &|_| None, ..here.clone() };
                let clock = FolderFlags {
                    now: Some("2000-01-01T00:00:00Z".to_string()),
                    tz: Some("UTC".to_string()),
                    ..FolderFlags::default()
                };
                let asked = Asked { prompt: &PromptFlags::default(), folder: &clock, here: &here };
                let request = of_protocol(asked, Path::new(&cwd), None, &protocol)?;
                RequestRules::Protocol(Box::new(request), protocol)
            }
            FolderRules::Agent(agent, version) => {
                let request = AgentRequest::new(agent.at(version, None), cwd.clone(), home.to_string());
                RequestRules::Agent(Box::new(AgentRequest { trust: FolderTrust::Approved, ..request }))
            }
        };
        Ok(Self { rules, cwd, disk })
    }

    /// Has the prompt say what would make a rule join.
    pub(super) fn ask_why(&mut self, name: &str, here: &Surroundings<'_>) {
        if let RequestRules::Agent(request) = &mut self.rules {
            let files = known_files(request, &self.disk, here);
            request.why = Some(RuleQuestion { name: name.to_string(), files });
        }
    }

    pub(super) fn prompt(&self) -> Result<Prompt, Failure> {
        check_folder(&self.cwd, &self.disk)?;
        Ok(self.within(&self.disk)?)
    }

    /// Why the rules may differ from what the release does.
    pub(super) fn release_warning(&self) -> Option<Diagnostic> {
        match &self.rules {
            RequestRules::Protocol(..) => None,
            RequestRules::Agent(request) => request.chosen.warning(),
        }
    }

    /// The names of files and folders that give a folder instructions of its own.
    pub(super) fn instruction_names(&self, files: &dyn Store) -> Vec<String> {
        match &self.rules {
            RequestRules::Protocol(_, protocol) => {
                agents::CONTEXT_NAMES.into_iter().chain([protocol.folder.as_str()]).map(str::to_string).collect()
            }
            RequestRules::Agent(request) => {
                let names = agents::look_as(request, files).names;
                let settings = request.chosen.agent.settings.iter().copied();
                names.all().chain(settings).map(str::to_string).collect()
            }
        }
    }

    /// What the prompt is made of.
    pub(super) fn list(&self, kinds: &[ListKind], tokenizer: Tokenizer) -> Result<ListResult, Failure> {
        check_folder(&self.cwd, &self.disk)?;
        Ok(match &self.rules {
            RequestRules::Protocol(request, protocol) => {
                list::of_folder(&Applying::new(request, protocol, &self.disk)?, kinds, tokenizer)
            }
            RequestRules::Agent(request) => {
                list::of_agent(&agents::render_agent(request, &self.disk), kinds, tokenizer)
            }
        })
    }

    /// The prompt, and how what it is made of applies.
    pub(super) fn graph(&self, scope: &GraphScope) -> Result<(Graph, Prompt), Failure> {
        check_folder(&self.cwd, &self.disk)?;
        Ok(match &self.rules {
            RequestRules::Protocol(request, protocol) => {
                let applying = Applying::new(request, protocol, &self.disk)?;
                (chain::folder::graph(&applying, scope)?, applying.prompt)
            }
            RequestRules::Agent(request) => {
                let prompt = agents::render_agent(request, &self.disk);
                (chain::folder::agent_graph(&prompt, scope)?, prompt)
            }
        })
    }

    /// The prompt with these files.
    pub(super) fn within(&self, files: &dyn Store) -> Result<Prompt, Diagnostic> {
        match &self.rules {
            RequestRules::Protocol(request, protocol) => agents::render(request, protocol, files),
            RequestRules::Agent(request) => Ok(agents::render_agent(request, files)),
        }
    }

    pub(super) fn at(&self, files: &AtRevision) -> Result<Prompt, Failure> {
        let prompt = self.within(files);
        // A failed read matters more than the errors that it causes.
        match files.failure() {
            Some(error) => Err(error.into()),
            None => Ok(prompt?),
        }
    }
}

/// Refuses flags that an agent cannot use.
pub(super) fn check_flags(agent: &Agent, asked: Asked<'_>) -> Result<(), Diagnostic> {
    let name = agent.name;
    let of_protocols = || asked.folder.of_protocols().map(str::to_string);
    let Some(flag) = asked.prompt.of_directives().or_else(of_protocols) else { return Ok(()) };
    let help = format!("leave it out; what {name} itself takes follows `--`");
    Err(Diagnostic::invalid(format!("{flag} does not apply to the prompt of {name}"), help))
}

/// The files that git tracks; outside of a repository, those below the working folder, unless it holds the home.
fn known_files(request: &AgentRequest, disk: &FolderStore, here: &Surroundings<'_>) -> KnownFiles {
    let tracked = Tracked::read(&system::path(&request.cwd), &here.disk).unwrap_or_default();
    let mut paths: Vec<String> = tracked.paths().filter_map(|path| Some(PATHS.to_text(path.to_str()?))).collect();
    let are_tracked = !paths.is_empty();
    if !are_tracked {
        for (folder, entries) in agents::folders_from(disk, &request.cwd, &request.home) {
            let files = entries.iter().filter(|entry| entry.is_named && !entry.is_folder);
            paths.extend(files.map(|entry| agents::below(&folder, &entry.name)));
        }
    }
    KnownFiles { paths, are_tracked }
}

/// Refuses what is not a folder.
pub(super) fn check_folder(cwd: &str, disk: &FolderStore) -> Result<(), Diagnostic> {
    match disk.kind(cwd) {
        Ok(PathKind::Folder) => Ok(()),
        Ok(PathKind::File) => Err(Diagnostic::invalid(format!("{cwd} is a file"), "name a folder")),
        Err(_) => Err(Diagnostic::invalid(format!("folder {cwd} not found"), "name an existing folder")),
    }
}

fn variable(name: &str, here: &Surroundings<'_>) -> Option<String> {
    (here.variable)(name)?.into_string().ok()
}

/// The installed release of an agent, as seen from a folder.
pub(super) fn installed(
    agent: &Agent,
    cwd: &str,
    here: &Surroundings<'_>,
    files: &FolderStore,
) -> Option<InstalledAgent> {
    let home = here.home.as_deref().map(text).unwrap_or_default();
    let variable = |name: &str| variable(name, here);
    Machine { files, home: &home, variable: &variable, style: PATHS }.installed(agent, cwd)
}

/// The real path of a folder. To find it, every folder on the way is read, unless the process is there.
pub(super) fn real(folder: &Path, files: &FolderStore) -> Result<String, Diagnostic> {
    check_utf8([folder])?;
    let is_real = system::WORKING_FOLDER_IS_REAL && env::current_dir().is_ok_and(|it| it == folder);
    Ok(if is_real { text(folder) } else { files.real(&text(folder)) })
}

/// The request for an agent's prompt in a folder whose real path is `cwd`, without flags if none can be given.
pub(super) fn of_agent(
    (agent, version): (&'static Agent, Option<String>),
    cwd: &str,
    typed: Option<&FolderFlags>,
    here: &Surroundings<'_>,
    files: &FolderStore,
) -> Result<AgentRequest, Diagnostic> {
    let home = here.home.clone().unwrap_or_default();
    let whole = |path: &PathBuf| absolute(&here.working_folder, path);
    let agent_dir = typed.and_then(|typed| typed.agent_dir.as_ref()).map(whole);
    let touch: Vec<_> = typed.into_iter().flat_map(|typed| &typed.touch).map(whole).collect();
    check_utf8([&home].into_iter().chain(&agent_dir).chain(&touch))?;
    let chosen = agent.at(version, installed(agent, cwd, here, files));
    let variable = |name: &&'static str| Some((*name, variable(name, here)?));
    let base = typed.and_then(|typed| typed.base.as_deref()).map(|path| read_sent(path, &here.disk)).transpose()?;
    let (recording, notes) = match base {
        Some(_) => (None, Vec::new()),
        None => recording(agent, &chosen.version, &here.disk),
    };
    Ok(AgentRequest {
        agent_dir: agent_dir.as_deref().map(text),
        variables: agent.variables.iter().filter_map(variable).collect(),
        environment: environment::gather(env::vars_os(), &[], &[], &here.disk)?,
        base: base.map(|sent| sent.by_part().messages.into()),
        recording,
        notes,
        arguments: typed.map(|typed| typed.agent_arguments.clone()).unwrap_or_default(),
        touch: touch.iter().map(|file| text(file)).collect(),
        ..AgentRequest::new(chosen, cwd.to_string(), text(&home))
    })
}

/// The recordings of this user; `None` without a home folder.
pub(super) fn recordings() -> Option<Recordings> {
    let folders = ProjectDirs::from("", "", "rye-render")?;
    Some(Recordings { folder: folders.data_dir().join("recorded") })
}

/// The recording of a release, and what is to be said if there is none to use.
fn recording(agent: &Agent, version: &str, disk: &Disk) -> (Option<Arc<Recording>>, Vec<Diagnostic>) {
    let Some(recordings) = recordings() else { return (None, Vec::new()) };
    match recordings.read(agent.name, version, disk) {
        Ok(Some(recording)) => (Some(recording.into()), Vec::new()),
        Ok(None) => {
            let release = format!("{} {version}", agent.name);
            let note = |recorded| Problem::OtherReleaseRecorded { release, recorded, agent: agent.name };
            let other = recordings.versions(agent.name, disk).into_iter().last();
            (None, other.map(note).map(Diagnostic::new).into_iter().collect())
        }
        Err(unreadable) => (None, vec![unreadable]),
    }
}

/// A saved transcript or request body.
pub(super) fn read_sent(path: &Path, disk: &Disk) -> Result<Sent, Diagnostic> {
    sent(&files::read(path, limits::FILE_BYTES, disk)?)
}

/// A transcript or request body.
pub(super) fn sent(source: &Arc<Source>) -> Result<Sent, Diagnostic> {
    limits::json(source, limits::SENT_VALUES)?;
    let sent =
        sent::read(source.text()).map_err(|NotRead { what, help, place }| files::wrong(source, what, help, place))?;
    limits::messages(source, sent.messages.len())?;
    Ok(sent)
}

/// Why `--verify` is refused.
pub(super) fn unsigned() -> Diagnostic {
    Diagnostic::invalid("an agent's files have no signatures", "leave --verify out")
}

/// Why `--format events` is refused; `others` are the formats to use.
pub(super) fn no_events(others: &str) -> Diagnostic {
    Diagnostic::invalid(
        "events are for threads of directives, but this is the prompt of a folder",
        format!("use {others}"),
    )
}

/// The absolute path of `--cwd`, else of the working folder.
pub(super) fn working_folder(typed: &FolderFlags, here: &Surroundings<'_>) -> PathBuf {
    let here = &here.working_folder;
    typed.cwd.as_deref().map_or_else(|| here.clone(), |typed| absolute(here, typed))
}
