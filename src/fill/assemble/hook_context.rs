use std::sync::Arc;

use crate::decide::condition::{self, Judgement, LookupResult, Truth, ValueLookup, Work};
use crate::decide::request::{Redact, Request};
use crate::diagnostic::Problem;
use crate::fill::interpolate::{ValueSources, as_value, redacted_input};
use crate::prompt::Grant;
use crate::read::item::Directive;
use crate::read::item::condition::Condition;
use crate::read::protocol::{Protocol, RoutingModel};
use crate::read::value::{Map, Value, look_up, map, python_str};
use crate::read::yaml::{NodeMap, YamlData, YamlNode};
use crate::text::{InputFrom, Origin, Span, Traced};

use super::Leaf;

/// What hook contexts are built from (Directives, "Configuration and hooks", "Hook context").
pub(super) struct ThreadFacts<'a> {
    pub request: &'a Request,
    pub directive: &'a Directive,
    /// Id, description and interpolated body, joined by newlines.
    pub directive_body: Arc<Traced>,
    pub limits: &'a NodeMap,
    pub limits_removed_by: Option<&'a Span>,
    pub capabilities: &'a [Grant],
    pub unknown: Unknown,
}

/// The effective model if neither the request nor the directive names one.
pub(super) const DEFAULT_MODEL: &str = "general";

/// The request's model, else the directive's model id, else its tier, else the default.
pub(super) fn effective_model(request: &Request, directive: &Directive) -> YamlNode {
    let declared = directive.model.id.as_ref().or(directive.model.tier.as_ref());
    let (model, span) = match (&request.model, declared) {
        (Some(model), _) => (model.as_str(), None),
        (None, Some(field)) => (field.as_str(), Some(field.span.clone())),
        (None, None) => (DEFAULT_MODEL, None),
    };
    YamlNode { data: YamlData::Scalar(model.into()), span }
}

pub(super) struct HookContext {
    pub values: Value,
    pub sources: ValueSources,
    /// The values with inputs redacted, for messages; `None` if inputs are not redacted.
    shown: Option<Value>,
    unknown: Unknown,
    work: Work,
}

/// Values that only a running thread would know.
#[derive(Debug, Clone, Default)]
pub(super) struct Unknown {
    pub inputs: Vec<String>,
    pub values: Vec<&'static str>,
    /// Whether a running thread may also know other names.
    pub others: bool,
}

impl HookContext {
    fn new(values: Map, unknown: Unknown, redact: Redact) -> Self {
        let shown = redact.inputs.then(|| {
            let mut shown = values.clone();
            if let Some(Value::Map(inputs)) = shown.get_mut(&Value::from("inputs")) {
                for (name, value) in inputs.iter_mut() {
                    *value = redacted_input(&python_str(name)).into();
                }
            }
            Value::Map(shown)
        });
        let (values, sources) = (Value::Map(values), ValueSources::default());
        Self { values, sources, shown, unknown, work: Work::default() }
    }

    /// Judges a condition for this prompt, treating unknown values as null.
    pub fn judge(&self, condition: &Arc<Condition>) -> (Judgement, Vec<Problem>) {
        condition::judge(condition, &AssumedContext(self), &self.work)
    }

    /// Judges a condition for all prompts with the same known values. `judged` is its judgement for this prompt, if
    /// already made.
    pub fn judge_known(&self, condition: &Arc<Condition>, judged: Option<Judgement>) -> Judgement {
        judged.filter(|_| self.knows_all()).unwrap_or_else(|| condition::judge(condition, self, &self.work).0)
    }

    pub fn undecided(&self, condition: &Arc<Condition>) -> Option<Judgement> {
        let known = (!self.knows_all()).then(|| condition::judge(condition, self, &self.work).0);
        known.filter(|judgement| judgement.truth == Some(Truth::Unknown))
    }

    fn knows_all(&self) -> bool {
        let Unknown { inputs, values, others } = &self.unknown;
        inputs.is_empty() && values.is_empty() && !others
    }

    fn is_unknown(&self, path: &str) -> bool {
        let Unknown { inputs, values, others } = &self.unknown;
        let mut parts = path.split('.');
        match parts.next().unwrap_or_default() {
            "" => *others || !values.is_empty() || !inputs.is_empty(),
            "inputs" => match parts.next() {
                Some(name) => inputs.iter().any(|input| input == name),
                None => !inputs.is_empty(),
            },
            key => values.contains(&key) || (*others && self.values.get(key).is_none()),
        }
    }
}

impl ValueLookup for HookContext {
    fn look_up(&self, path: &str) -> LookupResult<'_> {
        if self.is_unknown(path) { LookupResult::Unknown } else { AssumedContext(self).at(path) }
    }
}

struct AssumedContext<'a>(&'a HookContext);

impl<'a> AssumedContext<'a> {
    fn at(&self, path: &str) -> LookupResult<'a> {
        let Some(value) = look_up(&self.0.values, path) else { return LookupResult::Known(&Value::Null) };
        let Some(shown) = &self.0.shown else { return LookupResult::Known(value) };
        // Any part of a hidden input is hidden.
        let input = path.match_indices('.').nth(1).map_or(path, |(end, _)| &path[..end]);
        match look_up(shown, path).or_else(|| look_up(shown, input)) {
            Some(shown) if shown != value => LookupResult::Hidden { value, shown },
            _ => LookupResult::Known(value),
        }
    }
}

