use crate::lint::rules::{Directive, Findings, ItemField, LintFile, Project};

/// Words for yes that are not `true`.
const MEANT: [&str; 7] = ["yes", "y", "1", "on", "t", "required", "tru"];

pub fn check(_file: &LintFile, directive: &Directive, _project: &Project<'_>, found: &mut Findings<'_>) {
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

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR213 as RULE;
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
