//! From what was typed to what is asked: files are read, tiers opened, values parsed.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use strum::VariantArray;

use indexmap::IndexSet;

use super::arguments::{self, PromptFlags, Redacted, Render, TierFlags, WhatIfFlags};
use super::{environment, files, inputs, messages};
use crate::diagnostic::{Diagnostic, Problem};
use crate::limits;
use crate::protocol::{Builtin, Protocol, Protocols};
use crate::render::Format;
use crate::request::{DirectiveRef, Mode, Redact, Request, ThreadEvent, WhatIf};
use crate::settings::Settings;
use crate::store::{
    DirectiveArgument, DirectiveFile, ReadOptions, Snapshot, Surroundings, TierArguments, TierKind, Tiers,
    find_project, find_tiers,
};

/// The assembler that has no directives.
const FOLDERS: &str = "sf";

/// Everything that a prompt depends on.
pub(super) struct Resolved {
    /// What is asked.
    pub request: Request,
    /// Where items are looked for.
    pub tiers: Tiers,
    /// The assembly rules.
    pub protocol: Protocol,
    /// What the tool is told about the project.
    pub settings: Settings,
    /// Warnings about settings and bundles.
    pub diagnostics: Vec<Diagnostic>,
}

impl Resolved {
    /// Reads what the arguments name.
    pub(super) fn new(directive: Option<&str>, typed: &PromptFlags) -> Result<Self, Diagnostic> {
        Self::at(directive, typed, None)
    }

    /// Reads what the arguments name of a project, with other bytes at a path of it.
    pub(super) fn replacing(typed: &PromptFlags, replaced: Option<(String, Vec<u8>)>) -> Result<Self, Diagnostic> {
        Self::of(None, typed, None, replaced)
    }

    /// Reads what the arguments name, the project as it is in a snapshot, if one is given.
    pub(super) fn at(
        directive: Option<&str>,
        typed: &PromptFlags,
        snapshot: Option<&Snapshot>,
    ) -> Result<Self, Diagnostic> {
        Self::of(directive, typed, snapshot, None)
    }

    fn of(
        directive: Option<&str>,
        typed: &PromptFlags,
        snapshot: Option<&Snapshot>,
        replaced: Option<(String, Vec<u8>)>,
    ) -> Result<Self, Diagnostic> {
        check(typed)?;
        let surroundings = surroundings();
        let named = directive.map(|typed| DirectiveArgument::parse(OsStr::new(typed))).transpose()?;
        let file = match &named {
            Some(DirectiveArgument::File(path)) => Some(match snapshot {
                None => DirectiveFile::resolve(path, &surroundings.working_folder)?,
                Some(snapshot) => DirectiveFile::resolve_at(path, &surroundings.working_folder, snapshot)?,
            }),
            _ => None,
        };
        let arguments = TierArguments { snapshot: snapshot.cloned(), ..tier_arguments(&typed.tiers, file.as_ref()) };
        let project = find_project(&arguments, &surroundings)?;
        let mut request = request(typed, shown_path(project.as_deref().unwrap_or(&surroundings.working_folder)))?;

        // The settings stand in the tiers, and name the protocol that decides which bundle is embedded.
        let (tiers, mut diagnostics) = find_tiers(&arguments, &surroundings, Builtin::Layers)?;
        let tiers = if replaced.is_some() { tiers.keeping(replaced) } else { tiers };
        let settings = Settings::read(&tiers, &mut diagnostics)?;
        let mut protocols = Protocols::default();
        settings.define(&mut protocols)?;
        for path in &typed.protocol_file {
            protocols.add_file(&files::read(path, limits::PROTOCOL_BYTES)?)?;
        }
        if typed.protocol.as_deref() == Some(FOLDERS) {
            let what = format!("this is asked of directives, and {FOLDERS} is for folders");
            return Err(wrong(&what, "ask for one folder, or leave --protocol out"));
        }
        let protocol = settings.choose(typed.protocol.as_deref(), &protocols);
        let protocol = protocol.map_err(|error| if typed.protocol.is_some() { or_folders(error) } else { error })?;
        let tiers = tiers.embedding(protocol.builtin);

        if let Some(file) = file {
            let source = Some(file.read(&tiers, snapshot)?);
            request.directive = DirectiveRef { id: file.id.to_string(), source };
        } else if let Some(DirectiveArgument::Id(id)) = named {
            request.directive.id = id.to_string();
        }
        let tiers = without(tiers, &typed.what_if.without_tier)?;
        let tiers = if directive.is_some() { tiers.of_one_prompt() } else { tiers };
        Ok(Self { request, tiers, protocol, settings, diagnostics })
    }
}

/// The error about a protocol that was typed, which may also be that of folders.
fn or_folders(mut error: Diagnostic) -> Diagnostic {
    if let Problem::UnknownProtocol { known, .. } = &mut error.problem {
        known.push(FOLDERS.to_string());
    }
    error
}

/// What the program finds around it.
pub(super) fn surroundings() -> Surroundings<'static> {
    Surroundings {
        working_folder: env::current_dir().unwrap_or_default(),
        home: env::home_dir().filter(|home| !home.as_os_str().is_empty()),
        variable: &|name| env::var_os(name),
    }
}

