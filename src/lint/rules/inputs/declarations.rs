//! The declarations of inputs.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use rayon::prelude::*;

use crate::lint::rules::{Directive, Edit, Findings, ItemField, LintFile, Project, repeated};
use crate::read::item::InputDeclaration;
use crate::text::constant_pattern;
use crate::text::python;

use super::placeholders::without_placeholder;
use super::uses;

pub fn input_repeated(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let names = directive.inputs.iter().map(|input| (input.name.as_str(), &input.name.span));
    for (name, at, earlier) in repeated(names) {
        let message = format!("input `{name}` is already declared");
        found.at(at, message).related(earlier, "first declared here");
    }
}

pub fn input_unnamed(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for input in directive.inputs.iter().filter(|input| input.name.text.is_empty()) {
        found.at(&input.span, "this input has no name, so no value can be given to it");
    }
}

/// Words for yes that are not `true`.
const MEANT: [&str; 7] = ["yes", "y", "1", "on", "t", "required", "tru"];

pub fn required_not_true(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let inputs = directive.inputs.iter().map(|input| ("input", input.required_as.as_ref()));
    let outputs = directive.outputs.iter().map(|output| ("output", output.required_as.as_ref()));
    for (what, written) in inputs.chain(outputs) {
        if let Some(written) = written.filter(|written| is_meant(written)) {
            let message = format!("the {what} is optional: only `true` makes it required, not `{}`", written.as_str());
            found.at(&written.span, message);
        }
    }
}

fn is_meant(written: &ItemField) -> bool {
    let word = written.as_str().trim();
    MEANT.iter().any(|meant| word.eq_ignore_ascii_case(meant))
        // White space around the word makes it false.
        || word != written.as_str() && word.eq_ignore_ascii_case("true")
}

pub fn required_with_default(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for input in directive.inputs.iter().filter(|input| input.required) {
        let Some(default) = &input.default else { continue };
        let message = format!("`{}` is required, but its default makes it optional", input.name.as_str());
        found.at(&default.span, message).fix("remove `required`", without_required(input));
    }
}

/// Removes the attribute with the white space before it, if it is written plainly.
fn without_required(input: &InputDeclaration) -> Option<Edit> {
    // The attributes before it are matched too, so that text in their values is not mistaken for one.
    static REQUIRED: LazyLock<Regex> = LazyLock::new(|| {
        let value = r#"\s*=\s*(?:"[^"]*"|'[^']*')"#;
        constant_pattern(&format!(r"^<input(?:\s*[^\s=>]+{value})*?(\s*required{value})"))
    });
    let attribute = REQUIRED.captures(input.span.text())?.get(1)?;
    Some(Edit::replace(&input.span.slice(attribute.range()), ""))
}

