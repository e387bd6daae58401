//! The request for the prompt of a protocol for folders.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::inputs;
use super::resolve::{Asked, check_utf8};
use crate::agents::{self, GivenText, Protocol, Request};
use crate::diagnostic::Diagnostic;
use crate::read::files;
use crate::read::limits;
use crate::read::store::{Access, Disk, Surroundings, absolute};
use crate::system::text;
use crate::text::{Origin, Source, Traced};

/// The request for the prompt of a protocol for folders. Reads the files that the flags name.
pub(super) fn of_protocol(
    asked: Asked<'_>,
    cwd: &Path,
    words: Option<&str>,
    protocol: &Protocol,
) -> Result<Request, Diagnostic> {
    let Asked { prompt, folder: typed, here } = asked;
    if let Some(flag) = prompt.of_directives() {
        let what = format!("{flag} requires a directive, but this is the prompt of a folder");
        return Err(Diagnostic::invalid(what, format!("leave it out, or leave out --protocol {}", protocol.name)));
    }
    if let Some(flag) = typed.of_agents() {
        return Err(Diagnostic::invalid(
            format!("{flag} does not apply to {}", protocol.name),
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
            return Err(Diagnostic::invalid(
                format!("folder {} not found", folder.display()),
                "name an existing folder",
            ));
        }
    }
    let text_or_file = |typed: &Option<String>| typed.as_deref().map(|typed| given(typed, disk)).transpose();
    let zone = typed.tz.clone().or_else(|| zone(here));
    let now = agents::now(typed.now.as_deref(), zone.as_deref()).map_err(Diagnostic::new)?;
    let extra: Vec<PathBuf> = typed.skills.iter().map(|folder| absolute(&here.working_folder, folder)).collect();
    check_utf8(extra.iter().map(PathBuf::as_path).chain([cwd, &agent_dir]))?;
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
            Ok(agents::placed(inputs::message_entries(source)?, source))
        })?
        .unwrap_or_default(),
        prompt: words.map(str::to_string),
        turn: typed.turn,
    })
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
        return Err(Diagnostic::invalid(
            format!("file {typed} not found"),
            "name an existing file, or give the text itself",
        ));
    }
    if !is_file {
        return Ok(GivenText::Text(typed.to_string()));
    }
    let bytes = files::bytes(path, limits::FILE_BYTES, disk)?;
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    Ok(GivenText::File(Source::read_raw(None, "".into(), text(&path), &bytes)))
}
