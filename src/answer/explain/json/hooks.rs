//! The JSON of hooks and their conditions.

use serde::Serialize;

use crate::decide::condition::{ActualValue, Judgement};
use crate::prompt::json::origin::SourceJson;
use crate::prompt::json::shape::DeclaredJson;
use crate::prompt::{ActionResult, HookRun};
use crate::read::item;
use crate::read::item::condition::Form;
use crate::read::value::Value;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HookRunJson<'a> {
    pub id: Option<&'a str>,
    pub event: &'a str,
    /// The place of its declaration: the user's or the project's hooks.yaml, the directive, or a list in
    /// hook_conditions.yaml.
    #[cfg_attr(test, schemars(extend("enum" = ["user", "directive", "builtin", "context", "project", "infra"])))]
    pub origin: &'static str,
    /// Decides its place among the hooks.
    pub layer: f64,
    #[cfg_attr(test, schemars(extend("enum" = ["before", "after"])))]
    pub position: &'static str,
    pub source: Option<SourceJson<'a>>,
    pub actions: Vec<HookActionJson<'a>>,
    /// Includes the values that it saw.
    pub condition: ConditionJson<'a>,
    /// As written.
    pub condition_source: Option<SourceJson<'a>>,
    #[cfg_attr(test, schemars(extend("enum" = ["applies", "condition_false", "suppressed", "not_reached", "not_fired",
        "left_out", "unknown"])))]
    pub verdict: &'static str,
    pub why: &'a str,
    /// What decided instead of its condition.
    pub by: Option<DeclaredJson<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HookActionJson<'a> {
    /// `execute`, `fetch` or `load`.
    pub primary: Option<&'a str>,
    /// `knowledge`, `tool` or `directive`.
    pub item_type: Option<&'a str>,
    /// As written.
    pub item_id: Option<&'a str>,
    pub set_extends: Option<&'a str>,
    /// As in `decisions`; null if it was not considered.
    pub outcome: Option<&'static str>,
    pub why: Option<&'a str>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConditionJson<'a> {
    /// Null if it was not evaluated because an earlier condition decided the result.
    #[cfg_attr(test, schemars(extend("enum" = ["true", "false", "unknown", null])))]
    pub truth: Option<&'static str>,
    #[serde(flatten)]
    pub form: ConditionForm<'a>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ConditionForm<'a> {
    /// An empty condition always holds.
    Always,
    /// An invalid condition never holds.
    Invalid {
        why: &'a str,
    },
    Any {
        /// In order of evaluation.
        conditions: Vec<ConditionJson<'a>>,
    },
    All {
        /// In order of evaluation.
        conditions: Vec<ConditionJson<'a>>,
    },
    Not {
        condition: Box<ConditionJson<'a>>,
    },
    Comparison {
        /// Empty for the whole context.
        path: &'a str,
        operator: &'a str,
        /// Also null if it would reveal a hidden value.
        #[cfg_attr(test, schemars(with = "serde_json::Value"))]
        expected: Option<&'a Value>,
        /// At most 60 characters; null if it saw no value or an unknown one.
        saw: Option<&'a str>,
        /// Whether `saw` replaces a hidden value.
        hidden: bool,
        /// Null if it was not evaluated.
        why: Option<String>,
    },
}

impl<'a> From<&'a HookRun> for HookRunJson<'a> {
    fn from(run: &'a HookRun) -> Self {
        let HookRun { hook, judgement, verdict, why, by, results } = run;
        let actions = hook.actions.iter().enumerate();
        Self {
            id: hook.id.as_deref(),
            event: &hook.event,
            origin: hook.origin.into_str(),
            layer: hook.effective_layer(),
            position: if hook.is_after() { "after" } else { "before" },
            source: hook.span.as_ref().map(Into::into),
            actions: actions.map(|(index, action)| self::action(action, results.get(index))).collect(),
            condition: judgement.into(),
            condition_source: hook.condition.span.as_ref().map(Into::into),
            verdict: verdict.into_str(),
            why,
            by: by.as_ref().map(Into::into),
        }
    }
}

fn action<'a>(action: &'a item::HookAction, result: Option<&'a ActionResult>) -> HookActionJson<'a> {
    HookActionJson {
        primary: action.primary.as_deref(),
        item_type: action.item_type.as_deref(),
        item_id: action.item_id.as_ref().map(|field| field.as_str()),
        set_extends: action.set_extends.as_ref().map(|field| field.as_str()),
        outcome: result.map(|result| result.outcome.into_str()),
        why: result.map(|result| result.why.as_str()),
    }
}

impl<'a> From<&'a Judgement> for ConditionJson<'a> {
    fn from(judgement: &'a Judgement) -> Self {
        let mut conditions = judgement.children.iter().map(Self::from);
        let form = match &judgement.condition.form {
            Form::Always => ConditionForm::Always,
            Form::Invalid(why) => ConditionForm::Invalid { why },
            Form::Any(_) => ConditionForm::Any { conditions: conditions.collect() },
            Form::All(_) => ConditionForm::All { conditions: conditions.collect() },
            Form::Not(_) => {
                // A judgement has a child for each child of its condition.
                ConditionForm::Not { condition: Box::new(conditions.next().expect("`not` has one child")) }
            }
            Form::Comparison(comparison) => {
                let (saw, hidden) = match &judgement.actual {
                    ActualValue::Value(value) => (Some(value.as_str()), false),
                    ActualValue::Hidden(value) => (Some(value.as_str()), true),
                    ActualValue::Unknown | ActualValue::Nothing => (None, false),
                };
                let why = judgement.truth.map(|_| judgement.why());
                let (path, operator) = (&comparison.path, &comparison.op);
                let expected = judgement.expected(comparison);
                ConditionForm::Comparison { path, operator, expected, saw, hidden, why }
            }
        };
        Self { truth: judgement.truth.map(|it| it.into_str()), form }
    }
}
