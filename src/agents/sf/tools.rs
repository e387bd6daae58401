//! The tools of an agent: built-in tools, those of a file, and which of them are active.

use std::collections::HashSet;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

use super::protocol::Protocol;
use crate::agents::ecmascript::{one_line, trimmed};
use crate::agents::json::json_or_yaml;
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::read::value::Value;
use crate::read::yaml::{YamlData, YamlNode};
use crate::text::nearest::{did_you_mean, nearest};
use crate::text::{Origin, Source, Span, Traced};

const DEFAULT: [&str; 4] = ["read", "bash", "edit", "write"];

const KEYS: [&str; 5] = ["name", "description", "promptSnippet", "promptGuidelines", "parameters"];

#[derive(Debug, Clone)]
pub struct FileTool {
    pub name: Traced,
    pub description: Traced,
    /// Replaces the description in the tool's line, if present.
    pub snippet: Option<Traced>,
    /// Guidelines, as written.
    pub guidelines: Vec<Traced>,
    pub parameters: Value,
    pub span: Option<Span>,
}

/// The tools of a file by name; the last definition wins but keeps the position of the first.
pub type ToolFile = IndexMap<String, FileTool>;

/// Reads a tools file: `{tools: [{name, description?, promptSnippet?, promptGuidelines?, parameters?}]}`.
pub fn read(source: &Arc<Source>) -> Result<ToolFile, Diagnostic> {
    let root = json_or_yaml(source)?;
    let at = |node: &YamlNode| node.span.clone().unwrap_or_else(|| source.whole());
    let refuse =
        |node: &YamlNode, what: &str| Diagnostic::at(Problem::InvalidTools { reason: what.to_string() }, at(node));
    check_keys(&root, &["tools"], "tools file").map_err(|(node, what)| refuse(node, &what))?;
    let list = root.get("tools").and_then(YamlNode::as_list);
    let list = list.ok_or_else(|| refuse(&root, "`tools` is not a list"))?;
    let mut tools = ToolFile::new();
    for entry in list {
        check_keys(entry, &KEYS, "tool").map_err(|(node, what)| refuse(node, &what))?;
        let text = |key: &str| match entry.get(key) {
            None => Ok(None),
            Some(node) if node.value().as_str().is_some() => Ok(Some(node.traced())),
            Some(node) => Err(refuse(node, &format!("`{key}` of a tool is not text"))),
        };
        let name = text("name")?.filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| refuse(entry, "a tool has no `name`"))?;
        let guidelines = match entry.get("promptGuidelines") {
            None => Vec::new(),
            Some(node) => {
                let lines = node.as_list().ok_or_else(|| refuse(node, "`promptGuidelines` of a tool is not a list"))?;
                let line = |node: &YamlNode| match node.value().as_str() {
                    Some(_) => Ok(node.traced()),
                    None => Err(refuse(node, "a line of `promptGuidelines` is not text")),
                };
                lines.iter().map(line).collect::<Result<_, _>>()?
            }
        };
        let tool = FileTool {
            description: text("description")?.unwrap_or_default(),
            snippet: text("promptSnippet")?,
            guidelines,
            parameters: entry.get("parameters").map_or(Value::Null, YamlNode::value),
            span: entry.span.clone(),
            name,
        };
        tools.insert(tool.name.text().to_string(), tool);
    }
    Ok(tools)
}

/// Refuses unknown keys, at their values.
fn check_keys<'n>(node: &'n YamlNode, known: &[&str], of: &str) -> Result<(), (&'n YamlNode, String)> {
    let YamlData::Map(map) = &node.data else { return Ok(()) };
    let unknown = map.iter().find(|(key, _)| !key.as_str().is_some_and(|key| known.contains(&key)));
    let Some((key, value)) = unknown else { return Ok(()) };
    let Some(key) = key.as_str() else { return Err((value, format!("a key of a {of} is not text"))) };
    let meant = nearest(key, known.iter().copied()).map(|meant| format!("; did you mean `{meant}`?"));
    Err((value, format!("a {of} has no `{key}`{}", meant.unwrap_or_default())))
}

pub fn usual(file: &ToolFile) -> impl Iterator<Item = &str> {
    let of_file = file.keys().map(String::as_str).filter(|name| !DEFAULT.contains(name));
    DEFAULT.into_iter().chain(of_file)
}

