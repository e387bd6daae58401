use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::decide::completes::Completes;

/// The flag that an agent's own arguments become.
pub const AGENT_ARGUMENT: &str = "agent-argument";

/// The arguments after `--` as values of a flag, if the line names an agent. On any other line `--` only ends the
/// flags.
pub fn with_agent_arguments(arguments: Vec<OsString>) -> Vec<OsString> {
    let names_agent = |word: &OsString| {
        let word = word.to_string_lossy();
        let flag = word.split_once('=').map_or(&*word, |(flag, _)| flag);
        matches!(flag, "--agent" | "--left-agent" | "--right-agent")
    };
    let end = arguments.iter().position(|word| word == "--");
    let Some((flags, rest)) = end.map(|end| arguments.split_at(end)).filter(|(flags, _)| flags.iter().any(names_agent))
    else {
        return arguments;
    };
    let as_flag = |word: &OsString| {
        let mut flag = OsString::from(format!("--{AGENT_ARGUMENT}="));
        flag.push(word);
        flag
    };
    flags.iter().cloned().chain(rest[1..].iter().map(as_flag)).collect()
}

/// Flags for the prompt of a folder (`--agent`, `--protocol sf`).
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Folder (--protocol sf)")]
pub struct FolderFlags {
    /// Show what a coding agent is told in a folder.
    ///
    /// NAME is claude-code, codex, opencode, pi or sf. The argument is then the folder [default: the working folder].
    /// NAME@VERSION uses the rules of that release [default: the installed release, else the newest one known]. `list` and
    /// `chain` also take several agents, as A,B. Arguments after -- are those that the agent itself would be started with.
    #[arg(long, value_name = "NAME", conflicts_with = "protocol", help_heading = "Prompt", add = Completes::Agent)]
    pub agent: Option<String>,

    /// What the agent itself would be started with; see [`with_agent_arguments`].
    #[arg(long = AGENT_ARGUMENT, hide = true, value_name = "ARG", require_equals = true)]
    pub agent_arguments: Vec<String>,

    /// Set the working folder.
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub cwd: Option<PathBuf>,

    /// Set the agent's folder in the home folder.
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub agent_dir: Option<PathBuf>,

    /// Take the agent's own text from a recorded request.
    #[arg(long, value_name = "FILE", help_heading = "Prompt", hide_short_help = true)]
    pub base: Option<PathBuf>,

    /// Show what joins when the agent reads this file (repeatable).
    #[arg(long, value_name = "FILE", help_heading = "Prompt", hide_short_help = true)]
    pub touch: Vec<PathBuf>,

    /// Set the active tools in order; '' is none.
    #[arg(long, value_name = "A,B", hide_short_help = true)]
    pub tools: Option<String>,

    /// Read more tools from a file (JSON or YAML).
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub tools_file: Option<PathBuf>,

    /// Set the base of the system prompt.
    #[arg(long, value_name = "TEXT|FILE", hide_short_help = true, value_hint = ValueHint::FilePath)]
    pub system_prompt: Option<String>,

    /// Append to the base of the system prompt.
    #[arg(long, value_name = "TEXT|FILE", hide_short_help = true, value_hint = ValueHint::FilePath)]
    pub append_system_prompt: Option<String>,

    /// Read the effects of extensions from a file (JSON or YAML).
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub extensions: Option<PathBuf>,

    /// Show the prompt for the N-th user prompt, after extensions.
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub turn: Option<usize>,

    /// Set the folder of the agent's documentation.
    #[arg(long, value_name = "DIR", hide_short_help = true, value_hint = ValueHint::DirPath)]
    pub docs_dir: Option<String>,

    /// Search this folder for skills, too (repeatable).
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub skills: Vec<PathBuf>,

    /// Leave out skills.
    #[arg(long, hide_short_help = true)]
    pub no_skills: bool,

    /// Leave out AGENTS.md and CLAUDE.md files.
    #[arg(long, hide_short_help = true)]
    pub no_context_files: bool,

    /// Use this time: 2026-03-07T14:55:05Z.
    #[arg(long, value_name = "TIMESTAMP", hide_short_help = true)]
    pub now: Option<String>,

    /// Use this time zone: America/Chicago.
    #[arg(long, value_name = "ZONE", hide_short_help = true)]
    pub tz: Option<String>,
}

impl FolderFlags {
    /// A given flag that a directive cannot use. `--now` and `--tz` work with any protocol that has a clock.
    pub fn first(&self) -> Option<&'static str> {
        let typed = [
            ("-- ARGS", !self.agent_arguments.is_empty()),
            ("--cwd", self.cwd.is_some()),
            ("--agent-dir", self.agent_dir.is_some()),
        ];
        let first = typed.into_iter().find_map(|(flag, is_typed)| is_typed.then_some(flag));
        first.or_else(|| self.of_agents()).or_else(|| self.of_protocols())
    }

    /// A given flag that no protocol can use.
    pub fn of_agents(&self) -> Option<&'static str> {
        let typed = [("--touch", !self.touch.is_empty()), ("--base", self.base.is_some())];
        typed.into_iter().find_map(|(flag, is_typed)| is_typed.then_some(flag))
    }

    /// A given flag that only a protocol such as `sf` can use.
    pub fn of_protocols(&self) -> Option<&'static str> {
        let typed = [
            ("--tools", self.tools.is_some()),
            ("--tools-file", self.tools_file.is_some()),
            ("--system-prompt", self.system_prompt.is_some()),
            ("--append-system-prompt", self.append_system_prompt.is_some()),
            ("--extensions", self.extensions.is_some()),
            ("--turn", self.turn.is_some()),
            ("--docs-dir", self.docs_dir.is_some()),
            ("--skills", !self.skills.is_empty()),
            ("--no-skills", self.no_skills),
            ("--no-context-files", self.no_context_files),
        ];
        typed.into_iter().find_map(|(flag, is_typed)| is_typed.then_some(flag))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_an_agent_follow_two_dashes() {
        let changed = |line: &str| {
            let words = line.split_whitespace().map(OsString::from).collect();
            with_agent_arguments(words)
                .iter()
                .map(|word| word.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(changed("render -- deploy"), "render -- deploy");
        assert_eq!(changed("render --agent pi"), "render --agent pi");
        assert_eq!(
            changed("diff a --left-agent=pi -- --tools read --"),
            "diff a --left-agent=pi --agent-argument=--tools --agent-argument=read --agent-argument=--"
        );
    }
}
