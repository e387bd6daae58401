//! What several agents read in one folder, as one list.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::{ListEntry, ListExclusion, ListKind, ListReader, ListResult};

/// Each file once, by kind and path, with the agents that use it. `lists` has a list for each agent, with its name.
pub fn of_agents(lists: Vec<(String, ListResult)>) -> ListResult {
    let mut whole = ListResult::default();
    let mut files: BTreeMap<(ListKind, String), ListEntry> = BTreeMap::new();
    let mut protocols = Vec::new();
    for (agent, list) in lists {
        for entry in list.entries {
            let entry = named(&agent, entry);
            match files.entry((entry.kind, entry.path.clone())) {
                Entry::Vacant(free) => drop(free.insert(entry)),
                Entry::Occupied(mut known) => join(known.get_mut(), entry),
            }
        }
        protocols.push(list.protocol);
        (whole.folder, whole.kinds) = (list.folder, list.kinds);
        whole.diagnostics.extend(list.diagnostics);
    }
    ListResult { protocol: protocols.join(", "), entries: files.into_values().collect(), ..whole }
}

fn named(agent: &str, entry: ListEntry) -> ListEntry {
    match entry.left_out {
        None => ListEntry { agents: vec![ListReader { agent: agent.to_string(), tokens: entry.tokens }], ..entry },
        Some(ListExclusion { shadowed_by, why }) => {
            ListEntry { left_out: Some(ListExclusion { shadowed_by, why: format!("{agent}: {why}") }), ..entry }
        }
    }
}

fn join(known: &mut ListEntry, other: ListEntry) {
    match (&mut known.left_out, &other.left_out) {
        (Some(known), Some(other)) => known.why = format!("{}; {}", known.why, other.why),
        (Some(_), None) => *known = other,
        (None, Some(_)) => {}
        (None, None) => {
            known.tokens = known.tokens.max(other.tokens);
            known.agents.extend(other.agents);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(entries: &[(&str, usize, Option<&str>)]) -> ListResult {
        let exclusion = |why: &str| ListExclusion { shadowed_by: None, why: why.to_string() };
        let entry = |&(path, tokens, why): &(&str, usize, Option<&str>)| ListEntry {
            kind: ListKind::Context,
            name: path.to_string(),
            about: None,
            tier: "project".into(),
            path: path.to_string(),
            bytes: 0,
            tokens,
            left_out: why.map(exclusion),
            agents: Vec::new(),
            trust: None,
        };
        ListResult { entries: entries.iter().map(entry).collect(), ..ListResult::default() }
    }

    #[test]
    fn each_file_is_listed_once() {
        let codex = list(&[("b", 2, None), ("a", 0, Some("shadowed")), ("c", 0, Some("empty"))]);
        let pi = list(&[("a", 3, None), ("b", 4, None), ("c", 0, Some("hidden"))]);
        let whole = of_agents(vec![("codex".to_string(), codex), ("pi".to_string(), pi)]);
        let shown = whole.entries.iter().map(|entry| {
            let agents = entry.agents.iter().map(|it| format!("{} {}", it.agent, it.tokens)).collect::<Vec<_>>();
            let why = entry.left_out.as_ref().map(|left_out| left_out.why.clone()).unwrap_or_default();
            format!("{} {}: {}{why}", entry.path, entry.tokens, agents.join(", "))
        });
        assert_eq!(shown.collect::<Vec<_>>(), ["a 3: pi 3", "b 4: codex 2, pi 4", "c 0: codex: empty; pi: hidden"]);
    }
}
