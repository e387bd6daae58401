use crate::lint::project::FileContent;
use crate::lint::rules::{Findings, Hook, LintFile, Project, Span, repeated};
use crate::read::value::python_str;
use crate::read::yaml::YamlNode;

use super::place_of;

const LISTS: [&str; 4] = ["hooks", "builtin_hooks", "context_hooks", "infra_hooks"];

pub fn check(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    match &file.content {
        FileContent::Directive(directive) if directive.hooks.len() > 1 => {
            let ids = directive.hooks.iter().filter_map(|hook: &Hook| Some((hook.id.clone()?, place_of(hook, "id")?)));
            report(ids, found);
        }
        FileContent::Configuration(node) if holds_hooks(&file.path, project) => {
            let lists = LISTS.iter().filter_map(|key| node.get(key)?.as_list());
            report(lists.flatten().filter_map(id), found);
        }
        _ => {}
    }
}

fn holds_hooks(path: &str, project: &Project<'_>) -> bool {
    let folders = &project.protocol.hook_conditions.project;
    let mut files = folders.iter().map(|folder| format!(".ai/{folder}/hook_conditions.yaml"));
    path == ".ai/config/agent/hooks.yaml" || files.any(|file| file == path)
}

fn id(entry: &YamlNode) -> Option<(String, Span)> {
    let id = entry.get("id")?;
    let value = id.value();
    (!value.is_null()).then(|| python_str(&value)).zip(id.span.clone())
}

fn report(ids: impl Iterator<Item = (String, Span)>, found: &mut Findings<'_>) {
    let ids: Vec<(String, Span)> = ids.collect();
    for (id, at, earlier) in repeated(ids.iter().map(|(id, at)| (id.as_str(), at))) {
        found.at(at, format!("hook id `{id}` is already used")).related(earlier, "first used here");
    }
}
