use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};

use super::values::{json_input, limit, pair, text_input, words};
use crate::decide::completes::Completes;
use crate::decide::request::{Mode, ThreadEvent, WhatIf};
use crate::read::limits;
use crate::read::value::Value;

/// Flags that change a prompt, the same for every command that renders one.
#[derive(Debug, Default, Args)]
pub struct PromptFlags {
    /// Set the model for conditions and request bodies.
    #[arg(long, value_name = "ID", help_heading = "Prompt")]
    pub model: Option<String>,

    /// Use a protocol: rye-1 to rye-4, sf or your own.
    ///
    /// sf is for coding agents' working folders. Default: the protocol of the settings, else rye-3.
    #[arg(long, value_name = "NAME", help_heading = "Prompt", add = Completes::Protocol)]
    pub protocol: Option<String>,

    /// Read a protocol definition from a file (repeatable).
    #[arg(long, value_name = "FILE", help_heading = "Prompt", hide_short_help = true)]
    pub protocol_file: Vec<PathBuf>,

    /// Run in a managed thread, or in the caller's own.
    #[arg(long, value_parser = words::<Mode>(), default_value = "thread")]
    #[arg(help_heading = "Prompt", hide_short_help = true)]
    pub mode: Mode,

    /// Start a fresh thread, or resume one (with --messages).
    #[arg(long, value_parser = words::<ThreadEvent>(), default_value = "thread_started")]
    #[arg(help_heading = "Prompt", hide_short_help = true)]
    pub event: ThreadEvent,

    /// Read earlier messages from a JSON list of {role, content}.
    #[arg(long, value_name = "FILE", help_heading = "Prompt", hide_short_help = true)]
    pub messages: Option<PathBuf>,

    /// Override a limit of the directive (repeatable).
    #[arg(long, value_name = "NAME=VALUE", value_parser = limit, help_heading = "Prompt", hide_short_help = true)]
    pub limit: Vec<(String, Value)>,

    /// Set the number of ancestor threads.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Prompt", hide_short_help = true)]
    pub depth: u64,

    /// Set the thread that starts this one.
    #[arg(long, value_name = "ID", help_heading = "Prompt", hide_short_help = true)]
    pub parent_thread: Option<String>,

    /// Set the thread that this one resumes.
    #[arg(long, value_name = "ID", help_heading = "Prompt", hide_short_help = true)]
    pub previous_thread: Option<String>,

    /// Set a capability of the parent thread (repeatable).
    ///
    /// The directive cannot exceed the capabilities of its parent.
    #[arg(long, value_name = "CAP", help_heading = "Prompt", hide_short_help = true)]
    pub parent_capability: Vec<String>,

    #[command(flatten)]
    pub input: InputFlags,

    /// Read inputs from JSON or YAML; - is standard input.
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub inputs: Option<PathBuf>,

    /// Show required inputs without a value as {input:name}.
    #[arg(long, help_heading = "Inputs")]
    pub placeholders: bool,

    /// Set a variable for {env:NAME} (repeatable).
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair, help_heading = "Inputs")]
    pub env: Vec<(String, String)>,

    /// Read variables from a file of NAME=VALUE lines (repeatable).
    #[arg(long, value_name = "FILE", help_heading = "Inputs", hide_short_help = true)]
    pub env_file: Vec<PathBuf>,

    /// Ignore the environment of this process.
    #[arg(long, help_heading = "Inputs", hide_short_help = true)]
    pub no_env: bool,

    /// Hide values of env, inputs, or both.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "Inputs", hide_short_help = true)]
    pub redact: Vec<Redacted>,

    #[command(flatten)]
    pub what_if: WhatIf,

    #[command(flatten)]
    pub tiers: TierFlags,
}

impl PromptFlags {
    /// The flags of a command about a whole project.
    pub fn of_project(tiers: TierFlags, protocol: Option<String>, protocol_file: Vec<PathBuf>) -> Self {
        Self { tiers, protocol, protocol_file, ..Self::default() }
    }

