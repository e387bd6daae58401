use std::sync::Arc;

use strum::EnumString;

use crate::diagnostic::{Diagnostic, Problem};
use crate::fill::palette::capability::{CapabilityPattern, Reach};
use crate::fill::palette::{self, Palette, PaletteRequest, Primary, fnmatch};
use crate::prompt::{Declared, Grant, tool_text};
use crate::read::config;
use crate::read::protocol::Protocol;
use crate::read::store::{ItemKind, TierKind, Tiers};
use crate::read::tool::{NoSchema, read_tool};
use crate::read::value::{Value, map};
use crate::read::yaml::{self, YamlNode};
use crate::text::Source;

use super::Project;

const NO_TOOL: &str = "rye.execute.tool.?";

/// The tools that one capability grants, ignoring the budget.
#[derive(Debug, Default, Clone)]
pub(crate) struct Granted {
    pub characters: usize,
    /// Problems; one with the capability itself has no place.
    pub diagnostics: Vec<Diagnostic>,
}

impl Project<'_> {
    /// The tools that a capability grants, cached because many directives may declare it; none
    /// under a protocol without tools.
    pub(crate) fn granted(&self, capability: &str) -> Option<Arc<Granted>> {
        self.protocol.tools?;
        Some(self.cached.granted.get_or_set(capability.to_string(), || {
            let one = own_tool(capability, self)
                .and_then(|(id, source)| Some(one_tool(id, source, (*self.granted(NO_TOOL)?).clone(), self.tiers)));
            Arc::new(one.unwrap_or_else(|| palette_of(capability, self)))
        }))
    }

    /// The palette of the tools that capabilities grant; none if it cannot be built.
    pub(crate) fn palette<'c>(
        &self,
        capabilities: impl Iterator<Item = &'c str>,
        preload: Option<&YamlNode>,
    ) -> Option<Palette> {
        let by = |capability: &str| Declared { by: capability.to_string(), span: None };
        let grants: Vec<Grant> = capabilities.map(|it| Grant { capability: it.to_string(), by: by(it) }).collect();
        let request = PaletteRequest { grants: &grants, declared: true, outputs: None, preload };
        palette::build(&request, self.tiers, self.protocol.tools?).ok()
    }
}

/// The tool of the project that a capability names exactly. A project may have thousands of tools, and finding
/// it directly avoids building a palette for each.
fn own_tool<'p>(capability: &str, project: &'p Project<'_>) -> Option<(String, &'p Arc<Source>)> {
    let reach = Reach::of(capability, true)?;
    let Reach { actions: [Primary::Execute], kind: Some(ItemKind::Tool), pattern: CapabilityPattern::Exact(id) } =
        reach
    else {
        return None;
    };
    let file = project.find(ItemKind::Tool, &id).filter(|_| !Primary::is_primary(&id))?;
    Some((id, file.source.as_ref()?))
}

/// Adds a tool to the primary that runs it.
fn one_tool(id: String, source: &Arc<Source>, mut granted: Granted, tiers: &Tiers) -> Granted {
    granted.diagnostics.retain(|found| !matches!(found.problem, Problem::PatternMatchesNothing { .. }));
    match tiers.parsed(&[source], || read_tool(source)) {
        Ok(tool) => granted.characters += tool_text(&tool.schema, &tool.description).chars().count(),
        Err(NoSchema { reason, at }) => {
            let at = at.unwrap_or_else(|| source.span(0..0));
            granted.diagnostics.push(Diagnostic::at(Problem::ToolWithoutSchema { id, reason }, at));
        }
    }
    granted
}

fn palette_of(capability: &str, project: &Project<'_>) -> Granted {
    let endless = YamlNode::of(&Value::Map(map([("max_tokens", Value::from(i64::MAX))])));
    // Errors are reported while reading.
    let palette = project.palette([capability].into_iter(), Some(&endless)).unwrap_or_default();
    let characters = palette.tools.iter().map(|tool| tool.text().chars().count()).sum();
    Granted { characters, diagnostics: palette.diagnostics }
}

const FILE: &str = "capability_risk.yaml";

/// The risk classification of capabilities, merged from the `capability_risk.yaml` of all tiers.
#[derive(Debug)]
pub(crate) struct Risks {
    /// Patterns of capabilities and their risk, in the order written.
    patterns: Vec<(String, String)>,
    policies: Vec<(String, Policy)>,
}

/// What a thread does about a risk that is not acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Policy {
    /// Refuses to start.
    Block,
    /// Starts with a warning.
    AcknowledgeRequired,
}

