//! The arguments that `codex` itself would be started with.

use super::{settings, toml};
use crate::agents::arguments::{AgentFlag, AgentFlags};
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
    pub settings: Vec<Result<YamlNode, Diagnostic>>,
}

pub(super) static FLAGS: AgentFlags<Arguments> = AgentFlags {
    joins_value: true,
    all: &[
        AgentFlag::new("--profile|-p=", |read, profile| read.profile = Some(profile)),
        AgentFlag::new("--cd|-C=", |read, folder| read.folder = Some(folder)),
        AgentFlag::new("--config|-c=", |read, typed| read.settings.push(setting(&typed))),
        AgentFlag::new("--model|-m=", |read, model| read.set("model", &model)),
        AgentFlag::new("--sandbox|-s=", |read, mode| read.set("sandbox_mode", &mode)),
        AgentFlag::new("--ask-for-approval|-a=", |read, policy| read.set("approval_policy", &policy)),
        AgentFlag::new("--dangerously-bypass-approvals-and-sandbox|--yolo", |read, _| {
            read.set("approval_policy", "never");
        }),
        AgentFlag::ignored(
            "--enable= --disable= --remote= --remote-auth-token-env= --image|-i= --local-provider= --add-dir= \
             --strict-config --oss --search --no-alt-screen --json --skip-git-repo-check --ephemeral --color= \
             --output-schema= --output-last-message|-o=",
        ),
    ],
};

impl Arguments {
    fn set(&mut self, key: &str, value: &str) {
        self.settings.push(Ok(at(key, YamlNode::of(&Value::from(value)))));
    }
}

/// `KEY=VALUE` with a dotted key.
fn setting(typed: &str) -> Result<YamlNode, Diagnostic> {
    match typed.split_once('=') {
        Some((key, value)) => Ok(at(key.trim(), toml::value(value.trim()))),
        None => Err(Diagnostic::invalid(format!("`--{} {typed}` has no `=`", settings::FLAG), "write KEY=VALUE")),
    }
}

/// Tables with a value at a dotted key.
fn at(key: &str, value: YamlNode) -> YamlNode {
    key.rsplit('.').fold(value, |inner, part| {
        let table = NodeMap::from_iter([(Value::from(part), inner)]);
        YamlNode { data: YamlData::Map(table), span: None }
    })
}
