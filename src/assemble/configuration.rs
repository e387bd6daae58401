use crate::config;
use crate::diagnostic::{Diagnostic, Problem};
use crate::item::{Hook, HookOrigin, hooks_from_list};
use crate::protocol::Protocol;
use crate::store::{TierKind, Tiers};
use crate::value::{Map, Value};
use crate::yaml::{self, Data, Node, YamlLimits};

/// The configuration of all tiers, merged (Directives, "Configuration and hooks").
#[derive(Debug, Default)]
pub(super) struct Configuration {
    /// `limits.defaults` of `resilience.yaml`; none where no tier has that file.
    pub limit_defaults: Option<Map>,
    /// `tool_preload` of `resilience.yaml`, if anything sets it.
    pub tool_preload: Option<Node>,
    /// The hooks of every configuration file, origin by origin.
    hooks: Vec<Hook>,
}

/// The file of a tier's own hooks.
const HOOKS: &str = ".ai/config/agent/hooks.yaml";

impl Configuration {
    /// Reads and merges the files that the protocol looks at.
    pub fn read(tiers: &Tiers, protocol: &Protocol, diagnostics: &mut Vec<Diagnostic>) -> Result<Self, Diagnostic> {
        let mut hooks = own_hooks(tiers, TierKind::User, HookOrigin::User, diagnostics)?;
        if let Some(conditions) = merged(tiers, protocol, "hook_conditions.yaml", diagnostics)? {
            for (key, origin) in [
                ("builtin_hooks", HookOrigin::Builtin),
                ("context_hooks", HookOrigin::Context),
                ("infra_hooks", HookOrigin::Infra),
            ] {
                if let Some(list) = conditions.get(key) {
                    hooks.extend(hooks_from_list(list, origin, diagnostics)?);
                }
            }
        }
        hooks.extend(own_hooks(tiers, TierKind::Project, HookOrigin::Project, diagnostics)?);

        let resilience = merged(tiers, protocol, "resilience.yaml", diagnostics)?;
        let limit_defaults = resilience.as_ref().map(|resilience| {
            let defaults = resilience.get("limits").and_then(|limits| limits.get("defaults")).map(Node::value);
            defaults.as_ref().and_then(Value::as_map).cloned().unwrap_or_default()
        });
        let tool_preload = resilience.as_ref().and_then(|resilience| resilience.get("tool_preload")).cloned();
        Ok(Self { limit_defaults, tool_preload, hooks })
    }

    /// The hooks of one origin, in the order written.
    pub fn hooks(&self, origin: HookOrigin) -> impl Iterator<Item = &Hook> {
        self.hooks.iter().filter(move |hook| hook.origin == origin)
    }
}

/// The hooks of a tier's `hooks.yaml`.
fn own_hooks(
    tiers: &Tiers,
    kind: TierKind,
    origin: HookOrigin,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<Hook>, Diagnostic> {
    let Some(tier) = tiers.list().iter().position(|tier| tier.kind == kind) else {
        return Ok(Vec::new());
    };
    match document(tiers, tier, HOOKS, diagnostics)?.as_ref().and_then(|file| file.get("hooks")) {
        Some(list) => hooks_from_list(list, origin, diagnostics),
        None => Ok(Vec::new()),
    }
}

/// One configuration file of all tiers: system bundles in order, then user, then project.
fn merged(
    tiers: &Tiers,
    protocol: &Protocol,
    file: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Option<Node>, Diagnostic> {
    let folders = &protocol.hook_conditions;
    let order =
        [(TierKind::System, &folders.system), (TierKind::User, &folders.user), (TierKind::Project, &folders.project)];
    let mut all: Option<Node> = None;
    for (kind, folders) in order {
        for (tier, _) in tiers.list().iter().enumerate().filter(|(_, tier)| tier.kind == kind) {
            for folder in folders {
                let Some(next) = document(tiers, tier, &format!(".ai/{folder}/{file}"), diagnostics)? else { continue };
                all = Some(config::merge(all.unwrap_or_else(empty), next, diagnostics));
            }
        }
    }
    Ok(all)
}

fn empty() -> Node {
    Node { data: Data::Map(Default::default()), span: None }
}

/// A configuration file of one tier; an empty one is an empty map, anything else but a map is an error.
fn document(
    tiers: &Tiers,
    tier: usize,
    path: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Option<Node>, Diagnostic> {
    let Some(source) = tiers.read(tier, path)? else { return Ok(None) };
    let loaded = yaml::load(&source, 0..source.text().len(), YamlLimits::default())?;
    diagnostics.extend(loaded.diagnostics);
    match &loaded.node.data {
        Data::Map(_) => Ok(Some(loaded.node)),
        Data::Scalar(value) if !value.is_true() => {
            Ok(Some(Node { data: Data::Map(Default::default()), ..loaded.node }))
        }
        _ => {
            let reason = "the file holds no map".to_string();
            Err(Diagnostic::at(Problem::InvalidYaml { reason }, source.whole()))
        }
    }
}
