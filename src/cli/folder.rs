//! Turns flags into the request for an agent's prompt in a folder.

use std::collections::VecDeque;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::{FolderFlags, PromptFlags};
use super::report::Failure;
use super::resolve::{not_utf8, wrong};
use super::{messages, recordings};
use crate::agents::{
    self, Agent, AgentRequest, Applying, FolderRules, GivenText, KnownFiles, Machine, Protocol, Request, RuleQuestion,
};
use crate::answer::chain::{self, Graph, GraphScope};
use crate::answer::list::{self, ListKind, ListResult};
use crate::diagnostic::Diagnostic;
use crate::prompt::sent::{self, NotRead, ReadMessage, Sent};
use crate::prompt::{InstalledAgent, Prompt};
use crate::read::store::{Access, AtRevision, Disk, FolderStore, PathKind, Store, Surroundings, Tracked, absolute};
use crate::read::{environment, files, limits};
use crate::text::tokens::Tokenizer;
use crate::text::{Origin, Source, Traced};

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
    named(name, version)
}

/// The rules of an agent by its name alone.
pub(super) fn named(name: &str, version: Option<String>) -> Result<FolderRules, Diagnostic> {
    match name {
        "sf" => Ok(FolderRules::Protocol(Box::default())),
        name => Ok(FolderRules::Agent(Agent::named(name)?, version)),
    }
}

pub(super) struct FolderPromptRequest {
    rules: RequestRules,
    cwd: String,
    disk: FolderStore,
}

/// The prompt of a folder, and for a protocol the files that apply.
pub(super) enum FolderAnswer {
    Protocol(Box<Applying>),
    Agent(Box<Prompt>),
}

impl FolderAnswer {
    pub(super) fn list(&self, kinds: &[ListKind], tokenizer: Tokenizer) -> ListResult {
        match self {
            Self::Protocol(applying) => list::of_folder(applying, kinds, tokenizer),
            Self::Agent(prompt) => list::of_agent(prompt, kinds, tokenizer),
        }
    }

    pub(super) fn graph(&self, scope: &GraphScope) -> Result<Graph, Diagnostic> {
        match self {
            Self::Protocol(applying) => chain::folder::graph(applying, scope),
            Self::Agent(prompt) => chain::folder::agent_graph(prompt, scope),
        }
    }

    pub(super) fn prompt(self) -> Prompt {
        match self {
            Self::Protocol(applying) => applying.prompt,
            Self::Agent(prompt) => *prompt,
        }
    }
}

enum RequestRules {
    Protocol(Box<Request>, Box<Protocol>),
    Agent(Box<AgentRequest>),
}

impl FolderPromptRequest {
    /// Reads the files that the flags name. `cwd` is the folder, which need not exist on disk.
    pub(super) fn new(
        cwd: &Path,
        typed: &FolderFlags,
        prompt: &PromptFlags,
        user_prompt: Option<&str>,
        rules: FolderRules,
        here: &Surroundings<'_>,
    ) -> Result<Self, Diagnostic> {
        let rules = match rules {
            FolderRules::Protocol(protocol) => {
                let request = of_protocol(cwd, typed, prompt, user_prompt, &protocol, here)?;
                RequestRules::Protocol(Box::new(request), protocol)
            }
            FolderRules::Agent(agent, version) => {
                check_flags(agent, typed, prompt)?;
                let request = of_agent((agent, version), cwd, Some(typed), here)?;
                RequestRules::Agent(Box::new(AgentRequest { model: prompt.model.clone(), ..request }))
            }
        };
        let disk = if typed.base.is_some() { here.disk.in_its_order() } else { here.disk.whole() };
        Ok(Self { rules, cwd: text(cwd), disk })
    }

