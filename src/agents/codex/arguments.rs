//! The arguments that `codex` itself would be started with.

use super::{settings, toml};
use crate::agents::arguments::{AgentFlag, AgentFlags, invalid};
use crate::agents::files::joined;
use crate::agents::visit::Visit;
use crate::diagnostic::Diagnostic;
use crate::read::value::Value;
use crate::read::yaml::{NodeMap, YamlData, YamlNode};

/// The arguments that change the prompt.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub profile: Option<String>,
    /// The folder that the agent is started in, if it is not the working folder.
    pub folder: Option<String>,
    /// Settings, the last of which wins.
    pub settings: Vec<YamlNode>,
}

#[derive(Debug, Clone, Copy)]
enum Effect {
    Profile,
    Folder,
    /// `KEY=VALUE`.
    Setting,
    /// The value of this key.
    SettingOf(&'static str),
    /// A value of a key, without an argument.
    SettingTo(&'static str, &'static str),
}

static FLAGS: AgentFlags<Effect> = AgentFlags {
    joins_value: true,
    all: &[
        AgentFlag::value(&["--profile", "-p"], Effect::Profile),
        AgentFlag::value(&["--cd", "-C"], Effect::Folder),
        AgentFlag::value(&["--config", "-c"], Effect::Setting),
        AgentFlag::value(&["--model", "-m"], Effect::SettingOf("model")),
        AgentFlag::value(&["--sandbox", "-s"], Effect::SettingOf("sandbox_mode")),
        AgentFlag::value(&["--ask-for-approval", "-a"], Effect::SettingOf("approval_policy")),
        AgentFlag::switch(
            &["--dangerously-bypass-approvals-and-sandbox", "--yolo"],
            Effect::SettingTo("approval_policy", "never"),
        ),
        AgentFlag::ignored_value(&["--enable"]),
        AgentFlag::ignored_value(&["--disable"]),
        AgentFlag::ignored_value(&["--remote"]),
        AgentFlag::ignored_value(&["--remote-auth-token-env"]),
        AgentFlag::ignored_value(&["--image", "-i"]),
        AgentFlag::ignored_value(&["--local-provider"]),
        AgentFlag::ignored_value(&["--add-dir"]),
        AgentFlag::ignored_switch(&["--strict-config"]),
        AgentFlag::ignored_switch(&["--oss"]),
        AgentFlag::ignored_switch(&["--search"]),
        AgentFlag::ignored_switch(&["--no-alt-screen"]),
        AgentFlag::ignored_switch(&["--json"]),
        AgentFlag::ignored_switch(&["--skip-git-repo-check"]),
        AgentFlag::ignored_switch(&["--ephemeral"]),
        AgentFlag::ignored_value(&["--color"]),
        AgentFlag::ignored_value(&["--output-schema"]),
        AgentFlag::ignored_value(&["--output-last-message", "-o"]),
    ],
};

impl Arguments {
    pub fn read(visit: &mut Visit<'_>) -> Result<Self, Diagnostic> {
        let mut read = Self::default();
        for (effect, value) in FLAGS.read(visit)? {
            match effect {
                Effect::Profile => read.profile = Some(value),
                Effect::Folder => read.folder = Some(joined(&visit.request.cwd, &value)),
                Effect::Setting => read.settings.push(setting(&value)?),
                Effect::SettingOf(key) => read.settings.push(at(key, YamlNode::of(&Value::from(value)))),
                Effect::SettingTo(key, value) => read.settings.push(at(key, YamlNode::of(&Value::from(value)))),
            }
        }
        Ok(read)
    }
}

/// `KEY=VALUE` with a dotted key.
fn setting(typed: &str) -> Result<YamlNode, Diagnostic> {
    match typed.split_once('=') {
        Some((key, value)) => Ok(at(key.trim(), toml::value(value.trim()))),
        None => Err(invalid(format!("`--{} {typed}` has no `=`", settings::FLAG), "write KEY=VALUE".to_string())),
    }
}

/// Tables with a value at a dotted key.
fn at(key: &str, value: YamlNode) -> YamlNode {
    key.rsplit('.').fold(value, |inner, part| {
        let table = NodeMap::from_iter([(Value::from(part), inner)]);
        YamlNode { data: YamlData::Map(table), span: None }
    })
}