impl Risks {
    /// Merges the files of all tiers; none if no tier has a readable one.
    pub fn read(tiers: &Tiers, protocol: &Protocol) -> Option<Self> {
        let folders = &protocol.hook_conditions;
        let order = [
            (TierKind::System, &folders.system),
            (TierKind::User, &folders.user),
            (TierKind::Project, &folders.project),
        ];
        let mut merged: Option<YamlNode> = None;
        for (kind, folders) in order {
            for (tier, _) in tiers.list().iter().enumerate().filter(|(_, tier)| tier.kind == kind) {
                for folder in folders {
                    // Reading the configuration reports errors in this file.
                    let Ok(Some(source)) = tiers.read(tier, &format!(".ai/{folder}/{FILE}")) else { continue };
                    let Ok(loaded) = yaml::load(&source.whole()) else {
                        continue;
                    };
                    let lower = merged.unwrap_or_else(|| YamlNode::of(&Value::Map(map([]))));
                    merged = Some(config::merge(lower, loaded.node, &mut Vec::new()));
                }
            }
        }
        Some(Self::of(&merged?.value()))
    }

    fn of(file: &Value) -> Self {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_string);
        let mut patterns = Vec::new();
        for classification in file.get("classifications").and_then(Value::as_list).unwrap_or_default() {
            let Some(risk) = text(classification.get("risk")) else { continue };
            let own = classification.get("patterns").and_then(Value::as_list).unwrap_or_default();
            patterns.extend(own.iter().filter_map(|pattern| Some((text(Some(pattern))?, risk.clone()))));
        }
        let levels = file.get("risk_levels").and_then(Value::as_map);
        let policy = |level: &Value| level.get("policy")?.as_str()?.parse().ok();
        let policies = levels.into_iter().flatten();
        let policies = policies.filter_map(|(risk, level)| Some((risk.as_str()?.to_string(), policy(level)?)));
        Self { patterns, policies: policies.collect() }
    }

    /// The risk of a capability and its policy, if it has one. The pattern with the most dots wins;
    /// among equals, the first.
    pub fn of_capability(&self, capability: &str) -> Option<(&str, Policy)> {
        let dots = |pattern: &str| pattern.matches('.').count();
        let mut best: Option<&(String, String)> = None;
        for entry in self.patterns.iter().filter(|(pattern, _)| fnmatch::matches(capability, pattern)) {
            if best.is_none_or(|(pattern, _)| dots(&entry.0) > dots(pattern)) {
                best = Some(entry);
            }
        }
        let (_, risk) = best?;
        self.policies.iter().find(|(name, _)| name == risk).map(|(name, policy)| (name.as_str(), *policy))
    }
}

#[cfg(test)]
mod grants_tests {
    use super::*;
    use crate::lint::LintOptions;
    use crate::lint::testing::Example;
    use crate::lint::testing::tiers;
    use crate::read::protocol::Protocols;

    #[test]
    fn an_exact_capability_gives_the_same_result_as_its_palette() {
        let files = "=== .ai/tools/a/b.yaml\ndescription: D\nparameters:\n  - name: n\n\
                     === .ai/tools/a/c.py\nprint()\n";
        let (tiers, options) = (tiers(Example(files)), LintOptions::default());
        let protocol = Protocols::default().get("rye-3").unwrap();
        let project = Project::read(&tiers, &protocol, &options);
        for capability in ["rye.execute.tool.a.b", "rye.execute.tool.a.c"] {
            let quick = project.granted(capability).unwrap();
            let whole = palette_of(capability, &project);
            assert!(own_tool(capability, &project).is_some());
            assert_eq!((quick.characters, &quick.diagnostics), (whole.characters, &whole.diagnostics));
        }
        for other in ["rye.execute.tool.a.*", "rye.execute.tool.rye.execute", "rye.execute.tool.a.d", "rye.*"] {
            assert!(own_tool(other, &project).is_none(), "{other}");
        }
    }
}

#[cfg(test)]
mod risks_tests {
    use super::*;
    use crate::read::value::read_json;

    #[test]
    fn the_most_specific_pattern_decides() {
        let file = r#"{
            "risk_levels": {"safe": {"policy": "allow"}, "elevated": {"policy": "acknowledge_required"},
                "unrestricted": {"policy": "block"}},
            "classifications": [{"risk": "unrestricted", "patterns": ["rye.*"]},
                {"risk": "elevated", "patterns": ["rye.execute.*"]}, {"risk": "safe", "patterns": ["rye.fetch.*"]}]
        }"#;
        let risks = Risks::of(&read_json(file).unwrap());
        assert_eq!(risks.of_capability("rye.*"), Some(("unrestricted", Policy::Block)));
        assert_eq!(risks.of_capability("rye.sign.*"), Some(("unrestricted", Policy::Block)));
        assert_eq!(risks.of_capability("rye.execute.tool.x"), Some(("elevated", Policy::AcknowledgeRequired)));
        assert_eq!(risks.of_capability("rye.fetch.*"), None);
        assert_eq!(risks.of_capability("other"), None);
    }
}
