use crate::lint::rules::{Directive, Findings, LintFile, Project};

/// The types of JSON Schema, and `any`.
const TYPES: [&str; 8] = ["string", "number", "integer", "boolean", "object", "array", "null", "any"];

pub fn check(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let inputs = directive.inputs.iter().map(|input| (input.input_type.as_str(), &input.span));
    let outputs = directive.outputs.iter();
    let outputs = outputs.filter_map(|output| output.output_type.as_ref()).map(|it| (it.as_str(), &it.span));
    for (written, span) in inputs.chain(outputs).filter(|(written, _)| !TYPES.contains(written)) {
        if let Some(meant) = TYPES.iter().find(|known| is_slip(written, known)) {
            found.at(span, format!("unknown type `{written}`")).suggest(Some(meant));
        }
    }
}

/// Whether a word differs only in case or in one letter. In short words one letter makes a
/// different word, and `string?` is a type in other languages.
fn is_slip(word: &str, known: &str) -> bool {
    let is_letter = || {
        let may_be = known.len() > 4 && word.len() < 16 && word.chars().all(char::is_alphanumeric);
        may_be && strsim::osa_distance(word, known) == 1
    };
    word.eq_ignore_ascii_case(known) || is_letter()
}

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR053 as RULE;
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
