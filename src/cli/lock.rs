//! `lock`: the digests of all prompts, written down or checked.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Ended;
use super::arguments::{self, Color, Mode, PromptFlags, Redacted};
use super::every::Every;
use super::files;
use super::output::Output;
use super::progress;
use super::report::{Outcome, Report};
use super::resolve::{Resolved, wrong};
use super::terminal::{theme, variable, width};
use crate::diagnostic::{Diagnostic, Severity};
use crate::layout::count;
use crate::limits;
use crate::lock::{self, Check, Format, Lock, Locked, View};
use crate::request::Redact;
use crate::store::Tiers;
use crate::value::{Value, to_python_json};

/// What stands for the folder of the project: every clone has another one.
const PROJECT_PATH: &str = "‹project_path›";

/// Runs the command.
pub(super) fn run(mut typed: arguments::Lock, color: Color) -> Ended {
    // The user's own items are on one machine alone.
    typed.prompt.tiers.user_space.get_or_insert_with(|| PathBuf::from("none"));
    let report = Report::new(typed.format == Some(Format::Json), color);
    progress::begin(report);
    let outcome = check_arguments(&typed).map_err(|error| vec![error]).and_then(|()| write_or_check(&typed, color));
    report.end(&outcome)
}

/// Refuses what cannot decide the prompts of a lock.
fn check_arguments(typed: &arguments::Lock) -> Result<(), Diagnostic> {
    let prompt = &typed.prompt;
    if !prompt.env.is_empty() || !prompt.env_file.is_empty() {
        return Err(wrong("variables stand in a lock by their names alone", "leave --env and --env-file out"));
    }
    if prompt.messages.is_some() {
        return Err(wrong("a lock is of threads that begin", "leave --event and --messages out"));
    }
    if prompt.redact.contains(&Redacted::Inputs) && (prompt.inputs.is_some() || !prompt.input.0.is_empty()) {
        let help = "leave the input out, or --redact: a required one stands as a placeholder";
        return Err(wrong("a lock holds the inputs that it is given, and cannot hide them", help));
    }
    Ok(())
}

fn write_or_check(typed: &arguments::Lock, color: Color) -> Outcome {
    let mut resolved = Resolved::new(None, &typed.prompt).map_err(|error| vec![error])?;
    resolved.request.project_path = PROJECT_PATH.to_string();
    // A default stands where it is written, and everything else that asks for a variable shows its name.
    resolved.request.environment = Arc::default();
    resolved.request.redact = Redact { env: true, unset_env: true, ..resolved.request.redact };
    let path = file(typed, &resolved.tiers).map_err(|error| vec![error])?;
    let empty = Lock {
        protocol: resolved.protocol.name.clone(),
        tokenizer: typed.tokenizer,
        tiers: resolved.tiers.list().iter().map(|tier| tier.label.to_string()).collect(),
        flags: flags(&typed.prompt, &resolved),
        prompts: Default::default(),
    };
    // Whether there is anything to compare with is known before every prompt is rendered.
    let locked = typed.check.then(|| locked(&path, &empty)).transpose().map_err(|error| vec![error])?;
    let (every, mut diagnostics) = Every::new(resolved)?;
    let each = match every.each(|_, prompt| Ok(Locked::new(&prompt, typed.tokenizer))) {
        Ok(each) => each,
        Err(error) => {
            diagnostics.push(error);
            return Err(diagnostics);
        }
    };
    let failed: BTreeSet<String> = each.failed.keys().cloned().collect();
    diagnostics.extend(each.failed.into_values().flatten());
    let found = Lock { prompts: each.made, ..empty };
    let is_complete = diagnostics.iter().all(|diagnostic| diagnostic.severity() < Severity::Error);
    let outcome = match locked {
        Some(locked) => show(typed, &path, &Check::new(locked, found, &every.directives, failed), color),
        None if is_complete => write(&path, &found).map(|()| false),
        None => Ok(false),
    };
    match outcome {
        Ok(differs) if is_complete => Ok((differs, diagnostics)),
        Ok(_) => Err(diagnostics),
        Err(error) => {
            diagnostics.push(error);
            Err(diagnostics)
        }
    }
}

/// The file that holds the lock.
fn file(typed: &arguments::Lock, tiers: &Tiers) -> Result<PathBuf, Diagnostic> {
    if let Some(path) = &typed.file {
        return Ok(path.clone());
    }
    let project = tiers.project_root().ok_or_else(|| {
        wrong("there is no project whose prompts could be locked", "go to its folder, or name it with --project")
    })?;
    Ok(project.join(lock::NAME))
}

/// Everything besides protocol and tiers that decides the prompts, as it is typed.
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

/// The lock that the file holds.
fn locked(path: &Path, asked: &Lock) -> Result<Lock, Diagnostic> {
    if !files::is_stdin(path) && !path.exists() {
        return Err(wrong(&format!("there is no lock {}", shown(path)), "write it with `rye-render lock`"));
    }
    let source = files::read(path, limits::WRITTEN_BYTES)?;
    let locked = lock::read(&source)?;
    let asked_by = |lock: &Lock| {
        let own = [format!("--protocol {}", lock.protocol), format!("--tokenizer {}", lock.tokenizer.into_str())];
        own.iter().chain(&lock.flags).map(|flag| typed_in_shell(flag)).collect::<Vec<_>>().join(" ")
    };
    let [was, is] = [&locked, asked].map(asked_by);
    if was != is {
        let what = format!("the lock was written with {was}, and cannot be compared with {is}");
        let help = format!("run `rye-render lock --check {was}`, or write it anew with `rye-render lock`");
        return Err(wrong(&what, &help));
    }
    Ok(locked)
}

/// A flag and its value, as a shell takes them for just that, whatever the file holds.
fn typed_in_shell(flag: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    let quoted = |word: &str| match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    };
    flag.splitn(2, ' ').map(quoted).collect::<Vec<_>>().join(" ")
}

fn show(typed: &arguments::Lock, path: &Path, check: &Check, color: Color) -> Result<bool, Diagnostic> {
    let output = Output::Standard;
    let view = View {
        format: typed.format.unwrap_or_default(),
        file: &shown(path),
        theme: theme(color, output.is_terminal(), variable),
        width: width(output.terminal_width(), variable),
    };
    output.write(|out| lock::write_check(check, &view, out))?;
    Ok(!check.is_same())
}

fn write(path: &Path, found: &Lock) -> Result<(), Diagnostic> {
    let output = Output::new(Some(path));
    if output != Output::Standard && holds_something_else(path) {
        let what = format!("{} is no prompt lock, and is not overwritten", shown(path));
        return Err(wrong(&what, "choose another file with --file"));
    }
    output.write_by("--file", |out| Ok(lock::write(found, out)?))?;
    if output != Output::Standard {
        let line = format!("{} in {}\n", count(found.prompts.len(), "prompt"), shown(path));
        Output::Standard.write(|out| Ok(out.write_all(line.as_bytes())?))?;
    }
    Ok(())
}

/// Whether a file holds anything but a lock.
fn holds_something_else(path: &Path) -> bool {
    let mut begun = Vec::new();
    let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
    let read = is_file && File::open(path).is_ok_and(|file| file.take(64).read_to_end(&mut begun).is_ok());
    read && !begun.is_empty() && !lock::is_lock(&String::from_utf8_lossy(&begun))
}

/// A path as people read it: from the working folder, if it lies there.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).to_string_lossy().into_owned()
}
