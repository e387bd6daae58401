//! Hooks, and the conditions that they were judged by.

use serde::Serialize;

use crate::condition::{self, Form, Judgement, Saw};
use crate::item;
use crate::prompt::{ActionResult, HookRun};
use crate::render::json::shape::{Declared, Source};
use crate::value::Value;

/// A hook, and what became of it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Hook<'a> {
    /// Its id; null where it has none.
    pub id: Option<&'a str>,
    /// The event that it waits for.
    pub event: &'a str,
    /// Where it was declared: hooks.yaml of the user or the project, the directive, or a list of hook_conditions.yaml.
    #[cfg_attr(test, schemars(extend("enum" = ["user", "directive", "builtin", "context", "project", "infra"])))]
    pub origin: &'static str,
    /// The layer that decides its place among the hooks.
    pub layer: f64,
    /// `before` or `after`.
    #[cfg_attr(test, schemars(extend("enum" = ["before", "after"])))]
    pub position: &'static str,
    /// Its declaration.
    pub source: Option<Source<'a>>,
    /// What it does when it applies.
    pub actions: Vec<Action<'a>>,
    /// Its condition, with the values that it saw.
    pub condition: Condition<'a>,
    /// The condition as written; null where it has none.
    pub condition_source: Option<Source<'a>>,
    /// What became of it.
    #[cfg_attr(test, schemars(extend("enum" = ["applies", "condition_false", "suppressed", "not_reached", "not_fired",
        "left_out", "unknown"])))]
    pub verdict: &'static str,
    /// A sentence.
    pub why: &'a str,
    /// What decided, where that is not its condition.
    pub by: Option<Declared<'a>>,
}

/// An action of a hook.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Action<'a> {
    /// `execute`, `fetch` or `load`.
    pub primary: Option<&'a str>,
    /// `knowledge`, `tool` or `directive`.
    pub item_type: Option<&'a str>,
    /// The item's id as written.
    pub item_id: Option<&'a str>,
    /// The parent that it sets.
    pub set_extends: Option<&'a str>,
    /// What became of it, as in `decisions`; null where it was not looked at.
    pub outcome: Option<&'static str>,
    /// A sentence.
    pub why: Option<&'a str>,
}

/// A condition, or a part of one.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Condition<'a> {
    /// What became of it; null where it was not asked, since another one had decided before.
    #[cfg_attr(test, schemars(extend("enum" = ["true", "false", "unknown", null])))]
    pub truth: Option<&'static str>,
    /// What it is.
    #[serde(flatten)]
    pub form: ConditionForm<'a>,
}

/// What a condition is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ConditionForm<'a> {
    /// An empty one, which always holds.
    Always,
    /// One that makes no sense, and never holds.
    Invalid {
        /// A sentence.
        why: &'a str,
    },
    /// One of these holds.
    Any {
        /// In the order in which they are asked.
        conditions: Vec<Condition<'a>>,
    },
    /// All of these hold.
    All {
        /// In the order in which they are asked.
        conditions: Vec<Condition<'a>>,
    },
    /// This one does not hold.
    Not {
        /// The one.
        condition: Box<Condition<'a>>,
    },
    /// A value is compared with another.
    Comparison {
        /// The path of the value, empty for the whole context.
        path: &'a str,
        /// The operator.
        operator: &'a str,
        /// What the value is compared with; null too where that would give a hidden value away.
        #[cfg_attr(test, schemars(with = "serde_json::Value"))]
        expected: Option<&'a Value>,
        /// The value that it saw, as text of at most 60 characters; null where it saw none, or nobody knows it.
        saw: Option<&'a str>,
        /// Whether the value is hidden, so that `saw` is what is shown in its place.
        hidden: bool,
        /// A sentence; null where it was not asked.
        why: Option<String>,
    },
}

impl<'a> From<&'a HookRun> for Hook<'a> {
    fn from(run: &'a HookRun) -> Self {
        let HookRun { hook, judgement, verdict, why, by, results } = run;
        let actions = hook.actions.iter().enumerate();
        Self {
            id: hook.id.as_deref(),
            event: &hook.event,
            origin: hook.origin.into_str(),
            layer: hook.effective_layer(),
            position: if hook.stands_after() { "after" } else { "before" },
            source: hook.span.as_ref().map(Into::into),
            actions: actions.map(|(index, action)| self::action(action, results.get(index))).collect(),
            condition: judgement.into(),
            condition_source: hook.condition_span.as_ref().map(Into::into),
            verdict: verdict.into_str(),
            why,
            by: by.as_ref().map(Into::into),
        }
    }
}

fn action<'a>(action: &'a item::Action, result: Option<&'a ActionResult>) -> Action<'a> {
    Action {
        primary: action.primary.as_deref(),
        item_type: action.item_type.as_deref(),
        item_id: action.item_id.as_ref().map(|field| field.as_str()),
        set_extends: action.set_extends.as_ref().map(|field| field.as_str()),
        outcome: result.map(|result| result.outcome.into_str()),
        why: result.map(|result| result.why.as_str()),
    }
}

impl<'a> From<&'a Judgement> for Condition<'a> {
    fn from(judgement: &'a Judgement) -> Self {
        let all = |conditions: &'a [Judgement]| conditions.iter().map(Into::into).collect();
        let form = match &judgement.form {
            Form::Always => ConditionForm::Always,
            Form::Invalid(why) => ConditionForm::Invalid { why },
            Form::Any(conditions) => ConditionForm::Any { conditions: all(conditions) },
            Form::All(conditions) => ConditionForm::All { conditions: all(conditions) },
            Form::Not(condition) => ConditionForm::Not { condition: Box::new((&**condition).into()) },
            Form::Comparison(comparison) => {
                let condition::Comparison { path, operator, expected, saw, .. } = comparison;
                let (saw, hidden) = match saw {
                    Saw::Value(value) => (Some(value.as_str()), false),
                    Saw::Hidden(value) => (Some(value.as_str()), true),
                    Saw::Unknown | Saw::Nothing => (None, false),
                };
                let why = judgement.truth.map(|_| judgement.why());
                ConditionForm::Comparison { path, operator, expected: expected.as_ref(), saw, hidden, why }
            }
        };
        Self { truth: judgement.truth.map(|it| it.into_str()), form }
    }
}