/// The active tools in order: the listed ones, each once, or the default.
pub fn active(listed: Option<&[Traced]>, file: &ToolFile, protocol: &Protocol) -> Result<Vec<String>, Diagnostic> {
    let Some(listed) = listed else { return Ok(usual(file).map(str::to_string).collect()) };
    let mut names: IndexSet<String> = IndexSet::new();
    for listed in listed {
        let name = listed.text();
        if !file.contains_key(name) && protocol.tool(name).is_none() {
            let known: IndexSet<&str> =
                protocol.tools.iter().map(|(name, _)| name.as_str()).chain(file.keys().map(String::as_str)).collect();
            let known: Vec<&str> = known.into_iter().collect();
            let meant = nearest(name, known.iter().copied());
            let help = did_you_mean(meant, format!("the tools are: {}", known.join(", ")));
            let problem = Problem::invalid(format!("unknown tool `{name}`"), help);
            return Err(Diagnostic { at: listed.span().map(Location::Span), ..Diagnostic::new(problem) });
        }
        names.insert(name.to_string());
    }
    Ok(names.into_iter().collect())
}

pub fn line(name: &str, file: &ToolFile, protocol: &Protocol) -> Traced {
    let built_in = || Traced::protocol(protocol.tool(name).unwrap_or(name));
    let Some(tool) = file.get(name) else { return built_in() };
    let text = cleaned(tool.snippet.as_ref().unwrap_or(&tool.description));
    if text.is_empty() { built_in() } else { text }
}

fn cleaned(text: &Traced) -> Traced {
    let clean = one_line(text.text());
    if *clean == *text.text() {
        return text.clone();
    }
    let origin = text.span().map_or(Origin::Argument("tools-file".into()), Origin::Derived);
    Traced::of(&clean, origin)
}

/// The tools that can explore files in place of bash.
const EXPLORING: [&str; 3] = ["grep", "find", "ls"];

#[derive(Debug, Clone)]
pub struct Guideline {
    pub text: Traced,
    /// Why it is there, as a clause.
    pub because: String,
    pub tool: Option<String>,
    /// Whether an earlier guideline has the same text, so this one is left out.
    pub is_repeated: bool,
}

/// The guidelines for the active tools in order, including repeated ones.
pub fn guidelines(active: &[String], file: &ToolFile, protocol: &Protocol) -> Vec<Guideline> {
    let texts = &protocol.texts;
    let active_of = |names: &[&'static str]| -> Vec<&str> {
        names.iter().copied().filter(|name| active.iter().any(|active| active == name)).collect()
    };
    let has = |name| !active_of(&[name]).is_empty();
    let exploring = active_of(&EXPLORING);
    let editing = active_of(&["edit", "write"]);
    let are_active = |names: &[&str]| format!("{} active", and_are(names));
    let built_in = [
        (has("bash") && exploring.is_empty(), &texts.bash_line, "bash is active without grep, find and ls".to_string()),
        (has("bash") && !exploring.is_empty(), &texts.prefer_line, are_active(&[&["bash"][..], &exploring].concat())),
        (has("read") && has("edit"), &texts.read_line, are_active(&["read", "edit"])),
        (has("edit"), &texts.edit_line, are_active(&["edit"])),
        (has("write"), &texts.write_line, are_active(&["write"])),
        (!editing.is_empty(), &texts.summary_line, are_active(&editing)),
    ];
    let of_protocol = |line: &String, because| (Traced::protocol(line), because, None);
    let built_in =
        built_in.into_iter().filter(|(holds, ..)| *holds).map(|(_, line, because)| of_protocol(line, because));
    let of_tools = active.iter().filter_map(|name| Some((name, file.get(name)?))).flat_map(|(name, tool)| {
        let lines = tool.guidelines.iter().map(trimmed).filter(|line| !line.is_empty());
        lines.map(move |line| (line, format!("the tool {name} adds it"), Some(name.clone())))
    });
    let constant = [&texts.concise_line, &texts.paths_line];
    let constant = constant.into_iter().map(|line| of_protocol(line, "it needs no tool".to_string()));
    let mut known = HashSet::new();
    let guidelines = built_in.chain(of_tools).chain(constant).map(|(text, because, tool)| {
        let is_repeated = !known.insert(text.text().to_string());
        Guideline { text, because, tool, is_repeated }
    });
    guidelines.collect()
}

