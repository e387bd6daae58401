use crate::decide::condition::Truth;
use crate::lint::placeholders::{HookPlaceholder, PlaceholderKind, of_hook, placeholders};
use crate::lint::project::HookText;
use crate::lint::rules::{Findings, Hook, LintFile, Project, has_context};

/// Whether the hook may apply to a directive whose body contains an input: `directive_body` shows its value.
fn has_body_with_input(hook: &Hook, project: &Project<'_>) -> bool {
    project.directives().any(|(file, directive)| {
        placeholders(directive.body.text()).any(|it| it.kind != PlaceholderKind::Environment)
            && project.composed(file, directive).truth(hook) != Truth::False
    })
}

/// The maximum number of findings in one text.
const MOST: usize = 20;

pub fn input_in_system(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    if hook.event != "build_system_prompt" || !has_context(project) {
        return;
    }
    for HookText { id, file, text } in project.hook_texts(hook) {
        let mut holds_inputs = None;
        let mut is_input = |it: &HookPlaceholder<'_>| {
            it.is_input()
                || it.paths.iter().any(|path| path == "directive_body")
                    && *holds_inputs.get_or_insert_with(|| has_body_with_input(hook, project))
        };
        let inputs = of_hook(text.text(), project.protocol).filter(|it| is_input(it));
        for placeholder in inputs.take(MOST) {
            let written = &text.text()[placeholder.range.clone()];
            let message = format!("`{written}` is placed in the system message by hook {}", hook.name());
            let in_text = text.slice(placeholder.range.clone()).span().filter(|_| file.is_linted);
            found.at(in_text.as_ref().unwrap_or(&id.span), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::rule::RR617 as RULE;
    use crate::lint::testing::messages_of;

    fn of(condition: &str, text: &str, body: &str) -> Vec<String> {
        let files = format!(
            "=== .ai/config/agent/hooks.yaml\nhooks:\n  - id: h\n    event: build_system_prompt\n    \
             condition: {condition}\n    action: {{primary: fetch, item_type: knowledge, item_id: r}}\n\
             === .ai/knowledge/r.md\n```yaml\nname: r\n```\n\n{text}\n=== .ai/directives/a.md\n```xml\n\
             <directive name=\"a\" version=\"1\"><metadata><description>D</description></metadata>\
             <inputs><input name=\"x\"/></inputs></directive>\n```\n\n{body}\n"
        );
        messages_of(&RULE, &files, "rye-3")
    }

    #[test]
    fn the_body_of_a_directive_shows_its_inputs() {
        let at = |written: &str| {
            vec![format!(".ai/knowledge/r.md:5: `{written}` is placed in the system message by hook h")]
        };
        assert_eq!(of("{}", "${directive_body}", "Go, {input:x}."), at("${directive_body}"));
        assert_eq!(of("{}", "${model || directive_body}", "Go, ${inputs.x}."), at("${model || directive_body}"));
        assert_eq!(of("{}", "${inputs.x.y}", "Go."), at("${inputs.x.y}"));
        assert_eq!(of("{}", "${directive_body}", "Go, {env:HOME}."), [""; 0], "it contains no input");
        let other = "{path: directive, value: b}";
        assert_eq!(of(other, "${directive_body}", "Go, {input:x}."), [""; 0], "it is for other directives");
    }
}