impl ValueLookup for AssumedContext<'_> {
    fn look_up(&self, path: &str) -> LookupResult<'_> {
        self.at(path)
    }
}

/// The inputs that were given, without defaults.
fn given_inputs(request: &Request) -> Value {
    let inputs = request.inputs.iter().map(|input| (Value::from(input.name.as_str()), input.value.clone()));
    Value::Map(inputs.collect())
}

impl Unknown {
    fn inputs(leaf: &Leaf) -> Self {
        let missing = leaf.inputs.iter().filter(|input| input.from == InputFrom::Placeholder);
        Self { inputs: missing.map(|input| input.name.to_string()).collect(), ..Self::default() }
    }

    /// The missing inputs, and the body if it contains a placeholder for one.
    pub fn of(leaf: &Leaf) -> Self {
        let mut origins = leaf.body.segments().map(|segment| segment.origin);
        let is_open = origins.any(|origin| matches!(origin, Origin::Input { from: InputFrom::Placeholder, .. }));
        Self { values: is_open.then_some("directive_body").into_iter().collect(), ..Self::inputs(leaf) }
    }
}

impl ThreadFacts<'_> {
    /// The context of any event except `resolve_extends`.
    pub fn context(&self, event: &str) -> HookContext {
        let Request { directive, project_path, depth, parent_thread, previous_thread, redact, .. } = self.request;
        // The id follows from the path of the file.
        let id = YamlNode {
            data: YamlData::Scalar(directive.id.as_str().into()),
            span: Some(self.directive.source.span(0..0)),
        };
        let model = effective_model(self.request, self.directive);
        let limits = YamlNode { data: YamlData::Map(self.limits.clone()), span: None };
        let [spend, turns] = ["spend", "turns"].map(|name| self.limit(name));
        let mut values = map([
            ("directive", id.value()),
            ("directive_body", Value::from(self.directive_body.text())),
            ("model", model.value()),
            ("limits", limits.value()),
            ("inputs", given_inputs(self.request)),
        ]);
        let capabilities = as_value("capabilities_summary", &self.capabilities_summary());
        let mut unknown = self.unknown.clone();
        match event {
            "build_system_prompt" => {}
            "thread_started" => values.extend(map([
                ("project_path", Value::from(project_path.as_str())),
                ("depth", Value::Int((*depth).into())),
                ("parent_thread_id", Value::from(parent_thread.as_deref().unwrap_or("none"))),
                ("spend_limit", spend.value()),
                ("max_turns", turns.value()),
                ("capabilities_summary", Value::from(capabilities.text())),
            ])),
            "thread_continued" => {
                let key = "previous_thread_id";
                unknown.values.extend(previous_thread.is_none().then_some(key));
                values.extend(map([(key, previous_thread.as_deref().map(Value::from).unwrap_or_default())]));
            }
            // An event during a run may have values that are unknown here.
            _ => unknown.others = true,
        }
        let nodes =
            [("directive", id), ("model", model), ("limits", limits), ("spend_limit", spend), ("max_turns", turns)];
        let texts = [("directive_body", Arc::clone(&self.directive_body)), ("capabilities_summary", capabilities)];
        let context = HookContext::new(values, unknown, *redact);
        HookContext { sources: ValueSources::new(nodes, texts), ..context }
    }

    fn limit(&self, name: &str) -> YamlNode {
        let unlimited =
            || YamlNode { data: YamlData::Scalar("unlimited".into()), span: self.limits_removed_by.cloned() };
        self.limits.get(&Value::from(name)).cloned().unwrap_or_else(unlimited)
    }

    fn capabilities_summary(&self) -> Traced {
        let declared = |grant: &Grant| match &grant.by.span {
            Some(span) => Traced::of(&grant.capability, Origin::Derived(span.clone())),
            None => Traced::protocol(&grant.capability),
        };
        match self.capabilities {
            [] => Traced::protocol("unrestricted"),
            capabilities => Traced::join(&capabilities.iter().map(declared).collect::<Vec<_>>(), ", "),
        }
    }
}

pub(super) fn routing(request: &Request, leaf: &Leaf, protocol: &Protocol) -> HookContext {
    let Leaf { directive, model, .. } = leaf;
    let category = directive.category.as_ref().map_or("", |field| field.as_str());
    let has_map = protocol.routing.is_some_and(|rules| rules.model == RoutingModel::Attributes);
    let effective = || Value::from(model.effective.as_str());
    let model = if has_map { Value::Map(directive.model_attributes.clone()) } else { effective() };
    let context = map([
        ("directive", Value::from(request.directive.id.as_str())),
        ("has_extends", Value::from(directive.extends.as_ref().is_some_and(|field| !field.text.is_empty()))),
        ("category", Value::from(category)),
        ("inputs", given_inputs(request)),
        ("model", model),
    ]);
    let unknown = Unknown::inputs(leaf);
    HookContext::new(context, unknown, request.redact)
}
