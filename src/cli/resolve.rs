//! Turns flags into the request, the tiers, the protocol and the settings.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::{FolderFlags, PromptFlags, Redacted, TierFlags};
use super::inputs;
use super::run::Run;
use crate::decide::request::{DirectiveRef, Redact, Request, ThreadEvent};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::protocol::{Builtin, Protocol, Protocols};
use crate::read::settings::{self, Settings};
use crate::read::store::{
    DirectiveArgument, DirectiveFile, Disk, ReadOptions, Snapshot, Surroundings, TierArguments, TierKind, Tiers,
    find_project, find_tiers,
};
use crate::read::{environment, files, limits};
use crate::text::Source;
use crate::text::visible::visible_line;
use crate::text::words::words;

/// The protocol that renders folders.
const FOLDERS: &str = "sf";

/// What was typed about a prompt, and where.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub prompt: &'a PromptFlags,
    pub folder: &'a FolderFlags,
    pub here: &'a Surroundings<'a>,
}

pub(super) struct Resolved {
    pub request: Request,
    pub tiers: Tiers,
    pub protocol: Protocol,
    pub settings: Settings,
    /// Warnings about settings and bundles.
    pub diagnostics: Vec<Diagnostic>,
}

impl Resolved {
    /// Resolves the flags of a command, and reports the warnings.
    pub(super) fn new(directive: Option<&str>, typed: &PromptFlags, run: &mut Run<'_>) -> Result<Self, Diagnostic> {
        let mut resolved = Self::at(directive, typed, None, None, &run.here)?;
        run.diagnostics.append(&mut resolved.diagnostics);
        Ok(resolved)
    }

    /// Resolves with the project's files from a snapshot, or with the bytes of one file replaced.
    pub(super) fn at(
        directive: Option<&str>,
        typed: &PromptFlags,
        snapshot: Option<&Snapshot>,
        replaced: Option<(String, Vec<u8>)>,
        here: &Surroundings<'_>,
    ) -> Result<Self, Diagnostic> {
        check(typed)?;
        let named = directive.map(|typed| DirectiveArgument::parse(OsStr::new(typed))).transpose()?;
        let file = match &named {
            Some(DirectiveArgument::File(path)) => Some(match snapshot {
                None => DirectiveFile::resolve(path, &here.working_folder)?,
                Some(snapshot) => DirectiveFile::resolve_at(path, &here.working_folder, snapshot)?,
            }),
            _ => None,
        };
        let arguments = TierArguments { snapshot: snapshot.cloned(), ..tier_arguments(&typed.tiers, file.as_ref()) };
        let project = find_project(&arguments, here)?;
        let mut request = request(typed, shown_path(project.as_deref().unwrap_or(&here.working_folder)), &here.disk)?;

        // The settings in the tiers name the protocol, which determines the embedded bundle.
        let (tiers, mut diagnostics) = find_tiers(&arguments, here, Builtin::Layers)?;
        let tiers = if replaced.is_some() { tiers.keeping(replaced) } else { tiers };
        let settings = Settings::read(&tiers, user_config(&typed.tiers, &here.disk)?, &mut diagnostics)?;
        let mut protocols = Protocols::default();
        settings.define(&mut protocols)?;
        for path in &typed.protocol_file {
            protocols.add_file(&files::read(path, limits::PROTOCOL_BYTES, &here.disk)?)?;
        }
        if typed.protocol.as_deref() == Some(FOLDERS) {
            let what = format!("this command works on directives; `{FOLDERS}` renders folders");
            return Err(Diagnostic::invalid(what, "leave --protocol out, or render one folder"));
        }
        let protocol = settings.choose(typed.protocol.as_deref(), &protocols, tiers.installed(), &mut diagnostics);
        let protocol = protocol.map_err(|error| if typed.protocol.is_some() { or_folders(error) } else { error })?;
        let tiers = tiers.embedding(protocol.builtin);

        if let Some(file) = file {
            let source = Some(file.read(&tiers, snapshot)?);
            request.directive = DirectiveRef { id: file.id.to_string(), source };
        } else if let Some(DirectiveArgument::Id(id)) = named {
            request.directive.id = id.to_string();
        }
        let tiers = without_tiers(tiers, &typed.what_if.without_tiers)?;
        let tiers = if directive.is_some() { tiers.of_one_prompt() } else { tiers };
        Ok(Self { request, tiers, protocol, settings, diagnostics })
    }
}

/// Adds the folder protocol to the error's suggestions.
fn or_folders(mut error: Diagnostic) -> Diagnostic {
    if let Problem::UnknownProtocol { known, .. } = &mut error.problem {
        known.push(FOLDERS.to_string());
    }
    error
}

/// The user-wide settings of the tool. `--user-space none` leaves them out, since they too exist on one machine only.
pub(super) fn user_config(typed: &TierFlags, disk: &Disk) -> Result<Option<Arc<Source>>, Diagnostic> {
    if typed.user_space.as_deref() == Some(Path::new("none")) { Ok(None) } else { settings::user_wide(disk) }
}

