use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::ConfigurationSection;
use crate::read::config;
use crate::read::item::{Directive, Hook, HookOrigin, hooks_from_list};
use crate::read::protocol::Protocol;
use crate::read::store::{TierKind, Tiers};
use crate::read::value::Value;
use crate::read::yaml::{self, DocumentKey, NodeMap, YamlData, YamlNode};
use crate::text::nearest::nearest;
use crate::text::{Source, Span};

/// The merged configuration of all tiers (Directives, "Configuration and hooks").
#[derive(Debug, Clone, Default)]
pub(crate) struct Configuration {
    /// `limits.defaults` of `resilience.yaml`; `None` if no tier has the file.
    pub limit_defaults: Option<NodeMap>,
    /// What removes the defaults of lower tiers: a value in the place of the map.
    pub limits_removed_by: Option<Span>,
    pub tool_preload: Option<YamlNode>,
    /// Each `resilience.yaml` in merge order, for what a tier overrides.
    pub resilience: Vec<YamlNode>,
    pub sections: Vec<ConfigurationSection>,
    /// In the order user, built-in, context, infra, project.
    pub hooks: Vec<Hook>,
}

const HOOKS: &str = ".ai/config/agent/hooks.yaml";

impl Configuration {
    pub fn read(
        tiers: &Tiers,
        protocol: &Protocol,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Arc<Self>, Diagnostic> {
        let files = ConfigurationFiles::read(tiers, protocol);
        let merged = || {
            let mut found = Vec::new();
            let configuration = Self::merged(&files, protocol, &mut found);
            (configuration.map(Arc::new), found)
        };
        let (configuration, found) = match files.refused {
            None => tiers.parsed(&files.found.iter().map(|(_, source)| source).collect::<Vec<_>>(), merged),
            Some(_) => merged(),
        };
        diagnostics.extend(found);
        configuration
    }

    fn merged(
        files: &ConfigurationFiles,
        protocol: &Protocol,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Self, Diagnostic> {
        let (sections, resilience) = Default::default();
        let mut reader = ConfigurationReader { files, protocol, sections, resilience, diagnostics };
        let mut hooks = reader.own_hooks(ConfigurationPart::UserHooks, HookOrigin::User)?;
        if let Some(conditions) = reader.merged(ConfigurationPart::HookConditions)? {
            let origins = [HookOrigin::Builtin, HookOrigin::Context, HookOrigin::Infra];
            for (key, origin) in ConfigurationPart::HookConditions.keys().iter().zip(origins) {
                if let Some(list) = conditions.get(key) {
                    hooks.extend(hooks_from_list(list, origin, protocol, reader.diagnostics)?);
                }
            }
        }
        hooks.extend(reader.own_hooks(ConfigurationPart::ProjectHooks, HookOrigin::Project)?);

        let resilience = reader.merged(ConfigurationPart::Resilience)?;
        let section = |path| resilience.as_ref().and_then(|resilience| resilience.at(path));
        let limit_defaults = resilience.as_ref().map(|_| match section("limits.defaults").map(|node| &node.data) {
            Some(YamlData::Map(defaults)) => defaults.clone(),
            _ => NodeMap::default(),
        });
        let not_a_map = |node: &&YamlNode| !matches!(node.data, YamlData::Map(_));
        let limits_removed_by = ["limits", "limits.defaults"].into_iter().filter_map(section).find(not_a_map);
        let limits_removed_by = limits_removed_by.and_then(|node| node.span.clone());
        let tool_preload = section("tool_preload").cloned();
        let ConfigurationReader { sections, resilience, .. } = reader;
        Ok(Self { limit_defaults, limits_removed_by, tool_preload, resilience, sections, hooks })
    }

    /// The keys that take effect in a project's file; `None` if the file is never read.
    pub fn keys_of(path: &str, protocol: &Protocol) -> Option<&'static [&'static str]> {
        let (folder, name) = path.strip_prefix(".ai/")?.rsplit_once('/')?;
        let is_merged = protocol.hook_conditions.project.iter().any(|known| known == folder);
        match name {
            _ if path == HOOKS => Some(ConfigurationPart::ProjectHooks.keys()),
            "hook_conditions.yaml" if is_merged => Some(ConfigurationPart::HookConditions.keys()),
            "resilience.yaml" if is_merged => Some(ConfigurationPart::Resilience.keys()),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConfigurationPart {
    UserHooks,
    HookConditions,
    ProjectHooks,
    Resilience,
}

impl ConfigurationPart {
    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::UserHooks | Self::ProjectHooks => &["hooks"],
            Self::HookConditions => &["builtin_hooks", "context_hooks", "infra_hooks"],
            Self::Resilience => &["limits", "tool_preload"],
        }
    }
}

struct ConfigurationFiles {
    found: Vec<(ConfigurationPart, Arc<Source>)>,
    /// The first file that cannot be read; no later file is read.
    refused: Option<(ConfigurationPart, Diagnostic)>,
}

impl ConfigurationFiles {
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

/// The paths to read: `hooks.yaml` of the first user and project tiers; merged files of the system bundles in order,
/// then of the user tiers, then of the project tiers.
fn places(tiers: &Tiers, protocol: &Protocol) -> Vec<(ConfigurationPart, usize, String)> {
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
    let user = own(ConfigurationPart::UserHooks, TierKind::User).into_iter();
    user.chain(merged(ConfigurationPart::HookConditions, "hook_conditions.yaml"))
        .chain(own(ConfigurationPart::ProjectHooks, TierKind::Project))
        .chain(merged(ConfigurationPart::Resilience, "resilience.yaml"))
        .collect()
}

struct ConfigurationReader<'a> {
    files: &'a ConfigurationFiles,
    protocol: &'a Protocol,
    sections: Vec<ConfigurationSection>,
    resilience: Vec<YamlNode>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl ConfigurationReader<'_> {
    fn own_hooks(&mut self, part: ConfigurationPart, origin: HookOrigin) -> Result<Vec<Hook>, Diagnostic> {
        match self.merged(part)?.as_ref().and_then(|file| file.get("hooks")) {
            Some(list) => hooks_from_list(list, origin, self.protocol, self.diagnostics),
            None => Ok(Vec::new()),
        }
    }

    fn merged(&mut self, part: ConfigurationPart) -> Result<Option<YamlNode>, Diagnostic> {
        let mut all: Option<YamlNode> = None;
        for (_, source) in self.files.found.iter().filter(|(of, _)| *of == part) {
            let next = self.document(source, part.keys())?;
            if part == ConfigurationPart::Resilience {
                self.resilience.push(next.clone());
            }
            all = Some(config::merge(all.unwrap_or_else(empty), next, self.diagnostics));
        }
        match &self.files.refused {
            Some((of, error)) if *of == part => Err(error.clone()),
            _ => Ok(all),
        }
    }

    /// Records the `wanted` keys. An empty file is treated as an empty map.
    fn document(&mut self, source: &Arc<Source>, wanted: &[&'static str]) -> Result<YamlNode, Diagnostic> {
        let loaded = yaml::load(&source.whole())?;
        self.diagnostics.extend(loaded.diagnostics);
        match &loaded.node.data {
            YamlData::Map(_) => {
                self.sections.extend(loaded.keys.into_iter().filter_map(|DocumentKey { name, span }| {
                    let key = wanted.iter().copied().find(|&key| name.as_str() == Some(key))?;
                    Some(ConfigurationSection { key, span })
                }));
                Ok(loaded.node)
            }
            YamlData::Scalar(value) if !value.is_true() => Ok(YamlNode { data: empty().data, ..loaded.node }),
            _ => {
                let reason = "the file is not a map".to_string();
                Err(Diagnostic::at(Problem::InvalidYaml { reason }, source.whole()))
            }
        }
    }
}

fn empty() -> YamlNode {
    YamlNode { data: YamlData::Map(Default::default()), span: None }
}

/// The limits in effect: defaults, overridden by the directive, then by the request (Directives, "Reading a
/// directive"). A name without a default is an error; without any `resilience.yaml`, names are not checked.
pub(super) fn limits(
    defaults: Option<&NodeMap>,
    directive: &Directive,
    requested: &[(String, Value)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<NodeMap, Diagnostic> {
    for limit in &directive.limits {
        if let Some(problem) = unknown_limit(defaults, &limit.name) {
            return Err(Diagnostic::at(problem, &limit.span));
        }
    }
    for (name, _) in requested {
        if let Some(problem) = unknown_limit(defaults, name) {
            return Err(Diagnostic::new(problem));
        }
    }
    if let (None, Some(limit)) = (defaults, directive.limits.first()) {
        diagnostics.push(Diagnostic::at(Problem::LimitsUnchecked, &limit.span));
    }
    let mut limits = defaults.cloned().unwrap_or_default();
    limits.extend(directive.limits.iter().map(|limit| {
        let data = YamlData::Scalar(limit.value.clone());
        (Value::from(limit.name.as_str()), YamlNode { data, span: Some(limit.value_span.clone()) })
    }));
    limits.extend(requested.iter().map(|(name, value)| (Value::from(name.as_str()), YamlNode::of(value))));
    Ok(limits)
}

pub(crate) fn unknown_limit(defaults: Option<&NodeMap>, name: &str) -> Option<Problem> {
    let defaults = defaults.filter(|defaults| !defaults.contains_key(&Value::from(name)))?;
    let mut valid: Vec<String> = defaults.keys().filter_map(Value::as_str).map(str::to_string).collect();
    valid.sort();
    let nearest = nearest(name, valid.iter().map(String::as_str));
    Some(Problem::UnknownLimit { name: name.to_string(), valid, nearest })
}
