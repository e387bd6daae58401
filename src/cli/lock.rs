//! `lock`: the digests of all prompts, written to a file or checked against it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Exit;
use super::all_directives::{AllDirectives, RenderedAll};
use super::arguments::{LockArguments, PromptFlags, Redacted};
use super::output::{OutputTarget, print};
use super::resolve::{Resolved, relative_to_here, tier_arguments};
use super::run::{CommandOutcome, Run, has_error};
use super::{agent_choice, agent_folders, lock_agents};
use crate::answer::lock::{self, Check, Lock, LockSetup, LockView, Locked};
use crate::decide::request::{Mode, Redact};
use crate::diagnostic::{Diagnostic, Location};
use crate::read::store::{Disk, Surroundings, Tiers, find_project};
use crate::read::value::{Value, to_python_json};
use crate::read::{files, limits};
use crate::text::numbers::count;
use crate::text::words::quoted_for_shell;

/// Replaces the project's folder, which differs between clones.
const PROJECT_PATH: &str = "‹project_path›";

pub(super) fn run(mut typed: LockArguments, run: &mut Run<'_>) -> CommandOutcome {
    run.show_progress();
    check_arguments(&typed)?;
    let agents = agent_choice::named(typed.agent.as_deref(), &typed.prompt, &run.here)?;
    if agents.is_some()
        || !agent_folders::has_directives(&typed.prompt, None, &run.here)? && !is_of_directives(&typed, &run.here)?
    {
        return lock_agents::run(&mut typed, agents, run);
    }
    of_directives(&mut typed, run)
}

/// Refuses flags that a lock cannot depend on.
fn check_arguments(typed: &LockArguments) -> Result<(), Diagnostic> {
    let prompt = &typed.prompt;
    if !prompt.env.is_empty() || !prompt.env_file.is_empty() {
        return Err(Diagnostic::invalid(
            "a lock holds names of variables, not values",
            "leave --env and --env-file out",
        ));
    }
    if prompt.messages.is_some() {
        return Err(Diagnostic::invalid("a lock is for fresh threads", "leave --event and --messages out"));
    }
    if prompt.redact.contains(&Redacted::Inputs) && (prompt.inputs.is_some() || !prompt.input.0.is_empty()) {
        let help = "leave out the input, or --redact: a required input without a value is a placeholder";
        return Err(Diagnostic::invalid("a lock holds its inputs and cannot hide them", help));
    }
    Ok(())
}

fn of_directives(typed: &mut LockArguments, run: &mut Run<'_>) -> CommandOutcome {
    // The user's own items are on one machine only.
    typed.prompt.tiers.user_space.get_or_insert_with(|| PathBuf::from("none"));
    let mut resolved = Resolved::at(None, &typed.prompt, None, None, &run.here)?;
    resolved.request.project_path = PROJECT_PATH.to_string();
    // The lock holds the name of a variable or its declared default, not its value.
    resolved.request.environment = Arc::default();
    resolved.request.redact = Redact { env: true, unset_env: true, ..resolved.request.redact };
    let path = file(typed, &resolved.tiers)?;
    let empty = Lock {
        setup: LockSetup {
            protocol: Some(resolved.protocol.name.clone()),
            tiers: resolved.tiers.list().iter().map(|tier| tier.label.to_string()).collect(),
            agents: Vec::new(),
        },
        tokenizer: typed.tokenizer,
        flags: flags(&typed.prompt, &resolved),
        prompts: BTreeMap::new(),
    };
    let locked = locked(typed, &path, &empty)?;
    let all = AllDirectives::new(resolved, &mut run.diagnostics)?;
    let RenderedAll { rendered, failed } = all.render(|_, prompt| Ok(Locked::new(&prompt, typed.tokenizer)))?;
    let failed_ids: BTreeSet<String> = failed.keys().cloned().collect();
    run.diagnostics.extend(failed.into_values().flatten());
    let found = Lock { prompts: rendered, ..empty };
    finish(typed, &path, locked, found, (&all.directives, failed_ids), run)
}

/// Whether the lock to check holds prompts of directives, all of which may be gone.
fn is_of_directives(typed: &LockArguments, here: &Surroundings<'_>) -> Result<bool, Diagnostic> {
    let project = find_project(&tier_arguments(&typed.prompt.tiers, None), here)?;
    let path = typed.file.clone().or_else(|| Some(project?.join(lock::NAME)));
    let path = path.filter(|path| typed.check && !files::is_stdin(path) && path.exists());
    Ok(path.is_some_and(|path| read(&path).is_ok_and(|lock| lock.setup.protocol.is_some())))
}

/// Shows how the prompts differ from the lock, or writes it. Takes the files of all prompts that have one, and the ids of
/// those that failed.
pub(super) fn finish(
    typed: &LockArguments,
    path: &Path,
    locked: Option<Lock>,
    found: Lock,
    (places, failed): (&BTreeMap<String, Location>, BTreeSet<String>),
    run: &Run<'_>,
) -> CommandOutcome {
    match locked {
        Some(locked) => show(typed, path, &Check::new(locked, found, places, failed), run),
        None if has_error(&run.diagnostics) => Ok(Exit::Failure),
        None => write(path, &found),
    }
}

/// `--file`, else the default in the project.
fn file(typed: &LockArguments, tiers: &Tiers) -> Result<PathBuf, Diagnostic> {
    if let Some(path) = &typed.file {
        return Ok(path.clone());
    }
    let project = tiers.project_root();
    Ok(project.ok_or_else(no_project)?.join(lock::NAME))
}

pub(super) fn no_project() -> Diagnostic {
    Diagnostic::invalid("no project found", "go to its folder, or name it with --project")
}

