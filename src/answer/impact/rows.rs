//! The wording of an impact, which all views share.

use std::collections::BTreeMap;

use super::{Cause, CauseKind, ChangedPrompt, DecisionChange, Failed, Impact, LostText, Share, ToolChange};
use crate::answer::diff::summary::{field_name, outcome, signed, signed_tokens, total};
use crate::answer::diff::{Cache, Change, FieldChange, Pair, UNKNOWN_TEXT};
use crate::diagnostic::{Diagnostic, Location, Severity};
use crate::text::numbers::{count, thousands};

/// The maximum number of files named whose text an agent no longer sends.
const MOST_LOST: usize = 3;

impl Impact {
    /// `3 of 41 prompts changed`, and how many differ only in hidden values.
    pub fn verdict(&self) -> String {
        let all = count(self.directives, "prompt");
        let change = match self.changed.len() {
            0 => format!("None of {all} changed"),
            changed => format!("{} of {all} changed", thousands(changed)),
        };
        let hidden = match self.hidden.len() {
            0 => return change,
            1 => "1 prompt differs".to_string(),
            more => format!("{} prompts differ", thousands(more)),
        };
        format!("{change}; {hidden} only in hidden values")
    }

    /// `3,800 → 4,214 tokens (+414, +10.9%)`; `None` if no prompt changes.
    pub fn cost(&self) -> Option<String> {
        (!self.changed.is_empty()).then(|| total(self.tokens, self.has_unknown))
    }

    /// What the change does to each agent: `codex: +594 tokens in 3 folders; 40 lines of api/AGENTS.md are lost: the
    /// budget is used up`. `quoted` formats paths.
    pub fn agents(&self, quoted: &dyn Fn(&str) -> String) -> Vec<String> {
        let mut agents: BTreeMap<&str, Vec<&ChangedPrompt>> = BTreeMap::new();
        for changed in &self.changed {
            agents.entry(changed.agent.as_deref().unwrap_or_default()).or_default().push(changed);
        }
        agents.remove("");
        agents.into_iter().map(|(agent, prompts)| of_agent(agent, &prompts, quoted)).collect()
    }

    /// What is not compared, in words.
    pub fn not_compared(&self) -> Option<String> {
        self.has_unknown.then(|| format!("not compared: {UNKNOWN_TEXT}"))
    }

    /// `1 prompt cannot be rendered`
    pub fn failures(&self) -> Option<String> {
        (!self.failed.is_empty()).then(|| format!("{} cannot be rendered", count(self.failed.len(), "prompt")))
    }
}

fn of_agent(agent: &str, prompts: &[&ChangedPrompt], quoted: &dyn Fn(&str) -> String) -> String {
    let tokens = prompts
        .iter()
        .fold(Pair::default(), |sum: Pair<usize>, prompt| sum.zip(prompt.tokens).map(|(sum, tokens)| sum + tokens));
    let mut line = format!("{agent}: {} in {}", signed_tokens(tokens), count(prompts.len(), "folder"));
    // A file may be lost in several folders.
    let mut lost: BTreeMap<&str, &LostText> = BTreeMap::new();
    for text in prompts.iter().flat_map(|prompt| &prompt.lost) {
        let most = lost.entry(&text.path).or_insert(text);
        if text.lines > most.lines {
            *most = text;
        }
    }
    for text in lost.values().take(MOST_LOST) {
        line += &format!("; {}", text.phrase(quoted));
    }
    match lost.len().saturating_sub(MOST_LOST) {
        0 => line,
        more => format!("{line}; and lines of {}", count(more, "more file")),
    }
}

impl CauseKind {
    /// The id of the item, or else the path.
    pub fn name(&self) -> &str {
        match self {
            Self::Arguments => "arguments",
            Self::Settings { path } | Self::File { path, id: None, .. } => path,
            Self::File { id: Some(id), .. } => id,
        }
    }

    /// `project .ai/knowledge/rules.md`
    pub fn place(&self) -> Option<String> {
        match self {
            // The name is the path.
            Self::File { tier, .. } if tier.is_empty() => None,
            Self::File { tier, path, .. } => Some(format!("{tier} {path}")),
            _ => None,
        }
    }

    /// What differs: `added` or `removed` for a file that only one side has; a sentence for a cause that is not a file.
    pub fn note(&self) -> Option<&'static str> {
        match self {
            Self::File { .. } => self.added_or_removed().map(|change| change.into_str()),
            Self::Settings { .. } => Some("the settings of rye-render: example inputs, or the protocol"),
            Self::Arguments => Some("the protocol, the agent, the model, an input, or a what-if flag"),
        }
    }
}

/// A prompt that a cause changes.
pub struct PromptRow<'a> {
    pub prompt: usize,
    pub id: &'a str,
    pub change: Change,
    /// `system, tools`; `added` or `removed` if only one side has the prompt.
    pub what: String,
    /// `+72`
    pub tokens: String,
    /// `None` if only one side has the prompt.
    pub cache: Option<&'a Cache>,
    pub details: Vec<Detail<'a>>,
}