/// The tiers without those that are named, by label or by kind.
fn without(tiers: Tiers, names: &[String]) -> Result<Tiers, Diagnostic> {
    let kinds = TierKind::VARIANTS.iter().copied().map(|it| it.into_str());
    let labels = tiers.list().iter().map(|tier| &*tier.label);
    let valid: IndexSet<&str> = kinds.into_iter().chain(labels).collect();
    if let Some(name) = names.iter().find(|name| !valid.contains(name.as_str())) {
        let valid: Vec<_> = valid.into_iter().collect();
        let help = format!("use one of: {}", valid.join(", "));
        return Err(wrong(&format!("--without-tier {name}: there is no such tier"), &help));
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

/// A mistake of the arguments, and what to do about it.
pub(super) fn wrong(what: &str, help: &str) -> Diagnostic {
    Diagnostic::new(Problem::InvalidArgument { what: what.to_string(), help: Some(help.to_string()) })
}

/// What is no text cannot stand in a prompt, a finding or an id.
pub(super) fn not_utf8(path: &Path) -> Diagnostic {
    wrong(&format!("the path {} is not UTF-8", path.display()), "rename what is called so, or name something else")
}

/// What fits together no further than each flag alone.
pub(super) fn check_render(typed: &Render) -> Result<(), Diagnostic> {
    match typed.format {
        Some(format) if typed.role.is_some() && !matches!(format, Format::Text | Format::Plain) => {
            Err(wrong("--role selects a message of the formats text and plain only", "leave one of the two out"))
        }
        Some(format) if typed.all && format != Format::Json => Err(wrong("--all writes JSON", "leave --format out")),
        _ => Ok(()),
    }
}

/// Standard input is named by one flag at most; `further` is what a command's own flag names.
pub(super) fn check_stdin(typed: &PromptFlags, further: Option<&Path>) -> Result<(), Diagnostic> {
    let named = typed.inputs.iter().chain(&typed.messages).chain(&typed.env_file).chain(&typed.protocol_file);
    let named = named.map(PathBuf::as_path).chain(further);
    if named.filter(|path| files::is_stdin(path)).count() > 1 {
        return Err(wrong("standard input can be read only once", "name a file for all flags but one"));
    }
    Ok(())
}

fn check(typed: &PromptFlags) -> Result<(), Diagnostic> {
    let resumed = typed.event == arguments::Event::ThreadContinued;
    check_stdin(typed, None)?;
    match (resumed, &typed.messages) {
        (true, None) => Err(wrong("a resumed thread has earlier messages", "name their file with --messages")),
        (false, Some(_)) => Err(wrong("a fresh thread has no earlier messages", "add --event thread_continued")),
        _ => Ok(()),
    }
}

/// The request, its directive still open.
fn request(typed: &PromptFlags, project_path: String) -> Result<Request, Diagnostic> {
    let process = Some(env::vars_os()).filter(|_| !typed.no_env);
    Ok(Request {
        project_path,
        mode: match typed.mode {
            arguments::Mode::Thread => Mode::Thread,
            arguments::Mode::InThread => Mode::InThread,
        },
        event: match typed.event {
            arguments::Event::ThreadStarted => ThreadEvent::Started,
            arguments::Event::ThreadContinued => ThreadEvent::Continued,
        },
        messages: typed.messages.as_deref().map(messages::read).transpose()?.unwrap_or_default(),
        inputs: inputs::gather(typed.inputs.as_deref(), &typed.input.0)?,
        placeholders: typed.placeholders,
        environment: environment::gather(process.into_iter().flatten(), &typed.env_file, &typed.env)?.into(),
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
        what_if: what_if(&typed.what_if),
        ..Request::new("")
    })
}

fn what_if(typed: &WhatIfFlags) -> WhatIf {
    WhatIf {
        suppress: typed.suppress.clone(),
        set_extends: typed.set_extends.clone(),
        without_hooks: typed.without_hook.clone(),
        with_context: typed.with_context.clone(),
        without_tiers: typed.without_tier.clone(),
    }
}

/// The path as hook text sees it: absolute, without links where it exists.
fn shown_path(path: &Path) -> String {
    let whole = path.canonicalize().or_else(|_| std::path::absolute(path));
    whole.as_deref().unwrap_or(path).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::arguments::{Arguments, Command};

    fn checked(line: &str) -> Result<(), String> {
        let words = ["rye-render", "render"].into_iter().chain(line.split_whitespace());
        let Command::Render(typed) = Arguments::try_parse_from(words).unwrap().command else { unreachable!() };
        check_render(&typed.0).and_then(|()| check(&typed.0.prompt)).map_err(|diagnostic| diagnostic.message())
    }

    #[test]
    fn flags_must_fit_together() {
        assert_eq!(checked("x --role user --format plain"), Ok(()));
        assert!(checked("x --role user --format json").is_err());
        assert!(checked("--all -o out --format text").is_err());
        assert_eq!(checked("--all -o out --format json"), Ok(()));
        assert!(checked("x --event thread_continued").is_err());
        assert!(checked("x --messages m.json").is_err());
        assert_eq!(checked("x --event thread_continued --messages m.json"), Ok(()));
        assert_eq!(checked("x --inputs - --env-file e"), Ok(()));
        assert!(checked("x --inputs - --env-file -").is_err());
    }
}
