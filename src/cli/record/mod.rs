//! `record`: what an agent sends, compared with what the rules predict. Its own text is kept.

mod command;
mod session;

use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

use super::Exit;
use super::arguments::RecordArguments;
use super::folder::{self, of_agent};
use super::output::print;
use super::run::{CommandOutcome, Run};
use crate::agents::{self, Agent, AgentRequest, FolderRules, Leading, Recording, Recordings, Taken};
use crate::answer::explain::sent::Departures;
use crate::answer::explain::{self, ExplainView, Explanation};
use crate::answer::recordings::{self, RecordingsView};
use crate::diagnostic::{Diagnostic, Problem, system_reason};
use crate::read::loopback::{Loopback, ModelRequest};
use crate::read::store::Disk;
use crate::system;
use crate::text::Source;
use crate::text::numbers::count;
use crate::text::visible::visible_line;

use command::AgentCommand;
use session::Session;

/// How long a request is waited for.
const LIMIT: Duration = Duration::from_secs(60);

pub(super) fn run(typed: &RecordArguments, run: &mut Run<'_>) -> CommandOutcome {
    let recordings =
        folder::recordings().ok_or_else(|| Diagnostic::invalid("the home folder is unknown", "set HOME"))?;
    let agent = typed.agent.as_deref().map(named).transpose()?;
    match agent {
        _ if typed.list => list(typed, agent, &recordings, run),
        Some(agent) if typed.forget => forget(agent, &recordings, &run.here.disk),
        Some(agent) => record(typed, agent, &recordings, run),
        // The parser requires one.
        None => {
            Err(Diagnostic::invalid("no agent is named", "name one of them: claude-code, codex, opencode or pi").into())
        }
    }
}

