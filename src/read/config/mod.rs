//! Merges the configuration files of several tiers.

use std::collections::{HashMap, HashSet};
use std::mem;

use indexmap::map::Entry;

use crate::diagnostic::{Diagnostic, Problem};
use crate::read::value::{Value, python_str};
use crate::read::yaml::{NodeMap, YamlData, YamlNode};

/// Merges a configuration file over those of lower tiers (Directives, "Configuration and hooks"). Maps are merged
/// recursively, lists by `id` if the first lower entry has a non-null `id`, and everything else is replaced. The key
/// `extends` of the override is ignored at every depth. A file that is null changes nothing. Start with an empty map,
/// so that the lowest file loses its `extends` too. `dropped` receives an `EntryWithoutId` for each entry of the
/// override that cannot be merged by `id`. A merged map or list has the span of the override.
pub fn merge(base: YamlNode, override_: YamlNode, dropped: &mut Vec<Diagnostic>) -> YamlNode {
    match override_.data {
        YamlData::Scalar(Value::Null) => base,
        _ => merge_value("", base, override_, dropped),
    }
}

fn merge_value(name: &str, lower: YamlNode, upper: YamlNode, dropped: &mut Vec<Diagnostic>) -> YamlNode {
    let data = match (lower.data, upper.data) {
        (YamlData::Map(lower), YamlData::Map(upper)) => YamlData::Map(merge_maps(lower, upper, dropped)),
        (YamlData::List(lower), YamlData::List(upper)) if lower.first().and_then(id).is_some() => {
            YamlData::List(merge_lists(name, lower, upper, dropped))
        }
        (_, upper) => upper,
    };
    YamlNode { data, span: upper.span }
}

fn merge_maps(mut lower: NodeMap, upper: NodeMap, dropped: &mut Vec<Diagnostic>) -> NodeMap {
    for (key, value) in upper {
        if key.as_str() == Some("extends") {
            continue;
        }
        match lower.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(value);
            }
            Entry::Occupied(mut entry) => {
                let name = python_str(entry.key());
                let below = mem::replace(entry.get_mut(), YamlNode::of(&Value::Null));
                entry.insert(merge_value(&name, below, value, dropped));
            }
        }
    }
    lower
}

fn id(entry: &YamlNode) -> Option<Value> {
    entry.get("id").map(YamlNode::value).filter(|id| !id.is_null())
}

fn merge_lists(name: &str, lower: Vec<YamlNode>, upper: Vec<YamlNode>, dropped: &mut Vec<Diagnostic>) -> Vec<YamlNode> {
    let known: HashSet<Value> = lower.iter().filter_map(id).collect();
    let mut replacements: HashMap<Value, YamlNode> = HashMap::new();
    let mut added = Vec::new();
    for entry in upper {
        match id(&entry) {
            Some(id) if known.contains(&id) => {
                replacements.entry(id).or_insert(entry);
            }
            Some(_) => added.push(entry),
            None => {
                let problem = Problem::EntryWithoutId { list: name.to_string() };
                dropped.push(Diagnostic { problem, at: entry.span.map(Into::into) });
            }
        }
    }
    let replaced = |entry: YamlNode| match id(&entry).and_then(|id| replacements.get(&id)) {
        Some(replacement) => replacement.clone(),
        None => entry,
    };
    lower.into_iter().map(replaced).chain(added).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Location;
    use crate::read::value::python_repr;
    use crate::read::yaml::load;
    use crate::text::Source;

    fn file(text: &str) -> YamlNode {
        let source = Source::read("project".into(), "x.yaml", text.into()).unwrap();
        load(&source.whole()).unwrap().node
    }

    fn merged(base: &str, override_: &str) -> String {
        python_repr(&merge(file(base), file(override_), &mut Vec::new()).value())
    }

    #[test]
    fn maps_merge_recursively() {
        assert_eq!(
            merged("{a: {b: 1, c: 2}, d: 3}", "{a: {c: 4, e: 5}, d: {}}"),
            "{'a': {'b': 1, 'c': 4, 'e': 5}, 'd': {}}"
        );
        assert_eq!(merged("{a: 1}", ""), "{'a': 1}");
        assert_eq!(merged("{}", "{extends: x, a: {extends: y}}"), "{'a': {'extends': 'y'}}");
        assert_eq!(
            merged("{extends: x, a: {b: 1}}", "{extends: y, a: {extends: z}}"),
            "{'extends': 'x', 'a': {'b': 1}}"
        );
    }

    #[test]
    fn lists_merge_by_the_id_of_the_first_lower_entry() {
        let lower = "l: [{id: a, v: 1}, {v: 2}, {id: b, v: 3}, {id: a, v: 4}]";
        for (upper, expected) in [
            ("l: []", "[{'id': 'a', 'v': 1}, {'v': 2}, {'id': 'b', 'v': 3}, {'id': 'a', 'v': 4}]"),
            ("l: [{id: a}, {id: a, v: 9}]", "[{'id': 'a'}, {'v': 2}, {'id': 'b', 'v': 3}, {'id': 'a'}]"),
            (
                "l: [{id: c}, 5, {v: 0}, {id: c, v: 1}, {id: b}, {id: null}]",
                "[{'id': 'a', 'v': 1}, {'v': 2}, {'id': 'b'}, {'id': 'a', 'v': 4}, {'id': 'c'}, {'id': 'c', 'v': 1}]",
            ),
            ("l: {}", "{}"),
        ] {
            assert_eq!(merged(lower, upper), format!("{{'l': {expected}}}"), "{upper}");
        }
        for lower in ["l: []", "l: [{v: 1}, {id: a}]", "l: [{id: null}]", "l: [x]"] {
            assert_eq!(merged(lower, "l: [{id: b}, 1]"), "{'l': [{'id': 'b'}, 1]}", "{lower}");
        }
    }

    #[test]
    fn dropped_entries_are_diagnosed_in_place() {
        let mut dropped = Vec::new();
        merge(file("hooks: [{id: a}]"), file("hooks:\n- id: b\n- v: 1\n"), &mut dropped);
        let [Diagnostic { problem, at: Some(Location::Span(span)) }] = &dropped[..] else { panic!("{dropped:?}") };
        assert_eq!(problem, &Problem::EntryWithoutId { list: "hooks".into() });
        assert_eq!((span.text(), span.line()), ("v: 1", 3));
    }
}