    /// Lists folders in the order of the disk, as the agent did that sent a request from here.
    pub(super) fn in_disk_order(&mut self, here: &Surroundings<'_>) {
        self.disk = here.disk.in_its_order();
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
        Ok(self.rules.prompt(&self.disk)?)
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

    pub(super) fn answer(&self) -> Result<FolderAnswer, Failure> {
        check_folder(&self.cwd, &self.disk)?;
        Ok(match &self.rules {
            RequestRules::Protocol(request, protocol) => {
                FolderAnswer::Protocol(Box::new(Applying::new(request, protocol, &self.disk)?))
            }
            RequestRules::Agent(request) => FolderAnswer::Agent(Box::new(agents::render_agent(request, &self.disk))),
        })
    }

    pub(super) fn at(&self, files: &AtRevision) -> Result<Prompt, Failure> {
        let prompt = self.rules.prompt(files);
        // A failed read matters more than the errors that it causes.
        match files.failure() {
            Some(error) => Err(error.into()),
            None => Ok(prompt?),
        }
    }
}

/// Refuses flags that an agent cannot use.
pub(super) fn check_flags(agent: &Agent, typed: &FolderFlags, prompt: &PromptFlags) -> Result<(), Diagnostic> {
    let name = agent.name;
    let Some(flag) = prompt.of_directives().or_else(|| typed.of_protocols().map(str::to_string)) else { return Ok(()) };
    let help = format!("leave it out; what {name} itself takes follows `--`");
    Err(wrong(&format!("{flag} does not apply to the prompt of {name}"), &help))
}

/// The files that git tracks; outside of a repository, those below the working folder, unless it holds the home.
fn known_files(request: &AgentRequest, disk: &FolderStore, here: &Surroundings<'_>) -> KnownFiles {
    let tracked = Tracked::read(Path::new(&request.cwd), &here.disk).unwrap_or_default();
    let mut paths: Vec<String> = tracked.paths().filter_map(|path| path.into_os_string().into_string().ok()).collect();
    let are_tracked = !paths.is_empty();
    let mut waiting = VecDeque::new();
    if !are_tracked && !Path::new(&request.home).starts_with(&request.cwd) {
        waiting.push_back(request.cwd.clone());
    }
    let mut left = limits::SEARCHED;
    while let Some(folder) = waiting.pop_front() {
        let entries = disk.list(&folder).unwrap_or_default();
        if entries.len() > left {
            break;
        }
        left -= entries.len();
        for entry in entries.into_iter().filter(|entry| entry.is_named) {
            let path = agents::below(&folder, &entry.name);
            if entry.is_folder { waiting.push_back(path) } else { paths.push(path) }
        }
    }
    KnownFiles { paths, are_tracked }
}

/// Refuses what is not a folder.
pub(super) fn check_folder(cwd: &str, disk: &FolderStore) -> Result<(), Diagnostic> {
    match disk.kind(cwd) {
        Ok(PathKind::Folder) => Ok(()),
        Ok(PathKind::File) => Err(wrong(&format!("{cwd} is a file"), "name a folder")),
        Err(_) => Err(wrong(&format!("folder {cwd} not found"), "name an existing folder")),
    }
}

impl RequestRules {
    fn prompt(&self, files: &dyn Store) -> Result<Prompt, Diagnostic> {
        match self {
            Self::Protocol(request, protocol) => agents::render(request, protocol, files),
            Self::Agent(request) => Ok(agents::render_agent(request, files)),
        }
    }
}

fn variable(name: &str, here: &Surroundings<'_>) -> Option<String> {
    (here.variable)(name)?.into_string().ok()
}

/// The installed release of an agent, as seen from a folder.
pub(super) fn installed(agent: &Agent, cwd: &str, here: &Surroundings<'_>) -> Option<InstalledAgent> {
    let home = here.home.as_deref().map(text).unwrap_or_default();
    let (files, variable) = (here.disk.whole(), |name: &str| variable(name, here));
    Machine { files: &files, home: &home, variable: &variable }.installed(agent, cwd)
}

/// The request for an agent's prompt, without flags if none can be given.
pub(super) fn of_agent(
    (agent, version): (&'static Agent, Option<String>),
    cwd: &Path,
    typed: Option<&FolderFlags>,
    here: &Surroundings<'_>,
) -> Result<AgentRequest, Diagnostic> {
    let home = here.home.clone().unwrap_or_default();
    let whole = |path: &PathBuf| absolute(&here.working_folder, path);
    let agent_dir = typed.and_then(|typed| typed.agent_dir.as_ref()).map(whole);
    let touch: Vec<_> = typed.into_iter().flat_map(|typed| &typed.touch).map(whole).collect();
    let given = agent_dir.iter().chain(&touch).map(PathBuf::as_path);
    if let Some(path) = [cwd, &home].into_iter().chain(given).find(|path| path.to_str().is_none()) {
        return Err(not_utf8(path));
    }
    let files = here.disk.whole();
    let (cwd, home) = (files.real(&text(cwd)), text(&home));
    let chosen = agent.at(version, installed(agent, &cwd, here));
    let variable = |name: &&'static str| Some((*name, variable(name, here)?));
    let base = typed.and_then(|typed| typed.base.as_deref()).map(|path| recorded(path, &here.disk)).transpose()?;
    let (recording, notes) = match base {
        Some(_) => (None, Vec::new()),
        None => recordings::of_release(agent, &chosen.version, &here.disk),
    };
    Ok(AgentRequest {
        cwd,
        home,
        model: None,
        agent_dir: agent_dir.as_deref().map(text),
        variables: agent.variables.iter().filter_map(variable).collect(),
        environment: environment::gather(env::vars_os(), &[], &[], &here.disk)?,
        base,
        recording,
        notes,
        arguments: typed.map(|typed| typed.agent_arguments.clone()).unwrap_or_default(),
        touch: touch.iter().map(|file| text(file)).collect(),
        why: None,
        is_trusted: false,
        keeps_later: false,
        chosen,
    })
}

fn recorded(path: &Path, disk: &Disk) -> Result<Arc<[ReadMessage]>, Diagnostic> {
    Ok(read_sent(path, disk)?.by_part().messages.into())
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

/// The request for the prompt of a protocol for folders. Reads the files that the flags name.
fn of_protocol(
    cwd: &Path,
    typed: &FolderFlags,
    prompt: &PromptFlags,
    user_prompt: Option<&str>,
    protocol: &Protocol,
    here: &Surroundings<'_>,
) -> Result<Request, Diagnostic> {
    if let Some(flag) = prompt.of_directives() {
        let what = format!("{flag} requires a directive, but this is the prompt of a folder");
        return Err(wrong(&what, &format!("leave it out, or leave out --protocol {}", protocol.name)));
    }
    if let Some(flag) = typed.of_agents() {
        return Err(wrong(
            &format!("{flag} does not apply to {}", protocol.name),
            "leave it out, or name another agent",
        ));
    }
    let disk = &here.disk;
    let home = here.home.clone().unwrap_or_default();
    let agent_dir = agent_dir(typed.agent_dir.as_deref(), protocol, here);
    for folder in typed.agent_dir.iter().chain(&typed.skills) {
        let is_skill = folder.extension().is_some_and(|extension| extension == "md");
        let whole = absolute(&here.working_folder, folder);
        if !(disk.is_folder(&whole) || is_skill && disk.is_file(&whole)) {
            return Err(wrong(&format!("folder {} not found", folder.display()), "name an existing folder"));
        }
    }
    let text_or_file = |typed: &Option<String>| typed.as_deref().map(|typed| given(typed, disk)).transpose();
    let zone = typed.tz.clone().or_else(|| zone(here));
    let now = agents::now(typed.now.as_deref(), zone.as_deref()).map_err(Diagnostic::new)?;
    let extra: Vec<PathBuf> = typed.skills.iter().map(|folder| absolute(&here.working_folder, folder)).collect();
    if let Some(path) = extra.iter().map(PathBuf::as_path).chain([cwd, &agent_dir]).find(|path| path.to_str().is_none())
    {
        return Err(not_utf8(path));
    }
    Ok(Request {
        cwd: text(cwd),
        agent_dir: text(&agent_dir),
        home: text(&home),
        model: prompt.model.clone(),
        tools: typed.tools.as_deref().map(named_tools),
        tool_file: read(typed.tools_file.as_deref(), disk, agents::read_tools)?.unwrap_or_default(),
        system_prompt: text_or_file(&typed.system_prompt)?,
        append: text_or_file(&typed.append_system_prompt)?,
        docs_dir: typed.docs_dir.clone(),
        skills: extra.iter().map(|folder| text(folder)).collect(),
        no_skills: typed.no_skills,
        no_context_files: typed.no_context_files,
        date: agents::shown(&now, protocol.texts.date_format),
        extensions: read(typed.extensions.as_deref(), disk, agents::read_extensions)?.unwrap_or_default(),
        messages: read(prompt.messages.as_deref(), disk, |source| {
            Ok(agents::placed(messages::entries(source)?, source))
        })?
        .unwrap_or_default(),
        prompt: user_prompt.map(str::to_string),
        turn: typed.turn,
    })
}

/// Why `--verify` is refused.
pub(super) fn unsigned() -> Diagnostic {
    wrong("an agent's files have no signatures", "leave --verify out")
}

/// The absolute path of `--cwd`, else of the working folder.
pub(super) fn working_folder(typed: &FolderFlags) -> PathBuf {
    let here = Surroundings::of_process().working_folder;
    typed.cwd.as_deref().map_or(here.clone(), |typed| absolute(&here, typed))
}

/// `--agent-dir`, else the protocol's default.
pub(super) fn agent_dir(typed: Option<&Path>, protocol: &Protocol, here: &Surroundings<'_>) -> PathBuf {
    match (typed, protocol.agent_dir.strip_prefix("~/")) {
        (Some(typed), _) => absolute(&here.working_folder, typed),
        (None, Some(rest)) => here.home.clone().unwrap_or_default().join(rest),
        (None, None) => PathBuf::from(&protocol.agent_dir),
    }
}

fn named_tools(typed: &str) -> Vec<Traced> {
    let names = typed.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(|name| Traced::of(name, Origin::Argument("tools".into()))).collect()
}

/// `TZ`, else the time zone of the system.
fn zone(here: &Surroundings<'_>) -> Option<String> {
    let variable = (here.variable)("TZ").and_then(|zone| zone.into_string().ok());
    let variable = variable.map(|zone| zone.trim_start_matches(':').to_string()).filter(|zone| !zone.is_empty());
    variable.or_else(|| {
        let place = Path::new("/etc/localtime");
        here.disk.record(place, Access::Probe);
        let system = std::fs::read_link(place).ok()?;
        Some(system.to_str()?.split_once("zoneinfo/")?.1.to_string())
    })
}

fn read<T>(
    path: Option<&Path>,
    disk: &Disk,
    parse: impl FnOnce(&Arc<Source>) -> Result<T, Diagnostic>,
) -> Result<Option<T>, Diagnostic> {
    path.map(|path| parse(&files::read(path, limits::FILE_BYTES, disk)?)).transpose()
}

/// The file at this path if it exists, else the text itself.
fn given(typed: &str, disk: &Disk) -> Result<GivenText, Diagnostic> {
    let path = Path::new(typed);
    let is_path = ["./", "../", "/"].iter().any(|start| typed.starts_with(start)) && !typed.contains('\n');
    let is_file = disk.is_file(path);
    if !is_file && is_path {
        return Err(wrong(&format!("file {typed} not found"), "name an existing file, or give the text itself"));
    }
    if !is_file {
        return Ok(GivenText::Text(typed.to_string()));
    }
    let bytes = files::bytes(path, limits::FILE_BYTES, disk)?;
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    Ok(GivenText::File(Source::read_raw(None, "".into(), text(&path), &bytes)))
}

pub(super) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
