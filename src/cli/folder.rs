//! The prompt of an agent in a folder: what was typed, and what is asked for with it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::{FolderFlags, PromptFlags};
use super::files;
use super::resolve::{not_utf8, surroundings, wrong};
use crate::diagnostic::{Diagnostic, Problem, without_place};
use crate::limits;
use crate::looked;
use crate::prompt::Prompt;
use crate::sf::{self, Applying, AtRevision, Disk, Files as _, Given, Kept, Kind, Protocol, Request};
use crate::store::{Access, Surroundings, absolute};
use crate::text::{Origin, Source, Traced};

/// The wording that was asked for, if it is `sf` or one of its siblings.
pub(super) fn protocol(typed: &PromptFlags) -> Result<Option<Protocol>, Diagnostic> {
    let Some(name) = &typed.protocol else { return Ok(None) };
    let mut known = vec![Protocol::default()];
    for path in &typed.protocol_file {
        known.extend(Protocol::read(&files::read(path, limits::PROTOCOL_BYTES)?, &known)?);
    }
    Ok(known.into_iter().rev().find(|protocol| protocol.name == *name))
}

/// What is asked of a folder, and in which words it is answered.
pub(super) struct Folder {
    /// What is asked.
    pub request: Request,
    /// The wording.
    pub protocol: Protocol,
}

impl Folder {
    /// Reads what the arguments name; `asked` is what the user says to the agent.
    pub(super) fn new(
        typed: &FolderFlags,
        prompt: &PromptFlags,
        asked: Option<&str>,
        protocol: Protocol,
    ) -> Result<Self, Diagnostic> {
        Self::of(&working_folder(typed), typed, prompt, asked, protocol)
    }

    /// The same of that folder, which need not be on the disk.
    pub(super) fn of(
        cwd: &Path,
        typed: &FolderFlags,
        prompt: &PromptFlags,
        asked: Option<&str>,
        protocol: Protocol,
    ) -> Result<Self, Diagnostic> {
        if let Some(flag) = prompt.of_directives() {
            let what = format!("{flag} is about a directive, and this is the prompt of a folder");
            return Err(wrong(&what, &format!("leave it out, or leave out --protocol {}", protocol.name)));
        }
        let request = request(cwd, typed, prompt, asked, &protocol)?;
        Ok(Self { request, protocol })
    }

    /// The prompt, with files as they are on the disk.
    pub(super) fn prompt(&self) -> Result<Prompt, Vec<Diagnostic>> {
        self.check_disk().map_err(|error| vec![error])?;
        sf::render(&self.request, &self.protocol, &Disk)
    }

    /// What applies to it, likewise.
    pub(super) fn applying(&self) -> Result<Applying, Vec<Diagnostic>> {
        self.check_disk().map_err(|error| vec![error])?;
        Applying::new(&self.request, &self.protocol, &Disk)
    }

    /// Whether it is there.
    fn check_disk(&self) -> Result<(), Diagnostic> {
        let cwd = &self.request.cwd;
        match Disk.kind(cwd) {
            Some(Kind::Folder) => Ok(()),
            _ => Err(wrong(&format!("there is no folder {cwd}"), "name one that is there with --cwd")),
        }
    }

    /// The prompt, with files as they are at a revision.
    pub(super) fn at(&self, files: &AtRevision) -> Result<Prompt, Vec<Diagnostic>> {
        let prompt = sf::render(&self.request, &self.protocol, files);
        // What is made of less than there is looks like a prompt, or like another mistake.
        files.failure().map_or(prompt, |error| Err(vec![error]))
    }
}

/// Why `--verify` is refused.
pub(super) fn unsigned() -> Diagnostic {
    let help = "leave --verify out: such files carry no signatures";
    wrong("nobody signs what an agent reads in a folder", help)
}

/// The working folder that is asked about, absolute.
pub(super) fn working_folder(typed: &FolderFlags) -> PathBuf {
    let here = surroundings().working_folder;
    typed.cwd.as_deref().map_or(here.clone(), |typed| absolute(&here, typed))
}

/// The agent's own folder: the one that was typed, else that of the wording.
pub(super) fn agent_dir(typed: Option<&Path>, protocol: &Protocol, here: &Surroundings<'_>) -> PathBuf {
    match (typed, protocol.agent_dir.strip_prefix("~/")) {
        (Some(typed), _) => absolute(&here.working_folder, typed),
        (None, Some(rest)) => here.home.clone().unwrap_or_default().join(rest),
        (None, None) => PathBuf::from(&protocol.agent_dir),
    }
}