impl<'a> PromptRow<'a> {
    pub fn all(cause: &'a Cause, impact: &'a Impact) -> impl Iterator<Item = Self> {
        cause.prompts.iter().filter_map(|affected| {
            let changed = impact.changed.get(affected.prompt)?;
            let is_on_both = !changed.is_on_one_side();
            Some(Self {
                prompt: affected.prompt,
                id: &changed.id,
                change: changed.change,
                what: if is_on_both { what(changed, &affected.share) } else { changed.change.into_str().to_string() },
                tokens: signed(affected.share.grown()),
                cache: is_on_both.then_some(&changed.cache),
                details: Detail::all(changed, &affected.share),
            })
        })
    }
}

/// The roles of the messages that differ, and what else differs: `system, tools`.
fn what(changed: &ChangedPrompt, share: &Share) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for layer in share.layers.iter().filter_map(|&index| changed.layers.get(index)) {
        if !parts.contains(&layer.role.as_str()) {
            parts.push(&layer.role);
        }
    }
    let besides = [
        (!share.tools.is_empty() || share.tool_order, "tools"),
        (!share.fields.is_empty(), "fields"),
        (share.chain, "chain"),
        (share.between, "between layers"),
    ];
    parts.extend(besides.into_iter().filter(|(differs, _)| *differs).map(|(_, part)| part));
    // Decisions are listed only if nothing else differs.
    if parts.is_empty() && !share.decisions.is_empty() {
        parts.push("decisions");
    }
    parts.join(", ")
}

/// A difference in a prompt other than the lines of its layers.
#[derive(Debug, Clone, PartialEq)]
pub enum Detail<'a> {
    Tool(&'a ToolChange),
    Field(&'a FieldChange),
    Decision(&'a DecisionChange),
    /// A difference without a name.
    Sentence(&'static str),
}

impl<'a> Detail<'a> {
    /// All details of a cause; empty for a prompt that only one side has.
    fn all(changed: &'a ChangedPrompt, share: &Share) -> Vec<Self> {
        if changed.is_on_one_side() {
            return Vec::new();
        }
        let tools = share.tools.iter().filter_map(|&at| changed.tools.get(at)).map(Self::Tool);
        let fields = share.fields.iter().filter_map(|&at| changed.fields.get(at)).map(Self::Field);
        // A layer that was added or removed is listed already; its decision would repeat it.
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

    /// `tool`, before the name of a tool.
    pub fn kind(&self) -> Option<&'static str> {
        matches!(self, Self::Tool(_)).then_some("tool")
    }

    /// `limits.turns`
    pub fn name(&self) -> Option<String> {
        match self {
            Self::Tool(tool) => Some(tool.name.clone()),
            Self::Field(field) => Some(field_name(field)),
            Self::Decision(decision) => Some(decision.name.clone()),
            Self::Sentence(_) => None,
        }
    }

    /// `20 → 30`
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
                let [left, right] = decision.shown().into_array();
                format!("{left} → {right}")
            }
            Self::Sentence(sentence) => (*sentence).to_string(),
        }
    }

    /// `tool rye_web_search: description changed`; `quoted` formats names and values.
    pub fn sentence(&self, quoted: impl Fn(&str) -> String) -> String {
        let change = match self {
            Self::Tool(_) | Self::Sentence(_) => self.change(),
            Self::Field(_) | Self::Decision(_) => quoted(&self.change()),
        };
        let Some(name) = self.name() else { return change };
        let kind = self.kind().map(|kind| format!("{kind} ")).unwrap_or_default();
        format!("{kind}{}: {change}", quoted(&name))
    }
}

impl DecisionChange {
    /// `condition false`, `not considered`
    pub fn shown(&self) -> Pair<String> {
        self.outcome.as_ref().map(|it| outcome(it.as_deref()))
    }
}

/// The worst error of a side on which a directive cannot be rendered.
pub struct WorstError<'a> {
    /// `working tree`
    pub side: &'a str,
    /// The first line of the message.
    pub message: String,
    pub tier: &'a str,
    /// `.ai/directives/deploy.md:4`; empty if the error has no place.
    pub path: String,
    /// `(and 2 more)`
    pub more: Option<String>,
}

impl Failed {
    pub fn worst<'a>(&'a self, impact: &'a Impact) -> impl Iterator<Item = WorstError<'a>> {
        impact.title.as_ref().zip(self.errors.as_ref()).into_array().into_iter().filter_map(|(side, errors)| {
            let is_error = |error: &&Diagnostic| error.severity() == Severity::Error;
            let error = errors.iter().find(is_error).or(errors.first())?;
            let at = error.at.as_ref();
            let line = at.and_then(Location::position).map(|position| format!(":{}", position.line));
            Some(WorstError {
                side,
                message: error.message().lines().next().unwrap_or_default().to_string(),
                tier: at.map_or("", Location::tier),
                path: format!("{}{}", at.map_or("", Location::path), line.unwrap_or_default()),
                more: (errors.len() > 1).then(|| format!("(and {} more)", errors.len() - 1)),
            })
        })
    }
}
