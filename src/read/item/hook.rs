use std::sync::Arc;
use strum::IntoStaticStr;

use super::ItemField;
use super::condition::Condition;
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::read::protocol::{HookItems, Protocol};
use crate::read::value::{Map, Value, python_str};
use crate::read::yaml::{YamlData, YamlNode};
use crate::text::Span;
use crate::text::nearest::nearest;

/// A hook from a configuration file or a directive (Directives, "Configuration and hooks").
#[derive(Debug, Clone)]
pub struct Hook {
    /// Printed as a value if it is not text.
    pub id: Option<String>,
    pub event: String,
    /// `None` for the default of its origin.
    pub layer: Option<f64>,
    /// `before`, `after`, or anything else.
    pub position: Option<String>,
    /// As written: false, 0, null and empty values turn wrapping off.
    pub wrap: Option<Value>,
    pub condition: Arc<Condition>,
    /// The content of a directive hook's `<condition>`. It is ignored: only the attributes are read.
    pub condition_inside: Option<Span>,
    pub actions: Vec<HookAction>,
    pub origin: HookOrigin,
    pub span: Option<Span>,
    /// The declaration as a map, ignored keys included. In a directive, only `value` of the condition is not text.
    pub written: Arc<YamlNode>,
}

/// Where a hook was declared, which decides its default layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum HookOrigin {
    /// `hooks.yaml` of the user tier.
    User,
    /// `<hooks>` of the directive.
    Directive,
    /// `builtin_hooks` of `hook_conditions.yaml`.
    Builtin,
    /// `context_hooks` of `hook_conditions.yaml`.
    Context,
    /// `hooks.yaml` of the project tier.
    Project,
    /// `infra_hooks` of `hook_conditions.yaml`.
    Infra,
}

impl HookOrigin {
    /// The origins whose hooks may set a parent, in order of precedence.
    pub const ROUTING: [Self; 3] = [Self::Project, Self::User, Self::Builtin];
}

#[derive(Debug, Clone, Default)]
pub struct HookAction {
    pub primary: Option<String>,
    /// The key that names the kind of its item.
    pub names_item: HookItems,
    /// As written; null is printed.
    pub kind: Option<String>,
    pub item_type: Option<String>,
    /// `item_type`, unless it is empty, false or zero.
    pub type_attribute: Option<ItemField>,
    pub item_id: Option<ItemField>,
    pub set_extends: Option<ItemField>,
    pub params: Map,
    pub span: Option<Span>,
}

impl Hook {
    pub fn effective_layer(&self) -> f64 {
        self.layer.unwrap_or(match self.origin {
            HookOrigin::User => 0.0,
            HookOrigin::Directive => 1.0,
            HookOrigin::Builtin | HookOrigin::Context => 2.0,
            HookOrigin::Project => 3.0,
            HookOrigin::Infra => 4.0,
        })
    }

    pub fn name(&self) -> &str {
        self.id.as_deref().unwrap_or("?")
    }

    pub fn fires(&self) -> bool {
        EVENTS.contains(&self.event.as_str())
    }

    pub fn shapes_messages(&self) -> bool {
        MESSAGE_EVENTS.contains(&self.event.as_str())
    }

    /// Whether it may choose the parent of a directive.
    pub fn routes(&self) -> bool {
        self.event == ROUTING_EVENT && HookOrigin::ROUTING.contains(&self.origin)
    }

    /// False if `wrap` is false, zero, null or empty.
    pub fn wraps(&self) -> bool {
        self.wrap.as_ref().is_none_or(Value::is_true)
    }

    /// Any position other than `after` means before.
    pub fn is_after(&self) -> bool {
        self.position.as_deref() == Some("after")
    }
}

/// The event at which the parent of a directive is chosen.
pub const ROUTING_EVENT: &str = "resolve_extends";

const MESSAGE_EVENTS: [&str; 3] = ["build_system_prompt", "thread_started", "thread_continued"];

/// The events of a thread: those that shape a prompt, then those of a running thread.
pub const EVENTS: [&str; 10] = [
    "build_system_prompt",
    "thread_started",
    "thread_continued",
    ROUTING_EVENT,
    "after_complete",
    "after_step",
    "context_window_pressure",
    "directive_return",
    "error",
    "limit",
];

