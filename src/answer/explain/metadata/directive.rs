//! What the directives of a chain declare, and whether hooks depend on the body of one.

use super::Metadata;
use crate::prompt::{ChainMember, Prompt};
use crate::read::item::condition::Condition;
use crate::read::item::{
    Directive, Hook, HookAction, InputDeclaration, ItemField, ModelDeclaration, OutputDeclaration,
};
use crate::read::value::{Map, PathSyntax, Value, map};
use crate::read::yaml::YamlNode;
use crate::text::Origin;

/// What every directive of the chain adds to the leaf's prompt.
pub(super) fn of_member(member: &ChainMember, all: &mut Vec<Metadata>) {
    let Some(directive) = member.directive.as_deref() else { return };
    all.push(Metadata::new("directive", directive.tag.text(), &directive.tag));
    for (name, field) in [("name", &directive.name), ("version", &directive.version), ("extends", &directive.extends)] {
        all.extend(single(directive, name, field));
    }
    all.extend(
        directive
            .permissions
            .iter()
            .map(|permission| Metadata::new("permission", permission.capability.as_str(), &permission.span)),
    );
    let context = &directive.context;
    for (name, fields) in [
        ("system", &context.system),
        ("before", &context.before),
        ("after", &context.after),
        ("suppress", &context.suppress),
    ] {
        all.extend(fields.iter().map(|field| Metadata::new(name, field.as_str(), &field.span)));
    }
    all.extend(directive.comments.iter().map(|comment| Metadata::new("comment", comment.text(), comment)));
}

/// What only the leaf's declarations decide.
pub(super) fn of_leaf(directive: &Directive, all: &mut Vec<Metadata>) {
    for (name, field) in [("description", &directive.description), ("category", &directive.category)] {
        all.extend(single(directive, name, field));
    }
    if let Some(span) = directive.places.get("model") {
        let ModelDeclaration { tier, id, provider } = &directive.model;
        let value = map([("tier", text(tier)), ("id", text(id)), ("provider", text(provider))]);
        all.push(Metadata::new("model", value, span));
    }
    if let Some(span) = directive.places.get("limits") {
        let limits = directive.limits.iter().map(|limit| (Value::from(limit.name.as_str()), limit.value.clone()));
        all.push(Metadata::new("limits", limits.collect::<Map>(), span));
    }
    all.extend(directive.inputs.iter().map(|input| Metadata::new("input", of_input(input), &input.span)));
    all.extend(directive.outputs.iter().map(|output| Metadata::new("output", of_output(output), &output.span)));
    all.extend(
        directive.hooks.iter().filter_map(|hook| Some(Metadata::new("hook", of_hook(hook), hook.span.as_ref()?))),
    );
}

fn single(directive: &Directive, name: &'static str, field: &Option<ItemField>) -> Option<Metadata> {
    Some(Metadata::new(name, field.as_ref()?.as_str(), directive.places.get(name)?))
}

fn text(field: &Option<ItemField>) -> Value {
    field.as_ref().map(|field| Value::from(field.as_str())).unwrap_or_default()
}

fn word(text: &Option<String>) -> Value {
    text.as_deref().map(Value::from).unwrap_or_default()
}

fn of_input(input: &InputDeclaration) -> Map {
    map([
        ("name", input.name.as_str().into()),
        ("type", input.input_type.as_str().into()),
        ("required", input.required.into()),
        ("default", text(&input.default)),
        ("description", text(&input.description)),
    ])
}

fn of_output(output: &OutputDeclaration) -> Map {
    map([
        ("name", text(&output.name)),
        ("type", text(&output.output_type)),
        ("required", output.required.is_some().into()),
        ("description", text(&output.description)),
    ])
}

fn of_hook(hook: &Hook) -> Map {
    let of_action = |action: &HookAction| {
        Value::Map(map([
            ("primary", word(&action.primary)),
            ("item_type", word(&action.item_type)),
            ("item_id", text(&action.item_id)),
            ("params", Value::Map(action.params.clone())),
        ]))
    };
    map([
        ("id", word(&hook.id)),
        ("event", hook.event.as_str().into()),
        ("layer", hook.layer.map(Value::Float).unwrap_or_default()),
        ("position", word(&hook.position)),
        ("wrap", hook.wrap.clone().unwrap_or_default()),
        ("condition", hook.written.get("condition").map(YamlNode::value).unwrap_or_default()),
        ("actions", Value::List(hook.actions.iter().map(of_action).collect())),
    ])
}

/// Whether a condition, an id or a text of a hook depends on the body.
pub(super) fn is_body_seen(prompt: &Prompt, leaf: &Directive, configuration: &[Metadata]) -> bool {
    let segments = prompt.messages.iter().flat_map(|message| message.segments());
    let mut variables = segments.filter_map(|segment| match segment.origin {
        Origin::Variable { name, .. } => Some(name),
        _ => None,
    });
    let mut hooks = leaf.hooks.iter().map(of_hook).map(Value::Map);
    let mut configured = configuration.iter().flat_map(|section| section.value.as_list().unwrap_or_default());
    variables.any(|path| is_body(path)) || hooks.any(|hook| hook_sees_body(&hook)) || configured.any(hook_sees_body)
}

const BODY: &str = "directive_body";

fn hook_sees_body(hook: &Value) -> bool {
    let single = hook.get("action").into_iter();
    let mut actions = single.chain(hook.get("actions").and_then(Value::as_list).unwrap_or_default());
    let in_id = |action: &Value| action.get("item_id").and_then(Value::as_str).is_some_and(|id| id.contains(BODY));
    // Where brackets mean nothing, a path with them leads nowhere: treating it as a use is harmless.
    let condition = Condition::of(hook.get("condition").map(YamlNode::of).as_ref(), PathSyntax::Brackets);
    condition.comparisons().any(|(_, comparison)| is_body(&comparison.path)) || actions.any(in_id)
}

/// Whether a path leads to the body, or to the context as a whole.
fn is_body(path: &str) -> bool {
    path.trim().is_empty() || path.trim().starts_with(BODY)
}
