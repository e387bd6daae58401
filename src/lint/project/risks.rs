use strum::EnumString;

use crate::fill::palette::fnmatch;
use crate::read::config;
use crate::read::protocol::Protocol;
use crate::read::store::{TierKind, Tiers};
use crate::read::value::{Value, map};
use crate::read::yaml::{self, YamlNode};

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
mod tests {
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