/// `bash is`, `read and edit are`
fn and_are(names: &[&str]) -> String {
    match names {
        [only] => format!("{only} is"),
        [first @ .., last] => format!("{} and {last} are", first.join(", ")),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> ToolFile {
        read(&Source::read("".into(), "tools.yaml", text.as_bytes().to_vec()).unwrap()).unwrap()
    }

    fn names(words: &str) -> Vec<String> {
        words.split_whitespace().map(str::to_string).collect()
    }

    #[test]
    fn lines_fall_back_from_snippet_to_name() {
        let file = file(
            "tools:\n- {name: a, description: unused, promptSnippet: '  Ships the  build '}\n\
             - {name: b, description: Weighs}\n- {name: c, description: ''}\n- {name: read, promptSnippet: ' ', description: x}\n",
        );
        let protocol = Protocol::default();
        let lines = ["a", "b", "c", "read", "bash"].map(|name| line(name, &file, &protocol).text().to_string());
        assert_eq!(lines[..4], ["Ships the build", "Weighs", "c", "Read file contents"]);
        assert!(lines[4].starts_with("Execute bash"));
    }

    #[test]
    fn default_tools_come_before_those_of_the_file() {
        let file = file("tools: [{name: zeta}, {name: bash}, {name: alpha}]");
        let protocol = Protocol::default();
        assert_eq!(active(None, &file, &protocol).unwrap(), names("read bash edit write zeta alpha"));
        let listed = |words: &str| names(words).iter().map(|name| Traced::protocol(name)).collect::<Vec<_>>();
        assert_eq!(active(Some(&listed("ls zeta ls")), &file, &protocol).unwrap(), names("ls zeta"));
        assert_eq!(active(Some(&[]), &file, &protocol).unwrap(), names(""));
        let refused = active(Some(&listed("raed")), &file, &protocol).unwrap_err();
        assert!(refused.message().contains("`raed`") && refused.help().unwrap_or_default().contains("`read`"));
    }

    #[test]
    fn each_guideline_appears_once_at_its_first_position() {
        let file = file(
            "tools:\n- {name: two, promptGuidelines: [Ask first, Count twice]}\n\
             - {name: one, promptGuidelines: ['  Count twice  ', ' ', Measure first, Be concise in your responses]}\n",
        );
        let lines = guidelines(&names("read bash one two"), &file, &Protocol::default());
        let said = |is_repeated| move |line: &&Guideline| line.is_repeated == is_repeated;
        let repeated: Vec<&str> = lines.iter().filter(said(true)).map(|line| line.text.text()).collect();
        assert_eq!(repeated, ["Count twice", "Be concise in your responses"]);
        let lines: Vec<&str> = lines.iter().filter(said(false)).map(|line| line.text.text()).collect();
        let expected = [
            "Use bash for file operations like ls, rg, find",
            "Count twice",
            "Measure first",
            "Be concise in your responses",
            "Ask first",
            "Show file paths clearly when working with files",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn json_and_yaml_are_read_alike() {
        let json = file("{\"tools\": [{\"name\": \"smile\", \"description\": \"\\ud83d\\ude00\"}]}");
        assert_eq!(json["smile"].description.text(), "😀");
        let refused =
            |text: &str| read(&Source::read("".into(), "t", text.as_bytes().to_vec()).unwrap()).unwrap_err().message();
        assert!(
            refused("tools: {}").contains("not a list") && refused("tools: [{description: x}]").contains("no `name`")
        );
        assert!(refused("tools: [{name: [1]}]").contains("is not text"));
    }

    #[test]
    fn unknown_keys_are_refused_at_their_position() {
        for (text, value, reason) in [
            (
                "tools:\n- {name: a, parameters: {x: 1}}\n- {name: b, promptSnipet: Weighs}\n",
                "Weighs",
                "a tool has no `promptSnipet`; did you mean `promptSnippet`?",
            ),
            ("{\"tools\": [{\"name\": \"a\", \"label\": 1}]}", "1", "a tool has no `label`"),
            ("tools: [{name: a, 5: x}]", "x", "a key of a tool is not text"),
            ("tools: []\ntool: [y]", "[y]", "a tools file has no `tool`; did you mean `tools`?"),
        ] {
            let error = read(&Source::read("".into(), "t", text.as_bytes().to_vec()).unwrap()).unwrap_err();
            assert_eq!(error.message(), format!("the tools cannot be used: {reason}"));
            assert!(matches!(&error.at, Some(Location::Span(at)) if at.text() == value), "{:?}", error.at);
        }
    }
}
