use crate::condition::{Comparison, Form};
use crate::diagnostic::Problem;
use crate::item::Hook;
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};

use super::conditions::{ConditionPart, each_part};
use super::report;

pub(super) const RULE: Rule = Rule { check: Check::Hook(check), ..pages::RR312 };

/// What decides in a condition that has several: the first of these that it has.
const DECIDES: [&str; 4] = ["any", "all", "not", "path"];

fn check(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    inside(hook, found);
    each_part(hook, &mut |form, part| {
        let Some(at) = part.place("") else { return };
        match form {
            Form::Invalid(reason) => {
                report(found, Problem::ConditionInvalid { reason }, &at);
            }
            // The whole context may be searched as a text.
            Form::Comparison(Comparison { path, operator, .. })
                if path.is_empty() && !matches!(operator.as_str(), "contains" | "regex") =>
            {
                found.at(at, "a condition names no path, so it compares the whole context");
            }
            _ => beside(part, found),
        }
    });
}

/// Of the condition of a directive's hook the attributes alone are read; without any, it always holds.
fn inside(hook: &Hook, found: &mut Findings<'_>) {
    let Some(at) = &hook.condition_inside else { return };
    let first = at.text().split(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).find(|part| !part.is_empty());
    let what = match first.filter(|first| first.starts_with('<')) {
        Some(tag) => format!("`{tag}>` in a condition is not read"),
        None => "the text in a condition is not read".to_string(),
    };
    let comes_to = if hook.condition.is_true() { "its attributes alone count" } else { "so the hook always applies" };
    let help =
        "write `path`, `op` and `value` as attributes; `any`, `all` and `not` are for hooks of the configuration";
    found.at(at, format!("{what}, {comes_to}")).help(help);
}

/// What stands beside the key that decides is never looked at.
fn beside(part: &ConditionPart<'_>, found: &mut Findings<'_>) {
    let has = |key: &&&str| part.node().is_some_and(|node| node.get(key).is_some());
    let mut keys = DECIDES.iter().filter(has);
    let Some(decides) = keys.next() else { return };
    for key in keys {
        if let Some(at) = part.place(key) {
            found.at(at, format!("`{key}` is not looked at, since `{decides}` stands beside it"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::examples;
    use crate::lint::testing::said;

    fn of(condition: &str) -> Vec<String> {
        let of_composed = r#"<condition op="eq" value="fast"/>"#;
        let found = said(&RULE, &examples(&RULE).composed.0.replace(of_composed, condition), "rye-3");
        found.into_iter().filter_map(|line| Some(line.split_once(": ")?.1.to_string())).collect()
    }

    #[test]
    fn what_stands_inside_the_condition_of_a_directive_is_not_read() {
        for (condition, message) in [
            (
                r#"<condition><all><condition path="directive" op="eq" value="z"/></all></condition>"#,
                "`<all>` in a condition is not read, so the hook always applies",
            ),
            (
                r#"<condition path="directive" op="contains" value="deploy"><not path="model"/></condition>"#,
                "`<not>` in a condition is not read, its attributes alone count",
            ),
            (
                "<condition>\n  model == fast\n</condition>",
                "the text in a condition is not read, so the hook always applies",
            ),
        ] {
            assert_eq!(of(condition), [message], "{condition}");
        }
        for fine in [
            r#"<condition path="directive" op="contains" value="deploy"/>"#,
            r#"<condition path="directive" op="contains" value="deploy"> <!-- why --> </condition>"#,
            "<condition/>",
        ] {
            assert_eq!(of(fine), [""; 0], "{fine}");
        }
    }
}
