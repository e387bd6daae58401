//! What differs in a prompt besides its lines, in words.

use super::{ChangedPrompt, DecisionChange, Share, ToolChange};
use crate::answer::diff::summary::field_name;
use crate::answer::diff::{FieldChange, Pair};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Detail<'a> {
    Tool(&'a ToolChange),
    Field(&'a FieldChange),
    Decision(&'a DecisionChange),
    /// A difference without a name.
    Sentence(&'static str),
}

impl<'a> Detail<'a> {
    /// All details of a cause; empty for a prompt that only one side has.
    pub fn all(changed: &'a ChangedPrompt, share: &Share) -> Vec<Self> {
        if changed.is_on_one_side() {
            return Vec::new();
        }
        let tools = share.tools.iter().filter_map(|&at| changed.tools.get(at)).map(Self::Tool);
        let fields = share.fields.iter().filter_map(|&at| changed.fields.get(at)).map(Self::Field);
        // The decision of a layer that was added or removed is listed as that layer.
        let is_layer = |decision: &&DecisionChange| changed.layers.iter().any(|layer| layer.title == decision.name);
        let decisions = share.decisions.iter().filter_map(|&at| changed.decisions.get(at)).filter(|it| !is_layer(it));
        let sentences = [
            (share.tool_order, "the order of the tools differs"),
            (share.chain, "the extends chain differs"),
            (share.between, "text between layers differs"),
            (changed.is_coarse, "the comparison was cut short: matching lines may be shown as changed"),
        ];
        let sentences = sentences.into_iter().filter(|(applies, _)| *applies).map(|(_, it)| Self::Sentence(it));
        tools.chain(fields).chain(decisions.map(Self::Decision)).chain(sentences).collect()
    }

    /// `limits.turns`.
    pub fn name(&self) -> Option<String> {
        match self {
            Self::Tool(tool) => Some(tool.name.clone()),
            Self::Field(field) => Some(field_name(field)),
            Self::Decision(decision) => Some(decision.name.clone()),
            Self::Sentence(_) => None,
        }
    }

    /// `20 → 30`.
    pub fn change(&self) -> String {
        match self {
            Self::Tool(tool) => tool.what.clone(),
            Self::Field(field) => {
                let value = |value: &String| if value.is_empty() { "(empty)".to_string() } else { value.clone() };
                let alone = |word: &str, value: &String| format!("{word} {value}").trim_end().to_string();
                match &field.value {
                    Pair { left: Some(left), right: Some(right) } => format!("{} → {}", value(left), value(right)),
                    Pair { left: None, right: Some(right) } => alone("added", right),
                    Pair { left: Some(left), right: None } => alone("removed", left),
                    Pair { left: None, right: None } => String::new(),
                }
            }
            Self::Decision(decision) => {
                let outcome = |outcome: &Option<String>| {
                    outcome.as_deref().map_or("not considered".to_string(), |it| it.replace('_', " "))
                };
                format!("{} → {}", outcome(&decision.outcome.left), outcome(&decision.outcome.right))
            }
            Self::Sentence(sentence) => (*sentence).to_string(),
        }
    }
}
