use crate::lint::rules::{Findings, Location, Project};
use crate::read::item::InputDeclaration;
use crate::read::item::condition::{Comparison, Operator};
use crate::read::value::{Value, look_up, map};

use super::uses::{self, HookUses, InputUser};

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let configured = uses::configured(project);
    for (file, directive) in project.linted_directives() {
        let mut defaulted = directive.inputs.iter().filter(|input| input.default.is_some()).peekable();
        if defaulted.peek().is_none() || (configured.is_empty() && directive.hooks.is_empty()) {
            continue;
        }
        let own = uses::own(directive, project);
        let is_ever_given = directive.inputs.iter().any(|input| input.required && input.default.is_none());
        for input in defaulted {
            let mut blind = configured.iter().chain(&own).filter(|uses| misses(uses, input, is_ever_given));
            if let Some(uses) = blind.find(|uses| uses.may_apply(&project.composed(file, directive))) {
                let default = input.default.as_ref().map(|default| Location::from(&default.span));
                let at = default.unwrap_or_else(|| project.location(file));
                let (hook, name) = (uses.hook, input.name.as_str());
                let finding = found.at(at, format!("hook {} does not see the default of `{name}`", hook.name()));
                let span = hook.condition.span.as_ref().or(hook.span.as_ref());
                finding.related_if(span, "the hook sees only inputs that are given");
            }
        }
    }
}

/// Whether a hook would act differently if it saw the default of an input.
fn misses(uses: &HookUses<'_>, input: &InputDeclaration, is_ever_given: bool) -> bool {
    if !uses.names(input.name.as_str()) {
        return false;
    }
    let is_of_prompt = uses.hook.shapes_messages();
    let has_effect = is_of_prompt || uses.hook.routes();
    uses.all.iter().filter(|it| it.of.as_deref() == Some(input.name.as_str())).any(|it| match it.by {
        InputUser::Condition { comparison } => has_effect && differs(comparison, input),
        InputUser::Variable { has_other } => is_of_prompt && !has_other,
        // If no input is given at all, RR206 reports the placeholder.
        InputUser::Placeholder { default, .. } => is_of_prompt && default.is_none() && is_ever_given,
    })
}

/// Whether a comparison gives a different result with the default. `exists` is meant to test whether a value is given.
fn differs(comparison: &Comparison, input: &InputDeclaration) -> bool {
    if comparison.operator == Some(Operator::Exists) {
        return false;
    }
    let holds = |value: Value| {
        let inputs = Value::Map(map([(input.name.as_str(), value)]));
        let context = Value::Map(map([("inputs", inputs)]));
        comparison.holds_for(look_up(&context, &comparison.path).unwrap_or(&Value::Null)) == Some(true)
    };
    let default = input.default.as_ref().map(|default| Value::from(default.as_str()));
    default.is_some_and(|default| holds(default) != holds(Value::Null))
}

#[cfg(test)]
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::pages::RR207 as RULE;
    use crate::lint::testing::Example;
    use crate::lint::testing::found;

    #[test]
    fn a_condition_that_the_default_does_not_change_is_not_reported() {
        let files = r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata><hooks><hook id="careful" event="thread_started">
    <condition path="inputs.target" op="eq" value="production"/>
  </hook></hooks></metadata>
  <inputs><input name="target" default="staging"/></inputs>
</directive>
```
"#;
        let findings = found(Example(files), &LintOptions::default());
        assert!(findings.iter().all(|finding| finding.rule.code != RULE.code));
    }
}
