//! Keys in the settings of agents, which are JSON with comments or TOML.

use std::path::Path;

use crate::agents::Agent;

/// What is typed of a key at the end of this beginning of a file, and the keys that may stand there, each with what it
/// does; `None` if the file is not the settings of an agent, or if no key stands there.
pub fn keys<'t>(path: &str, beginning: &'t str) -> Option<(&'t str, Vec<(String, String)>)> {
    let agent = agent(path)?;
    let is_toml = path.ends_with(".toml");
    let (around, typed) = if is_toml { in_toml(beginning)? } else { in_json(beginning)? };
    let around: String = around.iter().map(|key| format!("{key}.")).collect();
    let keys = agent.setting_keys.iter();
    let all = keys.filter_map(|(key, _, does)| Some((key.strip_prefix(&around)?.to_string(), does.to_string())));
    // JSON has a map for each part of a key.
    Some((typed, all.filter(|(key, _)| is_toml || !key.contains('.')).collect()))
}

/// The agent whose settings a file holds.
pub fn agent(path: &str) -> Option<&'static Agent> {
    Agent::all().find(|agent| agent.settings_files.iter().any(|file| Path::new(path).ends_with(file)))
}

/// The keys around the end of a text, outermost first, and what is typed of the one that begins there.
type Begun<'t> = (Vec<&'t str>, &'t str);

fn in_json(text: &str) -> Option<Begun<'_>> {
    // The open brackets, each with the key that it belongs to.
    let mut open: Vec<(u8, &str)> = Vec::new();
    let (mut rest, mut key, mut is_value) = (text, "", false);
    while let Some(at) = rest.find(['"', '{', '[', '}', ']', ':', ',', '/']) {
        let mark = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match mark {
            b'"' => {
                let Some(end) = end_of_string(rest) else {
                    let is_key = !is_value && open.last().is_some_and(|(bracket, _)| *bracket == b'{');
                    return is_key.then(|| (open.iter().skip(1).map(|(_, key)| *key).collect(), rest));
                };
                key = if is_value { key } else { &rest[..end] };
                rest = &rest[end + 1..];
            }
            b'{' | b'[' => {
                open.push((mark, key));
                is_value = mark == b'[';
            }
            b'}' | b']' => drop(open.pop()),
            b':' => is_value = true,
            b',' => is_value = open.last().is_some_and(|(bracket, _)| *bracket == b'['),
            _ if rest.starts_with('/') => rest = rest.split_once('\n')?.1,
            _ if rest.starts_with('*') => rest = rest.split_once("*/")?.1,
            _ => {}
        }
    }
    None
}

/// A string that is not closed ends with its line.
fn end_of_string(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let is_end = byte == b'\n' || byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}

fn in_toml(text: &str) -> Option<Begun<'_>> {
    let (before, line) = text.rsplit_once('\n').unwrap_or(("", text));
    let typed = line.trim_start();
    let is_key = typed.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    let table = before.lines().rev().find_map(|line| line.trim_start().strip_prefix('[')?.split_once(']'));
    is_key.then(|| (table.into_iter().flat_map(|(table, _)| table.split('.').map(str::trim)).collect(), typed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_around_the_cursor_are_told() {
        assert_eq!(in_json("{ \"pe"), Some((vec![], "pe")));
        assert_eq!(in_json("{\"a\": {\"b\": [1, {}], \"c"), Some((vec!["a"], "c")));
        assert_eq!(in_json("{ // \"x\": {\n \"a\": {}, /* { */ \"b\\\"c\": {\""), Some((vec!["b\\\"c"], "")));
        for value in ["{\"a\": \"b", "{\"a\": [\"b", "{\"a\": [\"b\", \"c", "{\"a\"", "", "\"a", "{ // \"a", "}]\"a"] {
            assert_eq!(in_json(value), None, "{value}");
        }
        assert_eq!(in_toml("a = 1\npro"), Some((vec![], "pro")));
        for table in ["[a.b]", " [ a . b ] # c"] {
            assert_eq!(in_toml(&format!("{table}\nc = 1\n  d")), Some((vec!["a", "b"], "d")));
        }
        assert_eq!(in_toml("a = \"b"), None);
    }

    #[test]
    fn keys_are_those_of_the_agent() {
        let labels = |path: &str, text: &str| {
            let keys = keys(path, text).map(|(_, keys)| keys).unwrap_or_default();
            keys.into_iter().map(|(key, _)| key).collect::<Vec<_>>()
        };
        assert_eq!(labels("a/.pi/settings.json", "{\"codemode\": {\""), ["mode"]);
        assert_eq!(labels("opencode.jsonc", "{\"skills\": {\""), ["paths", "urls"]);
        assert_eq!(labels(".codex/config.toml", "[skills]\n"), ["include_instructions", "bundled", "bundled.enabled"]);
        assert!(labels(".claude/settings.local.json", "{\"").contains(&"outputStyle".to_string()));
        assert_eq!(labels("settings.json", "{\""), [""; 0]);
    }
}
