//! The values of declared names, outputs, limits and wrappers.

use crate::fill::assemble;
use crate::lint::rules::{Directive, Edit, Findings, LintFile, Location, Problem, Project, has_context, repeated};
use crate::read::value::Value;
use crate::read::yaml::{NodeMap, YamlNode};

use super::prompt::is_empty;

pub fn name_unlike_file(file: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(name) = directive.name.as_ref().filter(|name| !name.text.is_empty()) else { return };
    // The full id is fine too.
    if name.as_str() != file.stem() && name.as_str() != file.id {
        let message = format!("the directive is named `{}`, but its file is `{}`", name.as_str(), file.stem());
        found.at(&name.span, message);
    }
}

pub fn category_unlike_folder(file: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(category) = directive.category.as_ref().filter(|category| !category.text.is_empty()) else { return };
    let Some((folder, _)) = file.id.rsplit_once('/') else { return };
    if category.as_str() != folder {
        let message = format!("the category is `{}`, but the directive is in `{folder}`", category.as_str());
        found.at(&category.span, message);
    }
}

pub fn output_repeated(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let names = directive.outputs.iter().filter_map(|output| output.name.as_ref());
    for (name, at, earlier) in repeated(names.map(|name| (name.as_str(), &name.span))) {
        let message = format!("output `{name}` is already declared, and this one replaces it");
        found.at(at, message).related(earlier, "first declared here");
    }
}

pub fn output_unnamed(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    // If no output has a name, RR013 reports it once.
    if directive.outputs.iter().any(|output| !is_empty(&output.name)) {
        for output in directive.outputs.iter().filter(|output| is_empty(&output.name)) {
            found.at(&output.span, "this output has no name, so it is omitted");
        }
    }
}

/// Protocols without a context set no limits.
fn defaults<'p>(project: &'p Project<'_>) -> Option<&'p NodeMap> {
    project.configuration.as_ref().filter(|_| has_context(project))?.limit_defaults.as_ref()
}

pub fn unknown_limit(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    for limit in &directive.limits {
        if let Some(problem) = assemble::unknown_limit(defaults(project), &limit.name) {
            found.problem(problem, &limit.span);
        }
    }
}

pub fn limit_not_number(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(defaults) = defaults(project) else { return };
    for limit in directive.limits.iter().filter(|limit| matches!(limit.value, Value::Str(_))) {
        let default = defaults.get(&Value::from(limit.name.as_str())).map(YamlNode::value);
        if matches!(default, Some(Value::Int(_) | Value::Float(_))) {
            found.at(&limit.span, format!("the limit `{}` is not a number, but its default is", limit.name));
        }
    }
}

pub fn limits_unchecked(project: &Project<'_>, found: &mut Findings<'_>) {
    if project.configuration.is_none() || !has_context(project) || defaults(project).is_some() {
        return;
    }
    let mut limits = project.linted().filter_map(|file| file.directive()?.limits.first());
    if let Some(limit) = limits.next() {
        found.problem(Problem::LimitsUnchecked, &limit.span);
    }
}

/// The types of JSON Schema, and `any`.
const TYPES: [&str; 8] = ["string", "number", "integer", "boolean", "object", "array", "null", "any"];

pub fn type_misspelt(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let inputs = directive.inputs.iter().map(|input| (input.input_type.as_str(), &input.span));
    let outputs = directive.outputs.iter();
    let outputs = outputs.filter_map(|output| output.output_type.as_ref()).map(|it| (it.as_str(), &it.span));
    for (written, span) in inputs.chain(outputs).filter(|(written, _)| !TYPES.contains(written)) {
        if let Some(meant) = TYPES.iter().find(|known| is_slip_of_type(written, known)) {
            found.at(span, format!("unknown type `{written}`")).suggest(Some(meant));
        }
    }
}

