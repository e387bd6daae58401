use crate::config;
use crate::diagnostic::{Diagnostic, Problem};
use crate::item::{Hook, HookOrigin, hooks_from_list};
use crate::prompt::Section;
use crate::protocol::Protocol;
use crate::store::{TierKind, Tiers};
use crate::value::{Map, Value};
use crate::yaml::{self, Data, Key, Node, YamlLimits};

/// The configuration of all tiers, merged (Directives, "Configuration and hooks").
#[derive(Debug, Default)]
pub(crate) struct Configuration {
    /// `limits.defaults` of `resilience.yaml`; none where no tier has that file.
    pub limit_defaults: Option<Map>,
    /// `tool_preload` of `resilience.yaml`, if anything sets it.
    pub tool_preload: Option<Node>,
    /// The parts of the files that count, as written.
    pub sections: Vec<Section>,
    /// The hooks of every configuration file, origin by origin.
    hooks: Vec<Hook>,
}

/// The file of a tier's own hooks.
const HOOKS: &str = ".ai/config/agent/hooks.yaml";

/// The keys that count in it, in `hook_conditions.yaml` and in `resilience.yaml`.
const OWN_HOOKS: [&str; 1] = ["hooks"];
const HOOK_CONDITIONS: [&str; 3] = ["builtin_hooks", "context_hooks", "infra_hooks"];
const RESILIENCE: [&str; 2] = ["limits", "tool_preload"];

impl Configuration {
    /// Reads and merges the files that the protocol looks at.
    pub fn read(tiers: &Tiers, protocol: &Protocol, diagnostics: &mut Vec<Diagnostic>) -> Result<Self, Diagnostic> {
        let mut files = Files { tiers, sections: Vec::new(), diagnostics };
        let mut hooks = files.own_hooks(TierKind::User, HookOrigin::User)?;
        if let Some(conditions) = files.merged(protocol, "hook_conditions.yaml", &HOOK_CONDITIONS)? {
            let origins = [HookOrigin::Builtin, HookOrigin::Context, HookOrigin::Infra];
            for (key, origin) in HOOK_CONDITIONS.into_iter().zip(origins) {
                if let Some(list) = conditions.get(key) {
                    hooks.extend(hooks_from_list(list, origin, files.diagnostics)?);
                }
            }
        }
        hooks.extend(files.own_hooks(TierKind::Project, HookOrigin::Project)?);

        let resilience = files.merged(protocol, "resilience.yaml", &RESILIENCE)?;
        let limit_defaults = resilience.as_ref().map(|resilience| {
            let defaults = resilience.get("limits").and_then(|limits| limits.get("defaults")).map(Node::value);
            defaults.as_ref().and_then(Value::as_map).cloned().unwrap_or_default()
        });
        let tool_preload = resilience.as_ref().and_then(|resilience| resilience.get("tool_preload")).cloned();
        Ok(Self { limit_defaults, tool_preload, sections: files.sections, hooks })
    }

    /// The hooks of one origin, in the order written.
    pub fn hooks(&self, origin: HookOrigin) -> impl Iterator<Item = &Hook> {
        self.hooks.iter().filter(move |hook| hook.origin == origin)
    }

    /// The hooks of every origin: user, built-in, context, infra, project.
    pub fn all_hooks(self) -> Vec<Hook> {
        self.hooks
    }
}

/// Reads the files of all tiers.
struct Files<'a> {
    tiers: &'a Tiers,
    sections: Vec<Section>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Files<'_> {
    /// The hooks of a tier's `hooks.yaml`.
    fn own_hooks(&mut self, kind: TierKind, origin: HookOrigin) -> Result<Vec<Hook>, Diagnostic> {
        let Some(tier) = self.tiers.list().iter().position(|tier| tier.kind == kind) else {
            return Ok(Vec::new());
        };
        match self.document(tier, HOOKS, &OWN_HOOKS)?.as_ref().and_then(|file| file.get("hooks")) {
            Some(list) => hooks_from_list(list, origin, self.diagnostics),
            None => Ok(Vec::new()),
        }
    }

    /// One configuration file of all tiers: system bundles in order, then user, then project.
    fn merged(&mut self, protocol: &Protocol, file: &str, wanted: &[&'static str]) -> Result<Option<Node>, Diagnostic> {
        let folders = &protocol.hook_conditions;
        let order = [
            (TierKind::System, &folders.system),
            (TierKind::User, &folders.user),
            (TierKind::Project, &folders.project),
        ];
        let mut all: Option<Node> = None;
        for (kind, folders) in order {
            for (tier, _) in self.tiers.list().iter().enumerate().filter(|(_, tier)| tier.kind == kind) {
                for folder in folders {
                    let path = format!(".ai/{folder}/{file}");
                    let Some(next) = self.document(tier, &path, wanted)? else { continue };
                    all = Some(config::merge(all.unwrap_or_else(empty), next, self.diagnostics));
                }
            }
        }
        Ok(all)
    }

    /// A configuration file of one tier, whose `wanted` keys count; an empty one is an empty map, anything else but a
    /// map is an error.
    fn document(&mut self, tier: usize, path: &str, wanted: &[&'static str]) -> Result<Option<Node>, Diagnostic> {
        let Some(source) = self.tiers.read(tier, path)? else { return Ok(None) };
        let loaded = yaml::load(&source, 0..source.text().len(), YamlLimits::default())?;
        self.diagnostics.extend(loaded.diagnostics);
        match &loaded.node.data {
            Data::Map(_) => {
                self.sections.extend(loaded.keys.into_iter().filter_map(|Key { name, span }| {
                    let key = wanted.iter().copied().find(|&key| name.as_str() == Some(key))?;
                    Some(Section { key, span })
                }));
                Ok(Some(loaded.node))
            }
            Data::Scalar(value) if !value.is_true() => Ok(Some(Node { data: empty().data, ..loaded.node })),
            _ => {
                let reason = "the file holds no map".to_string();
                Err(Diagnostic::at(Problem::InvalidYaml { reason }, source.whole()))
            }
        }
    }
}

fn empty() -> Node {
    Node { data: Data::Map(Default::default()), span: None }
}