    /// A given flag that only the prompt of a directive can use.
    pub fn of_directives(&self) -> Option<String> {
        let what_if = self.what_if.flags();
        let what_if = what_if.first().and_then(|flag| flag.split(' ').next());
        let typed = [
            ("--mode", self.mode != Mode::Thread),
            ("--event", self.event != ThreadEvent::Started),
            ("--limit", !self.limit.is_empty()),
            ("--depth", self.depth != 0),
            ("--parent-thread", self.parent_thread.is_some()),
            ("--previous-thread", self.previous_thread.is_some()),
            ("--parent-capability", !self.parent_capability.is_empty()),
            ("--input", !self.input.0.is_empty()),
            ("--inputs", self.inputs.is_some()),
            ("--placeholders", self.placeholders),
            ("--env", !self.env.is_empty()),
            ("--env-file", !self.env_file.is_empty()),
            (what_if.unwrap_or_default(), what_if.is_some()),
            ("--project", self.tiers.project.is_some()),
            ("--user-space", self.tiers.user_space.is_some()),
            ("--system", !self.tiers.system.is_empty()),
            ("--follow-links", self.tiers.follow_links),
        ];
        typed.into_iter().find_map(|(flag, is_typed)| is_typed.then(|| flag.to_string()))
    }

    /// Hides values in published formats, unless `--redact` is given.
    pub fn hide_values(&mut self) {
        if self.redact.is_empty() {
            self.redact = vec![Redacted::Env, Redacted::Inputs];
        }
    }
}

/// `--input` and `--input-json` in the order typed, since the last value of a name wins.
#[derive(Debug, Default)]
pub struct InputFlags(pub Vec<(String, Value)>);

#[derive(Args)]
struct InputFlagsAsTwo {
    /// Set an input to text (repeatable).
    #[arg(short, long, value_name = "NAME=VALUE", value_parser = text_input, help_heading = "Inputs")]
    #[arg(add = Completes::Input)]
    input: Vec<(String, Value)>,

    /// Set an input to JSON (repeatable).
    #[arg(long, value_name = "NAME=JSON", value_parser = json_input, help_heading = "Inputs")]
    #[arg(add = Completes::Input)]
    input_json: Vec<(String, Value)>,
}

impl FromArgMatches for InputFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut typed = Vec::new();
        for flag in ["input", "input_json"] {
            let values = matches.get_many::<(String, Value)>(flag).into_iter().flatten();
            typed.extend(matches.indices_of(flag).into_iter().flatten().zip(values));
        }
        typed.sort_by_key(|(index, _)| *index);
        Ok(Self(typed.into_iter().map(|(_, input)| input.clone()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for InputFlags {
    fn augment_args(command: clap::Command) -> clap::Command {
        InputFlagsAsTwo::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        InputFlagsAsTwo::augment_args_for_update(command)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Redacted {
    Env,
    Inputs,
}

#[derive(Debug, Clone, Args)]
pub struct TierFlags {
    /// Set the folder that contains the project's .ai/.
    ///
    /// Default: RYE_PROJECT, else the nearest such folder searching up from the working folder.
    #[arg(long, value_name = "DIR", help_heading = "Tiers")]
    pub project: Option<PathBuf>,

    /// Set the folder that contains the user's .ai/, or none.
    ///
    /// Default: USER_SPACE, else the home folder. none also leaves out the user-wide settings.
    #[arg(long, value_name = "DIR", help_heading = "Tiers")]
    pub user_space: Option<PathBuf>,

    /// Set a bundle's folder, builtin or none (repeatable).
    ///
    /// Default: RYE_SYSTEM_SPACE, else the bundles that installed Python packages declare, else the embedded one.
    #[arg(long, value_name = "DIR", help_heading = "Tiers")]
    pub system: Vec<PathBuf>,

    /// Follow links out of the folder of their tier.
    #[arg(long, help_heading = "Tiers", hide_short_help = true)]
    pub follow_links: bool,

    /// Refuse larger items.
    #[arg(long, value_name = "BYTES", default_value_t = limits::FILE_BYTES, value_parser = clap::value_parser!(u64).range(..=limits::MOST_FILE_BYTES), help_heading = "Tiers", hide_short_help = true)]
    pub max_item_size: u64,
}

/// As if no flag was given.
impl Default for TierFlags {
    fn default() -> Self {
        let max_item_size = limits::FILE_BYTES;
        Self { project: None, user_space: None, system: Vec::new(), follow_links: false, max_item_size }
    }
}

#[derive(Debug, Clone, Copy, Default, Args)]
pub struct TrustFlags {
    /// Refuse parts without a trusted signature.
    ///
    /// The user or system tier must trust the key. explain shows the trust of every part instead.
    #[arg(long, help_heading = "Trust", hide_short_help = true)]
    pub verify: bool,

    /// Accept keys that only the project trusts (with --verify).
    #[arg(long, requires = "verify", help_heading = "Trust", hide_short_help = true)]
    pub trust_project_keys: bool,
}