/// Texts that look false but are treated as true.
pub(super) fn means_no(text: &str) -> bool {
    ["false", "0", "no", "off", "none", "null"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

pub fn hooks_from_list(
    list: &YamlNode,
    origin: HookOrigin,
    protocol: &Protocol,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<Hook>, Diagnostic> {
    let Some(entries) = list.as_list() else {
        if list.value().is_null() {
            return Ok(Vec::new());
        }
        return Err(invalid("the hooks are not a list", list));
    };
    entries.iter().map(|entry| from_node(entry, origin, protocol, diagnostics)).collect()
}

fn invalid(reason: &str, node: &YamlNode) -> Diagnostic {
    at_node(Problem::InvalidHooks { reason: reason.to_string() }, node)
}

fn at_node(problem: Problem, node: &YamlNode) -> Diagnostic {
    Diagnostic { problem, at: node.span.clone().map(Location::Span) }
}

fn printed(node: Option<&YamlNode>) -> Option<String> {
    node.map(YamlNode::value).filter(|value| !value.is_null()).map(|value| python_str(&value))
}

fn from_node(
    node: &YamlNode,
    origin: HookOrigin,
    protocol: &Protocol,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Hook, Diagnostic> {
    let YamlData::Map(_) = &node.data else {
        return Err(invalid("an entry is not a map", node));
    };
    let actions = match (node.get("actions"), node.get("action")) {
        (Some(list), _) if list.is_true() => {
            list.as_list().ok_or_else(|| invalid("`actions` is not a list", list))?.iter().collect()
        }
        (_, Some(action)) if action.is_true() => vec![action],
        _ => Vec::new(),
    };
    let hook = Hook {
        id: printed(node.get("id")),
        event: printed(node.get("event")).unwrap_or_default(),
        layer: layer(node.get("layer"), diagnostics),
        position: printed(node.get("position")),
        wrap: node.get("wrap").map(YamlNode::value),
        condition: Condition::of(node.get("condition"), protocol.paths),
        condition_inside: None,
        actions: actions
            .into_iter()
            .map(|node| action_from_node(node, protocol.hook_items))
            .collect::<Result<_, _>>()?,
        origin,
        span: node.span.clone(),
        written: Arc::new(node.clone()),
    };
    if !hook.fires() {
        let nearest = nearest(&hook.event, EVENTS.into_iter());
        let problem = Problem::EventUnknown { hook: hook.name().to_string(), event: hook.event.clone(), nearest };
        diagnostics.push(at_node(problem, node.get("event").unwrap_or(node)));
    }
    if let Some(wrap) = node.get("wrap")
        && let Some(value) = wrap.as_str()
        && means_no(value)
    {
        diagnostics.push(at_node(Problem::WrapText { value: value.to_string() }, wrap));
    }
    Ok(hook)
}

fn layer(node: Option<&YamlNode>, diagnostics: &mut Vec<Diagnostic>) -> Option<f64> {
    let node = node?;
    let value = node.value();
    if value.is_null() {
        return None;
    }
    let number = python_str(&value).trim().parse().ok().filter(|number: &f64| number.is_finite());
    if number.is_none() {
        diagnostics.push(at_node(Problem::HookLayerInvalid { value: python_str(&value) }, node));
    }
    number
}

fn action_from_node(node: &YamlNode, names_item: HookItems) -> Result<HookAction, Diagnostic> {
    let YamlData::Map(_) = &node.data else {
        return Err(invalid("an action is not a map", node));
    };
    let field = |key: &str| {
        let node = node.get(key).filter(|node| !node.value().is_null())?;
        Some(ItemField { text: node.traced(), span: node.span.clone()? })
    };
    Ok(HookAction {
        primary: printed(node.get("primary")),
        names_item,
        kind: node.get("kind").map(|kind| python_str(&kind.value())),
        type_attribute: field("item_type").filter(|_| node.get("item_type").is_some_and(YamlNode::is_true)),
        item_type: printed(node.get("item_type")),
        item_id: field("item_id"),
        set_extends: field("set_extends"),
        params: node.get("params").map(YamlNode::value).and_then(|value| value.as_map().cloned()).unwrap_or_default(),
        span: node.span.clone(),
    })
}
