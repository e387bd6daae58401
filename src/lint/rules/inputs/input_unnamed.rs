use crate::lint::rules::{Check, Directive, Findings, LintFile, Project};

pub const CHECK: Check = Check::Directive(check);

fn check(_file: &LintFile, directive: &Directive, _project: &Project<'_>, found: &mut Findings<'_>) {
    for input in directive.inputs.iter().filter(|input| input.name.text.is_empty()) {
        found.at(&input.span, "this input has no name, so no value can be given to it");
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR212 as RULE;
    use crate::lint::testing::messages_of;

    #[test]
    fn only_inputs_without_a_name_are_found() {
        let files = "=== .ai/directives/a.md\n```xml\n<directive name=\"a\" version=\"1\"><metadata>\
                     <description>D</description></metadata>\n<inputs>\n<input/>\n<input name=''>x</input>\n\
                     <input name=\"x\"/>\n<param/>\n</inputs></directive>\n```\n\nGo, {input:x}.\n";
        for protocol in ["rye-1", "rye-2", "rye-3"] {
            let message = "this input has no name, so no value can be given to it";
            let expected = [4, 5].map(|line| format!(".ai/directives/a.md:{line}: {message}"));
            assert_eq!(messages_of(&RULE, files, protocol), expected);
        }
    }
}
