use std::sync::Arc;

use indexmap::IndexMap;

use crate::diagnostic::{Diagnostic, Problem};
use crate::read::item::condition::Condition;
use crate::read::item::hook::means_no;
use crate::read::item::xml::Element;
use crate::read::item::{Hook, HookAction, HookOrigin, ItemField};
use crate::read::protocol::{HookItems, Protocol};
use crate::read::value::{Value, parse_float, parse_int};
use crate::read::yaml::{YamlData, YamlNode};
use crate::text::Span;

/// The action words that every protocol understands.
const ACTION_WORDS: [&str; 3] = ["execute", "fetch", "load"];

/// Children may have any name. The protocol's permission words are additional action words.
pub(super) fn read(block: Element<'_>, protocol: &Protocol, diagnostics: &mut Vec<Diagnostic>) -> Vec<Hook> {
    block.children().map(|hook| read_hook(hook, protocol, diagnostics)).collect()
}

fn read_hook(element: Element<'_>, protocol: &Protocol, diagnostics: &mut Vec<Diagnostic>) -> Hook {
    let words = &protocol.permission_words;
    let action = |element| action(element, protocol.hook_items);
    let mut condition_inside = None;
    // A list of actions overrides a single action, in either order.
    let (mut single, mut several) = (None, Vec::new());
    for child in element.children() {
        match child.tag() {
            "condition" => condition_inside = inside(child),
            "action" => {
                let nested: Vec<_> = child
                    .children()
                    .filter(|inner| ACTION_WORDS.contains(&inner.tag()) || words.iter().any(|word| word == inner.tag()))
                    .map(|inner| HookAction { primary: Some(inner.tag().to_string()), ..action(inner) })
                    .collect();
                if nested.is_empty() {
                    single = Some(action(child));
                } else {
                    several = nested;
                }
            }
            _ => {}
        }
    }
    let text = |name| setting(element, name).map(|field| field.as_str().to_string());
    let written = written(element);
    Hook {
        id: text("id"),
        event: text("event").unwrap_or_default(),
        layer: layer(element, diagnostics),
        position: text("position"),
        wrap: wrap(element, diagnostics),
        condition: Condition::of(written.get("condition"), protocol.paths),
        condition_inside,
        actions: if several.is_empty() { single.into_iter().collect() } else { several },
        origin: HookOrigin::Directive,
        span: Some(element.span()),
        written: Arc::new(written),
    }
}

/// The attributes and children of an element as a map; if a name repeats, the last one wins.
fn written(element: Element<'_>) -> YamlNode {
    let scalar = |value, field: &ItemField| YamlNode { data: YamlData::Scalar(value), span: Some(field.span.clone()) };
    let attributes = |element: Element<'_>| -> IndexMap<Value, YamlNode> {
        let value = |name: &str, text| match (element.tag(), name) {
            ("condition", "value") => coerce(text),
            _ => Value::from(text),
        };
        let attributes = element.attributes().iter();
        attributes.map(|it| (Value::from(&*it.name), scalar(value(&it.name, it.value.as_str()), &it.value))).collect()
    };
    let mut parts = attributes(element);
    // A condition is an element, of which only the attributes are read. An attribute `condition` is ignored.
    parts.shift_remove("condition");
    for child in element.children() {
        let is_text = child.attributes().is_empty() && child.children().next().is_none();
        let node = match child.words().filter(|_| is_text && child.tag() != "condition") {
            Some(text) => scalar(Value::from(text.as_str()), &text),
            None => YamlNode { data: YamlData::Map(attributes(child)), span: Some(child.span()) },
        };
        parts.insert(Value::from(child.tag()), node);
    }
    YamlNode { data: YamlData::Map(parts), span: Some(element.span()) }
}

/// A child element with text, or else the attribute.
fn setting(hook: Element<'_>, name: &str) -> Option<ItemField> {
    let child = hook.children().filter(|child| child.tag() == name).filter_map(Element::text).last();
    child.or_else(|| hook.value(name))
}

fn layer(hook: Element<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<f64> {
    let written = setting(hook, "layer")?;
    let layer = parse_float(written.as_str()).filter(|layer| layer.is_finite());
    if layer.is_none() {
        let problem = Problem::HookLayerInvalid { value: written.as_str().to_string() };
        diagnostics.push(Diagnostic::at(problem, &written.span));
    }
    layer
}

/// Attributes are text, so any value that is not empty turns wrapping on.
fn wrap(hook: Element<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Value> {
    let written = setting(hook, "wrap")?;
    let text = written.as_str();
    if means_no(text) {
        diagnostics.push(Diagnostic::at(Problem::WrapText { value: text.to_string() }, &written.span));
    }
    Some(Value::from(text))
}

fn inside(element: Element<'_>) -> Option<Span> {
    element.children().next().map(Element::span).or_else(|| Some(element.words()?.span))
}

/// Converts text to the type that it looks like: boolean, integer or float, or else text.
fn coerce(text: &str) -> Value {
    if text.eq_ignore_ascii_case("true") {
        return Value::Bool(true);
    }
    if text.eq_ignore_ascii_case("false") {
        return Value::Bool(false);
    }
    let integer = parse_int(text).map(Value::Int);
    integer.or_else(|| parse_float(text).map(Value::Float)).unwrap_or_else(|| Value::from(text))
}

fn action(element: Element<'_>, names_item: HookItems) -> HookAction {
    let text = |name| element.value(name).map(|field| field.as_str().to_string());
    let parameters = element.children().filter(|child| child.tag() == "param");
    HookAction {
        primary: text("primary"),
        names_item,
        kind: text("kind"),
        type_attribute: element.value("item_type").filter(|field| !field.text.is_empty()),
        item_type: text("item_type"),
        item_id: element.value("item_id"),
        set_extends: element.value("set_extends"),
        params: parameters.filter_map(parameter).collect(),
        span: Some(element.span()),
    }
}

fn parameter(element: Element<'_>) -> Option<(Value, Value)> {
    let value = element.text()?;
    let name = element.value("name");
    Some((Value::from(name.as_ref().map_or("param", ItemField::as_str)), Value::from(value.as_str())))
}
