use crate::fill::assemble;
use crate::lint::rules::{Directive, Findings, LintFile, Problem, Project, has_context};
use crate::read::value::Value;
use crate::read::yaml::{NodeMap, YamlNode};

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

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR052 as RULE;
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