fn request(
    cwd: &Path,
    flags: &FolderFlags,
    prompt: &PromptFlags,
    asked: Option<&str>,
    protocol: &Protocol,
) -> Result<Request, Diagnostic> {
    let here = surroundings();
    let home = here.home.clone().unwrap_or_default();
    let agent_dir = agent_dir(flags.agent_dir.as_deref(), protocol, &here);
    for folder in flags.agent_dir.iter().chain(&flags.skills) {
        let is_skill = folder.extension().is_some_and(|extension| extension == "md");
        let whole = absolute(&here.working_folder, folder);
        if !(looked::is_folder(&whole) || is_skill && looked::is_file(&whole)) {
            return Err(wrong(&format!("there is no folder {}", folder.display()), "name one that is there"));
        }
    }
    let text_or_file = |typed: &Option<String>| typed.as_deref().map(given).transpose();
    let zone = flags.tz.clone().or_else(|| zone(&here));
    let now = sf::now(flags.now.as_deref(), zone.as_deref()).map_err(Diagnostic::new)?;
    let extra: Vec<PathBuf> = flags.skills.iter().map(|folder| absolute(&here.working_folder, folder)).collect();
    if let Some(path) = extra.iter().map(PathBuf::as_path).chain([cwd, &agent_dir]).find(|path| path.to_str().is_none())
    {
        return Err(not_utf8(path));
    }
    Ok(Request {
        cwd: text(cwd),
        agent_dir: text(&agent_dir),
        home: text(&home),
        model: prompt.model.clone(),
        tools: flags.tools.as_deref().map(named_tools),
        tool_file: read(flags.tools_file.as_deref(), sf::read_tools)?.unwrap_or_default(),
        system_prompt: text_or_file(&flags.system_prompt)?,
        append: text_or_file(&flags.append_system_prompt)?,
        docs_dir: flags.docs_dir.clone(),
        skills: extra.iter().map(|folder| text(folder)).collect(),
        no_skills: flags.no_skills,
        no_context_files: flags.no_context_files,
        date: sf::shown(&now, protocol.texts.date_format),
        extensions: read(flags.extensions.as_deref(), sf::read_extensions)?.unwrap_or_default(),
        messages: read(prompt.messages.as_deref(), messages)?.unwrap_or_default(),
        prompt: asked.map(str::to_string),
        turn: flags.turn,
    })
}

/// Names with commas between them.
fn named_tools(typed: &str) -> Vec<Traced> {
    let names = typed.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(|name| Traced::of(name, Origin::Argument("tools".into()))).collect()
}

/// The time zone of the variable `TZ`, else that of the system.
fn zone(here: &Surroundings<'_>) -> Option<String> {
    let variable = (here.variable)("TZ").and_then(|zone| zone.into_string().ok());
    let variable = variable.map(|zone| zone.trim_start_matches(':').to_string()).filter(|zone| !zone.is_empty());
    variable.or_else(|| {
        let place = Path::new("/etc/localtime");
        looked::at(place, Access::Probe);
        let system = std::fs::read_link(place).ok()?;
        Some(system.to_str()?.split_once("zoneinfo/")?.1.to_string())
    })
}

/// Reads a file of the command line, if one is named.
fn read<T>(
    path: Option<&Path>,
    parse: impl FnOnce(&Arc<Source>) -> Result<T, Diagnostic>,
) -> Result<Option<T>, Diagnostic> {
    path.map(|path| parse(&files::read(path, limits::FILE_BYTES)?)).transpose()
}

fn messages(source: &Arc<Source>) -> Result<Vec<Kept>, Diagnostic> {
    let list: Vec<_> = serde_json::from_str(source.text()).map_err(|error| {
        let reason = without_place(&error.to_string()).to_string();
        files::at(source, Problem::InvalidMessages { reason }, Some((error.line(), error.column())))
    })?;
    limits::messages(source, list.len())?;
    Ok(sf::placed(list, source))
}

/// A file if there is one of that path, else the text itself.
fn given(typed: &str) -> Result<Given, Diagnostic> {
    let path = Path::new(typed);
    let is_path = ["./", "../", "/"].iter().any(|start| typed.starts_with(start)) && !typed.contains('\n');
    let is_file = looked::is_file(path);
    if !is_file && is_path {
        return Err(wrong(&format!("there is no file {typed}"), "name one that is there, or give the text itself"));
    }
    if !is_file {
        return Ok(Given::Text(typed.to_string()));
    }
    let bytes = files::bytes(path, limits::FILE_BYTES)?;
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    Ok(Given::File(Source::read_raw(None, "".into(), text(&path), &bytes)))
}

/// A path as the assembler has it.
pub(super) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
