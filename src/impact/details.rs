//! What differs in a prompt besides its lines, in words.

use super::{Changed, NamedChange, Share, ToolChange};
use crate::diff::text::around::field_name;
use crate::diff::text::tools;
use crate::diff::{FieldChange, Pair};

/// Something that differs besides the lines of layers.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Detail<'a> {
    /// A tool.
    Tool(&'a ToolChange),
    /// A field.
    Field(&'a FieldChange),
    /// Something that has another outcome.
    Decision(&'a NamedChange),
    /// Something without a name.
    Said(&'static str),
}

impl<'a> Detail<'a> {
    /// All that differs because of something; nothing of a prompt that is there on one side alone.
    pub fn all(changed: &'a Changed, share: &Share) -> Vec<Self> {
        if changed.is_on_one_side() {
            return Vec::new();
        }
        let tools = share.tools.iter().filter_map(|&at| changed.tools.get(at)).map(Self::Tool);
        let fields = share.fields.iter().filter_map(|&at| changed.fields.get(at)).map(Self::Field);
        // What has become a layer, or is none any more, is listed as such.
        let is_layer = |decision: &&NamedChange| changed.layers.iter().any(|layer| layer.title == decision.name);
        let decisions = share.decisions.iter().filter_map(|&at| changed.decisions.get(at)).filter(|it| !is_layer(it));
        let said = [
            (share.tool_order, "the tools stand in another order"),
            (share.chain, "another extends chain"),
            (share.between, "what stands between the layers differs"),
            (changed.is_coarse, "compared coarsely: more counts as changed than is"),
        ];
        let said = said.into_iter().filter(|(is_so, _)| *is_so).map(|(_, sentence)| Self::Said(sentence));
        tools.chain(fields).chain(decisions.map(Self::Decision)).chain(said).collect()
    }

    /// What it is called: `limits.turns`.
    pub fn name(&self) -> Option<String> {
        match self {
            Self::Tool(tool) => Some(tool.name.clone()),
            Self::Field(field) => Some(field_name(field)),
            Self::Decision(decision) => Some(decision.name.clone()),
            Self::Said(_) => None,
        }
    }

    /// What became of it: `20 → 30`.
    pub fn how(&self) -> String {
        match self {
            Self::Tool(tool) => tools::what(&tool.compared),
            Self::Field(field) => {
                let value = |value: &String| if value.is_empty() { "(empty)".to_string() } else { value.clone() };
                let became = |word: &str, value: &String| format!("{word} {value}").trim_end().to_string();
                match &field.value {
                    Pair { left: Some(left), right: Some(right) } => format!("{} → {}", value(left), value(right)),
                    Pair { left: None, right: Some(right) } => became("added", right),
                    Pair { left: Some(left), right: None } => became("removed", left),
                    Pair { left: None, right: None } => String::new(),
                }
            }
            Self::Decision(decision) => {
                let outcome = |outcome: &Option<String>| {
                    outcome.as_deref().map_or("not considered".to_string(), |it| it.replace('_', " "))
                };
                format!("{} → {}", outcome(&decision.state.left), outcome(&decision.state.right))
            }
            Self::Said(sentence) => (*sentence).to_string(),
        }
    }
}
