//! The command that starts the agent.

use std::ffi::OsString;
use std::io;
use std::process::{Child, Command, Stdio};

use super::file_name;
use crate::agents::{Agent, Leading};
use crate::diagnostic::{Diagnostic, system_reason};
use crate::system;
use crate::text::words::quoted_for_shell;

/// A command, divided where the agent's own arguments begin.
pub(super) struct AgentCommand {
    /// The words up to the agent's name.
    program: Vec<String>,
    /// What the agent itself is started with.
    pub arguments: Vec<String>,
}

impl AgentCommand {
    /// The agent's own arguments follow its name, or the first word of the command.
    pub fn new(agent: &Agent, typed: &[OsString]) -> Result<Self, Diagnostic> {
        let text = |word: &OsString| word.clone().into_string().ok();
        let Some(mut words) = typed.iter().map(text).collect::<Option<Vec<String>>>() else {
            return Err(Diagnostic::invalid("the command is not UTF-8", "start the agent without it"));
        };
        if words.is_empty() {
            words.push(agent.program.to_string());
        }
        let is_agent = |word: &String| {
            let package = word.rsplit_once('@').map_or(word.as_str(), |(package, _)| package);
            file_name(word) == agent.program || agent.packages.iter().any(|known| [word, package].contains(known))
        };
        let end = words.iter().position(is_agent).unwrap_or(0) + 1;
        let arguments = words.split_off(end);
        Ok(Self { program: words, arguments })
    }

    /// Starts it without input. Its output goes to standard error.
    pub fn start(&self, variables: &[(&'static str, String)], more: &[String]) -> Result<Child, Diagnostic> {
        let mut words = self.program.iter().chain(more).chain(&self.arguments);
        // A command has at least the agent's name.
        let program = words.next().map(String::as_str).unwrap_or_default();
        let mut command = Command::new(program);
        let started = system::in_own_group(&mut command)
            .args(words)
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(io::stderr())
            .spawn();
        started.map_err(|error| {
            let what = format!("`{program}` cannot be started: {}", system_reason(&error));
            Diagnostic::invalid(what, "give the path of the program, or leave the command out and start it yourself")
        })
    }

    /// As a line for a shell.
    pub fn shown(&self, variables: &[(&'static str, String)], more: &[String]) -> String {
        let variables = variables.iter().map(|(name, value)| format!("{name}={}", quoted_for_shell(value)));
        let words = self.program.iter().chain(more).chain(&self.arguments).map(|word| quoted_for_shell(word));
        variables.chain(words).collect::<Vec<_>>().join(" ")
    }
}

const NO_PROXY: [&str; 2] = ["NO_PROXY", "no_proxy"];
const PROXIES: [&str; 3] = ["http_proxy", "https_proxy", "all_proxy"];
const LOOPBACK: &str = "127.0.0.1";

/// The variables that lead the agent here, past any proxy.
pub(super) fn variables(agent: &Agent, leading: &Leading<'_>) -> Vec<(&'static str, String)> {
    let set = |name: &str| (leading.variable)(name).filter(|value| !value.is_empty());
    let has_proxy = PROXIES.iter().any(|name| set(name).is_some() || set(&name.to_uppercase()).is_some());
    let exceptions = NO_PROXY.into_iter().filter(|_| has_proxy).map(|name| {
        let others = set(name).map_or(String::new(), |others| format!("{others},"));
        (name, format!("{others}{LOOPBACK}"))
    });
    (agent.connection.variables)(leading).into_iter().chain(exceptions).collect()
}
