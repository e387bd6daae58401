use crate::condition::{self, Judgement, Seen, Sight, Truth, Work};
use crate::diagnostic::Problem;
use crate::interpolate::redacted_input;
use crate::item::Directive;
use crate::prompt::Grant;
use crate::request::{Redact, Request};
use crate::text::{InputFrom, Origin};
use crate::value::{Map, Value, look_up, map, python_str};

use super::Leaf;

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
    pub capabilities: &'a [Grant],
    /// What of all that is not known, since inputs have no value.
    pub unknown: Unknown,
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
    /// What nobody knows here.
    unknown: Unknown,
    /// What its conditions may still cost.
    work: Work,
}

/// What a thread that runs would know, and this prompt does not.
#[derive(Debug, Clone, Default)]
pub(super) struct Unknown {
    /// Required inputs without a value.
    pub inputs: Vec<String>,
    /// Other values, by their keys.
    pub values: Vec<&'static str>,
    /// Whether there are more values, of whatever name.
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
        Self { values: Value::Map(values), shown, unknown, work: Work::default() }
    }

    /// What a condition comes to in this prompt, where a value that nobody knows is null; and what its author should
    /// know.
    pub fn judge(&self, condition: &Value) -> (Judgement, Vec<Problem>) {
        condition::judge_within(condition, &Taken(self), &self.work)
    }

    /// What a condition comes to in every prompt that agrees with this one in what is known. `judged` is what it comes
    /// to in this one, if that was asked.
    pub fn judge_known(&self, condition: &Value, judged: Option<Judgement>) -> Judgement {
        judged.filter(|_| self.knows_all()).unwrap_or_else(|| condition::judge_within(condition, self, &self.work).0)
    }

    /// A condition that holds in some of those prompts and not in others.
    pub fn undecided(&self, condition: &Value) -> Option<Judgement> {
        let known = (!self.knows_all()).then(|| condition::judge_within(condition, self, &self.work).0);
        known.filter(|judgement| judgement.truth == Some(Truth::Unknown))
    }

    fn knows_all(&self) -> bool {
        let Unknown { inputs, values, others } = &self.unknown;
        inputs.is_empty() && values.is_empty() && !others
    }

    /// Whether nobody knows what stands at a path, or not the whole of it.
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

impl Sight for HookContext {
    fn see(&self, path: &str) -> Seen<'_> {
        if self.is_unknown(path) { Seen::Unknown } else { Taken(self).at(path) }
    }
}

/// A context as a prompt takes it: what is not known is not there.
struct Taken<'a>(&'a HookContext);

impl<'a> Taken<'a> {
    fn at(&self, path: &str) -> Seen<'a> {
        let Some(value) = look_up(&self.0.values, path) else { return Seen::Known(&Value::Null) };
        let Some(shown) = &self.0.shown else { return Seen::Known(value) };
        // A part of an input that is hidden is hidden as a whole.
        let input = path.match_indices('.').nth(1).map_or(path, |(end, _)| &path[..end]);
        match look_up(shown, path).or_else(|| look_up(shown, input)) {
            Some(shown) if shown != value => Seen::Hidden { value, shown },
            _ => Seen::Known(value),
        }
    }
}

impl Sight for Taken<'_> {
    fn see(&self, path: &str) -> Seen<'_> {
        self.at(path)
    }
}

/// The given inputs, defaults not among them.
fn given_inputs(request: &Request) -> Value {
    let inputs = request.inputs.iter().map(|input| (Value::from(input.name.as_str()), input.value.clone()));
    Value::Map(inputs.collect())
}

impl Unknown {
    /// Required inputs without a value.
    fn inputs(leaf: &Leaf) -> Self {
        let missing = leaf.inputs.iter().filter(|input| input.from == InputFrom::Placeholder);
        Self { inputs: missing.map(|input| input.name.to_string()).collect(), ..Self::default() }
    }

    /// Those, and the body where it has one of them.
    pub fn of(leaf: &Leaf) -> Self {
        let mut origins = leaf.body.segments().map(|segment| segment.origin);
        let is_open = origins.any(|origin| matches!(origin, Origin::Input { from: InputFrom::Placeholder, .. }));
        Self { values: is_open.then_some("directive_body").into_iter().collect(), ..Self::inputs(leaf) }
    }
}

impl Thread<'_> {
    /// The context of `build_system_prompt`.
    pub fn system_prompt(&self) -> HookContext {
        self.context([], self.unknown.clone())
    }

    /// The context of an event of a thread that runs, of which the least is known.
    pub fn running(&self) -> HookContext {
        self.context([], Unknown { others: true, ..self.unknown.clone() })
    }

    /// The context of `thread_continued`.
    pub fn continued(&self) -> HookContext {
        let previous = self.request.previous_thread.as_deref();
        let key = "previous_thread_id";
        let mut unknown = self.unknown.clone();
        unknown.values.extend(previous.is_none().then_some(key));
        self.context([(key, previous.map(Value::from).unwrap_or_default())], unknown)
    }

    /// The context of `thread_started`.
    pub fn started(&self) -> HookContext {
        let Request { project_path, depth, parent_thread, .. } = self.request;
        let limit =
            |name: &str| self.limits.get(&Value::from(name)).cloned().unwrap_or_else(|| Value::from("unlimited"));
        let summary = match self.capabilities {
            [] => "unrestricted".to_string(),
            capabilities => capabilities.iter().map(|grant| grant.capability.as_str()).collect::<Vec<_>>().join(", "),
        };
        let own = [
            ("project_path", Value::from(project_path.as_str())),
            ("depth", Value::Int((*depth).into())),
            ("parent_thread_id", Value::from(parent_thread.as_deref().unwrap_or("none"))),
            ("spend_limit", limit("spend")),
            ("max_turns", limit("turns")),
            ("capabilities_summary", Value::from(summary)),
        ];
        self.context(own, self.unknown.clone())
    }

    /// What every event sees, and what one sees besides.
    fn context<const N: usize>(&self, own: [(&'static str, Value); N], unknown: Unknown) -> HookContext {
        let mut values = self.common();
        values.extend(map(own));
        HookContext::new(values, unknown, self.request.redact)
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
}

/// The context of `resolve_extends`.
pub(super) fn routing(request: &Request, leaf: &Leaf) -> HookContext {
    let Leaf { directive, model, .. } = leaf;
    let category = directive.category.as_ref().map_or("", |field| field.as_str());
    let context = map([
        ("directive", Value::from(request.directive.id.as_str())),
        ("has_extends", Value::from(directive.extends.as_ref().is_some_and(|field| !field.text.is_empty()))),
        ("category", Value::from(category)),
        ("inputs", given_inputs(request)),
        ("model", Value::from(model.effective.as_str())),
    ]);
    let unknown = Unknown::inputs(leaf);
    HookContext::new(context, unknown, request.redact)
}
