//! The arguments that `codex` itself would be started with.

use super::{settings, toml};
use crate::agents::files::joined;
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::value::Value;
use crate::read::yaml::{NodeMap, YamlData, YamlNode};
use crate::text::nearest::nearest;

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
    None,
    NoneWithValue,
}

const FLAGS: [(&[&str], Effect); 19] = [
    (&["--profile", "-p"], Effect::Profile),
    (&["--cd", "-C"], Effect::Folder),
    (&["--config", "-c"], Effect::Setting),
    (&["--model", "-m"], Effect::SettingOf("model")),
    (&["--sandbox", "-s"], Effect::SettingOf("sandbox_mode")),
    (&["--ask-for-approval", "-a"], Effect::SettingOf("approval_policy")),
    (&["--dangerously-bypass-approvals-and-sandbox", "--yolo"], Effect::SettingTo("approval_policy", "never")),
    (&["--enable"], Effect::NoneWithValue),
    (&["--disable"], Effect::NoneWithValue),
    (&["--remote"], Effect::NoneWithValue),
    (&["--remote-auth-token-env"], Effect::NoneWithValue),
    (&["--image", "-i"], Effect::NoneWithValue),
    (&["--local-provider"], Effect::NoneWithValue),
    (&["--add-dir"], Effect::NoneWithValue),
    (&["--strict-config"], Effect::None),
    (&["--oss"], Effect::None),
    (&["--search"], Effect::None),
    (&["--no-alt-screen"], Effect::None),
    (&["--json"], Effect::None),
];

impl Arguments {
    pub fn read(visit: &mut Visit<'_>) -> Result<Self, Diagnostic> {
        let mut arguments = Self::default();
        let mut left = visit.request.arguments.iter();
        while let Some(typed) = left.next() {
            if !typed.starts_with('-') {
                continue;
            }
            let (name, value) = match typed.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_string())),
                _ => (typed.as_str(), None),
            };
            let Some((_, effect)) = FLAGS.iter().find(|(names, _)| names.contains(&name)) else {
                return Err(unknown(name));
            };
            let value = match effect {
                Effect::None | Effect::SettingTo(..) => String::new(),
                _ => value.or_else(|| left.next().cloned()).ok_or_else(|| lacks_value(name))?,
            };
            match *effect {
                Effect::Profile => arguments.profile = Some(value),
                Effect::Folder => arguments.folder = Some(joined(&visit.request.cwd, &value)),
                Effect::Setting => arguments.settings.push(setting(&value)?),
                Effect::SettingOf(key) => arguments.settings.push(at(key, YamlNode::of(&Value::from(value)))),
                Effect::SettingTo(key, value) => arguments.settings.push(at(key, YamlNode::of(&Value::from(value)))),
                Effect::None | Effect::NoneWithValue => {
                    let problem = Problem::AgentArgumentIgnored { agent: "codex", argument: name.to_string() };
                    visit.diagnostics.push(Diagnostic::new(problem));
                }
            }
        }
        Ok(arguments)
    }
}

/// `KEY=VALUE` with a dotted key.
fn setting(typed: &str) -> Result<YamlNode, Diagnostic> {
    match typed.split_once('=') {
        Some((key, value)) => Ok(at(key.trim(), toml::value(value.trim()))),
        None => Err(wrong(format!("`--{} {typed}` has no `=`", settings::FLAG), "write KEY=VALUE".to_string())),
    }
}

/// Tables with a value at a dotted key.
fn at(key: &str, value: YamlNode) -> YamlNode {
    key.rsplit('.').fold(value, |inner, part| {
        let table = NodeMap::from_iter([(Value::from(part), inner)]);
        YamlNode { data: YamlData::Map(table), span: None }
    })
}

fn unknown(name: &str) -> Diagnostic {
    let help = match nearest(name, FLAGS.iter().flat_map(|(names, _)| names.iter().copied())) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "leave it out".to_string(),
    };
    wrong(format!("codex has no flag `{name}`"), help)
}

fn lacks_value(name: &str) -> Diagnostic {
    wrong(format!("`{name}` of codex lacks its value"), "give one, or leave the flag out".to_string())
}

fn wrong(what: String, help: String) -> Diagnostic {
    Diagnostic::new(Problem::InvalidArgument { what, help: Some(help) })
}
