//! Which tools are active, what is said about them, and which of them reads skills.

use super::arguments::Arguments;
use super::settings::Settings;
use crate::agents::visit::Visit;

/// The built-in tools in their order, each with the release that brought it.
pub(super) const KNOWN: [(&str, &str); 10] = [
    ("read", "0"),
    ("bash", "0"),
    ("powershell", "0.84.0"),
    ("edit", "0"),
    ("write", "0"),
    ("grep", "0"),
    ("find", "0"),
    ("ls", "0"),
    ("codemode", "1.0.0"),
    ("tool_search", "1.0.0"),
];

const DEFAULT: [&str; 4] = ["read", "bash", "edit", "write"];

/// The tools that stay visible if scripts call all others.
const OF_SCRIPTS: [&str; 2] = ["codemode", "tool_search"];

pub(super) struct Tools {
    /// The active tools that the prompt names.
    pub shown: Vec<String>,
    /// How skill files are read: with `read`, with `bash`, or `indirect`; `None` if they are not listed.
    pub reader: Option<&'static str>,
    /// Names in `--tools` that no tool has.
    pub unknown: Vec<String>,
}

impl Tools {
    pub fn active(visit: &Visit<'_>, arguments: &Arguments, settings: &Settings) -> Self {
        let known: Vec<&str> = KNOWN.iter().filter(|(_, since)| visit.since(since)).map(|(name, _)| *name).collect();
        let has_patterns = visit.since("1.5.0");
        let default = if arguments.no_tools { Vec::new() } else { default(visit, settings) };
        let wanted = match &arguments.tools {
            None => default,
            Some(changes) if has_patterns && changes.iter().any(|it| is_change(it)) => changed(default, changes),
            Some(names) if has_patterns => with_patterns(names, &known),
            Some(names) => names.clone(),
        };
        let is_excluded = |name: &String| {
            let matches = |pattern: &String| if has_patterns { matches(pattern, name) } else { pattern == name };
            arguments.excluded_tools.iter().any(matches)
        };
        let mut active: Vec<String> = Vec::new();
        let mut unknown = Vec::new();
        for name in wanted.into_iter().filter(|name| !is_excluded(name)) {
            match known.contains(&name.as_str()) {
                true if active.contains(&name) => {}
                true => active.push(name),
                false => unknown.push(name),
            }
        }
        let has = |list: &[String], name: &str| list.iter().any(|it| it == name);
        let is_scripted =
            visit.since("1.5.0") && has(&active, "codemode") && settings.text_in("codemode", "mode") == Some("only");
        let mut shown = active.clone();
        shown.retain(|name| !is_scripted || OF_SCRIPTS.contains(&name.as_str()));
        let readers: &[&'static str] = if visit.since("0.86.0") { &["read", "bash"] } else { &["read"] };
        let direct = readers.iter().copied().find(|name| has(&shown, name));
        let reader = direct.or_else(|| readers.iter().any(|name| has(&active, name)).then_some("indirect"));
        Self { shown, reader, unknown }
    }

    /// The ids of the rules, without repetitions.
    pub fn rules(&self, visit: &Visit<'_>) -> Vec<String> {
        let mut ids: Vec<String> = self.shell_rule(visit).map(str::to_string).into_iter().collect();
        match visit.since("0.73.1") {
            true => ids.extend(self.shown.iter().flat_map(|name| rules_of(name, visit))),
            false => ids.extend(self.early_rules()),
        }
        ids.extend(["rule_concise", "rule_paths"].map(str::to_string));
        let mut said: Vec<String> = Vec::new();
        ids.retain(|id| {
            let text = visit.own(id).text().to_string();
            let is_new = !said.contains(&text);
            said.push(text);
            is_new
        });
        ids
    }

    fn has(&self, name: &str) -> bool {
        self.shown.iter().any(|it| it == name)
    }

    fn shell_rule(&self, visit: &Visit<'_>) -> Option<&'static str> {
        let searches = ["grep", "find", "ls"].into_iter().any(|name| self.has(name));
        match (self.has("bash"), self.has("powershell")) {
            (true, _) if searches && !visit.since("0.84.0") => Some("rule_shell_prefer"),
            _ if searches => None,
            (true, true) => Some("rule_shell_both"),
            (true, false) => Some("rule_shell_bash"),
            (false, true) => Some("rule_shell_powershell"),
            (false, false) => None,
        }
    }

    /// The rules of 0.57, which tools share.
    fn early_rules(&self) -> Vec<String> {
        let (edits, writes) = (self.has("edit"), self.has("write"));
        let rules = [
            ("rule_read_before_edit", self.has("read") && edits),
            ("rule_edit", edits),
            ("rule_write", writes),
            ("rule_summary", edits || writes),
        ];
        rules.into_iter().filter(|(_, applies)| *applies).map(|(id, _)| id.to_string()).collect()
    }
}

/// The ids of the rules of a tool.
fn rules_of(name: &str, visit: &Visit<'_>) -> Vec<String> {
    let (owner, count) = match name {
        "read" | "write" | "codemode" => (name, 1),
        "bash" | "powershell" if visit.since("0.84.0") => ("bash", 1),
        "edit" if visit.since("1.5.0") => (name, 2),
        "edit" => (name, 4),
        _ => (name, 0),
    };
    (1..=count).map(|number| format!("rule_{owner}_{number}")).collect()
}

fn is_change(entry: &str) -> bool {
    entry.starts_with(['+', '-'])
}

/// The tools that the settings choose, else the usual ones.
fn default(visit: &Visit<'_>, settings: &Settings) -> Vec<String> {
    let own = |file: &super::settings::SettingsFile| {
        file.list("defaultTools").map(|_| file.texts("defaultTools").into_iter().map(str::to_string).collect())
    };
    let lists: (Option<Vec<String>>, Option<Vec<String>>) = (own(&settings.global), own(&settings.project));
    let usual = || DEFAULT.map(str::to_string).to_vec();
    if !visit.since("0.84.0") {
        return usual();
    }
    let has_changes = visit.since("0.86.0");
    let entries: Vec<String> = match lists {
        (Some(global), Some(project)) if has_changes && project.iter().all(|it| is_change(it)) => {
            [global, project].concat()
        }
        (_, Some(list)) | (Some(list), None) => list,
        (None, None) => return usual(),
    };
    if !has_changes {
        return entries;
    }
    let (changes, plain): (Vec<String>, Vec<String>) = entries.into_iter().partition(|it| is_change(it));
    let base = if plain.is_empty() && !changes.is_empty() { usual() } else { plain };
    changed(base, &changes)
}

/// A list after `+NAME` and `-NAME`, in their order.
fn changed(mut list: Vec<String>, changes: &[String]) -> Vec<String> {
    for change in changes {
        match (change.strip_prefix('+'), change.strip_prefix('-')) {
            (Some(name), _) if !list.iter().any(|it| it == name) => list.push(name.to_string()),
            (_, Some(name)) => list.retain(|it| it != name),
            _ => {}
        }
    }
    list
}

/// Plain names in their order, then what the patterns match.
fn with_patterns(names: &[String], known: &[&str]) -> Vec<String> {
    let (patterns, mut plain): (Vec<String>, Vec<String>) = names.iter().cloned().partition(|it| it.contains('*'));
    let matched = known.iter().filter(|name| patterns.iter().any(|pattern| matches(pattern, name)));
    plain.extend(matched.map(|name| name.to_string()));
    plain
}

/// Whether a name matches a pattern in which only `*` is special.
fn matches(pattern: &str, name: &str) -> bool {
    let mut pieces: Vec<&str> = pattern.split('*').collect();
    // A pattern has at least one piece.
    let last = pieces.pop().unwrap_or_default();
    let Some((first, between)) = pieces.split_first() else { return name == last };
    let Some(rest) = name.strip_prefix(first) else { return false };
    let rest = between.iter().try_fold(rest, |rest, piece| Some(&rest[rest.find(piece)? + piece.len()..]));
    rest.is_some_and(|rest| rest.ends_with(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_star_is_special_in_the_name_of_a_tool() {
        assert!(matches("*", "read") && matches("r*d", "read") && matches("*_search", "tool_search"));
        assert!(!matches("r*", "grep") && !matches("r?ad", "read") && !matches("", "read"));
    }

    #[test]
    fn changes_apply_in_their_order() {
        let list = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        assert_eq!(changed(list(&["a", "b"]), &list(&["-a", "+c", "+a", "-c", "+b"])), list(&["b", "a"]));
    }
}