/// Removes tiers by label or kind.
fn without_tiers(tiers: Tiers, names: &[String]) -> Result<Tiers, Diagnostic> {
    let mut known = words::<TierKind>();
    for tier in tiers.list().iter().filter(|tier| !words::<TierKind>().contains(&&*tier.label)) {
        known.push(&tier.label);
    }
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(Diagnostic::invalid(format!("unknown tier `{name}`"), format!("use one of: {}", known.join(", "))));
    }
    let is_named = |name: &str| names.iter().any(|named| named == name);
    Ok(tiers.filter(|tier| !is_named(tier.kind.into_str()) && !is_named(&tier.label)))
}

pub(super) fn tier_arguments(typed: &TierFlags, file: Option<&DirectiveFile>) -> TierArguments {
    TierArguments {
        project: typed.project.clone().or_else(|| file?.project.clone()),
        user_space: typed.user_space.clone().map(PathBuf::into_os_string),
        system: typed.system.iter().map(|folder| folder.clone().into_os_string()).collect(),
        follow_links: typed.follow_links,
        snapshot: None,
        read: ReadOptions { max_item_size: typed.max_item_size },
    }
}

/// The path relative to the working folder, if it is below it.
pub(super) fn relative_to_here(path: &Path) -> String {
    let below = path.strip_prefix(Surroundings::of_process().working_folder);
    let shown = below.map(|below| if below.as_os_str().is_empty() { Path::new(".") } else { below });
    shown.unwrap_or(path).to_string_lossy().into_owned()
}

/// A path on one line, with control characters escaped.
pub(super) fn visible_path(path: &Path) -> String {
    visible_line(&path.to_string_lossy()).into_owned()
}

/// Paths must be UTF-8, because they appear in prompts, findings and ids.
pub(super) fn not_utf8(path: &Path) -> Diagnostic {
    Diagnostic::invalid(
        format!("the path {} is not UTF-8", path.display()),
        "rename the file or folder, or name another",
    )
}

/// Refuses the first path that is not UTF-8.
pub(super) fn check_utf8(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<(), Diagnostic> {
    let refused = paths.into_iter().find(|path| path.as_ref().to_str().is_none());
    refused.map_or(Ok(()), |path| Err(not_utf8(path.as_ref())))
}

/// Refuses standard input for more than one flag; `other` is the path of another flag of the command.
pub(super) fn check_stdin(typed: &PromptFlags, other: Option<&Path>) -> Result<(), Diagnostic> {
    let paths = typed.inputs.iter().chain(&typed.messages).chain(&typed.env_file).chain(&typed.protocol_file);
    let paths = paths.map(PathBuf::as_path).chain(other);
    if paths.filter(|path| files::is_stdin(path)).count() > 1 {
        return Err(Diagnostic::invalid("standard input can be read only once", "name files for the other flags"));
    }
    Ok(())
}

fn check(typed: &PromptFlags) -> Result<(), Diagnostic> {
    let resumed = typed.event == ThreadEvent::Continued;
    check_stdin(typed, None)?;
    match (resumed, &typed.messages) {
        (true, None) => Err(Diagnostic::invalid("a resumed thread needs its earlier messages", "add --messages FILE")),
        (false, Some(_)) => {
            Err(Diagnostic::invalid("--messages is only for a resumed thread", "add --event thread_continued"))
        }
        _ => Ok(()),
    }
}

fn request(typed: &PromptFlags, project_path: String, disk: &Disk) -> Result<Request, Diagnostic> {
    let process = Some(env::vars_os()).filter(|_| !typed.no_env);
    Ok(Request {
        project_path,
        mode: typed.mode,
        event: typed.event,
        messages: typed.messages.as_deref().map(|path| inputs::messages(path, disk)).transpose()?.unwrap_or_default(),
        inputs: inputs::gather(typed.inputs.as_deref(), &typed.input.0, disk)?,
        placeholders: typed.placeholders,
        environment: environment::gather(process.into_iter().flatten(), &typed.env_file, &typed.env, disk)?.into(),
        redact: Redact {
            env: typed.redact.contains(&Redacted::Env),
            unset_env: false,
            inputs: typed.redact.contains(&Redacted::Inputs),
        },
        model: typed.model.clone(),
        limits: typed.limit.clone(),
        depth: typed.depth,
        parent_thread: typed.parent_thread.clone(),
        previous_thread: typed.previous_thread.clone(),
        parent_capabilities: typed.parent_capability.clone(),
        what_if: typed.what_if.clone(),
        ..Request::new("")
    })
}

/// The path as hook text shows it: absolute and, if it exists, without symbolic links.
fn shown_path(path: &Path) -> String {
    let whole = path.canonicalize().or_else(|_| std::path::absolute(path));
    whole.as_deref().unwrap_or(path).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::arguments::{Arguments, Command};

    #[test]
    fn flags_that_contradict_each_other_are_refused() {
        let checked = |line: &str| {
            let words = ["rye-render", "render"].into_iter().chain(line.split_whitespace());
            let Command::Render(typed) = Arguments::try_parse_from(words).unwrap().command else { unreachable!() };
            check(&typed.0.prompt).map_err(|diagnostic| diagnostic.message())
        };
        assert!(checked("x --event thread_continued").is_err());
        assert!(checked("x --messages m.json").is_err());
        assert_eq!(checked("x --event thread_continued --messages m.json"), Ok(()));
        assert_eq!(checked("x --inputs - --env-file e"), Ok(()));
        assert!(checked("x --inputs - --env-file -").is_err());
    }
}
