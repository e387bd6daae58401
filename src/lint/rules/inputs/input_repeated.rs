use crate::lint::rules::{Check, Directive, Findings, LintFile, Project, repeated};

pub const CHECK: Check = Check::Directive(check);

fn check(_file: &LintFile, directive: &Directive, _project: &Project<'_>, found: &mut Findings<'_>) {
    let names = directive.inputs.iter().map(|input| (input.name.as_str(), &input.name.span));
    for (name, at, earlier) in repeated(names) {
        let message = format!("input `{name}` is already declared");
        found.at(at, message).related(earlier, "first declared here");
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR211 as RULE;
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
        assert_eq!(messages_of(&RULE, &files, "rye-3"), expected);
    }
}