pub fn input_unused(project: &Project<'_>, found: &mut Findings<'_>) {
    let files = project.files.par_iter().filter(|file| file.is_linted);
    let open: Vec<_> = files.filter_map(|file| Some((file, unmentioned(file.directive()?)))).collect();
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
fn unmentioned(directive: &Directive) -> Vec<&InputDeclaration> {
    let (body, without_placeholder) = (directive.body.text(), without_placeholder(directive));
    let is_open =
        |input: &&InputDeclaration| !input.name.text.is_empty() && without_placeholder.contains(input.name.as_str());
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
mod declarations_tests {
    use crate::lint::rule::{RR211, RR212};
    use crate::lint::testing::messages_of;

    #[test]
    fn each_repetition_is_found_in_its_own_directive() {
        let directive = |id: &str, extends: &str, names: &[&str]| {
            let inputs: String = names.iter().map(|name| format!("<input name=\"{name}\"/>\r\n")).collect();
            format!(
                "=== .ai/directives/{id}.md\n```xml\r\n<directive name=\"{id}\" version=\"1\"{extends}><metadata>\
                 <description>D</description></metadata><inputs>\r\n{inputs}</inputs></directive>\r\n```\r\n\r\nGo.\r\n"
            )
        };
        let files = directive("a", "", &["x", "y", "x", "X", "x", "", ""]) + &directive("b", " extends=\"a\"", &["x"]);
        let expected = [5, 7].map(|line| format!(".ai/directives/a.md:{line}: input `x` is already declared"));
        assert_eq!(messages_of(&RR211, &files, "rye-3"), expected);
    }

    #[test]
    fn only_inputs_without_a_name_are_found() {
        let files = "=== .ai/directives/a.md\n```xml\n<directive name=\"a\" version=\"1\"><metadata>\
                     <description>D</description></metadata>\n<inputs>\n<input/>\n<input name=''>x</input>\n\
                     <input name=\"x\"/>\n<param/>\n</inputs></directive>\n```\n\nGo, {input:x}.\n";
        for protocol in ["rye-1", "rye-2", "rye-3"] {
            let message = "this input has no name, so no value can be given to it";
            let expected = [4, 5].map(|line| format!(".ai/directives/a.md:{line}: {message}"));
            assert_eq!(messages_of(&RR212, files, protocol), expected);
        }
    }
}

#[cfg(test)]
mod required_not_true_tests {
    use crate::lint::rule::RR213 as RULE;
    use crate::lint::testing::messages_of;

    fn of(required: &str) -> Vec<String> {
        let files = format!(
            "=== .ai/directives/a.md\n```xml\n<directive name=\"a\" version=\"1\"><metadata>\
             <description>D</description></metadata>\n<inputs><input name=\"x\"\n required=\"{required}\"/></inputs>\n\
             <outputs><output name=\"y\" required=\"{required}\"/></outputs>\n</directive>\n```\n\nGo, {{input:x}}.\n"
        );
        messages_of(&RULE, &files, "rye-3")
    }

    #[test]
    fn other_words_for_yes_are_found() {
        for word in ["yes", "YES", "1", "on", "required", " true", "true "] {
            let message = |line, what| {
                format!(
                    ".ai/directives/a.md:{line}: the {what} is optional: only `true` makes it required, not `{word}`"
                )
            };
            assert_eq!(of(word), [message(4, "input"), message(5, "output")]);
        }
        for word in ["true", "True", "false", "no", "0", "", "optional", "sometimes"] {
            assert_eq!(of(word), [""; 0], "{word}");
        }
    }
}

#[cfg(test)]
mod required_with_default_tests {
    use crate::lint::LintOptions;
    use crate::lint::rule::RR203 as RULE;
    use crate::lint::testing::Example;
    use crate::lint::testing::examples;
    use crate::lint::testing::found;

    fn edits(example: Example) -> Vec<String> {
        let findings = found(example, &LintOptions::default()).into_iter();
        let fixes = findings.filter(|finding| finding.rule.code == RULE.code).filter_map(|finding| finding.fix);
        fixes.flat_map(|fix| fix.edits).map(|edit| edit.span.text().to_string()).collect()
    }

    #[test]
    fn only_the_attribute_is_removed() {
        assert_eq!(edits(examples(&RULE).bad), [" required=\"true\""]);
        assert_eq!(edits(examples(&RULE).composed), [" required='TRUE'"]);
        let files = r#"=== .ai/directives/a.md
```xml
<directive name="a" version="1.0.0">
  <inputs><input name="b" default=" required='true' >"
    required = "true"/></inputs>
</directive>
```
"#;
        assert_eq!(edits(Example(files)), ["\n    required = \"true\""]);
    }
}

#[cfg(test)]
mod input_unused_tests {
    use super::*;
    use crate::read::item::parse_directive;
    use crate::read::protocol::Protocols;
    use crate::text::Source;

    fn unmentioned_of(names: &[String], body: &str) -> Vec<String> {
        let inputs: String = names.iter().map(|name| format!("<input name=\"{name}\"/>")).collect();
        let root = format!("<directive name=\"a\" version=\"1.0.0\"><inputs>{inputs}</inputs></directive>");
        let text = format!("```xml\n{root}\n```\n\n{body}\n");
        let source = Source::read("project".into(), ".ai/directives/a.md", text.into_bytes()).unwrap();
        let protocol = Protocols::default().get("rye-3").unwrap();
        let directive = parse_directive(&source, &protocol).unwrap().item;
        unmentioned(&directive).into_iter().map(|input| input.name.as_str().to_string()).collect()
    }

    #[test]
    fn a_name_must_be_a_whole_word() {
        let names = ["target", "arg", "not-before", "before", "né"].map(String::from);
        assert_eq!(unmentioned_of(&names, "targets, _arg, né; not-before."), ["target", "arg"]);
        assert_eq!(unmentioned_of(&names, "target arg; not-befores"), ["not-before", "before", "né"]);
    }

    #[test]
    fn a_long_body_is_scanned_once_for_all_inputs() {
        for count in [10_000, 20_000] {
            let names: Vec<String> = (0..count).map(|number| format!("input{number}")).collect();
            let body: String = (0..count * 10).map(|number| format!("input{} other ", number % 5 * 2)).collect();
            assert_eq!(unmentioned_of(&names, &body).len(), count - 5);
        }
    }
}
