use std::sync::Arc;

use crate::config;
use crate::diagnostic::{Diagnostic, Problem};
use crate::item::{Hook, HookOrigin, hooks_from_list};
use crate::prompt::Section;
use crate::protocol::Protocol;
use crate::store::{TierKind, Tiers};
use crate::text::Source;
use crate::value::{Map, Value};
use crate::yaml::{self, Data, Key, Node, YamlLimits};

/// The configuration of all tiers, merged (Directives, "Configuration and hooks").
#[derive(Debug, Clone, Default)]
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
    pub fn read(
        tiers: &Tiers,
        protocol: &Protocol,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Arc<Self>, Diagnostic> {
        let files = Files::read(tiers, protocol);
        let merged = || {
            let mut found = Vec::new();
            let configuration = Self::merged(&files, &mut found);
            (configuration.map(Arc::new), found)
        };
        let (configuration, found) = match files.refused {
            None => tiers.parsed(&files.found.iter().map(|(_, source)| source).collect::<Vec<_>>(), merged),
            Some(_) => merged(),
        };
        diagnostics.extend(found);
        configuration
    }

    fn merged(files: &Files, diagnostics: &mut Vec<Diagnostic>) -> Result<Self, Diagnostic> {
        let mut reader = Reader { files, sections: Vec::new(), diagnostics };
        let mut hooks = reader.own_hooks(Part::UserHooks, HookOrigin::User)?;
        if let Some(conditions) = reader.merged(Part::HookConditions)? {
            let origins = [HookOrigin::Builtin, HookOrigin::Context, HookOrigin::Infra];
            for (key, origin) in HOOK_CONDITIONS.into_iter().zip(origins) {
                if let Some(list) = conditions.get(key) {
                    hooks.extend(hooks_from_list(list, origin, reader.diagnostics)?);
                }
            }
        }
        hooks.extend(reader.own_hooks(Part::ProjectHooks, HookOrigin::Project)?);

        let resilience = reader.merged(Part::Resilience)?;
        let limit_defaults = resilience.as_ref().map(|resilience| {
            let defaults = resilience.get("limits").and_then(|limits| limits.get("defaults")).map(Node::value);
            defaults.as_ref().and_then(Value::as_map).cloned().unwrap_or_default()
        });
        let tool_preload = resilience.as_ref().and_then(|resilience| resilience.get("tool_preload")).cloned();
        Ok(Self { limit_defaults, tool_preload, sections: reader.sections, hooks })
    }

    /// The keys that count in a file of the project; none for a file that is not read.
    pub fn keys_of(path: &str, protocol: &Protocol) -> Option<&'static [&'static str]> {
        let (folder, name) = path.strip_prefix(".ai/")?.rsplit_once('/')?;
        let is_merged = protocol.hook_conditions.project.iter().any(|known| known == folder);
        match name {
            _ if path == HOOKS => Some(Part::ProjectHooks.keys()),
            "hook_conditions.yaml" if is_merged => Some(Part::HookConditions.keys()),
            "resilience.yaml" if is_merged => Some(Part::Resilience.keys()),
            _ => None,
        }
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

/// What a file is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    UserHooks,
    HookConditions,
    ProjectHooks,
    Resilience,
}

impl Part {
    /// The keys that count.
    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::UserHooks | Self::ProjectHooks => &OWN_HOOKS,
            Self::HookConditions => &HOOK_CONDITIONS,
            Self::Resilience => &RESILIENCE,
        }
    }
}

/// The files of all tiers in the order in which they count.
struct Files {
    found: Vec<(Part, Arc<Source>)>,
    /// The file that comes next and cannot be read; none is read after it.
    refused: Option<(Part, Diagnostic)>,
}

impl Files {
    fn read(tiers: &Tiers, protocol: &Protocol) -> Self {
        let mut files = Self { found: Vec::new(), refused: None };
        for (part, tier, path) in places(tiers, protocol) {
            match tiers.read(tier, &path) {
                Ok(source) => files.found.extend(source.map(|source| (part, source))),
                Err(error) => {
                    files.refused = Some((part, error));
                    break;
                }
            }
        }
        files
    }
}

/// Where files may stand: of a user's and a project's own hooks in the first such tier, and of what is merged in the
/// system bundles in order, then user, then project.
fn places(tiers: &Tiers, protocol: &Protocol) -> Vec<(Part, usize, String)> {
    let of_kind =
        |kind| tiers.list().iter().enumerate().filter(move |(_, tier)| tier.kind == kind).map(|(tier, _)| tier);
    let own = |part, kind| of_kind(kind).next().map(|tier| (part, tier, HOOKS.to_string()));
    let folders = &protocol.hook_conditions;
    let order =
        [(TierKind::System, &folders.system), (TierKind::User, &folders.user), (TierKind::Project, &folders.project)];
    let merged = |part, file: &'static str| {
        order.into_iter().flat_map(move |(kind, folders)| {
            of_kind(kind)
                .flat_map(move |tier| folders.iter().map(move |folder| (part, tier, format!(".ai/{folder}/{file}"))))
        })
    };
    let user = own(Part::UserHooks, TierKind::User).into_iter();
    user.chain(merged(Part::HookConditions, "hook_conditions.yaml"))
        .chain(own(Part::ProjectHooks, TierKind::Project))
        .chain(merged(Part::Resilience, "resilience.yaml"))
        .collect()
}

/// Makes one value of them.
struct Reader<'a> {
    files: &'a Files,
    sections: Vec<Section>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    /// The hooks of a tier's `hooks.yaml`.
    fn own_hooks(&mut self, part: Part, origin: HookOrigin) -> Result<Vec<Hook>, Diagnostic> {
        match self.merged(part)?.as_ref().and_then(|file| file.get("hooks")) {
            Some(list) => hooks_from_list(list, origin, self.diagnostics),
            None => Ok(Vec::new()),
        }
    }

    /// The files of a part, merged.
    fn merged(&mut self, part: Part) -> Result<Option<Node>, Diagnostic> {
        let mut all: Option<Node> = None;
        for (_, source) in self.files.found.iter().filter(|(of, _)| *of == part) {
            let next = self.document(source, part.keys())?;
            all = Some(config::merge(all.unwrap_or_else(empty), next, self.diagnostics));
        }
        match &self.files.refused {
            Some((of, error)) if *of == part => Err(error.clone()),
            _ => Ok(all),
        }
    }

    /// A file whose `wanted` keys count; an empty one is an empty map, anything else but a map is an error.
    fn document(&mut self, source: &Arc<Source>, wanted: &[&'static str]) -> Result<Node, Diagnostic> {
        let loaded = yaml::load(source, 0..source.text().len(), YamlLimits::default())?;
        self.diagnostics.extend(loaded.diagnostics);
        match &loaded.node.data {
            Data::Map(_) => {
                self.sections.extend(loaded.keys.into_iter().filter_map(|Key { name, span }| {
                    let key = wanted.iter().copied().find(|&key| name.as_str() == Some(key))?;
                    Some(Section { key, span })
                }));
                Ok(loaded.node)
            }
            Data::Scalar(value) if !value.is_true() => Ok(Node { data: empty().data, ..loaded.node }),
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
