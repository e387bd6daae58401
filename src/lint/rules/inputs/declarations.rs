use crate::lint::rules::{Directive, Findings, LintFile, Project, repeated};

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

#[cfg(test)]
mod tests {
    use crate::lint::pages::{RR211, RR212};
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
