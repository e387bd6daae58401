use crate::lint::rules::{Findings, Hook, LintFile, Problem, Project};
use crate::read::item::condition::{Comparison, Condition, Form, Operator};

/// If a condition has several of these keys, the first applies and the others are ignored.
const DECIDES: [&str; 4] = ["any", "all", "not", "path"];

pub fn check(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    content_ignored(hook, found);
    for part in hook.condition.parts() {
        let Some(at) = &part.span else { continue };
        match &part.form {
            Form::Invalid(reason) => {
                found.problem(Problem::ConditionInvalid { reason }, at);
            }
            // `contains` and `regex` may search the whole context as text.
            Form::Comparison(Comparison { path, operator, .. })
                if path.is_empty() && !matches!(operator, Some(Operator::Contains | Operator::Regex)) =>
            {
                found.at(at, "the condition has no path, so it compares the whole context");
            }
            _ => keys_ignored(part, found),
        }
    }
}

/// In a directive, a condition consists of attributes; without any, it always holds.
fn content_ignored(hook: &Hook, found: &mut Findings<'_>) {
    let Some(at) = &hook.condition_inside else { return };
    let first = at.text().split(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).find(|part| !part.is_empty());
    let what = match first.filter(|first| first.starts_with('<')) {
        Some(tag) => format!("`{tag}>` in a condition is ignored"),
        None => "the text in a condition is ignored".to_string(),
    };
    let effect =
        if hook.condition.is_empty() { "so the hook always applies" } else { "because only its attributes are read" };
    found
        .at(at, format!("{what}, {effect}"))
        .help("write `path`, `op` and `value` as attributes; only hooks in configuration have `any`, `all` and `not`");
}

fn keys_ignored(part: &Condition, found: &mut Findings<'_>) {
    let mut keys = DECIDES.iter().filter_map(|key| Some((key, part.keys.get(*key)?)));
    let Some((decides, _)) = keys.next() else { return };
    for (key, at) in keys {
        found.at(at, format!("`{key}` is ignored, because `{decides}` is in the same condition"));
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR312 as RULE;
    use crate::lint::testing::examples;
    use crate::lint::testing::messages_of;

    fn of(condition: &str) -> Vec<String> {
        let of_composed = r#"<condition op="eq" value="fast"/>"#;
        let found = messages_of(&RULE, &examples(&RULE).composed.0.replace(of_composed, condition), "rye-3");
        found.into_iter().filter_map(|line| Some(line.split_once(": ")?.1.to_string())).collect()
    }

    #[test]
    fn the_content_of_a_condition_in_a_directive_is_ignored() {
        for (condition, message) in [
            (
                r#"<condition><all><condition path="directive" op="eq" value="z"/></all></condition>"#,
                "`<all>` in a condition is ignored, so the hook always applies",
            ),
            (
                r#"<condition path="directive" op="contains" value="deploy"><not path="model"/></condition>"#,
                "`<not>` in a condition is ignored, because only its attributes are read",
            ),
            (
                "<condition>\n  model == fast\n</condition>",
                "the text in a condition is ignored, so the hook always applies",
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
