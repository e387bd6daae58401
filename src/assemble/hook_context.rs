use crate::condition::{self, Verdict};
use crate::interpolate::redacted_input;
use crate::item::Directive;
use crate::request::{Redact, Request, ThreadEvent};
use crate::value::{Map, Value, map, python_str};

/// What a hook sees of the thread (Directives, "Configuration and hooks", "Hook context").
pub(super) struct Thread<'a> {
    /// What was asked for.
    pub request: &'a Request,
    /// Id, description and interpolated body, the non-empty ones joined by newlines.
    pub directive_body: &'a str,
    /// The effective model.
    pub model: &'a str,
    /// The effective limits.
    pub limits: &'a Map,
    /// What the thread may do.
    pub capabilities: &'a [String],
}

/// The effective model: the request's, else the directive's model id, else its tier, else `general`.
pub(super) fn effective_model(request: &Request, directive: &Directive) -> String {
    let declared = || directive.model.id.as_ref().or(directive.model.tier.as_ref());
    match &request.model {
        Some(model) => model.clone(),
        None => declared().map_or("general", |field| field.as_str()).to_string(),
    }
}

/// What conditions and `${…}` of one event see.
pub(super) struct HookContext {
    /// The values.
    pub values: Value,
    /// The same for sentences, where inputs are hidden.
    shown: Option<Value>,
}

impl HookContext {
    fn new(values: Map, redact: Redact) -> Self {
        let shown = redact.inputs.then(|| {
            let mut shown = values.clone();
            if let Some(Value::Map(inputs)) = shown.get_mut(&Value::from("inputs")) {
                for (name, value) in inputs.iter_mut() {
                    *value = redacted_input(&python_str(name)).into();
                }
            }
            Value::Map(shown)
        });
        Self { values: Value::Map(values), shown }
    }

    /// Whether a condition holds on the values, in words that give no hidden one away.
    pub fn judge(&self, condition: &Value) -> Verdict {
        let verdict = condition::evaluate(condition, &self.values);
        match &self.shown {
            Some(shown) if condition::evaluate(condition, shown).why != verdict.why => {
                Verdict { why: "the value of an input decides, which is hidden".to_string(), ..verdict }
            }
            _ => verdict,
        }
    }
}

/// The given inputs, defaults not among them.
fn given_inputs(request: &Request) -> Value {
    let inputs = request.inputs.iter().map(|input| (Value::from(input.name.as_str()), input.value.clone()));
    Value::Map(inputs.collect())
}

impl Thread<'_> {
    /// The context of `build_system_prompt`.
    pub fn system_prompt(&self) -> HookContext {
        HookContext::new(self.common(), self.request.redact)
    }

    fn common(&self) -> Map {
        map([
            ("directive", Value::from(self.request.directive.id.as_str())),
            ("directive_body", Value::from(self.directive_body)),
            ("model", Value::from(self.model)),
            ("limits", Value::Map(self.limits.clone())),
            ("inputs", given_inputs(self.request)),
        ])
    }

    /// The context of `thread_started` or `thread_continued`.
    pub fn started_or_continued(&self) -> HookContext {
        let Request { project_path, depth, parent_thread, previous_thread, event, .. } = self.request;
        let mut context = self.common();
        if *event == ThreadEvent::Continued {
            let previous = previous_thread.as_deref().map(Value::from).unwrap_or_default();
            context.extend(map([("previous_thread_id", previous)]));
            return HookContext::new(context, self.request.redact);
        }
        let limit =
            |name: &str| self.limits.get(&Value::from(name)).cloned().unwrap_or_else(|| Value::from("unlimited"));
        let summary = match self.capabilities {
            [] => "unrestricted".to_string(),
            capabilities => capabilities.join(", "),
        };
        context.extend(map([
            ("project_path", Value::from(project_path.as_str())),
            ("depth", Value::Int((*depth).into())),
            ("parent_thread_id", Value::from(parent_thread.as_deref().unwrap_or("none"))),
            ("spend_limit", limit("spend")),
            ("max_turns", limit("turns")),
            ("capabilities_summary", Value::from(summary)),
        ]));
        HookContext::new(context, self.request.redact)
    }
}

/// The context of `resolve_extends`.
pub(super) fn routing(request: &Request, directive: &Directive, model: &str) -> HookContext {
    let category = directive.category.as_ref().map_or("", |field| field.as_str());
    let context = map([
        ("directive", Value::from(request.directive.id.as_str())),
        ("has_extends", Value::from(directive.extends.as_ref().is_some_and(|field| !field.text.is_empty()))),
        ("category", Value::from(category)),
        ("inputs", given_inputs(request)),
        ("model", Value::from(model)),
    ]);
    HookContext::new(context, request.redact)
}