/// An agent, and the release if one is named.
type NamedAgent = (&'static Agent, Option<String>);

fn named(typed: &str) -> Result<NamedAgent, Diagnostic> {
    match folder::agent(typed)? {
        FolderRules::Agent(agent, version) => Ok((agent, version)),
        FolderRules::Protocol(protocol) => {
            Err(Diagnostic::invalid(format!("{} sends no requests", protocol.name), "record pi"))
        }
    }
}

fn record(
    typed: &RecordArguments,
    (agent, version): NamedAgent,
    recordings: &Recordings,
    run: &mut Run<'_>,
) -> CommandOutcome {
    let here = &run.here;
    let deadline = Instant::now() + LIMIT;
    let loopback = Loopback::listen(deadline).map_err(|error| failed("no address to listen on", &error))?;
    let url = loopback.url();
    let file = agent.connection.file.map(|_| temporary()).transpose()?;
    let path = file.as_ref().map(|file| system::text(file.path())).unwrap_or_default();
    let command = AgentCommand::new(agent, &typed.command)?;
    let variable = |name: &str| (here.variable)(name)?.into_string().ok();
    let is_shown = typed.command.is_empty();
    let leading = Leading { url: &url, variable: &variable, arguments: &command.arguments, file: &path, is_shown };
    if let (Some(text), Some(file)) = (agent.connection.file, &file) {
        std::fs::write(file.path(), text(&leading)).map_err(|error| failed("no temporary file", &error))?;
    }
    let variables = command::variables(agent, &leading);
    let interrupt = system::Interrupt::watch();
    let started = match is_shown {
        true => {
            let line = command.shown(&variables, &(agent.connection.arguments)(&leading));
            let line = visible_line(&line);
            say(&format!("Start {} in this folder within {} seconds:\n\n{line}\n\n", agent.name, LIMIT.as_secs()))?;
            None
        }
        false => Some(command.start(&variables, &(agent.connection.arguments)(&leading))?),
    };
    let session = Session { loopback, deadline, agent: agent.name, interrupt };
    let ModelRequest { body, product } = session.wait(started)?;

    let version = sent_version(agent, version, product.as_deref())?;
    let files = here.disk.in_its_order();
    let request = of_agent((agent, version), &folder::real(&here.working_folder, &files)?, None, here, &files)?;
    let mut request = AgentRequest { arguments: command.arguments, recording: None, notes: Vec::new(), ..request };
    for (name, value) in variables {
        if let Some(known) = agent.variables.iter().find(|known| **known == name) {
            request.variables.insert(known, value.clone());
        }
        request.environment.insert(name.to_string(), value);
    }
    let sent = folder::sent(&Source::read_raw(None, "".into(), "the request", &body))?.by_part();
    let Taken { recording, .. } = agents::take(&request, &sent.messages, &files);
    let prompt =
        agents::render_agent(&AgentRequest { recording: Some(Arc::new(recording.clone())), ..request }, &files);
    let departures = Departures::new(&prompt, sent);
    // Every command has flags that change nothing.
    let is_news = |it: &&Diagnostic| {
        !matches!(it.problem, Problem::AgentArgumentIgnored { .. } | Problem::OwnTextRecorded { .. })
    };
    run.diagnostics.extend(prompt.diagnostics.iter().filter(is_news).cloned());
    if prompt.refusal().is_some() {
        return Ok(Exit::Failure);
    }
    let has_departed = !departures.list.is_empty();
    // What a departing request does not give may be known from a better one.
    let earlier = recordings.read(agent.name, &recording.version, &here.disk).ok().flatten().filter(|_| has_departed);
    let kept = keep(recording, earlier.as_ref(), recordings)?;
    let answer = Explanation::Sent(Box::new(departures));
    let printer = run.printer(None, true);
    let view = ExplainView { screen: printer.screen, ..ExplainView::default() };
    printer.output.write(|out| {
        explain::write(&prompt, &answer, &view, out)?;
        Ok(write!(out, "\n{kept}\n")?)
    })?;
    Ok(if has_departed { Exit::Findings } else { Exit::Success })
}

/// Prints the recordings of all agents, or of one.
fn list(typed: &RecordArguments, named: Option<NamedAgent>, recordings: &Recordings, run: &Run<'_>) -> CommandOutcome {
    let (mut all, disk) = (Vec::new(), &run.here.disk);
    for agent in Agent::all() {
        for version in recordings.versions(agent.name, disk) {
            if named.as_ref().is_none_or(|named| is_meant(named, agent, &version)) {
                all.extend(recordings.read(agent.name, &version, disk)?);
            }
        }
    }
    let printer = run.printer(None, false);
    let format = typed.format.unwrap_or_default();
    let view = RecordingsView { format, screen: printer.screen };
    printer.output.write(|out| Ok(recordings::write(&all, &view, out)?))?;
    Ok(Exit::Success)
}

/// Removes the recordings of an agent, or of one release.
fn forget(named: NamedAgent, recordings: &Recordings, disk: &Disk) -> CommandOutcome {
    let agent = named.0;
    let versions = recordings.versions(agent.name, disk);
    let forgotten: Vec<&String> = versions.iter().filter(|version| is_meant(&named, agent, version)).collect();
    if forgotten.is_empty() {
        let known = "`rye-render record --list` shows what was recorded";
        return Err(Diagnostic::invalid(format!("nothing was recorded of {}", agent.name), known).into());
    }
    for version in &forgotten {
        recordings.forget(agent.name, version)?;
    }
    print(forgotten.iter().map(|version| format!("forgot {} {version}\n", agent.name)).collect::<String>())
}

fn is_meant((named, release): &NamedAgent, agent: &Agent, version: &str) -> bool {
    named.name == agent.name && release.as_ref().is_none_or(|release| release == version)
}

/// Keeps the agent's own text, and says what was kept.
fn keep(recording: Recording, earlier: Option<&Recording>, recordings: &Recordings) -> Result<String, Diagnostic> {
    let release = format!("{} {}", recording.agent, recording.version);
    if recording.texts.is_empty() {
        return Ok(format!("kept: nothing, since no text of {release} itself was found"));
    }
    let today = jiff::Zoned::now().date().to_string();
    let recording = Recording { date: Some(today), ..recording };
    let recording = match earlier {
        Some(earlier) => recording.completed(earlier),
        None => recording,
    };
    let path = recordings.keep(&recording)?;
    let texts = count(recording.texts.len(), "text");
    Ok(format!("kept: {texts} of {release} itself, in {}", path.display()))
}

/// The release that sent the request, if it says so, else the one that was named.
fn sent_version(agent: &Agent, named: Option<String>, product: Option<&str>) -> Result<Option<String>, Diagnostic> {
    let of_agent = |product: &&str| product.starts_with(agent.connection.product);
    let sent = product.filter(of_agent).and_then(|product| product.split_once('/')).map(|(_, version)| version);
    match (named, sent.filter(|version| agents::is_version(version))) {
        (Some(named), Some(sent)) if named != sent => {
            let what = format!("the request is from {} {sent}, not from {named}", agent.name);
            Err(Diagnostic::invalid(what, "start the other one, or leave the release out"))
        }
        (named, sent) => Ok(sent.map(str::to_string).or(named)),
    }
}

fn temporary() -> Result<NamedTempFile, Diagnostic> {
    let file = tempfile::Builder::new().prefix("rye-render-").suffix(".js").tempfile();
    file.map_err(|error| failed("no temporary file", &error))
}

/// Prints before the wait begins.
fn say(text: &str) -> Result<(), Diagnostic> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| failed("cannot be printed", &error))
}

fn failed(what: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::invalid(format!("{what}: {}", system_reason(error)), "try again")
}

/// The name of a program without its folder.
fn file_name(path: &str) -> &str {
    Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or_default()
}
