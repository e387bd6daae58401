use crate::lint::rules::{Directive, Findings, LintFile, Project};

use super::names::names;
use super::placeholders::{CodeRanges, PlaceholderKind, placeholders};

pub fn check(_file: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let mut known = None;
    let outputs = directive.outputs.iter().filter_map(|output| output.description.as_ref());
    for field in directive.description.iter().chain(outputs) {
        let code = CodeRanges::of(field.as_str());
        for it in placeholders(field.as_str())
            .filter(|it| it.kind != PlaceholderKind::Environment && !code.has(it.range.start))
        {
            if known.get_or_insert_with(|| names(directive, project)).contains(it.name) {
                let written = &field.as_str()[it.range.clone()];
                let at = field.text.slice(it.range.clone()).span().unwrap_or_else(|| field.span.clone());
                found.at(at, format!("`{written}` stays as written: placeholders in descriptions are not replaced"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR209 as RULE;
    use crate::lint::testing::examples;
    use crate::lint::testing::messages_of;

    fn of(description: &str, output: &str) -> Vec<String> {
        let files = format!(
            "=== .ai/directives/a.md\n```xml\r\n<directive name=\"a\" version=\"1\"><metadata>\r\n\
             <description>{description}</description></metadata>\r\n<inputs><input name=\"x\"/></inputs>\r\n\
             <outputs><output name=\"y\">{output}</output></outputs>\r\n</directive>\r\n```\r\n\r\nGo, {{input:x}}.\r\n"
        );
        messages_of(&RULE, &files, "rye-2")
    }

    #[test]
    fn inputs_in_prose_are_found() {
        let at = |line, written| {
            format!(
                ".ai/directives/a.md:{line}: `{written}` stays as written: placeholders in descriptions are not replaced"
            )
        };
        assert_eq!(of("To {input:x}", "At ${inputs.x}"), [at(3, "{input:x}"), at(5, "${inputs.x}")]);
        assert_eq!(of("To\r\n {input:x|here}, {input:x?}", ""), [at(4, "{input:x|here}"), at(4, "{input:x?}")]);
        for fine in ["To `{input:x}`", "To {input:z}", "To {env:HOME}", "To {input: x}", "To {x}"] {
            assert_eq!(of(fine, fine), [""; 0], "{fine}");
        }
    }

    #[test]
    fn without_declarations_the_names_in_the_body_and_in_ancestors_are_known() {
        let undeclared = examples(&RULE).bad.0.replacen(
            "  <inputs>\n    <input name=\"target\" type=\"string\" required=\"true\">Where to</input>\n  </inputs>\n",
            "",
            1,
        );
        assert!(!undeclared.contains("<inputs>"));
        assert_eq!(messages_of(&RULE, &undeclared, "rye-3").len(), 1);
        let silent = undeclared.replace("Deploy to {input:target}.", "Deploy.");
        assert_eq!(messages_of(&RULE, &silent, "rye-3"), [""; 0]);
        let child = silent.replace("version=\"1.0.0\"", "version=\"1.0.0\" extends=\"base\"");
        let base = examples(&RULE).good.0.replace("deploy", "base");
        assert_eq!(messages_of(&RULE, &(child + &base), "rye-3").len(), 1);
    }
}