/// All flags that the prompts depend on, except the protocol and the tiers.
fn flags(typed: &PromptFlags, resolved: &Resolved) -> Vec<String> {
    let one = |flag: &str, value: &Option<String>| value.iter().map(|value| format!("{flag} {value}")).collect();
    let pairs = |flag: &str, pairs: &mut dyn Iterator<Item = (&String, &Value)>| {
        pairs.map(|(name, value)| format!("{flag} {name}={}", to_python_json(value))).collect::<Vec<_>>()
    };
    let request = &resolved.request;
    let mut inputs = request.inputs.iter().map(|input| (&input.name, &input.value));
    let mut limits = request.limits.iter().map(|(name, value)| (name, value));
    let capabilities = typed.parent_capability.iter();
    [
        one("--model", &typed.model),
        Vec::from_iter((typed.mode == Mode::InThread).then(|| "--mode in-thread".to_string())),
        pairs("--limit", &mut limits),
        Vec::from_iter((typed.depth != 0).then(|| format!("--depth {}", typed.depth))),
        one("--parent-thread", &typed.parent_thread),
        one("--previous-thread", &typed.previous_thread),
        capabilities.map(|capability| format!("--parent-capability {capability}")).collect(),
        pairs("--input-json", &mut inputs),
        Vec::from_iter(request.redact.inputs.then(|| "--redact inputs".to_string())),
        request.what_if.flags(),
    ]
    .concat()
}

/// The lock to check, which must be one of the `current` kind. Read first, to fail early: rendering every prompt takes
/// longer.
fn locked(typed: &LockArguments, path: &Path, current: &Lock) -> Result<Option<Lock>, Diagnostic> {
    let locked = typed.check.then(|| read(path)).transpose()?;
    locked.as_ref().map_or(Ok(()), |locked| check_flags(locked, current))?;
    Ok(locked)
}

/// Reads the lock.
pub(super) fn read(path: &Path) -> Result<Lock, Diagnostic> {
    if !files::is_stdin(path) && !path.exists() {
        return Err(Diagnostic::invalid(
            format!("lock file {} not found", relative_to_here(path)),
            "write it with `rye-render lock`",
        ));
    }
    lock::read(&files::read(path, limits::WRITTEN_BYTES, &Disk::default())?)
}

/// Refuses a lock that was written with other flags than the `current` one.
pub(super) fn check_flags(locked: &Lock, current: &Lock) -> Result<(), Diagnostic> {
    let are_of_agents = [locked, current].iter().all(|lock| lock.setup.protocol.is_none());
    let agents_of = |lock: &Lock| if are_of_agents { &locked.setup } else { &lock.setup }.agents.join(",");
    let flags = |lock: &Lock| {
        let setup = match &lock.setup.protocol {
            Some(protocol) => format!("--protocol {protocol}"),
            // The check reports agents that differ.
            None => format!("--agent {}", agents_of(lock)),
        };
        let own = [setup, format!("--tokenizer {}", lock.tokenizer.into_str())];
        own.iter().chain(&lock.flags).map(|flag| quoted(flag)).collect::<Vec<_>>().join(" ")
    };
    let [was, is] = [locked, current].map(flags);
    if was == is {
        return Ok(());
    }
    let what = format!("the lock was written with {was} and cannot be compared with {is}");
    // Writing would not replace a lock of the other kind.
    let is_same_kind = locked.setup.protocol.is_some() == current.setup.protocol.is_some();
    let help = match is_same_kind {
        true => format!("run `rye-render lock --check {was}`, or update it with `rye-render lock {is}`"),
        false => format!("run `rye-render lock --check {was}`, or keep this lock in another file: `--file FILE`"),
    };
    Err(Diagnostic::invalid(what, help))
}

/// A flag and its value. The file may hold anything.
fn quoted(flag: &str) -> String {
    flag.splitn(2, ' ').map(quoted_for_shell).collect::<Vec<_>>().join(" ")
}

fn show(typed: &LockArguments, path: &Path, check: &Check, run: &Run<'_>) -> CommandOutcome {
    let printer = run.printer(None, false);
    let format = typed.format.unwrap_or_default();
    let view = LockView { format, file: &relative_to_here(path), screen: printer.screen };
    printer.output.write(|out| lock::write_check(check, &view, out))?;
    Ok(if check.is_same() { Exit::Success } else { Exit::Findings })
}

fn write(path: &Path, lock: &Lock) -> CommandOutcome {
    let output = OutputTarget::new(Some(path));
    if output != OutputTarget::Standard && holds_something_else(path) {
        let what = format!("{} is not a prompt lock and is not overwritten", relative_to_here(path));
        return Err(Diagnostic::invalid(what, "choose another file with --file").into());
    }
    let is_other = |old: Lock| old.setup.protocol.is_some() != lock.setup.protocol.is_some();
    if output != OutputTarget::Standard && read(path).is_ok_and(is_other) {
        let whose = if lock.setup.protocol.is_some() { "agents" } else { "directives" };
        let what = format!("{} holds the prompts of {whose} and is not overwritten", relative_to_here(path));
        return Err(Diagnostic::invalid(what, "choose another file with --file").into());
    }
    output.write_by("--file", |out| Ok(lock::write(lock, out)?))?;
    if output != OutputTarget::Standard {
        print(format!("{} in {}\n", count(lock.prompts.len(), "prompt"), relative_to_here(path)))?;
    }
    Ok(Exit::Success)
}

/// Whether a file holds anything but a lock.
fn holds_something_else(path: &Path) -> bool {
    let mut start = Vec::new();
    let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
    let is_read = is_file && File::open(path).is_ok_and(|file| file.take(64).read_to_end(&mut start).is_ok());
    is_read && !start.is_empty() && !lock::is_lock(&String::from_utf8_lossy(&start))
}