/// Whether a word differs only in case or in one letter. In short words one letter makes a
/// different word, and `string?` is a type in other languages.
fn is_slip_of_type(word: &str, known: &str) -> bool {
    let is_letter = || {
        let may_be = known.len() > 4 && word.len() < 16 && word.chars().all(char::is_alphanumeric);
        may_be && strsim::osa_distance(word, known) == 1
    };
    word.eq_ignore_ascii_case(known) || is_letter()
}

pub fn wrap_text(project: &Project<'_>, found: &mut Findings<'_>) {
    let of_files = project.files.iter().flat_map(|file| &file.diagnostics);
    for diagnostic in of_files.chain(&project.diagnostics) {
        let (Problem::WrapText { .. }, Some(at @ Location::Span(span))) = (&diagnostic.problem, &diagnostic.at) else {
            continue;
        };
        let finding = found.diagnosed(diagnostic, || at.clone());
        if !at.path().ends_with(".md") {
            finding.help("write wrap: false, without quotes").fix("write false", [Edit::replace(span, "false")]);
            continue;
        }
        finding.help("write wrap=\"\", the only value that removes the wrapper");
        // An element cannot have an empty value.
        if span.source().text()[..span.range().start].ends_with(['"', '\'']) {
            finding.fix("make the value empty", [Edit::replace(span, "")]);
        }
    }
}

#[cfg(test)]
mod limits_tests {
    use crate::lint::rule::RR052 as RULE;
    use crate::lint::testing::messages_of;

    fn of(limits: &str, defaults: &str, protocol: &str) -> Vec<String> {
        let files = format!(
            "=== .ai/directives/a.md\n```xml\n<directive name=\"a\" version=\"1\"><metadata>\n\
             <description>D</description>\n<limits {limits}/>\n</metadata></directive>\n```\n\nGo.\n\
             === user:.ai/config/agent/resilience.yaml\nlimits: {{defaults: {{{defaults}}}}}\n"
        );
        messages_of(&RULE, &files, protocol)
    }

    #[test]
    fn a_limit_must_be_a_number_if_its_default_is() {
        let found = [".ai/directives/a.md:4: the limit `turns` is not a number, but its default is"];
        for written in ["ten", "", "unlimited", "1e3", "1.2.3", "{input:turns}", "0x10"] {
            assert_eq!(of(&format!("turns=\"{written}\""), "turns: 6", "rye-3"), found, "{written}");
        }
        for written in ["10", " 10 ", "-1", "1_000", "0.5", "1.5e3"] {
            assert_eq!(of(&format!("turns=\"{written}\""), "turns: 6", "rye-3"), [""; 0], "{written}");
        }
        assert_eq!(of("turns=\"ten\"", "turns: 6.5", "rye-2"), found);
        // The default is text, or there is none; rye-1 has no defaults.
        assert_eq!(of("turns=\"ten\"", "turns: many", "rye-3"), [""; 0]);
        assert_eq!(of("turns=\"ten\"", "turns: 6", "rye-1"), [""; 0]);
    }
}

#[cfg(test)]
mod type_misspelt_tests {
    use crate::lint::rule::RR053 as RULE;
    use crate::lint::testing::messages_of;

    fn of(input: &str, output: &str) -> Vec<String> {
        let files = format!(
            "=== .ai/directives/a.md\n```xml\n<directive name=\"a\" version=\"1\"><metadata>\
             <description>D</description></metadata>\n<inputs><input name=\"x\" type=\"{input}\"/></inputs>\n\
             <outputs><output name=\"y\"\n  type=\"{output}\"/></outputs>\n</directive>\n```\n\nGo, {{input:x}}.\n"
        );
        messages_of(&RULE, &files, "rye-3")
    }

    #[test]
    fn slips_differ_from_custom_types() {
        let slips = of("String", "interger");
        let expected = ["3: unknown type `String`", "5: unknown type `interger`"];
        assert_eq!(slips, expected.map(|line| format!(".ai/directives/a.md:{line}")));
        for fine in ["string", "", "any", "date", "text", "str", "bool", "int", "string?", "string[]", "nul", "path"] {
            assert_eq!(of(fine, fine), [""; 0], "{fine}");
        }
    }
}
