use std::collections::{BTreeSet, HashMap, HashSet};

use rayon::prelude::*;

use crate::lint::rules::{Findings, Project};
use crate::read::item::{Directive, InputDeclaration};
use crate::text::python;

use super::placeholders::{PlaceholderKind, placeholders};
use super::uses;

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let files = project.files.par_iter().filter(|file| file.is_linted);
    let open: Vec<_> = files.filter_map(|file| Some((file, unnamed(file.directive()?)))).collect();
    let mut open = open.into_iter().filter(|(_, inputs)| !inputs.is_empty()).peekable();
    if open.peek().is_none() {
        return;
    }
    let configured = uses::configured(project);
    for (file, mut inputs) in open {
        let Some(directive) = file.directive() else { continue };
        let own = uses::own(directive, project);
        let composed = project.composed(file, directive);
        for uses in configured.iter().chain(&own) {
            let looks_at = |input: &InputDeclaration| uses.looks_at(input.name.as_str());
            if inputs.iter().any(|input| looks_at(input)) && uses.may_apply(&composed) {
                inputs.retain(|input| !looks_at(input));
            }
        }
        for input in inputs {
            let name = input.name.as_str();
            let finding = found.at(&input.name.span, format!("the value of the input `{name}` is not used"));
            finding.help(format!("write {{input:{name}}} where its value belongs, or remove the declaration"));
        }
    }
}

/// The inputs that the directive itself does not mention.
fn unnamed(directive: &Directive) -> Vec<&InputDeclaration> {
    if directive.inputs.is_empty() {
        return Vec::new();
    }
    let (body, content) = (directive.body.text(), directive.content.text());
    let all = placeholders(body).chain(placeholders(content)).filter(|it| it.kind != PlaceholderKind::Environment);
    let named: BTreeSet<&str> = all.map(|it| it.name).collect();
    let is_open = |input: &&InputDeclaration| !input.name.text.is_empty() && !named.contains(input.name.as_str());
    let mut open: Vec<&InputDeclaration> = directive.inputs.iter().filter(is_open).collect();
    if !open.is_empty() {
        let words: HashSet<&str> = body.split(|c| !python::is_word(c)).collect();
        let (mut others, mut searches) = (HashMap::new(), 0);
        open.retain(|input| {
            let name = input.name.as_str();
            if name.chars().all(python::is_word) {
                return !words.contains(name);
            }
            let is_mentioned = *others.entry(name).or_insert_with(|| {
                searches += 1;
                searches > MOST_SEARCHES || mentions(body, name)
            });
            !is_mentioned
        });
    }
    open
}

/// The maximum number of searches for names that are not single words; further names are assumed to be used.
const MOST_SEARCHES: usize = 100;

/// Whether `text` contains the name as a whole word.
fn mentions(text: &str, name: &str) -> bool {
    let is_end = |c: Option<char>| !c.is_some_and(python::is_word);
    text.match_indices(name)
        .any(|(at, _)| is_end(text[..at].chars().next_back()) && is_end(text[at + name.len()..].chars().next()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::item::parse_directive;
    use crate::read::protocol::Protocols;
    use crate::text::Source;

    fn unnamed_of(names: &[String], body: &str) -> Vec<String> {
        let inputs: String = names.iter().map(|name| format!("<input name=\"{name}\"/>")).collect();
        let root = format!("<directive name=\"a\" version=\"1.0.0\"><inputs>{inputs}</inputs></directive>");
        let text = format!("```xml\n{root}\n```\n\n{body}\n");
        let source = Source::read("project".into(), ".ai/directives/a.md", text.into_bytes()).unwrap();
        let protocol = Protocols::default().get("rye-3").unwrap();
        let directive = parse_directive(&source, &protocol).unwrap().item;
        unnamed(&directive).into_iter().map(|input| input.name.as_str().to_string()).collect()
    }

    #[test]
    fn a_name_must_be_a_whole_word() {
        let names = ["target", "arg", "not-before", "before", "né"].map(String::from);
        assert_eq!(unnamed_of(&names, "targets, _arg, né; not-before."), ["target", "arg"]);
        assert_eq!(unnamed_of(&names, "target arg; not-befores"), ["not-before", "before", "né"]);
    }

    #[test]
    fn a_long_body_is_scanned_once_for_all_inputs() {
        for count in [10_000, 20_000] {
            let names: Vec<String> = (0..count).map(|number| format!("input{number}")).collect();
            let body: String = (0..count * 10).map(|number| format!("input{} other ", number % 5 * 2)).collect();
            assert_eq!(unnamed_of(&names, &body).len(), count - 5);
        }
    }
}
