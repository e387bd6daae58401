use crate::lint::rules::{Edit, Findings, LintFile, Project};
use crate::read::item::{Directive, InputDeclaration};

pub fn check(_file: &LintFile, directive: &Directive, _project: &Project<'_>, found: &mut Findings<'_>) {
    for input in directive.inputs.iter().filter(|input| input.required) {
        let Some(default) = &input.default else { continue };
        let message = format!("`{}` is required, but its default makes it optional", input.name.as_str());
        found.at(&default.span, message).fix("remove `required`", without_required(input));
    }
}

/// Removes the attribute with the white space before it, if it is written plainly.
fn without_required(input: &InputDeclaration) -> Option<Edit> {
    let element = input.span.text();
    let (mut at, mut inside) = ("<input".len(), None);
    // Only attributes are scanned, so text in their values is not mistaken for one.
    for (offset, c) in element.char_indices().skip(at) {
        match (inside, c) {
            (None, '>') => return None,
            (None, '"' | '\'') => {
                inside = Some(c);
                continue;
            }
            (Some(quote), c) if c == quote => inside = None,
            _ => continue,
        }
        let attribute = &element[at..=offset];
        let name = attribute.trim_start().split(['=', ' ', '\t', '\n']).next();
        if name == Some("required") {
            return Some(Edit::replace(&input.span.slice(at..offset + 1), ""));
        }
        at = offset + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::pages::RR203 as RULE;
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
