use std::collections::BTreeMap;
use std::iter;
use std::sync::Arc;

use crate::decide::request::Request;
use crate::fill::palette::DEFAULT_TOKENS;
use crate::prompt::{
    Decision, DecisionOutcome, Declared, Setting, SettingValue, Slot, UNLIMITED, reads_setting, wins_over,
};
use crate::read::item::Directive;
use crate::read::item::condition::Condition;
use crate::read::protocol::Protocol;
use crate::read::value::{Value, python_str};
use crate::text::{Origin, Span, Traced};

use super::Surroundings;
use super::configuration::Configuration;
use super::hook_context::DEFAULT_MODEL;

/// The paths into hook contexts that conditions, ids and texts have read, with the slot of the first.
#[derive(Debug, Default)]
pub(super) struct ReadPaths(BTreeMap<String, Slot>);

impl ReadPaths {
    pub fn condition(&mut self, condition: &Condition, slot: Slot) {
        for (_, comparison) in condition.comparisons() {
            self.add(&comparison.path, slot);
        }
    }

    pub fn text(&mut self, text: &Traced, slot: Slot) {
        for segment in text.segments() {
            if let Origin::Variable { name, .. } = segment.origin {
                self.add(name, slot);
            }
        }
    }

    fn add(&mut self, path: &str, slot: Slot) {
        if !self.0.contains_key(path) {
            self.0.insert(path.to_string(), slot);
        }
    }

    /// Where a setting, a part of it, or all settings of its kind were read first.
    fn slot_of(&self, setting: &str) -> Option<Slot> {
        self.0.iter().find_map(|(path, slot)| reads_setting(path, setting).then_some(*slot))
    }

    /// Where a path, or the whole context, was read first.
    fn slot_of_path(&self, path: &str) -> Option<Slot> {
        self.0.get(path).or_else(|| self.0.get("")).copied()
    }
}

/// The settings that something sets, the defaults that the prompt uses, and a decision for each used setting that a
/// nearer tier overrides.
pub(super) fn settings(
    request: &Request,
    directive: &Directive,
    around: &Surroundings,
    read: &ReadPaths,
    protocol: &Protocol,
    has_palette: bool,
) -> (Vec<Setting>, Vec<Decision>) {
    let configuration = &*around.configuration;
    let (mut all, mut overridden) = (Vec::new(), Vec::new());
    let by_protocol = |value: Value| {
        let by = format!("the default of {}", protocol.name);
        SettingValue { value, by: Declared { by, span: None } }
    };
    let mut add = |name: String, slot: Option<Slot>, mut values: Vec<SettingValue>, default: Option<Value>| {
        if values.is_empty() && slot.is_some() {
            values.extend(default.map(by_protocol));
        }
        let mut values = values.into_iter();
        if let Some(set) = values.next() {
            let setting = Setting { is_used: slot.is_some(), name, set, overrides: values.collect() };
            overridden.extend(slot.and_then(|slot| shadowed(&setting, slot, configuration)));
            all.push(setting);
        }
    };
    for (key, limit) in &around.limits {
        let name = python_str(key);
        let setting = format!("limits.{name}");
        let mut values = Vec::new();
        let flags = request.limits.iter().rfind(|(other, _)| *other == name);
        values.extend(flags.map(|(_, value)| flag("--limit", value.clone())));
        let own = directive.limits.iter().rfind(|other| other.name == name);
        values.extend(own.map(|own| by_directive(request, own.value.clone(), &own.value_span)));
        values.extend(configured(configuration, "limits.defaults", &name));
        if let Some(set) = values.first_mut() {
            // A map may be merged from several files.
            set.value = limit.value();
        }
        add(setting.clone(), read.slot_of(&setting), values, None);
    }
    let unlimited = || Value::from("unlimited");
    for (setting, path) in UNLIMITED {
        let name = setting.trim_start_matches("limits.");
        if !around.limits.contains_key(&Value::from(name))
            && let Some(slot) = read.slot_of_path(path)
        {
            // What removes the defaults overrides all that lower tiers set.
            let removed = configuration.limits_removed_by.as_ref().map(|span| {
                let unlimited = by_tier(unlimited(), span);
                iter::once(unlimited).chain(configured(configuration, "limits.defaults", name)).collect()
            });
            add(setting.to_string(), Some(slot), removed.unwrap_or_default(), Some(unlimited()));
        }
    }
    let declared = [&directive.model.id, &directive.model.tier].into_iter().flatten();
    let declared = declared.map(|field| by_directive(request, field.as_str().into(), &field.span));
    let flags = request.model.iter().map(|model| flag("--model", model.as_str().into()));
    add("model".to_string(), read.slot_of("model"), flags.chain(declared).collect(), Some(DEFAULT_MODEL.into()));
    for (name, default) in [("enabled", true.into()), ("max_tokens", Value::Int(DEFAULT_TOKENS.into()))] {
        let values = configured(configuration, "tool_preload", name).collect();
        add(format!("tool_preload.{name}"), has_palette.then_some(Slot::Palette), values, Some(default));
    }
    (all, overridden)
}

fn flag(name: &str, value: Value) -> SettingValue {
    SettingValue { value, by: Declared { by: name.to_string(), span: None } }
}

fn by_directive(request: &Request, value: Value, span: &Span) -> SettingValue {
    SettingValue { value, by: Declared { by: request.directive.id.clone(), span: Some(span.clone()) } }
}

/// The values of a setting in the tiers, the nearest first.
fn configured(configuration: &Configuration, section: &str, name: &str) -> impl Iterator<Item = SettingValue> {
    let nodes = configuration.resilience.iter().rev().filter_map(move |file| file.at(section)?.get(name));
    nodes.filter_map(|node| Some(by_tier(node.value(), node.span.as_ref()?)))
}

fn by_tier(value: Value, span: &Span) -> SettingValue {
    let by = span.source().tier().to_string();
    SettingValue { value, by: Declared { by, span: Some(span.clone()) } }
}

fn shadowed(setting: &Setting, slot: Slot, configuration: &Configuration) -> Option<Decision> {
    let by = &setting.set.by;
    let source = by.span.as_ref()?.source();
    let is_configured = configuration.sections.iter().any(|section| Arc::ptr_eq(section.span.source(), source));
    let mut others: Vec<&str> = setting.overrides.iter().map(|value| value.by.by.as_str()).collect();
    others.retain(|tier| *tier != by.by);
    others.dedup();
    (is_configured && !others.is_empty()).then(|| Decision {
        by: Some(by.clone()),
        ..Decision::new(
            setting.name.as_str(),
            slot,
            DecisionOutcome::Shadowed,
            wins_over(source.tier(), &others.join(" and ")),
        )
    })
}
